"""What a campaign is asked for, in a file or on the command line; every mistake is one line."""

import pytest

from lakeproof.campaigns.asked import of_file
from lakeproof.errors import BadInput
from tests.unit.lakeproof.campaign_files import GOOD

pytestmark = pytest.mark.usefixtures("a_till")
HERE = ("--master", "process")


def test_a_file_is_read_as_it_says(tmp_path):
    """Configurations by their names, one of one's own, seeds, sweep, time and live sample."""
    path = tmp_path / "nightly.toml"
    path.write_text(
        GOOD.replace("seeds = 4", "minutes = 1.5\nlive = 3\nfirst_seed = 7\nsweep = { first = 2, most = 9 }")
    )
    asked = of_file(path)
    assert (asked.name, asked.seconds, asked.live, asked.plan.seeds) == ("nightly", 90.0, 3, None)
    assert (asked.plan.first_seed, asked.plan.first, asked.plan.most) == (7, 2, 9)
    assert [(one.name, one.rules, dict(one.settings)) for one in asked.plan.configurations] == [
        ("default", "shipped", {"till.looks": "yes", "till.colour": "grey"}),
        ("red", "shipped", {"till.looks": "yes", "till.colour": "red"}),
        ("ours, rules broken", "broken", {"till.looks": "yes", "till.colour": "red"}),
    ]


def test_faults_and_strategies_are_those_that_are_asked_for(tmp_path):
    """The configuration's name says so, since another one has other figures."""
    path = tmp_path / "c.toml"
    path.write_text(
        'seeds = 1\nsweep = { strategies = ["random"] }\n'
        '[[search]]\nprotocol = "till"\nconfigurations = ["red"]\nfaults = ["503-before"]\n'
        '[[search]]\nprotocol = "till"\nconfigurations = ["red"]\nfaults = []\n'
    )
    plan = of_file(path).plan
    assert plan.strategies == ("random",)
    assert [(one.name, one.faults) for one in plan.configurations] == [
        ("red, faults 503-before", ("503-before",)), ("red, no faults", ()),
    ]  # fmt: skip


def test_without_a_line_all_configurations_are_meant_and_any_draws_every_option(tmp_path):
    """The generator's, and one that pins nothing."""
    path = tmp_path / "c.toml"
    path.write_text('seeds = 1\n[[search]]\nprotocol = "till"\n')
    plan = of_file(path).plan
    assert [(one.name, dict(one.settings).get("till.looks")) for one in plan.configurations] == [
        ("default", "yes"), ("blind", "no"), ("red", "yes"), ("any", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seeds = 4", "seads = 4", "got 'seads'; did you mean seeds?"),
        ("seeds = 4", "", "expected minutes, or seeds, got neither"),
        ("seeds = 4", "seeds = 0", "seeds: expected a whole number from 1 to 1,000,000,000, got 0"),
        ("seeds = 4", "seeds = true", "seeds: expected a whole number from 1 to 1,000,000,000, got True"),
        ("seeds = 4", "minutes = 0", "minutes: expected more than 0, at most 100,000, got 0"),
        ("seeds = 4", "minutes = nan", "minutes: expected more than 0, at most 100,000, got nan"),
        ("seeds = 4", "minutes = '5'", "minutes: expected more than 0, at most 100,000, got '5'"),
        ("seeds = 4", "seeds = 4\nlive = -1", "live: expected a whole number from 0"),
        ("seeds = 4", "seeds = 4\nfaults = ['pause']", "expected minutes, seeds, first_seed, live, sweep, search, got"),
        ("seeds = 4", "seeds = 4\nsweep = { furst = 1 }", "expected first, most, strategies, got 'furst'; did you"),
        ("seeds = 4", "seeds = 4\nsweep = { strategies = ['randm'] }", "got 'randm'; did you mean random?"),
        ("seeds = 4", "seeds = 4\nsweep = { strategies = 'random' }", "strategies: expected a list, got 'random'"),
        ('rules = "broken"', 'faults = ["resent"]', "faults: expected 503-before or resend, got 'resent'; did you"),
        ('rules = "broken"', 'faults = [3]', "faults: expected 503-before or resend, got 3"),
        ("seeds = 4", "seeds = 4\nsweep = 3", "sweep: expected a table, got 3"),
        ('"till"', '"tilt"', "search 1: protocol: expected iceberg or "),
        ('protocol = "till"\nc', "c", "search 1: protocol: expected the name of one, got none"),
        ('"default", "red"', '"rad"', "configurations: expected those of till, got 'rad'; did you mean red?"),
        ('["default", "red"]', '"red"', "configurations: expected a list of names, got 'red'"),
        ('"till.colour" = "red"', '"till.color" = "red"', "got 'till.color'; did you mean till.colour?"),
        ('"till.colour" = "red"', '"till.colour" = "rad"', "till.colour: expected grey or red, got 'rad'"),
        ('"till.colour" = "red"', '"till.colour" = 1', "till.colour: expected a text in quotes, got 1"),
        ('rules = "broken"', 'rules = "brokn"', "rules: expected shipped or broken, got 'brokn'; did you mean broken?"),
        ('rules = "broken"', 'configurations = ["red"]', "expected configurations or settings, got both"),
        ('configurations = ["default", "red"]', 'name = "x"', "name: expected settings beside it, got none"),
        ("seeds = 4", "seeds = ", "expected TOML, got Invalid value"),
        (GOOD, "seeds = 4", "search: expected a table [[search]], got none"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_file_is_one_line_and_nothing_is_made(call, tmp_path, old, new, said):
    """Exit 65, with the key."""
    assert old in GOOD
    (tmp_path / "c.toml").write_text(GOOD.replace(old, new))
    result = call("campaign", "c.toml", *HERE)
    assert result.exit_code == 65, result.stderr
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "campaigns").exists()


def test_a_configuration_that_is_asked_for_twice_is_refused(tmp_path):
    """Its figures would be mixed."""
    path = tmp_path / "c.toml"
    path.write_text('seeds = 1\n[[search]]\nprotocol = "till"\n[[search]]\nprotocol = "till"\n')
    with pytest.raises(BadInput, match="expected each configuration once, got till 'default' again"):
        of_file(path)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tilt", "--seeds", "1"], "expected iceberg or "),
        (["till"], "expected --minutes or --seeds, got neither"),
        (["till", "--minutes", "0"], "expected minutes, more than 0, as in 10 or 0.5, got '0'"),
        (["till", "--seeds", "0"], "expected a number of runs from 1"),
        (["no.toml"], "campaign no.toml: expected a file, got no such file"),
        (["no.toml", "till"], "expected one file, or names of protocols, got no.toml till"),
        (["till", "--seeds", "1", "--out", "full"], "expected a new, an empty or a campaign's folder, got another one"),
        (["till", "--seeds", "1", "--live", "-1"], "'--live': -1 is not in the range"),
        (["report", "full"], "folder full: expected a campaign's, got one without a readable campaign.json"),
        (["report", "no"], "folder no: expected a campaign's, got one without a readable campaign.json"),
    ],
)
def test_what_cannot_be_is_one_line(call, tmp_path, arguments, said):
    """Exit 64; what is in a folder stays as it is."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    result = call("campaign", *arguments, *([] if arguments[0] == "report" else HERE))
    assert result.exit_code == 64, result.stderr
    assert said in result.stderr
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["x"]
