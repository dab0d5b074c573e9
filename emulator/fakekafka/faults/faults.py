"""`FakeKafka.faults`: how a test makes Kafka fail."""

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

from fakekafka.errors import ErrorCode, UsageError
from fakekafka.faults.actions import Action, Delay, Drop, Fail, LoseAnswer
from fakekafka.faults.book import Book
from fakekafka.faults.corruption import Corrupt, How
from fakekafka.faults.ending import Ending, Refusing
from fakekafka.faults.events import (
    CutOff,
    Disconnect,
    Down,
    Event,
    FullDisk,
    MoveController,
    MoveCoordinator,
    MoveLeader,
    ReadError,
    RefuseConnections,
)
from fakekafka.faults.interception import Function, Held, Hold, Intercept
from fakekafka.faults.match import Apis, matching
from fakekafka.faults.misleading import Mislead
from fakekafka.faults.pacing import Slice, Throttle
from fakekafka.faults.possible import error_named
from fakekafka.faults.rule import Rule
from fakekafka.ids import BrokerId, DurationMs
from fakekafka.storage.log_manager import Unsynced

T = TypeVar("T")


class Loop(Protocol):
    """The thread that owns the broker, as the faults need it."""

    def change(self, work: Callable[[], T]) -> T:
        """Run `work` on that thread and return what it returns."""

    def need_faulty_disks(self) -> None:
        """Give brokers disks that can fail. Raises `UsageError` if it is too late for that."""

    def wake(self, key: Hashable) -> None:
        """Wake what waits for `key`. Works from any thread."""

    def wait_until(self, is_so: Callable[[], bool], timeout_s: float) -> bool:
        """Block the caller until a condition is met. Returns whether it was met in time."""


