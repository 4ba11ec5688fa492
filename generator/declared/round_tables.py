"""The closed list of keys of round.toml, as tables that are checked when they are read."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

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
    Written,
    said_of,
)
from generator.text import Text

ENDPOINT_PATTERN: Final = r"^https?://[A-Za-z0-9.\-\[\]:]+(/[A-Za-z0-9._~/\-]*)?$"
"""An address without user, password, query or fragment: it is published."""
ENV_PATTERN: Final = r"^[A-Za-z_][A-Za-z0-9_]*="
MACHINE_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9 _-]{0,19}$"
"""A word for a machine: no dots, so that no name of a host and no address fits."""
PATH_PATTERN: Final = r"^/[A-Za-z0-9._~/\-]*$"
BRACES: Final = re.compile(r"\{[A-Za-z]*\}|[{}]")
"""What a text of a claim quotes, and braces that quote nothing."""


class RoundTable(Strict):
    """``[round]``: the campaign."""

    title: Title
    """the title of the report"""
    date: Day | None = None
    """when it was measured: a date, or words where that is all one knows"""
    baseline: Id | None = None
    """the series that the others are compared with; without it nothing is compared"""
    origin: Literal["measured", "transcribed"] = "measured"
    """`transcribed`: the numbers were copied from a publication"""
    source: Words | None = None
    """where the numbers come from, printed under the title"""
    primary: Name | None = None
    """the metric of a level that decides when the round is compared with another; `output_throughput` without it"""
    margin: Share | None = None
    """share by which two rounds may differ and still count as the same: 0.02 is 2 %; 5 % without it"""
    margin_reason: Wording | None = None
    """why it is that share, printed beside it"""
    margins: dict[Name, Share] = Field(default_factory=dict)
    """margins of single metrics, `itl = 0.02`: of one (`itl_p99`), or of all statistics of a quantity (`itl`)"""
    thresholds: dict[Name, Share] = Field(default_factory=dict)
    """metric = share that noise may make of it, where single runs show none; else that of earlier rounds, or 5 %"""
    pairs: dict[Id, Id] = Field(default_factory=dict)
    """series of another round = series of this one that it is held against; without it, those of one id are"""
    intended: tuple[Name, ...] = ()
    """settings changed together on purpose, which count as one: `flag.--parallel`, `gpu.driver`, `engine`, `machine`"""

    @property
    def when(self) -> Text | None:
        """Return when it was measured as a reader is told it."""
        return None if self.date is None else said_of(self.date)


class ModelTable(Strict):
    """``[model]``: the model served, as far as the floors need it."""

    name: Name
    """the model"""
    layers: Positive | None = None
    """layers; with the next three keys they give the KV bytes of a token"""
    kv_heads: Positive | None = None
    """key-value heads of a layer"""
    head_dim: Positive | None = None
    """dimension of a head"""
    kv_dtype_bytes: Positive | None = None
    """bytes of one element of the KV cache: 2 for fp16, 1 for fp8"""
    matmul_params: Positive | None = None
    """parameters that a decode step reads: with the output head, without the input embedding"""


class HardwareTable(Strict):
    """``[hardware]``: the device; the vendor's peak bandwidth unless ``bandwidth_source`` says otherwise."""

    gpu: Words | None = None
    """the device"""
    memory_bandwidth_gb_s: Positive | None = None
    """its memory bandwidth in GB/s; floors need it"""
    bandwidth_source: Literal["datasheet", "nvml", "measured"] | None = None
    """where the bandwidth comes from"""
    memory_gib: Positive | None = None
    """its memory in GiB"""
    peak_tflops: Positive | None = None
    """its peak in TFLOP/s for matrix products at the precision served; the ceiling of prefill needs it"""
    driver: Name | None = None
    """version of the driver"""
    cuda: Name | None = None
    """version of CUDA"""


