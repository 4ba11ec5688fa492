"""What a million tokens cost: the server's time with its starts, operations and images, over the tokens that it serves.

Output and input tokens are kept apart: a cost is of output tokens, and beside it of all tokens, never of a mixture.
"""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, metric, observed
from generator.places import setting
from generator.scenarios import declared_in_scenarios, in_scenarios
from generator.text import Text
from generator.themes import COST

THEME: Final = COST

NOT_COUNTED: Final = Text(
    zh="没有测过冷启动时，启动的时间不计在内，公式里也没有它。",
    en=" Where no cold start was measured, its time is not counted and not in the formula.",
)

scenario_price = observed(
    "scenario_price",
    scope="series",
    unit="¤/h",
    symbol="p",
    places=[setting("economics.price_per_hour", "¤/h")],
    title=Text(zh="服务器每小时的价格", en="price per server hour"),
    meaning=Text(
        zh="系列占用的全部设备合计，由作者声明；系列自己的价格优先。",
        en="All the devices that a series takes, declared by the author; the price of a series goes before that of the round.",
    ),
)
scenario_prices = declared_in_scenarios(scenario_price, "price_per_hour", "¤/h")
scenario_ops = observed(
    "scenario_ops",
    scope="round",
    unit="¤/h",
    symbol="o",
    places=[setting("economics.ops_per_hour", "¤/h")],
    title=Text(zh="每小时的运维成本", en="operating cost per hour"),
    meaning=Text(
        zh="价格之外，维持一台服务器每小时的花费；没有声明按 0 计。",
        en="What operating a server costs per hour beside its price; 0 if not declared.",
    ),
)
scenario_ops_in_scenarios = declared_in_scenarios(scenario_ops, "ops_per_hour", "¤/h")
scenario_image_cost = observed(
    "scenario_image_cost",
    scope="round",
    unit="¤",
    symbol="i",
    places=[setting("economics.image_cost", "¤")],
    title=Text(zh="每次启动的镜像与依赖成本", en="image and dependencies of a start"),
    meaning=Text(
        zh="每次启动在服务器时间之外的花费；没有声明按 0 计。",
        en="What each start costs beside the server's time; 0 if not declared.",
    ),
)
scenario_image_costs = declared_in_scenarios(scenario_image_cost, "image_cost", "¤")


@metric(
    "sum(output_throughput) ÷ sum(total_token_throughput)",
    scope="series",
    over="ladder",
    unit="ratio",
    symbol="s_out",
    style="percent",
    places=(setting("economics.output_share", "ratio"),),
    title=Text(zh="输出占全部 token 的份额", en="share of output in all tokens"),
    meaning=Text(
        zh="输出 token ÷（输入 + 输出）：没有声明时，取只有负载不同的可用档位的吞吐之和。改了它，吞吐仍是按测试的长度测的。",
        en="Output ÷ (input + output) tokens: where it is not declared, by the throughputs of the usable levels that differ in the load "
        "alone. Another share leaves the throughput as it was measured, at the lengths of the workload.",
    ),
)
def output_share(output_throughput: Column, total_token_throughput: Column) -> float:
    """Return output ÷ all tokens."""
    return float(output_throughput.sum() / total_token_throughput.sum())


output_shares = declared_in_scenarios(output_share, "output_share", "ratio")


@metric(
    "(cold_start_perceived + scenario_lifetime) ÷ tokens_served",
    scope="series",
    unit="h/Mtok",
    symbol="H_tok",
    title=Text(zh="每百万输出 token 的服务器小时", en="server hours per million output tokens"),
    meaning=Text(
        zh="（冷启动 + 运行时间）÷ 其间服务的输出 token；不知道价格时，这就是成本。{more}",
        en="(Cold start + time between two starts) ÷ output tokens served meanwhile: the cost, where no price is known.{more}",
    ).format(more=NOT_COUNTED),
)
def server_hours_per_mtok(cold_start_perceived: float, scenario_lifetime: float, tokens_served: float) -> float:
    """Return (Z + L) ÷ tokens, in seconds a token. Without a start it is 1 ÷ (T × u)."""
    return (cold_start_perceived + scenario_lifetime) / tokens_served


