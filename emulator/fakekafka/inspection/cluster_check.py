"""Check `fakekafka-cluster.json`, and whether it and the partitions' directories mean the same topics.

A topic whose id is not the one that its directories were made for is another topic to a release with ids (KIP-516):
its broker puts the directories aside when it starts, and their records can no longer be seen.
"""

from collections.abc import Iterator

from fakekafka.clock import ManualClock
from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.cluster_file import read_cluster_file
from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.ids import TopicName
from fakekafka.log import names
from fakekafka.log.checkpoints import topic_id_of
from fakekafka.log.findings import Finding, ReadableDirectory
from fakekafka.log.findings import FindingKind as Kind


def check_cluster_file(directory: ReadableDirectory) -> Iterator[Finding]:
    """What is wrong with a directory's cluster file, if any; topic ids are compared in it and one level below."""
    try:
        cluster_file = read_cluster_file(directory)
        if cluster_file is None:
            return
        cluster = Cluster(ManualClock())
        cluster_file.restore(cluster)
    except UsageError as wrong:
        yield Finding(names.CLUSTER_FILE, None, Kind.CLUSTER_FILE, str(wrong))
        return
    ids = {topic.name: topic.id_text for topic in cluster.topics.values()}
    yield from _other_ids(directory, "", ids)
    for name in directory.directories():
        if (names.partition_of(name) or ("", 0))[0] not in ids:
            yield from _other_ids(directory.directory(name), f"{name}/", ids)


def _other_ids(directory: ReadableDirectory, place: str, ids: dict[TopicName, str]) -> Iterator[Finding]:
    """The partitions of one broker whose directories were made for another topic of the same name."""
    for name in directory.directories():
        partition = names.partition_of(name)
        if partition is None or partition[0] not in ids:
            continue
        inside = directory.directory(name)
        if not inside.exists(names.PARTITION_METADATA):
            continue
        try:
            topic_id = topic_id_of(inside.read_all(names.PARTITION_METADATA))
        except MalformedBytes:
            continue  # found with the partition
        expected = ids[partition[0]]
        if topic_id != expected:
            file = f"{place}{name}/{names.PARTITION_METADATA}"
            what = f"it belongs to topic id {topic_id}, and {names.CLUSTER_FILE} says {expected}"
            yield Finding(file, None, Kind.TOPIC_ID, what)
