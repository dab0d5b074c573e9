"""The page in a real browser, Debian's chromium: `tox -e browser`, or pytest where selenium and chromium are there."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from fakekafka_compat.report.html import page

from tests.compat.report.reports import large, small

pytest.importorskip("selenium", reason="selenium is not installed")
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER: Final = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="there is no chromium with its chromedriver"),
]
PATIENCE_S: Final = 20
LEAST_CONTRAST: Final = 4.5
"""WCAG 2.2, 1.4.3, level AA; large text may have less, and does not here."""

CONTRASTS: Final = """
const channels = (color) => color.match(/[\\d.]+/g).map(Number);
const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const luminance = (color) => {
  const [r, g, b] = channels(color).map((c) => linear(c / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  for (let each = element; each; each = each.parentElement) {
    const style = getComputedStyle(each);
    const colors = style.backgroundImage.match(/rgba?\\([^)]*\\)/g);
    if (colors) return colors;
    if (channels(style.backgroundColor)[3] !== 0) return [style.backgroundColor];
  }
};
const found = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!own || !element.checkVisibility()) continue;
  const text = luminance(getComputedStyle(element).color);
  for (const color of behind(element)) {
    const ground = luminance(color);
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    found.push([ratio, `${element.tagName}.${element.className} ${element.textContent.slice(0, 20)} on ${color}`]);
  }
}
return found;
"""


class Browser:
    """A window with a page in it."""

    def __init__(self, folder: Path, with_javascript: bool = True) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM or ""
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        if not with_javascript:
            settings = {"profile.managed_default_content_settings.javascript": 2}
            options.add_experimental_option("prefs", settings)
        self.driver = webdriver.Chrome(options, Service(DRIVER))
        self.folder = folder

    def show(self, text: str, width: int = 1280, scheme: str = "light", media: str = "screen") -> "Browser":
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
        path = self.folder / "report.html"
        path.write_text(text, "utf-8")
        self.driver.get(path.as_uri())
        return self

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def all(self, query: str) -> list[WebElement]:
        return list(self.driver.find_elements(By.CSS_SELECTOR, query))

    def one(self, query: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, query)

    def seen(self, query: str) -> list[str]:
        """The texts of the elements that are shown."""
        return [element.text for element in self.all(query) if element.is_displayed()]

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def wait(self, condition: str) -> None:
        WebDriverWait(self.driver, PATIENCE_S).until(lambda _: self.run(f"return {condition}"))

    @property
    def focused(self) -> WebElement:
        return self.driver.switch_to.active_element

    @property
    def complaints(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = Browser(tmp_path_factory.mktemp("page"))
    yield browser
    browser.driver.quit()


@pytest.fixture(scope="module")
def plain_window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A window without JavaScript."""
    browser = Browser(tmp_path_factory.mktemp("page"), with_javascript=False)
    yield browser
    browser.driver.quit()


def test_the_page_loads_without_errors(window: Browser) -> None:
    window.show(page(small()))
    assert window.driver.title == "Compatibility matrix: 6 cells, 21 November 2026"
    assert window.seen(".matrix td a") == ["✓ 1\nr1", "✓ 2\nz1 c1", "! 1\nz1", "✗ 1\nz1", "– 1"]
    assert window.seen("output") == ["all 6 cells"]
    assert window.complaints == []


def test_a_filter_leaves_the_cells_that_have_the_value_and_counts_them(window: Browser) -> None:
    window.show(page(small()))
    scenario, format, *_ = (Select(element) for element in window.all("select"))
    scenario.select_by_visible_text("roundtrip")
    assert window.seen("output") == ["3 of 6 cells"]
    assert window.seen(".matrix td a") == ["✓ 1\nc1", "✗ 1\nz1", "– 1"]
    assert len(window.seen("details.group")) == 3
    format.select_by_visible_text("0.9.0")
    assert window.seen(".matrix td a") == ["✓ 1\nc1"]
    assert window.one(".matrix td a:not([hidden])").accessible_name == "kp3012 on 2.3: 1 of the chosen cells, c1"
    window.one("button[type=reset]").click()
    window.wait("document.querySelector('output').value === 'all 6 cells'")
    assert window.seen(".matrix td a") == ["✓ 1\nr1", "✓ 2\nz1 c1", "! 1\nz1", "✗ 1\nz1", "– 1"]
    assert window.complaints == []


