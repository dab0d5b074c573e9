"""`ssl.principal.mapping.rules` (KIP-371): from a certificate's distinguished name to a user's name.

    RULE:^CN=(.*?),OU=shop.*$/$1/L, DEFAULT

The first rule whose pattern matches the whole name decides; L and U at a rule's end change the case.
"""

import re
from typing import Final, NamedTuple

from fakekafka.errors import BrokerWillNotStart

_RULES: Final = re.compile(r"\s*(?:(DEFAULT)|RULE:((?:\\.|[^\\/])*)/((?:\\.|[^\\/])*)/([LU]?))\s*(?:,|$)")
DEFAULT: Final = "DEFAULT"


class NoRuleApplies(ConnectionError):
    """No rule applies to the name of a client: the broker closes its connection (SslPrincipalMapper)."""


class Rule(NamedTuple):
    """One rule; `pattern` None: DEFAULT, which leaves the name as it is."""

    pattern: re.Pattern[str] | None
    replacement: str = ""
    case: str = ""


class MappingRules(NamedTuple):
    """Rules in their order."""

    rules: tuple[Rule, ...]

    @classmethod
    def parse(cls, text: str) -> "MappingRules":
        """The rules in a text. Raises `BrokerWillNotStart` for an invalid one."""
        rules, at = [], 0
        while at < len(text):
            match = _RULES.match(text, at)
            if match is None or match.end() == at:
                raise BrokerWillNotStart(f"Invalid rule: `{text[at:].strip()}`")
            default, pattern, replacement, case = match.groups()
            rules.append(Rule(None) if default else Rule(re.compile(pattern), _python(replacement), case))
            at = match.end()
        return cls(tuple(rules))

    def apply(self, name: str) -> str:
        """The user's name. Raises `NoRuleApplies` if no rule matches."""
        for pattern, replacement, case in self.rules:
            if pattern is None:
                return name
            match = pattern.fullmatch(name)
            if match is not None:
                mapped = match.expand(replacement)
                return mapped.lower() if case == "L" else mapped.upper() if case == "U" else mapped
        raise NoRuleApplies(f"no rule of ssl.principal.mapping.rules applies to {name}, and DEFAULT is not among them")


def _python(replacement: str) -> str:
    """A replacement in Java's syntax, converted to Python's: "$1" is a group."""
    return re.sub(r"\$(\d)", r"\\g<\1>", replacement)
