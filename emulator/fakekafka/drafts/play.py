"""Has a new cluster play drafts."""

from collections.abc import Sequence

from fakekafka.cluster.cluster import Cluster
from fakekafka.drafts.known import parse_drafts


def play(cluster: Cluster, asked: Sequence[str]) -> None:
    """Switch on what was asked for, before the cluster has any broker. Raises `UsageError`."""
    cluster.drafts = parse_drafts(asked)
    if cluster.drafts.plugin_id_at is not None:
        from fakekafka.drafts.kip_984.installation import Installation

        cluster.plugins = Installation(cluster, cluster.drafts.plugin_id_at)
