"""Requests and answers of recordings as messages."""

from dataclasses import replace
from typing import Any

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.records.v2 import RecordBatch

from tests.golden.messages import compressed_in, decode_answer, decode_request, request_with
from tests.golden.paths import set_value_at, value_at
from tests.golden.transcript import Exchange, Ref, load

TRANSACTIONS = [line for line in load("2.3.1-transactions").lines if isinstance(line, Exchange)]


def referring(*, batch: bool) -> Exchange:
    return next(x for x in TRANSACTIONS if x.refs and (x.refs[0].batch is not None) == batch)


def test_a_request_without_new_values_is_sent_as_recorded() -> None:
    asked = referring(batch=False)
    assert request_with(asked, lambda ref: None) is asked.request


def test_the_recorded_values_give_the_recorded_bytes() -> None:
    for asked in (x for x in TRANSACTIONS if x.refs):
        message: Any = decode_request(asked)

        def recorded(ref: Ref, message: Any = message) -> Any:
            value = value_at(message, ref.path)
            return value if ref.batch is None else RecordBatch(value[ref.batch :]).producer_id

        assert request_with(asked, recorded) == asked.request


def test_referenced_values_are_put_into_the_request() -> None:
    asked = referring(batch=False)
    message = decode_request(replace(asked, request=request_with(asked, lambda ref: 777)))
    assert message is not None
    assert value_at(message, asked.refs[0].path) == 777


def test_a_producer_id_in_a_batch_gets_a_right_checksum() -> None:
    asked = referring(batch=True)
    message: Any = decode_request(replace(asked, request=request_with(asked, lambda ref: 777)))
    batch = RecordBatch(message.topic_data[0].partition_data[0].records)
    assert batch.producer_id == 777
    assert batch.crc_ok()


def test_a_refusal_of_api_versions_has_the_layout_of_version_0() -> None:
    refused = next(x for x in load("3.9.1-handshake").lines if isinstance(x, Exchange) and x.api_version == 99)
    assert isinstance(refused.outcome, bytes)
    correlation_id, answer, rest = decode_answer(refused, refused.outcome)
    assert (correlation_id, value_at(answer, "error_code"), rest) == (1, 35, b"")


def test_cut_answers_are_malformed() -> None:
    asked = TRANSACTIONS[0]
    assert isinstance(asked.outcome, bytes)
    with pytest.raises(MalformedBytes):
        decode_answer(asked, asked.outcome[:5])


def test_compressed_streams_of_a_produce_request_are_known() -> None:
    produced = [x for x in load("2.3.1-produce_formats").lines if isinstance(x, Exchange) and x.api_key == 0]
    found = [stream for x in produced for stream in compressed_in(x, x.request)]
    assert any(stream.startswith(b"\x1f\x8b") for stream in found)
    assert all(compressed_in(x, x.request[:20]) == set() for x in produced)


def test_values_are_found_and_replaced_by_path() -> None:
    asked = next(x for x in TRANSACTIONS if x.api_key == 24)
    message: Any = decode_request(asked)
    path = "v3_and_below_topics[0].partitions[0]"
    assert value_at(message, path) == message.v3_and_below_topics[0].partitions[0]
    set_value_at(message, path, 9)
    assert value_at(message, path) == 9
    with pytest.raises(IndexError):
        value_at(message, "v3_and_below_topics[9]")
    with pytest.raises(AttributeError):
        value_at(message, "nothing")
