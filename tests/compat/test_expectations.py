import pytest
from fakekafka_compat.expectations import expected, not_runnable
from fakekafka_compat.table import default_table, read_table
from fakekafka_spark.observations import Cell

CLIENTS = read_table(default_table()).clients


def cell(client: str, release: str, format: str = "", scenario: str = "roundtrip", codec: str = "none") -> Cell:
    return Cell.of(client, release, format, "", codec, scenario)


@pytest.mark.parametrize(
    ("client", "release", "versions"),
    [
        ("kp147", "0.10.1", (2, 3)),
        ("kp202", "1.0", (None, 4)),
        ("kp3012", "0.9.0", (1, 1)),
        ("kp3012", "4.3", (9, 12)),
        ("ck161", "0.11.0", (3, None)),
        ("ck2161", "0.10.2", (2, 3)),
        ("ck2161", "2.1", (7, 10)),
        ("ck2161", "4.3", (10, 16)),
        ("aio081", "1.0", (None, 4)),
        ("aio0140", "2.4", (7, 11)),
    ],
)
def test_versions_are_those_recorded_from_the_client_or_not_known(
    client: str, release: str, versions: tuple[int | None, int | None]
) -> None:
    found = expected(CLIENTS[client], cell(client, release))
    assert (found.produce, found.fetch) == versions


@pytest.mark.parametrize(
    ("client", "release", "format", "conversions"),
    [
        ("kp3012", "2.3", "", ""),
        ("kp3012", "2.3", "0.9.0", "Produce 2 to 0"),
        ("kp3012", "0.10.2", "0.9.0", "Produce 1 to 0"),
        ("kp147", "0.11.0", "", None),
    ],
)
def test_conversions_follow_from_versions_and_formats(
    client: str, release: str, format: str, conversions: str | None
) -> None:
    assert expected(CLIENTS[client], cell(client, release, format)).conversions == conversions


def test_of_a_library_that_nobody_recorded_versions_are_not_judged() -> None:
    own = CLIENTS["kp3012"]._replace(library="our-wrapper", version="1.0")
    found = expected(own, cell("own", "2.3", "0.10.2"))
    assert (found.produce, found.fetch, found.stores, found.conversions) == (None, None, 1, None)


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (cell("ck2161", "0.9.0"), "talks to no broker before 0.10.0"),
        (cell("ck161", "4.0"), "talks to no broker after 3.9"),
        (cell("kp3012", "0.8.2", scenario="group"), "has no API for scenario group"),
        (cell("kp3012", "0.10.2", scenario="transactional"), "has no API for scenario transactional"),
        (cell("kp147", "2.3", scenario="transactional"), "kafka-python 1.4.7 has no transactions"),
        (cell("kp3012", "2.3", "0.10.2", "transactional"), "format 0.10.2 has no transactions"),
        (cell("kp3012", "3.9", "0.10.2"), "have no other format"),
        (cell("kp3012", "0.10.2", "0.11.0"), "does not know format 0.11.0"),
        (cell("kp3012", "2.0", codec="zstd"), "2.0 has no zstd"),
    ],
)
def test_what_cannot_be_run_says_why(one: Cell, reason: str) -> None:
    assert reason in (not_runnable(CLIENTS[one.client], one) or "")


@pytest.mark.parametrize("one", [cell("ck161", "3.9"), cell("kp3012", "2.8", "0.8.2"), cell("kp233", "0.8.0")])
def test_what_can_be_run_gives_no_reason(one: Cell) -> None:
    assert not_runnable(CLIENTS[one.client], one) is None
