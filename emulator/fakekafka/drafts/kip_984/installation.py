"""Which plug-ins the brokers of a cluster have installed, and how each finds the one that a batch or a config names.

The order of KIP-984: codec 5, then the id in the attributes, then the entry of that id in `plugin-java-topic`, then the
code. An id or alias that is not registered, and one whose code is not installed on the broker, are both an "Unknown
compression name".
"""

from collections.abc import Mapping
from typing import Final

from fakekafka.cluster.cluster import Cluster
from fakekafka.drafts.kip_984.registry import Registry
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, Buffer
from fakekafka.plugins.attributes import ID_BITS, attributes_of, id_in
from fakekafka.plugins.installed import installed
from fakekafka.plugins.plugin import Chosen, CompressionPlugin
from fakekafka.records.malformed import UnknownCodec
from fakekafka.records.v2 import RecordBatch, plugged_batch

UNKNOWN: Final = "Unknown compression name"


class Installation:
    """The plug-ins of a cluster. `position`: where in the attributes the id begins."""

    def __init__(self, cluster: Cluster, position: int) -> None:
        self.registry = Registry(cluster)
        self.position = position
        self._everywhere: dict[str, CompressionPlugin] = dict(installed())
        self._own: dict[BrokerId, dict[str, CompressionPlugin | None]] = {}
        self._on: dict[BrokerId, Mapping[str, CompressionPlugin]] = {}
        """What is installed on each broker, for brokers that have been asked about since the last change."""

    def install(self, alias: str, plugin: CompressionPlugin, node_id: BrokerId | None = None) -> None:
        """Install a plug-in's code on a broker; None: on all of them."""
        self._on.clear()
        if node_id is None:
            self._everywhere[alias] = plugin
            self._forget_own(alias)
        else:
            self._own.setdefault(node_id, {})[alias] = plugin

    def remove(self, alias: str, node_id: BrokerId | None = None) -> None:
        """Remove a plug-in's code. Raises `UsageError` if it is not installed."""
        if (alias in self._everywhere if node_id is None else alias in self.on(node_id)) is False:
            raise UsageError(f"{alias} is not installed: {', '.join(sorted(self._everywhere)) or 'nothing is'}")
        self._on.clear()
        if node_id is None:
            del self._everywhere[alias]
            self._forget_own(alias)
        else:
            self._own.setdefault(node_id, {})[alias] = None

    def _forget_own(self, alias: str) -> None:
        for own in self._own.values():
            own.pop(alias, None)

    def on(self, node_id: BrokerId) -> Mapping[str, CompressionPlugin]:
        """The plug-ins that are installed on a broker, by alias."""
        if node_id not in self._on:
            plugins = {**self._everywhere, **self._own.get(node_id, {})}
            self._on[node_id] = {alias: plugin for alias, plugin in plugins.items() if plugin is not None}
        return self._on[node_id]

    def anywhere(self, alias: str) -> CompressionPlugin | None:
        """The code of a plug-in, wherever it is installed."""
        places: list[Mapping[str, CompressionPlugin | None]] = [self._everywhere, *self._own.values()]
        return next((plugin for place in places if (plugin := place.get(alias)) is not None), None)

    def of_broker(self, node_id: BrokerId) -> "BrokerCodecs":
        """The codecs that a broker can use."""
        return BrokerCodecs(self, node_id)


class BrokerCodecs:
    """What one broker can read and write besides Kafka's codecs: a `records.plugged.PluggedCodecs`."""

    def __init__(self, installation: Installation, node_id: BrokerId) -> None:
        self._installation = installation
        self._node_id = node_id

    @property
    def mask(self) -> int:
        return ID_BITS << self._installation.position

    def batch(self, data: Buffer) -> RecordBatch:
        """The view of a unit of format 2."""
        return plugged_batch(data, self)

    def of_batch(self, attributes: int) -> Chosen:
        """The plug-in that compressed a batch. Raises `UnknownCodec` for an id that is not registered, or whose code is
        not here.
        """
        plugin_id = id_in(attributes, self._installation.position)
        entries = self._installation.registry.java().values()
        alias = next((entry.alias for entry in entries if entry.plugin_id == plugin_id), None)
        if alias is None:
            raise UnknownCodec(f"{UNKNOWN}: no plug-in has the id {plugin_id}")
        return self._chosen(alias, plugin_id)

    def called(self, name: str) -> Chosen:
        """The plug-in with this alias. Raises `UnknownCodec` if it is not registered, or its code is not here."""
        entry = self._installation.registry.java().get(name)
        if entry is None:
            raise UnknownCodec(f"{UNKNOWN}: {name}")
        return self._chosen(name, entry.plugin_id)

    def _chosen(self, alias: str, plugin_id: int) -> Chosen:
        plugin = self._installation.on(self._node_id).get(alias)
        if plugin is None:
            raise UnknownCodec(f"{UNKNOWN}: {alias} is not installed on broker {self._node_id}")
        return Chosen(attributes_of(plugin_id, self._installation.position), alias, plugin)
