"""Users with SCRAM credentials, in the order of the release's maps."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
    ScramCredentialDeletion,
)
from fakekafka.wire.apis.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
    UserName,
)

from tests.support.brokers import answer


def test_refusals_are_listed_by_what_is_checked_first() -> None:
    """Recorded from 2.7.2: sasl."""
    asked = [("bob", 1), ("bob", 2), ("nobody", 1), ("", 1)]
    deletions = [ScramCredentialDeletion(name=name, mechanism=mechanism) for name, mechanism in asked]
    request = AlterUserScramCredentialsRequest(deletions=deletions, upsertions=[])
    done = answer(FakeKafka("2.7").boot(), request, 0, AlterUserScramCredentialsResponse)
    assert [(row.user, row.error_code) for row in done.results] == [("", 93), ("bob", 91), ("nobody", 91)]


@pytest.mark.parametrize(("release", "listed"), [("2.7", ["bob", "nobody", ""]), ("4.3", ["", "bob", "nobody"])])
def test_brokers_of_kraft_have_a_map_of_the_users_that_they_describe(release: str, listed: list[str]) -> None:
    """Recorded from 2.7.2 to 4.1.1: sasl."""
    users = [UserName(name=name) for name in ("bob", "nobody", "bob", "")]
    request = DescribeUserScramCredentialsRequest(users=users)
    done = answer(FakeKafka(release).boot(), request, 0, DescribeUserScramCredentialsResponse)
    assert [row.user for row in done.results] == listed
