"""Rules of a fake broker in front of a real one: what they let pass is forwarded, and the real answers go back.

The real broker serves many cells: topics, groups and transactional ids have separate names there for each cell.
"""

import os
import socket
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from confluent_kafka import Consumer, KafkaError, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from fakekafka import FakeKafka
from fakekafka.faults.actions import until
from fakekafka.handlers.call import Call, Outcome, Result
from fakekafka.wire.apis import response_class
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Struct

from tests.client_faults.programs import GROUP, TOPIC, TOPICS, TRANSACTIONAL_ID
from tests.client_faults.shown_fault import ShownFault

NAMES: Final = (TOPIC, GROUP, TRANSACTIONAL_ID, *(name.decode() for name in TOPICS))
AT_ONCE: Final = 32
"""How many requests may be with the real broker at a time."""
PATIENCE_S: Final = 30


class Addresses(NamedTuple):
    """Where the rules listen, and where the real broker does."""

    fake: str
    real: str


class Behind:
    """A real broker, as a cell sees it through the rules of `kafka`."""

    def __init__(self, kafka: FakeKafka, real: str) -> None:
        self.kafka = kafka
        self._addresses = Addresses(kafka.bootstrap_servers, real)
        own = os.urandom(4).hex()
        self._there = {name: f"{name}-{own}" for name in NAMES}
        self._here = {there: name for name, there in self._there.items()}
        self._links: dict[int, socket.socket] = {}
        self._threads = ThreadPoolExecutor(AT_ONCE)
        self._settings: dict[str, Any] = {"bootstrap.servers": real}
        self._admin = AdminClient(self._settings)
        (created,) = self._admin.create_topics([NewTopic(self._there[TOPIC], 1, 1)]).values()
        created.result(PATIENCE_S)

    def handle(self, request: Request, call: Call) -> Result:
        """Forward a request, and answer it when the real broker does."""
        done: Future[Result] = self._threads.submit(self._exchange, request, call)
        done.add_done_callback(lambda _: self.kafka._runtime.wake(done))
        return until(done, done.done, done.result)

    def _exchange(self, request: Request, call: Call) -> Result:
        rename(request, self._there)
        frame = request_frame(request, call.version, call.correlation_id, call.client_id)
        rename(request, self._here)  # a rule may answer with the request's own names
        link = self._links.get(call.connection_id)
        try:
            if link is None:
                host, _, port = self._addresses.real.rpartition(":")
                link = self._links[call.connection_id] = socket.create_connection((host, int(port)), PATIENCE_S)
            link.sendall(frame)
            (size,) = SIZE.unpack(_received(link, SIZE.size))
            answer = read_response(response_class(call.key), call.version, _received(link, size))[1]
        except OSError:  # the real broker has closed the connection, or stays silent
            return Outcome.CLOSE
        rename(answer, self._here)
        host, _, port = self._addresses.fake.rpartition(":")
        readdress(answer, host, int(port))
        return answer

    def send(self, value: bytes) -> None:
        producer = Producer(self._settings)
        producer.produce(self._there[TOPIC], value)
        assert producer.flush(PATIENCE_S) == 0

    def stored(self) -> Counter[bytes]:
        return self._values("read_uncommitted")

    def committed(self) -> Counter[bytes]:
        return self._values("read_committed")

    def _values(self, isolation: str) -> Counter[bytes]:
        reading = {"group.id": "looks", "enable.partition.eof": True, "isolation.level": isolation}
        consumer = Consumer({**self._settings, **reading})
        consumer.assign([TopicPartition(self._there[TOPIC], 0, 0)])
        found: Counter[bytes] = Counter()
        while (message := consumer.poll(PATIENCE_S)) is not None:
            if (error := message.error()) is not None:
                assert error.code() == KafkaError._PARTITION_EOF, error
                break
            found[message.value() or b""] += 1
        consumer.close()
        return found

    def topics(self) -> Iterable[str]:
        there = self._admin.list_topics(timeout=PATIENCE_S).topics
        return [self._here[name] for name in there if name in self._here]


def _received(link: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = link.recv(size - len(data))
        if not piece:
            raise ConnectionError("the real broker closed the connection")
        data += piece
    return data


def rename(message: Struct, names: Mapping[str, str]) -> None:
    """Replace names wherever they stand in a message."""

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return names.get(value, value)
        if isinstance(value, Struct):
            rename(value, names)
        return [renamed(each) for each in value] if isinstance(value, list) else value

    values = vars(message)
    values.update({name: renamed(value) for name, value in values.items()})


def readdress(message: Struct, host: str, port: int) -> None:
    """Replace the address of every broker in an answer."""
    values = vars(message)
    if values.get("port", -1) > 0 and "host" in values:
        values.update(host=host, port=port)
    for value in values.values():
        for each in value if isinstance(value, list) else (value,):
            if isinstance(each, Struct):
                readdress(each, host, port)


@contextmanager
def behind(real: str, release: str, fault: ShownFault) -> Iterator[Behind]:
    """The real broker of a release that listens at an address, with the rules of a fake one in front."""
    with FakeKafka(release) as kafka:
        cluster = Behind(kafka, real)
        with patch("fakekafka.server.router.handler", lambda key: cluster.handle):
            yield cluster
