"""The example plug-ins give back what they took."""

import sys
from pathlib import Path

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
def test_compressed_bytes_come_back(alias: str, data: bytes) -> None:
    plugin = SHIPPED[alias]
    assert plugin.decompress(plugin.compress(data)) == data


@pytest.mark.statement("S3-30")
def test_the_snappy_plugin_gives_the_bytes_of_the_built_in_codec() -> None:
    """Its figures therefore differ only by the cost of the plug-in interface: `tests/benchmarks/plugins.py`."""
    data = b"0123456789" * 10_000
    assert SHIPPED["snappyPlugin"].compress(data) == compress(SNAPPY, data)


def test_runs_become_shorter() -> None:
    assert SHIPPED["runLengthPlugin"].compress(b"a" * 300 + b"b") == b"\xffa\x2da\x01b"


def test_plugins_of_other_packages_are_found_by_their_entry_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A distribution as pip leaves it: with a class, an object and a module with two functions."""
    folder = tmp_path / "theirs-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    points = "aClass = theirs:Backwards\nanObject = theirs:backwards\naModule = theirs\nlzmaPlugin = theirs:Backwards\n"
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\n{points}")
    (tmp_path / "theirs.py").write_text(
        "def compress(data): return bytes(data)[::-1]\n"
        "decompress = compress\n"
        "class Backwards:\n"
        "    def compress(self, data): return bytes(data)[::-1]\n"
        "    decompress = compress\n"
        "backwards = Backwards()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    installed.cache_clear()
    try:
        found = installed()
        assert found.keys() == SHIPPED.keys() | {"aClass", "anObject", "aModule"}
        for alias in ("aClass", "anObject", "aModule", "lzmaPlugin"):
            assert found[alias].compress(b"abc") == b"cba"
            assert found[alias].decompress(b"cba") == b"abc"
    finally:
        installed.cache_clear()
        sys.modules.pop("theirs", None)


def test_the_group_of_entry_points_has_the_name_that_the_documentation_gives() -> None:
    assert GROUP == "fakekafka.compression"
