"""SCRAM credentials by request (KIP-554): checked and kept. Nobody logs in with them here."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.broker.administration.api_error import ApiError
from fakekafka.broker.cluster_settings import ScramCredential
from fakekafka.errors import ErrorCode

if TYPE_CHECKING:
    from fakekafka.broker.cluster import Cluster

MECHANISMS: Final = (1, 2)
"""SCRAM-SHA-256 and SCRAM-SHA-512."""
FEWEST, MOST = 4096, 16384


class Upsertion(NamedTuple):
    """A credential to set; `iterations` None: to delete."""

    user: str
    mechanism: int
    iterations: int | None


def describe(cluster: "Cluster", user: str) -> list[ScramCredential]:
    """A user's credentials. Raises `ApiError` 91 for a user without any."""
    found = cluster.settings.scram.get(user)
    if not found:
        words = f"Attempt to describe a user credential that does not exist: {user}"
        raise ApiError(ErrorCode.RESOURCE_NOT_FOUND, words)
    return list(found.values())


def alter(cluster: "Cluster", changes: Sequence[Upsertion]) -> dict[str, ApiError | None]:
    """Set and delete credentials; why that of a user cannot be done. All changes of one user are done, or none."""
    outcomes: dict[str, ApiError | None] = {}
    for user in dict.fromkeys(change.user for change in changes):
        own = [change for change in changes if change.user == user]
        outcomes[user] = next((error for change in own if (error := _problem(cluster, change, own))), None)
        if outcomes[user] is None:
            for change in own:
                _apply(cluster, change)
    return outcomes


def _problem(cluster: "Cluster", change: Upsertion, own: Sequence[Upsertion]) -> ApiError | None:
    if not change.user:
        return ApiError(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Username must not be empty")
    if change.mechanism not in MECHANISMS:
        return ApiError(ErrorCode.UNSUPPORTED_SASL_MECHANISM, "Unknown SCRAM mechanism")
    if change.iterations is not None and change.iterations < FEWEST:
        return ApiError(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Too few iterations")
    if change.iterations is not None and change.iterations > MOST:
        return ApiError(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Too many iterations")
    if [other.mechanism for other in own].count(change.mechanism) > 1:
        words = "A user credential cannot be altered twice in the same request"
        return ApiError(ErrorCode.DUPLICATE_RESOURCE, words)
    if change.iterations is None and change.mechanism not in cluster.settings.scram.get(change.user, {}):
        return ApiError(ErrorCode.RESOURCE_NOT_FOUND, "Attempt to delete a user credential that does not exist")
    return None


def _apply(cluster: "Cluster", change: Upsertion) -> None:
    stored = cluster.settings.scram.setdefault(change.user, {})
    if change.iterations is None:
        del stored[change.mechanism]
    else:
        stored[change.mechanism] = ScramCredential(change.mechanism, change.iterations)
    if not stored:
        del cluster.settings.scram[change.user]
