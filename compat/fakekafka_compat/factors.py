"""What the name of a tox environment stands for: "compat-kp147-r23" is client kp147, release 2.3."""

from fakekafka import UsageError

from fakekafka_compat.table import Table


def named_by(environment: str, table: Table) -> dict[str, list[str]]:
    """The clients and releases, by axis, that the factors after the first one name; a release is an r and its digits.

    Raises `UsageError` for a factor that is neither.
    """
    releases = {"r" + release.replace(".", ""): release for release in table.everything["release"]}
    named: dict[str, list[str]] = {}
    for factor in environment.split("-")[1:]:
        if factor in table.clients:
            named.setdefault("client", []).append(factor)
        elif factor in releases:
            named.setdefault("release", []).append(releases[factor])
        else:
            raise UsageError(f"{factor!r} is neither a client nor a release, such as 'r0102' for 0.10.2")
    return named
