"""Limits on connections by address, as a broker checks them when it starts."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart


@pytest.mark.parametrize("release", ["0.9.0", "4.3"])
@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ("foo", "property 'max.connections.per.ip.overrides': begin 0, end -1, length 3"),
        ("127.0.0.1:x", 'For input string: "x"'),
    ],
)
def test_texts_other_than_pairs_are_refused(release: str, overrides: str, words: str) -> None:
    with pytest.raises(BrokerWillNotStart, match=words):
        FakeKafka(release, config={"max.connections.per.ip.overrides": overrides})


@pytest.mark.parametrize("overrides", ["127.0.0.1:5", "127.0.0.1:5, ::1:6"])
def test_pairs_of_an_address_and_a_number_are_accepted(overrides: str) -> None:
    FakeKafka("3.9", config={"max.connections.per.ip": "0", "max.connections.per.ip.overrides": overrides})
