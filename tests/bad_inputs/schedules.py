"""Schedules: of nobody, of the wrong scenario, with steps that are not on offer, with faults where none can be."""

from collections.abc import Iterator
from random import Random

from tests.bad_inputs.case import ANSWERED, CONTROL, LONG, Case, damaged
from tests.unit.lakeproof.scenario_files import BANK

HEADER = "# lakeproof schedule 1\n"
OF_ICEBERG = "# scenario: iceberg/delete-update-snapshot\n# yield-points: load commit\n"
OF_BANK = "# scenario: bank/transfer\n# yield-points: *\n"
WORDS = "w1 w2 ann bob zed load commit end get put fly sleep lock reply".split()
FAULTS = "500-before 503-after-retry 409-after drop-before late resend crash crash-after pause stale meteor".split()


def cases(random: Random) -> Iterator[Case]:
    """Eighty of them."""
    for name, text in _fixed():
        yield _replay(name, text.encode(errors="surrogateescape"))
    for number in range(16):
        text = HEADER + random.choice((OF_ICEBERG, OF_BANK)) + "w1:commit\nw2:end\nw1:end\n"
        yield _replay(f"damaged {number}", damaged(random, text.encode()), ANSWERED)
    for number in range(40):
        steps = [_step(random) for _ in range(random.randrange(1, 8))]
        text = HEADER + random.choice((OF_ICEBERG, OF_BANK)) + "\n".join(steps) + "\n"
        yield _replay(f"steps {number}", text.encode(), ANSWERED)


def _replay(name: str, content: bytes, codes: tuple[int, ...] = (64, 65)) -> Case:
    own = ("--scenario", "bank.py") if b"bank/transfer" in content else ()
    files = {"s.txt": content, "bank.py": BANK.read_bytes()}
    return Case(name, ("replay", "s.txt", *own), files, codes)


def _step(random: Random) -> str:
    actor, operation = random.choice(WORDS[:5]), random.choice(WORDS[5:])
    exact = random.random() < 0.7
    fault = f"!{random.choice(FAULTS)}" if random.random() < 0.4 else ""
    resource = random.choice(("", "", "(account)", "(x y)", "()", "(" + "p" * 50 + ")"))
    return f"{actor}{'.' if exact else ':'}{operation}{resource}{fault}"


def _fixed() -> Iterator[tuple[str, str]]:
    for name, scenario in (("Iceberg", OF_ICEBERG), ("bank", OF_BANK)):
        actor = "w1" if name == "Iceberg" else "ann"
        whole = f"{HEADER}{scenario}"
        yield f"{name}: a long line", f"{whole}{LONG}\n"
        yield f"{name}: control characters", f"{whole}{actor}.{CONTROL}\n"
        yield f"{name}: a million bytes that are no text", whole + "\udcff" * 1_000_000
        yield f"{name}: a stale answer of a write", f"{whole}{actor}.load\n{actor}.commit!stale\n"
        yield f"{name}: a fault of an end", f"{whole}{actor}:end!crash\n"
        yield f"{name}: yield points that nobody has", f"{whole.replace('*', 'load')}# yield-points: {CONTROL}\n"
        yield f"{name}: another version", whole.replace("schedule 1", "schedule 99999999")
        yield f"{name}: a property that nobody has", f"{whole}# property: {LONG[:5_000]}\n"
        yield f"{name}: too many steps", whole + f"{actor}.load\n" * 50_000
    yield "a scenario with a long name", f"{HEADER}# scenario: {LONG}\nw1:end\n"
    yield "a scenario with a strange name", f"{HEADER}# scenario: {CONTROL}\nw1:end\n"
    yield "a scenario that is a path", f"{HEADER}# scenario: ../../bank.py\nw1:end\n"
    yield "no scenario", f"{HEADER}w1:end\n"
    yield "no header", "w1:end\n" * 1_000
    yield "nothing", ""
