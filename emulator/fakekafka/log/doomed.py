"""What a start does to the directory of a deleted partition, which waits for its deletion.

The one fact to know: real brokers open such a log, recover nothing in it and take its end for 0; so what is beyond that
goes: producer snapshots and leader epochs, while the segments stay (Log.loadSegments, LogLoader). Recorded from 1.1.1
to 4.1.1: storage_log_dirs.
"""

from fakekafka.log import names
from fakekafka.log.files import Directory
from fakekafka.log.leader_epochs import LeaderEpochs
from fakekafka.releases.behaviours.log import LogBehaviour


def open_doomed(directory: Directory, rules: LogBehaviour) -> None:
    """Leave `directory` as a start leaves it."""
    if directory.exists(names.LEADER_EPOCHS):
        epochs = LeaderEpochs(directory, rules)
        epochs.load()
        epochs.truncate_from_end(0)
    for name in directory.names():
        if names.is_segment_file(name, names.SNAPSHOT):
            directory.delete(name)
