"""What a broker keeps for share groups (KIP-932), whichever broker coordinates them: created when a share group first
needs it. It has the states in the partitions of `__share_group_state` that the broker leads, the share partitions that
it delivers from, and the sessions of members that fetch from it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from fakekafka.coordinators.share_partitions.partitions import ShareGroupConfigs, SharePartitions, find
from fakekafka.coordinators.share_partitions.sessions import ShareSession, ShareSessions
from fakekafka.coordinators.share_partitions.state_records import SharePartitionKey
from fakekafka.coordinators.share_partitions.states import ShareStates
from fakekafka.storage.partition import Partition

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


class ShareHosting:
    """The states, partitions and sessions of one broker. `states_of`: the states of another broker of the cluster."""

    def __init__(
        self, broker: "Broker", configs: ShareGroupConfigs, states_of: Callable[["Broker"], ShareStates]
    ) -> None:
        self.broker = broker
        self.configs = configs
        self.states = ShareStates(broker, states_of)
        self.partitions = SharePartitions(broker, self.states, configs)
        self.sessions = ShareSessions(
            broker.config.int("group.share.max.share.sessions", 0),
            keeps_renewed=broker.profile.share_groups.renewed_sessions_stay,
        )

    def end_session(self, group_id: str, member_id: str) -> None:
        """End a member's session: what it still has becomes available again. Raises `ApiError` if there is none."""
        self._release(self.sessions.close(group_id, member_id))

    def end_connection(self, connection_id: int) -> None:
        """A connection has ended, and with it the session that it opened. When the last member of a group is gone, its
        share partitions are forgotten, and read again when they are needed.
        """
        ended = self.sessions.disconnected(connection_id)
        if ended is not None and ended.session is not None:
            self._release(ended.session)
        if ended is not None and ended.is_last:
            self.partitions.forget_group(ended.group_id)

    def _release(self, session: ShareSession) -> None:
        for tp in session.tps:
            partition = find(self.broker, tp)
            if isinstance(partition, Partition):
                key = SharePartitionKey(session.group_id, *tp)
                self.partitions.release(key, partition, session.member_id)

    def clear(self) -> None:
        """Forget everything."""
        self.states.clear()
        self.partitions.clear()
        self.sessions.clear()
