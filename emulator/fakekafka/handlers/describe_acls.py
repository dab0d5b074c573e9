"""DescribeAcls, key 29, of a broker without an authorizer: 54, security is off (KIP-140).

Versions: 0 - 3, all alike.
Not done: authorizers.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.describe_acls import DescribeAclsRequest, DescribeAclsResponse


def handle(request: DescribeAclsRequest, call: Call) -> DescribeAclsResponse:
    """No."""
    words = "No Authorizer is configured on the broker"
    return DescribeAclsResponse(error_code=ErrorCode.SECURITY_DISABLED, error_message=words, resources=[])
