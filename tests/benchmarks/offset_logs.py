"""The log of committed offsets as it was first designed (`drafts=["atomic-offset-log"]`) against the shipped one.

    python -m tests.benchmarks.offset_logs                    2,000 commits of 1, 10 and 100 partitions

The design's own figures: at most 64 bytes of memory for an offset, so 16 million in a gibibyte; "it should be okay if
consumers want to commit after every message"; a commit of 100 offsets as one. Times are CPU times, without a socket.
"""

import argparse
import time
from typing import Final, NamedTuple

from fakekafka import FakeKafka, ManualClock
from fakekafka.state.topics import COMMIT_LOG, CONSUMER_OFFSETS

from tests.benchmarks.offsets_memory import GOAL_BYTES
from tests.support.group_clients import SMALL, coordinator_is_there, simple
from tests.support.seeded import NOW

SIDES: Final = {"as shipped": ([], CONSUMER_OFFSETS), "draft": (["atomic-offset-log"], COMMIT_LOG)}
PARTITIONS: Final = (1, 10, 100)


class Row(NamedTuple):
    """What commits of one size cost."""

    commit_us: float
    bytes_an_offset: float
    compacted: float
    """Bytes for each offset after the cleaner has run."""
    load_us: float
    """Microseconds for loading each offset of the log at a start."""


def measured(side: str, partitions: int, commits: int) -> Row:
    drafts, topic = SIDES[side]
    kafka = FakeKafka("3.9", config=SMALL, clock=ManualClock(NOW), topics={"t": partitions}, drafts=drafts).boot()
    coordinator_is_there(kafka)
    consumer = simple(kafka)
    began = time.process_time()
    for n in range(commits):
        consumer.commit(*[n] * partitions)
    commit_us = (time.process_time() - began) / commits * 1e6
    size = log_bytes(kafka, topic)
    began = time.process_time()
    kafka.restart()
    simple(kafka).fetch(0)
    load_us = (time.process_time() - began) / (commits * partitions) * 1e6
    kafka.compact(topic, roll=True)
    compacted = log_bytes(kafka, topic)
    return Row(commit_us, size / (commits * partitions), compacted / partitions, load_us)


def log_bytes(kafka: FakeKafka, topic: str) -> int:
    partition = kafka.connect().core.cluster.brokers[0].partitions[topic, 0]
    assert partition is not None
    return sum(segment.size for segment in partition.log.segments)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=2000)
    options = parser.parse_args()
    print("| log | partitions | commit, µs | bytes an offset | compacted | loading, µs an offset |")
    print("|---|--:|--:|--:|--:|--:|")
    for partitions in PARTITIONS:
        for side in SIDES:
            row = measured(side, partitions, max(20, options.commits // partitions))
            print(
                f"| {side} | {partitions} | {row.commit_us:,.0f} | {row.bytes_an_offset:.0f} | {row.compacted:.0f} |"
                f" {row.load_us:.1f} |"
            )
    print(
        f"\nin memory, with either log: `python -m tests.benchmarks.offsets_memory`, of which the goal is {GOAL_BYTES}"
    )


if __name__ == "__main__":
    main()
