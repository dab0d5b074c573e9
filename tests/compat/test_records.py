import zlib

from fakekafka_compat.records import of_all_kinds, of_few_keys, raw, too_large, uid_of


def test_every_record_is_recognised_by_its_key_or_value() -> None:
    records = of_all_kinds(5, 40, 1000, headers=True) + [r for part in of_few_keys(3, 4, None) for r in part]
    assert [uid_of(record.key, record.value) for record in records] == [record.uid for record in records]


def test_there_are_null_keys_and_values_and_empty_values() -> None:
    records = of_all_kinds(0, 8, None, headers=False)
    assert {record.key is None for record in records} == {True, False}
    assert {None, b""} < {record.value for record in records}
    assert {record.partition for record in records} == {0, 1}
    assert not any(record.headers or record.timestamp for record in records)


def test_with_few_keys_the_last_round_remains() -> None:
    first, last = of_few_keys(2, 3, 1000)
    assert [record.key for record in first] == [record.key for record in last]
    assert {record.want for record in first} == {"never"}
    assert {record.want for record in last} == {"once"}
    assert sum(record.value is None for record in last) == 1


def test_a_record_that_is_too_large_is_too_large_under_any_codec() -> None:
    large = too_large(of_all_kinds(7, 1, None, headers=False)[0], 10_000)
    assert large.value is not None
    assert len(zlib.compress(large.value)) > 9_900
    assert uid_of(None, large.value) == 7
    assert large.want == "never"


def test_a_driver_gets_bytes_as_hexadecimal() -> None:
    written = of_all_kinds(1, 1, 5, headers=True)[0].json()
    assert written == {
        "uid": 1, "partition": 0, "key": None, "value": b"value #1# .......".hex(), "timestamp": 6,
        "headers": [("name", "0031"), ("name", "")],
    }  # fmt: skip
    assert raw(written["value"]) == b"value #1# ......."
    assert raw(None) is None
