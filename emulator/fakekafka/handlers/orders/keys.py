"""The hash codes of partitions as the keys of a release's maps."""

from collections.abc import Callable
from functools import partial
from typing import Any, assert_never

from fakekafka.handlers.call import Call
from fakekafka.ids import ZERO_UUID
from fakekafka.jvm.chains import case_class_hash, id_place_hash, place_hash
from fakekafka.releases.behaviours.order_maps import CommitKey, Key


def hash_of_places(key: Key | CommitKey, call: Call) -> Callable[[Any], int]:
    """The function for topics that are given by their names."""
    match key:
        case "TopicPartition":
            return place_hash
        case "TopicAndPartition":
            return case_class_hash
        case "TopicIdPartition":
            topics = call.broker.cluster.topics
            return lambda place: id_place_hash(topics[place[0]].id if place[0] in topics else ZERO_UUID, place)
        case "TopicIdPartition without id":
            return partial(id_place_hash, ZERO_UUID)
        case _:
            assert_never(key)


def hash_of_id_places(call: Call) -> Callable[[Any], int]:
    """The function for topics that are given by their ids."""
    topics = call.broker.cluster.topics_by_id
    return lambda place: id_place_hash(place[0], (topics[place[0]].name if place[0] in topics else "", place[1]))
