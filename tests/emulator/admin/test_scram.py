"""SCRAM credentials by request, with odd names and several mistakes. Recorded from 2.7.0 to 4.1.1: scram_questions."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
    ScramCredentialUpsertion,
)
from fakekafka.wire.apis.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
    UserName,
)

from tests.support.brokers import answer

ZOOKEEPER = {"zookeeper.connect": "localhost:2181"}


def alter(kafka: FakeKafka, *changes: ScramCredentialUpsertion) -> list[tuple[int, str | None]]:
    request = AlterUserScramCredentialsRequest(deletions=[], upsertions=list(changes))
    found = answer(kafka, request, 0, AlterUserScramCredentialsResponse)
    return [(result.error_code, result.error_message) for result in found.results]


def password(name: str, mechanism: int = 1, iterations: int = 4096) -> ScramCredentialUpsertion:
    return ScramCredentialUpsertion(
        name=name, mechanism=mechanism, iterations=iterations, salt=b"salt", salted_password=b"password"
    )


@pytest.mark.parametrize(
    ("release", "config", "names"),
    [
        ("2.8", {}, ["%C3%BC", "a%2Fb", "c%3Dd%7E%2A"]),
        ("3.5.1", ZOOKEEPER, ["%C3%BC", "a%2Fb", "c%3Dd%7E%2A"]),
        ("3.5.2", ZOOKEEPER, ["a/b", "c=d~*", "ü"]),
        ("3.5.1", {}, ["a/b", "c=d~*", "ü"]),
    ],
)
def test_all_users_have_the_names_of_their_nodes_in_zookeeper_up_to_3_5_1(
    release: str, config: dict[str, str], names: list[str]
) -> None:
    kafka = FakeKafka(release, config=config).boot()
    alter(kafka, *map(password, ("ü", "c=d~*", "a/b")))
    everybody = answer(kafka, DescribeUserScramCredentialsRequest(users=[]), 0, DescribeUserScramCredentialsResponse)
    found = [result.user for result in everybody.results]
    assert (sorted(found) if release == "3.5.1" and not config else found) == names
    request = DescribeUserScramCredentialsRequest(users=[UserName(name="a/b")])
    (one,) = answer(kafka, request, 0, DescribeUserScramCredentialsResponse).results
    assert (one.user, one.error_code) == ("a/b", 0)


@pytest.mark.parametrize("release", ["2.8", "4.3"])
def test_credentials_are_described_in_the_order_of_mechanisms_however_they_were_set(release: str) -> None:
    """Asked of 2.7.2 to 4.3.1."""
    kafka = FakeKafka(release).boot()
    for mechanism in (2, 1):
        alter(kafka, password("u", mechanism))
    request = DescribeUserScramCredentialsRequest(users=[UserName(name="u")])
    (one,) = answer(kafka, request, 0, DescribeUserScramCredentialsResponse).results
    assert [info.mechanism for info in one.credential_infos] == [1, 2]


@pytest.mark.parametrize(
    ("release", "refusal"), [("2.8", (33, "Unknown SCRAM mechanism")), ("4.1", (93, "Too few iterations"))]
)
def test_of_several_mistakes_zookeeper_names_the_last_and_kraft_the_first(
    release: str, refusal: tuple[int, str]
) -> None:
    kafka = FakeKafka(release).boot()
    assert alter(kafka, password("u", iterations=1), password("u", mechanism=0)) == [refusal]
