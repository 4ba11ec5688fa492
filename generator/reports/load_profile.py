"""What the traffic looks like that the engines are to serve."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text

NO_PROFILE: Final = Text(
    zh="这一轮没有负载画像。用 rounds profile 读访问日志、trace 或引擎的日志，加 --into 把画像（profile.json）放进这一轮。",
    en="The round has no load profile. rounds profile reads access logs, traces and logs of engines; with --into it puts their profile "
    "(profile.json) into the round.",
)


@report(
    order=90,
    title=Text(zh="负载画像", en="Load profile"),
    question=Text(
        zh="真实的请求有多长，什么时候来，同时有多少，测过的档位覆盖得到吗？",
        en="How long are the requests of users, when do they come, how many at once, and do the measured levels cover them?",
    ),
    sections=(
        "profile_verdict", "profile_lengths", "profile_arrivals", "profile_hours", "profile_concurrency", "guide_traffic",
        "profile_fits", "profile_sources",
    ),
)  # fmt: skip
def load_profile(analysis: Analysis) -> Text | None:
    """Want a profile of the load."""
    return None if analysis.round.profile is not None else NO_PROFILE
