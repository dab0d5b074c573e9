"""Records what three real brokers do: `python -m tests.real_trios.record RELEASE[/zk|/kraft] [SCENARIO ...]`.

Without scenarios, it records all that the release can play. Recordings go to `tests/golden/trio_recordings`.
"""

import json
import lzma
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fakekafka import Release
from fakekafka.releases.configs import broker_configs
from fakekafka.releases.release import Mode, mode_called

from tests.golden.emulator_peer import SHARED_CONFIG
from tests.golden.trios import FOLDER
from tests.real_trios.cluster import trio
from tests.real_trios.recorder import Recorder
from tests.real_trios.scenarios import SCENARIOS, Scenario


def record(release: Release, mode: Mode, scenario: Scenario, folder: Path) -> None:
    """Play a scenario on a new cluster, and keep it."""
    config = scenario.config_of(release)
    shared = {name: value for name, value in SHARED_CONFIG.items() if name in broker_configs(release)}
    with trio(release, mode, shared | config, folder) as brokers:
        recorder = Recorder(brokers, mode)
        scenario.play(recorder)
        recorder.end(keeps=scenario.keeps)
    kept: dict[str, Any] = {"release": str(release), "controller": mode, "config": config}
    kept |= {"started_ms": recorder.started_ms, "steps": recorder.steps, "files": recorder.files}
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(kept, separators=(",", ":"))
    controller = "" if mode == release.default_mode else f"{mode}-"
    target = FOLDER / f"{release}-{controller}{scenario.name}.json.xz"
    target.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{target.name}: {len(recorder.steps)} steps, {target.stat().st_size} bytes", flush=True)


def main(where: str, names: list[str]) -> None:
    name, _, mode_name = where.partition("/")
    release = Release.parse(name)
    mode = mode_called(mode_name) if mode_name else release.default_mode
    for scenario in SCENARIOS:
        if scenario.name in names or (not names and release >= scenario.since):
            with TemporaryDirectory() as folder:
                record(release, mode, scenario, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
