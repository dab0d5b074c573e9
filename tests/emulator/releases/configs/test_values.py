import math

import pytest
from fakekafka.errors import UsageError
from fakekafka.releases.configs.values import ConfigType, ConfigValue, InvalidConfig, java_double, parse, render
from hypothesis import given
from hypothesis import strategies as st

T = ConfigType


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (T.BOOLEAN, " TRUE ", True),
        (T.BOOLEAN, "false", False),
        (T.INT, "+7", 7),
        (T.INT, " -2147483648 ", -(2**31)),
        (T.SHORT, "32767", 32767),
        (T.LONG, "9223372036854775807", 2**63 - 1),
        (T.DOUBLE, "0.5", 0.5),
        (T.DOUBLE, "1e3", 1000.0),
        (T.DOUBLE, "0.5d", 0.5),
        (T.DOUBLE, "-.5E+1F", -5.0),
        (T.DOUBLE, "-Infinity", -math.inf),
        (T.DOUBLE, "0x1p-1", 0.5),
        (T.DOUBLE, "-0X.8P1d", -1.0),
        (T.DOUBLE, "-0x1p2000", -math.inf),
        (T.LIST, "", ()),
        (T.LIST, " a , b,c ", ("a", "b", "c")),
        (T.LIST, "a,,b", ("a", "", "b")),
        (T.STRING, " text ", "text"),
        (T.CLASS, "org.example.C", "org.example.C"),
        (T.PASSWORD, " secret ", "secret"),
    ],
)
def test_a_text_is_read_by_its_type(kind: ConfigType, text: str, value: ConfigValue) -> None:
    found = parse("some.config", kind, text)
    assert found == value
    assert type(found) is type(value)


def test_a_double_may_be_nan() -> None:
    assert parse("some.config", T.DOUBLE, "NaN") != parse("some.config", T.DOUBLE, "NaN")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (T.BOOLEAN, "yes"),
        (T.BOOLEAN, ""),
        (T.INT, "2147483648"),
        (T.INT, "1.0"),
        (T.INT, "1_000"),
        (T.INT, "²"),
        (T.SHORT, "-32769"),
        (T.LONG, "9223372036854775808"),
        (T.DOUBLE, "inf"),
        (T.DOUBLE, "0x1"),
        (T.DOUBLE, "0xp1"),
        (T.DOUBLE, "nan"),
        (T.DOUBLE, "d"),
        (T.DOUBLE, "1dd"),
        (T.DOUBLE, "1_0.5"),
        (T.DOUBLE, ""),
        (T.CLASS, " "),
    ],
)
def test_a_text_of_another_type_is_refused_by_name(kind: ConfigType, text: str) -> None:
    with pytest.raises(InvalidConfig, match=r"for configuration some\.config:") as refused:
        parse("some.config", kind, text)
    assert isinstance(refused.value, UsageError)
    assert f"Invalid value {text} for" in str(refused.value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        (True, "true"),
        (False, "false"),
        (12, "12"),
        (0.5, "0.5"),
        (("a", "b"), "a,b"),
        ((), ""),
        ("text", "text"),
    ],
)
def test_a_value_is_shown_as_text(value: ConfigValue, text: str | None) -> None:
    assert render(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (0.001, "0.001"),
        (0.0001, "1.0E-4"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (-1.25e10, "-1.25E10"),
        (9.9999999e9, "9.9999999E9"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (float("inf"), "Infinity"),
        (float("nan"), "NaN"),
    ],
)
def test_a_double_is_written_as_java_writes_it(value: float, text: str) -> None:
    assert java_double(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_written_double_is_the_same_number(value: float) -> None:
    assert float(java_double(value)) == value


@given(st.sampled_from([T.SHORT, T.INT, T.LONG, T.DOUBLE, T.BOOLEAN, T.LIST, T.STRING]), st.text(max_size=12))
def test_a_value_that_is_written_is_read_again_as_the_same_value(kind: ConfigType, text: str) -> None:
    try:
        value = parse("some.config", kind, text)
    except InvalidConfig:
        return
    written = render(value)
    assert written is not None
    assert parse("some.config", kind, written) == value or value != value
