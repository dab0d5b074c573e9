"""Losses are found by content."""

from collections.abc import Callable

import pytest
from fakekafka import FakeKafka
from fakekafka.admin.record_deletion import delete_records
from fakekafka.rehearsal.contents import contents_of, lost, removed_at_the_start

from tests.support.seeded import booted, broker_of


def compacted() -> FakeKafka:
    return booted("2.3", cleanup_policy="compact")


def test_records_that_come_are_not_a_loss() -> None:
    kafka = booted("2.3")
    kafka.send("t", b"1")
    before = contents_of(kafka)
    kafka.send("t", b"2")
    after = contents_of(kafka)
    assert (before.how_many, after.how_many, lost(before, after, idle=True)) == (1, 2, [])
    assert [str(one) for one in lost(after, before, idle=True)] == ["t-0: 1 record from offset 1 on gone"]


@pytest.mark.parametrize("change", [{"value": b"2"}, {"key": b"k"}, {"headers": [("h", b"")]}, {"timestamp": 2}])
def test_a_record_is_its_key_value_headers_and_timestamp(change: dict[str, object]) -> None:
    found = []
    for changed in ({}, change):
        kafka = booted("2.3")
        kafka.send("t", **{"value": b"1", "timestamp": 1, **changed})  # type: ignore[arg-type]  # one of the cases
        found.append(contents_of(kafka))
    assert [str(one) for one in lost(*found, idle=True)] == ["t-0: 1 record from offset 0 on not what they were"]


def test_a_topic_that_is_gone_is_a_loss() -> None:
    kafka = booted("2.3")
    kafka.send("t", b"1")
    before = contents_of(kafka)
    kafka.delete_topic("t")
    (one,) = lost(before, contents_of(kafka), idle=False)
    assert str(one) == "t-0: the partition is gone, with 1 records"


def test_records_removed_at_the_start_of_a_log_are_counted() -> None:
    kafka = booted("2.3")
    for value in (b"1", b"2", b"3"):
        kafka.send("t", value)
    before = contents_of(kafka)
    delete_records(broker_of(kafka), "t", 0, 2)
    after = contents_of(kafka)
    assert (lost(before, after, idle=True), removed_at_the_start(before, after)) == ([], 2)


def _deleted(send: Callable[[bytes, bytes | None], object]) -> None:
    send(b"a", b"1")
    send(b"a", None)


def _replaced(send: Callable[[bytes, bytes | None], object]) -> None:
    send(b"a", b"1")
    send(b"a", b"2")


@pytest.mark.parametrize("story", [_deleted, _replaced])
def test_records_that_compaction_replaces_are_not_lost(
    story: Callable[[Callable[[bytes, bytes | None], object]], None],
) -> None:
    kafka = compacted()
    story(lambda key, value: kafka.send("t", value, key))
    before = contents_of(kafka)
    kafka.compact("t", roll=True)
    after = contents_of(kafka)
    assert (before.how_many, after.how_many) == (2, 1)
    assert lost(before, after, idle=True) == []


def test_the_last_record_of_a_key_is_lost_when_it_goes_even_from_a_compacted_topic() -> None:
    kafka = compacted()
    kafka.send("t", b"1", b"a")
    before = contents_of(kafka)._replace(commits={})
    with_more = compacted()
    assert [str(one) for one in lost(before, contents_of(with_more), idle=True)] == [
        "t-0: 1 record from offset 0 on gone"
    ]


def test_a_commit_may_move_but_not_vanish_while_clients_run() -> None:
    before = contents_of(booted("2.3"))._replace(commits={("g", "t", 0): 5})
    moved, gone = before._replace(commits={("g", "t", 0): 6}), before._replace(commits={})
    assert lost(before, moved, idle=False) == []
    assert [str(one) for one in lost(before, moved, idle=True)] == ["group g, t-0: the commit went from 5 to 6"]
    assert [str(one) for one in lost(before, gone, idle=False)] == ["group g, t-0: the commit of 5 is gone"]
