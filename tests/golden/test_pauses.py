"""Where the replay waits because the recorded client was slow."""

from fakekafka.records.record import Record
from fakekafka.records.v2 import build

from tests.golden.pauses import Unhurried, batch_starts
from tests.golden.transcript import Recording, Restart, StoredFile


def log(*counts: int) -> bytes:
    """A segment with batches of these numbers of records."""
    data, at = b"", 0
    for count in counts:
        data += build([Record(at + n, 0, 0, None, b"") for n in range(count)], base_offset=at)
        at += count
    return data


def test_batches_are_found_in_everything_that_was_kept() -> None:
    stopped = Restart(None, None, False, (), (StoredFile("__consumer_offsets-0/0.log", log(1, 1)),))
    files = (StoredFile("step/__consumer_offsets-0/0.log", log(2, 3)), StoredFile("t-0/0.log", log(1, 1, 1, 1)))
    recording = Recording("r", "s", "4.0.0", {}, None, True, {"": (stopped,)}, files, {})
    assert batch_starts(recording) == {0, 1, 2}


class Echo:
    closed = False

    def __init__(self) -> None:
        self.log: list[str] = []

    def send(self, data: bytes) -> bytes:
        self.log.append("sent")
        return data

    def receive(self) -> bytes:
        return b"more"

    def disconnect(self) -> None:
        self.closed = True


def test_a_client_waits_before_it_sends() -> None:
    echo = Echo()
    client = Unhurried(echo, lambda: echo.log.append("waited"))
    assert client.send(b"x") == b"x"
    assert echo.log == ["waited", "sent"]
    assert client.receive() == b"more"
    client.disconnect()
    assert client.closed
