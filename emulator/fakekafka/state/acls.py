"""Access control entries, and filters over them (AclBinding, AclBindingFilter, ResourcePatternFilter).

They are kept and described, nothing more: there are no SASL or TLS listeners, so every client is `User:ANONYMOUS`, and
may do everything.
"""

from typing import Final, NamedTuple, TypeAlias

from fakekafka.state.configs import BrokerConfig

NOTHING: Final = 0
"""A type, operation or permission that says nothing."""
ANY: Final = 1
CLUSTER: Final = 4
CLUSTER_NAME: Final = "kafka-cluster"
MATCH, LITERAL, PREFIXED = 2, 3, 4
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
        """Whether the filter lets `acl` through."""
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


def has_authorizer(config: BrokerConfig) -> bool:
    """Whether the broker has an authorizer. Without one, security is off."""
    return bool(config.value("authorizer.class.name"))
