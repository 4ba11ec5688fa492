"""What electricity a token takes, where the power of the GPUs was sampled while a run went on."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Picked, metric, observed
from generator.places import setting, telemetry
from generator.scenarios import declared_in_scenarios, in_scenarios
from generator.text import Text
from generator.themes import COST

THEME: Final = COST

gpu_power_total = observed(
    "gpu_power_total",
    scope="level",
    unit="W",
    symbol="P_gpus",
    places=[telemetry("power.total", "W")],
    title=Text(zh="各 GPU 平均功率之和", en="mean power of all GPUs together"),
    meaning=Text(
        zh="每块在用 GPU 的平均功率，加在一起；主机其余部分不在内。",
        en="The mean power of each GPU in use, added up; the rest of the host is not in it.",
    ),
)
scenario_price_per_kwh = observed(
    "scenario_price_per_kwh",
    scope="round",
    unit="¤/kWh",
    symbol="p_kWh",
    places=[setting("economics.price_per_kwh", "¤/kWh")],
    title=Text(zh="电价", en="price of electricity"),
    meaning=Text(zh="每千瓦时的价格，由作者声明。", en="Price of a kilowatt-hour, declared by the author."),
)
scenario_prices_per_kwh = declared_in_scenarios(scenario_price_per_kwh, "price_per_kwh", "¤/kWh")


@metric(
    "first(gpu_power_total) ÷ first(output_throughput)",
    scope="series",
    over="reachable",
    unit="kWh/Mtok",
    symbol="E_tok",
    better="lower",
    title=Text(zh="每百万输出 token 的 GPU 能耗", en="energy of the GPUs per million output tokens"),
    meaning=Text(
        zh="采样了功率的可用档位里吞吐最高的那一档（有排除的档位时，只看它之下的）：GPU 功率之和 ÷ 输出吞吐。利用率更低时，空转的电也要算，只会更多。",
        en="At the usable level with the highest throughput of those where power was sampled, and of those below any excluded one: "
        "power of the GPUs ÷ output throughput. At a lower utilisation idle power comes on top, so it is a floor.",
    ),
)
def energy_per_mtok(gpu_power_total: Column, output_throughput: Column) -> Picked:
    """Return W ÷ (tok/s), joules a token, of the level that delivers most."""
    best = int(output_throughput.argmax())
    return Picked(float(gpu_power_total[best] / output_throughput[best]), rows=(best,))


@metric(
    "energy_per_mtok × scenario_price_per_kwh",
    scope="series",
    unit="¤/Mtok",
    symbol="K_E",
    title=Text(zh="每百万输出 token 的电费", en="electricity per million output tokens"),
    meaning=Text(
        zh="GPU 能耗 × 电价；租来的服务器已含电费，所以不加进成本。",
        en="Energy of the GPUs × price of electricity; it is not added to the cost, because prices of servers include it.",
    ),
)
def energy_cost_per_mtok(energy_per_mtok: float, scenario_price_per_kwh: float) -> float:
    """Return joules a token × money a joule."""
    return energy_per_mtok * scenario_price_per_kwh


energy_costs_per_mtok = in_scenarios(energy_cost_per_mtok)
