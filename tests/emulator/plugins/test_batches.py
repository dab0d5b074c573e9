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


def test_batches_of_plugins_become_plain_and_others_stay() -> None:
    others = v0.build(rows(1)), v1.build(rows(1)), v2.build(rows(), codec=1)
    data = plugged() + others[0] + others[1] + plugged() + others[2] + b"cut"
    found = bytes(unpacked(data, KNOWN))
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
