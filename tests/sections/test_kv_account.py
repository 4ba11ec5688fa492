from __future__ import annotations

from generator.told.blocks import Ledger
from tests.support.gauged_rounds import Pool, pool_round
from tests.support.run_rounds import two_series
from tests.support.telling import analysed, chapter_of


def test_it_sets_out_shape_pool_and_slope() -> None:
    analysis = analysed(pool_round(Pool()))
    chapter = chapter_of("kv_account", analysis)
    assert chapter is not None
    ledger = chapter.blocks[1]
    assert isinstance(ledger, Ledger)
    keys = [[line.quantity.address.metric for line in group.lines] for group in ledger.groups]

    assert keys[0] == ["layers", "kv_heads", "head_dim", "kv_dtype_bytes", "kv_bytes_per_token"]
    assert keys[1][:3] == ["kv_pool_bytes", "kv_pool_tokens", "kv_pool_bytes_per_token"]
    assert keys[1][-2:] == ["kv_bytes_measured", "kv_bytes_over_formula"]


def test_where_nothing_is_known_there_is_no_account() -> None:
    assert chapter_of("kv_account", analysed(two_series())) is None
