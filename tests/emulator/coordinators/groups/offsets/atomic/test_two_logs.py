"""Commits in transactions are in `__consumer_offsets`, others in the log of commits. The last commit counts."""

import random
from dataclasses import dataclass, field

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.state.topics import COMMIT_LOG, CONSUMER_OFFSETS

from tests.support.group_clients import clock_of, coordinator_of, simple
from tests.support.group_clients import coordinator_is_there as group_coordinator_is_there
from tests.support.seeded import NOW
from tests.support.transaction_clients import SMALL, TransactionalProducer, coordinator_is_there

RELEASES = ["0.11.0", "2.8", "4.3"]
KEY = ("g", "t", 0)
PRODUCERS = ("x", "y")


@dataclass
class Model:
    """What is committed for one partition, by the order in which commits were made."""

    committed: int = -1
    at: int = 0
    """The step in which that commit, or the deletion after it, was made."""
    pending: dict[str, tuple[int, int]] = field(default_factory=dict)
    """For each producer, the step of its commit and the offset."""

    def change(self, at: int, offset: int) -> None:
        self.committed, self.at = offset, at

    def end(self, producer: str, commit: bool) -> None:
        at, offset = self.pending.pop(producer, (0, -1))
        if commit and at > self.at:
            self.change(at, offset)


class Pair:
    """A broker with the draft, and a model of it. The committed offsets are the numbers of the steps."""

    def __init__(self, release: str) -> None:
        self.kafka = FakeKafka(
            release, config=SMALL, clock=ManualClock(NOW), topics={"t": 2}, drafts=["atomic-offset-log"]
        ).boot()
        coordinator_is_there(self.kafka)
        group_coordinator_is_there(self.kafka)
        self.model = Model()
        self.steps = 0
        self.producers: dict[str, TransactionalProducer] = {}

    def do(self, what: str) -> None:
        """Take one step, given by its name and the producer that it concerns, if any."""
        self.steps += 1
        step, _, producer = what.partition(" ")
        match step:
            case "commit":
                assert simple(self.kafka).commit(self.steps) == [ErrorCode.NONE]
                self.model.change(self.steps, self.steps)
            case "pending":
                self._pend(producer)
            case "end" | "abort":
                if producer in self.producers:
                    assert self.producers.pop(producer).end(step == "end") is ErrorCode.NONE
                self.model.end(producer, step == "end")
            case "delete":
                coordinator_of(self.kafka).expiry.clean_up({"g": [KEY[1:]]}, may_leave_bare=True)
                self.model.change(self.steps, -1)
                self.model.pending.clear()
            case "compact":
                for topic in (CONSUMER_OFFSETS, COMMIT_LOG):
                    if topic in self.kafka.topics():
                        self.kafka.compact(topic, roll=True)
            case _:
                self.kafka.restart(crash=step == "crash")
        clock_of(self.kafka).advance(1 if step in ("restart", "crash") else 0)
        assert simple(self.kafka).fetch(0) == [self.model.committed], what

    def _pend(self, name: str) -> None:
        if name not in self.producers:
            self.producers[name] = TransactionalProducer(self.kafka, name).initialised()
            assert self.producers[name].add_offsets() is ErrorCode.NONE
        assert self.producers[name].commit_offset(self.steps) is ErrorCode.NONE
        self.model.pending[name] = (self.steps, self.steps)


@pytest.mark.statement("S4-12", "S4-19")
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(
    "steps",
    [
        "commit, pending x, end x, restart",
        "pending x, end x, commit, restart",
        "pending x, commit, end x, restart",
        "pending x, commit, restart, end x, restart",
        "commit, pending x, restart, end x, restart",
        "commit, pending x, end x, commit, pending y, end y, crash",
        "pending x, end x, commit, compact, restart",
        "pending x, pending y, end y, end x, restart",
        "commit, pending x, delete, restart, end x, restart",
        "pending x, delete, restart, end x, restart",
        "pending x, end x, delete, restart",
        "pending x, delete, commit, restart, end x, compact, restart",
        "delete, pending x, end x, restart",
    ],
)
def test_the_last_commit_counts_whichever_log_it_is_in(release: str, steps: str) -> None:
    pair = Pair(release)
    for step in steps.split(", "):
        pair.do(step)


STEPS = ["commit", "delete", "compact", "restart", "crash"]
STEPS += [f"{what} {producer}" for what in ("pending", "end", "abort") for producer in PRODUCERS]


@pytest.mark.parametrize("seed", range(20))
def test_commits_in_any_order_agree_with_a_model_of_them(seed: int) -> None:
    chance = random.Random(seed)
    pair = Pair(chance.choice(RELEASES))
    for _ in range(25):
        pair.do(chance.choice(STEPS))
