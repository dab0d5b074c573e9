"""The expected answers were asked of brokers: 2.3.1, 2.5.1, 2.8.2, 3.0.2, 3.9.1, 4.1.1 and 4.3.1."""

import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.internal_topics import Producer
from fakekafka.coordinators.groups.offsets.commits import Commit
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.transactions.transaction import State
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
)

from tests.support.brokers import answer
from tests.support.consumer_group_clients import ConsumerMember
from tests.support.group_clients import Member, settled, simple
from tests.support.group_clients import coordinator_is_there as offsets_topic_is_there
from tests.support.seeded import broker_of, partition_of
from tests.support.transaction_clients import TransactionalProducer, known, state_of, transactional

E = ErrorCode


def with_offsets(release: str = "2.8", **config: str) -> FakeKafka:
    """A broker on which both coordinators are available."""
    kafka = transactional(release, partitions=2, brokers=1, **config)
    offsets_topic_is_there(kafka)
    return kafka


def in_group(kafka: FakeKafka, group: str = "g") -> TransactionalProducer:
    """A producer whose transaction includes the group's offsets."""
    producer = TransactionalProducer(kafka).initialised()
    assert producer.add_offsets(group) is E.NONE
    return producer


@pytest.mark.parametrize("commit", [True, False])
@pytest.mark.parametrize(
    ("release", "versions"),
    [("0.11.0", [0]), ("2.3", [0, 1, 2]), ("2.8", [0, 2, 3]), ("3.9", [0, 3, 4]), ("4.3", [0, 3, 4, 5])],
)
def test_committed_offsets_of_a_transaction_count_from_its_marker_on(
    release: str, versions: list[int], commit: bool
) -> None:
    kafka = with_offsets(release)
    reader = simple(kafka)
    before = -1
    for offset, version in enumerate(versions, 10):
        producer = in_group(kafka)
        assert producer.commit_offset(offset, version=version) is E.NONE
        assert reader.fetch(0) == [before]
        assert producer.end(commit) is E.NONE
        before = offset if commit else -1
        assert reader.fetch(0) == [before]


def test_a_fetch_of_stable_offsets_gets_an_error_while_offsets_are_pending() -> None:
    kafka = with_offsets()
    in_group(kafka).commit_offset(7)
    topic = OffsetFetchRequestTopic(name="t", partition_indexes=[0, 1])
    asked = OffsetFetchRequest(group_id="g", topics=[topic], require_stable=True)
    (found,) = answer(kafka, asked, 7, OffsetFetchResponse).topics
    assert [(p.committed_offset, p.error_code) for p in found.partitions] == [(-1, E.UNSTABLE_OFFSET_COMMIT), (-1, 0)]


def test_a_fetch_of_stable_offsets_of_several_groups_gets_an_error_while_offsets_are_pending() -> None:
    kafka = with_offsets("4.3")
    in_group(kafka).commit_offset(7)
    group = OffsetFetchRequestGroup(group_id="g", topics=[OffsetFetchRequestTopics(name="t", partition_indexes=[0])])
    asked = OffsetFetchRequest(groups=[group], require_stable=True)
    (found,) = answer(kafka, asked, 9, OffsetFetchResponse).groups[0].topics
    assert [p.error_code for p in found.partitions] == [E.UNSTABLE_OFFSET_COMMIT]


def test_unknown_topics_and_partitions_are_errors() -> None:
    kafka = with_offsets()
    producer = in_group(kafka)
    assert producer.commit_offset(7, place=("nope", 0)) is E.UNKNOWN_TOPIC_OR_PARTITION
    assert producer.commit_offset(7, place=("t", 9)) is E.UNKNOWN_TOPIC_OR_PARTITION


def test_a_commit_is_refused_where_another_broker_coordinates_the_group() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    assert producer.commit_offset(7) is E.NOT_COORDINATOR


