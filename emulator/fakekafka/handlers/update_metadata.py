"""UpdateMetadata, key 6, from a client: under ZooKeeper, a controller distributes the metadata.

Behaviour: the client is not the controller, so its epoch is stale: 11.
Versions: 0 - 8, all alike.
Not done: obeying a client that knows the controller's epoch.
"""

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.update_metadata import UpdateMetadataRequest, UpdateMetadataResponse


def handle(request: UpdateMetadataRequest, call: Call) -> UpdateMetadataResponse:
    """Refuse the request."""
    return UpdateMetadataResponse(error_code=ErrorCode.STALE_CONTROLLER_EPOCH)
