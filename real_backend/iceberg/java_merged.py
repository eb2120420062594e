"""What a deletion vector deletes that a commit of the Java API has written itself, as it merges those that it is given
of one data file: it is read.

Source: `org.apache.iceberg.deletes.PositionDeleteIndex.deserialize`; `core/DVUtil.java` of 1.11.0.
"""

from typing import Any

from real_backend.jvm.jvm import Jvm


def positions_in(jvm: Jvm, io: Any, vector: Any, rows: int) -> frozenset[int]:
    """The positions that it deletes. Args: `rows`: how many the data file has."""
    stream = io.newInputFile(str(vector.location())).newStream()
    try:
        stream.seek(vector.contentOffset())
        index = jvm.iceberg.deletes.PositionDeleteIndex.deserialize(
            stream.readNBytes(int(vector.contentSizeInBytes())), vector
        )
    finally:
        stream.close()
    return frozenset([at for at in range(rows) if index.isDeleted(at)])
