"""The words of a comparison of two rounds: headings, states, and how settings and conclusions are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from generator.analysis.claims import SIGNS
from generator.comparing.affects import meaning_of
from generator.comparing.fates import Fate
from generator.comparing.records import Grade, Setting, SettingStatus, Standing, Verdict
from generator.comparing.states import State
from generator.text import Lang, Text, same
from generator.told.claims import Claim

STANDINGS: Final[Mapping[Standing, Text]] = {
    "identical": Text(zh="同一份数据：没有什么可比", en="Identical: both rounds are the same data"),
    "comparable": Text(zh="可比", en="Comparable"),
    "partial": Text(zh="部分可比", en="Partly comparable"),
    "not_comparable": Text(zh="不可比", en="Not comparable"),
}
STANDING_LOOKS: Final[Mapping[Standing, str]] = {
    "identical": "note", "comparable": "pass", "partial": "warn", "not_comparable": "fail",
}  # fmt: skip
STATE_LOOKS: Final[Mapping[State, str]] = {
    "worse": "fail", "better": "pass", "confounded": "warn", "leans_worse": "warn", "leans_better": "note",
    "failed_both": "fail", "failed_base": "fail", "failed_head": "fail",
    "zero": "unknown", "undirected": "unknown", "open": "unknown",
    "noise": "unknown", "same": "note", "identical": "note", "spoilt": "unknown", "other_work": "unknown",
    "only_base": "unknown", "only_head": "unknown",
}  # fmt: skip
"""How a state looks beside its word."""
GATES: Final[Mapping[Verdict | None, Text]] = {
    "worse": Text(zh="变差", en="worse"),
    "better": Text(zh="变好", en="better"),
    "same": Text(zh="相同", en="the same"),
    "inconclusive": Text(zh="未定论", en="inconclusive"),
    "confounded": Text(zh="有混杂因素，不下结论", en="confounded, no conclusion"),
    "not_comparable": Text(zh="不可比", en="not comparable"),
    None: Text(zh="两轮都没有这个指标", en="in neither round"),
}
LEFT_OUT: Final = Text(zh="（另有 {n} 档没有比较）", en=" ({n} {n:level|levels} not compared)")
FATES: Final[Mapping[Fate, Text]] = {
    "worsened": Text(zh="▼ 更严重", en="▼ more severe"),
    "new": Text(zh="+ 新出现", en="+ new"),
    "first_seen": Text(zh="+ {base} 没有查过", en="+ not checked in {base}"),
    "still": Text(zh="= 同样严重", en="= as severe"),
    "unchecked": Text(zh="? {head} 无从检查", en="? not checkable in {head}"),
    "partly": Text(zh="? 部分项目 {head} 没有记录", en="? partly not on record in {head}"),
    "improved": Text(zh="▲ 较轻", en="▲ less severe"),
    "resolved": Text(zh="✓ 已解决", en="✓ resolved"),
}
FATE_LOOKS: Final[Mapping[Fate, str]] = {
    "worsened": "warn", "new": "warn", "first_seen": "note", "still": "warn", "unchecked": "unknown",
    "partly": "unknown", "improved": "note", "resolved": "pass",
}  # fmt: skip
SETTING_STATES: Final[Mapping[SettingStatus, Text]] = {
    "different": Text(zh="≠ 变了", en="≠ changed"),
    "unknown": Text(zh="? 未知", en="? unknown"),
    "equal": Text(zh="= 相同", en="= same"),
}
BASES: Final[Mapping[str, Text]] = {
    "predicted_speedup": Text(zh="（按已公布的权重字节）", en=" (from the weight bytes as published)"),
}
"""Metrics of pairs that reports print on another basis, too: the one on which they are compared."""
NOT_RECORDED: Final = Text(zh="没有记录", en="not recorded")
NOT_GIVEN: Final = Text(zh="未指定", en="not given")
CONFOUNDED_BY: Final = Text(zh="同时变了：{what}", en="confounded by {what}")
OUTPUT_LENGTH: Final = Text(zh="输出的长短", en="the length of the output")
PERHAPS: Final = Text(zh="没有记录、可能也变了：{what}", en="not recorded, may also have changed: {what}")

WORDS: Final[Mapping[str, Text]] = {
    "title": Text(zh="{head} 与 {base} 的对比", en="{head} compared with {base}"),
    "lead": Text(
        zh="每一行比较一个档位上的一项指标：{base} 是基准轮，{head} 是对比轮。差别超出噪声时，才判定变好或变差；"
        "同时改动了多项时，不归因于其中任何一项。",
        en="Each row is one metric at one level: {base} is the base, and {head} (the head) is compared with it. A "
        "verdict is given only where the difference exceeds the noise; where several settings changed together, no "
        "cause is given.",
    ),
    "swap": Text(zh="对调两轮", en="Swap the rounds"),
    "standing": Text(zh="能否比较", en="Comparability"),
    "counts": Text(zh="各判定的行数", en="Rows by verdict"),
    "gate": Text(zh="主指标：{metric}（{by}）。判定：", en="Primary metric: {metric} ({by}). Verdict: "),
    "margin": Text(zh="等效界限：±{margin}（{by}）。", en="Equivalence margin: ±{margin} ({by})."),
    "margin_of": Text(
        zh="{metric} 的等效界限：±{margin}（{by}）。",
        en="Equivalence margin of {metric}: ±{margin} ({by}).",
    ),
    "threshold_of": Text(
        zh="{metric} 的噪声阈值（单次运行之间）：±{margin}（{by}）。",
        en="Noise bound of {metric} between single runs: ±{margin} ({by}).",
    ),
    "all_metrics": Text(zh="其余各量", en="all other metrics"),
    "pair_of": Text(
        zh="对比轮的 {head} 与基准轮的 {base} 相比（{by}）。",
        en="{head} of the head is compared with {base} of the base ({by}).",
    ),
    "configuration": Text(zh="配置与负载", en="Configuration and workload"),
    "fingerprint": Text(zh="机器与软件", en="Machine and software"),
    "floors": Text(zh="下限按什么算", en="How floors are counted"),
    "floors_lead": Text(
        zh="这里是各轮声明的、用来算下限的数。它们不同，下限、MBU 与字节账预测的加速就不同：是算法不同，不是引擎变了。",
        en="What each round declares for its floors. Where it differs, floors, MBU and the speed-up that bytes predict "
        "differ with it: that is the count, not a change of the engine.",
    ),
    "counted_otherwise": Text(
        zh="字节账预测的加速随下限的算法而变，两轮声明的不同，这个数的变化不是引擎的变化。",
        en="The speed-up that bytes predict moves with how floors are counted, which the rounds declare otherwise: "
        "its change is not one of the engines.",
    ),
    "setting": Text(zh="设置", en="setting"),
    "affects": Text(zh="可能影响", en="what it can affect"),
    "of_series": Text(zh="系列", en="series"),
    "all_series": Text(zh="全部", en="all"),
    "standing_of": Text(zh="状态", en="status"),
    "equal_settings": Text(zh="{n} 项相同", en="{n} unchanged"),
    "no_settings": Text(zh="没有改动或未知的设置。", en="Nothing changed, and nothing is unknown."),
    "nothing_recorded": Text(zh="两轮都没有记录。", en="Neither round records any of it."),
    "rows": Text(zh="逐项对比", en="Metrics"),
    "loud_caption": Text(
        zh="变化超出噪声的行，以及下不了判定的行：有混杂因素、没有好坏之分等（粗体为主指标）",
        en="Rows whose change exceeds the noise, and those that allow no verdict: confounded, or with no direction "
        "that is better (bold: the primary metric)",
    ),
    "settings_caption": Text(
        zh="有改动，或至少一方没有记录的设置", en="changed settings, and settings not recorded on at least one side"
    ),
    "conclusions_caption": Text(zh="{series} 相对 {baseline}", en="{series} relative to {baseline}"),
    "between": Text(zh="落在哪两档之间", en="between which levels"),
    "from_to": same("{base} → {head}"),
    "flaws_of_base": Text(
        zh="{base} 的 {n} 个问题后来怎样", en="{n} {n:finding|findings} of {base}, and what became of {n:it|them}"
    ),
    "flaws_of_head": Text(
        zh="在 {head} 才警告或不通过的 {n} 个问题", en="{n} {n:finding|findings} that warned or failed only in {head}"
    ),
    "no_rows": Text(zh="没有一行超出噪声。", en="No row exceeds the noise."),
    "no_level": Text(zh="没有共同的档位，没有可比的行。", en="There is no common level, and so no row."),
    "nonsense": Text(
        zh="两轮不可比：下面没有判定，数字各说各的事。",
        en="The rounds are not comparable: there is no verdict below, and each number stands alone.",
    ),
    "quiet_rows": Text(
        zh="{n} 行在噪声之内或相同（默认折叠）", en="{n} {n:row|rows} the same or within the noise (folded)"
    ),
    "absent_rows": Text(
        zh="没有比较的 {n} 行，以及各自的原因", en="{n} {n:row|rows} not compared, each with its reason"
    ),
    "counted": Text(zh="运行或请求", en="runs or requests"),
    "quantity": Text(zh="量", en="quantity"),
    "verdict": Text(zh="判定", en="verdict"),
    "threshold": Text(zh="阈值", en="threshold"),
    "grade": Text(zh="证据等级", en="grade of the evidence"),
    "grade_of": Text(zh="等级\u00a0{grade}", en="grade\u00a0{grade}"),
    "of_all_rows": Text(zh="下表各行都是：", en="Of all rows below: "),
    "interval": Text(zh="95% 区间", en="95% interval"),
    "why": Text(zh="依据与原因", en="reason"),
    "conclusions": Text(zh="交叉点与加速", en="Crossovers and speed-ups"),
    "conclusions_lead": Text(
        zh="这些数由两个系列共同决定：交叉点左移，可能是一边变慢，也可能是另一边变快；档位的位置变了，它也会移动。"
        "所以只列数值，不判好坏。",
        en="These rest on both series: a crossover may move left because one engine got slower or the other got "
        "faster, and it moves with where the levels lie, too. The numbers are listed, and not judged.",
    ),
    "as_stated": Text(zh="（原报告给出，无法由数据复算）", en=" (stated in its report; not derivable from the data)"),
    "flaws": Text(zh="自检问题的变化", en="What became of the findings"),
    "flaws_lead": Text(
        zh="两轮里警告或不通过的自检。比的是结论的严重程度，不是统计检验。查不了不等于解决；"
        "{base} 没有查过不等于新出现。严重程度相同时，按两轮共有数据的变化方向判断。",
        en="Checks that warned or failed in either round, by how severe their findings are: no statistical test. "
        "A finding that cannot be checked in {head} is not resolved, and one that was not checked in {base} is not "
        "new. Where severity is unchanged, the direction of the numbers that both share decides.",
    ),
    "no_flaws": Text(zh="两轮都没有警告，也没有不通过。", en="Nothing failed or warned in either round."),
    "fate": Text(zh="变化", en="outcome"),
    "check": Text(zh="自检", en="check"),
    "says_nothing": Text(zh="本轮无此结论", en="no such finding"),
    "figures": Text(zh="两轮叠图", en="Overlay"),
    "methods": Text(zh="判定方法", en="How verdicts are reached"),
    "method_of": Text(zh="{n} 行用到", en="{n} {n:row|rows}"),
    "machine_readable": Text(zh="机器可读：", en="Machine-readable: "),
    "report_of": Text(zh="{round} 的报告", en="Report of {round}"),
}


GRADES: Final[Mapping[Grade, Text]] = {
    "A": Text(zh="两边各有三次以上运行", en="three trials or more on both sides"),
    "B": Text(zh="每边一次运行，请求足够多", en="one run on each side, with enough requests"),
    "C": Text(
        zh="只有两次运行、请求太少，或只有汇总的数字", en="two trials, too few requests, or summary values alone"
    ),
    "D": Text(zh="有混杂因素", en="confounded"),
}
"""How far a row can be trusted: only A bears a verdict."""
ADJUSTED: Final = Text(zh="{p}（校正后 {adjusted}）", en="{p} ({adjusted} adjusted)")
CORRECTION: Final = Text(
    zh="校正后的 p：主指标各行用 Holm，其余做过检验的各行用 Benjamini–Hochberg，分别计算。",
    en="Adjusted p: Holm over the rows of the primary metric, Benjamini–Hochberg over all other rows that were tested.",
)


def words(lang: Lang, table: Mapping[str, Text] = WORDS) -> dict[str, str]:
    """Return the words of the page in one language."""
    return {name: text[lang] for name, text in table.items()}


def side_text(text: str | None, shown: Text) -> Text:
    """Return what one side of a setting is to a reader: what is not known and what was not given are told apart."""
    if text is None:
        return NOT_RECORDED
    return shown if text else NOT_GIVEN


def setting_title(setting: Setting) -> Text:
    """Return what a setting is called: a known flag by its meaning, with the flag behind it."""
    meaning = meaning_of(setting.path)
    if meaning is None:
        return setting.title
    return Text(zh="{what}（{flag}）", en="{what} ({flag})").format(what=meaning, flag=setting.title)


def titles(settings: Iterable[Setting], lang: Lang) -> str:
    """Return the names of settings in a row, each once."""
    return joined(names_of(settings, lang), lang)


def title_and_flag(setting: Setting, lang: Lang) -> tuple[str, str]:
    """Return what a setting is called, and its flag where it is a known one."""
    meaning = meaning_of(setting.path)
    return (setting.title[lang], "") if meaning is None else (meaning[lang], setting.title[lang])


def names_of(settings: Iterable[Setting], lang: Lang) -> list[str]:
    """Return the names of settings."""
    return [setting_title(one)[lang] for one in settings]


def joined(names: Iterable[str], lang: Lang) -> str:
    """Return names in a row, each once."""
    return ("、" if lang == "zh" else ", ").join(dict.fromkeys(names))


def stated_text(claim: Claim) -> str:
    """Return a number as the authors of a round wrote it, with the sign that says how it is meant."""
    return f"{SIGNS[claim.op]}{claim.stated}{'' if claim.unit is None else claim.unit}"
