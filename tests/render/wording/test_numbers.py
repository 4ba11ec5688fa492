from __future__ import annotations

import re

import pytest

from generator.kinds import WITHOUT_EMBEDDING
from generator.model import Trial
from generator.render.wording.formulas import numeric, symbol_html, symbolic
from generator.render.wording.numbers import Printer
from generator.runs.requests import Requests
from generator.text import Lang, Text, same
from generator.told.sentence import Count, LevelName, Listing, Quantity, RoundName, SectionLink, SeriesName, say
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, ROUND_2, printer, small_analysis, small_round
from tests.support.memory_round import address, memory_round, observation
from tests.support.telling import analysed, catalogue

NNBSP = "\u202f"


def at(metric: str, series: str = BASELINE, level: str = "c8", basis: str | None = None) -> Address:
    return Address(metric, "level", series, level, basis)


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (Quantity(at("itl_p50", COMPARED)), f"10.30{NNBSP}ms"),  # as typed
        (Quantity(at("duration", COMPARED, "c1")), f"63.40{NNBSP}s"),  # as typed
        (Quantity(at("itl_p50", COMPARED), unit="s"), f"0.0103{NNBSP}s"),  # another unit: three digits
        (Quantity(at("itl_p50"), decimals=0), f"17{NNBSP}ms"),  # 16.63
        (Quantity(at("itl_p50"), bare=True), "16.63"),
        (Quantity(at("completed")), "120"),
        (Quantity(at("output_throughput", level="c64")), f"1,387.8{NNBSP}tok/s"),
        # (7,070,619,136 × 2 + 8 × 1,152 × 57,344) B ÷ 1,008 GB/s = 14.5533 ms, with the metric's four digits
        (Quantity(at("decode_floor")), f"14.55{NNBSP}ms"),
        # 0.0145533 s with one decimal would be none: the metric's four digits instead
        (Quantity(at("decode_floor"), unit="s", decimals=1), f"0.01455{NNBSP}s"),
        # 14.5533 ÷ 16.63 = 0.87512
        (Quantity(at("floor_ratio")), "87.5%"),
        (Quantity(at("floor_ratio"), style="plain"), "0.875"),
        # 15.83 ÷ 5.84 = 2.7106
        (Quantity(Address("measured_speedup", "pair", COMPARED)), "2.71×"),
        # 1,024 + 256 ÷ 2: whole numbers of what is counted have no decimals, though L has six digits
        (Quantity(at("mean_context")), f"1,152{NNBSP}tok"),
        # 1 of 512 failed: 0.195 %
        (Quantity(at("failure_ratio", COMPARED, "c64")), "0.2%"),
        (Quantity(at("failure_ratio")), "0%"),
        (Quantity(at("itl_p50", COMPARED, "c64")), "—"),  # the cell is empty
        (Quantity(at("itl_p50", BASELINE, "c1024")), "—"),  # there is no such level
    ],
)
def test_quantities_are_printed_once_rounded_with_their_unit(quantity: Quantity, text: str) -> None:
    assert printer("en").plain(quantity) == text


@pytest.mark.parametrize(("counts", "text"), [((23, 24), "23.5"), ((22, 26), "24")], ids=["half", "whole"])
def test_the_median_of_counts_has_one_decimal_at_most(counts: tuple[float, float], text: str) -> None:
    # the median of two trials: 23.5 and not 23.5000000000, though every digit of such a count is printed
    seen = [
        observation(address("itl_samples", "level", "s", "c1", trial=trial), count)
        for trial, count in enumerate(counts, 1)
    ]
    trials: dict[Trial, Requests | None] = {("s", "c1", 1): None, ("s", "c1", 2): None}
    round_ = memory_round({"s": {"c1": {"concurrency": 1}}}, runs=trials, further=seen)

    assert Printer(analysed(round_), catalogue().graph, "en").amount(Quantity(at("itl_samples", "s", "c1"))) == text


def test_levels_of_several_rates_under_one_limit_have_names_of_their_own() -> None:
    limited = {f"r{rate}": {"rate": rate, "concurrency": 128} for rate in (5, 10)}
    print_ = Printer(analysed(memory_round({"s": limited})), catalogue().graph, "en")

    assert [print_.plain(LevelName("s", level)) for level in limited] == [
        "5\u202freq/s ≤ C=128",
        "10\u202freq/s ≤ C=128",
    ]


