"""What a start costs and when it has paid for itself: against the life of a server, and of one engine against another.

Z is the cold start as perceived, from the spawn to the first token; T the highest output throughput over the load.
"""

from __future__ import annotations

import math
from typing import Final

from generator.kinds import Column, Picked, Unknown, metric, observed
from generator.places import setting
from generator.scenarios import declared_in_scenarios, in_scenarios
from generator.text import Text
from generator.themes import COST

THEME: Final = COST

WHY_TOTAL: Final = Text(
    zh="吞吐按输出 token 报，也有人把输入 token 一起算；Z × T 与需求必须用同一种口径。",
    en="Throughput is told in output tokens here, and by others with the input counted in; Z × T and the demand must be "
    "counted alike.",
)
EQUAL: Final = Unknown(
    Text(
        zh="两边的启动与吞吐都相同，没有谁要追回什么",
        en="both start alike and run alike, so neither has anything to regain",
    )
)
BASELINE_AHEAD: Final = Unknown(
    Text(
        zh="基线启动不更慢、吞吐也不更低，无论跑多少 token 都不落后",
        en="the baseline starts no later and runs no slower: it is behind at no number of tokens",
    )
)
COMPARED_AHEAD: Final = Unknown(
    Text(
        zh="被比较的系列启动不更慢、吞吐也不更低，无论跑多少 token 都不落后",
        en="the compared series starts no later and runs no slower: it is behind at no number of tokens",
    )
)

scenario_lifetime = observed(
    "scenario_lifetime",
    scope="round",
    unit="h",
    symbol="L_life",
    places=[setting("economics.lifetime_h", "h")],
    title=Text(zh="两次启动之间的运行时间", en="time between two starts"),
    meaning=Text(
        zh="服务器就绪后一直运行到下一次启动的小时数；由作者声明，没有声明就是假定的。",
        en="Hours for which a server runs, from being ready to its next start; declared by the author, else assumed.",
    ),
)
scenario_lifetimes = declared_in_scenarios(scenario_lifetime, "lifetime_h", "h")
scenario_utilisation = observed(
    "scenario_utilisation",
    scope="round",
    unit="ratio",
    symbol="u",
    style="percent",
    places=[setting("economics.utilisation", "ratio")],
    title=Text(zh="平均利用率", en="mean utilisation"),
    meaning=Text(
        zh="平均要它产出最高吞吐的多大一部分；由作者声明，没有声明就是假定的。",
        en="Share of the highest throughput that is asked of a server on average; declared by the author, else assumed.",
    ),
)
scenario_utilisations = declared_in_scenarios(scenario_utilisation, "utilisation", "ratio")
scenario_offered_rate = observed(
    "scenario_offered_rate",
    scope="round",
    unit="req/s",
    symbol="λ_asked",
    places=[setting("economics.offered_rate", "req/s")],
    title=Text(zh="要服务的请求", en="requests to be served"),
    meaning=Text(
        zh="平均每秒要服务的请求数；多于它的产能不算服务。",
        en="Requests a second that there are to be served on average; capacity beyond them serves nobody.",
    ),
)
scenario_offered_rates = declared_in_scenarios(scenario_offered_rate, "offered_rate", "req/s")
ignore_above = observed(
    "ignore_above",
    scope="round",
    unit="1",
    symbol="k_start",
    places=[setting("economics.ignore_above", "1")],
    title=Text(zh="启动可忽略的门槛", en="ratio above which a start does not matter"),
    meaning=Text(
        zh="一次运行服务的 token ÷ 启动期间本可产出的 token：达到它，启动就不必计较。",
        en="Tokens served between starts ÷ those that the start could have produced: from here on the start does not matter.",
    ),
)


@metric(
    "percentile(total_token_throughput, 100)",
    scope="series",
    over="reachable",
    unit="tok/s",
    symbol="X_max,total",
    better="higher",
    title=Text(zh="最高的总吞吐", en="highest total throughput"),
    meaning=Text(
        zh="只有负载不同的可用档位里，输入与输出 token 一起算的最高吞吐；有排除的档位时，只算它之下的，因为更高的负载要先经过它。",
        en="The highest throughput, input and output counted, over the usable levels that differ in the load alone; where a level is "
        "excluded, over those below it, since a higher load passes through it.",
    ),
    why=WHY_TOTAL,
)
def best_throughput__total(total_token_throughput: Column) -> Picked:
    """Return the largest, in tokens a second."""
    best = int(total_token_throughput.argmax())
    return Picked(float(total_token_throughput[best]), (best,))


