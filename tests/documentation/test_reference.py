"""The reference has every public name, with what it means, its units, its errors, and an example that runs."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import fakekafka
import pytest
from fakekafka import FakeKafka, Options, UsageError
from fakekafka.faults.faults import Faults
from fakekafka.remote import RemoteKafka
from pytest_fakekafka import plugin
from pytest_fakekafka.marker import KNOWN

from docs.generator.api_pages import (
    BY_HAND,
    MEMBERS,
    _definer,
    _own_members,
    example_name,
    members_of,
    pages,
    section_module,
)
from docs.generator.examples import examples, shown
from docs.generator.site import DOCS, python_blocks

PAGES = pages()
PLUGIN = (DOCS / "reference" / "pytest.md").read_text("utf-8")
MODULES = sorted(path.stem for path in (DOCS / "examples").glob("[a-z]*.py"))
SECTIONS = (FakeKafka, *FakeKafka.__bases__)
CLASSES = [getattr(fakekafka, name) for name in fakekafka.__all__ if inspect.isclass(getattr(fakekafka, name))]
DOCUMENTED = [*CLASSES, Faults, *BY_HAND]
IN_SECONDS = {"timeout", "patience"}
"""Arguments whose names do not say their unit."""


# ---- every name has an example


def test_every_public_name_has_an_example() -> None:
    assert set(examples("names")) == {example_name(name) for name in fakekafka.__all__}


@pytest.mark.parametrize("section", SECTIONS, ids=section_module)
def test_every_member_of_the_handle_has_an_example(section: type) -> None:
    members = _own_members(FakeKafka) if section is FakeKafka else members_of(section)
    assert set(examples(section_module(section))) == set(members)


@pytest.mark.parametrize("name", MEMBERS)
def test_every_member_of_a_class_that_tests_call_has_an_example(name: str) -> None:
    missing = set(members_of(getattr(fakekafka, name))) - set(examples(MEMBERS[name]))
    assert missing <= {"before", "after"}  # members of a step: they are in the example of its class


def test_every_fault_has_an_example() -> None:
    assert set(examples("faults")) == set(members_of(Faults)) - {"book"}


def test_every_option_has_an_example_and_the_marker_takes_all_of_them() -> None:
    assert list(examples("options")) == list(Options._fields)
    assert set(KNOWN) - {"bug"} <= set(Options._fields)


def body(example: Callable[..., None]) -> str:
    return inspect.getsource(example).partition("\n")[2]


@pytest.mark.parametrize("module", [module for module in MODULES if module != "names"])
def test_an_example_uses_what_it_shows(module: str) -> None:
    """An example of an attribute has the attribute's name. An example of a public name is checked for it when it
    runs.
    """
    for name, example in examples(module).items():
        word = f"{name}=" if module == "options" else name
        assert word in body(example), f"{module}.{name}"


# ---- and it runs


@pytest.fixture
def given(tmp_path: Path) -> Iterator[dict[str, Callable[[], object]]]:
    """What examples take, each made when it is asked for."""
    with ExitStack() as stack:
        replicated = {"default.replication.factor": 3}
        yield {
            "kafka": lambda: stack.enter_context(FakeKafka("3.9", topics={"orders": 2})),
            "cluster": lambda: stack.enter_context(
                FakeKafka("3.9", brokers=3, config=replicated, topics={"orders": 1})
            ),
            "folder": lambda: tmp_path,
        }


@pytest.mark.filterwarnings("ignore:Kafka .* ignores the config")
@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module in MODULES for name in examples(module)], ids=str
)
def test_an_example_of_the_reference_runs(
    module: str, name: str, given: dict[str, Callable[[], object]], capsys: pytest.CaptureFixture[str]
) -> None:
    example = examples(module)[name]
    arguments = [given[argument]() for argument in inspect.signature(example).parameters]
    with objects_met(example) as met:
        example(*arguments)
    if module == "names":
        shown_name = next(public for public in fakekafka.__all__ if example_name(public) == name)
        assert shown_name in body(example) or getattr(fakekafka, shown_name) in met
    checks = re.search(r"\bassert\b", body(example)) or capsys.readouterr().out
    assert checks or module == "options", "an example shows what comes of it"


@contextmanager
def objects_met(example: Callable[..., None]) -> Iterator[set[type]]:
    """The types of what an example gets from its calls, and of what lists and dictionaries among them hold."""
    met: set[type] = set()

    def note(frame: FrameType, event: str, value: Any) -> None:
        if event == "return" and frame.f_back is not None and frame.f_back.f_code is example.__code__:
            held = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
            met.update(map(type, [value, *held]))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield met
    finally:
        sys.setprofile(before)


def test_the_example_of_the_remote_handle_runs() -> None:
    [example] = python_blocks(PAGES["reference/remote.md"])
    exec(compile(example, "remote.md", "exec"), {})


# ---- pages show them


def test_the_pages_show_every_example() -> None:
    everything = "\n".join(PAGES.values())
    for module in MODULES:
        for name in examples(module):
            assert shown(module, name) in everything, f"{module}.{name}"


def test_an_example_that_is_shown_stands_alone() -> None:
    """The example has its imports, and nothing that only the tests need."""
    text = shown("records", "committed")
    assert text.startswith("```python\nfrom kafka import KafkaConsumer\n\nkafka.send(")
    assert "def " not in text


def test_the_page_of_the_handle_has_every_member() -> None:
    for name in members_of(FakeKafka):
        definer = _definer(name)
        assert f"::: {definer.__module__}.{definer.__qualname__}.{name}\n" in PAGES["reference/fakekafka.md"]


def test_the_page_of_the_remote_handle_has_every_member() -> None:
    for name in members_of(RemoteKafka):
        assert f"| [`{name}`](" in PAGES["reference/remote.md"]


@pytest.mark.parametrize("name", [name for name in vars(plugin) if name.startswith("fake_kafka")])
def test_every_fixture_is_in_the_reference_with_its_meaning(name: str) -> None:
    [meaning] = re.findall(rf"^\| `{name}` \| \w+ \| (.+) \|$", PLUGIN, re.MULTILINE)
    assert len(meaning) > 20


@pytest.mark.parametrize(
    "name", re.findall(r'(?:addini\(|")(--fake-kafka-\w+|fake_kafka_\w+)"', inspect.getsource(plugin))
)
def test_every_option_and_setting_of_the_plug_in_is_in_the_reference(name: str) -> None:
    assert name in PLUGIN


# ---- meaning, units, errors


def documented(cls: type) -> Iterator[tuple[str, str]]:
    """The members of a class, and their docstrings; a field's is the text below it."""
    for name in (BY_HAND.get(cls) and examples(BY_HAND[cls])) or members_of(cls):
        definer = next((each for each in cls.__mro__ if name in vars(each)), cls)
        found = vars(definer).get(name)
        if found is None or name in getattr(definer, "_fields", ()):
            yield name, _below(definer, name)
        else:
            yield name, inspect.getdoc(getattr(found, "fget", found)) or ""


