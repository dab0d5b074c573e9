"""JAAS configurations, as far as they name a broker's users: `PlainLoginModule required user_alice="secret";`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fakekafka.errors import BrokerWillNotStart

_MODULE = re.compile(
    r"([\w.$]+)\s+(required|requisite|sufficient|optional)\b((?:\s+[\w.\-]+\s*=\s*(?:\"(?:[^\"\\]|\\.)*\"|[^\s;\"]+))*)\s*;"
)
_OPTION = re.compile(r"([\w.\-]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;\"]+))")
_USER = "user_"


class LoginModule(NamedTuple):
    """One login module of a configuration."""

    name: str
    options: dict[str, str]

    def __repr__(self) -> str:
        return f"LoginModule({self.name!r}, options={sorted(self.options)})"

    @property
    def users(self) -> dict[str, str]:
        """The passwords of the users of PLAIN, or of the initial delegation tokens, by name."""
        options = self.options.items()
        return {name.removeprefix(_USER): value for name, value in options if name.startswith(_USER)}


def login_modules(text: str) -> list[LoginModule]:
    """The login modules in a `sasl.jaas.config`, or in all sections of a JAAS file. Raises `BrokerWillNotStart`."""
    modules = list(_modules(text))
    if text.strip() and not modules:
        raise BrokerWillNotStart("Login module not specified in JAAS config")
    return modules


def _modules(text: str) -> Iterator[LoginModule]:
    for module, _, options in _MODULE.findall(text):
        pairs = _OPTION.findall(options)
        yield LoginModule(module, {name: _unescaped(quoted) if quoted else bare for name, quoted, bare in pairs})


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
