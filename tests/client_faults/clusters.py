"""Where the requests of a program arrive: at a fake broker, with its records and topics."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, Protocol

from fakekafka import FakeKafka

from tests.client_faults.programs import TOPIC, TRANSACTIONAL_ID
from tests.client_faults.shown_fault import ShownFault

REPLICATED: Final = (
    "default.replication.factor",
    "offsets.topic.replication.factor",
    "transaction.state.log.replication.factor",
)


class Cluster(Protocol):
    """What a cell asks of a cluster, apart from what its client does."""

    @property
    def kafka(self) -> FakeKafka:
        """What the client connects to, and whose rules act."""

    def send(self, value: bytes) -> None:
        """Append a record to `TOPIC`."""

    def stored(self) -> Counter[bytes] | None:
        """The values in `TOPIC` in the end; None if no broker is left to ask."""

    def committed(self) -> Counter[bytes]:
        """The values in `TOPIC` that the transaction has committed."""

    def topics(self) -> Iterable[str]:
        """The names of all topics."""


class Ours(NamedTuple):
    """A fake broker, or several."""

    kafka: FakeKafka

    def send(self, value: bytes) -> None:
        self.kafka.send(TOPIC, value)

    def stored(self) -> Counter[bytes] | None:
        for rule in self.kafka.faults.rules:
            if rule.action.NAME == "down":
                rule.remove()  # broker and records come back
        return self._values() if self.kafka.brokers() else None

    def committed(self) -> Counter[bytes]:
        transaction = self.kafka.transactions().get(TRANSACTIONAL_ID)
        is_committed = transaction is not None and transaction.state in ("PrepareCommit", "CompleteCommit")
        return self._values() if is_committed else Counter()

    def _values(self) -> Counter[bytes]:
        return Counter(record.value or b"" for record in self.kafka.records(TOPIC))

    def topics(self) -> Iterable[str]:
        return self.kafka.topics()


@contextmanager
def ours(release: str, fault: ShownFault) -> Iterator[Ours]:
    """Brokers of a release, as many as the fault needs."""
    config = dict.fromkeys(REPLICATED, fault.brokers)
    on_disk = "disk" in fault.plan or "read_error" in fault.plan
    with FakeKafka(release, brokers=fault.brokers, topics={TOPIC: 1}, config=config, faulty_disks=on_disk) as kafka:
        yield Ours(kafka)
