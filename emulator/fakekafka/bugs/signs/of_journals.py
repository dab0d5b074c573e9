"""Signs in a journal of requests: each function looks for one bug, and is called with every line and the history before
it.

A sign is what the story of the bug shows on the wire. It suggests the bug without proving it: `fakekafka bugs show`
names other causes of the same error.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

from fakekafka.bugs.signs.finding import Finding
from fakekafka.errors import ErrorCode
from fakekafka.inspection.journal_lines import JournalLine
from fakekafka.records.batch import Batch
from fakekafka.records.compression import LZ4
from fakekafka.records.malformed import CorruptUnit, InvalidRecord, UndecodablePayload, UnknownCodec
from fakekafka.records.scan import units, view
from fakekafka.wire.plain import HEX

DAY_MS: Final = 86_400_000
"""How long brokers before 2.0 keep commits, unless configured otherwise."""
YEAR_MS: Final = 365 * DAY_MS
FILLER: Final = "ffffffffffffffff0000003d"
STANDS_STILL: Final = 4
"""How often a consumer must ask for the same offset in vain before it is a finding."""

Sign = Callable[[JournalLine, "History"], str | None]
"""Looks for one bug. Returns what was seen, or None."""


class History:
    """What the journal's lines before the current one have shown."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[str, str, int, int]] = Counter()
        """How often a connection asked for an offset of a partition and did not get it."""
        self.committed: dict[tuple[str, str, int], int] = {}
        """When a group has committed for a partition, to be kept as long as the broker keeps commits."""
        self.ended: dict[int, int] = {}
        """Producer id -> how many of its transactions have ended since it last added a partition."""


def diagnose_journal(lines: Iterable[JournalLine]) -> list[Finding]:
    """The bugs that fit, each once, with what was seen first."""
    found: dict[str, Finding] = {}
    history = History()
    for number, line in enumerate(lines, 1):
        for name, sign in SIGNS.items():
            if name not in found and (seen := sign(line, history)) is not None:
                found[name] = Finding(name, f"line {number}, {line.api} {line.version} of {line.client_id}: {seen}")
    return list(found.values())


# ---- the contents of lines


def fetched(line: JournalLine) -> Iterator[tuple[str, dict[str, Any], int]]:
    """For each partition of a consumer's answered Fetch: topic, answer, and the offset asked for."""
    if line.api != "Fetch" or line.response is None or line.request.get("replica_id", -1) >= 0:
        return
    asked = {
        (topic.get("topic"), part["partition"]): part["fetch_offset"]
        for topic in line.request["topics"]
        for part in topic["partitions"]
    }
    for topic in line.response["responses"]:
        name = topic.get("topic", "")
        for part in topic["partitions"]:
            yield name, part, asked.get((topic.get("topic"), part["partition_index"]), -1)


def produced(line: JournalLine) -> Iterator[tuple[bytes, int | None]]:
    """Records sent for each partition, and the error that they got; None if there was no answer."""
    if line.api != "Produce":
        return
    errors = {
        (topic["name"], part["index"]): part["error_code"]
        for topic in (line.response or {"responses": []})["responses"]
        for part in topic["partition_responses"]
    } if line.version < 13 else {}  # fmt: skip
    for topic in line.request["topic_data"]:
        for part in topic["partition_data"]:
            yield data_of(part["records"]), errors.get((topic.get("name"), part["index"]))


def data_of(records: Any) -> bytes:
    """The record bytes in a field of a message."""
    return bytes.fromhex(records[HEX]) if records else b""


def batches(data: bytes) -> list[Batch]:
    """The complete units of a set, up to the first that is invalid."""
    found: list[Batch] = []
    try:
        found.extend(view(data, unit) for unit in units(data))
    except CorruptUnit:
        return found
    return found


def timestamps(line: JournalLine) -> Iterator[int]:
    """The largest timestamp of each accepted batch."""
    for data, error in produced(line):
        if error == ErrorCode.NONE:
            yield from (unit.max_timestamp for unit in batches(data) if unit.magic)


# ---- produce


def _refused(line: JournalLine, error: ErrorCode) -> bool:
    return any(code == error for _, code in produced(line))


