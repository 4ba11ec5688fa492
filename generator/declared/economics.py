"""What a server costs and how it is run, by ``[economics]`` of round.toml, and what is assumed where that is silent.

A round tells three scenarios: the base one, and one on either side of it. A key that only the table itself has holds
for all three.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from generator.declared.table_types import NotNegative, ObjectionError, Positive, Strict

Scenario = Literal["conservative", "aggressive"] | None
"""A scenario, as the basis of its values; None is the base one."""
SCENARIOS: Final[tuple[Scenario, ...]] = ("conservative", None, "aggressive")
"""From the one in which a server is used least to the one in which it is used most."""
TABLE: Final = "economics"
MONEY: Final = ("price_per_hour", "ops_per_hour", "image_cost", "price_per_kwh")
"""Keys that hold an amount of money."""
ASSUMED: Final[Mapping[str, Mapping[Scenario, float]]] = {
    "lifetime_h": {"conservative": 1.0, None: 24.0, "aggressive": 168.0},
    "utilisation": {"conservative": 0.2, None: 0.5, "aggressive": 0.8},
    "ops_per_hour": dict.fromkeys(SCENARIOS, 0.0),
    "image_cost": dict.fromkeys(SCENARIOS, 0.0),
    "ignore_above": {None: 10.0},
}
"""Key -> what is taken for it in each scenario where nothing is declared."""
CODE: Final = re.compile(r"[A-Z]{3}")


class ScenarioTable(Strict):
    """``[economics.conservative]`` and ``[economics.aggressive]``: keys that differ from those of ``[economics]``."""

    price_per_hour: Positive | None = None
    """price per server hour, in that currency; all the devices that a series takes together
    服务器每小时的价格，以该货币计；一个系列占用的所有设备合在一起"""
    lifetime_h: Positive | None = None
    """hours that a server runs between two starts; without it 24 (conservative 1, aggressive 168)
    服务器两次启动之间运行的小时数；不写就是 24（保守 1，激进 168）"""
    utilisation: Annotated[float, Field(gt=0, le=1)] | None = None
    """share of its highest throughput asked of it on average; without it 0.5 (conservative 0.2, aggressive 0.8)
    平均用到最高吞吐的几成；不写就是 0.5（保守 0.2，激进 0.8）"""
    offered_rate: Positive | None = None
    """requests a second that there are to be served; more than that is not counted as served
    每秒有多少请求要服务；超出的部分不算服务到了"""
    ops_per_hour: NotNegative | None = None
    """what operating a server costs an hour beside its price; nothing without it
    价格之外，运维一台服务器每小时的花费；不写就是没有"""
    image_cost: NotNegative | None = None
    """what each start costs beside the server's time: image, download, dependencies; nothing without it
    服务器时间之外，每次启动的花费：镜像、下载、依赖；不写就是没有"""
    price_per_kwh: Positive | None = None
    """price of electricity; what it comes to stands beside the cost and is not added: prices of servers include it
    电价；折算出的电费列在成本旁边，不加进去：服务器的价格里已经包含"""
    output_share: Annotated[float, Field(gt=0, le=1)] | None = None
    """output tokens ÷ all tokens, in and out; without it as measured
    输出 token ÷ 全部 token（输入加输出）；不写就用实测值"""


class EconomicsTable(ScenarioTable):
    """``[economics]``: the base scenario, and what is the same in all of them."""

    currency: str | None = None
    """three capital letters, such as USD; amounts of money need it
    三个大写字母，如 USD；写了金额就必须写它"""
    ignore_above: Annotated[float, Field(gt=1, le=1e9)] | None = None
    """tokens served between starts ÷ those that a start could have produced, from which it does not matter; else 10
    一个生命周期的 token ÷ 启动那段时间本可以产出的 token，从这个倍数起启动就无关紧要；不写就是 10"""
    conservative: ScenarioTable = ScenarioTable()
    aggressive: ScenarioTable = ScenarioTable()

    @model_validator(mode="after")
    def _money_has_a_currency(self) -> EconomicsTable:
        if self.currency is not None and not CODE.fullmatch(self.currency):
            raise ObjectionError("[economics] currency is no code of three capital letters", "write one such as USD")
        given = [key for table in (self, self.conservative, self.aggressive) for key in MONEY if getattr(table, key)]
        if given and self.currency is None:
            raise ObjectionError(f"[economics] has {given[0]} and no currency", "add the currency, such as USD")
        return self

    def table_of(self, scenario: Scenario) -> ScenarioTable:
        """Return the keys that are declared of a scenario itself."""
        return self if scenario is None else getattr(self, scenario)


@dataclass(frozen=True, slots=True)
class Stated:
    """A number of a scenario, in the unit of its key; where it stands, or would; and whether it is an assumption."""

    number: float
    place: str
    is_assumed: bool = False


def stated(table: EconomicsTable, key: str, scenario: Scenario) -> Stated | None:
    """Return what a key is in a scenario: as declared of it, of all, or assumed; None where nobody knows."""
    for of in dict.fromkeys((scenario, None)):
        found: float | None = getattr(table.table_of(of), key, None)
        if found is not None:
            return Stated(found, f"[{dotted(of)}] {key}")
    assumed = ASSUMED.get(key, {}).get(scenario)
    return None if assumed is None else Stated(assumed, f"[{TABLE}] {key}", is_assumed=True)


def dotted(scenario: Scenario) -> str:
    """Return the name of the table of a scenario."""
    return TABLE if scenario is None else f"{TABLE}.{scenario}"
