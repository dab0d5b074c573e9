"""The compression plug-ins that batches may name (draft KIP-984): those that the registry beside it lists.

Nothing is read until a batch names one. The code must be installed wherever Spark's workers run.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from fakekafka.log import names
from fakekafka.plugins.entry import PluginEntry
from fakekafka.plugins.known import KnownPlugins
from fakekafka.plugins.stored import FOLDER, entries_in
from fakekafka.records.dialect import Dialect

from fakekafka_spark.files.storage import Storage

LEVELS: Final = 3
"""How far above a partition the registry may be: beside its partition, or beside the broker's folder."""


def plugins_of(storage: Storage, partition: str) -> Dialect:
    """The plug-ins for the batches in a partition's directory."""
    return KnownPlugins(lambda: _entries(storage, PurePosixPath(partition)))


def _entries(storage: Storage, partition: PurePosixPath) -> Mapping[str, PluginEntry]:
    for root in partition.parents[:LEVELS]:
        folders = [str(root / FOLDER)]
        folders += [f"{entry.path}/{FOLDER}" for entry in storage.entries(str(root)) if not entry.is_file]
        for folder in folders:
            if storage.entry(folder) is not None:
                logs = [entry for entry in storage.entries(folder) if names.is_segment_file(entry.name, names.LOG)]
                return entries_in(storage.read(entry.path) for entry in logs)
    return {}
