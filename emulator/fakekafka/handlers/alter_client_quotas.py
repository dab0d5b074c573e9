"""AlterClientQuotas, key 49: set and remove quotas of users, clients and addresses (KIP-546).

Behaviour: each entity is handled separately. See `admin/quotas.py`. Entities are kept as maps, whose orders decide
which mistake is named (recorded from 2.7.2 to 4.3.1: odd_admin).
Versions: 0 - 1, both alike.
"""

from fakekafka.admin.quotas import QuotaChange, alter
from fakekafka.errors import NOT_THE_CONTROLLER, ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.wire.apis.alter_client_quotas import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    EntityData,
    EntryData,
    ResponseEntryData,
)


def handle(request: AlterClientQuotasRequest, call: Call) -> AlterClientQuotasResponse:
    """Alter what can be altered."""
    if call.broker.cluster.controller_has_failed:
        return AlterClientQuotasResponse(entries=list(map(_refused, request.entries)))
    refuses = call.profile.quotas.same_entity_twice == "refused"
    results: dict[tuple[tuple[str, str | None], ...], ResponseEntryData] = {}
    for entry in request.entries:
        entity = tuple(sorted(_names(entry).items()))
        again = entity in results or _names_key_twice(entry)
        results[entity] = _twice(entry) if refuses and again else _alter(entry, request, call)
    return AlterClientQuotasResponse(entries=list(results.values()))


def _refused(entry: EntryData) -> ResponseEntryData:
    """The answer of a controller that has failed."""
    entity = [EntityData(entity_type=part.entity_type, entity_name=part.entity_name) for part in entry.entity]
    return ResponseEntryData(error_code=ErrorCode.NOT_CONTROLLER, error_message=NOT_THE_CONTROLLER, entity=entity)


def _names(entry: EntryData) -> dict[str, str | None]:
    """The entity; if it names a type twice, the last name counts."""
    named = {part.entity_type: part.entity_name for part in entry.entity}
    return {kind: named[kind] for kind in texts_in_order(named, MapKind.JAVA_SIZED)}


def _names_key_twice(entry: EntryData) -> bool:
    return len({op.key for op in entry.ops}) < len(entry.ops)


def _twice(entry: EntryData) -> ResponseEntryData:
    shown = ", ".join(f"{kind}={'null' if name is None else name}" for kind, name in _names(entry).items())
    return ResponseEntryData(
        error_code=ErrorCode.INVALID_REQUEST,
        error_message=f"Ignoring duplicate entity ClientQuotaEntity(entries={{{shown}}})",
        entity=[EntityData(entity_type=kind, entity_name=name) for kind, name in _names(entry).items()],
    )


def _alter(entry: EntryData, request: AlterClientQuotasRequest, call: Call) -> ResponseEntryData:
    entity = list(_names(entry).items())
    changes = [QuotaChange(op.key, None if op.remove else op.value) for op in entry.ops]
    if call.profile.admin.by_controllers:  # which have them in a map
        by_key = {change.key: change for change in changes}
        changes = [by_key[key] for key in texts_in_order(by_key, MapKind.JAVA_SIZED)]
    names = [EntityData(entity_type=kind, entity_name=name) for kind, name in entity]
    result = ResponseEntryData(error_message=None, entity=names)
    try:
        alter(call.broker, entity, changes, validate_only=request.validate_only)
    except ApiError as refused:
        result.error_code, result.error_message = refused.code, refused.message
    return result
