"""What is declared is tested, told in both languages, and told apart from its likes."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, TypeGuard

import pytest

import generator.metrics
from generator.catalogue import load
from generator.kinds import Derivation, Metric
from generator.registry import discover_metrics
from generator.text import LANGS, Text
from tests.support.written import PACKAGE, phrases, spelled

TESTS: Final = Path(__file__).parent
HAN: Final = re.compile(r"[\u3400-\u9fff]")
PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
LETTER: Final = re.compile(r"[^\W\d_]")
TYPED_NUMBER: Final = re.compile(r"(?<![A-Za-z0-9_])\d[\d.]*(?![A-Za-z])")
"""A number that is no part of a name, such as p99 or sha256."""
CATALOGUE: Final = load()
DECLARED: Final = discover_metrics(generator.metrics)
OWN_TESTS: Final = [
    *(("checks", key) for key in CATALOGUE.checks),
    *(("figures", key) for key in CATALOGUE.figures),
    *(("reports", report.key) for report in CATALOGUE.reports),
    *(("sections", key) for key in CATALOGUE.sections),
]
NOT_TRANSLATIONS: Final = {
    Text(zh="zh-CN", en="en"): "the tag of each language",
    Text(zh="English", en="中文"): "the name of the other language",
    Text(zh="", en=""): "nothing to say",
    Text(zh="", en=" "): "what parts two sentences",
}
"""Pairs that are meant to differ as no translation does."""


# Every declaration has a test of its own


@cache
def asserting_tests(path: Path) -> frozenset[str]:
    """Return the names of the tests of a file that assert something."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return frozenset(node.name for node in functions if node.name.startswith("test_") and asserts(node))


def asserts(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(node, ast.Assert) or (isinstance(node, ast.Attribute) and node.attr == "raises")
        for node in ast.walk(function)
    )


@cache
def family_tests(family: str) -> dict[str, Callable[..., object]]:
    """Return the asserting tests of a family of metrics, by name."""
    module = importlib.import_module(f"tests.metrics.test_{family}")
    names = asserting_tests(TESTS / "metrics" / f"test_{family}.py")
    return {name: test for name, test in vars(module).items() if name in names}


def families() -> Iterator[tuple[str, list[Metric]]]:
    for module in pkgutil.iter_modules(generator.metrics.__path__):
        declared = vars(importlib.import_module(f"generator.metrics.{module.name}")).values()
        listed = [thing if isinstance(thing, tuple) else (thing,) for thing in declared]
        yield module.name, [one for things in listed for one in things if isinstance(one, Metric)]


def called(metric: Metric, way: Derivation) -> str:
    """Return the name of a function; one that was made for each of several metrics has theirs."""
    made = "<locals>" in way.compute.__qualname__
    of_metric = f"{metric.key}__{metric.basis}" if metric.basis else metric.key
    return of_metric if made else way.compute.__name__


WAYS: Final = [
    (family, called(metric, way)) for family, metrics in families() for metric in metrics for way in metric.derivations
]
READ: Final = [(family, metric.key) for family, metrics in families() for metric in metrics if metric.places]


def named_after(way: str, siblings: Iterable[str], tests: Iterable[str]) -> list[str]:
    """Return the tests whose name begins with that of a function, and with no longer one."""
    longer = tuple(f"test_{other}" for other in siblings if other != way and other.startswith(way))
    return [name for name in tests if name.startswith(f"test_{way}") and not name.startswith(longer)]


def words(test: Callable[..., object]) -> set[str]:
    """Return the strings that a test holds, and those that it is parametrised with."""
    marks: list[pytest.Mark] = getattr(test, "pytestmark", [])
    parameters = [parameter for mark in marks if mark.name == "parametrize" for parameter in mark.args[1]]
    rows = [parameter if isinstance(parameter, tuple) else (parameter,) for parameter in parameters]
    return {cell for row in (*rows, test.__code__.co_consts) for cell in row if isinstance(cell, str)}


def listed_ids(mark: pytest.Mark) -> Iterable[str]:
    """Return the ids that a mark spells out; those of a function are not known before it is called."""
    ids: object = mark.kwargs.get("ids")
    return [str(one) for one in ids] if isinstance(ids, (list, tuple)) else []


@pytest.mark.parametrize(("family", "way"), WAYS)
def test_every_way_to_compute_a_metric_has_a_test(family: str, way: str) -> None:
    named = named_after(way, [other for of, other in WAYS if of == family], family_tests(family))
    ids = {
        id_
        for test in family_tests(family).values()
        for mark in getattr(test, "pytestmark", [])
        for id_ in listed_ids(mark)
    }
    assert named or way in ids, (
        f"write a test in tests/metrics/test_{family}.py, named test_{way}…, that calls {way} with numbers worked out "
        f"by hand, or list {way!r} in the ids of a parametrised one"
    )


@pytest.mark.parametrize(("family", "key"), READ)
def test_every_metric_that_is_read_has_a_test(family: str, key: str) -> None:
    reading = [test for name, test in family_tests(family).items() if name.startswith("test_observed")]

    assert any(key in words(test) for test in reading), (
        f"write a test in tests/metrics/test_{family}.py, named test_observed…, that reads {key!r} from where it is "
        "written down, in the unit of that place (see read_typed in tests/support/memory_round.py)"
    )


@pytest.mark.parametrize(("package", "key"), OWN_TESTS)
def test_every_check_figure_and_section_has_a_test(package: str, key: str) -> None:
    path = TESTS / package / f"test_{key}.py"

    assert path.exists(), f"generator/{package}/{key}.py has no tests: write tests/{package}/test_{key}.py"
    assert asserting_tests(path), f"no test of tests/{package}/test_{key}.py asserts anything: write one that does"


