"""Pictures: well-formed, the same every time, and showing every witness."""

import subprocess
import sys
from xml.etree import ElementTree

import pytest

from checkers.histories.notation import history
from checkers.verdict import check
from reports.pictures.cycle import picture

LINES = {
    "cycle of two": (
        "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2",
        "no-lost-update",
        ("w1", "w2"),
        ("rw x v0 → v1", "ww x v1 → v2"),
    ),
    "cycle of three": (
        "a:txn(x:0,y=1)@0->1 b:txn(y:0,z=1)@0->2 c:txn(z:0,x=1)@0->3",
        "serializable",
        ("a", "b", "c"),
        ("rw y v0 → v1", "rw z v0 → v2", "rw x v0 → v3"),
    ),
    "no cycle": (
        "w1:del(x)@0->2 w2:upd(x=1)@0->1 final:read(x=1)@2",
        "acknowledged-writes-survive",
        ("w1", "w2"),
        ("deleted x", "saw x = 1", "v0", "v1", "v2"),
    ),
    "one refused": ("w1:upd(x=1)@0!", "no-spurious-refusal", ("w1",), ("v0",)),
    "session": ("w1:upd(x=1)@0->1 ; w1:read(x=0)@0", "strong-session-serializable", ("w1",), ("so: same session",)),
    "unborn": (
        "w1:txn(k:-,k=a)@0->1 w2:txn(k:-,k=b)@0->2 setup(x=0)",
        "no-lost-update",
        ("w1", "w2"),
        ("rw k unborn → v1",),
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_picture_shows_every_witness_and_every_reason(name):
    """As text inside well-formed SVG that refers to nothing outside itself."""
    line, broken, processes, labels = LINES[name]
    source = history(line)
    (violation,) = check(source, [broken]).violations
    svg = picture(violation, source)
    root = ElementTree.fromstring(svg)
    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for process in processes:
        assert any(text.startswith(f"{process} · ") for text in texts), texts
    for label in labels:
        assert label in texts
    assert svg.count("http") == 1
    assert picture(violation, source) == svg


def test_everything_lies_inside_the_picture():
    """No box or label starts outside the paper."""
    for line, broken, *_ in LINES.values():
        source = history(line)
        root = ElementTree.fromstring(picture(check(source, [broken]).violations[0], source))
        width, height = (float(root.attrib[name]) for name in ("width", "height"))
        for element in root.iter():
            for x, y in (("x", "y"), ("cx", "cy")):
                if x in element.attrib:
                    assert 0 <= float(element.attrib[x]) <= width, element.attrib
                    assert 0 <= float(element.attrib[y]) <= height, element.attrib


def test_text_from_a_history_cannot_break_the_picture():
    """Arguments and values may hold anything."""
    source = history("w1:upd(x=1)@0->1 w2:upd(x=2)@0->2")
    nasty = type(source)(
        [event._replace(arg="<script>&'\"", process=event.process.replace("w", "<")) for event in source.events]
    )
    (violation,) = check(nasty, ["no-lost-update"]).violations
    assert "<script>&'\"" in " ".join(ElementTree.fromstring(picture(violation, nasty)).itertext())


PROGRAM = """
from checkers.histories.notation import history
from reports.pictures.cycle import picture
from checkers.properties import PROPERTIES
from checkers.verdict import check
source = history("a:txn(x:0,y=1)@0->1 b:txn(y:0,x=1)@0->2 w1:del(row1)@0->4 w2:upd(row1=A)@0->3 final:read(row1=A)@4")
verdict = check(source, PROPERTIES)
print([picture(violation, source) for violation in verdict.violations], verdict)
"""


def test_verdicts_and_pictures_do_not_depend_on_the_hash_seed():
    """Two processes, two seeds, one output."""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("<svg") == 16
