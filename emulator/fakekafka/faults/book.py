"""The rules in force, asked in order: the first that acts on a request decides what happens to it."""

from collections.abc import Callable

from fakekafka.faults.actions import Fault
from fakekafka.faults.rule import Rule
from fakekafka.faults.seen import names_of, seen
from fakekafka.handlers import Handler
from fakekafka.handlers.call import Call, Result
from fakekafka.ids import DurationMs
from fakekafka.wire.message import Request


class Book:
    """All rules of one cluster. It belongs to the thread that owns the broker.

    `elapsed_ms`: reads the broker's clock. `changed(book)` is called when the first rule comes, and `changed(None)`
    when the last one is removed.
    """

    def __init__(self, elapsed_ms: Callable[[], DurationMs], changed: "Callable[[Book | None], None]") -> None:
        self._elapsed_ms = elapsed_ms
        self._changed = changed
        self.rules: list[Rule] = []
        self.past: list[Rule] = []
        """Removed rules, whose effects can still be reported."""

    def add(self, rule: Rule) -> None:
        """Add a rule after the others."""
        rule.action.check(rule.match)
        rule.join(self._leave, self._elapsed_ms())
        self.rules.append(rule)
        self._changed(self if self.rules else None)

    def clear(self) -> None:
        """Remove every rule, and forget what past ones did."""
        for rule in list(self.rules):
            rule.remove()
        self.past.clear()

    def _leave(self, rule: Rule) -> None:
        self.rules.remove(rule)
        self.past.append(rule)
        self._changed(self if self.rules else None)
        rule.action.end()

    def intervene(self, call: Call, body: Request, handle: Handler) -> "tuple[str, Callable[[], Result]] | None":
        """The rule that acts on a request, as text, and what is done instead of `handle`; None if no rule does."""
        rule = self.rule_for(call, body)
        if rule is None:
            return None
        return str(rule), lambda: self.run(rule, call, body, lambda changed: handle(changed, call))

    def rule_for(self, call: Call, body: Request) -> Rule | None:
        """The rule that acts on a request, or None. It is counted."""
        request = seen(call, body, self._elapsed_ms())
        return next((rule for rule in self.rules if rule.acts_on(request)), None)

    def run(self, rule: Rule, call: Call, body: Request, handle: "Callable[[Request], Result]") -> Result:
        """Let `rule` act on a request."""
        return rule.action.run(Fault(body, call, rule.match, names_of(call.broker), handle))
