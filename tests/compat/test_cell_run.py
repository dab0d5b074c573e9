"""A cell finds what is wrong with a broker: here one with a defect on purpose."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fakekafka import BrokerWillNotStart, FakeKafka
from fakekafka_compat import grounds
from fakekafka_compat.cell_run import run_cell
from fakekafka_compat.table import default_table, read_table
from fakekafka_compat.verdict import Verdict, verdict
from fakekafka_spark.observations import Cell

CLIENTS = read_table(default_table()).clients


def outcome(release: str, scenario: str, folder: Path) -> Verdict:
    cell = Cell.of("kp3012", release, "", "", "none", scenario)
    return verdict(cell, run_cell(cell, CLIENTS, folder))


def test_a_broker_that_cannot_convert_headers_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grounds, "FakeKafka", partial(FakeKafka, quirks="KAFKA-6739"))
    found = outcome("2.3", "Fetch capped at 3", tmp_path)
    assert found.outcome == "differs"
    assert "conversions: '', not 'Fetch 2 to 1'" in found.reasons
    assert "record 0 is not consumed" in found.reasons


def test_a_broker_that_forgets_to_compact_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(FakeKafka):
        def compact(self, *topics: Any, **how: Any) -> list[Any]:
            return []

    monkeypatch.setattr(grounds, "FakeKafka", Forgetful)
    found = outcome("2.3", "compacted", tmp_path)
    assert found.outcome == "differs"
    assert "record 0 is consumed, and must never be" in found.reasons
    assert any(reason.startswith("records that remain: '[0, 1, 2,") for reason in found.reasons)


def test_a_broker_that_takes_records_of_any_size_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Greedy(FakeKafka):
        def create_topic(self, name: str, partitions: int = 1, config: Any = None) -> None:
            super().create_topic(name, partitions)

    monkeypatch.setattr(grounds, "FakeKafka", Greedy)
    found = outcome("2.3", "oversize", tmp_path)
    assert found.outcome == "differs"
    assert "record 4 is consumed, and must never be" in found.reasons
    assert "errors in answers to Produce: '', not 'MESSAGE_TOO_LARGE'" in found.reasons


def test_a_client_treats_a_plug_in_as_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain(FakeKafka):
        def create_topic(self, name: str, partitions: int = 1, config: Any = None) -> None:
            super().create_topic(name, partitions)

    assert outcome("3.9", "plug-in", tmp_path).outcome == "as the real broker"
    monkeypatch.setattr(grounds, "FakeKafka", Plain)
    found = outcome("3.9", "plug-in", tmp_path)
    assert found.outcome == "differs"
    assert "codecs: \"['none']\", not \"['snappyPlugin']\"" in found.reasons
    assert "manner: 'reads', not 'UnsupportedCodecError'" in found.reasons


def test_a_broker_that_does_not_start_again_fails_only_its_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(FakeKafka):
        def upgrade(self, *way: Any, **how: Any) -> Any:
            self.stop()
            raise BrokerWillNotStart("no way back")

    monkeypatch.setattr(grounds, "FakeKafka", Broken)
    cell = Cell.of("kp3012", "0.10.2", "", "0.10.2 -> 2.3", "none", "upgrade")
    found = verdict(cell, run_cell(cell, CLIENTS, tmp_path))
    assert found[1:] == ("differs", ["no way back\nthe broker does not run"])


def test_a_cell_records_its_duration_and_the_last_requests(tmp_path: Path) -> None:
    cell = Cell.of("kp3012", "2.3", "", "", "none", "roundtrip")
    rows = run_cell(cell, CLIENTS, tmp_path)
    told = {row.name: row for row in rows if row.stage == "fact"}
    assert (told["time of the scenario"].amount or 0) >= (told["time of read"].amount or 0) > 0
    assert "Fetch v11" in (told["last requests"].text or "")
    assert (told["version Produce"].value, told["version Produce"].expected) == ("7", "7")
    assert "Produce 7: 2 batches, " in " ".join(row.text or "" for row in rows if row.name == "zero copy")
    assert {row.stage for row in rows} == {"cell", "produced", "stored", "consumed", "fact"}
