"""What a rollback leaves behind."""

import pytest
from fakekafka import FakeKafka
from fakekafka.releases.phases import before_upgrade
from fakekafka.releases.release import Release
from fakekafka.upgrade.leftovers import Leftover, leftovers
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)

from tests.support.brokers import answer
from tests.support.seeded import batch, booted, messages, store


def left(kafka: FakeKafka, release: str, **settings: str) -> list[Leftover]:
    return leftovers(kafka.connect().core.cluster, before_upgrade(Release.parse(release), **settings))  # type: ignore[arg-type]


def test_units_of_a_newer_format_stay_with_the_first_offset_of_each() -> None:
    kafka = booted("2.3")
    store(kafka, messages(0, 0), messages(1, 2), batch(4), batch(6))
    assert left(kafka, "2.3") == []
    (newer,) = left(kafka, "2.3", format="0.10.2")
    assert (newer.topic, newer.partition, newer.first_offset, newer.how_many) == ("t", 0, 4, 2)
    first, second = left(kafka, "2.3", format="0.9.0")
    assert (first.first_offset, first.how_many, second.first_offset) == (2, 2, 4)
    assert str(first) == (
        "t-0 from offset 2 on: 2 units of format 1: Fetch 0 to 1 get them unchanged, and clients of that age cannot"
        " read them"
    )


def test_a_release_that_does_not_know_the_format_is_named() -> None:
    kafka = booted("2.3")
    store(kafka, batch(0))
    (newer,) = left(kafka, "0.10.2")
    assert str(newer) == "t-0 from offset 0 on: 1 unit of format 2: 0.10.2.2 does not know this format"


def commit(kafka: FakeKafka, version: int) -> None:
    answer(kafka, FindCoordinatorRequest(key="g"), 0, FindCoordinatorResponse)  # this makes the topic
    partition = OffsetCommitRequestPartition(partition_index=0, committed_offset=5, committed_metadata="")
    topic = OffsetCommitRequestTopic(name="t", partitions=[partition])
    sent = OffsetCommitRequest(group_id="g", topics=[topic])
    (found,) = answer(kafka, sent, version, OffsetCommitResponse).topics
    assert found.partitions[0].error_code == 0


@pytest.mark.parametrize("release", ["2.0", "1.1"])
def test_commits_in_a_newer_layout_are_forgotten(release: str) -> None:
    """OFFSET-VALUE-DOWNGRADE: 2.1 writes version 2 or 3 of the value, older releases read up to 1."""
    kafka = booted("2.3")
    commit(kafka, 2)
    found = left(kafka, release)
    assert [one.topic for one in found] == ["__consumer_offsets"]
    assert "values of version 3" in found[0].what
    assert release in found[0].consequence
    assert "forgets" in found[0].consequence
    assert left(kafka, "2.3") == []


def test_a_level_that_is_too_new_keeps_the_old_release_from_starting() -> None:
    kafka = FakeKafka("4.1").boot()
    (level,) = left(kafka, "3.9")
    assert level.what == "metadata.version 27"
    assert level.consequence.startswith("3.9.2 does not start: ")
    assert str(level) == f"{level.what}: {level.consequence}"
