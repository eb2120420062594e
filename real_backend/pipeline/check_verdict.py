"""The verdict on one history from what the jobs found: what is certified, what the witnesses show, what stays open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from checkers.errors import HistoryError
from checkers.finding import Finding
from checkers.properties import RANK, implied
from checkers.verdict import INVALID, UNKNOWN, VALID, Verdict, Violation, check
from real_backend.pipeline.check_facts import Facts
from real_backend.pipeline.check_kernel import MONOTONIC, NO_START, OWN, SNAPSHOT, Judged, Suspect
from real_backend.pipeline.check_operations import Operations
from real_backend.pipeline.check_sessions import Sessions
from real_backend.pipeline.check_witness import Row, witness

ABORTED, SURVIVE, UPDATE, SERIAL = (
    "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update", "serializable"
)  # fmt: skip
SESSION_SNAPSHOT = "strong-session-snapshot-isolation"
PROPERTIES = (ABORTED, SURVIVE, MONOTONIC, OWN, UPDATE, SNAPSHOT, SERIAL, SESSION_SNAPSHOT)
_BY_READS = (ABORTED, UPDATE, SNAPSHOT)
MAX_EXPLAINED = 20


@dataclass(slots=True)
class Found:
    """What the jobs found of one history. `rows` are those of suspects, by operation."""

    facts: Facts
    operations: Sequence[Operations] = ()
    keys: list[Judged] = field(default_factory=list)
    sessions: list[Sessions] = field(default_factory=list)
    rows: dict[int, list[Row]] = field(default_factory=dict)

    def suspects(self) -> list[Suspect]:
        """The first few of each property."""
        some: list[Suspect] = []
        for name in (SNAPSHOT, MONOTONIC, OWN):
            some += [one for part in self.keys for one in part.suspects if one.property == name][:MAX_EXPLAINED]
        return some

    def alone(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """A few operations that were refused and are in the lineage, and a few that are lost from it."""
        refused = [op for part in self.operations for op in part.refused][:1]
        return tuple(refused), tuple([op for part in self.operations for op in part.lost][:1])

    def wanted(self) -> set[int]:
        """The operations whose rows are needed."""
        refused, lost = self.alone()
        return {op for one in self.suspects() for op in (*one.ops, *one.others)} | {*refused, *lost}

    def failures(self, name: str) -> int:
        """How often something failed that `name` is about."""
        return sum(part.failures.get(name, 0) for part in self.keys)


def wrong_of(found: Found) -> HistoryError | None:
    """Why this is no history; None if it is one."""
    facts = found.facts
    rows, limit = facts.rows, facts.versions or 2 * facts.rows + 2
    distinct = sum(part.distinct for part in found.operations)
    in_order = facts.last == rows - 1 and facts.total == rows * (rows - 1) // 2 and (not rows or facts.first == 0)
    tests = (
        (in_order, "rows", "index 0, 1, 2, ... (none missing)", f"{facts.first} to {facts.last} in {rows:,} rows"),
        (facts.negative == 0, "rows", "numbers of operations and versions from 0", f"{facts.negative:,} below"),
        (facts.setups <= 1 and not facts.bad_setups, "setup", "one initial content, acknowledged, with commit 0",
         f"{facts.setups} rows"),
        (facts.newest_start < limit, "start", f"versions in 0..{limit - 1}", str(facts.newest_start)),
        (facts.newest_commit < limit, "commit", f"versions in 0..{limit - 1}", str(facts.newest_commit)),
        (not facts.versions or distinct == facts.versions, "lineage", "each version once, none missing",
         f"{distinct:,} versions in {facts.versions:,} rows"),
        (not facts.versions or facts.disordered == 0, "lineage", "the oldest version first", "another order"),
    )  # fmt: skip
    for holds, where, expected, got in tests:
        if not holds:
            return HistoryError(where, expected, got)
    wrong = [one for part in found.operations for one in part.wrong]
    wrong += [one for part in found.sessions for one in part.wrong]
    return HistoryError(*wrong[0]) if wrong else None


def reasons_of(found: Found) -> list[str]:
    """What leaves every property open that is not broken all the same."""
    facts = found.facts
    distinct = sum(part.distinct for part in found.operations)
    reasons = {reason: None for part in found.operations for reason in part.reasons}
    if not facts.rows:
        reasons["the history has no operations"] = None
    elif not facts.acknowledged:
        reasons["nothing was acknowledged: no operation of a client succeeded"] = None
    if facts.unknown_makers:
        reasons["a version was made by nobody known"] = None
    if facts.ordered:
        reasons["the order of reads and writes inside operations is not looked at on Spark"] = None
    if facts.stating:
        reasons["an invocation says what was read, written or made"] = None
    newest = max(facts.newest_commit, facts.newest_start)
    if not facts.versions and distinct and newest - facts.oldest_commit + 1 != distinct:
        reasons["nobody says to have made a version, and the history has no lineage to tell"] = None
    return list(reasons)


def verdict_of(found: Found, properties: Sequence[str]) -> Verdict:
    """The verdict for `properties` (none named: all of `PROPERTIES` that the history has something about).

    Where the order of versions is open, nothing is called broken: a few rows do not show what the others leave open.
    """
    general = reasons_of(found)
    shown = {} if general else _shown(found)
    results: dict[str, str] = {}
    reasons = dict.fromkeys(general)
    for name in sorted(properties or PROPERTIES, key=lambda name: RANK.get(name, len(RANK))):
        outcome, why = _outcome(found, name, shown)
        if outcome != INVALID and general:
            outcome, why = UNKNOWN, ""
        if outcome is not None or properties:
            results[name] = outcome or UNKNOWN
            reasons |= dict.fromkeys([why] if why else [])
    violations = tuple([one for name in results for one in shown.get(name, ())])
    also = {name: None for one in violations for name in implied(one.property, Finding(one.anomaly, (), one.cycle))}
    open_ = UNKNOWN in results.values() or not results
    counters = {
        "reads": sum(part.reads for part in found.keys), "writes": sum(part.writes for part in found.keys),
        **{kind: sum(part.edges[place] for part in found.keys) for place, kind in enumerate(("ww", "wr", "rw"))},
    }  # fmt: skip
    outcome = INVALID if violations else UNKNOWN if open_ else VALID
    return Verdict(outcome, violations, tuple(also), tuple(reasons), results, counters)


def _outcome(found: Found, name: str, shown: Mapping[str, Sequence[Violation]]) -> tuple[str | None, str]:
    """What becomes of a property (None: there is nothing to look at, or nothing that can be said), and why."""
    if name in shown:
        return INVALID, ""
    if name in _BY_READS:
        return _by_reads(found, name)
    if name in (MONOTONIC, OWN):
        return _by_session(found, name)
    if name in (SERIAL, SESSION_SNAPSHOT) and _by_reads(found, SNAPSHOT)[0] == VALID and not found.failures(SNAPSHOT):
        orderly = all(part.serial for part in found.keys)
        behind = sum(part.behind for part in found.sessions)
        if orderly if name == SERIAL else not behind:
            return VALID, ""
    if name == SURVIVE:
        return None, "the final read is not looked at on Spark"
    return None, f"the order of commits does not show {name}, and others are not tried on Spark"


def _by_reads(found: Found, name: str) -> tuple[str | None, str]:
    reads, writes = (sum(counts) for counts in ([part.reads for part in found.keys],
                                                [part.by_clients for part in found.keys]))  # fmt: skip
    refused = found.facts.refused and found.facts.versions
    if not {ABORTED: reads or refused, UPDATE: writes, SNAPSHOT: reads or writes}[name]:
        return None, f"nobody read or wrote anything: {name} had nothing to look at"
    unplaced = [reason for part in found.keys for reason in part.reasons if reason == NO_START]
    if unplaced:
        return UNKNOWN, NO_START
    failed, looked = found.failures(SNAPSHOT), sum(one.property == SNAPSHOT for one in found.suspects())
    if failed > looked:
        return UNKNOWN, f"{failed:,} reads and writes do not fit their starts, and the {looked} looked at break nothing"
    return VALID, ""


def _by_session(found: Found, name: str) -> tuple[str | None, str]:
    reasons = [reason for part in found.keys for reason in part.reasons]
    if reasons:
        return UNKNOWN, reasons[0]
    if name == OWN and found.facts.transactions:
        return UNKNOWN, "which operations are of one transaction is not looked at on Spark"
    failed, looked = found.failures(name), sum(one.property == name for one in found.suspects())
    if failed > looked:
        return UNKNOWN, f"{failed:,} reads may be behind their sessions, and the {looked} looked at break nothing"
    seen = any(part.read_twice if name == MONOTONIC else part.read_own for part in found.keys)
    return (VALID, "") if seen else (None, f"no session read a key again: {name} had nothing to look at")


def _shown(found: Found) -> dict[str, list[Violation]]:
    """What the checks say of the witnesses: one violation of each property and anomaly."""
    shown: dict[str, list[Violation]] = {}
    commits = {
        int(op): int(made)
        for part in found.operations
        for op, made in zip(*part.exceptions, strict=True)
        if int(op) in found.rows
    }
    refused, lost = found.alone()
    todo = [(one, _BY_READS if one.property == SNAPSHOT else (one.property,)) for one in found.suspects()]
    todo += [(Suspect(ABORTED, None, (op,), ()), (ABORTED,)) for op in refused]
    todo += [(Suspect(SURVIVE, None, (op,), ()), (SURVIVE,)) for op in lost]
    for suspect, names in todo:
        history, told = witness(found.rows, suspect, commits)
        for one in check(history, names).violations:
            some = shown.setdefault(one.property, [])
            if one.anomaly not in [other.anomaly for other in some]:
                some.append(replace(one, sentences=(*one.sentences, *([told] if told else []))))
    return shown
