"""What each property means, what a history must tell for it to be judged, and what others call it.

`python -m checkers.glossary` prints the table of docs/histories.md.
"""

from collections.abc import Iterator
from typing import NamedTuple

from checkers.isolation.levels import LEVELS

ORDER, STARTS, SESSIONS, TIME = "versions", "starts", "sessions", "real time"


class Meaning(NamedTuple):
    """`needs`: versions (their order), starts (what each operation worked on), sessions, real time, or what it says."""

    means: str
    needs: tuple[str, ...] = ()
    elsewhere: str = ""


_PLAIN = {
    "readable": Meaning("every read finds a table that can be read", ("a final read",)),
    "table-invariants": Meaning("an inspection of the table finds nothing wrong", ("an inspection",)),
    "no-aborted-reads": Meaning(
        "nobody sees what was refused, what nobody wrote, or what its writer wrote over",
        (ORDER,), "Adya G1a, G1b; Elle `:G1a`, `:G1b`; dirty and intermediate reads"),
    "acknowledged-writes-survive": Meaning(
        "what was acknowledged is a version of the table, and is what the final read sees",
        ("versions as rows", "a final read"), "durability; Jepsen's lost writes"),
    "monotonic-reads": Meaning(
        "a session never sees a key older than before", (ORDER, SESSIONS), "Terry et al. 1994, MR"),
    "read-your-writes": Meaning("a session sees what it wrote", (ORDER, SESSIONS), "Terry et al. 1994, RYW"),
    "monotonic-writes": Meaning("a session's writes are seen in its order", (ORDER, SESSIONS), "Terry et al. 1994, MW"),
    "writes-follow-reads": Meaning(
        "what a session wrote is seen only with what it had read", (ORDER, SESSIONS), "Terry et al. 1994, WFR"),
    "session-guarantees": Meaning(
        "all four of a session's guarantees",
        (ORDER, SESSIONS), "Terry et al. 1994; PRAM and writes follow reads"),
    "read-committed": Meaning(
        "no aborted or intermediate reads, and information flows one way",
        (ORDER,), "Adya PL-2 (no G0, G1a, G1b, G1c); Elle `:read-committed`; Crooks RC"),
    "read-atomic": Meaning(
        "who sees one write of an operation sees its others; no key is seen twice with two values",
        (ORDER,), "Cerone RA; RAMP; Elle `:read-atomic`, `:internal`; fractured reads"),
    "causal": Meaning(
        "who sees a write sees what its writer had seen",
        (ORDER,), "Cerone CC; Biswas and Enea CC; TCC; Elle `:causal-cerone`"),
    "no-lost-update": Meaning(
        "nobody writes over a version that he has not seen, of a key that he had read",
        (ORDER,), "Berenson P4; Adya G-cursor, by key; Elle `:lost-update`"),
    "no-long-fork": Meaning(
        "two readers never see two writes in two orders", (ORDER,), "long fork; Jepsen's workload long-fork"),
    "prefix": Meaning("each sees a beginning of one order of all writes", (ORDER,), "Cerone PC; consistent prefix"),
    "parallel-snapshot-isolation": Meaning(
        "causal, and no two of overlapping writers of a key commit",
        (ORDER,), "Sovran et al. 2011 PSI; Adya PL-2+ (no G-single); Elle `:parallel-snapshot-isolation`"),
    "snapshot-isolation": Meaning(
        "each reads one snapshot, and of overlapping writers of a key one commits",
        (ORDER, "by stated versions also starts"),
        "Adya G-SI; Elle `:snapshot-isolation` (`:G-single`, `:G-nonadjacent`)"),
    "no-write-skew": Meaning(
        "no operations that each overwrite what the other had read", (ORDER,), "Berenson A5B; Elle `:G2-item` of two"),
    "serializable": Meaning(
        "some serial order explains all", (ORDER,), "Adya PL-3 (no G2), items only; Elle `:serializable`; Crooks SER"),
    "conflict-detection": Meaning(
        "first committer wins, key by key, between stated start and commit", (ORDER, STARTS), "Berenson et al. 1995"),
    "no-spurious-refusal": Meaning("whoever was refused for a conflict had somebody to conflict with", (ORDER, STARTS)),
    "no-leaks": Meaning("nothing is left behind that nothing refers to", ("an inspection", "all outcomes")),
}  # fmt: skip
JEPSEN = {
    "internal": Meaning(
        "a transaction sees what its own steps before make it see", ("Jepsen's format",),
        "Cerone INT; Elle `:internal`, `:future-read`"),
    "version-order": Meaning(
        "all keys' versions have an order that agrees with every read",
        ("Jepsen's format",), "Adya G0; Elle `:G0`, `:incompatible-order`, `:duplicate-elements`"),
}  # fmt: skip
_ALSO = {
    "strong-session-snapshot-isolation": "Daudjee and Salem 2006; Elle `:strong-session-snapshot-isolation`",
    "strong-snapshot-isolation": "Elle `:strong-snapshot-isolation`",
    "strong-session-serializable": "Elle `:strong-session-serializable`",
    "strong-serializable": "strict serializability; Adya PL-SS; Elle `:strong-serializable`",
}


def meanings() -> dict[str, Meaning]:
    """The properties of any history and those of Jepsen's, weakest first."""
    found = dict(_PLAIN)
    for before, more, says in (
        ("strong-session-", SESSIONS, "in an order that keeps each session's own"),
        ("strong-", TIME, "in an order that keeps real time: what completed comes before what is asked later"),
    ):
        for level in LEVELS:
            name = before + level
            found[name] = Meaning(f"{level}, {says}", (*_PLAIN[level].needs[:1], more), _ALSO.get(name, ""))
    last = ("conflict-detection", "no-spurious-refusal", "no-leaks")
    ordered = {name: one for name, one in found.items() if name not in last}
    return {**JEPSEN, **ordered, **{name: found[name] for name in last}}


def table() -> Iterator[str]:
    """The lines of the table in Markdown."""
    yield "| property | means | needs | elsewhere |"
    yield "| --- | --- | --- | --- |"
    for name, one in meanings().items():
        yield f"| `{name}` | {one.means} | {', '.join(one.needs)} | {one.elsewhere} |"


if __name__ == "__main__":
    print("\n".join(table()))  # noqa: T201  # what it is run for
