"""Strategies: first-come, random walk, probabilistic concurrency testing, deviations, depth-first, scripted replay."""

from sim.strategies.depth_first import DepthFirst, Pruned
from sim.strategies.deviations import Deviation, Deviations
from sim.strategies.pct import PriorityWalk
from sim.strategies.random_walk import FirstCome, RandomWalk
from sim.strategies.scripted import Scripted

__all__ = ["DepthFirst", "Deviation", "Deviations", "FirstCome", "PriorityWalk", "Pruned", "RandomWalk", "Scripted"]
