"""The options of a cluster: the same everywhere, since they are written in one place."""

from typing import Any, get_type_hints

import pytest
from fakekafka import FakeKafka, Options, UsageError
from fakekafka.settings.oauth import TokenIssuer
from fakekafka.settings.options import KINDS, KeywordOptions
from fakekafka.settings.tls import Tls


def test_type_checkers_know_every_option() -> None:
    hints = get_type_hints(Options, localns={"Tls": Tls, "TokenIssuer": TokenIssuer})
    del hints["release"]  # positional
    assert get_type_hints(KeywordOptions, localns={"Tls": Tls, "TokenIssuer": TokenIssuer}) == hints


def test_a_cluster_with_default_options_is_like_one_without_options() -> None:
    plain = Options()._asdict()
    del plain["release"]
    assert FakeKafka(**plain).explain() == FakeKafka().explain()


WRONG_VALUES = (3, 3.5, "text", None, {"a": 1}, ["a"], [1], b"bytes")


@pytest.mark.parametrize(("name", "kinds", "words"), KINDS, ids=[kind[0] for kind in KINDS])
def test_an_option_of_another_type_is_refused_in_words(name: str, kinds: tuple[type, ...], words: str) -> None:
    wrong: list[Any] = [value for value in WRONG_VALUES if not isinstance(value, kinds)]
    for value in wrong:
        with pytest.raises(UsageError, match=f"^{name}: .*, not a value of type {type(value).__name__}") as refused:
            FakeKafka(**{"release": "3.9", name: value})
        assert words in str(refused.value)


def test_every_option_that_is_not_checked_elsewhere_has_its_types_checked() -> None:
    elsewhere = {"clock", "pace", "unknown_configs", "tls", "oauth", "authorizer", "faulty_disks", "on_broker_death"}
    elsewhere |= {"users", "sasl", "acls", "telemetry"}
    assert {name for name, _, _ in KINDS} == set(Options._fields) - elsewhere


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"topics": {"t": "3"}}, "topics: numbers of partitions by name, not {'t': '3'}"),
        ({"topics": {1: 3}}, "topics: numbers of partitions by name, not {1: 3}"),
        ({"config": {1: 3}}, "config: properties by name, not 1"),
        ({"brokers": [{}]}, "brokers: a number, or a list of BrokerSettings, not one of dict"),
        ({"clock": 5}, "clock: a ManualClock or None, not a value of type int"),
    ],
)
def test_an_option_with_wrong_elements_is_refused_in_words(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as refused:
        FakeKafka("3.9", **options)
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize("release", [3.9, 39, b"3.9", (3, 9)])
def test_a_release_of_another_type_is_refused_in_words(release: Any) -> None:
    refused = pytest.raises(UsageError, match=r'a release is a text such as "3\.9", not ')
    with FakeKafka("3.9").boot() as kafka, refused:
        kafka.restart(release=release)


def test_a_topic_or_partition_of_another_type_is_refused_in_words() -> None:
    wrong: Any = "0"
    with FakeKafka("3.9", topics={"t": 1}).boot() as kafka:
        with pytest.raises(UsageError, match="a name and a number of partitions, not 'x' and '0'"):
            kafka.create_topic("x", wrong)
        for call in (lambda: kafka.records("t", wrong), lambda: kafka.send("t", b"v", partition=wrong)):
            with pytest.raises(UsageError, match="t has no partition '0': it has 1"):
                call()
