"""The page on performance: the figures of `python tests/benchmarks/run.py --plots`, with what they mean."""

import json
from typing import Any, Final

from docs.generator.tables import table

COLUMNS: Final = {
    "start_ms": "first answer, ms",
    "latency_ms": "produce to poll, ms",
    "produce_thousand_per_s": "produce, thousand/s",
    "consume_thousand_per_s": "consume, thousand/s",
    "idle_memory_mib": "idle, MiB",
    "memory_mib": "with the records, MiB",
}
SLOW_MACHINE: Final = 0.5
"""A load average beyond which the page says that the figures are not worth much."""


def page(figures: str) -> str:
    """The page, from the text of `performance.json`."""
    data = json.loads(figures)
    measured = [peer for peer in data["peers"] if "why_not" not in peer]
    rows = [(peer["name"], *(_number(peer.get(name)) for name in COLUMNS)) for peer in measured]
    return f"""# Performance

A test double is started a thousand times a day and asked a few hundred times each; so start-up counts most, then
latency, then memory, and throughput last. These are figures of one machine on one day: {data["machine"]},
{data["date"]}, {data["records"]:,} records of 100 bytes.{_under_load(data["load"])}

![Start-up, latency, throughput and memory of each broker](../images/performance.svg)

{table(("broker", *COLUMNS.values()), rows)}
{_missing(data["peers"])}
- **First answer**: from the start until a client has an answer. fakekafka is the thread of a fixture, as a test has it;
  `serve`, which is measured for its start only, kfake and Kafka are processes; librdkafka's mock is a part of a client,
  whose start is counted. Kafka's directory is formatted before that.
- **Produce to poll**: how long a record takes from `produce` to a consumer that waits for it, the median. librdkafka's
  mock does not wake a consumer: it waits until `fetch.wait.max.ms`, half a second, is over.
- **Throughput**: by confluent-kafka, which is C, so that the broker is what is measured. kfake is compiled Go, and
  Kafka uses several threads; this broker is one thread of Python, which moves batches without opening them.
- **Memory**: of the process with the broker. Kafka has the heap of a gigabyte that `kafka-server-start.sh` gives it.
- **testcontainers** starts the same Kafka in a container; fetching its image is not counted.{_image(data)}

`make bench-plots` measures again and draws the plot; it needs Go for kfake, a JDK and Maven for Kafka, Docker for
testcontainers, and leaves out what is missing. `make bench` has many more figures: what conversions cost, how long a
client waits beside greedy ones, TLS, bytes and time per group. Ratios of the same minute are worth more than figures of
different days.
"""


def _under_load(load: float) -> str:
    return (
        ""
        if load < SLOW_MACHINE
        else f" The machine had other work to do (a load of {load:g}): repeat it on an idle one."
    )


def _missing(peers: list[dict[str, Any]]) -> str:
    lines = [f"Not measured: {peer['name']}: {peer['why_not']}." for peer in peers if "why_not" in peer]
    return "\n".join([*lines, ""]) if lines else ""


def _image(data: dict[str, Any]) -> str:
    return f" The image was `{data['image']}`, see `kafka_image.py` of the benchmarks." if "image" in data else ""


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
