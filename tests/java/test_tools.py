"""Kafka's own tools print with the emulator what they printed with real brokers: `tool_runs.py`."""

from pathlib import Path

import pytest
from fakekafka.releases.configs import broker_configs
from fakekafka.releases.release import Release

from tests.golden.emulator_peer import SHARED_CONFIG
from tests.java.programs import class_path, needs_java, served
from tests.java.tool_runs import kept, outputs

pytestmark = needs_java


@pytest.mark.parametrize("release", ["2.8.2", "3.9.1", "4.3.1"])
def test_tools_print_what_they_printed_with_a_real_broker(release: str, tmp_path: Path) -> None:
    jars = class_path(tmp_path, release, pom="tools.xml")
    known = broker_configs(Release.parse(release))
    with served(release, [], {name: value for name, value in SHARED_CONFIG.items() if name in known}) as address:
        found = outputs(address, jars)
    for run, lines in kept(release).items():
        assert (run, found[run]) == (run, lines)
