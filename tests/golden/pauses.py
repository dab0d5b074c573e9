"""How quickly the recorded client continued, where the broker's files show it.

Coordinators of 4.x hold a write back for some milliseconds, and writes that come meanwhile go into the same batch.
Which writes share a batch in a recording depends on how busy the recorder was. The replay takes no time at all; so it
waits where a batch ended in the recording.
"""

from collections.abc import Callable, Iterator

from fakekafka.ids import Offset

from tests.golden.channel import Client
from tests.golden.transcript import Recording, Restart, StoredFile
from tests.golden.units import whole_units

OFFSETS_LOG = "__consumer_offsets-0/"


def batch_starts(recording: Recording) -> frozenset[Offset]:
    """The base offsets of all batches in the first partition of the offsets topic."""
    return frozenset(start for file in _offset_logs(recording) for start in _base_offsets(file))


def _offset_logs(recording: Recording) -> Iterator[StoredFile]:
    stopped = (file for line in recording.lines if isinstance(line, Restart) for file in line.stopped)
    for file in (*recording.files, *stopped):
        if OFFSETS_LOG in file.path and file.path.endswith(".log"):
            yield file


def _base_offsets(file: StoredFile) -> Iterator[Offset]:
    for unit in whole_units(file.content)[0]:
        yield int.from_bytes(file.content[unit.position : unit.position + 8], "big")


class Unhurried:
    """A `Client` that waits for something before it sends."""

    def __init__(self, client: Client, wait: Callable[[], None]) -> None:
        self._client = client
        self._wait = wait

    @property
    def closed(self) -> bool:
        return self._client.closed

    def send(self, data: bytes) -> bytes:
        self._wait()
        return self._client.send(data)

    def receive(self) -> bytes:
        return self._client.receive()

    def disconnect(self) -> None:
        self._client.disconnect()
