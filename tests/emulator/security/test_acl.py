"""Filters over access control entries. Which entries each of them found was asked of 2.0.1 to 4.2.1."""

import pytest
from fakekafka.security.acl import ANY, LITERAL, MATCH, PREFIXED, Acl, AclFilter

TOPIC, READ, ALLOW, DENY = 2, 3, 3, 2
EVERYTHING = AclFilter(ANY, None, ANY, None, None, ANY, ANY)


def acl(name: str, pattern: int = LITERAL, principal: str = "User:a", host: str = "*", permission: int = ALLOW) -> Acl:
    return Acl(TOPIC, name, pattern, principal, host, READ, permission)


ACLS = {
    "t": acl("t"),
    "deny": acl("tt", permission=DENY),
    "prefix": acl("pre", PREFIXED),
    "all names": acl("*", principal="User:*"),
    "no host": acl("t", host=""),
}


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (EVERYTHING, ["t", "deny", "prefix", "all names", "no host"]),
        (EVERYTHING._replace(name="t"), ["t", "no host"]),
        (EVERYTHING._replace(name="t", pattern=LITERAL), ["t", "no host"]),
        (EVERYTHING._replace(name="t", pattern=MATCH), ["t", "all names", "no host"]),
        (EVERYTHING._replace(name="prefix", pattern=MATCH), ["prefix", "all names"]),
        (EVERYTHING._replace(name="pre"), ["prefix"]),
        (EVERYTHING._replace(pattern=PREFIXED), ["prefix"]),
        (EVERYTHING._replace(pattern=MATCH), ["t", "deny", "prefix", "all names", "no host"]),
        (EVERYTHING._replace(principal="User:*"), ["all names"]),
        (EVERYTHING._replace(principal="*"), []),
        (EVERYTHING._replace(host=""), ["no host"]),
        (EVERYTHING._replace(permission=DENY), ["deny"]),
        (EVERYTHING._replace(operation=4), []),
        (EVERYTHING._replace(resource_type=3), []),
        (EVERYTHING._replace(resource_type=99), []),
        (EVERYTHING._replace(name=""), []),
    ],
)
def test_a_filter_finds_what_a_broker_finds(wanted: AclFilter, found: list[str]) -> None:
    assert [name for name, entry in ACLS.items() if wanted.matches(entry)] == found


@pytest.mark.parametrize("gap", ["resource_type", "pattern", "operation", "permission"])
def test_a_filter_with_a_0_says_nothing(gap: str) -> None:
    assert EVERYTHING._replace(**{gap: 0}).says_nothing  # type: ignore[arg-type]
    assert not EVERYTHING.says_nothing
