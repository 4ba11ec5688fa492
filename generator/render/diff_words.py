"""The words of a comparison of two rounds: headings, states, and how settings and conclusions are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from generator.analysis.claims import SIGNS
from generator.claims import Claim
from generator.comparing.affects import meaning_of
from generator.comparing.fates import Fate
from generator.comparing.records import Setting, SettingStatus, Standing, Verdict
from generator.comparing.states import State
from generator.text import Lang, Text

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
    "failed_base": "fail", "failed_head": "fail", "zero": "unknown", "undirected": "unknown", "open": "unknown",
    "noise": "unknown", "same": "note", "identical": "note", "spoilt": "unknown", "other_work": "unknown",
    "only_base": "unknown", "only_head": "unknown",
}  # fmt: skip
"""How a state looks beside its word."""
GATES: Final[Mapping[Verdict | None, Text]] = {
    "worse": Text(zh="变差", en="worse"),
    "better": Text(zh="变好", en="better"),
    "same": Text(zh="相同", en="the same"),
    "inconclusive": Text(zh="未定论", en="inconclusive"),
    "confounded": Text(zh="有混淆，不下结论", en="confounded: nothing is concluded"),
    "not_comparable": Text(zh="不可比", en="not comparable"),
    None: Text(zh="两轮都没有这个指标", en="in neither round"),
}
FATES: Final[Mapping[Fate, Text]] = {
    "worsened": Text(zh="▼ 加重", en="▼ worsened"),
    "new": Text(zh="+ 新出现", en="+ new"),
    "first_seen": Text(zh="+ 此前没有查过", en="+ not checked before"),
    "still": Text(zh="= 仍在", en="= still there"),
    "unchecked": Text(zh="? 已无从检查", en="? no longer checkable"),
    "improved": Text(zh="▲ 减轻", en="▲ improved"),
    "resolved": Text(zh="✓ 已解决", en="✓ resolved"),
}
FATE_LOOKS: Final[Mapping[Fate, str]] = {
    "worsened": "fail", "new": "warn", "first_seen": "note", "still": "warn", "unchecked": "unknown",
    "improved": "note", "resolved": "pass",
}  # fmt: skip
SETTING_STATES: Final[Mapping[SettingStatus, Text]] = {
    "different": Text(zh="≠ 变了", en="≠ changed"),
    "unknown": Text(zh="? 不知", en="? unknown"),
    "equal": Text(zh="= 相同", en="= same"),
}
NOT_RECORDED: Final = Text(zh="没有记录", en="not recorded")
NOT_GIVEN: Final = Text(zh="没有给出", en="not given")
CONFOUNDED_BY: Final = Text(zh="同时变了：{what}", en="confounded by {what}")
PERHAPS: Final = Text(zh="没有记录、也许变了：{what}", en="not on record, perhaps changed: {what}")

WORDS: Final[Mapping[str, Text]] = {
    "title": Text(zh="{base} 对 {head}", en="{base} against {head}"),
    "lead": Text(
        zh="每一行是一个档位的一个量：base 是 {base}，head 是 {head}。差别超出噪声才有判定；"
        "同时变了几样东西，就不归因于任何一样。",
        en="A row is one quantity at one level: base is {base}, head is {head}. There is a verdict only where a "
        "difference stands out from the noise, and no cause is named where several things changed at once.",
    ),
    "swap": Text(zh="对调 base 与 head", en="Swap base and head"),
    "standing": Text(zh="可不可比", en="Can they be compared?"),
    "counts": Text(zh="判定的行数", en="Rows by verdict"),
    "gate": Text(zh="主指标 {metric}（{by}）：", en="The primary metric, {metric} ({by}): "),
    "margin": Text(zh="差别小于 {margin} 算作相同（{by}）。", en="Less than {margin} apart counts as the same ({by})."),
    "configuration": Text(zh="配置与负载", en="Configuration and workload"),
    "fingerprint": Text(zh="机器与软件", en="Machine and software"),
    "setting": Text(zh="设置", en="setting"),
    "affects": Text(zh="可能影响", en="what it can affect"),
    "of_series": Text(zh="系列", en="series"),
    "standing_of": Text(zh="情形", en="status"),
    "equal_settings": Text(zh="相同的 {n} 项", en="{n} that are the same"),
    "no_settings": Text(zh="没有变了或不知的设置。", en="Nothing changed, and nothing is unknown."),
    "nothing_recorded": Text(zh="两轮都没有记录。", en="Neither round records any of it."),
    "rows": Text(zh="各个量", en="Quantities"),
    "loud_caption": Text(
        zh="超出噪声的，或说不出结论的；粗体是主指标",
        en="What stands out, or has no conclusion; the primary metric is bold",
    ),
    "settings_caption": Text(
        zh="变了的，以及至少一边没有记录的", en="What changed, and what at least one side does not record"
    ),
    "conclusions_caption": Text(zh="被比较的系列对 baseline", en="The compared series against the baseline"),
    "flaws_caption": Text(zh="两轮的自检各自怎么说", en="What the checks of each round say"),
    "no_rows": Text(zh="没有一行超出噪声。", en="No row stands out from the noise."),
    "no_level": Text(zh="没有共同的档位，没有可比的行。", en="There is no common level, and so no row."),
    "nonsense": Text(
        zh="两轮不可比：下面没有判定，数字各说各的事。",
        en="The rounds are not comparable: there is no verdict below, and each number speaks of its own.",
    ),
    "quiet_rows": Text(zh="噪声之内或相同、没有列出的 {n} 行", en="{n} rows that are within noise or the same"),
    "absent_rows": Text(zh="没有比较的 {n} 行，以及原因", en="{n} rows that were not compared, and why"),
    "quantity": Text(zh="量", en="quantity"),
    "verdict": Text(zh="判定", en="verdict"),
    "threshold": Text(zh="阈值", en="threshold"),
    "interval": Text(zh="95% 区间", en="95% interval"),
    "why": Text(zh="依据与原因", en="on what grounds"),
    "conclusions": Text(zh="两轮的结论", en="What each round concludes"),
    "conclusions_lead": Text(
        zh="这些数由好几个档位、两个系列算出：动了也说不出是谁动的，因此没有好坏之分。",
        en="These rest on several levels and on two series: what moved them cannot be told from the number, and they "
        "have no direction.",
    ),
    "as_stated": Text(zh="（报告所写，数据推不出）", en=" (as its report states; the data do not give it)"),
    "no_direction": Text(zh="· 无好坏之分", en="· no direction"),
    "flaws": Text(zh="自检结论的去向", en="What became of the findings"),
    "flaws_lead": Text(
        zh="两轮里警告或不通过的自检。查不了不等于解决；此前没有查过不等于新出现。同样严重的，看两轮共有的证据往哪边动。",
        en="Checks that failed or warned in either round. What cannot be checked is not resolved, and what was not "
        "checked before is not new. Of findings as grave as before, the evidence that both share decides.",
    ),
    "no_flaws": Text(zh="两轮都没有警告，也没有不通过。", en="Nothing failed or warned in either round."),
    "fate": Text(zh="去向", en="fate"),
    "check": Text(zh="自检", en="check"),
    "says_nothing": Text(zh="没有说什么", en="says nothing of it"),
    "figures": Text(zh="叠在一起看", en="One over the other"),
    "methods": Text(zh="怎么判的", en="How it is decided"),
    "method_of": Text(zh="{n} 行用到", en="{n} rows"),
    "machine_readable": Text(zh="机器可读：", en="Machine-readable: "),
    "report_of": Text(zh="{round} 的报告", en="Report of {round}"),
}


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
    return joined((setting_title(one)[lang] for one in settings), lang)


def joined(names: Iterable[str], lang: Lang) -> str:
    """Return names in a row, each once."""
    return ("、" if lang == "zh" else ", ").join(dict.fromkeys(names))


def stated_text(claim: Claim) -> str:
    """Return a number as the authors of a round wrote it, with the sign that says how it is meant."""
    return f"{SIGNS[claim.op]}{claim.stated}{'' if claim.unit is None else claim.unit}"
