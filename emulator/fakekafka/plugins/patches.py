"""Names of a client library that are replaced, and later restored."""

from types import TracebackType
from typing import Any, ClassVar, NamedTuple, Self


class Patch(NamedTuple):
    """A name and its replacement."""

    owner: Any
    name: str
    value: Any


class Installed:
    """What `install` did to a library; `remove` undoes it. A context manager, too."""

    _of_library: ClassVar[dict[str, "Installed"]] = {}

    def __init__(self, library: str, *patches: Patch) -> None:
        """Replace the names. An earlier installation in the same library is removed first."""
        if (earlier := self._of_library.get(library)) is not None:
            earlier.remove()
        self.library = library
        self._before = [Patch(owner, name, vars(owner)[name]) for owner, name, _ in patches]
        self._of_library[library] = self
        for owner, name, value in patches:
            setattr(owner, name, value)

    def remove(self) -> None:
        """Restore the library's own names. A second call does nothing."""
        if self._of_library.get(self.library) is self:
            del self._of_library[self.library]
            for owner, name, value in self._before:
                setattr(owner, name, value)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.remove()
