"""The page `docs/upgrade-plan.md`, whose example is generated: `python -m tests.plan_page` rewrites it.

`test_plan_page` fails if the page differs from what a run makes.
"""

from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka import FakeKafka, ManualClock
from fakekafka.bugs.sets import NOW
from fakekafka.cli import main

from tests.support.seeded import batch, store

PAGE: Final = Path(__file__).parent.parent / "docs" / "upgrade-plan.md"
COMMAND: Final = "plan 0.11.0 2.3 --from-dir kafka-logs --clients clients.toml --advice"
CLIENTS: Final = """[[clients]]
name = "orders"
library = "kafka-python"
version = "1.3.5"

[[clients]]
library = "kafka-clients"
version = "3.9.0"
"""

BEGINNING: Final = """# Plan an upgrade

`fakekafka plan FROM TO` lists the steps of an upgrade: brokers first, then the protocol, then clients, then the
message format. With `--advice` it gives each step a verdict: *safe*, *safe with care*, or *breaks*. It says what must
come first, what changes without being asked for, what cannot be undone, what each client feels, and how far one can go
back.

Clients are known by name and version: what they send was recorded from them. A version that was not recorded is
refused, with those that were. Name yours in `clients.toml`:

```toml
"""

MIDDLE: Final = """```

`--from-dir` reads a copy of your log directory, and changes nothing there: the bytes that a step would have converted
for each client are those of your own topics. `--why` prints the same with the test that shows each claim. `--json` is
for programs, and `--html plan.html` makes one page with a picture of the path, which needs no network.

    $ fakekafka """

END: Final = """
Bytes and CPU are estimates, as the last line says. What a plan says can then be played: see [Rehearse an
upgrade](rehearsal.md).
"""


def page() -> str:
    """The page, with the output of a run."""
    example = "".join(f"    {line}\n" if line else "\n" for line in output().splitlines())
    return f"{BEGINNING}{CLIENTS}{MIDDLE}{COMMAND}\n{example}{END}"


def output() -> str:
    """What the command prints for a directory with a topic of five megabytes."""
    out = StringIO()
    with TemporaryDirectory() as folder, chdir(folder), redirect_stdout(out):
        Path("clients.toml").write_text(CLIENTS, "utf-8")
        kafka = FakeKafka("0.11.0", log_dir="kafka-logs", topics={"t": 1}, clock=ManualClock(NOW)).boot()
        store(kafka, *(batch(2 * n, value=b"v" * 250_000) for n in range(10)))
        kafka.stop()
        main(COMMAND.split())
    return out.getvalue().strip()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
