"""Faults that are not about one request: connections that end, listeners that refuse, brokers that are down, disks that
fail, leaders that move. Each happens at a certain time, and lasting ones are undone when their rule is removed.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from typing import ClassVar, Final, Protocol, TypeAlias, get_args

from fakekafka.errors import UsageError
from fakekafka.faults.actions import ENDINGS, Action, Fault, check_ending
from fakekafka.faults.ending import Ending, Refusing
from fakekafka.faults.match import Match
from fakekafka.handlers.call import Result
from fakekafka.ids import BrokerId, DurationMs, PartitionIndex, TopicName
from fakekafka.state.client_software import ClientSoftware
from fakekafka.storage.log_manager import Unsynced

Undo: TypeAlias = Callable[[], None]
ANYWHERE: Final = ("after_ms", "until_ms")
"""The fields that every event may have: when it begins, and until when it lasts."""


class Connected(Protocol):
    """A connection of a client."""

    id: int
    node_id: BrokerId
    client_id: str
    """The client id of its last request; "" before the first."""
    software: ClientSoftware

    @property
    def principal(self) -> object:
        """The principal that has logged in."""


class Stage(Protocol):
    """A running cluster, as events see it. Everything runs on the thread that owns the broker."""

    def after(self, delay_ms: DurationMs, action: Callable[[], None]) -> None:
        """Run `action` later, on the broker's clock."""

    def brokers(self) -> Sequence[BrokerId]:
        """The running brokers."""

    def connections(self) -> Sequence[Connected]:
        """The open connections of clients."""

    def end(self, connection: Connected, how: Ending) -> None:
        """End a connection."""

    def refuse(self, broker: BrokerId, how: Refusing, on_refused: Callable[[], None]) -> Undo:
        """Refuse clients that connect to a broker; `on_refused` is called for each one that is noticed."""

    def take_down(self, broker: BrokerId, *, clean: bool, unsynced: Unsynced) -> Undo:
        """Stop or kill a broker; undone by its start. `unsynced`: what becomes of bytes that were never flushed."""

    def fill_disk(self, broker: BrokerId, free_bytes: int) -> Undo:
        """Leave this many bytes of room on a broker's disk. Raises `UsageError` if its disk cannot fail."""

    def spoil_disk(self, broker: BrokerId, files: str) -> Undo:
        """Make files that match a pattern unreadable. Raises `UsageError` if its disk cannot fail."""

    def move_leader(self, topic: TopicName, partition: PartitionIndex | None, to: BrokerId) -> None:
        """Move a leader. Raises `UsageError` if that broker cannot lead."""

    def move_coordinator(self, group: str | None, transactional_id: str | None, to: BrokerId) -> None:
        """Move a coordinator. Raises `UsageError` if that broker cannot coordinate."""

    def move_controller(self, to: BrokerId) -> None:
        """Move the controller. Raises `UsageError` if that broker is not running."""


class Tally(Protocol):
    """The rule of an event, which counts what happens."""

    def hit(self) -> None:
        """Count one more occurrence."""

    def miss(self, text: str) -> None:
        """Note something that nearly matched the rule."""


class Event(Action):
    """Something that happens at a certain time. Implementations are dataclasses, like other actions."""

    TAKES: ClassVar[tuple[str, ...]]
    """Fields of `Match` that it supports, besides `ANYWHERE`."""
    LASTS: ClassVar[bool] = True
    """Whether the event goes on until its rule is removed."""
    ON_DISK: ClassVar[bool] = False
    """Whether the event needs disks that can fail."""
    ON_REQUESTS: ClassVar[bool] = False

    def check(self, match: Match) -> None:
        """Raises `UsageError` for fields that the event does not support."""
        for field in fields(Match):
            if field.name not in (*self.TAKES, *ANYWHERE, "seed") and getattr(match, field.name) != field.default:
                takes = ", ".join((*self.TAKES, *ANYWHERE))
                raise UsageError(f"{self.NAME} has no use for {field.name}=: it takes {takes}")

    @abstractmethod
    def begin(self, stage: Stage, match: Match, tally: Tally) -> Sequence[Undo]:
        """Let the event happen. Returns the functions that undo it."""

    def run(self, fault: Fault) -> Result:
        """Let the request pass: an event is not about requests."""
        return fault.proceed()


