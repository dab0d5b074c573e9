"""The compression plug-ins that the files of a log directory name (draft KIP-984)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fakekafka.log import names
from fakekafka.log.files import DiskDirectory
from fakekafka.plugins.entry import PluginEntry
from fakekafka.plugins.known import KnownPlugins
from fakekafka.plugins.stored import FOLDER, entries_in
from fakekafka.records.plugged import PluggedCodecs

LEVELS: Final = 3
"""How far up the registry may be: beside the partition, or beside the broker's folder."""


def plugins_of(partition: Path) -> PluggedCodecs:
    """The plug-ins for a partition's directory. Nothing is read until a batch names one."""
    return KnownPlugins(lambda: _entries(partition.absolute()))


def _entries(partition: Path) -> Mapping[str, PluginEntry]:
    """What the nearest registry says; nothing if there is none."""
    for root in partition.parents[:LEVELS]:
        for folder in (root / FOLDER, *sorted(root.glob(f"*/{FOLDER}"))):
            if folder.is_dir():
                directory = DiskDirectory(folder)
                logs = sorted(name for name in directory.names() if names.is_segment_file(name, names.LOG))
                return entries_in(directory.read_all(name) for name in logs)
    return {}