@metric(
    "sum(output_throughput) ÷ sum(request_throughput)",
    scope="series",
    over="ladder",
    unit="tok",
    symbol="n_out,req",
    digits=5,
    title=Text(zh="每条请求的输出 token（各档合计）", en="output tokens of a request, over the load"),
    meaning=Text(
        zh="只有负载不同的可用档位里，输出吞吐之和 ÷ 请求吞吐之和。",
        en="Output throughput ÷ request throughput, each summed over the usable levels that differ in the load alone.",
    ),
)
def answer_tokens(output_throughput: Column, request_throughput: Column) -> float:
    """Return output tokens ÷ requests."""
    return float(output_throughput.sum() / request_throughput.sum())


@metric(
    "cold_start_perceived × best_throughput",
    scope="series",
    unit="tok",
    symbol="Z × T",
    title=Text(zh="启动期间本可产出的 token", en="tokens that the start could have produced"),
    meaning=Text(
        zh="冷启动 × 最高输出吞吐。满载服务这么多 token，启动恰好占全部时间的一半；它不是两个引擎之间的回本点。也有人写作 C × T。",
        en="Cold start × highest output throughput. After serving as many at full load, the start is half of the time "
        "gone by; it is not a break-even between engines. Others write C × T.",
    ),
)
def startup_tokens(cold_start_perceived: float, best_throughput: float) -> float:
    """Return Z × T. Seconds and output tokens a second in, output tokens out."""
    return cold_start_perceived * best_throughput


@metric(
    "cold_start_perceived × best_throughput",
    scope="series",
    unit="tok",
    symbol="Z × T_total",
    title=Text(zh="启动期间本可处理的 token，含输入", en="tokens that the start could have processed, input counted"),
    meaning=Text(
        zh="冷启动 × 最高总吞吐：需求按输入加输出计数时用它。",
        en="Cold start × highest total throughput: for a demand that counts input and output.",
    ),
    why=WHY_TOTAL,
)
def startup_tokens__total(cold_start_perceived: float, best_throughput: float) -> float:
    """Return Z × T, input and output counted."""
    return cold_start_perceived * best_throughput


@metric(
    "cold_start_perceived ÷ (cold_start_perceived + scenario_lifetime)",
    scope="series",
    unit="ratio",
    symbol="Z ÷ (Z + L)",
    style="percent",
    title=Text(zh="启动占的时间", en="share of the time that goes into starts"),
    meaning=Text(zh="冷启动 ÷（冷启动 + 运行时间）。", en="Cold start ÷ (cold start + time between two starts)."),
)
def startup_share(cold_start_perceived: float, scenario_lifetime: float) -> float:
    """Return Z ÷ (Z + L). It goes to 0 as the life grows, and with the start."""
    return cold_start_perceived / (cold_start_perceived + scenario_lifetime)


startup_shares = in_scenarios(startup_share)


@metric(
    "1 ÷ (cold_start_perceived + scenario_lifetime)",
    scope="series",
    unit="1/d",
    symbol="f_start",
    title=Text(zh="每天启动的次数", en="starts a day"),
    meaning=Text(zh="一天 ÷（冷启动 + 运行时间）。", en="A day ÷ (cold start + time between two starts)."),
)
def restart_frequency(cold_start_perceived: float, scenario_lifetime: float) -> float:
    """Return starts a second."""
    return 1 / (cold_start_perceived + scenario_lifetime)


restart_frequencies = in_scenarios(restart_frequency)


@metric(
    "min(best_throughput × scenario_utilisation × scenario_lifetime, scenario_offered_rate × answer_tokens × scenario_lifetime)",
    scope="series",
    unit="Mtok",
    symbol="N_life",
    title=Text(zh="一次运行服务的 token", en="tokens served between starts"),
    meaning=Text(
        zh="从一次启动到下一次之间服务的输出 token：最高吞吐 × 利用率 × 运行时间，声明了需求时不超过需求。",
        en="Output tokens served between two starts: highest throughput × utilisation × time, and no more than the demand "
        "where one is declared.",
    ),
)
def tokens_served(
    best_throughput: float,
    scenario_utilisation: float,
    scenario_lifetime: float,
    scenario_offered_rate: float,
    answer_tokens: float,
) -> float:
    """Return the smaller of what the server is let produce and what is asked for."""
    capacity = best_throughput * scenario_utilisation * scenario_lifetime
    return min(capacity, scenario_offered_rate * answer_tokens * scenario_lifetime)


@tokens_served.otherwise("best_throughput × scenario_utilisation × scenario_lifetime")
def tokens_served_at_utilisation(
    best_throughput: float, scenario_utilisation: float, scenario_lifetime: float
) -> float:
    """Return T × u × L, where no demand is declared."""
    return best_throughput * scenario_utilisation * scenario_lifetime


tokens_served_in_scenarios = in_scenarios(tokens_served)


