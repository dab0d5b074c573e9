"""DescribeCluster (key 60): cluster id, controller and brokers.

v0   2.8      first version (KIP-700)
v1   3.7      endpoint type: controllers instead of brokers (KIP-919)
v2   4.0      fenced brokers, when asked for (KIP-1073)
"""

from fakekafka.ids import OPERATIONS_NOT_ASKED_FOR
from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, string


class DescribeClusterRequest(Request, key=60, versions="0-2", flexible="0+"):
    include_cluster_authorized_operations: boolean = field("0+")
    endpoint_type: int8 = field("1+", default=1)  # 1 brokers, 2 controllers
    include_fenced_brokers: boolean = field("2+")


class DescribeClusterBroker(Struct):
    broker_id: int32 = field("0+")
    host: string = field("0+")
    port: int32 = field("0+")
    rack: string | None = field("0+", default=None)
    is_fenced: boolean = field("2+")


class DescribeClusterResponse(Response, key=60, versions="0-2", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    endpoint_type: int8 = field("1+", default=1)  # 1 brokers, 2 controllers
    cluster_id: string = field("0+")
    controller_id: int32 = field("0+", default=-1)
    brokers: list[DescribeClusterBroker] = field("0+")
    # bit n: AclOperation n; lowest int32: not asked for
    cluster_authorized_operations: int32 = field("0+", default=OPERATIONS_NOT_ASKED_FOR)
