"""Brokers refuse properties of TLS and logins as the real ones did that were asked (`refused.json`), in their words.

1.1.1, 2.8.2 and 4.3.1 were asked on JDK 17; the messages of the exceptions in each log are kept.
"""

import json
from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka, FakeKafkaError

from tests.golden.tls.starts import REFUSED
from tests.golden.tls.stores import Authorities

RECORDED: Final = json.loads(Path(__file__).with_name("refused.json").read_text("utf-8"))
STARTS: Final = ["starts"]
EARLIER: Final = ("an unknown suite", "an unknown version")
"""A real broker starts with these and then closes every connection to the listener; here it does not start."""
NOT_PLAYED: Final = ("an unknown mechanism",)
"""What is refused here, in our own words, because it is not played."""


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("release", RECORDED)
def test_what_a_real_broker_refuses_is_refused_in_its_words(release: str, what: str, tmp_path: Path) -> None:
    listeners, properties = REFUSED[what]
    protocols = {"PLAINTEXT": "PLAINTEXT", **listeners}
    config = properties(Authorities(tmp_path)) | {
        "listeners": ",".join(f"{name}://127.0.0.1:0" for name in protocols),
        "listener.security.protocol.map": ",".join(f"{name}:{protocol}" for name, protocol in protocols.items()),
    }
    kafka = FakeKafka(release, config=config)
    real = RECORDED[release][what]
    if real == STARTS and what not in EARLIER:
        kafka.start()
        kafka.stop()
        return
    with pytest.raises(FakeKafkaError) as refused:
        kafka.start()
    said = str(refused.value).replace(str(tmp_path), "FOLDER")
    if what not in (*EARLIER, *NOT_PLAYED):
        assert [words for words in real if words in said or said in words], said
