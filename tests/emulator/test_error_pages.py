"""Every error names a page of the documentation, and the page is there."""

import ast
import importlib.metadata
import tomllib
import traceback
from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path

import fakekafka
import pytest
import pytest_fakekafka
from fakekafka import BrokerWillNotStart, FakeKafka, FakeKafkaError, ManualClock, Release, UsageError, error_pages
from fakekafka.cli import main
from fakekafka.error_pages import PAGES, page_of, page_of_module
from fakekafka.handle.clients import Clients

from docs.generator.site import DOCS, generated

pytest_plugins = ["pytester"]

SITE = "https://docs.example/"

PACKAGES = [Path(package.__file__ or "").parent for package in (fakekafka, pytest_fakekafka)]


@pytest.fixture(autouse=True)
def published(monkeypatch: pytest.MonkeyPatch) -> None:
    """Act as if the documentation of this release were published."""
    monkeypatch.setattr(error_pages, "site", lambda: SITE)


def raising() -> Iterator[str]:
    """The modules that raise something."""
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            if any(isinstance(node, ast.Raise) and node.exc for node in ast.walk(ast.parse(path.read_text("utf-8")))):
                parts = path.relative_to(package.parent).with_suffix("").parts
                yield ".".join(parts).removesuffix(".__init__")


def exists(page: str) -> bool:
    """Whether the site has a page: written by hand, or generated. A folder's README becomes its index."""
    place = page.removesuffix(".html") + ".md"
    readme = place.removesuffix("index.md") + "README.md"
    return (DOCS / place).exists() or (DOCS / readme).exists() or place in generated()


@pytest.mark.parametrize("page", sorted(set(PAGES.values())))
def test_every_page_that_errors_name_is_on_the_site(page: str) -> None:
    assert exists(page)


def test_every_page_is_named_by_some_module_that_raises() -> None:
    assert {page_of_module(module) for module in raising()} == set(PAGES.values())


def test_every_module_in_the_table_exists() -> None:
    places = [package.parent for package in PACKAGES]
    for module in PAGES:
        paths = [place / module.replace(".", "/") for place in places]
        assert any(path.is_dir() or path.with_suffix(".py").exists() for path in paths), module


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "an unknown release": (lambda: Release.parse("7.7"), "reference/releases.html"),
    "an unknown option's value": (lambda: FakeKafka(pace="slow").start(), "reference/options.html"),  # type: ignore[arg-type]
    "an unknown config": (lambda: FakeKafka(config={"num.partitons": 1}).start(), "reference/configs.html"),
    "a config's wrong value": (lambda: FakeKafka(config={"num.partitions": "x"}).start(), "reference/configs.html"),
    "a broker that is not started": (lambda: FakeKafka().topics(), "reference/fakekafka.html"),
    "an unknown topic": (lambda: on_a_broker(lambda kafka: kafka.send("nowhere", b"1")), "reference/fakekafka.html"),
    "an unknown error": (lambda: FakeKafka().faults.fail("Produce", "NONSENSE"), "recipes/faults.html"),
    "an unknown state": (lambda: on_a_broker(lambda kafka: kafka.wait_for_group("g", "?")), "recipes/waiting.html"),
    "an unknown draft": (lambda: FakeKafka(drafts=["KIP-0"]).start(), "drafts.html"),
    "a clock that goes back": (lambda: ManualClock().advance(-1), "recipes/time.html"),
    "a client without settings": (
        lambda: on_a_broker(lambda kafka: Clients.client_config(kafka, "nobody")),  # type: ignore[arg-type]
        "recipes/users.html",
    ),
    "a rule that cannot be read": (lambda: FakeKafka(acls=["nobody may anything"]).start(), "security.html"),
    "an impossible upgrade": (lambda: on_a_broker(lambda kafka: kafka.upgrade(to="0.8.0")), "recipes/upgrades.html"),
}


def on_a_broker(use: Callable[[FakeKafka], object]) -> object:
    with FakeKafka("3.9") as kafka:
        return use(kafka)


@pytest.mark.parametrize("what", WRONG)
def test_what_a_person_sees_of_an_error_ends_with_its_page(what: str) -> None:
    call, page = WRONG[what]
    with pytest.raises(FakeKafkaError) as caught:
        call()
    assert traceback.format_exception(caught.value)[-1] == f"see {SITE}{page}\n"


def test_the_message_itself_does_not_change() -> None:
    error = UsageError("say otherwise")
    assert str(error) == "say otherwise"
    assert page_of(error) == page_of(BrokerWillNotStart()) == SITE + PAGES["fakekafka"]


def test_notes_that_others_add_are_kept_below_the_page() -> None:
    """Hypothesis reports a falsifying example this way."""
    with pytest.raises(UsageError) as caught:
        Release.parse("7.7")
    caught.value.add_note("Falsifying example")
    assert caught.value.__notes__ == [f"see {SITE}reference/releases.html", "Falsifying example"]


def test_the_command_line_names_the_page_at_the_end_of_its_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--release", "7.7"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("fakekafka: ")
    assert line.endswith(f"; see {SITE}reference/releases.html")


def test_a_file_that_is_missing_has_no_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "0.10.2", "2.3", "--html", "nowhere/at/all.html"]) == 2
    assert SITE not in capsys.readouterr().err


def test_a_wrong_marker_names_its_page(pytester: pytest.Pytester) -> None:
    """The marker is checked in another process, which reads the installed package's metadata."""
    pytester.makepyfile(
        "import pytest\n\n\n@pytest.mark.fake_kafka(colour='red')\ndef test_x(fake_kafka):\n    assert fake_kafka\n"
    )
    outcome = pytester.runpytest_subprocess("-p", "no:randomly")
    outcome.stdout.fnmatch_lines("*see *reference/pytest.html*")


def test_without_an_address_the_place_in_the_documentation_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_pages, "site", lambda: None)
    with pytest.raises(UsageError) as caught:
        Release.parse("7.7")
    assert caught.value.__notes__ == ["see reference/releases.html of the documentation"]


METADATA = {
    "with an address": (["Source, https://code.example/x", f"Documentation, {SITE.rstrip('/')}"], SITE),
    "with others only": (["Source, https://code.example/x"], None),
    "without any": ([], None),
}


@pytest.mark.parametrize("what", METADATA)
def test_the_address_comes_from_the_metadata_of_the_package(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    urls, address = METADATA[what]
    message = Message()
    for url in urls:
        message["Project-URL"] = url
    monkeypatch.setattr(importlib.metadata, "metadata", {"fakekafka": message}.__getitem__)
    assert error_pages.site.__wrapped__() == address


def test_the_tree_names_no_address_that_nobody_has_claimed() -> None:
    """The release workflow writes it into the metadata, and nowhere else."""
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]
    assert "urls" not in project
    assert "\nsite_url: !ENV [DOCS_URL, " in (DOCS.parent / "mkdocs.yml").read_text("utf-8")
    assert "Documentation = " in (DOCS.parent / ".github" / "workflows" / "release.yml").read_text("utf-8")
