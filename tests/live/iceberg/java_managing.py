"""Operations of vectors that manage snapshots, branches and tags, on the real Iceberg
(`tests.unit.iceberg.managing_vectors`)."""

from collections.abc import Callable
from typing import Any

from real_backend.iceberg.java_ancestry import Unless

MANAGED = (
    "roll-back", "set-current", "cherry-pick", "create", "replace", "remove", "fast-forward", "replace-branch",
    "expire-snapshots", "rename-branch", "manage",
)  # fmt: skip
FAR_FUTURE_MS = 1 << 52
Op = dict[str, Any]


def managed(table: Any, op: Op, applied: bool) -> Callable[[], object]:
    """The operation up to its commit. Args: `applied`: what a first attempt of an expiry chooses has been chosen."""
    if op["op"] != "expire-snapshots":
        return _changed(table, op)
    update = table.expireSnapshots()
    for place in op.get("ids", ()):
        update = update.expireSnapshotId(_at(table, place))
    if "keep" in op:
        update = update.expireOlderThan(FAR_FUTURE_MS).retainLast(op["keep"])
    if applied:
        update.apply()
    return update.commit  # type: ignore[no-any-return]  # a method of Java's


def _changed(table: Any, op: Op) -> Callable[[], object]:
    manager = table.manageSnapshots()
    for one in op["changes"] if op["op"] == "manage" else (op,):
        manager = _with(manager, table, one)
    return manager.commit  # type: ignore[no-any-return]  # a method of Java's


def _with(manager: Any, table: Any, op: Op) -> Any:
    kind = "Tag" if op.get("tag") else "Branch"
    match op["op"]:
        case "roll-back":
            return manager.rollbackTo(_at(table, op["to"]))
        case "set-current":
            return manager.setCurrentSnapshot(_at(table, op["to"]))
        case "cherry-pick":
            return manager.cherrypick(_at(table, op["id"]))
        case "create":
            return getattr(manager, f"create{kind}")(op["name"], _at(table, op["at"]))
        case "replace":
            return getattr(manager, f"replace{kind}")(op["name"], _at(table, op["at"]))
        case "remove":
            return getattr(manager, f"remove{kind}")(op["name"])
        case "rename-branch":
            return manager.renameBranch(op["name"], op["to"])
        case "fast-forward":
            return manager.fastForwardBranch(op["name"], op["to"])
        case _:
            return manager.replaceBranch(op["name"], op["to"])


def _at(table: Any, place: int) -> int:
    snapshots = [int(each.snapshotId()) for each in table.snapshots()]
    return snapshots[place] if place < len(snapshots) else 999


def aimed(update: Any, op: Op) -> Any:
    """The update, for a branch or for none, with its WAP id."""
    if "branch" in op:
        update = update.toBranch(op["branch"])
    if "wap" in op:
        update = update.set("wap.id", str(op["wap"]))
    if "job" in op:
        update = update.set("job", str(op["job"]))
    if "unless" in op:
        update = update.validateWith(Unless(op["unless"]))
    return update.stageOnly() if op.get("staged") else update


def places_of_refs(table: Any) -> dict[str, int]:
    """Where refs point, by the places of their snapshots among the table's."""
    places = {int(each.snapshotId()): place for place, each in enumerate(table.snapshots())}
    refs = table.refs()
    return {str(name): places[int(refs[name].snapshotId())] for name in sorted(map(str, refs))}