def test_a_square_opens_its_cells_and_a_cell_its_story_by_mouse(window: Browser) -> None:
    window.show(page(small()))
    assert window.seen("details.cell") == []
    window.all(".matrix td a")[1].click()
    window.wait("document.querySelectorAll('details.group[open]').length === 1")
    assert [text.split("\n")[1] for text in window.seen("details.cell")] == ["group", "roundtrip"]
    cell = window.all("details.cell")[2]
    cell.find_element(By.TAG_NAME, "summary").click()
    assert "Fetch 2: 3 batches, 234 bytes to 108" in cell.text
    assert "Fetch v11 tester ok (× 4)" in cell.text
    assert window.complaints == []


def test_a_square_of_one_cell_opens_its_story_by_keyboard_and_escape_goes_back(window: Browser) -> None:
    window.show(page(small()))
    window.run("document.querySelector('.scroll').focus()")
    window.press(Keys.TAB)
    assert window.focused.accessible_name.startswith("kp3012 on 0.10.2: ")
    window.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert window.focused.accessible_name.startswith("ck2161 on 2.3: ")
    window.press(Keys.ARROW_LEFT, Keys.ARROW_UP)
    assert window.focused.accessible_name.startswith("kp3012 on 2.3: "), "there is no square further left"
    window.press(Keys.ARROW_LEFT, Keys.ENTER)
    window.wait("document.activeElement.tagName === 'SUMMARY'")
    assert "record 9: MESSAGE_TOO_LARGE" in window.one("details.cell[open]").text
    window.press(Keys.ESCAPE)
    assert window.focused.accessible_name.startswith("kp3012 on 0.10.2: ")
    window.press(Keys.TAB)
    assert window.focused.tag_name != "a" or window.focused.accessible_name == "", "Tab leaves the matrix at once"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_background(window: Browser, scheme: str) -> None:
    window.show(page(small()), scheme=scheme)
    window.run("for (const each of document.querySelectorAll('details')) each.open = true")
    found = window.run(CONTRASTS)
    assert len(found) > 100
    assert [what for ratio, what in found if ratio < LEAST_CONTRAST] == []


@pytest.mark.parametrize("width", [320, 700, 1280])
def test_the_page_is_as_wide_as_its_window(window: Browser, width: int) -> None:
    window.show(page(large(600)), width=width)
    window.run("for (const each of document.querySelectorAll('details')) each.open = true")
    assert window.run("return document.documentElement.scrollWidth") <= width


def test_a_printed_page_has_no_controls(window: Browser) -> None:
    window.show(page(small()), media="print")
    assert window.seen("form, .hint") == []
    assert len(window.seen(".matrix td a")) == 5
    assert len(window.seen("article")) == 2


def test_five_thousand_cells_are_quick_and_show_their_requests(window: Browser) -> None:
    window.show(page(large(5000)))
    assert window.seen("output") == ["all 5,000 cells"]
    filtered_ms = """
        const [select] = document.querySelectorAll("select"), began = performance.now();
        select.value = "0";
        select.dispatchEvent(new Event("change", { bubbles: true }));
        document.body.offsetHeight;
        return performance.now() - began;"""
    assert window.run(filtered_ms) < 2000
    window.run("document.querySelector('details.cell.as:not([hidden])').closest('.group').open = true")
    cell = window.one("details.cell.as:not([hidden])")
    window.run("document.querySelector('details.cell.as:not([hidden])').open = true")
    window.wait("document.querySelector('details.cell.as:not([hidden]) ol') !== null")
    assert "The broker's last requests" in cell.text
    assert "version of the client\n1.0" in cell.text
    assert len(cell.find_elements(By.CSS_SELECTOR, "ol li")) == 12
    assert window.complaints == []


def test_without_javascript_everything_but_the_filters_is_there(plain_window: Browser) -> None:
    plain_window.show(page(small()))
    assert plain_window.seen("form") == []
    assert "Filters need JavaScript." in plain_window.one("noscript").text
    assert len(plain_window.seen("details.group")) == 5
    assert plain_window.seen("details.cell") == []
    plain_window.all(".matrix td a")[1].click()
    assert len(plain_window.seen("details.cell")) == 2, "the browser opens what the link leads into"
    cell = plain_window.all("details.cell")[2]
    cell.find_element(By.TAG_NAME, "summary").click()
    assert "Fetch 2: 3 batches, 234 bytes to 108" in cell.text
    assert "Fetch v11 tester ok (× 4)" in cell.text
