"""The faults that clients are shown under, each as a plan or as a call."""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka import FakeKafka

While: TypeAlias = Literal["sending", "reading"]


class ShownFault(NamedTuple):
    """One fault: a plan that is in force while a client sends, or while it reads."""

    name: str
    during: While
    plan: str = ""
    call: Callable[[FakeKafka], object] | None = None
    """What is done instead of a plan."""
    brokers: int = 1


def fault(*lines: str) -> str:
    return "\n".join(("[[fault]]", *lines, ""))


def damage_the_first(kafka: FakeKafka) -> None:
    kafka.damage("orders", offset=0)


LEADER_LIES = fault("mislead = true", 'api = "Metadata"', "leader = 1", "times = 2", 'topic = "orders"')

FAULTS: Final = (
    ShownFault(
        "Produce refused twice: NOT_LEADER_OR_FOLLOWER",
        "sending",
        fault('fail = "NOT_LEADER_OR_FOLLOWER"', 'api = "Produce"', "times = 2"),
    ),
    ShownFault(
        "Produce refused twice: NOT_ENOUGH_REPLICAS",
        "sending",
        fault('fail = "NOT_ENOUGH_REPLICAS"', 'api = "Produce"', "times = 2"),
    ),
    ShownFault(
        "Produce refused: MESSAGE_TOO_LARGE",
        "sending",
        fault('fail = "MESSAGE_TOO_LARGE"', 'api = "Produce"', "nth = 1"),
    ),
    ShownFault(
        "Produce refused: KAFKA_STORAGE_ERROR, twice",
        "sending",
        fault('fail = "KAFKA_STORAGE_ERROR"', 'api = "Produce"', "times = 2"),
    ),
    ShownFault(
        "Produce applied, connection closed before the answer",
        "sending",
        fault('lose_answer = "close"', 'api = "Produce"', "nth = 1"),
    ),
    ShownFault(
        "Produce applied, connection reset before the answer",
        "sending",
        fault('lose_answer = "reset"', 'api = "Produce"', "nth = 1"),
    ),
    ShownFault(
        "Produce applied, never answered", "sending", fault('lose_answer = "silence"', 'api = "Produce"', "nth = 1")
    ),
    ShownFault("Produce neither applied nor answered", "sending", fault("drop = true", 'api = "Produce"', "nth = 1")),
    ShownFault("Produce answered 400 ms late", "sending", fault("delay = 400", 'api = "Produce"', "times = 2")),
    ShownFault("answers in slices of one byte", "sending", fault("slice = 1")),
    ShownFault("answers with 2000 bytes a second", "sending", fault("throttle = 2000")),
    ShownFault("nobody accepts for 700 ms", "sending", fault("refuse_connections = true", "until_ms = 700")),
    ShownFault("connections are reset for 700 ms", "sending", fault('refuse_connections = "reset"', "until_ms = 700")),
    ShownFault(
        "a listener accepts and says nothing for 700 ms",
        "sending",
        fault('refuse_connections = "silence"', "until_ms = 700"),
    ),
    ShownFault(
        "records damaged on their way to the broker, once",
        "sending",
        fault('corrupt = "flip a byte"', 'api = "Produce"', "nth = 1"),
    ),
    ShownFault("Metadata names the wrong leader, twice", "sending", LEADER_LIES, brokers=2),
    ShownFault("every broker down for 700 ms", "sending", fault("down = true", "until_ms = 700")),
    ShownFault("disk full", "sending", fault("full_disk = 0")),
    ShownFault(
        "Fetch refused twice: NOT_LEADER_OR_FOLLOWER",
        "reading",
        fault('fail = "NOT_LEADER_OR_FOLLOWER"', 'api = "Fetch"', "times = 2"),
    ),
    ShownFault("Fetch answered and lost", "reading", fault('lose_answer = "close"', 'api = "Fetch"', "nth = 1")),
    ShownFault(
        "records damaged on their way to the client, once",
        "reading",
        fault('corrupt = "flip a byte"', 'api = "Fetch"', "nth = 1"),
    ),
    ShownFault("a batch damaged on the disk", "reading", call=damage_the_first),
    ShownFault(
        "FindCoordinator refused twice: COORDINATOR_NOT_AVAILABLE",
        "reading",
        fault('fail = "COORDINATOR_NOT_AVAILABLE"', 'api = "FindCoordinator"', "times = 2"),
    ),
    ShownFault(
        "FindCoordinator names the wrong broker, twice",
        "reading",
        fault("mislead = true", 'api = "FindCoordinator"', "coordinator = 1", "times = 2"),
        brokers=2,
    ),
    ShownFault(
        "JoinGroup refused twice: COORDINATOR_LOAD_IN_PROGRESS",
        "reading",
        fault('fail = "COORDINATOR_LOAD_IN_PROGRESS"', 'api = "JoinGroup"', "times = 2"),
    ),
    ShownFault(
        "SyncGroup refused: REBALANCE_IN_PROGRESS",
        "reading",
        fault('fail = "REBALANCE_IN_PROGRESS"', 'api = "SyncGroup"', "nth = 1"),
    ),
    ShownFault(
        "OffsetCommit refused: ILLEGAL_GENERATION",
        "reading",
        fault('fail = "ILLEGAL_GENERATION"', 'api = "OffsetCommit"'),
    ),
    ShownFault(
        "OffsetCommit refused once: COORDINATOR_LOAD_IN_PROGRESS",
        "reading",
        fault('fail = "COORDINATOR_LOAD_IN_PROGRESS"', 'api = "OffsetCommit"', "nth = 1"),
    ),
    ShownFault("connections reset while it reads", "reading", fault('disconnect = "reset"', "after_ms = 300")),
)
