"""Are the data those that the manifest sealed?"""

from __future__ import annotations

from collections.abc import Sequence

from generator.findings import Finding
from generator.frame import Analysis
from generator.kinds import check
from generator.sentence import Listing, say
from generator.text import Text, same


@check(
    title=Text(zh="数据与清单一致", en="Data match their manifest"),
    question=Text(
        zh="数据文件的 sha256 是否与 MANIFEST.json 一致？",
        en="Do the files still have the sha256 of MANIFEST.json?",
    ),
)
def data_integrity(analysis: Analysis) -> Sequence[Finding]:
    """Compare what was found on reading with the manifest."""
    integrity = analysis.round.integrity
    if integrity.status == "absent":
        return [_unsealed()]
    return [_changed(integrity.changed) if integrity.changed else _intact()]


def _unsealed() -> Finding:
    return Finding(
        check="data_integrity",
        status="note",
        message=say(
            zh="这一轮没有 MANIFEST.json：数据是手写的，只有版本库记得它们的历史。",
            en="This round has no MANIFEST.json: its data are written by hand, and only version control remembers "
            "their past.",
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
            zh="这些文件与 MANIFEST.json 不符：{files}。",
            en="These files do not match MANIFEST.json: {files}.",
            files=Listing(tuple(same(name) for name in files)),
        ),
        remedy=say(
            zh="恢复原来的文件；如果改动是有意的，运行 rounds seal 重新封存。",
            en="Restore the files; where the change is meant, seal the round again with rounds seal.",
        ),
    )
