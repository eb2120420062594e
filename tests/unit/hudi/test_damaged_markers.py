"""Marker files that vanish, or whose type is cut: which file is struck, and what others make of what is left."""

from dataclasses import replace

import pytest

from model.hudi import SHIPPED, Cleaner, HudiClient
from model.hudi.errors import ConfigError, StorageFailed
from model.hudi.keys import USING_MARKERS
from model.hudi.marker_files import CUT_TYPE, read_marker_files
from model.hudi.names import TEMP, marker_file, marker_type
from model.hudi.options import parse_options
from model.hudi.storage import TableStorage
from model.hudi.variants import CUT_MARKERS_LISTED
from sim.hudi.build import NO_FAULTS, OPTIMISTIC, PREFERRING, SERVER, race
from sim.hudi.draw.said import said_of_faults
from sim.hudi.files import NOTHING
from sim.hudi.promises import VANISHED
from sim.hudi.statements import DamageMarkers, Upsert
from sim.world.scenario import FaultSpace
from tests.unit.hudi.worlds import Lab, Refusing

LISTED = ((USING_MARKERS, "false"),)
PLACE = f"{TEMP}/newest-marker"


def dead(lab, *, rows=(("1", "A"),)):
    """A writer that has written and says nothing any more; returns its instant."""
    client = HudiClient(lab.world("w"), replace(lab.config, marker_batch_ms=0), SHIPPED, owner="w")
    instant = client.start_commit()
    client.upsert(rows, instant)
    client.close()
    lab.wait(lab.config.tolerance_ms + 1_000)
    return instant


def files_left(lab, rules=SHIPPED):
    """The files of dead writers when somebody has cleaned."""
    Cleaner(lab.world("c"), lab.config, rules, owner="c").clean()
    return [path for path in lab.files.files if path.startswith("p1/") and not path.endswith("_000000.parquet")]


@pytest.mark.parametrize(
    ("options", "left"),
    [((), 1), (SERVER, 1), (((USING_MARKERS, "false"),), 0), ((*SERVER, (USING_MARKERS, "false")), 0)],
)
def test_a_file_whose_marker_vanished_stays_unless_rollbacks_list(options, left):
    """Of either type."""
    lab = Lab((*OPTIMISTIC, *options))
    dead(lab)
    assert lab.files.damage(PLACE, "vanished") != NOTHING
    assert len(files_left(lab)) == left


def test_without_its_type_a_servers_markers_are_found():
    """HUDI-4517."""
    lab = Lab((*OPTIMISTIC, *SERVER))
    instant = dead(lab)
    assert lab.files.damage(PLACE, "type vanished") == marker_type(instant)
    assert files_left(lab) == []


def test_a_cut_type_stops_rollbacks_as_shipped():
    """`MarkerType.valueOf`; repaired, the files of the instant are listed."""
    lab = Lab((*OPTIMISTIC, *SERVER))
    instant = dead(lab)
    assert lab.files.damage(PLACE, "type cut") == marker_type(instant)
    assert lab.files.files[marker_type(instant)][0] == CUT_TYPE
    for _ in range(2):
        with pytest.raises(StorageFailed, match="expected a type"):
            files_left(lab)
    assert files_left(lab, CUT_MARKERS_LISTED) == []


def test_the_newest_instant_that_has_one_is_struck():
    """An older one when that has no more."""
    lab = Lab(OPTIMISTIC)
    older, newer = dead(lab), dead(lab)
    struck = [lab.files.damage(PLACE, "vanished") for _ in range(3)]
    assert [f"/{newer:06d}/" in struck[0], f"/{older:06d}/" in struck[1], struck[2]] == [True, True, NOTHING]


def test_a_file_that_is_being_written_is_none_yet():
    """Its end comes, whatever happens to it before."""
    lab = Lab((*OPTIMISTIC, *SERVER))
    lab.files.overwrite(marker_file(7, 0))
    assert lab.files.damage(PLACE, "vanished") == NOTHING


def test_a_file_that_vanishes_after_it_was_listed_cannot_be_read():
    """So it ends the checker, as one that is being written does (F-9)."""
    lab = Lab((*OPTIMISTIC, *SERVER))
    instant = dead(lab)
    storage = TableStorage(lab.world("r", files=Refusing(lab.files, "read")), lab.config)
    with pytest.raises(StorageFailed, match=marker_file(instant, 0)):
        read_marker_files(storage, instant)


def test_promises_ask_of_vanished_markers_as_of_faults():
    """Of a type that vanished or is cut all rules say what comes of it."""
    assert said_of_faults(FaultSpace({"create": ("late",)}, limit=1), [[DamageMarkers()]]) == f"late {VANISHED}"
    assert said_of_faults(NO_FAULTS, [[DamageMarkers("type cut")]]) == ""


def test_only_a_servers_markers_have_a_type():
    """And damage has kinds that are known."""
    with pytest.raises(ConfigError, match="vanished unless"):
        race("x", "", {"w1": [Upsert(((1, "A"),))], "h": [DamageMarkers("type cut")]}, options=PREFERRING)
    with pytest.raises(ConfigError, match="one of vanished"):
        DamageMarkers("melted")  # type: ignore[arg-type]
    assert parse_options({USING_MARKERS: "false"}).rollback_using_markers is False
