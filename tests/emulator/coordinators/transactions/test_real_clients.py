"""Unmodified kafka-python, librdkafka and aiokafka read, process and write in transactions: exactly once."""

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fakekafka import FakeKafka

from tests.support.committed_readers import ends, fetched
from tests.support.transactional_applications import APPLICATIONS, Application, Taken, processed

pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # kafka-python forgets sockets
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PATIENCE_S = 30.0
VALUES = [f"v{n}".encode() for n in range(8)]
QUICK: dict[str, object] = {"group.initial.rebalance.delay.ms": 0}
every_client = pytest.mark.parametrize("client", APPLICATIONS)


@contextmanager
def started(release: str) -> Iterator[FakeKafka]:
    with FakeKafka(release, config=QUICK, topics={"in": 2, "out": 2}) as kafka:
        for n, value in enumerate(VALUES):
            kafka.send("in", value, partition=n % 2)
        yield kafka
        assert not kafka.failures
    gc.collect()  # forgotten sockets are found here, and not in another test


def visible(kafka: FakeKafka) -> list[bytes]:
    """What readers of committed data see in "out"."""
    return sorted(value for index in (0, 1) for value in fetched(kafka, ("out", index)))


def offsets(kafka: FakeKafka) -> dict[int, int]:
    """What the group has committed."""
    return {index: committed.offset for (_, index), committed in kafka.committed("g").items()}


def some(application: Application) -> list[Taken]:
    """The next records, as soon as there are any."""
    end = time.monotonic() + PATIENCE_S
    while not (taken := application.take()):
        assert time.monotonic() < end, "nothing came"
    return taken


def begun(application: Application) -> list[Taken]:
    """Begin a transaction without ending it, and return the records that were processed in it."""
    taken = some(application)
    application.begin()
    for record in taken:
        application.write(processed(record.value), record.partition)
    application.send_offsets(taken)
    return taken


def run(kafka: FakeKafka, application: Application, aborts: bool = True) -> None:
    """Process everything; every second transaction is aborted first."""
    done, commit = visible(kafka), not aborts
    while len(done) < len(VALUES):
        before = offsets(kafka)
        taken = begun(application)
        assert visible(kafka) == done, "shown too early"
        assert offsets(kafka) == before, "committed too early"
        application.end(commit)
        if commit:
            done = sorted([*done, *(processed(record.value) for record in taken)])
        else:
            application.rewind(before)
        assert visible(kafka) == done
        commit = not commit or not aborts


@every_client
@pytest.mark.parametrize("release", ["0.11.0", "2.3", "2.8", "3.9", "4.0", "4.3"])
def test_despite_aborts_no_record_is_lost_duplicated_or_visible_too_early(
    client: type[Application], release: str
) -> None:
    with started(release) as kafka:
        application = client(kafka, "a")
        run(kafka, application)
        application.leave()
        application.close()
        assert visible(kafka) == [processed(value) for value in VALUES]
        assert offsets(kafka) == {0: 4, 1: 4}
        assert len(kafka.records("out")) > len(VALUES), "what was aborted was written"
        assert [ends(kafka, ("out", n)) for n in (0, 1)] == [ends(kafka, ("out", n), committed=False) for n in (0, 1)]


@every_client
@pytest.mark.parametrize("release", ["0.11.0", "2.8", "4.3"])
def test_a_successor_aborts_the_open_transaction_and_its_predecessor_is_fenced(
    client: type[Application], release: str
) -> None:
    with started(release) as kafka:
        zombie = client(kafka, "a")
        begun(zombie)
        zombie.leave()
        successor = client(kafka, "a")
        with pytest.raises(Exception, match=r"(?i)fenced|epoch|newer|ProducerFenced|INVALID_PRODUCER_EPOCH"):
            zombie.end(commit=True)
        zombie.close()
        assert visible(kafka) == []
        assert offsets(kafka) == {}
        run(kafka, successor, aborts=False)
        successor.leave()
        successor.close()
        assert visible(kafka) == [processed(value) for value in VALUES]
        assert offsets(kafka) == {0: 4, 1: 4}
