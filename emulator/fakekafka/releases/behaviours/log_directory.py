"""The log directory as a whole: its small files, what happens to the files that a start finds, how partitions are
deleted.

What happens inside one partition's directory is `log.py`. Dates are from the release's own sources (the class or the
ticket is named); "recorded" means that the files which brokers of these releases left are reproduced.
"""

from functools import cached_property
from typing import Literal, assert_never

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class LogDirectoryBehaviour(Behaviours):
    """LogManager, the checkpoints of ReplicaManager, meta.properties (BrokerMetadataCheckpoint)."""

    first_check_ms: int = history({"0.8.0": 60_000, "0.8.1": 30_000})
    """How long after the start retention, and everything else that recurs, runs for the first time; from 3.8 on that is
    `log.initial.task.delay.ms` (LogManager.startup). Recorded: background_questions."""

    recovery_points: bool = history({"0.8.0": False, "0.8.1": True})
    """Whether the offset up to which each log is flushed is stored (KAFKA-615)."""

    empty_checkpoints: Literal["left alone", "written"] = history({"0.8.0": "left alone", "2.7": "written"})
    """What happens to the checkpoints of recovery points and log starts while there is no log (KAFKA-10002). Recorded:
    directory_questions."""

    unreadable_checkpoint: Literal["refused", "forgotten", "offline"] = history(
        {"0.8.0": "refused", "0.9.0": "forgotten", "1.0": "offline"}
    )
    """An unreadable checkpoint of recovery points: the broker does not start, or begins at 0 (KAFKA-1758); or the
    directory goes offline, and no broker is left if it was the only one (KIP-112, CheckpointFile.read). From 1.0 on
    that also holds for log starts. Asked of 0.9.0.1 to 0.11.0.3 (last without), and of 1.0.0 (first with) to 3.7.2."""

    meta_properties: Literal["none", "broker", "broker and cluster", "node and cluster", "node and directory"] = (
        history(
            {"0.8.0": "none", "0.9.0": "broker", "2.4": "broker and cluster"},
            kraft={"2.8": "node and cluster", "3.7": "node and directory"},
        )
    )
    """What `meta.properties` says about the directory (KAFKA-1070, KAFKA-7335, KIP-631, KIP-858). Recorded from 0.9.0.1
    to 4.3.1: every scenario. Recorded: directory_questions."""

    @cached_property
    def has_meta_properties(self) -> bool:
        """Whether the file is there and read."""
        match self.meta_properties:
            case "broker" | "broker and cluster" | "node and cluster" | "node and directory":
                return True
            case "none":
                return False
            case word:
                assert_never(word)

    meta_properties_written: Literal["once", "at each start"] = history(
        {"0.8.0": "once", "2.4": "at each start", "3.7": "once"}, kraft={"2.8": "once"}
    )
    """When `meta.properties` is written; once means whenever what it says has changed (KafkaServer.startup). Recorded:
    directory_questions."""

    kraft_directory: Literal["taken", "unreadable", "offline", "refused", "refused unless it migrates"] = history(
        {
            "0.8.0": "taken",
            "0.9.0": "unreadable",
            "1.0": "offline",
            "2.8": "refused",
            "3.7": "refused unless it migrates",
        },
        kraft={"2.8": "taken"},
    )
    """What a broker under ZooKeeper does with a directory whose `meta.properties` has version 1, as brokers in KRaft
    mode write it: it does not check, or does not start. From 1.0 on the directory goes offline, and no other is left
    (KIP-112, BrokerMetadataCheckpoint). Asked of 0.8.2.2, 0.9.0.1, 0.10.2.2, 1.0.2, 2.3.1, 2.7.2, 2.8.2, 3.6.2 and
    3.9.1: the file stays as it is."""

    without_version: str = history(
        {"0.8.0": "", "0.9.0": "requirement failed: Missing required property 'version'", "2.8": ""},
        kraft={
            "2.8": "Failed to find required property cluster.id.",
            "3.7": "Error: {missing} ID not found in {directory}",
        },
    )
    """Why a broker does not start if its `meta.properties` has no version; "" if it starts all the same
    (VerifiableProperties, RawMetaProperties, MetaPropertiesEnsemble). In KRaft mode it starts with a broker.id and a
    cluster.id; from 3.7 on the words say which is missing. Asked of 0.10.2.2, 2.3.1, 2.8.2, 3.6.2, 3.7.2, 3.9.1."""

    unknown_version: str = history(
        {"0.8.0": ""},
        kraft={
            "2.8": "Expected version 0 or 1, but got version {version}",
            "3.7": "Unknown meta.properties version number {version}",
        },
    )
    """Why a broker in KRaft mode does not start if the version is neither 0 nor 1; "" if it does not check it. Asked of
    3.6.2 and 3.9.1. Under ZooKeeper see `kraft_directory`."""

    disk_errors: Literal["halt", "storage error"] = history({"0.8.0": "halt", "1.0": "storage error"})
    """An I/O error of the only log directory ends the broker in any case. It ends at once and without an answer if the
    error comes while something is written, whereas a failed read is answered with -1 (ReplicaManager.appendToLocalLog,
    LogManager flushing, checkpoints); or the directory goes offline, answers say KAFKA_STORAGE_ERROR, and then the
    broker halts because no directory is left (KIP-112, LogManager.handleLogDirFailure)."""

    lost_directories_told: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.7": True})
    """Whether the controller learns which partitions a broker has lost with a log directory: other brokers lead them,
    or none does. Otherwise they keep their leader, which answers KAFKA_STORAGE_ERROR (KIP-112, KIP-858). Asked of
    2.3.1, 3.3.2, 3.6.2, 3.7.2, 3.9.1 and 4.3.1, and of 3.6.2 under ZooKeeper."""

    metadata_directory_vital: bool = history({"0.8.0": False}, kraft={"2.8": False, "3.6": True})
    """Whether a broker halts when the directory of the quorum's log fails, although it has others. Earlier only the
    thread of the quorum ends, if at all (KafkaRaftManager, ReplicaManager.handleLogDirFailure). Asked of 3.0.1, 3.2.3,
    3.3.2, 3.4.1, 3.5.2, 3.6.2, 3.7.2, 3.9.1 and 4.3.1."""

    unknown_directory: Literal["out of range", "number", "form"] = history(
        {"0.8.0": "out of range", "0.9.0": "number", "0.10.2.2": "form"}
    )
    """The message with which the broker stops when it finds a directory that is not a partition's
    (Log.parseTopicPartitionName)."""

    marked_directories: tuple[str, ...] = history(
        {"0.8.0": (), "0.10.2": ("-delete",), "1.1": ("-delete", "-future"), "3.6.1": ("-delete", "-future", "-stray")}
    )
    """The suffixes that a directory's name may have (KAFKA-1911, KIP-113, KAFKA-15605)."""

    skipped_directories: tuple[str, ...] = history(
        {"0.8.0": (), "3.0": ("__cluster_metadata-0",), "3.5": ("__cluster_metadata-0", "remote-log-index-cache")}
    )
    """Directories that LogManager leaves alone: the quorum's log (KIP-595), the cache of tiered storage (KIP-405). The
    first was recorded from 2.8.0 and 2.8.2 (last without), and from 3.0.0 (first with): recovery_questions. Asked of
    3.4.1 (last without the cache), 3.5.0 (first with), 3.5.2, 3.6.2 and 3.7.2."""

    future_beside: Literal["fails", "stays"] = history({"0.8.0": "fails", "3.8": "stays"})
    """What becomes of a `-future` directory beside that of its own partition: the broker tries to rename it, so that
    the log directory fails, and the broker ends if it has no other; or it stays (KAFKA-16082). Recorded from 1.1.1,
    2.8.2, 3.6.2, 3.7.2 (last with) and 3.8.1: directories; 3.8.0 and 3.9.1 were asked, too."""

    strays: Literal["kept", "deleted or refused", "deleted", "set aside"] = history(
        {"0.8.0": "kept"}, kraft={"2.8": "kept", "3.0": "deleted or refused", "3.3": "deleted", "3.7": "set aside"}
    )
    """A partition's directory that the controller does not know: it stays; it is deleted; or it is renamed to `-stray`
    (KAFKA-13127, KAFKA-14616). Recorded from 3.9.1: storage_recovery. If it has no topic id, the first releases that
    delete do not start (BrokerMetadataPublisher.findStrayPartitions), and the later ones delete none. Asked of 3.0.0,
    3.0.2, 3.1.2, 3.2.0 and 3.2.3, which do not start, and of 3.3.0, 3.3.2, 3.4.1, 3.5.2, 3.6.2 and 3.7.2, which do.
    Those that rename also set aside a `-future` directory without topic id; asked of 3.7.2 to 4.1.1. Recorded:
    stray_questions."""

    @cached_property
    def sets_strays_aside(self) -> bool:
        """Whether it is renamed."""
        match self.strays:
            case "set aside":
                return True
            case "kept" | "deleted or refused" | "deleted":
                return False
            case rule:
                assert_never(rule)

    @cached_property
    def deletes_strays(self) -> bool:
        """Whether it is deleted."""
        match self.strays:
            case "deleted or refused" | "deleted":
                return True
            case "kept" | "set aside":
                return False
            case word:
                assert_never(word)

    registrations_readable: bool = history({"0.8.0": True}, kraft={"2.8": True, "2.8.2": False, "3.0": True})
    """Whether a node can read the metadata log once a broker has registered. If not, only the node that wrote the
    registration runs, until it stops: it does not start again, and several never do (RegisterBrokerRecord after
    CVE-2022-34917). Recorded from 2.8.1: storage_topics; asked of 2.8.0 to 2.8.2, alone and three. Recorded:
    stray_questions."""

    deletion_delay: Literal["next round", "full"] = history({"0.8.0": "next round", "1.1": "full"})
    """When a deleted partition's directory is removed: in the next round, one every `log.segment.delete.delay.ms`, or
    after that time (KIP-113, KAFKA-6710). Recorded: background_questions."""

    deleted_log: Literal["closed", "left as it is"] = history({"0.8.0": "closed", "1.1": "left as it is"})
    """Whether a log is closed before its directory is renamed to `-delete` (LogManager.asyncDelete). Recorded:
    storage_topics. Recorded: directory_questions."""

    deletion_checkpoints: Literal["nothing", "log starts", "all and snapshots", "all"] = history(
        {"0.8.0": "nothing", "0.11.0": "log starts", "1.1": "all and snapshots", "2.2": "all"}
    )
    """What is written when a partition is deleted, and whether unneeded producer snapshots of other partitions are then
    removed (LogManager.asyncDelete). Recorded: directory_questions."""
