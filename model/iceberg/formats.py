"""The format of a table, which may change to a later one.

Source: `core/TableMetadata.java`, `Builder.upgradeFormatVersion` of 1.11.0; that is what setting the property
`format-version` does (`replaceProperties`).
"""

from model.iceberg.errors import InvalidOperation
from model.iceberg.metadata import TableMetadata

FORMAT = "format-version"


def upgraded(base: TableMetadata, version: int) -> TableMetadata:
    """`base` in another format; snapshots and manifests stay as they are.

    Raises: `InvalidOperation` if it is an older one. Source: `Builder.upgradeFormatVersion`.
    """
    if version < base.format_version:
        raise InvalidOperation(f"format {version}: expected one from {base.format_version} on, got an older one")
    return base if version == base.format_version else base._replace(format_version=version)