# Both languages


def is_translated(text: Text) -> bool:
    """Say whether each language speaks for itself: terms of art may differ in a capital or a plural."""
    if not (text.zh.strip() and text.en.strip()) or HAN.search(text.en):
        return False
    is_term = text.en.casefold() in (text.zh.casefold(), f"{text.zh}s".casefold())
    return is_term or bool(HAN.search(text.zh)) or not LETTER.search(PLACEHOLDER.sub("", text.zh))


@pytest.mark.parametrize(
    ("zh", "en", "translated"),
    [
        ("中文", "English", True),
        ("TTFT p50", "TTFT p50", True),
        ("prompt cache", "Prompt cache", True),
        ("seed", "seeds", True),
        ("{a}：{b}", "{a}: {b}", True),
        ("{a} and {b}", "{b} of {a}", False),
        ("中文", "中文", False),
        ("English", "other English", False),
        ("", "English", False),
        ("中文", " ", False),
    ],
)
def test_translations_are_told_from_what_is_missing(zh: str, en: str, translated: bool) -> None:
    assert is_translated(Text(zh=zh, en=en)) is translated


@pytest.mark.parametrize("metric", DECLARED, ids=lambda metric: f"{metric.key}-{metric.basis}")
def test_metrics_speak_both_languages(metric: Metric) -> None:
    told = {"title": metric.title, "meaning": metric.meaning, "why": metric.why}
    lacking = [name for name, text in told.items() if text is not None and not is_translated(text)]

    assert lacking == [], f"give {metric.key} its {lacking} in Chinese and in English, where it is declared"


@pytest.mark.parametrize("key", CATALOGUE.checks)
def test_checks_speak_both_languages(key: str) -> None:
    told = {"title": CATALOGUE.checks[key].title, "question": CATALOGUE.checks[key].question}
    lacking = [name for name, text in told.items() if not is_translated(text)]

    assert lacking == [], f"give the check its {lacking} in Chinese and in English, in generator/checks/{key}.py"


@pytest.mark.parametrize("key", CATALOGUE.checks)
def test_every_check_says_by_which_rule_it_decides(key: str) -> None:
    rule = CATALOGUE.checks[key].rule

    assert rule is not None, f"say in `rule` of generator/checks/{key}.py, in a sentence or two, what it decides by"
    assert is_translated(rule), f"give the rule in Chinese and in English, in generator/checks/{key}.py"
    assert not PLACEHOLDER.search(rule.zh + rule.en), f"fill the placeholders of the rule with .format: {rule}"


def rule_as_typed(path: Path) -> str:
    """Return the rule of a check as its source file spells it, in both languages, before thresholds are filled in."""
    declared = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.keyword))
    texts = (word.value for rule in declared if rule.arg == "rule" for word in ast.walk(rule) if is_language(word))
    return " ".join(spelled(text) or "" for text in texts)


def is_language(node: ast.AST) -> TypeGuard[ast.keyword]:
    return isinstance(node, ast.keyword) and node.arg in LANGS


@pytest.mark.parametrize("key", CATALOGUE.checks)
def test_a_rule_types_no_threshold(key: str) -> None:
    typed = TYPED_NUMBER.findall(rule_as_typed(PACKAGE / "checks" / f"{key}.py"))

    assert typed == [], f"fill {typed} into the rule of generator/checks/{key}.py from the constants it compares with"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_phrases_speak_both_languages(path: Path) -> None:
    written = [(line, text) for line, text in phrases(path) if text not in NOT_TRANSLATIONS]

    lacking = [(line, text) for line, text in written if not is_translated(text)]

    assert lacking == [], f"say these in Chinese (zh) and in English (en), at the lines of {path.name} that are named"


# Told apart


def test_symbols_stand_for_one_metric_of_a_scope() -> None:
    meant: dict[tuple[str, str], set[str]] = {}
    for metric in DECLARED:
        meant.setdefault((metric.scope, metric.symbol), set()).add(metric.key)

    shared = {symbol: keys for symbol, keys in meant.items() if len(keys) > 1}

    assert shared == {}, "give each of these metrics a symbol of its own"


def test_a_symbol_stands_for_one_quantity_in_a_formula() -> None:
    graph = load().graph
    found = {}
    for key, steps in graph.steps.items():
        for step in steps:
            shown = {
                graph.metrics[one].key: graph.metrics[one].symbol for one in (key, *(port.key for port in step.ports))
            }
            if len(set(shown.values())) < len(shown):
                found[step.derivation.formula] = shown

    assert found == {}, "two quantities of one formula share a symbol"


def test_titles_stand_for_one_metric() -> None:
    for lang in LANGS:
        titles = [metric.title[lang] for metric in DECLARED]
        shared = {title for title in titles if titles.count(title) > 1}
        assert shared == set(), f"several metrics have one title ({lang}): readers could not tell them apart"


@pytest.mark.parametrize(
    "metric", [m for m in DECLARED if m.basis is not None], ids=lambda metric: f"{metric.key}-{metric.basis}"
)
def test_a_second_definition_says_why_there_are_two(metric: Metric) -> None:
    assert metric.why is not None, f"say in `why` of {metric.key} what the definition {metric.basis!r} is for"


@pytest.mark.parametrize("metric", DECLARED, ids=lambda metric: f"{metric.key}-{metric.basis}")
def test_a_metric_is_read_or_computed(metric: Metric) -> None:
    assert metric.places or metric.derivations, (
        f"{metric.key} has no value: give it places where it is written down, or a formula with its function"
    )
