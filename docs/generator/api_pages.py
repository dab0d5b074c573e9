"""The Python API: pages that mkdocstrings fills from docstrings."""

from typing import Final

import fakekafka

PARTS: Final = {
    "FakeKafka": "emulator.FakeKafka",
    "kafka.faults": "faults.faults.Faults",
    "A rule of kafka.faults": "faults.rule.Rule",
}
"""What has a page of its own, or is reached through the handle and is not among the public names."""


def homes() -> dict[str, str]:
    """The public names, and where each is defined."""
    return {name: f"fakekafka.{home}.{name}" for name, home in sorted(fakekafka._HOME.items())}


def pages() -> dict[str, str]:
    others = [home for name, home in homes().items() if name != "FakeKafka"]
    return {
        "reference/fakekafka.md": _page("FakeKafka", "The handle: starts, shows, steers and stops.", _handle()),
        "reference/names.md": _page(
            "Other public names", "`from fakekafka import ...`; nothing else is public.", others
        ),
    }


def _handle() -> list[str]:
    return [f"fakekafka.{home}" for home in PARTS.values()]


def _page(title: str, lead: str, objects: list[str]) -> str:
    return "\n".join((f"# {title}", "", lead, "", *(f"::: {name}\n" for name in objects)))
