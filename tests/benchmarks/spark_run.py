"""The pipeline beside its peers: `make bench-spark`, or with `--quick` in a minute or two.

Rates are per CPU second of the whole of Spark, and the ratios count: both sides take turns in one session. With
FAKEKAFKA_JAVA set, and a JDK and Maven at hand, Kafka's DumpLogSegments is also a peer.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])  # not the script's folder: imports begin at the root

from fakekafka_spark import session

from tests.benchmarks.measuring import print_rows
from tests.benchmarks.spark_matrix import judging
from tests.benchmarks.spark_reading import alone, beside_kafkas_tool, through_spark

DRIVER_MEMORY = "4g"


def main() -> None:
    parser = argparse.ArgumentParser("bench-spark", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller logs")
    quick = parser.parse_args().quick
    with TemporaryDirectory(prefix="bench-spark-") as name:
        folder = Path(name)
        print_rows("reading without Spark", alone(folder / "alone", quick))
        spark = session("local[2]", {"spark.driver.memory": DRIVER_MEMORY, "spark.sql.shuffle.partitions": "8",
                                     "spark.log.level": "ERROR", "spark.local.dir": name,
                                     "spark.ui.showConsoleProgress": "false"})  # fmt: skip
        print_rows("reading with Spark", through_spark(spark, folder / "read", quick))
        print_rows("beside Kafka's own tool", beside_kafkas_tool(spark, folder / "tool", quick))
        print_rows("judging the matrix", judging(spark, folder / "obs", quick))
        spark.stop()


if __name__ == "__main__":
    main()
