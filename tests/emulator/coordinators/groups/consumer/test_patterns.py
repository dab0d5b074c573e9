"""Subscriptions by regular expression."""

import pytest
from fakekafka.errors import ErrorCode

from tests.support.consumer_group_clients import ConsumerMember, group_of
from tests.support.group_clients import clock_of, grouped


def by_pattern(release: str = "4.1", regex: str = "t.*") -> ConsumerMember:
    return ConsumerMember(grouped(release, partitions=2), topics=None, regex=regex)


@pytest.mark.parametrize("release", ["4.0.0", "4.1", "4.3"])
def test_topics_that_match_a_pattern_are_assigned_by_the_next_heartbeat(release: str) -> None:
    member = by_pattern(release)
    member.join()
    assert member.owned == {}
    member.beat()
    assert member.owned == {"t": [0, 1]}


def test_an_invalid_pattern_is_refused_with_a_message() -> None:
    said = by_pattern(regex="(").join()
    assert said.error_code == ErrorCode.INVALID_REGULAR_EXPRESSION
    assert said.error_message == "SubscribedTopicRegex `(` is not a valid regular expression: missing closing )."


@pytest.mark.parametrize(("release", "code"), [("4.0.0", 128), ("4.1", 0), ("4.3", 0)])
def test_from_4_1_on_a_capturing_group_may_be_named_as_in_java(release: str, code: int) -> None:
    assert by_pattern(release, "(?<name>t).*").join().error_code == code


def test_a_pattern_too_large_for_the_broker_is_an_unknown_error() -> None:
    """4.x runs out of stack."""
    assert by_pattern(regex="((a{0,100}){0,100}){0,100}b").join().error_code == ErrorCode.UNKNOWN_SERVER_ERROR


def test_a_pattern_that_would_backtrack_very_often_is_resolved_at_once() -> None:
    member = by_pattern(regex="(a+)+b|t")
    member.kafka.create_topic("a" * 60, 1)
    member.join()
    member.beat()
    assert set(member.owned) == {"t"}


def test_an_empty_pattern_ends_the_subscription_to_a_pattern() -> None:
    member = by_pattern(regex="")
    assert member.join().error_code == ErrorCode.NONE
    assert group_of(member.kafka).regexes == {}


def test_new_topics_that_match_a_pattern_are_found_after_ten_seconds() -> None:
    member = by_pattern()
    member.join()
    member.beat()
    member.kafka.create_topic("t2", 1)
    member.beat()
    clock_of(member.kafka).advance(10_001)
    member.beat()
    assert set(member.owned) == {"t"}
    member.beat()
    assert set(member.owned) == {"t", "t2"}


def test_a_second_member_with_the_same_pattern_shares_its_topics_at_once() -> None:
    first = by_pattern()
    first.join()
    first.beat()
    second = ConsumerMember(first.kafka, "n", topics=None, regex="t.*")
    second.join()
    first.beat()
    assert len(first.owned["t"]) == 1


def test_a_member_that_drops_its_pattern_drops_its_topics_at_once_from_4_2_on() -> None:
    """4.1 and before keep the assignment until something else makes the group epoch grow."""
    epochs = {}
    for release in ("4.1", "4.2"):
        member = by_pattern(release)
        member.join()
        member.beat()
        before = group_of(member.kafka).epoch
        member.beat(subscribed_topic_regex="")
        epochs[release] = group_of(member.kafka).epoch - before
        assert group_of(member.kafka).regexes == {}
    assert epochs["4.2"] == 1


def test_a_pattern_without_subscribers_is_forgotten() -> None:
    member = by_pattern()
    member.join()
    member.beat()
    assert list(group_of(member.kafka).regexes) == ["t.*"]
    member.leave()
    assert group_of(member.kafka).regexes == {}
