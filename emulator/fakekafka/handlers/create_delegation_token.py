"""CreateDelegationToken, key 38: a token by which others log in as its owner (KIP-48).

Behaviour: 64 for clients that have not logged in, or did so with a token. -1, as if to nobody, for an owner with a name
but no type (recorded from 3.6.1 to 4.1.1: token_questions).
Versions: 0 - 3.
v3: a token for somebody else, if the client has the right to create it (KIP-373).
"""

from typing import Final

from fakekafka.admin.delegation_tokens import create, secret_key
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import TimestampMs
from fakekafka.security.acl import Operation, ResourceType
from fakekafka.security.principal import ANONYMOUS, Principal
from fakekafka.wire.apis.create_delegation_token import CreateDelegationTokenRequest, CreateDelegationTokenResponse

NO_TIME: Final = -1
"""The times of a refused token, if brokers refuse it and not the quorum."""


def handle(request: CreateDelegationTokenRequest, call: Call) -> CreateDelegationTokenResponse:
    """Create a token."""
    requester = call.principal or ANONYMOUS
    if request.owner_principal_name and request.owner_principal_type is None:
        return _refused(ErrorCode.UNKNOWN_SERVER_ERROR, ANONYMOUS, ANONYMOUS)
    owner = _owner(request, requester)
    if not call.may_have_tokens:
        return _refused(ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED, owner, requester)
    others = owner[:2] != requester[:2]
    if others and not call.authorized(Operation.CREATE_TOKENS, ResourceType.USER, str(owner)):
        return _refused(ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED, owner, requester)
    renewers = [Principal(renewer.principal_type, renewer.principal_name) for renewer in request.renewers]
    try:
        token = create(call.broker, owner, requester, renewers, request.max_lifetime_ms, call.now)
    except ApiError as refused:
        by_quorum = refused.code is ErrorCode.UNSUPPORTED_VERSION
        return _refused(refused.code, owner, requester, time=0 if by_quorum else NO_TIME)
    answer = _refused(ErrorCode.NONE, owner, requester)
    answer.issue_timestamp_ms, answer.expiry_timestamp_ms = token.issued_at_ms, token.expires_at_ms
    answer.max_timestamp_ms, answer.token_id, answer.hmac = (
        token.ends_at_ms,
        token.id,
        token.hmac(secret_key(call.broker)),
    )
    return answer


def _owner(request: CreateDelegationTokenRequest, requester: Principal) -> Principal:
    """The owner of the token: the client, unless another is named."""
    if not request.owner_principal_name:
        return requester
    return Principal(request.owner_principal_type or "", request.owner_principal_name)


def _refused(
    error: ErrorCode, owner: Principal, requester: Principal, time: TimestampMs = NO_TIME
) -> CreateDelegationTokenResponse:
    return CreateDelegationTokenResponse(
        error_code=error,
        principal_type=owner.type,
        principal_name=owner.name,
        token_requester_principal_type=requester.type,
        token_requester_principal_name=requester.name,
        issue_timestamp_ms=time,
        expiry_timestamp_ms=time,
        max_timestamp_ms=time,
    )
