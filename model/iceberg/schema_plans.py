"""Changes of a schema as commands of the Java API (`updateSchema`): any commit in between refuses each."""

from model.iceberg.column_types import INT
from model.iceberg.plans import Planned, command
from model.iceberg.table import IcebergTable
from model.iceberg.update_schema import UpdateSchema


def add_column(table: IcebergTable, name: str, of: str = INT) -> Planned:
    """By one column of a type."""
    return Planned(UpdateSchema(table).add_column(name, of), command(table))


def add_struct(table: IcebergTable, name: str, field: str) -> Planned:
    """By a struct of one column."""
    return Planned(UpdateSchema(table).add_struct(name, field), command(table))


def drop_column(table: IcebergTable, name: str) -> Planned:
    """Without one column."""
    return Planned(UpdateSchema(table).drop_column(name), command(table))


def rename_column(table: IcebergTable, name: str, new: str) -> Planned:
    """With another name of one column."""
    return Planned(UpdateSchema(table).rename_column(name, new), command(table))


def update_column(table: IcebergTable, name: str, to: str) -> Planned:
    """With a wider type of one column."""
    return Planned(UpdateSchema(table).update_column(name, to), command(table))


def move_column(table: IcebergTable, name: str, after: str) -> Planned:
    """With one column behind another one."""
    return Planned(UpdateSchema(table).move_after(name, after), command(table))
