"""Listeners with which Kafka does not start: `python -m tests.real_kafka.listeners 2.4.1 3.9.1 4.3.1`.

Kafka's KafkaConfig reads each of `CASES`; what it says is kept in `listeners.json`, in their order. The emulator must
say the same (`tests/emulator/security/test_between_brokers.py`). Needs a JDK and Maven. `--classes FOLDER`: the class
paths of releases before 2.4.1, one a file, `RELEASE.txt`.
"""

import argparse
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fakekafka.releases.release import Release

from tests.real_kafka.jars import class_path

LISTENERS: Final = Path(__file__).with_name("listeners.json")
Properties = Mapping[str, str]

MAP, AMONG = "listener.security.protocol.map", "inter.broker.listener.name"
PLAIN, A = "PLAINTEXT://127.0.0.1:9092", "A://127.0.0.1:9092"
CASES: Final[tuple[Properties, ...]] = (
    {"listeners": PLAIN},
    *(
        {"advertised.listeners": f"{host}:9092"}
        for host in ("PLAINTEXT://0.0.0.0", "FOO://127.0.0.1", "SSL://127.0.0.1")
    ),
    {"listeners": "PLAINTEXT://0.0.0.0:9092"},
    *({"listeners": text} for text in ("FOO://127.0.0.1:9092", "PLAINTEXT:127.0.0.1:9092", "PLAINTEXT://127.0.0.1", A)),
    *({"listeners": f"{PLAIN},{other}"} for other in ("PLAINTEXT://127.0.0.1:9093", "SSL://127.0.0.1:9092")),
    {"listeners": "PLAINTEXT://127.0.0.1:9092,SSL://[::1]:9092"},
    {"listeners": A, MAP: "A:PLAINTEXT"},
    {"listeners": A, MAP: "A:FOO", AMONG: "A"},
    {"listeners": A, MAP: "A", AMONG: "A"},
    {"listeners": A, MAP: "A:PLAINTEXT", AMONG: "B"},
    {"listeners": A, MAP: "A:PLAINTEXT,A:SSL", AMONG: "A"},
    {"listeners": PLAIN, AMONG: "PLAINTEXT", "security.inter.broker.protocol": "PLAINTEXT"},
    {"security.inter.broker.protocol": "SSL"},
    {"security.inter.broker.protocol": "FOO"},
    {AMONG: "SSL"},
    {"control.plane.listener.name": "FOO"},
    {"control.plane.listener.name": "SSL"},
    {"control.plane.listener.name": "PLAINTEXT"},
    {"early.start.listeners": "FOO"},
    {"max.connections.per.ip.overrides": "foo"},
    {"max.connections.per.ip.overrides": "127.0.0.1:x"},
    {"broker.id": "-3"},
)
SASL_AMONG: Final = {
    "listeners": f"{PLAIN},SASL_PLAINTEXT://127.0.0.1:9093",
    "security.inter.broker.protocol": "SASL_PLAINTEXT",
    "sasl.enabled.mechanisms": "PLAIN",
}
"""Refused from 0.10.0 on; 0.9 has only GSSAPI, which is not played."""
IN_KRAFT: Final = {
    "process.roles": "broker,controller",
    "node.id": "0",
    "controller.quorum.voters": "0@127.0.0.1:1",
    "controller.listener.names": "CONTROLLER",
    "listeners": PLAIN,
    MAP: "PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
}
CONTROLLER: Final = ",CONTROLLER://127.0.0.1:1"
NO_CLIENTS: Final = {"listeners": ""}
IN_KRAFT_NO_CLIENTS: Final = {**IN_KRAFT, "listeners": CONTROLLER[1:]}
"""No listener for clients."""


def asked(release: Release) -> list[Properties]:
    """The cases for a release, with the properties that it cannot do without."""
    cases = [*CASES, *([SASL_AMONG] if release.line_number >= (0, 10) else [])]
    if release.default_mode == "zk":
        return [{"zookeeper.connect": "127.0.0.1:1", **case} for case in (*cases, NO_CLIENTS)]
    return [*map(_in_kraft, cases), IN_KRAFT_NO_CLIENTS]


def _in_kraft(case: Properties) -> Properties:
    given = {**IN_KRAFT, **case}
    given["listeners"] += CONTROLLER
    if MAP in case:
        given[MAP] += ",CONTROLLER:PLAINTEXT"
    if "broker.id" in case:
        del given["node.id"]
    return given if "advertised.listeners" in case or "listeners" in case else {"advertised.listeners": PLAIN, **given}


def said(classes: str, cases: list[Properties]) -> list[str]:
    """Kafka's message about each case; "" where Kafka starts."""
    lines = "".join("\t".join(f"{name}={value}" for name, value in case.items()) + "\n" for case in cases)
    judge = str(Path(__file__).with_name("Judge.java"))
    command = ["java", "-Xmx256m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off", "-cp", classes, judge]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="+", metavar="RELEASE")
    parser.add_argument("--classes", type=Path)
    options = parser.parse_args()
    kept = json.loads(LISTENERS.read_text("utf-8")) if LISTENERS.exists() else {}
    for release in options.releases:
        file = options.classes and options.classes / f"{release}.txt"
        classes = file.read_text("utf-8").strip() if file and file.exists() else class_path(release)
        kept[release] = said(classes, asked(Release.parse(release)))
    LISTENERS.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
