"""The stream reader driven as Spark drives it, over logs that grow, tear, roll, shrink and vanish; then once by
Spark.
"""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.records.scan import units_in_file
from fakekafka_spark.query import Query
from fakekafka_spark.source.stream import DataLoss, KafkalogStreamReader
from pyspark.sql import DataFrame, SparkSession

from tests.emulator.log.batches import batch, marker
from tests.emulator.records.strategies import build
from tests.pipeline.logs import batches, records, write_segment
from tests.pipeline.random_logs import write_random


def reader(path: Path, **options: str) -> KafkalogStreamReader:
    """A new reader, as after a start."""
    every = {"path": str(path), **{name.lower(): value for name, value in options.items()}}
    return KafkalogStreamReader(every, Query.of(every))


def between(one: KafkalogStreamReader, start: dict[str, Any], end: dict[str, Any]) -> list[int]:
    """The offsets of a batch."""
    tasks = one.partitions(start, end)
    return [offset for task in tasks for rows in one.read(task) for offset in rows.column("offset").to_pylist()]


class StreamingQuery:
    """What Spark does: asks where the logs end, and reads up to there."""

    def __init__(self, path: Path, **options: str) -> None:
        self.path, self.options = path, options
        self.reader = reader(path, **options)
        self.at = self.reader.initialOffset()
        self.got: list[int] = []

    def trigger(self) -> list[int]:
        end = self.reader.latestOffset(self.at, self.reader.getDefaultReadLimit())
        new = between(self.reader, self.at, end)
        self.got += new
        self.at = end
        return new

    def restart(self) -> None:
        """Start again from the checkpoint."""
        self.reader = reader(self.path, **self.options)


def epochs(folder: Path, starts: Mapping[int, int]) -> None:
    rows = "".join(f"{epoch} {start}\n" for epoch, start in starts.items())
    (folder / "leader-epoch-checkpoint").write_text(f"0\n{len(starts)}\n{rows}", "utf-8")


@pytest.mark.parametrize("seed", range(12))
def test_a_log_that_grows_in_torn_pieces_and_rolls_is_read_once(tmp_path: Path, seed: int) -> None:
    """In some of the runs there are zeros after the end, as in a preallocated file."""
    chance = random.Random(seed)
    folder = tmp_path / "t-0"
    query, total, preallocated = None, 0, seed % 2 == 0
    for _ in range(4):
        base, data = total, b""
        for _ in range(chance.randint(1, 5)):
            each = chance.randint(1, 9)
            whole = build(chance.choice([0, 1, 2, 2]), records(each, total), chance.choice([0, 1, 3]))
            for cut in sorted(chance.sample(range(1, len(whole)), 3)):
                write_segment(folder, [data, whole[:cut]], base=base, tail=b"\0" * 999 if preallocated else b"")
                query = query or StreamingQuery(tmp_path)
                query.trigger()
                assert query.got == list(range(len(query.got)))
                assert total <= len(query.got) <= total + each  # all of it, where only zeros are missing
                if chance.random() < 0.3:
                    query.restart()
            data += whole
            total += each
            write_segment(folder, [data], base=base, tail=b"\0" * 999 if preallocated else b"")
    assert query is not None
    query.trigger()
    assert query.got == list(range(total))
    assert query.trigger() == []


def test_a_batch_is_the_same_when_it_is_read_again(tmp_path: Path) -> None:
    """Spark asks again for what it had not finished before it stopped."""
    write_segment(tmp_path / "t-0", batches(3))
    query = StreamingQuery(tmp_path)
    start, end = query.at, query.reader.latestOffset(query.at)
    write_segment(tmp_path / "t-0", batches(5))
    assert between(reader(tmp_path), start, end) == list(range(30))


def test_a_shortened_log_is_data_loss(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(5))
    query = StreamingQuery(tmp_path)
    query.trigger()
    write_segment(tmp_path / "t-0", batches(3))
    with pytest.raises(DataLoss, match="t-0 was read up to 50 and has been truncated to 30"):
        query.trigger()


def test_a_log_that_was_truncated_and_grew_again_is_noticed_by_its_epochs(tmp_path: Path) -> None:
    folder = tmp_path / "t-0"
    write_segment(folder, batches(5))
    epochs(folder, {3: 0})
    query = StreamingQuery(tmp_path, failOnDataLoss="false")
    assert query.at == {"t": {"0": {"offset": 0, "epoch": -1}}}
    assert len(query.trigger()) == 50
    assert query.at == {"t": {"0": {"offset": 50, "epoch": 3}}}
    write_segment(folder, batches(7))
    epochs(folder, {3: 0, 4: 30})
    with pytest.raises(DataLoss, match="truncated to 30"):
        between(reader(tmp_path), query.at, reader(tmp_path).latestOffset(query.at))
    query.restart()
    assert query.trigger() == list(range(30, 70))


def test_retention_faster_than_the_reader_is_data_loss(tmp_path: Path) -> None:
    first = write_segment(tmp_path / "t-0", batches(2))
    query = StreamingQuery(tmp_path)
    write_segment(tmp_path / "t-0", batches(2, start=40), base=40)
    first.unlink()
    with pytest.raises(DataLoss, match="begins at 40 now"):
        query.trigger()
    lenient = StreamingQuery(tmp_path, failOnDataLoss="false")
    lenient.at = query.at
    assert lenient.trigger() == list(range(40, 60))


