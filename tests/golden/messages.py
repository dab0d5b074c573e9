"""Requests and answers of a recording as messages: decoding, and putting the values of this run into a request."""

from collections.abc import Callable
from typing import Any

from fakekafka.binary import crc32c
from fakekafka.errors import MalformedBytes
from fakekafka.ids import ApiKey
from fakekafka.records import scan
from fakekafka.records.v2 import ATTRIBUTES_AT, CRC_AT, RecordBatch
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.frames import RequestHeader, ResponseHeader, request_header_version, response_header_version
from fakekafka.wire.message import Request, Response

from tests.golden.paths import set_value_at, value_at
from tests.golden.transcript import Exchange, Ref
from tests.golden.units import sent_payloads

PRODUCER_ID_AT = 43
UNSUPPORTED_VERSION = b"\x00\x23"

Lookup = Callable[[Ref], Any]
"""The value of this run that a reference means; None if there is no value."""


def answer_layout(exchange: Exchange, frame: bytes) -> int:
    """The version whose layout an answer has. A refusal of ApiVersions always has that of version 0 (KIP-511)."""
    if exchange.api_key != ApiKey.API_VERSIONS:
        return exchange.answer_version
    return 0 if frame[4:6] == UNSUPPORTED_VERSION else exchange.layout


def decode_answer(exchange: Exchange, frame: bytes) -> tuple[int, Response, bytes]:
    """The correlation id, the answer, and the bytes left over after it. Raises `MalformedBytes`."""
    assert exchange.api_key is not None
    cls, version = response_class(ApiKey(exchange.api_key)), answer_layout(exchange, frame)
    header, at = decode(ResponseHeader, response_header_version(cls, version), frame)
    answer, end = decode(cls, version, frame, at)
    return header.correlation_id, answer, frame[end:]


def decode_request(exchange: Exchange) -> Request | None:
    """The request, if it can be decoded."""
    if exchange.api_key is None:
        return None
    cls = request_class(ApiKey(exchange.api_key))
    try:
        return _request(cls, exchange.layout, exchange.request)[0]
    except MalformedBytes:
        return None


def request_with(exchange: Exchange, lookup: Lookup) -> bytes:
    """The request with its references resolved; the recorded bytes where that changes nothing."""
    values = [(ref, lookup(ref)) for ref in exchange.refs]
    if all(value is None for _, value in values):
        return exchange.request
    assert exchange.api_key is not None
    cls, version = request_class(ApiKey(exchange.api_key)), exchange.layout
    message, start = _request(cls, version, exchange.request)
    for ref, value in values:
        if value is not None and ref.batch is not None:
            value = _with_producer_id(bytes(value_at(message, ref.path)), ref.batch, value)
        if value is not None:
            set_value_at(message, ref.path, value)
    return exchange.request[:start] + encode_bytes(message, version)


def request_start(exchange: Exchange) -> int:
    """Where the body begins in the frame of a request."""
    assert exchange.api_key is not None
    return _request(request_class(ApiKey(exchange.api_key)), exchange.layout, exchange.request)[1]


def compressed_in(exchange: Exchange, request: bytes) -> set[bytes]:
    """The compressed streams that a Produce request carries."""
    if exchange.api_key != ApiKey.PRODUCE:
        return set()
    try:
        message: Any = _request(request_class(ApiKey.PRODUCE), exchange.layout, request)[0]
    except MalformedBytes:
        return set()
    partitions = [p for topic in message.topic_data for p in topic.partition_data]
    return {stream for p in partitions if p.records for stream in sent_payloads(p.records)}


def _request(cls: type[Request], version: int, frame: bytes) -> tuple[Request, int]:
    """The request in a frame, and where its body begins. Raises `MalformedBytes`."""
    _, start = decode(RequestHeader, request_header_version(cls, version), frame)
    return decode(cls, version, frame, start)[0], start


def _with_producer_id(records: bytes, position: int, producer_id: int) -> bytes:
    """Record bytes with another producer id in the batch at `position`. A right checksum stays right."""
    data = bytearray(records)
    size = int.from_bytes(data[position + 8 : position + 12], "big") + scan.LOG_OVERHEAD
    unit = memoryview(data)[position : position + size]
    was_right = RecordBatch(bytes(unit)).crc_ok()
    unit[PRODUCER_ID_AT : PRODUCER_ID_AT + 8] = producer_id.to_bytes(8, "big", signed=True)
    if was_right:
        unit[CRC_AT:ATTRIBUTES_AT] = crc32c(unit[ATTRIBUTES_AT:]).to_bytes(4, "big")
    return bytes(data)
