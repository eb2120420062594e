"""What can go wrong between us and a live system. Each class says what happened and what to do about it."""


class BackendError(RuntimeError):
    """A live part of a run could not be carried out. The simulation parts are not affected."""


class BackendUnavailable(BackendError):
    """Something that live runs need is missing: Java, Maven, a jar, the network. The message has the remedy."""


class BackendTimeout(BackendError):
    """A live system did not reach the next step in time. Look at the message for who stands where."""


class NothingThere(ValueError):
    """A table's name, path or catalog leads to nothing. Correct what was asked for; one line says what."""


class NoTable(ValueError):
    """Something is there, and it is no table that can be read. Name its folder, or a metadata file."""


class Abandoned(BackendError):
    """The run was given up while this actor stood at the gate; its call must end without touching anything."""
