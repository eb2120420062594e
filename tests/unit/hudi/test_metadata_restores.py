"""The metadata table beside restores: what is left of it, who makes it anew, and what cleaning takes from it."""

from dataclasses import replace

import pytest

from model.hudi import SHIPPED, HudiClient, Reader, RestoreClient, SavepointClient
from model.hudi.errors import RestoreFailed, RestorePending
from model.hudi.keys import LATEST_COMMITS, LATEST_VERSIONS
from model.hudi.metadata_cleaning import policy_of
from model.hudi.metadata_folder import Below
from model.hudi.metadata_records import FilesRecord
from model.hudi.metadata_slices import FILES, slices_of
from model.hudi.metadata_table import MetadataTable
from model.hudi.names import COMMIT, METADATA, BaseFile, requested_path, timeline_folder
from model.hudi.timeline import Timeline, parse_timeline
from model.hudi.variants import METADATA_REMADE
from sim.hudi.build import PREFERRING
from sim.hudi.built_in.metadata_tables import LISTED_BY
from tests.unit.hudi.metadata_restore_vectors import RESTORES, Case, made, name_of
from tests.unit.hudi.worlds import Lab


class _Client:
    """One client, of a table that somebody may restore."""

    def __init__(self, *options: tuple[str, str], rules=METADATA_REMADE) -> None:
        self.lab = Lab((*PREFERRING, LISTED_BY, *options))
        self.config = replace(self.lab.config, restored=True)
        self.rules, self.world, self.values = rules, self.lab.world("w"), 0

    def upsert(self) -> None:
        self.values += 1
        client = HudiClient(self.world, self.config, self.rules)
        instant = client.start_commit()
        client.commit(instant, client.upsert((("1", str(self.values)),), instant))
        self.lab.wait(10)

    def savepoint(self) -> None:
        SavepointClient(self.world, self.config, self.rules).savepoint()

    def restore(self) -> str:
        """What a vector says of it."""
        before = self.made()
        try:
            RestoreClient(self.world, self.config, self.rules).restore()
        except RestoreFailed:
            return "fails"
        return "ok" if self.made() == before else "anew"

    def own(self) -> Timeline:
        return parse_timeline(Below(self.lab.files, METADATA).list(timeline_folder(2)))

    def made(self) -> int:
        """When the metadata table was made."""
        return next((each.visible_at for each in self.own().completed if each.requested == 0), -1)

    def slices(self) -> int:
        return len(slices_of(self.own(), Below(self.lab.files, METADATA).list(FILES)))

    def rows(self, *, metadata: bool = True) -> object:
        return Reader(self.lab.world("r"), replace(self.config, metadata=metadata)).read().rows


def _played(case: Case, **rules) -> tuple[tuple[str, ...], int]:
    client, found = _Client(*case.settings, **rules), []
    for said in made(client, case):
        found += [said] if said else []
        assert client.rows() == client.rows(metadata=False)
    return tuple(found), client.slices()


@pytest.mark.parametrize("case", RESTORES, ids=name_of)
def test_what_a_restore_leaves_of_it(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_metadata_restores.py` plays the same cases."""
    assert _played(case, rules=SHIPPED) == (case.restores, case.slices)


def test_one_that_cannot_be_taken_back_is_made_anew_as_repaired():
    """Each time: of commits from before it was made anew it knows nothing."""
    stuck = next(case for case in RESTORES if case.restores[0] == "fails" and len(case.settings) > 1)
    assert _played(stuck, rules=METADATA_REMADE)[0] == ("anew", "anew")


def test_who_writes_beside_one_that_has_failed_is_refused():
    """Until the metadata table is deleted, and the restore gone on with."""
    client = _Client(*RESTORES[-2].settings, rules=SHIPPED)
    for call in RESTORES[-2].calls:
        {"u": client.upsert, "s": client.savepoint, "r": client.restore}[call]()
    with pytest.raises(RestorePending):
        client.upsert()
    client.lab.files.delete(METADATA)
    assert client.restore() == "anew"
    client.upsert()
    assert client.rows() == client.rows(metadata=False)


def test_what_is_made_anew_has_no_file_of_a_write_that_is_under_way():
    """A pending one, or one of a later instant than the last completed one (`DirectoryInfo`)."""
    lab = Lab()
    lab.files.create(requested_path(2, 5, COMMIT), None)
    for instant in (5, 7):
        lab.files.create(f"p1/{BaseFile('fg1', '0-0-0', instant).name}", ())
    table = MetadataTable(lab.world("w"), replace(lab.config, restored=True))
    table.perform_services(iter(range(100, 200)).__next__)
    assert table.listing().list("p1") == (BaseFile("fg1", "0-0-0", 0).name,)


def test_cleaning_keeps_a_fifth_more_than_that_of_the_data_table():
    """Of commits 20 at least (`HoodieMetadataWriteUtils.createMetadataWriteConfig`)."""
    config = Lab().config
    kept = policy_of(replace(config, commits_retained=10, versions_retained=1, hours_retained=24))
    assert (kept.commits_retained, kept.versions_retained, kept.hours_retained) == (20, 2, 29)
    assert policy_of(replace(config, commits_retained=30)).commits_retained == 36


@pytest.mark.parametrize(("policy", "left"), [(LATEST_COMMITS, 3), (LATEST_VERSIONS, 2)])
def test_cleaning_leaves_what_its_policy_says(policy, left):
    """Of five, after 40 delta commits that are compacted nine at a time."""
    lab, times = Lab(), iter(range(1000, 2000))
    config = replace(lab.config, metadata_compact_after=9, slices_policy=policy, versions_retained=1, hours_retained=0)
    table = MetadataTable(lab.world("w"), config)
    for number in range(40):
        table.perform_services(times.__next__)
        instant = next(times)
        table.update(instant, FilesRecord((("p1", str(number)),)), times.__next__)
    below = Below(lab.files, METADATA)
    slices = slices_of(parse_timeline(below.list(timeline_folder(2))), below.list(FILES))
    assert len(slices) == left
    assert len(table.listing().list("p1")) == 40
