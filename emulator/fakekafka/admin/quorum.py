"""The KRaft quorum: every node votes, and the voters never change (KIP-853).

A cluster whose kraft.version is still 0 refuses to change them; one that was upgraded tries, and cannot reach the
voter.
Asked of 3.9.1 and 4.0.0 with level 0, of 4.1.1 to 4.3.1 with level 1.
"""

from typing import TYPE_CHECKING

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import BrokerId

if TYPE_CHECKING:
    from fakekafka.cluster.cluster import Cluster


def refused_voter(cluster: "Cluster", cluster_id: str | None, voter: BrokerId) -> ApiError:
    """Why a voter is not added: 104 for another cluster's, 35 with fixed voters, 126 if it votes already, otherwise
    7.
    """
    refused = _other_cluster(cluster, cluster_id) or _fixed(cluster, "adding")
    if refused is None and voter in cluster.brokers:
        return ApiError(ErrorCode.DUPLICATE_VOTER, f"The voter id for {voter} is already part of the set of voters")
    # The gap in the message is the controller's own.
    words = "Aborted add voter operation for since API_VERSIONS returned an error BROKER_NOT_AVAILABLE"
    return refused or ApiError(ErrorCode.REQUEST_TIMED_OUT, words)


def refused_removal(cluster: "Cluster", cluster_id: str | None, voter: BrokerId) -> ApiError:
    """Why a voter is not removed: 104 for another cluster's, 35 with fixed voters, otherwise 127."""
    refused = _other_cluster(cluster, cluster_id) or _fixed(cluster, "removing")
    words = f"Cannot remove voter {voter} from the set of voters {sorted(cluster.brokers)}"
    return refused or ApiError(ErrorCode.VOTER_NOT_FOUND, words)


def _other_cluster(cluster: "Cluster", cluster_id: str | None) -> ApiError | None:
    if cluster_id in (None, cluster.id):
        return None
    words = f'The given id "{cluster_id}" doesn\'t match the cluster id "{cluster.id}"'
    return ApiError(ErrorCode.INCONSISTENT_CLUSTER_ID, words)


def _fixed(cluster: "Cluster", change: str) -> ApiError | None:
    if cluster.settings.features.get("kraft.version", 0) > 0:
        return None
    words = f"Cluster doesn't support {change} voter because the kraft.version feature is 0"
    return ApiError(ErrorCode.UNSUPPORTED_VERSION, words)
