"""The records of a cell, and how to recognise them: each names its number, its `uid`, in its value or key."""

import random
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from fakekafka_spark.observations import Want

PARTITIONS: Final = 2
FILLER: Final = b"filler of the compatibility matrix"
"""The key of a record with which the tool itself ends a segment. It appears in no report."""
Json: TypeAlias = dict[str, Any]
_UID: Final = re.compile(rb"#(\d+)#")


class Record(NamedTuple):
    """A record as it is given to a producer."""

    uid: int
    partition: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]
    timestamp: int | None
    want: Want

    def json(self) -> Json:
        """The record as a driver reads it: bytes are hexadecimal."""
        headers = [(name, _hex(value)) for name, value in self.headers]
        fields = self._asdict() | {"key": _hex(self.key), "value": _hex(self.value), "headers": headers}
        del fields["want"]
        return fields


class Filler(NamedTuple):
    """The place of one of the tool's own records."""

    partition: int
    offset: int


def uid_of(key: bytes | None, value: bytes | None) -> int | None:
    """The number of the record; None if the record is not one of ours."""
    match = _UID.search(value or b"") or _UID.search(key or b"")
    return int(match[1]) if match else None


def raw(text: str | None) -> bytes | None:
    """The bytes that a driver wrote as hexadecimal."""
    return None if text is None else bytes.fromhex(text)


def of_all_kinds(first: int, count: int, timestamp: int | None, headers: bool, want: Want = "once") -> list[Record]:
    """Records with and without key and value, some with empty values, a millisecond apart. `headers`: whether some have
    headers.
    """
    records = []
    for uid in range(first, first + count):
        key: bytes | None = b"key #%d#" % uid
        value: bytes | None = b"value #%d# %s" % (uid, b"." * (uid * 7))
        if uid % 4 == 1:
            key = None
        elif uid % 4 == 2:
            value = None
        elif uid % 4 == 3:
            value = b""
        has = ((("name", b"\x00%d" % uid), ("name", b""))) if headers and uid % 3 else ()
        at = None if timestamp is None else timestamp + uid
        records.append(Record(uid, uid // 4 % PARTITIONS, key, value, has, at, want))
    return records


def of_few_keys(rounds: int, keys: int, timestamp: int | None) -> list[list[Record]]:
    """Records with the same keys in each round: only those of the last round must remain, and one of them has no
    value.
    """
    return [[_of_key(n, rounds - 1, key, keys, timestamp) for key in range(keys)] for n in range(rounds)]


def _of_key(n: int, last: int, key: int, keys: int, timestamp: int | None) -> Record:
    """The record of a key in round `n`. The key names the record that remains; a value takes precedence over it."""
    uid = n * keys + key
    value = None if n == last and key == 1 else b"#%d#" % uid
    want: Want = "once" if n == last else "never"
    at = None if timestamp is None else timestamp + uid
    return Record(uid, key % PARTITIONS, b"key #%d#" % (last * keys + key), value, (), at, want)


def too_large(record: Record, size: int) -> Record:
    """`record` with a value of `size` bytes that no codec makes smaller; no client must ever read it."""
    noise = random.Random(size).randbytes(size)
    return record._replace(value=b"#%d# " % record.uid + noise.replace(b"#", b"."), want="never")


def as_json(records: Sequence[Record]) -> list[Json]:
    """The records as drivers read them."""
    return [record.json() for record in records]


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()
