"""The closed list of keys of round.toml, as tables that are checked when they are read."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from generator.declared.claim_table import ClaimTable
from generator.declared.economics import EconomicsTable
from generator.declared.table_types import (
    Day,
    Id,
    Name,
    NotNegative,
    ObjectionError,
    Positive,
    Share,
    Strict,
    Title,
    Wording,
    Words,
    said_of,
)
from generator.text import Text

ENDPOINT_PATTERN: Final = r"^https?://[A-Za-z0-9.\-\[\]:]+(/[A-Za-z0-9._~/\-]*)?$"
"""An address without user, password, query or fragment: it is published."""
ENV_PATTERN: Final = r"^[A-Za-z_][A-Za-z0-9_]*="
MACHINE_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9 _-]{0,19}$"
"""A word for a machine: no dots, so that no name of a host and no address fits."""
PATH_PATTERN: Final = r"^/[A-Za-z0-9._~/\-]*$"


class RoundTable(Strict):
    """``[round]``: the campaign."""

    title: Title
    """the title of the report
    报告的标题"""
    date: Day | None = None
    """when it was measured: a date, or words where that is all one knows
    测量日期；只知道大概时可以写一句话"""
    baseline: Id | None = None
    """the series that the others are compared with; without it nothing is compared
    其他系列与之对比的系列；不写就不做对比"""
    origin: Literal["measured", "transcribed"] = "measured"
    """`transcribed`: the numbers were copied from a publication
    `transcribed`：数字抄自已发表的材料"""
    source: Words | None = None
    """where the numbers come from, printed under the title
    数字的出处，写在标题下面"""
    authors: tuple[Name, ...] = ()
    """who is to be named where the round is cited, `"Family, Given"` or the name of a group; no one without it
    引用这一轮时署谁的名：`"姓, 名"`，或一个团队的名字；不写就不署名"""
    license: Words | None = None
    """the licence of the data: an SPDX id such as `CC-BY-4.0`, or words; nothing is said for you without it
    数据的许可证：SPDX 标识（如 `CC-BY-4.0`），或一句话；不写就如实说没有声明"""
    archive: Literal["own", "all", "none"] = "own"
    """what of this folder goes into the archive of the round: files of Rounds' own forms, all files, or no archive
    这个文件夹里的哪些文件收进本轮的归档：Rounds 自己格式的文件、全部文件，或不做归档"""
    primary: Name | None = None
    """the metric of a level that decides when the round is compared with another; `output_throughput` without it
    与另一轮对比时起决定作用的档位指标；不写就是 `output_throughput`"""
    margin: Share | None = None
    """share by which two rounds may differ and still count as the same: 0.02 is 2 %; 5 % without it
    两轮相差多少以内仍算相同，写成比例：0.02 是 2%；不写就是 5%"""
    margin_reason: Wording | None = None
    """why it is that share, printed beside it
    为什么取这个比例，写在它旁边"""
    margins: dict[Name, Share] = Field(default_factory=dict)
    """margins of single metrics, `itl = 0.02`: of one (`itl_p99`), or of all statistics of a quantity (`itl`)
    个别指标的容差，如 `itl = 0.02`：可以是一个指标（`itl_p99`），也可以是一个量的全部统计（`itl`）"""
    thresholds: dict[Name, Share] = Field(default_factory=dict)
    """metric = share that noise may make of it, where single runs show none; else that of earlier rounds, or 5 %
    指标 = 噪声可能占的比例，用在单次运行看不出噪声的时候；不写就取自更早的轮次，再没有就是 5%"""
    pairs: dict[Id, Id] = Field(default_factory=dict)
    """series of another round = series of this one that it is compared with; without it, those of one id are
    另一轮的系列 = 本轮中与之对照的系列；不写就按相同的 id 对照"""
    intended: tuple[Name, ...] = ()
    """settings changed together on purpose, which count as one: `flag.--parallel`, `gpu.driver`, `engine`, `machine`
    有意同时改动、合起来算作一项的设置：`flag.--parallel`、`gpu.driver`、`engine`、`machine`"""

    @property
    def when(self) -> Text | None:
        """Return when it was measured as a reader is told it."""
        return None if self.date is None else said_of(self.date)


class ModelTable(Strict):
    """``[model]``: the model served, as far as the floors need it."""

    name: Name
    """the model
    模型"""
    layers: Positive | None = None
    """layers; with the next three keys they give the KV bytes of a token
    层数；与下面三个键一起给出每个 token 的 KV 字节"""
    kv_heads: Positive | None = None
    """key-value heads of a layer
    每层的 KV 头数"""
    head_dim: Positive | None = None
    """dimension of a head
    每个头的维度"""
    kv_dtype_bytes: Positive | None = None
    """bytes of one element of the KV cache: 2 for fp16, 1 for fp8
    KV cache 中一个元素的字节数：fp16 是 2，fp8 是 1"""
    matmul_params: Positive | None = None
    """parameters that a decode step reads: with the output head, without the input embedding
    一个 decode 步要读的参数量：含输出头，不含输入 embedding"""


class HardwareTable(Strict):
    """``[hardware]``: the device; the vendor's peak bandwidth unless ``bandwidth_source`` says otherwise."""

    gpu: Words | None = None
    """the device
    设备"""
    memory_bandwidth_gb_s: Positive | None = None
    """its memory bandwidth in GB/s; floors need it
    设备的内存带宽，单位 GB/s；算下限要用"""
    bandwidth_source: Literal["datasheet", "nvml", "measured"] | None = None
    """where the bandwidth comes from
    带宽的来源"""
    memory_gib: Positive | None = None
    """its memory in GiB
    设备的内存，单位 GiB"""
    peak_tflops: Positive | None = None
    """its peak in TFLOP/s for matrix products at the precision served; the ceiling of prefill needs it
    所用精度下矩阵乘的峰值，单位 TFLOP/s；算 prefill 的上限要用"""
    driver: Name | None = None
    """version of the driver
    驱动版本"""
    cuda: Name | None = None
    """version of CUDA
    CUDA 版本"""


