"""Stores of another kind are taken or refused as by the real brokers that were asked (`exchanged.json`).

The brokers ran on JDK 17.
"""

import json
from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka
from fakekafka.releases.release import Release, starting

from tests.golden.tls.cases import Broker
from tests.golden.tls.exchanging import CHANGES, exchanged, store_properties
from tests.golden.tls.stores import Authorities

RECORDED: Final = json.loads(Path(__file__).with_name("exchanged.json").read_text("utf-8"))


def told(release: str, folder: Path) -> dict[str, str]:
    """What the emulator says to each change."""
    protocols = {"PLAINTEXT": "PLAINTEXT", **dict.fromkeys(CHANGES, "SSL")}
    made = Authorities(folder)
    secret = {} if Release.parse(release) >= starting("4.0") else {"password.encoder.secret": "secret"}
    config = (
        store_properties(made)
        | secret
        | {
            "listeners": ",".join(f"{name}://127.0.0.1:0" for name in protocols),
            "listener.security.protocol.map": ",".join(f"{name}:{protocol}" for name, protocol in protocols.items()),
        }
    )
    with FakeKafka(release, config=config, tls=True) as kafka:
        bound = kafka._on_loop(lambda: dict(kafka._running.cluster.brokers[0].endpoints))
        found = exchanged(Broker(Release.parse(release), bound, made))
        assert kafka.failures == ()
    return found


@pytest.mark.parametrize("release", RECORDED)
def test_other_stores_are_taken_or_refused_in_the_brokers_words(release: str, tmp_path: Path) -> None:
    assert told(release, tmp_path) == RECORDED[release]
