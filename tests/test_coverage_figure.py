"""The line at the end of a run with coverage."""

from tests.coverage_figure import FileReport, Report, Totals, figure


def summary(lines: int, branches: int, percent: str = "50.0") -> Totals:
    return {"percent_covered_display": percent, "missing_lines": lines, "missing_branches": branches}


def report(**files: tuple[int, int]) -> Report:
    rows: dict[str, FileReport] = {
        f"/venv/fakekafka/log/{name}.py": {"summary": summary(*missing)} for name, missing in files.items()
    }
    return {"totals": summary(0, 0, "97.3"), "files": rows}


def test_the_figure_comes_with_the_largest_holes_first() -> None:
    line = figure(report(whole=(0, 0), small=(1, 0), large=(3, 4)))
    assert line == (
        "Branch coverage of the emulator: 97.3 %. Not reached, lines and branches: log/large.py (7), log/small.py (1)"
    )


def test_no_more_than_five_files_are_named() -> None:
    line = figure(report(**{f"f{n}": (n, 0) for n in range(1, 8)}))
    assert line.count(".py") == 5
    assert "f2.py" not in line


def test_full_coverage_names_no_file() -> None:
    assert figure(report(whole=(0, 0))) == "Branch coverage of the emulator: 97.3 %"
