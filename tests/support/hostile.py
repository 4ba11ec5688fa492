"""A round whose author writes markup, code and formulas wherever a text may stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from tests.support.rounds import ALPHA_CSV, BETA_CSV, write_round

SCRIPT: Final = "<script>alert(1)</script>"
IMAGE: Final = '"><img src=x onerror=alert(1)>'
TEMPLATE: Final = "{{7*7}} {title} %(x)s ${x}"
END_OF_SCRIPT: Final = "</script><!--<script>"
SQL: Final = "'; DROP TABLE rounds; --"
FORMULA: Final = "=cmd|' /C calc'!A0"
RIGHT_TO_LEFT: Final = "ab\u202edc \u2028 \u0007 `x`"
LONG: Final = "0123456789" * 20
TEXTS: Final = (SCRIPT, IMAGE, TEMPLATE, END_OF_SCRIPT, SQL, FORMULA, RIGHT_TO_LEFT, LONG)


def hostile_round(folder: Path) -> Path:
    """Write a round of three series in which every free text is hostile."""
    toml = f"""\
schema = 1

[round]
title.zh = {quoted("标题 " + SCRIPT)}
title.en = {quoted(SCRIPT)}
baseline = "alpha"
date = {quoted(TEMPLATE)}
source = {quoted(IMAGE)}
authors = [{quoted(END_OF_SCRIPT)}, {quoted(FORMULA)}]
license = {quoted(END_OF_SCRIPT)}

[model]
name = {quoted(END_OF_SCRIPT)}
layers = 28
kv_heads = 4
head_dim = 128
kv_dtype_bytes = 2

[hardware]
gpu = {quoted(SQL)}
memory_bandwidth_gb_s = 1008
driver = {quoted(FORMULA)}
cuda = {quoted(RIGHT_TO_LEFT)}

[workload]
input_tokens = 1024
output_tokens = 256
dataset = {quoted(TEMPLATE)}
seed_policy = {quoted(SCRIPT)}

[[series]]
id = "alpha"
engine = {quoted(IMAGE)}
precision = {quoted(SCRIPT)}
version = {quoted(END_OF_SCRIPT)}
weight_bytes = 14.14e9
kv_pool_tokens = 120064
argv = [{quoted(SCRIPT)}, {quoted(FORMULA)}]

[[series]]
id = "beta"
engine = {quoted(FORMULA)}
precision = {quoted(TEMPLATE)}
weight_bytes = 4.68e9
kv_pool_tokens = 90000

[[series]]
id = "gamma"
engine = {quoted(LONG)}
version = {quoted(RIGHT_TO_LEFT)}
weight_bytes = 7e9
"""
    tables = {"alpha": ALPHA_CSV, "beta": BETA_CSV, "gamma": ALPHA_CSV}
    return write_round(folder, toml=toml, tables=tables, facts={})


def quoted(text: str) -> str:
    """Return a text as a TOML string: JSON's escapes are TOML's."""
    return json.dumps(text)
