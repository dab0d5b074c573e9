"""Random numbers in properties, judged by Kafka itself and by us: `tox -e real-bounds`.

    python -m tests.real_kafka.bounds [--choices 3000] [--started 3] [--seed 1] [RELEASE:MODE …]

Two to four properties have numbers near their defaults, or near each other's. Kafka reads them as it does when it
starts (`KafkaConfig`); `--started` of those that it refuses, and as many of the others, are given to brokers that
really start. Each choice on which we disagree, or which we refuse in other words, is printed; the exit status is 1 if
there is any. Where several numbers are wrong by themselves, it does not matter which one is named.
"""

import argparse
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from fakekafka import FakeKafka
from fakekafka.errors import FakeKafkaError
from fakekafka.releases.configs import broker_configs
from fakekafka.releases.configs.definition import ConfigDef
from fakekafka.releases.configs.values import ConfigType
from fakekafka.releases.release import Release

from tests.real_kafka.jars import java

SIDES: Final = ("2.4.1:zk", "2.8.2:zk", "3.9.1:zk", "3.9.1:kraft", "4.0.1:kraft", "4.3.1:kraft")
OURS: Final = {"offsets.topic.replication.factor": "3"}
"""Kafka's own default, where ours differs."""
KEEPERS: Final = {
    "zk": {"zookeeper.connect": "127.0.0.1:1", **OURS},
    "kraft": {
        **OURS,
        "process.roles": "broker,controller",
        "node.id": "0",
        "controller.quorum.voters": "0@127.0.0.1:1",
        "controller.listener.names": "CONTROLLER",
        "listeners": "PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:1",
        "advertised.listeners": "PLAINTEXT://127.0.0.1:2",
    },
}
NUMBERS: Final = (ConfigType.INT, ConfigType.LONG, ConfigType.SHORT)
LARGEST: Final = {ConfigType.SHORT: 15, ConfigType.INT: 31, ConfigType.LONG: 63}
"""The bits of each type."""
UNREAD: Final = (
    "leader.replication.throttled.rate",
    "follower.replication.throttled.rate",
    "replica.alter.log.dirs.io.max.bytes.per.second",
)
"""Properties that a starting broker does not read, since they can only be set while it runs (DynamicConfig)."""
IDS: Final = ("broker.id", "node.id")
"""Properties that identify a broker: numbers, but not bounds."""
MOST: Final = 4
ALIKE: Final = 0.8
"""The share of choices whose names begin with the same words: bounds of one kind."""
WRONG_ALONE: Final = "Invalid value"
"""The beginning of the message about a number that is wrong whatever the others are."""
START_S: Final = 60
SILENT: Final = "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"


Bounds: TypeAlias = tuple[tuple[str, str], ...]
"""Some properties with their values."""


def shown(bounds: Bounds) -> str:
    return ", ".join("=".join(one) for one in bounds)


def choices(release: Release, count: int, chance: random.Random) -> Iterator[Bounds]:
    """Random bounds of a release: two to four properties, most often of one kind, with values near each other's."""
    table = broker_configs(release).values()
    numbers = [
        one for one in table if one.kind in NUMBERS and one.default is not None and one.name not in (*UNREAD, *IDS)
    ]
    for _ in range(count):
        one = chance.choice(numbers)
        near = [other for other in numbers if _kind(other) == _kind(one)]
        among = near if len(near) >= MOST and chance.random() < ALIKE else numbers
        chosen = {one.name: one} | {other.name: other for other in chance.sample(among, chance.randint(1, MOST - 1))}
        values = sorted(value for each in chosen.values() for value in _values(each))
        some = [*values, *(value + step for value in chance.sample(values, 3) for step in (-1, 1))]
        yield tuple((name, str(_fitting(each, chance.choice(some)))) for name, each in chosen.items())


def _kind(definition: ConfigDef) -> str:
    """The first words of a property's name: "group.share"."""
    return ".".join(definition.name.split(".")[: 2 if definition.name.startswith("group.") else 1])


