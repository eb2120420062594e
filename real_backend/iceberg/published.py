"""What `set_current_snapshot` of Spark SQL sets main to, where the branch that it names moves meanwhile.

It looks the branch up in the table as its session loads it, or has it in a cache: what it sets is one of the snapshots
that the branch was at since the statement was sent, or before. Source: `SetCurrentSnapshotProcedure` of 1.11.0;
`sim.iceberg.heads`, which says the same of the model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from real_backend.iceberg.live_heads import Moved
from real_backend.iceberg.live_run import Command, LiveRun
from sim.iceberg.managing import Publish

Refs = Mapping[str, int]


class Published:
    """Notes where branches and tags are, from commit to commit."""

    def __init__(self) -> None:
        self._noted: list[Refs] = []
        self._sent: dict[tuple[str, int], int] = {}

    def note(self, metadata: Mapping[str, object]) -> None:
        """They are where these metadata, in their JSON form, have them."""
        refs = metadata.get("refs", {})
        assert isinstance(refs, Mapping)
        self._noted.append({name: int(ref["snapshot-id"]) for name, ref in refs.items()})

    def send(self, actor: str, number: int) -> None:
        """A statement of an actor is sent now."""
        self._sent[actor, number] = len(self._noted) - 1

    def in_run(self, run: LiveRun, moves: Sequence[Moved]) -> LiveRun:
        """The run, in which what was published is told by where main was set to. Args: `moves`: as `by_heads`."""
        numbers: dict[str, int] = {}
        commands = []
        for command in run.commands:
            number = numbers[command.actor] = numbers.get(command.actor, -1) + 1
            commands.append(self._told(command, (command.actor, number), run, moves))
        return replace(run, commands=tuple(commands))

    def _told(self, command: Command, sent: tuple[str, int], run: LiveRun, moves: Sequence[Moved]) -> Command:
        statement = command.statement
        if not isinstance(statement, Publish) or not command.commit or sent not in self._sent:
            return command
        known = [refs.get(statement.ref) for refs in self._noted[self._sent[sent] :]]
        rows = run.contents[command.commit]
        if rows is None or moves[command.commit - 1].snapshot not in known:
            return command
        return replace(command, versions=(rows,))
