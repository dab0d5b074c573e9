"""Taking requests apart into what a client may do and what it may not, and putting answers together again."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, Final, TypeVar

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import WAIT_ON, Call, Outcome, Result, Steps, Wait
from fakekafka.handlers.refusal import Refused, mirrored, refusal
from fakekafka.handlers.rights import Guard, Handle
from fakekafka.handlers.rights.printed_request import refused_request
from fakekafka.pieces import Stepwise
from fakekafka.releases.behaviours.refusal_words import refusal_words
from fakekafka.security.acl import Operation, ResourceType
from fakekafka.wire.apis import response_class
from fakekafka.wire.message import Request, Response, Struct

S = TypeVar("S", bound=Struct)
NONE = ErrorCode.NONE
CLUSTER_ERROR = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
GROUP_ERROR = ErrorCode.GROUP_AUTHORIZATION_FAILED
TOPIC_ERROR = ErrorCode.TOPIC_AUTHORIZATION_FAILED
TRANSACTION_ERROR = ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED

WORDS: Final[Mapping[int, str]] = {
    CLUSTER_ERROR: "Cluster authorization failed.",
    GROUP_ERROR: "Group authorization failed.",
    TOPIC_ERROR: "Topic authorization failed.",
    TRANSACTION_ERROR: "Transactional Id authorization failed.",
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: "This server does not host this topic-partition.",
}


def words_of(call: Call, error: int) -> str | None:
    """The release's message for such a refusal of this API."""
    said = refusal_words(call.key, call.profile.release, call.profile.mode)
    if said == "request":
        return refused_request(call)
    if said == "exception" and error == GROUP_ERROR:
        return f"Not authorized to access group: {WORDS[error]}"
    return WORDS.get(error) if said in ("error", "exception") else said


def refuse(request: Request, call: Call, error: ErrorCode) -> Response:
    """The whole request answered with an error and the release's message."""
    call.refused_as_a_whole = True
    cls = response_class(call.key)
    if cls.FIELDS.get("error_code") is not None and call.version in cls.FIELDS["error_code"].versions:
        return say(cls(error_code=error), words_of(call, error))
    return say(refusal(request, call.version, error), words_of(call, error))


def say(message: S, words: str | None) -> S:
    """Put a message beside every error in a response."""
    for name, spec in message.FIELDS.items():
        if name == "error_message" and getattr(message, "error_code", False):
            setattr(message, name, words)
        elif spec.is_array and spec.struct is not None:
            for element in getattr(message, name, None) or ():
                say(element, words)
    return message


# ---- whole requests


def on_cluster(operation: Operation, error: ErrorCode = CLUSTER_ERROR) -> Guard:
    """A guard that allows or refuses a whole request, depending on a right on the cluster."""

    def check(request: Request, call: Call, handle: Handle) -> Result:
        if call.authorized_on_cluster(operation):
            return handle(request, call)
        return refuse(request, call, error)

    return check


def on_group(operation: Operation) -> Guard:
    """A guard that allows or refuses a whole request, depending on a right on its group."""

    def check(request: Request, call: Call, handle: Handle) -> Result:
        if may_group(call, operation, request.group_id):  # type: ignore[attr-defined]
            return handle(request, call)
        return refuse(request, call, GROUP_ERROR)

    return check


def may_group(call: Call, operation: Operation, group_id: str | None) -> bool:
    """Whether the client may perform an operation on a group."""
    return call.authorized(operation, ResourceType.GROUP, group_id or "")


def may_transact(call: Call, operation: Operation, transactional_id: str) -> bool:
    """Whether the client may perform an operation on a transactional id."""
    return call.authorized(operation, ResourceType.TRANSACTIONAL_ID, transactional_id)


def sees_topic(call: Call, name: str) -> bool:
    """Whether the client may describe a topic."""
    return call.sees(ResourceType.TOPIC, name)


# ---- parts of requests


def by_topic(asked: str, answered: str, operation: Operation) -> Guard:
    """A guard that refuses topics one by one. `asked`, `answered`: the lists of topics in request and response."""

    def check(request: Request, call: Call, handle: Handle) -> Result:
        return split(request, call, handle, asked, answered, lambda topic: topic_refusal(call, operation, topic))

    return check