def test_a_metric_that_nobody_declared_is_a_defect() -> None:
    with pytest.raises(KeyError):
        printer().plain(Quantity(at("itl_p51")))


@pytest.mark.parametrize(("lang", "text"), [("zh", "A、B、C"), ("en", "A, B and C")])
def test_a_list_is_joined_as_the_language_does(lang: Lang, text: str) -> None:
    assert printer(lang).plain(Listing((same("A"), same("B"), same("C")))) == text


@pytest.mark.parametrize(("lang", "texts"), [("zh", ["", "A", "A、B"]), ("en", ["", "A", "A and B"])])
def test_short_lists(lang: Lang, texts: list[str]) -> None:
    lists = [Listing(tuple(same(letter) for letter in letters)) for letters in ("", "A", "AB")]
    assert [printer(lang).plain(one) for one in lists] == texts


def test_a_sentence_stands_in_a_sentence() -> None:
    inner = say("{n} 档", "{n} levels", n=Count(1234))
    assert printer("en").plain_sentence(say("看：{x}", "see {x}", x=inner)) == "see 1,234 levels"
    assert printer("zh").html_sentence(say("看：{x}", "see {x}", x=inner)) == "看：1,234 档"


def test_levels_are_named_by_their_load() -> None:
    rows = {"a": [{"rate": "2.5"}, {"concurrency": "1", "level": "c1-in4096"}, {"concurrency": "1"}]}
    analysis = small_analysis(small_round(rows, baseline=None))
    names = [printer("en", analysis).plain(LevelName("a", level)) for level in ("r2.5", "c1-in4096", "c9")]
    assert names == [f"2.5{NNBSP}req/s", "C=1 (c1-in4096)", "c9"]


def test_a_number_links_to_its_derivation() -> None:
    html = printer().html(Quantity(at("itl_p50")))
    target = printer().anchors[at("itl_p50")]
    assert html == f'<a href="how.html#{target}">16.63<small>{NNBSP}ms</small></a>'


def test_a_percent_sign_stands_close() -> None:
    assert printer().html(Quantity(at("floor_ratio"))).endswith(">87.5<small>%</small></a>")


@pytest.mark.parametrize(
    ("share", "text"), [(9.996, "999.6%"), (10.0, "10.00×"), (12.345, "12.35×"), (-10.0, "−10.00×")]
)
def test_from_a_thousand_percent_on_a_share_is_told_as_times(share: float, text: str) -> None:
    round_ = memory_round({"s": {"c1": {"concurrency": 1, "itl_p50": 1.0, "itl_mean": 1 + share}}})
    overhead = Quantity(address("stall_overhead", "level", "s", "c1"))
    in_a_column = Quantity(overhead.address, bare=True)
    told = Printer(analysed(round_), catalogue().graph, "en")

    assert told.plain(overhead) == text
    assert "×" not in told.plain(in_a_column)


def test_an_unknown_number_links_to_its_reason_unless_there_is_none() -> None:
    unknown = printer().html(Quantity(at("itl_p50", COMPARED, "c64")))
    assert unknown.startswith('<a href="how.html#')
    assert unknown.endswith(">—</a>")
    assert printer().html(Quantity(at("itl_p50", level="c9"))) == "—"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_sign_of_about_stays_with_both_of_its_sides(lang: Lang) -> None:
    step = say("步长 ≈ {x}，C ≈ {x}", "a step ≈ {x}, C ≈ {x}", x=Quantity(at("itl_p50")))
    shown = printer(lang).plain_sentence(step)

    assert shown.count("\u00a0≈\u00a016.63") == 2
    assert "\u00a0≈\u00a0<a href" in printer(lang).html_sentence(step)


def test_the_id_of_a_round_stays_whole() -> None:
    named = say("只在 {r}", "only in {r}", r=RoundName("round-1"))
    assert printer("zh").plain_sentence(named) == "只在 round-1"
    assert printer().html_sentence(named) == 'only in <span class="id">round-1</span>'


def test_names_carry_accent_and_state() -> None:
    print_ = printer("en", small_analysis(spoil={COMPARED: ["c64"]}))
    assert print_.html(SeriesName(COMPARED)) == '<b class="s1">llama.cpp Q4_K_M</b>'
    assert print_.html(LevelName(COMPARED, "c64")) == "<s>C=64</s>"
    assert print_.html(LevelName(BASELINE, "c64")) == "C=64"