@server_hours_per_mtok.otherwise("scenario_lifetime ÷ tokens_served")
def server_hours_without_start(scenario_lifetime: float, tokens_served: float) -> float:
    """Return L ÷ tokens, where no start was measured."""
    return scenario_lifetime / tokens_served


server_hours_in_scenarios = in_scenarios(server_hours_per_mtok)


@metric(
    "((scenario_price + scenario_ops) × (cold_start_perceived + scenario_lifetime) + scenario_image_cost) ÷ tokens_served",
    scope="series",
    unit="¤/Mtok",
    symbol="K_out",
    title=Text(zh="每百万输出 token 的成本", en="cost per million output tokens"),
    meaning=Text(
        zh="[（价格 + 运维）×（冷启动 + 运行时间）+ 每次启动的镜像成本] ÷ 其间服务的输出 token，输入不另收费。{more}",
        en="[(price + operating cost) × (cold start + time between two starts) + image of a start] ÷ output tokens served meanwhile; "
        "input is not charged beside it.{more}",
    ).format(more=NOT_COUNTED),
)
def cost_per_mtok_output(
    scenario_price: float,
    scenario_ops: float,
    cold_start_perceived: float,
    scenario_lifetime: float,
    scenario_image_cost: float,
    tokens_served: float,
) -> float:
    """Return money a token. Money a second, seconds, money and tokens in."""
    time = cold_start_perceived + scenario_lifetime
    return ((scenario_price + scenario_ops) * time + scenario_image_cost) / tokens_served


@cost_per_mtok_output.otherwise(
    "((scenario_price + scenario_ops) × scenario_lifetime + scenario_image_cost) ÷ tokens_served"
)
def cost_without_start(
    scenario_price: float,
    scenario_ops: float,
    scenario_lifetime: float,
    scenario_image_cost: float,
    tokens_served: float,
) -> float:
    """Return the same without the time of a start, where none was measured."""
    return ((scenario_price + scenario_ops) * scenario_lifetime + scenario_image_cost) / tokens_served


costs_per_mtok_output = in_scenarios(cost_per_mtok_output)


@metric(
    "cost_per_mtok_output × output_share",
    scope="series",
    unit="¤/Mtok",
    symbol="K_total",
    title=Text(zh="每百万 token 的成本，输入输出合计", en="cost per million tokens, input and output together"),
    meaning=Text(
        zh="同一笔钱分摊到输入与输出的全部 token 上。",
        en="The same money over all tokens, input and output.",
    ),
)
def cost_per_mtok_total(cost_per_mtok_output: float, output_share: float) -> float:
    """Return money a token, input counted."""
    return cost_per_mtok_output * output_share


costs_per_mtok_total = in_scenarios(cost_per_mtok_total)

OF_COST: Final = Text(
    zh="该输入增加 1% 时成本变化的百分数；为负表示成本下降。",
    en="By how many per cent the cost changes where this input is 1 % higher; negative where it falls.",
)


@metric(
    "scenario_price ÷ (scenario_price + scenario_ops) × (1 − scenario_image_cost ÷ (cost_per_mtok_output × tokens_served))",
    scope="series",
    unit="ratio",
    symbol="ε_p",
    title=Text(zh="成本对价格的弹性", en="elasticity of the cost to the price"),
    meaning=OF_COST,
)
def elasticity_price(
    scenario_price: float,
    scenario_ops: float,
    scenario_image_cost: float,
    cost_per_mtok_output: float,
    tokens_served: float,
) -> float:
    """Return the share of the price in the cost."""
    of_time = _part_of_time(scenario_image_cost, cost_per_mtok_output, tokens_served)
    return scenario_price / (scenario_price + scenario_ops) * of_time


def _part_of_time(scenario_image_cost: float, cost_per_mtok_output: float, tokens_served: float) -> float:
    """Return the share of all that is paid by the hour in the cost."""
    return 1 - scenario_image_cost / (cost_per_mtok_output * tokens_served)


