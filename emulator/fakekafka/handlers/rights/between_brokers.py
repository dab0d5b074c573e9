"""Rights for requests between brokers: ClusterAction on the cluster."""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result
from fakekafka.handlers.rights import Guard, Handle
from fakekafka.handlers.rights.parts import CLUSTER_ERROR, on_cluster, refuse
from fakekafka.security.acl import Operation
from fakekafka.wire.apis import response_class
from fakekafka.wire.message import Request

_brokers_only: Guard = on_cluster(Operation.CLUSTER_ACTION)
update_metadata = controlled_shutdown = alter_partition = allocate_producer_ids = _brokers_only
initialize_share_group_state = read_share_group_state = write_share_group_state = _brokers_only
delete_share_group_state = read_share_group_state_summary = _brokers_only


def leader_and_isr(request: Request, call: Call, handle: Handle) -> Result:
    """0.9 does not answer clients without the right."""
    if call.authorized_on_cluster(Operation.CLUSTER_ACTION):
        return handle(request, call)
    if not call.profile.authorization.refuses_controllers_silently:
        return refuse(request, call, CLUSTER_ERROR)
    return response_class(call.key)(error_code=ErrorCode.NONE)


stop_replica = leader_and_isr
