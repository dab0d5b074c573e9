"""The table of releases."""

from fakekafka.ids import ApiKey
from fakekafka.releases.profile import profile
from fakekafka.releases.release import LAST_PATCH, NEWEST, Release
from fakekafka.texts.release_table import COLUMNS, release_table

ROWS = {row.release: row for row in release_table()}


def test_every_line_has_its_row_in_order() -> None:
    assert list(ROWS) == list(LAST_PATCH)


def test_a_row_names_every_patch_release() -> None:
    assert ROWS["0.8.0"].patches == ["0.8.0"]
    assert ROWS["0.10.2"].patches == ["0.10.2.0", "0.10.2.1", "0.10.2.2"]


def test_the_default_mode_comes_first() -> None:
    assert [ROWS[line].modes for line in ("2.7", "2.8", "3.3", "4.0")] == [
        ["zk"],
        ["zk", "kraft"],
        ["kraft", "zk"],
        ["kraft"],
    ]


def test_versions_are_those_that_the_release_advertises() -> None:
    for line, row in ROWS.items():
        advertised = profile(Release.parse(line)).advertised
        assert (row.produce, row.fetch) == (advertised[ApiKey.PRODUCE], advertised[ApiKey.FETCH])


def test_the_message_format_follows_kip_32_and_kip_98() -> None:
    newest = {line: row.message_format for line, row in ROWS.items()}
    assert [line for line, magic in newest.items() if magic == 0] == ["0.8.0", "0.8.1", "0.8.2", "0.9.0"]
    assert [line for line, magic in newest.items() if magic == 1] == ["0.10.0", "0.10.1", "0.10.2"]
    assert {newest[line] for line in list(LAST_PATCH)[7:]} == {2}


def test_notes_name_the_default_and_what_a_user_must_know() -> None:
    assert [line for line, row in ROWS.items() if "the default" in row.notes] == [NEWEST]
    assert [line for line, row in ROWS.items() if "no ApiVersions" in str(row.notes)] == list(LAST_PATCH)[:4]
    assert [line for line, row in ROWS.items() if "not released" in str(row.notes)] == ["4.4"]


def test_cells_stand_under_their_columns() -> None:
    assert dict(zip(COLUMNS, ROWS["2.8"].cells())) == {
        "release": "2.8",
        "patches": "2.8.0 - 2.8.2",
        "mode": "zk, kraft",
        "Produce": "0-9",
        "Fetch": "0-12",
        "message format": "v2",
        "notes": "",
    }
    assert ROWS["0.8.0"].cells()[1] == "0.8.0"
