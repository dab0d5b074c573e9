"""Brokers before 1.1 treat clients as the real ones did that were asked the same (`recorded_before_tokens.json`)."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka
from fakekafka.releases.release import Release

from tests.golden.tls.before_tokens import properties_of_broker, protocols
from tests.golden.tls.cases import QUESTIONS, Address, Broker, manner
from tests.golden.tls.stores import Authorities

RECORDED: Final = json.loads(Path(__file__).with_name("recorded_before_tokens.json").read_text("utf-8"))

CHANCE: Final = ("only TLS 1.3, TLS 1.3",)
"""Requests that these brokers sometimes answer over TLS 1.3, and sometimes never: no JDK of their time had it."""


def endpoints(kafka: FakeKafka) -> dict[str, Address]:
    return kafka._on_loop(lambda: dict(kafka._running.cluster.brokers[0].endpoints))


@pytest.fixture(scope="module", params=RECORDED)
def brokers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    release, made = Release.parse(request.param), Authorities(tmp_path_factory.mktemp("tls"))
    addresses: dict[str, Address] = {}
    running: dict[Address, FakeKafka] = {}
    with ExitStack() as stack:
        for listener, protocol in protocols(release).items():
            config = {
                **properties_of_broker(release, made, listener),
                "listeners": f"PLAINTEXT://127.0.0.1:0,{protocol}://127.0.0.1:0",
            }
            users = {"alice": "wonderland"} if protocol == "SASL_SSL" else None
            kafka = stack.enter_context(FakeKafka(request.param, config=config, users=users))
            bound = endpoints(kafka)
            addresses |= {listener: bound[protocol], "PLAINTEXT": bound["PLAINTEXT"]}
            running[bound[protocol]] = kafka
        yield Broker(release, addresses, made, lambda at: str(running[at].why_denied()[-1].principal))
        assert all(kafka.failures == () for kafka in running.values())


@pytest.mark.parametrize("question", QUESTIONS)
def test_clients_are_treated_as_by_the_real_broker(brokers: Broker, question: str) -> None:
    real, found = RECORDED[str(brokers.release)][question], QUESTIONS[question](brokers)
    certain = [what for what in real if what not in CHANCE]
    assert found.keys() == real.keys()
    assert {what: manner(found[what]) for what in certain} == {what: manner(real[what]) for what in certain}
