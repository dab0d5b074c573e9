"""How the files of a log directory are read where a draft wrote them: with plug-ins, or in the draft's own format.

The cluster's own file names the drafts; plug-ins are in the registry beside the partition.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from fakekafka.log import names
from fakekafka.log.files import DiskDirectory
from fakekafka.plugins.dialects import LEVELS, dialect_for, drafts_in
from fakekafka.plugins.entry import PluginEntry
from fakekafka.plugins.stored import FOLDER, entries_in
from fakekafka.records.batch import Dialect


def dialect_of(partition: Path) -> Dialect:
    """The dialect of a partition's directory. Plug-ins are not looked up until a batch names one."""
    return dialect_for(drafts_beside(partition), lambda: _entries(partition.absolute()))


def drafts_beside(partition: Path) -> Sequence[str]:
    """The drafts of the cluster that wrote a partition's directory, as its file names them."""
    for root in partition.absolute().parents[:LEVELS]:
        if (root / names.CLUSTER_FILE).is_file():
            return drafts_in((root / names.CLUSTER_FILE).read_bytes())
    return ()


def _entries(partition: Path) -> Mapping[str, PluginEntry]:
    """The entries of the nearest registry; none if the cluster has no registry. Registries of other clusters beside it
    do not count.
    """
    for root in partition.parents[:LEVELS]:
        for folder in (root / FOLDER, *sorted(root.glob(f"*/{FOLDER}"))):
            if folder.is_dir():
                directory = DiskDirectory.for_reading(folder)
                logs = sorted(name for name in directory.names() if names.is_segment_file(name, names.LOG))
                return entries_in(directory.read_all(name) for name in logs)
        if (root / names.CLUSTER_FILE).is_file():
            break
    return {}
