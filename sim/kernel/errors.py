"""What can go wrong in the simulator itself (not in the system under test)."""


class SimulationError(Exception):
    """Base of the simulator's own errors; the message says what, which task, what was expected and what happened."""


class EscapeError(SimulationError):
    """Code under test reached the real world (time, randomness, sockets, threads) or called a port off its task.

    Give that code a port instead; the message ends with the call site.
    """


class NondeterminismError(SimulationError):
    """A replay met other choices than its tape recorded: the code under test depends on something unrecorded."""


class StepLimitReached(SimulationError):
    """A run made more steps than its bound allows. The verdict is unknown: raise the bound or look for a livelock."""


class Stuck(SimulationError):
    """No task can run and no timer is due, yet tasks remain: a deadlock of the code under test."""


class ScheduleError(ValueError):
    """A schedule cannot be read. The message names the line, what was expected there and what stands there."""