class WorkloadTable(Strict):
    """``[workload]``: the load asked for, unless a level says otherwise; the rest is for ``rounds collect``."""

    input_tokens: Positive | None = None
    """input tokens of each request"""
    output_tokens: Positive | None = None
    """output tokens asked of each request"""
    ignore_eos: bool | None = None
    """whether requests were told to go on to the full length"""
    dataset: Words | None = None
    """what the prompts were made of"""
    warm_up: Literal["cold", "warmed", "long-running"] | None = None
    """state of the server at the first request that counts"""
    seed_policy: Words | None = None
    """how the prompts of one level relate to those of another"""
    api: Literal["completions", "chat"] = "completions"
    """what `rounds collect` asks: `/v1/completions` or `/v1/chat/completions`"""
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0
    """where the prompts come from: every level and trial draws its own from it"""
    lengths: Literal["fixed", "uniform", "lognormal"] = "fixed"
    """how the lengths of requests lie about those asked"""
    length_spread: Annotated[float, Field(ge=0, le=2)] = 0.5
    """of `uniform`: up to this share above and below; of `lognormal`: the standard deviation of the logarithm"""
    dataset_file: Name | None = None
    """a file in the round's folder: ShareGPT JSON, JSON lines (texts, or Mooncake), CSV (Azure LLM, BurstGPT)"""
    arrival: Literal["poisson", "constant", "gamma", "ramp", "trace"] = "poisson"
    """how requests arrive under a rate; `trace`: in the pattern of the dataset file, stretched to it"""
    burstiness: Positive = 1.0
    """of `gamma`: 1 is Poisson, below it arrivals come in bursts"""
    ramp_from: Annotated[float, Field(ge=0, le=2)] = 0.0
    """of `ramp`: the rate at the start, as a multiple of the level's; it changes evenly, and the level's is its mean"""
    cold_requests: Annotated[int, Field(ge=0, le=10_000)] = 1
    """requests sent first at each level, one after the other, and kept apart as cold"""
    warm_requests: Annotated[int, Field(ge=0, le=10_000)] = 0
    """requests sent after those, under the load of the level, and kept apart as warm"""
    client_processes: Annotated[int, Field(ge=1, le=64)] | Literal["auto"] = "auto"
    """processes that our client has at each level; `auto`: one, and more where the calibration finds it busy"""
    timeout_s: Positive = 600.0
    """seconds after which a request has failed"""
    stall_timeout_s: Positive = 120.0
    """seconds without a byte after which a request has failed"""
    sample_every_s: Annotated[float, Field(ge=0.05, le=60)] = 1.0
    """seconds between samples of the engine's `/metrics` and `/slots`; all else is sampled once a second at most"""
    slo_ttft_ms: Positive | None = None
    """TTFT that a request must keep to count as goodput"""
    slo_tpot_ms: Positive | None = None
    """TPOT that it must keep"""
    slo_e2el_ms: Positive | None = None
    """E2EL that it must keep"""

    @property
    def targets_ms(self) -> dict[str, float]:
        """Return the latencies that a request must keep, in ms, by quantity; those that are set."""
        told = {"ttft": self.slo_ttft_ms, "tpot": self.slo_tpot_ms, "e2el": self.slo_e2el_ms}
        return {quantity: most for quantity, most in told.items() if most is not None}


