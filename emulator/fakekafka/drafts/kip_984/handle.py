"""`kafka.plugins`: how a test works with the plug-ins of a cluster."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from fakekafka.cluster.cluster import Cluster
from fakekafka.drafts.kip_984.installation import Installation
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId
from fakekafka.plugins.entry import JAVA, Language, PluginEntry
from fakekafka.plugins.plugin import CompressionPlugin, Functions
from fakekafka.plugins.registration import FIRST_VERSION, Registered, Wanted, plan

T = TypeVar("T")


class OnLoop(Protocol):
    """Runs work on the thread that owns the state."""

    def __call__(self, work: Callable[[], T], /) -> T: ...


class Plugins:
    """Registers plug-ins with a cluster, and installs their code on its brokers."""

    def __init__(self, installation: Installation, on_loop: OnLoop) -> None:
        self._installation = installation
        self._on_loop = on_loop

    def register(
        self,
        alias: str,
        class_names: Mapping[Language, str] | None = None,
        version: str = FIRST_VERSION,
        **extensions: Any,
    ) -> PluginEntry:
        """Register a plug-in for every client language at once. Returns its Java entry, with its assigned id.

        `class_names`: the class with its code, by language, "java" among them; None: names made from the alias.
        `extensions`: further fields of the JSON. Raises `UsageError` if the rules of KIP-984 forbid it.
        """
        return self._on_loop(lambda: self._register(Wanted(alias, class_names or {}, version, extensions)))

    def _register(self, wanted: Wanted) -> PluginEntry:
        registry = self._installation.registry
        entries = plan(wanted, registry.all(), self._installation.anywhere(wanted.alias))
        registry.write(entries)
        return entries[JAVA]

    def registered(self) -> Registered:
        """The registered plug-ins, by language and alias."""
        return self._on_loop(self._installation.registry.all)

    def install(
        self, alias: str, plugin: CompressionPlugin | tuple[Any, Any], *, broker: BrokerId | None = None
    ) -> None:
        """Install the code of a plug-in on a broker, or on all of them: an object with `compress` and `decompress`, or
        these two as functions.
        """
        functions = Functions(*plugin) if isinstance(plugin, tuple) and not isinstance(plugin, Functions) else plugin
        if not (hasattr(functions, "compress") and hasattr(functions, "decompress")):
            raise UsageError(f"{plugin!r} is not a plug-in: it needs compress and decompress, from bytes to bytes")
        self._on_loop(lambda: self._installation.install(alias, functions, broker))

    def remove(self, alias: str, *, broker: BrokerId | None = None) -> None:
        """Remove the code from a broker, or from all of them; it stays registered. Raises `UsageError` if it is not
        there.
        """
        self._on_loop(lambda: self._installation.remove(alias, broker))

    def installed(self, broker: BrokerId) -> list[str]:
        """The aliases of the plug-ins that are installed on a broker."""
        return self._on_loop(lambda: sorted(self._installation.on(broker)))


def installation_of(cluster: Cluster) -> Installation:
    """The plug-ins of a cluster. Raises `UsageError` if the cluster does not support plug-ins."""
    installation = cluster.plugins
    if not isinstance(installation, Installation):
        raise UsageError('this cluster has no compression plug-ins: say FakeKafka("3.9", drafts=["KIP-984"])')
    return installation
