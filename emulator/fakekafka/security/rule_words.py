"""Rules as texts: `User:alice allow Read,Write topic orders`.

    PRINCIPAL allow|deny OPERATIONS TYPE NAME [from HOST]

A name that ends in a star is a prefix, and a lone star means every name; `cluster` needs no name. Names with blanks
cannot be written this way: use `Acl`.
"""

from collections.abc import Iterator
from typing import Final

from fakekafka.errors import UsageError
from fakekafka.security.acl import (
    ALLOW,
    CLUSTER_NAME,
    DENY,
    LITERAL,
    PREFIXED,
    WILDCARD,
    Acl,
    Operation,
    ResourceType,
)

FORM: Final = "'User:alice allow Read,Write topic orders', maybe with 'from 10.0.0.7' at its end"
PERMISSIONS: Final = {"allow": ALLOW, "deny": DENY}
FEWEST_WORDS: Final = 4


def name_of(number: ResourceType | Operation) -> str:
    """ "TransactionalId", "DescribeConfigs": an enum name in the spelling of Kafka's command line tools."""
    return "".join(part.capitalize() for part in number.name.split("_"))


TYPES: Final = {name_of(kind).lower(): kind for kind in ResourceType} | {
    "transactional-id": ResourceType.TRANSACTIONAL_ID
}
OPERATIONS: Final = {name_of(operation).lower(): operation for operation in Operation}


def parsed_rule(text: str) -> Iterator[Acl]:
    """The entries that a rule stands for, one for each operation. Raises `UsageError`."""
    words, host = text.split(), WILDCARD
    if len(words) > FEWEST_WORDS and words[-2].lower() == "from":
        *words, _, host = words
    if len(words) == FEWEST_WORDS and words[3].lower() == "cluster":
        words.append(CLUSTER_NAME)
    if len(words) != FEWEST_WORDS + 1 or words[1].lower() not in PERMISSIONS or words[3].lower() not in TYPES:
        raise UsageError(f"acls: {text!r} is not a rule; a rule reads {FORM}")
    principal, permission, operations, kind, name = words
    if ":" not in principal:
        raise UsageError(f"acls: {principal!r} in {text!r} is not a principal; a principal reads User:alice")
    pattern = PREFIXED if name.endswith(WILDCARD) and name != WILDCARD else LITERAL
    name = name.removesuffix(WILDCARD) if pattern == PREFIXED else name
    for word in operations.split(","):
        operation = OPERATIONS.get(word.lower())
        if operation is None:
            raise UsageError(f"acls: no operation is called {word!r}: one of {', '.join(map(name_of, Operation))}")
        place = TYPES[kind.lower()], name, pattern
        yield Acl(*place, principal, host, operation, PERMISSIONS[permission.lower()])


def rule_text(acl: Acl) -> str:
    """An entry as a text."""
    name = acl.name + (WILDCARD if acl.pattern == PREFIXED else "")
    kind = name_of(ResourceType(acl.resource_type)).lower()
    what = kind if acl.resource_type == ResourceType.CLUSTER else f"{kind} {name}"
    permission = "allow" if acl.permission == ALLOW else "deny"
    origin = "" if acl.host == WILDCARD else f" from {acl.host}"
    return f"{acl.principal} {permission} {name_of(Operation(acl.operation))} {what}{origin}"