class WorkloadTable(Strict):
    """``[workload]``: the load asked for, unless a level says otherwise; the rest is for ``rounds collect``."""

    input_tokens: Positive | None = None
    """input tokens of each request
    每个请求的输入 token 数"""
    output_tokens: Positive | None = None
    """output tokens asked of each request
    要求每个请求输出的 token 数"""
    ignore_eos: bool | None = None
    """whether requests were told to go on to the full length
    是否要求请求一直生成到给定长度"""
    dataset: Words | None = None
    """what the prompts were made of
    prompt 由什么构成"""
    warm_up: Literal["cold", "warmed", "long-running"] | None = None
    """state of the server at the first request that counts
    第一个计入的请求到来时服务处于什么状态"""
    seed_policy: Words | None = None
    """how the prompts of one level relate to those of another
    一档的 prompt 与其他档的有什么关系"""
    api: Literal["completions", "chat"] = "completions"
    """what `rounds collect` asks: `/v1/completions` or `/v1/chat/completions`
    `rounds collect` 请求哪个接口：`/v1/completions` 或 `/v1/chat/completions`"""
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0
    """where the prompts come from: every level and trial draws its own from it
    prompt 的来源：每一档、每一次重复都由它得出自己的 seed"""
    lengths: Literal["fixed", "uniform", "lognormal"] = "fixed"
    """how the lengths of requests lie about those asked
    请求的长度围绕给定长度怎样分布"""
    length_spread: Annotated[float, Field(ge=0, le=2)] = 0.5
    """of `uniform`: up to this share above and below; of `lognormal`: the standard deviation of the logarithm
    `uniform`：上下最多偏离这个比例；`lognormal`：对数的标准差"""
    dataset_file: Name | None = None
    """a file in the round's folder: ShareGPT JSON, JSON lines (texts, or Mooncake), CSV (Azure LLM, BurstGPT)
    轮次文件夹里的一个文件：ShareGPT JSON、JSON lines（文本，或 Mooncake）、CSV（Azure LLM、BurstGPT）"""
    arrival: Literal["poisson", "constant", "gamma", "ramp", "trace"] = "poisson"
    """how requests arrive under a rate; `trace`: in the pattern of the dataset file, stretched to it
    给定到达率时请求怎样到达；`trace`：照数据集文件的节奏，再拉伸到这个到达率"""
    burstiness: Positive = 1.0
    """of `gamma`: 1 is Poisson, below it arrivals come in bursts
    用于 `gamma`：1 就是 Poisson，小于 1 时请求成簇到达"""
    ramp_from: Annotated[float, Field(ge=0, le=2)] = 0.0
    """of `ramp`: the rate at the start, as a multiple of the level's; it changes evenly, and the level's is its mean
    用于 `ramp`：开始时的到达率是该档的几倍；此后匀速变化，该档的到达率是它的均值"""
    cold_requests: Annotated[int, Field(ge=0, le=10_000)] = 1
    """requests sent first at each level, one after the other, and kept apart as cold
    每一档开头逐个发出的请求数，单独记为冷请求"""
    warm_requests: Annotated[int, Field(ge=0, le=10_000)] = 0
    """requests sent after those, under the load of the level, and kept apart as warm
    在这之后、按该档的负载发出的请求数，单独记为热请求"""
    client_processes: Annotated[int, Field(ge=1, le=64)] | Literal["auto"] = "auto"
    """processes that our client has at each level; `auto`: one, and more where the calibration finds it busy
    每一档由自带客户端的几个进程来发；`auto`：一个，校准发现它太忙就多用几个"""
    timeout_s: Positive = 600.0
    """seconds after which a request has failed
    过了多少秒请求算失败"""
    stall_timeout_s: Positive = 120.0
    """seconds without a byte after which a request has failed
    多少秒没收到一个字节，请求就算失败"""
    sample_every_s: Annotated[float, Field(ge=0.05, le=60)] = 1.0
    """seconds between samples of the engine's `/metrics` and `/slots`; all else is sampled once a second at most
    隔多少秒采一次引擎的 `/metrics` 与 `/slots`；其余的最多每秒采一次"""
    slo_ttft_ms: Positive | None = None
    """TTFT that a request must keep to count as goodput
    请求要满足的 TTFT，满足才计入 goodput"""
    slo_tpot_ms: Positive | None = None
    """TPOT that it must keep
    请求要满足的 TPOT"""
    slo_e2el_ms: Positive | None = None
    """E2EL that it must keep
    请求要满足的 E2EL"""

    @property
    def targets_ms(self) -> dict[str, float]:
        """Return the latencies that a request must keep, in ms, by quantity; those that are set."""
        told = {"ttft": self.slo_ttft_ms, "tpot": self.slo_tpot_ms, "e2el": self.slo_e2el_ms}
        return {quantity: most for quantity, most in told.items() if most is not None}


