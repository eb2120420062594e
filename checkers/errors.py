"""What can be wrong with a history that came from outside."""


class HistoryError(ValueError):
    """A history cannot be read, or is no history. The message is one line: where, what was expected, what stands there.

    Attributes: `where` (file, row or word), `expected`, `got`.
    """

    def __init__(self, where: str, expected: str, got: str) -> None:
        super().__init__(" ".join(f"history {where}: expected {expected}, got {got}".split()))
        self.where = where
        self.expected = expected
        self.got = got

    def within(self, source: str) -> "HistoryError":
        """The same defect, with the file that it stands in."""
        return HistoryError(f"{source}: {self.where}", self.expected, self.got)
