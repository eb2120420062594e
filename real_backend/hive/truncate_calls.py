"""A live metastore's truncates, as `model.hive` makes them."""

from hive_metastore import ttypes as wire

from model.hive.errors import NoSuchTable
from model.hive.lists import ValidWriteIdList
from model.hive.replica import Request
from model.hive.rows import Event
from model.ports import Refused
from real_backend.hive.client import split_name
from real_backend.hive.constraint_calls import LiveConstraints
from real_backend.hive.log_view import content_event
from real_backend.hive.logged import truncates


class LiveTruncates(LiveConstraints):
    """One actor's view of one metastore, which truncates its tables."""

    def truncate_table(
        self, name: str, write_id: int, writes: ValidWriteIdList | None, table_id: int | None = None, *,
        partitioned: bool,
    ) -> tuple[Event, ...]:  # fmt: skip
        """Returns: the event of each change.

        Raises: `NoSuchTable`, which the server does not name where it reads none: the call declares no such exception,
        and it says that it has an internal error.
        """
        before = self._backing.last_event()
        request = wire.TruncateTableRequest(
            *split_name(self._names.live(name)), writeId=write_id or -1,
            validWriteIdList=self._list(Request(name, 0, writes)),
        )  # fmt: skip
        try:
            self._call(lambda calls: calls.truncate_table_req(request))
        except Refused as error:
            if self._backing.table(self._names.live(name)) is None:
                raise NoSuchTable(str(error)) from None
            raise
        made = self._backing.content_events(self._names.databases, self._began)
        mine = [(place, row) for place, row in enumerate(made, 1) if row.id > before and truncates(row)]
        return tuple([
            content_event(row, self._names)._replace(id=place, log_id=place, write_id=write_id) for place, row in mine
        ])  # fmt: skip
