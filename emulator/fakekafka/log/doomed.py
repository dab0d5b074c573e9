"""What a start does to the directory of a deleted partition, which waits for its deletion.

Real brokers open such a log without recovering anything, and take its end to be 0. So producer snapshots and leader
epochs, which lie beyond that end, are removed, while the segments stay (Log.loadSegments, LogLoader). Recorded from
1.1.1 to 4.1.1: storage_log_dirs.
"""

from fakekafka.log import names
from fakekafka.log.files import Directory
from fakekafka.log.leader_epochs import LeaderEpochs
from fakekafka.releases.behaviours.log import LogBehaviour


def open_doomed(directory: Directory, rules: LogBehaviour) -> None:
    """Change `directory` as a start does."""
    if directory.exists(names.LEADER_EPOCHS):
        epochs = LeaderEpochs(directory, rules)
        epochs.load()
        epochs.truncate_from_end(0)
    for name in directory.names():
        if names.is_segment_file(name, names.SNAPSHOT):
            directory.delete(name)
