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
    "who loads the table again after a fast-forward": "0200000000000000000000000000074101004001009",
    "an upsert of what a step without effect has read": (
        "1200000000030001h1c1a1g23110120300101000100141010100105011111011100150000111110010001040111100141011"
        "1101114010011010121111000001110000028006102112001"
    ),
}
KNOWN = {
    "iceberg/jdbc-stage-broken": "1200000000021001v0011301010000001011010101000121200410030001201",
    "iceberg/insert-insert-misreported": "1000000000021001v0011301010000001001001000100007101",
    "iceberg/purge-put": "1200000000010201240101000000000000000101110100101001000210001011110071110291011121201032",
    "iceberg/rest-cherry-pick-expire": "1000000000011100010000001010000100002010001021121020210102",
    "iceberg/hive-lock-pause": "11000000000310001a111100210010000011000121101011000032103",
    "iceberg/compact-starting-number": ("120000000000020111400110000000001102010100101101020121201002010120051201012"),
    "iceberg/overwrite-delete-vector": (
        "120000000011101111013100214011000101110010111c1401141702130100004010c1303101704020010b110101d0014001"
        "20001011100021100131010122020700303310020521203101111212002"
    ),
    "iceberg/change-upsert": "100000000000120110210010000001000000001000110101000122010000007",
    "iceberg/rest-drop-resent": "100000000003100191u0120001011100113130102001101301020101201100000227011",
    "iceberg/rest-create-resent": "1200000000121001v0100101000000000100100011510211121202001131",
}
MORE = {
    "write-overlap where what comes second writes the row itself": (
        "iceberg/change-upsert", "1200000000021100j0020111211011010001000100111110100000122000200001122",
    ),
    "main goes back where a table is renamed": (
        "iceberg/insert-insert-misreported", "1000000000021001q0121130201000000000100100100000017001",
    ),
    "a table is made anew on JDBC by who has begun to replace it": (
        "iceberg/create-or-replace-append",
        "12000000000101100120310010000111110000170311010010301400010010101114101b13010301131100210110211100510012"
        "101213012013137",
    ),
    "main goes back beside a roll-back to a time": (
        "iceberg/insert-insert-misreported", "000000000030000q02021101000120001024110101301001335211212",
    ),
    "main goes back among several changes beside an expiry": (
        "iceberg/rest-roll-back-expire",
        "10000000000003121030100010000000010101010010002100021180000205000011111011003011",
    ),
}  # fmt: skip
"""The same, as it is met otherwise."""


def drawn(name):
    """The race of that name, looked for as a sweep does."""
    return sweep(GENERATOR.make(replayed(name)), BRIEF).failures.values()


@pytest.mark.parametrize("name", NOTHING.values(), ids=NOTHING)
def test_nothing_is_wrong(name):
    """As it is drawn by now."""
    assert [str(cause_of(run)) for run in drawn(name)] == []


@pytest.mark.parametrize(("finding", "name"), [*KNOWN.items(), *MORE.values()], ids=[*KNOWN, *MORE])
def test_it_is_known(finding, name):
    """Each failure is, one of them as this finding."""
    found = [GENERATOR.known_of(run) for run in drawn(name)]
    assert finding in found
    assert "" not in found
