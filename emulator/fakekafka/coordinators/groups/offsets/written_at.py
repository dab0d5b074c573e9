"""Where the offset of each partition lies in the log, for a coordinator that outlives its topic.

Of two offsets the Scala coordinator shows the one whose batch has the higher offset, in whichever log it is
(CommitRecordMetadataAndOffset.olderThan). So commits into a new log are not seen until it has grown. Offsets that were
read from the log at the start are not known here.
"""

from fakekafka.coordinators.groups.offsets.pending import Key
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.ids import Offset
from fakekafka.releases.behaviours.groups import GroupsBehaviour


class WrittenAt:
    """The offset of the batch of each commit that is shown."""

    def __init__(self) -> None:
        self._offsets: dict[Key, Offset] = {}

    def replaces(self, known: Committed | None, key: Key, at: Offset) -> bool:
        """Whether a commit whose batch is at this offset is shown from now on, instead of `known`."""
        if known is not None and at <= self._offsets.get(key, -1):
            return False
        self._offsets[key] = at
        return True


def written_at(rules: GroupsBehaviour) -> WrittenAt | None:
    """Where offsets lie, if that matters."""
    return WrittenAt() if rules.outlives_topic and rules.coordinator == "scala" else None
