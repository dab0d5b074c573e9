"""All pages in one folder: those written by hand, the recipes with their programs, and those that are generated."""

import re
import shutil
from pathlib import Path
from typing import Final

from docs.generator import api_pages, command_line, configs, differences, performance, release_pages, tables

DOCS: Final = Path(__file__).parents[1]
RECIPES: Final = DOCS / "recipes"
FIGURES: Final = DOCS / "explanation" / "performance.json"
LANGUAGES: Final = {
    ".py": "python", ".js": "javascript", ".go": "go", ".java": "java", ".json": "json", ".xml": "xml", ".mod": "text",
    ".toml": "toml", ".yml": "yaml", ".ini": "ini", ".txt": "text", ".cfg": "ini",
}  # fmt: skip
GENERATED: Final = {"__pycache__", ".pytest_cache", "node_modules", "target"}


def generated() -> dict[str, str]:
    """The pages that follow from the package, by their place in the site."""
    return {
        "reference/releases.md": tables.releases_page(),
        "reference/apis.md": tables.apis_page(),
        "reference/cli.md": command_line.page(),
        "reference/configs.md": configs.page(),
        "reference/differences.md": differences.page(),
        "explanation/performance.md": performance.page(FIGURES.read_text("utf-8")),
        **api_pages.pages(),
        **release_pages.pages(),
    }


def write(folder: Path) -> None:
    """Write every page below `folder`, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    for page in sorted(DOCS.rglob("*.md")):
        _put(folder / page.relative_to(DOCS), _with_files(page))
    for place, text in generated().items():
        _put(folder / place, text)
    shutil.copytree(DOCS / "images", folder / "images")
    shutil.copy(DOCS / "site.css", folder)


def recipe_files(recipe: Path) -> list[Path]:
    """The files of a recipe apart from its README, tests last."""
    files = [
        path
        for path in recipe.rglob("*")
        if path.suffix in LANGUAGES and not GENERATED.intersection(path.parts) and path.stat().st_size
    ]
    return sorted(files, key=lambda path: (path.name.startswith("test_"), path))


def _with_files(page: Path) -> str:
    """A page; a recipe's is followed by its files."""
    text = page.read_text("utf-8")
    if page.parent.parent != RECIPES:
        return text
    parts = [text.rstrip()]
    for path in recipe_files(page.parent):
        code = path.read_text("utf-8").rstrip()
        parts.append(f"## {path.relative_to(page.parent).as_posix()}\n\n```{LANGUAGES[path.suffix]}\n{code}\n```")
    return "\n\n".join(parts) + "\n"


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def python_blocks(text: str) -> list[str]:
    """The Python examples of a page."""
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
