"""How batches in a log directory are read where a draft wrote them: by plug-ins, or in a format of its own.

Of plug-ins the registry beside a partition tells, of the format the cluster's own file.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fakekafka.ids import Buffer
from fakekafka.log import names
from fakekafka.log.files import DiskDirectory
from fakekafka.plugins.entry import PluginEntry
from fakekafka.plugins.known import KnownPlugins
from fakekafka.plugins.stored import FOLDER, entries_in
from fakekafka.records.batch import Batch
from fakekafka.records.dialect import Dialect
from fakekafka.records.drafts.first_set import FirstSet, is_first_set

FIRST_SETS: Final = "KIP-98-draft"
LEVELS: Final = 3
"""How far up the other files may be: beside the partition, or beside the broker's folder."""


def dialect_of(partition: Path) -> Dialect:
    """The dialect of a partition's directory. Plug-ins are not looked up until a batch names one."""
    plugins = KnownPlugins(lambda: _entries(partition.absolute()))
    return FirstSetsBeside(plugins) if _has_first_sets(partition.absolute()) else plugins


class FirstSetsBeside:
    """KIP-98's first draft, and what releases store: topics that are internal."""

    def __init__(self, others: Dialect) -> None:
        self._others = others

    def batch(self, data: Buffer) -> Batch:
        """The view of a unit, by the place where its checksum is right."""
        return FirstSet(data) if is_first_set(data) else self._others.batch(data)


def _has_first_sets(partition: Path) -> bool:
    """Whether the cluster's file says that it plays that draft."""
    for root in partition.parents[:LEVELS]:
        if (root / names.CLUSTER_FILE).is_file():
            try:
                return FIRST_SETS in json.loads((root / names.CLUSTER_FILE).read_text("utf-8")).get("drafts", ())
            except (ValueError, AttributeError):
                return False
    return False


def _entries(partition: Path) -> Mapping[str, PluginEntry]:
    """What the nearest registry says; nothing if there is none."""
    for root in partition.parents[:LEVELS]:
        for folder in (root / FOLDER, *sorted(root.glob(f"*/{FOLDER}"))):
            if folder.is_dir():
                directory = DiskDirectory.for_reading(folder)
                logs = sorted(name for name in directory.names() if names.is_segment_file(name, names.LOG))
                return entries_in(directory.read_all(name) for name in logs)
    return {}
