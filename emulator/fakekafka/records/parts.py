"""The records of a compressed batch of format 2, checked part by part while they are inflated.

They may be many times as large as the batch. And a part that fits into a processor's cache is inflated into the same
memory again and again, while the system must provide a large buffer page by page each time.
"""

from collections.abc import Iterator
from typing import NamedTuple

from fakekafka.ids import Position
from fakekafka.records import hot
from fakekafka.records.hot import Summary
from fakekafka.records.inflating import Inflating
from fakekafka.records.malformed import InvalidRecord, RecordsEndEarly, UndecodablePayload


class Part(NamedTuple):
    """Some records of a batch, which were checked."""

    data: bytes
    end: Position
    """Where the last of them ends."""
    number: int
    found: Summary


def checked_parts(payload: Inflating, count: int, lengths: bool) -> Iterator[Part]:
    """All records of a batch, at least one, part by part; `lengths` as in `hot.check_records`. Raises `InvalidRecord`
    or `UndecodablePayload`, maybe late.
    """
    failure: UndecodablePayload | None = None
    done = at = needed = 0
    while done < count:
        try:
            more = payload.move(at, needed)
        except UndecodablePayload as e:
            more, failure = False, e
        try:
            found, after, at = hot.check_records(payload.data, count, lengths, first=done, more=more)
        except RecordsEndEarly:
            if failure is not None:
                raise failure from None
            raise
        needed = 0 if after > done else 2 * len(payload.data)
        yield Part(payload.data, at, after - done, found)
        done = after
    left = len(payload.data) - at
    try:
        while payload.move(len(payload.data)):
            left += len(payload.data)
    except UndecodablePayload as e:
        failure = e
    if left:
        raise InvalidRecord(f"{left} bytes after the last of {count} records")
    if failure is not None:
        raise failure


def check_in_parts(payload: Inflating, count: int, lengths: bool) -> Summary:
    """What a check says about all records. Raises as `checked_parts`."""
    whole: Summary | None = None
    for part in checked_parts(payload, count, lengths):
        whole = part.found if whole is None else _together(whole, part.found)
    assert whole is not None
    return whole


def _together(one: Summary, other: Summary) -> Summary:
    """What was found in records and in those that follow them."""
    later = other.max_timestamp_delta > one.max_timestamp_delta
    return Summary(
        one.sequential and other.sequential,
        one.keyless + other.keyless,
        min(one.min_timestamp_delta, other.min_timestamp_delta),
        max(one.max_timestamp_delta, other.max_timestamp_delta),
        other.max_timestamp_index if later else one.max_timestamp_index,
    )
