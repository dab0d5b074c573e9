"""Batches are compressed behind a library's back, and read for it."""

import pytest
from fakekafka.plugins.attributes import POSITION
from fakekafka.plugins.batches import packed, unpacked
from fakekafka.plugins.entry import PluginEntry
from fakekafka.plugins.known import KnownPlugins, UnknownCompressionName
from fakekafka.records import v0, v1, v2
from fakekafka.records.scan import batches

from tests.support.plugins import LZMA, SNAPPY, chosen, plugged, rows

KNOWN = KnownPlugins(lambda: {SNAPPY: PluginEntry(1, SNAPPY, "p", "v1")}, None, POSITION)


def test_a_packed_batch_is_the_one_that_a_plugin_makes_at_once() -> None:
    assert packed(v2.build(rows()), chosen()) == plugged()


@pytest.mark.statement("S3-2", "S3-27")
@pytest.mark.parametrize("position", [8, 11])
@pytest.mark.parametrize("plugin_id", [1, 10, 15])
def test_batches_of_plugins_become_plain_and_others_stay(plugin_id: int, position: int) -> None:
    """Nothing of the id is left in the attributes."""
    known = KnownPlugins(lambda: {SNAPPY: PluginEntry(plugin_id, SNAPPY, "p", "v1")}, None, position)
    others = v0.build(rows(1)), v1.build(rows(1)), v2.build(rows(), codec=1)
    one = plugged(plugin_id=plugin_id, position=position)
    data = one + others[0] + others[1] + one + others[2] + b"cut"
    found = bytes(unpacked(data, known))
    plain = v2.build(rows())
    assert found == plain + others[0] + others[1] + plain + others[2] + b"cut"
    assert all(batch.crc_ok() for batch in batches(found, 0, len(found) - 3))


def test_a_set_without_plugins_is_not_even_copied() -> None:
    data = v2.build(rows())
    assert unpacked(data, KNOWN) is data


def test_a_wrong_checksum_is_left_for_the_client_to_find() -> None:
    data = bytearray(plugged())
    data[-1] ^= 1
    assert unpacked(data, KNOWN) is data


def test_an_unknown_id_is_an_illegal_argument() -> None:
    with pytest.raises(UnknownCompressionName, match="no plug-in has the id 2"):
        unpacked(plugged(LZMA, 2), KNOWN)
