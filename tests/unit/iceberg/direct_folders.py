"""Tables that are folders, over plain Python objects: the port of `direct_world` for the Hadoop catalog."""

from typing import Any

from model.ports import CasLost, NotFound, NumberedVersion, Refused


class Folders:
    """Implements `model.ports.FolderTables`. Args: `calls` makes a call of an actor; `shared` is what all share."""

    @property
    def replaces(self) -> bool:
        """As the file system of all is."""
        return bool(self._shared.replaces)

    def __init__(self, calls: Any, shared: Any) -> None:
        self._calls, self._shared = calls, shared

    def _versions(self, name: str) -> dict[int, Any]:
        found: dict[int, Any] = self._shared.folders.get(name, {})
        return found

    def load(self, name: str, known: int | None) -> NumberedVersion:
        """The newest in an unbroken row."""

        def apply() -> NumberedVersion:
            versions, hint = self._versions(name), self._shared.hints.get(name, 0)
            number = hint if known is None else known
            if number not in versions:
                raise (Refused if known is None and number else NotFound)(f"version {number}")
            while number + 1 in versions:
                number += 1
            return NumberedVersion(number, versions[number], 0)

        found: NumberedVersion = self._calls.call("load", apply)
        return found

    def look(self, name: str, number: int) -> int:
        """Is it there?"""

        def apply() -> int:
            if number in self._versions(name):
                raise CasLost(f"version {number}")
            return int(self._shared.dropped)

        return int(self._calls.call("look", apply))

    def commit(self, name: str, number: int, value: Any, *, hints: bool = True, made: int | None = None) -> int:
        """The next number."""

        def apply() -> int:
            if made is None and number in self._versions(name) and not self.replaces:
                raise CasLost(f"version {number}")
            if made is not None and made != self._shared.dropped:
                raise CasLost(f"version {number}, in a folder that is gone")
            self._shared.folders.setdefault(name, {})[number] = value
            if hints:
                self._shared.hints[name] = number
            return 0

        return int(self._calls.call("commit", apply))

    def hint(self, name: str, number: int) -> None:
        """At this number."""
        self._calls.call("hint", lambda: self._shared.hints.update({name: number}))

    def prune(self, name: str, number: int) -> None:
        """One that is old."""
        self._calls.call("prune", lambda: self._versions(name).pop(number, None))

    def drop(self, name: str, by: int) -> bool:
        """The folder, and all below it."""

        def apply() -> bool:
            found = self._shared.folders.pop(name, None) is not None
            self._shared.dropped += found
            self._shared.hints.pop(name, None)
            for path in [path for path in self._shared.objects if path.startswith(f"{name}/")]:
                del self._shared.objects[path]
            return found

        return bool(self._calls.call("commit", apply))
