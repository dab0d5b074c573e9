"""What the logs of a cluster hold, by format."""

from fakekafka.records import v2
from fakekafka.records.compression import ZSTD
from fakekafka.records.record import Record
from fakekafka.upgrade.scan import Held, Units

from tests.support.seeded import NOW, batch, booted, marker, messages, store


def test_units_are_counted_by_format() -> None:
    kafka = booted("2.3", 2, message_format_version="0.10.2")
    old, new, headed = messages(0, 0), batch(2, 3, codec=ZSTD), v2.build([Record(6, NOW, 0, None, b"", (("h", b""),))])
    store(kafka, old, new, marker(5), headed)
    store(kafka, messages(1, 0, 2, codec=1), index=1)
    one, two = len(messages(1, 0, 2, codec=1)), len(new) + len(marker(5)) + len(headed)
    assert kafka.stored_formats() == [
        Held("t", "0.10.2", [Units(0, 2, 2, len(old)), Units(1, 1, 2, one), Units(2, 3, 5, two, 1, 1, 1)])
    ]


def test_an_empty_topic_holds_nothing_and_internal_ones_are_left_out() -> None:
    kafka = booted("2.3")
    assert kafka.stored_formats() == [Held("t", None, [])]
