"""Rules are weighed as the real authorizers weigh them; a refusal says which rule caused it, and which would help."""

import pytest
from fakekafka.errors import UsageError
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.security.acl import Operation, ResourceType
from fakekafka.security.acl_book import AclBook
from fakekafka.security.authorizer import Authorizer, super_users
from fakekafka.security.principal import user
from fakekafka.security.rule_words import parsed_rule, rule_text

ALICE, BOB = user("alice"), user("bob")
TOPIC = ResourceType.TOPIC
HOST = "127.0.0.1"


def authorizer(*rules: str, release: str = "3.9", open_without_rules: bool = False) -> Authorizer:
    book = AclBook()
    for text in rules:
        for acl in parsed_rule(text):
            book.add(acl)
    behaviour = profile(Release.parse(release)).authorization
    return Authorizer(behaviour, book, super_users("User:root"), open_without_rules=open_without_rules)


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        (["User:alice allow Read topic orders"], True),
        (["User:alice allow All topic orders"], True),
        (["User:alice allow Read topic ord*"], True),
        (["User:alice allow Read topic *"], True),
        (["User:* allow Read topic orders"], True),
        (["User:alice allow Write topic orders"], False),
        (["User:bob allow Read topic orders"], False),
        (["User:alice allow Read topic order"], False),
        (["User:alice allow Read group orders"], False),
        (["User:alice allow Read topic orders from 10.0.0.7"], False),
        (["User:alice allow Read topic orders from 127.0.0.1"], True),
        (["User:alice allow Read topic orders", "User:alice deny Read topic *"], False),
        (["User:alice allow Read topic orders", "User:* deny All topic o*"], False),
        (["User:alice allow Read topic orders", "User:alice deny Describe topic orders"], True),
    ],
)
def test_a_rule_allows_or_denies(rules: list[str], allowed: bool) -> None:
    assert authorizer(*rules).allows(ALICE, HOST, Operation.READ, TOPIC, "orders") is allowed


def test_super_users_pass_every_rule() -> None:
    assert authorizer("User:* deny All topic *").allows(user("root"), HOST, Operation.WRITE, TOPIC, "orders")


def test_a_resource_without_rules_may_be_open_to_everybody() -> None:
    rule = "User:bob allow Read topic orders"
    opened, closed = authorizer(rule, open_without_rules=True), authorizer(rule)
    assert opened.allows(ALICE, HOST, Operation.READ, TOPIC, "other")
    assert not opened.allows(ALICE, HOST, Operation.READ, TOPIC, "orders")
    assert not closed.allows(ALICE, HOST, Operation.READ, TOPIC, "other")


@pytest.mark.parametrize(("release", "allowed"), [("3.3.1", True), ("3.3.2", False), ("3.9", False)])
def test_a_rule_of_somebody_else_closed_no_resource_up_to_3_3_1(release: str, allowed: bool) -> None:
    rules = authorizer("User:bob allow Read topic orders", release=release, open_without_rules=True)
    assert rules.allows(ALICE, HOST, Operation.READ, TOPIC, "orders") is allowed
    denying = authorizer("User:* deny Read topic orders", release=release, open_without_rules=True)
    assert not denying.allows(ALICE, HOST, Operation.READ, TOPIC, "orders")


@pytest.mark.parametrize(("release", "allowed"), [("3.3.0", False), ("3.3.1", True)])
def test_up_to_3_3_0_a_prefix_is_hidden_by_a_name_between_it_and_the_topic(release: str, allowed: bool) -> None:
    rules = ("User:alice allow Read topic ord*", "User:bob allow Read topic ordeal")
    assert authorizer(*rules, release=release).allows(ALICE, HOST, Operation.READ, TOPIC, "orders") is allowed
    assert authorizer(rules[0], release=release).allows(ALICE, HOST, Operation.READ, TOPIC, "orders")


def test_no_name_hides_the_wildcard() -> None:
    rules = ("User:alice allow Read topic *", "User:bob allow Read topic ordeal")
    assert authorizer(*rules, release="3.3.0").allows(ALICE, HOST, Operation.READ, TOPIC, "orders")


