"""The example plug-ins give back what they took."""

import pytest
from fakekafka.plugins.installed import GROUP, installed
from fakekafka.plugins.shipped import SHIPPED
from fakekafka.records.compression import SNAPPY, compress
from hypothesis import given
from hypothesis import strategies as st

DATA = st.binary(max_size=2000) | st.lists(st.tuples(st.binary(min_size=1, max_size=1), st.integers(1, 600))).map(
    lambda runs: b"".join(byte * length for byte, length in runs)
)


@pytest.mark.parametrize("alias", SHIPPED)
@given(data=DATA)
def test_what_is_compressed_comes_back(alias: str, data: bytes) -> None:
    plugin = SHIPPED[alias]
    assert plugin.decompress(plugin.compress(data)) == data


@pytest.mark.statement("S3-30")
def test_the_snappy_plugin_gives_the_bytes_of_the_built_in_codec() -> None:
    """So its figures differ by the plug-in interface only: `tests/benchmarks/plugins.py`."""
    data = b"0123456789" * 10_000
    assert SHIPPED["snappyPlugin"].compress(data) == compress(SNAPPY, data)


def test_runs_become_shorter() -> None:
    assert SHIPPED["runLengthPlugin"].compress(b"a" * 300 + b"b") == b"\xffa\x2da\x01b"


def test_plugins_of_other_packages_are_found_by_their_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "theirs"

        def load(self) -> type:
            return type(SHIPPED["lzmaPlugin"])

    def points(group: str) -> list[Point]:
        assert group == GROUP == "fakekafka.compression"
        return [Point()]

    monkeypatch.setattr("fakekafka.plugins.installed.entry_points", points)
    installed.cache_clear()
    try:
        assert installed()["theirs"].decompress(SHIPPED["lzmaPlugin"].compress(b"x")) == b"x"
        assert installed().keys() == SHIPPED.keys() | {"theirs"}
    finally:
        installed.cache_clear()
