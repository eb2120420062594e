"""A marker file that ends within a line: what a rollback makes of it."""

from dataclasses import replace

import pytest

from model.hudi import SHIPPED, Cleaner, HudiClient
from model.hudi.errors import ConfigError, StorageFailed
from model.hudi.marker_files import CUT
from model.hudi.names import marker_file
from model.hudi.variants import CUT_MARKERS_LISTED
from sim.hudi.build import OPTIMISTIC, PREFERRING, SERVER, race
from sim.hudi.built_in.server_markers import CLEANING
from sim.hudi.built_in.server_markers import CUT as HISTORY
from tests.unit.hudi.worlds import Lab


def left(rules):
    """A writer that left its marker file so; returns the files of its instant when somebody has cleaned."""
    lab = Lab((*OPTIMISTIC, *SERVER))
    client = HudiClient(lab.world("w"), replace(lab.config, marker_batch_ms=0), SHIPPED, owner="w")
    instant = client.start_commit()
    client.upsert((("1", "A"),), instant)
    client.close()
    path = marker_file(instant, 0)
    (marker,) = lab.files.files[path][0]
    lab.files.write(path, (marker._replace(kind=CUT),))
    lab.wait(lab.config.tolerance_ms + 1_000)
    cleaner = Cleaner(lab.world("c"), lab.config, rules, owner="c")
    for _ in range(2):
        if rules is SHIPPED:
            with pytest.raises(StorageFailed, match="one line ends before it"):
                cleaner.clean()
        else:
            cleaner.clean()
    return [path for path in lab.files.files if f"{instant:06d}" in path and path.startswith("p1/")]


def test_a_rollback_fails_each_time():
    """As 1.2.0 does, of which `tests/live/hudi/test_cut_markers.py` has the same."""
    assert len(left(SHIPPED)) == 1


def test_repaired_it_deletes_what_there_is():
    """What the line was about is among the files of its instant."""
    assert left(CUT_MARKERS_LISTED) == []


def test_direct_markers_have_no_lines():
    """A table with them has no such file."""
    with pytest.raises(ConfigError, match="history"):
        race("cut", "", CLEANING, options=PREFERRING, history=HISTORY)
