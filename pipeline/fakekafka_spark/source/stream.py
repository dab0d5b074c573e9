"""The stream reader of the source `kafkalog`: a log directory, tailed.

Stream offsets are Kafka's, with the leader epoch of the record before: {"orders": {"0": {"offset": 42, "epoch": 3}}}.
Options as in Spark's Kafka connector: `startingOffsets` (here `earliest` unless said otherwise: this is a source of
files), `maxOffsetsPerTrigger`, `failOnDataLoss` (true). Data are lost when retention is faster than the reader, when a
log is truncated below what was read, or when a partition disappears; with `failOnDataLoss` false the reader goes on
where the log does, so that what replaced truncated records is read, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from fakekafka.errors import FakeKafkaError
from fakekafka.ids import NO_EPOCH, LeaderEpoch, Offset, PartitionIndex, TopicName
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition

from fakekafka_spark.files import plan
from fakekafka_spark.files.epochs import Epochs, read_epochs
from fakekafka_spark.files.layout import Partition
from fakekafka_spark.files.split import Split
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.files.tail import Tail
from fakekafka_spark.options import flag, number
from fakekafka_spark.query import EARLIEST, LATEST, Query, offset_in
from fakekafka_spark.source.reader import paths, read_task, tasks

try:
    from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow
except ImportError:  # Spark 4.1: every trigger takes what is there
    from fakekafka_spark.source.no_admission import (  # type: ignore[assignment]
        ReadAllAvailable,
        ReadLimit,
        ReadMaxRows,
        SupportsTriggerAvailableNow,
    )

Key: TypeAlias = tuple[TopicName, PartitionIndex]


class DataLoss(FakeKafkaError):
    """Records that the stream has not read, or has read and must take back, are gone."""


class At(NamedTuple):
    """How far a partition was read."""

    offset: Offset
    epoch: LeaderEpoch


class _CurrentPartition(NamedTuple):
    """A partition as it is now."""

    url: str
    place: Storage
    partition: Partition
    epochs: Epochs
    tail: Tail
    end: Offset

    @property
    def start(self) -> Offset:
        first = self.partition.segments[0].base_offset if self.partition.segments else 0
        return max(first, self.partition.log_start_offset)

    def at(self, offset: Offset) -> At:
        return At(offset, self.epochs.of_last_before(offset))


class KafkalogStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Tails the records below some paths."""

    def __init__(self, options: Mapping[str, str], query: Query) -> None:
        self.options = dict(options)
        # a topic or partition that is named may be created later
        self.query = query._replace(named_topics=frozenset(), named_partitions=frozenset(), streamed=True)
        self.fails = flag(options, "failOnDataLoss", True)
        self.most = number(options, "maxOffsetsPerTrigger", 0)
        self.tails: dict[Key, Tail] = {}
        self.target: dict[Key, Offset] | None = None
        """For the trigger `availableNow`: where each log ended at its start."""

    # ---- where the stream stands

    def initialOffset(self) -> dict[str, Any]:
        """Where a new query begins."""
        return _json({key: one.at(self._first(key, one)) for key, one in self._current().items()})

    def _first(self, key: Key, one: _CurrentPartition) -> Offset:
        given = offset_in(self.query.starts, *key, EARLIEST)
        return {EARLIEST: one.start, LATEST: one.end}.get(given, given)

    def latestOffset(self, start: dict[str, Any] | None = None, limit: "ReadLimit | None" = None) -> dict[str, Any]:
        """Where the logs end now, or where the limit ends. Spark 4.1 gives neither argument."""
        by_key = self._current()
        begun = _parsed(start or {})
        ends = {key: min(one.end, (self.target or {}).get(key, one.end)) for key, one in by_key.items()}
        if isinstance(limit, ReadMaxRows):
            begins = {key: self._begin(key, one, begun) for key, one in by_key.items()}
            ends = _limited(begins, ends, limit.max_rows)
        return _json({key: by_key[key].at(end) for key, end in ends.items()})

    def getDefaultReadLimit(self) -> "ReadLimit":
        """What `maxOffsetsPerTrigger` says."""
        return ReadMaxRows(self.most) if self.most else ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:
        """Remember where the logs end now."""
        self.target = {key: one.end for key, one in self._current().items()}

    # ---- what to read

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        """The splits between two points of the stream. Raises `DataLoss`."""
        by_key = self._current()
        begun, ends = _parsed(start), _parsed(end)
        for key in sorted(ends.keys() | begun.keys()):
            if key not in by_key:
                self._lose(f"{key[0]}-{key[1]} is gone")
        splits = (
            (one.url, split)
            for key, one in by_key.items()
            if key in ends
            for split in self._splits(one, self._begin(key, one, begun), ends[key].offset)
        )
        return tasks(splits, self.query.split_bytes)

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The rows of some splits as record batches."""
        return read_task(partition, self.options, self.query)

    def _splits(self, one: _CurrentPartition, start: Offset, end: Offset) -> Iterator[Split]:
        if start < end:
            bounds = self.query.bounds._replace(offset_from=start, offset_end=end)
            yield from one.tail.cut(plan.between(one.place, one.partition, self.query, bounds))

    def _begin(self, key: Key, one: _CurrentPartition, begun: Mapping[Key, At]) -> Offset:
        """Where to go on in a partition: where the stream left off, unless that is not in the log any more."""
        if key not in begun:
            return one.start  # a new partition
        offset, epoch = begun[key]
        kept = min(one.epochs.diverged_at(offset, epoch), offset, max(one.end, one.start))
        if kept < offset:
            self._lose(f"{key[0]}-{key[1]} was read up to {offset} and has been truncated to {kept}")
        if one.start > kept:
            self._lose(f"{key[0]}-{key[1]} was read up to {kept} and begins at {one.start} now")
        return max(kept, one.start)

    def _lose(self, what: str) -> None:
        if self.fails:
            raise DataLoss(f"{what}. Set failOnDataLoss to false to go on with what is there")

    def _current(self) -> dict[Key, _CurrentPartition]:
        """All partitions that are asked for, as they are now."""
        by_key: dict[Key, _CurrentPartition] = {}
        for url, place, partition in plan.located(paths(self.options), self.options, self.query):
            key = partition.topic, partition.partition
            tail = self.tails.setdefault(key, Tail(place, committed=self.query.committed))
            by_key[key] = _CurrentPartition(
                url, place, partition, read_epochs(place, partition), tail, tail.advance(partition)
            )
        return by_key


def _limited(begins: Mapping[Key, Offset], ends: Mapping[Key, Offset], most: int) -> dict[Key, Offset]:
    """Ends with at most `most` offsets before them, shared out by what each partition has, at least one for each."""
    total = sum(max(end - begins[key], 0) for key, end in ends.items())
    if total <= most:
        return dict(ends)
    shares = {key: max(1, most * (end - begins[key]) // total) for key, end in ends.items()}
    return {key: min(end, begins[key] + shares[key]) for key, end in ends.items()}


def _json(at: Mapping[Key, At]) -> dict[str, Any]:
    """A point of the stream as Spark keeps it."""
    nested: dict[str, Any] = {}
    for (topic, partition), (offset, epoch) in sorted(at.items()):
        nested.setdefault(topic, {})[str(partition)] = {"offset": offset, "epoch": epoch}
    return nested


def _parsed(given: Mapping[str, Any]) -> dict[Key, At]:
    return {
        (topic, int(partition)): At(int(at["offset"]), int(at.get("epoch", NO_EPOCH)))
        for topic, some in given.items()
        for partition, at in some.items()
    }