def kafka_7549(line: JournalLine, _: History) -> str | None:
    closed = line.api == "Produce" and line.version >= 3 and line.error == "closed"
    odd = closed and any(len(batches(data)) != 1 for data, _ in produced(line))
    return "records that are not one batch, and the connection was closed" if odd else None


def kafka_9492(line: JournalLine, _: History) -> str | None:
    codes = [code for _, code in produced(line)] if line.version < 8 else []
    return "every partition got -1" if len(codes) > 1 and set(codes) == {ErrorCode.UNKNOWN_SERVER_ERROR} else None


def kafka_9669(line: JournalLine, _: History) -> str | None:
    for data, code in produced(line):
        for unit in batches(data) if code == ErrorCode.INVALID_RECORD else []:
            if unit.magic == 1 and unit.codec and _is_numbered_oddly(unit):
                return "a compressed set of format 1, whose offsets do not count from 0, got 87"
    return None


def _is_numbered_oddly(batch: Batch) -> bool:
    """Whether the offsets inside a wrapper are not consecutive."""
    try:
        offsets = [record.offset for record in batch.records()]
    except (InvalidRecord, UndecodablePayload, UnknownCodec):
        return False
    return any(after - before != 1 for before, after in pairwise(offsets))


def kafka_6554(line: JournalLine, _: History) -> str | None:
    for data, code in produced(line):
        for unit in batches(data) if code == ErrorCode.NONE else []:
            if unit.magic == 2 and unit.count != unit.last_offset - unit.base_offset + 1:
                return f"a batch that says {unit.count} records and offsets up to {unit.last_offset} was taken"
    return None


def kafka_5365(line: JournalLine, _: History) -> str | None:
    for data, code in produced(line):
        for unit in batches(data) if code == ErrorCode.CORRUPT_MESSAGE else []:
            if unit.magic == 1 and unit.codec and unit.last_offset < 0 and unit.crc_ok():
                return f"a wrapper of offset {unit.last_offset} got 2, and its checksum is right"
    return None


def kafka_3160(line: JournalLine, _: History) -> str | None:
    for data, code in produced(line):
        if code == ErrorCode.UNKNOWN_SERVER_ERROR and any(u.magic == 0 and _is_good_lz4(u) for u in batches(data)):
            return "a good LZ4 set of format 0 got -1"
    return None


def _is_good_lz4(batch: Batch) -> bool:
    try:
        return batch.codec == LZ4 and batch.crc_ok() and bool(list(batch.records()))
    except (InvalidRecord, UndecodablePayload, UnknownCodec):
        return False


def tsdiff_no_timestamp(line: JournalLine, _: History) -> str | None:
    for data, code in produced(line):
        if code == ErrorCode.INVALID_TIMESTAMP and any(unit.magic == 0 for unit in batches(data)):
            return "records without timestamps got 32"
    return None


def unsupported_format_43(line: JournalLine, _: History) -> str | None:
    return "error 43" if _refused(line, ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT) else None


def pid_era(line: JournalLine, _: History) -> str | None:
    return "error 59, unknown producer id" if _refused(line, ErrorCode.UNKNOWN_PRODUCER_ID) else None


def kafka_6482(line: JournalLine, _: History) -> str | None:
    late = [time for time in timestamps(line) if time > line.at_ms + 10 * YEAR_MS]
    return f"timestamp {late[0]}, more than ten years ahead" if late else None


def seconds_as_ms(line: JournalLine, _: History) -> str | None:
    early = [time for time in timestamps(line) if 10**9 < time < 10**10]
    return f"timestamp {early[0]} is in 1970, as if seconds were taken for milliseconds" if early else None


# ---- fetch


def kafka_6739(line: JournalLine, _: History) -> str | None:
    codes = [part["error_code"] for _topic, part, _at in fetched(line)] if 2 <= line.version <= 3 else []
    return "every partition of the fetch got -1" if codes and set(codes) == {-1} else None


def empty_converted(line: JournalLine, history: History) -> str | None:
    for topic, part, offset in fetched(line) if line.version < 4 else ():
        if part["error_code"] == 0 and not data_of(part["records"]) and part["high_watermark"] > offset >= 0:
            place = (line.connection, topic, part["partition_index"], offset)
            history.asked[place] += 1
            if history.asked[place] >= STANDS_STILL:
                return f"{topic}-{place[2]}: nothing at {offset}, {STANDS_STILL} times, though there is more"
    return None


