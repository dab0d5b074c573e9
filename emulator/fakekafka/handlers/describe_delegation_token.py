"""DescribeDelegationToken, key 41: the tokens that a client may see (KIP-48).

Behaviour: a client sees its own tokens, and others if it has the right to see them. 64 for clients that have not logged
in, or did so with a token. Versions: 0 - 3, all alike.
"""

from typing import TYPE_CHECKING

from fakekafka.admin.delegation_tokens import of_owners, secret_key
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.security.acl import Operation, ResourceType
from fakekafka.security.principal import Principal
from fakekafka.wire.apis.describe_delegation_token import (
    DescribedDelegationToken,
    DescribedDelegationTokenRenewer,
    DescribeDelegationTokenRequest,
    DescribeDelegationTokenResponse,
)

if TYPE_CHECKING:
    from fakekafka.security.tokens import Token


def handle(request: DescribeDelegationTokenRequest, call: Call) -> DescribeDelegationTokenResponse:
    """Describe the tokens."""
    if not call.may_have_tokens:
        code = ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
        return DescribeDelegationTokenResponse(error_code=code, tokens=[])
    owners = None
    if request.owners is not None:
        owners = [Principal(owner.principal_type, owner.principal_name) for owner in request.owners]
    try:
        owned = of_owners(call.broker, owners)
    except ApiError as refused:
        return DescribeDelegationTokenResponse(error_code=refused.code, tokens=[])
    tokens = [_described(token, secret_key(call.broker)) for token in owned if _is_seen(token, call)]
    return DescribeDelegationTokenResponse(error_code=ErrorCode.NONE, tokens=tokens)


def _is_seen(token: "Token", call: Call) -> bool:
    if call.principal is None or token.belongs_to(call.principal):
        return True
    if call.sees(ResourceType.DELEGATION_TOKEN, token.id):
        return True
    if not call.profile.authorization.rights_on_users:
        return False
    return call.would_allow(Operation.DESCRIBE_TOKENS, ResourceType.USER, str(token.owner))


def _described(token: "Token", key: str) -> DescribedDelegationToken:
    return DescribedDelegationToken(
        principal_type=token.owner.type,
        principal_name=token.owner.name,
        token_requester_principal_type=token.requester.type,
        token_requester_principal_name=token.requester.name,
        issue_timestamp=token.issued_at_ms,
        expiry_timestamp=token.expires_at_ms,
        max_timestamp=token.ends_at_ms,
        token_id=token.id,
        hmac=token.hmac(key),
        renewers=[
            DescribedDelegationTokenRenewer(principal_type=renewer.type, principal_name=renewer.name)
            for renewer in token.renewers
        ],
    )