@pytest.mark.parametrize(
    ("release", "version", "error"),
    [("2.3", 1, 14), ("2.3", 2, 14), ("2.8", 1, 15), ("2.8", 2, 14), ("4.3", 0, 15), ("4.3", 3, 14)],
)
def test_a_commit_while_the_group_is_loaded_is_an_error(release: str, version: int, error: int) -> None:
    kafka = with_offsets(release)
    producer = in_group(kafka)
    coordinators_of(broker_of(kafka)).groups.loading.add(0)
    assert producer.commit_offset(7, version=version) == error


@pytest.mark.parametrize(("release", "makes_group"), [("3.9", True), ("4.1", False), ("4.3", False)])
def test_only_scala_coordinators_create_a_group_for_a_commit_that_cannot_be_written(
    release: str, makes_group: bool
) -> None:
    """Java coordinators create it as they replay the record (OffsetMetadataManager), and undo that if a write fails."""
    kafka = with_offsets(release)
    producer = in_group(kafka)
    partition = partition_of(kafka, topic="__consumer_offsets")
    partition.min_in_sync = 2
    assert producer.commit_offset(1) is E.COORDINATOR_NOT_AVAILABLE
    assert coordinators_of(broker_of(kafka)).groups.knows("g") is makes_group
    partition.min_in_sync = 1
    assert producer.commit_offset(1) is E.NONE
    assert coordinators_of(broker_of(kafka)).groups.knows("g")


# ---- who commits (KIP-447)


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("2.3", {"nobody": 0, "member": 0, "generation": 0, "instance": 0}),
        ("2.5", {"nobody": 0, "member": 25, "generation": 22, "instance": 0}),
        ("2.8", {"nobody": 0, "member": 25, "generation": 22, "instance": 0}),
        ("3.0", {"nobody": 0, "member": 25, "generation": 25, "instance": 25}),
        ("3.9", {"nobody": 0, "member": 0, "generation": 25, "instance": 0}),
        ("4.3", {"nobody": 0, "member": 0, "generation": 22, "instance": 0}),
    ],
)
def test_commits_into_a_group_without_members_are_checked_by_release(release: str, expected: dict[str, int]) -> None:
    kafka = with_offsets(release)
    producer = TransactionalProducer(kafka).initialised()
    for group in expected:
        producer.add_offsets(group)
    found = {
        "nobody": producer.commit_offset(1, "nobody"),
        "member": producer.commit_offset(1, "member", member="m"),
        "generation": producer.commit_offset(1, "generation", generation=5),
        "instance": producer.commit_offset(1, "instance", instance="i"),
    }
    assert found == expected


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("2.3", [0, 0, 0, 0, 0, 0]),
        ("2.5", [0, 0, 0, 22, 25, 0]),
        ("2.8", [0, 0, 0, 22, 25, 0]),
        ("3.9", [0, 0, 22, 22, 25, 25]),
        ("4.3", [0, 0, 22, 22, 25, 25]),
    ],
)
def test_commits_into_a_group_with_members_are_checked_by_release(release: str, expected: list[int]) -> None:
    kafka = with_offsets(release)
    member = Member(kafka)
    settled(member)
    producer = in_group(kafka)
    generation, who = member.generation, member.id
    assert [
        producer.commit_offset(1, generation=generation, member=who),
        producer.commit_offset(1),
        producer.commit_offset(1, member=who),
        producer.commit_offset(1, generation=generation - 1, member=who),
        producer.commit_offset(1, member="stranger"),
        producer.commit_offset(1, generation=generation),
    ] == expected


def test_a_replaced_static_member_is_fenced() -> None:
    kafka = with_offsets()
    first, second = Member(kafka, instance_id="i"), Member(kafka, instance_id="i")
    settled(first)
    second.join()
    producer = in_group(kafka)
    error = producer.commit_offset(1, generation=second.generation, member=first.id, instance="i")
    assert error is E.FENCED_INSTANCE_ID


# ---- which transaction (KIP-890)


