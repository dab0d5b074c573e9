"""Faults met by a consumer of a group."""

from typing import Final

from fakekafka import FakeKafka

from tests.client_faults.shown_fault import ShownFault, fault

DAMAGED: Final = """\
kafka-python 3.0.12 never returns from the poll after the one that raised `CorruptRecordError`. It keeps what it could
not read, and asks it for records again and again: its generator has ended with the exception, gives nothing more, and
is not marked as empty either, so `Fetcher.fetched_records` goes round without sending anything. The broker can do
nothing about it: with a real 2.3.1 behind a proxy that changes one byte of an answer it did the same. A program gets
on by `seek` past the record before it polls again. A cut only shortens the set: what is missing is fetched again."""


CHANCE: Final = """\
Whether kafka-python 3.0.12 raises `GroupAuthorizationFailedError` of one JoinGroup, or joins again without a word, is
chance: at 4.3 both were seen."""


def damage_the_first(kafka: FakeKafka) -> None:
    kafka.damage("orders", offset=0)


def move_the_coordinator(kafka: FakeKafka) -> None:
    (group,) = kafka.groups().values()
    kafka.faults.move_coordinator(group="shop", to=1 - group.coordinator)


def refused(api: str, error: str, *, times: int = 2) -> ShownFault:
    how_often = {1: "once", 2: "twice", 0: "always"}[times]
    lines = (f"times = {times}",) if times else ()
    return ShownFault(
        f"{api} refused {how_often}: {error}",
        "reading",
        fault(f'fail = "{error}"', f'api = "{api}"', *lines),
        note=CHANCE if error == "GROUP_AUTHORIZATION_FAILED" else "",
    )


WHILE_READING: Final = (
    refused("Fetch", "NOT_LEADER_OR_FOLLOWER"),
    refused("Fetch", "OFFSET_OUT_OF_RANGE", times=1),
    refused("FindCoordinator", "COORDINATOR_NOT_AVAILABLE"),
    refused("JoinGroup", "COORDINATOR_LOAD_IN_PROGRESS"),
    refused("JoinGroup", "GROUP_AUTHORIZATION_FAILED", times=1),
    refused("SyncGroup", "REBALANCE_IN_PROGRESS", times=1),
    refused("OffsetCommit", "ILLEGAL_GENERATION", times=0),
    refused("OffsetCommit", "COORDINATOR_LOAD_IN_PROGRESS", times=1),
    ShownFault("Fetch answered and lost", "reading", fault('lose_answer = "close"', 'api = "Fetch"', "nth = 1")),
    ShownFault("OffsetCommit never answered, once", "reading", fault("drop = true", 'api = "OffsetCommit"', "nth = 1")),
    *(
        ShownFault(
            f"records damaged on their way to the client, once: {how}",
            "reading",
            fault(f'corrupt = "{how}"', 'api = "Fetch"', "nth = 1"),
            note="" if how == "cut" else DAMAGED,
        )
        for how in ("flip a byte", "bad crc", "cut")
    ),
    ShownFault(
        "a batch damaged on the disk",
        "reading",
        call=damage_the_first,
        said='kafka.damage("orders", offset=0)',
        note=DAMAGED,
    ),
    ShownFault("files that cannot be read", "reading", fault('read_error = "*.log"')),
    ShownFault(
        "FindCoordinator names the wrong broker, twice",
        "reading",
        fault("mislead = true", 'api = "FindCoordinator"', "coordinator = 1", "times = 2"),
        brokers=2,
    ),
    ShownFault("connections are reset", "reading", fault('disconnect = "reset"'), midway=True),
    ShownFault("connections are half open", "reading", fault('disconnect = "silence"'), midway=True),
    ShownFault("the leader moves", "reading", fault("move_leader = 1", 'topic = "orders"'), midway=True, brokers=2),
    ShownFault(
        "the coordinator moves",
        "reading",
        call=move_the_coordinator,
        said='kafka.faults.move_coordinator(group="shop", to=other)  # a broker that does not coordinate it',
        midway=True,
        brokers=2,
    ),
)
