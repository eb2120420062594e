"""Slices run again under other hash seeds: those that depend on the order of a set are told."""

import json
from dataclasses import replace

import pytest

from real_backend.errors import BackendError
from real_backend.pipeline.campaign import CampaignPlan, Configuration, kept_slices, search
from real_backend.pipeline.folder import opened
from real_backend.pipeline.hash_seeds import compare, compare_campaign
from real_backend.pipeline.slices import Slice
from real_backend.pipeline.waves import InProcess
from tests.unit.real_backend.pipeline.generators import LOOKING, TILL, UNSTABLE

SLICE = Slice(TILL, "till", "looking", LOOKING, "shipped", 0, 1, 2, 2)
PLAIN = Configuration(TILL, "till", "looking", LOOKING, "shipped")
ODD, EVEN = 0, 4
"""Hash seeds under which the hash of "a" is odd, and even."""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A campaign of four slices."""
    path = tmp_path_factory.mktemp("campaigns") / "c"
    search(path, CampaignPlan((PLAIN,), seeds=4, seeds_each=1, first=2, most=2), InProcess())
    return path


def test_slices_that_hash_seeds_decide_are_told():
    """Of two slices the one is told whose generator asks for a hash, with both digests."""
    unstable = replace(SLICE, generator=UNSTABLE)
    found = compare([SLICE, unstable], hash_seeds=(ODD, EVEN))
    assert [(one.slice, one.hash_seed) for one in found] == [(unstable, EVEN)]
    assert found[0].expected != found[0].got


def test_slices_of_a_campaign_are_those_that_it_kept(path):
    """In the plan's order, made again from what the folder says."""
    slices = kept_slices(opened(path))
    assert [one.seed_lo for one in slices] == [0, 1, 2, 3]
    assert {one.key for one in slices} == opened(path).keys()


def test_a_campaign_is_compared_by_the_digests_that_it_kept(path):
    """Nothing differs of a sample of two."""
    assert compare_campaign(path, 2, (1,)) == []


def test_a_digest_that_is_not_met_again_is_told(path):
    """Under each hash seed."""
    slices = kept_slices(opened(path))[:1]
    assert [(one.hash_seed, one.expected) for one in compare(slices, ["other"], (1, 2))] == [(1, "other"), (2, "other")]


def test_a_campaign_of_other_code_is_refused(path, tmp_path):
    """Its slices are none of this code."""
    about = json.loads((path / "campaign.json").read_text())
    (tmp_path / "campaign.json").write_text(json.dumps({**about, "code": "0"}))
    with pytest.raises(ValueError, match="expected a campaign of the same code"):
        compare_campaign(tmp_path)


def test_a_sample_below_one_is_refused(path):
    """One line."""
    with pytest.raises(ValueError, match="sample: expected slices from 1, got 0"):
        compare_campaign(path, 0)


def test_a_process_that_fails_is_one_line():
    """The last line of what it said."""
    with pytest.raises(BackendError, match="hash seed 1: expected the digests of 1 slices, got ModuleNotFoundError"):
        compare([replace(SLICE, generator="nowhere:NAME")], ["x"], (1,))
