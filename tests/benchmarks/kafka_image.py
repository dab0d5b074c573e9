"""Build an image of Kafka for testcontainers: `python -m tests.benchmarks.kafka_image [BASE]`; needs Docker and Maven.

It is for machines that cannot fetch Confluent's image: `KAFKA_IMAGE` then names what is built here, as it is printed.
`BASE`: an image of Debian, with or without Java.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.real_kafka.jars import RELEASE, class_path

PARTS: Final = Path(__file__).parent / "kafka_image"
TAG: Final = f"kafka-{RELEASE}:7.9.1"
"""testcontainers reads the version of Confluent's platform in a tag."""


def build(base: str | None) -> str:
    """Build it, and return its name. Raises `CalledProcessError` if Docker or Maven fails."""
    with TemporaryDirectory() as folder:
        context = Path(folder)
        shutil.copytree(PARTS, context, dirs_exist_ok=True)
        (context / "jars").mkdir()
        for jar in map(Path, class_path().split(":")):
            shutil.copy(jar, context / "jars" / jar.name)
        arguments = [] if base is None else ["--build-arg", f"BASE={base}"]
        subprocess.run(["docker", "build", "-q", "-t", TAG, *arguments, folder], check=True)
    return TAG


if __name__ == "__main__":
    print(f"KAFKA_IMAGE={build(*sys.argv[1:] or [None])}")
