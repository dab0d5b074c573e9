"""Conditions of commits, in requests that any client can send."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaError
from kafka.structs import OffsetAndMetadata

from tests.support.group_clients import SMALL, Member, coordinator_is_there, simple
from tests.support.seeded import NOW

DRAFT = ["atomic-offset-log"]


def seeded(release: str) -> FakeKafka:
    kafka = FakeKafka(release, config=SMALL, clock=ManualClock(NOW), topics={"t": 8}, drafts=DRAFT).boot()
    coordinator_is_there(kafka)
    return kafka


@pytest.mark.statement("S4-9")
@pytest.mark.parametrize("release", ["0.8.2", "0.10.2", "2.3", "4.3"])
def test_a_commit_counts_only_if_the_current_offset_is_the_expected_one(release: str) -> None:
    kafka = seeded(release)
    consumer = simple(kafka)
    assert consumer.commit(5, metadata="if-offset=-1;first") == [ErrorCode.NONE]
    assert consumer.commit(6, metadata="if-offset=-1;") == [ErrorCode.INVALID_REQUEST]
    assert consumer.commit(6, metadata="if-offset=4;") == [ErrorCode.INVALID_REQUEST]
    assert {place: (c.offset, c.metadata) for place, c in kafka.committed("g").items()} == {("t", 0): (5, "first")}
    assert consumer.commit(6, metadata="if-offset=5;second") == [ErrorCode.NONE]
    assert {place: (c.offset, c.metadata) for place, c in kafka.committed("g").items()} == {("t", 0): (6, "second")}


@pytest.mark.statement("S4-14", "S4-9")
def test_one_condition_that_is_not_met_refuses_the_whole_commit() -> None:
    kafka = seeded("3.8")
    assert simple(kafka).commit(5, metadata="x") == [ErrorCode.NONE]
    done = simple(kafka).commit(6, 7, 8, metadata="if-offset=5;")
    assert done == [ErrorCode.INVALID_REQUEST] * 3
    assert simple(kafka).fetch(0, 1, 2) == [5, -1, -1]


@pytest.mark.parametrize("metadata", ["if-offset=;", "if-offset=5", "if-offset=-2;", "x if-offset=5;"])
def test_other_metadata_is_not_a_condition(metadata: str) -> None:
    kafka = seeded("3.8")
    assert simple(kafka).commit(1, metadata=metadata) == [ErrorCode.NONE]
    assert kafka.committed("g")["t", 0].metadata == metadata


def test_without_the_draft_a_condition_is_metadata() -> None:
    kafka = FakeKafka("3.8", config=SMALL, clock=ManualClock(NOW), topics={"t": 1}).boot()
    coordinator_is_there(kafka)
    assert Member(kafka).commit(1, metadata="if-offset=7;x") == [ErrorCode.NONE]
    assert kafka.committed("g")["t", 0].metadata == "if-offset=7;x"


@pytest.mark.fake_kafka(release="3.9", drafts=["atomic-offset-log"], topics={"t": 1})
def test_an_unmodified_client_commits_under_a_condition(fake_kafka: FakeKafka) -> None:
    consumer = KafkaConsumer(bootstrap_servers=fake_kafka.bootstrap_servers, group_id="g", enable_auto_commit=False)
    place = TopicPartition("t", 0)
    consumer.assign([place])
    try:
        consumer.commit({place: OffsetAndMetadata(5, "if-offset=-1;state", -1)})
        assert consumer.committed(place, metadata=True)[:2] == (5, "state")
        with pytest.raises(KafkaError):
            consumer.commit({place: OffsetAndMetadata(6, "if-offset=4;", -1)})
        assert consumer.committed(place) == 5
    finally:
        consumer.close()
