"""All groups of a broker, of every kind, and their offsets. The ids of all kinds are one namespace; their records are
all in `__consumer_offsets`.

Few tests have groups that are not classic: the modules of a kind are imported when it is first asked for.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from fakekafka.coordinators.groups.classic.groups import ClassicGroups
from fakekafka.coordinators.groups.log import GroupLog
from fakekafka.coordinators.groups.modern_group import ModernGroup
from fakekafka.coordinators.groups.offsets.pending import PendingOffsets
from fakekafka.coordinators.groups.offsets.store import OffsetStore
from fakekafka.coordinators.groups.runtime import ModernGroups
from fakekafka.ids import PartitionIndex

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
    from fakekafka.coordinators.groups.consumer.groups import ConsumerGroups
    from fakekafka.coordinators.groups.share.groups import ShareGroups
    from fakekafka.coordinators.groups.streams.group import StreamsGroup
    from fakekafka.coordinators.groups.streams.groups import StreamsGroups
    from fakekafka.coordinators.share_partitions.states import ShareStates


class GroupRegistry(GroupLog):
    """What one broker knows about groups: a cache of the log."""

    def __init__(self, broker: "Broker", share_states: Callable[[], "ShareStates"]) -> None:
        """`share_states`: how far the broker's share groups have read, created when first asked for."""
        super().__init__(broker)
        self.offsets = OffsetStore()
        self.pending = PendingOffsets(keeps_decided=self.cluster.drafts.atomic_offset_log)
        self.classic_groups = ClassicGroups(self, self.offsets, self.is_modern)
        self._consumer: ConsumerGroups | None = None
        self._share: ShareGroups | None = None
        self._streams: StreamsGroups | None = None
        self._share_states = share_states
        self.modern: tuple[ModernGroups[Any], ...] = ()
        """The kinds, other than classic, that were asked for: no other has groups."""

    @property
    def consumer_groups(self) -> "ConsumerGroups":
        """Groups of the consumer protocol (KIP-848)."""
        if self._consumer is None:
            from fakekafka.coordinators.groups.consumer.groups import ConsumerGroups

            self._consumer = ConsumerGroups(self.classic_groups, self.knows)
            self._add(self._consumer)
        return self._consumer

    @property
    def share_groups(self) -> "ShareGroups":
        """Share groups (KIP-932)."""
        if self._share is None:
            from fakekafka.coordinators.groups.share.groups import ShareGroups

            self._share = ShareGroups(self, self.knows, self._share_states)
            self._add(self._share)
        return self._share

    @property
    def streams_groups(self) -> "StreamsGroups":
        """Streams groups (KIP-1071)."""
        if self._streams is None:
            from fakekafka.coordinators.groups.streams.groups import StreamsGroups

            self._streams = StreamsGroups(self.classic_groups, self.knows)
            self._add(self._streams)
        return self._streams

    def _add(self, kind: ModernGroups[Any]) -> None:
        """The order of the kinds is the same, whichever was asked for first."""
        self.modern = tuple(sorted((*self.modern, kind), key=lambda known: known.KIND))

    def every_modern(self) -> tuple[ModernGroups[Any], ...]:
        """All kinds other than classic."""
        return self.consumer_groups, self.share_groups, self.streams_groups

    def consumer_group(self, group_id: str) -> "ConsumerGroup | None":
        """The group with this id, if there is one of the consumer protocol."""
        return None if self._consumer is None else self._consumer.groups.get(group_id)

    def streams_group(self, group_id: str) -> "StreamsGroup | None":
        """The streams group with this id, if there is one."""
        return None if self._streams is None else self._streams.groups.get(group_id)

    def has_share_group(self, group_id: str) -> bool:
        """Whether there is a share group with this id."""
        return self._share is not None and group_id in self._share.groups

    def modern_group(self, group_id: str) -> ModernGroup[Any, Any] | None:
        """The group with this id, if there is one that is not classic."""
        groups: Iterator[ModernGroup[Any, Any]] = (
            kind.groups[group_id] for kind in self.modern if group_id in kind.groups
        )
        return next(groups, None)

    def is_modern(self, group_id: str) -> bool:
        """Whether there is a group with this id that is not classic."""
        return any(group_id in kind.groups for kind in self.modern)

    def knows(self, group_id: str) -> bool:
        """Whether there is a group of any kind with this id."""
        return self.is_modern(group_id) or self.classic_groups.find(group_id) is not None

    def may_have_offsets(self) -> list[str]:
        """The ids of all groups that commit, and of all that have offsets."""
        committing = [kind.groups for kind in self.modern if kind.COMMITS]
        kinds = (self.classic_groups.groups, *committing, self.offsets.groups())
        return list(dict.fromkeys(group_id for kind in kinds for group_id in kind))

    # ---- forgotten in memory only

    def unload(self, index: PartitionIndex) -> None:
        """Forget the groups of a partition that the broker no longer leads; waiting members are redirected."""
        self.led.discard(index)
        self.loading.discard(index)
        self.ends.pop(index, None)
        self.lingering.take(index)
        self.classic_groups.drop_partition(index)
        for kind in self.modern:
            kind.drop_partition(index)
        for group_id in [g for g in self.offsets.groups() if self.partition_of(g) == index]:
            self.offsets.remove_group(group_id)
            self.left(group_id)
        self.pending.remove_groups({g for g in self.pending.groups() if self.partition_of(g) == index})

    def clear(self) -> None:
        """Forget everything."""
        self.classic_groups.clear()
        self.lingering.clear()
        for kind in self.modern:
            kind.clear()
        self.offsets.clear()
        self.arrivals.maps.clear()
        self.pending.clear()
        self.led.clear()
        self.loading.clear()
        self.ends.clear()
