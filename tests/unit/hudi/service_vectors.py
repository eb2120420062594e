"""Vectors of Hudi's tests of table services beside writers: who carries out a plan, and what a write makes of it."""

from typing import Any

from model.hudi import CompactionClient, HudiClient
from model.hudi.names import COMPACTION, DELTA_COMMIT, requested_path
from model.hudi.written import Written
from tests.unit.hudi import clustering_vectors, merging_vectors
from tests.unit.hudi.playing import Vector, play
from tests.unit.hudi.worlds import Lab


def merging(vector: Vector) -> list[str]:
    """Calls as in `hudi_merge_on_read.txt`; the slices and rows that come of them."""
    calls, wanted = vector.script.split(" -> ")
    slices, rows = [part.strip() for part in wanted.split(";")]
    case = merging_vectors.Case(vector.given, calls, slices, rows)
    got = merging_vectors.Model(case).play(calls)
    return [] if got == (slices, rows) else [f"wanted {slices}; {rows}, got {'; '.join(got)}"]


def clustering(vector: Vector) -> list[str]:
    """Calls as in `hudi_clustering.txt`; who is told what, and the rows."""
    script, wanted = vector.script.split(" -> ")
    told, rows = [part.strip() for part in wanted.split(";")]
    clients = clustering_vectors.Clients(clustering_vectors.Case(vector.given, script, told, rows))
    got = (clients.play(), clients.rows())
    return [] if got == (told, rows) else [f"wanted {told}; {rows}, got {'; '.join(got)}"]


def executors(vector: Vector) -> list[str]:
    """Clients that carry out one plan of a compaction of two delta commits; whether it is pending in the end."""
    lab = Lab(merging_vectors.Case("2", "", "", "").options, groups=merging_vectors.GROUPS)
    for value in "AB":
        writer = HudiClient(lab.world("w"), lab.config, owner="w")
        writer.commit(begun := writer.start_commit(DELTA_COMMIT), writer.upsert((("1", value),), begun))
        writer.close()
    instant = CompactionClient(lab.world("s"), lab.config, owner="s").schedule(("p1",))
    clients: dict[str, CompactionClient] = {}
    written: dict[str, Written] = {}

    def do(who: str, what: str, argument: str) -> Any:
        if what == "lose":
            return lab.files.delete(requested_path(2, instant, COMPACTION))
        client = clients.setdefault(who, CompactionClient(lab.world(who), lab.config, owner=who))
        if what == "execute":
            written[who] = client.execute(instant)
        elif what == "commit":
            client.commit(instant, written[who])
        return None

    script, wanted = vector.script.split(" -> ")
    found = play(script, do)
    timeline = CompactionClient(lab.world("r"), lab.config, owner="r").timeline.load()
    completed = any(each.requested == instant for each in timeline.completed)
    got = "completed" if completed else "-"
    return found if got == wanted else [*found, f"wanted {wanted}, got {got}"]
