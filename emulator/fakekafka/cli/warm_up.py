"""Load what a client's first requests need before a client asks: for a process that only serves.

Code is imported when a request first needs it, so that a test pays for nothing that it does not use. To a client of
`serve` that would be a tenth of a second of waiting, spread over its first requests, while the process has nothing else
to do. So requests are sent here once, to a broker of the same release that nobody else sees.
"""

from typing import Final

from fakekafka.emulator import FakeKafka
from fakekafka.handlers import arrangement
from fakekafka.ids import ApiKey
from fakekafka.wire.apis import request_class
from fakekafka.wire.frames import request_frame

TOPIC: Final = "warm-up"
ORDINARY: Final = (
    ApiKey.API_VERSIONS,
    ApiKey.METADATA,
    ApiKey.INIT_PRODUCER_ID,
    ApiKey.PRODUCE,
    ApiKey.FIND_COORDINATOR,
    ApiKey.JOIN_GROUP,
    ApiKey.SYNC_GROUP,
    ApiKey.HEARTBEAT,
    ApiKey.OFFSET_FETCH,
    ApiKey.LIST_OFFSETS,
    ApiKey.FETCH,
    ApiKey.OFFSET_COMMIT,
    ApiKey.LEAVE_GROUP,
)
"""What producers and members of groups send."""


def warm_up(release: str) -> None:
    """Append a record to a broker of the release, in memory and without sockets, and send it each ordinary request,
    empty, in the newest version.
    """
    kafka = FakeKafka(release, topics={TOPIC: 1}).boot()
    try:
        kafka.send(TOPIC, b"")
        accepted = kafka.connect().core.cluster.brokers[0].accepted
        for key in ORDINARY:
            arrangement(key)  # is needed for an answer only, and some wait
            if key in accepted:  # each on its own connection
                kafka.connect().send(request_frame(request_class(key)(), accepted[key][1], 0, TOPIC))
    finally:
        kafka.stop()
