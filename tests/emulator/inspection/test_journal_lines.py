"""Journals as JSON lines."""

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.inspection.journal_lines import line_of, read_journal, written
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse

ASKED = MetadataRequest(topics=[MetadataRequestTopic(name="t")])


def test_written_journal_lines_are_read_back() -> None:
    lines = [
        line_of(1, "3", "orders", ASKED, 0, MetadataResponse()),
        line_of(2, "3", None, ASKED, 0, None, "closed", broker=2),
    ]
    texts = list(written(lines))
    assert list(read_journal([*texts, ""])) == lines
    assert (lines[0].api, lines[0].request["topics"]) == ("Metadata", [{"name": "t"}])
    assert (lines[1].response, lines[1].error, lines[1].broker) == (None, "closed", 2)


@pytest.mark.parametrize("text", ["no json", "[]", "{}", '{"at_ms": 1}'])
def test_an_invalid_line_is_refused_with_its_number(text: str) -> None:
    with pytest.raises(MalformedBytes, match="line 1 is not a line of a journal"):
        list(read_journal([text]))
