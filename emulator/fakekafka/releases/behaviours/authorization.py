"""What a client must be allowed, and what becomes of requests that are not allowed: which error, and where in the
answer.

Class names: KafkaApis, AuthHelper, ControllerApis; SimpleAclAuthorizer (to 2.3), AclAuthorizer (2.4 on, under
ZooKeeper), StandardAuthorizer (KRaft). Recorded at 0.9.0.1, 0.10.0.1, 0.10.1.1, 0.10.2.2, 0.11.0.3, 1.1.1, 2.0.1,
2.2.2, 2.4.1, 2.7.2, 2.8.2, 3.0.2, 3.3.2, 3.5.2, 3.8.1, 3.9.1, 4.0.0, 4.1.1 and 4.3.1: acls. A value that changes does
so somewhere between two of these.
"""

from collections.abc import Mapping
from typing import Final, Literal

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history

READ, WRITE, DELETE, ALTER, DESCRIBE, DESCRIBE_CONFIGS, ALTER_CONFIGS = 3, 4, 6, 7, 8, 10, 11
"""Numbers of AclOperation."""
CREATE, CLUSTER_ACTION, IDEMPOTENT_WRITE = 5, 9, 12
TOPIC, GROUP, CLUSTER = 2, 3, 4
"""Numbers of ResourceType."""
_OF_TOPIC: Final = (READ, WRITE, CREATE, DELETE, ALTER, DESCRIBE, DESCRIBE_CONFIGS, ALTER_CONFIGS)
_OF_CLUSTER: Final = (CREATE, CLUSTER_ACTION, DESCRIBE_CONFIGS, ALTER_CONFIGS, IDEMPOTENT_WRITE, ALTER, DESCRIBE)
_CONFIGS: Final = frozenset({DESCRIBE_CONFIGS, ALTER_CONFIGS})


