"""The site that `make docs` builds, in Debian's chromium: `tox -e browser`, or where mkdocs, selenium and chromium are.

Without a browser, its links are followed in the files.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

import pytest

pytest.importorskip("mkdocs", reason="mkdocs is not installed")
pytest.importorskip("material", reason="mkdocs-material is not installed")
pytest.importorskip("selenium", reason="selenium is not installed")
from selenium.webdriver.common.keys import Keys

from docs.generator.site import DOCS, write
from tests.compat.report.test_page_in_a_browser import CHROMIUM, DRIVER, Browser

pytestmark = pytest.mark.browser
in_a_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="there is no chromium with its chromedriver")

KINDS: Final = {
    "Tutorial": "tutorial.html",
    "Recipes": "recipes/index.html",
    "Reference": "reference/index.html",
    "Explanation": "explanation/index.html",
}
"""The kinds of pages, as the tabs name them."""
LOOKED_AT: Final = (
    "index.html",
    *KINDS.values(),
    "recipes/fastapi/index.html",
    "reference/fakekafka.html",
    "reference/cli.html",
    "reference/configs.html",
    "reference/releases/2.3.html",
    "explanation/house.html",
    "explanation/performance.html",
    "drafts.html",
)
PHONE, DESK = 390, 1280


class Page(HTMLParser):
    """What a page refers to, and the places in it that can be referred to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        """What a browser loads by itself to show the page."""
        self.places: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("canonical", "prev", "next"):
            self.fetched.append(given["href"])
        elif "src" in given:
            self.fetched.append(given["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as the Makefile does it: warnings are errors."""
    folder = tmp_path_factory.mktemp("site")
    write(folder / "docs")
    environment = os.environ | {"DOCS_DIR": str(folder / "docs"), "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder / "site")]
    done = subprocess.run(
        command, cwd=DOCS.parent, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


class Silent(SimpleHTTPRequestHandler):
    """Serves files without printing a line for each."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = Browser(tmp_path_factory.mktemp("page"))
    yield browser
    browser.driver.quit()


@pytest.fixture
def window(browser: Browser, address: str) -> Iterator[Browser]:
    """A window of the site, in the state in which a first visitor has it; nothing may go wrong in it unseen."""
    look(browser)
    browser.driver.get(address)
    browser.run("localStorage.clear(); sessionStorage.clear()")
    browser.driver.get("about:blank")
    browser.driver.get_log("browser")
    yield browser
    assert browser.complaints == []


def look(window: Browser, width: int = DESK, scheme: str = "light") -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width == PHONE}
    window.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    window.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen", "features": features})


# ---- in the files


def test_every_link_leads_to_a_page_and_a_place_in_it(site: Path) -> None:
    pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    lost = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(urljoin(path.as_uri(), link))
            if parts.scheme != "file":
                continue
            target = Path(unquote(parts.path))
            target = target / "index.html" if target.is_dir() else target
            found = target.exists() and (not parts.fragment or unquote(parts.fragment) in pages[target].places)
            if not found:
                lost.append(f"{path.relative_to(site)}: {link}")
    assert len(pages) > 100
    assert lost == []


def test_the_reference_has_no_private_names(site: Path) -> None:
    for path in (site / "reference").glob("*.html"):
        places = {place.rpartition(".")[2] for place in Page(path).places if place.startswith("fakekafka.")}
        assert not {place for place in places if place.startswith("_")}, path.name


def test_no_page_names_a_resource_elsewhere(site: Path) -> None:
    elsewhere = {link for path in site.rglob("*.html") for link in Page(path).fetched if urlsplit(link).netloc}
    assert elsewhere == set()


# ---- in a browser


@in_a_browser
@pytest.mark.parametrize("place", LOOKED_AT)
def test_a_page_loads_nothing_from_elsewhere(window: Browser, address: str, place: str) -> None:
    window.driver.get(address + place)
    window.wait("document.readyState === 'complete'")
    loaded = window.run("return performance.getEntriesByType('resource').map((each) => each.name)")
    assert [name for name in loaded if not name.startswith(address)] == []
    assert any(name.endswith(".css") for name in loaded)


@in_a_browser
@pytest.mark.parametrize("kind", KINDS)
def test_a_tab_leads_to_its_kind_of_pages(window: Browser, address: str, kind: str) -> None:
    window.driver.get(address)
    [tab] = [link for link in window.all(".md-tabs__link") if link.text == kind]
    tab.click()
    window.wait(f"location.href === '{address}{KINDS[kind]}'")
    assert window.one("h1").is_displayed()
    assert window.seen(".md-tabs__item--active") == [kind]


@in_a_browser
def test_the_search_is_opened_used_and_followed_by_keys_alone(window: Browser, address: str) -> None:
    window.driver.get(address)
    window.press("s")
    window.wait("document.activeElement.matches('.md-search__input')")
    window.press("wait_for_commit")
    window.wait("document.querySelectorAll('.md-search-result__link').length > 0")
    window.press(Keys.ARROW_DOWN)
    window.wait("document.activeElement.matches('.md-search-result__link')")
    window.press(Keys.ENTER)
    window.wait(f"location.href !== '{address}'")
    window.wait("document.readyState === 'complete'")
    assert "wait_for_commit" in window.one(".md-content").text


@in_a_browser
def test_a_search_without_results_says_so_and_escape_ends_it(window: Browser, address: str) -> None:
    window.driver.get(address)
    window.press("/")
    window.wait("document.activeElement.matches('.md-search__input')")
    window.press("xyzzyplugh")
    window.wait("document.querySelector('.md-search-result__meta').innerText.includes('No matching')")
    window.press(Keys.ESCAPE)
    window.wait("!document.activeElement.matches('.md-search__input')")


@in_a_browser
def test_the_first_key_leads_past_the_navigation_and_what_has_focus_can_be_seen(window: Browser, address: str) -> None:
    window.driver.get(address + "tutorial.html")
    window.press(Keys.TAB)
    assert window.run("return document.activeElement.textContent.trim()") == "Skip to content"
    window.wait("getComputedStyle(document.activeElement).opacity === '1'")
    window.press(Keys.ENTER)
    window.wait("location.hash.length > 1")
    window.press(Keys.TAB)
    assert window.run("return document.activeElement.closest('.md-content') !== null")
    outline = window.run("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none" or window.run("return document.activeElement.matches(':focus-visible')")


@in_a_browser
def test_every_tab_is_reached_by_the_tab_key(window: Browser, address: str) -> None:
    window.driver.get(address)
    reached = set()
    for _ in range(30):
        window.press(Keys.TAB)
        reached.add(window.focused.text)
    assert set(KINDS) <= reached


@in_a_browser
@pytest.mark.parametrize("place", LOOKED_AT)
def test_a_page_fits_a_phone(window: Browser, address: str, place: str) -> None:
    look(window, PHONE)
    window.driver.get(address + place)
    window.wait("document.readyState === 'complete'")
    assert window.run("return document.documentElement.scrollWidth") <= PHONE
    assert window.one("h1").is_displayed()


@in_a_browser
def test_on_a_phone_a_drawer_has_the_navigation(window: Browser, address: str) -> None:
    look(window, PHONE)
    window.driver.get(address)
    drawer = "document.querySelector('.md-sidebar--primary').getBoundingClientRect().left >= 0"
    assert not window.run(f"return {drawer}")
    window.one("label.md-header__button[for='__drawer']").click()
    window.wait(drawer)
    [tutorial] = [link for link in window.all(".md-nav--primary a.md-nav__link") if link.text == "Tutorial"]
    tutorial.click()
    window.wait(f"location.href === '{address}tutorial.html'")


@in_a_browser
@pytest.mark.parametrize(("scheme", "palette"), [("light", "default"), ("dark", "slate")])
def test_the_site_is_light_or_dark_as_the_reader_prefers(
    window: Browser, address: str, scheme: str, palette: str
) -> None:
    shown = "document.body.getAttribute('data-md-color-scheme')"
    other = {"default": "slate", "slate": "default"}[palette]
    look(window, scheme=scheme)
    window.driver.get(address)
    window.wait(f"{shown} === '{palette}'")
    window.run("document.querySelector('label.md-header__button[title]:not([hidden]):not([for^=\"__d\"])').click()")
    window.wait(f"{shown} === '{other}'")
    window.driver.get(address + "tutorial.html")
    window.wait(f"{shown} === '{other}'")


@in_a_browser
def test_code_can_be_copied_and_its_button_has_a_name(window: Browser, address: str) -> None:
    window.driver.get(address + "tutorial.html")
    window.wait("document.querySelectorAll('.md-code__button, .md-clipboard').length > 0")
    names = window.run(
        "return [...document.querySelectorAll('.md-code__button, .md-clipboard')].map((each) => each.title)"
    )
    assert all(names)