def test_partitions_may_appear_but_not_disappear(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(1))
    query = StreamingQuery(tmp_path)
    query.trigger()
    write_segment(tmp_path / "t-1", batches(2))
    assert query.trigger() == list(range(20))
    for path in (tmp_path / "t-0").iterdir():
        path.unlink()
    (tmp_path / "t-0").rmdir()
    with pytest.raises(DataLoss, match="t-0 is gone"):
        query.trigger()


def test_a_trigger_takes_no_more_than_its_limit(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(9))
    write_segment(tmp_path / "t-1", batches(1))
    query = StreamingQuery(tmp_path, maxOffsetsPerTrigger="30")
    sizes = []
    while new := query.trigger():
        sizes.append(len(new))
    assert max(sizes) <= 30
    assert sorted(query.got) == sorted([*range(90), *range(10)])


def test_available_now_ends_where_the_logs_ended_when_it_began(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(3))
    query = StreamingQuery(tmp_path)
    query.reader.prepareForTriggerAvailableNow()
    write_segment(tmp_path / "t-0", batches(5))
    assert query.trigger() == list(range(30))
    assert query.trigger() == []


@pytest.mark.parametrize(
    ("starting", "first"),
    [("earliest", 0), ("latest", 30), ("12", 12), ('{"t": {"0": 7}}', 7), ('{"t": {"0": -1}}', 30)],
)
def test_a_stream_may_begin_where_the_options_say(tmp_path: Path, starting: str, first: int) -> None:
    write_segment(tmp_path / "t-0", batches(3))
    query = StreamingQuery(tmp_path, startingOffsets=starting)
    write_segment(tmp_path / "t-0", batches(4))
    query.trigger()
    assert query.got == list(range(first, 40))


@pytest.mark.parametrize("commit", [True, False])
def test_committed_data_wait_for_their_marker(tmp_path: Path, commit: bool) -> None:
    """There is no transaction index. What comes after an open transaction waits as well."""
    folder = tmp_path / "t-0"
    units = [batch(0, 1000, 1000)[0], batch(2, 1000, 1000, producer=1, transactional=True)[0], batch(4, 1000)[0]]
    write_segment(folder, units)
    query = StreamingQuery(tmp_path, isolation="read_committed")
    assert query.trigger() == [0, 1]
    query.restart()
    assert query.trigger() == []
    write_segment(folder, [*units, marker(5, 1, commit=commit)[0], batch(6, 1000)[0]])
    assert query.trigger() == ([2, 3, 4, 6] if commit else [4, 6])
    assert query.trigger() == []


@pytest.mark.parametrize("seed", range(8))
def test_committed_data_of_random_logs_are_read_once(tmp_path: Path, seed: int) -> None:
    """Triggers of any size, over a log that grows unit by unit and has no index of any kind."""
    chance = random.Random(seed)
    account = write_random(tmp_path / "made" / "t-0", chance)
    query, read = None, 0
    for log in sorted((tmp_path / "made" / "t-0").glob("*.log")):
        data = log.read_bytes()
        for unit in units_in_file(data):
            (tmp_path / "t-0").mkdir(exist_ok=True)
            (tmp_path / "t-0" / log.name).write_bytes(data[: unit.position + unit.size])
            if chance.random() < 0.4:
                query = query or StreamingQuery(tmp_path / "t-0", isolation="read_committed", maxOffsetsPerTrigger="7")
                read += len(query.trigger())
    assert query is not None
    before = None
    while query.at != before:  # a trigger may have only aborted records
        before = query.at
        read += len(query.trigger())
    assert sorted(query.got) == [one.offset for one in account.kept()]
    assert read == len(query.got)


class Collected:
    """What a streaming query has given."""

    def __init__(self) -> None:
        self.offsets: list[int] = []
        self.sizes: list[int] = []

    def __call__(self, frame: DataFrame, number: int) -> None:
        rows = [row.offset for row in frame.collect()]
        self.offsets += rows
        self.sizes.append(len(rows))


def run(spark: SparkSession, log_dir: Path, checkpoint: Path, **options: str) -> Collected:
    """The rows of a query that takes what is there and ends."""
    got = Collected()
    frame = spark.readStream.format("kafkalog").options(**options).load(str(log_dir))
    query = frame.writeStream.foreachBatch(got).option("checkpointLocation", str(checkpoint)).trigger(availableNow=True)
    assert query.start().awaitTermination(120)
    return got


def test_spark_continues_at_its_checkpoint(spark: SparkSession, tmp_path: Path) -> None:
    logs, checkpoint = tmp_path / "logs", tmp_path / "checkpoint"
    write_segment(logs / "t-0", batches(6), tail=batches(1)[0][:50])
    first = run(spark, logs, checkpoint, maxOffsetsPerTrigger="25")
    assert first.offsets == list(range(60))
    write_segment(logs / "t-0", batches(8))
    assert run(spark, logs, checkpoint).offsets == list(range(60, 80))
    assert run(spark, logs, checkpoint).offsets == []


def test_spark_tails_the_emulators_own_directory(spark: SparkSession, tmp_path: Path) -> None:
    logs, checkpoint = tmp_path / "logs", tmp_path / "checkpoint"
    with FakeKafka("2.3", log_dir=logs, topics={"orders": 2}) as kafka:
        for number in range(20):
            kafka.send("orders", b"%d" % number, partition=number % 2)
        assert sorted(run(spark, logs, checkpoint, topic="orders").offsets) == sorted([*range(10)] * 2)
        kafka.send("orders", b"late", partition=1)
        assert run(spark, logs, checkpoint, topic="orders").offsets == [10]
