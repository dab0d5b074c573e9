"""Streams groups (KIP-1071): early access in 4.1, where they are off; served from 4.2 on."""

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class StreamsGroupsBehaviour(Behaviours):
    """The group coordinator's answers to members of streams groups (GroupMetadataManager)."""

    exist: bool = history({"0.8.0": False, "4.2": True})
    """Whether streams groups can be switched on. The early access of 4.1 is not played. Recorded from 4.2.1 and 4.3.1:
    streams_group."""

    first_epoch: int = history({"0.8.0": 0, "4.3": 1})
    """Epoch of a group that nobody has joined yet, and of its assignment; the first member makes it 2 in any case.
    Recorded from 4.2.1 and 4.3.1: streams_group_timers."""

    assignment_interval: bool = history({"0.8.0": False, "4.3": True})
    """Whether a new target assignment is made at most once per group.streams.assignment.interval.ms, and the time of
    the last one is stored. Recorded from 4.2.1 and 4.3.1: streams_group_timers."""

    configured_groups_inherit: bool = history({"0.8.0": False, "4.3": True})
    """Whether a group with configs of its own takes the rest from the broker's settings. If not, they have their
    defaults, until the next start even if the group's own configs are removed. Recorded from 4.2.1 and 4.3.1:
    streams_defaults."""
