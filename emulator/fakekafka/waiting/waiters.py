"""Parked requests, by what they are waiting for.

A wait is registered under some keys (a partition, a group member …). `wake(key)` only notes which waits are
ready; the server runs them after the request that woke them has been answered. This way nothing is re-entered, except
where a release answers a fetch amid the request that it waited for (`wake_now`).
"""

from collections.abc import Callable, Hashable, Iterable

Action = Callable[[], None]


class Watch:
    """One parked wait. Call `cancel()` when it is over."""

    __slots__ = ("_waiters", "action", "keys", "ready")

    def __init__(self, waiters: "Waiters", keys: tuple[Hashable, ...], action: Action) -> None:
        self._waiters = waiters
        self.keys = keys
        self.action = action
        self.ready = False

    def cancel(self) -> None:
        self._waiters.remove(self)


class Waiters:
    """All waits of one broker."""

    def __init__(self) -> None:
        self._by_key: dict[Hashable, dict[Watch, None]] = {}
        self._ready: list[Watch] = []

    def watch(self, keys: Iterable[Hashable], action: Action) -> Watch:
        """Have `action` run once after each step in which one of `keys` was woken, until cancelled."""
        watch = Watch(self, tuple(keys), action)
        for key in watch.keys:
            self._by_key.setdefault(key, {})[watch] = None
        return watch

    def remove(self, watch: Watch) -> None:
        watch.ready = False
        for key in watch.keys:
            waits = self._by_key.get(key)
            if waits is not None:
                waits.pop(watch, None)
                if not waits:
                    del self._by_key[key]

    def wake(self, key: Hashable) -> None:
        """Something happened to `key`."""
        for watch in self._by_key.get(key, ()):
            self.wake_up(watch)

    def wake_now(self, key: Hashable) -> None:
        """Something happened to `key`, and what waits for it does not wait for the end of this step."""
        later, self._ready = self._ready, []
        for watch in self._by_key.get(key, ()):
            watch.ready = False  # it may be among the later ones
        self.wake(key)
        self.run_ready()
        self._ready = later

    def wake_up(self, watch: Watch) -> None:
        """Run one wait's action after this step, whatever it waits for."""
        if not watch.ready:
            watch.ready = True
            self._ready.append(watch)

    def wake_all(self) -> None:
        """Everything may have changed."""
        for key in tuple(self._by_key):
            self.wake(key)

    def run_ready(self) -> None:
        """Run what was woken, and what that wakes in turn."""
        while self._ready:
            ready, self._ready = self._ready, []
            for watch in ready:
                if watch.ready:
                    watch.ready = False
                    watch.action()
