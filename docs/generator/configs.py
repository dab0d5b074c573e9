"""Broker configs: what each release has, and whether the double heeds a value or only shows it.

A config is heeded if some module that plays a broker names it, in full or by a pattern such as `f"{kind}.timeout.ms"`,
and so is a broker config that a heeded topic config takes its default from. What nobody names is checked, stored and
shown by DescribeConfigs, and changes nothing.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import fakekafka
from fakekafka.releases.configs import BROKER_MODULES, broker_configs, lines
from fakekafka.releases.configs.definition import ConfigDef
from fakekafka.releases.configs.synonyms import BROKER_NAME, FALLBACKS
from fakekafka.releases.release import LAST_PATCH, Release

from docs.generator.tables import table

SOURCES: Final = Path(fakekafka.__file__).parent
TELLING: Final = ("advice", "bugs", "cli", "drafts", "overview", "texts", "upgrade")
"""Rooms that tell about configs; a broker's conduct does not come from them."""
DECLARING: Final = SOURCES / "releases" / "configs"
WITHOUT_PARTS: Final = ("broker.", "internal.metadata.", "metadata.", "zookeeper.")
"""Prefixes of configs of parts that do not exist here: a pattern that happens to fit them is meant for others."""
KINDS_OF_GROUPS: Final = re.compile(r"(group\.)?(consumer|share|streams)\.(?=.*\.)")
"""What is left out where all kinds of groups are asked for a setting."""
LEAST_WORDS: Final = 8
"""The length from which the fixed text of an f-string is taken for a config's name."""


def heeded() -> frozenset[str]:
    """Configs whose values change what a broker does."""
    direct = {name for name in _names() if _is_named(name) and not _counts_threads(name)}
    behind = {BROKER_NAME[name] for name in direct if name in BROKER_NAME}
    finer = {name for head in behind | direct for name, _ in FALLBACKS.get(head, ())}
    return frozenset(direct | behind | finer)


def _names() -> set[str]:
    return {config.name for module in (*BROKER_MODULES, "topics", "group_resources") for config in lines(module)}


def _counts_threads(name: str) -> bool:
    """Whether it only counts threads: their changes are checked, and that is all."""
    return name.endswith(".threads") or name in ("num.replica.fetchers", "num.recovery.threads.per.data.dir")


def _is_named(name: str) -> bool:
    exact, patterns = _said()
    short = KINDS_OF_GROUPS.sub("", name)
    fits = not name.startswith(WITHOUT_PARTS) and any(pattern.fullmatch(name) for pattern in patterns)
    return name in exact or fits or (short != name and short in exact)


@cache
def _said() -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """The strings of the modules that play a broker, and its f-strings as patterns."""
    nodes = [node for path in _playing() for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    exact = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    patterns = (_pattern(node) for node in nodes if isinstance(node, ast.JoinedStr))
    return frozenset(exact), tuple(re.compile(pattern) for pattern in set(patterns) if pattern)


def _playing() -> Iterator[Path]:
    for path in SOURCES.rglob("*.py"):
        if path.relative_to(SOURCES).parts[0] not in TELLING and not path.is_relative_to(DECLARING):
            yield path


def _pattern(node: ast.JoinedStr) -> str:
    """A pattern for the names that an f-string can make; empty if it makes no names of configs."""
    parts = [str(part.value) if isinstance(part, ast.Constant) else None for part in node.values]
    fixed = "".join(part or "" for part in parts)
    if not re.fullmatch(rf"[a-z.]{{{LEAST_WORDS},}}", fixed) or fixed.count(".") < 2:
        return ""
    return "".join(r"[a-z0-9.]+" if part is None else re.escape(part) for part in parts)


def played(name: str) -> str:
    """How the double plays a config: "heeded" or "shown only"."""
    return "heeded" if name in heeded_configs() else "shown only"


@cache
def heeded_configs() -> frozenset[str]:
    return heeded()


def rows(release: Release) -> list[tuple[str, ...]]:
    """A release's broker configs: name, type, default, when it may change, how it is played."""
    found = sorted(broker_configs(release).values(), key=lambda definition: definition.name)
    return [(f"`{d.name}`", d.kind.name.lower(), _default(d), d.mode, played(d.name)) for d in found]


def _default(definition: ConfigDef) -> str:
    if definition.default is None:
        return "null"
    return f"`{definition.default}`" if definition.default.strip() else "empty"


def page() -> str:
    """Every broker config of any release, and when it existed."""
    listed = [
        (f"`{config.name}`", broker_configs(Release.parse("2.3")).lifetime(config.name) or "", played(config.name))
        for module in BROKER_MODULES
        for config in lines(module)
    ]
    every = [broker_configs(Release.parse(line)) for line in LAST_PATCH]
    return f"""# Broker configs

`config=` takes every property of the release that is played, under Kafka's own name and with its own checks. There are
{len(listed)} over all releases; a release has between {min(map(len, every))} and {max(map(len, every))}. Each
[release's page](releases.md) has its defaults.

- **heeded**: its value changes what the double does.
- **shown only**: its value is checked as the release checks it, DescribeConfigs shows it, nothing else happens. Thread
  counts, buffer sizes and timings of parts that do not exist here are of this kind.
- **ignored**: a release that does not have the property ignores it, as the real one does, with a warning here; the
  column says which these are. A name that no release has is a `UsageError`, unless you pass
  `unknown_configs="ignored"`.

{table(("config", "releases", "here"), sorted(listed))}"""
