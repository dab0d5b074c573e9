"""Authorization: SimpleAclAuthorizer, AclAuthorizer and StandardAuthorizer, which weigh rules in the same way.

Super users may do everything; then any rule that denies wins; then any that allows the operation, or one that implies
it; and if there is no rule about the resource, `allow.everyone.if.no.acl.found` decides.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from fakekafka.escaping import escaped
from fakekafka.releases.behaviours.authorization import AuthorizationBehaviour
from fakekafka.security.acl import ALLOW, DENY, LITERAL, WILDCARD, Acl, Operation, ResourceType
from fakekafka.security.acl_book import AclBook
from fakekafka.security.principal import ANYBODY, Principal
from fakekafka.security.rule_words import name_of, rule_text

REMEMBERED: Final = 100
"""How many refusals are remembered."""
HARD_CODED: Final = "hardcode"
"""The resource that stands for any (Authorizer.java)."""


class Resource(NamedTuple):
    """The resource to which a right applies."""

    type: ResourceType
    name: str

    def __str__(self) -> str:
        kind = name_of(self.type).lower()
        return kind if self.type is ResourceType.CLUSTER else f"{kind} {self.name}"


class Denial(NamedTuple):
    """One refusal."""

    principal: Principal
    operation: Operation
    resource: Resource
    host: str
    rule: str | None
    """The rule that denies it; None if merely no rule allows it."""
    allowed_by: str | None
    """The smallest rule that would allow it; None if no rule can, because another denies it."""

    def __str__(self) -> str:
        why = f"denied by {self.rule!r}" if self.rule else "no rule allows it"
        remedy = f"; {self.allowed_by!r} would" if self.allowed_by else ""
        who = f"{self.principal} from {self.host}"
        return escaped(f"{who} may not {name_of(self.operation)} {self.resource}: {why}{remedy}")


CustomAuthorizer: TypeAlias = Callable[[Principal, str, Resource, str], bool]
"""Whether a principal may perform an operation ("Read") on a resource, from a host."""


class Authorizer:
    """The authorizer of a broker. `custom`: decides in place of the rules."""

    def __init__(
        self,
        behaviour: AuthorizationBehaviour,
        acls: AclBook,
        super_users: frozenset[str] = frozenset(),
        *,
        open_without_rules: bool = False,
        custom: CustomAuthorizer | None = None,
    ) -> None:
        self._behaviour, self._acls, self._super_users = behaviour, acls, super_users
        self._open, self._custom = open_without_rules, custom
        self.denials: deque[Denial] = deque(maxlen=REMEMBERED)

    def __repr__(self) -> str:
        return f"<Authorizer with {len(self._acls)} rules>"

    def allows(self, who: Principal, host: str, operation: Operation, kind: ResourceType, name: str) -> bool:
        """Whether `who` may perform the operation. A refusal is remembered."""
        allowed = self.would_allow(who, host, operation, kind, name)
        if not allowed:
            self._remember(who, host, operation, Resource(kind, name))
        return allowed

    def would_allow(self, who: Principal, host: str, operation: Operation, kind: ResourceType, name: str) -> bool:
        """Like `allows`, for answers that only report what is allowed."""
        if self._custom is not None:
            return bool(self._custom(who, name_of(operation), Resource(kind, name), host))
        if str(who) in self._super_users:
            return True
        rules = self._about(kind, name)
        if not rules:
            return self._open
        own = [acl for acl in rules if _is_for(acl, who, host)]
        if _denying(own, operation) is not None:
            return False
        enough = self._behaviour.implied_by.get(operation, frozenset({operation})) | {Operation.ALL}
        if any(acl.permission == ALLOW and acl.operation in enough for acl in own):
            return True
        return self._open and self._behaviour.open_where_none_matches

    def _about(self, kind: int, name: str) -> list[Acl]:
        if self._behaviour.prefixes_shadowed:
            return self._acls.about_until_unlike(kind, name)
        shortest, acls = self._behaviour.shortest_prefix, self._acls.about(kind, name)
        return acls if shortest == 1 else [acl for acl in acls if acl.pattern == LITERAL or len(acl.name) >= shortest]

    def allows_on_any(self, who: Principal, host: str, operation: Operation, kind: ResourceType) -> bool:
        """Whether there is any resource of a type on which `who` may perform an operation (KIP-679)."""
        if self._custom is not None:
            return bool(self._custom(who, name_of(operation), Resource(kind, WILDCARD), host))
        if str(who) in self._super_users:
            return True
        rules = [acl for acl in self._acls.of_type(kind) if _is_for(acl, who, host)]
        fitting = [acl for acl in rules if acl.operation in (operation, Operation.ALL)]
        denied = [acl for acl in fitting if acl.permission == DENY]
        if any(acl.pattern == LITERAL and acl.name == WILDCARD for acl in denied):
            return False
        if self._behaviour.any_sought_by_name:
            if self.would_allow(who, host, operation, kind, HARD_CODED):
                return True
        elif self._open:
            return True
        return any(acl.permission == ALLOW and not _is_dominated(acl, denied) for acl in fitting)

    def _remember(self, who: Principal, host: str, operation: Operation, resource: Resource) -> None:
        smallest = Acl(resource.type, resource.name, LITERAL, str(who), WILDCARD, operation, ALLOW)
        if self._custom is not None:
            self.denials.append(Denial(who, operation, resource, host, "the custom authorizer", None))
            return
        own = (acl for acl in self._about(*resource) if _is_for(acl, who, host))
        denying = _denying(own, operation)
        rule, remedy = (None, rule_text(smallest)) if denying is None else (rule_text(denying), None)
        self.denials.append(Denial(who, operation, resource, host, rule, remedy))


def _is_for(acl: Acl, who: Principal, host: str) -> bool:
    return acl.principal in (str(who), ANYBODY) and acl.host in (host, WILDCARD)


def _denying(own: Iterable[Acl], operation: Operation) -> Acl | None:
    """The first rule that denies an operation."""
    denied = (acl for acl in own if acl.permission == DENY and acl.operation in (operation, Operation.ALL))
    return next(denied, None)


def _is_dominated(acl: Acl, denied: Iterable[Acl]) -> bool:
    """Whether everything that a rule allows is denied."""
    return any(
        (other.pattern == LITERAL and acl.pattern == LITERAL and other.name == acl.name)
        or (other.pattern != LITERAL and acl.name.startswith(other.name) and acl.name != WILDCARD)
        for other in denied
    )


def super_users(text: str) -> frozenset[str]:
    """The principals that `super.users` names: "User:root;User:admin"."""
    return frozenset(_principals(text))


def _principals(text: str) -> Iterator[str]:
    for part in text.split(";"):
        if part.strip():
            yield part.strip()
