"""Subscriptions by regular expression: brokers resolve them beside their other work, all of a group at once
(GroupMetadataManager.maybeUpdateRegularExpressions).

A new pattern is checked at once and resolved when the request is over; what it matches makes the group epoch grow then.
All are resolved again when there are new topics, but not within ten seconds; and after
group.consumer.regex.refresh.interval.ms.
"""

from enum import Enum
from typing import TYPE_CHECKING, Final

from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, ResolvedRegex
from fakekafka.coordinators.groups.consumer.member import Member
from fakekafka.coordinators.groups.consumer.records import (
    CoordinatorRecord,
    epoch_record,
    metadata_record,
    regex_record,
    regex_tombstone,
)
from fakekafka.coordinators.groups.consumer.subscriptions import metadata_hash, subscribed_topics
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs
from fakekafka.jvm.re2 import BadPattern, Library, PatternTooLarge, compiled
from fakekafka.state.cluster_settings import METADATA_OFFSET

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.consumer.coordinator import ConsumerGroups

LEAST_INTERVAL_MS: Final[DurationMs] = 10_000
REFRESH: Final = "group.consumer.regex.refresh.interval.ms"


class Pattern(Enum):
    """What became of a member's pattern."""

    SAME = "the same"
    CHANGED = "another one"
    RESOLVED = "another one, and what it matches is known"


def check(pattern: str, library: Library) -> None:
    """Refuse an invalid pattern with `ApiError` 128, and a very large one with -1, as a broker that is out of stack."""
    try:
        compiled(pattern, library)
    except BadPattern as wrong:
        words = f"SubscribedTopicRegex `{pattern}` is not a valid regular expression: {wrong}."
        raise ApiError(ErrorCode.INVALID_REGULAR_EXPRESSION, words) from None
    except PatternTooLarge:
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR) from None


def changed_pattern(
    on: "ConsumerGroups", group: ConsumerGroup, old: Member, new: Member, records: list[CoordinatorRecord]
) -> Pattern:
    """A member may have another pattern: see to it that it is resolved. Raises `ApiError` 128."""
    outcome, is_new = Pattern.SAME, False
    if new.regex != old.regex:
        outcome = Pattern.CHANGED
        if old.regex and group.subscribers(old.regex) == 1:
            records.append(regex_tombstone(group.id, old.regex))
        if new.regex and group.subscribers(new.regex) == 0:
            check(new.regex, on.rules.regex_library)
            is_new = True
        elif new.regex in group.regexes or (not new.regex and on.rules.dropped_pattern_rebalances):
            outcome = Pattern.RESOLVED
    patterns = {member.regex for member in group.with_member(new).values() if member.regex}
    group.resolves = bool(patterns) and _is_due(on, group, patterns, is_new)
    return outcome


def _is_due(on: "ConsumerGroups", group: ConsumerGroup, patterns: set[str], is_new: bool) -> bool:
    """Are patterns to be resolved now?"""
    last = max((resolved.at for resolved in group.regexes.values()), default=None)
    if last is not None and on.now <= last + LEAST_INTERVAL_MS:
        return False
    if is_new or last is None or patterns != group.regexes.keys():
        return True
    refresh = on.config.int(REFRESH) if REFRESH in on.config.table else None
    return _matches(on, group) or (refresh is not None and on.now > last + refresh)


def _matches(on: "ConsumerGroups", group: ConsumerGroup) -> bool:
    """Would a pattern match something else by now?"""
    return any(_topics(on, regex) != resolved.topics for regex, resolved in group.regexes.items())


def _topics(on: "ConsumerGroups", regex: str) -> frozenset[str]:
    pattern = compiled(regex, on.rules.regex_library)
    return frozenset(name for name in on.cluster.topics if pattern.fullmatch(name))


def resolve(on: "ConsumerGroups", group: ConsumerGroup) -> None:
    """Resolve all patterns of a group if that is due; another match makes its epoch grow."""
    if not group.resolves:
        return
    group.resolves = False
    records: list[CoordinatorRecord] = []
    names = {name for member in group.members.values() for name in member.topics}
    grows = False
    for regex in sorted({member.regex for member in group.members.values() if member.regex}):
        resolved = ResolvedRegex(_topics(on, regex), METADATA_OFFSET, on.now)
        known = group.regexes.get(regex)
        grows |= resolved.topics != (frozenset() if known is None else known.topics)
        names |= resolved.topics
        records.append(regex_record(group.id, regex, resolved))
    _note_change(on, group, grows, names, records)
    on.write_soon(group.id, records)


def _note_change(
    on: "ConsumerGroups", group: ConsumerGroup, grows: bool, names: set[str], records: list[CoordinatorRecord]
) -> None:
    topics = subscribed_topics(on.cluster, names)
    if on.rules.topics_kept == "metadata":
        if topics != group.metadata:
            grows = True
            records.append(metadata_record(group.id, topics))
        digest = 0
    else:
        digest = metadata_hash(topics.values())
        grows = grows or digest != group.metadata_hash
    if grows:
        records.append(epoch_record(group.id, group.epoch + 1, digest))
