"""Kafka's own Java consumer in groups of both protocols, classic and consumer (KIP-848), against `fakekafka serve`. Run
by `tox -e java`: Maven has to get the client from its registry first.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

from tests.java.programs import Program, compiled, needs_java, running, served, told

pytestmark = needs_java

PATIENCE_S: Final = 90.0
BROKER: Final = {
    "group.initial.rebalance.delay.ms": 0,
    "group.consumer.heartbeat.interval.ms": 200,
    "group.consumer.min.heartbeat.interval.ms": 200,
    "group.min.session.timeout.ms": 1000,
}
OLD_BROKER: Final = {"group.initial.rebalance.delay.ms": 0, "group.min.session.timeout.ms": 1000}
CLASSIC: Final = ("group.protocol=classic", "heartbeat.interval.ms=200", "session.timeout.ms=30000")
"""Settings of a classic member. If a busy machine keeps it silent for longer, its next commit fails."""
COOPERATIVE: Final = (
    *CLASSIC,
    "partition.assignment.strategy=org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
)
CONSUMER: Final = ("group.protocol=consumer",)
MEETINGS: Final = [
    ("3.9.1", "2.8", CLASSIC),
    ("3.9.1", "3.9", COOPERATIVE),
    ("4.3.1", "4.3", COOPERATIVE),
    ("4.1.1", "4.0", CONSUMER),
    ("4.3.1", "4.3", CONSUMER),
]
"""A client, the release that it meets, and how it takes part."""


@pytest.fixture(scope="module")
def class_paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The class paths by version of the client."""
    versions = ("3.9.1", "4.1.1", "4.3.1")
    return {version: compiled(tmp_path_factory.mktemp("java"), version, "GroupMember") for version in versions}


class Members:
    """Members of the group "g" at a broker with four partitions of the topic "in"."""

    def __init__(self, servers: str, class_path: str, settings: tuple[str, ...]) -> None:
        self.servers = servers
        self._program = ("java", "-Xmx128m", "-cp", class_path, "GroupMember", servers)
        self._settings = settings

    @contextmanager
    def one(self, *more: str, wants: str = "topics:in", settings: tuple[str, ...] | None = None) -> Iterator[Program]:
        with running(*self._program, wants, *(self._settings if settings is None else settings), *more) as program:
            yield program

    def send(self, *values: str, topic: str = "in") -> None:
        producer = Producer({"bootstrap.servers": self.servers})
        for n, value in enumerate(values):
            producer.produce(topic, value.encode(), partition=n % 4)
        producer.flush()

    def create(self, topic: str) -> None:
        admin = AdminClient({"bootstrap.servers": self.servers})
        (made,) = admin.create_topics([NewTopic(topic, 1, 1)]).values()
        made.result()


@contextmanager
def meeting(client: str, release: str, settings: tuple[str, ...], class_paths: dict[str, str]) -> Iterator[Members]:
    with served(release, ["in:4"], BROKER if release >= "4.0" else OLD_BROKER) as servers:
        yield Members(servers, class_paths[client], settings)


@pytest.fixture(params=MEETINGS, ids=lambda m: f"{m[0]}-{m[1]}-{m[2][-1].rpartition('.')[2].rpartition('=')[2]}")
def members(request: pytest.FixtureRequest, class_paths: dict[str, str]) -> Iterator[Members]:
    client, release, settings = request.param
    with meeting(client, release, settings, class_paths) as made:
        yield made


def polled(member: Program) -> tuple[list[str], list[str]]:
    """The partitions that a member has, and the values that it got."""
    kind, has, *values = told(member, "poll")
    assert kind == "has"
    return ([] if has == "-" else has.split(",")), values


def wait_for(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < end, "it did not come to it"


def got(member: Program, count: int) -> list[str]:
    """Poll until a member got this many values."""
    found: list[str] = []

    def more() -> bool:
        found.extend(polled(member)[1])
        return len(found) >= count

    wait_for(more)
    return sorted(found)


def wait_for_shares(*sizes: int, among: list[Program]) -> list[list[str]]:
    """Wait until the members have this many partitions each, and no two members share one."""
    shares: list[list[str]] = []

    def shared_out() -> bool:
        shares[:] = [polled(member)[0] for member in among]
        every = [place for share in shares for place in share]
        return sorted(map(len, shares)) == sorted(sizes) and len(set(every)) == len(every)

    wait_for(shared_out)
    return shares


def test_two_members_share_the_partitions_and_one_takes_over(members: Members) -> None:
    with members.one() as one, members.one() as two:
        wait_for_shares(2, 2, among=[one, two])
        assert told(two, "close") == ["closed"]
        wait_for_shares(4, among=[one])


def test_a_later_member_continues_from_the_committed_offset(members: Members) -> None:
    members.send("a", "b", "c", "d")
    with members.one() as one:
        assert got(one, 4) == ["a", "b", "c", "d"]
        assert told(one, "commit") == ["committed"]
        assert told(one, "close") == ["closed"]
    members.send("e", "f")
    with members.one() as two:
        assert got(two, 2) == ["e", "f"]


def test_a_static_member_gets_its_partitions_back(members: Members) -> None:
    with members.one("group.instance.id=first") as one, members.one("group.instance.id=second") as two:
        before = wait_for_shares(2, 2, among=[one, two])
        assert told(two, "close") == ["closed"], "static members do not leave when they close"
        with members.one("group.instance.id=second") as again:
            wait_for(lambda: [polled(one)[0], polled(again)[0]] == before)


def test_a_topic_that_is_created_later_matches_the_pattern(members: Members) -> None:
    with members.one(wants="pattern:(in|more.*)") as one:
        wait_for_shares(4, among=[one])
        members.create("more-1")
        wait_for_shares(5, among=[one])


def test_the_broker_resolves_a_pattern(class_paths: dict[str, str]) -> None:
    with (
        meeting("4.3.1", "4.3", CONSUMER, class_paths) as members,
        members.one(wants="re2:in|more.*") as one,
    ):
        wait_for_shares(4, among=[one])
        members.create("more-1")
        wait_for_shares(5, among=[one])


@pytest.mark.parametrize("client", ["3.9.1", "4.3.1"])
def test_a_classic_group_becomes_a_consumer_group_while_it_works(client: str, class_paths: dict[str, str]) -> None:
    with meeting(client, "4.3", CLASSIC, class_paths) as members:
        members.send("a", "b", "c", "d")
        with members.one() as classic:
            assert got(classic, 4) == ["a", "b", "c", "d"]
            assert told(classic, "commit") == ["committed"]
            newer = Members(members.servers, class_paths["4.3.1"], CONSUMER)
            with newer.one() as consumer:
                wait_for_shares(2, 2, among=[classic, consumer])
                assert told(classic, "close") == ["closed"]
                wait_for_shares(4, among=[consumer])
                members.send("e")
                assert got(consumer, 1) == ["e"]
