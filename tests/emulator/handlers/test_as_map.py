"""Requests that name topics without partitions, and topics and partitions twice. Recorded: odd_requests."""

from typing import TypeAlias

import pytest
from fakekafka import FakeKafka
from fakekafka.handlers.as_map import as_map
from fakekafka.wire.apis.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnTopic,
)
from fakekafka.wire.apis.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ReassignablePartition,
    ReassignableTopic,
)
from fakekafka.wire.apis.delete_records import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopic,
)
from fakekafka.wire.apis.elect_leaders import ElectLeadersRequest, ElectLeadersResponse, TopicPartitions
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestTopic, OffsetFetchResponse
from fakekafka.wire.apis.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)

from tests.support.brokers import answer
from tests.support.group_clients import grouped
from tests.support.seeded import booted
from tests.support.transaction_clients import transactional

Rows: TypeAlias = list[tuple[str, list[int]]]

ASKED: Rows = [("nope", []), ("t", [0]), ("t", [0, 9])]
MERGED: Rows = [("t", [0, 9])]


def test_a_map_keeps_what_was_said_last_of_each_partition() -> None:
    asked = [("b", [(0, "first")]), ("a", []), ("c", [(3, "other"), (2, "one")]), ("b", [(1, "more"), (0, "last")])]
    kept = as_map(asked, lambda one: one[0])
    assert kept == [("b", [(0, "last"), (1, "more")]), ("c", [(3, "other"), (2, "one")])]


@pytest.mark.parametrize(("release", "rows"), [("2.6", MERGED), ("2.7", ASKED), ("3.9", ASKED), ("4.0", MERGED)])
def test_list_offsets_keeps_a_map_up_to_2_6_and_from_4_0_on(release: str, rows: Rows) -> None:
    topics = [
        ListOffsetsTopic(name=name, partitions=[ListOffsetsPartition(partition_index=n, timestamp=-2) for n in indexes])
        for name, indexes in ASKED
    ]
    response = answer(booted(release), ListOffsetsRequest(topics=topics), 2, ListOffsetsResponse)
    assert [(t.name, [p.partition_index for p in t.partitions]) for t in response.topics] == rows
    errors = {(p.partition_index, int(p.error_code)) for t in response.topics for p in t.partitions}
    assert errors == {(0, 42), (9, 3)}


@pytest.mark.parametrize(("release", "rows"), [("0.11.0", MERGED), ("2.7", MERGED), ("2.8", ASKED), ("4.3", ASKED)])
def test_offset_for_leader_epoch_keeps_a_map_up_to_2_7(release: str, rows: Rows) -> None:
    topics = [
        OffsetForLeaderTopic(
            topic=name,
            partitions=[
                OffsetForLeaderPartition(partition=n, leader_epoch=0, current_leader_epoch=-1) for n in indexes
            ],
        )
        for name, indexes in ASKED
    ]
    kafka = booted(release)
    version = 2 if release == "4.3" else 0
    response = answer(kafka, OffsetForLeaderEpochRequest(topics=topics), version, OffsetForLeaderEpochResponse)
    assert [(t.topic, [p.partition for p in t.partitions]) for t in response.topics] == rows


@pytest.mark.parametrize(("release", "rows"), [("0.9.0", MERGED), ("3.9", MERGED), ("4.0", ASKED)])
def test_offset_fetch_keeps_a_map_up_to_3_9(release: str, rows: Rows) -> None:
    topics = [OffsetFetchRequestTopic(name=name, partition_indexes=indexes) for name, indexes in ASKED]
    response = answer(grouped(release), OffsetFetchRequest(group_id="g", topics=topics), 1, OffsetFetchResponse)
    assert [(t.name, [p.partition_index for p in t.partitions]) for t in response.topics] == rows


@pytest.mark.parametrize("release", ["0.11.0", "2.8", "4.3"])
def test_delete_records_keeps_a_map_in_every_release(release: str) -> None:
    topics = [
        DeleteRecordsTopic(name=name, partitions=[DeleteRecordsPartition(partition_index=n, offset=0) for n in indexes])
        for name, indexes in ASKED
    ]
    response = answer(booted(release), DeleteRecordsRequest(topics=topics), 0, DeleteRecordsResponse)
    assert [(t.name, [p.partition_index for p in t.partitions]) for t in response.topics] == MERGED


@pytest.mark.parametrize(
    ("release", "mode", "rows"),
    [("2.4", None, MERGED), ("3.9", "zk", MERGED), ("3.3", None, ASKED), ("4.3", None, ASKED)],
)
def test_under_zookeeper_elections_and_reassignments_are_kept_as_a_map(
    release: str, mode: str | None, rows: Rows
) -> None:
    kafka = FakeKafka(release, config={"zookeeper.connect": "here:2181"} if mode else {}, topics={"t": 1}).boot()
    elections = [TopicPartitions(topic=name, partitions=indexes) for name, indexes in ASKED]
    elected = answer(kafka, ElectLeadersRequest(topic_partitions=elections), 0, ElectLeadersResponse)
    results = elected.replica_election_results
    assert [(t.topic, [p.partition_id for p in t.partition_result]) for t in results] == rows
    topics = [
        ReassignableTopic(
            name=name, partitions=[ReassignablePartition(partition_index=n, replicas=[0]) for n in indexes]
        )
        for name, indexes in ASKED
    ]
    request = AlterPartitionReassignmentsRequest(timeout_ms=1000, topics=topics)
    done = answer(kafka, request, 0, AlterPartitionReassignmentsResponse)
    assert [(t.name, [p.partition_index for p in t.partitions]) for t in done.responses] == rows


@pytest.mark.parametrize(("release", "rows"), [("0.11.0", [("t", [0])]), ("3.4", [("t", [0])]), ("3.5", None)])
def test_add_partitions_to_txn_keeps_a_list_from_3_5_on(release: str, rows: Rows | None) -> None:
    asked: Rows = [("nope", []), ("t", [0, 0]), ("t", [0])]
    topics = [AddPartitionsToTxnTopic(name=name, partitions=indexes) for name, indexes in asked]
    request = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id="x", v3_and_below_producer_id=7, v3_and_below_topics=topics
    )
    response = answer(transactional(release), request, 0, AddPartitionsToTxnResponse)
    found = response.results_by_topic_v3_and_below
    assert [(t.name, [p.partition_index for p in t.results_by_partition]) for t in found] == (rows or asked)
