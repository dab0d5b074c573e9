"""Garbage collection in a serving process: short, and nothing is kept for ever."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from fakekafka.cli import garbage
from fakekafka.cli.garbage import ShortCollections


class Node:
    """A part of a cycle."""

    def __init__(self) -> None:
        self.other: Node | None = None


def cycle() -> tuple[Node, "weakref.ref[Node]"]:
    one, other = Node(), Node()
    one.other, other.other = other, one
    return one, weakref.ref(one)


@pytest.fixture
def collections() -> Iterator[ShortCollections]:
    was_on = gc.isenabled()
    gc.disable()  # collections happen when a test asks for them
    with ShortCollections() as short:
        yield short
    if was_on:
        gc.enable()


def test_garbage_since_the_last_collection_is_found(collections: ShortCollections) -> None:
    gc.collect()
    node, seen = cycle()
    del node
    gc.collect()
    assert seen() is None


def test_objects_that_survive_a_collection_are_set_aside(collections: ShortCollections) -> None:
    gc.collect()
    before = gc.get_freeze_count()
    kept: list[list[object]] = [[] for _ in range(1000)]
    gc.collect()
    assert gc.get_freeze_count() >= before + len(kept)
    assert len(gc.get_objects()) < 100


def test_everything_is_examined_again_once_twice_as_much_is_set_aside(
    collections: ShortCollections, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, seen = cycle()
    gc.collect()
    del node  # garbage that is set aside
    gc.collect()
    assert seen() is not None
    kept: list[list[object]] = [[] for _ in range(2 * max(garbage.LEAST, gc.get_freeze_count()))]
    gc.collect()  # sets them aside
    gc.collect()  # examines them all
    assert seen() is None
    assert kept


def test_after_the_server_has_ended_no_object_is_set_aside() -> None:
    with ShortCollections():
        pass
    assert gc.get_freeze_count() == 0