class SeriesTable(Strict):
    """``[[series]]``: one engine configuration; of its bytes, ``embedding_bytes`` are not streamed in a decode step."""

    id: Id
    """the name of the series' folder
    系列的文件夹名"""
    engine: Name | None = None
    """the engine; with the precision it names the series on the page
    引擎；与精度一起构成页面上系列的名字"""
    version: Name | None = None
    """version or commit of the engine
    引擎的版本或 commit"""
    precision: Name | None = None
    """precision of the weights
    权重的精度"""
    weight_bytes: Positive | None = None
    """bytes of the weights that a decode step reads
    一个 decode 步要读的权重字节"""
    weight_params: Positive | None = None
    """instead of the bytes: parameters that a step reads
    不写字节时：一步要读的参数量"""
    weight_dtype_bytes: Positive | None = None
    """bytes of a weight, with `weight_params` or with `matmul_params` of the model
    一个权重的字节数，与 `weight_params` 或模型的 `matmul_params` 合用"""
    weights_basis: Literal["matmul_params", "all_params", "file_size"] | None = None
    """what the weights count: matrix products only, all parameters, or the size of the file
    权重按什么计：只算矩阵乘、全部参数，或文件大小"""
    embedding_bytes: NotNegative | None = None
    """how much of the weight bytes is the input embedding, which a step does not stream; 0 where it is left out
    权重字节里输入 embedding 占多少，decode 步不读这部分；权重里本来就没算它则写 0"""
    argv: tuple[str, ...] | None = None
    """the command that starts the engine, with `{port}` and `{python}` filled in, or the flags it was started with
    启动引擎的命令，其中的 `{port}` 与 `{python}` 会填好；或者它启动时用的参数"""
    kind: Literal["llamacpp", "vllm", "sglang", "reference", "openai"] | None = None
    """what `rounds collect` deals with; `reference` is the simulated server of Rounds, and needs no `argv`
    `rounds collect` 面对的是哪种服务；`reference` 是 Rounds 自带的模拟服务，不需要 `argv`"""
    endpoint: Annotated[str, Field(pattern=ENDPOINT_PATTERN)] | None = None
    """address of a server that runs already, as `http://127.0.0.1:8000`; it is neither started nor stopped
    已在运行的服务的地址，如 `http://127.0.0.1:8000`；既不启动它，也不停掉它"""
    served_model: Name | None = None
    """name by which the server knows the model; asked for at `/v1/models` without it
    服务端使用的模型名；不写就到 `/v1/models` 去问"""
    health: Annotated[str, Field(pattern=PATH_PATTERN)] | None = None
    """path that answers 200 once the server is ready; the engine's own without it
    服务就绪后返回 200 的路径；不写就用该引擎自己的"""
    env: tuple[Annotated[str, Field(pattern=ENV_PATTERN)], ...] = ()
    """environment variables of the engine, as `NAME=value`, beside those of `rounds collect`
    引擎的环境变量，写成 `NAME=value`，加在 `rounds collect` 自己的之上"""
    ready_timeout_s: Positive = 900.0
    """seconds that the engine may take to be ready
    最多等引擎多少秒就绪"""
    starts: Annotated[int, Field(ge=1, le=100)] = 1
    """how often the engine is started in all; the load runs in the first, the others end with their first answer
    引擎一共启动几次；负载跑在第一次里，其余几次响应第一个请求后就停"""
    page_cache: Literal["as_is", "dropped"] = "as_is"
    """`dropped`: the model's files are put out of the page cache before each start, as far as the system lets us
    `dropped`：每次启动之前，在系统允许的范围内把模型文件从页缓存中清除"""
    client: Literal["rounds", "vllm-bench"] = "rounds"
    """what drives the load: our own client, or `vllm bench serve` (0.11 or newer), with prompts of its own
    由谁来发负载：自带的客户端，或 `vllm bench serve`（0.11 以上），后者用它自己的 prompt"""
    kv_pool_tokens: Positive | None = None
    """tokens that the KV pool holds
    KV 池装得下的 token 数"""
    slots: Positive | None = None
    """requests that the engine serves at once
    引擎同时服务的请求数"""
    date: Day | None = None
    """when this series was measured, where not all were on the same day
    本系列的测量日期，用在各系列不是同一天测的时候"""
    host: Annotated[str, Field(pattern=MACHINE_PATTERN)] | None = None
    """a word for the machine, the same for series on the same one: `A`; it is published, so not the name of the host
    机器的代号，同一台机器上的系列写同一个，如 `A`；它会公开，所以不要写主机名"""
    gpu: Words | None = None
    """its device, where it is not that of `[hardware]`
    本系列的设备，与 `[hardware]` 不同时写"""
    driver: Name | None = None
    """its version of the driver, where it is not that of `[hardware]`
    本系列的驱动版本，与 `[hardware]` 不同时写"""
    cuda: Name | None = None
    """its version of CUDA, where it is not that of `[hardware]`
    本系列的 CUDA 版本，与 `[hardware]` 不同时写"""
    price_per_hour: Positive | None = None
    """price per server hour in every scenario, where it is not that of `[economics]`
    本系列的服务器每小时的价格，各情景通用，与 `[economics]` 不同时写"""

    @property
    def is_collectable(self) -> bool:
        """Say whether ``rounds collect`` can start or find its server; until it has, there may be no data."""
        return bool(self.argv or self.endpoint) or self.kind == "reference"

    @model_validator(mode="after")
    def _starts_of_an_engine_of_ours(self) -> SeriesTable:
        started = self.starts > 1 or self.page_cache == "dropped"
        if started and self.endpoint is not None and not self.argv:
            raise ObjectionError(
                "starts and page_cache are of an engine that rounds collect starts, and there is only an endpoint",
                "give its argv, or leave them out",
            )
        return self

    @model_validator(mode="after")
    def _one_whole_way_to_give_the_weights(self) -> SeriesTable:
        if self.weight_bytes is not None and (self.weight_params or self.weight_dtype_bytes):
            raise ObjectionError(
                "weight_bytes and weight_params × weight_dtype_bytes are both given", "keep one of them"
            )
        if self.weight_params is not None and self.weight_dtype_bytes is None:
            raise ObjectionError("weight_params is given without weight_dtype_bytes", "add the bytes of a weight")
        return self


