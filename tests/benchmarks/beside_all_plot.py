"""The plot of what `beside_all.py` measures, as SVG: the same figures give the same bytes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "fakekafka"
matplotlib.rcParams["svg.fonttype"] = "none"  # names stay text, so that they can be searched for
from matplotlib import pyplot as plt  # noqa: E402

WITHOUT_DATE: Final = {"Date": None}
PANELS: Final = (
    ("until the first answer, ms", "start_ms"),
    ("produce to poll, ms", "latency_ms"),
    ("produce, thousand records/s", "produce_thousand_per_s"),
    ("consume, thousand records/s", "consume_thousand_per_s"),
    ("memory, idle, MiB", "idle_memory_mib"),
    ("memory, with the records, MiB", "memory_mib"),
)
LOGARITHMIC: Final = ("start_ms", "latency_ms")
"""Figures that differ by several powers of ten."""
OURS: Final = "#00796b"
OTHERS: Final = "#9e9e9e"


def plot(path: Path, found: Mapping[str, Any]) -> None:
    """A panel for each figure, a bar for each broker that was measured, ours in colour."""
    figure, panels = plt.subplots(3, 2, figsize=(10, 8), layout="constrained")
    for panel, (title, name) in zip(panels.flat, PANELS):
        peers = [peer for peer in found["peers"] if name in peer]
        values = [peer[name] for peer in peers]
        colours = [OURS if peer["name"].startswith("fakekafka") else OTHERS for peer in peers]
        bars = panel.barh([peer["name"] for peer in peers], values, color=colours)
        panel.bar_label(bars, [f"{value:,.3g}" if value < 1000 else f"{value:,.0f}" for value in values], padding=3)
        panel.set_title(title, fontsize=10)
        panel.invert_yaxis()
        panel.margins(x=0.2)
        if name in LOGARITHMIC:
            panel.set(xscale="log", xlim=(min(values) / 5, max(values) * 5))
        panel.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"{found['machine']}, {found['date']}", fontsize=9)
    figure.savefig(path, format="svg", metadata=WITHOUT_DATE)
    plt.close(figure)
