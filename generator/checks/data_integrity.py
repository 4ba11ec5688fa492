"""Are the data those that the manifest sealed?"""

from __future__ import annotations

from collections.abc import Sequence

from generator.frame import Analysis
from generator.kinds import check
from generator.text import Text, same
from generator.themes import RECORDS
from generator.told.findings import Finding
from generator.told.sentence import Listing, say


@check(
    theme=RECORDS,
    title=Text(zh="数据与清单一致", en="Data match their manifest"),
    question=Text(
        zh="数据文件的 sha256 是否与 MANIFEST.json 一致？",
        en="Do the files still have the sha256 of MANIFEST.json?",
    ),
    rule=Text(
        zh="MANIFEST.json 里每个文件的 sha256 都要对得上：有一个对不上就不通过；没有清单只提示。",
        en="Every file has to have the sha256 of MANIFEST.json: a single one that has not fails; a round without a manifest gets a note.",
    ),
)
def data_integrity(analysis: Analysis) -> Sequence[Finding]:
    """Compare what was found on reading with the manifest."""
    integrity = analysis.round.integrity
    if integrity.status == "absent":
        return [_unsealed()]
    return [_intact() if integrity.status == "intact" else _changed(integrity.changed)]


def _unsealed() -> Finding:
    return Finding(
        check="data_integrity",
        status="note",
        message=say(
            zh="这一轮没有 MANIFEST.json：数据若被改动，这里看不出来。",
            en="This round has no MANIFEST.json: a change to its data would go unnoticed here.",
        ),
        remedy=say(
            zh="确认数据无误后，运行 rounds seal 封存。",
            en="Once the data are known to be right, seal them with rounds seal.",
        ),
    )


def _intact() -> Finding:
    return Finding(
        check="data_integrity",
        status="pass",
        message=say(zh="数据文件与 MANIFEST.json 逐一相符。", en="Every data file matches MANIFEST.json."),
    )


def _changed(files: tuple[str, ...]) -> Finding:
    return Finding(
        check="data_integrity",
        status="fail",
        message=say(
            zh="与 MANIFEST.json 不符的文件：{files}。",
            en="No longer as MANIFEST.json has it: {files}.",
            files=Listing(tuple(same(name) for name in files)),
        ),
        remedy=say(
            zh="恢复原来的文件；若改动是有意的，运行 rounds seal 重新封存。",
            en="Restore what was sealed; if the change is meant, seal the round again with rounds seal.",
        ),
    )