class LevelTable(Strict):
    """``[[level]]``: what one level asks for where it differs from ``[workload]``."""

    id: Id
    """the level, as published.csv has it: `c8`, `r2.5`, or its own `level`
    档位，与 published.csv 里的一致：`c8`、`r2.5`，或那里 `level` 一列的名字"""
    concurrency: Positive | None = None
    """planned concurrency
    计划的并发"""
    rate: Positive | None = None
    """planned arrival rate in requests a second
    计划的到达率，每秒请求数"""
    requests: Positive | None = None
    """planned number of requests
    计划的请求数"""
    input_tokens: Positive | None = None
    """input tokens of each request at this level
    本档每个请求的输入 token 数"""
    output_tokens: Positive | None = None
    """output tokens asked of each request at this level
    本档要求每个请求输出的 token 数"""
    trials: Positive | None = None
    """planned number of trials
    计划重复几次"""
    series: tuple[Id, ...] | None = None
    """series the entry applies to; default: all
    这一条说的是哪些系列；不写就是全部"""

    def speaks_of(self, series: str) -> bool:
        """Say whether the entry is about a series."""
        return self.series is None or series in self.series


class RoundFile(Strict):
    """round.toml, whole."""

    schema_: Annotated[int, Field(alias="schema")]
    """the schema number of the file: 1
    文件的 schema 号：1"""
    round: RoundTable
    model: ModelTable
    hardware: HardwareTable = HardwareTable()
    workload: WorkloadTable = WorkloadTable()
    economics: EconomicsTable = EconomicsTable()
    series: Annotated[tuple[SeriesTable, ...], Field(min_length=1)]
    level: tuple[LevelTable, ...] = ()
    claim: tuple[ClaimTable, ...] = ()

    @model_validator(mode="after")
    def _references_hold(self) -> RoundFile:
        ids = [series.id for series in self.series]
        twice = next((one for one in ids if ids.count(one) > 1), None)
        if twice is not None:
            raise ObjectionError(f"[[series]] {twice} stands there twice", "give each series an id of its own")
        if self.round.baseline is not None and self.round.baseline not in ids:
            problem = f"[round] baseline is {self.round.baseline!r}, which is no series"
            raise ObjectionError(problem, f"name one of {', '.join(ids)}")
        return self

    @model_validator(mode="after")
    def _prices_have_a_currency(self) -> RoundFile:
        priced = [series.id for series in self.series if series.price_per_hour is not None]
        if priced and self.economics.currency is None:
            problem = f"[[series]] {priced[0]} has a price_per_hour, and [economics] no currency"
            raise ObjectionError(problem, "add [economics] currency, such as USD")
        return self
