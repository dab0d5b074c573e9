"""The nondeterministic automaton of a pattern (Thompson's construction)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from fakekafka.jvm.re2.operations import Alternate, Assertion, Concat, Operation, Repeat
from fakekafka.jvm.re2.ranges import Ranges

NodeId: TypeAlias = int
ClassId: TypeAlias = int


class Program(NamedTuple):
    """The nodes of an automaton, by number. Each consumes a code point of its class, or nothing."""

    consumes: list[ClassId | None]
    asserts: list[Assertion | None]
    """What must hold to pass a node that consumes nothing; None if there is no condition."""
    following: list[list[NodeId]]
    classes: list[Ranges]
    """Keyed by number."""
    start: NodeId
    end: NodeId
    """The pattern matches the text that was read when this node is reached."""


class _Fragment(NamedTuple):
    """A part with one entry and one exit, which consumes nothing and leads nowhere yet."""

    start: NodeId
    end: NodeId


def build(operations: Sequence[Operation]) -> Program:
    """The automaton of a whole pattern."""
    builder = _Builder()
    for operation in operations:
        builder.apply(operation)
    whole = builder.stack.pop()
    end = builder.node()
    builder.following[whole.end].append(end)
    return Program(builder.consumes, builder.asserts, builder.following, [*builder.classes], whole.start, end)


class _Builder:
    """Nodes, and the fragments that no operation has taken yet."""

    def __init__(self) -> None:
        self.consumes: list[ClassId | None] = []
        self.asserts: list[Assertion | None] = []
        self.following: list[list[NodeId]] = []
        self.classes: dict[Ranges, ClassId] = {}
        self.stack: list[_Fragment] = []

    def apply(self, operation: Operation) -> None:
        """Put the fragment of an operation in the place of those of its operands."""
        match operation:
            case Assertion():
                node = self.node(asserts=operation)
                self.stack.append(_Fragment(node, node))
            case Repeat():
                self.stack.append(self._repeated(self.stack.pop(), operation))
            case Concat(operands):
                self.stack.append(self._in_a_row(self._taken(operands)))
            case Alternate(operands):
                self.stack.append(self._one_of(self._taken(operands)))
            case _:
                end = self.node()
                class_id = self.classes.setdefault(operation, len(self.classes))
                self.stack.append(_Fragment(self.node(end, consumes=class_id), end))

    def node(self, *following: NodeId, consumes: ClassId | None = None, asserts: Assertion | None = None) -> NodeId:
        """A new node."""
        self.consumes.append(consumes)
        self.asserts.append(asserts)
        self.following.append([*following])
        return len(self.following) - 1

    def _taken(self, count: int) -> list[_Fragment]:
        at = len(self.stack) - count
        taken = self.stack[at:]
        del self.stack[at:]
        return taken

    def _in_a_row(self, parts: list[_Fragment]) -> _Fragment:
        if not parts:
            node = self.node()
            return _Fragment(node, node)
        for before, after in pairwise(parts):
            self.following[before.end].append(after.start)
        return _Fragment(parts[0].start, parts[-1].end)

    def _one_of(self, parts: list[_Fragment]) -> _Fragment:
        end = self.node()
        for part in parts:
            self.following[part.end].append(end)
        return _Fragment(self.node(*(part.start for part in parts)), end)

    def _repeated(self, part: _Fragment, how: Repeat) -> _Fragment:
        end = self.node()
        self.following[part.end].append(end)
        if how is not Repeat.QUEST:
            self.following[part.end].append(part.start)
        return _Fragment(part.start if how is Repeat.PLUS else self.node(part.start, end), end)
