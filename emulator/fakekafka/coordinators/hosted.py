"""The coordinators of one broker, each created when it is first asked for.

Most tests have no group and no transaction: importing their modules would double the time to the first record.
"""

from typing import TYPE_CHECKING

from fakekafka.cluster.broker import Broker
from fakekafka.ids import PartitionIndex, ProducerId, TopicName
from fakekafka.releases.profile import Profile
from fakekafka.state.configs import BrokerConfig
from fakekafka.state.topics import COMMIT_LOG, CONSUMER_OFFSETS, TRANSACTION_STATE

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator
    from fakekafka.coordinators.share_partitions.hosting import ShareHosting
    from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator


class HostedCoordinators:
    """The coordinators on `broker`. It is the `Coordinators` of `cluster.broker`."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._groups: GroupCoordinator | None = None
        self._share: ShareHosting | None = None
        self._transactions: TransactionCoordinator | None = None

    @property
    def groups(self) -> "GroupCoordinator":
        """The groups that the broker coordinates."""
        if self._groups is None:
            from fakekafka.coordinators.groups.coordinator import GroupCoordinator

            self._groups = GroupCoordinator(self._broker, lambda: self.share.states)
        return self._groups

    @property
    def share(self) -> "ShareHosting":
        """What the broker keeps for share groups."""
        if self._share is None:
            from fakekafka.coordinators.share_partitions.hosting import ShareHosting

            configs = self.groups.share_groups
            self._share = ShareHosting(self._broker, configs, lambda other: coordinators_of(other).share.states)
        return self._share

    @property
    def transactions(self) -> "TransactionCoordinator":
        """The transactional ids that the broker coordinates."""
        if self._transactions is None:
            from fakekafka.coordinators.transactions.coordinator import TransactionCoordinator

            self._transactions = TransactionCoordinator(self._broker)
        return self._transactions

    # ---- what the broker tells them

    def on_leadership(self, topic: TopicName, index: PartitionIndex, *, leads: bool) -> None:
        """The broker has begun or ceased to lead a partition."""
        if topic == CONSUMER_OFFSETS:
            self.groups.on_leadership(index, leads=leads)
        elif topic == COMMIT_LOG:
            self.groups.on_commit_log(index, leads=leads)
        elif topic == TRANSACTION_STATE:
            self.transactions.on_leadership(index, leads=leads)

    def on_marker(self, topic: TopicName, index: PartitionIndex, producer_id: ProducerId, *, commit: bool) -> None:
        """The end of a producer's transaction was written into a partition that the broker leads."""
        if topic == CONSUMER_OFFSETS:
            self.groups.offset_manager.complete_transaction(index, producer_id, commit)

    def on_topic_deleted(self, topic: TopicName) -> None:
        """A topic is deleted."""
        if self._groups is not None:
            self._groups.on_topic_deleted(topic)
        if self._transactions is not None:
            self._transactions.on_topic_deleted(topic)

    def end_connection(self, connection_id: int) -> None:
        """A client's connection has ended."""
        if self._share is not None:
            self._share.end_connection(connection_id)

    def clear(self) -> None:
        """Forget everything."""
        if self._groups is not None:
            self._groups.clear()
        if self._share is not None:
            self._share.clear()
        if self._transactions is not None:
            self._transactions.clear()


def coordinators_of(broker: Broker) -> HostedCoordinators:
    """The coordinators of a broker, by their own types: `cluster` knows them only as listeners."""
    coordinators = broker.coordinators
    assert isinstance(coordinators, HostedCoordinators)
    return coordinators


def with_own_coordinator(profile: Profile, config: BrokerConfig) -> Profile:
    """The profile, with the behaviour of the group coordinator that the broker has: 3.7 to 3.9 leave the choice."""
    if not profile.groups.coordinator_may_be_java or profile.groups.coordinator == "java":
        return profile
    from fakekafka.state.group_coordinator_choice import with_chosen_coordinator

    return with_chosen_coordinator(profile, config)
