"""The language of RE2/J: what the library itself answered, what Python's `re` says, and how long it takes."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from fakekafka.jvm.re2 import BadPattern, Library, PatternTooLarge, compiled
from hypothesis import given
from hypothesis import strategies as st

ANSWERS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("re2j.jsonl").read_text("utf-8").splitlines()
]
"""Asked of com.google.re2j:re2j, `Pattern.compile(pattern).matches(text)`: the texts that matched, or the message of
the refusal. "1.7" is there only where it differs from 1.8. Edge cases by hand, and a sample of random combinations of
all syntax.
"""

SLOW = [
    "(a+)+b",
    "(a|a)*b",
    "(a|aa)+$b",
    "(.*a){20}b",
    "(((((a*)*)*)*)*)*b",
    "(a*)*b",
    "(a?){60}a{60}b",
    "(?i)(k+)+b",
    "(\\w+\\b)*\\B!",
]
"""With a backtracking engine, the time for these doubles with each letter of the text."""
CPU_S = 20
"""Hundreds of times what is needed, to allow for slow machines; a backtracking engine would take years."""


def answer(pattern: str, texts: list[str], library: Library) -> list[str] | str:
    try:
        found = compiled(pattern, library)
    except BadPattern as refused:
        return str(refused)
    return [text for text in texts if found.fullmatch(text)]


@pytest.mark.parametrize("library", ["1.7", "1.8"])
def test_patterns_match_or_are_refused_as_in_the_library_itself(library: str) -> None:
    assert len(ANSWERS) > 300
    for row in ANSWERS:
        ours = answer(row["pattern"], row["texts"], "RE2/J 1.8" if library == "1.8" else "RE2/J 1.7")
        assert ours == row.get(library, row["1.8"]), row["pattern"]


@pytest.mark.parametrize("pattern", SLOW)
def test_no_match_takes_longer_than_the_size_of_the_pattern_times_the_text(pattern: str) -> None:
    start = time.process_time()
    assert not compiled(pattern).fullmatch("a" * 249)
    assert time.process_time() - start < CPU_S


@pytest.mark.parametrize(
    "pattern", ["((a{0,100}){0,100}){0,100}b", "(a{1000}){1000}", "((a{1000}){1000}){1000}", "ab" * 10_001]
)
def test_a_pattern_that_would_become_very_large_is_refused_at_once(pattern: str) -> None:
    start = time.process_time()
    with pytest.raises(PatternTooLarge):
        compiled(pattern)
    assert time.process_time() - start < CPU_S


@pytest.mark.parametrize("pattern", ["(" * 5000 + ")" * 5000, "(" * 1500 + "a" + ")*" * 1500, "a" + "|a" * 5000])
def test_deep_and_wide_patterns_are_read_without_recursion(pattern: str) -> None:
    assert compiled(pattern).fullmatch("a") == ("a" in pattern)


def test_a_pattern_with_very_many_states_forgets_some_of_them() -> None:
    found = compiled("(a|b)*a(a|b){14}")
    texts = [f"{n:015b}".translate({48: "a", 49: "b"}) for n in range(0, 2**15, 3)]
    whole = "".join(texts)
    assert found.fullmatch(whole) == (whole[-15] == "a")
    assert found._kept < 120_000


def test_case_folds_to_letters_beyond_ascii() -> None:
    assert compiled("(?i)k").fullmatch("\N{KELVIN SIGN}")
    assert compiled("(?i)σ").fullmatch("ς")
    assert compiled("(?i)[а-я]+").fullmatch("КАФКА")
    assert not compiled("(?i)[^k]").fullmatch("\N{KELVIN SIGN}")


PIECES = st.sampled_from(["a", "b", "_", "[ab]", "[^a]", ".", r"\d", r"\W", "^", "$", r"\b", r"\B", "1", "-"])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    )


@given(st.recursive(PIECES, _grown, max_leaves=6), st.text("ab_1-\n", min_size=1, max_size=6))
def test_the_language_shared_with_python_matches_the_same_texts(pattern: str, text: str) -> None:
    r"""(In an empty text Python up to 3.13 finds no `\B`, and RE2/J does.)"""
    expected = re.compile(pattern.replace("$", r"\Z"), re.ASCII).fullmatch(text) is not None
    assert compiled(pattern).fullmatch(text) == expected


@given(st.text(alphabet="ab.^$*+?{}()[]|\\-,12dwQEpPLiP<>:x", max_size=16))
def test_every_text_is_a_pattern_or_is_refused(pattern: str) -> None:
    for library in ("RE2/J 1.7", "RE2/J 1.8"):
        assert isinstance(answer(pattern, ["a"], library), list | str)
