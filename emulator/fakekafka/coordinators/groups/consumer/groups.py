"""The consumer groups that a broker coordinates: whether they are enabled, how they are configured, how records change
them.

The plans are made in other modules: `heartbeat`, `membership`, `classic_protocol`, `patterns`.
"""

import base64
from collections.abc import Callable
from typing import Final, assert_never

from fakekafka.coordinators.groups.classic.groups import ClassicGroups
from fakekafka.coordinators.groups.consumer.assignors import RANGE, UNIFORM, Assignor
from fakekafka.coordinators.groups.consumer.assignors.ranges import by_range, by_sticky_range
from fakekafka.coordinators.groups.consumer.assignors.uniform import by_count, by_count_of_4_0
from fakekafka.coordinators.groups.consumer.early.records import EARLY_TYPES, replay_into
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, Member
from fakekafka.coordinators.groups.consumer.records import TYPES, group_tombstones
from fakekafka.coordinators.groups.runtime import ModernGroups, Plan
from fakekafka.coordinators.groups.subscriptions import TopicMetadata, subscribed_topics
from fakekafka.coordinators.groups.typed_records import RecordTypes
from fakekafka.ids import DurationMs, TopicName
from fakekafka.wire.internal.consumer_group_records import ConsumerGroupMetadataKey

FEATURE: Final = "group.version"
PROTOCOLS: Final = "group.coordinator.rebalance.protocols"
CLASSES: Final = {"UniformAssignor": UNIFORM, "RangeAssignor": RANGE}
"""Names of the assignors whose classes are configured."""


class ConsumerGroups(ModernGroups[ConsumerGroup]):
    """The consumer groups of one broker."""

    KIND = "consumer"
    TYPES: RecordTypes = TYPES
    REPLAY = staticmethod(replay_into)
    METADATA_KEY = ConsumerGroupMetadataKey

    def __init__(self, classic: ClassicGroups, is_taken: Callable[[str], bool]) -> None:
        self.rules = classic.broker.profile.consumer_groups
        if self.rules.is_early:
            self.TYPES = EARLY_TYPES
        super().__init__(classic.log, self.rules, is_taken)
        self.classic = classic
        """Groups of the other protocol, which may become consumer groups, and the other way round."""

    @property
    def exists(self) -> bool:
        """Whether the release has groups of this kind, on or off."""
        return self.log.rules.coordinator == "java"

    @property
    def is_on(self) -> bool:
        """Whether the protocol is served."""
        match self.rules.on_by:
            case "nothing":
                return False
            case "config":
                may_be_on = True
            case "feature":
                may_be_on = self.cluster.settings.features.get(FEATURE, 0) > 0
            case rule:
                assert_never(rule)
        return may_be_on and PROTOCOLS in self.config.table and "consumer" in self.config_list(PROTOCOLS)

    @property
    def may_upgrade(self) -> bool:
        """Whether a classic group may become a consumer group."""
        return self._migration_policy in ("bidirectional", "upgrade")

    @property
    def may_downgrade(self) -> bool:
        """Whether a consumer group may become a classic one."""
        return self._migration_policy in ("bidirectional", "downgrade")

    @property
    def _migration_policy(self) -> str:
        name = "group.consumer.migration.policy"
        return self.config.text(name).lower() if name in self.config.table else "disabled"

    @property
    def assignors(self) -> dict[str, Assignor]:
        """The server-side assignors by name; the first one is the default."""
        uniform = by_count if self.rules.extra_partitions == "who has them" else by_count_of_4_0
        ranges = by_range if self.rules.range_assignor == "ranges" else by_sticky_range
        known: dict[str, Assignor] = {UNIFORM: uniform, RANGE: ranges}
        names = [name.rpartition(".")[2] for name in self.config_list("group.consumer.assignors")]
        configured = [CLASSES.get(name, name) for name in names]
        return {name: known[name] for name in configured if name in known}

    def session_timeout_ms(self, group: ConsumerGroup, member: Member) -> DurationMs:
        """How long a member may be silent."""
        if member.classic is not None:
            return member.classic.session_timeout_ms
        return self.setting(group.id, "session.timeout.ms")

    def new_member_id(self) -> str:
        """An id for a member, as 22 characters of base64."""
        while True:
            text = base64.urlsafe_b64encode(self.cluster.random.randbytes(16)).decode().rstrip("=")
            if not text.startswith("-"):
                return text

    def topics_of(self, group: ConsumerGroup, member: Member) -> dict[TopicName, TopicMetadata]:
        """The existing topics that a member subscribes to."""
        return subscribed_topics(self.cluster, group.topics_of(member))

    # ---- records

    def new_group(self, group_id: str) -> ConsumerGroup:
        """A new group. It is not stored yet."""
        return ConsumerGroup(
            group_id,
            self.rules.first_epoch,
            old_epochs_may_commit=self.rules.assignment_epochs,
            old_versions_may_commit=self.rules.commits_of_old_versions == "of this epoch",
        )

    def deletion(self, group: ConsumerGroup) -> Plan[ConsumerGroup]:
        """A plan that deletes a group."""
        plan = Plan(group)
        plan.add(*group_tombstones(group, {}))
        return plan
