"""Symbolic links that leave a log directory: followed for writing where a real broker follows them, and nowhere else.

Asked of 2.3.1 and 3.9.1, after a clean stop and a kill. Links are followed to a partition's directory, to a log, which
recovery cuts even if it is a foreign file, and to an index. Links to checkpoints are replaced by files, since new
checkpoints are written beside the old and renamed. When a partition is deleted, 3.9.1 deletes the segments behind its
link, and then the link; here only the link goes.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka, ManualClock

NOW: Final = 1_600_000_000_000
LOG: Final = "00000000000000000000.log"
FOREIGN: Final = b"precious words that are not a log" * 10


@pytest.fixture(autouse=True)
def links(tmp_path: Path) -> None:
    """Skip where links cannot be made: on Windows they take a privilege."""
    probe = tmp_path / "probe"
    try:
        probe.symlink_to(tmp_path)
    except OSError as error:
        pytest.skip(f"links cannot be made: {error}")
    probe.unlink()


@pytest.fixture(params=["2.3", "3.9"])
def release(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def broker(release: str, folder: Path) -> FakeKafka:
    return FakeKafka(release, clock=ManualClock(NOW), log_dir=folder / "logs", topics={"t": 1, "other": 1}).boot()


def written(release: str, folder: Path, *, clean: bool = True) -> Path:
    """A directory with some records, of a broker that has stopped."""
    kafka = broker(release, folder)
    for n in range(3):
        kafka.send("t", b"v%d" % n)
    kafka.stop(crash=not clean)
    return folder / "logs"


def moved_out(path: Path) -> Path:
    """Put a link in the place of a file or directory; return where that is now."""
    outside = path.parents[1] / f"outside-{path.name}"
    path.rename(outside)
    path.symlink_to(outside)
    return outside


def values(kafka: FakeKafka) -> list[bytes | None]:
    return [record.value for record in kafka.records("t")]


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("name", ["t-0", f"t-0/{LOG}", "t-0/00000000000000000000.index"])
def test_links_to_logs_and_their_directories_are_followed(release: str, clean: bool, name: str, tmp_path: Path) -> None:
    logs = written(release, tmp_path, clean=clean)
    outside = moved_out(logs / name)
    kafka = broker(release, tmp_path)
    kafka.send("t", b"v3")
    kafka.stop()
    assert (logs / name).is_symlink()
    log = outside / LOG if outside.is_dir() else logs / "t-0" / LOG
    assert log.read_bytes().count(b"v3") == 1
    with broker(release, tmp_path) as again:
        assert values(again) == [b"v0", b"v1", b"v2", b"v3"]


@pytest.mark.parametrize("name", ["recovery-point-offset-checkpoint", "replication-offset-checkpoint"])
def test_checkpoints_take_the_place_of_links(release: str, name: str, tmp_path: Path) -> None:
    logs = written(release, tmp_path)
    outside = moved_out(logs / name)
    before = outside.read_bytes()
    kafka = broker(release, tmp_path)
    kafka.send("t", b"v3")
    kafka.stop()
    assert not (logs / name).is_symlink()
    assert outside.read_bytes() == before
    assert (logs / name).read_bytes() != before


@pytest.mark.parametrize(("clean", "left"), [(True, FOREIGN), (False, b"")])
def test_a_foreign_file_that_is_linked_to_as_a_log_is_cut_by_a_recovery_only(
    clean: bool, left: bytes, tmp_path: Path
) -> None:
    logs, foreign = written("2.3", tmp_path, clean=clean), tmp_path / "foreign"
    foreign.write_bytes(FOREIGN)
    log = logs / "other-0" / LOG
    log.unlink()
    log.symlink_to(foreign)
    broker("2.3", tmp_path).stop()
    assert foreign.read_bytes() == left


def deleted(kafka: FakeKafka) -> None:
    kafka.delete_topic("t")
    kafka.clock.advance(600_000)  # type: ignore[attr-defined]


def forgotten(kafka: FakeKafka) -> None:
    kafka.reset()


@pytest.mark.parametrize("act", [deleted, forgotten])
def test_the_target_of_a_link_is_never_deleted(release: str, act: Callable[[FakeKafka], None], tmp_path: Path) -> None:
    logs = written(release, tmp_path)
    outside = moved_out(logs / "t-0")
    inner = outside / "inner"
    inner.mkdir()
    (inner / "precious").write_text("words")
    with broker(release, tmp_path) as kafka:
        act(kafka)
        assert not [path for path in logs.iterdir() if path.is_symlink()]
    assert (inner / "precious").read_text() == "words"
    assert (outside / LOG).exists()
