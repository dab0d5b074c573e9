"""CreateAcls. The answers were asked of the releases that are named."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.create_acls import AclCreation, CreateAclsRequest
from fakekafka.wire.frames import request_frame

from tests.support.acls import VERSION, closes, create, described, entry, guarded
from tests.support.brokers import CLIENT_ID

EVERY = ("0.11.0", "2.0", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "3.2", "3.9", "4.2")
NO_COLON = "expected a string in format principalType:principalName but got a"
CLOSED = (0, "closed")


def outcome(release: str, creation: AclCreation) -> tuple[int, str | None]:
    kafka = guarded(release)
    version = VERSION[release]
    if closes(kafka, CreateAclsRequest(creations=[creation]), version):
        return CLOSED
    return create(kafka, version, creation)[0]


@pytest.mark.parametrize("release", EVERY)
def test_a_stored_entry_is_described_once(release: str) -> None:
    kafka = guarded(release)
    done = (0, None if release in ("0.11.0", "2.0", "2.3", "2.4") else "")
    assert create(kafka, VERSION[release], entry(), entry(operation=4), entry(), entry(3, "g")) == [done] * 4
    assert described(kafka, VERSION[release]) == [("t", ["User:a", "User:a"]), ("g", ["User:a"])]


@pytest.mark.parametrize("release", EVERY)
def test_names_of_resources_are_checked(release: str) -> None:
    assert outcome(release, entry(name="")) == (42, "Invalid empty resource name")
    assert outcome(release, entry(4, "x")) == (42, "The only valid name for the CLUSTER resource is kafka-cluster")
    assert outcome(release, entry(4, "kafka-cluster", operation=12))[0] == 0


@pytest.mark.parametrize(
    ("releases", "error"),
    [
        (("0.11.0", "2.0", "2.3"), (42, NO_COLON)),
        (("2.4", "2.5"), (-1, f"java.lang.IllegalArgumentException: {NO_COLON}")),
        (("2.6", "2.7", "2.8", "3.2"), (-1, None)),
        (
            ("3.9", "4.2"),
            (
                42,
                "Could not parse principal from `a` (no colon is present separating the principal type from the"
                " principal name)",
            ),
        ),
    ],
)
def test_a_principal_has_a_colon(releases: tuple[str, ...], error: tuple[int, str | None]) -> None:
    assert {outcome(release, entry(who="a")) for release in releases} == {error}
    assert {outcome(release, entry(who=":"))[0] for release in releases} == {0}


@pytest.mark.parametrize(("release", "code"), [("3.5.2", 0), ("3.8.1", 0), ("3.9.0", 0), ("3.9.1", 42)])
def test_the_controllers_of_kraft_took_a_principal_without_a_colon_up_to_3_9_0(release: str, code: int) -> None:
    """Recorded at these releases: acls_rules."""
    assert create(guarded(release), 3, entry(who="a"))[0][0] == code


@pytest.mark.parametrize(("release", "words"), [("2.5", "operation must not be ANY"), ("2.6", None)])
def test_an_entry_that_says_any_fails_the_others_from_2_5_on(release: str, words: str | None) -> None:
    """Recorded at 2.5.1 and 2.6.3: acls_rules. 2.4 closes the connection."""
    answers = create(guarded(release), VERSION[release], entry(), entry(operation=1), entry(4, "x"))
    assert answers == [(-1, words)] * 3


@pytest.mark.parametrize(("release", "others"), [("2.3", 0), ("2.4", -1), ("3.2", -1), ("3.9", 0)])
def test_with_zookeeper_s_later_authorizer_one_invalid_principal_fails_the_whole_resource(
    release: str, others: int
) -> None:
    kafka = guarded(release)
    results = create(kafka, VERSION[release], entry(), entry(who="a"), entry(operation=4), entry(3, "g"))
    assert [code for code, _ in results] == [others, 42 if not others else -1, others, 0]
    assert described(kafka, VERSION[release])[-1:] == [("g", ["User:a"])]


@pytest.mark.parametrize(
    ("release", "zero", "unknown", "vague"),
    [
        ("2.3", (42, "UNKNOWN not a valid permissionType name. The valid names are Allow,Deny"), None, CLOSED),
        ("2.4", (42, "Failed to create ACL"), None, CLOSED),
        ("2.5", CLOSED, (42, "Failed to create ACL"), (-1, "permissionType must not be ANY")),
        ("2.6", CLOSED, (42, "Failed to create ACL"), (-1, None)),
        ("3.2", CLOSED, (42, "Failed to create ACL"), (-1, None)),
        ("3.9", CLOSED, (42, "Invalid permissionType UNKNOWN"), (-1, None)),
    ],
)
def test_unknown_and_unspecific_numbers_are_refused(
    release: str, zero: tuple[int, str], unknown: tuple[int, str] | None, vague: tuple[int, str | None]
) -> None:
    assert outcome(release, entry(permission=0)) == zero
    assert outcome(release, entry(permission=9)) == (unknown or zero)
    assert outcome(release, entry(permission=1)) == vague


@pytest.mark.parametrize(
    ("release", "match", "unknown"),
    [
        ("2.3", CLOSED, (42, "patternType must not be UNKNOWN")),
        ("2.5", (-1, "patternType must not be MATCH"), (42, "Failed to create ACL")),
        ("4.2", (-1, None), (42, "Invalid patternType UNKNOWN")),
    ],
)
def test_a_pattern_is_literal_or_prefixed(
    release: str, match: tuple[int, str | None], unknown: tuple[int, str | None]
) -> None:
    assert outcome(release, entry(pattern=2)) == match
    assert outcome(release, entry(pattern=9)) == unknown
    assert outcome(release, entry(pattern=4))[0] == 0


@pytest.mark.parametrize(
    ("release", "types", "operations"),
    [("0.11.0", 5, 12), ("1.0", 5, 12), ("1.1", 6, 12), ("3.2", 6, 12), ("3.3", 7, 14), ("3.9", 7, 14), ("4.1", 7, 15)],
)
def test_later_releases_know_more_types_and_operations(release: str, types: int, operations: int) -> None:
    assert [kind for kind in range(2, 9) if outcome(release, entry(kind, "kafka-cluster"))[0] == 0][-1] == types
    assert [number for number in range(2, 18) if outcome(release, entry(operation=number))[0] == 0][-1] == operations


def test_0_11_takes_the_type_any_for_an_unknown_one() -> None:
    words = "ANY not a valid resourceType name. The valid names are Topic,Group,Cluster,TransactionalId"
    assert outcome("0.11.0", entry(1)) == (42, words)
    assert outcome("2.0", entry(1)) == CLOSED


def test_without_an_authorizer_security_is_off() -> None:
    assert create(FakeKafka("2.3").boot(), 1, entry()) == [(54, "No Authorizer is configured on the broker.")]


@pytest.mark.parametrize(
    ("release", "nothing", "anything"), [("2.4", False, True), ("2.5", True, False), ("4.2", True, False)]
)
def test_without_an_authorizer_an_entry_that_cannot_be_read_closes_the_connection(
    release: str, nothing: bool, anything: bool
) -> None:
    """Recorded from 1.1.1 to 4.3.1: odd_requests."""
    for operation, closed in ((0, nothing), (1, anything)):
        client = FakeKafka(release).boot().connect()
        wanted = CreateAclsRequest(creations=[entry(operation=operation)])
        client.send(request_frame(wanted, VERSION[release], 1, CLIENT_ID))
        assert client.closed == closed
