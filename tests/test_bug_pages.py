"""The pages of the classic bugs are what a run makes."""

from tests.bug_pages import CLASSICS, PAGES, pages


def test_the_pages_are_up_to_date() -> None:
    """`python -m tests.bug_pages` writes them."""
    assert {path.name: path.read_text("utf-8") for path in PAGES.glob("*.md")} == pages()


def test_there_are_ten_bug_pages_and_each_run_ends_as_described() -> None:
    assert len(CLASSICS) == 10
    assert all("NOT AS DESCRIBED" not in text for text in pages().values())
