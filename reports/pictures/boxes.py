"""A spread as boxes: from the lower quartile to the upper one, a line at the median, whiskers to least and most.

Where a figure is missing (a seed that never came to an end is later than all others) the box is open to what is known,
and where the median is missing nothing is drawn but a word.
"""

from collections.abc import Sequence
from typing import Any

from reports.pictures.figures import figure_of
from sim.search.study import Cell

FILL, EDGE, FAINT = "#56B4E9", "#1d2129", "#555b66"
WIDTH, STEEP, LONG = 0.5, 25, 14


def draw_boxes(panel: Any, columns: Sequence[int], x: int, rows: Sequence[tuple[Cell, ...]]) -> None:
    """A box for each row. Args: `columns`: where least, lower quartile, median, upper quartile and most stand."""
    names = [str(row[x]) for row in rows]
    known = [(at, found) for at, row in enumerate(rows) if (found := _box(row, columns)) is not None]
    panel.bxp(
        [found for _, found in known], positions=[at for at, _ in known], widths=WIDTH, showfliers=False,
        patch_artist=True, boxprops={"facecolor": FILL, "edgecolor": EDGE}, medianprops={"color": EDGE, "linewidth": 2},
    )  # fmt: skip
    for at in set(range(len(rows))) - {at for at, _ in known}:
        panel.annotate("n/a", (at, 0), (0, 3), textcoords="offset points", ha="center", color=FAINT, fontsize=9)
    steep = len(names) > 3 and max(map(len, names)) > LONG
    panel.set_xticks(range(len(names)), names, rotation=STEEP if steep else 0, ha="right" if steep else "center")
    panel.set_xlim(-0.55, len(names) - 0.45)
    panel.set_ylim(bottom=0)


def _box(row: tuple[Cell, ...], columns: Sequence[int]) -> dict[str, float] | None:
    """What `bxp` draws, None without a median."""
    least, lower, median, upper, most = (figure_of(row[at]) for at in columns)
    if least is None or lower is None or median is None:
        return None
    upper = median if upper is None else upper
    most = upper if most is None else most
    return {"whislo": least, "q1": lower, "med": median, "q3": upper, "whishi": most}
