"""What a handler is given, and what it may return besides an answer."""

from collections.abc import Callable, Hashable
from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.ids import ApiKey, DurationMs, TimestampMs
from fakekafka.wire.message import Response

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator
    from fakekafka.coordinators.share_partitions.hosting import ShareHosting
    from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator
    from fakekafka.releases.profile import Profile


class Header(Protocol):
    """What a request's header says."""

    @property
    def key(self) -> ApiKey: ...
    @property
    def version(self) -> int: ...
    @property
    def correlation_id(self) -> int: ...
    @property
    def client_id(self) -> str | None: ...


class Call:
    """One request on its way: everything about it that is not in its body."""

    __slots__ = (
        "answer_version",
        "broker",
        "client_host",
        "client_id",
        "connection_id",
        "correlation_id",
        "key",
        "now",
        "version",
    )

    def __init__(
        self, broker: "Broker", header: "Header", client_host: str, connection_id: int, now: TimestampMs
    ) -> None:
        self.broker = broker
        self.key = header.key
        self.version = header.version
        """The version whose layout the body has. Old brokers read some higher versions as one that they know."""
        self.answer_version = header.version
        """The version whose layout the answer has. A few errors of old brokers have another than the request's."""
        self.correlation_id = header.correlation_id
        self.client_id = header.client_id
        self.client_host = client_host
        self.connection_id = connection_id
        self.now = now
        """The broker's wall clock at the step that runs the handler."""

    @property
    def profile(self) -> "Profile":
        return self.broker.profile

    @property
    def reaches_controller(self) -> bool:
        """Whether the broker may decide what only a controller decides; others answer 41.

        Under ZooKeeper one broker is the controller, and clients must ask that one. In KRaft mode every broker passes
        such requests on to the controllers.
        """
        broker = self.broker
        return self.profile.admin.by_controllers or broker.node_id == broker.cluster.controller_id

    @property
    def groups(self) -> "GroupCoordinator":
        """The groups that the broker coordinates."""
        return coordinators_of(self.broker).groups

    @property
    def share(self) -> "ShareHosting":
        """What the broker keeps for share groups."""
        return coordinators_of(self.broker).share

    @property
    def transactions(self) -> "TransactionCoordinator":
        """The transactional ids that the broker coordinates."""
        return coordinators_of(self.broker).transactions


class Outcome(Enum):
    """Ends of a request that are not an answer."""

    CLOSE = "the broker closes the connection"
    SILENCE = "the broker never answers, and goes on with the connection's next request"
    HANG = "the broker never answers and reads nothing more from the connection"


class Wait:
    """ "Not yet": park the request until one of `keys` is woken or `max_wait_ms` has passed, then `resume`.

    `resume(call, expired)` is the rest of the handler. It may return another `Wait`, or the same: unless `expired`, the
    first deadline stays. `max_wait_ms` None waits for ever.
    """

    __slots__ = ("keys", "max_wait_ms", "resume")

    def __init__(
        self,
        keys: tuple[Hashable, ...],
        max_wait_ms: DurationMs | None,
        resume: "Callable[[Call, bool], Result]",
    ) -> None:
        self.keys = keys
        self.max_wait_ms = max_wait_ms
        self.resume = resume


class Answers:
    """More than one answer to one request (some releases answer twice), then an outcome."""

    __slots__ = ("responses", "then")

    def __init__(self, responses: list[Response], then: Outcome | None) -> None:
        self.responses = responses
        self.then = then


Result: TypeAlias = Response | Wait | Outcome | Answers | None
"""None: nothing is answered because the request asks for nothing (Produce with acks 0)."""
