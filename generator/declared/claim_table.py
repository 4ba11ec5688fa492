"""``[[claim]]`` of round.toml, and a row of claims.csv: what is stated, and how its number is meant."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from generator.declared.table_types import Id, Name, NotNegative, ObjectionError, Strict, Wording, Words, Written

BRACES: Final = re.compile(r"\{[A-Za-z]*\}|[{}]")
"""What a text of a claim quotes, and braces that quote nothing."""


class ClaimTable(Strict):
    """``[[claim]]``: a statement that the data are compared with. Its number is given as it was written."""

    id: Id
    """a name of its own
    它自己的名字"""
    kind: Literal["published", "expectation"] = "published"
    """`expectation`: written down before it was measured
    `expectation`：测量之前写下的预期"""
    text: Wording | None = None
    """the statement, with `{stated}`, `{series}` and `{level}` for number, series and level; else its metric is told
    论断的文字，数字、系列、档位写成 `{stated}`、`{series}`、`{level}`；不写就说出它的指标"""
    metric: Name | None = None
    """what it is a statement of; may be left out with a `reason`
    它说的是哪个指标；写了 `reason` 就可以不写"""
    series: Id | None = None
    """the series, or the one that is compared with the baseline
    哪个系列，或与基线对比的是哪个系列"""
    level: Id | None = None
    """the level
    哪一档"""
    basis: Name | None = None
    """which definition of the metric, where there are several
    指标有几种口径时，用的是哪一种"""
    op: Literal["=", "<", "<=", ">", ">=", "about"] = "="
    """how the number is meant
    这个数怎么理解"""
    value: Annotated[float, Field(ge=-1e18, le=1e18)] | Written | None = None
    """the number stated; in quotes where it ends in zeros that count
    所说的数；末尾的零有意义时加引号"""
    unit: Name | None = None
    """its unit, `%` for ratios in hundredths; that of the metric without it
    它的单位，以百分之一计的比例写 `%`；不写就用指标的单位"""
    tolerance: NotNegative | None = None
    """how far the data may be off, in that unit; without it the digits written decide
    数据允许偏离多少，用同一单位；不写就由所写的位数决定"""
    source: Words | None = None
    """where it stands
    出自哪里"""
    reason: Wording | None = None
    """why the data cannot tell, where they cannot
    数据说明不了时，为什么说明不了"""

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
