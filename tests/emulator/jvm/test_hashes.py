"""Hash codes, as a JVM computes them. Those of case classes are visible in the orders of `classic.map_order`."""

import uuid

import pytest
from fakekafka.jvm.hashes import java_hash, long_hash, murmur2, topic_partition_hash, uuid_hash


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("a", 97), ("topic", 110546223), ("Aa", 2112), ("BB", 2112), ("\U0001f600", 1772899)],
)
def test_the_hash_code_of_a_string_is_javas(text: str, expected: int) -> None:
    assert java_hash(text) == expected


def test_the_hash_code_of_a_long_string_has_a_sign() -> None:
    assert java_hash("a-very-long-topic-name-here") == -1498262706


@pytest.mark.parametrize(("number", "hashed"), [(0, 0), (5, 5), (1 << 32, 1), ((1 << 32) + 1, 0)])
def test_the_two_halves_of_a_number_are_joined(number: int, hashed: int) -> None:
    assert long_hash(number) == hashed


def test_the_hash_code_of_a_uuid_joins_its_four_words() -> None:
    assert uuid_hash(uuid.UUID("00000001-0000-0002-0000-000400000008").bytes) == 15


def test_the_hash_code_of_a_partition_is_that_of_topic_partition() -> None:
    assert topic_partition_hash("t", 3) == 31 * (31 + 3) + ord("t")


@pytest.mark.parametrize(("data", "expected"), [(b"", 275646681), (b"21", -973932308), (b"foobar", -790332482)])
def test_murmur2_is_that_of_the_clients(data: bytes, expected: int) -> None:
    """The values of UtilsTest.testMurmur2 in Kafka."""
    assert murmur2(data) == expected % 2**32
