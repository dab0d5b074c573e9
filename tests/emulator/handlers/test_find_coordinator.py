import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.frames import request_frame

from tests.support.brokers import answer
from tests.support.group_clients import SMALL
from tests.support.seeded import NOW, broker_of

E = ErrorCode
GROUP, TRANSACTION, SHARE = 0, 1, 2


def started(release: str, *, waits: bool = True, brokers: int = 1, **config: object) -> FakeKafka:
    given = {name.replace("_", "."): value for name, value in config.items()}
    kafka = FakeKafka(release, brokers=brokers, config=SMALL | given, clock=ManualClock(NOW)).boot()
    broker_of(kafka).cluster.lookup_waits_for_topic = waits
    return kafka


def find(kafka: FakeKafka, version: int, key: str = "g", kind: int = GROUP) -> FindCoordinatorResponse:
    request = FindCoordinatorRequest(key=key, key_type=kind, coordinator_keys=[key])
    return answer(kafka, request, version, FindCoordinatorResponse)


@pytest.mark.parametrize(("release", "version"), [("0.8.2", 0), ("0.11.0", 1), ("2.3", 2), ("2.4", 3)])
def test_the_first_look_up_makes_the_topic_and_finds_its_leader(release: str, version: int) -> None:
    kafka = started(release)
    found = find(kafka, version)
    assert (found.error_code, found.node_id, found.host) == (E.NONE, 0, broker_of(kafka).host)
    assert "__consumer_offsets" in broker_of(kafka).cluster.topics


@pytest.mark.parametrize(("release", "words"), [("2.2", None), ("2.3", "NONE")])
def test_the_message_of_no_error_depends_on_the_release(release: str, words: str | None) -> None:
    assert find(started(release), 1).error_message == words


@pytest.mark.parametrize(("release", "words"), [("2.2", None), ("2.3", "The coordinator is not available.")])
def test_a_real_broker_returns_error_15_while_it_makes_the_topic(release: str, words: str | None) -> None:
    kafka = started(release, waits=False)
    first = find(kafka, 1)
    assert (first.error_code, first.node_id, first.port, first.error_message) == (15, -1, -1, words)
    assert find(kafka, 1).error_code == E.NONE


@pytest.mark.parametrize("release", ["3.0", "4.3"])
def test_several_keys_are_answered_one_by_one(release: str) -> None:
    kafka = started(release)
    request = FindCoordinatorRequest(coordinator_keys=["a", "b"])
    found = answer(kafka, request, 4, FindCoordinatorResponse).coordinators
    assert [(c.key, c.error_code, c.node_id, c.error_message) for c in found] == [("a", 0, 0, ""), ("b", 0, 0, "")]


def test_a_key_without_a_coordinator_yet_has_no_message_in_version_4() -> None:
    (found,) = find(started("4.3", waits=False), 4).coordinators
    assert (found.error_code, found.node_id, found.error_message) == (E.COORDINATOR_NOT_AVAILABLE, -1, "")


def test_with_too_few_brokers_there_is_no_coordinator() -> None:
    kafka = started("3.8", offsets_topic_replication_factor=3)
    assert find(kafka, 3).error_code == E.COORDINATOR_NOT_AVAILABLE
    assert find(kafka, 3).error_code == E.COORDINATOR_NOT_AVAILABLE


def test_transactions_have_their_own_topic() -> None:
    kafka = started("3.8")
    assert find(kafka, 3, "tx", TRANSACTION).error_code == E.NONE
    assert list(broker_of(kafka).cluster.topics) == ["__transaction_state"]


def test_different_brokers_coordinate_different_groups() -> None:
    kafka = started("3.8", brokers=2, offsets_topic_num_partitions=4)
    assert {find(kafka, 3, group).node_id for group in "abcdefgh"} == {0, 1}


def test_a_leader_that_has_stopped_coordinates_nothing() -> None:
    kafka = started("3.8")
    find(kafka, 3)
    broker_of(kafka).cluster.topics["__consumer_offsets"].partitions[0].leader = -1
    assert find(kafka, 3).error_code == E.COORDINATOR_NOT_AVAILABLE


# ---- key types


@pytest.mark.parametrize(
    ("release", "version", "error"), [("2.3", 2, E.UNKNOWN_SERVER_ERROR), ("2.8", 3, E.INVALID_REQUEST)]
)
def test_unknown_key_types_are_an_error(release: str, version: int, error: ErrorCode) -> None:
    found = find(started(release), version, kind=3)
    assert found.error_code == error
    assert found.error_message


def test_up_to_2_2_unknown_key_types_close_the_connection() -> None:
    client = started("2.2").connect()
    request = FindCoordinatorRequest(key="g", key_type=3)
    assert client.send(request_frame(request, 1, 1, "test")) == b""
    assert client.closed


SHARE_KEY = "g:AAAAAAAAAAAAAAAAAAAAAQ:0"


@pytest.mark.parametrize(
    ("release", "version", "key", "error", "explained"),
    [
        ("3.8", 5, SHARE_KEY, E.INVALID_REQUEST, True),
        ("3.9", 5, SHARE_KEY, E.INVALID_REQUEST, False),  # asked of 3.9.1, as the next ones below version 6
        ("3.9", 6, "no key", E.COORDINATOR_NOT_AVAILABLE, False),
        ("4.0", 4, SHARE_KEY, E.INVALID_REQUEST, False),  # asked of 4.0.0
        ("4.0", 6, SHARE_KEY, E.INVALID_REQUEST, False),
        ("4.1", 5, SHARE_KEY, E.INVALID_REQUEST, False),  # asked of 4.2.0
        ("4.1", 6, SHARE_KEY, E.COORDINATOR_NOT_AVAILABLE, False),
        ("4.1", 6, "no key", E.INVALID_REQUEST, False),
    ],
)
def test_share_keys_are_refused_while_share_groups_are_off(
    release: str, version: int, key: str, error: ErrorCode, explained: bool
) -> None:
    (found,) = find(started(release), version, key, SHARE).coordinators
    assert (found.error_code, bool(found.error_message)) == (error, explained)