def test_hostile_text_is_escaped_everywhere() -> None:
    analysis = small_analysis(small_round(engines={BASELINE: "<b>{0}</b>"}))
    print_ = printer("en", analysis)
    sentence = say("<{t}>", "<{t}> {s}", t=Text(zh="&", en="&{x}"), s=Listing((SeriesName(BASELINE),)))
    assert print_.html_sentence(sentence) == '&lt;&amp;{x}&gt; <b class="s0">&lt;b&gt;{0}&lt;/b&gt; BF16</b>'
    assert print_.plain_sentence(sentence) == "<&{x}> <b>{0}</b> BF16"


def test_a_section_is_a_link_away() -> None:
    link = SectionLink("definitions", Text(zh="定义", en="<Definitions>"))

    assert printer("en").html(link) == '<a href="#definitions">&lt;Definitions&gt;</a>'
    assert printer("zh").plain(link) == "定义"


def test_the_ninth_series_shares_the_first_accent() -> None:
    rows = {f"s{n}": ROUND_2[BASELINE] for n in range(9)}
    assert printer("en", small_analysis(small_round(rows, baseline=None))).accent("s8") == 0


def test_a_formula_in_symbols_and_in_numbers() -> None:
    print_ = printer("en")
    value = print_.analysis.frame.values[at("decode_floor")]
    assert symbolic(value, print_) == "t<sub>floor</sub> = (W<sub>B</sub> + C<sub>dec</sub> × KV<sub>seq</sub>) ÷ BW"
    shown = re.sub("<[^>]*>", "", numeric(value, print_)).replace(NNBSP, " ")
    # W = 7,070,619,136 × 2 B; kv = 2 × 28 × 4 × 128 × 2 B = 56 KiB, of 1,152 tok 63 MiB
    assert shown == "(14.14 GB + 8 × 63.0 MiB) ÷ 1,008 GB/s"


def test_the_same_metric_on_another_basis_has_a_symbol_of_its_own() -> None:
    print_ = printer("en")
    value = print_.analysis.frame.of_series("weight_bytes_per_step", COMPARED, WITHOUT_EMBEDDING)
    assert symbolic(value, print_) == "W′ = W − E"


def test_the_sides_of_a_pair_are_named_below_the_symbol() -> None:
    print_ = printer("en")
    value = print_.analysis.frame.values[Address("throughput_ratio", "pair-level", COMPARED, "c8")]
    assert symbolic(value, print_) == "R = X<sub>llama.cpp Q4_K_M</sub> ÷ X<sub>vLLM BF16</sub>"


def test_rows_of_columns_become_numbers_and_sums_stay_symbols() -> None:
    print_ = printer("en")
    values = print_.analysis.frame.values
    cost = numeric(values[Address("marginal_step_cost", "series", BASELINE)], print_)
    assert re.sub("<[^>]*>", "", cost).replace(NNBSP, " ") == (
        "(22.50 ms − 15.83 ms) ÷ (64 − 1) × 1,280 tok ÷ 1,280 tok"
    )
    assert numeric(values[Address("requests_total", "series", BASELINE)], print_) == "sum(N)"


def test_a_value_that_was_read_has_a_symbol_and_no_formula() -> None:
    print_ = printer("en")
    value = print_.analysis.frame.values[at("itl_p50")]
    assert (symbolic(value, print_), numeric(value, print_)) == ("ITL<sub>p50</sub>", "")


def test_a_symbol_that_is_itself_a_quotient_keeps_together() -> None:
    assert symbol_html("S ÷ S_pred") == "(S ÷ S<sub>pred</sub>)"
    assert symbol_html("X", "a<b") == "X<sub>a&lt;b</sub>"


@pytest.mark.parametrize(("each", "text"), [(2.0, "2"), (1.0625, "1.0625"), (0.5625, "0.5625")])
def test_where_every_digit_is_printed_no_zeros_follow_the_last(each: float, text: str) -> None:
    # Bytes of a KV element: BF16, q8_0 (34 bytes for 32 elements), q4_0 (18 for 32)
    round_ = memory_round({"s": {}}, of_series={"s": {"kv_element_bytes": each}})
    printed = Printer(analysed(round_), catalogue().graph, "en")

    assert printed.plain(Quantity(Address("kv_element_bytes", "series", "s"))) == f"{text}{NNBSP}B"
