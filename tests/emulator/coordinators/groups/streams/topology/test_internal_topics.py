"""Internal topics are created, or members are told why not."""

from tests.support.group_clients import clock_of
from tests.support.seeded import broker_of
from tests.support.streams_group_clients import STATEFUL, StreamsMember, internal, part, plan, streaming


def words(member: StreamsMember) -> str:
    (status,) = member.beat().status or []
    return status.status_detail


def test_the_second_heartbeat_finds_topics_that_the_first_had_created() -> None:
    member = StreamsMember(streaming(), topology=STATEFUL)
    (status,) = member.join().status or []
    assert (status.status_code, status.status_detail) == (3, "Internal topics are missing: t-changelog")
    assert len(broker_of(member.kafka).cluster.topics["t-changelog"].partitions) == 4
    assert member.beat().status == []
    assert len(member.active) == 4


def test_topics_that_cannot_be_created_are_reported_for_two_heartbeats() -> None:
    changelogs = [internal("bad", configs={"retention.ms": "x"}), internal("good")]
    member = StreamsMember(streaming(), topology=plan(part("0", ["t"], changelogs=changelogs)))
    member.join()
    assert "good" in broker_of(member.kafka).cluster.topics
    failed = "; Creation failed: bad (Invalid value x for configuration retention.ms: Not a number of type LONG)."
    assert words(member) == f"Internal topics are missing: bad{failed}"
    clock_of(member.kafka).advance(10_000)
    assert words(member) == "Internal topics are missing: bad", "it is tried again"
    assert words(member).endswith(failed)


def test_at_most_three_failures_are_reported() -> None:
    changelogs = [internal(f"bad-{n}", configs={"no.such": "1"}) for n in range(5)]
    member = StreamsMember(streaming(), topology=plan(part("0", ["t"], changelogs=changelogs)))
    member.join()
    said = words(member)
    assert said.count("Unknown topic config name: no.such") == 3
    assert said.endswith(" and 2 more.")
