"""Advice as text, as data and as a page."""

import pytest
from fakekafka.advice.client_list import read_clients
from fakekafka.advice.page import page
from fakekafka.advice.steps import advice
from fakekafka.advice.text import ESTIMATE, as_data, as_text
from fakekafka.releases.phases import before_upgrade, recipe
from fakekafka.releases.release import Release


@pytest.mark.parametrize("way", [("0.10.2", "2.3"), ("2.3", "4.1")])
def test_text_data_and_page_have_the_same_content(way: tuple[str, str]) -> None:
    found = advice(recipe(before_upgrade(Release.parse(way[0])), way[1]), read_clients("kafka-python==1.3.5"))
    claims = [claim for step in found for claim in (*step.first, *step.silent, *step.final)]
    text, why, data, html = as_text(found), as_text(found, why=True), as_data(found), page(found, "A plan")
    assert claims
    assert all(claim.text in text and claim.why in why and claim.why not in text for claim in claims)
    assert text.count("\n   back: ") == len(data) - 1 == len(found) - 1
    assert html.count("<section") == html.count("<circle") == len(found)
    assert "://" not in html
    assert text.endswith(ESTIMATE)
