"""The matrix has no known blind spot: each wrong broker is called wrong by a cell.

Here one mutation of each cell is played; `tox -e mutations` plays all of them, and each cell on a sound broker.
"""

import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Self

import pytest
from fakekafka import FakeKafka
from fakekafka_compat import grounds
from fakekafka_compat.cell_run import run_cell
from fakekafka_compat.table import Client, default_table, read_table
from fakekafka_compat.verdict import Verdict, verdict
from fakekafka_spark.observations import Cell

from tests.compat.mutations import MUTATIONS, Mutate, Mutation

CELLS = {each[-4:]: each for each in MUTATIONS}
"""The last mutation of each cell."""
ALL = os.environ.get("FAKEKAFKA_MUTATIONS") == "1"
KP = read_table(default_table()).clients["kp3012"]


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Client:
    """The client, with a driver that does not wait a minute for records that will not come."""
    text = KP.driver.read_text("utf-8")
    assert "PATIENCE_S = 60.0\n" in text
    driver = tmp_path_factory.mktemp("driver") / KP.driver.name
    driver.write_text(text.replace("PATIENCE_S = 60.0\n", "PATIENCE_S = 3.0\n"), "utf-8")
    return KP._replace(driver=driver)


def played(mutation: Mutation, client: Client, folder: Path) -> Verdict:
    cell = Cell.of("kp3012", mutation.release, "", mutation.phase, mutation.codec, mutation.scenario)
    return verdict(cell, run_cell(cell, {"kp3012": client}, folder))


def broken(mutate: Mutate) -> type[FakeKafka]:
    class Broken(FakeKafka):
        def __enter__(self) -> Self:
            kafka = super().__enter__()
            mutate(kafka)
            return kafka

    return Broken


@pytest.mark.parametrize("mutation", MUTATIONS if ALL else CELLS.values(), ids=lambda mutation: mutation.name)
def test_a_wrong_broker_is_called_wrong(
    mutation: Mutation, hurried: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grounds, "FakeKafka", broken(mutation.mutate))
    found = played(mutation, hurried, tmp_path)
    assert found.outcome == "differs"
    assert any(fnmatchcase(reason, mutation.reason + "*") for reason in found.reasons), found.reasons


@pytest.mark.skipif(not ALL, reason="tox -e mutations")
@pytest.mark.parametrize("sound", CELLS.values(), ids=lambda each: f"{each.release} {each.scenario} {each.codec}")
def test_cells_call_a_sound_broker_right(sound: Mutation, hurried: Client, tmp_path: Path) -> None:
    found = played(sound, hurried, tmp_path)
    assert (found.outcome, found.reasons) == ("as the real broker", [])


def test_there_are_at_least_thirty_mutations() -> None:
    assert len({each.name for each in MUTATIONS}) == len(MUTATIONS) >= 30
