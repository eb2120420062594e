"""Scenario files with one mistake: in a field, in a space of faults, in a body, in what is recorded, in the source."""

from collections.abc import Iterator
from random import Random

from tests.bad_inputs.case import ANSWERED, CONTROL, LONG, REFUSED, Case

FILE = """
from lakeproof import CasLost, FaultSpace, Scenario, program


def add(simulation, name):
    register, clock, record = simulation.world(name).register, simulation.world(name).clock, simulation.record

    def body():
        op = record.invoke(name, "add")
        while True:
            seen = register.load("n")
            try:
                version = register.commit("n", seen.version, seen.value + 1)
            except CasLost:
                continue
            record.ok(op, start=seen.version - 1, commit=version - 1,
                      reads=[("n", str(seen.value), None)], writes=[("n", str(seen.value + 1))])
            return
    return body


def start(simulation):
    simulation.record.setup([("n", "0")])
    simulation.actor("a", add(simulation, "a"))
    simulation.actor("b", add(simulation, "b"))


def prepare(simulation):
    simulation.services.register.commit("n", 0, 0)


fields = dict(name="test/counter", program=program(start, prepare=prepare), properties=("no-lost-update",))
fields.update()
scenario = Scenario(**fields)
"""
FIELDS = {
    "name": ("7", "None", "''", "'a b'", "'../x'", "'x' * 100_000", "'iceberg/append-append'",
             "'a\\x00'", "'\\ud800'"),
    "program": ("None", "7", "start", "program(None)", "program(lambda: None)", "program(start, prepare=5)",
                "program(start, finish=lambda: 0)", "program(lambda s: 1 / 0)",
                "program(start, prepare=lambda s: s.x)"),
    "properties": ("None", "'no-lost-update'", "['no-lost-update']", "('nope',)", "(1,)", "('no-lost-update', None)"),
    "expect": ("'maybe'", "None", "True"),
    "broken": ("'nope'", "7", "'no-lost-update'"),
    "counters": ("'abc'", "5", "(1,)"),
    "bounds": ("7", "None"),
    "summary": ("7", "b'x'"),
    "faults": ("None", "3", "FaultSpace(5)", "FaultSpace({'commit': 'late'}, 1)", "FaultSpace({'fly': ('late',)}, 1)",
               "FaultSpace({'commit': ('meteor',)}, 1)", "FaultSpace({'commit': ('late',)}, -1)",
               "FaultSpace({'commit': ('stale',)}, 1)", "FaultSpace({'load': ('pause',)}, 1, pause_ms='x')",
               "FaultSpace({}, 1)"),
    "yield_points": ("'load'", "()", "('fly',)", "(1,)"),
    "parameters": ("5", "('ab',)", "{'a': 'b'}"),
    "pair": ("7",),
    "live": ("True",),
    "protocol": ("7", "'delta'"),
    "lease_ms": ("'x'", "-1", "1.5"),
    "idempotent": ("'no'",),
    "latency": ("5", "lambda *a: 5", "lambda: (1, 1)"),
}  # fmt: skip
INVOKE, LOAD, OK, ACTOR = 'op = record.invoke(name, "add")', 'seen = register.load("n")', "record.ok(op,", 'actor("a", '
LINES = (
    (ACTOR, 'actor("<b>a</b>", '), (ACTOR, "actor(7, "), (ACTOR, 'actor("x" * 100_000, '), (ACTOR, 'actor("", '),
    ('add(simulation, "a"))', "None)"), ('add(simulation, "a"))', "lambda x: None)"),
    (ACTOR, 'actor(restart=5, name="a", body='),
    (LOAD, f"clock.sleep_ms(-5); {LOAD}"), (LOAD, f"clock.sleep_ms(float('nan')); {LOAD}"),
    (LOAD, f"clock.sleep_ms('x'); {LOAD}"), (LOAD, f"import time; time.localtime(); {LOAD}"),
    (LOAD, f"import random; random.Random().random(); {LOAD}"), (LOAD, f"raise KeyboardInterrupt; {LOAD}"),
    (LOAD, f"raise SystemExit(0); {LOAD}"), (LOAD, f"raise GeneratorExit; {LOAD}"), (LOAD, f"seen.x; {LOAD}"),
    (LOAD, "seen = register.load('no such')"), (LOAD, "seen = register.load(5)"),
    (LOAD, f"raise Exception('x' * 10**6); {LOAD}"),
    (LOAD, f"raise Exception({CONTROL!r}); {LOAD}"), (LOAD, f"body(); {LOAD}"), (LOAD, f"seen.x, {'(' * 150}; {LOAD}"),
    ("seen.value + 1)\n", "[])\n"), ("seen.value + 1)\n", "([],))\n"), ("seen.value + 1)\n", "seen.value, 5, 6, 7)\n"),
    (INVOKE, f"{INVOKE}; record.ok(op, reads=5)"), (INVOKE, f"{INVOKE}; record.ok(op); record.ok(op)"),
    (INVOKE, f"{INVOKE}; record.ok(99)"), (INVOKE, f"{INVOKE}; record.ok('x')"),
    (INVOKE, "op = record.invoke(name, 5)"),
    (INVOKE, "op = record.invoke(name, 'w', 5)"), (INVOKE, "op = record.invoke(5, 'w')"),
    (INVOKE, f"{INVOKE}; record.fail(op, None)"), (INVOKE, f"{INVOKE}; record.ok(op, commit=-1)"),
    (INVOKE, f"{INVOKE}; record.ok(op, start=9, commit=1)"), (INVOKE, f"{INVOKE}; record.ok(op, writes=[('n',)])"),
    (INVOKE, f"{INVOKE}; record.ok(op, reads=[(5, 'x', 0)])"), (INVOKE, f"{INVOKE}; record.ok(op, writes=[('n', 7)])"),
    ("commit=version - 1", "commit=2**70"), ("commit=version - 1", "commit=1.5"),
    ("prepare=prepare", "prepare=lambda s: s.record.ok(0)"),
    ("prepare=prepare", "prepare=lambda s: s.services.register.commit('n', 9, 0)"),
    ("return body", "pass"), ("simulation.world(name).register", "simulation.world(name).regster"),
)  # fmt: skip
ENDLESS = (
    (LOAD, f"\n            while True: pass\n            {LOAD}"),
    ("\nfrom lake", "\nwhile True: pass\nfrom lake"),
    ("def start(simulation):\n", "def start(simulation):\n    while True: pass\n"),
    ("def prepare(simulation):\n", "def prepare(simulation):\n    while True: pass\n"),
    (LOAD, f"clock.sleep_ms(1); continue; {LOAD}"),
    (LOAD, f"{LOAD}; continue"),
    (LOAD, f"simulation.world(name).locks.lock(name, 'n'); continue; {LOAD}"),
)
SOURCES = (
    b"", b"\0", b"x = 1\n", b"scenario = 3\n", b"scenario = None\n", b"scenarios = 5\n", b"scenarios = []\n",
    b"scenarios = [1]\n",
    b"def (:\n", b"\xff\xfe\x00", "scenario = 1\n".encode("utf-16"), b"# coding: nonsense\n", b"x = " + b"(" * 1_000,
    b"x = " + b"-" * 100_000 + b"1\n", b"raise KeyboardInterrupt\n", b"raise SystemExit(0)\n",
    b"import no_such_module\n",
    b"from lakeproof import no_such\n", b"import os; os.chdir('/no such')\n", b"raise BaseException('x' * 10**6)\n",
    b"def f(): f()\nf()\n", b"import sys; sys.modules['lakeproof'] = None; from lakeproof import x\n",
)  # fmt: skip


def cases(random: Random) -> Iterator[Case]:
    """About a hundred and thirty of them."""
    for field, values in FIELDS.items():
        for value in values:
            codes = ANSWERED if field == "latency" else REFUSED
            yield _case(f"{field}={value}", FILE.replace("update()", f"update({field}={value})"), codes)
    for old, new in LINES:
        assert old in FILE, old
        yield _case(f"line: {new}", FILE.replace(old, new, 1))
    for old, new in ENDLESS:
        assert old in FILE, old
        yield _case(f"endless: {new}", FILE.replace(old, new, 1), (1, 2, 64, 65))
    for source in SOURCES:
        yield Case(f"source: {source[:40]!r}", ("run", "own.py"), {"own.py": source})
    long = FILE.replace('"add"', repr(LONG[:100_000])).replace('"n"', repr(CONTROL))
    yield _case("a version of no lineage", FILE.replace("commit=version - 1", "commit='x'"), (2, 65))
    yield _case("long and strange names that may be", long, ANSWERED)
    yield _case("the same twice", FILE + "scenarios = [scenario, scenario]\n")


def _case(name: str, text: str, codes: tuple[int, ...] = REFUSED) -> Case:
    return Case(name, ("run", "own.py"), {"own.py": text.encode()}, codes)
