from __future__ import annotations

import numpy as np

from generator.declared.profiles import ProfileFile
from tests.support.loads import ACCESS, BURSTY, SHAREGPT, load_of, load_of_text, under_load
from tests.support.telling import analysed, chapter_of, text_of


def told(load: ProfileFile | None) -> str:
    analysis = analysed(under_load(load))
    return text_of(chapter_of("profile_fits", analysis), analysis)


def test_distributions_that_stand_badly_for_the_load_are_called_so() -> None:
    text = told(load_of(BURSTY))

    assert "Some are far apart here: a plan that replays" in text


def test_good_ones_may_stand_for_it() -> None:
    rng = np.random.default_rng(6)
    at = np.cumsum(rng.exponential(1, 2000)).tolist()
    given, made = (np.maximum(1, rng.lognormal(mu, 0.5, 2000)).astype(int).tolist() for mu in (7, 5))
    assert "All are small here" in told(load_of(list(zip(at, given, made, strict=True))))


def test_arrivals_alone_make_no_plan() -> None:
    assert "Without the lengths, arrivals alone make no plan" in told(
        load_of_text(ACCESS + ACCESS.replace(":55:", ":56:"))
    )


def test_where_nothing_was_fitted_there_is_no_such_chapter() -> None:
    assert told(load_of_text(SHAREGPT)) == told(None) == ""
