"""The report as JUnit XML, as CI systems read it: a suite for each client, a testcase for each cell.

A cell that differs is a failure. One that FINDINGS.md lists, or that cannot be run here, is skipped, with the reason.
"""

import re
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fakekafka_compat.report.matrix_report import OUTCOMES, Report, Told

AS_REAL, DIFFERS, KNOWN, _ = OUTCOMES
_NOT_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(report: Report) -> str:
    """The whole document."""
    root = Element("testsuites", {"name": report.title} | _counts(list(report.cells)))
    for client, label in report.clients.items():
        cells = [told for told in report.cells if told.story.cell.client == client]
        suite = SubElement(root, "testsuite", {"name": f"{client} ({label})" if label else client} | _counts(cells))
        for told in cells:
            _case(suite, told)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _counts(cells: list[Told]) -> dict[str, str]:
    skipped = sum(told.outcome not in (AS_REAL, DIFFERS) for told in cells)
    failures = sum(told.outcome == DIFFERS for told in cells)
    return {"tests": str(len(cells)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}


def _case(suite: Element, told: Told) -> None:
    cell, reasons = told.story.cell, told.story.reasons
    name = "/".join(part or "-" for part in (cell.format, cell.phase, cell.codec, cell.scenario))
    case = SubElement(suite, "testcase", classname=f"{cell.client}.{cell.release.replace('.', '_')}", name=name)
    if told.outcome == DIFFERS:
        failure = SubElement(case, "failure", message=_xml(reasons[0].splitlines()[0] if reasons[0] else ""))
        failure.text = _xml("\n".join(reasons))
    elif told.outcome == KNOWN:
        SubElement(case, "skipped", message=_xml(f"known: {told.finding}"))
    elif told.outcome != AS_REAL:
        SubElement(case, "skipped", message=_xml("; ".join(reasons)))


def _xml(text: str) -> str:
    """The text without characters that XML 1.0 cannot hold."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
