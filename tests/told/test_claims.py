from __future__ import annotations

from decimal import Decimal
from typing import get_args

import pytest

from generator.told.claims import VERDICTS, Claim, Judgement, Verdict


@pytest.mark.parametrize(("written", "decimals"), [("8", 0), ("15.20", 2), ("0.0655", 4), ("-1.5", 1)])
def test_the_decimals_are_those_that_were_written(written: str, decimals: int) -> None:
    assert Claim("a", stated=Decimal(written)).decimals == decimals


def test_without_a_number_there_are_no_decimals() -> None:
    assert Claim("a").decimals == 0


def test_the_difference_is_recomputed_less_stated() -> None:
    claim = Claim("a", stated=Decimal("1.5"))

    assert Judgement(claim, "contradicted", recomputed=Decimal("1.25")).difference == Decimal("-0.25")


@pytest.mark.parametrize(("stated", "found"), [(None, Decimal(1)), (Decimal(1), None)])
def test_there_is_no_difference_from_what_is_not_known(stated: Decimal | None, found: Decimal | None) -> None:
    assert Judgement(Claim("a", stated=stated), "not_derivable", recomputed=found).difference is None


def test_every_verdict_has_a_word_and_a_sign_of_its_own() -> None:
    assert set(VERDICTS) == set(get_args(Verdict))
    for lang in ("zh", "en"):
        assert len({words[lang][0] for words in VERDICTS.values()}) == len(VERDICTS)
