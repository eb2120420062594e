"""The files that a live table's snapshots name, which are made old before somebody removes orphans."""

from types import SimpleNamespace
from unittest.mock import MagicMock

from py4j.protocol import Py4JJavaError

from real_backend.iceberg.rest_gate import files_named
from real_backend.iceberg.sql import make_old


def test_of_a_snapshot_whose_manifests_are_gone_the_list_is_named_alone():
    """Others are named whole."""
    gone = Py4JJavaError("NotFoundException", SimpleNamespace(_target_id="o1", _gateway_client=None))
    broken, whole = (
        MagicMock(**{"manifestListLocation.return_value": f"file:/t/{name}"}) for name in ("broken", "whole")
    )
    broken.allManifests.side_effect = gone
    whole.allManifests.return_value = [MagicMock(**{"path.return_value": "file:/t/m0"})]
    for kind in (whole.addedDataFiles, whole.addedDeleteFiles):
        kind.return_value = []
    table = MagicMock(**{"snapshots.return_value": [broken, whole]})
    assert files_named(MagicMock(), table) == ("/t/broken", "/t/whole", "/t/m0")


def test_what_is_gone_is_not_made_old(tmp_path):
    """Another session has removed it as an orphan."""
    there = tmp_path / "m0"
    there.touch()
    made = there.stat().st_mtime
    make_old([str(tmp_path / "gone"), str(there)], age_s=3600)
    assert made - there.stat().st_mtime > 3000
