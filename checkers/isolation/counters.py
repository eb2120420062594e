"""What a verdict rests on, in numbers: a check over nothing must be seen to be one."""

from checkers.histories.history import FAIL, INFO
from checkers.isolation.conflicts import is_conflict
from checkers.isolation.durability import final_read
from checkers.isolation.graph import build
from checkers.isolation.resolve import UNBORN, Facts


def count(facts: Facts) -> dict[str, int]:
    """Operations by outcome, versions, reads resolved, edges by kind, and how much each check had to look at."""
    ops, made = facts.ops, facts.lineage.made
    reads = [seen for position in facts.nodes for seen in facts.reads[position]]
    edges = build(facts).counts
    final = final_read(facts)
    rewrites = 0
    for position in facts.nodes:
        if position in made:
            written = [key for key, _ in ops[position].writes]
            rewrites += sum(seen.key in written for seen in facts.reads[position])
    return {
        "ops": len(ops),
        "committed": len(facts.nodes),
        "refused": sum(op.type == FAIL for op in ops),
        "unknown_outcome": sum(op.type == INFO for op in ops),
        "refused_for_conflict": sum(op.type == FAIL and is_conflict(op.error) for op in ops),
        "versions": len(facts.lineage.makers),
        "writes": sum(len(ops[position].writes) for position in made),
        "reads": len(reads),
        "reads_resolved": sum(seen.place >= UNBORN for seen in reads),
        "read_modify_writes": rewrites,
        "final_keys": len(ops[final].reads) if final is not None else 0,
        "longest_session": max((len(session) for session in facts.sessions().values()), default=0),
        "ww": edges.get("ww", 0),
        "wr": edges.get("wr", 0),
        "rw": edges.get("rw", 0),
    }
