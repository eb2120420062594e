"""Numbers of Arrow arrays as numpy has them, and back: from any place in an array, nulls or none."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from checkers.histories.notation import history
from checkers.histories.pairing import arrow, bits, integers, stored
from checkers.histories.storage import write_parquet

_cuts = st.tuples(st.integers(0, 20), st.integers(0, 20))
_whole = st.integers(0, 2**31 - 1)


@given(values=st.lists(st.none() | _whole, max_size=40), kind=st.sampled_from([pa.int32(), pa.int64()]), cut=_cuts)
def test_integers_are_those_of_the_array_and_null_is_minus_one(values, kind, cut):
    """Also of a part of an array that begins inside a byte of what says where null is."""
    array = pa.array(values, kind).slice(*cut)
    wanted = array.to_pylist()
    assert integers(array).tolist() == [-1 if value is None else value for value in wanted]
    assert bits(array, 0).tolist() == [value is not None for value in wanted]


@given(values=st.lists(st.booleans(), max_size=40), cut=_cuts)
def test_truth_values_are_those_of_the_array(values, cut):
    """They lie in bits, from any bit on."""
    array = pa.array(values, pa.bool_()).slice(*cut)
    assert bits(array).tolist() == array.to_pylist()


@given(values=st.lists(st.tuples(_whole, st.booleans()), max_size=40), kind=st.sampled_from([np.int32, np.int64]))
def test_numbers_go_to_arrow_and_come_back(values, kind):
    """With null where they are not there."""
    numbers, there = np.array([one for one, _ in values], kind), np.array([known for _, known in values], np.bool_)
    assert arrow(numbers, there).to_pylist() == [one if known else None for one, known in values]
    assert stored(arrow(numbers)).tolist() == numbers.tolist()


def test_a_large_history_is_judged_without_pandas(tmp_path):
    """Arrow imports it, where it is installed, for what is done here without: a tenth of a second, and its memory."""
    path = tmp_path / "h.parquet"
    write_parquet(history("setup(x=0) w1:upd(x=1)@0->1 ; w1:upd(x=2)@1->2 ; final:read(x=2)@2"), path)
    script = (
        "import sys\n"
        "from checkers.histories import storage\n"
        "from checkers.large import Large\n"
        "storage.LARGE_ROWS = 1\n"
        "judged = Large(storage.read_parquet(sys.argv[1]), ['snapshot-isolation', 'session-guarantees'])\n"
        "print(*judged.decided, 'pandas' in sys.modules)\n"
    )
    told = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["snapshot-isolation", "session-guarantees", "False"]
