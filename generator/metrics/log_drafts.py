"""Speculative decoding in the server's log: what was drafted, and how much of it the model accepted."""

from __future__ import annotations

from typing import Final

from generator.kinds import logged, metric
from generator.text import Text
from generator.themes import DECODING

THEME: Final = DECODING

DRAFTED: Final = Text(
    zh="投机解码提出的 draft token 数之和，取自整个系列的日志。",
    en="Tokens that speculative decoding proposed, by the log of the whole series.",
)
ACCEPTED: Final = Text(
    zh="draft token 中被模型接受的，取自整个系列的日志。",
    en="Drafted tokens that the model accepted, by the log of the whole series.",
)
SHARE: Final = Text(
    zh="被接受的 draft token ÷ draft token。只是占比：每步多出多少 token，还要看一次提出几个 draft token。",
    en="Drafted tokens accepted ÷ drafted. A share only: how many tokens a step gains depends on how many are drafted at once.",
)

log_draft_tokens_of_series = logged(
    "draft_tokens",
    "tok",
    "ΣΣn_draft,log",
    scope="series",
    title=Text(zh="该系列日志里的 draft token 数", en="tokens drafted, in the log of the series"),
    meaning=DRAFTED,
)
log_draft_accepted_of_series = logged(
    "draft_accepted",
    "tok",
    "ΣΣn_acc,log",
    scope="series",
    title=Text(zh="该系列日志里被接受的 draft token 数", en="drafted tokens accepted, in the log of the series"),
    meaning=ACCEPTED,
)


@metric(
    "log_draft_accepted ÷ log_draft_tokens",
    scope="level",
    unit="ratio",
    symbol="α",
    style="percent",
    better="higher",
    title=Text(zh="draft 接受率", en="draft acceptance"),
    meaning=SHARE,
)
def log_draft_acceptance(log_draft_accepted: float, log_draft_tokens: float) -> float:
    """Return accepted ÷ drafted of a run."""
    return log_draft_accepted / log_draft_tokens


@metric(
    "log_draft_accepted_of_series ÷ log_draft_tokens_of_series",
    scope="series",
    unit="ratio",
    symbol="α_series",
    style="percent",
    better="higher",
    title=Text(zh="draft 接受率（整个系列）", en="draft acceptance, whole series"),
    meaning=SHARE,
)
def log_draft_acceptance_of_series(log_draft_accepted_of_series: float, log_draft_tokens_of_series: float) -> float:
    """Return accepted ÷ drafted of a series."""
    return log_draft_accepted_of_series / log_draft_tokens_of_series