class AuthorizationBehaviour(Behaviours):
    """Rights, where an authorizer is configured."""

    implied_by: Mapping[int, frozenset[int]] = history(
        {
            "0.8.0": {DESCRIBE: frozenset({DESCRIBE, READ, WRITE})},
            "0.10.1": {DESCRIBE: frozenset({DESCRIBE, READ, WRITE, DELETE})},
            "0.11.0": {
                DESCRIBE: frozenset({DESCRIBE, READ, WRITE, DELETE, ALTER}),
                DESCRIBE_CONFIGS: _CONFIGS,
            },
        }
    )
    """Which operations, if allowed, allow which others. Recorded."""

    shortest_prefix: int = history({"0.8.0": 1, "2.0": 2, "2.1.1": 1})
    """How long a prefix must be to apply to anything. Recorded from 2.0.1 to 2.3.1: acls_rules."""

    prefixes_shadowed: bool = history({"0.8.0": False}, kraft={"2.8": True, "3.3.1": False})
    """Whether rules are read by name, from the resource's own back to the first, and only up to one whose name the
    resource's does not begin with (KAFKA-14265). Recorded at 3.2.0, 3.3.0 and 3.3.1: weighed_rules."""

    open_where_none_matches: bool = history({"0.8.0": False}, kraft={"2.8": True, "3.3.2": False})
    """Whether `allow.everyone.if.no.acl.found` allows whatever no rule matches, even if the resource has rules
    (KAFKA-14435). Recorded at 3.2.0, 3.3.1 and 3.3.2: weighed_rules."""

    any_sought_by_name: bool = history({"0.8.0": False}, kraft={"2.8": True})
    """Whether a right on any resource of a type is there for all who have it on one called "hardcode"
    (Authorizer.java), rather than wherever `allow.everyone.if.no.acl.found` holds. Recorded at 2.4.0 and 3.3.2:
    weighed_rules."""

    operations: Mapping[int, tuple[int, ...]] = history(
        {
            "0.8.0": {TOPIC: _OF_TOPIC, GROUP: (READ, DELETE, DESCRIBE), CLUSTER: _OF_CLUSTER},
            "4.0": {
                TOPIC: _OF_TOPIC,
                GROUP: (READ, DELETE, DESCRIBE, DESCRIBE_CONFIGS, ALTER_CONFIGS),
                CLUSTER: _OF_CLUSTER,
            },
        }
    )
    """The operations with each type of resource, where an answer tells what a client may do. Recorded."""

    hides_topics: bool = history({"0.8.0": False, "0.10.1": True, "1.0": False})
    """Whether a topic that a client may not describe is unknown to it (3) rather than forbidden (29). Recorded."""

    describes_topics: bool = history({"0.8.0": False, "4.0": True})
    """Whether a group of a newer protocol is described only to those who may describe its topics. Asked of 3.9.1;
    recorded from 4.0.0 to 4.3.1: acls_members.
    """

    refuses_controllers_silently: bool = history({"0.8.0": True, "0.10.0": False})
    """Whether LeaderAndIsr and StopReplica from a client that is not a broker are answered as if all were well.
    Recorded."""

    quota_refusal_hidden: bool = history({"0.8.0": False, "2.8": True, "2.8.1": False})
    """Whether an AlterClientQuotas that is forbidden is answered as if it had been done (KAFKA-13258). Recorded from
    2.7.2 to 2.8.2: acls."""

    log_dirs_refusal_shown: bool = history({"0.8.0": False, "3.2": True})
    """Whether DescribeLogDirs v3+ says that it is forbidden (31). Recorded."""

    scram_refusal_has_rows: bool = history({"0.8.0": False, "3.2": True})
    """Whether a refused DescribeUserScramCredentials has a row without a name for each user. Recorded."""

    last_set_decides: bool = history({"0.8.0": True, "2.1": False})
    """Whether the last set of a Produce request decides if it is transactional or idempotent; if not, any set does.
    Recorded from 1.1.1 to 2.3.1: rights_questions."""

    null_transactional_id: ErrorCode = history(
        {
            "0.8.0": ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
            "2.0": ErrorCode.UNKNOWN_SERVER_ERROR,
            "2.1": ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        }
    )
    """The error of transactional records without a transactional id, where rights are checked. Recorded from 1.1.1 to
    2.3.1: rights_questions."""

    idempotence_needs_cluster: bool = history({"0.8.0": True, "2.8": False})
    """Whether records with a producer id need IdempotentWrite on the cluster (KIP-679). Recorded."""

    epochs_by_topic: bool = history({"0.8.0": False, "2.1": True})
    """Whether Describe on a topic is enough for OffsetForLeaderEpoch (KIP-320). Recorded."""

    operations_of_refused_group: int = history({"0.8.0": 0, "2.5": -2147483648})
    """The authorized operations of a group that may not be described. Recorded."""

    group_list: Literal["refused", "filtered"] = history({"0.8.0": "refused", "2.1": "filtered"})
    """ListGroups from a client that may not describe the cluster. Recorded."""

    unknown_topics_first: bool = history({"0.8.0": True, "0.10.1": False})
    """Whether OffsetCommit reveals to every client which topics do not exist. Recorded."""

    offset_fetch_needs: int = history({"0.8.0": READ, "1.0": DESCRIBE})
    """The operation on a group that OffsetFetch needs. Recorded."""

    epoch_of_refused_producer: int = history({"0.8.0": 0, "2.3": -1})
    """The epoch in a refused InitProducerId. Recorded."""

    follower_needs: Literal["read", "both", "cluster action"] = history(
        {
            "0.8.0": "read",
            "0.10.2.2": "both",
            "0.11.0": "read",
            "0.11.0.3": "both",
            "1.0": "read",
            "1.0.1": "both",
            "1.1": "cluster action",
        }
    )
    """What a Fetch that claims to come from a follower needs: Read on the topic, ClusterAction, or both. Where Read is
    enough, clients can pass for followers (CVE-2018-1288). Recorded from 0.10.2.1 to 1.1.1: acls."""

    hidden_behind_cursor: bool = history({"0.8.0": True, "4.1": False, "4.2": True})
    """Whether DescribeTopicPartitions also lists topics that the client may not see and that come behind the place
    where the answer ends (DescribeTopicPartitionsRequestHandler). Recorded from 3.9.1 to 4.3.1: cursor_rights."""

    cluster_deletes_topics: bool = history({"0.8.0": False}, kraft={"2.8": True})
    """Whether Delete on the cluster suffices to delete any topic (ControllerApis.deleteTopics). Recorded from 4.2.1:
    random_orders."""

    markers_by_alter: bool = history({"0.8.0": False, "3.8": True})
    """Whether Alter on the cluster is enough for WriteTxnMarkers. Recorded."""

    create_on_topic: bool = history({"0.8.0": False, "2.0": True})
    """Whether Create on a topic is enough to make it (KIP-277). Recorded."""

    refused_topic_has_config_error: bool = history({"0.8.0": True}, kraft={"2.8": False})
    """Whether a topic that may not be created is reported to have forbidden configs as well. Recorded."""

    lists_forbidden_topics: bool = history({"0.8.0": False, "0.10.0": True, "0.10.1": False})
    """Whether Metadata of all topics names those that may not be described. Recorded."""

    refused_offset_fetch_is_answer_0: bool = history({"0.8.0": True, "0.10.0": False})
    """Whether an OffsetFetch of a group that may not be read is answered with correlation id 0. Recorded."""

    rights_on_users: bool = history({"0.8.0": False, "3.3": True})
    """Whether there are rights on users: to describe their tokens, and to create some (KIP-373). Recorded from
    2.6.3 to 4.3.1: random_users, tokens."""
