"""Copies of whole directories, from disk to memory and back: contents, times of modification, empty directories.

Indexes of active segments and preallocated logs are mostly zeros; a copy on disk has holes there instead.
"""

from typing import Final

from fakekafka.log.files import Directory

HOLE: Final = 4096
"""The longest run of zeros at the end that is written."""


def copy_directory(source: Directory, target: Directory) -> None:
    """Copy everything below `source` into `target`."""
    for name in source.names():
        copy_file(source, target, name)
    for name in source.directories():
        copy_directory(source.directory(name), target.directory(name))


def copy_file(source: Directory, target: Directory, name: str) -> None:
    """Copy one file."""
    content = source.read_all(name)
    used = content.rstrip(b"\0")
    if len(content) - len(used) > HOLE:
        target.map(name, lambda: used, len(content)).close()
    else:
        target.replace(name, content)
    target.set_last_modified(name, source.last_modified_ms(name))
