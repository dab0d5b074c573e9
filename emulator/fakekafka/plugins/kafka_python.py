"""kafka-python with compression plug-ins: after `install`, its producers take an alias as `compression_type`, and its
consumers read what plug-ins have compressed.

    installed = fakekafka.plugins.kafka_python.install(bootstrap_servers)
    KafkaProducer(bootstrap_servers=bootstrap_servers, compression_type="snappyPlugin")
    installed.remove()      # or: with fakekafka.plugins.kafka_python.install(...):

Nothing of the library is copied. Four of its names are replaced: the producer's constructor and the table in which it
looks up its codec, the builder of batches, which still builds a plain one that is then compressed, and the reader of
fetched sets, which is given plain batches.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import kafka.consumer.fetcher
import kafka.producer.kafka
import kafka.record.memory_records

from fakekafka.plugins.attributes import POSITION
from fakekafka.plugins.batches import packed, unpacked
from fakekafka.plugins.entry import PYTHON
from fakekafka.plugins.known import KnownPlugins, PlainWithPlugin
from fakekafka.plugins.patches import Installed, Patch
from fakekafka.plugins.plugin import CompressionPlugin
from fakekafka.plugins.remote import read_registered

PRODUCER = kafka.producer.kafka.KafkaProducer
BEGIN = PRODUCER.__init__
CODECS = PRODUCER._COMPRESSORS
BUILDER: Any = kafka.record.memory_records.DefaultRecordBatchBuilder
MEMORY_RECORDS = kafka.consumer.fetcher.MemoryRecords


def install(
    bootstrap_servers: str | Sequence[str],
    plugins: Mapping[str, CompressionPlugin] | None = None,
    *,
    position: int = POSITION,
) -> Installed:
    """Make the plug-ins that a cluster has registered available to every kafka-python client of this process.

    `plugins`: code by alias, besides what is installed (entry points `fakekafka.compression`). `position`: as in the
    draft's setting. It replaces an earlier `install`. The cluster is asked when a plug-in is first named.
    """
    known = KnownPlugins(lambda: read_registered(bootstrap_servers).get(PYTHON, {}), plugins, position)

    def begin(self: Any, **options: Any) -> None:
        codec = options.get("compression_type")
        if codec not in CODECS:  # looked up before it connects: an unknown name leaves nothing behind
            self.config, self._closed = {**PRODUCER.DEFAULT_CONFIG, **options}, True
            known.called(str(codec))
        BEGIN(self, **options)

    def records(data: Any) -> Any:
        return MEMORY_RECORDS(unpacked(data, known) if data else data)

    return Installed(
        "kafka-python",
        Patch(PRODUCER, "__init__", begin),
        Patch(PRODUCER, "_COMPRESSORS", _Codecs(CODECS, known)),
        Patch(kafka.record.memory_records, "DefaultRecordBatchBuilder", PluggedBuilder),
        Patch(kafka.consumer.fetcher, "MemoryRecords", records),
    )


class _Codecs(dict[str | None, Any]):
    """The library's table of codecs, with the plug-ins as a fallback."""

    def __init__(self, built_in: Mapping[str | None, Any], known: KnownPlugins) -> None:
        super().__init__(built_in)
        self._known = known

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Any:
        """The codec for a plug-in's name. Raises `UnknownCompressionName` for an unknown name."""
        return lambda: True, PlainWithPlugin(self._known.called(name))


class PluggedBuilder(BUILDER):  # type: ignore[misc]
    """The library's builder of batches, whose result a plug-in may compress."""

    def build(self) -> bytearray:
        batch = super().build()
        codec = self._compression_type
        return packed(batch, codec.plugin) if isinstance(codec, PlainWithPlugin) else batch
