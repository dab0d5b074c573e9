"""The picture of the house: its storeys, the rooms on each, and who enters where.

python -m docs.generator.house
"""

from html import escape
from typing import Final

from docs.generator.site import DOCS

PICTURE: Final = DOCS / "images" / "house.svg"
STOREYS: Final = (
    ("the command line", ("cli",), "people"),
    ("beside the handle", ("bugs", "control", "advice", "rehearsal", "remote"), "programs, by HTTP"),
    ("the handle", ("runtime", "handle", "emulator", "strategies"), "tests, pytest"),
    (
        "what is asked and told",
        ("client_tokens", "client_configs", "settings", "watching", "overview", "texts", "upgrade", "impatience"),
        "",
    ),
    ("the server", ("faults", "server"), "clients, by TCP"),
    ("handlers", ("admin", "drafts", "inspection", "handlers"), ""),
    ("the cluster", ("state", "storage", "cluster", "coordinators"), ""),
    ("records and logs", ("records", "log", "security", "pace", "plugins"), "files"),
    ("what Kafka is", ("wire", "releases"), ""),
    ("the ground", ("ids", "errors", "aside", "binary", "clock", "escaping", "jvm", "pieces", "waiting"), "time"),
)
"""From the roof down: a name, the rooms, and who or what enters there. A room imports only from below."""
FONT: Final = 'font-family="sans-serif" font-size="13"'
WIDTH: Final = 1000
LEFT: Final = 170
RIGHT: Final = 800
STOREY: Final = 46
ROOF: Final = 70


def drawn() -> str:
    """The picture, as self-contained SVG."""
    height = ROOF + STOREY * len(STOREYS) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" {FONT}>',
        "<title>The house: ten storeys, from the ground to the command line</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fafafa"/>',
        f'<path d="M {LEFT - 20} {ROOF} L {(LEFT + RIGHT) // 2} 12 L {RIGHT + 20} {ROOF} Z" fill="#00796b"/>',
        _text((LEFT + RIGHT) // 2, ROOF - 16, "fakekafka", fill="#ffffff", anchor="middle", weight="bold"),
    ]
    for number, (name, rooms, visitor) in enumerate(STOREYS):
        parts += _storey(ROOF + STOREY * number, name, rooms, visitor)
    return "\n".join((*parts, "</svg>", ""))


def _storey(top: int, name: str, rooms: tuple[str, ...], visitor: str) -> list[str]:
    middle = top + STOREY // 2 + 5
    parts = [
        f'<rect x="{LEFT}" y="{top}" width="{RIGHT - LEFT}" height="{STOREY}" fill="#e0f2f1" stroke="#00796b"/>',
        _text(LEFT - 12, middle, name, anchor="end", weight="bold"),
        _text(LEFT + 14, middle, "   ".join(rooms)),
    ]
    if visitor:
        line = f'<path d="M {RIGHT + 48} {middle - 5} H {RIGHT + 4}" stroke="#00796b"/>'
        places = f"M {RIGHT + 12} {middle - 10} L {RIGHT + 3} {middle - 5} L {RIGHT + 12} {middle} Z"
        tip = f'<path d="{places}" fill="#00796b"/>'
        parts += [line, tip, _text(RIGHT + 54, middle, visitor)]
    return parts


def _text(x: int, y: int, text: str, *, fill: str = "#212121", anchor: str = "start", weight: str = "normal") -> str:
    kept = escape(text).replace("   ", "&#160;&#160; ")
    return f'<text x="{x}" y="{y}" fill="{fill}" text-anchor="{anchor}" font-weight="{weight}">{kept}</text>'


if __name__ == "__main__":
    PICTURE.write_text(drawn(), "utf-8")
