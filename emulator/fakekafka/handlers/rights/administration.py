"""Rights for administering the cluster."""

from typing import Any

from fakekafka.errors import ErrorCode
from fakekafka.handlers.as_map import as_map
from fakekafka.handlers.call import Call, Outcome, Result
from fakekafka.handlers.rights import Handle
from fakekafka.handlers.rights.parts import CLUSTER_ERROR, on_cluster, refuse, refused_rows, then, words_of
from fakekafka.security.acl import CLUSTER_NAME, ResourceType
from fakekafka.security.acl import Operation as Op
from fakekafka.wire.apis.alter_client_quotas import AlterClientQuotasResponse, EntityData, ResponseEntryData
from fakekafka.wire.apis.alter_partition_reassignments import AlterPartitionReassignmentsResponse
from fakekafka.wire.apis.alter_replica_log_dirs import (
    AlterReplicaLogDirPartitionResult,
    AlterReplicaLogDirsResponse,
    AlterReplicaLogDirTopicResult,
)
from fakekafka.wire.apis.alter_user_scram_credentials import (
    AlterUserScramCredentialsResponse,
    AlterUserScramCredentialsResult,
)
from fakekafka.wire.apis.describe_client_quotas import DescribeClientQuotasResponse
from fakekafka.wire.apis.describe_cluster import DescribeClusterResponse
from fakekafka.wire.apis.describe_log_dirs import DescribeLogDirsResponse
from fakekafka.wire.apis.describe_user_scram_credentials import (
    DescribeUserScramCredentialsResponse,
    DescribeUserScramCredentialsResult,
)
from fakekafka.wire.apis.elect_leaders import ElectLeadersResponse, PartitionResult, ReplicaElectionResult
from fakekafka.wire.apis.list_partition_reassignments import OngoingPartitionReassignment, OngoingTopicReassignment
from fakekafka.wire.message import Request, Response

describe_acls = describe_quorum = on_cluster(Op.DESCRIBE)
create_acls = delete_acls = update_features = on_cluster(Op.ALTER)
unregister_broker = add_raft_voter = remove_raft_voter = on_cluster(Op.ALTER)

FIRST_WITH_ERROR = 3
"""DescribeLogDirs: an error at the top."""


def describe_log_dirs(request: Request, call: Call, handle: Handle) -> Result:
    """Describe on the cluster. A refusal is an empty answer, in later versions with an error."""
    if call.authorized_on_cluster(Op.DESCRIBE):
        return handle(request, call)
    is_shown = call.profile.authorization.log_dirs_refusal_shown and call.version >= FIRST_WITH_ERROR
    return DescribeLogDirsResponse(error_code=CLUSTER_ERROR if is_shown else ErrorCode.NONE, results=[])


def list_partition_reassignments(request: Any, call: Call, handle: Handle) -> Result:
    """Describe on the cluster. A refusal has a row for each partition that was asked for (asked of 2.4.1 to 4.3.1)."""
    if call.authorized_on_cluster(Op.DESCRIBE):
        return handle(request, call)
    answer: Any = refuse(request, call, CLUSTER_ERROR)
    answer.topics = [
        OngoingTopicReassignment(
            name=topic.name,
            partitions=[OngoingPartitionReassignment(partition_index=index) for index in topic.partition_indexes],
        )
        for topic in request.topics or ()
    ]
    return answer  # type: ignore[no-any-return]


def describe_user_scram_credentials(request: Any, call: Call, handle: Handle) -> Result:
    """Describe on the cluster. The request is refused as a whole, by later releases with a row without a name for each
    user: these cannot refuse a request that asks for all users, and leave the client waiting (asked of 2.8.2 to 4.3.1).
    """
    if call.authorized_on_cluster(Op.DESCRIBE):
        return handle(request, call)
    has_rows = call.profile.authorization.scram_refusal_has_rows
    if has_rows and request.users is None:
        return Outcome.HANG
    answer: Any = refuse(request, call, CLUSTER_ERROR)
    assert isinstance(answer, DescribeUserScramCredentialsResponse)
    answer.results = [
        DescribeUserScramCredentialsResult(user="", error_code=CLUSTER_ERROR, error_message=None, credential_infos=[])
        for _ in (request.users if has_rows else ())
    ]
    return answer


