"""Regular expressions as brokers read them: those of RE2/J, which knows no backtracking (KIP-848, KIP-1152).

What RE2/J refuses is refused: looking around, references to groups, conditions, atomic groups, possessive repetitions,
and `\\p{...}` by Java's names. The subset that is read here is what it shares with Python: of `\\p{...}` nothing, no
`[[:alpha:]]`, no `\\Q...\\E`, no `\\z`; flags for the whole expression stand at its start.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import re

NOT_READ: Final = r"\(\?(?:[=!>(#]|<[=!]|P=)|[*+?}]\+|\\[1-9kpPQzZAG]|\[\[:"
"""Python reads some of it, and otherwise."""
SKIPPED: Final = r"\\[^1-9kpPQzZAG]"
"""An escaped character begins nothing."""


def compiled(pattern: str) -> "re.Pattern[str] | None":
    """The expression; None if it cannot be read."""
    import re  # only who uses patterns pays for it
    import warnings

    for found in re.finditer(f"{SKIPPED}|({NOT_READ})", pattern, re.DOTALL):
        if found[1]:
            return None
    with warnings.catch_warnings(action="ignore", category=FutureWarning):  # of sets that may mean more one day
        try:
            return re.compile(pattern)
        except (re.error, OverflowError, RecursionError):
            return None