def meant(stage: Stage, match: Match) -> list[BrokerId]:
    """The running brokers that a rule names, or all. Raises `UsageError` for one that is not running."""
    running = list(stage.brokers())
    named = match.broker if isinstance(match.broker, tuple) else None if match.broker is None else (match.broker,)
    for node_id in named or ():
        if node_id not in running:
            raise UsageError(f"broker {node_id} does not run: {', '.join(map(str, running)) or 'none'} do")
    return running if named is None else list(named)


def is_meant(connection: Connected, match: Match) -> bool:
    """Whether a rule applies to a connection."""
    return (
        match.fits_broker(connection.node_id)
        and match.connection in (None, connection.id)
        and (match.client_id is None or fnmatchcase(connection.client_id, match.client_id))
        and (match.software_name is None or fnmatchcase(connection.software.name, match.software_name))
        and (match.principal is None or fnmatchcase(str(connection.principal), match.principal))
    )


def end_all(stage: Stage, match: Match, how: Ending, tally: Tally) -> None:
    """End the open connections to which a rule applies."""
    for connection in stage.connections():
        if is_meant(connection, match):
            stage.end(connection, how)
            tally.hit()
        else:
            tally.miss(f"connection {connection.id} of {connection.client_id!r} to broker {connection.node_id}")


OF_CONNECTIONS: Final = ("client_id", "software_name", "principal", "connection", "broker")


@dataclass(frozen=True)
class Disconnect(Event):
    """End the connections that are open now. `how`: "close", "reset" (RST), or "silence": half open, as if the broker's
    machine were gone.
    """

    NAME: ClassVar[str] = "disconnect"
    TAKES: ClassVar[tuple[str, ...]] = OF_CONNECTIONS
    LASTS: ClassVar[bool] = False
    how: Ending = "close"

    def check(self, match: Match) -> None:
        super().check(match)
        check_ending(self.how)

    def begin(self, stage: Stage, match: Match, tally: Tally) -> Sequence[Undo]:
        end_all(stage, match, self.how, tally)
        return ()


@dataclass(frozen=True)
class RefuseConnections(Event):
    """Let nobody connect; connections that are open stay. `how`: "refused", as if nobody listened, "close"
    or "reset" after accepting, or "silence": accepted, and never answered.
    """

    NAME: ClassVar[str] = "refuse_connections"
    TAKES: ClassVar[tuple[str, ...]] = ("broker",)
    how: Refusing = "refused"

    def check(self, match: Match) -> None:
        super().check(match)
        if self.how not in get_args(Refusing):
            raise UsageError(f"how={self.how!r}: one of {', '.join(map(repr, get_args(Refusing)))}")

    def begin(self, stage: Stage, match: Match, tally: Tally) -> Sequence[Undo]:
        if self.how == "refused":
            tally.hit()  # the system refuses without reporting it
        return [stage.refuse(node_id, self.how, tally.hit) for node_id in meant(stage, match)]


@dataclass(frozen=True)
class CutOff(Event):
    """A partition of the network between clients and brokers: open connections go silent, and requests on new
    connections are neither carried out nor answered.
    """

    NAME: ClassVar[str] = "cut_off"
    TAKES: ClassVar[tuple[str, ...]] = OF_CONNECTIONS
    ON_REQUESTS: ClassVar[bool] = True

    def begin(self, stage: Stage, match: Match, tally: Tally) -> Sequence[Undo]:
        end_all(stage, match, "silence", tally)
        return ()

    def run(self, fault: Fault) -> Result:
        return ENDINGS["silence"]


