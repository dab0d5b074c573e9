"""DescribeUserScramCredentials, key 50: which users have passwords, and how they are hashed (KIP-554).

Behaviour: an empty list asks for all users, whose names ZooKeeper sorts; a user named twice is refused.
Versions: 0.
"""

from collections import Counter

from fakekafka.admin.quota_checks import sanitized
from fakekafka.admin.scram import describe
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.wire.apis.describe_user_scram_credentials import (
    CredentialInfo,
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
    DescribeUserScramCredentialsResult,
)


@stepwise
def handle(request: DescribeUserScramCredentialsRequest, call: Call) -> Stepwise[Result]:
    """Describe the credentials."""
    asked = Counter(user.name for user in request.users or ())
    if not call.profile.admin.by_controllers:
        asked = Counter({user: count if user else 1 for user, count in asked.items()})  # it fails as it is
    results = yield from in_turn(lambda one: _result(one[0], one[1] > 1, call), asked.items())
    if not asked:
        results = _of_all(call)
    return DescribeUserScramCredentialsResponse(error_message="", results=results)


def _of_all(call: Call) -> list[DescribeUserScramCredentialsResult]:
    results = [_result(user, False, call) for user in call.broker.credentials.described()]
    if call.profile.admin.scram_users_encoded:
        for result in results:
            result.user = sanitized(result.user)
    return results if call.profile.admin.by_controllers else sorted(results, key=lambda result: result.user)


def _result(user: str, twice: bool, call: Call) -> DescribeUserScramCredentialsResult:
    result = DescribeUserScramCredentialsResult(user=user, error_message="", credential_infos=[])
    try:
        if twice:
            words = f"Cannot describe SCRAM credentials for the same user twice in a single request: {user}"
            raise ApiError(ErrorCode.DUPLICATE_RESOURCE, words)
        credentials = describe(call.broker, user)
    except ApiError as refused:
        result.error_code, result.error_message = refused.code, refused.message
        return result
    result.credential_infos = [CredentialInfo(mechanism=c.mechanism, iterations=c.iterations) for c in credentials]
    return result
