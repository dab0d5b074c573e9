import re

import pytest
from fakekafka.jvm.patterns import compiled
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("a.*", "abc"), ("(?i)ABC", "abc"), ("x{2,3}", "xx"), ("[a-c]+", "abc"), (r"\d+\.", "12."), ("(?P<n>a)", "a")],
)
def test_what_both_read_is_read(pattern: str, text: str) -> None:
    found = compiled(pattern)
    assert found is not None
    assert found.fullmatch(text)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?=a)",
        "(?!a)",
        "(?<=a)b",
        "(?<!a)b",
        "(?>a)",
        "(?(1)a)",
        "(?#a)",
        r"(a)\1",
        "(?P<n>a)(?P=n)",
        "a*+",
        "a++",
        "a{2}+",
        r"\p{Alpha}",
        r"\k<n>",
        "[[:alpha:]]",
        "(",
        "*",
        "[",
        "a{2000000000000}",
    ],
)
def test_what_brokers_refuse_is_refused(pattern: str) -> None:
    assert compiled(pattern) is None


@pytest.mark.parametrize("pattern", [r"\(?=a", r"\\d", r"\*+", "a+b+"])
def test_an_escaped_character_begins_nothing(pattern: str) -> None:
    assert compiled(pattern) is not None


@given(st.text(max_size=20))
def test_any_text_is_compiled_or_refused_and_never_raises(pattern: str) -> None:
    found = compiled(pattern)
    assert found is None or isinstance(found.search(pattern), re.Match | None)
