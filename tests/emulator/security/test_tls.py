"""Which of several keys a listener takes."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from fakekafka import FakeKafka

from tests.emulator.security.test_key_stores import in_file, shown
from tests.golden.tls.stores import PASSWORD, java_store, minted, named

AUTHORITY = minted(named("CN=authority"), None)


def with_keys(path: Path, hosts: Mapping[str, Sequence[str]], **more: str) -> FakeKafka:
    """A broker whose key store has these aliases, each with a certificate for those hosts."""
    keys = {alias: minted(named(f"CN={alias}"), AUTHORITY, 1, names) for alias, names in hosts.items()}
    return FakeKafka("3.9", config=in_file(path, java_store(keys), keystore_password=PASSWORD, **more))


@pytest.mark.parametrize(
    ("asked", "alias"),
    [
        ("one.example", "a"),
        ("ONE.Example", "a"),
        ("x.two.example", "c"),
        ("X.two.EXAMPLE", "c"),
        ("exact.two.example", "a"),
        ("x.y.two.example", "b"),
        ("two.example", "b"),
    ],
)
def test_the_key_is_the_one_for_the_host_that_the_client_asks_for(asked: str, alias: str, tmp_path: Path) -> None:
    """In a Hashtable, b comes first."""
    hosts = {"a": ("one.example", "exact.two.example"), "b": (), "c": ("*.Two.example",)}
    with with_keys(tmp_path / "store", hosts, keymanager_algorithm="PKIX") as kafka:
        assert shown(kafka, asked) == f"CN={alias}"


@pytest.mark.parametrize(
    ("numbers", "first"),
    [
        ("17 72 97 8 32 15 63 57 60 83 48", 48),
        ("26 12 62 3 49 55 77 97 98 0 89 57", 26),
        ("34 92 29 75 13 40 3 2 83 69 1 48 87", 1),
    ],
    ids=["two in one bucket", "as many as fit", "one more than fit"],
)
def test_the_default_key_manager_takes_the_first_key_of_its_map(numbers: str, first: int, tmp_path: Path) -> None:
    """These are the keys that a JDK's SunX509 took from the same stores when it was asked."""
    with with_keys(tmp_path / "store", {f"key{number}": () for number in numbers.split()}) as kafka:
        assert shown(kafka) == f"CN=key{first}"
