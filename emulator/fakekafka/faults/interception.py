"""The user's own function between a client and the broker, and requests that are held until the test releases them."""

import inspect
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, ClassVar, Protocol, Self, TypeAlias

from fakekafka.errors import UsageError
from fakekafka.faults.actions import Action, Fault, then, until
from fakekafka.faults.match import Match
from fakekafka.handlers.call import Result
from fakekafka.wire.message import Request, Response

Function: TypeAlias = Callable[..., Any]
"""`f(request)` or `f(request, answer)`, plain or `async`; see `Intercept`."""


class Loop(Protocol):
    """The thread that owns the broker, as seen from others."""

    def wake(self, key: Hashable) -> None:
        """Wake what waits for `key`. Works from any thread."""

    def wait_until(self, is_so: Callable[[], bool], timeout_s: float) -> bool:
        """Block this thread until a condition is met. Returns whether it was met in time."""


class Removable(Protocol):
    """A rule."""

    hits: int

    @property
    def active(self) -> bool: ...
    @property
    def near_misses(self) -> list[str]: ...
    def remove(self) -> None: ...


@dataclass(frozen=True)
class Intercept(Action):
    """Have a function see, and maybe change, requests or answers.

    `f(request)` is called before the request is carried out. It may change the request in place; it may return another
    request, or a response, which is then the answer and nothing is carried out. `f(request, answer)` is called after
    the handler; it may change the answer in place or return another. Both run on the broker's thread and must not wait
    for it; an `async` function runs on the event loop in which `intercept` was called, and may wait for anything.
    """

    NAME: ClassVar[str] = "intercept"
    function: Function
    loop: Loop = field(repr=False, compare=False)
    event_loop: Any = field(default=None, repr=False, compare=False)

    def check(self, match: Match) -> None:
        if not callable(self.function):
            raise UsageError(f"intercept: {self.function!r} is no function of a request")
        if self._is_async and self.event_loop is None:
            raise UsageError("intercept: an async function needs a running event loop: call intercept() inside it")

    @property
    def _is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.function)

    @property
    def _sees_answers(self) -> bool:
        """Whether the function takes a request and its answer."""
        parameters = inspect.signature(self.function).parameters.values()
        needed = [each for each in parameters if each.default is each.empty and each.kind is not each.VAR_KEYWORD]
        return len(needed) > 1

    def run(self, fault: Fault) -> Result:
        if self._sees_answers:
            return on_answers_later(fault.proceed(), lambda answer: self._asked(fault.request, answer))
        return self._then(self._asked(fault.request), lambda said: self._go_on(fault, said))

    def _asked(self, *arguments: object) -> "Asked":
        said = self.function(*arguments)
        return Asked(self, said) if inspect.iscoroutine(said) else Asked(self, None, said)

    def _then(self, asked: "Asked", go_on: Callable[[Any], Result]) -> Result:
        return asked.then(go_on)

    def _go_on(self, fault: Fault, said: object) -> Result:
        if isinstance(said, Response):
            return said
        if said is not None and not isinstance(said, Request):
            raise UsageError(f"intercept: the function returned {said!r}: a request, a response or None")
        return fault.handle(fault.request if said is None else said)


class Asked:
    """What the function returned, or will return."""

    def __init__(self, intercept: Intercept, coroutine: "Coroutine[Any, Any, Any] | None", said: object = None) -> None:
        self._said = said
        self._future: Any = None
        if coroutine is not None:
            from asyncio import run_coroutine_threadsafe

            self._future = run_coroutine_threadsafe(coroutine, intercept.event_loop)
            self._future.add_done_callback(lambda done: intercept.loop.wake(self))

    def then(self, go_on: "Callable[[Any], Result]") -> Result:
        """Continue with the function's result as soon as there is one."""
        if self._future is None:
            return go_on(self._said)
        return until(self, self._future.done, lambda: go_on(self._future.result()))


def on_answers_later(result: Result, ask: "Callable[[Response], Asked]") -> Result:
    """Have every final answer changed by the function."""

    def changed(last: Result) -> Result:
        if not isinstance(last, Response):
            return last
        return ask(last).then(lambda said: last if said is None else said)

    return then(result, changed)


class Held:
    """A barrier: requests that wait until the test releases them. A context manager: leaving it releases them.

    It can be used like a rule, too: `hits`, `active`, `near_misses`, `remove()` and its line are those of `rule`.
    """

    rule: Removable
    """The rule that holds them back."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._requests: list[Request] = []
        self.versions: list[int] = []
        """The version of each request."""
        self._released = False

    @property
    def requests(self) -> list[Any]:
        """The requests that have arrived so far, oldest first: messages of `wire.apis`."""
        return list(self._requests)

    def wait(self, count: int = 1, timeout: float = 5.0) -> list[Any]:
        """Wait until `count` requests are held, at most `timeout` seconds. Raises `TimeoutError`."""
        if not self._loop.wait_until(lambda: len(self._requests) >= count, timeout):
            raise TimeoutError(f"{len(self._requests)} of {count} requests were held within {timeout:g} s")
        return self.requests

    @property
    def hits(self) -> int:
        """How many requests it has held back."""
        return self.rule.hits

    @property
    def active(self) -> bool:
        """Whether it can still hold requests back."""
        return self.rule.active

    @property
    def near_misses(self) -> list[str]:
        """Descriptions of requests that differed in only one field."""
        return self.rule.near_misses

    def release(self) -> None:
        """Release all of them, and hold no more."""
        self.rule.remove()
        self.let_go()

    def remove(self) -> None:
        """Release all of them, and hold no more; other rules have this method, too."""
        self.release()

    def let_go(self) -> None:
        """Let the held requests continue, since the rule is removed."""
        self._released = True
        self._loop.wake(self)

    @property
    def is_released(self) -> bool:
        """Whether it holds nothing any more."""
        return self._released

    def take(self, request: Request, version: int) -> None:
        """Hold a request from now on."""
        self.versions.append(version)
        self._requests.append(request)
        self._loop.wake(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()

    def __str__(self) -> str:
        return str(self.rule)

    def __repr__(self) -> str:
        return repr(self.rule)


@dataclass(frozen=True)
class Hold(Action):
    """Keep requests back, before they are carried out, until `held` is released."""

    NAME: ClassVar[str] = "hold"
    held: Held = field(repr=False, compare=False)

    def check(self, match: Match) -> None:
        """Accept any match: every request can be held."""

    def run(self, fault: Fault) -> Result:
        if self.held.is_released:
            return fault.proceed()
        self.held.take(fault.request, fault.call.version)
        return until(self.held, lambda: self.held.is_released, fault.proceed)

    def end(self) -> None:
        self.held.let_go()
