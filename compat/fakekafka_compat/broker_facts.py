"""What a broker shows of a cell besides records: bytes before and after conversions, and its last requests.

All of it is only told. Nothing here is compared with anything.
"""

from collections.abc import Iterator
from itertools import groupby

from fakekafka import Conversion, FakeKafka
from fakekafka_spark.observations import Observation

REQUESTS = "last "
"""How `FakeKafka.summary` begins the heading of its last part: "last 20 requests of 64 remembered:"."""


def broker_facts(kafka: FakeKafka, topic: str) -> Iterator[Observation]:
    """Rows "conversion" and "kept", one for each API and version; and "request", one for each run of equal requests."""
    lines = [line for line in kafka.conversions() if line.topic == topic]
    yield from (_kept(line) if line.zero_copy else _converted(line) for line in lines)
    for text, equal in groupby(_requests(kafka.summary())):
        yield Observation("fact", name="request", value=text, amount=len(list(equal)))


def _kept(line: Conversion) -> Observation:
    return Observation("fact", name="kept", value=f"{line.api} {line.version}", amount=line.bytes_in)


def _converted(line: Conversion) -> Observation:
    into = f"v{line.source} made anew" if line.direction == "rebuilt" else f"v{line.source} to v{line.target}"
    text = f"{line.api} {line.version}: {line.bytes_in} bytes to {line.bytes_out}"
    return Observation("fact", name="conversion", value=into, amount=line.records, text=text)


def _requests(summary: str) -> list[str]:
    """Its last lines, which are indented."""
    lines = summary.splitlines()
    headings = [n for n, line in enumerate(lines) if line.startswith(REQUESTS)]
    return [" ".join(line.split()) for line in lines[headings[-1] + 1 :]] if headings else []
