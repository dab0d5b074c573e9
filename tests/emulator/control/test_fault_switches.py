"""Fault rules with numbers and switches."""

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.control.fault_switches import FaultSwitches
from hypothesis import given
from hypothesis import strategies as st

REFUSED = {"fail": "NOT_LEADER_OR_FOLLOWER", "api": "Produce", "times": 2}


@pytest.fixture
def switches() -> FaultSwitches:
    return FaultSwitches(FakeKafka("2.3", topics={"orders": 1}).boot())


def test_a_rule_that_is_switched_off_and_on_again_comes_last(switches: FaultSwitches) -> None:
    first, second = (
        switches.add(REFUSED),
        switches.add({"delay": 300, "api": ["Fetch", "Metadata"], "client_id": "a-*"}),
    )
    assert [rule.id for rule in switches.shown()] == [first.id, second.id]
    assert not switches.switch(first.id, False).is_on
    assert "fail" not in switches.plan()
    assert switches.switch(first.id, True).is_on
    assert switches.plan().index("delay") < switches.plan().index("fail")


def test_rules_that_a_test_added_directly_have_numbers_too() -> None:
    kafka = FakeKafka("2.3").boot()
    switches = FaultSwitches(kafka)
    rule = kafka.faults.drop("Fetch")
    (shown,) = switches.shown()
    assert shown.text == str(rule)
    switches.remove(shown.id)
    assert (switches.shown(), rule.active) == ([], False)


def test_a_barrier_counts_what_it_holds_and_is_not_part_of_a_plan(switches: FaultSwitches) -> None:
    held = switches.add({"hold": True, "api": "JoinGroup", "times": 1})
    assert (held.held, switches.plan()) == (0, "")
    switches.clear()
    assert switches.shown() == []


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({}, "name one action"),
        ({"fail": "NO_SUCH_ERROR", "api": "Produce"}, "NO_SUCH_ERROR"),
        ({"fail": "NOT_LEADER_OR_FOLLOWER", "api": "Produce", "colour": 1}, "no field 'colour'"),
        ({"fail": {"a": 1}}, "holds words, numbers and lists"),
        ({"hold": True, "colour": 1}, "no field 'colour'"),
        ({"drop": "silence", 'x"]\n[y': 1}, "no field"),
    ],
)
def test_an_impossible_rule_is_refused(switches: FaultSwitches, table: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        switches.add(table)
    assert switches.shown() == []


def test_an_unknown_rule_number_is_refused_with_the_existing_ones(switches: FaultSwitches) -> None:
    with pytest.raises(UsageError, match="there is no fault rule 7; there are: none"):
        switches.switch(7, True)


@given(st.text())
def test_any_text_is_a_client_id(client_id: str) -> None:
    switches = FaultSwitches(FakeKafka("2.3"))
    try:
        rule = switches.add({"drop": "silence", "client_id": client_id})
    except UsageError:
        assert any("\ud800" <= c <= "\udfff" for c in client_id)
        return
    assert rule.is_on
