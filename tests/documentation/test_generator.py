"""The generated pages say what the package says, and the site can be built from them."""

import argparse
import re
import sys
from pathlib import Path

import fakekafka
import pytest
from fakekafka.cli import COMMANDS, main
from fakekafka.cli.options import OneLineParser
from fakekafka.releases.configs import broker_configs
from fakekafka.releases.release import LAST_PATCH, Release

from docs.generator import configs, differences, site, tables
from docs.generator.command_line import commands

PAGES = site.generated()


def test_every_release_has_a_page_and_a_row() -> None:
    for line in LAST_PATCH:
        assert f"reference/releases/{line}.md" in PAGES
        assert f"| [{line}](releases/{line}.md) | " in PAGES["reference/releases.md"]


def test_every_public_name_is_in_the_reference() -> None:
    listed = set(re.findall(r"^::: fakekafka\.[a-z_.]+\.(\w+)$", PAGES["reference/names.md"], re.MULTILINE))
    assert listed | {"FakeKafka"} == set(fakekafka.__all__)
    assert "::: fakekafka.emulator.FakeKafka" in PAGES["reference/fakekafka.md"]


def test_every_command_and_option_is_in_the_reference() -> None:
    parser = OneLineParser("fakekafka")
    found = parser.add_subparsers()
    for command in COMMANDS:
        command.add(found)
    for name, _, own in commands(parser):
        assert f"## {name}\n" in PAGES["reference/cli.md"]
        for action in own._actions:
            if not isinstance(action, argparse._HelpAction):
                assert all(option in PAGES["reference/cli.md"] for option in action.option_strings)


@pytest.mark.parametrize("line", ["0.8.0", "2.3", "4.0"])
def test_a_release_lists_its_configs_and_no_others(line: str) -> None:
    page = PAGES[f"reference/releases/{line}.md"].partition("## Broker configs")[2]
    assert set(re.findall(r"^\| `([\w.]+)` \|", page, re.MULTILINE)) == set(broker_configs(Release.parse(line)))


@pytest.mark.parametrize(
    "name",
    [
        "log.retention.hours",
        "retention.ms",
        "group.initial.rebalance.delay.ms",
        "offsets.topic.num.partitions",
        "listeners",
    ],
)
def test_a_config_that_changes_something_is_heeded(name: str) -> None:
    assert configs.played(name) == "heeded"


@pytest.mark.parametrize(
    "name",
    ["num.io.threads", "socket.send.buffer.bytes", "zookeeper.connection.timeout.ms", "metadata.log.segment.bytes"],
)
def test_a_config_of_a_part_that_does_not_exist_here_is_only_shown(name: str) -> None:
    assert configs.played(name) == "shown only"


def test_a_config_that_a_client_would_miss_says_what_happens_in_a_real_broker() -> None:
    assert configs.played("create.topic.policy.class.name").startswith("shown only; in a real broker, creating topics")


def test_differences_are_those_that_explain_prints(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", "--release", "2.3"])
    printed = capsys.readouterr().out.splitlines()[1:]
    assert [f"  {one}" for one in differences.of_line("2.3")] == printed
    assert all(one.why in PAGES["reference/differences.md"] for one in differences.of_line("2.3"))


def test_cells_cannot_break_a_table() -> None:
    assert tables.table(("a",), [("one|two\nthree",)]) == "| a |\n| --- |\n| one\\|two three |\n"


def test_everything_is_written_and_a_recipe_shows_its_files(tmp_path: Path) -> None:
    left = tmp_path / "site" / "old.md"
    left.parent.mkdir()
    left.touch()
    site.write(left.parent)
    assert not left.exists()
    assert (left.parent / "tutorial.md").read_text("utf-8") == (site.DOCS / "tutorial.md").read_text("utf-8")
    for readme in site.RECIPES.glob("*/README.md"):
        text = (left.parent / "recipes" / readme.parent.name / "README.md").read_text("utf-8")
        for path in site.recipe_files(readme.parent):
            assert path.read_text("utf-8").rstrip() in text


def test_links_between_pages_written_by_hand_lead_somewhere() -> None:
    lost = []
    for page in site.DOCS.rglob("*.md"):
        for link in re.findall(r"\]\(([^):#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            target = (page.parent / link).resolve()
            if not target.exists() and target.relative_to(site.DOCS).as_posix() not in PAGES:
                lost.append(f"{page.name}: {link}")
    assert lost == []


def test_the_generator_is_started_as_the_makefile_says() -> None:
    makefile = (site.DOCS.parent / "Makefile").read_text("utf-8")
    assert "python -m docs.generator build/docs" in makefile
    assert Path(sys.modules["docs.generator"].__file__ or "").parent == site.DOCS / "generator"
