"""The picture of the house shows the floors that are built."""

from itertools import pairwise

from docs.generator import house
from tests.test_floors import FLOOR_OF


def test_the_picture_is_drawn_from_the_storeys() -> None:
    assert house.PICTURE.read_text("utf-8") == house.drawn()


def test_every_room_is_in_the_house_once() -> None:
    rooms = [room for _, rooms, _ in house.STOREYS for room in rooms]
    assert sorted(rooms) == sorted(FLOOR_OF.keys() - {"__init__", "__main__", "compiled", "error_pages"})


def test_the_storeys_are_in_the_order_of_the_floors() -> None:
    heights = [[FLOOR_OF[room] for room in rooms] for _, rooms, _ in house.STOREYS]
    for above, below in pairwise(heights):
        assert min(above) >= max(below)
