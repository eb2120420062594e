"""Strategies: first-come, random walk, probabilistic concurrency testing, deviations, depth-first, scripted replay."""

from sim.search.strategies.depth_first import DepthFirst, Pruned
from sim.search.strategies.deviations import Deviation, Deviations
from sim.search.strategies.pct import PriorityWalk, walk_of
from sim.search.strategies.random_walk import FirstCome, RandomWalk
from sim.search.strategies.scripted import Scripted

__all__ = [
    "DepthFirst", "Deviation", "Deviations", "FirstCome", "PriorityWalk", "Pruned", "RandomWalk", "Scripted", "walk_of",
]  # fmt: skip
