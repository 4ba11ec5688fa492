"""Words that readers stumble over and that are no metrics: what each means here, in both languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from generator.numeric.dips import TOLERANCE
from generator.text import Text, same


@dataclass(frozen=True, slots=True)
class Term:
    """A word and what it means here; ``see`` are metrics in which it becomes a number."""

    key: str
    title: Text
    meaning: Text
    see: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """Terms that are read together."""

    key: str
    title: Text
    terms: tuple[Term, ...]

    @property
    def size(self) -> int:
        """Return how many terms there are."""
        return len(self.terms)


RECORD: Final = Topic(
    "record",
    Text(zh="数据怎样组织", en="How the data are kept"),
    (
        Term(
            "round", Text(zh="轮次", en="round"),
            Text(
                zh="一次完整的测量：一个问题、一个模型、一台机器、一种负载，以及要比较的若干系列。每一轮都有自己的报告。",
                en="One campaign of measurement: one question, one model, one machine, one workload, and the series to be "
                "compared. Each round has reports of its own.",
            ),
        ),
        Term(
            "series", Text(zh="系列", en="series"),
            Text(
                zh="一轮里的一种引擎配置：引擎、版本、精度、启动参数和所在机器。图里一种颜色对应一个系列，各页一致。",
                en="One configuration of an engine within a round: engine, version, precision, flags, host. It keeps one "
                "colour in all figures and tables.",
            ),
        ),
        Term(
            "level", Text(zh="档位", en="level"),
            Text(
                zh="一个系列受的一种负载：某个并发或某个到达率，连同输入与输出长度。C=8 表示保持 8 条请求在途。",
                en="One load of a series: a concurrency or an arrival rate, with its input and output lengths. C=8 "
                "means that 8 requests are kept in flight.",
            ),
            ("concurrency", "rate"),
        ),
        Term(
            "trial", Text(zh="重复测量", en="trial"),
            Text(
                zh="同一档位的一次运行。测过多次的档位取各次的中位数，最小值与最大值也一并保留；不同次的请求从不混在一起统计。",
                en="One run of a level. A level with several trials is their median, and the lowest and the highest "
                "are kept beside it; requests of different trials are never pooled.",
            ),
        ),
        Term(
            "baseline", Text(zh="基线", en="baseline"),
            Text(
                zh="一轮里供其他系列对照的那个系列，由作者指定；没有指定，就不做比较。",
                en="The series of a round that the others are compared with. The author names it; without one nothing is "
                "compared.",
            ),
        ),
        Term(
            "scope", Text(zh="粒度", en="scope"),
            Text(
                zh="一个数说的是什么：某个档位、某个系列、一对系列，还是整轮。斜率、交叉点这类数属于系列或一对系列，由可用的档位算出。",
                en="What a number refers to: a level, a series, a pair of series, or the round. Slopes and crossovers "
                "belong to series or pairs and are computed from usable levels.",
            ),
        ),
    ),
)  # fmt: skip

TRUST: Final = Topic(
    "trust",
    Text(zh="数有多可信", en="How far a number can be trusted"),
    (
        Term(
            "origin", Text(zh="来源", en="origin"),
            Text(
                zh="一个数从哪里来：实测、工具自报、转录、声明、假定，或由别的数推导。推导出的数，强度等于它最弱的输入。",
                en="Where a number comes from: measured, reported by a tool, transcribed, declared, assumed, or derived "
                "from others. A derived number is as strong as its weakest input.",
            ),
        ),
        Term(
            "basis", Text(zh="口径", en="basis"),
            Text(
                zh="同一个指标的另一种定义，例如压测工具自己报的统计，或只取稳态的统计。两种口径并列给出，各有说明，从不混用。",
                en="Which definition a number follows, where a metric has several, such as the statistic that a client reports "
                "itself, or the one of the steady part alone. Both are given side by side with the reason, and never mixed.",
            ),
        ),
        Term(
            "finding", Text(zh="自检结论", en="finding"),
            Text(
                zh="一项自检对一轮数据的判断：通过、提示、警告、不通过，或者无从检查；附有证据、偏向谁和该怎么办。",
                en="What a self-check says of a round: pass, note, warn, fail or unchecked, with its evidence, whom it "
                "flatters, and what to do.",
            ),
        ),
        Term(
            "excluded_level", Text(zh="排除的档位", en="excluded level"),
            Text(
                zh="没通过自检、因此不进入任何结论的档位，例如吞吐比更低的档位低 {slack} 以上而更高的档位又恢复。它仍然画在图上，"
                "但是空心的，并写明原因。",
                en="A level that failed a check and therefore enters no conclusion: one, say, that delivers more than {slack} "
                "less than a lower level while a higher one recovers. It is still drawn, hollow, with the reason.",
            ).format(slack=f"{TOLERANCE:.0%}"),
        ),
        Term(
            "steady_part", Text(zh="稳态", en="steady part"),
            Text(
                zh="一次运行里从第一条回答结束到末条请求发出的那一段：槽位已经填满，还没有开始排空。",
                en="The part of a run between the end of the first answer and the last sending: the slots have filled, and "
                "do not yet run empty.",
            ),
            ("steady_start", "steady_end"),
        ),
        Term(
            "coordinated_omission", same("coordinated omission"),
            Text(
                zh="服务端一慢，客户端就跟着少发，慢的那一段于是采样不足，尾部时延显得比用户遇到的好。开环压测若不从该发的时刻起计时，"
                "也会犯这个错。",
                en="A client that waits for a slow server sends less while it is slow, so the slow stretch is sampled too "
                "thinly and tails look better than what users meet. An open loop that does not count from the moment a "
                "request was due makes the same mistake.",
            ),
            ("client_schedule_lag_p99",),
        ),
        Term(
            "qualitative_only", Text(zh="仅供定性参考", en="qualitative only"),
            Text(
                zh="精度、各档结果、尾部分位数或预热状态里缺了一样：方向与量级可信，大小相近的两个数分不出高下。",
                en="Precision, results per level, a tail percentile or the state of warm-up is missing: direction and order "
                "of magnitude hold, but two numbers that are close cannot be distinguished.",
            ),
        ),
        Term(
            "confounded", Text(zh="混杂因素", en="confounded"),
            Text(
                zh="两轮之间同时变了不止一项设置，差别便无法归因于其中任何一项，也不能归因于引擎。要归因，得只改一项再测。",
                en="A difference between two rounds while several settings changed at once: it cannot be attributed to any one of "
                "them, nor to the engine. To attribute it, change one setting alone and measure again.",
            ),
        ),
        Term(
            "certainty", Text(zh="把握", en="certainty"),
            Text(
                zh="一个比较有多大把握，从高到低四等：可靠（两边都测过多次，范围不重叠）、倾向（只测了一次，或另有不同之处）、"
                "仅供定性参考（该写明的有缺）、未定（数据分不出高下）。",
                en="How sure a comparison is, from the surest down: firm (several runs on each side, ranges that do not "
                "overlap), leaning (a single run, or something else differs too), qualitative only (something that has to "
                "be stated is missing), open (the data do not decide).",
            ),
        ),
        Term(
            "grade", Text(zh="证据等级", en="grade of the evidence"),
            Text(
                zh="两轮之间的一个差别依据有多强，从 A 到 D：A 是两边各有三次以上运行；B 是每边一次运行，请求足够多；C 是只有两次"
                "运行、请求太少或只有汇总的数字；D 是有混杂因素。只有 A 能下判定。",
                en="What backs a difference between two rounds, from A down to D. A: three runs or more on each side. B: one "
                "run on each side, with enough requests. C: two runs, too few requests, or summaries alone. D: confounded. "
                "Only A bears a verdict.",
            ),
        ),
    ),
)  # fmt: skip

LOADING: Final = Topic(
    "loading",
    Text(zh="怎样加压", en="How load is made"),
    (
        Term(
            "closed_loop", Text(zh="闭环", en="closed loop"),
            Text(
                zh="始终保持固定条数的请求在途：一条答完才发下一条。服务端越慢，发得越慢。",
                en="A fixed number of requests is kept in flight: the next one is sent when one is answered. The slower the "
                "server, the slower the sending.",
            ),
            ("kept_in_flight", "littles_law_e2el"),
        ),
        Term(
            "open_loop", Text(zh="开环", en="open loop"),
            Text(
                zh="按到达率发请求，不管前面的答完没有，和互不相识的用户一样。超过服务能力时，队列会一直变长。",
                en="Requests are sent at an arrival rate whether or not earlier ones were answered, as users who know "
                "nothing of each other do. Beyond what the server can do, the queue grows without end.",
            ),
            ("rate", "rate_share"),
        ),
        Term(
            "wave", Text(zh="批次", en="wave"),
            Text(
                zh="闭环里并发数那么多条请求。第一批同时遇到空的引擎；批次太少，均值就主要由它决定。",
                en="In a closed loop, as many requests as are kept in flight. The first wave meets an empty engine all at "
                "once; with few waves it dominates the means.",
            ),
            ("waves", "first_wave_weight"),
        ),
        Term(
            "slo", same("SLO"),
            Text(
                zh="时延目标：TTFT、TPOT 或 E2EL 不得超过多少。",
                en="A latency target: what TTFT, TPOT or E2EL must not exceed.",
            ),
        ),
        Term(
            "goodput", same("goodput"),
            Text(
                zh="只数达到时延目标的请求的吞吐。吞吐更高而 goodput 更低，说明多出来的回答来得太晚。",
                en="Throughput that counts only requests which met the latency targets. More throughput with less goodput "
                "means that the additional answers came too late.",
            ),
            ("request_goodput", "goodput_share"),
        ),
    ),
)  # fmt: skip

SERVING: Final = Topic(
    "serving",
    Text(zh="引擎在做什么", en="What an engine does"),
    (
        Term(
            "prefill", same("prefill"),
            Text(
                zh="一次算完整个 prompt，写好它的 KV，得到第一个 token。受算力限制，时间随 prompt 变长。",
                en="The whole prompt is computed at once, its KV is written, and the first token comes out. "
                "Compute-bound; longer prompts take longer.",
            ),
            ("ttft_prefill", "prefill_rate"),
        ),
        Term(
            "decode", same("decode"),
            Text(
                zh="逐步生成其余的 token：每一步读一遍权重和全部在途请求的 KV，给每条请求一个 token。受显存带宽限制。",
                en="The further tokens, step by step: each step reads the weights and the KV of all requests in flight and "
                "gives each of them one token. Memory-bandwidth-bound.",
            ),
            ("itl_p50", "decode_floor"),
        ),
        Term(
            "slot", Text(zh="槽位", en="slot"),
            Text(
                zh="引擎为一条请求留的位置。有的引擎槽位固定（llama.cpp 的 -np），有的只受 KV 池限制。",
                en="The place that an engine keeps for one request. Some have a fixed number (-np of llama.cpp), others are "
                "limited only by the KV pool.",
            ),
            ("slots", "slot_decode_rate"),
        ),
        Term(
            "kv_pool", Text(zh="KV 池", en="KV pool"),
            Text(
                zh="显存里放 KV cache 的那一块，先分好，大小固定。装满了，新请求就得等，或者有请求被抢占。",
                en="The part of memory set aside for the KV cache, of a fixed size. When it is full, new requests wait, or "
                "running ones are preempted.",
            ),
            ("kv_pool_bytes", "kv_pool_tokens"),
        ),
        Term(
            "preemption", Text(zh="抢占", en="preemption"),
            Text(
                zh="KV 池不够时，引擎放弃一条进行中的请求，之后重算。用户看到的是一段长停顿。",
                en="Short of KV, an engine evicts a running request and recomputes it later. Its user sees a long "
                "pause.",
            ),
            ("server_preemptions", "log_preemptions"),
        ),
        Term(
            "chunked_prefill", same("chunked prefill"),
            Text(
                zh="把长 prompt 切成几段，和别的请求的解码步排在一起算。解码不至于停太久，TTFT 则变长一些。",
                en="A long prompt is cut into pieces that are computed together with the decode steps of others. Their "
                "decode is not held up for long; the TTFT grows a little.",
            ),
            ("itl_p50_beside_prefill", "itl_beside_prefill_ratio"),
        ),
        Term(
            "prefix_cache", same("prompt cache"),
            Text(
                zh="保留算过的 prompt 开头的 KV；再遇到同样的开头就不必重算。vLLM 叫它 prefix caching，SGLang 叫 radix cache。压测里若重复"
                "用同样的 prompt，TTFT 会好得不真实。",
                en="The KV of the beginnings of prompts is kept, and the same beginning is not computed again. vLLM calls it "
                "prefix caching, SGLang a radix cache. A benchmark that repeats its prompts gets a TTFT that is too "
                "good to be true.",
            ),
            ("prompt_cache_hit_ratio", "server_cache_hit_ratio"),
        ),
        Term(
            "stall", Text(zh="停顿", en="stall"),
            Text(
                zh="一个比典型步长长得多的间隔：解码给别的事让了路，多半是别人的 prefill。均值高出中位数的部分就是它。",
                en="A gap much longer than the typical step: decode gave way to something else, mostly to the prefill of "
                "another request. It is what lifts the mean above the median.",
            ),
            ("stall_share", "stall_overhead"),
        ),
        Term(
            "cold_start", Text(zh="冷启动", en="cold start"),
            Text(
                zh="从拉起进程到第一条完整回答。模型文件在不在页缓存里，差别很大，所以两种启动分开统计。",
                en="From spawning the process to the end of its first answer. Whether the model's files are in the page cache "
                "makes a great difference, so both kinds of start are kept apart.",
            ),
            ("cold_start_t1", "cold_start_t2", "cold_start_t3"),
        ),
    ),
)  # fmt: skip

READING: Final = Topic(
    "reading",
    Text(zh="图表里的记号", en="What figures and tables show"),
    (
        Term(
            "floor", Text(zh="下限", en="floor"),
            Text(
                zh="硬件做完同样的事至少要多久：要读的字节除以带宽，或要做的运算除以算力。实测离它越近，软件剩下的余地越小。",
                en="The least time in which the hardware could do the same work: bytes to be read ÷ bandwidth, or operations "
                "÷ rate. The closer a measurement is to it, the less is left for software to gain.",
            ),
            ("decode_floor", "floor_ratio"),
        ),
        Term(
            "ledger", Text(zh="账", en="ledger"),
            Text(
                zh="把一个数拆成几笔、逐笔列出算式的表，横线下是合计。例如一步要读的字节，或显存的去向。",
                en="A table that takes a number apart into lines, each with its arithmetic, and a sum below the rule: the "
                "bytes of a step, say, or where the memory went.",
            ),
            ("weight_bytes_per_step", "device_memory_residual"),
        ),
        Term(
            "crossover", Text(zh="交叉点", en="crossover"),
            Text(
                zh="两个系列互换领先的那个并发；在相邻两档之间按对数插值，只用可用的档位。",
                en="The concurrency at which the lead passes from one series to the other, interpolated on logarithms "
                "between neighbouring usable levels.",
            ),
            ("crossover_concurrency",),
        ),
        Term(
            "knee", Text(zh="饱和点", en="knee"),
            Text(
                zh="再加负载，时延照涨而吞吐几乎不涨的起点。",
                en="Where more load goes on to lengthen the wait and hardly adds throughput.",
            ),
            ("knee_concurrency",),
        ),
        Term(
            "cliff", Text(zh="悬崖", en="cliff"),
            Text(
                zh="再多一条请求就装不下的那个并发：KV 池写满，请求开始排队、被抢占或被拒绝，时延陡然变差。",
                en="The concurrency at which no further request fits in: the KV pool is full, requests queue, are preempted "
                "or refused, and latency worsens at once.",
            ),
            ("cliff_predicted", "cliff_observed"),
        ),
        Term(
            "margin", Text(zh="等效界限", en="margin"),
            Text(
                zh="两个数相差多少以内仍算相同，由作者声明；没有声明用默认值，并写在结论旁边。",
                en="How far two numbers may differ and still count as the same. The author declares it; without that a "
                "default holds, and is printed beside the verdict.",
            ),
        ),
        Term(
            "claim", Text(zh="陈述", en="claim"),
            Text(
                zh="测量之前写下的预期，或公开报告里写过的数。每次生成报告都拿它与数据重算的值相比。",
                en="An expectation written down before measuring, or a number that a published report states. Every build "
                "compares it with what the data come to.",
            ),
        ),
    ),
)  # fmt: skip

TOPICS: Final = (RECORD, TRUST, LOADING, SERVING, READING)
"""All terms, in the order in which the glossary tells them."""
