"""A marker file of the timeline server whose writer died within a line, on the real Hudi 1.2.0: no rollback succeeds.

`MarkerBasedRollbackStrategy` takes what follows the last dot of each line for the kind of its marker.
"""

import pytest

from tests.live.hudi.test_marker_names import SERVER, Table

pytestmark = pytest.mark.live


@pytest.mark.parametrize("name", ["MARKERS0", "MARKERS.type"])
def test_who_rolls_back_fails_for_ever(spark, tmp_path, name):
    """One writer, the default clean-up: nobody can write any more until somebody mends the file by hand."""
    made = Table(spark, tmp_path / "t", SERVER)
    made.write("1", "p", "a", 0)
    made.write("1", "p", "dead", 1, dies=True)
    (file,) = made.table.path.glob(f".hoodie/.temp/*/{name}")
    whole = file.read_text()
    file.write_text(whole.rstrip()[:-2])
    for _ in range(2):
        with pytest.raises(Exception, match="No enum constant"):
            made.write("2", "q", "b", 2)
    file.write_text(whole)
    made.write("2", "q", "b", 2)
    assert made.table.rows() == ((("1", "a"), ("2", "b")), None)
