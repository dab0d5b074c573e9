"""Signs in committed offsets, and in the answers to ListOffsets."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from fakekafka.bugs.signs.journals.exchange import Exchange
from fakekafka.bugs.signs.journals.history import History, Sign
from fakekafka.bugs.signs.units import records_of
from fakekafka.errors import ErrorCode
from fakekafka.ids import DurationMs
from fakekafka.records.record import Record

DAY_MS: Final = 86_400_000
"""How long brokers before 2.0 keep commits, unless configured otherwise."""
NEWEST_TIMESTAMP: Final = -3
"""The timestamp that asks ListOffsets for the record with the newest timestamp (KIP-734)."""


def kafka_1588(exchange: Exchange, _: History) -> str | None:
    request, response = exchange.line.request, exchange.line.response
    if exchange.api != "ListOffsets" or exchange.version or response is None:
        return None
    asked, given = (sum(len(t["partitions"]) for t in message["topics"]) for message in (request, response))
    return f"{asked} questions, {given} answers" if given < asked else None


def kafka_16310(exchange: Exchange, history: History) -> str | None:
    response = exchange.line.response
    if (
        exchange.api != "ListOffsets"
        or exchange.version < 7
        or response is None
        or not _asks_for_newest(exchange.line.request)
    ):
        return None
    for topic in response["topics"]:
        for part in topic["partitions"]:
            record = _record_at(history, topic["name"], part["partition_index"], part.get("offset", -1))
            if record is not None and record.timestamp_type == 0 and record.timestamp != part["timestamp"]:
                return f"the record at {part['offset']} has timestamp {record.timestamp}, not {part['timestamp']}"
    return None


def _asks_for_newest(request: dict[str, Any]) -> bool:
    return any(part["timestamp"] == NEWEST_TIMESTAMP for topic in request["topics"] for part in topic["partitions"])


def _record_at(history: History, topic: str, partition: int, offset: int) -> Record | None:
    """What was produced to an offset, if the journal has it."""
    for sent in reversed(history.taken[topic, partition]):
        if sent.base_offset <= offset:
            rows = [row for batch in sent.batches for row in records_of(batch)]
            return rows[offset - sent.base_offset] if offset - sent.base_offset < len(rows) else None
    return None


def kafka_4861(exchange: Exchange, _: History) -> str | None:
    response = exchange.line.response
    if exchange.api not in ("OffsetCommit", "SyncGroup") or response is None:
        return None
    codes = [response.get("error_code", 0)]
    codes += [part["error_code"] for topic in response.get("topics", ()) for part in topic["partitions"]]
    return "error 32" if ErrorCode.INVALID_TIMESTAMP in codes else None


# ---- commits that are gone


def gone_within_a_day(exchange: Exchange, history: History) -> str | None:
    """A commit of a group without members that is gone though the broker should keep it for a day."""
    return _gone(exchange, history, live=False, within_ms=DAY_MS)


def gone_while_live(exchange: Exchange, history: History) -> str | None:
    """A commit that is gone though its group has members."""
    return _gone(exchange, history, live=True)


def _gone(exchange: Exchange, history: History, *, live: bool, within_ms: DurationMs | None = None) -> str | None:
    line, group = exchange.line, exchange.line.request.get("group_id", "")
    if exchange.api in ("OffsetDelete", "DeleteGroups"):
        history.forget_commits({group, *line.request.get("groups_names", ())})
    if line.response is None or not 1 <= line.version <= 7:  # version 0 has ZooKeeper's offsets, the others Kafka's
        return None
    if exchange.api == "OffsetCommit":
        _remember_commits(exchange, history)
    for topic in line.response["topics"] if exchange.api == "OffsetFetch" else ():
        for part in topic["partitions"]:
            at_ms = history.committed.get((group, topic["name"], part["partition_index"]))
            if at_ms is None or part["committed_offset"] != -1 or part["error_code"]:
                continue
            early = within_ms is None or line.at_ms - at_ms < within_ms
            if early and live == (history.joined.get(group, -1) >= at_ms):
                where = f"{topic['name']}-{part['partition_index']}"
                return f"{where}: nothing is committed for {group!r}, which has committed before"
    return None


def _remember_commits(exchange: Exchange, history: History) -> None:
    """Remember commits that the broker keeps for its default time: real offsets, without a retention time of their
    own.
    """
    line = exchange.line
    offsets = dict(_committing(line.request))
    for topic in (line.response or {"topics": []})["topics"]:
        for part in topic["partitions"]:
            place = (line.request["group_id"], topic["name"], part["partition_index"])
            if part["error_code"] == 0 and offsets.get(place[1:], -1) >= 0:
                history.committed[place] = line.at_ms
            elif part["error_code"] == 0:
                history.committed.pop(place, None)


def _committing(request: dict[str, Any]) -> Iterator[tuple[tuple[str, int], int]]:
    """The offsets that an OffsetCommit commits, by topic and partition; none if it sets a retention time."""
    if request.get("retention_time_ms", -1) < 0:
        for topic in request["topics"]:
            for part in topic["partitions"]:
                yield (topic["name"], part["partition_index"]), part["committed_offset"]


SIGNS: Final[Mapping[str, Sign]] = {
    "KAFKA-1588": kafka_1588, "KAFKA-16310": kafka_16310, "KAFKA-4861": kafka_4861,
    "KAFKA-8069": gone_within_a_day, "KAFKA-4472": gone_within_a_day,
    "KAFKA-13636": gone_while_live, "KAFKA-4682": gone_while_live,
}  # fmt: skip
"""Commits that are gone have one cause in each release, which must therefore be known: see `NEEDS_RELEASE`."""
