"""What a rule does to a request that it acts on. An action wraps the handler, and is plain data: it can be written as
text.

`run(fault)` returns what a handler may return: an answer, a `Wait`, or an outcome. `fault.proceed()` runs the handler.
"""

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple, Protocol

from fakekafka.errors import ErrorCode, UsageError
from fakekafka.faults.ending import Ending
from fakekafka.faults.fetch_in_full import in_full
from fakekafka.faults.match import Match
from fakekafka.faults.pace import Pace
from fakekafka.faults.parts import joined, part, with_errors
from fakekafka.faults.subjects import TopicNamed, subjects
from fakekafka.handlers.call import WAIT_ON, Answers, Call, Outcome, Result, Steps, Wait
from fakekafka.handlers.refusal import Refused, refusal
from fakekafka.ids import ApiKey, BrokerId, DurationMs, PartitionIndex, TopicName
from fakekafka.pieces import Stepwise
from fakekafka.wire.error_names import error_names
from fakekafka.wire.message import Request, Response

ENDINGS: Final[dict[str, Outcome]] = {"close": Outcome.CLOSE, "reset": Outcome.CLOSE, "silence": Outcome.HANG}

ON_PARTITIONS: Final = frozenset(
    {
        ErrorCode.OFFSET_OUT_OF_RANGE,
        ErrorCode.CORRUPT_MESSAGE,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.INVALID_FETCH_SIZE,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.REPLICA_NOT_AVAILABLE,
        ErrorCode.MESSAGE_TOO_LARGE,
        ErrorCode.OFFSET_METADATA_TOO_LARGE,
        ErrorCode.INVALID_TOPIC_EXCEPTION,
        ErrorCode.RECORD_LIST_TOO_LARGE,
        ErrorCode.NOT_ENOUGH_REPLICAS,
        ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
        ErrorCode.INVALID_TIMESTAMP,
        ErrorCode.TOPIC_AUTHORIZATION_FAILED,
        ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT,
        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
        ErrorCode.DUPLICATE_SEQUENCE_NUMBER,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.UNKNOWN_PRODUCER_ID,
        ErrorCode.LISTENER_NOT_FOUND,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.OFFSET_NOT_AVAILABLE,
        ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        ErrorCode.UNSTABLE_OFFSET_COMMIT,
        ErrorCode.INVALID_RECORD,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
    }
)
"""Errors of a partition or topic: they are put on the innermost elements of an answer. All others are put where an
answer has its first error field.
"""

READS: Final = frozenset({ApiKey.FETCH, ApiKey.LIST_OFFSETS, ApiKey.OFFSET_FETCH, ApiKey.OFFSET_FOR_LEADER_EPOCH})
"""APIs that apply nothing, so that an error can be put into the answer that they would give."""


class Link(Protocol):
    """The connection on which a request came, as far as faults change it."""

    pace: Pace | None
    """How the next answer is sent; None: at once."""
    resets: bool
    """Whether the connection ends with a RST."""


class Fault(NamedTuple):
    """A request that a rule acts on."""

    request: Request
    call: Call
    match: Match
    named: TopicNamed
    handle: "Callable[[Request], Result]"
    """Run the handler, with this request or another one."""
    link: Link

    def proceed(self) -> Result:
        return self.handle(self.request)

    def end(self, how: Ending) -> Outcome:
        """End the connection in this way, without an answer."""
        self.link.resets = self.link.resets or how == "reset"
        return ENDINGS[how]


class Action(Protocol):
    """What a rule does. Implementations name it as their base, for `end`."""

    NAME: ClassVar[str]
    """The action's name in `FakeKafka.faults` and in plans."""
    ON_REQUESTS: ClassVar[bool] = True
    """Whether the action is about requests."""

    def check(self, match: Match) -> None:
        """Raises `UsageError` if the action is impossible for such requests."""

    def check_brokers(self, running: Sequence[BrokerId]) -> None:
        """Raises `UsageError` if the action needs a broker that is not running."""
        return

    def run(self, fault: Fault) -> Result:
        """Carry out the action on a request."""

    def end(self) -> None:
        """Undo what has to end when the rule is removed."""
        return


def then(result: Result, change: "Callable[[Result], Result]") -> Result:
    """`change` the final result, after all waiting."""
    if isinstance(result, Steps):
        return Steps(_changed(result.rest, change))
    if not isinstance(result, Wait):
        return change(result)
    first = result

    def resume(call: Call, expired: bool) -> Result:
        again = first.resume(call, expired)
        return WAIT_ON if again is WAIT_ON else then(again, change)

    return Wait(first.keys, first.max_wait_ms, resume, has_own_deadline=first.has_own_deadline)


def _changed(rest: Stepwise[Result], change: "Callable[[Result], Result]") -> Stepwise[Result]:
    last = yield from rest
    return then(last, change)


def on_answers(result: Result, change: "Callable[[Response], Response]") -> Result:
    """`change` every final answer."""

    def changed(last: Result) -> Result:
        if isinstance(last, Response):
            return change(last)
        return Answers(list(map(change, last.responses)), last.then) if isinstance(last, Answers) else last

    return then(result, changed)


