"""When rules act: `faults/match.py`."""

import pytest
from fakekafka import UsageError
from fakekafka.faults.match import Match, Seen, api_name, apis
from fakekafka.faults.subjects import Subjects, TopicOrPartition
from fakekafka.ids import ApiKey

from tests.support.faults import produce

SEEN = Seen(
    api=ApiKey.PRODUCE,
    version=7,
    body=produce(("orders", 0)),
    find_subjects=lambda: Subjects((TopicOrPartition("orders", 0), TopicOrPartition("other", 2)), ("shop",), ("tx-1",)),
    client_id="slow-1",
    software_name="librdkafka",
    principal="User:alice",
    broker=0,
    connection=5,
    elapsed_ms=0,
)


@pytest.mark.parametrize(
    ("match", "difference"),
    [
        (Match(), ""),
        (Match(api=(ApiKey.PRODUCE, ApiKey.FETCH)), ""),
        (Match(api=(ApiKey.FETCH,)), "api Produce"),
        (Match(version=7), ""),
        (Match(version=(3, 6)), "version 7"),
        (Match(topic="ord*"), ""),
        (Match(topic="orders", partition=0), ""),
        (Match(topic="orders", partition=1), "topic orders-0, other-2"),
        (Match(partition=2), ""),
        (Match(group="shop"), ""),
        (Match(group="x*"), "group 'shop'"),
        (Match(transactional_id="tx-?"), ""),
        (Match(client_id="slow-*"), ""),
        (Match(client_id="fast-*"), "client id 'slow-1'"),
        (Match(software_name="librdkafka"), ""),
        (Match(principal="User:bob"), "principal 'User:alice'"),
        (Match(broker=1), "broker 0"),
        (Match(connection=5), ""),
        (Match(where=lambda request: False), "where= said no"),
    ],
)
def test_a_request_is_compared_field_by_field(match: Match, difference: str) -> None:
    assert match.differences(SEEN) == ([difference] if difference else [])
    assert match.is_like(SEEN) is not bool(difference)


def test_an_api_can_be_given_by_its_name_or_its_key() -> None:
    assert {apis(api_name(key)) for key in ApiKey} == {(key,) for key in ApiKey}
    assert apis(int(ApiKey.FETCH)) == apis("FETCH") == apis("fetch") == (ApiKey.FETCH,)
    assert apis(None) is None


@pytest.mark.parametrize("wrong", [{"times": 0}, {"nth": -1}, {"probability": 1.5}])
def test_impossible_numbers_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        Match(**wrong)  # type: ignore[arg-type]
