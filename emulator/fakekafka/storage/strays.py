"""Partitions that a starting broker finds and that the controller knows nothing about (KAFKA-13127, KAFKA-14616)."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, assert_never

from fakekafka.log import names
from fakekafka.log.checkpoints import topic_id_of

if TYPE_CHECKING:
    from fakekafka.storage.deletion import Deletion
    from fakekafka.storage.directory_names import Named
    from fakekafka.storage.host import Host


class Strays:
    """What `host` does about strays in its log directories."""

    def __init__(self, host: "Host", deletion: "Deletion") -> None:
        self._host = host
        self._deletion = deletion
        self._rules = host.profile.log_directory

    def are_looked_for(self, names_found: Iterable[str]) -> bool:
        """Whether the broker checks these directories. Up to 3.6 a single directory without a topic id
        was enough to skip the check.
        """
        match self._rules.strays:
            case "kept":
                return False
            case "set aside":
                return True
            case "deleted":
                dirs = self._host.log_dirs
                return all(dirs.directory(name).exists(names.PARTITION_METADATA) for name in names_found)
            case rule:
                assert_never(rule)

    def include(self, name: str, named: "Named") -> bool:
        """Whether the controller does not know that such a partition should be on this broker."""
        topic = self._host.cluster.topics.get(named.topic)
        state = None if topic is None else topic.partition(named.partition)
        if topic is None or state is None or self._host.node_id not in state.replicas:
            return True
        directory = self._host.log_dirs.directory(name)
        if not directory.exists(names.PARTITION_METADATA):
            return False  # left by ZooKeeper brokers; a migration would have given it one
        return topic_id_of(directory.read_all(names.PARTITION_METADATA)) != topic.id_text

    def set_aside(self, name: str, named: "Named") -> None:
        """Rename the directory and, in releases that do so, delete it later."""
        if self._rules.deletes_strays:
            marked = self._deletion.mark(name, named.topic, named.partition, names.DELETE_DIRECTORY)
            if marked is not None:
                self._deletion.delete_later(marked)
        else:
            self._deletion.mark(name, named.topic, named.partition, names.STRAY_DIRECTORY)
