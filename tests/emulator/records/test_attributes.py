"""The attribute bits."""

from fakekafka.records import attributes


def test_the_bits_do_not_overlap_and_leave_the_sign_bit_free() -> None:
    bits = [
        attributes.CODEC,
        attributes.LOG_APPEND_TIME,
        attributes.TRANSACTIONAL,
        attributes.CONTROL,
        attributes.DELETE_HORIZON,
    ]
    assert sum(bits) == 0x7F
    assert [bits[0] | bits[1], *bits[2:]] == [0x0F, 0x10, 0x20, 0x40]


def test_the_timestamp_type_is_bit_3() -> None:
    assert attributes.timestamp_type(0xF7) == attributes.CREATE_TIME_TYPE == 0
    assert attributes.timestamp_type(0x08) == attributes.LOG_APPEND_TIME_TYPE == 1


def test_changing_the_timestamp_type_keeps_all_other_bits() -> None:
    assert attributes.with_timestamp_type(0xF3, attributes.LOG_APPEND_TIME_TYPE) == 0xFB
    assert attributes.with_timestamp_type(0xFB, attributes.CREATE_TIME_TYPE) == 0xF3
