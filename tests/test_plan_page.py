"""The page about plans is what a run makes."""

from tests.plan_page import PAGE, page


def test_the_page_is_up_to_date() -> None:
    """`python -m tests.plan_page` writes it."""
    assert PAGE.read_text("utf-8") == page()
