"""The tables of the README that follow from the package: `python -m tests.readme_tables` rewrites them.

Each stands between a line `<!-- name: ... -->` and the next `<!-- end -->`. `test_readme` fails while they are old.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from fakekafka.handlers import SERVED
from fakekafka.ids import ApiKey
from fakekafka.releases.history import INTER_BROKER
from fakekafka.releases.profile import profile
from fakekafka.releases.release import LAST_PATCH, PROVISIONAL, Release
from fakekafka.texts.release_table import COLUMNS, release_table
from fakekafka.texts.summary import api_name

README: Final = Path(__file__).parent.parent / "README.md"
END: Final = "<!-- end -->"


def updated(text: str) -> str:
    """The README with its tables as they should be."""
    for name, lines in TABLES.items():
        before, start, rest = text.partition(f"<!-- {name}: made by `python -m tests.readme_tables` -->\n")
        _, end, after = rest.partition(END)
        assert start, f"no place for the table {name!r}"
        assert end, f"the table {name!r} has no end"
        text = before + start + "\n" + "\n".join(lines) + "\n\n" + end + after
    return text


def releases() -> list[str]:
    """What `fakekafka releases` prints."""
    return _table(COLUMNS, (row.cells() for row in release_table()))


def apis() -> list[str]:
    """Every API that some release advertises, in any of its modes."""
    rows = []
    for key in ApiKey:
        lines = [line for line in LAST_PATCH if line not in PROVISIONAL and key in _advertised(line)]
        if lines:
            ranges = [_advertised(line)[key] for line in lines]
            versions = f"{min(low for low, _ in ranges)}-{max(high for _, high in ranges)}"
            here = "served" if key in SERVED else "error 35"
            name = api_name(key) + (" (between brokers)" if key in INTER_BROKER else "")
            rows.append((str(int(key)), name, versions, f"{lines[0]} - {lines[-1]}", here))
    return _table(("key", "API", "versions", "releases", "here"), rows)


def _advertised(line: str) -> dict[ApiKey, tuple[int, int]]:
    """What the last patch release of a line advertises; the default mode goes before the other."""
    release = Release.parse(line)
    found: dict[ApiKey, tuple[int, int]] = {}
    for mode in sorted(release.modes, key=lambda mode: mode == release.default_mode):
        found.update(profile(release, mode).advertised)
    return found


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [_row(columns), _row(["---"] * len(columns)), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


TABLES: Final[Mapping[str, list[str]]] = {"releases": releases(), "apis": apis()}


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
