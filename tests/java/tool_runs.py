"""What Kafka's own tools print with a broker. `python -m tests.java.tool_runs ADDRESS RELEASE` records a real one.

The recorded broker is new, without an authorizer, and has the settings of `golden.emulator_peer.SHARED_CONFIG`. Each
release is talked to by its own tools. What differs from run to run, such as ids, times and ports, is replaced, and the
lines of an output are sorted: those that come out of hash maps have no order.
"""

import json
import lzma
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from os import pathsep
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZipFile

from tests.java.programs import class_path

RECORDED: Final = Path(__file__).with_name("recorded_tools")
LIMIT_S: Final = 120
OPTIONS: Final = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
CHANGING: Final = (
    (r"\b1[6-9]\d{11}\b", "TIME"),
    (r"\b[A-Za-z0-9_-]{22}\b", "ID"),
    (r"Epoch: \d+", "Epoch: N"),
    (r"/[\w./-]*(?=\")", "PATH"),
    (r"tries=\d+|after \d+ attempt", "N"),
)
"""What differs between two runs against one broker, and what stands for it."""
NOISE: Final = ("\tat ", "SLF4J:", "log4j:")
"""How lines begin that say nothing about the broker."""


class Run(NamedTuple):
    """A tool, by the last part of its class, with its arguments; `{at}` is the broker's address."""

    tool: str
    arguments: str
    typed: str = ""
    """What the tool reads."""


def _each(tool: str, *arguments: str) -> Iterator[Run]:
    return (Run(tool, f"--bootstrap-server {{at}} {each}") for each in arguments)


TOPICS: Final = (
    "--create --topic orders --partitions 3 --replication-factor 1 --config cleanup.policy=compact",
    "--create --topic orders",
    "--create --topic a.b --partitions 1 --replication-factor 1",
    "--create --topic a_b --partitions 1 --replication-factor 1",
    "--create --topic wide --partitions 1 --replication-factor 3",
    "--create --topic wide --partitions 1 --replication-factor 1 --config nonsense=1",
    "--create --topic wide --partitions 1 --replication-factor 1 --config retention.ms=x",
    "--create --topic placed --replica-assignment 0,0",
    "--create --topic placed --replica-assignment 7",
    "--create --topic usual",
    "--list",
    "--describe --topic orders",
    "--describe --topic nope",
    "--describe --topics-with-overrides",
    "--describe --under-min-isr-partitions",
    "--alter --topic usual --partitions 3",
    "--alter --topic usual --partitions 2",
    "--delete --topic a.b",
    "--delete --topic nope",
)
GROUPS: Final = (
    "--list",
    "--list --state",
    "--describe --group readers",
    "--describe --group readers --state",
    "--describe --group nope",
    "--reset-offsets --group readers --topic usual --to-earliest --execute",
    "--reset-offsets --group readers --topic usual --shift-by 1 --execute",
    "--reset-offsets --group readers --topic usual:0,1 --to-offset 99 --execute",
    "--reset-offsets --group fresh --topic usual --to-latest --execute",
    "--delete-offsets --group readers --topic usual:0",
    "--delete-offsets --group nope --topic usual",
    "--describe --all-groups",
    "--delete --group fresh",
    "--delete --group nope",
)
CONFIGS: Final = (
    "--entity-type topics --entity-name orders --describe",
    "--entity-type topics --entity-name orders --describe --all",
    "--entity-type topics --entity-name orders --alter --add-config retention.ms=1000000,max.message.bytes=2000",
    "--entity-type topics --entity-name orders --alter --add-config retention.ms=x",
    "--entity-type topics --entity-name orders --alter --delete-config retention.ms",
    "--entity-type topics --entity-name orders --alter --delete-config nonsense",
    "--entity-type topics --entity-name orders --describe",
    "--entity-type brokers --entity-name 0 --alter --add-config log.cleaner.threads=2",
    "--entity-type brokers --entity-name 0 --alter --add-config log.cleaner.threads=50",
    "--entity-type brokers --entity-name 0 --alter --add-config broker.id=2",
    "--entity-type brokers --entity-name 0 --describe",
    "--entity-type users --entity-name u --alter --add-config producer_byte_rate=1024,request_percentage=50",
    "--entity-type users --entity-name u --entity-type clients --entity-name c --alter"
    " --add-config producer_byte_rate=1",
    "--entity-type users --entity-name u --alter --add-config nonsense=1",
    "--entity-type users --entity-name u --describe",
    "--entity-type users --entity-name s --alter --add-config SCRAM-SHA-256=[iterations=4096,password=x]",
    "--entity-type users --entity-name s --describe",
    "--entity-type ips --entity-name 127.0.0.9 --alter --add-config connection_creation_rate=5",
    "--entity-type ips --describe",
)
FEATURES: Final = ("describe", "downgrade --feature group.version=0", "upgrade --feature nonsense=2", "describe")
WRITTEN: Final = "".join(f"k{n}:v{n}\n" for n in range(20))
RUNS_IN_ORDER: Final = (
    *_each("TopicCommand", *TOPICS),
    Run("ConsoleProducer", "{producer} --topic usual --property parse.key=true --property key.separator=:", WRITTEN),
    *_each(
        "ConsoleConsumer",
        "--topic usual --from-beginning --group readers --max-messages 20 --timeout-ms 15000"
        " --property print.key=true --property print.partition=true",
    ),
    *_each("ConsumerGroupCommand", *GROUPS),
    *_each("ConfigCommand", *CONFIGS),
    *_each("AclCommand", "--list"),
    *_each("LeaderElectionCommand", "--election-type preferred --topic usual --partition 0"),
    *_each("LogDirsCommand", "--describe --topic-list usual --broker-list 0"),
    *_each("BrokerApiVersionsCommand", ""),
    *_each("FeatureCommand", *FEATURES),
    *_each("TransactionsCommand", "list", "find-hanging --broker-id 0"),
    *_each("GroupsCommand", "--list"),
    *_each("ShareGroupCommand", "--list", "--describe --group nope"),
    *_each("ClientMetricsCommand", "--alter --name m --metrics a --interval 1", "--list"),
)


