"""What a commit over REST requires that removes partition specs: upstream's tests as data."""

import json

import pytest

from model.iceberg.metadata import TableMetadata
from model.iceberg.requirements import requirements_of
from model.iceberg.rules import SHIPPED
from model.iceberg.spec_changes import RemovePartitionSpecs
from model.ports import CasLost
from tests.unit.iceberg.vector_files import FOLDER

VECTORS = json.loads((FOLDER / "iceberg_requirements.json").read_text(encoding="utf-8"))


def refused(vector) -> str:
    """What a server says that has the refs as they are now; "" if nothing."""
    base = TableMetadata(uuid=1, refs=tuple(vector["refs"].items()))
    now = base._replace(refs=tuple(vector["now"].items()))
    try:
        for requirement in requirements_of(base, (RemovePartitionSpecs((1, 2)),), SHIPPED):
            requirement.validate(now)
    except CasLost as lost:
        return str(lost)
    return ""


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: one["name"])
def test_vector(vector):
    """As upstream's test says."""
    assert refused(vector) == vector["expect"]
