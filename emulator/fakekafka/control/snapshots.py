"""Snapshots: everything that a cluster stores, as a zip file of what `FakeKafka.save` writes."""

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from fakekafka.control.desk import Desk
from fakekafka.control.operations import Archive
from fakekafka.errors import UsageError

MAX_UNPACKED: Final = 1 << 30


def snapshot(desk: Desk) -> Archive:
    """Everything that the cluster stores now, as a zip file; see `FakeKafka.save`."""
    with TemporaryDirectory() as folder:
        desk.kafka.save(folder)
        return packed(Path(folder))


def restore(desk: Desk, snapshot: Archive) -> None:
    """Turn the cluster into the one in a snapshot, on the same ports; see `FakeKafka.restore`."""
    with TemporaryDirectory() as folder:
        unpack(snapshot, Path(folder))
        desk.kafka.restore(folder)


def packed(folder: Path) -> Archive:
    """A folder as a zip file."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder))
    return Archive(buffer.getvalue())


def unpack(data: bytes, folder: Path) -> None:
    """A zip file into a folder. Raises `UsageError` for one that cannot be read, or leads out of the folder."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            if sum(each.file_size for each in archive.infolist()) > MAX_UNPACKED:
                raise UsageError(f"the snapshot unpacks to more than {MAX_UNPACKED} bytes")
            for each in archive.infolist():
                if not (folder / each.filename).resolve().is_relative_to(folder.resolve()):
                    raise UsageError(f"the snapshot holds {each.filename!r}, which lies outside it")
            archive.extractall(folder)
    except (BadZipFile, RuntimeError) as e:  # RuntimeError: an unknown compression, or a password
        raise UsageError(f"the snapshot is not a zip file that can be read: {e}") from None