@metric(
    "scenario_ops ÷ (scenario_price + scenario_ops) × (1 − scenario_image_cost ÷ (cost_per_mtok_output × tokens_served))",
    scope="series",
    unit="ratio",
    symbol="ε_o",
    title=Text(zh="成本对运维的弹性", en="elasticity of the cost to the operating cost"),
    meaning=OF_COST,
)
def elasticity_ops(
    scenario_price: float,
    scenario_ops: float,
    scenario_image_cost: float,
    cost_per_mtok_output: float,
    tokens_served: float,
) -> float:
    """Return the share of operations in the cost."""
    of_time = _part_of_time(scenario_image_cost, cost_per_mtok_output, tokens_served)
    return scenario_ops / (scenario_price + scenario_ops) * of_time


@metric(
    "scenario_image_cost ÷ (cost_per_mtok_output × tokens_served)",
    scope="series",
    unit="ratio",
    symbol="ε_i",
    title=Text(zh="成本对镜像的弹性", en="elasticity of the cost to the image"),
    meaning=OF_COST,
)
def elasticity_image(scenario_image_cost: float, cost_per_mtok_output: float, tokens_served: float) -> float:
    """Return the share of images and dependencies in the cost."""
    return scenario_image_cost / (cost_per_mtok_output * tokens_served)


@metric(
    "(scenario_price + scenario_ops) × cold_start_perceived ÷ (cost_per_mtok_output × tokens_served)",
    scope="series",
    unit="ratio",
    symbol="ε_Z",
    title=Text(zh="成本对冷启动时长的弹性", en="elasticity of the cost to the cold start"),
    meaning=OF_COST,
)
def elasticity_startup(
    scenario_price: float,
    scenario_ops: float,
    cold_start_perceived: float,
    cost_per_mtok_output: float,
    tokens_served: float,
) -> float:
    """Return the share of the time of starts in the cost; 0 as the start goes to 0."""
    return (scenario_price + scenario_ops) * cold_start_perceived / (cost_per_mtok_output * tokens_served)


@metric(
    "(scenario_price + scenario_ops) × scenario_lifetime ÷ (cost_per_mtok_output × tokens_served) − 1",
    scope="series",
    unit="ratio",
    symbol="ε_L",
    title=Text(zh="成本对运行时间的弹性", en="elasticity of the cost to the time between two starts"),
    meaning=OF_COST,
)
def elasticity_lifetime(
    scenario_price: float,
    scenario_ops: float,
    scenario_lifetime: float,
    cost_per_mtok_output: float,
    tokens_served: float,
) -> float:
    """Return minus the share of all that a start costs: tokens grow with the life, and so does all else of the cost."""
    return (scenario_price + scenario_ops) * scenario_lifetime / (cost_per_mtok_output * tokens_served) - 1


@metric(
    "0 − [best_throughput × scenario_utilisation < scenario_offered_rate × answer_tokens]",
    scope="series",
    unit="ratio",
    symbol="ε_u",
    title=Text(zh="成本对利用率与吞吐的弹性", en="elasticity of the cost to utilisation and throughput"),
    meaning=OF_COST,
)
def elasticity_utilisation(
    best_throughput: float, scenario_utilisation: float, scenario_offered_rate: float, answer_tokens: float
) -> float:
    """Return −1, or 0 where the demand decides how many tokens are served."""
    return 0.0 - float(best_throughput * scenario_utilisation < scenario_offered_rate * answer_tokens)


@elasticity_utilisation.otherwise("0 − tokens_served ÷ (best_throughput × scenario_utilisation × scenario_lifetime)")
def elasticity_utilisation_without_demand(
    tokens_served: float, best_throughput: float, scenario_utilisation: float, scenario_lifetime: float
) -> float:
    """Return −1: without a demand, all that the server is let produce is served."""
    return 0.0 - tokens_served / (best_throughput * scenario_utilisation * scenario_lifetime)


@metric(
    "[best_throughput × scenario_utilisation < scenario_offered_rate × answer_tokens] − 1",
    scope="series",
    unit="ratio",
    symbol="ε_λ",
    title=Text(zh="成本对需求的弹性", en="elasticity of the cost to the demand"),
    meaning=OF_COST,
)
def elasticity_demand(
    best_throughput: float, scenario_utilisation: float, scenario_offered_rate: float, answer_tokens: float
) -> float:
    """Return −1 where the demand decides how many tokens are served, else 0."""
    return float(best_throughput * scenario_utilisation < scenario_offered_rate * answer_tokens) - 1
