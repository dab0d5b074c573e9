"""The smallest plan that still breaks something: `faults/shrinking.py`."""

from collections.abc import Sequence

import pytest
from fakekafka import UsageError
from fakekafka.faults.plan import read_plan, write_plan
from fakekafka.faults.rule import Rule
from fakekafka.faults.shrinking import smallest

PLAN = """
[[fault]]
delay = 300
api = "Fetch"
jitter_ms = 50

[[fault]]
fail = "NOT_LEADER_OR_FOLLOWER"
api = "Produce"
topic = "orders"
times = 3

[[fault]]
lose_answer = "close"
api = "Produce"
client_id = "svc-*"
nth = 4

[[fault]]
drop = true
api = "Metadata"

[[fault]]
delay = 20
api = "Produce"
"""


def test_only_the_necessary_parts_of_one_rule_are_left() -> None:
    def breaks(rules: Sequence[Rule]) -> bool:
        return any(rule.action.NAME == "lose_answer" and (rule.match.nth or 0) >= 2 for rule in rules)

    assert write_plan(smallest(read_plan(PLAN), breaks)) == (
        '[[fault]]\nlose_answer = "close"\napi = "Produce"\nnth = 2\n'
    )


def test_rules_that_break_only_together_are_both_left() -> None:
    def breaks(rules: Sequence[Rule]) -> bool:
        return {"drop", "fail"} <= {rule.action.NAME for rule in rules}

    assert [rule.action.NAME for rule in smallest(read_plan(PLAN), breaks)] == ["fail", "drop"]


def test_numbers_in_actions_become_smaller() -> None:
    def breaks(rules: Sequence[Rule]) -> bool:
        return any(getattr(rule.action, "ms", 0) >= 7 for rule in rules)

    (rule,) = smallest(read_plan(PLAN), breaks)
    assert getattr(rule.action, "ms", None) == 7


def test_steps_that_would_make_a_rule_impossible_are_left_out() -> None:
    plan = '[[fault]]\nmove_leader = 1\ntopic = "orders"\npartition = 2\n'
    (rule,) = smallest(read_plan(plan), lambda rules: bool(rules))
    assert (rule.match.topic, rule.match.partition) == ("orders", None)


def test_a_plan_under_which_nothing_breaks_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing breaks under the whole plan"):
        smallest(read_plan(PLAN), lambda rules: False)