def kip_283_overflow(line: JournalLine, _: History) -> str | None:
    found = any(data_of(part["records"]).hex().startswith(FILLER) for _topic, part, _at in fetched(line))
    return "an answer that is nothing but a filler" if found else None


def format_lowered(line: JournalLine, _: History) -> str | None:
    reads = 0 if line.version < 2 else 1
    for topic, part, _at in fetched(line) if line.version < 4 else ():
        newer = [u for u in batches(data_of(part["records"])) if u.magic > reads and not u.is_control]
        if newer:
            return f"{topic}: units of format {newer[0].magic} in a version that reads {reads}"
    return None


def mixed_magic(line: JournalLine, _: History) -> str | None:
    for topic, part, _at in fetched(line):
        magics = {unit.magic for unit in batches(data_of(part["records"]))}
        if len(magics) > 1:
            return f"{topic}: formats {', '.join(map(str, sorted(magics)))} in one answer"
    return None


def kafka_5443(line: JournalLine, history: History) -> str | None:
    for topic, part, offset in fetched(line):
        first = batches(data_of(part["records"]))[:1]
        if first and first[0].magic == 2 and first[0].base_offset < offset and not _reaches(first[0], offset):
            place = (line.connection, topic, part["partition_index"], offset)
            history.asked[place] += 1
            if history.asked[place] >= STANDS_STILL:
                return f"{topic}-{place[2]}: offset {offset} asked {STANDS_STILL} times, where a batch has lost its end"
    return None


def _reaches(batch: Batch, offset: int) -> bool:
    """Whether there is a record at `offset` or after it."""
    try:
        return any(record.offset >= offset for record in batch.records())
    except (InvalidRecord, UndecodablePayload, UnknownCodec):
        return True


def zstd_old_fetch(line: JournalLine, _: History) -> str | None:
    found = any(part["error_code"] == ErrorCode.UNSUPPORTED_COMPRESSION_TYPE for _topic, part, _at in fetched(line))
    return "error 76" if found and line.version < 10 else None


def kafka_7030(line: JournalLine, _: History) -> str | None:
    found = any(part["error_code"] == ErrorCode.UNSUPPORTED_VERSION for _topic, part, _at in fetched(line))
    return "error 35" if found and line.version < 4 else None


def zero_topic_id(line: JournalLine, _: History) -> str | None:
    zero = line.api == "Fetch" and line.version >= 13 and _asks_for_zeros(line)
    found = any(part["error_code"] == ErrorCode.UNKNOWN_TOPIC_ID for _topic, part, _at in fetched(line))
    return "a topic id of zeros got error 100" if zero and found else None


def _asks_for_zeros(line: JournalLine) -> bool:
    return any(not any(bytes.fromhex(topic["topic_id"][HEX])) for topic in line.request["topics"])


def kip_896_removal(line: JournalLine, _: History) -> str | None:
    old = (line.api == "Fetch" and line.version < 4) or (line.api == "Produce" and line.version < 3)
    return "closed" if old and line.error == "closed" and line.version > 1 else None


# ---- offsets, negotiation


def kafka_1588(line: JournalLine, _: History) -> str | None:
    if line.api != "ListOffsets" or line.version or line.response is None:
        return None
    asked, given = (sum(len(t["partitions"]) for t in message["topics"]) for message in (line.request, line.response))
    return f"{asked} questions, {given} answers" if given < asked else None


def kafka_4861(line: JournalLine, _: History) -> str | None:
    if line.api not in ("OffsetCommit", "SyncGroup") or line.response is None:
        return None
    codes = [line.response.get("error_code", 0)]
    codes += [part["error_code"] for topic in line.response.get("topics", ()) for part in topic["partitions"]]
    return "error 32" if ErrorCode.INVALID_TIMESTAMP in codes else None


