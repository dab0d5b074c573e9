import re
from pathlib import Path

import pytest
from fakekafka import Release, UsageError
from fakekafka_compat.environments import command
from fakekafka_compat.runnable import not_runnable
from fakekafka_compat.scenarios import scenario_of
from fakekafka_compat.table import Client, cells, default_table, read_table

TABLE = read_table(default_table())


@pytest.mark.parametrize("client", TABLE.clients.values(), ids=lambda client: client.name)
def test_every_client_is_pinned_and_has_a_driver(client: Client) -> None:
    assert client.driver.is_file()
    assert any(package.endswith(client.version) for package in client.packages)
    assert Release.parse(client.oldest)


@pytest.mark.parametrize("subset", TABLE.subsets)
def test_every_cell_of_a_subset_has_only_known_names(subset: str) -> None:
    for cell in cells(TABLE, subset, {}):
        assert cell.client in TABLE.clients
        assert scenario_of(cell.scenario)
        assert Release.parse(cell.release)
        assert not cell.format or Release.parse(cell.format)


def test_the_smoke_subset_needs_no_download(tmp_path: Path) -> None:
    for name in {cell.client for cell in cells(TABLE, "smoke", {})}:
        assert Path(command(TABLE.clients[name], tmp_path)[0]).exists()
    assert list(tmp_path.iterdir()) == []


def test_a_cell_that_is_named_needs_no_subset() -> None:
    wanted = {"client": ["kp147"], "release": ["0.10.2"], "format": ["0.9.0"], "scenario": ["group"]}
    assert [cell.cell for cell in cells(TABLE, None, wanted)] == ["kp147/0.10.2/0.9.0/-/none/group"]


def test_a_subset_is_narrowed_by_what_is_named() -> None:
    found = cells(TABLE, "smoke", {"client": ["kp3012"], "scenario": ["oversize"]})
    assert [cell.release for cell in found] == ["2.3", "0.9.0"]


def test_the_smoke_subset_has_each_scenario() -> None:
    names = (re.sub(" (at|with) .*", "", cell.scenario) for cell in cells(TABLE, "smoke", {}))
    found = set(names)
    plain = {scenario for scenario in TABLE.everything["scenario"] if not scenario.endswith("*")}
    assert found == {*plain, "written by aio0140", "SASL_SSL", "capped", "Produce capped", "Fetch capped"}


def test_all_cells_of_the_smoke_subset_can_be_run() -> None:
    for cell in cells(TABLE, "smoke", {}):
        assert not_runnable(TABLE.clients[cell.client], cell, TABLE.clients) is None


def test_a_star_stands_for_every_other_client_and_every_version() -> None:
    wanted = {"client": ["kp147"], "release": ["2.3"]}
    writers = cells(TABLE, None, {**wanted, "scenario": ["written by *"]})
    assert {cell.scenario for cell in writers} == {f"written by {name}" for name in TABLE.clients if name != "kp147"}
    assert len(cells(TABLE, None, {**wanted, "scenario": ["Fetch capped at *"]})) == 19


def test_an_upgrade_has_a_path_that_begins_with_its_release() -> None:
    found = cells(TABLE, None, {"client": ["ck2161"], "phase": ["0.10.2 -> 2.3"]})
    assert [(cell.release, cell.scenario) for cell in found] == [("0.10.2", "upgrade"), ("0.10.2", "rolling upgrade")]
    with pytest.raises(UsageError, match="no cells: an upgrade has a way"):
        cells(TABLE, None, {"client": ["ck2161"], "scenario": ["upgrade"]})


def test_a_phase_has_its_release() -> None:
    phase = "0.10.2 -> 2.3: new code, old format"
    found = cells(TABLE, None, {"client": ["ck2161"], "phase": [phase], "scenario": ["group", "upgrade"]})
    assert [(cell.release, cell.scenario) for cell in found] == [("2.3", "group")]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="no subset 'x': one of smoke"):
        cells(TABLE, "x", {})
    with pytest.raises(UsageError, match="no client 'x': one of kp147"):
        cells(TABLE, None, {"client": ["x"]})


def test_an_incomplete_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cells.toml"
    path.write_text('releases = []\n[clients.x]\nlibrary = "x"\n', "utf-8")
    with pytest.raises(UsageError, match=r"cells.toml: KeyError 'version'"):
        read_table(path)