def topic_refusal(call: Call, operation: Operation, topic: Any) -> ErrorCode:
    """The error for a topic of the request; NONE if the client has the right. Unknown ids are left to the handler."""
    name = name_of(call, topic)
    if name is None:
        return NONE
    if call.profile.authorization.hides_topics and name not in call.broker.cluster.topics:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return call.topic_refusal(operation, name)


def name_of(call: Call, topic: Any) -> str | None:
    """The name of a topic that the request may give by its id; None for an unknown id."""
    if isinstance(topic, str):
        return topic
    fields = type(topic).FIELDS
    for field in ("name", "topic"):
        if field in fields and call.version in fields[field].versions and getattr(topic, field) is not None:
            name: str = getattr(topic, field)  # an empty name is one that a client has no right to
            return name
    known_topic = call.broker.cluster.topics_by_id.get(getattr(topic, "topic_id", b""))
    return None if known_topic is None else known_topic.name


def split(
    request: Request,
    call: Call,
    handle: Handle,
    asked: str,
    answered: str,
    refusal_of: Callable[[Any], ErrorCode],
    *,
    refused_row: Callable[[Any], None] = lambda row: None,
    asks_anyway: bool = False,
) -> Result:
    """Pass on the elements of a list that are not refused; the others are answered with their errors. `refused_row`:
    other fields of such a row of the answer. `asks_anyway`: call the handler even if nothing is left to pass on.
    """
    elements: Sequence[Any] = getattr(request, asked) or ()
    errors = [refusal_of(element) for element in elements]
    if not any(errors):
        return handle(request, call)
    allowed = [element for element, error in zip(elements, errors) if not error]
    refused = [(element, error) for element, error in zip(elements, errors) if error]
    rows = refused_rows(response_class(call.key), answered, refused, call)
    for row in rows:
        refused_row(row)
    if not allowed and not asks_anyway:
        return response_class(call.key)(**{answered: rows})

    def finish(response: Response) -> Response:
        if getattr(response, "error_code", 0):
            return response  # the whole request has failed
        return with_list(response, answered, [*(getattr(response, answered) or ()), *rows])

    return then(handle(with_list(request, asked, allowed), call), finish)


def refused_rows(cls: type[Struct], answered: str, refused: Iterable[tuple[Any, ErrorCode]], call: Call) -> list[Any]:
    """The elements of an answer's list that say what was refused."""
    element = cls.FIELDS[answered].struct
    assert element is not None
    return [
        say(mirrored(element, asked, call.version, Refused(error)), words_of(call, error)) for asked, error in refused
    ]


def with_list(message: S, name: str, elements: Sequence[Any] | None) -> S:
    """A copy of a message with another list."""
    other = copy(message)
    setattr(other, name, None if elements is None else list(elements))
    return other


def then(result: Result, finish: Callable[[Response], Response]) -> Result:
    """The result with its answer changed, now or when it arrives."""
    if isinstance(result, Wait):
        return _later(result, finish)
    if isinstance(result, Steps):
        return Steps(_at_last(result.rest, finish))
    return finish(result) if isinstance(result, Response) else result


def at_last(result: Result, outcome: Outcome) -> Result:
    """The outcome, whatever the result is, as soon as everything is done."""

    def rest(steps: Steps) -> Stepwise[Result]:
        yield from steps.rest
        return outcome

    return Steps(rest(result)) if isinstance(result, Steps) else outcome


def _later(inner: Wait, finish: Callable[[Response], Response]) -> Wait:
    """A wait whose answer is changed when it arrives."""

    def go_on(call: Call, expired: bool) -> Result:
        result = inner.resume(call, expired)
        return WAIT_ON if result is WAIT_ON else then(result, finish)

    return Wait(inner.keys, inner.max_wait_ms, go_on)


def _at_last(rest: Stepwise[Result], finish: Callable[[Response], Response]) -> Stepwise[Result]:
    result = yield from rest
    return then(result, finish)