@dataclass(frozen=True)
class Fail(Action):
    """Answer with an error; what the request asks for is not done.

    With a topic or partition in the rule, only these are refused, and the rest of the request is carried out.
    `throttle_ms`: reported in the answer, if it has room for it. A Produce that wants no answer is refused as brokers
    do: the connection closes.
    """

    NAME: ClassVar[str] = "fail"
    error: ErrorCode
    message: str | None = None
    throttle_ms: DurationMs = 0

    def check(self, match: Match) -> None:
        from fakekafka.faults.possible import check_can_carry

        check_can_carry(self.error, match)

    def run(self, fault: Fault) -> Result:
        if fault.call.key is ApiKey.PRODUCE and getattr(fault.request, "acks", -1) == 0:
            return Outcome.CLOSE
        return on_answers(self._refused(fault), self._throttled)

    def _refused(self, fault: Fault) -> Result:
        said = Refused(self.error, self.message, inner=self.error in ON_PARTITIONS or fault.match.is_partial)
        version = fault.call.answer_version
        if said.inner and fault.call.key in READS:
            return on_answers(fault.handle(at_once(fault.request)), lambda answer: self._read(fault, said, answer))
        if not fault.match.is_partial:
            return refusal(fault.request, version, said.error, said.message, inner=said.inner)
        return self._partly(fault, said)

    def _read(self, fault: Fault, said: Refused, answer: Response) -> Response:
        """The answer to a request that only reads, with the error where the rule wants it."""
        version, fits = fault.call.answer_version, fault.match.fits
        is_fetch = fault.call.key is ApiKey.FETCH
        was_refused = bool(error_names(answer)) or not (is_fetch or subjects(answer, fault.named).places)
        if was_refused and not fault.match.is_partial:  # nothing was read, so no rows can get the error
            return refusal(fault.request, version, said.error, said.message, inner=True)
        changed = with_errors(answer, version, said, fits, fault.named)
        there = set(subjects(changed, fault.named).places)
        asked = in_full(fault.call.broker, fault.request)
        left_out = part(asked, lambda topic, n: fits(topic, n) and (topic, n) not in there, fault.named)
        if not is_fetch or left_out is None:
            return changed
        return joined(changed, refusal(left_out, version, said.error, said.message, inner=True))

    def _partly(self, fault: Fault, said: Refused) -> Result:
        def others(topic: TopicName, partition: PartitionIndex | None) -> bool:
            return not fault.match.fits(topic, partition)

        version = fault.call.answer_version
        meant = part(fault.request, fault.match.fits, fault.named) or fault.request
        refused = refusal(meant, version, said.error, said.message, inner=True)
        rest = part(fault.request, others, fault.named)
        return refused if rest is None else on_answers(fault.handle(rest), lambda answer: joined(answer, refused))

    def _throttled(self, answer: Response) -> Response:
        if self.throttle_ms and "throttle_time_ms" in answer.FIELDS:
            return type(answer)(**(vars(answer) | {"throttle_time_ms": self.throttle_ms}))
        return answer


def at_once(request: Request) -> Request:
    """The request without any waiting: errors are answered without waiting for data."""
    waits: dict[str, int] = {name: 0 for name in ("max_wait_ms", "min_bytes") if name in request.FIELDS}
    return type(request)(**(vars(request) | waits)) if waits else request


@dataclass(frozen=True)
class LoseAnswer(Action):
    """Carry the request out, and never answer it. `how`: "close" or "reset" the connection, or "silence"."""

    NAME: ClassVar[str] = "lose_answer"
    how: Ending = "close"

    def check(self, match: Match) -> None:
        check_ending(self.how)

    def run(self, fault: Fault) -> Result:
        return then(fault.proceed(), lambda last: fault.end(self.how))


@dataclass(frozen=True)
class Drop(Action):
    """Neither carry the request out nor answer it. `how`: "silence", or "close" or "reset" the connection."""

    NAME: ClassVar[str] = "drop"
    how: Ending = "silence"

    def check(self, match: Match) -> None:
        check_ending(self.how)

    def run(self, fault: Fault) -> Result:
        return fault.end(self.how)


def check_ending(how: str) -> None:
    if how not in ENDINGS:
        raise UsageError(f"how={how!r}: one of {', '.join(map(repr, ENDINGS))}")


@dataclass(frozen=True)
class Delay(Action):
    """Answer later, by `ms` and up to `jitter_ms` more, on the broker's clock.

    `before`: the request is carried out after the delay instead of on arrival. `seed`: the seed of the jitter.
    """

    NAME: ClassVar[str] = "delay"
    ms: DurationMs
    jitter_ms: DurationMs = 0
    before: bool = False
    seed: int = 0
    _dice: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_dice", random.Random(self.seed))

    def check(self, match: Match) -> None:
        if self.ms < 0 or self.jitter_ms < 0:
            raise UsageError("delay: ms and jitter_ms must not be negative")

    def run(self, fault: Fault) -> Result:
        wait_ms = self.ms + (self._dice.randint(0, self.jitter_ms) if self.jitter_ms else 0)
        if self.before:
            return pause(wait_ms, fault.proceed)
        return then(fault.proceed(), lambda last: pause(wait_ms, lambda: last))


def pause(ms: DurationMs, go_on: "Callable[[], Result]") -> Wait:
    """Wait `ms`, whatever happens, then go on."""

    def resume(call: Call, expired: bool) -> Result:
        return go_on() if expired else WAIT_ON

    return Wait((), ms, resume, has_own_deadline=True)


def until(key: Hashable, is_over: "Callable[[], bool]", go_on: "Callable[[], Result]") -> Wait:
    """Wait until `key` is woken and `is_over` is true, then go on."""

    def resume(call: Call, expired: bool) -> Result:
        return go_on() if is_over() else WAIT_ON

    return Wait((key,), None, resume, has_own_deadline=True)
