"""Access control entries, and filters over them (AclBinding, AclBindingFilter, ResourcePatternFilter).

Types, operations and permissions are the numbers that requests have; `rule_words` knows their names.
"""

from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias


class ResourceType(IntEnum):
    """The kinds of resources (org.apache.kafka.common.resource.ResourceType)."""

    TOPIC = 2
    GROUP = 3
    CLUSTER = 4
    TRANSACTIONAL_ID = 5
    DELEGATION_TOKEN = 6
    USER = 7


class Operation(IntEnum):
    """The operations (org.apache.kafka.common.acl.AclOperation)."""

    ALL = 2
    READ = 3
    WRITE = 4
    CREATE = 5
    DELETE = 6
    ALTER = 7
    DESCRIBE = 8
    CLUSTER_ACTION = 9
    DESCRIBE_CONFIGS = 10
    ALTER_CONFIGS = 11
    IDEMPOTENT_WRITE = 12
    CREATE_TOKENS = 13
    DESCRIBE_TOKENS = 14
    TWO_PHASE_COMMIT = 15


NOTHING: Final = 0
"""A type, operation or permission that does not specify anything."""
ANY: Final = 1
CLUSTER: Final = ResourceType.CLUSTER
CLUSTER_NAME: Final = "kafka-cluster"
MATCH, LITERAL, PREFIXED = 2, 3, 4
DENY, ALLOW = 2, 3
WILDCARD: Final = "*"
"""The literal name that stands for every name."""

Resource: TypeAlias = tuple[int, str, int]
"""Type, name, pattern type."""


class Acl(NamedTuple):
    """One entry: what a principal may, or may not, do with a resource, from a host."""

    resource_type: int
    name: str
    pattern: int
    principal: str
    host: str
    operation: int
    permission: int

    @property
    def resource(self) -> Resource:
        return self[:3]


class AclFilter(NamedTuple):
    """An entry with gaps: None, and `ANY`, match everything."""

    resource_type: int
    name: str | None
    pattern: int
    principal: str | None
    host: str | None
    operation: int
    permission: int

    @property
    def says_nothing(self) -> bool:
        return NOTHING in (self.resource_type, self.pattern, self.operation, self.permission)

    def matches(self, acl: Acl) -> bool:
        """Whether the filter matches `acl`."""
        return (
            self.resource_type in (ANY, acl.resource_type)
            and self._matches_name(acl)
            and self.principal in (None, acl.principal)
            and self.host in (None, acl.host)
            and self.operation in (ANY, acl.operation)
            and self.permission in (ANY, acl.permission)
        )

    def _matches_name(self, acl: Acl) -> bool:
        if self.pattern == MATCH:
            return self.name is None or self._is_covered(acl)
        return self.pattern in (ANY, acl.pattern) and self.name in (None, acl.name)

    def _is_covered(self, acl: Acl) -> bool:
        """Whether `acl` applies to the resource with the name of the filter."""
        if acl.pattern == PREFIXED:
            return self.name is not None and self.name.startswith(acl.name)
        return acl.name in (self.name, WILDCARD)
