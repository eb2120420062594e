"""Results as JUnit XML: one test case a scenario. Unknown verdicts are errors, lest they be taken for passes."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from reports.pages.summary import ResultRow

_FORBIDDEN = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(rows: Sequence[ResultRow]) -> str:
    """A document with one suite. The last line of every failure is the command that replays it."""
    failed = sum(row.code == 1 for row in rows)
    errors = sum(row.code not in (0, 1) for row in rows)
    suite = ElementTree.Element(
        "testsuite", name="lakeproof", tests=str(len(rows)), failures=str(failed), errors=str(errors),
        time=f"{sum(row.seconds for row in rows):.3f}",
    )  # fmt: skip
    for row in rows:
        case = ElementTree.SubElement(
            suite, "testcase", classname="lakeproof", name=row.scenario, time=f"{row.seconds:.3f}"
        )
        if row.code:
            problem = ElementTree.SubElement(
                case, "failure" if row.code == 1 else "error", message=_clean(f"{row.standing}: {row.headline}")
            )
            problem.text = _clean(f"{row.explanation.rstrip()}\n{row.command}")
        ElementTree.SubElement(case, "system-out").text = _clean(row.headline)
    ElementTree.indent(suite)
    return "<?xml version='1.0' encoding='utf-8'?>\n" + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _clean(text: str) -> str:
    """Without the characters that XML 1.0 cannot hold."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
