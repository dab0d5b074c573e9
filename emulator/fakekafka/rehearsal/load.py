"""A client's turn: it runs to its end, and meanwhile brokers, or its own process, are killed and come back.

A kill meets a request that has arrived and is not carried out yet, so the client is always in the middle of something.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from fakekafka.emulator import FakeKafka
from fakekafka.errors import BrokerWillNotStart
from fakekafka.faults.interception import Held
from fakekafka.ids import BrokerId
from fakekafka.rehearsal.client_commands import ClientProcess
from fakekafka.rehearsal.comparison import differences, summary
from fakekafka.rehearsal.contents import contents_of
from fakekafka.rehearsal.kill_part import KillPart
from fakekafka.rehearsal.results import ActResult

GLANCE_S: Final = 0.1
"""How soon the end of a client that sends no more requests is noticed."""
Start: TypeAlias = Callable[[], ClientProcess]


class Load:
    """One client's turn. `start` runs its command line."""

    def __init__(self, kafka: FakeKafka, name: str, start: Start, timeout_s: float) -> None:
        self._kafka = kafka
        self._name = name
        self._start = start
        self._timeout_s = timeout_s
        self._client: ClientProcess | None = None

    def acts(self, kills: Sequence[KillPart]) -> Iterator[ActResult]:
        """The kills, in their order, and then how the client ended."""
        held = [self._hold(kill) for kill in kills[:1]]
        try:
            self._client = self._start()
        except OSError as e:
            yield ActResult("load", self._name, (f"cannot be started: {e}",))
            return
        try:
            for number, kill in enumerate(kills):
                has_come = self._has_come(held[number])
                held += [self._hold(one) for one in kills[number + 1 : number + 2]]  # before the client can go on
                act = self._killed(kill) if has_come else self._missed(kill)
                held[number].release()
                yield act
            problem = self._client.problem(self._timeout_s)
        finally:
            self._client.close()
            for one in held:
                one.release()
        yield ActResult("load", self._name, (problem,) if problem else ())

    def _hold(self, kill: KillPart) -> Held:
        """Keep back the request that a kill is to meet."""
        match = {} if kill.broker is None else {"broker": kill.broker}
        return self._kafka.faults.hold(kill.api, nth=kill.after, expected=False, **match)

    def _has_come(self, held: Held) -> bool:
        """Wait for that request, as long as the client runs and may run."""
        for _ in range(1 + int(self._timeout_s / GLANCE_S)):
            has_ended = self._running.has_ended
            with suppress(TimeoutError):
                return bool(held.wait(timeout=GLANCE_S))
            if has_ended:
                break
        return False

    def _missed(self, kill: KillPart) -> ActResult:
        why = "it ended" if self._running.has_ended else f"{self._timeout_s:g} s passed"
        return ActResult("kill", kill.victim, (f"nothing was killed: {why} before {kill.moment}",))

    def _killed(self, kill: KillPart) -> ActResult:
        return self._client_dies(kill) if kill.broker is None else self._broker_dies(kill, kill.broker)

    def _client_dies(self, kill: KillPart) -> ActResult:
        self._running.close()
        self._client = self._start()
        return ActResult("kill", kill.victim, (), (f"at {kill.moment}; started again",))

    def _broker_dies(self, kill: KillPart, broker: BrokerId) -> ActResult:
        before = contents_of(self._kafka)
        self._kafka.kill_broker(broker)
        try:
            self._kafka.start_broker(broker)
        except BrokerWillNotStart as e:
            return ActResult("kill", kill.victim, (str(e),))
        now = contents_of(self._kafka)
        notes = (f"at {kill.moment}", *summary(before, now))
        return ActResult("kill", kill.victim, differences(before, now, idle=False), notes)

    @property
    def _running(self) -> ClientProcess:
        assert self._client is not None
        return self._client
