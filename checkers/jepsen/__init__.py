"""Histories that Jepsen wrote for Elle (list-append, read-write registers; EDN or JSON), and what follows from them.

Such a history does not say in which order the versions of a key came; `lists.py` and `registers.py` infer it where it
can be traced, and `judge.py` says of the rest what holds in every order, or in one.
"""
