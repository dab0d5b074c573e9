"""Durations as configs write them."""

import pytest
from fakekafka.coordinators.share_partitions.durations import duration_ms


@pytest.mark.parametrize(
    ("text", "ms"),
    [("PT1S", 1000), ("pt2h30m", 9_000_000), ("P1DT0.5S", 86_400_500), ("+PT1,25S", 1250), ("PT0.0001S", 0)],
)
def test_parts_are_added_up(text: str, ms: int) -> None:
    assert duration_ms(text) == ms
