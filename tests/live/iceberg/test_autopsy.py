"""Tables that real Spark and Iceberg write have no finding, whatever was done to them in order."""

from itertools import chain

import pytest

from checkers.iceberg.autopsy.records import DATA, POSITION_DELETES
from tests.unit.iceberg.autopsy.tables import examined, remains

pytestmark = pytest.mark.live

MERGE_ON_READ = ", ".join(f"'write.{what}.mode'='merge-on-read'" for what in ("delete", "update", "merge"))
LIFE = """
    INSERT INTO {t} VALUES (1, 'a', 0), (2, 'b', 0), (3, 'c', 1)
    INSERT INTO {t} VALUES (4, 'd', 1)
    DELETE FROM {t} WHERE id = 2
    UPDATE {t} SET v = 'A' WHERE id = 1
    MERGE INTO {t} t USING (SELECT 3 id) s ON t.id = s.id WHEN MATCHED THEN DELETE
    ALTER TABLE {t} CREATE BRANCH b
    ALTER TABLE {t} CREATE TAG kept
    INSERT INTO {t}.branch_b VALUES (9, 'z', 0)
    ALTER TABLE {t} ADD COLUMN w int
    ALTER TABLE {t} ADD PARTITION FIELD bucket(2, id)
    INSERT INTO {t} VALUES (5, 'e', 0, 7)
    CALL life.system.rewrite_data_files(table => '{t}', options => map('min-input-files', '1'))
    CALL life.system.rewrite_position_delete_files(table => '{t}', options => map('rewrite-all', 'true'))
    CALL life.system.rewrite_manifests('{t}')
    INSERT OVERWRITE {t} SELECT id, v, p, w FROM {t} WHERE id > 3
    ALTER TABLE {t} SET TBLPROPERTIES ('who' = 'me')
    DELETE FROM {t} WHERE p = 1
"""


@pytest.fixture(scope="module")
def warehouse(spark, tmp_path_factory):
    """A Hadoop catalog whose tables lie in a folder, and what runs statements in it."""
    folder = tmp_path_factory.mktemp("warehouse")
    session = spark[0]
    session.add_catalog("life", {"type": "hadoop", "warehouse": f"file://{folder}", "cache-enabled": "false"})
    return folder, session.sql


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_table_of_real_spark_has_no_finding(warehouse, version):
    """Row-level deletes, deletion vectors, branches, evolution, compaction, expiry; for each format version."""
    whole, sql = warehouse
    table, folder = f"life.db.t{version}", whole / "db" / f"t{version}"
    properties = f"'format-version'='{version}'" + (f", {MERGE_ON_READ}" if version > 1 else "")
    sql(f"CREATE TABLE {table} (id int, v string, p int) USING iceberg PARTITIONED BY (p) TBLPROPERTIES ({properties})")
    for statement in filter(None, map(str.strip, LIFE.splitlines())):
        sql(statement.format(t=table))
    found, contents = examined(folder), {entry.content for entry in chain(*remains(folder).manifests.values())}
    assert contents == ({DATA} if version == 1 else {DATA, POSITION_DELETES})
    assert [finding for finding in found.findings if finding.kind != "delete-of-nothing"] == []
    assert found.rows[-1].became == "the table stands here"
    first = sql(f"SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at")[0][0]
    sql(f"CALL life.system.rollback_to_snapshot('{table}', {first})")
    sql(f"CALL life.system.expire_snapshots(table => '{table}', older_than => TIMESTAMP '2100-01-01 00:00:00')")
    sql(f"INSERT INTO {table} VALUES (11, 'k', 0, 1)")
    found = examined(folder)
    assert [finding for finding in found.findings if finding.kind != "delete-of-nothing"] == []
    assert any("snapshots were removed on the table's line" in note for note in found.notes)
