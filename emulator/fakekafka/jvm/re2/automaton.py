"""Running a program on a text: a deterministic automaton whose states are made when a text first needs them.

A state is the set of nodes in which the program may be between two characters, with the kind of the character before
(for assertions). The cost of a step is bounded by the size of the program, and a known step costs one look-up in a
dict.
"""

from bisect import bisect_right
from collections.abc import Iterable
from enum import Enum
from typing import Final, TypeAlias

from fakekafka.jvm.re2.classes import NEWLINE, WORD
from fakekafka.jvm.re2.operations import Assertion
from fakekafka.jvm.re2.program import NodeId, Program
from fakekafka.jvm.re2.ranges import Ranges

MOST_KEPT: Final = 100_000
"""The most nodes that the known states may have together; beyond that they are forgotten."""

Key: TypeAlias = tuple[frozenset[NodeId], "Neighbour"]


class Neighbour(Enum):
    """What is on one side of a position in a text, as far as assertions need to know."""

    EDGE = "the text's start or end"
    NEWLINE = "\\n"
    WORD = "a letter of ASCII, a digit or _"
    OTHER = "anything else"


class _State:
    """The nodes that the program may have come to; those that are reached without a character are not in it yet."""

    def __init__(self, nodes: frozenset[NodeId], before: Neighbour) -> None:
        self.nodes = nodes
        self.before = before
        self.next: dict[int, _State] = {}
        """By the class of the next character (`Automaton._class_of`)."""


class Automaton:
    """A pattern, ready to match whole texts."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._asserts = any(program.asserts)
        classes = [*program.classes, WORD, NEWLINE] if self._asserts else program.classes
        self._edges = sorted({edge for ranges in classes for first, last in ranges for edge in (first, last + 1)})
        """Between two of these bounds, all code points behave alike."""
        self._known: dict[Key, _State] = {}
        self._kept = 0

    def fullmatch(self, text: str) -> bool:
        """Whether the whole text matches. Takes time in proportion to its length."""
        state = self._state(frozenset([self._program.start]), Neighbour.EDGE)
        for char in text:
            code_point = ord(char)
            char_class = bisect_right(self._edges, code_point)
            following = state.next.get(char_class)
            if following is None:
                following = state.next[char_class] = self._step(state, code_point)
            state = following
            if not state.nodes:
                return False
        return self._program.end in self._passed(state, Neighbour.EDGE)

    def _state(self, nodes: frozenset[NodeId], before: Neighbour) -> _State:
        key = nodes, before
        state = self._known.get(key)
        if state is None:
            self._kept += len(nodes) + 1
            if self._kept > MOST_KEPT:
                self._forget(len(nodes) + 1)
            state = self._known[key] = _State(nodes, before)
        return state

    def _forget(self, kept: int) -> None:
        for state in self._known.values():
            state.next.clear()
        self._known.clear()
        self._kept = kept

    def _step(self, state: _State, code_point: int) -> _State:
        """The state after a character."""
        after = self._neighbour(code_point)
        consumes, following = self._program.consumes, self._program.following
        holds = {class_id for class_id, ranges in enumerate(self._program.classes) if _is_in(code_point, ranges)}
        nodes: set[NodeId] = set()
        for node in self._passed(state, after):
            if consumes[node] in holds:
                nodes.update(following[node])
        return self._state(frozenset(nodes), after)

    def _neighbour(self, code_point: int) -> Neighbour:
        if not self._asserts:
            return Neighbour.OTHER
        if code_point == NEWLINE[0][0]:
            return Neighbour.NEWLINE
        return Neighbour.WORD if _is_in(code_point, WORD) else Neighbour.OTHER

    def _passed(self, state: _State, after: Neighbour) -> Iterable[NodeId]:
        """All nodes of a state, and those that are reached from them without a character."""
        consumes, asserts, following = self._program.consumes, self._program.asserts, self._program.following
        passed = set(state.nodes)
        open_ = list(passed)
        while open_:
            node = open_.pop()
            if consumes[node] is not None:
                continue
            condition = asserts[node]
            if condition is not None and not _passes(condition, state.before, after):
                continue
            for next_node in following[node]:
                if next_node not in passed:
                    passed.add(next_node)
                    open_.append(next_node)
        return passed


def _is_in(code_point: int, ranges: Ranges) -> bool:
    at = bisect_right(ranges, (code_point, 0x110000)) - 1
    return at >= 0 and code_point <= ranges[at][1]


def _passes(condition: Assertion, before: Neighbour, after: Neighbour) -> bool:
    """Whether an assertion holds between two characters."""
    match condition:
        case Assertion.TEXT_START:
            return before is Neighbour.EDGE
        case Assertion.TEXT_END:
            return after is Neighbour.EDGE
        case Assertion.LINE_START:
            return before in (Neighbour.EDGE, Neighbour.NEWLINE)
        case Assertion.LINE_END:
            return after in (Neighbour.EDGE, Neighbour.NEWLINE)
        case Assertion.WORD_BOUNDARY:
            return (before is Neighbour.WORD) != (after is Neighbour.WORD)
        case Assertion.NO_WORD_BOUNDARY:
            return (before is Neighbour.WORD) == (after is Neighbour.WORD)
