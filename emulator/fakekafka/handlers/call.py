"""The argument of a handler, and what it may return besides an answer."""

from collections.abc import Callable, Hashable
from enum import Enum
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol, TypeAlias

from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey, DurationMs, PartitionIndex, TimestampMs, TopicName, Uuid
from fakekafka.pieces import Stepwise
from fakekafka.security.acl import CLUSTER_NAME, Operation, ResourceType
from fakekafka.security.principal import ANONYMOUS, Principal
from fakekafka.state.client_software import UNNAMED, ClientSoftware
from fakekafka.wire.message import Response

if TYPE_CHECKING:
    from fakekafka.admin.mutation_quota import MutationQuota
    from fakekafka.cluster.broker import Broker
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator
    from fakekafka.coordinators.share_partitions.hosting import ShareHosting
    from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator
    from fakekafka.releases.profile import Profile


P = ParamSpec("P")


class Header(Protocol):
    """The fields of a request's header."""

    @property
    def key(self) -> ApiKey: ...
    @property
    def version(self) -> int: ...
    @property
    def correlation_id(self) -> int: ...
    @property
    def client_id(self) -> str | None: ...


class Call:
    """One request being handled: everything about it that is not in its body."""

    __slots__ = (
        "answer_version",
        "broker",
        "client_host",
        "client_id",
        "client_port",
        "connection_id",
        "converted_away",
        "correlation_id",
        "kept",
        "key",
        "listener",
        "now",
        "principal",
        "profile",
        "refused_as_a_whole",
        "software",
        "throttle_ms",
        "undo",
        "version",
    )

    def __init__(
        self,
        broker: "Broker",
        header: "Header",
        client_host: str,
        connection_id: int,
        now: TimestampMs,
        principal: Principal | None = None,
        listener: str = "",
        software: ClientSoftware = UNNAMED,
        client_port: int = 0,
    ) -> None:
        self.broker = broker
        self.profile: Profile = broker.profile
        self.key = header.key
        self.version = header.version
        """The version whose layout the body has. Old brokers read some higher versions as one that they know."""
        self.answer_version = header.version
        """The version whose layout the answer has: a few errors of old brokers have another than the request."""
        self.correlation_id, self.client_id = header.correlation_id, header.client_id
        self.client_host, self.client_port, self.connection_id = client_host, client_port, connection_id
        self.now = now
        """The broker's wall clock at the step that runs the handler."""
        self.principal = principal
        """The principal of the client; None for another broker, which may do everything."""
        self.listener = listener
        """The name of the listener that was asked."""
        self.software = software
        """What the client has said about its software in ApiVersions (KIP-511)."""
        self.throttle_ms: DurationMs = 0
        """How long the client has to wait for what the request has changed (KIP-599)."""
        self.converted_away = 0
        """By how many bytes converted records are smaller than the stored ones."""
        self.undo: Callable[[], int] | None = None
        """What takes back what an answer to Fetch has done to its session, and returns the id of the session then."""
        self.refused_as_a_whole = False
        """Whether the answer is made from the request alone (getErrorResponse), and so in an order of its own."""
        self.kept: dict[tuple[TopicName, Uuid, PartitionIndex], bytes] | None = None
        """What the sets of a Produce began with before they were appended (`records.as_sent`), by partition as the
        request names it; of several sets for one partition, that of the last."""

    @property
    def reaches_controller(self) -> bool:
        """Whether the broker may decide what only a controller decides; other brokers answer 41.

        Under ZooKeeper one broker is the controller, and clients must ask that one. In KRaft mode every broker passes
        such requests on to the controllers.
        """
        broker = self.broker
        return self.profile.admin.by_controllers or broker.node_id == broker.cluster.controller_id

    @property
    def controller_is_silent(self) -> bool:
        """Whether what the broker passes on to the controllers is never answered."""
        return self.broker.cluster.controller_has_failed and self.profile.admin.failed_controller == "silent"

    def is_too_late(self, timeout_ms: DurationMs) -> bool:
        """Whether a client gives the KRaft controllers no time: they do nothing for it, and everything gets 7."""
        return timeout_ms <= 0 and self.profile.admin.deadlines_kept

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

    def mutation_quota(self, first_refused: int) -> "MutationQuota":
        """How many partitions the client may create and delete; from version `first_refused` on the rest is refused."""
        from fakekafka.admin.mutation_quota import mutation_quota  # few requests create or delete topics

        who = (self.principal or ANONYMOUS).name
        strict = self.version >= first_refused
        return mutation_quota(self.broker, who, self.client_id or "", self.now, strict=strict)

    @property
    def may_have_tokens(self) -> bool:
        """Whether the client may ask about delegation tokens: whether it has logged in, and not with a token itself."""
        who = self.principal
        return who is not None and not who.is_anonymous and not who.by_token

    # ---- rights

    def authorized(self, operation: Operation, kind: ResourceType, name: str) -> bool:
        """Whether the client may perform an operation on a resource. A refusal is remembered, see
        `FakeKafka.why_denied`.
        """
        authorizer, who = self.broker.authorizer, self.principal
        return authorizer is None or who is None or authorizer.allows(who, self.client_host, operation, kind, name)

    def authorized_on_cluster(self, operation: Operation) -> bool:
        """Whether the client may perform an operation on the cluster."""
        return self.broker.authorizer is None or self.authorized(operation, ResourceType.CLUSTER, CLUSTER_NAME)

    def would_allow(self, operation: Operation, kind: ResourceType, name: str) -> bool:
        """Like `authorized`, for answers that only report what the client may do."""
        authorizer, who = self.broker.authorizer, self.principal
        return authorizer is None or who is None or authorizer.would_allow(who, self.client_host, operation, kind, name)

    def would_allow_on_cluster(self, operation: Operation) -> bool:
        """Like `authorized_on_cluster`, where another right may suffice as well."""
        return self.would_allow(operation, ResourceType.CLUSTER, CLUSTER_NAME)

    def authorized_on_any(self, operation: Operation, kind: ResourceType) -> bool:
        """Whether there is any resource of a type on which the client may perform an operation."""
        authorizer, who = self.broker.authorizer, self.principal
        return authorizer is None or who is None or authorizer.allows_on_any(who, self.client_host, operation, kind)

    def operations(self, kind: ResourceType, name: str) -> int:
        """All operations that the client may perform on a resource: bit n stands for operation n (KIP-430)."""
        possible = self.profile.authorization.operations[kind]
        return sum(1 << n for n in possible if self.would_allow(Operation(n), kind, name))

    def sees(self, kind: ResourceType, name: str) -> bool:
        """Whether the client may describe a resource, for lists that leave out other resources."""
        return self.would_allow(Operation.DESCRIBE, kind, name)

    def topic_refusal(self, operation: Operation, name: str) -> ErrorCode:
        """NONE if the client may perform an operation on the topic, otherwise the error that it gets."""
        if self.broker.authorizer is None:
            return ErrorCode.NONE
        hides = self.profile.authorization.hides_topics
        if hides and not self.authorized(Operation.DESCRIBE, ResourceType.TOPIC, name):
            return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        allowed = self.authorized(operation, ResourceType.TOPIC, name)
        return ErrorCode.NONE if allowed else ErrorCode.TOPIC_AUTHORIZATION_FAILED

    def address_of(self, broker: "Broker") -> tuple[str, int]:
        """Host and port that a broker gives to clients of this request's listener."""
        return broker.endpoints.get(self.listener) or (broker.host, broker.port)

    def endpoint_of(self, broker: "Broker") -> dict[str, Any]:
        """That address as the fields `host` and `port` of an answer."""
        host, port = self.address_of(broker)
        return {"host": host, "port": port}


