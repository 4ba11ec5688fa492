"""Prefill: the time to the first token, and how much of it is the engine's own work."""

from __future__ import annotations

from generator.blocks import Block, Heading, Ledger, LedgerGroup, LedgerLine, Paragraph, Row, Table
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Level, Series
from generator.quoting import level_value, pair_level_value, pair_value, series_value
from generator.sentence import LevelName, Listing, Part, Sentence, SeriesName, say

TAILS = ("ttft_p50", "ttft_p99")


@section(order=60)
def prefill(analysis: Analysis) -> Chapter | None:
    """Print the median and the tail of the TTFT side by side, then server against client."""
    blocks: list[Block] = []
    table = _table(analysis)
    if table.rows:
        blocks += [Paragraph(_intro()), table]
    for compared in analysis.round.compared:
        blocks += [Paragraph(sentence) for sentence in _who_leads(analysis, compared)]
        blocks += _server(analysis, compared)
    if not blocks:
        return None
    return Chapter(say(zh="prefill：首字要等多久", en="Prefill: how long the first token takes"), tuple(blocks))


def _intro() -> Sentence:
    return say(
        zh="prefill 把整段输入一次算完：权重读一遍，分摊给全部输入 token，瓶颈通常是算力而不是带宽。所以权重字节少，并不会让首字更早到。",
        en="Prefill takes the whole input in one pass: the weights are read once for all of its tokens, and compute binds "
        "before bandwidth does. Fewer weight bytes do not bring the first token sooner.",
    )


def _table(analysis: Analysis) -> Table:
    series = analysis.round.series
    shown = [
        (key, one)
        for key in TAILS
        for one in series
        if any(analysis.frame.of_level(key, one.id, level.id).value is not None for level in one.levels)
    ]
    labels = {"ttft_p50": "TTFT p50", "ttft_p99": "TTFT p99"}
    load = analysis.round.load_label
    headings = (
        Heading(say(load.zh, load.en)),
        *(Heading(say("{s} " + labels[k], "{s} " + labels[k], s=SeriesName(s.id)), "ms") for k, s in shown),
    )
    caption = say(zh="TTFT 的中位数与尾部", en="TTFT, median and tail")
    rows = tuple(_row(level, shown) for level in _all_levels(series)) if shown else ()
    return Table("ttft-table", caption, headings, rows)


def _all_levels(series: tuple[Series, ...]) -> list[tuple[str, Level]]:
    """Return each level once, under the name of the first series that has it, by rising load."""
    found: dict[str, tuple[str, Level]] = {}
    for one in series:
        for level in one.levels:
            found.setdefault(level.id, (one.id, level))
    return sorted(found.values(), key=lambda pair: pair[1].load)


def _row(named: tuple[str, Level], shown: list[tuple[str, Series]]) -> Row:
    owner, level = named
    cells: list[Part] = [LevelName(owner, level.id)]
    for key, series in shown:
        has = any(one.id == level.id for one in series.levels)
        cells.append(level_value(key, series.id, level.id, bare=True) if has else say(zh="—", en="—"))
    return Row(tuple(cells))


def _who_leads(analysis: Analysis, compared: Series) -> list[Sentence]:
    """Say at which levels the compared series answers sooner, for the median and for the tail."""
    told = []
    for key, name in (("ttft_p50_saving", "p50"), ("ttft_p99_saving", "p99")):
        savings = {
            level: analysis.frame.of_pair_level(key, compared.id, level.id).value
            for level in analysis.shared(compared.id)
        }
        sooner = [level for level, saving in savings.items() if saving is not None and saving > 0]
        later = [level for level, saving in savings.items() if saving is not None and saving < 0]
        if sooner or later:
            told.append(_sooner_later(name, compared, sooner, later))
    return told


def _sooner_later(name: str, compared: Series, sooner: list[Level], later: list[Level]) -> Sentence:
    subject = SeriesName(compared.id)
    names = [Listing(tuple(LevelName(compared.id, level.id) for level in levels)) for levels in (sooner, later)]
    if not later:
        return say(
            zh=f"TTFT {name}：" + "{s} 在每一档都更早。",
            en=f"TTFT {name}: " + "{s} answers sooner at every level.",
            s=subject,
        )
    if not sooner:
        return say(
            zh=f"TTFT {name}：" + "{s} 在每一档都更晚。",
            en=f"TTFT {name}: " + "{s} answers later at every level.",
            s=subject,
        )
    return say(
        zh=f"TTFT {name}：" + "{s} 在 {sooner} 更早，在 {later} 更晚。",
        en=f"TTFT {name}: " + "{s} answers sooner at {sooner} and later at {later}.",
        s=subject,
        sooner=names[0],
        later=names[1],
    )


def _server(analysis: Analysis, compared: Series) -> list[Block]:
    """Return the prefill as the servers record it, beside what the client sees at the lowest shared level."""
    baseline = analysis.round.baseline
    shared = analysis.shared(compared.id)
    if baseline is None or analysis.frame.of_pair("server_prefill_saving", compared.id).value is None or not shared:
        return []
    lowest = shared[0]
    sides = (compared, baseline)
    server = tuple(LedgerLine(series_value("server_prefill", s.id), SeriesName(s.id)) for s in sides)
    client = tuple(LedgerLine(level_value("ttft_p50", s.id, lowest.id), SeriesName(s.id)) for s in sides)
    groups = (
        LedgerGroup(
            say(zh="服务端记录的 prefill", en="Prefill as the server records it"),
            (*server, LedgerLine(pair_value("server_prefill_saving", compared.id), is_sum=True)),
        ),
        LedgerGroup(
            say(
                zh="客户端看到的 TTFT，{l}",
                en="TTFT as the client sees it, {l}",
                l=LevelName(compared.id, lowest.id),
            ),
            (*client, LedgerLine(pair_level_value("ttft_p50_saving", compared.id, lowest.id), is_sum=True)),
        ),
    )
    caption = say(zh="两条路径量同一段", en="One stretch, measured two ways")
    return [Ledger(f"prefill-{compared.id}", caption, groups)]
