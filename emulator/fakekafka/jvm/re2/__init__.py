"""Regular expressions as brokers read them (KIP-848, KIP-1152): the language of RE2/J, matched in linear time.

A pattern is read (`parser`) into operations in postfix order, built into a nondeterministic automaton (`program`), and
run as a deterministic one whose states are made when a text first needs them (`automaton`). There is no backtracking,
so matching takes at most the size of the pattern times the length of the text. Only whole texts match, as brokers
ask; so greediness makes no difference, and groups capture nothing.

What is refused, and with which message, was asked of RE2/J 1.7 and 1.8; `tests/emulator/jvm/re2j.jsonl` has the
answers.

Differences: a program may have `MOST_OPERATIONS`, where RE2/J takes as many as its stack and memory allow.
Case folding follows the Unicode of this Python.
"""

from functools import lru_cache

from fakekafka.jvm.re2.automaton import Automaton
from fakekafka.jvm.re2.operations import PatternTooLarge
from fakekafka.jvm.re2.parser import Library, Parser
from fakekafka.jvm.re2.program import build
from fakekafka.jvm.re2.reader import BadPattern

__all__ = ["BadPattern", "Library", "Pattern", "PatternTooLarge", "compiled"]

Pattern = Automaton


@lru_cache(maxsize=256)
def compiled(pattern: str, library: Library = "RE2/J 1.8") -> Pattern:
    """The pattern, ready to match. Raises `BadPattern` with the message of `library`, and `PatternTooLarge`."""
    return Automaton(build(Parser(pattern, library).operations()))
