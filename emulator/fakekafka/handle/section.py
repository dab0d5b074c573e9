"""The base of every section of the handle: the runtime, and the way to the thread that owns the state."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from fakekafka.faults.faults import Faults
    from fakekafka.ids import TopicName
    from fakekafka.runtime.runtime import Runtime
    from fakekafka.server.core import Core
    from fakekafka.state.topics import Topic

T = TypeVar("T")


class Section:
    """One section of the handle of a cluster."""

    _runtime: "Runtime"
    _faults: "Faults | None"
    """None until somebody asks for them."""

    @property
    def _running(self) -> "Core":
        """The running cluster. Raises `UsageError` if it does not run."""
        return self._runtime.core

    def _on_loop(self, work: Callable[[], T]) -> T:
        """Run `work`, which may change the state, on the thread that owns it."""
        return self._runtime.call(work)

    def _topic(self, name: "TopicName") -> "Topic":
        """The topic of that name. Raises `UsageError` if there is no such topic."""
        from fakekafka.watching.stored import found_topic  # only needed once records are read

        return found_topic(self._running.cluster, name)
