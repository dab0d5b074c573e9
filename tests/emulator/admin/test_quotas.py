"""AlterClientQuotas and DescribeClientQuotas with odd values, keys and names. Recorded at 2.8.1, 3.4.1 and 4.1.1:
quota_questions.
"""

import math

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_client_quotas import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    EntityData,
    EntryData,
    OpData,
)
from fakekafka.wire.apis.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
    ScramCredentialUpsertion,
)
from fakekafka.wire.apis.describe_client_quotas import (
    ComponentData,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
)

from tests.support.brokers import answer

BYTES, PERCENT = "producer_byte_rate", "request_percentage"


def entry(key: str, value: float | None, kind: str = "user", name: str | None = "u") -> EntryData:
    op = OpData(key=key, value=value or 0.0, remove=value is None)
    return EntryData(entity=[EntityData(entity_type=kind, entity_name=name)], ops=[op])


def alter(kafka: FakeKafka, *entries: EntryData) -> tuple[int, str | None]:
    """The error of the only entity."""
    found = answer(kafka, AlterClientQuotasRequest(entries=list(entries)), 0, AlterClientQuotasResponse)
    (result,) = found.entries
    return result.error_code, result.error_message


def described(kafka: FakeKafka, *components: ComponentData, strict: bool = False) -> list[tuple[str, float]] | int:
    """Quotas; or the error."""
    request = DescribeClientQuotasRequest(components=list(components), strict=strict)
    found = answer(kafka, request, 0, DescribeClientQuotasResponse)
    return found.error_code or [(value.key, value.value) for each in found.entries or () for value in each.values]


def fraction(release: str) -> str:
    if release == "4.1":
        return f"{BYTES} cannot be a fractional value."
    return f"Configuration {BYTES} must be a {'LONG' if release == '2.8' else 'Long'} value"


@pytest.mark.parametrize("release", ["2.8", "3.4", "4.1"])
def test_a_rate_of_bytes_is_a_whole_number_within_a_long(release: str) -> None:
    kafka = FakeKafka(release).boot()
    assert alter(kafka, entry(BYTES, 1.5)) == (42, fraction(release))
    assert alter(kafka, entry(BYTES, 2.0**63)) == (0, None)
    assert alter(kafka, entry(BYTES, 1e300))[0] == 42
    assert alter(kafka, entry(BYTES, math.inf))[0] == 42
    assert alter(kafka, entry(PERCENT, math.inf)) == (0, None)


@pytest.mark.parametrize(
    ("release", "value", "kept"),
    [
        ("2.8", 0.9999999, 1.0), ("2.8", 1e-7, 0.0), ("2.8", math.nan, 0.0), ("3.4", 0.9999999, 0.9999999),
        ("4.1", 0.9999999, None), ("4.1", 1e-7, 1e-7),
    ],
)  # fmt: skip
def test_zookeeper_keeps_whole_numbers_and_kraft_what_it_was_sent(
    release: str, value: float, kept: float | None
) -> None:
    kafka = FakeKafka(release).boot()
    alter(kafka, entry(BYTES, value))
    assert described(kafka) == ([] if kept is None else [(BYTES, kept)])


def test_kraft_does_not_ask_whether_a_quota_is_a_number() -> None:
    kafka = FakeKafka("4.1").boot()
    assert alter(kafka, entry(BYTES, math.nan)) == (0, None)
    assert alter(kafka, entry(PERCENT, -math.inf)) == (42, f"Quota {PERCENT} must be greater than 0")


@pytest.mark.parametrize(("release", "kept"), [("2.8", [(BYTES, 6.0)]), ("4.1", [(BYTES, 5.0)])])
def test_of_two_entries_for_one_entity_both_count_or_the_first(release: str, kept: list[tuple[str, float]]) -> None:
    kafka = FakeKafka(release).boot()
    code, _ = alter(kafka, entry(BYTES, 5), entry(BYTES, 6))
    assert (code, described(kafka)) == (42 if release == "4.1" else 0, kept)


@pytest.mark.parametrize("name", ["127.1", "1", "01.02.03.04", "localhost"])
@pytest.mark.parametrize("release", ["2.8", "4.1"])
def test_an_address_has_up_to_four_parts(release: str, name: str) -> None:
    assert alter(FakeKafka(release).boot(), entry("connection_creation_rate", 7, "ip", name)) == (0, None)


@pytest.mark.parametrize(("release", "code"), [("2.8", 42), ("4.1", 0)])
@pytest.mark.parametrize("name", ["::1", "[::1]"])
def test_zookeeper_takes_no_addresses_with_colons(release: str, code: int, name: str) -> None:
    assert alter(FakeKafka(release).boot(), entry("connection_creation_rate", 7, "ip", name))[0] == code


@pytest.mark.parametrize("name", ["256.1.1.1", "1.2.3.4.5", "1.2.", " 1.2.3.4", "fe80::1%eth0"])
def test_an_interface_or_a_part_beyond_its_bytes_is_not_an_address(name: str) -> None:
    assert alter(FakeKafka("4.1").boot(), entry("connection_creation_rate", 7, "ip", name))[0] == 42


@pytest.mark.parametrize(("release", "code"), [("2.8", -1), ("4.1", 0)])
def test_no_node_of_zookeeper_is_called_like_its_own_directory(release: str, code: int) -> None:
    kafka = FakeKafka(release).boot()
    assert alter(kafka, entry(BYTES, 1, name=".."))[0] == code
    only = ComponentData(entity_type="user", match_type=0, match="")
    assert described(kafka, only, strict=True) == (code or [])
    assert described(kafka, only) == []


@pytest.mark.parametrize(
    ("release", "error"),
    [
        ("2.8", (-1, None)),
        ("3.4", (-1, "Unexpected config type STRING should be Long or Double")),
        ("4.1", (42, "Invalid configuration key SCRAM-SHA-256")),
    ],
)
def test_a_password_is_not_a_quota(release: str, error: tuple[int, str | None]) -> None:
    assert alter(FakeKafka(release).boot(), entry("SCRAM-SHA-256", 1)) == error


def test_whoever_removes_quotas_can_remove_passwords_from_zookeeper() -> None:
    kafka = FakeKafka("2.8").boot()
    password = ScramCredentialUpsertion(name="u", mechanism=1, iterations=4096, salt=b"s", salted_password=b"p")
    request = AlterUserScramCredentialsRequest(deletions=[], upsertions=[password])
    answer(kafka, request, 0, AlterUserScramCredentialsResponse)
    assert alter(kafka, entry("SCRAM-SHA-256", None)) == (0, None)
    assert kafka._running.cluster.settings.scram == {}