@pytest.mark.parametrize(("release", "allowed"), [("2.8", True), ("3.9", False)])
def test_a_right_on_any_topic_is_sought_on_one_that_rules_may_close(release: str, allowed: bool) -> None:
    rules = authorizer("User:bob allow Read topic *", release=release, open_without_rules=True)
    assert rules.allows_on_any(ALICE, HOST, Operation.WRITE, TOPIC) is allowed
    others = authorizer("User:bob allow Read topic orders", release=release, open_without_rules=True)
    assert others.allows_on_any(ALICE, HOST, Operation.WRITE, TOPIC)


@pytest.mark.parametrize(("release", "allowed"), [("0.9.0", False), ("0.10.0", False), ("0.10.1", True), ("4.3", True)])
def test_delete_implies_describe_since_0_10_1(release: str, allowed: bool) -> None:
    rules = authorizer("User:alice allow Delete topic orders", release=release)
    assert rules.allows(ALICE, HOST, Operation.DESCRIBE, TOPIC, "orders") is allowed


def test_a_prefix_of_one_letter_applies_to_nothing_in_2_0() -> None:
    for release, allowed in (("2.0", False), ("2.1.0", False), ("2.1.1", True)):
        rules = authorizer("User:alice allow Read topic o*", release=release)
        assert rules.allows(ALICE, HOST, Operation.READ, TOPIC, "orders") is allowed


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ([], False),
        (["User:alice allow Write topic orders"], True),
        (["User:alice allow Write topic orders", "User:alice deny Write topic *"], False),
        (["User:alice allow Write topic orders", "User:alice deny Write topic ord*"], False),
        (["User:alice allow Write topic o*", "User:alice deny Write topic orders"], True),
    ],
)
def test_a_right_on_any_topic_counts_unless_it_is_denied_wherever_it_applies(rules: list[str], allowed: bool) -> None:
    assert authorizer(*rules).allows_on_any(ALICE, HOST, Operation.WRITE, TOPIC) is allowed


def test_a_refusal_names_the_smallest_rule_that_would_have_allowed_it() -> None:
    rules = authorizer("User:bob allow Read topic orders")
    rules.allows(ALICE, HOST, Operation.READ, TOPIC, "orders")
    (denial,) = rules.denials
    assert denial.allowed_by == "User:alice allow Read topic orders"
    assert str(denial) == (
        "User:alice from 127.0.0.1 may not Read topic orders: no rule allows it;"
        " 'User:alice allow Read topic orders' would"
    )


def test_a_refusal_names_the_rule_that_denies() -> None:
    rules = authorizer("User:alice allow Read topic orders", "User:* deny Read topic ord*")
    rules.allows(ALICE, HOST, Operation.READ, TOPIC, "orders")
    assert [(denial.rule, denial.allowed_by) for denial in rules.denials] == [("User:* deny Read topic ord*", None)]


def test_a_custom_authorizer_decides_alone() -> None:
    asked: list[tuple[object, ...]] = []

    def decide(*question: object) -> bool:
        asked.append(question)
        return question[0] == ALICE

    behaviour = profile(Release.parse("3.9")).authorization
    rules = Authorizer(behaviour, AclBook(), custom=decide)
    assert rules.allows(ALICE, HOST, Operation.READ, TOPIC, "orders")
    assert not rules.allows(BOB, HOST, Operation.DESCRIBE_CONFIGS, ResourceType.CLUSTER, "kafka-cluster")
    assert [str(part) for part in asked[1]] == ["User:bob", "DescribeConfigs", "cluster", HOST]


@pytest.mark.parametrize(
    "text",
    [
        "User:alice allow Read topic orders",
        "User:* deny All group shop-*",
        "User:alice allow IdempotentWrite cluster",
        "User:a allow Write transactionalid x from 10.0.0.7",
    ],
)
def test_rules_read_back_as_they_were_written(text: str) -> None:
    assert [rule_text(acl) for acl in parsed_rule(text)] == [text]


def test_a_rule_may_name_several_operations() -> None:
    found = list(parsed_rule("User:alice allow Read,Write topic orders"))
    assert [acl.operation for acl in found] == [Operation.READ, Operation.WRITE]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("alice allow Read topic orders", "is not a principal"),
        ("User:alice may Read topic orders", "is not a rule"),
        ("User:alice allow Look topic orders", "no operation is called 'Look'"),
        ("User:alice allow Read tropic orders", "is not a rule"),
        ("", "is not a rule"),
    ],
)
def test_an_invalid_rule_is_refused_with_a_hint(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        list(parsed_rule(text))
