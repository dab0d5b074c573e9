"""Which plug-ins may be registered, and under which id: the rules of KIP-984, without a cluster.

KIP-984 says: ids are assigned automatically and shared by all languages, and at most 16 fit into the four bits; all
languages are registered at once, Java always among them, because brokers must decompress; a plug-in with an existing
alias must be compatible, otherwise it is a new plug-in. Assumed here: ids are assigned from 1 on, as in the KIP's
example, and 0 is the last one; a plug-in names every language that the cluster has plug-ins for; "compatible" means the
same id, the same languages, and that it decompresses the stored sample of its predecessor.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from fakekafka.errors import UsageError
from fakekafka.plugins.entry import (
    ALIAS,
    CLASS_NAME,
    ID,
    JAVA,
    PYTHON,
    SAMPLE,
    SAMPLE_FIELD,
    VERSION,
    Language,
    PluginEntry,
    language_of,
    read_entry,
)
from fakekafka.plugins.plugin import CompressionPlugin
from fakekafka.records.compression import CODEC_NAMES

MOST_PLUGINS: Final = 16
ID_ORDER: Final[tuple[int, ...]] = (*range(1, MOST_PLUGINS), 0)
TAKEN_NAMES: Final = frozenset({*CODEC_NAMES, "uncompressed", "producer"})
"""Values of `compression.type` that already have a meaning."""
FIRST_VERSION: Final = "v1.0"
Registered: TypeAlias = Mapping[Language, Mapping[str, PluginEntry]]
"""The registered plug-ins of a cluster: for each language, the entries by alias."""


class Wanted(NamedTuple):
    """A plug-in that is to be registered."""

    alias: str
    class_names: Mapping[Language, str] = {}
    """The class with its code, by language; None: names made from the alias, for every language."""
    version: str = FIRST_VERSION
    extensions: Mapping[str, Any] = {}
    plugin_id: int | None = None
    """The id that it must get; None: the next free one."""


def plan(wanted: Wanted, registered: Registered, plugin: CompressionPlugin | None) -> dict[Language, PluginEntry]:
    """The entries to write, by language. `plugin`: its code, if it is installed here. Raises `UsageError`."""
    _check_alias(wanted.alias)
    known = sorted({JAVA, PYTHON, *registered})
    names = dict(wanted.class_names) or {language: f"{language}.{wanted.alias}" for language in known}
    _check_languages(wanted.alias, names, registered)
    before = registered.get(JAVA, {}).get(wanted.alias)
    if before is None:
        plugin_id = _free_id(wanted, registered)
    else:
        plugin_id = before.plugin_id
        _check_compatible(wanted, names, registered, before, plugin)
    extensions = {name: value for name, value in wanted.extensions.items() if name != SAMPLE_FIELD}
    known_sample = None if before is None else before.sample
    sample = plugin.compress(SAMPLE) if plugin is not None else known_sample
    entries = {}
    for language, class_name in names.items():
        entry = PluginEntry(plugin_id, wanted.alias, class_name, wanted.version, extensions)
        entries[language] = entry if sample is None else entry.with_sample(sample)
    return entries


def _check_alias(alias: str) -> None:
    if not alias or alias != alias.strip() or alias in TAKEN_NAMES:
        raise UsageError(f"{alias!r} cannot be a plug-in's alias: {', '.join(sorted(TAKEN_NAMES))} are Kafka's own")


def _check_languages(alias: str, names: Mapping[Language, str], registered: Registered) -> None:
    if JAVA not in names:
        raise UsageError(f"{alias}: name its Java class, too: brokers are written in Java and must decompress")
    missing = sorted(registered.keys() - names.keys())
    if missing:
        raise UsageError(
            f"{alias}: name its class for {', '.join(missing)}, too: all languages are registered at once, and this"
            " cluster has plug-ins for them"
        )


def _free_id(wanted: Wanted, registered: Registered) -> int:
    used = {entry.plugin_id: entry.alias for entries in registered.values() for entry in entries.values()}
    if wanted.plugin_id is None:
        free = [plugin_id for plugin_id in ID_ORDER if plugin_id not in used]
        if not free:
            raise UsageError(f"{wanted.alias}: four bits name {MOST_PLUGINS} plug-ins, and this cluster has them")
        return free[0]
    if wanted.plugin_id not in ID_ORDER:
        raise UsageError(f"{wanted.alias}: {ID} {wanted.plugin_id} does not fit into four bits")
    if wanted.plugin_id in used:
        raise UsageError(f"{wanted.alias}: {ID} {wanted.plugin_id} is that of {used[wanted.plugin_id]}")
    return wanted.plugin_id


def _check_compatible(
    wanted: Wanted,
    names: Mapping[Language, str],
    registered: Registered,
    before: PluginEntry,
    plugin: CompressionPlugin | None,
) -> None:
    """Refuse a second registration whose plug-in might not read what the first one wrote."""
    alias, otherwise = wanted.alias, "; register it under another alias, as a new plug-in"
    had = {language for language, entries in registered.items() if alias in entries}
    if wanted.plugin_id not in (None, before.plugin_id):
        raise UsageError(f"{alias} has {ID} {before.plugin_id}, not {wanted.plugin_id}{otherwise}")
    if had != names.keys():
        raise UsageError(f"{alias} is registered for {', '.join(sorted(had))}, all at once{otherwise}")
    if all((names[language], wanted.version) == registered[language][alias][2:4] for language in had) and not _differs(
        plugin, before
    ):
        return
    if plugin is None or before.sample is None:
        raise UsageError(f"{alias} is registered, and nothing shows that this one reads what that one wrote{otherwise}")
    if _differs(plugin, before):
        raise UsageError(f"{alias} is registered, and this one cannot read what that one wrote{otherwise}")


def _differs(plugin: CompressionPlugin | None, before: PluginEntry) -> bool:
    """Whether the code that is installed here fails on the stored sample."""
    if plugin is None or before.sample is None:
        return False
    try:
        return bytes(plugin.decompress(before.sample)) != SAMPLE
    except Exception:
        return True


def wanted_of(content: Any) -> list[Wanted]:
    """The plug-ins that a file describes. Raises `UsageError`.

    Either of two forms, or a list of them: a value as it stands in a topic, whose class name may be an object with one
    for each language; or such values by their topics, `{"plugin-java-topic": {...}, "plugin-python-topic": {...}}`.
    """
    if isinstance(content, list):
        return [wanted for each in content for wanted in wanted_of(each)]
    if not isinstance(content, dict) or not content:
        raise UsageError("write a plug-in as a JSON object, or a list of them")
    if all(language_of(name) for name in content):
        return _by_topic({str(language_of(name)): value for name, value in content.items()})
    return [_wanted(content)]


def _by_topic(values: Mapping[Language, Any]) -> list[Wanted]:
    """One plug-in for each alias, with its class name in each language. The ids must agree."""
    entries: dict[str, Wanted] = {}
    for language, value in values.items():
        for one in value if isinstance(value, list) else [value]:
            each = _wanted(one)
            if set(each.class_names) > {JAVA}:
                raise UsageError(f"{each.alias}: in a topic, {CLASS_NAME} is one text")
            before = entries.get(each.alias, each._replace(class_names={}))
            if (before.plugin_id, before.version) != (each.plugin_id, each.version):
                raise UsageError(f"{each.alias}: {ID} and {VERSION} are the same in all languages")
            names = {**before.class_names, language: each.class_names.get(JAVA, f"{language}.{each.alias}")}
            entries[each.alias] = before._replace(
                class_names=names, extensions={**before.extensions, **each.extensions}
            )
    return list(entries.values())


def _wanted(value: Any) -> Wanted:
    if not isinstance(value, dict) or not isinstance(value.get(ALIAS), str):
        raise UsageError(f"a plug-in needs its {ALIAS}")
    alias, names, plugin_id = value[ALIAS], value.get(CLASS_NAME, {}), value.get(ID)
    if plugin_id is not None and type(plugin_id) is not int:
        raise UsageError(f"{alias}: {ID} is a number, or left out")
    names = {JAVA: names} if isinstance(names, str) else names
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise UsageError(f"{alias}: {CLASS_NAME} is a text, or an object with one for each language")
    extensions = {name: field for name, field in value.items() if name not in (ID, ALIAS, CLASS_NAME, VERSION)}
    return Wanted(alias, names, str(value.get(VERSION, FIRST_VERSION)), extensions, plugin_id)


def by_language(records: Iterable[tuple[Language, bytes, bytes | None]]) -> dict[Language, dict[str, PluginEntry]]:
    """The entries in records (language, key, value); the last record of an alias counts, and one without a value
    removes it.
    """
    grouped: dict[Language, dict[str, PluginEntry]] = {}
    for language, key, value in records:
        entries = grouped.setdefault(language, {})
        if value is None:
            entries.pop(key.decode("utf-8", "replace"), None)
        elif (entry := read_entry(value)) is not None:
            entries[entry.alias] = entry
    return grouped
