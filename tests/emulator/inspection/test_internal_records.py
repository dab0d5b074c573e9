"""What records of internal topics mean; bytes without a meaning stay bytes."""

import pytest
from fakekafka.inspection.internal_records import METADATA, READERS, control_meaning, meaning
from fakekafka.records import control
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.wire.codec import encode_bytes
from fakekafka.wire.internal.cluster_metadata import RemoveTopicRecord
from fakekafka.wire.internal.consumer_offsets import OffsetCommitKey, OffsetCommitValue
from fakekafka.wire.internal.transaction_state import TransactionLogKey, TransactionLogValue
from hypothesis import given
from hypothesis import strategies as st


def record(key: bytes | None, value: bytes | None) -> Record:
    return Record(0, -1, 0, key, value)


def numbered(number: int, data: bytes) -> bytes:
    return number.to_bytes(2, "big") + data


def test_a_committed_offset_has_its_fields() -> None:
    key = numbered(1, encode_bytes(OffsetCommitKey(group="g", topic="t", partition=3), 0))
    value = numbered(3, encode_bytes(OffsetCommitValue(offset=7, leader_epoch=2, metadata="m", commit_timestamp=9), 3))
    assert meaning("__consumer_offsets", record(key, value)) == {
        "key": {"OffsetCommitKey": {"group": "g", "topic": "t", "partition": 3}},
        "value": {"OffsetCommitValue": {"offset": 7, "leader_epoch": 2, "metadata": "m", "commit_timestamp": 9}},
    }
    assert meaning("__consumer_offsets", record(key, None)) == {
        "key": {"OffsetCommitKey": {"group": "g", "topic": "t", "partition": 3}}, "value": None,
    }  # fmt: skip


def test_only_the_fields_of_the_version_are_shown() -> None:
    key = numbered(0, encode_bytes(TransactionLogKey(transactional_id="x"), 0))
    told = []
    for version in (0, 1):
        value = numbered(version, encode_bytes(TransactionLogValue(transaction_partitions=None), version))
        found = meaning("__transaction_state", record(key, value))
        assert found is not None
        told.append(str(found["value"]))
    assert "next_producer_id" not in told[0]
    assert "next_producer_id" in told[1]


def test_a_record_of_the_metadata_log_has_its_fields() -> None:
    value = bytes([1, 9, 0]) + encode_bytes(RemoveTopicRecord(topic_id=bytes(15) + b"\1"), 0)
    assert meaning(METADATA, record(None, value)) == {
        "value": {"RemoveTopicRecord": {"topic_id": "AAAAAAAAAAAAAAAAAAAAAQ"}, "version": 0}
    }


@pytest.mark.parametrize(("commit", "name"), [(True, "COMMIT"), (False, "ABORT")])
def test_a_transaction_marker_has_its_fields(commit: bool, name: str) -> None:
    data = control.end_transaction(
        offset=0, timestamp=0, producer_id=1, producer_epoch=0, coordinator_epoch=4, leader_epoch=0, commit=commit
    )
    (batch,) = batches(data)
    (found,) = batch.records()
    assert control_meaning(found) == {"key": {"control": name}, "value": {"coordinator_epoch": 4}}


def test_records_of_other_topics_have_no_meaning() -> None:
    assert meaning("orders", record(b"\0\1", b"\0\0")) is None


@given(st.sampled_from(sorted(READERS)), st.none() | st.binary(max_size=40), st.none() | st.binary(max_size=40))
def test_bytes_that_mean_nothing_are_not_an_error(topic: str, key: bytes | None, value: bytes | None) -> None:
    assert isinstance(meaning(topic, record(key, value)), dict | None)
    assert isinstance(control_meaning(record(key, value)), dict | None)
