"""OOM-EAGER: eager conversion holds whole answers on the heap.

How much a Java broker holds there at once is computed from the bytes of an answer and from what each release does. The
emulator's own memory says nothing about that.
"""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

CHUNK_BYTES: Final = 128 << 10
"""What a lazy conversion holds in memory (LazyDownConversionRecords.MAX_READ_SIZE): this much is read at a time, and at
least one unit.
"""

BUG = Bug(
    id="OOM-EAGER",
    title="eager conversion holds whole answers on the heap",
    part="fetch",
    kind="bug",
    releases="0.10.0.0 - 1.1.1",
    clients=("kafka-clients <0.11.0", "kafka-python <1.4.0", "pykafka", "sarama <1.14.0"),
    symptom=(
        "java.lang.OutOfMemoryError: Java heap space on brokers; long pauses, then connection resets, since old"
        " consumers came back; GC overhead; high cpu on brokers after the upgrade"
    ),
    cause=(
        "Up to 1.1, everything that a Fetch 0 to 3 reads is converted before a byte is sent, so each old consumer costs"
        " its fetch size in heap. From 2.0 on a chunk is converted at a time, while the answer is sent (KIP-283)."
    ),
    remedy=(
        "Upgrade consumers before the format is raised; lower max.partition.fetch.bytes of old consumers;"
        " upgrade brokers to 2.0."
    ),
    sources=("KIP-283", "KAFKA-6927", "confluentinc/confluent-kafka-dotnet#372"),
    shown="its mechanism",
    affected=Side("1.1.1"),
    cured=Side("2.0.1"),
    story_on="0.11.0.0 - 1.1.1",
    elsewhere="up to 0.10 it happens to Fetch 0 and 1",
    sees={"kilobytes converted before the first byte is sent": (2025, 128)},
)


def story(play: Play) -> None:
    play.topic()
    for _ in range(20):
        play.produce(batch(records(100, value=b"v" * 1000)), 3)
    play.tell("a consumer of 0.10 fetches the two megabytes with Fetch 3")
    fetched = play.fetch(0, 3, max_bytes=4 << 20)
    play.see(
        "kilobytes converted before the first byte is sent", converted_at_once(play.release, fetched.records) >> 10
    )


def converted_at_once(release: Release, answer: bytes) -> int:
    """Bytes of `answer`, the records of a partition, that must be converted before the first byte is sent."""
    if profile(release).fetch.converts_while_sending:
        return min(len(answer), CHUNK_BYTES)
    return len(answer)
