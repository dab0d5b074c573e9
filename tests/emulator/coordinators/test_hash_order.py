"""The order of a coordinator's maps."""

from base64 import urlsafe_b64decode

from fakekafka.coordinators.hash_order import (
    Filled,
    grown_map_order,
    hash_set_order,
    named_partitions,
    partition_order,
    topic_order,
)
from fakekafka.state.topics import Topic
from fakekafka.wire.apis.consumer_group_describe import Assignment

from tests.support.consumer_group_clients import ConsumerMember, described
from tests.support.group_clients import grouped

LOW, HIGH = bytes(15) + b"\1", bytes(15) + b"\2"


def test_texts_are_ordered_by_their_hash() -> None:
    assert hash_set_order(["b", "a", "q"]) == ["a", "q", "b"], "97, 113 and 98 in a table of 16"


def test_partitions_and_topics_are_ordered_by_their_hash() -> None:
    assert partition_order([17, 0, 3]) == [0, 17, 3]
    assert topic_order([HIGH, LOW]) == [LOW, HIGH]


def test_deleted_topics_have_no_name() -> None:
    assigned = {HIGH: frozenset({1, 0}), LOW: frozenset({2})}
    assert named_partitions(assigned, {HIGH: Topic("t", HIGH, {})}) == [(HIGH, "t", [0, 1])]


def test_subtopologies_are_ordered_by_their_last_digits() -> None:
    assert grown_map_order(str(n) for n in range(12)) == ["0", "11", *map(str, range(1, 10)), "10"]
    assert grown_map_order([]) == []
    assert grown_map_order(["1", "1"]) == ["1"]


def test_a_map_grows_after_its_twelfth_entry() -> None:
    twelve = [chr(65 + 2 * n) for n in range(12)]
    assert grown_map_order(twelve) == [*"AQCSEUGWIKMO"]
    assert grown_map_order([*twelve, "Z"]) == [*"ACEGIKMOQSUWZ"]


def test_from_the_twelfth_entry_on_a_copied_set_has_a_larger_table() -> None:
    """As OpenJDK 17 prints `new HashMap` filled one by one, and `new HashSet<>(map.keySet())`, of 11 to 25 entries."""
    twelve = [f"topic-{n * 37}" for n in range(12)]
    grown = [111, 37, 296, 185, 148, 333, 222, 0, 74, 259, 370, 407]
    copied = [111, 296, 185, 148, 333, 222, 0, 74, 259, 407, 37, 370]
    assert grown_map_order(twelve) == [f"topic-{n}" for n in grown]
    assert hash_set_order(twelve) == [f"topic-{n}" for n in copied]
    with_444 = [f"topic-{n}" for n in (111, 296, 185, 148, 444, 333, 222, 0, 74, 259, 407, 37, 370)]
    assert grown_map_order([*twelve, "topic-444"]) == with_444
    assert hash_set_order([*twelve, "topic-444"]) == with_444


ANSWERED = [
    "_r2fnTpGR7a8J68yFKzD-Q",
    "DIkAO2c3QzOXuQ9Kxryo6g",
    "IHnnK-EoRISGJpxQAo_ZJA",
    "VTbBax5ESpmY94RuSZAgag",
    "YHLNO04ZRjGsC3qurEgwmA",
    "8CWOqpuPS2eizDi-lLEnUQ",
    "lHkdDqOPTXacV6iv3G-JvA",
    "L7EvPZi6SaG9PrYixHDtYw",
    "vsvXJnJCTAy7529pAm8-mw",
    "WHg3U4xrTF-jBRM2SCP-Ng",
    "Rq_OwQElSsWgCr1vDg4GSQ",
    "i9q5F0jCSvm3VMfGSFiNog",
    "vQTPghgeQSqVRkA2LHyDkQ",
]
"""Thirteen topics in the order in which ConsumerGroupHeartbeat of a real 4.3.1 gave them to a member, also that of its
records.
"""
DESCRIBED = [
    "VTbBax5ESpmY94RuSZAgag",
    "IHnnK-EoRISGJpxQAo_ZJA",
    "lHkdDqOPTXacV6iv3G-JvA",
    "Rq_OwQElSsWgCr1vDg4GSQ",
    "vQTPghgeQSqVRkA2LHyDkQ",
    "_r2fnTpGR7a8J68yFKzD-Q",
    "DIkAO2c3QzOXuQ9Kxryo6g",
    "YHLNO04ZRjGsC3qurEgwmA",
    "8CWOqpuPS2eizDi-lLEnUQ",
    "L7EvPZi6SaG9PrYixHDtYw",
    "WHg3U4xrTF-jBRM2SCP-Ng",
    "vsvXJnJCTAy7529pAm8-mw",
    "i9q5F0jCSvm3VMfGSFiNog",
]
"""The same topics as the target assignment in its answer to ConsumerGroupDescribe."""


def uuids(texts: list[str]) -> list[bytes]:
    return [urlsafe_b64decode(text + "==") for text in texts]


def test_topics_come_in_the_orders_of_a_real_broker() -> None:
    """Asked of 3.9.1, 4.0.1 and 4.3.1 with eleven, twelve and thirteen topics. A map that is filled by computeIfAbsent
    grows with the fourteenth topic, one that is filled by put with the thirteenth.
    """
    answered, described = uuids(ANSWERED), uuids(DESCRIBED)
    assert topic_order(answered, Filled.COMPUTED) == answered
    assert topic_order(described, Filled.PUT) == described
    assert topic_order(answered, Filled.PUT) != answered
    twelve = answered[1:]  # the first topic did not exist yet
    assert topic_order(twelve, Filled.COMPUTED) == topic_order(twelve, Filled.PUT) == twelve
    assert topic_order(twelve, Filled.COPIED) != twelve


def test_partitions_are_shared_among_twelve_members_as_by_a_real_broker() -> None:
    """Asked of 4.3.1. A map of members that grew with the twelfth would give the larger shares to others."""
    kafka = grouped("4.3", partitions=26, group_consumer_assignment_interval_ms=0)
    for letter in "ABCDEFGHIJKL":
        ConsumerMember(kafka, letter * 21 + "A", assignor="uniform").join()
    shares = {member.member_id[0]: _count(member.target_assignment) for member in described(kafka).members}
    assert shares == dict.fromkeys("ABCDEFGHIJKL", 2) | {"C": 3, "F": 3}


def _count(target: Assignment) -> int:
    return sum(len(row.partitions) for row in target.topic_partitions)
