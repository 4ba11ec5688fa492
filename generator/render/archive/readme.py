"""The README of an archive: what the round is, which files there are, what to beware of, how to build it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from generator import __version__
from generator.redaction import redact
from generator.render.archive.choosing import Candidate
from generator.render.archive.citing import Citation, licence_of
from generator.render.page import ReportView
from generator.render.wording.markdown import plain
from generator.store.files import printable
from generator.text import LANGS, Lang, Text

WORDS: Final[Mapping[str, Text]] = {
    "what": Text(
        zh="这是轮次 `{id}` 的全部：作者声明的、各次运行留下的，以及由此算出的每一个数。",
        en="This is all of the round `{id}`: what its author declared, what its runs left, and every number computed "
        "from them.",
    ),
    "when": Text(zh="日期：{date}", en="Date: {date}"),
    "licence": Text(zh="许可证：{licence}", en="Licence: {licence}"),
    "authors": Text(zh="作者：{authors}", en="Authors: {authors}"),
    "nobody": Text(zh="没有声明作者。", en="No author was declared."),
    "files": Text(zh="文件", en="Files"),
    "source": Text(
        zh="`runs/{id}/`：轮次的文件夹，全部数值由它算出。`round.toml` 是声明；`published.csv`、"
        "`published.toml` 是转录的数；`levels/` 是各次运行；`MANIFEST.json` 是数据文件的 sha256。",
        en="`runs/{id}/`: the folder of the round, from which everything is computed. `round.toml` holds what was "
        "declared, `published.csv` and `published.toml` numbers that were transcribed, `levels/` the runs, "
        "`MANIFEST.json` the sha256 of the data files.",
    ),
    "report": Text(
        zh="`data/report.json`：每个值及其单位、公式、输入与出处；`data/values.csv`：同样的值，一行一个；`data/full.csv`："
        "全部实测；`data/figures/`：各图背后的数。",
        en="`data/report.json`: every value with its unit, formula, inputs and source. `data/values.csv`: the same "
        "values, one a row. `data/full.csv`: everything measured. `data/figures/`: the numbers behind the figures.",
    ),
    "units": Text(
        zh="每个值的单位写在 `unit` 一栏；比值是小数（0.81 不是 81）。CSV 为 UTF-8，带 BOM，CRLF 换行。"
        "空着的格是未知，不是零。",
        en="The unit of each value stands in `unit`; ratios are fractions, 0.81 not 81. CSV is UTF-8 with a byte order "
        "mark and CRLF. An empty cell is unknown, not zero.",
    ),
    "struck": Text(
        zh="公开之前，怎样连到服务器、命令与变量里的密钥都从 `round.toml` 里去掉了。",
        en="How its servers are reached, and secrets in commands and variables, were struck out of `round.toml`.",
    ),
    "left": Text(zh="没有收进来的", en="Left out"),
    "one_left": Text(zh="`{name}`（{size} 字节）：{why}", en="`{name}` ({size} bytes): {why}"),
    "caveats": Text(zh="自检发现的问题", en="What the self-checks found"),
    "sound": Text(zh="没有不通过，也没有警告。", en="Nothing failed, and nothing gave a warning."),
    "rebuild": Text(zh="重新生成", en="To build it again"),
    "how": Text(
        zh="用 Rounds {version}：在它的目录里 `make site RUNS=<这里>/runs`；得到的 `report.json` "
        "与这里的逐字节相同{unless}。",
        en="With Rounds {version}, in its folder: `make site RUNS=<here>/runs`. Its `report.json` is the one here, "
        "byte for byte{unless}.",
    ),
    "unless": Text(zh="，除非上面列出的缺件里有它要读的", en=", unless it needs one of the files left out above"),
    "cite": Text(zh="引用", en="To cite it"),
}


def readme(
    views: Mapping[Lang, ReportView], files: Sequence[Candidate], url: Mapping[Lang, str], *, struck: bool
) -> str:
    """Return the README in both languages, Chinese first.

    Args:
        views: the front report in each language.
        files: all files of the round's folder.
        url: the permanent address of the report in each language, where one is known.
        struck: whether something was struck out of round.toml.
    """
    told = ("\n".join(_lines(views[lang], files, url.get(lang), struck=struck)) for lang in LANGS)
    return "\n\n---\n\n".join(told) + "\n"


def _lines(view: ReportView, files: Sequence[Candidate], url: str | None, *, struck: bool) -> Iterator[str]:
    round_, lang = view.analysis.round, view.printer.lang
    words = {name: text[lang] for name, text in WORDS.items()}
    cited = Citation(round_, lang, url)
    left = [one for one in files if one.why_not is not None]
    yield f"# {plain(cited.title)}"
    yield from ("", words["what"].format(id=round_.id), "", plain(view.description), "")
    yield from (f"- {line}" for line in _facts(cited, words))
    yield from ("", f"## {words['files']}", "")
    yield from (f"- {words[name].format(id=round_.id)}" for name in ("source", "report", "units"))
    yield from (f"- {words[name]}" for name in ("struck",) if struck)
    yield from (f"\n### {words['left']}\n", *(_left_out(one, lang) for one in left)) if left else ()
    yield from ("", f"## {words['caveats']}", "")
    yield from _caveats(view) or [words["sound"]]
    yield from ("", f"## {words['rebuild']}", "")
    yield words["how"].format(version=__version__, unless=words["unless"] if left else "")
    yield from ("", f"## {words['cite']}", "", plain(cited.words))


def _facts(cited: Citation, words: Mapping[str, str]) -> Iterator[str]:
    authors = cited.round.file.round.authors
    if cited.date:
        yield words["when"].format(date=plain(cited.date))
    yield words["authors"].format(authors=plain("; ".join(authors))) if authors else words["nobody"]
    yield words["licence"].format(licence=plain(licence_of(cited.round)[cited.lang]))


def _left_out(one: Candidate, lang: Lang) -> str:
    why = one.why_not[lang] if one.why_not is not None else ""
    return "- " + WORDS["one_left"][lang].format(name=plain(redact(printable(one.name))), size=one.size, why=why)


def _caveats(view: ReportView) -> list[str]:
    """Return a line for each check that failed or warned, the gravest first."""
    grave = view.findings.grave(view.analysis.findings)
    return [
        f"- **{view.findings.title(one.finding)}** {plain(view.printer.plain_sentence(one.finding.message))}"
        for one in grave
    ]
