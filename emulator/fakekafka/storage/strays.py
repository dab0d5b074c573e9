"""Partitions that a starting broker finds and that the controller knows nothing about (KAFKA-13127, KAFKA-14616)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias, assert_never

from fakekafka.errors import BrokerWillNotStart
from fakekafka.log import names
from fakekafka.log.checkpoints import topic_id_of

if TYPE_CHECKING:
    from fakekafka.log.partition_log import PartitionLog
    from fakekafka.storage.deletion import Deletion
    from fakekafka.storage.directory_names import Named
    from fakekafka.storage.host import Host

Loaded: TypeAlias = "Mapping[str, tuple[Named, PartitionLog]]"
"""The logs that a start has found, by the names of their directories."""


class Strays:
    """What `host` does about strays in its log directories."""

    def __init__(self, host: "Host", deletion: "Deletion") -> None:
        self._host = host
        self._deletion = deletion
        self._rules = host.profile.log_directory

    def are_looked_for(self, loaded: Loaded) -> bool:
        """Whether the broker checks these directories. Up to 3.6 one without a topic id is enough not to check any, or
        not to start. Raises `BrokerWillNotStart`.
        """
        match self._rules.strays:
            case "kept":
                return False
            case "set aside":
                return True
            case "deleted or refused":
                self._refuse(loaded)
                return True
            case "deleted":
                return self._first_without_id(loaded) is None
            case rule:
                assert_never(rule)

    def _first_without_id(self, loaded: Loaded) -> str | None:
        """The first directory that has no topic id, and gets none. Hosted partitions have got theirs by then."""
        candidates = (name for name, (named, _) in loaded.items() if named.mark or not self._is_hosted(named))
        directory = self._host.log_dirs.directory
        return next((name for name in candidates if not directory(name).exists(names.PARTITION_METADATA)), None)

    def _is_hosted(self, named: "Named") -> bool:
        topic = self._host.cluster.topics.get(named.topic)
        state = None if topic is None else topic.partition(named.partition)
        return state is not None and self._host.node_id in state.replicas

    def _refuse(self, loaded: Loaded) -> None:
        """Raises `BrokerWillNotStart` if a directory has no topic id."""
        name = self._first_without_id(loaded)
        if name is not None:
            named, log = loaded[name]
            start = log.log_start_offset  # the high watermark is not known yet
            raise BrokerWillNotStart(
                f"The log dir Log(dir={self._host.log_dirs.holding(name).path}/{name}, topic={named.topic},"
                f" partition={named.partition}, highWatermark={start}, lastStableOffset={start},"
                f" logStartOffset={start}, logEndOffset={log.log_end_offset}) does not have a topic ID,"
                " which is not allowed when running in KRaft mode."
            )

    def include(self, name: str, named: "Named") -> bool:
        """Whether the controller does not know that such a partition should be on this broker."""
        topic = self._host.cluster.topics.get(named.topic)
        if topic is None or not self._is_hosted(named):
            return True
        directory = self._host.log_dirs.directory(name)
        if not directory.exists(names.PARTITION_METADATA):
            if named.mark == names.FUTURE_DIRECTORY:
                return self._rules.sets_strays_aside
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
