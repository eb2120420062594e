"""Text that came from outside, as it may stand in a sentence, on a terminal and on a page.

Nothing in it can move a cursor, colour a line, start a new one or turn the direction of reading, and a value of ten
million characters is told by its beginning and its length.
"""

PIECE_CHARACTERS = 120
"""Of a name, a key or a value in a sentence."""
LINE_CHARACTERS = 440
"""Of a whole sentence or an error line: with a number before it and its length behind it, a line has at most 500."""


def plain(text: str, limit: int = PIECE_CHARACTERS) -> str:
    """Escape what cannot be printed as Python would, and clip what is long.

    Args: `limit` is how many characters of `text` are kept, from 1.

    Returns: `text` itself if there is nothing to escape or to clip; "ab... (10,000,000 characters)" if there is.
    """
    if len(text) > limit:
        return f"{plain(text[:limit], limit)}... ({len(text):,} characters)"
    if text.isprintable():
        return text
    return "".join([one if one.isprintable() else repr(one)[1:-1] for one in text])


def quoted(text: str, limit: int = PIECE_CHARACTERS) -> str:
    """Write `text` as a Python literal, in quotes, clipped like `plain`. Returns: "'ab'... (10,000,000 characters)"."""
    return f"{text[:limit]!r}... ({len(text):,} characters)" if len(text) > limit else repr(text)
