"""The schedule language: what is written is read back, and what cannot be read is refused in one clear line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.kernel.fault_kinds import OTHERS
from sim.kernel.schedule import Divergence, Schedule, ScheduleError, Step, parse, parse_step, steps_of
from tests.unit.sim.test_strategies import tasks

NAMES = st.from_regex(r"[A-Za-z_][\w-]{0,8}", fullmatch=True).filter(str.isascii)
OPERATIONS = st.from_regex(r"[a-z_][a-z0-9_-]{0,8}", fullmatch=True)
RESOURCES = st.none() | st.from_regex(r"[a-zA-Z0-9/._:=,;!-]{0,12}", fullmatch=True)
FAULTS = st.sampled_from([*sorted(OTHERS), "503-after-retry", "500-before", "409-after", "429-before-retry"])


@st.composite
def steps(draw):
    exact = draw(st.booleans())
    operation = draw(OPERATIONS.filter(lambda name: name != "end") if exact else OPERATIONS)
    reply = draw(st.booleans())
    fault = draw(st.none() | FAULTS) if exact and not reply else None
    return Step(draw(NAMES), operation, exact, draw(RESOURCES), reply, fault)


@given(steps())
def test_step_reads_back_as_written(step):
    """str and parse_step are inverses."""
    assert parse_step(str(step)) == step


META = st.dictionaries(
    st.sampled_from(["property", "faults", "origin"]), st.from_regex(r"[\w/-]+( [\w/-]+)*", fullmatch=True)
)


@given(NAMES, st.lists(steps(), max_size=8), st.lists(OPERATIONS, min_size=1, max_size=3), META)
def test_schedule_reads_back_as_written(name, listed, yield_points, meta):
    """With its scenario, yield points and other lines of the head."""
    schedule = Schedule(name, tuple(listed), tuple(yield_points), tuple(meta.items()))
    assert parse(str(schedule)) == schedule


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_as_a_schedule_error(text):
    """No other error, whatever is in the file."""
    for full in (text, "# lakeproof schedule 1\n# scenario: x\n" + text):
        message = ""
        try:
            parse(full, "f")
        except ScheduleError as error:
            message = str(error)
        assert message == "" or message.startswith("f: ")
        assert "\n" not in message


HEAD = "# lakeproof schedule 1\n# scenario: x\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: expected '# lakeproof schedule 1', got an empty file"),
        ("w1.commit\n", "f: line 1: expected '# lakeproof schedule 1', got 'w1.commit'"),
        ("# lakeproof schedule 2\n", "f: line 1: expected '# lakeproof schedule 1', got '# lakeproof schedule 2'"),
        ("# lakeproof schedule 1\nw1.commit\n", "f: expected a line '# scenario: NAME', got none"),
        (HEAD + "w1", "f: line 3: expected a step like w1.commit, w1:commit or w1:end, got 'w1'"),
        (HEAD + "\nw1.commit w2..x", "f: line 4: expected a step like w1.commit, w1:commit or w1:end, got 'w2..x'"),
        (HEAD + "1w.commit", "f: line 3: expected a step like w1.commit, w1:commit or w1:end, got '1w.commit'"),
        (HEAD + "w1.commit(a b)", "f: line 3: expected a step like w1.commit, w1:commit or w1:end, got 'w1.commit(a'"),
        (HEAD + "w1.end", "f: line 3: expected w1:end (an end is run up to, it is no step), got 'w1.end'"),
        (HEAD + "w1:commit!crash", "f: line 3: expected an exact step (a dot) before a fault, got 'w1:commit!crash'"),
        (
            HEAD + "w1.commit/reply!crash",
            "f: line 3: expected the fault at the call itself, not at its reply, got 'w1.commit/reply!crash'",
        ),
    ],
)
def test_malformed_line_is_named_with_what_was_expected(text, message):
    """File, line, expected, got."""
    with pytest.raises(ScheduleError) as error:
        parse(text, "f")
    assert str(error.value) == message


@pytest.mark.parametrize("fault", ["boom", "503", "503-later", "200-after", "-after", "503-after-retry-retry"])
def test_unknown_fault_is_refused_with_the_known_ones(fault):
    """The message lists what there is."""
    with pytest.raises(ScheduleError, match=r"expected a fault like 503-after-retry or one of cloc.* got") as error:
        parse(f"{HEAD}w1.commit!{fault}", "f")
    assert repr(fault) in str(error.value)


def test_comments_and_several_steps_on_a_line_are_read():
    """All from a # on is a comment."""
    schedule = parse(
        HEAD + "# yield-points: load commit\nw1:commit w2:end  # the race\n# origin: by hand\n\nw1.commit\n"
    )
    assert (schedule.yield_points, schedule.meta) == (("load", "commit"), (("origin", "by hand"),))
    assert [str(step) for step in schedule.steps] == ["w1:commit", "w2:end", "w1.commit"]


def test_steps_from_a_short_text():
    """Without a head; steps pass through."""
    assert steps_of("w1:commit w2:end") == (Step("w1", "commit", False), Step("w2", "end", False))
    assert steps_of([Step("w1", "commit")]) == (Step("w1", "commit"),)


TWO = tasks(2, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("w1.commit", "step 1 of 1: wanted w1.commit, ready: w1.put(w1/0), w2.put(w2/0)"),
        ("w1.put(w1/1)", "step 1 of 1: wanted w1.put(w1/1), ready: w1.put(w1/0), w2.put(w2/0)"),
        ("w9.put", "step 1 of 1: wanted w9.put, expected an actor out of w1, w2"),
        ("w1:end w1.put", "step 2 of 2: wanted w1.put, ready: w2.put(w2/0) (w1 has ended)"),
        ("w1:commit", "step 1 of 1: wanted w1:commit, ready: w2.put(w2/0) (w1 has ended)"),
        ("w1:end w2:end w2.put", "step 3 of 3: wanted w2.put, but every actor has ended"),
        ("w1:end w2:end w1:end", "step 3 of 3: wanted w1:end, but w1 has ended"),
        ("w1:end w1:end w2.put", "step 2 of 3: wanted w1:end, but w1 has ended"),
        ("w1.put/reply", "step 1 of 1: wanted w1.put/reply, ready: w1.put(w1/0), w2.put(w2/0)"),
    ],
)
def test_divergence_says_what_was_wanted_and_what_was_there(text, message):
    """Which step, what it asks for, what is on offer, and why its actor is not among it."""
    from sim.search.run import Runner

    with pytest.raises(Divergence) as error:
        Runner(TWO).play(steps_of(text))
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("w2:end", "w2 w2 w1 w1"),
        ("w1.put w2:end", "w1 w2 w2 w1"),
        ("", "w1 w1 w2 w2"),
        ("w2.put", "w2 w1 w1 w2"),
        ("w2:put(w2/1) w1:put(w1/1) w2:end", "w2 w1 w2 w1"),
        ("w1:put w1:put w2:put w2.put", "w2 w1 w1 w2"),
    ],
)
def test_steps_are_played_and_the_rest_runs_in_the_order_of_the_actors(text, order):
    """A step up to an operation that its actor is at already does nothing."""
    from sim.search.run import Runner

    run = Runner(TWO).play(steps_of(text))
    assert " ".join(row[1] for row in run.trace) == order