class Outcome(Enum):
    """Ways to end a request without an answer."""

    CLOSE = "the broker closes the connection"
    SILENCE = "the broker never answers, and goes on with the connection's next request"
    HANG = "the broker never answers and reads nothing more from the connection"


class Wait:
    """ "Not yet": park the request until one of `keys` is woken or `max_wait_ms` has passed, then `resume`.

    `resume(call, expired)` is the rest of the handler. It may return another `Wait`, or `WAIT_ON`: unless `expired`,
    the first deadline stays. `max_wait_ms` None waits for ever. `has_own_deadline`: its own deadline counts, from now
    on, whatever the earlier one was.
    """

    __slots__ = ("has_own_deadline", "keys", "max_wait_ms", "resume")

    def __init__(
        self,
        keys: tuple[Hashable, ...],
        max_wait_ms: DurationMs | None,
        resume: "Callable[[Call, bool], Result]",
        *,
        has_own_deadline: bool = False,
    ) -> None:
        self.has_own_deadline = has_own_deadline
        self.keys = keys
        self.max_wait_ms = max_wait_ms
        self.resume = resume


def _no_rest(call: Call, expired: bool) -> "Result":
    raise AssertionError("nobody resumes WAIT_ON")


WAIT_ON: Final = Wait((), None, _no_rest)
"""What `resume` returns if it was woken for nothing. If it returned its own `Wait`, each would refer to the other, and
only the garbage collector would find them.
"""


class Answers:
    """More than one answer to one request (some releases answer twice), then an outcome."""

    __slots__ = ("responses", "then")

    def __init__(self, responses: list[Response], then: Outcome | None) -> None:
        self.responses = responses
        self.then = then


class Steps:
    """ "More to do": the answer takes long, and is made in steps between which other clients get their turn.

    `rest` is the rest of the handler. Whatever it yields ends a step; what it returns is its result.
    """

    __slots__ = ("rest",)

    def __init__(self, rest: "Stepwise[Result]") -> None:
        self.rest = rest


def in_steps(work: "Stepwise[Result]") -> "Result":
    """The result of `work` if it has a single step, otherwise the rest of it."""
    try:
        next(work)
    except StopIteration as end:
        result: Result = end.value
        return result
    return Steps(work)


def stepwise(work: "Callable[P, Stepwise[Result]]") -> "Callable[P, Result]":
    """Make a handler of work that is done in steps, which is what `in_steps` does with it."""

    @wraps(work)
    def handle(*args: P.args, **kwargs: P.kwargs) -> Result:
        return in_steps(work(*args, **kwargs))

    return handle


Result: TypeAlias = Response | Wait | Outcome | Answers | Steps | None
"""None if there is no answer because the request asks for none (Produce with acks 0)."""
