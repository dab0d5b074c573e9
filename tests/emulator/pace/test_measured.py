"""The table of times equals what the measuring script printed, and is what times are drawn from."""

import re
from pathlib import Path
from random import Random

import pytest
from fakekafka.pace.lifelike import LONGEST, _drawn
from fakekafka.pace.measured import KRAFT, ZOOKEEPER, measured
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Mode, Release

TABLE = {**ZOOKEEPER, **KRAFT}
PRINTED = ("real_paces.txt", "real_cluster_paces.txt")
FOLDER = Path(__file__).parents[2] / "benchmarks"
ROW = re.compile(
    r"(?P<release>[\d.]+) +(?P<event>[A-Za-z ]+?) +\d+ +(?P<median>[\d.]+) +(?P<high>[\d.]+) *(?P<told>.*)"
)


def test_every_time_is_one_that_was_printed() -> None:
    printed = {}
    for line in (line for name in PRINTED for line in (FOLDER / name).read_text("utf-8").splitlines()[1:]):
        found = ROW.fullmatch(line)
        assert found is not None, line
        errors = tuple(int(word.partition("x")[0]) for word in found["told"].split())
        printed[found["release"], found["event"]] = (float(found["median"]), float(found["high"]), errors)
    table = {(release, event): tuple(times) for release, row in TABLE.items() for event, times in row.items()}
    assert table == printed


@pytest.mark.parametrize(
    ("release", "mode", "measured_on"),
    [("0.8.2", "zk", "0.10.2.2"), ("0.11.0", "zk", "0.10.2.2"), ("2.3", "zk", "1.1.1"), ("3.9", "zk", "2.8.2"),
     ("3.3", "kraft", "3.9.1"), ("3.9.1", "kraft", "3.9.1"), ("4.2", "kraft", "3.9.1"), ("4.3", "kraft", "4.3.1")],
)  # fmt: skip
def test_a_release_has_the_times_of_the_last_measured_one_before_it(release: str, mode: Mode, measured_on: str) -> None:
    rules = profile(Release.parse(release), mode)
    assert measured("topic asked for", rules) == TABLE[measured_on]["topic asked for"]


def test_a_release_before_the_first_measured_one_has_the_times_of_that_one() -> None:
    assert measured("markers", profile(Release.parse("0.11.0"), "zk")) == TABLE["1.1.1"]["markers"]


@pytest.mark.parametrize("release", TABLE)
def test_drawn_times_have_the_measured_median_and_an_end(release: str) -> None:
    random = Random(release)
    for event, times in TABLE[release].items():
        drawn = sorted(_drawn(times, random) for _ in range(2_001))
        assert 0.8 * times.median_ms < drawn[1_000] < 1.25 * times.median_ms, event
        assert drawn[-1] <= LONGEST * times.high_ms, event
