"""What brokers ask of each other and of whoever runs them, without a network in between."""

from fakekafka.clock import Clock
from fakekafka.cluster.broker import Broker
from fakekafka.handlers import handler
from fakekafka.handlers.call import Call
from fakekafka.ids import ApiKey, BrokerId
from fakekafka.server.failures import Failures
from fakekafka.server.manners import ReadRequest, layout_read
from fakekafka.wire.message import Request, Response

NO_CONNECTION = 0
"""What stands for the connection where brokers talk to each other."""


class Exchange:
    """How a broker asks another one: see `cluster.replication.exchange`."""

    def __init__(self, clock: Clock, failures: Failures) -> None:
        self._clock = clock
        self._failures = failures

    def __call__(self, broker: Broker, request: Request, version: int, client_id: str) -> Response | None:
        """What `broker` answers; None: it closes the connection, or never answers."""
        key = ApiKey(request.KEY)
        layout = layout_read(broker.profile.connection, broker.profile.accepted, key, version)
        handle = None if layout is None else handler(key)
        if layout is None or handle is None:
            return None
        read = ReadRequest(key, layout, 0, client_id, request)
        call = Call(broker, read, broker.host, NO_CONNECTION, self._clock.now_ms)
        result = self._failures.guarded(call, request, lambda: handle(request, call))
        return result if isinstance(result, Response) else None


class DyingBrokers:
    """Brokers that die of an error of their disk, as soon as what runs has ended."""

    def __init__(self) -> None:
        self.brokers: list[tuple[BrokerId, bool]] = []
        """Those that have not been taken yet, with whether the answers that they have given are sent."""

    def halt(self, node_id: BrokerId, answers: bool) -> None:
        """Have a broker die. `answers`: whether those that it has given are sent."""
        self.brokers.append((node_id, answers))

    def take(self) -> list[tuple[BrokerId, bool]]:
        """Those since the last call."""
        dying, self.brokers = self.brokers, []
        return dying
