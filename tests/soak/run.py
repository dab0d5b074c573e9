"""The soak: clients of three libraries join, leave and die while network and disk fail, on four releases.

    python -m tests.soak.run --minutes 60 [--clients 20] [--seed 1]

For each release it prints what happened, and the exit status is 1 if a record that was acknowledged is lost, a
producer's records changed their order, a group fell silent, memory grew beyond what is stored, or anything escaped the
broker.
"""

import argparse
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from traceback import format_exception
from typing import Final, NamedTuple

from fakekafka import FakeKafka
from fakekafka.errors import UsageError

from tests.soak.client import LIBRARIES, TOPIC

RELEASES: Final = ("0.11.0", "2.3", "3.9", "4.3")
GROUPS: Final = ("one", "two", "three")
PARTITIONS: Final = 8
LIFE_S: Final = (5, 30)
DIES: Final = 0.4
"""The share of clients that are killed; the others close."""
FAULT_EVERY_S: Final = 5
SILENT_S: Final = 90
MOST_GROWTH_MIB: Final = 150


class Client(NamedTuple):
    """A client that runs."""

    role: str
    name: str
    process: subprocess.Popen[bytes]
    said: Path
    ends_at: float


class Soak:
    """The clients of one release, and what they printed. `folder`: where they write."""

    def __init__(self, kafka: FakeKafka, chance: random.Random, folder: Path) -> None:
        self.kafka = kafka
        self.chance = chance
        self.folder = folder
        self.clients: list[Client] = []
        self.ended: list[Client] = []
        self.faults = 0

    def start(self, role: str, name: str | None = None) -> Client:
        """Start one more client."""
        number = len(self.clients) + len(self.ended)
        library = LIBRARIES[number % len(LIBRARIES)]
        name = name or (f"p{number}" if role == "produce" else self.chance.choice(GROUPS))
        said = self.folder / f"{number}-{role}-{name}"
        command = [sys.executable, "-m", "tests.soak.client", role, library, name, str(self.kafka.release)]
        with said.open("wb") as out, (self.folder / "errors").open("ab") as errors:
            process = subprocess.Popen([*command, self.kafka.bootstrap_servers], stdout=out, stderr=errors)
        client = Client(role, name, process, said, time.monotonic() + self.chance.uniform(*LIFE_S))
        self.clients.append(client)
        return client

    def end(self, client: Client, how: int) -> None:
        """End a client."""
        client.process.send_signal(how)
        self.clients.remove(client)
        self.ended.append(client)

    def run(self, seconds: float, count: int) -> None:
        """Let clients come and go, and let things fail."""
        ends = time.monotonic() + seconds
        fault_at = time.monotonic() + 2 * FAULT_EVERY_S
        while (now := time.monotonic()) < ends:
            for client in [client for client in self.clients if client.ends_at < now]:
                self.end(client, signal.SIGKILL if self.chance.random() < DIES else signal.SIGTERM)
            while len(self.clients) < count:
                producers = sum(client.role == "produce" for client in self.clients)
                self.start("produce" if producers < count * 2 // 5 else "consume")
            for client in self.ended[-2 * count :]:
                client.process.poll()  # so that no zombies gather
            if now > fault_at and self.kafka.brokers():  # a killed one reads its log first
                self.fail()
                fault_at = now + FAULT_EVERY_S
            elif now > fault_at + SILENT_S:
                raise UsageError(f"the broker has not come back for {SILENT_S} s")
            time.sleep(0.2)
        self.calm()

    def fail(self) -> None:
        """Have something fail."""
        self.faults += 1
        faults = self.kafka.faults
        match self.chance.randrange(7):
            case 0:
                faults.delay(("FETCH", "PRODUCE"), ms=300, times=20, expected=False)
            case 1:
                faults.lose_answer("PRODUCE", times=3, expected=False)
            case 2:
                faults.drop("FETCH", how="reset", times=3, expected=False)
            case 3:
                faults.disconnect(expected=False)
            case 4:
                faults.slice("FETCH", bytes=100, gap_ms=1, times=3, expected=False)
            case 5:
                faults.down(broker=0, for_ms=1000, expected=False)
            case _:
                self.fill_disk()

    def fill_disk(self) -> None:
        """Let the disk be full for a while; a broker that dies because of it is started again."""
        rule = self.kafka.faults.full_disk(broker=0, expected=False)
        time.sleep(1)
        rule.remove()
        self.start_broker()

    def start_broker(self) -> None:
        """Start the broker unless it runs."""
        if not self.kafka.brokers():
            self.kafka.start_broker(0)

    def calm(self) -> None:
        """End all faults and clients."""
        self.kafka.faults.clear()
        self.start_broker()
        for client in tuple(self.clients):
            self.end(client, signal.SIGTERM)
        for client in self.ended:
            with suppress(subprocess.TimeoutExpired):
                client.process.wait(15)
            client.process.kill()
            client.process.wait()

    # ---- what is checked

    def problems(self) -> list[str]:
        """What is wrong now."""
        stored: dict[str, list[int]] = defaultdict(list)
        for partition in range(PARTITIONS):
            for record in self.kafka.records(TOPIC, partition=partition):
                name, _, number = (record.value or b"").decode().partition(":")
                stored[name].append(int(number))
        found = self.escaped()
        for client in self.ended:
            if client.role == "produce":
                found += self._lost(client, stored[client.name])
        found += [f"{name}: out of order" for name, numbers in stored.items() if not _ascends(numbers)]
        return found + self._silent(sum(map(len, stored.values())))

    def escaped(self) -> list[str]:
        """The exceptions that no client has seen."""
        return [f"escaped: {''.join(format_exception(failure)[-2:])}" for failure in self.kafka.failures]

    def _lost(self, client: Client, stored: list[int]) -> list[str]:
        lost = {int(word) for word in said_by(client)} - set(stored)
        return [f"{client.name}: {len(lost)} acknowledged records are lost, from {min(lost)} on"] if lost else []

    def _silent(self, stored: int) -> list[str]:
        """Groups in which a new member does not get the rest of the log."""
        expected = {group: set(self._consumed(group)) for group in GROUPS}
        members = [self.start("consume", group) for group in GROUPS]
        ends = time.monotonic() + SILENT_S
        everything = {
            (record.value or b"").decode()
            for n in range(PARTITIONS)
            for record in self.kafka.records(TOPIC, partition=n)
        }
        missing = {group: everything - seen for group, seen in expected.items()}
        while any(missing.values()) and time.monotonic() < ends:
            time.sleep(0.5)
            for member in members:
                missing[member.name] -= set(said_by(member))
        for member in members:
            self.end(member, signal.SIGKILL)
            member.process.wait()
        # what a killed member was given, but did not print, may have been committed
        return [
            f"group {name} is silent: {len(left)} of {stored} records are missing"
            for name, left in missing.items()
            if len(left) > stored // 10
        ]

    def _consumed(self, group: str) -> Iterator[str]:
        for client in self.ended:
            if client.role == "consume" and client.name == group:
                yield from said_by(client)


def said_by(client: Client) -> list[str]:
    """The whole lines of a client."""
    return client.said.read_text("utf-8").rpartition("\n")[0].split()


def _ascends(numbers: Sequence[int]) -> bool:
    """Whether first occurrences ascend: a repeated batch may come again."""
    firsts = list(dict.fromkeys(numbers))
    return firsts == sorted(firsts)


def resident_mib() -> float:
    """Memory of this process."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / (1 << 20)


@contextmanager
def serving(release: str, folder: Path) -> Iterator[FakeKafka]:
    config = {"group.initial.rebalance.delay.ms": 0}
    topics = {TOPIC: PARTITIONS}
    with FakeKafka(release, topics=topics, config=config, log_dir=folder / "logs", faulty_disks=True) as kafka:
        yield kafka


def soak(release: str, seconds: float, count: int, chance: random.Random) -> list[str]:
    """Run the soak on one release. Prints what happened; returns what is wrong."""
    with tempfile.TemporaryDirectory() as name, serving(release, Path(name)) as kafka:
        before = resident_mib()
        run = Soak(kafka, chance, Path(name))
        try:
            run.run(seconds, count)
            grown = resident_mib() - before
            problems = run.problems()
        except UsageError as error:  # the broker has died, and not for want of space
            grown, problems = resident_mib() - before, [str(error), *run.escaped()]
        finally:
            for client in run.clients:
                client.process.kill()
        acknowledged = sum(len(said_by(client)) for client in run.ended if client.role == "produce")
        if not acknowledged:
            problems.append(f"no record was acknowledged: {(Path(name) / 'errors').read_text('utf-8')[-300:]}")
        if grown > MOST_GROWTH_MIB:
            problems.append(f"memory grew by {grown:.0f} MiB")
        print(
            f"{release}: {len(run.ended)} clients, {run.faults} faults, {acknowledged} records acknowledged,"
            f" memory +{grown:.0f} MiB: {'; '.join(problems) or 'fine'}",
            flush=True,
        )
        return problems


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the soak and return the exit status."""
    parser = argparse.ArgumentParser("soak", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=60, help="for all releases together (%(default)s)")
    parser.add_argument("--clients", type=int, default=20, help="at a time (%(default)s)")
    parser.add_argument("--release", action="append", help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    releases = options.release or RELEASES
    chance = random.Random(options.seed)
    found = [soak(release, 60 * options.minutes / len(releases), options.clients, chance) for release in releases]
    return 1 if any(found) else 0


if __name__ == "__main__":
    sys.exit(main())
