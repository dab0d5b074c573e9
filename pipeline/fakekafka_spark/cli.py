"""The command `fakekafka-spark`: audits, conversions and reports from a shell.

    fakekafka-spark audit /data/kafka-logs --out audited/
    fakekafka-spark convert /data/kafka-logs old-logs/ --release 0.9.0 --codec gzip
    fakekafka-spark replicas /backup/broker-0 /backup/broker-1 /backup/broker-2
    fakekafka-spark watch /data/kafka-logs --minutes 30
    fakekafka-spark census /data/kafka-logs --every month
    fakekafka-spark verdicts obs/ --cells cells.parquet --out report/

The exit status is 0 only if nothing is wrong; 1 where an audit found faults, copies differ, a watch gave an
alert, or a verdict is neither "ok" nor "skipped"; 2 for wrong usage, and for what is not there or cannot be read.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.errors import FakeKafkaError
from fakekafka.escaping import escaped, escaped_lines
from fakekafka.releases.release import NEWEST

from fakekafka_spark import audit, census, convert, read_observations, replicas, session, verdicts, watch
from fakekafka_spark.jobs.census import SPANS
from fakekafka_spark.jobs.failures import in_one_line
from fakekafka_spark.jobs.report import save
from fakekafka_spark.options import ISOLATIONS, READ_COMMITTED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MEMORY = "4g"


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    started = time.monotonic()
    try:
        with in_one_line():
            if options.command == "watch":
                return int(print_alerts(session(options.master, _config(options.conf)), options) > 0)
            command = COMMANDS[options.command]
            result = command.run(session(options.master, _config(options.conf)), options).cache()
            try:
                text = save(f"{options.command} of {_words(options.path)}", result, options.out)
                good = result.where(f"not ({command.good})").isEmpty()
            finally:
                result.unpersist()
    except ModuleNotFoundError as missing:
        return _complain(f"{missing}: install fakekafka[spark]")
    except FakeKafkaError as wrong:
        return _complain(str(wrong))
    print(escaped_lines(text))
    print(f"{time.monotonic() - started:.1f} s", file=sys.stderr)
    return 0 if good else 1


class Command(NamedTuple):
    """What a command does."""

    run: Callable[["SparkSession", argparse.Namespace], "DataFrame"]
    good: str = "true"
    """What must hold for every row, in SQL."""


def _verdicts(spark: "SparkSession", options: argparse.Namespace) -> "DataFrame":
    cells = None if options.cells is None else spark.read.parquet(str(options.cells))
    return verdicts(read_observations(spark, options.path), cells)


def _convert(spark: "SparkSession", options: argparse.Namespace) -> "DataFrame":
    return convert(
        spark, options.path, options.target, magic=options.format, codec=options.codec, release=options.release,
        isolation=options.isolation, overwrite=options.overwrite,
    )  # fmt: skip


COMMANDS: Final[dict[str, Command]] = {
    "audit": Command(lambda spark, options: audit(spark, options.path), "faults = 0"),
    "convert": Command(_convert),
    "replicas": Command(
        lambda spark, options: replicas(spark, options.path), "verdict in ('equal', 'behind', 'only copy')"
    ),
    "census": Command(lambda spark, options: census(spark, options.path, options.every)),
    "verdicts": Command(_verdicts, "verdict in ('ok', 'skipped')"),
}


def parser() -> argparse.ArgumentParser:
    """The commands, with their options."""
    command_line = argparse.ArgumentParser("fakekafka-spark", description=(__doc__ or "").split("\n", 1)[0])
    words = command_line.add_subparsers(dest="command", required=True)
    for name, what, path in (
        ("audit", "is every segment sound, and who would be down-converted?", "log directory, partition or segment"),
        ("replicas", "are the copies of several brokers the same, and whose is right?", "log directories of brokers"),
        ("watch", "tail logs, and report what changes in them", "log directory or partition"),
        ("convert", "write the records in another format or codec; shows what is lost", "log directory or partition"),
        ("census", "formats and codecs over time", "log directory, partition or segment"),
        ("verdicts", "judge the observations of the compatibility matrix", "folder of observations"),
    ):
        word = words.add_parser(name, help=what, description=what)
        word.add_argument("path", help=f"{path}; URLs too", nargs="+" if name == "replicas" else None)
        word.add_argument("--out", type=Path, metavar="FOLDER", help="also write rows (Parquet) and report.md there")
        word.add_argument("--master", help="Spark master; default: spark-submit's, or local[*]")
        word.add_argument("--conf", action="append", default=[], metavar="NAME=VALUE", help="a Spark setting")
    _add_own(words.choices)
    return command_line


def _add_own(words: dict[str, argparse.ArgumentParser]) -> None:
    """Add the options that only one command has."""
    words["convert"].add_argument("target", help="directory to write to; made if it is missing")
    words["convert"].add_argument("--release", default=NEWEST, help="the Kafka release that would have written it")
    words["convert"].add_argument("--format", type=int, choices=(0, 1, 2), help="default: the release's own")
    words["convert"].add_argument("--codec", default="none", help="none, gzip, snappy, lz4, zstd")
    words["convert"].add_argument("--isolation", choices=ISOLATIONS, default=READ_COMMITTED)
    words["convert"].add_argument("--overwrite", action="store_true", help="replace the partitions in the target")
    words["census"].add_argument("--every", choices=SPANS, default="day")
    words["watch"].add_argument("--minutes", type=float, help="how long; default: until it is interrupted")
    words["watch"].add_argument("--once", action="store_true", help="look at what is there, and end")
    words["watch"].add_argument("--checkpoint", help="a folder: the next watch goes on where this one ended")
    words["verdicts"].add_argument("--cells", type=Path, help="Parquet with all cells that should have run")


def print_alerts(spark: "SparkSession", options: argparse.Namespace) -> int:
    """Print alerts as they come. Returns their number."""
    number = 0

    def tell(alerts: "DataFrame", _: int) -> None:
        nonlocal number
        for alert in alerts.orderBy("topic", "partition", "segment", "position").collect():
            place = f"in segment {alert.segment}, position {alert.position}"
            at = place if alert.offset is None else f"at {alert.offset}"
            before = f", was {alert.before}" if alert.before else ""
            words = f"{alert.topic}-{alert.partition} {at}: {alert.kind} is {alert.now}{before}"
            print(escaped(words), flush=True)
            number += 1

    stream = watch(spark, options.path).writeStream.foreachBatch(tell)
    if options.checkpoint is not None:
        stream = stream.option("checkpointLocation", str(Path(options.checkpoint).absolute()))
    query = (stream.trigger(availableNow=True) if options.once else stream).start()
    try:
        query.awaitTermination(None if options.minutes is None else max(1, int(options.minutes * 60)))
    except KeyboardInterrupt:
        pass
    finally:
        query.stop()
    return number


def _words(path: str | Sequence[str]) -> str:
    return path if isinstance(path, str) else ", ".join(path)


def _config(settings: Sequence[str]) -> dict[str, str]:
    defaults = {
        "spark.driver.memory": MEMORY,
        "spark.log.level": "ERROR",
        "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
    }
    return defaults | dict(setting.partition("=")[::2] for setting in settings)


def _complain(what: str) -> int:
    print(escaped_lines(what), file=sys.stderr)
    return 2
