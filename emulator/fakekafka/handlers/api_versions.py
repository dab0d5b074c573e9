"""ApiVersions, key 18: what this broker serves (KIP-35, KIP-511, KIP-584).

Behaviour: lists the release's ranges within the caps of the test, whether or not everything is built here.
Versions: 0 - 5. A version that the release lacks is answered before it comes here (`server/manners.py`).
Not done: features.
"""

from fakekafka.handlers.call import Call
from fakekafka.wire.apis.api_versions import ApiVersion, ApiVersionsRequest, ApiVersionsResponse


def handle(request: ApiVersionsRequest, call: Call) -> ApiVersionsResponse:
    """The ranges of every API."""
    keys = [ApiVersion(api_key=key, min_version=r[0], max_version=r[1]) for key, r in call.broker.advertised.items()]
    return ApiVersionsResponse(api_keys=keys)
