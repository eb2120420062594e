"""`lakeproof verdict`: a configuration's verdict by generated scenarios."""

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from lakeproof.commands import verdict
from sim.generation.causes import Known
from tests.unit.lakeproof import till

pytestmark = pytest.mark.usefixtures("a_till")
KNOWN = Known("till/blind", "no-lost-update", "lost-update", ("add",))


def test_a_configuration_that_does_not_break_exits_0_with_its_bounds(call):
    """What was looked at, drawn and promised, what is left, and what is never made."""
    result = call("verdict", "till", "--seeds", "9")
    assert result.exit_code == 0
    assert "till: NOTHING BROKE, within these bounds (all settings at their defaults)" in result.stdout
    assert re.search(r"looked at: 9 generated scenarios, \d+ schedules, .* this is no proof", result.stdout)
    assert "left, at 95 %: at most 1 in 4 such scenarios breaks" in " ".join(result.stdout.split())
    assert "promised: no-lost-update (the till's manual, 2)\n" in result.stdout
    assert "drawn, by scenarios: add 9" in result.stdout
    assert "faults that never struck: resend" in result.stdout
    assert "never made: tills of two drawers" in result.stdout


def test_seeds_say_the_same_every_time(call):
    """But for the seconds."""
    said = [re.sub(r"[\d.]+ s of CPU", "", call("verdict", "till", "--seeds", "5").stdout) for _ in range(2)]
    assert said[0] == said[1]


def test_what_a_configuration_promises_is_asked(call):
    """A red till promises more."""
    assert "serializable (its brochure)" in call("verdict", "till", "--seeds", "3", "--set", "till.colour=red").stdout


def test_a_configuration_that_breaks_exits_1_and_its_last_line_replays_the_smallest_scenario(call, last):
    """Two people and one addition each are left; the settings stay as they were set."""
    result = call("verdict", "till", "--set", "till.looks=no", "--set", "till.colour=red", "--seeds", "50")
    assert result.exit_code == 1
    assert "till: BROKEN (till.looks=no, till.colour=red)" in result.stdout
    assert "no-lost-update (lost-update): add\n" in result.stdout
    assert "new: no known finding is like it" in result.stdout
    _, *arguments = shlex.split(last(result))
    again = call(*arguments)
    assert again.exit_code == 1
    assert "no-lost-update (lost-update)" in again.stdout
    made = till.GENERATOR.again("till/generated/shipped/11")
    assert f"# scenario: {made.name}\n" in Path(arguments[1]).read_text()
    assert made.properties == ("no-lost-update", "serializable")


def test_a_known_finding_is_called_known(call, monkeypatch):
    """By the scenario that shows it; under other rules than those that have it, it is news."""
    for rules, said in (("broken", "a known finding: till/blind"), ("shipped", "new: no known finding is like it")):
        monkeypatch.setattr(till, "GENERATOR", replace(till.GENERATOR, known=(replace(KNOWN, rules=(rules,)),)))
        result = call("verdict", "till", "--rules", "broken", "--seeds", "50")
        assert result.exit_code == 1
        assert "till: BROKEN (all settings at their defaults, rules broken)" in result.stdout
        assert said in result.stdout


def test_a_budget_in_seconds_ends_it_after_the_scenario_at_hand(call):
    """However short it is, one scenario is looked at."""
    result = call("verdict", "till", "--seconds", "0.000001")
    assert result.exit_code == 0
    assert "looked at: 1 generated scenario, " in result.stdout


def test_making_it_small_ends_with_the_seconds(call, last, monkeypatch):
    """What is told then fails, and is not called the smallest; with time enough it is smaller."""
    told = []
    for late in (1e9, 1.0):
        clock = iter([0.0])
        monkeypatch.setattr(verdict, "process_time", lambda clock=clock, late=late: next(clock, late))
        result = call("verdict", "till", "--set", "till.looks=no", "--seconds", "1000")
        assert result.exit_code == 1
        assert ("not the smallest: the time was up" in result.stdout) is (late > 1000)
        _, *arguments = shlex.split(last(result))
        assert call(*arguments).exit_code == 1
        told.append(len(Path(arguments[1]).read_text()))
    assert told[0] > told[1]


def test_properties_come_from_a_file_and_set_goes_above_them(call, tmp_path):
    """What nothing models is named, and not judged."""
    (tmp_path / "p").write_text("# a table's\nowner = me\ntill.looks: no\ntill.colour=red\n")
    result = call("verdict", "till", "--properties", "p", "--set", "till.looks=yes", "--seeds", "2")
    assert result.exit_code == 0
    assert "(till.looks=yes, till.colour=red)" in result.stdout
    assert "not modelled, so not looked at: owner" in result.stdout


