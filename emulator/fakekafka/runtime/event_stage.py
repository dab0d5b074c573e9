"""What faults that are not about one request do to a running cluster: the `Stage` of `faults.events`.

Everything here runs on the thread that owns the cluster's state.
"""

from collections.abc import Callable, Sequence

from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.internal_topics import ensure, partition_for
from fakekafka.errors import UsageError
from fakekafka.faults.book import Book
from fakekafka.faults.ending import Ending, Refusing
from fakekafka.faults.events import Connected, Undo
from fakekafka.faults.faults import Faults
from fakekafka.ids import BrokerId, DurationMs, PartitionIndex, TopicName
from fakekafka.log.faulty_files import DiskFaults
from fakekafka.runtime import assembly
from fakekafka.runtime.runtime import Runtime
from fakekafka.server.connection import Connection, State
from fakekafka.state.topics import CONSUMER_OFFSETS, TRANSACTION_STATE
from fakekafka.storage.log_manager import Unsynced
from fakekafka.watching.stored import found_topic


class EventStage:
    """One cluster, as events change it."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    @property
    def _cluster(self) -> Cluster:
        return self._runtime.core.cluster

    def after(self, delay_ms: DurationMs, action: Callable[[], None]) -> None:
        self._cluster.timers.after(delay_ms, action)

    def brokers(self) -> Sequence[BrokerId]:
        return sorted(self._cluster.brokers)

    def connections(self) -> Sequence[Connected]:
        connections = self._runtime.core.connections.values()
        return [each for each in connections if not each.is_closing and each.state is not State.HUNG]

    def end(self, connection: Connected, how: Ending) -> None:
        assert isinstance(connection, Connection)
        self._runtime.core.end(connection, how)

    def refuse(self, broker: BrokerId, how: Refusing, on_refused: Callable[[], None]) -> Undo:
        return self._runtime.tcp.refuse(broker, how, on_refused)

    def take_down(self, broker: BrokerId, *, clean: bool, unsynced: Unsynced) -> Undo:
        self._runtime.take_down(broker, clean=clean, unsynced=unsynced)
        return lambda: self._runtime.bring_back(broker)

    def fill_disk(self, broker: BrokerId, free_bytes: int) -> Undo:
        disk = self._disk(broker)
        disk.space = free_bytes
        return lambda: setattr(disk, "space", None)

    def spoil_disk(self, broker: BrokerId, files: str) -> Undo:
        disk = self._disk(broker)
        disk.unreadable.add(files)
        return lambda: disk.unreadable.discard(files)

    def _disk(self, broker: BrokerId) -> DiskFaults:
        self._runtime.need_faulty_disks()
        assert self._runtime.storage is not None
        return self._runtime.disks[list(self._runtime.storage.directories).index(broker)]

    def move_leader(self, topic: TopicName, partition: PartitionIndex | None, to: BrokerId) -> None:
        known_topic = found_topic(self._cluster, topic, partition)
        for index in range(len(known_topic.partitions)) if partition is None else (partition,):
            assembly.move_leader(self._cluster, known_topic, index, to)

    def move_coordinator(self, group: str | None, transactional_id: str | None, to: BrokerId) -> None:
        name = CONSUMER_OFFSETS if group is not None else TRANSACTION_STATE
        topic = ensure(self._cluster.running(to), name)
        if topic is None:
            raise UsageError(f"{name} cannot be made: there are too few brokers for its replicas")
        index = partition_for(group if group is not None else transactional_id or "", len(topic.partitions))
        assembly.move_leader(self._cluster, topic, index, to)

    def move_controller(self, to: BrokerId) -> None:
        self._cluster.make_controller(to)


class BookKeeping:
    """Tells a book of rules when its cluster starts and stops."""

    def __init__(self, book: Book, runtime: Runtime) -> None:
        self._book = book
        self._stage = EventStage(runtime)

    def started(self) -> None:
        self._book.started(self._stage)

    def stopped(self) -> None:
        self._book.stopped()


def faults_of(runtime: Runtime) -> Faults:
    """The faults of a cluster, in force from now on."""
    book = Book(lambda: runtime.clock.elapsed_ms, runtime.use_rules)
    keeping = BookKeeping(book, runtime)
    runtime.attached.append(keeping)
    if runtime.is_running:
        runtime.call(keeping.started)
    return Faults(book, runtime)
