"""Brokers stop cleanly: their partitions have other leaders before they leave (KAFKA-340)."""

from typing import Final

from fakekafka.wire.apis.elect_leaders import ElectLeadersRequest

from tests.real_trios.moves import elect
from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import TOPIC, create, epochs, fetch, led, produce

TWO: Final = "two"
"""A topic with two replicas."""
ONE: Final = "one"
"""A topic with one replica."""


def shutdowns(recorder: Recorder) -> None:
    """Two brokers stop one after the other, and the first returns first: some partitions have no leader meanwhile."""
    create(recorder, [[1, 2, 0]])
    create(recorder, [[2, 1], [1, 0]], TWO)
    create(recorder, [[1]], ONE)
    produce(recorder, 1, b"a")
    produce(recorder, 2, b"a", name=TWO)
    produce(recorder, 1, b"a", name=TWO, index=1)
    produce(recorder, 1, b"a", name=ONE)
    recorder.stop(1)
    led(recorder, 2, [2, 0])
    led(recorder, 0, [0], name=TWO, index=1)
    led(recorder, -1, None, name=ONE)
    produce(recorder, 2, b"b")
    produce(recorder, 2, b"c", name=TWO)
    produce(recorder, 0, b"d", name=TWO, index=1)
    recorder.stop(2)
    led(recorder, 0, [0])
    led(recorder, -1, None, name=TWO)
    produce(recorder, 0, b"e")
    recorder.start(1)
    led(recorder, 0, [0, 1])
    led(recorder, -1, None, name=TWO)
    led(recorder, 0, [0, 1], name=TWO, index=1)
    led(recorder, 1, [1], name=ONE)
    produce(recorder, 1, b"no", name=TWO)
    produce(recorder, 1, b"f", name=ONE)
    recorder.start(2)
    led(recorder, 0, [0, 1, 2])
    led(recorder, 2, [2, 1], name=TWO)
    if recorder.has(ElectLeadersRequest):
        elect(recorder, 0, (0,))
        led(recorder, 1, [0, 1, 2])
    recorder.keep("all back")
    for name, index in ((TOPIC, 0), (TWO, 0), (TWO, 1), (ONE, 0)):
        for node_id in recorder.brokers.nodes:
            epochs(recorder, node_id, 0, 1, 2, 3, 4, 5, name=name, index=index)
            fetch(recorder, node_id, name=name, index=index)
