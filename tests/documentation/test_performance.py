"""The page on performance shows what was measured, beside whom, where and when; and it can be measured again."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from docs.generator import performance
from docs.generator.site import DOCS, FIGURES, generated
from tests.benchmarks import beside_all
from tests.benchmarks.doubles import DOUBLES

FOUND: Mapping[str, Any] = json.loads(FIGURES.read_text("utf-8"))
PAGE = generated()["explanation/performance.md"]
PLOT = (DOCS / "images" / "performance.svg").read_text("utf-8")
MEASURED = [peer for peer in FOUND["peers"] if "why_not" not in peer]


def test_the_figures_have_their_machine_and_day() -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", FOUND["date"])
    assert FOUND["machine"] in PAGE
    assert FOUND["date"] in PAGE


def test_every_broker_is_in_the_table_or_named_with_the_reason() -> None:
    assert [peer["name"] for peer in FOUND["peers"]] == [peer.name for peer in DOUBLES]
    for peer in FOUND["peers"]:
        assert f"| {peer['name']} | " in PAGE or f"Not measured: {peer['name']}: {peer['why_not']}." in PAGE


def test_this_broker_kfake_the_mock_and_kafka_itself_were_measured() -> None:
    assert {peer["name"] for peer in MEASURED} >= {peer.name for peer in DOUBLES} - {"testcontainers"}


@pytest.mark.parametrize("figure", performance.COLUMNS)
def test_every_figure_was_measured_for_every_broker_that_was_measured(figure: str) -> None:
    assert all(peer[figure] > 0 for peer in MEASURED if figure == "start_ms" or peer["name"] != "fakekafka serve")


def cells_of(peer: Mapping[str, Any]) -> list[str]:
    """The row of a broker in the page's table, without its name."""
    [row] = re.findall(rf"^\| {re.escape(peer['name'])} \| (.*) \|$", PAGE, re.MULTILINE)
    return [cell.strip() for cell in row.split("|")]


@pytest.mark.parametrize("peer", MEASURED, ids=lambda peer: peer["name"])
def test_the_table_has_the_figures_that_were_measured(peer: Mapping[str, Any]) -> None:
    assert len(cells_of(peer)) == len(performance.COLUMNS)
    for figure, cell in zip(performance.COLUMNS, cells_of(peer)):
        if figure in peer:
            assert float(cell.replace(",", "")) == pytest.approx(peer[figure], rel=0.01), figure
        else:
            assert cell == ""


def test_the_plot_is_drawn_from_these_figures() -> None:
    assert FOUND["date"] in PLOT
    assert all(peer["name"].replace("'", "&#x27;") in PLOT or peer["name"] in PLOT for peer in MEASURED)
    labels = {text.replace(",", "") for text in re.findall(r">([\d.,]+)</text>", PLOT)}
    figures = [peer[figure] for peer in MEASURED for figure in performance.COLUMNS if figure in peer]
    assert [value for value in figures if not {f"{value:.3g}", f"{value:.0f}"} & labels] == []
    assert not re.search(r"(?:href|url\()\W*https?:", PLOT)


def test_the_page_says_that_the_machine_was_busy() -> None:
    busy = json.dumps(dict(FOUND) | {"load": 3.9})
    idle = json.dumps(dict(FOUND) | {"load": 0.1})
    assert "a load of 3.9" in performance.page(busy)
    assert "a load of" not in performance.page(idle)


def test_two_brokers_are_measured_again_by_the_program_that_made_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few records, so that it takes a moment."""
    monkeypatch.setattr(beside_all, "RECORDS", (200, 200))
    ours, _, mock, *_ = DOUBLES
    found = beside_all.beside_all(quick=True, peers=[ours, mock, mock._replace(name="gone", why_not=lambda: "away")])
    first, second, gone = found["peers"]
    assert first.keys() == second.keys() == {"name", *performance.COLUMNS}
    assert gone == {"name": "gone", "why_not": "away"}
    assert "Not measured: gone: away." in performance.page(json.dumps(found))


def test_drawing_the_figures_twice_gives_the_same_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from tests.benchmarks.beside_all_plot import plot

    for name in ("one.svg", "other.svg"):
        plot(tmp_path / name, FOUND)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()
