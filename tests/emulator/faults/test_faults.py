"""The calls that a test makes: `faults/faults.py`."""

from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.faults.rule import Rule

from tests.support.faults import NOW


@pytest.fixture
def kafka() -> FakeKafka:
    return FakeKafka("2.3", clock=ManualClock(NOW))


def test_rules_can_be_added_before_the_start_and_are_kept_in_order(kafka: FakeKafka) -> None:
    first = kafka.faults.fail("Produce", 6)
    second = kafka.faults.lose_answer("Produce")
    assert list(kafka.faults.rules) == [first, second]


def test_clearing_the_faults_removes_every_rule(kafka: FakeKafka) -> None:
    rules = [kafka.faults.drop("Produce"), kafka.faults.delay("Fetch", ms=1)]
    kafka.faults.clear()
    assert list(kafka.faults.rules) == []
    assert not any(rule.active for rule in rules)


def test_a_rule_can_be_added_again(kafka: FakeKafka) -> None:
    rule = kafka.faults.drop("Produce")
    rule.remove()
    assert kafka.faults.add(rule) is rule
    assert list(kafka.faults.rules) == [rule]


def test_removing_a_rule_twice_does_nothing(kafka: FakeKafka) -> None:
    rule: Rule = kafka.faults.drop("Produce")
    rule.remove()
    rule.remove()
    assert not rule.active


@pytest.mark.parametrize(
    ("wrong", "says"), [({"how": "loudly"}, "'close', 'reset', 'silence'"), ({"colour": "red"}, "no field 'colour'")]
)
def test_impossible_arguments_are_refused(kafka: FakeKafka, wrong: dict[str, str], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        kafka.faults.drop("Produce", **wrong)  # type: ignore[arg-type]


def test_a_delay_is_not_negative(kafka: FakeKafka) -> None:
    with pytest.raises(UsageError, match="not be negative"):
        kafka.faults.delay("Produce", ms=-1)


def test_a_rule_can_be_added_in_the_notation_of_a_plan(kafka: FakeKafka) -> None:
    rule = kafka.faults.add({"fail": "NOT_LEADER_OR_FOLLOWER", "api": "Produce", "times": 2})
    assert str(rule) == "fail Produce: error=NOT_LEADER_OR_FOLLOWER, times=2 (never acted)"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [({"fial": "NOT_CONTROLLER"}, "name one action: fail"), ("fail", "is no rule; write {"), (None, "is no rule")],
)
def test_an_object_that_is_not_a_rule_is_not_added(kafka: FakeKafka, wrong: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        kafka.faults.add(wrong)


def test_only_functions_intercept(kafka: FakeKafka) -> None:
    wrong: Any = "function"
    with pytest.raises(UsageError, match="'function' is no function of a request"):
        kafka.faults.intercept("Metadata", wrong)
