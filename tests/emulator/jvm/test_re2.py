"""Regular expressions as brokers read them. What is refused, and why, was asked of RE2J 1.8."""

import re
from contextlib import suppress

import pytest
from fakekafka.jvm.re2 import BadPattern, compiled
from hypothesis import given
from hypothesis import strategies as st

REFUSED = {
    "(": "missing closing )",
    "[a": "missing closing ]",
    "[^]": "missing closing ]",
    "a)": "regexp/syntax: internal error",
    "*": "missing argument to repetition operator",
    "a**": "invalid nested repetition operator",
    "a++": "invalid nested repetition operator",
    "x{2}{3}": "invalid nested repetition operator",
    "a{2,1}": "invalid repeat count",
    "a{1001}": "invalid repeat count",
    "(?=a)": "invalid or unsupported Perl syntax",
    "(?<n>a)": "invalid or unsupported Perl syntax",
    "(?P=n)": "invalid or unsupported Perl syntax",
    "(?P<>a)": "invalid named capture",
    "(?P<n>a)(?P<n>b)": "duplicate capture group name",
    r"\1": "invalid escape sequence",
    r"\Z": "invalid escape sequence",
    r"\x{110000}": "invalid escape sequence",
    "[z-a]": "invalid character class range",
    r"\p{Foo}": "invalid character class range",
    "[[:foo:]]": "invalid character class range",
    "\\": "trailing backslash at end of expression",
}
MATCHES = [
    ("t+", "tt", True),
    ("t+", "xt", False),
    ("", "", True),
    ("", "t", False),
    ("(?i)A|b", "B", True),
    ("a(?i)b|C", "c", True),
    ("(?i:a)B", "ab", False),
    ("[[:alpha:]_]+", "a_b", True),
    ("[^[:digit:]]", "1", False),
    (r"\Qa.b\E", "a.b", True),
    (r"\Qa.b\E", "axb", False),
    (r"\pL+", "ab", True),
    (r"\PL", "1", True),
    (r"[\PL]", "1", True),
    (r"\p{Greek}", "a", False),
    (r"[\w.-]+", "a.b-c_1", True),
    (r"a\x2db", "a-b", True),
    ("a{2", "a{2", True),
    ("[]a]", "]", True),
    ("^t$", "t", True),
    ("(?U)t+", "tt", True),
]


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_re2j_refuses_is_refused_in_its_words(pattern: str) -> None:
    with pytest.raises(BadPattern) as refused:
        compiled(pattern)
    assert str(refused.value) == REFUSED[pattern]


@pytest.mark.parametrize(("pattern", "name", "matches"), MATCHES)
def test_whole_names_are_matched(pattern: str, name: str, matches: bool) -> None:
    assert (compiled(pattern).fullmatch(name) is not None) is matches


@given(st.text(alphabet="ab.^$*+?{}()[]|\\-,12dwQEiP<>:", max_size=12))
def test_every_text_is_a_pattern_or_is_refused(pattern: str) -> None:
    with suppress(BadPattern):
        assert isinstance(compiled(pattern), re.Pattern)
