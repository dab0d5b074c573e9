from pathlib import Path

import pytest
from fakekafka import Release, UsageError
from fakekafka_compat.environments import interpreter
from fakekafka_compat.scenarios import SCENARIOS
from fakekafka_compat.table import Client, cells, default_table, read_table

TABLE = read_table(default_table())


@pytest.mark.parametrize("client", TABLE.clients.values(), ids=lambda client: client.name)
def test_every_client_is_pinned_and_has_a_driver(client: Client) -> None:
    assert client.driver.is_file()
    assert any(package.endswith(f"=={client.version}") for package in client.packages)
    assert Release.parse(client.oldest)


@pytest.mark.parametrize("subset", TABLE.subsets)
def test_every_cell_of_a_subset_names_what_there_is(subset: str) -> None:
    for cell in cells(TABLE, subset, {}):
        assert cell.client in TABLE.clients
        assert cell.scenario in SCENARIOS
        assert Release.parse(cell.release)
        assert not cell.format or Release.parse(cell.format)


def test_the_smoke_subset_needs_no_download(tmp_path: Path) -> None:
    for name in {cell.client for cell in cells(TABLE, "smoke", {})}:
        assert interpreter(TABLE.clients[name], tmp_path).exists()
    assert list(tmp_path.iterdir()) == []


def test_a_cell_that_is_named_needs_no_subset() -> None:
    wanted = {"client": ["kp147"], "release": ["0.10.2"], "format": ["0.9.0"], "scenario": ["group"]}
    assert [cell.cell for cell in cells(TABLE, None, wanted)] == ["kp147/0.10.2/0.9.0/-/none/group"]


def test_a_subset_is_narrowed_by_what_is_named() -> None:
    found = cells(TABLE, "smoke", {"client": ["kp3012"], "scenario": ["transactional"]})
    assert [cell.release for cell in found] == ["2.3", "4.3"]


def test_names_that_are_none_are_told() -> None:
    with pytest.raises(UsageError, match="no subset 'x': one of smoke"):
        cells(TABLE, "x", {})
    with pytest.raises(UsageError, match="no client 'x': one of kp147"):
        cells(TABLE, None, {"client": ["x"]})


def test_a_table_that_lacks_something_is_told(tmp_path: Path) -> None:
    path = tmp_path / "cells.toml"
    path.write_text('releases = []\n[clients.x]\nlibrary = "x"\n')
    with pytest.raises(UsageError, match=r"cells.toml: KeyError 'version'"):
        read_table(path)
