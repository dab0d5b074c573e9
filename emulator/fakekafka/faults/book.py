"""The rules in force, asked in order: the first that acts on a request decides what happens to it."""

from collections.abc import Callable, Sequence

from fakekafka.errors import UsageError
from fakekafka.faults.actions import Fault, Link
from fakekafka.faults.events import Event, Stage, Undo
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
        self._stage: Stage | None = None  # None: nothing runs
        self._undo: dict[Rule, Sequence[Undo]] = {}
        self.rules: list[Rule] = []
        self.past: list[Rule] = []
        """Removed rules, whose effects can still be reported."""

    def add(self, rule: Rule) -> None:
        """Add a rule after the others. Raises `UsageError` if it can never act, or cannot happen now."""
        rule.action.check(rule.match)
        rule.join(self._leave, self._elapsed_ms())
        self.rules.append(rule)
        self._tell()
        if self._stage is not None:
            self._schedule(rule, self._stage)

    def clear(self) -> None:
        """Remove every rule, and forget what past ones did."""
        for rule in list(self.rules):
            rule.remove()
        self.past.clear()

    def _leave(self, rule: Rule) -> None:
        self.rules.remove(rule)
        self.past.append(rule)
        self._tell()
        rule.action.end()
        for undo in self._undo.pop(rule, ()):
            undo()

    def _tell(self) -> None:
        self._changed(self if any(rule.action.ON_REQUESTS for rule in self.rules) else None)

    # ---- what happens at a time

    def started(self, stage: Stage) -> None:
        """The cluster runs, maybe again: what is to happen does, at its time."""
        self._stage = stage
        for rule in list(self.rules):
            self._schedule(rule, stage)

    def stopped(self) -> None:
        """The cluster runs no more, so there is nothing to undo."""
        self._stage = None
        self._undo.clear()

    def _schedule(self, rule: Rule, stage: Stage) -> None:
        event, match = rule.action, rule.match
        if not isinstance(event, Event):
            return
        age_ms = self._elapsed_ms() - rule.added_ms
        wait_ms = (match.after_ms or 0) - age_ms
        if wait_ms <= 0:
            self._happen(rule, event, stage)
        else:
            stage.after(wait_ms, lambda: self._happen_later(rule, event, stage))
        if match.until_ms is not None:
            stage.after(match.until_ms - age_ms, rule.remove)

    def _happen(self, rule: Rule, event: Event, stage: Stage) -> None:
        if rule not in self.rules or stage is not self._stage:
            return
        try:
            self._undo[rule] = event.begin(stage, rule.match, rule)
        except UsageError:
            rule.remove()
            raise
        if not event.LASTS:
            rule.remove()

    def _happen_later(self, rule: Rule, event: Event, stage: Stage) -> None:
        """What cannot happen when its time has come is reported with the rule."""
        try:
            self._happen(rule, event, stage)
        except UsageError as error:
            rule.miss(str(error))

    # ---- what happens to requests

    def intervene(
        self, call: Call, body: Request, handle: Handler, link: Link
    ) -> "tuple[str, Callable[[], Result]] | None":
        """The rule that acts on a request, as text, and what is done instead of `handle`; None if no rule does."""
        rule = self.rule_for(call, body)
        if rule is None:
            return None
        return str(rule), lambda: self.run(rule, call, body, lambda changed: handle(changed, call), link)

    def rule_for(self, call: Call, body: Request) -> Rule | None:
        """The rule that acts on a request, or None. It is counted."""
        request = seen(call, body, self._elapsed_ms())
        return next((rule for rule in self.rules if rule.action.ON_REQUESTS and rule.acts_on(request)), None)

    def run(self, rule: Rule, call: Call, body: Request, handle: "Callable[[Request], Result]", link: Link) -> Result:
        """Let `rule` act on a request."""
        return rule.action.run(Fault(body, call, rule.match, names_of(call.broker), handle, link))
