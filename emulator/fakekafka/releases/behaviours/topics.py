"""Topics by request: creating and deleting them, adding partitions, electing leaders.

Under ZooKeeper a broker decides; under KRaft the controllers do, with the checks in another order and more strictly.
Differences that follow from that alone are not here but in the code of each.
"""

from typing import Literal

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class TopicsBehaviour(Behaviours):
    """The answers of CreateTopics and related requests (AdminManager; under KRaft ReplicationControlManager)."""

    imbalance_allowed: bool = history({"0.8.0": True}, kraft={"2.8": False})
    """Whether a broker that leads all but a few of its preferred partitions does not get these back
    (leader.imbalance.per.broker.percentage). KRaft gives all of them back (ReplicationControlManager)."""

    existing_first: bool = history({"0.8.0": False, "2.3.1": True})
    """Whether a ZooKeeper broker refuses an existing topic before it checks anything else. Recorded from 2.2.2 to
    2.3.1: topic_questions."""

    metadata_topic: ErrorCode = history(
        {"0.8.0": ErrorCode.NONE, "3.3.2": ErrorCode.TOPIC_AUTHORIZATION_FAILED, "3.9": ErrorCode.INVALID_REQUEST}
    )
    """CreateTopics for `__cluster_metadata`, the name of KRaft's own log. Recorded from 2.2.2 to 3.9.1:
    topic_questions, control_questions; asked of 2.8.2 to 4.3.1. Where KRaft brokers create it, a real one is lost."""

    configs_last: bool = history({"0.8.0": False, "2.7": True})
    """Whether a ZooKeeper broker checks counts, name and assignment before configs. Asked of 0.11.0.3 to 3.9.1."""

    indexes_checked: bool = history({"0.8.0": False, "2.3": True}, kraft={"2.8": False, "3.3": True})
    """Whether the indexes of an assignment must begin with 0 and have no gap; if they do not: error 39. Early KRaft
    accepts gaps, but without 0 the whole request fails: -1. Recorded from 1.1.1 to 4.3.1: admin."""

    partition_0_looked_up: bool = history({"0.8.0": False, "2.4": True})
    """Whether a ZooKeeper broker fails, with -1, at a new topic whose assignment has no partition 0: it counts that
    one's replicas for the answer (KIP-525). The check of the indexes overlooks negative ones. Recorded from 2.3.1 to
    3.9.1: control_questions."""

    format_checked: bool = history({"0.8.0": False, "2.1": True})
    """Whether a topic's `message.format.version` must be a known one; if not, only the next start of a broker reads it
    (KAFKA-7409). Recorded from 0.10.2.2 to 2.3.1: illegal_configs."""

    invalid_config: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "2.1": ErrorCode.INVALID_CONFIG})
    """CreateTopics with a config value that is not valid. Recorded from 0.10.1.1 to 4.3.1: admin."""

    null_configs_read: bool = history({"0.8.0": False, "0.11.0": True})
    """Whether a config's value may be null in CreateTopics; if not, the connection closes, as for any unreadable
    request (asked of 0.10.2.2)."""

    null_config: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "2.6": ErrorCode.INVALID_REQUEST, "3.3": ErrorCode.INVALID_CONFIG},
        kraft={"2.8": ErrorCode.NONE, "3.3": ErrorCode.INVALID_CONFIG},
    )
    """CreateTopics with null for a config's value; NONE: the topic is created without that config. Recorded from
    0.11.0.3 to 4.3.1: admin; ZooKeeper 3.3.2 to 3.9.1 asked."""

    remote_storage_checked: bool = history({"0.8.0": False, "3.6": True})
    """Whether remote.storage.enable is refused while the broker has no tiered storage (KIP-405, LogConfig.java)."""

    defaults_for_counts: bool = history({"0.8.0": False, "2.4": True})
    """Whether -1 for partitions or replicas, without an assignment, means num.partitions and
    default.replication.factor, in any version (KIP-464); if not: 37 and 38. Recorded from 1.1.1 to 4.3.1: admin."""

    created_twice: Literal["once", "each"] = history({"0.8.0": "once", "2.3": "each"}, kraft={"2.8": "once"})
    """How often a topic that CreateTopics names twice is answered with 42. Recorded from 0.10.1.1 to 4.3.1: admin."""

    named_twice_refused: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.0": True})
    """Whether a topic that CreateTopics names twice is refused for that. If not, it is created and answered once, or
    refused for another reason and answered each time. Recorded from 0.10.1.1 to 4.3.1: admin."""

    configs_checked: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.1": True})
    """Whether the controllers check the names and values of configs (ControllerConfigurationValidator). Recorded from
    2.8.2 to 4.3.1: admin, describe_configs."""

    validate_only_heeded: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.1": True})
    """Whether CreateTopics that is only to validate creates nothing (ReplicationControlManager). Recorded from 0.10.1.1
    to 4.3.1: admin."""

    collisions_refused: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.3": True})
    """Whether a name that differs from an existing topic's only in "." and "_" is refused
    (ReplicationControlManager)."""

    retention_spans_segment: bool = history({"0.8.0": False, "0.10.2": True, "0.10.2.1": False})
    """Whether a topic's retention.bytes must be as large as its segment.bytes (KAFKA-4092, withdrawn by KAFKA-4788).
    Recorded from 0.10.1.1 to 0.10.2.1: retention_questions."""

    deleting_needs_protocol: bool = history({"0.8.0": True, "2.8.1": False})
    """Whether DeleteTopics by id gets 35 where the inter-broker protocol does not know ids, rather than 100
    (KAFKA-12976). Recorded from 2.8.0 and 2.8.1: old_protocol_questions."""

    deleted_names_collide: bool = history({"0.8.0": False}, kraft={"2.8": False, "3.3": True, "3.3.2": False})
    """Whether the controller fails over a topic whose name has had a "." in a topic that was deleted, or would differ
    from such a name only in "." and "_" (KAFKA-14337). All topics of the request get -1. Recorded from 3.3.0 to 3.3.2:
    dotted_questions."""

    created_configs_shown: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.3": True})
    """Whether CreateTopics 5 and later lists the configs of a topic that was created; early KRaft gives an empty list
    (ReplicationControlManager). Recorded from 2.7.2 to 4.3.1: admin."""

    hidden_configs_shown: bool = history({"0.8.0": False}, kraft={"2.8": True, "4.1": False})
    """Whether CreateTopics shows configs that DescribeConfigs hides. Recorded from 2.7.2 to 4.3.1: admin."""

    growth_validated: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.2.1": True})
    """Whether CreatePartitions that is only to validate adds nothing (KAFKA-13861). Recorded from 3.2.0 to 3.2.1:
    patch_questions."""

    growth_kept: Literal["as a map", "as a list"] = history({"0.8.0": "as a map", "2.5": "as a list"})
    """How a broker keeps the topics of a CreatePartitions: a map gives them back in the order of their hash codes, and
    holds one that is named twice once. It matters when a request fails as a whole. Recorded from 2.4.1 to 3.9.1:
    odd_admin."""

    deletion_disabled: Literal["times out", "refused"] = history({"0.8.0": "times out", "2.1": "refused"})
    """DeleteTopics where delete.topic.enable is off: nothing happens, and the request ends with 7 after its timeout; or
    it is refused with 42, from version 3 on 73 (KIP-322)."""

    record_deletion_policy: Literal["too late", "after negative offsets", "first"] = history(
        {"0.8.0": "too late", "1.1": "after negative offsets", "2.1": "first"}
    )
    """When DeleteRecords sees that a topic is only compacted, error 44: after it has deleted the records; or between
    the checks of the offset; or before them. Asked of 0.11.0.3 to 4.3.1; 1.0: Partition.scala."""

    deleted_without_name: ErrorCode = history(
        {"0.8.0": ErrorCode.TOPIC_AUTHORIZATION_FAILED}, kraft={"2.8": ErrorCode.INVALID_REQUEST}
    )
    """DeleteTopics 6 with neither name nor id. Recorded from 2.8.2 to 4.3.1: admin."""

    partitions_per_request: int | None = history({"0.8.0": None}, kraft={"2.8": None, "3.9.1": 10_000})
    """How many partitions a CreateTopics request may ask for in all; beyond that, error 44 for every topic
    (ReplicationControlManager). None: any number. Asked of 3.3.2 to 4.3.1."""

    records_per_request: int | None = history({"0.8.0": None}, kraft={"2.8": None, "3.5": 10_000})
    """How many records of metadata CreateTopics and CreatePartitions may write: beyond that, CreateTopics is refused
    with error 44, and CreatePartitions with -1 after it has added what fits (KAFKA-14996). Asked of 3.3.2 to 4.3.1."""

    refused_elections_of_all: Literal["silent", "answered"] = history({"0.8.0": "silent", "3.1": "answered"})
    """ElectLeaders of all partitions in a way that does not exist: up to 3.0 the broker fails to make an answer without
    partitions, and the client waits (ElectLeadersRequest.getErrorResponse). Recorded from 2.4.1 to 3.1.2:
    control_questions."""

    elections_by_request: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.1": True})
    """Whether ElectLeaders is carried out; early KRaft refuses it with 35, and does not answer at all if it asks for
    all partitions (KafkaApis.scala). Recorded from 2.2.2 to 4.3.1: admin."""

    empty_assignment: ErrorCode = history(
        {"0.8.0": ErrorCode.INVALID_REPLICA_ASSIGNMENT},
        kraft={"2.8": ErrorCode.UNKNOWN_SERVER_ERROR, "3.0": ErrorCode.INVALID_REPLICA_ASSIGNMENT},
    )
    """An assignment without a broker in KRaft mode; with -1, the whole request fails (ReplicationControlManager). Asked
    of 2.8.2; recorded from 3.0.2 to 4.3.1: admin."""

    absent_brokers_assigned: bool = history({"0.8.0": False}, kraft={"2.8": False, "3.0": True})
    """Whether brokers that are down, but registered, may get replicas, if another replica is on one that runs
    (ReplicationControlManager, StripedReplicaPlacer). Recorded from clusters of three of 3.3.2 to 4.3.1: absent; 3.0:
    ReplicationControlManager.java."""

    needless_election: ErrorCode = history({"0.8.0": ErrorCode.NONE, "2.4": ErrorCode.ELECTION_NOT_NEEDED})
    """ElectLeaders where the leader is the preferred one. Recorded from 2.2.2 to 4.3.1: admin."""

    unknown_election: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR}, kraft={"2.8": ErrorCode.INVALID_REQUEST}
    )
    """ElectLeaders with an unknown election type. Recorded from 2.7.2 to 4.3.1: admin."""

    election_for_all: Literal["every partition", "nothing", "empty topics"] = history(
        {"0.8.0": "every partition", "2.4": "nothing"}, kraft={"2.8": "empty topics"}
    )
    """What ElectLeaders with null for its topics names in the answer, if no election is needed: every partition;
    nothing; or every topic without partitions. Recorded from 2.2.2 to 4.3.1: admin."""

    epochs_by_start: int = history({"0.8.0": 1, "1.1": 0}, kraft={"2.8": 0, "4.0": 2})
    """How many leader epochs pass when the only broker starts again: up to 1.0 its controller starts before the broker,
    and elects leaders when the broker appears (KafkaServer.scala). Recorded from 0.11.0.3 to 3.2.3: fetch_formats; 4.0
    from a 3.9.1 that became 4.1.1: phases. Recorded: internal_questions."""

    leads_before_start_passes_epochs: bool = history({"0.8.0": True, "1.1": False}, kraft={"2.8": False, "4.0": True})
    """Whether a starting broker leads for a moment in the epoch of its last run. Recorded from 4.1.1: storage_recovery,
    where a damaged leader-epoch-checkpoint shows it; and from 0.11.0.3: storage_txnindex, where the transaction
    coordinator stays in that epoch."""

    epochs_by_controlled_shutdown: int = history({"0.8.0": 0}, kraft={"2.8": 3, "3.6": 2})
    """How many leader epochs pass with a clean stop and the start after it if controlled.shutdown.enable is on; after
    such a stop none pass by the start. Recorded from 3.3.2 to 4.3.1: fetch_manners, offset_for_leader_epoch; where
    another release starts: epochs_across."""

    old_metadata_passes_epoch: bool = history({"0.8.0": False}, kraft={"2.8": False, "3.6": True, "3.8": False})
    """Whether one more leader epoch passes with a controlled shutdown while metadata.version is below 3.6
    (MetadataVersion.isSkipLeaderEpochBumpSupported, KAFKA-15021). Recorded from 3.7.2, 3.8.1 and 3.9.1 on a directory
    of 3.4.1: epochs_across."""

    epoch_by_lost_replica: bool = history({"0.8.0": True}, kraft={"2.8": True, "3.6": False})
    """Whether a new leader epoch begins when an in-sync follower goes away (KAFKA-15021). Asked of 2.3.1 to 4.1.1."""

    epochs_by_lost_leader: int = history({"0.8.0": 1}, kraft={"2.8": 2, "3.6": 1})
    """How many leader epochs begin when a broker stops in a controlled way and no other replica can lead its
    partitions. Asked of 2.8.2 (ZooKeeper), 3.3.2, 3.7.2 and 4.1.1; after a kill it is always one."""

    epoch_by_found_dead: bool = history({"0.8.0": False, "2.3": True}, kraft={"2.8": False})
    """Whether a starting controller that finds a partition led by a missing broker begins a leader epoch without a
    leader before it elects another one (ZkReplicaStateMachine.startup). Asked of 0.11.0.3, 2.0.1, 2.2.2, 2.3.1 and
    2.8.2: tests/golden/pair_recordings."""

    idle_follower_lags: bool = history({"0.8.0": False, "0.9.0": True, "2.1": False})
    """Whether a follower that has everything, but no longer asks for more, leaves the set in sync after
    replica.lag.time.max.ms. A dead one then leaves by the leader's change, without a new leader epoch, if the
    controller notices its death later. Recorded from clusters of three of 1.1.1 to 2.8.2: min-isr; 0.9.0:
    KAFKA-1546."""

    high_watermark_after_lag: Literal["moves", "stays"] = history(
        {"0.8.0": "moves", "2.7": "stays", "3.1": "moves"}, kraft={"2.8": "moves"}
    )
    """What becomes of the high watermark when a leader has dropped a lagging follower: it moves as far as the other
    replicas in sync allow; or it stays until the next append, or until a follower has more, so that appends that wait
    for it end with 7 (KAFKA-13091). 2.8.2 is in tests/golden/trio_recordings; 2.7 and 3.0: Partition.scala."""

    reassignment: Literal["in phases", "as one change"] = history(
        {"0.8.0": "in phases"}, kraft={"2.8": "as one change"}
    )
    """How leader epochs pass when replicas move: one when that begins, one when it is completed or cancelled, and one
    for each in-sync replica that is then removed; or one if replicas are removed, and none if they are only added.
    Controllers of the latter kind also keep the added and the removed replicas sorted
    (KafkaController.onPartitionReassignment; PartitionChangeBuilder, PartitionReassignmentReplicas). 2.8.2 and 3.9.1
    are in tests/golden/trio_recordings."""

    epoch_by_smaller_isr: bool = history({"0.8.0": False}, kraft={"2.8": True, "3.6": False})
    """Whether a leader epoch begins when a leader drops a lagging follower (PartitionChangeBuilder.java)."""

    leader_sorts_isr: bool = history({"0.8.0": False}, kraft={"2.8": False, "4.2": True})
    """Whether a leader that changes the in-sync set sorts the replicas by their numbers; if not, one that joins comes
    last. Recorded from clusters of three of 3.9.1 and 4.3.1; between 4.1.1 and 4.2.0 the set became one of Java
    (org.apache.kafka.server.partition)."""
