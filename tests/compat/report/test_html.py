import re
import sys
from html.parser import HTMLParser

import pytest
from fakekafka import UsageError
from fakekafka_compat.report.html import page
from fakekafka_compat.report.spark_verdicts import Disagreement, SparkVerdicts
from fakekafka_spark.observations import Cell

from tests.compat.report.observed import requests, zero_copy
from tests.compat.report.reports import large, of, small

VOID = {"meta", "link", "br", "input"}
OPTIONAL_END = {"th", "td", "tr", "dt", "dd", "li", "p"}


class Reader(HTMLParser):
    """Ids, links, addresses of other things, and elements that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.hrefs: list[str] = []
        self.outside: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.hrefs += [value for name, value in attrs if name == "href" and value and tag == "a"]
        self.outside += [f"{tag} {named[name]}" for name in ("src", "href", "action") if name in named and tag != "a"]
        if tag not in VOID | OPTIONAL_END:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in OPTIONAL_END:
            assert self.open.pop() == tag


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader


def test_the_page_is_well_formed_and_needs_nothing_else() -> None:
    text = page(small())
    found = read(text)
    assert found.open == []
    assert found.outside == ["link data:,"]
    assert not re.search(r"@import|url\(|https?:", text)
    assert len(set(found.ids)) == len(found.ids)
    assert {href.removeprefix("#") for href in found.hrefs} <= set(found.ids)


def test_the_page_says_what_was_run_and_when_and_the_totals() -> None:
    text = page(small())
    assert "<title>Compatibility matrix: 6 cells, 21 November 2026</title>" in text
    assert "<h1>3 clients against 3 releases</h1>" in text
    assert [int(n) for n in re.findall(r'<li class="[\w-]+"><b>(\d+)</b>', text)] == [3, 1, 1, 1, 3, 1, 1]


def test_foreign_texts_are_escaped() -> None:
    text = page(small())
    assert "&lt;b&gt;ListOffsets&lt;/b&gt; v1" in text
    assert "it &lt;forgets&gt;" in text
    assert "<b>ListOffsets" not in text


def test_equal_observations_make_equal_pages() -> None:
    assert page(small()) == page(small())


def test_every_story_is_on_the_page_without_javascript() -> None:
    text = page(small())
    for part in ("Fetch 2: 3 batches, 234 bytes to 108", "record 9: MESSAGE_TOO_LARGE", "Fetch v11 tester ok (× 4)"):
        assert part in text
    assert "data-r=" not in text
    assert '<script type="application/json" id="lines">[]</script>' in text


def test_the_page_shows_sparks_verdicts() -> None:
    assert "Spark" not in page(small())
    agrees = page(small(SparkVerdicts({"ok": 6}, 18, {"lost": 0, "not_stored": 2}, [])))
    assert "6 ok; 18 records judged from the same files. Spark and this tool agree on every cell." in agrees
    assert '<li><b>0</b> lost</li><li class="some"><b>2</b> not stored</li>' in agrees
    other = page(small(SparkVerdicts({"ok": 6}, 18, {}, [Disagreement("a/b", "differs", "ok")])))
    assert "Spark and this tool disagree on 1 cell." in other
    assert "<td>a/b<td>differs<td>ok" in other


def test_a_page_of_five_thousand_cells_stays_small() -> None:
    text = page(large(5000))
    assert len(text.encode()) < 5000 * 700
    assert text.count("data-r=") > 4000


def test_folded_cells_are_announced_and_their_text_cannot_end_the_script() -> None:
    assert "so do the last requests" in page(large(400))
    assert "so do the last requests" not in page(small())
    rows = [row if row.name != "last requests" else requests("</script><b>") for row in zero_copy()]
    cells = [(Cell.of("ck2161", "2.3", "", "", "none", f"capped at {n}"), rows) for n in range(400)]
    text = page(of(cells, None))
    assert "\\u003c/script\\u003e\\u003cb\\u003e" in text
    assert text.count("</script>") == 2


def test_without_jinja2_the_report_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(UsageError, match=r"install fakekafka\[compat\]"):
        page(small())
