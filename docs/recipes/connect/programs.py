"""Programs of Kafka, run with the jars that Maven has put into target/dependency."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

JARS = Path(__file__).parent / "target" / "dependency" / "*"


@contextmanager
def running(main: str, properties: Mapping[str, object], folder: Path, *, until: str) -> Iterator[None]:
    """Run a class with a file of properties. The block begins when the program has logged `until`; what it logs is
    printed, so pytest shows it if the test fails.
    """
    file = folder / "program.properties"
    file.write_text("".join(f"{name}={value}\n" for name, value in properties.items()))
    command = ["java", "-Xmx512m", "-cp", str(JARS), main, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as program:
        lines = map(_shown, program.stdout)
        assert any(until in line for line in lines), "the program has ended"
        rest = Thread(target=list, args=[lines])
        rest.start()
        try:
            yield
        finally:
            program.terminate()
            rest.join(60)


def _shown(line: str) -> str:
    print(line, end="")
    return line


def one_replica(*topics: str) -> dict[str, int]:
    """Settings for internal topics on a single broker."""
    return {f"{topic}.replication.factor": 1 for topic in topics}
