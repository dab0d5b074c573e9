import os
from pathlib import Path

import pytest
from fakekafka import UsageError
from fakekafka_compat.report.matrix_report import date_of, read_stories
from fakekafka_compat.report.squares import squares
from fakekafka_spark.observations import Cell, write

from tests.compat.report.observed import zero_copy
from tests.compat.report.reports import KNOWN, large, of, small

CELL = Cell.of("kp147", "2.3", "", "", "none", "group")


def test_cells_are_in_the_order_of_the_table_and_of_releases() -> None:
    report = small()
    assert report.clients == {"kp3012": "kafka-python 3.0.12", "ck2161": "confluent-kafka 2.16.1", "own": ""}
    assert report.releases == ["0.10.2", "2.3", "4.3"]
    assert [told.number for told in report.cells] == list(range(6))
    assert [told.story.cell.scenario for told in report.groups["kp3012", "2.3"]] == ["group", "roundtrip"]


def test_a_difference_that_is_listed_is_known_by_the_finding() -> None:
    report = small()
    assert {told.finding for told in report.cells if told.outcome == "known difference"} == {KNOWN[0].title}
    assert (report.count("as the real broker"), report.count("differs"), report.count("not runnable here")) == (3, 1, 1)
    assert [report.count_handling(how) for how in ("zero-copy", "converted", "refused", "none")] == [3, 1, 1, 1]
    assert report.hindrances == [("there is no Python 3.7 & nothing like it", 1)]


def test_the_values_of_an_axis_are_those_that_occur_formats_by_age() -> None:
    assert small().values("scenario") == ["group", "oversize", "roundtrip"]
    assert large(3000).values("format") == ["", "0.9.0", "0.10.0"]


def test_numbers_in_names_count_as_numbers() -> None:
    names = ["capped at 10", "capped at 2", "Produce capped at 9"]
    report = of([(CELL._replace(scenario=name, cell=name), zero_copy()) for name in names], None)
    assert [told.story.cell.scenario for told in report.cells] == ["Produce capped at 9", "capped at 2", "capped at 10"]
    assert report.values("scenario") == ["Produce capped at 9", "capped at 2", "capped at 10"]


def test_a_square_has_the_sign_of_its_worst_cell() -> None:
    found = squares(small())
    assert [(square.kind, square.sign, square.letters) for square in found.values()] == [
        ("as", "✓", "r1"),
        ("as", "✓", "z1 c1"),
        ("known", "!", "z1"),
        ("differs", "✗", "z1"),
        ("skipped", "–", ""),
    ]
    assert (found["kp3012", "2.3"].zero, found["kp3012", "2.3"].converted) == (50, 100)
    assert found["kp3012", "2.3"].words == "kp3012 on 2.3: 2 as the real broker, 1 zero-copy, 1 converted"


def test_the_date_is_that_of_the_newest_file(tmp_path: Path) -> None:
    for day, name in enumerate(("kp147", "ck161"), 5):
        path = write(tmp_path, CELL._replace(client=name, cell=name), zero_copy())
        os.utime(path, (day * 86400, day * 86400))
    assert date_of(tmp_path) == "7 January 1970"
    assert [story.cell.client for story in read_stories(tmp_path)] == ["ck161", "kp147"]


def test_a_folder_without_observations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no observations: `fakekafka-compat run --into"):
        read_stories(tmp_path)
