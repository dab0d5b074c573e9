"""Tables of the reference: every release, and every API that a release advertises."""

from collections.abc import Iterable, Sequence

from fakekafka.handlers import SERVED
from fakekafka.ids import ApiKey
from fakekafka.releases.history import INTER_BROKER
from fakekafka.releases.profile import profile
from fakekafka.releases.release import LAST_PATCH, PROVISIONAL, Release
from fakekafka.texts.release_table import COLUMNS, release_table
from fakekafka.texts.summary import api_name


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, with the vertical bars in its cells escaped."""
    return "\n".join(_row(cells) for cells in (columns, ["---"] * len(columns), *rows)) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def releases_page() -> str:
    """What `fakekafka releases` prints, with a link to each release's own page."""
    rows = ((f"[{row.release}](releases/{row.release}.md)", *row.cells()[1:]) for row in release_table())
    return f"""# Releases

A release is named by its line, "2.3", which means the last patch release of it, or exactly, "2.3.0". Each line has a
page with its APIs, its configs, and how the double differs from it.

{table(COLUMNS, rows)}
Produce and Fetch are the versions that ApiVersions lists; before 0.10, which has no such request, those that the broker
accepts. The mode says whether ZooKeeper or KRaft keeps the metadata, the default first. The message format is the
newest that the release knows.
"""


def apis_page() -> str:
    """Every API that some release advertises, in any of its modes."""
    rows = []
    for key in ApiKey:
        lines = [line for line in LAST_PATCH if line not in PROVISIONAL and key in advertised(line)]
        if lines:
            ranges = [advertised(line)[key] for line in lines]
            versions = f"{min(low for low, _ in ranges)}-{max(high for _, high in ranges)}"
            rows.append((str(int(key)), named(key), versions, f"{lines[0]} - {lines[-1]}", served(key)))
    return f"""# APIs

Every API that a release advertises, between brokers included, and whether it is served here. An API that is advertised
but not served answers with error 35 (UNSUPPORTED_VERSION), never with an invented success.

{table(("key", "API", "versions", "releases", "here"), rows)}"""


def named(key: ApiKey) -> str:
    return api_name(key) + (" (between brokers)" if key in INTER_BROKER else "")


def served(key: ApiKey) -> str:
    return "served" if key in SERVED else "error 35"


def advertised(line: str) -> dict[ApiKey, tuple[int, int]]:
    """What the last patch release of a line advertises; the default mode comes first."""
    release = Release.parse(line)
    ranges: dict[ApiKey, tuple[int, int]] = {}
    for mode in sorted(release.modes, key=lambda mode: mode == release.default_mode):
        ranges.update(profile(release, mode).advertised)
    return ranges
