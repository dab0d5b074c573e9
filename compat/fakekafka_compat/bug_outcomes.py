"""A real client that meets a bug: how it is started, its task, and the outcome."""

from typing import Final, NamedTuple

from fakekafka import FakeKafka
from fakekafka.bugs import Side
from fakekafka.client_configs import CLIENTS
from fakekafka.escaping import escaped

from fakekafka_compat.cell_run import CALLED
from fakekafka_compat.records import Json
from fakekafka_compat.table import Client

PATIENCE_S: Final = 20.0
"""A client that has said nothing for this long is stuck."""
TOPIC: Final = "t"


class Started(NamedTuple):
    """A client, and the command that starts its driver."""

    client: Client
    command: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.client.library} {self.client.version}"


class Outcome(NamedTuple):
    """The outcome of one client on one broker."""

    client: str
    side: Side
    wanted: int
    """How many records a correct client gets, or was given to send."""
    got: int
    """How many records it got, or how many arrived as they were given."""
    remark: str
    """The error that it reported, or what is wrong with what arrived."""
    others: int = 0
    """How many other things it took for records."""

    @property
    def all_well(self) -> bool:
        """Whether every record came exactly once."""
        return self.got == self.wanted and not self.others

    def __str__(self) -> str:
        more = f"; {escaped(self.remark)}" if self.remark and not self.all_well else ""
        others = f" and {self.others} others" if self.others else ""
        return f"{self.client} on {self.side.release}: {self.got} of {self.wanted} records{others}{more}"


def task(client: Client, kafka: FakeKafka, partitions: int, codec: str = "none", idempotent: bool = False) -> Json:
    """The first line for the client's driver."""
    address, called = kafka.bootstrap_servers, CALLED.get(client.library, client.library)
    named = next((name for name in CLIENTS if name == called), None)
    settings: Json = {"bootstrap_servers": address} if named is None else {**kafka.client_config(named)}
    return {
        "settings": settings, "release": kafka.release, "topic": TOPIC, "partitions": partitions, "codec": codec,
        "idempotent": idempotent,
    }  # fmt: skip
