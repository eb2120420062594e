"""Lost update: an operation read a key, and its own write went over a version that it had not seen.

Source: Adya's thesis, G-cursor; Berenson et al. (SIGMOD 1995), P4. A cycle of one rw edge and ww edges of one key.
"""

from bisect import bisect_left

from checkers.finding import Finding, Findings, of_cycle, one_per_shape, unresolved
from checkers.isolation.graph import RW, WW, Edge
from checkers.isolation.resolve import UNBORN, Facts, Seen


def lost_update(facts: Facts) -> Findings:
    """No version between the one that an operation read and the one of the same key that it then wrote."""
    found: list[Finding] = []
    for position in facts.nodes:
        made = facts.lineage.made.get(position)
        if made is None:
            continue
        for seen in facts.reads[position]:
            if seen.place >= UNBORN:
                cycle = _overwritten(position, made, seen)
                if cycle:
                    found.append(of_cycle("lost-update", cycle))
    return one_per_shape(found) or unresolved(facts)


def _overwritten(position: int, made: list[int], seen: Seen) -> tuple[Edge, ...]:
    key, _, place, chain = seen
    versions, writers = chain.versions, chain.writers
    for commit in made:
        own = bisect_left(versions, commit)
        if own >= len(versions) or versions[own] != commit or place >= own:
            continue
        between = [other for other in range(place + 1, own) if writers[other] != position]
        if between:
            lost, last = between[0], between[-1]
            before = versions[place] if place >= 0 else UNBORN
            return (
                Edge(RW, position, writers[lost], key, before, versions[lost]),
                *_chain(writers[lost], writers[last], key, versions[lost], versions[last]),
                Edge(WW, writers[last], position, key, versions[last], commit),
            )
    return ()


def _chain(first: int, last: int, key: str, before: int, after: int) -> tuple[Edge, ...]:
    return (Edge(WW, first, last, key, before, after),) if first != last else ()
