"""Log directories on which real brokers start, and which they refuse, in their words.

`tests/real_kafka/directories.py` asked them.
"""

import json
import warnings
from pathlib import Path
from shutil import copytree
from typing import Final

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart

from tests.golden import disk
from tests.golden.emulator_peer import MODE_CONFIG, whole_config
from tests.real_kafka.directories import CASES, DIRECTORIES, SETTINGS, TOPIC, parsed

SAID: Final = json.loads(DIRECTORIES.read_text("utf-8"))
IN_OUR_WORDS: Final = ("zeros at a log's end", "zeros behind a message")
OUR_METADATA: Final = MODE_CONFIG["kraft"]["metadata.log.dir"]
OUR_HINT: Final = " (meta.properties in FOLDER)"


def started(key: str, folder: Path) -> FakeKafka:
    """A broker that has started on a directory. Raises `BrokerWillNotStart`."""
    release, mode = parsed(key)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # about properties that old releases do not know
        return FakeKafka(str(release), config=whole_config(str(release), mode, dict(SETTINGS)), log_dir=folder).boot()


def judged(key: str, folder: Path) -> dict[str, str]:
    """The words with which a broker does not start in each case; "" if it does. `folder` must be empty."""
    kafka = started(key, folder / "kept")
    kafka.create_topic(TOPIC)
    kafka.stop()
    found = {}
    for number, (what, ops) in enumerate(CASES.items()):
        copytree(folder / "kept", folder / str(number))
        for op in ops:
            disk.apply(folder / str(number), op)
        try:
            started(key, folder / str(number)).stop()
            found[what] = ""
        except BrokerWillNotStart as refused:
            words = str(refused).replace(str(folder / str(number)), "FOLDER").replace(OUR_METADATA, "METADATA")
            found[what] = words.removesuffix(OUR_HINT)
    return found


def are_alike(what: str, words: str, real: list[str]) -> bool:
    """Whether both refuse the directory in the same words, or neither does."""
    if bool(words) != bool(real) or what in IN_OUR_WORDS:
        return bool(words) == bool(real)
    return not words or any(one in words or words in one for one in real)


def unlike(key: str, folder: Path) -> dict[str, str]:
    """What the emulator does otherwise than the real broker."""
    found = judged(key, folder)
    said = SAID[key].items()
    return {what: f"{found[what]}: {real}" for what, real in said if not are_alike(what, found[what], real)}


@pytest.mark.parametrize("key", SAID)
def test_a_directory_is_refused_if_a_real_broker_refuses_it(key: str, tmp_path: Path) -> None:
    assert unlike(key, tmp_path) == {}