@dataclass(frozen=True)
class Down(Event):
    """A broker is down: killed, or stopped if `clean`. It starts again when the rule ends.

    `unsynced`: what becomes of bytes that it never flushed when it is killed: "kept", "lost", or "some" of them.
    """

    NAME: ClassVar[str] = "down"
    TAKES: ClassVar[tuple[str, ...]] = ("broker",)
    clean: bool = False
    unsynced: Unsynced = "kept"

    def check(self, match: Match) -> None:
        super().check(match)
        if self.unsynced not in get_args(Unsynced):
            raise UsageError(f"unsynced={self.unsynced!r}: one of {', '.join(map(repr, get_args(Unsynced)))}")
        if self.clean and self.unsynced != "kept":
            raise UsageError("down: a clean stop flushes everything: leave out unsynced= or clean=")

    def begin(self, stage: Stage, match: Match, tally: Tally) -> Sequence[Undo]:
        undo = []
        for node_id in meant(stage, match):
            undo.append(stage.take_down(node_id, clean=self.clean, unsynced=self.unsynced))
            tally.hit()
        return undo


@dataclass(frozen=True)
class FullDisk(Event):
    """A broker's disk has room for `free_bytes` more and is then full."""

    NAME: ClassVar[str] = "full_disk"
    TAKES: ClassVar[tuple[str, ...]] = ("broker",)
    ON_DISK: ClassVar[bool] = True
    free_bytes: int = 0

    def begin(self, stage: Stage, match: Match, tally: Tally) -> Sequence[Undo]:
        tally.hit()
        return [stage.fill_disk(node_id, self.free_bytes) for node_id in meant(stage, match)]


@dataclass(frozen=True)
class ReadError(Event):
    """Files of a broker cannot be read: those whose names match the pattern `files`."""

    NAME: ClassVar[str] = "read_error"
    TAKES: ClassVar[tuple[str, ...]] = ("broker",)
    ON_DISK: ClassVar[bool] = True
    files: str = "*.log"

    def begin(self, stage: Stage, match: Match, tally: Tally) -> Sequence[Undo]:
        tally.hit()
        return [stage.spoil_disk(node_id, self.files) for node_id in meant(stage, match)]


@dataclass(frozen=True)
class MoveLeader(Event):
    """Another in-sync broker leads a partition; without `partition`, every partition of the topic."""

    NAME: ClassVar[str] = "move_leader"
    TAKES: ClassVar[tuple[str, ...]] = ("topic", "partition")
    LASTS: ClassVar[bool] = False
    to: BrokerId

    def check(self, match: Match) -> None:
        super().check(match)
        if match.topic is None:
            raise UsageError("move_leader: say topic=")

    def begin(self, stage: Stage, match: Match, tally: Tally) -> Sequence[Undo]:
        stage.move_leader(match.topic or "", match.partition, self.to)
        tally.hit()
        return ()


@dataclass(frozen=True)
class MoveCoordinator(Event):
    """Another broker coordinates a group or a transactional id."""

    NAME: ClassVar[str] = "move_coordinator"
    TAKES: ClassVar[tuple[str, ...]] = ("group", "transactional_id")
    LASTS: ClassVar[bool] = False
    to: BrokerId

    def check(self, match: Match) -> None:
        super().check(match)
        if (match.group is None) == (match.transactional_id is None):
            raise UsageError("move_coordinator: say group= or transactional_id=")

    def begin(self, stage: Stage, match: Match, tally: Tally) -> Sequence[Undo]:
        stage.move_coordinator(match.group, match.transactional_id, self.to)
        tally.hit()
        return ()


@dataclass(frozen=True)
class MoveController(Event):
    """Another broker is the controller."""

    NAME: ClassVar[str] = "move_controller"
    TAKES: ClassVar[tuple[str, ...]] = ()
    LASTS: ClassVar[bool] = False
    to: BrokerId

    def begin(self, stage: Stage, match: Match, tally: Tally) -> Sequence[Undo]:
        stage.move_controller(self.to)
        tally.hit()
        return ()


EVENTS: Final = (
    Disconnect,
    RefuseConnections,
    CutOff,
    Down,
    FullDisk,
    ReadError,
    MoveLeader,
    MoveCoordinator,
    MoveController,
)
