"""The READMEs of the emulator's folders are true: what they name is there, and files with a role are named."""

import re
from pathlib import Path
from typing import Final

import pytest

SOURCES: Final = Path(__file__).parent.parent / "emulator" / "fakekafka"
READMES: Final = sorted(SOURCES.glob("*/README.md"))
NAME: Final = re.compile(r"`((?:\w+/)*(?:\w+\.py|\w+/))`")
"""A file or a folder, as a README writes it."""
LISTED_OTHERWISE: Final = {
    "handlers": "one module for each API, found by its name",
    "log": "by what a reader looks for; each file of a partition names its module",
    "releases": "files that hold one table each are found through `profile.py`",
}
"""Folders whose READMEs do not name every module, and how a reader finds the others."""

every_readme = pytest.mark.parametrize("readme", READMES, ids=lambda readme: readme.parent.name)


def named_in(readme: Path) -> set[str]:
    """The files and folders in the first column of tables and at the beginning of items."""
    places = re.findall(r"^(?:\| |- )((?:`[^`]+`(?:, | and )?)+)", readme.read_text("utf-8"), re.MULTILINE)
    return {name for place in places for name in NAME.findall(place)}


def stands(name: str, folder: Path) -> bool:
    """Whether a file of this name is in the folder, in one of its folders, or in the package."""
    return any(
        (place / name).exists() for place in (folder, SOURCES, *(each for each in folder.rglob("*") if each.is_dir()))
    )


@every_readme
def test_what_a_readme_names_is_there(readme: Path) -> None:
    assert [name for name in sorted(named_in(readme)) if not stands(name, readme.parent)] == []


@pytest.mark.parametrize(
    "readme",
    [each for each in READMES if each.parent.name not in LISTED_OTHERWISE],
    ids=lambda readme: readme.parent.name,
)
def test_every_module_is_named(readme: Path) -> None:
    modules = {path.name for path in readme.parent.glob("*.py")} - {"__init__.py"}
    text = readme.read_text("utf-8")
    assert [name for name in sorted(modules) if f"`{name}`" not in text and f"`{name[:-3]}`" not in text] == []


def test_a_name_that_is_gone_is_found(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("| `gone.py`, `lost/` | once |\n- `away.py`: too\n\nSee `elsewhere.py`.\n", "utf-8")
    assert [name for name in sorted(named_in(readme)) if not stands(name, tmp_path)] == ["away.py", "gone.py", "lost/"]
