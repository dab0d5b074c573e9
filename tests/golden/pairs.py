"""Two real brokers of one release that replicated each other, and the files that they left: `pair_recordings/`.

    {"release": "2.3.1", "controller": "zk", "config": {...},       both brokers', on top of what all recordings share
     "steps": [["produce", broker, partition, version, "<set in hex>"], ["stop", broker], ["kill", broker], …],
     "files": {"broker-0/x-0/00000000000000000000.log": "<hex>", ...}}

The topic "x" has two partitions: number 0 prefers broker 1, number 1 prefers broker 0. Every set was produced with acks
-1 and replicated before the next step. "copied": broker 1 is stopped, comes back, is killed and comes back. "unclean":
broker 0, which alone has some records, is killed; broker 1 leads without them, and broker 0 has to discard them.
Brokers ran on the real clock, but record times are given; whoever replays them lets a few seconds pass at each step.
"""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fakekafka import FakeKafka, ManualClock
from fakekafka.ids import BrokerId, PartitionIndex
from fakekafka.releases.release import Mode
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.golden.emulator_peer import whole_config
from tests.golden.form import Difference, Labels
from tests.golden.transcript import StoredFile, age
from tests.golden.trees import compare_trees, read_tree

FOLDER: Final = Path(__file__).parent / "pair_recordings"
REPLICAS: Final[dict[PartitionIndex, list[BrokerId]]] = {0: [1, 0], 1: [0, 1]}
STARTED_MS: Final = 1_790_000_100_000
STEP_MS: Final = 6_000
"""Longer than the time between two checkpoints of high watermarks."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What was done to two brokers, and what they left."""

    release: str
    controller: Mode
    config: dict[str, str]
    steps: list[list[Any]]
    files: tuple[StoredFile, ...]


def names() -> list[str]:
    """All pairs, by age of the release."""
    found = [path.name.removesuffix(".json.xz") for path in FOLDER.glob("*.json.xz")]
    return sorted(found, key=lambda name: (age(name.partition("-")[0]), name))


def load(name: str) -> Pair:
    """The pair of that name."""
    kept = json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes()))
    files = tuple(StoredFile(path, bytes.fromhex(content)) for path, content in kept["files"].items())
    return Pair(kept["release"], kept["controller"], kept["config"], kept["steps"], files)


def differences(pair: Pair, log_dir: Path) -> Iterator[Difference]:
    """Where the emulator's files differ. `log_dir` must be empty."""
    kafka = _play(pair, log_dir)
    assert not kafka.failures
    for node_id in (0, 1):
        folder = f"broker-{node_id}/"
        wanted = [StoredFile(f.path.removeprefix(folder), f.content) for f in pair.files if f.path.startswith(folder)]
        found = {p: data for p, data in read_tree(log_dir / folder).items() if p.startswith("x-") or "checkpoint" in p}
        labels = Labels(frozen=False), Labels(frozen=False)
        for side in labels:
            side.begin(folder)
        for difference in compare_trees(wanted, found, *labels):
            yield Difference(folder + difference.path, difference.recorded, difference.got)


def _play(pair: Pair, log_dir: Path) -> FakeKafka:
    clock = ManualClock(STARTED_MS)
    config = whole_config(pair.release, pair.controller, dict(pair.config))
    kafka = FakeKafka(pair.release, brokers=2, config=config, log_dir=log_dir, clock=clock).boot()
    cluster = kafka._running.cluster
    with_id = cluster.brokers[0].has_topic_ids
    kafka._on_loop(lambda: cluster.new_topic("x", REPLICAS, {}, with_id))
    for what, node_id, *more in pair.steps:
        match what:
            case "produce":
                _produce(kafka, node_id, *more)
            case "stop":
                kafka.stop_broker(node_id)
            case "kill":
                kafka.kill_broker(node_id)
            case "start":
                kafka.start_broker(node_id)
        clock.advance(STEP_MS)
    kafka.stop()
    return kafka


def _produce(kafka: FakeKafka, node_id: BrokerId, index: PartitionIndex, version: int, records: str) -> None:
    data = PartitionProduceData(index=index, records=bytes.fromhex(records))
    request = ProduceRequest(acks=-1, timeout_ms=3000, topic_data=[TopicProduceData(name="x", partition_data=[data])])
    client = kafka.connect(node_id)
    answered = client.send(request_frame(request, version, 1, "pairs"))
    client.disconnect()
    (topic,) = read_response(ProduceResponse, version, answered[SIZE.size :])[1].responses
    assert topic.partition_responses[0].error_code == 0
