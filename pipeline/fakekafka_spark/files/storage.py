"""Where files are: local paths, and any URL that pyarrow.fs or fsspec knows.

One layer for everything that reads: pyarrow's file systems. `s3://`, `gs://`, `abfs://`, `hdfs://` and `file://` are
pyarrow's own; any other scheme (`memory://`, `sftp://`, `http://`, ...) goes to fsspec. Paths inside this package are
the file system's own ("bucket/logs/orders-0"), URLs are what the user writes.

Credentials are options whose name begins with `storage.`: for fsspec an argument of its file system (`storage.key`),
for pyarrow a query parameter of the URL (`storage.region`, `storage.endpoint_override`), and for S3 also
`storage.access_key`, `storage.secret_key` and `storage.session_token`, which are not part of a URL. Without them the
environment provides the credentials. `hdfs://` and `viewfs://` need Hadoop's libhdfs and CLASSPATH, as pyarrow's pages
say.
"""

import os
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlencode, urlsplit

from fakekafka.errors import UsageError

from fakekafka_spark.options import STORAGE_PREFIX

GLOB = frozenset("*?[")

PYARROW_SCHEMES = frozenset({"file", "s3", "gs", "gcs", "abfs", "abfss", "hdfs", "viewfs"})

HADOOPS_S3 = frozenset({"s3a", "s3n"})
"""What Hadoop calls its clients of S3: the same URLs and options here."""
S3_CREDENTIALS = frozenset({"access_key", "secret_key", "session_token"})


class Entry(NamedTuple):
    """A file or directory."""

    path: str
    name: str
    size: int
    """0 for a directory."""
    is_file: bool


class Storage(NamedTuple):
    """A file system and a path in it."""

    filesystem: Any
    path: str

    def entries(self, below: str | None = None) -> list[Entry]:
        """What is directly in the directory `below` (default: `path`), by name. Raises FileNotFoundError."""
        from pyarrow.fs import FileSelector

        infos = self.filesystem.get_file_info(FileSelector(self.path if below is None else below))
        return sorted((_entry(info) for info in infos), key=lambda entry: entry.name)

    def entry(self, path: str) -> Entry | None:
        """The file or directory at `path`; None if there is none."""
        from pyarrow.fs import FileType

        (info,) = self.filesystem.get_file_info([path])
        return None if info.type == FileType.NotFound else _entry(info)

    def real(self, path: str) -> str:
        """Where a path leads: symbolic links of this machine are followed, other file systems have none."""
        from pyarrow.fs import LocalFileSystem

        return os.path.realpath(path) if isinstance(self.filesystem, LocalFileSystem) else path

    def open(self, path: str) -> Any:
        """A file with `read_at(size, position)` and `size()`; close it (it is a context manager)."""
        return self.filesystem.open_input_file(path)

    def read(self, path: str) -> bytes:
        """A whole file."""
        with self.open(path) as file:
            return bytes(file.read())


def storage(url: str, options: Mapping[str, str] | None = None) -> Storage:
    """The file system of `url` and the path in it. Raises `UsageError` for an unknown scheme."""
    from pyarrow import fs

    local = local_path(url)
    if local is not None:
        return Storage(fs.LocalFileSystem(), local.absolute().as_posix())
    scheme, _, rest = url.partition("://")
    if scheme in HADOOPS_S3:
        scheme, url = "s3", f"s3://{rest}"
    settings = {
        name.removeprefix(STORAGE_PREFIX): value
        for name, value in (options or {}).items()
        if name.startswith(STORAGE_PREFIX)
    }
    if scheme not in PYARROW_SCHEMES:
        return _through_fsspec(url, settings)
    if scheme == "s3" and not S3_CREDENTIALS.isdisjoint(settings):
        return Storage(fs.S3FileSystem(**settings), url.removeprefix("s3://"))
    query = ("&" if "?" in url else "?") + urlencode(settings) if settings else ""
    try:
        return Storage(*fs.FileSystem.from_uri(url + query))
    except (OSError, ValueError) as wrong:
        raise UsageError(f"{url}: {str(wrong).splitlines()[0]}") from wrong


def places(url: str, options: Mapping[str, str] | None = None) -> list[Storage]:
    """The places that a URL names: one, or with `*`, `?` or `[…]` in it all that match. Raises `UsageError` if nothing
    matches.

    A path that exists under exactly that name is taken as it stands, whatever characters it has.
    """
    whole = storage(url, options)
    if GLOB.isdisjoint(whole.path) or whole.entry(whole.path) is not None:
        return [whole]
    head, *rest = whole.path.split("/")
    paths = [head or "/"]
    for part in rest:
        paths = [path for folder in paths for path in _matching(whole, folder, part)]
    if not paths:
        raise UsageError(f"nothing matches {url}")
    return [whole._replace(path=path) for path in paths]


def _matching(storage: Storage, folder: str, pattern: str) -> list[str]:
    path = f"{folder.rstrip('/')}/{pattern}"
    if GLOB.isdisjoint(pattern):
        return [path] if storage.entry(path) is not None else []
    there = storage.entry(folder)
    if there is None or there.is_file:
        return []
    return [entry.path for entry in storage.entries(folder) if fnmatchcase(entry.name, pattern)]


def local_path(url: str) -> Path | None:
    """The path on this machine that a path or a `file:` URL names; None for other URLs, and for an empty text.

    `file:/x`, `file:///x` and `file://localhost/x` are the same; in a URL `%20` is a space, in a path it is `%20`.
    """
    if not url:
        return None
    if url.startswith("file:"):
        parts = urlsplit(url)
        return None if parts.netloc not in ("", "localhost") else Path(unquote(parts.path))
    return None if "://" in url else Path(url)


def _through_fsspec(url: str, settings: Mapping[str, str]) -> Storage:
    from pyarrow.fs import FSSpecHandler, PyFileSystem

    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise UsageError(f"{url}: pyarrow has no file system for it; install fsspec, which may") from None
    try:
        filesystem, path = url_to_fs(url, **settings)
    except (ValueError, ImportError) as wrong:
        raise UsageError(f"{url}: {wrong}") from wrong
    return Storage(PyFileSystem(FSSpecHandler(filesystem)), path)


def _entry(info: Any) -> Entry:
    return Entry(info.path, info.base_name, info.size or 0, info.is_file)


def urls_of(path: object) -> Iterator[str]:
    """The URLs that a user gave as one, or as several in a sequence."""
    if isinstance(path, (str, Path)):
        yield str(path)
    elif isinstance(path, (list, tuple)):
        yield from map(str, path)
    else:
        raise UsageError(f"a path is a text, a Path or a list of them, not {path!r}")
