"""The options of a cluster: the same everywhere, since they are written in one place."""

from typing import get_type_hints

from fakekafka import FakeKafka, Options
from fakekafka.settings.oauth import TokenIssuer
from fakekafka.settings.options import KeywordOptions
from fakekafka.settings.tls import Tls


def test_type_checkers_know_every_option() -> None:
    hints = get_type_hints(Options, localns={"Tls": Tls, "TokenIssuer": TokenIssuer})
    del hints["release"]  # positional
    assert get_type_hints(KeywordOptions, localns={"Tls": Tls, "TokenIssuer": TokenIssuer}) == hints


def test_a_cluster_with_default_options_is_like_one_without_options() -> None:
    plain = Options()._asdict()
    del plain["release"]
    assert FakeKafka(**plain).explain() == FakeKafka().explain()