def _values(definition: ConfigDef) -> list[int]:
    default = int(definition.default or 0)
    return [default, default - 1, default + 1, default * 2, default // 2, default // 10, 0, 1, -1]


def _fitting(definition: ConfigDef, value: int) -> int:
    """The value, if the property's type can hold it; otherwise its default."""
    return value if abs(value) < 1 << LARGEST[definition.kind] else int(definition.default or 0)


def judged_by_kafka(release: str, mode: str, asked: Sequence[Bounds]) -> list[str]:
    """Kafka's message about each choice; "" if Kafka accepts it."""
    lines = "".join(
        "\t".join(f"{name}={value}" for name, value in {**KEEPERS[mode], **dict(bounds)}.items()) + "\n"
        for bounds in asked
    )
    command = java(SILENT, str(Path(__file__).with_name("Judge.java")), release=release)
    done = subprocess.run(
        command, input=lines, stdout=subprocess.PIPE, check=True, text=True, encoding="utf-8", timeout=900
    )
    return done.stdout.splitlines()


def judged_here(release: str, mode: str, bounds: Bounds) -> str:
    """Our message about a choice; "" if we accept it."""
    try:
        FakeKafka(release, config={**KEEPERS[mode], **dict(bounds)})
    except FakeKafkaError as refused:
        return str(refused)
    return ""


def starts(release: str, mode: str, bounds: Bounds) -> bool:
    """Whether a real broker gets beyond reading its properties, and tries to reach its quorum or ZooKeeper."""
    with TemporaryDirectory() as folder:
        properties = Path(folder) / "server.properties"
        given = {**KEEPERS[mode], **dict(bounds), "log.dirs": f"{folder}/logs"}
        properties.write_text("".join(f"{name}={value}\n" for name, value in given.items()), "utf-8")
        log = Path(folder) / "log"
        command = java(f"-Dorg.slf4j.simpleLogger.logFile={log}", "kafka.Kafka", str(properties), release=release)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as broker:
            try:
                broker.wait(START_S)
            except subprocess.TimeoutExpired:
                return True
            finally:
                broker.kill()
        said = log.read_text("utf-8") if log.exists() else ""
        return "KafkaConfig values" in said


def differences(side: str, count: int, started: int, chance: random.Random) -> Iterator[str]:
    """The bounds that are judged differently, and those that a broker treats differently from `KafkaConfig`."""
    release, _, mode = side.partition(":")
    asked = list(dict.fromkeys(choices(Release.parse(release), count, chance)))
    said = dict(zip(asked, judged_by_kafka(release, mode, asked), strict=True))
    print(f"{side}: {len(asked)} choices, {sum(map(bool, said.values()))} refused", flush=True)
    for bounds, words in said.items():
        ours = judged_here(release, mode, bounds)
        if words != ours and not (words.startswith(WRONG_ALONE) and ours.startswith(WRONG_ALONE)):
            yield f"{side}: {shown(bounds)}: Kafka: {words or 'fine'}; here: {ours or 'fine'}"
    for wanted in (False, True):
        some = [bounds for bounds, words in said.items() if bool(words) is not wanted]
        for bounds in chance.sample(some, min(started, len(some))):
            if starts(release, mode, bounds) != wanted:
                yield f"{side}: {shown(bounds)}: a real broker {'refuses' if wanted else 'takes'} them"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the differences and return the exit status."""
    parser = argparse.ArgumentParser("bounds", description=__doc__.split("\n", 1)[0])
    parser.add_argument("side", nargs="*", default=SIDES, help=f"a release and its mode: {', '.join(SIDES)}")
    parser.add_argument("--choices", type=int, default=3000, help="of each (%(default)s)")
    parser.add_argument("--started", type=int, default=3, help="how many refused and taken ones start (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")  # most properties of security have no effect here, and say so
    chance = random.Random(options.seed)
    differing = 0
    for side in options.side:
        for line in differences(side, options.choices, options.started, chance):
            print(line, flush=True)
            differing += 1
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
