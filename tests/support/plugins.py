"""Clusters with compression plug-ins, and sets that a plug-in has compressed."""

from collections.abc import Mapping

from fakekafka import FakeKafka, ManualClock
from fakekafka.ids import Magic
from fakekafka.plugins.attributes import POSITION, attributes_of
from fakekafka.plugins.plugin import Chosen
from fakekafka.plugins.shipped import SHIPPED
from fakekafka.records import v2
from fakekafka.records.attributes import CREATE_TIME_TYPE
from fakekafka.records.record import Record

from tests.support.seeded import NOW

SNAPPY = "snappyPlugin"
LZMA = "lzmaPlugin"
PRODUCE: dict[Magic, int] = {0: 0, 1: 2, 2: 3}


def with_plugins(
    release: str = "3.9",
    *aliases: str,
    position: int = POSITION,
    brokers: int = 1,
    config: Mapping[str, object] | None = None,
) -> FakeKafka:
    """A booted cluster with the topic "t", and with plug-ins registered in this order (snappyPlugin)."""
    draft = f"KIP-984:position={position}"
    kafka = FakeKafka(release, drafts=[draft], brokers=brokers, clock=ManualClock(NOW), config=config).boot()
    for alias in aliases or (SNAPPY,):
        kafka.plugins.register(alias)
    kafka.create_topic("t")
    return kafka


def chosen(alias: str = SNAPPY, plugin_id: int = 1, position: int = POSITION) -> Chosen:
    return Chosen(attributes_of(plugin_id, position), alias, SHIPPED[alias])


def rows(count: int = 3, value: bytes = b"value " * 20) -> list[Record]:
    return [Record(n, NOW + n, CREATE_TIME_TYPE, b"key-%d" % n, value) for n in range(count)]


def plugged(alias: str = SNAPPY, plugin_id: int = 1, count: int = 3, position: int = POSITION) -> bytes:
    """A batch as a producer that has the plug-in sends it."""
    return v2.build(rows(count), plugged=chosen(alias, plugin_id, position))
