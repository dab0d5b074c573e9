"""Kafka's own Java share consumer (KIP-932) goes through its basic cycle, against `fakekafka serve`. Run by
`tox -e java`: Maven has to get the client from its registry first.
"""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from confluent_kafka import Producer

from tests.java.programs import compiled, needs_java, running, served, told

pytestmark = needs_java

PAIRS: Final = [("4.1.1", "4.1"), ("4.2.1", "4.2"), ("4.3.1", "4.3"), ("4.3.1", "4.2"), ("4.2.1", "4.3")]
"""A client and the release that it meets."""
LOCK_MS: Final = 2000
PATIENCE_S: Final = 60.0
CONFIG: Final = {
    "group.share.heartbeat.interval.ms": 200,
    "group.share.min.heartbeat.interval.ms": 200,
    "group.share.record.lock.duration.ms": LOCK_MS,
    "group.share.min.record.lock.duration.ms": 1000,
    "group.share.delivery.count.limit": 2,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
}
Program = subprocess.Popen[str]
Row = tuple[int, str, int]
"""A record: its offset, value and delivery count."""


@pytest.fixture(scope="module")
def class_paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The class paths by version of the client."""
    versions = {client for client, _ in PAIRS}
    return {version: compiled(tmp_path_factory.mktemp("java"), version, "ShareMember") for version in sorted(versions)}


class Group:
    """A broker with the share group "g", which reads the topic "in" from the beginning."""

    def __init__(self, servers: str, class_path: str) -> None:
        self.servers = servers
        self._program = ("java", "-Xmx128m", "-cp", class_path, "ShareMember", servers)

    def configure(self, *configs: str) -> None:
        done = subprocess.run([*self._program, "setup", *configs], check=True, capture_output=True, text=True)
        assert done.stdout == "ready\n"

    @contextmanager
    def member(self, mode: str = "explicit") -> Iterator[Program]:
        with running(*self._program, mode) as program:
            yield program


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def group(request: pytest.FixtureRequest, class_paths: dict[str, str]) -> Iterator[Group]:
    client, release = request.param
    config = CONFIG | ({"group.share.assignment.interval.ms": 0} if release >= "4.3" else {})
    with served(release, ["in:1"], config) as servers:
        made = Group(servers, class_paths[client])
        made.configure("share.auto.offset.reset=earliest")
        yield made


def polled(member: Program, until: Callable[[list[Row]], bool]) -> list[Row]:
    """The records of some polls."""
    found: list[Row] = []
    end = time.monotonic() + PATIENCE_S
    while not until(found):
        assert time.monotonic() < end, f"it did not come, only {found}"
        kind, *rows = told(member, "poll")
        assert kind == "records"
        found += [(int(offset), value, int(count)) for offset, value, count in (row.split(":") for row in rows)]
    return found


def so_many(count: int) -> Callable[[list[Row]], bool]:
    return lambda found: len(found) >= count


@contextmanager
def stopped(program: Program) -> Iterator[None]:
    """Within the block the program does nothing at all."""
    program.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        program.send_signal(signal.SIGCONT)


def send(servers: str, *values: str) -> None:
    """Write records, one batch each."""
    producer = Producer({"bootstrap.servers": servers})
    for value in values:
        producer.produce("in", value.encode())
        producer.flush()


def transact(servers: str, value: str, *, commit: bool) -> None:
    """Write one record in a transaction, and end it."""
    producer = Producer({"bootstrap.servers": servers, "transactional.id": "t"})
    producer.init_transactions()
    producer.begin_transaction()
    producer.produce("in", value.encode())
    producer.flush()
    if commit:
        producer.commit_transaction()
    else:
        producer.abort_transaction()


def test_records_are_accepted_by_polling_on(group: Group) -> None:
    send(group.servers, "a", "b")
    with group.member("implicit") as one:
        assert polled(one, so_many(2)) == [(0, "a", 1), (1, "b", 1)]
        send(group.servers, "c")
        assert polled(one, so_many(1)) == [(2, "c", 1)]
        assert told(one, "commit") == ["committed"]
        assert told(one, "close") == ["closed"]
    send(group.servers, "d")
    with group.member("implicit") as two:
        assert polled(two, so_many(1)) == [(3, "d", 1)]


def test_a_released_record_comes_again_and_a_rejected_one_does_not(group: Group) -> None:
    send(group.servers, "a", "b", "c")
    with group.member() as one:
        polled(one, so_many(3))
        told(one, "acknowledge accept 0")
        told(one, "acknowledge release 1")
        told(one, "acknowledge reject 2")
        assert told(one, "commit") == ["committed"]
        assert polled(one, so_many(1)) == [(1, "b", 2)]
        told(one, "acknowledge accept 1")
        assert told(one, "commit") == ["committed"]
        send(group.servers, "d")
        assert polled(one, so_many(1)) == [(3, "d", 1)]


def test_no_record_is_delivered_too_often(group: Group) -> None:
    send(group.servers, "a")
    with group.member() as one:
        for count in (1, 2):
            assert polled(one, so_many(1)) == [(0, "a", count)]
            told(one, "acknowledge release 0")
            assert told(one, "commit") == ["committed"]
        send(group.servers, "b")
        assert polled(one, so_many(1)) == [(1, "b", 1)]


def test_a_lock_ends_by_the_clock_and_with_the_member(group: Group) -> None:
    send(group.servers, "a")
    with group.member() as one, group.member() as two:
        assert polled(one, so_many(1)) == [(0, "a", 1)]
        begun = time.monotonic()
        with stopped(one):  # a consumer fetches ahead: when the lock ends it would be as likely to get the record again
            assert polled(two, so_many(1)) == [(0, "a", 2)]
            assert time.monotonic() - begun > LOCK_MS / 2000
        told(one, "acknowledge accept 0")
        assert told(one, "commit") == ["InvalidRecordStateException"]
        told(two, "acknowledge accept 0")
        assert told(two, "commit") == ["committed"]
        told(one, "close")
        send(group.servers, "b")
        assert polled(two, so_many(1)) == [(1, "b", 1)]


def test_two_members_share_one_partition(group: Group) -> None:
    group.configure("share.record.lock.duration.ms=60000")
    with group.member("implicit") as one, group.member("implicit") as two:
        assert told(one, "poll") == told(two, "poll") == ["records"]
        seen: dict[str, list[Row]] = {"one": [], "two": []}
        end = time.monotonic() + PATIENCE_S
        for n in range(1000):
            send(group.servers, f"v{n}")
            for name, member in (("one", one), ("two", two)):
                _, *rows = told(member, "poll")
                seen[name] += [(int(o), v, int(c)) for o, v, c in (row.split(":") for row in rows)]
            if all(seen.values()) or time.monotonic() > end:
                break
        assert all(seen.values()), "both get some"
        offsets = [offset for rows in seen.values() for offset, _, _ in rows]
        assert len(offsets) == len(set(offsets)), "nobody gets what the other one has"


def test_a_group_may_read_only_committed_records(group: Group) -> None:
    group.configure("share.isolation.level=read_committed")
    send(group.servers, "a")
    transact(group.servers, "never", commit=False)
    transact(group.servers, "yes", commit=True)
    with group.member("implicit") as one:
        assert [value for _, value, _ in polled(one, so_many(2))] == ["a", "yes"]
