"""AlterUserScramCredentials, key 51: set and delete users' passwords (KIP-554).

Behaviour: either all changes for a user are made, or none. See `admin/scram.py`.
Versions: 0.
"""

from fakekafka.admin.scram import Upsertion, alter
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
    AlterUserScramCredentialsResult,
)


def handle(request: AlterUserScramCredentialsRequest, call: Call) -> AlterUserScramCredentialsResponse:
    """Alter what can be altered."""
    changes = [Upsertion(deletion.name, deletion.mechanism, None) for deletion in request.deletions]
    changes += [Upsertion(u.name, u.mechanism, u.iterations, u.salt, u.salted_password) for u in request.upsertions]
    for upsertion in request.upsertions:
        upsertion.salted_password = b""  # the journal keeps the request
    if call.reaches_controller:
        outcomes = alter(call.broker, changes)
    else:
        outcomes = dict.fromkeys([change.user for change in changes], ApiError(ErrorCode.NOT_CONTROLLER))
    done = call.profile.admin.credential_message
    return AlterUserScramCredentialsResponse(
        results=[
            AlterUserScramCredentialsResult(
                user=user,
                error_code=ErrorCode.NONE if refused is None else refused.code,
                error_message=done if refused is None else refused.message,
            )
            for user, refused in outcomes.items()
        ]
    )