def _below(cls: type, name: str) -> str:
    """The docstring of a field, or of an attribute that the constructor sets."""
    place = rf'^ +(?:self\.)?{name}(?:: | = )[^\n]+(?:\n +[^\n"]+)*?\n +"""(.*?)"""'
    found = re.search(place, inspect.getsource(cls), re.DOTALL | re.MULTILINE)
    return "" if found is None else found[1]


@pytest.mark.parametrize("cls", DOCUMENTED, ids=lambda cls: cls.__name__)
def test_every_member_says_what_it_means(cls: type) -> None:
    if cls.__name__ in ("ErrorCode", "Entry"):
        pytest.skip("a table of names; an entry's fields are in the text of its constructor")
    assert [name for name, text in documented(cls) if len(text) < 8] == []


@pytest.mark.parametrize("cls", DOCUMENTED, ids=lambda cls: cls.__name__)
def test_what_takes_seconds_documents_the_unit(cls: type) -> None:
    for name, text in documented(cls):
        taken = IN_SECONDS & inspect.signature(member).parameters.keys() if callable(member := _of(cls, name)) else ()
        if taken:
            assert "second" in text or "as `wait_for_records`" in text, f"{cls.__name__}.{name}: {taken}"


def _of(cls: type, name: str) -> object:
    return getattr(cls, name, None)


def without_brokers(kafka: FakeKafka) -> FakeKafka:
    kafka.stop_broker(0)
    return kafka


