"""Command lines: verbs, options and arguments that do not exist, do not fit, or name what is not there."""

from collections.abc import Iterator
from random import Random

from tests.bad_inputs.case import ANSWERED, CONTROL, LONG, Case, damaged
from tests.unit.lakeproof.scenario_files import SNAPSHOT

VALUES = ("", " ", "-1", "0", "1e9", "nan", "9" * 400, "2s", "0x10", "a..b", "3..1", "..", "*", CONTROL[:4],
          LONG[:100_000], "\udcff", "--", "-", "/", "load,,commit", ",", "\u00b2", "plan,random",
          "no/such/folder/x")  # fmt: skip
OF_RUN = ("--mode", "--seeds", "--budget", "--yield-points", "--junit", "--summary", "--out")
NAMES = ("", ".", "..", "/", "iceberg", "iceberg/", "ICEBERG/APPEND", LONG, "\udcff.py", "\x1b[31m", "a.py/b.py", "-x",
         "iceberg/append-append.py", "folder", "file", "file.py", "folder.py", "no.py",
         "\u202egnp.py", "nope/*", "[", "?x")  # fmt: skip


CAMPAIGN = b"""seeds = 1
sweep = { first = 1, most = 1 }

[[search]]
protocol = "iceberg"
configurations = ["default"]
rules = "shipped"
"""


def cases(random: Random) -> Iterator[Case]:
    """A hundred of them."""
    files = {"file": b"hello\n", "file.py": b"", "folder/x": b"", "folder.py/x": b""}
    for option in OF_RUN:
        for value in random.sample(VALUES, 4):
            codes = ANSWERED if option in ("--junit", "--summary", "--out", "--yield-points") else (64, 65)
            few = () if option == "--budget" else ("--budget", "20")
            if not (option == "--budget" and value == "9" * 400):
                yield Case(f"run {option} {value[:20]!r}", ("run", SNAPSHOT, *few, option, value), files, codes)
    for name in NAMES:
        yield Case(f"run {name[:20]!r}", ("run", "--budget", "20", name), files, (*ANSWERED,))
    for verb in ("replay", "check", "explain", "report"):
        for name in random.sample(NAMES, 4):
            yield Case(f"{verb} {name[:20]!r}", (verb, name), files)
    for value in random.sample(VALUES, 4):
        yield Case(f"verdict --set {value[:20]!r}", ("verdict", "iceberg", "--seeds", "1", "--set", value), files)
        yield Case(f"campaign {value[:20]!r}", ("campaign", "--seeds", "1", "--master", "process", value), files)
        yield Case(f"query {value[:20]!r}", ("query", "causes", value), files)
    for number in range(12):
        damage = {"c.toml": damaged(random, CAMPAIGN), "p": damaged(random, b"catalog = rest\n# x\n")}
        yield Case(f"campaign file {number}", ("campaign", "c.toml", "--master", "process"), damage, ANSWERED)
        yield Case(
            f"properties {number}", ("verdict", "iceberg", "--seeds", "1", "--properties", "p"), damage, ANSWERED
        )
    for number in range(14):
        yield Case(f"nonsense {number}", tuple(_nonsense(random)), files)


def _nonsense(random: Random) -> Iterator[str]:
    yield random.choice(("", "frobnicate", "RUN", "--verbose", "-z", LONG[:50_000], "\x1b[2J", "study", "claims"))
    for _ in range(random.randrange(1, 4)):
        yield random.choice((*VALUES[1:8], "--no-such", "--live=yes", "nope", "--help=1", LONG[:1_000]))
