"""Operations of vectors that manage snapshots, branches and tags; a snapshot is named by its place among the table's.

`{"op": "roll-back", "to": 0}`, `{"op": "set-current", "to": 0}`, `{"op": "expire-snapshots", "ids": [0]}` or `"keep":
1`, `{"op": "cherry-pick", "id": 1}`, `{"op": "create", "name": "b", "at": 0}` and `replace`, `remove`, with `"tag":
true` for tags, `{"op": "fast-forward", "name": "b", "to": "main"}`, `{"op": "publish", "ref": "b"}`,
`{"op": "replace-branch", ...}`, `{"op": "rename-branch", "name": "b", "to": "c"}`, and several of them in one commit,
`{"op": "manage", "changes": [...]}`. What makes a snapshot may have `"branch": "b"`, `"staged": true` and `"wap": 7`,
`"job": 7` in its summary, and `"unless": 7`: no snapshot of its branch may have that.
"rollback", "expire" and "add-snapshot" change metadata by itself.
"""

from collections.abc import Callable
from typing import Any

from model.iceberg import manage as manage_module
from model.iceberg.cherry_pick import STAGED_WAP_ID, CherryPick
from model.iceberg.expire import ExpireSnapshots, expire_snapshot
from model.iceberg.manage import Making, manage
from model.iceberg.manage_several import Change, manage_several
from model.iceberg.metadata import Snapshot, TableMetadata, add_snapshot, move_branch
from model.iceberg.references import SetSnapshot, UpdateReferences
from model.iceberg.table import IcebergTable

Op = dict[str, Any]
MOVES = ("roll-back", "set-current", "cherry-pick")


def at(table: IcebergTable, place: int) -> int:
    """The snapshot at a place among the table's; one that it does not have, beyond them."""
    snapshots = table.metadata.snapshots
    return snapshots[place].snapshot_id if place < len(snapshots) else 999


def refs_of(metadata: TableMetadata) -> dict[str, int]:
    """Where refs point, by places."""
    places = {each.snapshot_id: place for place, each in enumerate(metadata.snapshots)}
    return {name: places[target] for name, target in metadata.refs}


def aim(producer: Any, op: Op) -> Any:
    """The producer, for a branch or for none, with its WAP id."""
    if "branch" in op:
        producer.to_branch(op["branch"])
    if op.get("staged"):
        producer.stage_only()
    if "wap" in op:
        producer.set(STAGED_WAP_ID, op["wap"])
    if "job" in op:
        producer.set("job", op["job"])
    if "unless" in op:
        producer.validate_with(lambda line: all(dict(each.summary).get("job") != op["unless"] for each in line))
    return producer


def _roll_back(table: IcebergTable, op: Op) -> None:
    manage(table, _moving(table, op))


def _moving(table: IcebergTable, op: Op) -> Making:
    """What makes the change that sets main to a snapshot, or publishes one."""
    if op["op"] == "cherry-pick":
        picked = at(table, op["id"])
        return lambda staged: CherryPick(staged, picked)
    to = at(table, op["to"])
    return lambda staged: SetSnapshot(staged, to, anywhere=op["op"] == "set-current")


def _expire(table: IcebergTable, op: Op) -> None:
    update = ExpireSnapshots(table)
    for place in op.get("ids", ()):
        update.expire_snapshot_id(at(table, place))
    if "keep" in op:
        update.age_out(op["keep"])
    update.commit()


def _publish(table: IcebergTable, op: Op) -> None:
    manage_module.publish(table, op["ref"])


def _change(table: IcebergTable, op: Op) -> None:
    change = _changing(table, op)
    manage(table, lambda staged: change(UpdateReferences(staged)))


def _manage(table: IcebergTable, op: Op) -> None:
    manage_several(table, [_one_of(table, one) for one in op["changes"]])


def _one_of(table: IcebergTable, op: Op) -> Change:
    if op["op"] in MOVES:
        return lambda manager: manager.change(_moving(table, op))
    return lambda manager: manager.change_refs(_changing(table, op))


def _changing(table: IcebergTable, op: Op) -> Callable[[UpdateReferences], UpdateReferences]:
    name, tag, place = op["name"], op.get("tag", False), at(table, op.get("at", 0))

    def change(update: UpdateReferences) -> UpdateReferences:
        match op["op"]:
            case "create":
                return update.create(name, place, tag=tag)
            case "replace":
                return update.replace(name, place, tag=tag)
            case "remove":
                return update.remove(name, tag=tag)
            case "rename-branch":
                return update.rename(name, op["to"])
            case _:
                return update.move(name, op["to"], fast_forward=op["op"] == "fast-forward")

    return change


def _forge(table: IcebergTable, op: Op) -> None:
    base = table.ops.refresh()
    if op["op"] == "rollback":
        table.ops.commit(move_branch(base, op["to"]))
    elif op["op"] == "expire":
        table.ops.commit(expire_snapshot(base, op["id"]))
    else:
        snapshot = Snapshot(op["id"], base.current_snapshot_id, op["sequence"], "append", "t/metadata/forged")
        table.ops.commit(add_snapshot(base, snapshot))


MANAGING: dict[str, Callable[[IcebergTable, Op], None]] = {
    **dict.fromkeys(MOVES, _roll_back),
    "expire-snapshots": _expire,
    "manage": _manage,
    "publish": _publish,
    **dict.fromkeys(("create", "replace", "remove", "fast-forward", "replace-branch", "rename-branch"), _change),
    **dict.fromkeys(("rollback", "expire", "add-snapshot"), _forge),
}
