"""The group coordinator of one broker: what happens to it (GroupCoordinator, GroupCoordinatorService of 4.x).

A broker coordinates the groups whose partition of `__consumer_offsets` it leads. The state of a group is in that
partition and is read from there when the broker becomes its leader (`loading`); everything here is a cache of the log.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fakekafka.coordinators.groups.loading import lead
from fakekafka.coordinators.groups.offsets.commits import OffsetManager
from fakekafka.coordinators.groups.offsets.expiry import Expiry
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.coordinators.late_start import begin
from fakekafka.errors import ErrorCode
from fakekafka.ids import DurationMs, PartitionIndex, TopicName
from fakekafka.state.topics import COMMIT_LOG, CONSUMER_OFFSETS

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.coordinators.groups.offsets.atomic.commit_log import CommitLog
    from fakekafka.coordinators.share_partitions.states import ShareStates

TEN_MINUTES_MS: Final[DurationMs] = 600_000


class GroupCoordinator(GroupRegistry):
    """The groups of one broker."""

    def __init__(self, broker: "Broker", share_states: Callable[[], "ShareStates"]) -> None:
        super().__init__(broker, share_states)
        self.commit_log = self._own_log() if self.cluster.drafts.atomic_offset_log else None
        """Where offsets are written, if not into the offsets topic."""
        self.offset_manager = OffsetManager(self, self.commit_log)
        self.expiry = Expiry(self, self.offset_manager)
        self._checks_expiry = False

    def _own_log(self) -> "CommitLog":
        from fakekafka.coordinators.groups.offsets.atomic.commit_log import CommitLog  # only a draft needs it

        return CommitLog(self)

    @property
    def check_interval_ms(self) -> DurationMs:
        """How often expiry is checked."""
        if self.offset_rules.check_interval == "ten minutes":
            return TEN_MINUTES_MS
        return self.config.int("offsets.retention.check.interval.ms", TEN_MINUTES_MS)

    def refuses(self, instance_id: str | None) -> bool:
        """Whether the request is from a static member and the inter-broker protocol is too old for that."""
        return self.classic_groups.refuses(instance_id)

    def member_status(self, group_id: str) -> ErrorCode:
        """The error for requests of members about the group, as from `status`; a group id may not be ""."""
        return self.classic_groups.member_status(group_id)

    # ---- partitions come and go

    def on_leadership(self, index: PartitionIndex, leads: bool) -> None:
        """This or another broker leads a partition of the offsets topic from now on."""
        if leads:
            self._check_regularly()
            begin(self.broker, "offsets loaded", self.loading, index, lambda: lead(self, self.offset_manager, index))
        elif index in self.led and not self.outlives_topic:
            self.unload(index)

    def _check_regularly(self) -> None:
        if not self._checks_expiry:
            self._checks_expiry = True
            self.timers.while_busy(self.check_interval_ms, self.expiry.check)

    def on_commit_log(self, index: PartitionIndex, leads: bool) -> None:
        """This or another broker leads a partition of the "offset-commit-log" from now on."""
        if self.commit_log is not None:
            self.commit_log.on_leadership(index, leads)

    def clear(self) -> None:
        """Forget everything."""
        super().clear()
        self.offset_manager.clear()

    def on_topic_deleted(self, topic: TopicName) -> None:
        """Forget the offsets of a deleted topic or, if it is the offsets topic, everything."""
        if topic in (CONSUMER_OFFSETS, COMMIT_LOG):
            if not self.outlives_topic:
                self.clear()
        else:
            self.expiry.topic_deleted(topic)