@metric(
    "tokens_served ÷ startup_tokens",
    scope="series",
    unit="ratio",
    symbol="N_life ÷ (Z × T)",
    style="times",
    title=Text(
        zh="一次运行服务的 token ÷ 启动本可产出的",
        en="tokens served between starts ÷ those that the start could have produced",
    ),
    meaning=Text(
        zh="达到门槛起，启动不必计较；接近一，启动与运行同样贵。",
        en="From the threshold on the start does not matter; near one, it costs as much as the life that follows.",
    ),
)
def startup_ratio(tokens_served: float, startup_tokens: float) -> float:
    """Return tokens of a life ÷ tokens that the start could have produced."""
    return tokens_served / startup_tokens


startup_ratios = in_scenarios(startup_ratio)


@metric(
    "ignore_above × startup_tokens × scenario_lifetime ÷ tokens_served",
    scope="series",
    unit="h",
    symbol="L_ignore",
    title=Text(zh="启动可忽略的最短运行时间", en="life from which on the start does not matter"),
    meaning=Text(
        zh="按情景里的产出速率，服务到门槛那么多 token 所需的运行时间；更频繁地重启，启动就要计较。",
        en="How long a server must run, at the pace of the scenario, to serve as many tokens as the threshold asks: where "
        "it is started more often, its start matters.",
    ),
)
def lifetime_to_ignore(
    ignore_above: float, startup_tokens: float, scenario_lifetime: float, tokens_served: float
) -> float:
    """Return k × Z × T ÷ (tokens served a second), in seconds; the life itself cancels out."""
    return ignore_above * startup_tokens * scenario_lifetime / tokens_served


lifetimes_to_ignore = in_scenarios(lifetime_to_ignore)


@metric(
    "(compared_cold_start_perceived − baseline_cold_start_perceived) ÷ (1 ÷ baseline_best_throughput − 1 ÷ compared_best_throughput)",
    scope="pair",
    unit="tok",
    symbol="N*",
    title=Text(zh="回本的 token 数", en="tokens of the break-even"),
    meaning=Text(
        zh="启动慢而跑得快的引擎，满载产出这么多 token 时追平另一个：Z + N ÷ T 两边相等。更少则启动快的先完成。",
        en="Where the engine that starts later and runs faster draws level, both at full load: Z + N ÷ T is the same for both. "
        "With less to do, the one that starts sooner is done first.",
    ),
)
def break_even_tokens(
    compared_cold_start_perceived: float,
    baseline_cold_start_perceived: float,
    baseline_best_throughput: float,
    compared_best_throughput: float,
) -> float | Unknown:
    """Return (C_b − C_a) ÷ (1/T_a − 1/T_b); unknown where one is never behind, or both are equal."""
    later = compared_cold_start_perceived - baseline_cold_start_perceived
    faster = 1 / baseline_best_throughput - 1 / compared_best_throughput
    if later == 0 and faster == 0:
        return EQUAL
    if later >= 0 >= faster:
        return BASELINE_AHEAD
    if later <= 0 <= faster:
        return COMPARED_AHEAD
    return later / faster if math.isfinite(later / faster) else EQUAL


@metric(
    "break_even_tokens ÷ min(scenario_offered_rate × baseline_answer_tokens, baseline_best_throughput × scenario_utilisation)",
    scope="pair",
    unit="h",
    symbol="t*",
    title=Text(zh="要到这么多 token 所需的时间", en="time until as many tokens are asked for"),
    meaning=Text(
        zh="回本的 token 数 ÷ 情景里每秒要的 token：声明了需求时按需求，否则按基线最高吞吐 × 利用率。满载时才只要几分钟。",
        en="Tokens of the break-even ÷ those asked for a second: the demand where one is declared, else the highest throughput of "
        "the baseline × the utilisation. Only at full load is it a matter of minutes.",
    ),
)
def break_even_time(
    break_even_tokens: float,
    scenario_offered_rate: float,
    baseline_answer_tokens: float,
    baseline_best_throughput: float,
    scenario_utilisation: float,
) -> float:
    """Return N* ÷ tokens asked for a second, in seconds."""
    asked = min(scenario_offered_rate * baseline_answer_tokens, baseline_best_throughput * scenario_utilisation)
    return break_even_tokens / asked


@break_even_time.otherwise("break_even_tokens ÷ (baseline_best_throughput × scenario_utilisation)")
def break_even_time_at_utilisation(
    break_even_tokens: float, baseline_best_throughput: float, scenario_utilisation: float
) -> float:
    """Return the same where no demand is declared."""
    return break_even_tokens / (baseline_best_throughput * scenario_utilisation)


break_even_times = in_scenarios(break_even_time)
