"""What a program knows about plug-ins: the entries of a topic, and the code that is installed here.

A client uses `plugin-python-topic`; a reader of files uses the logs of `plugin-java-topic` beside them. The list is
read again when a plug-in is named that is not in it, so plug-ins that are registered later are found, too.
"""

from collections.abc import Callable, Mapping
from typing import Final

from fakekafka.ids import Buffer
from fakekafka.plugins.attributes import ID_BITS, POSITION, attributes_of, id_in
from fakekafka.plugins.entry import PluginEntry
from fakekafka.plugins.installed import installed
from fakekafka.plugins.plugin import Chosen, CompressionPlugin
from fakekafka.records.compression import CODEC_NAMES
from fakekafka.records.malformed import UnknownCodec
from fakekafka.records.v2 import RecordBatch, plugged_batch

UNKNOWN: Final = "Unknown compression name"
BUILT_IN: Final = frozenset(CODEC_NAMES)


class UnknownCompressionName(UnknownCodec, ValueError):
    """No plug-in has this alias or id, or it is not installed here: Java's IllegalArgumentException."""


class KnownPlugins:
    """The plug-ins of one cluster, as this process knows them: a `records.plugged.PluggedCodecs`.

    `read`: what is registered now, by alias. `plugins`: further code by alias, besides what is installed.
    """

    def __init__(
        self,
        read: Callable[[], Mapping[str, PluginEntry]],
        plugins: Mapping[str, CompressionPlugin] | None = None,
        position: int = POSITION,
    ) -> None:
        self._read = read
        self._installed = {**installed(), **(plugins or {})}
        self._entries: Mapping[str, PluginEntry] = {}
        self._position = position

    @property
    def mask(self) -> int:
        return ID_BITS << self._position

    def batch(self, data: Buffer) -> RecordBatch:
        """The view of a unit of format 2."""
        return plugged_batch(data, self)

    def of_batch(self, attributes: int) -> Chosen:
        """The plug-in that compressed a batch with these attributes. Raises `UnknownCompressionName`."""
        plugin_id = id_in(attributes, self._position)
        entry = self._entry(lambda entry: entry.plugin_id == plugin_id)
        if entry is None:
            raise UnknownCompressionName(f"{UNKNOWN}: no plug-in has the id {plugin_id}")
        return self._chosen(entry)

    def called(self, name: str) -> Chosen:
        """The plug-in with this alias. Raises `UnknownCompressionName`."""
        entry = self._entry(lambda entry: entry.alias == name)
        if entry is None:
            raise UnknownCompressionName(f"{UNKNOWN}: {name}")
        return self._chosen(entry)

    def _entry(self, is_wanted: Callable[[PluginEntry], bool]) -> PluginEntry | None:
        entry = next(filter(is_wanted, self._entries.values()), None)
        if entry is None:
            self._entries = self._read()
            entry = next(filter(is_wanted, self._entries.values()), None)
        return entry

    def _chosen(self, entry: PluginEntry) -> Chosen:
        plugin = self._installed.get(entry.alias)
        if plugin is None:
            raise UnknownCompressionName(f"{UNKNOWN}: {entry.alias} is not installed here ({entry.class_name})")
        return Chosen(attributes_of(entry.plugin_id, self._position), entry.alias, plugin)


class PlainWithPlugin(int):
    """The number for "no compression" that carries a plug-in from the producer to the builder."""

    plugin: Chosen

    def __new__(cls, plugin: Chosen) -> "PlainWithPlugin":
        new = super().__new__(cls, 0)
        new.plugin = plugin
        return new

    def __and__(self, mask: int) -> "PlainWithPlugin":
        return self
