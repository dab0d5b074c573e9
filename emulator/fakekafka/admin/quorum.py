"""The KRaft quorum: every node votes, and the voters never change (KIP-853).

A quorum of level 0 refuses to change its voters; one that follows kraft.version tries, and cannot reach the voter. The
messages are those of the leader of the quorum (AddVoterHandler, RemoveVoterHandler).
"""

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import ZERO_UUID, BrokerId, Uuid

if TYPE_CHECKING:
    from fakekafka.cluster.cluster import Cluster


class Voter(NamedTuple):
    """A voter and the directory of its metadata log. As text: as Kafka prints a ReplicaKey."""

    node_id: BrokerId
    directory_id: Uuid

    def __str__(self) -> str:
        shown = urlsafe_b64encode(self.directory_id).decode().rstrip("=")
        return f"ReplicaKey(id={self.node_id}, directoryId={shown})"


def voters(cluster: "Cluster") -> list[Voter]:
    """The voters, whether they run or not. A quorum of level 0 does not know their directories."""
    knows = cluster.settings.quorum_level > 0
    return [Voter(b.node_id, b.logs.metadata_directory_id if knows else ZERO_UUID) for b in cluster.nodes.values()]


def refused_voter(cluster: "Cluster", cluster_id: str | None, voter: Voter) -> ApiError:
    """Why a voter is not added: 104 for another cluster's, 35 with fixed voters, 126 if it votes already, otherwise
    7.
    """
    refused = _other_cluster(cluster, cluster_id) or _fixed(cluster, "adding")
    if refused is None and voter.node_id in cluster.nodes:
        words = f"The voter id for {voter} is already part of the set of voters {_shown(cluster)}."
        return ApiError(ErrorCode.DUPLICATE_VOTER, words)
    # The gap in the message is the controller's own.
    words = "Aborted add voter operation for since API_VERSIONS returned an error BROKER_NOT_AVAILABLE"
    return refused or ApiError(ErrorCode.REQUEST_TIMED_OUT, words)


def refused_removal(cluster: "Cluster", cluster_id: str | None, voter: Voter) -> ApiError:
    """Why a voter is not removed: 104 for another cluster's, 35 with fixed voters, otherwise 127."""
    refused = _other_cluster(cluster, cluster_id) or _fixed(cluster, "removing")
    words = f"Cannot remove voter {voter} from the set of voters {_shown(cluster)}"
    return refused or ApiError(ErrorCode.VOTER_NOT_FOUND, words)


def _shown(cluster: "Cluster") -> str:
    return f"[{', '.join(map(str, voters(cluster)))}]"


def _other_cluster(cluster: "Cluster", cluster_id: str | None) -> ApiError | None:
    if cluster_id in (None, cluster.id):
        return None
    words = f'The given id "{cluster_id}" doesn\'t match the cluster id "{cluster.id}"'
    return ApiError(ErrorCode.INCONSISTENT_CLUSTER_ID, words)


def _fixed(cluster: "Cluster", change: str) -> ApiError | None:
    if cluster.settings.quorum_level > 0:
        return None
    words = f"Cluster doesn't support {change} voter because the kraft.version feature is 0"
    return ApiError(ErrorCode.UNSUPPORTED_VERSION, words)
