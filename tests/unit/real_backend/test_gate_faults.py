"""The faults that scenarios believe the live gates to have are those that the gates have."""

import pytest

from real_backend.iceberg import ops_gate, rest_gate, rest_operations
from sim.iceberg.counterparts import LIVE_FAULTS
from sim.world.fault_spaces import REGISTER


@pytest.mark.parametrize(
    ("system", "gate"),
    [("iceberg-sql", rest_gate), ("iceberg-java", ops_gate), ("iceberg-java-on-rest", rest_operations)],
)
def test_a_scenario_knows_what_its_gate_can_inject(system, gate):
    """No more, or a run is taken to the live system that it cannot play; no less, or none is."""
    known = {
        operation: tuple(kind for kind in kinds if gate.can_fault(operation, kind))
        for operation, kinds in REGISTER.kinds.items()
    }
    assert {operation: set(kinds) for operation, kinds in known.items() if kinds} == {
        operation: set(kinds) for operation, kinds in LIVE_FAULTS[system].items()
    }
