"""Values as JSON and back: what is written is read again, and fits the schema."""

from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from fakekafka.control.values import Schemas, read, read_text, word, written
from fakekafka.errors import UsageError
from fakekafka.releases.release import Release
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator


class Color(Enum):
    RED = 1


class Part(NamedTuple):
    """A part."""

    name: str
    data: bytes | None = None
    rows: tuple[tuple[str, bytes | None], ...] = ()


INTEGERS = st.integers(-(1 << 63), (1 << 63) - 1)
HINTS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (bytes, st.binary()),
    (int | None, st.none() | INTEGERS),
    (bool | Literal["consumer", "producer"], st.booleans() | st.sampled_from(["consumer", "producer"])),
    (dict[tuple[str, int], int], st.dictionaries(st.tuples(st.text(), st.integers(0, (1 << 31) - 1)), INTEGERS)),
    (dict[int, str], st.dictionaries(INTEGERS, st.text())),
    (Sequence[tuple[str, bytes | None]], st.lists(st.tuples(st.text(), st.none() | st.binary()))),
    (Part, st.builds(Part, st.text(), st.none() | st.binary(), st.just((("k", b"\xff"), ("n", None))))),
    (Color, st.sampled_from(Color)),
    (float, st.floats(allow_nan=False, allow_infinity=False)),
    (Release, st.sampled_from(["0.8.0", "2.3.1", "4.3.1"]).map(Release.parse)),
    (tuple[int, str], st.tuples(INTEGERS, st.text())),
    (frozenset[int], st.frozensets(INTEGERS)),
]


@given(st.data())
@pytest.mark.parametrize(("hint", "values"), HINTS, ids=lambda each: str(each)[:30])
def test_a_written_value_is_read_again_and_fits_its_schema(
    hint: Any, values: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    value, schemas = data.draw(values), Schemas()
    plain = written(value)
    assert read(hint, plain, "it") == value
    schema = schemas.of(hint) | {"components": {"schemas": schemas.named}}
    Draft202012Validator(schema).validate(plain)


@given(INTEGERS | st.booleans() | st.text() | st.binary())
def test_a_value_written_as_a_word_is_read_again(value: Any) -> None:
    if not (isinstance(value, bytes) and value.startswith(b"{")):
        assert read_text(type(value), word(value), "it") == value


@pytest.mark.parametrize(
    ("hint", "value", "words"),
    [
        (int, "3", 'it: a JSON integer is wanted, not "3"'),
        (int, True, "a JSON integer is wanted, not true"),
        (str, 3, "a JSON string is wanted"),
        (bytes, 3, "it: a string, .* is wanted"),
        (bytes, {"base64": "%"}, "'%' is not base64"),
        (Literal["a"], "b", "'a' is wanted"),
        (Color, "BLUE", "RED is wanted"),
        (list[int], [1, "x"], r"it\[1\]: a JSON integer"),
        (tuple[int, str], [1], "2 elements is wanted"),
        (dict[int, int], {"x": 1}, "'x' is not a number"),
        (dict[tuple[str, int], int], {"orders": 1}, "'orders' is not a number|'' is not"),
        (Part, {"name": "x", "size": 1}, "it: no field size; there are name, data, rows"),
        (Part, {}, "it: .*missing 1 required positional argument: 'name'"),
        (Part, [], "a JSON object is wanted"),
        (Mapping[str, int], [], "a JSON object is wanted"),
        (int | None, "x" * 200, "a JSON integer is wanted"),
        (Release, "9.9", "no Kafka release '9.9'"),
    ],
)
def test_a_wrong_value_is_reported_with_the_expected_kind(hint: Any, value: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read(hint, value, "it")


def test_bytes_may_be_given_as_json() -> None:
    assert read(bytes, {"json": {"a": "é"}}, "it") == '{"a": "é"}'.encode()
    assert read_text(bytes | None, '{"base64": "/w=="}', "it") == b"\xff"
    assert read_text(bytes | None, "plain", "it") == b"plain"


def test_a_word_is_text_where_text_is_expected() -> None:
    assert read_text(str | None, "null", "it") == "null"
    assert read_text(int | None, "null", "it") is None
    assert read_text(bool | Literal["consumer"], "consumer", "it") == "consumer"
    assert read_text(bool | Literal["consumer"], "true", "it") is True
    with pytest.raises(UsageError, match="it: 'x' is not JSON"):
        read_text(int, "x", "it")


def test_a_path_is_a_string() -> None:
    assert read(str | Path, "a/b", "it") == "a/b"
    assert read(Path, "a/b", "it") == Path("a/b")
    assert written(Path("a")) == "a"


def test_a_value_without_a_json_form_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="object has no form in JSON"):
        written(object())
    with pytest.raises(TypeError, match="no form in JSON"):
        read(type(test_a_path_is_a_string), 1, "it")
    with pytest.raises(TypeError, match="no form in JSON"):
        Schemas().of(complex)