def kafka_8069(line: JournalLine, history: History) -> str | None:
    group = line.request.get("group_id", "")
    if line.api in ("OffsetDelete", "DeleteGroups"):
        gone = {group, *line.request.get("groups_names", ())}
        history.committed = {place: at for place, at in history.committed.items() if place[0] not in gone}
    if line.response is None or not 1 <= line.version <= 7:  # version 0 has ZooKeeper's offsets, the others Kafka's
        return None
    if line.api == "OffsetCommit":
        _remember_commits(line, history)
    for topic in line.response["topics"] if line.api == "OffsetFetch" else ():
        for part in topic["partitions"]:
            at_ms = history.committed.get((group, topic["name"], part["partition_index"]))
            if at_ms is not None and line.at_ms - at_ms < DAY_MS and _is_gone(part):
                where = f"{topic['name']}-{part['partition_index']}"
                return f"{where}: nothing is committed for {group!r}, which has committed before"
    return None


def _remember_commits(line: JournalLine, history: History) -> None:
    """Remember commits that the broker keeps for its default time: real offsets, without a retention time of their
    own.
    """
    offsets = _committing(line)
    for topic in (line.response or {"topics": []})["topics"]:
        for part in topic["partitions"]:
            place = topic["name"], part["partition_index"]
            if part["error_code"] == 0 and offsets.get(place, -1) >= 0:
                history.committed[line.request["group_id"], *place] = line.at_ms
            elif part["error_code"] == 0:
                history.committed.pop((line.request["group_id"], *place), None)


def _committing(line: JournalLine) -> dict[tuple[str, int], int]:
    """The offsets that an OffsetCommit commits, by topic and partition; empty if it sets a retention time."""
    if line.request.get("retention_time_ms", -1) >= 0:
        return {}
    return {
        (topic["name"], part["partition_index"]): part["committed_offset"]
        for topic in line.request["topics"]
        for part in topic["partitions"]
    }


def _is_gone(part: dict[str, Any]) -> bool:
    return bool(part["committed_offset"] == -1 and part["error_code"] == 0)


def silent_apikey(line: JournalLine, _: History) -> str | None:
    return "no answer" if line.api == "ApiVersions" and line.error == "no answer" else None


def close_apikey(line: JournalLine, _: History) -> str | None:
    return "closed" if line.api == "ApiVersions" and line.error == "closed" else None


def _lowest(line: JournalLine, key: int) -> int:
    listed = line.response["api_keys"] if line.api == "ApiVersions" and line.response else []
    return next((one["min_version"] for one in listed if one["api_key"] == key), 0)


def kafka_19444(line: JournalLine, _: History) -> str | None:
    return "JoinGroup begins at 2" if _lowest(line, 11) == 2 else None


def kafka_18659(line: JournalLine, _: History) -> str | None:
    return f"Produce begins at {_lowest(line, 0)}" if _lowest(line, 0) > 0 else None


SIGNS: Final[dict[str, Sign]] = {
    "KAFKA-7549": kafka_7549, "KAFKA-9492": kafka_9492, "KAFKA-9669": kafka_9669, "KAFKA-6554": kafka_6554,
    "KAFKA-5365": kafka_5365, "KAFKA-3160": kafka_3160, "TSDIFF-NO-TIMESTAMP": tsdiff_no_timestamp,
    "UNSUPPORTED-FORMAT-43": unsupported_format_43, "PID-ERA": pid_era, "KAFKA-6482": kafka_6482,
    "SECONDS-AS-MS": seconds_as_ms, "KAFKA-6739": kafka_6739, "EMPTY-CONVERTED": empty_converted,
    "KIP-283-OVERFLOW": kip_283_overflow, "FORMAT-LOWERED": format_lowered, "MIXED-MAGIC": mixed_magic,
    "KAFKA-5443": kafka_5443, "ZSTD-OLD-FETCH": zstd_old_fetch, "KAFKA-7030": kafka_7030,
    "ZERO-TOPIC-ID": zero_topic_id, "KIP-896-REMOVAL": kip_896_removal, "KAFKA-1588": kafka_1588,
    "KAFKA-4861": kafka_4861, "KAFKA-8069": kafka_8069, "SILENT-APIKEY-0.9": silent_apikey,
    "CLOSE-APIKEY-0.8": close_apikey, "KAFKA-19444": kafka_19444, "KAFKA-18659": kafka_18659,
}  # fmt: skip
"""The signs by bug."""
