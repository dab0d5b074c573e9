"""A change in a log is reported once, where it begins; what has been seen outlives a restart."""

import pytest
from fakekafka_spark.soundness.drift import Batch, Known, Limits, Watch

NOW = 1_700_000_000_000
PLAIN = Batch(0, 0, 9, 2, "none", 0, NOW, 0, None)


def kinds(*batches: Batch, known: Known | None = None) -> list[str]:
    """The kinds of the alerts, with a restart after each batch."""
    found = []
    known = known or Known()
    for batch in batches:
        watch = Watch(Known.parsed(known.as_text()), Limits(back_ms=1000, ahead_ms=5000), NOW)
        found += [alert.kind for alert in watch.alerts([batch])]
        known = watch.known
    return found


def at(ms: int) -> Batch:
    return PLAIN._replace(max_timestamp=NOW + ms)


@pytest.mark.parametrize(
    ("batches", "expected"),
    [
        ([PLAIN, PLAIN], []),
        ([PLAIN, PLAIN._replace(magic=1, epoch=-1), PLAIN, PLAIN._replace(magic=1)], ["format"]),
        ([PLAIN, PLAIN._replace(codec="zstd"), PLAIN, PLAIN._replace(codec="zstd")], ["codec"]),
        ([PLAIN, PLAIN._replace(timestamp_type=1), PLAIN], ["timestamp type"] * 2),
        ([PLAIN._replace(epoch=5), PLAIN._replace(epoch=4), PLAIN._replace(epoch=6)], ["epoch"]),
        ([PLAIN._replace(damage="torn"), PLAIN, PLAIN._replace(damage="torn")], ["damage"] * 2),
        ([at(0), at(-1000), at(-1001), at(-2000), at(0), at(-1001)], ["timestamps back"] * 2),
        ([at(5000), at(5001), at(9000), at(0), at(5001)], ["timestamps ahead", "timestamps back", "timestamps ahead"]),
        ([at(9000), at(0)], ["timestamps ahead"]),
        ([at(0), PLAIN._replace(max_timestamp=-1), at(0)], []),
    ],
)  # fmt: skip
def test_a_change_is_reported_where_it_begins(batches: list[Batch], expected: list[str]) -> None:
    assert kinds(*batches) == expected


def test_an_alert_says_what_was_before_and_what_is_now() -> None:
    (alert,) = Watch(Known(formats=(1,)), Limits(), NOW).alerts([PLAIN._replace(position=70)])
    assert alert == (0, 70, 9, "format", "1", "2")
