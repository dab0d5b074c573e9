"""Broker configs: what each release has, and whether the double heeds a value or only shows it.

`releases.configs.effects` says which properties are not played although a client would notice, and which are read under
another name than their own. Any other is heeded if some module names it.
"""

import ast
from functools import cache
from pathlib import Path
from typing import Final

import fakekafka
from fakekafka.releases.configs import BROKER_MODULES, broker_configs, lines, unplayed_security
from fakekafka.releases.configs.definition import ConfigDef
from fakekafka.releases.configs.effects import PLAYED, fits, unplayed
from fakekafka.releases.release import LAST_PATCH, Release

from docs.generator.tables import table

SOURCES: Final = Path(fakekafka.__file__ or "").parent
DECLARING: Final = SOURCES / "releases" / "configs"
TELLING: Final = ("advice", "bugs", "cli", "drafts", "overview", "rehearsal", "texts", "upgrade")
"""Rooms that report about configs; they do not decide how a broker acts."""
ONLY_CHECKED: Final = ("*.threads", "num.replica.fetchers", "num.recovery.threads.per.data.dir")
"""Counts of threads: changes to them are checked, and have no other effect."""


def played(name: str) -> str:
    """How the double plays a config: "heeded" or "shown only", and what a client misses by that."""
    missed = unplayed(name) or unplayed_security.unplayed(name)
    if missed is not None:
        return f"shown only; in a real broker, {missed}"
    heeded = (name in _said() or fits(name, PLAYED)) and not fits(name, ONLY_CHECKED)
    return "heeded" if heeded else "shown only"


@cache
def _said() -> frozenset[str]:
    """The strings of all modules that play a broker, apart from the tables."""
    playing = (path for path in SOURCES.rglob("*.py") if path.relative_to(SOURCES).parts[0] not in TELLING)
    paths = (path for path in playing if not path.is_relative_to(DECLARING))
    nodes = (node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return frozenset(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def rows(release: Release) -> list[tuple[str, ...]]:
    """A release's broker configs: name, type, default, when it may change, how it is played."""
    definitions = sorted(broker_configs(release).values(), key=lambda definition: definition.name)
    return [(f"`{d.name}`", d.kind.name.lower(), _default(d), d.mode, played(d.name)) for d in definitions]


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
