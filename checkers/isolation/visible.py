"""What a reader must have seen because it saw, or knew of, something that came after it.

Source: the axioms of read atomic (one step back) and of causal consistency (any number of steps) in Biswas and Enea
(OOPSLA 2019), for a known order of versions: whoever is visible to a reader has not written a newer version of a key
than the one that was read.
"""

from collections import deque

from checkers.isolation.cycle import MAX_VISITS, Exhausted
from checkers.isolation.graph import RW, WR, WW, Edge, build
from checkers.isolation.resolve import UNBORN, Facts, Seen

Back = dict[int, list[Edge]]
State = tuple[int, bool]
"""An operation, and whether it was reached by an order of sessions or real time."""
Came = dict[State, tuple[Edge, State] | None]


def missed(facts: Facts, orders: tuple[str, ...], hops: int | None) -> tuple[Edge, ...]:
    """The shortest cycle from a reader over the version that it missed back to it; () if there is none.

    Args: `orders` make visible beside wr; `hops` is how many steps back from the reader count, None = all. With
    `hops`, an order counts as one step, however many operations of it lie between.

    Raises: Exhausted.
    """
    graph = build(facts, orders)
    back: Back = {node: [] for node in graph.nodes}
    for edge in graph.edges():
        if edge.kind == WR or edge.kind in orders:
            back[edge.target].append(edge)
    chains = facts.lineage.chains.items()
    newest = {key: {writer: place for place, writer in enumerate(chain.writers)} for key, chain in chains}
    budget = [MAX_VISITS]
    best: tuple[Edge, ...] = ()
    for reader in graph.nodes:
        overtaken = [seen for seen in facts.reads[reader] if UNBORN <= seen.place < len(seen.chain.versions) - 1]
        if overtaken:
            found = _search(facts, reader, overtaken, back, newest, hops, budget)
            if found and (not best or len(found) < len(best)):
                best = found
                if len(best) == 2:
                    break
    return best


def _search(
    facts: Facts,
    reader: int,
    overtaken: list[Seen],
    back: Back,
    newest: dict[str, dict[int, int]],
    hops: int | None,
    budget: list[int],
) -> tuple[Edge, ...]:
    """Breadth first from `reader` backwards to somebody who wrote what it missed."""
    came: Came = {(reader, False): None}
    queue = deque([((reader, False), 0)])
    while queue:
        state, depth = queue.popleft()
        node, in_order = state
        if node != reader:
            for seen in overtaken:
                place = newest[seen.key].get(node, UNBORN)
                if place > seen.place:
                    return (*_overtaking(reader, node, seen, place), *_way(came, state))
        for edge in back[node]:
            budget[0] -= 1
            step = depth if in_order and edge.kind != WR else depth + 1
            before = (edge.source, edge.kind != WR)
            if before not in came and (hops is None or step <= hops):
                came[before] = (edge, state)
                queue.append((before, step))
        if budget[0] < 0:
            raise Exhausted
    return ()


def _overtaking(reader: int, writer: int, seen: Seen, place: int) -> tuple[Edge, ...]:
    """The rw edge from the reader to who wrote next, and on to `writer` where that is another."""
    chain, following = seen.chain, seen.place + 1
    while chain.writers[following] == reader:
        following += 1
    before = chain.versions[seen.place] if seen.place >= 0 else UNBORN
    first = Edge(RW, reader, chain.writers[following], seen.key, before, chain.versions[following])
    if chain.writers[following] == writer:
        return (first,)
    return first, Edge(WW, first.target, writer, seen.key, chain.versions[following], chain.versions[place])


def _way(came: Came, state: State) -> list[Edge]:
    """The edges from `state` to where the search began."""
    way = []
    while (step := came[state]) is not None:
        edge, state = step
        way.append(edge)
    return way
