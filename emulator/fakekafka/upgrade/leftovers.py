"""What a rollback leaves behind: data that has already been written and does not change back with the settings.

    units of a newer format      old clients get them unchanged, or the old release fails on them
                                 (FORMAT-LOWERED)
    commits in newer layouts     an old release that meets one when it loads a group forgets commits, without an error
                                 (OFFSET-VALUE-DOWNGRADE)
    levels of features           an old release does not start

This module changes nothing. Recorded: phases, format_lowered.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, assert_never

from fakekafka.cluster.cluster import Cluster
from fakekafka.ids import Magic, Offset, PartitionIndex, TopicName
from fakekafka.records.batch import Batch
from fakekafka.releases.behaviours.offsets import OffsetsBehaviour
from fakekafka.releases.features import METADATA_VERSION, refused_level
from fakekafka.releases.message_formats import FIRST_FETCH_OF_FORMAT, format_of
from fakekafka.releases.phases import Phase
from fakekafka.releases.profile import profile
from fakekafka.state.topics import CONSUMER_OFFSETS
from fakekafka.storage.partition import Partition

OFFSET_KEYS: Final = (0, 1)
"""Key versions of committed offsets; 2 is the version of groups."""
GROUP_KEY: Final = 2


class Leftover(NamedTuple):
    """One thing that is left behind. Prints as one line."""

    what: str
    """The data that stays."""
    consequence: str
    """What it means for the old release, or for clients."""
    topic: TopicName = ""
    """The topic of a partition; "" for leftovers that belong to no partition."""
    partition: PartitionIndex = 0
    """The partition's number."""
    first_offset: Offset = 0
    """The offset of the first unit or value that is left behind."""
    how_many: int = 0
    """How many units or values there are."""

    def __str__(self) -> str:
        where = f"{self.topic}-{self.partition} from offset {self.first_offset} on: " if self.topic else ""
        return f"{where}{self.what}: {self.consequence}"


def leftovers(cluster: Cluster, back_to: Phase) -> list[Leftover]:
    """What is left behind if the cluster becomes `back_to`, by partition."""
    left = list(_levels(cluster, back_to))
    for topic in cluster.topics.values():
        for state in topic.partitions:
            leader = cluster.brokers.get(state.leader)
            partition = None if leader is None else leader.partition(topic.name, state.index)
            if partition is not None:
                left += _newer_units(partition, back_to)
            if partition is not None and topic.name == CONSUMER_OFFSETS:
                left += _newer_values(partition, back_to)
    return left


def _levels(cluster: Cluster, back_to: Phase) -> Iterator[Leftover]:
    level = cluster.settings.features.get(METADATA_VERSION, 0)
    problem = refused_level(back_to.release, level) if back_to.has_quorum and level else None
    if problem is not None:
        yield Leftover(f"{METADATA_VERSION} {level}", f"{back_to.release} does not start: {problem}")


# ---- formats


def _newer_units(partition: Partition, back_to: Phase) -> Iterator[Leftover]:
    """Units of formats that the phase does not write, one entry for each format."""
    firsts: dict[Magic, Offset] = {}
    counts: dict[Magic, int] = {}
    for batch in _batches(partition):
        if batch.magic > back_to.magic:
            firsts.setdefault(batch.magic, batch.last_offset if batch.magic < 2 else batch.base_offset)
            counts[batch.magic] = counts.get(batch.magic, 0) + 1
    for magic, first in sorted(firsts.items()):
        consequence = _of_units(partition, magic, back_to)
        units = "unit" if counts[magic] == 1 else "units"
        name, index = partition.topic.name, partition.index
        yield Leftover(f"{counts[magic]} {units} of format {magic}", consequence, name, index, first, counts[magic])


def _of_units(partition: Partition, magic: Magic, back_to: Phase) -> str:
    rules = profile(back_to.release, back_to.mode)
    known = format_of(back_to.release.line)
    if partition.topic.name == CONSUMER_OFFSETS and magic > rules.offsets.newest_magic:
        return _of_loading(rules.offsets, back_to)
    if known is not None and magic > known:
        return f"{back_to.release} does not know this format"
    first = FIRST_FETCH_OF_FORMAT[magic]
    return f"Fetch 0 to {first - 1} get them unchanged, and clients of that age cannot read them"


# ---- commits


def _newer_values(partition: Partition, back_to: Phase) -> Iterator[Leftover]:
    """Records that the old release's coordinator cannot read."""
    rules = profile(back_to.release, back_to.mode).offsets
    newest = {**dict.fromkeys(OFFSET_KEYS, rules.newest_value), GROUP_KEY: rules.newest_group_value}
    offsets = []
    versions = set()
    for batch in _batches(partition):
        for record in [] if batch.is_control else batch.records():
            kind, version = _version(record.key), _version(record.value)
            if version > newest.get(kind, version):
                offsets.append(record.offset)
                versions.add(version)
    if offsets:
        what = f"{len(offsets)} values of version {', '.join(map(str, sorted(versions)))}"
        name, index = partition.topic.name, partition.index
        yield Leftover(what, _of_loading(rules, back_to), name, index, offsets[0], len(offsets))


def _of_loading(rules: OffsetsBehaviour, back_to: Phase) -> str:
    match rules.load_applies:
        case "as read":
            lost = "commits from there on"
        case "at the end":
            lost = "all commits of the partition"
        case _:
            assert_never(rules.load_applies)
    return f"{back_to.release} cannot load them and forgets {lost}"


def _version(data: bytes | None) -> int:
    """The version at the beginning of a key or value."""
    return -1 if data is None or len(data) < 2 else int.from_bytes(data[:2], "big", signed=True)


def _batches(partition: Partition) -> Iterator[Batch]:
    return (batch for segment in partition.log.segments for batch in segment.batches())
