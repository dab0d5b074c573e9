"""The command `fakekafka-spark`: audit, convert, census and verdicts from a shell, with a report for people.

    fakekafka-spark audit /data/kafka-logs --out audited/
    fakekafka-spark convert /data/kafka-logs old-logs/ --release 0.9.0 --codec gzip
    fakekafka-spark census /data/kafka-logs --every month
    fakekafka-spark verdicts obs/ --cells cells.parquet --out report/

The exit status is 0 only if nothing is wrong; 1 where an audit found faults, or a verdict is neither "ok" nor
"skipped"; 2 for a wrong call, and for what is not there or cannot be read.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.errors import FakeKafkaError
from fakekafka.releases.release import NEWEST

from fakekafka_spark import audit, census, convert, read_observations, session, verdicts
from fakekafka_spark.jobs.census import SPANS
from fakekafka_spark.jobs.failures import in_one_line
from fakekafka_spark.jobs.report import save
from fakekafka_spark.options import ISOLATIONS, READ_COMMITTED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MEMORY = "4g"


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    command = COMMANDS[options.command]
    started = time.monotonic()
    try:
        with in_one_line():
            result = command.run(session(options.master, _config(options.conf)), options).cache()
            try:
                text = save(f"{options.command} of {options.path}", result, options.out)
                good = result.where(f"not ({command.good})").isEmpty()
            finally:
                result.unpersist()
    except ModuleNotFoundError as missing:
        return _complain(f"{missing}: install fakekafka[spark]")
    except FakeKafkaError as wrong:
        return _complain(str(wrong))
    print(text)
    print(f"{time.monotonic() - started:.1f} s", file=sys.stderr)
    return 0 if good else 1


class Command(NamedTuple):
    """What a word of the command line does."""

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
    "census": Command(lambda spark, options: census(spark, options.path, options.every)),
    "verdicts": Command(_verdicts, "verdict in ('ok', 'skipped')"),
}


def parser() -> argparse.ArgumentParser:
    """What the command understands."""
    command_line = argparse.ArgumentParser("fakekafka-spark", description=(__doc__ or "").split("\n", 1)[0])
    words = command_line.add_subparsers(dest="command", required=True)
    for name, what, path in (
        ("audit", "is every segment sound, and who would be down-converted?", "log directory, partition or segment"),
        ("convert", "write the records in another format or codec; shows what is lost", "log directory or partition"),
        ("census", "formats and codecs over time", "log directory, partition or segment"),
        ("verdicts", "judge the observations of the compatibility matrix", "folder of observations"),
    ):
        word = words.add_parser(name, help=what, description=what)
        word.add_argument("path", help=f"{path}; URLs too")
        word.add_argument("--out", type=Path, metavar="FOLDER", help="also write rows (Parquet) and report.md there")
        word.add_argument("--master", help="Spark master; default: spark-submit's, or local[*]")
        word.add_argument("--conf", action="append", default=[], metavar="NAME=VALUE", help="a Spark setting")
    _add_own(words.choices)
    return command_line


def _add_own(words: dict[str, argparse.ArgumentParser]) -> None:
    """The options that only one command has."""
    words["convert"].add_argument("target", help="directory to write to; made if it is missing")
    words["convert"].add_argument("--release", default=NEWEST, help="the Kafka release that would have written it")
    words["convert"].add_argument("--format", type=int, choices=(0, 1, 2), help="default: the release's own")
    words["convert"].add_argument("--codec", default="none", help="none, gzip, snappy, lz4, zstd")
    words["convert"].add_argument("--isolation", choices=ISOLATIONS, default=READ_COMMITTED)
    words["convert"].add_argument("--overwrite", action="store_true", help="replace the partitions in the target")
    words["census"].add_argument("--every", choices=SPANS, default="day")
    words["verdicts"].add_argument("--cells", type=Path, help="Parquet with all cells that should have run")


def _config(settings: Sequence[str]) -> dict[str, str]:
    defaults = {
        "spark.driver.memory": MEMORY,
        "spark.log.level": "ERROR",
        "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
    }
    return defaults | dict(setting.partition("=")[::2] for setting in settings)


def _complain(what: str) -> int:
    print(what, file=sys.stderr)
    return 2