@pytest.mark.parametrize(
    ("release", "version", "error"),
    [("2.8", 3, 0), ("3.6", 3, 0), ("3.7", 3, 48), ("3.9", 3, 48), ("3.9", 4, 120), ("4.3", 4, 120), ("4.3", 5, 0)],
)
def test_a_group_that_is_not_in_the_transaction_is_refused_added_or_ignored(
    release: str, version: int, error: int
) -> None:
    kafka = with_offsets(release)
    producer = TransactionalProducer(kafka).initialised()
    assert producer.commit_offset(7, version=version) == error
    assert state_of(kafka) is (State.ONGOING if version == 5 else State.EMPTY)


def test_from_version_5_on_a_commit_adds_the_group_to_the_transaction() -> None:
    kafka = with_offsets("4.3")
    producer = TransactionalProducer(kafka).initialised()
    producer.commit_offset(7, version=5)
    assert known(kafka).partitions == (("__consumer_offsets", 0),)
    assert producer.end(version=5) is E.NONE
    assert simple(kafka).fetch(0) == [7]


@pytest.mark.parametrize(
    ("transactional_id", "identity", "error"), [("nobody", (0, 0), 49), ("x", (9, 0), 49), ("x", (0, 9), 47)]
)
def test_a_commit_for_another_producers_transaction_is_refused(
    transactional_id: str, identity: tuple[int, int], error: int
) -> None:
    kafka = with_offsets("3.9")
    producer = TransactionalProducer(kafka).initialised()
    producer.transactional_id = transactional_id
    producer.id, producer.epoch = identity
    assert producer.commit_offset(7) == error


@pytest.mark.parametrize(("behind", "error"), [(-1, 22), (0, 0), (1, 22)])
def test_a_member_of_a_consumer_group_commits_with_its_epoch(behind: int, error: int) -> None:
    kafka = with_offsets("4.3")
    member = ConsumerMember(kafka)
    member.join()
    producer = in_group(kafka)
    assert producer.commit_offset(7, version=5, generation=member.epoch - behind, member=member.id) == error
    assert producer.commit_offset(7, version=5, generation=member.epoch, member="nobody") == ErrorCode.UNKNOWN_MEMBER_ID


@pytest.mark.parametrize(("release", "error"), [("0.11.0", 0), ("2.3", 0), ("2.4", 47), ("2.8", 47), ("3.9", 47)])
def test_from_2_4_on_a_commit_with_an_old_producer_epoch_is_refused(release: str, error: int) -> None:
    kafka = with_offsets(release)
    old = in_group(kafka)
    old.commit_offset(7)
    second = TransactionalProducer(kafka).initialised()
    second.add_offsets()
    assert second.commit_offset(8) is E.NONE
    assert old.commit_offset(9) == error


def test_an_inter_broker_protocol_without_transactions_refuses_commits() -> None:
    kafka = with_offsets("2.3", inter_broker_protocol_version="0.10.2", log_message_format_version="0.10.2")
    assert TransactionalProducer(kafka).commit_offset(7, version=0) is E.UNSUPPORTED_VERSION


@pytest.mark.parametrize(("release", "committed"), [("2.3.1", [-1, -1]), ("3.7.0", [-1, -1]), ("3.7.1", [5, -1])])
def test_up_to_3_7_0_a_refused_offset_keeps_others_from_being_committed(release: str, committed: list[int]) -> None:
    """KAFKA-16371. Recorded from 2.3.1 to 3.7.1: patch_questions."""
    kafka = with_offsets(release, **{"offset.metadata.max.bytes": "16"})
    producer = in_group(kafka)
    commits = [Commit("t", n, Committed(5, -1, metadata, 0)) for n, metadata in enumerate(("m", "x" * 17))]
    manager = coordinators_of(broker_of(kafka)).groups.offset_manager
    assert manager.store("g", commits, Producer(producer.id, producer.epoch)) == [E.NONE, E.OFFSET_METADATA_TOO_LARGE]
    assert producer.end(True) is E.NONE
    assert simple(kafka).fetch(0, 1) == committed
    kafka.restart()
    assert simple(kafka).fetch(0, 1) == [5, -1]
