"""Plans of faults for property tests with hypothesis, which is not one of fakekafka's dependencies.

    from fakekafka.strategies import fault_plans

    @given(fault_plans(apis=["Produce", "Metadata"]))
    def test_no_record_is_lost(plan):
        with FakeKafka("2.3", topics={"orders": 1}, faults=plan) as kafka: ...

A plan is text, so a failing example can be copied as it is; hypothesis makes it as small as possible.
"""

from collections.abc import Sequence
from typing import Final

from fakekafka.errors import ErrorCode
from fakekafka.faults.actions import Action, Delay, Drop, Fail, LoseAnswer
from fakekafka.faults.match import Match, apis
from fakekafka.faults.plan import write_plan
from fakekafka.faults.possible import carrying
from fakekafka.faults.rule import Rule
from fakekafka.ids import ApiKey

try:
    from hypothesis import strategies as st
except ImportError as e:
    raise ImportError("fakekafka.strategies needs hypothesis: pip install hypothesis") from e

OF_CLIENTS: Final = (
    "Produce",
    "Fetch",
    "Metadata",
    "ListOffsets",
    "FindCoordinator",
    "JoinGroup",
    "SyncGroup",
    "Heartbeat",
    "OffsetCommit",
    "OffsetFetch",
)
"""What producers and consumers of all releases send."""
PASSING: Final = {
    ApiKey.PRODUCE: ("NOT_LEADER_OR_FOLLOWER", "NOT_ENOUGH_REPLICAS", "REQUEST_TIMED_OUT", "KAFKA_STORAGE_ERROR"),
    ApiKey.FETCH: ("NOT_LEADER_OR_FOLLOWER", "KAFKA_STORAGE_ERROR", "UNKNOWN_TOPIC_OR_PARTITION"),
    ApiKey.METADATA: ("LEADER_NOT_AVAILABLE", "UNKNOWN_TOPIC_OR_PARTITION"),
    ApiKey.LIST_OFFSETS: ("NOT_LEADER_OR_FOLLOWER", "UNKNOWN_TOPIC_OR_PARTITION"),
    ApiKey.FIND_COORDINATOR: ("COORDINATOR_NOT_AVAILABLE",),
}
"""Errors that a broker gives for a while, and that clients must bear."""
OF_GROUPS: Final = ("COORDINATOR_LOAD_IN_PROGRESS", "NOT_COORDINATOR", "REBALANCE_IN_PROGRESS")


def fault_plans(
    apis: Sequence[str] = OF_CLIENTS, *, max_rules: int = 4, max_times: int = 3, max_delay_ms: int = 200
) -> st.SearchStrategy[str]:
    """Plans of up to `max_rules` transient faults: each acts on one of an API's first requests, or on up to
    `max_times`.

    They hold what a client must bear: errors that brokers give for a while, lost answers, dropped requests, delays. The
    rules may never act (`expected = false`). Raises `UsageError` for an API that does not exist.
    """
    rules = st.one_of(*(_rules(name, max_times, max_delay_ms) for name in apis))
    return st.lists(rules, max_size=max_rules).map(lambda drawn: write_plan(drawn) or "\n")


def _rules(name: str, max_times: int, max_delay_ms: int) -> st.SearchStrategy[Rule]:
    (key,) = apis(name) or ()
    kinds: list[st.SearchStrategy[Action]] = [
        st.builds(LoseAnswer, st.just("close")),
        st.builds(Drop, st.just("close")),
        st.builds(Delay, st.integers(1, max_delay_ms)),
    ]
    if carrying(key):
        errors = [ErrorCode[error] for error in PASSING.get(key, OF_GROUPS)]
        kinds.insert(0, st.builds(Fail, st.sampled_from(errors)))
    when = st.one_of(
        st.builds(lambda times: Match(api=(key,), times=times), st.integers(1, max_times)),
        st.builds(lambda nth: Match(api=(key,), nth=nth), st.integers(1, 5)),
    )
    return st.builds(lambda match, action: Rule(match, action, expected=False), when, st.one_of(*kinds))
