"""Texts in the order of Java's maps."""

from fakekafka.coordinators.groups.streams.hash_order import hash_order


def test_subtopologies_come_by_their_last_digits() -> None:
    assert hash_order(str(n) for n in range(12)) == ["0", "11", *map(str, range(1, 10)), "10"]
    assert hash_order([]) == []
    assert hash_order(["1", "1"]) == ["1"]


def test_a_map_grows_behind_its_twelfth_entry() -> None:
    twelve = [chr(65 + 2 * n) for n in range(12)]
    assert hash_order(twelve) == [*"AQCSEUGWIKMO"]
    assert hash_order([*twelve, "Z"]) == [*"ACEGIKMOQSUWZ"]
