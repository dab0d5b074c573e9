"""`ssl.principal.mapping.rules`, with the examples of KIP-371."""

import pytest
from fakekafka.errors import BrokerWillNotStart
from fakekafka.security.mapping_rules import MappingRules, NoRuleApplies

SERVICE = "CN=serviceuser,OU=ServiceUsers,O=Unknown,L=Unknown,ST=Unknown,C=Unknown"
ADMIN = "CN=adminUser,OU=Admin,O=Unknown,L=Unknown,ST=Unknown,C=Unknown"
RULES = (
    "RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/, RULE:^CN=(.*?),OU=(.*?),O=(.*?),L=(.*?),ST=(.*?),C=(.*?)$/$1@$2/L,DEFAULT"
)


@pytest.mark.parametrize(
    ("rules", "name", "mapped"),
    [
        (RULES, SERVICE, "serviceuser"),
        (RULES, ADMIN, "adminuser@admin"),
        (RULES, "CN=other", "CN=other"),
        ("DEFAULT", SERVICE, SERVICE),
        ("RULE:^CN=(\\w+).*$/$1/U", ADMIN, "ADMINUSER"),
        ("RULE:^OU=x$/y/,DEFAULT", SERVICE, SERVICE),
    ],
)
def test_the_first_rule_that_matches_decides(rules: str, name: str, mapped: str) -> None:
    assert MappingRules.parse(rules).apply(name) == mapped


def test_a_name_to_which_no_rule_applies_is_refused() -> None:
    with pytest.raises(NoRuleApplies, match="applies to CN=serviceuser"):
        MappingRules.parse("RULE:^OU=x$/y/").apply(SERVICE)


@pytest.mark.parametrize("text", ["nonsense", "RULE:a/b", "RULE:a/b/X", "DEFAULT,,"])
def test_an_invalid_rule_keeps_the_broker_from_starting(text: str) -> None:
    with pytest.raises(BrokerWillNotStart, match="Invalid rule"):
        MappingRules.parse(text)
