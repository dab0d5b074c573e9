"""The order in which answers about groups, their offsets and transactions list things: that of the maps in which a
broker gathers them (`order_maps`).
"""

from typing import Literal

from fakekafka.jvm.chains import Chain
from fakekafka.releases.behaviours.behaviour import Behaviours, history
from fakekafka.releases.behaviours.order_maps import (
    COMPUTED,
    COPY,
    HASH_2_13,
    JAVA,
    MAP_2_12,
    MAP_2_13,
    MUTABLE_2_12,
    MUTABLE_2_13,
    SIZED,
    CommitKey,
    NamedKey,
    PartitionMaps,
)


class GroupOrdersBehaviour(Behaviours):
    """The order of lists in answers about groups (KafkaApis, and the classes of the requests and responses). What the
    maps of the Scala coordinator decide does not count where the Java coordinator serves (`groups.coordinator`).
    """

    commit: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((), (MAP_2_12,), (MUTABLE_2_12, MAP_2_12)),
            "0.10.0": PartitionMaps((JAVA,), (MAP_2_12,), (JAVA,), (JAVA,), later=(MUTABLE_2_12,)),
            "0.10.2": PartitionMaps((JAVA, MAP_2_12), (MAP_2_12,), (JAVA,), (JAVA,)),
            "1.0": PartitionMaps((JAVA,), (MAP_2_12,), (JAVA,), (JAVA,), later=(MUTABLE_2_12,)),
            "2.1": PartitionMaps((JAVA,), (MAP_2_12,), (COMPUTED,), (JAVA,), later=(MUTABLE_2_12,)),
            "2.3": PartitionMaps((), (MAP_2_12,), (JAVA,), later=(MUTABLE_2_12,)),
            "2.4": PartitionMaps((), (MAP_2_13,), (JAVA,), later=(MUTABLE_2_13,)),
            "3.5": PartitionMaps(later=(MUTABLE_2_13, MAP_2_13)),
        }
    )
    """OffsetCommit (OffsetCommitRequest, KafkaApis.handleOffsetCommitRequest, OffsetCommitResponse). Up to 3.4 what is
    refused is added later; from 3.5 on what is committed is (GroupCoordinatorAdapter.commitOffsets). Recorded from
    0.8.2.2 to 4.3.1: offsets."""

    transaction_commit: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((JAVA, MAP_2_12), (MAP_2_12,), (JAVA,), (JAVA,)),
            "1.0": PartitionMaps((JAVA,), (MAP_2_12,), (JAVA,), (JAVA,), first=(MUTABLE_2_12,), later=(MUTABLE_2_12,)),
            "2.1": PartitionMaps(
                (JAVA,), (MAP_2_12,), (COMPUTED,), (JAVA,), first=(MUTABLE_2_12,), later=(MUTABLE_2_12,)
            ),
            "2.4": PartitionMaps((JAVA,), (MAP_2_13,), (JAVA,), first=(MUTABLE_2_13,), later=(MUTABLE_2_13,)),
            "2.6": PartitionMaps((JAVA,), (MUTABLE_2_13,), (JAVA,), first=(MUTABLE_2_13,), later=(MUTABLE_2_13,)),
            "3.5": PartitionMaps(later=(MUTABLE_2_13, MAP_2_13)),
        }
    )
    """TxnOffsetCommit, likewise. Recorded from 0.11.0.3 to 4.3.1: transactions; from 2.3.1 to 3.5.2:
    txn_commit_questions."""

    commit_key: CommitKey = history(
        {"0.8.0": "TopicAndPartition", "0.10.0": "TopicPartition", "3.5": "TopicIdPartition without id"}
    )
    """The keys of these maps (OffsetCommitRequest, GroupCoordinatorAdapter.commitOffsets)."""

    commit_refused_as_asked: bool = history({"0.8.0": False, "2.3": True})
    """Whether an OffsetCommit that is refused as a whole is answered in the order of the request, and not in that of
    the maps (OffsetCommitRequest.getErrorResponseTopics). Recorded from 2.2.2 to 4.3.1: acls."""

    fetch: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((), (MAP_2_12,), (MUTABLE_2_12, MAP_2_12)),
            "0.10.0": PartitionMaps((), (MAP_2_12,), (JAVA,), (JAVA,)),
            "2.1": PartitionMaps((), (MAP_2_12,), (COMPUTED,), (JAVA,)),
            "2.4": PartitionMaps((), (MAP_2_13,), (JAVA,)),
            "3.5": PartitionMaps(first=(MAP_2_13,)),
        }
    )
    """OffsetFetch of partitions that the request names (GroupMetadataManager.getOffsets, OffsetFetchResponse). From 3.5
    on what is refused is added to what is fetched, except from ZooKeeper. Recorded from 0.8.2.2 to 4.3.1: offsets;
    from 2.0.1 to 2.1.0: internal_questions."""

    fetch_all: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((), (MAP_2_12,), (MUTABLE_2_12, MAP_2_12)),
            "0.10.0": PartitionMaps((), (MAP_2_12,), (JAVA,), (JAVA,)),
            "0.10.1": PartitionMaps((MUTABLE_2_12,), (MAP_2_12,), (JAVA,), (JAVA,)),
            "0.10.2": PartitionMaps((MUTABLE_2_12,) * 3, (), (JAVA,), (JAVA,)),
            "2.1": PartitionMaps((MUTABLE_2_12,) * 3, (), (COMPUTED,), (JAVA,)),
            "2.4": PartitionMaps((MUTABLE_2_13,), (MAP_2_13,), (JAVA,)),
            "3.5": PartitionMaps((MUTABLE_2_13,), (MAP_2_13,)),
        }
    )
    """OffsetFetch of everything that a group has committed. Up to 0.10.0 the offsets of all groups are in one map, see
    `coordinators.groups.offsets.map_order.order_of_all`. Recorded from 0.9.0.1 to 4.3.1: offsets."""

    part_of_all: Chain = history({"0.8.0": (), "2.4": (HASH_2_13,), "3.5": ()})
    """What those of them pass then that the client may see, if they were not few: a part of a hash map of Scala 2.13 is
    one, too, even if it is small. Recorded from 3.3.2: random_orders."""

    fetch_refused: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((), (MAP_2_12,), (MUTABLE_2_12, MAP_2_12)),
            "0.10.0": PartitionMaps((MAP_2_12,), (), (JAVA,), (JAVA,)),
            "0.10.2": PartitionMaps((JAVA,), (), (JAVA,), (JAVA,)),
            "2.1": PartitionMaps((JAVA,), (), (COMPUTED,), (JAVA,)),
            "2.4": PartitionMaps((JAVA,), (), (JAVA,)),
        }
    )
    """An OffsetFetch 0 or 1 that is refused for each partition (KafkaApis, later OffsetFetchRequest.getErrorResponse).
    Recorded from 0.10.1.1: random_orders; from 1.1.1 to 3.5.2: rights_questions; version 0 from 3.2.3 to 3.8.1:
    offsets."""

    fetch_key: NamedKey = history({"0.8.0": "TopicAndPartition", "0.10.0": "TopicPartition"})
    """The keys of these maps (OffsetFetchRequest)."""

    fetched_groups: Chain = history({"0.8.0": (MUTABLE_2_13,), "3.5": ()})
    """The groups of an OffsetFetch 8 (KafkaApis.handleOffsetFetchRequestV8AndAbove). Recorded from 3.0.2 to 4.3.1:
    offsets."""

    described_groups: Chain = history({"0.8.0": (MAP_2_12,), "2.3": ()})
    """The groups of DescribeGroups (KafkaApis.handleDescribeGroupRequest). Recorded from 0.9.0.1 to 4.3.1:
    group_classic."""

    members: Chain = history({"0.8.0": (MUTABLE_2_12,), "2.4": (MUTABLE_2_13,)})
    """The members of a described group (GroupMetadata.members). Their ids are made up by brokers, so their order is one
    of chance; the ids that are recorded from 0.9.0.1 to 3.9.2 are in this order: group_classic."""

    refused_groups: Literal["in the maps", "apart"] = history({"0.8.0": "in the maps", "3.5": "apart"})
    """Where groups are for which a client has no right: among the others; or before those that are described and after
    those that are deleted (KafkaApis.handleDescribeGroupsRequest, handleDeleteGroupsRequest). Recorded from 0.9.0.1 to
    4.3.1: acls."""

    groups_named: Chain = history({"0.8.0": (SIZED, MAP_2_12), "2.4": (MAP_2_13,), "4.0": (), "4.1": (COPY,)})
    """The sets that the groups of DeleteGroups pass before they are deleted (DeleteGroupsRequest,
    GroupCoordinatorService.deleteGroups). Recorded from 1.1.1 to 4.3.1: group_classic; from 4.1.0:
    internal_questions."""

    groups_deleted: Chain = history({"0.8.0": (MAP_2_12,), "2.4": (MAP_2_13,), "2.6": (MUTABLE_2_13,)})
    """The maps that they pass afterwards, those that were deleted after those that were not
    (GroupCoordinator.handleDeleteGroups). Recorded from 1.1.1 to 4.3.1: group_classic."""

    offsets_deleted: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((), (MUTABLE_2_13,), (HASH_2_13,), grouped=(MUTABLE_2_13,)),
            "3.5": PartitionMaps(later=(MAP_2_13,)),
        }
    )
    """OffsetDelete (KafkaApis.handleOffsetDeleteRequest, GroupCoordinatorAdapter.deleteOffsets). From 3.5 on what is
    deleted is added to what is refused. Recorded from 2.4.1 to 4.3.1: offsets."""

    added: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((), (MAP_2_12,), (JAVA,), (JAVA,)),
            "2.1": PartitionMaps((), (MAP_2_12,), (COMPUTED,), (JAVA,)),
            "2.4": PartitionMaps((), (MAP_2_13,), (COMPUTED,), (JAVA,)),
            "2.6": PartitionMaps((), (MAP_2_13,), (JAVA,)),
            "3.5": PartitionMaps(),
        }
    )
    """AddPartitionsToTxn (KafkaApis.handleAddPartitionToTxnRequest, AddPartitionsToTxnResponse). Recorded from 0.11.0.3
    to 4.3.1: transactions; from 2.4.0 to 3.3.2: internal_questions."""

    added_in_part: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((), (MAP_2_12,), (JAVA,), (JAVA,)),
            "1.0": PartitionMaps((), (MUTABLE_2_12,), (JAVA,), (JAVA,), first=(MUTABLE_2_12,), later=(MUTABLE_2_12,)),
            "2.1": PartitionMaps(
                (), (MUTABLE_2_12,), (COMPUTED,), (JAVA,), first=(MUTABLE_2_12,), later=(MUTABLE_2_12,)
            ),
            "2.4": PartitionMaps(
                (), (MUTABLE_2_13,), (COMPUTED,), (JAVA,), first=(MUTABLE_2_13,), later=(MUTABLE_2_13,)
            ),
            "2.6": PartitionMaps((), (MUTABLE_2_13,), (JAVA,), first=(MUTABLE_2_13,), later=(MUTABLE_2_13,)),
        }
    )
    """AddPartitionsToTxn if a partition cannot be added, so that none is. Recorded from 0.11.0.3 to 4.3.1:
    transactions."""

    added_refused: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((JAVA,), (), (JAVA,), (JAVA,)),
            "2.1": PartitionMaps((JAVA,), (), (COMPUTED,), (JAVA,)),
            "2.6": PartitionMaps((JAVA,), (), (JAVA,)),
            "3.5": PartitionMaps(),
        }
    )
    """AddPartitionsToTxn if the whole request is refused (AddPartitionsToTxnRequest.getErrorResponse). Recorded from
    0.11.0.3 to 4.3.1: acls."""

    verified: PartitionMaps = history({"0.8.0": PartitionMaps((MUTABLE_2_13,), (MAP_2_13,), (JAVA,))})
    """What brokers ask about (TransactionCoordinator.handleVerifyPartitionsInTransaction). Recorded from 3.6.2 to
    4.3.1: transactions_random."""

    in_transaction: PartitionMaps = history({"0.8.0": PartitionMaps((MUTABLE_2_13,)), "4.1": PartitionMaps((JAVA,))})
    """The partitions of a transaction that DescribeTransactions describes (TransactionMetadata). Recorded from 3.2.3 to
    4.3.1: transactions; from 3.6.2 to 4.3.1: transactions_random."""
