"""The share groups that a broker coordinates: whether they are enabled, how they are configured, how records change
them.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fakekafka.coordinators.groups.log import GroupLog
from fakekafka.coordinators.groups.runtime import ModernGroups, Plan
from fakekafka.coordinators.groups.share.group import ShareGroup
from fakekafka.coordinators.groups.share.records import TYPES, group_tombstones, replay_into, topics_record
from fakekafka.coordinators.share_partitions.state_records import SharePartitionKey
from fakekafka.wire.internal.share_group_records import ShareGroupMetadataKey

if TYPE_CHECKING:
    from fakekafka.coordinators.share_partitions.states import ShareStates

FEATURE: Final = "share.version"


class ShareGroups(ModernGroups[ShareGroup]):
    """The share groups of one broker."""

    KIND = "share"
    TYPES = TYPES
    REPLAY = staticmethod(replay_into)
    METADATA_KEY = ShareGroupMetadataKey
    COMMITS = False

    def __init__(self, log: GroupLog, is_taken: Callable[[str], bool], states: Callable[[], "ShareStates"]) -> None:
        """`states`: the states of the share partitions, created when first asked for."""
        self.rules = log.broker.profile.share_groups
        super().__init__(log, self.rules, is_taken)
        self._states = states

    @property
    def states(self) -> "ShareStates":
        """How far each share partition was delivered."""
        return self._states()

    @property
    def exists(self) -> bool:
        """Whether the release has groups of this kind, on or off."""
        return self.rules.exist

    @property
    def is_on(self) -> bool:
        """Whether share groups are served."""
        return self.rules.exist and self.cluster.settings.features.get(FEATURE, 0) > 0

    def group_config(self, group_id: str, name: str, default: str) -> str:
        """A config that only groups have, such as "auto.offset.reset"."""
        return self.cluster.settings.groups.get(group_id, {}).get(f"share.{name}", default)

    def find_or_new(self, group_id: str) -> ShareGroup:
        """The group, or a new one that is not stored yet. Raises `ApiError` 69 for a group of another kind."""
        return self.require(group_id) if self.is_taken(group_id) else self.new_group(group_id)

    # ---- records

    def new_group(self, group_id: str) -> ShareGroup:
        """A new group. It is not stored yet."""
        return ShareGroup(group_id, self.rules.first_epoch)

    def deletion(self, group: ShareGroup) -> Plan[ShareGroup]:
        """A plan that deletes a group."""
        plan = Plan(group)
        plan.add(*group_tombstones(group))
        return plan

    def delete(self, group: ShareGroup) -> None:
        """Delete an empty group, with its states. Raises `ApiError`."""
        topics = group.topics
        had = {**topics.initializing, **topics.initialized}
        if had or self.rules.delete_writes_topics:
            deleting = {**topics.deleting, **{topic: stated.name for topic, stated in had.items()}}
            plan = Plan(group)
            plan.add(topics_record(group.id, topics._replace(initializing={}, initialized={}, deleting=deleting)))
            self.commit(plan)
        for topic, stated in had.items():
            for partition in stated.partitions:
                self.states.delete(SharePartitionKey(group.id, topic, partition))
        self.commit(self.deletion(group))
