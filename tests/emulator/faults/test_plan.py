"""Plans: `faults/plan.py`. A plan is read back as it was written, and acts the same."""

from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.errors import ErrorCode
from fakekafka.faults.actions import Action, Delay, Drop, Fail, LoseAnswer
from fakekafka.faults.corruption import Corrupt
from fakekafka.faults.match import Match
from fakekafka.faults.misleading import Mislead
from fakekafka.faults.plan import read_plan, write_plan
from fakekafka.faults.rule import Rule
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.produce import ProduceResponse
from hypothesis import given
from hypothesis import strategies as st

from tests.support.faults import NOW, Client, produce, produced

PLAN = """
[[fault]]
fail = "NOT_LEADER_OR_FOLLOWER"
api = "Produce"
topic = "ord*"
times = 2

[[fault]]
delay = 300
api = ["Fetch", "Metadata"]
jitter_ms = 50
client_id = "slow-*"
"""

actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Fail, st.sampled_from([e for e in ErrorCode if e]), st.none() | st.text(max_size=5)),
    st.builds(LoseAnswer, st.sampled_from(["close", "silence"])),
    st.builds(Drop, st.sampled_from(["close", "silence"])),
    st.builds(Delay, st.integers(0, 1000), st.integers(0, 10), st.booleans()),
)
matches = st.builds(
    Match,
    api=st.none() | st.just((ApiKey.PRODUCE,)) | st.just((ApiKey.FETCH, ApiKey.PRODUCE)),
    version=st.none() | st.integers(3, 5) | st.just((3, 7)),
    topic=st.none() | st.text(max_size=5),
    client_id=st.none() | st.text(max_size=5),
    times=st.none() | st.integers(1, 5),
    probability=st.none() | st.sampled_from([0.25, 1.0]),
)


@given(st.lists(st.builds(Rule, matches, actions, expected=st.booleans()), max_size=4))
def test_a_written_plan_is_read_as_the_same_rules(rules: list[Rule]) -> None:
    found = read_plan(write_plan(rules) + "\n")
    assert [(r.match, r.action, r.expected) for r in found] == [(r.match, r.action, r.expected) for r in rules]


def test_a_plan_from_a_file_acts(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, "utf-8")
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    rules = kafka.faults.load(path)
    answer = Client(kafka).ask(produce(("orders", 0)), 7, ProduceResponse)
    assert produced(answer) == {("orders", 0): ErrorCode.NOT_LEADER_OR_FOLLOWER}
    assert [rule.hits for rule in rules] == [1, 0]
    assert str(rules[0]) == "fail Produce: error=NOT_LEADER_OR_FOLLOWER, topic='ord*', times=2 (acted once)"


def test_the_rules_in_force_print_as_the_plan_that_makes_them() -> None:
    kafka = FakeKafka("2.3", clock=ManualClock(NOW)).boot()
    kafka.faults.load(PLAN)
    assert str(kafka.faults.rules) == PLAN.lstrip()


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        ('[[fault]]\napi = "Produce"\n', "rule 1 of the plan: name one action: fail"),
        ('[[fault]]\nfail = "NOPE"\napi = "Produce"\n', "there is no error 'NOPE'"),
        (
            '[[fault]]\ndrop = true\n[[fault]]\ndrop = true\ncolour = "red"\n',
            "rule 2 of the plan: a rule has no field 'colour'",
        ),
        ("[[fault]\n", "not TOML"),
        ("[fault]\n", "tables"),
        ("[other]\n", "holds .*fault.* only, not other"),
    ],
)
def test_an_impossible_plan_is_refused_with_a_reason(plan: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        read_plan(plan)


def test_functions_and_barriers_cannot_be_written_down() -> None:
    kafka = FakeKafka("2.3", clock=ManualClock(NOW)).boot()
    kafka.faults.intercept("Produce", lambda request: None)
    with pytest.raises(UsageError, match="cannot be written as text"):
        str(kafka.faults.rules)


@pytest.mark.parametrize("action", [Corrupt("cut"), Mislead(hide=True)])
def test_other_actions_are_written_with_their_fields(action: Action) -> None:
    api = ApiKey.FETCH if isinstance(action, Corrupt) else ApiKey.METADATA
    (found,) = read_plan(write_plan([Rule(Match(api=(api,)), action)]))
    assert found.action == action


def test_a_plan_with_one_seed_always_gives_the_same_faults() -> None:
    def story(seed: int) -> list[int]:
        kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
        kafka.faults.fail("Produce", "NOT_ENOUGH_REPLICAS", probability=0.5, seed=seed)
        client = Client(kafka)
        answers = [client.ask(produce(("orders", 0)), 7, ProduceResponse) for _ in range(20)]
        return [produced(answer)[("orders", 0)] for answer in answers]

    assert story(1) == story(1)
    assert set(story(1)) == {0, ErrorCode.NOT_ENOUGH_REPLICAS}
    assert story(1) != story(2)


@pytest.mark.parametrize("written", [False, True])
def test_a_plan_with_one_seed_always_has_the_same_jitter(written: bool) -> None:
    def story(seed: int) -> list[int | None]:
        kafka = FakeKafka("2.3", topics={"orders": 1}, clock=(clock := ManualClock(NOW))).boot()
        kafka.faults.delay("Produce", ms=100, jitter_ms=50, seed=seed)
        if written:
            plan = str(kafka.faults.rules)
            kafka.faults.clear()
            kafka.faults.load(plan)
        client = Client(kafka)
        for _ in range(5):
            client.send(produce(("orders", 0)), 7)
            clock.run_until(lambda: kafka.requests[-1].is_over)
        return [entry.took_ms for entry in kafka.requests]

    assert story(1) == story(1) != story(2)
    assert all(took_ms is not None and 100 <= took_ms <= 150 for took_ms in story(1))


def test_a_cluster_may_begin_with_a_plan(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, "utf-8")
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW), faults=path).boot()
    answer = Client(kafka).ask(produce(("orders", 0)), 7, ProduceResponse)
    assert produced(answer) == {("orders", 0): ErrorCode.NOT_LEADER_OR_FOLLOWER}


def test_rules_outlive_a_restart() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER")
    kafka.restart("2.8")
    answer = Client(kafka).ask(produce(("orders", 0)), 7, ProduceResponse)
    assert produced(answer) == {("orders", 0): ErrorCode.NOT_LEADER_OR_FOLLOWER}
    assert rule.hits == 1
