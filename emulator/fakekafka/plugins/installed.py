"""The plug-ins whose code is on this machine, by alias. What a cluster has registered is `registered`.

In KIP-984 people copy a plug-in's files to every machine by hand. Here they install a distribution with an entry point
of the group `fakekafka.compression`, whose name is the alias and whose object is a plug-in or a class of plug-ins.
Class names in a topic are never imported: otherwise anyone with write access there could run code here.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Final

from fakekafka.plugins.plugin import CompressionPlugin
from fakekafka.plugins.shipped import SHIPPED

GROUP: Final = "fakekafka.compression"


@cache
def installed() -> Mapping[str, CompressionPlugin]:
    """All installed plug-ins. An entry point takes precedence over a shipped plug-in of the same alias."""
    codecs: dict[str, CompressionPlugin] = dict(SHIPPED)
    for point in entry_points(group=GROUP):
        plugin = point.load()
        codecs[point.name] = plugin() if isinstance(plugin, type) else plugin
    return codecs
