"""What can be wrong with a history that came from outside."""

from checkers.text import LINE_CHARACTERS, plain


class HistoryError(ValueError):
    """A history cannot be read, or is no history. The message is one line: where, what was expected, what stands there.

    Nothing in it is long, or can do something to a terminal.

    Attributes: `where` (file, row or word), `expected`, `got`.
    """

    def __init__(self, where: str, expected: str, got: str) -> None:
        place, wanted = plain(where, LINE_CHARACTERS // 2), plain(expected, LINE_CHARACTERS // 2)
        super().__init__(" ".join(f"history {place}: expected {wanted}, got {plain(got)}".split()))
        self.where = where
        self.expected = expected
        self.got = got

    def within(self, source: str) -> "HistoryError":
        """The same defect, with the file that it stands in."""
        return HistoryError(f"{source}: {self.where}", self.expected, self.got)