WRONG: dict[str, Callable[[FakeKafka], object]] = {
    "start": lambda kafka: kafka.start(),
    "start_broker": lambda kafka: kafka.start_broker(0),
    "stop_broker": lambda kafka: kafka.stop_broker(7),
    "kill_broker": lambda kafka: kafka.kill_broker(7),
    "pause_replication": lambda kafka: kafka.pause_replication(7),
    "resume_replication": lambda kafka: kafka.resume_replication(7),
    "elect_leader": lambda kafka: kafka.elect_leader("nowhere", 0),
    "create_topic": lambda kafka: kafka.create_topic("or ders"),
    "configure_topic": lambda kafka: kafka.configure_topic("orders", {"retention.ms": "soon"}),
    "delete_topic": lambda kafka: kafka.delete_topic("nowhere"),
    "compact": lambda kafka: kafka.compact("orders"),
    "send": lambda kafka: kafka.send("nowhere", b"1"),
    "records": lambda kafka: kafka.records("nowhere"),
    "last_records": lambda kafka: kafka.last_records("nowhere"),
    "damage": lambda kafka: kafka.damage("orders"),
    "decided": lambda kafka: kafka.decided("nowhere"),
    "commit_if": lambda kafka: without_brokers(kafka).commit_if("shop", "orders", 0, 1, None),
    "client_config": lambda kafka: kafka.client_config("nobody"),  # type: ignore[arg-type]
    "tls": lambda kafka: kafka.tls,
    "oauth": lambda kafka: kafka.oauth,
    "connect": lambda kafka: kafka.connect(),
    "evict": lambda kafka: kafka.evict("shop", "svc-1"),
    "settle": lambda kafka: kafka.settle("shop", members=1, timeout=0.01),
    "plugins": lambda kafka: kafka.plugins,
    "upgrade": lambda kafka: kafka.upgrade(to="0.8.0"),
    "upgrade_along": lambda kafka: kafka.upgrade_along([], FakeKafka("2.3").phase),
    "restart": lambda kafka: kafka.restart("2.3", config={"num.partitons": 1}),
    "restore": lambda kafka: kafka.restore("/nowhere/at/all"),
    "save": lambda kafka: kafka.save(DOCS),
    "wait_for_records": lambda kafka: kafka.wait_for_records("orders", 1, timeout=0.01),
    "wait_for_commit": lambda kafka: kafka.wait_for_commit("shop", "orders", timeout=0.01),
    "wait_for_group": lambda kafka: kafka.wait_for_group("shop", state="?"),
    "wait_for_transaction": lambda kafka: kafka.wait_for_transaction("till", "?"),
    "wait_for_request": lambda kafka: kafka.wait_for_request("Nonsense"),
    "pushed_metrics": lambda kafka: kafka.pushed_metrics(),  # not made with telemetry=True
    "set_quotas": lambda kafka: kafka.set_quotas({"nonsense": 1}, client_id="c"),
    "subscribe_to_metrics": lambda kafka: kafka.subscribe_to_metrics(interval_ms=1),
}
"""A wrong use of each method that can be used wrongly."""
CANNOT_FAIL = {
    "aio", "boot", "bootstrap_servers", "brokers", "clock", "committed", "conversions", "counted_requests",
    "describe_topics", "explain", "failures", "faults", "groups", "host", "is_running", "load", "open_listeners",
    "phase", "port", "refused_connections", "release", "requests", "reset", "still_open", "stop", "stored_formats",
    "summary", "topics", "transactions", "unsubscribe_from_metrics", "unused_faults",
    "versions_used", "wait_for_more_requests", "why_denied",
}  # fmt: skip
"""Members that never fail on a running cluster, and members that start one, with the errors of the class."""


def test_each_member_can_be_used_wrongly_or_cannot() -> None:
    assert WRONG.keys() | CANNOT_FAIL == set(members_of(FakeKafka))
    assert not WRONG.keys() & CANNOT_FAIL


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_use_raises_what_the_reference_says(name: str) -> None:
    with FakeKafka("3.9", topics={"orders": 1}) as kafka, pytest.raises((UsageError, OSError)) as caught:
        WRONG[name](kafka)
    text = inspect.getdoc(_of(FakeKafka, name)) or ""
    raised = type(caught.value).__name__ if isinstance(caught.value, OSError) else "UsageError"
    by_reference = "as `wait_for_records`" in text
    assert re.search(rf"[Rr]aises[^.]*`{raised}`", " ".join(text.split())) or by_reference, f"{raised}: {caught.value}"


@pytest.mark.parametrize("name", sorted(CANNOT_FAIL - {"load"}))
def test_what_cannot_be_used_wrongly_does_not_raise(name: str) -> None:
    with FakeKafka("3.9", topics={"orders": 1}) as kafka:
        if name == "boot":
            kafka.stop()
        member = getattr(kafka, name)
        arguments = {"committed": ("shop",), "wait_for_more_requests": (0, 0.0)}.get(name, ())
        if callable(member):
            member(*arguments)
        assert kafka.is_running is (name not in ("boot", "stop"))  # a booted broker has no sockets
