"""What a client is told to do in each scenario: steps for its driver, made of plain JSON values.

Every record names its number, its `uid`, in its value or key, so that whoever finds it knows which one it is.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from fakekafka_spark.observations import Want

from fakekafka_compat.expectations import Expected

TOPIC: Final = "records-of-the-compatibility-matrix"
"""A long name: librdkafka 2.3 and later cannot read a short one in Metadata 0 of a single broker."""
GROUP: Final = "readers-of-the-compatibility-matrix"
PARTITIONS: Final = 2
Json: TypeAlias = dict[str, Any]
_UID: Final = re.compile(rb"#(\d+)#")


class Record(NamedTuple):
    """A record as a producer gets it."""

    uid: int
    partition: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]
    timestamp: int | None
    want: Want

    def json(self) -> Json:
        """As a driver reads it: bytes are hexadecimal."""
        headers = [(name, None if value is None else value.hex()) for name, value in self.headers]
        found = self._asdict() | {"key": _hex(self.key), "value": _hex(self.value), "headers": headers}
        del found["want"]
        return found


class Script(NamedTuple):
    """A scenario for one cell."""

    steps: list[Json]
    records: list[Record]
    members: int
    """How many of a group must have had partitions."""
    resumes_at: int
    """The first record that comes after members of the group have committed and left."""


def uid_of(key: bytes | None, value: bytes | None) -> int | None:
    """Which record this is; None: none of ours."""
    found = _UID.search(value or b"") or _UID.search(key or b"")
    return int(found[1]) if found else None


def script(scenario: str, expected: Expected, now_ms: int) -> Script:
    """What to do. Raises `KeyError` for a scenario that is none."""
    return SCENARIOS[scenario](expected, now_ms)


def _records(first: int, count: int, expected: Expected, now_ms: int, want: Want = "once") -> list[Record]:
    """All kinds there are: with and without key, value and headers, as far as the client's format can hold them."""
    found = []
    for uid in range(first, first + count):
        key: bytes | None = b"key #%d#" % uid
        value: bytes | None = b"value #%d# %s" % (uid, b"." * (uid * 7))
        if uid % 4 == 1:
            key = None
        elif uid % 4 == 2:
            value = None
        elif uid % 4 == 3:
            value = b""
        headers: tuple[tuple[str, bytes | None], ...] = ()
        if expected.writes == 2 == expected.stores and uid % 3:  # a broker that must drop headers refuses the record
            headers = (("name", b"\x00%d" % uid), ("name", b""))
        timestamp = now_ms - 1000 + uid if expected.writes else None
        found.append(Record(uid, uid // 4 % PARTITIONS, key, value, headers, timestamp, want))
    return found


def _json(records: Sequence[Record]) -> list[Json]:
    return [record.json() for record in records]


def _round_trip(expected: Expected, now_ms: int) -> Script:
    records = _records(0, 16, expected, now_ms)
    steps: list[Json] = [
        {"do": "produce", "records": _json(records)},
        {"do": "read", "reader": 0, "count": len(records)},
    ]
    return Script(steps, records, 0, 0)


def _group(expected: Expected, now_ms: int) -> Script:
    """Two members share the topic and commit; later, one alone goes on where they stopped."""
    again: Want = "at least once"  # a rebalance may come between a poll and its commit
    first, second = _records(0, 16, expected, now_ms, again), _records(16, 8, expected, now_ms, again)
    steps: list[Json] = [
        {"do": "group", "reader": 0, "group": GROUP, "members": 2, "records": _json(first)},
        {"do": "group", "reader": 0, "group": GROUP, "members": 1, "records": _json(second)},
    ]
    return Script(steps, first + second, 3, second[0].uid)


def _transactional(expected: Expected, now_ms: int) -> Script:
    wants: tuple[Want, ...] = ("once", "never", "once")
    batches = [_records(8 * n, 8, expected, now_ms, want) for n, want in enumerate(wants)]
    ends = {"once": "commit", "never": "abort"}
    parts = [{"records": _json(batch), "end": ends[want]} for want, batch in zip(wants, batches)]
    steps: list[Json] = [
        {"do": "transactions", "transactional_id": "writer", "transactions": parts},
        {"do": "read", "reader": 0, "count": 16, "committed_only": True},
    ]
    return Script(steps, [record for batch in batches for record in batch], 0, 0)


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


SCENARIOS: Final[Mapping[str, Callable[[Expected, int], Script]]] = {
    "roundtrip": _round_trip,
    "group": _group,
    "transactional": _transactional,
}
