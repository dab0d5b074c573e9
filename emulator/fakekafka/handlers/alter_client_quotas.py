"""AlterClientQuotas, key 49: set and remove quotas of users, clients and addresses (KIP-546).

Behaviour: each entity stands for itself. See `admin/quotas.py`.
Versions: 0 - 1, both alike.
Not done: enforcing quotas.
"""

from fakekafka.admin.quotas import QuotaChange, alter
from fakekafka.errors import ApiError
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.alter_client_quotas import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    EntityData,
    EntryData,
    ResponseEntryData,
)


def handle(request: AlterClientQuotasRequest, call: Call) -> AlterClientQuotasResponse:
    """Alter what can be altered."""
    return AlterClientQuotasResponse(entries=[_alter(entry, request.validate_only, call) for entry in request.entries])


def _alter(entry: EntryData, validate_only: bool, call: Call) -> ResponseEntryData:
    entity = [(part.entity_type, part.entity_name) for part in entry.entity]
    changes = [QuotaChange(op.key, None if op.remove else op.value) for op in entry.ops]
    names = [EntityData(entity_type=kind, entity_name=name) for kind, name in entity]
    result = ResponseEntryData(error_message=None, entity=names)
    try:
        alter(call.broker, entity, changes, validate_only=validate_only)
    except ApiError as refused:
        result.error_code, result.error_message = refused.code, refused.message
    return result
