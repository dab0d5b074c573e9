"""The calls that a test makes: `faults/faults.py`."""

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


def test_clearing_removes_every_rule(kafka: FakeKafka) -> None:
    rules = [kafka.faults.drop("Produce"), kafka.faults.delay("Fetch", ms=1)]
    kafka.faults.clear()
    assert list(kafka.faults.rules) == []
    assert not any(rule.active for rule in rules)


def test_a_rule_can_be_added_again(kafka: FakeKafka) -> None:
    rule = kafka.faults.drop("Produce")
    rule.remove()
    assert kafka.faults.add(rule) is rule
    assert list(kafka.faults.rules) == [rule]


def test_removing_twice_does_nothing(kafka: FakeKafka) -> None:
    rule: Rule = kafka.faults.drop("Produce")
    rule.remove()
    rule.remove()
    assert not rule.active


@pytest.mark.parametrize(
    ("wrong", "says"), [({"how": "loudly"}, "'close', 'reset', 'silence'"), ({"colour": "red"}, "no field 'colour'")]
)
def test_arguments_that_cannot_be_are_refused(kafka: FakeKafka, wrong: dict[str, str], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        kafka.faults.drop("Produce", **wrong)  # type: ignore[arg-type]


def test_a_delay_is_not_negative(kafka: FakeKafka) -> None:
    with pytest.raises(UsageError, match="not be negative"):
        kafka.faults.delay("Produce", ms=-1)
