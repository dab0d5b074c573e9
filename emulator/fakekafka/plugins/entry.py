"""What is stored about a plug-in: one record for each client language, in a topic of that language.

    topic   plugin-java-topic, plugin-python-topic, …
    key     the alias
    value   {"pluginID": 1, "pluginAlias": "snappyPlugin", "pluginClassName": "Java.classname", "pluginVersion": "v1.0"}

These four fields are required; others are kept as they are. One that this package adds is `pluginSample`: what the
plug-in makes of `SAMPLE`, in base64. With it another version of the plug-in shows that it reads old data.
"""

import base64
import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Self, TypeAlias

from fakekafka.errors import UsageError
from fakekafka.ids import TopicName

JAVA: Final = "java"
PYTHON: Final = "python"
SAMPLE: Final = b"What was compressed by one version of a plug-in is read by the next one. " * 4
SAMPLE_FIELD: Final = "pluginSample"
ID: Final = "pluginID"
ALIAS: Final = "pluginAlias"
CLASS_NAME: Final = "pluginClassName"
VERSION: Final = "pluginVersion"

Language: TypeAlias = str
"""The language of a client library, such as "java" or "python"."""
_TOPIC: Final = re.compile(r"plugin-([a-z0-9]+)-topic")
_MISSING_COMMA: Final = re.compile(r'(["\d\]}el])([ \t]*\r?\n\s*")')
"""A value at the end of a line, and a name at the beginning of the next one."""


def topic_of(language: Language) -> TopicName:
    """The topic with the plug-ins of a language. Raises `UsageError` for a name that no topic may have."""
    topic = f"plugin-{language}-topic"
    if not _TOPIC.fullmatch(topic):
        raise UsageError(f"language {language!r}: write it in lower-case letters and digits, such as java or python")
    return topic


def language_of(topic: TopicName) -> Language | None:
    """The language of a topic of plug-ins; None for any other topic."""
    match = _TOPIC.fullmatch(topic)
    return match and match[1]


class PluginEntry(NamedTuple):
    """A plug-in's entry for one language."""

    plugin_id: int
    alias: str
    class_name: str
    version: str
    extensions: Mapping[str, Any] = {}
    """Further fields of the value, as they were given."""

    @property
    def key(self) -> bytes:
        return self.alias.encode()

    @property
    def value(self) -> bytes:
        """The value as JSON, with the fields of KIP-984 first."""
        fields = {ID: self.plugin_id, ALIAS: self.alias, CLASS_NAME: self.class_name, VERSION: self.version}
        return json.dumps({**fields, **self.extensions}).encode()

    @property
    def sample(self) -> bytes | None:
        """What the plug-in made of `SAMPLE`; None if its code was not installed."""
        text = self.extensions.get(SAMPLE_FIELD)
        try:
            return base64.b64decode(text, validate=True) if isinstance(text, str) else None
        except ValueError:
            return None

    def with_sample(self, data: bytes) -> Self:
        """The entry with what the plug-in made of `SAMPLE`."""
        return self._replace(extensions={**self.extensions, SAMPLE_FIELD: base64.b64encode(data).decode()})


def read_entry(value: bytes) -> PluginEntry | None:
    """The entry in a record's value, or None if it is not one: clients may have put other things there."""
    try:
        fields = json.loads(value)
        known = fields.pop(ID), fields.pop(ALIAS), fields.pop(CLASS_NAME), fields.pop(VERSION)
    except (ValueError, KeyError, AttributeError, TypeError):
        return None
    plugin_id, *texts = known
    if type(plugin_id) is not int or not all(isinstance(text, str) for text in texts):
        return None
    return PluginEntry(*known, fields)


class Reading(NamedTuple):
    """JSON that was written by hand."""

    content: Any
    commas_added: int
    """How many commas between lines are missing, as in KIP-984's own example."""
    brace_added: bool = False
    """Whether the first brace is missing, as when that example is copied from a page as text."""


def read_json(text: str) -> Reading:
    """Read JSON, and forgive what happens to KIP-984's example when it is copied: commas that are missing at line
    ends, a missing first brace, non-breaking spaces. Raises `UsageError` with the place of the fault.
    """
    try:
        return Reading(json.loads(text), 0)
    except ValueError as e:
        mended, added = _MISSING_COMMA.subn(r"\1,\2", "\n".join(line.strip() for line in text.strip().splitlines()))
        is_cut = mended.startswith('"') and mended.endswith("}")
        try:
            return Reading(json.loads("{" + mended if is_cut else mended), added, is_cut)
        except ValueError:
            raise UsageError(f"this is not JSON: {e}") from None
