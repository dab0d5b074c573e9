"""What a broker keeps for share groups (KIP-932), whoever coordinates them: made when a share group first needs it.

States are those of the partitions of `__share_group_state` that the broker leads, partitions those of topics that it
delivers from, sessions those of members that fetch from it.
"""

from typing import TYPE_CHECKING

from fakekafka.coordinators.share_partitions.partitions import SharePartitions
from fakekafka.coordinators.share_partitions.requests import end_connection
from fakekafka.coordinators.share_partitions.sessions import ShareSessions
from fakekafka.coordinators.share_partitions.states import ShareStates

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


class ShareHosting:
    """Of one broker."""

    def __init__(self, broker: "Broker") -> None:
        self._broker = broker
        self.states = ShareStates(broker)
        self.partitions = SharePartitions(broker)
        self.sessions = ShareSessions(
            broker.config.int("group.share.max.share.sessions", 0),
            keeps_renewed=broker.profile.share_groups.renewed_sessions_stay,
        )

    def end_connection(self, connection_id: int) -> None:
        """A connection is gone, and a session that it has opened ends."""
        if self.sessions.has_opened(connection_id):
            end_connection(self._broker, connection_id)

    def clear(self) -> None:
        """Forget everything."""
        self.states.clear()
        self.partitions.clear()
        self.sessions.clear()
