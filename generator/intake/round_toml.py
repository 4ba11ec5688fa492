"""round.toml for what was imported: a start that its author completes, or further series for one that is there."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from generator.intake.placing import APART, Placed, mean_lengths
from generator.redaction import redact
from generator.runs.imported import Run

LONGEST: Final = 200
"""Characters of a name in round.toml."""

HEAD: Final = """\
schema = 1

[round]
title.zh = {title}
title.en = {title}
{date}
# baseline = "…"      # the series that the others are compared with
{origin}
[model]
name = {model}
# With these four the report gives the KV bytes of a token, and with the last the floors of a step:
# layers = …
# kv_heads = …
# head_dim = …
# kv_dtype_bytes = …  # 2 for fp16, 1 for fp8
# matmul_params = …   # parameters that a decode step reads

[hardware]
# gpu = "…"
# memory_bandwidth_gb_s = …   # floors need it
# memory_gib = …

[workload]            # as asked of every request
{input_tokens}
{output_tokens}
"""
SERIES: Final = """
[[series]]
id = {id}
{engine}
# version = "…"
# precision = "…"
# weight_bytes = …    # bytes that a decode step reads
"""
ENGINE_OPEN: Final = '# engine = "…"        # vLLM, llama.cpp, SGLang …'


def round_toml(present: str, round_id: str, placed: Sequence[Placed]) -> str:
    """Return round.toml with the series of some runs.

    Args:
        present: the file as it stands; empty where there is none.
        round_id: the id of the round, its title until its author has a better one.
        placed: runs of series that the file does not have.
    """
    text = present or _head(round_id, [one.arrived.run for one in placed])
    series = list(dict.fromkeys(one.series for one in placed))
    return text.rstrip("\n") + "\n" + "".join(_series(one, placed) for one in series)


def _head(round_id: str, runs: Sequence[Run]) -> str:
    lengths = [mean_lengths(run) for run in runs]
    return HEAD.format(
        title=_quoted(redact(round_id)[:LONGEST] or "round"),
        date=_date(runs),
        origin='origin = "measured"\n' if any(run.requests is not None for run in runs) else "",
        model=_model(runs),
        input_tokens=_tokens("input_tokens", [given for given, _ in lengths]),
        output_tokens=_tokens("output_tokens", [made for _, made in lengths]),
    )


def _series(series: str, placed: Iterable[Placed]) -> str:
    engines = list(dict.fromkeys(one.arrived.run.engine for one in placed if one.series == series))
    told = engines[0] if len(engines) == 1 else None
    engine = f"engine = {_quoted(told[:LONGEST])}" if told else ENGINE_OPEN
    return SERIES.format(id=_quoted(series), engine=engine)


def _date(runs: Sequence[Run]) -> str:
    """Return the day of all runs; where they are not of one day, a suggestion."""
    days = sorted({day for run in runs if (day := _day(run.started)) is not None})
    if len(days) == 1:
        return f"date = {days[0]}"
    span = f"# the runs began from {days[0]} to {days[-1]}" if days else ""
    return f"# date = 2026-01-31   {span}".rstrip()


def _day(started: str | None) -> datetime.date | None:
    with suppress(ValueError):
        return datetime.date.fromisoformat((started or "")[:10])
    return None


def _model(runs: Sequence[Run]) -> str:
    """Return the name of the model; several are told in a comment."""
    first, *others = list(dict.fromkeys(run.model for run in runs if run.model)) or ["unknown"]
    also = f"   # the results also name {', '.join(map(_quoted, others))}" if others else ""
    return _quoted(first[:LONGEST]) + also


def _tokens(key: str, counted: Sequence[float]) -> str:
    """Return a suggestion of what was asked: the counted mean, or from where to where the means go."""
    known = [mean for mean in counted if mean > 0]
    if not known:
        return f"# {key} = …"
    if max(known) > APART * min(known):
        return f"# {key} = …   # counted means from {min(known):.6g} to {max(known):.6g}"
    return f"# {key} = {sum(known) / len(known):.6g}   # counted mean"


def _quoted(text: str) -> str:
    """Return text as a TOML string: JSON's escapes are TOML's, and DEL needs one in TOML only."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
