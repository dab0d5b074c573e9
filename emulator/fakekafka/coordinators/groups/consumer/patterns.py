"""Subscriptions by regular expression: brokers resolve them in the background, all of a group at once
(GroupMetadataManager.maybeUpdateRegularExpressions).

A new pattern is checked at once and resolved when the request is over; its matches then make the group epoch grow. All
are resolved again when there are new topics, but at most every ten seconds, and after
group.consumer.regex.refresh.interval.ms.
"""

from collections.abc import Iterable
from contextlib import suppress
from enum import Enum
from typing import Final

from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, Member, ResolvedRegex
from fakekafka.coordinators.groups.consumer.groups import ConsumerGroups
from fakekafka.coordinators.groups.consumer.records import (
    epoch_record,
    metadata_record,
    regex_record,
    regex_tombstone,
)
from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.coordinators.groups.subscriptions import metadata_hash, subscribed_topics
from fakekafka.coordinators.groups.typed_records import TypedRecord
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs, TopicName
from fakekafka.jvm.re2 import BadPattern, Library, PatternTooLarge, compiled

LEAST_INTERVAL_MS: Final[DurationMs] = 10_000
REFRESH: Final = "group.consumer.regex.refresh.interval.ms"


class Pattern(Enum):
    """What happened to a member's pattern."""

    SAME = "the same"
    CHANGED = "another one"
    RESOLVED = "another one, and what it matches is known"


def check(pattern: str, library: Library) -> None:
    """Refuse an invalid pattern with `ApiError` 128, and a very large one with -1, as a broker that runs out of
    stack.
    """
    try:
        compiled(pattern, library)
    except BadPattern as wrong:
        words = f"SubscribedTopicRegex `{pattern}` is not a valid regular expression: {wrong}."
        raise ApiError(ErrorCode.INVALID_REGULAR_EXPRESSION, words) from None
    except PatternTooLarge:
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR) from None


def matching_topics(groups: ConsumerGroups, regex: str) -> frozenset[TopicName]:
    """The current topics that a pattern matches."""
    pattern = compiled(regex, groups.rules.regex_library)
    return frozenset(name for name in groups.cluster.topics if pattern.fullmatch(name))


class PatternChange:
    """What a member's request means for the patterns of its group. It changes nothing yet."""

    def __init__(self, groups: ConsumerGroups, group: ConsumerGroup, old: Member, new: Member) -> None:
        """Raises `ApiError` 128 if the member has a new pattern that is invalid."""
        self._groups = groups
        self._group = group
        self.outcome = Pattern.SAME
        self.tombstones: list[TypedRecord] = []
        """For the pattern that no longer has subscribers."""
        is_new = False
        if new.regex != old.regex:
            self.outcome = Pattern.CHANGED
            if old.regex and group.subscribers(old.regex) == 1:
                self.tombstones.append(regex_tombstone(group.id, old.regex))
            if new.regex and group.subscribers(new.regex) == 0:
                check(new.regex, groups.rules.regex_library)
                is_new = True
            elif new.regex in group.regexes or (not new.regex and groups.rules.dropped_pattern_rebalances):
                self.outcome = Pattern.RESOLVED
        patterns = {member.regex for member in group.with_member(new).values() if member.regex}
        self.is_due = bool(patterns) and self._is_due(patterns, is_new)
        """Whether the group's patterns are to be resolved once the request is over."""

    def _is_due(self, patterns: set[str], is_new: bool) -> bool:
        regexes, config, now = self._group.regexes, self._groups.config, self._groups.now
        last = max((resolved.at for resolved in regexes.values()), default=None)
        if last is not None and now <= last + LEAST_INTERVAL_MS:
            return False
        if is_new or last is None or patterns != regexes.keys():
            return True
        refresh = config.int(REFRESH) if REFRESH in config.table else None
        matches_others = any(matching_topics(self._groups, regex) != known.topics for regex, known in regexes.items())
        return matches_others or (refresh is not None and now > last + refresh)


def resolve(groups: ConsumerGroups, group: ConsumerGroup) -> None:
    """Resolve all patterns of a group; a different match makes its epoch grow. If that cannot be written, the patterns
    stay unchanged.
    """
    plan = Plan(group)
    names = {name for member in group.members.values() for name in member.topics}
    grows, offset = False, groups.cluster.settings.metadata_offset
    for regex in sorted({member.regex for member in group.members.values() if member.regex}):
        resolved = ResolvedRegex(matching_topics(groups, regex), offset, groups.now)
        known = group.regexes.get(regex)
        grows |= resolved.topics != (frozenset() if known is None else known.topics)
        names |= resolved.topics
        plan.add(regex_record(group.id, regex, resolved))
    note_topics(groups, plan, names, grows=grows)
    with suppress(ApiError):  # there is no request to answer
        groups.commit(plan, soon=True)


def note_topics(groups: ConsumerGroups, plan: Plan[ConsumerGroup], names: Iterable[TopicName], *, grows: bool) -> int:
    """Check the topics that a group subscribes to. Returns its epoch, which grows if they have changed, or if
    `grows` says so.
    """
    group, topics, digest = plan.group, subscribed_topics(groups.cluster, names), 0
    if groups.rules.topics_kept == "hash":
        digest = metadata_hash(topics.values())
        grows = grows or digest != group.metadata_hash
    elif topics != group.metadata:
        grows = True
        plan.add(metadata_record(group.id, topics))
    if grows:
        plan.add(epoch_record(group.id, group.epoch + 1, digest))
    return group.epoch + grows
