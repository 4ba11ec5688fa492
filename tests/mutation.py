"""Do the tests bite? Every metric is made wrong in one way at a time, and a test must notice.

Run by hand: ``python tests/mutation.py [FAMILY…]``. No file is written: a mutated family is what Python imports
in one process, which runs the tests of that family and those that hold formulas and functions together.
"""

from __future__ import annotations

import ast
import copy
import importlib
import io
import multiprocessing
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Final

import click
import pytest

ROOT: Final = Path(__file__).parents[1]
METRICS: Final = ROOT / "generator" / "metrics"
SHARED_TESTS: Final = "tests/analysis/test_derivations.py"

Edit = Callable[[ast.AST], None]

SWAPPED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}
NEGATED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
SHIFTED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
IN_FORMULAS: Final = {"+": "−", "−": "+", "×": "÷", "÷": "×", "first(": "last(", "last(": "first("}
TOKENS: Final = re.compile(r"first\(|last\(|[+−×÷]|(?<![\w.])\d+(?![\w.])")

ALL_ALIKE: Final = "all contexts are alike, else the answer is unknown"
NOUGHT_ENDS: Final = "signs are −1, 0 and 1, and a second sign of 0 ends the bracket by itself"
CROSSINGS: Final = "crossings: return [(left, left + 1) for left, (a, b) in enumerate(pairwise(signs)) if a != 0 and "
EQUIVALENT: Final = {
    ("batching", "marginal_floor: if (mean_context != mean_context[-1]).any():"): ALL_ALIKE,
    (
        "batching",
        "marginal_floor: return float(mean_context[-1] * kv_bytes_per_token / memory_bandwidth)",
    ): ALL_ALIKE,
    ("batching", "marginal_floor: 'last(mean_context) × kv_bytes_per_token ÷ memory_bandwidth'"): ALL_ALIKE,
    (
        "crossover",
        "crossings: signs = [math.copysign(2, math.log(r)) if r != 1 else 0.0 for r in ratios]",
    ): "only the sign of a sign counts",
    ("crossover", CROSSINGS + "(a * b <= 0 or b == 0)]"): NOUGHT_ENDS,
    ("crossover", CROSSINGS + "(a * b < 1 or b == 0)]"): NOUGHT_ENDS,
}
"""(family, mutant) -> why no input can tell it from the original."""


@dataclass(frozen=True)
class Mutant:
    """One family of metrics with one thing wrong."""

    family: str
    what: str
    source: str

    @property
    def module(self) -> str:
        """Return the module that it stands in for."""
        return f"generator.metrics.{self.family}"


# Making mutants


def mutants_of(family: str) -> Iterator[Mutant]:
    """Yield every mutant of a family, one change each."""
    tree = ast.parse((METRICS / f"{family}.py").read_text(encoding="utf-8"))
    computed, formulas = nodes_computed(tree), nodes_of_formulas(tree)
    for place, node in enumerate(ast.walk(tree)):
        changes = edits(node) if node in computed else formula_edits(node) if node in formulas else []
        for edit in changes:
            mutated = copy.deepcopy(tree)
            target = list(ast.walk(mutated))[place]
            edit(target)
            shown = ast.unparse(target) if node in formulas else changed_line(tree, mutated)
            yield Mutant(family, f"{where(tree, node)}: {shown}", ast.unparse(mutated))


def changed_line(tree: ast.Module, mutated: ast.Module) -> str:
    before, after = ast.unparse(tree).splitlines(), ast.unparse(mutated).splitlines()
    return next(new.strip() for old, new in zip(before, after, strict=True) if old != new)


def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def where(tree: ast.Module, node: ast.AST) -> str:
    """Name the function that a node belongs to, with its decorators."""
    return next((f.name for f in functions(tree) if any(node is inner for inner in ast.walk(f))), "FORMULA")


def nodes_computed(tree: ast.Module) -> set[ast.AST]:
    """Return the nodes that make up what the functions do."""
    return {inner for f in functions(tree) for statement in f.body for inner in ast.walk(statement)}


def nodes_of_formulas(tree: ast.Module) -> set[ast.AST]:
    decorators = [call for f in functions(tree) for call in f.decorator_list if isinstance(call, ast.Call)]
    shared = [
        statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "FORMULA"
    ]
    return {*(call.args[0] for call in decorators if call.args), *shared}


def formula_edits(node: ast.AST) -> list[Edit]:
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return []
    return [setting("value", wrong) for wrong in wrong_formulas(node.value)]