class Faults:
    """The faults of one cluster.

    Each method takes the conditions on a request: the API by name, key, or several of them, and any field of `Match`
    (`topic="orders"`, `client_id="slow-*"`, `nth=3`, `times=2`, …). It returns the `Rule`, which has `.hits`,
    `.active` and `.remove()`, and is a context manager that ends with its block. Rules are asked in the order in which
    they were added, and the first that acts decides. Raises `UsageError` for a rule that could never act: an unknown
    API or error, an error for which the API has no room, a topic for an API that names none.
    """

    def __init__(self, book: Book, loop: Loop) -> None:
        self.book = book
        self._loop = loop

    def fail(
        self,
        api: Apis,
        error: str | int | ErrorCode,
        *,
        message: str | None = None,
        throttle_ms: DurationMs = 0,
        expected: bool = True,
        **match: Any,
    ) -> Rule:
        """Answer with `error`, by name or number, without carrying out the request.

        With a topic or partition, only these are refused, and the rest of a request is carried out.
        """
        return self.add(Fail(error_named(error), message, throttle_ms), api, expected=expected, **match)

    def lose_answer(self, api: Apis = None, *, how: Ending = "close", expected: bool = True, **match: Any) -> Rule:
        """Carry requests out and never answer. `how`: "close" or "reset" (RST) the connection, or "silence"."""
        return self.add(LoseAnswer(how), api, expected=expected, **match)

    def drop(self, api: Apis = None, *, how: Ending = "silence", expected: bool = True, **match: Any) -> Rule:
        """Neither carry requests out nor answer them. `how`: as in `lose_answer`."""
        return self.add(Drop(how), api, expected=expected, **match)

    def delay(
        self,
        api: Apis = None,
        *,
        ms: DurationMs,
        jitter_ms: DurationMs = 0,
        before: bool = False,
        expected: bool = True,
        **match: Any,
    ) -> Rule:
        """Answer `ms` milliseconds later, and up to `jitter_ms` more, on the broker's clock.

        `before`: carry the request out after the delay instead of on arrival.
        """
        return self.add(Delay(ms, jitter_ms, before, match.get("seed", 0)), api, expected=expected, **match)

    def corrupt(self, api: Apis, *, how: How = "flip a byte", expected: bool = True, **match: Any) -> Rule:
        """Damage records on their way: "flip a byte", "bad crc" or "cut". In a Fetch, or in a Produce."""
        return self.add(Corrupt(how), api, expected=expected, **match)

    def mislead(
        self,
        api: Apis,
        *,
        hide: bool = False,
        leader: BrokerId | None = None,
        controller: BrokerId | None = None,
        coordinator: BrokerId | None = None,
        expected: bool = True,
        **match: Any,
    ) -> Rule:
        """Have Metadata or FindCoordinator give wrong answers: see `Mislead`."""
        return self.add(Mislead(hide, leader, controller, coordinator), api, expected=expected, **match)

    def throttle(
        self,
        api: Apis = None,
        *,
        bytes_per_s: int | None = None,
        time_ms: DurationMs = 0,
        expected: bool = True,
        **match: Any,
    ) -> Rule:
        """Send answers at `bytes_per_s` at most, on the broker's clock; or throttle clients by `time_ms` as a quota
        does, and say so in the answer.
        """
        return self.add(Throttle(bytes_per_s, time_ms), api, expected=expected, **match)

    def slice(
        self, api: Apis = None, *, bytes: int = 1, gap_ms: DurationMs = 0, expected: bool = True, **match: Any
    ) -> Rule:
        """Send answers in pieces of `bytes`, with `gap_ms` between them on the broker's clock."""
        return self.add(Slice(bytes, gap_ms), api, expected=expected, **match)

    # ---- events: they happen now, or `after_ms`; lasting ones end with the rule, or after `for_ms`

    def disconnect(self, *, how: Ending = "close", expected: bool = True, **match: Any) -> Rule:
        """End the connections that are open now, or `after_ms`: those of `client_id=`, `software_name=`, `principal=`,
        `connection=` or `broker=`. `how`: "close", "reset" (RST), or "silence", which leaves them half open.
        """
        return self.add(Disconnect(how), expected=expected, **match)

    def refuse_connections(self, *, how: Refusing = "refused", expected: bool = True, **match: Any) -> Rule:
        """Let nobody connect to `broker=` or to any: "refused" as if nobody listened, "close" or "reset" after
        accepting, or "silence", which accepts and never answers. Connections that are open stay.
        """
        return self.add(RefuseConnections(how), expected=expected, **match)

    def cut_off(self, *, expected: bool = True, **match: Any) -> Rule:
        """Partition the network between clients (`client_id=`, `principal=`, …) and brokers (`broker=`, one or more).

        Open connections fall silent, and nothing is answered on new ones.
        """
        return self.add(CutOff(), expected=expected, **match)

    def down(self, *, clean: bool = False, unsynced: Unsynced = "kept", expected: bool = True, **match: Any) -> Rule:
        """Kill `broker=`, or stop it with `clean`, and start it when the rule ends: `down(broker=1, for_ms=500)`.

        `unsynced`: what becomes of bytes that were never flushed: "kept", "lost", or "some" of them.
        """
        return self.add(Down(clean, unsynced), expected=expected, **match)

    def full_disk(self, *, free_bytes: int = 0, expected: bool = True, **match: Any) -> Rule:
        """Fill the disk of `broker=`. Needs `FakeKafka(faulty_disks=True)`, unless it is called before the start."""
        return self.add(FullDisk(free_bytes), expected=expected, **match)

    def read_error(self, *, files: str = "*.log", expected: bool = True, **match: Any) -> Rule:
        """Make files of `broker=` unreadable. Needs `FakeKafka(faulty_disks=True)`, unless called before the start."""
        return self.add(ReadError(files), expected=expected, **match)

    def move_leader(self, *, to: BrokerId, expected: bool = True, **match: Any) -> Rule:
        """Have broker `to`, which must be in sync, lead `topic=`, or only its `partition=`."""
        return self.add(MoveLeader(to), expected=expected, **match)

    def move_coordinator(self, *, to: BrokerId, expected: bool = True, **match: Any) -> Rule:
        """Have broker `to` coordinate `group=` or `transactional_id=`."""
        return self.add(MoveCoordinator(to), expected=expected, **match)

    def move_controller(self, *, to: BrokerId, expected: bool = True, **match: Any) -> Rule:
        """Have broker `to` be the controller."""
        return self.add(MoveController(to), expected=expected, **match)

    # ---- barriers and functions

    def hold(self, api: Apis = None, *, expected: bool = True, **match: Any) -> Held:
        """Keep requests back before they are carried out, until the `Held` that is returned is released."""
        held = Held(self._loop)
        held.rule = self.add(Hold(held), api, expected=expected, **match)
        return held

    def intercept(self, api: Apis, function: Function, *, expected: bool = True, **match: Any) -> Rule:
        """Have `function(request)` or `function(request, answer)` see and change what passes: see `Intercept`."""
        event_loop = None
        with suppress(RuntimeError):
            from asyncio import get_running_loop

            event_loop = get_running_loop()
        return self.add(Intercept(function, self._loop, event_loop), api, expected=expected, **match)

    def add(
        self, action: Action | Rule | Mapping[str, Any], api: Apis = None, *, expected: bool = True, **match: Any
    ) -> Rule:
        """Add a rule after the others: an existing one, one as a plan writes it (`{"fail": "NOT_CONTROLLER", "api":
        "CreateTopics"}`), or an action with the requests it is for.
        """
        if isinstance(action, Mapping):
            from fakekafka.faults.plan import rule_of

            rule = rule_of(action)
        elif isinstance(action, Rule):
            rule = action
        elif hasattr(action, "check"):
            rule = Rule(matching(api, match), action, expected=expected)
        else:
            raise UsageError(f'add: {action!r} is no rule; write {{"fail": "NOT_CONTROLLER", "api": "CreateTopics"}}')
        if isinstance(rule.action, Event) and rule.action.ON_DISK:
            self._loop.need_faulty_disks()
        self._loop.change(lambda: self.book.add(rule))
        return rule

    def load(self, plan: str | Path) -> list[Rule]:
        """Add the rules of a plan: the path of a TOML file, or its text. See `faults.plan`."""
        from fakekafka.faults.plan import read_plan

        return [self.add(rule) for rule in read_plan(plan)]

    @property
    def rules(self) -> "Rules":
        """The rules in force, in the order in which they are asked. `str()` of it is a plan."""
        return Rules(self._loop.change(lambda: tuple(self.book.rules)))

    def rules_so_far(self) -> tuple[Rule, ...]:
        """The rules in force, and those that have ended since the last `clear`."""
        return self._loop.change(lambda: (*self.book.past, *self.book.rules))

    def clear(self) -> None:
        """Remove every rule, and forget those that have ended; held requests continue."""
        self._loop.change(self.book.clear)


class Rules(tuple[Rule, ...]):
    """Rules in order; as text, the plan that `load` reads."""

    def __str__(self) -> str:
        from fakekafka.faults.plan import write_plan

        return write_plan(self)
