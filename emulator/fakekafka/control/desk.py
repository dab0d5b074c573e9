"""The desk from which a cluster is commanded: the cluster, and what is remembered about it between requests."""

from fakekafka.control.fault_switches import FaultSwitches
from fakekafka.emulator import FakeKafka
from fakekafka.upgrade.steps import Step


class Desk:
    """One cluster that is commanded from outside."""

    def __init__(self, kafka: FakeKafka) -> None:
        self.kafka = kafka
        self.faults = FaultSwitches(kafka)
        self.last_step: Step | None = None
        """The step of an upgrade that was applied last."""