def edits(node: ast.AST) -> list[Edit]:
    """Return the ways to make one node of a function wrong."""
    match node:
        case ast.BinOp(op=sign) if type(sign) in SWAPPED:
            swapped = setting("op", SWAPPED[type(sign)]())
            return [swapped, swap_sides] if isinstance(sign, ast.Sub | ast.Div) else [swapped]
        case ast.Compare(ops=[sign]):
            return [setting("ops", [table[type(sign)]()]) for table in (NEGATED, SHIFTED) if type(sign) in table]
        case ast.BoolOp(op=sign):
            return [setting("op", ast.Or() if isinstance(sign, ast.And) else ast.And())]
        case ast.Subscript(slice=index) if ast.unparse(index) in ("0", "-1"):
            return [setting("slice", ast.Constant(-1 if ast.unparse(index) == "0" else 0))]
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return [setting("value", number + 1)]
    return []


def setting(attribute: str, value: object) -> Edit:
    return lambda node: setattr(node, attribute, value)


def swap_sides(node: ast.AST) -> None:
    assert isinstance(node, ast.BinOp)
    node.left, node.right = node.right, node.left


def wrong_formulas(formula: str) -> Iterator[str]:
    for found in TOKENS.finditer(formula):
        token = found.group()
        wrong = IN_FORMULAS.get(token) or str(int(token) + 1)
        yield formula[: found.start()] + wrong + formula[found.end() :]


# Trying them


class Impostor(MetaPathFinder):
    """Gives Python a mutant where it looks for the family."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the mutant's module; nothing for every other."""
        if fullname != self.mutant.module:
            return None
        return spec_from_loader(fullname, MutantLoader(self.mutant))


class MutantLoader(SourceFileLoader):
    """Loads the source of a mutant as though it stood in the family's file."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(METRICS / f"{mutant.family}.py"))
        self.source = mutant.source.encode()

    def get_code(self, fullname: str) -> object:  # type: ignore[override]
        """Return the compiled mutant; no cache of the original is asked."""
        return compile(self.source, self.path, "exec", dont_inherit=True)


def survives(mutant: Mutant) -> bool:
    """Run the tests over a mutant, in this process, which must not have imported the family."""
    assert mutant.module not in sys.modules
    sys.meta_path.insert(0, Impostor(mutant))
    quiet = ["-x", "-q", "-p", "no:cacheprovider", "--no-header"]
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        outcome = pytest.main([*quiet, f"tests/metrics/test_{mutant.family}.py", SHARED_TESTS])
    return outcome == pytest.ExitCode.OK


def tried(mutant: Mutant) -> tuple[Mutant, bool]:
    return mutant, survives(mutant)


def prepare() -> None:
    """Leave no trace in the tree, find the package that lies in it, and load what every mutant needs."""
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    sys.dont_write_bytecode = True
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = tempfile.mkdtemp(prefix="mutation-")
    for heavy in ("generator.analysis.stages", "generator.store.reading"):
        importlib.import_module(heavy)


def main(chosen: Sequence[str]) -> int:
    """Try every mutant of some families, all by default; return 1 where one survives."""
    prepare()
    families = chosen or sorted(path.stem for path in METRICS.glob("[a-z]*.py"))
    mutants = [mutant for family in families for mutant in mutants_of(family)]
    with multiprocessing.get_context("fork").Pool(maxtasksperchild=1) as pool:
        sound = [mutant.family for mutant, lives in pool.imap(tried, map(unharmed, families)) if lives]
        survivors = [mutant for mutant, lives in pool.imap_unordered(tried, mutants) if lives]
    unexcused = [mutant for mutant in survivors if (mutant.family, mutant.what) not in EQUIVALENT]
    for family in sorted(set(families) - set(sound)):
        click.echo(f"{family}.py fails its tests as it is: its mutants say nothing")
    for mutant in unexcused:
        click.echo(f"survives: {mutant.family}.py {mutant.what}")
    killed, equivalent = len(mutants) - len(survivors), len(survivors) - len(unexcused)
    click.echo(f"{len(mutants)} mutants: {killed} noticed, {equivalent} equivalent, {len(unexcused)} survive")
    return 1 if unexcused or len(sound) < len(families) else 0


def unharmed(family: str) -> Mutant:
    """Return a family with nothing wrong, taken through the same steps: its tests must pass."""
    tree = ast.parse((METRICS / f"{family}.py").read_text(encoding="utf-8"))
    return Mutant(family, "nothing", ast.unparse(tree))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
