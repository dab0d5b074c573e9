"""Counting, lines and near misses of rules: `faults/rule.py`."""

from dataclasses import replace

from fakekafka import FakeKafka, ManualClock
from fakekafka.faults.actions import Drop
from fakekafka.faults.match import Match
from fakekafka.faults.rule import Rule
from fakekafka.ids import ApiKey

from tests.emulator.faults.test_match import SEEN
from tests.support.faults import NOW, Client, produce


def joined(match: Match) -> Rule:
    rule = Rule(match, Drop())
    rule.join(lambda removed: None, 100)
    return rule


def acts(rule: Rule, *elapsed_ms: int) -> list[bool]:
    return [rule.acts_on(replace(SEEN, elapsed_ms=each)) for each in elapsed_ms]


def test_a_rule_acts_on_the_nth_match_only() -> None:
    rule = joined(Match(nth=2))
    assert acts(rule, 100, 100, 100) == [False, True, False]
    assert (rule.hits, rule.matches, rule.active) == (1, 2, False)


def test_a_rule_acts_at_most_as_often_as_it_may() -> None:
    rule = joined(Match(times=2))
    assert acts(rule, 100, 100, 100) == [True, True, False]
    assert not rule.active


def test_a_rule_has_a_beginning_and_an_end() -> None:
    rule = joined(Match(after_ms=10, until_ms=20))
    assert acts(rule, 109, 110, 119, 120) == [False, True, True, False]


def test_a_request_that_differs_in_one_thing_is_a_near_miss() -> None:
    rule = joined(Match(api=(ApiKey.PRODUCE,), topic="order"))
    assert acts(rule, 100) == [False]
    assert list(rule.near_misses) == ["Produce v7 by 'slow-1': topic orders-0, other-2"]
    far = joined(Match(api=(ApiKey.FETCH,), topic="order"))
    assert acts(far, 100) == [False]
    assert not far.near_misses


def test_a_rule_ends_with_its_block() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    with kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER") as rule:
        assert rule.active
        Client(kafka).send(produce(("orders", 0)), 7)
    assert not rule.active
    assert repr(rule) == "<Rule fail Produce: error=NOT_LEADER_OR_FOLLOWER (acted once)>"
    assert list(kafka.faults.rules) == []
