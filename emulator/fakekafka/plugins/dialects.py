"""How to read the logs of a cluster that played drafts, by what the cluster's file says about them: for programs
without a broker.

The file (`log.names.CLUSTER_FILE`) lies beside the partitions, or beside the brokers' folders. If it is missing or
broken, all formats are assumed to be as shipped.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fakekafka.ids import Buffer
from fakekafka.plugins.attributes import POSITION
from fakekafka.plugins.entry import PluginEntry
from fakekafka.plugins.known import KnownPlugins
from fakekafka.records.batch import Batch, Dialect
from fakekafka.records.drafts.first_set import FirstSet, is_first_set

LEVELS: Final = 3
"""How far above a partition the files of its cluster may be."""
FIRST_SETS: Final = "KIP-98-draft"
_PLUGINS_AT: Final = "KIP-984:position="


def drafts_in(content: Buffer) -> Sequence[str]:
    """The drafts that a cluster's file names, as the user requested them."""
    try:
        drafts = json.loads(bytes(content)).get("drafts", ())
    except (ValueError, AttributeError):
        return ()
    return [draft for draft in drafts if isinstance(draft, str)] if isinstance(drafts, list) else ()


def dialect_for(drafts: Sequence[str], entries: Callable[[], Mapping[str, PluginEntry]]) -> Dialect:
    """The dialect of logs that a cluster with these drafts wrote. `entries`: reads the registry of plug-ins."""
    at = next((draft.removeprefix(_PLUGINS_AT) for draft in drafts if draft.startswith(_PLUGINS_AT)), "")
    plugins = KnownPlugins(entries, position=int(at) if at.isdecimal() else POSITION)
    return FirstSetsBeside(plugins) if FIRST_SETS in drafts else plugins


class FirstSetsBeside:
    """KIP-98's first draft, and the shipped format of internal topics."""

    def __init__(self, others: Dialect) -> None:
        self._others = others

    def batch(self, data: Buffer) -> Batch:
        """The view of a unit, chosen by the place where its checksum is correct."""
        return FirstSet(data) if is_first_set(data) else self._others.batch(data)
