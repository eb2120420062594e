"""An append for a job that commits once: its snapshot says for which, and it is refused where an ancestor says so, too.

It is what `validateWith` is for: a writer who does not know whether he has committed commits again.

Source: `core/SnapshotAncestryValidator.java`, `core/SnapshotProducer.java` (`runValidations`) of 1.11.0.
"""

from model.iceberg.append import FastAppend
from model.iceberg.files import Rows
from model.iceberg.plans import Planned, command
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_data_files

JOB = "job"


def append_once(table: IcebergTable, rows: Rows, job: int) -> Planned:
    """`newFastAppend` of one new data file, which no ancestor has brought."""
    producer = FastAppend(table)
    producer.set(JOB, job)
    producer.validate_with(lambda line: all(dict(each.summary).get(JOB) != job for each in line))
    for file in write_data_files(table, rows):
        producer.append_file(file)
    return Planned(producer, command(table, writes=rows))
