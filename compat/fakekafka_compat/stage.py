"""What a scenario plays on: a broker, the cell's client, perhaps another client that writes, and the results so far."""

import time
from collections.abc import Iterable, Sequence
from typing import Final

from fakekafka import FakeKafka
from fakekafka_spark.observations import Cell, Observation, Want

from fakekafka_compat.driving import Driver
from fakekafka_compat.expectations import Expected
from fakekafka_compat.lossy_link import LossyLink
from fakekafka_compat.records import FILLER, Json, Record, as_json, of_all_kinds, uid_of
from fakekafka_compat.subject import Subject
from fakekafka_compat.table import Client

TOPIC: Final = "records-of-the-compatibility-matrix"
"""A long topic name: librdkafka 2.3 and later cannot read a short one in Metadata 0 of a single broker."""


class Unable(Exception):
    """The client cannot do a step; the message says which."""


class Stage:
    """What a scenario plays on. `expected` is what must be seen from now on; a scenario that changes the broker changes
    it.
    """

    def __init__(
        self, cell: Cell, kafka: Subject, topic: str, client: Client, expected: Expected, reader: Driver,
        writer: Driver, link: LossyLink,
    ) -> None:  # fmt: skip
        self.cell = cell
        self.kafka = kafka
        self.topic = topic
        self.client = client
        self.expected = expected
        self.link = link
        self.records: list[Record] = []
        """All records that the scenario hands to producers."""
        self.events: list[Json] = []
        """All events of the drivers. Those of consumed records also have `reads`, the newest format that the client can
        get."""
        self.facts: list[Observation] = []
        self._reader = reader
        self._writer = writer

    @property
    def own_kafka(self) -> FakeKafka:
        """The broker, for scenarios that restart it. Raises `Unable` if it is not ours."""
        if not isinstance(self.kafka, FakeKafka):
            raise Unable("restart a broker that is not ours")
        return self.kafka

    @property
    def now_ms(self) -> int:
        return self.kafka.clock.now_ms

    def new(self, count: int, want: Want = "once") -> list[Record]:
        """Records of all kinds that the client's and the topic's formats can hold."""
        timestamp = self.now_ms - 1000 if self.expected.writes else None
        return self.take(of_all_kinds(len(self.records), count, timestamp, self.expected.headers, want))

    def take(self, records: list[Record]) -> list[Record]:
        """Hand over further records from now on. Their numbers follow those of the earlier ones."""
        self.records += records
        return records

    def produce(self, records: Sequence[Record], **how: object) -> list[Json]:
        """Produce with the client that writes."""
        return self._tell(self._writer, {"do": "produce", "records": as_json(records), **how})

    def read(self, count: int, **how: object) -> list[Json]:
        """Read with the cell's client."""
        return self.tell({"do": "read", "reader": 0, "count": count, **how})

    def tell(self, step: Json) -> list[Json]:
        """Have the cell's client do a step. Returns its events. Raises `Unable`."""
        return self._tell(self._reader, step)

    def _tell(self, driver: Driver, step: Json) -> list[Json]:
        began = time.monotonic()
        events = [event for event in driver.step(step) if event.get("key") != FILLER.hex()]
        took = 1000 * (time.monotonic() - began)
        self.facts.append(Observation("fact", name=f"time of {step['do']}", amount=took))
        for event in events:
            if event["event"] == "unable":
                raise Unable(event["what"])
            if event["event"] == "consumed":
                event["reads"] = self.expected.reads
        self.events += events
        return events

    def fact(self, name: str, value: object, wanted: object = None) -> None:
        """Note a fact; `wanted`: its correct value; None if any value is correct."""
        expected = None if wanted is None else str(wanted)
        self.facts.append(Observation("fact", name=name, value=str(value), expected=expected))

    def observe(
        self, records: Sequence[Record], phase: str = "", judge_versions: bool = True, codec: str | None = None
    ) -> None:
        """Note what the broker shows about these records, besides their contents: versions, formats, codecs,
        conversions. `codec`: that of the topic; None: that of the client.
        """
        expected = self.expected
        within = f" in {phase!r}" if phase else ""
        for api, versions in self.kafka.versions_used.items():
            self.fact(f"version {api}{within}", _joined(versions), expected.version(api) if judge_versions else None)
        uids = {record.uid for record in records}
        logged = [each for each in self.kafka.records(self.topic) if uid_of(each.key, each.value) in uids]
        formats = {each.magic for each in logged}
        self.fact(f"stored format{within}", _joined(formats), "" if expected.refused else expected.stores)
        strange = {each.codec for each in logged} - {"none", codec or self.cell.codec}  # small sets stay as they are
        self.fact(f"codecs that nobody asked for{within}", ", ".join(sorted(strange)), "")
        self._observe_conversions(within)

    def _observe_conversions(self, within: str) -> None:
        lines = [line for line in self.kafka.conversions() if line.topic == self.topic and line.bytes_in]
        changed = [line for line in lines if line.direction in ("up", "down")]
        ways = sorted({f"{line.api} {line.source} to {line.target}" for line in changed})
        self.fact(f"conversions{within}", ", ".join(ways), self.expected.conversions)
        for line in lines:
            name = "zero copy" if line.zero_copy else "conversion" if line in changed else "rebuilt"
            value = f"v{line.source} to v{line.target}" if line in changed else line.api
            batches = f"{line.batches} batches, " if line.batches else ""  # sent slices: not counted
            text = f"{line.api} {line.version}{within}: {batches}{line.bytes_in} bytes"
            text += "" if line.zero_copy else f" to {line.bytes_out}, {line.cpu_ns / 1e6:.2f} ms of CPU"
            amount = line.bytes_in if line.zero_copy else line.records
            self.facts.append(Observation("fact", name=name, value=value, amount=amount, text=text))


def _joined(numbers: Iterable[int]) -> str:
    return ",".join(map(str, sorted(numbers)))
