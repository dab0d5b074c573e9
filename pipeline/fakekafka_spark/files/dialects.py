"""How the batches of a partition are read where a draft wrote them: by plug-ins (KIP-984), or in KIP-98's first format.

The cluster's own file names the drafts; plug-ins are in the registry in the same log directory, which is not read until
a batch names one. The code of plug-ins must be installed wherever Spark's workers run.
"""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from fakekafka.log import names
from fakekafka.plugins.dialects import LEVELS, dialect_for, drafts_in
from fakekafka.plugins.entry import PluginEntry
from fakekafka.plugins.stored import FOLDER, entries_in
from fakekafka.records.batch import Dialect

from fakekafka_spark.files.storage import Storage


def dialect_of(storage: Storage, partition: str) -> Dialect:
    """The dialect of the batches in a partition's directory."""
    path = PurePosixPath(partition)
    return dialect_for(drafts_beside(storage, partition), lambda: _entries(storage, path))


def drafts_beside(storage: Storage, partition: str) -> Sequence[str]:
    """The drafts of the cluster that wrote a partition's directory, as its file names them."""
    for root in PurePosixPath(partition).parents[:LEVELS]:
        if storage.entry(file := str(root / names.CLUSTER_FILE)) is not None:
            return drafts_in(storage.read(file))
    return ()


def _entries(storage: Storage, partition: PurePosixPath) -> Mapping[str, PluginEntry]:
    """What the nearest registry says; nothing if the cluster has none. Other clusters beside it do not count."""
    for root in partition.parents[:LEVELS]:
        folders = [str(root / FOLDER)]
        folders += [f"{entry.path}/{FOLDER}" for entry in storage.entries(str(root)) if not entry.is_file]
        for folder in folders:
            if storage.entry(folder) is not None:
                logs = [entry for entry in storage.entries(folder) if names.is_segment_file(entry.name, names.LOG)]
                return entries_in(storage.read(entry.path) for entry in logs)
        if storage.entry(str(root / names.CLUSTER_FILE)) is not None:
            break
    return {}
