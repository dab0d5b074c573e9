"""The page under `/` in Debian's chromium: `tox -e browser`, or where selenium and chromium are installed."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.control.http_server import ControlServer
from kafka import KafkaConsumer, KafkaProducer

pytest.importorskip("selenium", reason="selenium is not installed")
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

from tests.compat.report.test_page_in_a_browser import CONTRASTS, LEAST_CONTRAST

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER: Final = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="there is no chromium with its chromedriver"),
]
PATIENCE_S: Final = 30
EVIL: Final = "<img src=x onerror='window.broken=1'><script>window.broken=1</script>"
SCREENSHOTS: Final = "FAKEKAFKA_SCREENSHOTS"
"""A directory where pictures of the page are left, for people to look at."""


class Page:
    """The page of a cluster, in a window."""

    def __init__(self, driver: Any, url: str) -> None:
        self.driver = driver
        self._url = url.partition("/#")[0]
        driver.get("about:blank")
        driver.get(url)

    def look(self, width: int = 1280, scheme: str = "light") -> None:
        size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen", "features": features})

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def wait(self, condition: str) -> None:
        WebDriverWait(self.driver, PATIENCE_S).until(lambda _: self.run(f"return {condition}"), condition)

    def text(self, id: str) -> str:
        return str(self.run(f"return document.getElementById('{id}').innerText"))

    def wait_for(self, id: str, words: str) -> None:
        WebDriverWait(self.driver, PATIENCE_S).until(lambda _: words in self.text(id), f"{words} in {id}")

    def press(self, query: str) -> None:
        self.wait(f"document.querySelector({query!r}) !== null")
        self.run(f"document.querySelector({query!r}).click()")

    def photograph(self, name: str) -> None:
        if SCREENSHOTS in os.environ:
            self.driver.save_screenshot(str(Path(os.environ[SCREENSHOTS]) / f"{name}.png"))

    @property
    def complaints(self) -> list[str]:
        """What the browser has complained about on this page; other pages belong to other tests."""
        said = [entry["message"] for entry in self.driver.get_log("browser")]
        return [message for message in said if self._url in message]


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def kafka() -> Iterator[FakeKafka]:
    with FakeKafka("2.3", topics={"orders": 2}, clock=ManualClock()) as kafka:
        yield kafka


@pytest.fixture
def page(kafka: FakeKafka, driver: Any) -> Iterator[Page]:
    with ControlServer(kafka, token="secret") as server:
        page = Page(driver, server.page_url)
        page.look()
        page.wait_for("live", "live")
        yield page
        assert page.complaints == []
        driver.get("about:blank")
        driver.get_log("browser")


def used(kafka: FakeKafka) -> KafkaConsumer:
    """A consumer that has read what a producer and a transaction wrote."""
    settings = kafka.client_config("kafka-python")
    producer = KafkaProducer(transactional_id="till-1", client_id="svc-1", **settings)
    producer.init_transactions()
    producer.begin_transaction()
    producer.send("orders", b'{"fruit": "apple", "count": 2}', key=b"anna", headers=[("trace", b"\x01\xff")])
    producer.commit_transaction()
    producer.close()
    kafka.send("orders", b"\xff\xfe\x00", key=EVIL.encode())
    consumer = KafkaConsumer(
        "orders",
        group_id="shop",
        client_id="reader",
        auto_offset_reset="earliest",
        **kafka.client_config("kafka-python", quick=True),
    )
    for _ in range(2):
        next(consumer)
    consumer.commit()
    return consumer


def test_the_page_shows_a_cluster_live(kafka: FakeKafka, page: Page) -> None:
    consumer = used(kafka)
    page.wait_for("groups", "reader orders-0, orders-1")
    page.wait_for("transactions", "CompleteCommit")
    page.wait_for("topics", "orders")
    page.wait_for("requests", "OffsetCommit v")
    page.press("#topics button")
    page.wait_for("records", '"fruit": "apple"')
    assert "ff fe 00" in page.text("records")
    consumer.close()
    page.wait_for("groups", "Empty")


def test_sizes_formats_lags_and_conversions_are_shown(kafka: FakeKafka, page: Page) -> None:
    used(kafka).close()
    kafka.send("orders", b"three pears", key=b"anna")
    kafka.configure_topic("orders", {"message.format.version": "0.10.2"})
    producer = KafkaProducer(client_id="new", enable_idempotence=False, **kafka.client_config("kafka-python"))
    producer.send("orders", b"kept in an old format").get(timeout=20)
    producer.close()
    size = sum(partition.size for partition in kafka.describe_topics()["orders"].partitions)
    page.wait_for("topics", f"{size} B")
    page.wait_for("topics", "v1")
    lags = [place.lag for place in kafka.groups()["shop"].offsets if place.lag]
    assert lags
    for lag in lags:
        page.wait_for("groups", f"lag {lag}")
    page.wait_for("conversions", "v2 to v1")
    assert "new" in page.text("conversions")


def test_names_that_clients_choose_are_shown_as_text(kafka: FakeKafka, page: Page) -> None:
    kafka.send("orders", EVIL.encode(), key=EVIL.encode(), headers=[(EVIL, EVIL.encode())], partition=0)
    settings = kafka.client_config("kafka-python", quick=True)
    producer = KafkaProducer(
        client_id=EVIL, transactional_id=EVIL, **kafka.client_config("kafka-python", quick="producer")
    )
    producer.init_transactions()
    producer.begin_transaction()
    producer.send("orders", b"1").get(timeout=20)
    producer.commit_transaction()
    producer.close()
    consumer = KafkaConsumer("orders", group_id=EVIL, client_id=EVIL, auto_offset_reset="earliest", **settings)
    next(consumer)
    consumer.commit()
    page.press("#topics button")
    for card in ("records", "requests", "groups", "transactions"):
        page.wait_for(card, EVIL)
    page.wait_for("records", f"{EVIL}: {EVIL}")
    page.press("#requests button.link")
    page.wait_for("requests", '"request"')
    consumer.close()
    assert page.run("return window.broken") is None
    assert page.run("return document.querySelectorAll('img, main script').length") == 0


def test_a_request_opens_with_its_decoded_bodies(kafka: FakeKafka, page: Page) -> None:
    with kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=1):
        producer = KafkaProducer(retries=3, **kafka.client_config("kafka-python", quick="producer"))
        producer.send("orders", b"1").get(timeout=20)
        producer.close()
    page.wait_for("requests", "NOT_LEADER_OR_FOLLOWER")
    page.press("#requests tr.error button")
    page.wait_for("requests", '"topic_data"')
    assert '"response"' in page.text("requests")


def test_requests_are_filtered_by_words_and_by_words_with_a_minus(kafka: FakeKafka, page: Page) -> None:
    used(kafka).close()
    page.wait_for("requests", "OffsetCommit")
    for words, shown in (("offsetcommit", True), ("-offsetcommit", False), ("offsetcommit -reader", False)):
        page.run(
            f"const f = document.getElementById('filter'); f.value = {words!r}; f.dispatchEvent(new Event('input'))"
        )
        assert ("OffsetCommit v" in page.text("requests")) is shown


def test_faults_are_added_switched_and_removed(kafka: FakeKafka, page: Page) -> None:
    page.press("#add")
    page.wait_for("faults", "fail Produce")
    page.press("#faults input[type=checkbox]")
    page.wait("state.faults[0].is_on === false")
    assert list(kafka.faults.rules) == []
    page.press("#faults button")
    page.wait_for("faults", "No rule")
    page.run("document.getElementById('rule').value = '{\"fail\": \"NONSENSE\"}'")
    page.press("#add")
    page.wait_for("note", "NONSENSE")
    assert [message for message in page.complaints if "400" not in message] == []


def test_the_clock_advances(kafka: FakeKafka, page: Page) -> None:
    before = kafka.clock.now_ms
    page.run("document.getElementById('ms').value = 60000")
    page.press("#advance")
    page.wait(f"state.clock.now_ms === {before + 60_000}")
    assert kafka.clock.now_ms == before + 60_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_has_enough_contrast_and_fits_into_the_window(
    kafka: FakeKafka, page: Page, width: int, scheme: str
) -> None:
    page.look(width, scheme)
    consumer = used(kafka)
    page.press("#add")
    page.press("#topics button")
    page.wait_for("records", "apple")
    page.wait_for("faults", "fail Produce")
    page.wait_for("groups", "orders-0")
    page.photograph(f"page-{width}-{scheme}")
    consumer.close()
    low = [found for found in page.run(CONTRASTS) if found[0] < LEAST_CONTRAST]
    assert low == []
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")


def test_a_page_without_the_token_says_that_it_needs_one(kafka: FakeKafka, driver: Any) -> None:
    with ControlServer(kafka, token="secret") as server:
        page = Page(driver, f"{server.url}/")
        page.wait_for("note", "Authorization: Bearer")
        driver.get("about:blank")
        driver.get_log("browser")


def test_another_site_cannot_control_the_cluster(kafka: FakeKafka, driver: Any, tmp_path: Path) -> None:
    with ControlServer(kafka) as server:
        site = tmp_path / "evil.html"
        site.write_text(
            f"<form id=f method=post enctype=text/plain action={server.url}/cluster/reset><input name='{{}}'></form>"
            f"<script>fetch('{server.url}/cluster/reset', {{method: 'POST', mode: 'no-cors', body: '{{}}'}})"
            ".finally(() => document.getElementById('f').submit())</script>",
            "utf-8",
        )
        driver.get(site.as_uri())
        WebDriverWait(driver, PATIENCE_S).until(lambda d: "Refused" in d.page_source)
    assert kafka.topics() == {"orders": 2}
