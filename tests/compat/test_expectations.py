import pytest
from fakekafka import Release
from fakekafka.releases.phases import Phase, before_upgrade, recipe
from fakekafka_compat.caps import Caps
from fakekafka_compat.expectations import Expected, expected, expected_in
from fakekafka_compat.table import default_table, read_table
from fakekafka_spark.observations import Cell

CLIENTS = read_table(default_table()).clients


def of(client: str, release: str, format: str = "", scenario: str = "roundtrip", writer: str = "") -> Expected:
    cell = Cell.of(client, release, format, "", "none", scenario)
    return expected(CLIENTS[client], cell, CLIENTS[writer or client], Caps.of(scenario))


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
    found = of(client, release)
    assert (found.produce, found.fetch) == versions


def test_versions_of_apis_other_than_produce_and_fetch_are_known() -> None:
    found = of("ck2161", "2.1")
    assert [found.version(api) for api in ("ListOffsets", "Metadata", "JoinGroup", "Produce")] == [4, 7, 3, 7]
    assert found.version("ApiVersions") is None  # 3, which 2.1 refuses, and then 0
    assert of("kp147", "2.1").version("Metadata") is None


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
    assert of(client, release, format).conversions == conversions


@pytest.mark.parametrize(
    ("client", "release", "format", "headers"),
    [
        ("kp3012", "2.3", "", True),
        ("kp3012", "2.3", "0.10.2", False),  # the record would be refused
        ("pyk280", "0.11.0", "", False),  # it writes format 1
        ("kp147", "0.11.0", "", False),  # it may read format 1, and 0.11.0 cannot convert headers
        ("kp147", "2.3", "", True),
        ("kp3012", "0.11.0", "", True),
    ],
)
def test_records_have_headers_if_client_and_format_have_them(
    client: str, release: str, format: str, headers: bool
) -> None:
    assert of(client, release, format).headers is headers


def test_one_client_writes_and_another_reads() -> None:
    found = of("ck2161", "0.10.2", writer="kp147")
    assert (found.produce, found.fetch, found.writes, found.others) == (2, 3, 1, {})


def test_versions_of_an_unrecorded_library_are_not_judged() -> None:
    own = CLIENTS["kp3012"]._replace(library="our-wrapper", version="1.0")
    found = expected(own, Cell.of("own", "2.3", "0.10.2", "", "none", "roundtrip"), own, Caps())
    assert (found.produce, found.fetch, found.stores, found.conversions) == (None, None, 1, None)


def test_a_phase_says_what_is_stored() -> None:
    cell = Cell.of("kp3012", "2.3", "", "0.10.2 -> 2.3: new code, old format", "none", "roundtrip")
    found = expected(CLIENTS["kp3012"], cell, CLIENTS["kp3012"], Caps())
    assert (found.produce, found.writes, found.stores, found.conversions) == (7, 2, 1, "Produce 2 to 1")


@pytest.mark.parametrize(
    ("scenario", "versions", "writes", "conversions"),
    [
        ("Produce capped at 1", (1, 16), 0, "Produce 0 to 2"),
        ("Fetch capped at 1", (10, None), 0, ""),  # format 0 in Produce 10: refused
        ("capped at 2", (2, 2), 1, "Fetch 2 to 1, Produce 1 to 2"),
        ("capped at 3", (3, None), 1, ""),
        ("capped at 4", (4, 4), 2, ""),
    ],
)
def test_under_caps_librdkafka_chooses_its_format_by_both_apis(
    scenario: str, versions: tuple[int | None, int | None], writes: int, conversions: str
) -> None:
    found = of("ck2161", "3.9", scenario=scenario)
    assert ((found.produce, found.fetch), found.writes, found.conversions) == (versions, writes, conversions)


def test_under_caps_kafka_python_still_writes_the_newest_format() -> None:
    found = of("kp3012", "3.9", scenario="capped at 1")
    assert (found.produce, found.fetch, found.writes, found.refused) == (1, 1, 2, False)


def phases(start: str, to: str) -> list[Phase]:
    return recipe(before_upgrade(Release.parse(start)), to)


def test_in_an_upgrade_a_client_that_negotiates_does_so_with_each_release() -> None:
    before, *_, after = phases("0.10.2", "2.3")
    client, connected = CLIENTS["ck2161"], before.release
    found = [expected_in(client, phase, connected) for phase in (before, after)]
    assert [(each.produce, each.fetch, each.stores) for each in found] == [(2, 3, 1), (7, 11, 2)]
    assert [each.version("Metadata") for each in found] == [2, None]


def test_in_an_upgrade_a_producer_of_kafkajs_stays_with_what_it_found_first() -> None:
    before, *_, after = phases("0.10.2", "2.3")
    found = expected_in(CLIENTS["kjs224"], after, before.release)
    assert (found.produce, found.fetch, found.writes, found.others) == (2, None, 1, {})


def test_in_an_upgrade_kafka_python_stays_with_what_it_found_first() -> None:
    before, *_, after = phases("0.10.2", "2.3")
    found = expected_in(CLIENTS["kp3012"], after, before.release)
    assert (found.produce, found.fetch, found.writes, found.stores, found.version("Metadata")) == (2, 3, 1, 2, 2)
    assert found.conversions == "Fetch 2 to 1, Produce 1 to 2"


def test_in_an_upgrade_java_may_have_a_batch_of_the_old_format() -> None:
    before, code, *_, after = phases("0.10.2", "2.3")
    found = [expected_in(CLIENTS["java39"], phase, before.release) for phase in (before, code, after)]
    assert [(each.produce, each.fetch, each.writes) for each in found] == [(2, 3, 1), (None, 11, None), (7, 11, 2)]


def test_in_an_upgrade_a_client_pinned_to_a_release_stays_with_it() -> None:
    before, *_, after = phases("0.9.0", "0.11.0")
    found = expected_in(CLIENTS["kp3012"], after, before.release)
    assert (found.produce, found.fetch, found.stores, found.conversions) == (1, 1, 2, "Fetch 2 to 0, Produce 0 to 2")


@pytest.mark.parametrize(
    ("client", "release", "versions"),
    [
        ("kp202", "4.3", (0, None)),  # bare tokens
        ("kp3012", "0.11.0", (0, None)),
        ("kp3012", "1.0", (1, 0)),
        ("ck161", "2.3", (1, 0)),
        ("java39", "2.3", (1, 1)),
        ("java39", "4.3", (1, 2)),
        ("aio0120", "4.3", (None, 1)),
    ],
)
def test_versions_of_login_requests_are_those_recorded_from_the_client(
    client: str, release: str, versions: tuple[int | None, int | None]
) -> None:
    found = of(client, release, scenario="SASL_SSL with PLAIN")
    assert (found.version("SaslHandshake"), found.version("SaslAuthenticate")) == versions
    assert found.version("ApiVersions") is None
