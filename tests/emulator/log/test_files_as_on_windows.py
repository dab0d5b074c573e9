"""Files as Windows has them: no reads at a position, and nothing that is open can be renamed or deleted.

Windows itself was not tried. What is simulated here: `os.pread` and `os.pwrite` are not used, and renaming or deleting
looks at this process's descriptors first.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.log import files

OPEN = Path("/proc/self/fd")


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "POSITIONED", False)
    monkeypatch.setattr(files, "_read_at", files._seek_and_read)
    monkeypatch.setattr(files, "_write_at", files._seek_and_write)
    monkeypatch.delattr(os, "pread")
    monkeypatch.delattr(os, "pwrite")
    for name in ("rename", "replace", "unlink", "remove", "rmdir"):
        monkeypatch.setattr(os, name, _refusing(getattr(os, name)))


def _refusing(call: Callable[..., None]) -> Callable[..., None]:
    """`call`, refused for open files as Windows refuses it."""

    def refusing(path: "str | os.PathLike[str]", *others: object, **options: object) -> None:
        for descriptor in OPEN.iterdir():
            try:
                target = Path(os.readlink(descriptor))
            except FileNotFoundError:  # the descriptor of the listing itself
                continue
            if target.is_relative_to(os.path.abspath(path)):
                raise PermissionError(13, "The process cannot access the file because it is being used", str(path))
        call(path, *others, **options)

    return refusing


@pytest.mark.skipif(not OPEN.exists(), reason="looks at descriptors in /proc")
@pytest.mark.parametrize("release", ["0.10.2", "2.3", "4.3"])
def test_a_broker_keeps_rolls_compacts_and_deletes_its_files(release: str, tmp_path: Path) -> None:
    clock = ManualClock()
    small = {"segment.bytes": 1 << 20, "file.delete.delay.ms": 0}
    with FakeKafka(release, log_dir=tmp_path, clock=clock) as kafka:
        kafka.create_topic("orders", config=small | {"retention.ms": 60_000})
        kafka.create_topic("prices", config=small | {"cleanup.policy": "compact"})
        for number in range(20):
            kafka.send("orders", b"%02d" % number * 100_000)
            kafka.send("prices", b"%02d" % number * 100_000, key=b"apples")
        kafka.compact("prices", roll=True)
        assert [record.value for record in kafka.records("prices")] == [b"19" * 100_000]
        kafka.restart()
        assert len(kafka.records("orders")) == 20
        clock.advance(600_000)
        assert kafka.records("orders") == []
        kafka.delete_topic("prices")
        clock.advance(600_000)
        assert not list(tmp_path.glob("prices-*"))
        assert not kafka.failures
