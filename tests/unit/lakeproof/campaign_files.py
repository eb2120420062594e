"""A campaign of tills, as a file."""

GOOD = """
seeds = 4

[[search]]
protocol = "till"
configurations = ["default", "red"]

[[search]]
protocol = "till"
name = "ours"
rules = "broken"
settings = { "till.colour" = "red" }
"""
