"""Plans of faults as examples of hypothesis: `strategies.py`."""

import subprocess
import sys

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.faults.plan import read_plan
from fakekafka.strategies import fault_plans
from fakekafka.wire.apis.produce import ProduceResponse
from hypothesis import find, given, settings

from tests.support.faults import NOW, Client, produce, produced, read


@given(fault_plans())
def test_every_plan_can_be_read_and_passes_by_itself(plan: str) -> None:
    for rule in read_plan(plan):
        assert not rule.expected
        assert rule.match.times or rule.match.nth


def stored(plan: str) -> int:
    """How often a record is stored whose producer is not idempotent and sends it again after every lost answer."""
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW), faults=plan).boot()
    for _ in range(10):
        client = Client(kafka)
        answer = client.send(produce(("orders", 0)), 7)
        if not answer:
            assert isinstance(kafka.clock, ManualClock)
            kafka.clock.advance(1000)
            answer = client.memory.receive()
        if answer and produced(read(answer, 7, ProduceResponse)) == {("orders", 0): 0}:
            break
    return len(kafka.records("orders"))


def test_a_producer_that_is_not_idempotent_is_found_with_the_smallest_plan() -> None:
    plans = fault_plans(apis=("Produce", "Metadata"))
    plan = find(plans, lambda plan: stored(plan) > 1, settings=settings(max_examples=500, derandomize=True))
    (rule,) = read_plan(plan)
    assert (rule.action.NAME, rule.match.times or rule.match.nth) == ("lose_answer", 1)


def test_an_api_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean Produce"):
        fault_plans(apis=["Prodouce"])


def test_without_hypothesis_only_the_strategies_are_missing() -> None:
    program = "import sys; sys.modules['hypothesis'] = None; from fakekafka import FakeKafka, strategies"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr.splitlines()[-1] == "ImportError: fakekafka.strategies needs hypothesis: pip install hypothesis"
