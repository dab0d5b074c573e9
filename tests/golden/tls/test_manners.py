"""Listeners with TLS treat clients as the real brokers did that were asked the same (`recorded.json`).

Eight releases were asked, from 1.1.1 to 4.3.1, on JDK 17, with these properties and questions. How a handshake is
refused is left to the TLS library: Java sends other alerts than OpenSSL, and on that JDK brokers up to 2.8 send bytes
that are not even an alert.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka
from fakekafka.releases.release import Release

from tests.golden.tls.cases import LISTENERS, QUESTIONS, Broker, manner, properties
from tests.golden.tls.reloading import changes
from tests.golden.tls.stores import Authorities

RECORDED: Final = json.loads(Path(__file__).with_name("recorded.json").read_text("utf-8"))


@contextmanager
def running(name: str, folder: Path) -> Iterator[Broker]:
    """A broker of that release, with all listeners."""
    release, made = Release.parse(name), Authorities(folder)
    protocols = {"PLAINTEXT": "PLAINTEXT", **LISTENERS}
    config = properties(release, made) | {
        "listeners": ",".join(f"{name}://127.0.0.1:0" for name in protocols),
        "listener.security.protocol.map": ",".join(f"{name}:{protocol}" for name, protocol in protocols.items()),
    }
    with FakeKafka(name, config=config) as kafka:
        bound = kafka._on_loop(lambda: dict(kafka._running.cluster.brokers[0].endpoints))
        yield Broker(release, bound, made)
        assert kafka.failures == ()


@pytest.fixture(scope="module", params=RECORDED)
def broker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with running(request.param, tmp_path_factory.mktemp("tls")) as started:
        yield started


@pytest.mark.parametrize("question", QUESTIONS)
def test_clients_are_treated_as_by_the_real_broker(broker: Broker, question: str) -> None:
    real, found = RECORDED[str(broker.release)][question], QUESTIONS[question](broker)
    assert {what: manner(words) for what, words in found.items()} == {what: manner(real[what]) for what in real}


def test_every_question_has_different_answers() -> None:
    """A listener that treated all clients alike would be noticed."""
    for found in RECORDED.values():
        for question in QUESTIONS.keys() - {"addresses"}:
            assert len({manner(words) for words in found[question].values()}) > 1


def test_key_stores_change_as_in_the_real_broker(broker: Broker) -> None:
    assert changes(broker, lambda heeded: None) == RECORDED[str(broker.release)]["changes"]
