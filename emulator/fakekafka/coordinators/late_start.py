"""When a broker begins to coordinate the groups, or the transactional ids, of a partition that it leads."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from fakekafka.errors import ErrorCode
from fakekafka.ids import PartitionIndex
from fakekafka.pace.events import Event
from fakekafka.pace.measured import measured

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def begin(
    broker: "Broker", event: Event, loading: set[PartitionIndex], index: PartitionIndex, load: Callable[[], None]
) -> None:
    """Load the partition: at once, or in a lifelike cluster a moment later.

    Meanwhile some releases do not know that they lead, and answer 16. Others know it, and answer 14, as for all
    partitions in `loading`. Where no error was seen, a real broker lets the first request wait: here it need not.
    """
    pace, rules = broker.cluster.pace, broker.profile
    errors = () if pace is None else measured(event, rules).errors
    if pace is None or not errors:
        load()
        return
    if errors == (ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,):
        loading.add(index)

    def begun() -> None:
        loading.discard(index)
        load()

    broker.timers.after(pace.delay_ms(event, rules), begun)
