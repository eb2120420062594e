"""Drawn races that failed for no reason that anybody knew: nothing was wrong in some, and the others are known."""

import pytest

from sim.generation.causes import cause_of
from sim.generation.draws import replayed
from sim.generation.sweep import Plan, sweep
from sim.iceberg.generate import GENERATOR

BRIEF = Plan(first=16, most=48)
NOTHING = {
    "two rows of one id were asked for": "0000000000100200100011000200014000101410110320502",
    "a branch moves over what has expired": "000000000021001l1p0202000100110010334101110511000000021",
    "an upsert of what a step without effect has read": (
        "1200000000030001h1c1a1g23110120300101000100141010100105011111011100150000111110010001040111100141011"
        "1101114010011010121111000001110000028006102112001"
    ),
}
KNOWN = {
    "iceberg/jdbc-stage-broken": "1200000000021001v0011301010000001011010101000121200410030001201",
    "iceberg/insert-insert-misreported": "1000000000021001v0011301010000001001001000100007101",
    "iceberg/overwrite-delete-vector": (
        "120000000011101111013100214011000101110010111c1401141702130100004010c1303101704020010b110101d0014001"
        "20001011100021100131010122020700303310020521203101111212002"
    ),
    "iceberg/rest-create-resent": "1200000000121001v0100101000000000100100011510211121202001131",
}


def drawn(name):
    """The race of that name, looked for as a sweep does."""
    return sweep(GENERATOR.make(replayed(name)), BRIEF).failures.values()


@pytest.mark.parametrize("name", NOTHING.values(), ids=NOTHING)
def test_nothing_is_wrong(name):
    """As it is drawn by now."""
    assert [str(cause_of(run)) for run in drawn(name)] == []


@pytest.mark.parametrize(("finding", "name"), KNOWN.items(), ids=KNOWN)
def test_it_is_known(finding, name):
    """Each failure is, one of them as this finding."""
    found = [GENERATOR.known_of(run) for run in drawn(name)]
    assert finding in found
    assert "" not in found
