"""Messages as plain data."""

import json

import pytest
from fakekafka.errors import UsageError
from fakekafka.ids import ApiKey
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.plain import from_plain, to_plain

FIELDS = {
    "transactional_id": None,
    "acks": -1,
    "timeout_ms": 1000,
    "topic_data": [{"name": "t", "partition_data": [{"index": 0, "records": {"$hex": "0102"}}]}],
}


def test_a_message_becomes_plain_data_and_comes_back() -> None:
    cls = request_class(ApiKey.PRODUCE)
    message = from_plain(cls, FIELDS)
    assert to_plain(message, 3) == FIELDS
    assert json.loads(json.dumps(to_plain(message, 3))) == FIELDS
    assert decode(cls, 3, encode_bytes(message, 3))[0] == message


def test_fields_of_other_versions_are_left_out() -> None:
    assert "transactional_id" not in to_plain(from_plain(request_class(ApiKey.PRODUCE), FIELDS), 2)


def test_bytes_may_be_given_as_they_are() -> None:
    part = {"index": 0, "records": b"\x01\x02"}
    message = from_plain(request_class(ApiKey.PRODUCE), {"topic_data": [{"name": "t", "partition_data": [part]}]})
    assert bytes(message.topic_data[0].partition_data[0].records) == b"\x01\x02"


def test_records_in_pieces_are_joined() -> None:
    part = {"partition_index": 0}
    message = from_plain(response_class(ApiKey.FETCH), {"responses": [{"topic": "t", "partitions": [part]}]})
    message.responses[0].partitions[0].records = [b"\x01", memoryview(b"\x02")]
    assert to_plain(message, 4)["responses"][0]["partitions"][0]["records"] == {"$hex": "0102"}


def test_data_that_does_not_fit_is_refused() -> None:
    with pytest.raises(UsageError, match="ProduceRequest has no field 'ack'; it has "):
        from_plain(request_class(ApiKey.PRODUCE), {"ack": 1})
    with pytest.raises(UsageError, match="a int16 is not a group of fields"):
        from_plain(request_class(ApiKey.PRODUCE), {"acks": {"a": 1}})
