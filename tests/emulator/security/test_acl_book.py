"""Rules are found by the resource that they apply to."""

from fakekafka.security.acl import LITERAL, ResourceType
from fakekafka.security.acl_book import AclBook
from fakekafka.security.rule_words import parsed_rule, rule_text

TOPIC = ResourceType.TOPIC


def book(*rules: str) -> AclBook:
    found = AclBook()
    for text in rules:
        for acl in parsed_rule(text):
            found.add(acl)
    return found


def of_names(*names: str) -> AclBook:
    return book(*(f"User:alice allow Read topic {name}" for name in names))


def shown(book: AclBook, name: str, *, until_unlike: bool) -> set[str]:
    """The names of the rules that apply to a topic; prefixes with a star."""
    acls = book.about_until_unlike(TOPIC, name) if until_unlike else book.about(TOPIC, name)
    return {acl.name + "*" * (acl.pattern != LITERAL) for acl in acls}


def test_literals_prefixes_and_the_wildcard_apply() -> None:
    rules = of_names("orders", "ord*", "order", "orders-2*", "*", "payments")
    for until_unlike in (False, True):
        assert shown(rules, "orders", until_unlike=until_unlike) == {"orders", "ord*", "*"}


def test_a_search_back_through_the_names_ends_at_a_name_that_does_not_fit() -> None:
    rules = of_names("ordeal*", "ord*", "*")
    assert shown(rules, "orders", until_unlike=True) == {"*"}
    assert shown(rules, "orders", until_unlike=False) == {"ord*", "*"}


def test_a_shorter_literal_ends_no_search() -> None:
    assert shown(of_names("order", "ord*"), "orders", until_unlike=True) == {"ord*"}


def test_a_rule_of_another_type_ends_no_search() -> None:
    rules = book("User:alice allow Read topic ord*", "User:alice allow Read group ordeal")
    assert [rule_text(acl) for acl in rules.about_until_unlike(TOPIC, "orders")] == ["User:alice allow Read topic ord*"]
