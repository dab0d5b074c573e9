"""SCRAM credentials by request (KIP-554): checked and kept."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.releases.features import FIRST_WITH_SCRAM, METADATA_VERSION
from fakekafka.security.sasl.credentials import ScramCredential
from fakekafka.state.cluster_settings import CredentialChange

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.cluster.cluster import Cluster

MECHANISMS: Final = (1, 2)
"""SCRAM-SHA-256 and SCRAM-SHA-512."""
FEWEST, MOST = 4096, 16384
NAMELESS: Final = "Username must not be empty"
UNEXPECTED: Final = "The server experienced an unexpected error when processing the request."
TWICE: Final = "A user credential cannot be altered twice in the same request"


class Upsertion(NamedTuple):
    """A credential to set, or to delete if `iterations` is None."""

    user: str
    mechanism: int
    iterations: int | None
    salt: bytes = b""
    salted_password: bytes = b""

    def __repr__(self) -> str:
        return f"Upsertion(user={self.user!r}, mechanism={self.mechanism}, iterations={self.iterations})"


def describe(broker: "Broker", user: str) -> list[ScramCredential]:
    """A user's credentials in the order of mechanisms. Raises `ApiError` 91 for a user without any.

    That is ZooKeeper's order, however they were set; in KRaft mode it is another one in each process (a HashMap of
    enums). Asked of 2.7.2 to 4.3.1.
    """
    credentials = broker.credentials.described().get(user)
    if credentials:
        return [credentials[mechanism] for mechanism in MECHANISMS if mechanism in credentials]
    words = f"Attempt to describe a user credential that does not exist: {user}"
    if not user and not broker.profile.admin.by_controllers:
        words = NAMELESS
    raise ApiError(ErrorCode.RESOURCE_NOT_FOUND, words)


def alter(broker: "Broker", changes: Sequence[Upsertion]) -> dict[str, ApiError | None]:
    """Set and delete credentials. Returns an error, or None, for each user. All changes of one user are made, or none.
    `changes` has deletions first. KRaft takes one change of each user in a request, ZooKeeper one of each credential.
    """
    cluster, outcomes = broker.cluster, dict[str, ApiError | None]()
    by_user: dict[str, list[Upsertion]] = {}
    for change in changes:
        by_user.setdefault(change.user, []).append(change)
    by_controller = broker.profile.admin.by_controllers
    for user, own in by_user.items():
        problems = _by_controller(broker, own) if by_controller else _by_broker(cluster, own)
        outcomes[user] = next((problem for problem in problems if problem is not None), None)
    made = [change for change in changes if outcomes[change.user] is None]
    if not by_controller and any(map(_unusable, made)):  # a broker prepares all of them for each user
        failure = ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, UNEXPECTED)
        return {user: outcome or failure for user, outcome in outcomes.items()}
    cluster.settings.change_scram(map(_change, made))
    return outcomes


def _by_controller(broker: "Broker", own: Sequence[Upsertion]) -> Iterator[ApiError | None]:
    """ScramControlManager: a user's second change is refused as a duplicate, if the first is valid."""
    for number, change in enumerate(own):
        yield ApiError(ErrorCode.DUPLICATE_RESOURCE, TWICE) if number else _alone(broker, change)


def _alone(broker: "Broker", change: Upsertion) -> ApiError | None:
    if broker.cluster.settings.features.get(METADATA_VERSION, 0) < FIRST_WITH_SCRAM:
        return ApiError(ErrorCode.UNSUPPORTED_VERSION, broker.profile.words.scram_unsupported)
    return _illegal(change) or _unusable(change) or _missing(broker.cluster, change)


def _by_broker(cluster: "Cluster", own: Sequence[Upsertion]) -> Iterator[ApiError | None]:
    """AdminManager, which names the last of a user's illegal changes."""
    mechanisms = [change.mechanism for change in own]
    yield from filter(None, map(_illegal, reversed(own)))
    if len(set(mechanisms)) < len(mechanisms):
        yield ApiError(ErrorCode.DUPLICATE_RESOURCE, TWICE)
    for change in own:
        yield _missing(cluster, change)


def _illegal(change: Upsertion) -> ApiError | None:
    if not change.user:
        return ApiError(ErrorCode.UNACCEPTABLE_CREDENTIAL, NAMELESS)
    if change.mechanism not in MECHANISMS:
        return ApiError(ErrorCode.UNSUPPORTED_SASL_MECHANISM, "Unknown SCRAM mechanism")
    if change.iterations is not None and change.iterations < FEWEST:
        return ApiError(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Too few iterations")
    if change.iterations is not None and change.iterations > MOST:
        return ApiError(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Too many iterations")
    return None


def _unusable(change: Upsertion) -> ApiError | None:
    """Whether Java cannot use the password: its HMAC takes no empty key."""
    if change.iterations is None or change.salted_password:
        return None
    return ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, None)


def _missing(cluster: "Cluster", change: Upsertion) -> ApiError | None:
    if change.iterations is not None or change.mechanism in cluster.settings.scram.get(change.user, {}):
        return None
    return ApiError(ErrorCode.RESOURCE_NOT_FOUND, "Attempt to delete a user credential that does not exist")


def _change(change: Upsertion) -> CredentialChange:
    if change.iterations is None:
        return CredentialChange(change.mechanism, change.user, None)
    from fakekafka.security.sasl.scram import NAMES, credential  # few tests have SCRAM users

    kept = credential(NAMES[change.mechanism], change.salted_password, change.salt, change.iterations)
    return CredentialChange(change.mechanism, change.user, kept)
