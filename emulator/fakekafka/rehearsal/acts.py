"""The acts of a rehearsal on one running cluster: a step, a rollback, the clients' turn, a check of the contents."""

from collections.abc import Iterator, Sequence
from functools import partial

from fakekafka.emulator import FakeKafka
from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.rehearsal.client_commands import ClientProcess, filled
from fakekafka.rehearsal.comparison import differences, summary
from fakekafka.rehearsal.contents import contents_of
from fakekafka.rehearsal.load import Load
from fakekafka.rehearsal.results import ActResult
from fakekafka.rehearsal.script import ClientPart, Script
from fakekafka.upgrade.steps import Step


class Stage:
    """A cluster, with its contents as they were last seen."""

    def __init__(self, script: Script, kafka: FakeKafka) -> None:
        self._script = script
        self.kafka = kafka
        self.contents = contents_of(kafka)

    def begin(self, name: str, clients: Sequence[ClientPart]) -> Iterator[ActResult]:
        """The state before the first step."""
        yield ActResult("begin", "", (), summary(self.contents, self.contents))
        yield from self._use(name, "begin", clients)

    def step(self, step: Step, clients: Sequence[ClientPart], *, act: str = "step") -> Iterator[ActResult]:
        """Take a step, and use the cluster. Ends after the first act if the brokers do not start."""
        try:
            step.apply()
        except (BrokerWillNotStart, UsageError) as e:
            yield ActResult(act, "", (str(e),))
            return
        yield ActResult(act, "")
        yield self._verify(idle=True)
        yield from self._use(step.name, act, clients)

    def back(self, step: Step, clients: Sequence[ClientPart]) -> Iterator[ActResult]:
        """Go back from a step with the clients of that step, and use the cluster."""
        try:
            left = step.rollback()
        except UsageError as e:
            yield ActResult("back", "", (), (f"no way back: {e}",))
            return
        except BrokerWillNotStart as e:
            yield ActResult("back", "", (str(e),))
            return
        yield ActResult("back", "", (), tuple(map(str, left)))
        yield self._verify(idle=True)
        yield from self._use(step.before.name, "back", clients)

    def _use(self, name: str, act: str, clients: Sequence[ClientPart]) -> Iterator[ActResult]:
        """Run the clients, one after the other, then check the contents."""
        values = {"release": self.kafka.release, "step": name, "act": act}
        values["bootstrap_servers"] = self.kafka.bootstrap_servers
        folder = self._script.path.absolute().parent
        for client in clients:
            start = partial(ClientProcess, filled(client.command, values), folder)
            kills = self._script.kills_in(name, act, client.name)
            yield from Load(self.kafka, client.name, start, client.timeout_s).acts(kills)
        if clients:
            yield self._verify(idle=False)

    def _verify(self, *, idle: bool) -> ActResult:
        now = contents_of(self.kafka)
        before, self.contents = self.contents, now
        return ActResult("verify", "", differences(before, now, idle=idle), summary(before, now))
