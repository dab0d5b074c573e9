"""The page of the documentation for each exception: that of the room whose code raised it."""

from collections.abc import Mapping
from functools import cache
from typing import Final

HANDLE: Final = "reference/fakekafka.html"
PAGES: Final[Mapping[str, str]] = {
    "fakekafka": HANDLE,  # everything without a page: the handle's methods say what they raise
    "fakekafka.advice": "recipes/upgrades.html",
    "fakekafka.bugs": "bugs/index.html",
    "fakekafka.cli": "reference/cli.html",
    "fakekafka.client_configs": "recipes/users.html",
    "fakekafka.client_tokens": "security.html",
    "fakekafka.clock": "recipes/time.html",
    "fakekafka.control": "control.html",
    "fakekafka.drafts": "drafts.html",
    "fakekafka.faults": "recipes/faults.html",
    "fakekafka.impatience": "recipes/no-waiting.html",
    "fakekafka.inspection": "recipes/broken-logs/index.html",
    "fakekafka.jvm": "reference/configs.html",
    "fakekafka.log": "recipes/broken-logs/index.html",
    "fakekafka.plugins": "drafts.html",
    "fakekafka.records": "recipes/broken-logs/index.html",
    "fakekafka.rehearsal": "rehearsal.html",
    "fakekafka.releases": "reference/releases.html",
    "fakekafka.releases.configs": "reference/configs.html",
    "fakekafka.releases.phases": "recipes/upgrades.html",
    "fakekafka.remote": "control.html",
    "fakekafka.security": "security.html",
    "fakekafka.settings": "reference/options.html",
    "fakekafka.settings.unknown_configs": "reference/configs.html",
    "fakekafka.settings.oauth": "security.html",
    "fakekafka.settings.tls": "security.html",
    "fakekafka.state.configs": "reference/configs.html",
    "fakekafka.state.security_config": "security.html",
    "fakekafka.upgrade": "recipes/upgrades.html",
    "fakekafka.watching": "recipes/waiting.html",
    "fakekafka.watching.stored": HANDLE,
    "pytest_fakekafka": "reference/pytest.html",
}
"""The page about what a package or module refuses, by its name. The longest name that fits counts."""


@cache
def site() -> str | None:
    """Where this release's documentation is published, with a slash at its end; None: nowhere, as far as is known.

    The package's metadata says so, and the release workflow writes it there: an unclaimed address would
    send readers to whoever claims it.
    """
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = metadata("fakekafka").get_all("Project-URL") or []
    except PackageNotFoundError:  # only the modules are on the path, without metadata
        return None
    named = dict(url.split(", ", 1) for url in urls)
    return named["Documentation"].rstrip("/") + "/" if "Documentation" in named else None


def page_of(error: BaseException) -> str:
    """Where to read about an exception that was raised, by its innermost frame of this package: the page's address, or
    its place in the documentation if that is not published.
    """
    module, at = "fakekafka", error.__traceback__
    while at is not None:
        name = str(at.tb_frame.f_globals.get("__name__"))
        if name.partition(".")[0] in ("fakekafka", "pytest_fakekafka"):
            module = name
        at = at.tb_next
    page, address = page_of_module(module), site()
    return address + page if address else f"{page} of the documentation"


def page_of_module(module: str) -> str:
    """The page, within the site, about what a module refuses."""
    while module not in PAGES:
        module = module.rpartition(".")[0]
    return PAGES[module]
