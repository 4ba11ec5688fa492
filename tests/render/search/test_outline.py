"""What is read off a page for the search: its places, and what stands there."""

from __future__ import annotations

from generator.render.search.outline import MOST_NAMES, MOST_TEXT, Place, outline


def page(body: str) -> str:
    return f'<html><body><nav id="bar"><p>Home</p></nav><main id="main"><h1>Report</h1>{body}</main></body></html>'


def test_a_page_is_its_own_first_place_and_what_stands_outside_its_text_is_not_read() -> None:
    assert outline(page("<p>It begins.</p>")) == [Place("", "", "Report", "It begins.")]


def test_a_section_beside_the_text_is_a_place_and_what_else_stands_there_is_not_read() -> None:
    foot = (
        '<footer><nav><p>Others</p></nav><section id="cite"><h2>Cite</h2><p>In a zip.</p>'
        '<details class="cite"><p>Doe 2026</p></details></section><p>Licence</p></footer>'
    )
    assert outline(page("<p>It begins.</p>") + foot) == [
        Place("", "", "Report", "It begins."),
        Place("cite", "", "Cite", "In a zip."),
    ]


def test_a_page_without_a_text_is_one_empty_place() -> None:
    assert outline("<p>Nothing</p>") == [Place()]


def test_sections_figures_and_tables_are_places_up_to_their_end() -> None:
    found = outline(
        page(
            '<section id="one"><h2 id="one-title">First <a class="permalink" href="#one">#</a></h2><p>Told.</p>'
            '<figure id="fig-x"><figcaption><p><b>Figure 1</b> <span class="says">It falls</span></p>'
            '<p class="quiet">In ms.</p></figcaption></figure>'
            '<table id="full"><caption>All levels</caption><tr><th>TTFT <small>ms</small></th></tr></table>'
            "<p>Told further.</p></section><p>The end.</p>"
        )
    )

    assert found == [
        Place("", "", "Report", "The end."),
        Place("one", "", "First", "Told. Told further."),
        Place("fig-x", "f", "It falls", "In ms."),
        Place("full", "t", "All levels", "", "TTFT ms"),
    ]


def test_a_heading_with_an_anchor_is_a_place_up_to_the_next_one() -> None:
    found = outline(
        page('<p>Lead.</p><h2 id="a">A</h2><p>One.</p><h3 id="b">B</h3><p>Two.</p><h3>none</h3><p>Three.</p>')
    )
    assert [(one.anchor, one.heading, one.text) for one in found] == [
        ("", "Report", "Lead."),
        ("a", "A", "One."),
        ("b", "B", "Two. Three."),
    ]


def test_a_place_without_a_heading_leads_nowhere() -> None:
    assert [one.anchor for one in outline(page('<section id="bare"><p>Text</p></section>'))] == [""]


def test_drawings_cells_and_what_leads_elsewhere_are_not_read() -> None:
    found = outline(
        page(
            "<svg><title>Drawing</title><text>7</text></svg><table><tr><td><p>cell</p></td></tr></table>"
            '<p class="tools">CSV</p><div class="notes"><p>note</p></div><nav><p>menu</p></nav><p>Read.</p>'
        )
    )
    assert found == [Place("", "", "Report", "Read.")]


def test_entities_are_what_they_stand_for_and_markup_in_a_name_is_text() -> None:
    (found,) = outline(page("<p>a &lt;b&gt; &amp; &#x27;c&#x27;.</p>"))
    assert found.text == "a <b> & 'c'."


def test_whole_sentences_are_kept_as_many_as_fit() -> None:
    first, second = "A" * 100 + ".", "B" * 67 + "."  # 101 + a space + 68 bytes = 170, the most
    (fits,) = outline(page(f"<p>{first} {second}</p>"))
    (too_long,) = outline(page(f"<p>{first} {second[:-1]}B.</p>"))

    assert len(fits.text) == MOST_TEXT
    assert fits.text == f"{first} {second}"
    assert too_long.text == first


def test_chinese_sentences_are_joined_without_a_space() -> None:
    (found,) = outline(page("<p>第一句。</p><p>第二句。</p>"))
    assert found.text == "第一句。第二句。"


def test_a_first_sentence_that_is_too_long_ends_at_a_word() -> None:
    (latin,) = outline(page(f"<p>{'word ' * 60}</p>"))
    (han,) = outline(page(f"<p>p99 {'字' * 90}</p>"))

    assert latin.text == " ".join(["word"] * 34) + "…"  # 34 × 5 = 170 bytes, the last of them a space
    assert han.text == f"p99 {'字' * 55}…"  # (170 − 4) ÷ 3 = 55.3


def test_names_are_kept_once_and_only_where_they_are_not_said() -> None:
    (found,) = outline(
        page("<p>Of vLLM.</p><table><tr><th>vLLM</th><th>C=1</th></tr><tr><th>C=1</th><th>C=8</th></tr></table>")
    )
    assert found.names == "C=1 · C=8"


def test_names_are_kept_as_far_as_there_is_room() -> None:
    (found,) = outline(page("".join(f"<code>name-{number:02}</code>" for number in range(30))))
    # A name takes 7 bytes and 4 of what parts it from the next: 7 × 11 = 77 of 85, and 8 × 11 = 88.
    assert found.names.split(" · ") == [f"name-{number:02}" for number in range(MOST_NAMES // 11)]


def test_a_flag_or_a_key_in_a_later_sentence_can_still_be_found() -> None:
    (found,) = outline(page(f"<p>{'A' * 160}. Set --cache-ram to 0, and ttft_p99 falls.</p>"))
    assert found.names == "--cache-ram · ttft_p99"


def test_the_title_of_a_check_is_a_name_wherever_it_stands() -> None:
    (found,) = outline(page('<ul><li><p><a class="check" href="#x">Dips</a> It dips at C=32.</p></li></ul>'))
    assert (found.text, found.names) == ("It dips at C=32.", "Dips")


def test_a_line_that_tells_of_loads_is_a_place_and_its_own_heading() -> None:
    found = outline(
        page(
            '<section id="s"><h2>Which</h2><p>Between:</p><ul>'
            '<li id="gap" data-loads="1-2 2-4">From <b class="s1">a</b> on.</li><li id="rates">Rates.</li></ul>'
            '<table id="t" data-loads="1 2 4"><caption>Who</caption></table><p>End.</p></section>'
        )
    )
    assert found[1:] == [
        Place("s", "", "Which", "Between: Rates. End."),
        Place("gap", "", "From a on.", loads="1-2 2-4"),
        Place("t", "t", "Who", loads="1 2 4"),
    ]


def test_a_title_is_found_without_its_symbol_and_a_word_has_the_metric_that_it_becomes() -> None:
    found = outline(
        page(
            '<section id="floor"><h4>step floor <span class="symbol">t<sub>floor</sub></span></h4>'
            "<p>Least time.</p></section>"
            '<section id="term-floor" data-number="floor"><h4>floor</h4><p>The least.</p></section>'
        )
    )
    assert found[1:] == [
        Place("floor", "", "step floor", "Least time.", "tfloor"),
        Place("term-floor", "", "floor", "The least.", number="floor"),
    ]


def test_a_place_is_found_by_the_names_that_only_its_tables_tell_of() -> None:
    (_, found) = outline(page('<section id="s" data-names="driver · CUDA"><h2>Machine</h2><table></table></section>'))
    assert found == Place("s", "", "Machine", "", "driver · CUDA")