class SeriesTable(Strict):
    """``[[series]]``: one engine configuration; of its bytes, ``embedding_bytes`` are not streamed in a decode step."""

    id: Id
    """the name of the series' folder"""
    engine: Name | None = None
    """the engine; with the precision it names the series on the page"""
    version: Name | None = None
    """version or commit of the engine"""
    precision: Name | None = None
    """precision of the weights"""
    weight_bytes: Positive | None = None
    """bytes of the weights that a decode step reads"""
    weight_params: Positive | None = None
    """instead of the bytes: parameters that a step reads"""
    weight_dtype_bytes: Positive | None = None
    """bytes of a weight, with `weight_params` or with `matmul_params` of the model"""
    weights_basis: Literal["matmul_params", "all_params", "file_size"] | None = None
    """what the weights count: matrix products only, all parameters, or the size of the file"""
    embedding_bytes: NotNegative | None = None
    """how much of the weight bytes is the input embedding, which a step does not stream; 0 where it is left out"""
    argv: tuple[str, ...] | None = None
    """the command that starts the engine, with `{port}` and `{python}` filled in, or the flags it was started with"""
    kind: Literal["llamacpp", "vllm", "sglang", "reference", "openai"] | None = None
    """what `rounds collect` deals with; `reference` is the simulated server of Rounds, and needs no `argv`"""
    endpoint: Annotated[str, Field(pattern=ENDPOINT_PATTERN)] | None = None
    """address of a server that runs already, as `http://127.0.0.1:8000`; it is neither started nor stopped"""
    served_model: Name | None = None
    """name by which the server knows the model; asked for at `/v1/models` without it"""
    health: Annotated[str, Field(pattern=PATH_PATTERN)] | None = None
    """path that answers 200 once the server is ready; the engine's own without it"""
    env: tuple[Annotated[str, Field(pattern=ENV_PATTERN)], ...] = ()
    """environment variables of the engine, as `NAME=value`, beside those of `rounds collect`"""
    ready_timeout_s: Positive = 900.0
    """seconds that the engine may take to be ready"""
    starts: Annotated[int, Field(ge=1, le=100)] = 1
    """how often the engine is started in all; the load runs in the first, the others end with their first answer"""
    page_cache: Literal["as_is", "dropped"] = "as_is"
    """`dropped`: the model's files are put out of the page cache before each start, as far as the system lets us"""
    client: Literal["rounds", "vllm-bench"] = "rounds"
    """what drives the load: our own client, or `vllm bench serve` (0.11 or newer), with prompts of its own"""
    kv_pool_tokens: Positive | None = None
    """tokens that the KV pool holds"""
    slots: Positive | None = None
    """requests that the engine serves at once"""
    date: Day | None = None
    """when this series was measured, where not all were on the same day"""
    host: Annotated[str, Field(pattern=MACHINE_PATTERN)] | None = None
    """a word for the machine, the same for series on the same one: `A`; it is published, so not the name of the host"""
    gpu: Words | None = None
    """its device, where it is not that of `[hardware]`"""
    driver: Name | None = None
    """its version of the driver, where it is not that of `[hardware]`"""
    cuda: Name | None = None
    """its version of CUDA, where it is not that of `[hardware]`"""
    price_per_hour: Positive | None = None
    """price of its server an hour in every scenario, where it is not that of `[economics]`"""

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
    """the level, as published.csv has it: `c8`, `r2.5`, or its own `level`"""
    concurrency: Positive | None = None
    """planned concurrency"""
    rate: Positive | None = None
    """planned arrival rate in requests a second"""
    requests: Positive | None = None
    """planned number of requests"""
    input_tokens: Positive | None = None
    """input tokens of each request at this level"""
    output_tokens: Positive | None = None
    """output tokens asked of each request at this level"""
    trials: Positive | None = None
    """planned number of trials"""
    series: tuple[Id, ...] | None = None
    """the series that the entry speaks of; all of them without it"""

    def speaks_of(self, series: str) -> bool:
        """Say whether the entry is about a series."""
        return self.series is None or series in self.series


class ClaimTable(Strict):
    """``[[claim]]``: a statement that the data are held against. Its number is given as it was written."""

    id: Id
    """a name of its own"""
    kind: Literal["published", "expectation"] = "published"
    """`expectation`: written down before it was measured"""
    text: Wording | None = None
    """the statement, with `{stated}`, `{series}` and `{level}` for number, series and level; else its metric is told"""
    metric: Name | None = None
    """what it is a statement of; may be left out with a `reason`"""
    series: Id | None = None
    """the series, or the one that is compared with the baseline"""
    level: Id | None = None
    """the level"""
    basis: Name | None = None
    """which definition of the metric, where there are several"""
    op: Literal["=", "<", "<=", ">", ">=", "about"] = "="
    """how the number is meant"""
    value: Annotated[float, Field(ge=-1e18, le=1e18)] | Written | None = None
    """the number stated; in quotes where it ends in zeros that count"""
    unit: Name | None = None
    """its unit, `%` for ratios in hundredths; that of the metric without it"""
    tolerance: NotNegative | None = None
    """how far the data may be off, in that unit; without it the digits written decide"""
    source: Words | None = None
    """where it stands"""
    reason: Wording | None = None
    """why the data cannot tell, where they cannot"""

    @model_validator(mode="after")
    def _says_something(self) -> ClaimTable:
        if self.metric is None and (self.reason is None or self.text is None):
            remedy = "name one, or give a text and the reason why nothing can be computed"
            raise ObjectionError("names no metric", remedy)
        if self.metric is not None and self.value is None:
            raise ObjectionError("names a metric and no value", "add the number that was stated")
        if self.level is not None and self.series is None:
            raise ObjectionError("names a level and no series", "add the series")
        return self

    @model_validator(mode="after")
    def _quotes_alike(self) -> ClaimTable:
        if self.text is None:
            return self
        zh, en = (set(BRACES.findall(words)) for words in (self.text.zh, self.text.en))
        known = {"{stated}", *(f"{{{key}}}" for key in ("series", "level") if getattr(self, key) is not None)}
        if zh != en:
            raise ObjectionError(f"only one language quotes {min(zh ^ en)}", "quote the same in both")
        if not zh <= known:
            remedy = f"quote {', '.join(sorted(known))}, or write brackets of another kind"
            raise ObjectionError(f"the text has {min(zh - known)} in it", remedy)
        return self


class RoundFile(Strict):
    """round.toml, whole."""

    schema_: Annotated[int, Field(alias="schema")]
    """the schema number of the file: 1"""
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
