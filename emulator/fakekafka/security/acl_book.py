"""All access control entries of a cluster, found by the resource that they apply to."""

from collections.abc import Iterator

from fakekafka.security.acl import LITERAL, WILDCARD, Acl


class AclBook:
    """Entries in the order in which they came."""

    def __init__(self) -> None:
        self._entries: dict[Acl, None] = {}
        self._literal: dict[tuple[int, str], list[Acl]] = {}
        self._prefixed: dict[int, list[Acl]] = {}

    def __iter__(self) -> Iterator[Acl]:
        return iter(tuple(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, acl: object) -> bool:
        return acl in self._entries

    def add(self, acl: Acl) -> None:
        """Store an entry; an existing one stays as it is."""
        if acl not in self._entries:
            self._entries[acl] = None
            self._shelf(acl).append(acl)

    def remove(self, acl: Acl) -> None:
        """Remove an entry."""
        del self._entries[acl]
        self._shelf(acl).remove(acl)

    def clear(self) -> None:
        """Remove all entries."""
        for kept in (self._entries, self._literal, self._prefixed):
            kept.clear()

    def _shelf(self, acl: Acl) -> list[Acl]:
        if acl.pattern == LITERAL:
            return self._literal.setdefault((acl.resource_type, acl.name), [])
        return self._prefixed.setdefault(acl.resource_type, [])

    def about(self, kind: int, name: str) -> list[Acl]:
        """The entries that apply to a resource."""
        acls = [*self._literal.get((kind, name), ())]
        if name != WILDCARD:
            acls += self._literal.get((kind, WILDCARD), ())
        return acls + [acl for acl in self._prefixed.get(kind, ()) if name.startswith(acl.name)]

    def about_until_unlike(self, kind: int, name: str) -> list[Acl]:
        """The entries that apply to a resource, as far as they are found by reading the names of a type from `name` or
        "*" back to the first, up to one with which `name` does not begin (StandardAuthorizerData).
        """
        literal_first = sorted(self.of_type(kind), key=lambda acl: acl.pattern != LITERAL)
        by_name = sorted(literal_first, key=lambda acl: acl.name, reverse=True)
        found: dict[Acl, None] = {}
        for start in (name, WILDCARD):
            for acl in (acl for acl in by_name if acl.name <= start):
                is_wildcard = acl.name == WILDCARD and acl.pattern == LITERAL
                if not name.startswith(acl.name) and not is_wildcard:
                    break
                if is_wildcard or acl.pattern != LITERAL or acl.name == name:
                    found[acl] = None
        return list(found)

    def of_type(self, kind: int) -> list[Acl]:
        """The entries for resources of a type."""
        return [acl for acl in self._entries if acl.resource_type == kind]