def describe_cluster(request: Any, call: Call, handle: Handle) -> Result:
    """Needs no right; the authorized operations on the cluster are listed if the client asks for them."""

    def finish(response: Response) -> Response:
        assert isinstance(response, DescribeClusterResponse)
        if request.include_cluster_authorized_operations and not response.error_code:
            may = call.would_allow_on_cluster(Op.DESCRIBE)
            response.cluster_authorized_operations = call.operations(ResourceType.CLUSTER, CLUSTER_NAME) if may else 0
        return response

    return then(handle(request, call), finish)


def describe_client_quotas(request: Request, call: Call, handle: Handle) -> Result:
    """DescribeConfigs on the cluster."""
    if call.authorized_on_cluster(Op.DESCRIBE_CONFIGS):
        return handle(request, call)
    return DescribeClientQuotasResponse(
        error_code=CLUSTER_ERROR, error_message=words_of(call, CLUSTER_ERROR), entries=None
    )


def alter_client_quotas(request: Any, call: Call, handle: Handle) -> Result:
    """AlterConfigs on the cluster."""
    if call.authorized_on_cluster(Op.ALTER_CONFIGS):
        return handle(request, call)
    hidden = call.profile.authorization.quota_refusal_hidden
    error, words = (ErrorCode.NONE, "") if hidden else (CLUSTER_ERROR, words_of(call, CLUSTER_ERROR))
    rows = [
        ResponseEntryData(
            error_code=error,
            error_message=words,
            entity=[EntityData(entity_type=e.entity_type, entity_name=e.entity_name) for e in asked.entity],
        )
        for asked in request.entries
    ]
    return AlterClientQuotasResponse(entries=rows)


def alter_replica_log_dirs(request: Any, call: Call, handle: Handle) -> Result:
    """Alter on the cluster."""
    if call.authorized_on_cluster(Op.ALTER):
        return handle(request, call)
    call.refused_as_a_whole = True
    return AlterReplicaLogDirsResponse(
        results=[
            AlterReplicaLogDirTopicResult(
                topic_name=topic.name,
                partitions=[
                    AlterReplicaLogDirPartitionResult(partition_index=index, error_code=CLUSTER_ERROR)
                    for index in topic.partitions
                ],
            )
            for directory in request.dirs
            for topic in directory.topics
        ]
    )


def alter_partition_reassignments(request: Any, call: Call, handle: Handle) -> Result:
    """Alter on the cluster; the error is at the top and at each partition."""
    if call.authorized_on_cluster(Op.ALTER):
        return handle(request, call)
    call.refused_as_a_whole = True
    refused = [(topic, CLUSTER_ERROR) for topic in request.topics]
    return AlterPartitionReassignmentsResponse(
        error_code=CLUSTER_ERROR,
        error_message=words_of(call, CLUSTER_ERROR),
        responses=refused_rows(AlterPartitionReassignmentsResponse, "responses", refused, call),
    )


def elect_leaders(request: Any, call: Call, handle: Handle) -> Result:
    """Alter on the cluster; the error is at the top, if there is room for it, and at each partition. Brokers under
    ZooKeeper keep the partitions in a map.
    """
    if call.authorized_on_cluster(Op.ALTER):
        return handle(request, call)
    call.refused_as_a_whole = True
    words = words_of(call, CLUSTER_ERROR)
    asked = [(topic.topic, list(topic.partitions)) for topic in request.topic_partitions or ()]
    if not call.profile.admin.by_controllers:
        asked = as_map(asked, lambda index: index)
    rows = [
        ReplicaElectionResult(
            topic=name,
            partition_result=[
                PartitionResult(partition_id=index, error_code=CLUSTER_ERROR, error_message=words) for index in indexes
            ],
        )
        for name, indexes in asked
    ]
    return ElectLeadersResponse(error_code=CLUSTER_ERROR, replica_election_results=rows)


def alter_user_scram_credentials(request: Any, call: Call, handle: Handle) -> Result:
    """Alter on the cluster; the error is at each user."""
    if call.authorized_on_cluster(Op.ALTER):
        return handle(request, call)
    users = dict.fromkeys(change.name for change in (*request.deletions, *request.upsertions))
    words = words_of(call, CLUSTER_ERROR)
    return AlterUserScramCredentialsResponse(
        results=[
            AlterUserScramCredentialsResult(user=user, error_code=CLUSTER_ERROR, error_message=words) for user in users
        ]
    )