@cache
def tools(jars: str) -> dict[str, str]:
    """The classes of the tools of a release, by their last parts; those of newer packages take precedence."""
    named = {run.tool for run in RUNS_IN_ORDER}
    found = {}
    for jar in jars.split(pathsep):
        with ZipFile(jar) as opened:
            for entry in sorted(opened.namelist()):
                package, _, name = entry.removesuffix(".class").rpartition("/")
                if name in named and package.startswith(("kafka/", "org/apache/kafka/tools")):
                    found[name] = f"{package}.{name}".replace("/", ".")
    return found


def outputs(address: str, jars: str) -> dict[str, list[str]]:
    """What each tool printed, in order; those that the release does not have are left out."""
    known, port = tools(jars), address.rpartition(":")[2]
    found: dict[str, list[str]] = {}
    for number, run in enumerate(RUNS_IN_ORDER):
        if run.tool in known:
            arguments = run.arguments.format(at=address, producer=f"--bootstrap-server {address}").split()
            command = ["java", *OPTIONS, "-cp", jars, known[run.tool], *arguments]
            done = subprocess.run(
                command, input=run.typed, capture_output=True, text=True, timeout=LIMIT_S, check=False
            )
            text = f"{done.stdout}\n{done.stderr}".replace(address, "ADDRESS").replace(port, "PORT")
            for pattern, instead in CHANGING:
                text = re.sub(pattern, instead, text)
            lines = sorted(line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith(NOISE))
            found[f"{number} {run.tool} {run.arguments}"] = [*lines, f"status {done.returncode}"]
    return found


def kept(release: str) -> dict[str, list[str]]:
    """What the tools of a release printed with a real broker."""
    recorded: dict[str, list[str]] = json.loads(lzma.decompress((RECORDED / f"{release}.json.xz").read_bytes()))
    return recorded


def main(address: str, release: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = outputs(address, class_path(Path(folder), release, pom="tools.xml"))
    RECORDED.mkdir(exist_ok=True)
    data = lzma.compress(json.dumps(found).encode(), preset=9 | lzma.PRESET_EXTREME)
    (RECORDED / f"{release}.json.xz").write_bytes(data)
    print(f"{release}: {len(found)} runs, {len(data)} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
