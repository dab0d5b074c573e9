"""What brokers make of changed SCRAM credentials. Recorded at 3.9.1: random_users; asked of 3.6.2, 4.0.0 and 4.3.1.

In a map of Java "bob" comes before "root", and "root" before "alice".
"""

from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
    ScramCredentialDeletion,
    ScramCredentialUpsertion,
)
from fakekafka.wire.apis.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
)

from tests.support.brokers import answer

SHA_256, SHA_512 = 1, 2


def alter(kafka: FakeKafka, *, added: str = "", removed: str = "", mechanism: int = SHA_256) -> None:
    """Set and remove a credential of each of these users."""
    upsertions = [
        ScramCredentialUpsertion(name=name, mechanism=mechanism, iterations=4096, salt=b"salt", salted_password=b"x")
        for name in added.split()
    ]
    deletions = [ScramCredentialDeletion(name=name, mechanism=mechanism) for name in removed.split()]
    request = AlterUserScramCredentialsRequest(deletions=deletions, upsertions=upsertions)
    found = answer(kafka, request, 0, AlterUserScramCredentialsResponse)
    assert not any(result.error_code for result in found.results)


def described(kafka: FakeKafka) -> set[str]:
    everybody = answer(kafka, DescribeUserScramCredentialsRequest(users=[]), 0, DescribeUserScramCredentialsResponse)
    return {result.user for result in everybody.results}


def for_logins(kafka: FakeKafka, *users: str) -> set[str]:
    """The users that can log in."""
    credentials = kafka._running.cluster.brokers[0].credentials
    return {user for user in users if credentials.for_login(user, SHA_256) is not None}


@pytest.mark.parametrize("release", ["3.5", "3.9.1", "4.3"])
def test_a_user_added_after_the_last_one_is_removed_can_log_in_but_is_not_described(release: str) -> None:
    kafka = FakeKafka(release).boot()
    alter(kafka, added="bob")
    alter(kafka, added="root", removed="bob")
    assert (described(kafka), for_logins(kafka, "bob", "root")) == (set(), {"root"})


def test_a_user_added_before_the_last_one_is_removed_is_described() -> None:
    kafka = FakeKafka("4.3").boot()
    alter(kafka, added="root")
    alter(kafka, added="bob", removed="root")
    assert described(kafka) == {"bob"}


def test_a_broker_that_starts_takes_all_changes_as_one() -> None:
    kafka = FakeKafka("3.9.1", brokers=2).boot()
    alter(kafka, added="bob")
    alter(kafka, removed="bob")
    alter(kafka, added="root")
    alter(kafka, added="dave", mechanism=SHA_512)
    assert described(kafka) == {"root", "dave"}
    kafka.stop_broker(0)
    kafka.start_broker(0)
    assert (described(kafka), for_logins(kafka, "root")) == ({"dave"}, set())
    alter(kafka, added="root")
    assert (described(kafka), for_logins(kafka, "root")) == ({"dave", "root"}, {"root"})


@pytest.mark.parametrize(("release", "known"), [("2.8.2", {"root"}), ("3.9.1", set())])
def test_credentials_that_are_gone_are_remembered_by_the_next_process(
    release: str, known: set[str], tmp_path: Path
) -> None:
    before = FakeKafka(release, log_dir=tmp_path).boot()
    alter(before, added="bob")
    alter(before, removed="bob")
    alter(before, added="root")
    before.stop()
    after = FakeKafka(release, log_dir=tmp_path).boot()
    assert described(after) == known
    after.stop()


def test_a_cluster_that_is_cleared_has_no_past() -> None:
    kafka = FakeKafka("3.9.1").boot()
    alter(kafka, added="bob")
    alter(kafka, added="root", removed="bob")
    kafka.reset()
    assert (described(kafka), for_logins(kafka, "root")) == (set(), set())
    alter(kafka, added="root")
    assert (described(kafka), for_logins(kafka, "root")) == ({"root"}, {"root"})
