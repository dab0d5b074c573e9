"""The page under `/`: one file, and a policy by which the browser runs and loads nothing but what is in it."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

INLINE: Final = re.compile(rb"<(style|script)>(.*?)</\1>", re.DOTALL)


@cache
def page() -> bytes:
    """The page. It holds nothing about the cluster: its script asks for that."""
    return files("fakekafka.control").joinpath("page.html").read_bytes()


@cache
def page_headers() -> dict[str, str]:
    """The headers that come with the page."""
    hashes = {kind.decode(): b64encode(sha256(text).digest()).decode() for kind, text in INLINE.findall(page())}
    policy = (
        f"default-src 'none'; script-src 'sha256-{hashes['script']}'; style-src 'sha256-{hashes['style']}';"
        " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {"Content-Security-Policy": policy, "X-Frame-Options": "DENY"}
