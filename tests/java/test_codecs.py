"""Kafka's own Java client cannot be given a compression plug-in from outside (draft KIP-984).

Its codecs are a closed list of names and numbers: a producer refuses an alias before it connects, and a consumer
refuses the number. Run by `tox -e java`.
"""

import subprocess
from pathlib import Path

import pytest
from fakekafka import FakeKafka

from tests.java.programs import compiled, needs_java

ALIAS = "snappyPlugin"

pytestmark = needs_java


@pytest.mark.parametrize(("version", "package"), [("3.9.1", "record"), ("4.3.1", "record.internal")])
def test_the_codecs_of_the_java_client_are_a_closed_list(version: str, package: str, tmp_path: Path) -> None:
    class_path = compiled(tmp_path, version, "Codecs")
    codecs = f"org.apache.kafka.common.{package}.CompressionType"
    with FakeKafka("3.9", drafts=["KIP-984"], topics={"t": 1}) as kafka:
        kafka.plugins.register(ALIAS)
        kafka.configure_topic("t", {"compression.type": ALIAS})
        kafka.send("t", b"value")
        program = ["java", "-Xmx128m", "-cp", class_path, "Codecs", kafka.bootstrap_servers, ALIAS, "t", codecs]
        ran = subprocess.run(program, capture_output=True, text=True, timeout=120, check=True)
    said = dict(line.split("\t") for line in ran.stdout.splitlines())
    assert said["kinds"] == "true 5"
    assert said["name"] == f"IllegalArgumentException: Unknown compression name: {ALIAS}"
    assert said["id"] == "IllegalArgumentException: Unknown compression type id: 5"
    assert said["producer"].startswith(f"ConfigException: Invalid value {ALIAS} for configuration compression.type")
    assert said["consumer"] == "IllegalArgumentException: Unknown compression type id: 5"
