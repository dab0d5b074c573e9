"""Records of `__consumer_offsets` as messages, and as bytes."""

import pytest
from fakekafka.coordinators.groups.share.records import TYPES, epoch_record
from fakekafka.coordinators.groups.typed_records import group_of
from fakekafka.errors import MalformedBytes


def test_a_key_begins_with_its_type_and_a_value_with_its_version() -> None:
    key, value = TYPES.encoded(epoch_record("g", 1, 5))
    assert (key[:2], value and value[:2]) == (b"\0\x0b", b"\0\0")
    assert group_of(TYPES.decoded(11, key, value)) == "g"


def test_a_tombstone_has_no_value() -> None:
    key, _ = epoch_record("g", 1, 5)
    assert TYPES.decoded(11, TYPES.encoded((key, None))[0], None) == (key, None)


def test_records_of_classic_groups_stay_bytes() -> None:
    assert TYPES.encoded((b"key", None)) == (b"key", None)


@pytest.mark.parametrize("value", [b"", b"\0", b"\0\1rest"])
def test_other_versions_of_values_are_refused(value: bytes) -> None:
    key, _ = TYPES.encoded(epoch_record("g", 1, 5))
    with pytest.raises(MalformedBytes, match="another version than 0"):
        TYPES.decoded(11, key, value)
