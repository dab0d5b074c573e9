"""The OpenAPI 3.1 document of the control API, made from its operations."""

from collections.abc import Sequence
from typing import Any, Final

from fakekafka.control.operations import IN_QUERY, Operation, Parameter, is_file
from fakekafka.control.values import Schema, Schemas, written

ABOUT: Final = (
    "Commands a fakekafka cluster from any language. Each operation is a method of the Python class FakeKafka, or"
    " stands beside it. Bytes, such as keys and values of records, are strings where they are UTF-8, and otherwise"
    " objects with base64. Off loopback, every request needs a bearer token."
)
ERROR: Final[Schema] = {
    "type": "object",
    "properties": {"error": {"type": "string"}, "reason": {"type": "string"}},
    "required": ["error", "reason"],
    "description": "What went wrong, and what to do instead.",
}
ERRORS: Final = {
    400: "The call cannot be carried out; the reason says what would be right.",
    401: "The token is missing or wrong.",
    403: "Requests from that site or address are refused.",
    408: "What the call waits for did not happen in time; the reason says what there is instead.",
    409: "A broker of that release would not start.",
    413: "The body is too large.",
    415: "The body has the wrong content type.",
}
VERSION: Final = "1"


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The description of these operations."""
    schemas = Schemas()
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, schemas)
    responses = {_error_name(status): _error(words) for status, words in ERRORS.items()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "fakekafka control", "version": VERSION, "description": ABOUT},
        "tags": [{"name": name} for name in dict.fromkeys(each.subject for each in operations)],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": {**schemas.named, "Error": ERROR},
            "responses": responses,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(operation: Operation, schemas: Schemas) -> dict[str, Any]:
    described = operation.described
    summary, _, rest = described.text.partition("\n\n")
    answer = _content(described.result, schemas)
    description: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.subject],
        "summary": " ".join(summary.split()),
        "responses": {"200": {"description": "It was done.", "content": answer}} | _errors(),
    }
    if rest:
        description["description"] = rest
    parameters = [_parameter(described.parameters[name], "path", schemas) for name in operation.in_path]
    if operation.method in IN_QUERY:
        parameters += [_parameter(each, "query", schemas) for each in operation.others]
    else:
        description["requestBody"] = _body(operation, schemas)
    return description | ({"parameters": parameters} if parameters else {})


def _parameter(parameter: Parameter, place: str, schemas: Schemas) -> dict[str, Any]:
    schema = _with_default(parameter, schemas)
    return {
        "name": parameter.name,
        "in": place,
        "required": parameter.is_required,
        "description": f"See the description: `{parameter.name}`.",
        "schema": schema,
    }


def _with_default(parameter: Parameter, schemas: Schemas) -> Schema:
    schema = schemas.of(parameter.hint)
    if parameter.is_required or parameter.default is None:
        return schema
    return schema | {"default": written(parameter.default)}


def _body(operation: Operation, schemas: Schemas) -> dict[str, Any]:
    if operation.body:
        hint = operation.described.parameters[operation.body].hint
        return {"required": True, "content": _content(hint, schemas)}
    others = operation.others
    schema: Schema = {
        "type": "object",
        "properties": {each.name: _with_default(each, schemas) for each in others},
        "additionalProperties": False,
    }
    required = [each.name for each in others if each.is_required]
    if required:
        schema["required"] = required
    return {"required": bool(required), "content": {"application/json": {"schema": schema}}}


def _content(hint: Any, schemas: Schemas) -> dict[str, Any]:
    if is_file(hint):
        return {hint.CONTENT_TYPE: {"schema": {"type": "string", "format": "binary"}}}
    return {"application/json": {"schema": schemas.of(hint)}}


def _errors() -> dict[str, Any]:
    return {str(status): {"$ref": f"#/components/responses/{_error_name(status)}"} for status in ERRORS}


def _error_name(status: int) -> str:
    return f"Status{status}"


def _error(words: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": words, "content": {"application/json": {"schema": schema}}}
