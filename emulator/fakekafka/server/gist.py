"""What a request is about, in a few words: the part of it that matters to a person who reads a list of requests."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from fakekafka.faults.seen import names_of
from fakekafka.faults.subjects import subjects
from fakekafka.handlers.call import Call
from fakekafka.ids import ApiKey
from fakekafka.pieces import size_of
from fakekafka.security.principal import ANONYMOUS
from fakekafka.wire.message import Request

MOST: Final = 5
"""How many topics, groups, … are named; further ones are only counted."""
TOLD: Final = ("acks", "transaction_result", "member_id", "generation_id", "member_epoch", "max_wait_ms", "committed")
"""Top-level fields of requests that matter, if they are set."""


def gist(call: Call, request: Request) -> str:
    """ "orders-0, orders-1, 3 kB of records, acks=-1": topics, groups, offsets and whatever else there is."""
    return ", ".join(_parts(call, request))


def _parts(call: Call, request: Request) -> Iterator[str]:
    named = subjects(request, names_of(call.broker))
    yield from _some(list(named.groups), "group ")
    yield from _some(list(named.transactional_ids), "transactional id ")
    offsets = dict(_offsets(call.key, request))
    places = [
        (place.topic if place.partition is None else f"{place.topic}-{place.partition}") for place in named.places
    ]
    yield from _some([f"{place}{offsets.get(place, '')}" for place in dict.fromkeys(places)])
    if call.key is ApiKey.PRODUCE:
        yield f"{_records_bytes(request)} bytes of records"
    if call.key is ApiKey.SASL_HANDSHAKE:
        yield getattr(request, "mechanism", "")
    elif call.key is ApiKey.SASL_AUTHENTICATE and call.principal != ANONYMOUS:
        yield f"as {call.principal}"
    for name in TOLD:
        value = getattr(request, name, None) if name in request.FIELDS else None
        if value not in (None, "", 0) or (name == "acks" and value == 0):
            yield f"{name}={value!r}"


def _some(texts: list[str], before: str = "") -> Iterator[str]:
    yield from (f"{before}{text}" for text in islice(texts, MOST))
    if len(texts) > MOST:
        yield f"{len(texts) - MOST} more"


def _offsets(key: ApiKey, request: Any) -> Iterator[tuple[str, str]]:
    """Where a Fetch begins, and what an OffsetCommit commits, by partition."""
    if key is ApiKey.FETCH:
        yield from (
            (f"{t.topic}-{p.partition}", f" from {p.fetch_offset}") for t in request.topics for p in t.partitions
        )
    elif key is ApiKey.OFFSET_COMMIT:
        yield from (
            (f"{t.name}-{p.partition_index}", f" at {p.committed_offset}") for t in request.topics for p in t.partitions
        )


def _records_bytes(request: Any) -> int:
    sets = [p.records for t in request.topic_data for p in t.partition_data if p.records]
    return sum(len(each) if isinstance(each, (bytes, bytearray, memoryview)) else size_of(each) for each in sets)
