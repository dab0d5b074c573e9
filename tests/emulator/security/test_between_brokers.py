"""Listeners that real brokers start with, and that they refuse, in their words (`tests/real_kafka/listeners.py`)."""

import json
import warnings
from collections.abc import Mapping

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart
from fakekafka.releases.release import Release

from tests.real_kafka.listeners import LISTENERS, asked

SAID = json.loads(LISTENERS.read_text("utf-8"))


def judged(release: str, config: Mapping[str, str]) -> str:
    """The words with which a broker does not start; "" if it does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # about properties that old releases do not know
        try:
            FakeKafka(release, config={"ssl.keystore.location": "never read", **config}).boot()
        except BrokerWillNotStart as refused:
            return str(refused)
    return ""


@pytest.mark.parametrize("release", SAID)
def test_a_broker_refuses_what_the_real_one_refuses(release: str) -> None:
    cases = asked(Release.parse(release))
    here = [f"{config}: {judged(release, config)}" for config in cases]
    assert here == [f"{config}: {words}" for config, words in zip(cases, SAID[release], strict=True)]