@pytest.mark.parametrize("given", ["till.sees=no", "till.looks=Blind", "till.sees=org.till.Blind"])
def test_an_option_may_go_by_another_name(call, given):
    """And its value by another word, or as a class with its package."""
    assert "(till.looks=no; the rest" in call("verdict", "till", "--set", given, "--seeds", "2").stdout


def test_options_are_listed(call):
    """With their values and sources."""
    said = call("verdict", "till", "--options").stdout
    assert "till.looks: yes (if not set), no, badly\n  the till's manual, 3; also till.sees\n" in said
    assert "rules: shipped, broken" in said


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nope"], 64, "'nope' is not"),
        (
            ["till", "--set", "till.look=no"],
            64,
            "got 'till.look'; did you mean till.looks?",
        ),
        (["till", "--set", "x=no"], 64, "got 'x'; `lakeproof verdict till --options` lists them"),
        (["till", "--set", "till.looks=nope"], 64, "till.looks: expected yes or no or badly, got 'nope'"),
        (["till", "--set", "till.looks"], 64, "expected KEY=VALUE, got no '='"),
        (["till", "--set", "till.looks=no", "--set", "till.looks=yes"], 64, "expected each key once"),
        (
            ["till", "--set", "till.looks=no", "--set", "till.sees=yes"],
            64,
            "expected each key once, got till.looks twice",
        ),
        (["till", "--set", "till.sees=nope"], 64, "till.sees (till.looks): expected yes or no or badly, got 'nope'"),
        (["till", "--rules", "shiped"], 64, "expected shipped or broken, got 'shiped'; did you mean shipped?"),
        (["till", "--seeds", "0"], 64, "expected a number of runs from 1"),
        (["till", "--seconds", "0"], 64, "expected seconds, more than 0"),
        (["till", "--seconds", "1", "--seeds", "1"], 64, "expected one of them, got both"),
        (["till", "--properties", "no"], 64, "properties no: expected a file, got no such file"),
        (["till", "--properties", "close"], 65, "line 2: expected a property's name, got 'til.looks'; did you mean"),
        (["till", "--properties", "value"], 65, "line 1: till.looks: expected yes or no or badly, got 'maybe'"),
        (["till", "--properties", "twice"], 65, "line 2: expected each key once, got 'a' again"),
        (["till", "--properties", "names"], 65, "line 2: expected each key once, got till.looks twice"),
        (["till", "--properties", "words"], 65, "line 1: expected key=value, got 'hello'"),
        (["till", "--properties", "bytes"], 65, "expected text in UTF-8, got byte 0xff"),
        (
            ["till", "--set", "till.looks=badly", "--set", "till.colour=red"],
            64,
            "no scenario can be made of these settings: till.looks: badly: expected a grey till, got a red one",
        ),
    ],
)
def test_what_cannot_be_is_one_line(call, tmp_path, arguments, code, said):
    """Nothing is swept."""
    for name, text in (("close", b"a=1\ntil.looks=no"), ("value", b"till.looks=maybe"), ("twice", b"a=1\na:2"),
                       ("names", b"till.looks=no\ntill.sees=yes"),
                       ("words", b"hello"), ("bytes", b"\xff=1")):  # fmt: skip
        (tmp_path / name).write_bytes(text)
    result = call("verdict", *arguments)
    assert result.exit_code == code
    assert said in result.stderr
    assert result.stdout == ""
    assert result.stderr.rstrip().splitlines()[-1].startswith("lakeproof: ")


def test_actors_that_do_nothing_are_no_verdict(call, monkeypatch):
    """Exit 2: nothing was acknowledged."""
    monkeypatch.setattr(till, "_adding", lambda *_: lambda: None)
    result = call("verdict", "till", "--seeds", "3")
    assert result.exit_code == 2, result.stderr
    assert "till: UNKNOWN" in result.stdout
    assert "unknown, because no actor recorded an operation" in result.stdout


def test_an_error_of_our_own_names_the_scenario(call, monkeypatch):
    """Whoever reports it can say of what."""

    def adding(*_):
        return lambda: 1 / 0

    monkeypatch.setattr(till, "_adding", adding)
    result = call("verdict", "till", "--seeds", "3")
    assert result.exit_code == 70
    assert "scenario till/generated/shipped/" in result.stderr
    assert "ZeroDivisionError: division by zero" in result.stderr
