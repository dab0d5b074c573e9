"""In which order answers about topics, configs and other administration list things, and in which topics and the logs
of partitions are created: that of the maps in which brokers or controllers gather them (`order_maps`).
"""

from typing import Literal

from fakekafka.jvm.chains import Chain
from fakekafka.releases.behaviours.behaviour import Behaviours, history
from fakekafka.releases.behaviours.order_maps import (
    AS_ASKED,
    COMPUTED,
    COPY,
    HASH_2_13,
    JAVA,
    MAP_2_12,
    MAP_2_13,
    MUTABLE_2_12,
    MUTABLE_2_13,
    PERSISTENT,
    PUT_ALL,
    SIZED,
    TIMELINE,
    TREE,
    NameMaps,
    PartitionMaps,
)


class AdminOrdersBehaviour(Behaviours):
    """The order of lists in administrative answers (KafkaApis, AdminManager, the controllers of KRaft)."""

    hosting_maps: Chain = history(
        {"0.8.0": (MUTABLE_2_12, MUTABLE_2_12), "2.4": (MUTABLE_2_13, MUTABLE_2_13)}, kraft={"2.8": (JAVA, PUT_ALL)}
    )
    """The maps from which a broker takes the new partitions of a topic when it creates their logs, by the hash codes of
    its own Partition objects, or in KRaft mode of TopicPartition (ReplicaManager.becomeLeaderOrFollower, applyDelta).
    Recorded from 2.0.1 to 4.3.1: random_moves."""

    created_topics: NameMaps = history(
        {"0.8.0": NameMaps((JAVA,), answered=(MAP_2_12,)), "2.3": NameMaps(in_place=True)},
        kraft={"2.8": NameMaps(), "3.0": NameMaps(refused=(JAVA,))},
    )
    """CreateTopics (CreateTopicsRequest, KafkaApis; ControllerApis.createTopics). From 2.3 on brokers fill a list that
    has the topics of the request. Recorded from
    0.10.1.0 to 2.3.1: internal_questions, and from 1.1.1 to 4.3.1: control_questions."""

    creation: Chain = history({"0.8.0": (JAVA,), "2.3": (MUTABLE_2_12,), "2.4": (MUTABLE_2_13,)}, kraft={"2.8": ()})
    """The maps out of which topics are created that one CreateTopics names (AdminManager.createTopics). The last one is
    the newest: see `MetadataOrdersBehaviour.newest_copied`. Recorded from 2.6.0 to 2.7.0: internal_questions."""

    created_topics_refused: Chain = history({"0.8.0": (JAVA, MUTABLE_2_12), "2.3": ()})
    """What the topics pass if the broker is not the controller, or the client may not create any. Recorded from
    1.1.1: random_rights."""

    created_configs: Chain = history(
        {"0.8.0": (JAVA,), "3.0.1": (JAVA, MUTABLE_2_13)},
        kraft={"2.8": (TREE,)},
    )
    """The configs of a topic in CreateTopics (AdminManager, later with ConfigHelper.allConfigs; controllers have them
    in order). Recorded from 3.0.0 to 4.3.1: admin."""

    deleted_topics: NameMaps = history(
        {
            "0.8.0": NameMaps((SIZED, JAVA), answered=(MAP_2_12,), refused_first=True),
            "1.0": NameMaps((SIZED,), answered=(MUTABLE_2_12,), refused_first=True),
            "2.3": NameMaps(in_place=True),
        }
    )
    """DeleteTopics (DeleteTopicsRequest, KafkaApis). Controllers of KRaft shuffle their answers on purpose. Recorded
    from 0.10.1.1 to 2.3.1: admin, acls."""

    grown_topics: NameMaps = history(
        {
            "0.8.0": NameMaps((SIZED, JAVA), answered=(MAP_2_12,)),
            "2.4": NameMaps((SIZED, JAVA), answered=(MAP_2_13,)),
            "2.5": NameMaps(answered=(MAP_2_13,)),
        },
        kraft={"2.8": NameMaps((JAVA,), refused_first=True)},
    )
    """CreatePartitions (CreatePartitionsRequest, KafkaApis; ControllerApis.createPartitions). Recorded from 2.2.2 to
    4.3.1: odd_admin."""

    elected_leaders: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((MAP_2_12,), (MAP_2_12,), topics=(MUTABLE_2_12, MAP_2_12), first=(MUTABLE_2_12,)),
            "2.4": PartitionMaps((MUTABLE_2_13,), topics=(HASH_2_13,), grouped=(MUTABLE_2_13,)),
        }
    )
    """ElectLeaders under ZooKeeper (KafkaApis, ReplicaManager.electLeaders); up to 2.3 elections that failed come first
    (PartitionStateMachine). Recorded from 2.2.2 to 3.9.1: admin, odd_requests; from 2.4.1 to 3.4.1: random_orders."""

    elected_leaders_refused: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((MAP_2_12,), topics=(MUTABLE_2_12, MAP_2_12)),
            "2.4": PartitionMaps((MAP_2_13,), topics=(HASH_2_13,), grouped=(HASH_2_13,)),
        },
        kraft={"2.8": AS_ASKED},
    )
    """ElectLeaders of a client that may not (KafkaApis, ControllerApis). What is grouped out of a small map is in small
    maps, too. Recorded from 2.4.1 to 3.4.1: random_orders."""

    reassigned: PartitionMaps = history(
        {"0.8.0": PartitionMaps((MAP_2_13,), (MUTABLE_2_13,), (HASH_2_13,), grouped=(MUTABLE_2_13,))},
        kraft={"2.8": AS_ASKED},
    )
    """AlterPartitionReassignments (KafkaApis, KafkaController.processApiPartitionReassignment). Recorded from 2.4.1 to
    3.4.1: random_orders."""

    topics_of_controllers: Chain = history({"0.8.0": ()}, kraft={"2.8": (TIMELINE,)})
    """What controllers of KRaft keep topics in, by their names (ReplicationControlManager). ElectLeaders for all topics
    shows it. Recorded from 3.1.2 to 4.3.1: admin."""

    moved_replicas: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((JAVA, MAP_2_12), topics=(JAVA,), indexes=(JAVA,)),
            "2.1": PartitionMaps((JAVA, MAP_2_12), topics=(COMPUTED,), indexes=(JAVA,)),
            "2.4": PartitionMaps((JAVA, MUTABLE_2_13), topics=(COMPUTED,), indexes=(JAVA,)),
            "2.7": PartitionMaps((JAVA, MUTABLE_2_13), topics=(HASH_2_13,), grouped=(MUTABLE_2_13,)),
        }
    )
    """AlterReplicaLogDirs (ReplicaManager.alterReplicaLogDirs, AlterReplicaLogDirsResponse, later KafkaApis). Recorded
    from 1.0.2 to 4.1.1: storage_log_dirs, and from 2.1.1 to 4.3.1: odd_admin, random_orders."""

    moved_replicas_refused: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((JAVA, MAP_2_12), topics=(JAVA,), indexes=(JAVA,)),
            "2.1": PartitionMaps((JAVA, MAP_2_12), topics=(COMPUTED,), indexes=(JAVA,)),
            "2.4": PartitionMaps((JAVA, MAP_2_13), topics=(COMPUTED,), indexes=(JAVA,)),
            "2.7": AS_ASKED,
        }
    )
    """AlterReplicaLogDirs of a client that may not (KafkaApis, later AlterReplicaLogDirsRequest.getErrorResponse).
    Recorded from 1.1.1 to 4.3.1: random_orders."""

    stored_partitions: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps(answered=(MAP_2_12,), topics=(JAVA,), indexes=(JAVA,)),
            "2.1": PartitionMaps(answered=(MAP_2_12,), topics=(COMPUTED,), indexes=(JAVA,)),
            "2.4": PartitionMaps(answered=(MAP_2_13,), topics=(COMPUTED,), indexes=(JAVA,)),
            "2.6": PartitionMaps(topics=(HASH_2_13,), parted_last=True),
        }
    )
    """DescribeLogDirs: what those partitions of a directory pass that were asked for (ReplicaManager.describeLogDirs,
    DescribeLogDirsResponse). Recorded from 1.0.2 to 4.1.1: storage_log_dirs; from 2.4.1 to 4.3.1: random_orders."""

    altered_configs: Literal["refused last", "as asked"] = history({"0.8.0": "refused last", "3.2": "as asked"})
    """AlterConfigs and IncrementalAlterConfigs. From 3.2 on ConfigAdminManager puts what brokers and controllers say
    together again; AlterConfigs had a hash map before, by codes that a JVM makes up. Recorded from 2.3.1 to 4.3.1:
    acls."""

    listed_topics: Chain = history({"0.8.0": (PERSISTENT,)})
    """The topics in ListConfigResources, which is younger than ZooKeeper (KRaftMetadataCache.getAllTopics). Recorded
    from 4.1.1 to 4.3.1: acls, every_version."""

    altered_users: Chain = history({"0.8.0": (MAP_2_13,)}, kraft={"2.8": (JAVA,)})
    """The users in AlterUserScramCredentials: those that come out alike pass these maps together (ZkAdminManager,
    ScramControlManager). Recorded from 2.7.2 to 4.3.1: sasl, scram_questions."""

    described_users: Chain = history({"0.8.0": ()}, kraft={"2.8": (JAVA,)})
    """The users in DescribeUserScramCredentials (ScramImage.describe). Recorded from 2.7.2 to 4.3.1: sasl."""

    updated_features: Chain = history({"0.8.0": ()}, kraft={"2.8": (TREE,), "4.0": ()})
    """The features in UpdateFeatures (FeatureControlManager.updateFeatures). Recorded from 3.8.1: feature_dependencies,
    in which 3.9.1 and 4.0.0 follow, and from 3.9.1: kraft_version."""

    altered_quotas: Chain = history({"0.8.0": (MAP_2_13,)}, kraft={"2.8": (JAVA,)})
    """The entities in AlterClientQuotas (ZkAdminManager.alterClientQuotas, ClientQuotaControlManager). Recorded from
    2.8.1 to 4.1.1: quota_questions."""

    entities_with_quotas: Chain = history({"0.8.0": (MAP_2_13,)}, kraft={"2.8": (SIZED,)})
    """The entities in DescribeClientQuotas (ZkAdminManager.handleDescribeClientQuotas, ClientQuotasImage). Recorded
    from 2.8.1 to 4.1.1: quota_questions."""

    quota_values: Chain = history({"0.8.0": (MUTABLE_2_13,)}, kraft={"2.8": ()})
    """The quotas of an entity in DescribeClientQuotas (ZkAdminManager.fromProps). Brokers of KRaft keep them in that
    order (ClientQuotaDelta). Recorded from 2.7.2 to 4.3.1: quotas, quota_questions."""

    configs: Chain = history({"0.8.0": (JAVA, COPY, JAVA), "1.1": (JAVA,), "2.4": (JAVA, MUTABLE_2_13), "4.2": (JAVA,)})
    """The maps in which DescribeConfigs has the configs of a resource (AdminManager, ConfigHelper). Recorded from
    0.11.0.3 to 4.3.1: describe_configs."""
