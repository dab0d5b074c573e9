"""The README's picture shows what the commands in it print today."""

import html
import re

from docs.generator import picture


def test_the_picture_is_what_is_printed_today() -> None:
    svg = picture.PICTURE.read_text("utf-8")
    lines: dict[str, str] = {}
    for place, text in re.findall(r'<text [^>]*y="([\d.]+)"[^>]*>([^<]*)</text>', svg):
        lines[place] = lines.get(place, "") + html.unescape(text).replace("\xa0", " ")
    drawn = [_squeezed(line) for line in lines.values()]  # spaces are left out of the drawing
    assert [_squeezed(line) for line in picture.shown() if line] == [
        line for line in drawn if line not in ("", "fakekafka")
    ]


def _squeezed(line: str) -> str:
    return "".join(line.split())


def test_the_picture_fetches_nothing() -> None:
    svg = picture.PICTURE.read_text("utf-8")
    assert set(re.findall(r"https?://[^\s\"')]+", svg)) <= {"http://www.w3.org/2000/svg", "https://www.textualize.io"}
