"""A row as text for people and as JSON for programs."""

import json

from fakekafka.inspection.row import Row


def test_a_row_as_text() -> None:
    row = Row("record", None, {"key": None, "value": b"\xff", "control": False, "headers": [("h", b"x")]}, depth=1)
    assert row.as_text() == r"""  record key=null value='\xff' control=no headers=[["h","x"]]"""
    assert Row("batch", 61, {"magic": 2}).as_text() == "        61 batch magic=2"


def test_a_row_as_json() -> None:
    row = Row("record", 0, {"key": b"k", "value": b"\xff\x00", "headers": [("h", None)]})
    assert json.loads(row.as_json()) == {
        "kind": "record", "position": 0, "key": "k", "value": {"hex": "ff00"}, "headers": [["h", None]],
    }  # fmt: skip
