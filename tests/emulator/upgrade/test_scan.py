"""What the logs of a cluster hold, by format."""

from fakekafka.records import v2
from fakekafka.records.compression import GZIP, NONE, ZSTD
from fakekafka.records.record import Record
from fakekafka.upgrade.scan import Held, Units

from tests.support.seeded import NOW, batch, booted, marker, messages, store


def test_units_are_counted_by_format_and_codec() -> None:
    kafka = booted("2.3", 2, message_format_version="0.10.2")
    old, new, headed = messages(0, 0), batch(2, 3, codec=ZSTD), v2.build([Record(6, NOW, 0, None, b"", (("h", b""),))])
    store(kafka, old, new, marker(5), headed)
    store(kafka, messages(1, 0, 2, codec=1), index=1)
    zipped, plain = len(messages(1, 0, 2, codec=1)), len(marker(5)) + len(headed)
    assert kafka.stored_formats() == [
        Held("t", "0.10.2", [
            Units(0, NONE, 2, 2, len(old)),
            Units(1, GZIP, 1, 2, zipped),
            Units(2, NONE, 2, 2, plain, control=1, headers=1),
            Units(2, ZSTD, 1, 3, len(new)),
        ])
    ]  # fmt: skip


def test_an_empty_topic_holds_nothing_and_internal_ones_are_left_out() -> None:
    kafka = booted("2.3")
    assert kafka.stored_formats() == [Held("t", None, [])]
