"""The report as JUnit XML, as CI systems read it: a suite for each client, a testcase for each cell.

A cell that differs is a failure. One that FINDINGS.md lists, or that cannot be run here, is skipped, with the reason.
"""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fakekafka.escaping import escaped_lines

from fakekafka_compat.report.matrix_report import OUTCOMES, Report, ReportedCell

AS_REAL, DIFFERS, KNOWN, _ = OUTCOMES


def junit(report: Report) -> str:
    """The whole document."""
    root = Element("testsuites", {"name": report.title} | _counts(list(report.cells)))
    for client, label in report.clients.items():
        cells = [reported for reported in report.cells if reported.story.cell.client == client]
        suite = SubElement(root, "testsuite", {"name": f"{client} ({label})" if label else client} | _counts(cells))
        for reported in cells:
            _case(suite, reported)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _counts(cells: list[ReportedCell]) -> dict[str, str]:
    skipped = sum(reported.outcome not in (AS_REAL, DIFFERS) for reported in cells)
    failures = sum(reported.outcome == DIFFERS for reported in cells)
    return {"tests": str(len(cells)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}


def _case(suite: Element, reported: ReportedCell) -> None:
    cell, reasons = reported.story.cell, reported.story.reasons
    name = "/".join(part or "-" for part in (cell.format, cell.phase, cell.codec, cell.scenario))
    case = SubElement(suite, "testcase", classname=f"{cell.client}.{cell.release.replace('.', '_')}", name=name)
    if reported.outcome == DIFFERS:
        failure = SubElement(case, "failure", message=_xml(reasons[0].splitlines()[0] if reasons[0] else ""))
        failure.text = _xml("\n".join(reasons))
    elif reported.outcome == KNOWN:
        SubElement(case, "skipped", message=_xml(f"known: {reported.finding}"))
    elif reported.outcome != AS_REAL:
        SubElement(case, "skipped", message=_xml("; ".join(reasons)))


def _xml(text: str) -> str:
    """The text, with characters that XML 1.0 cannot hold, and those that would be invisible in it, replaced by their
    numbers.
    """
    return escaped_lines(text)
