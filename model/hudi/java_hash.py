"""Java's hash of a text, by which maps and buckets are in the order that they have on the JVM.

Source: `java.lang.String.hashCode`.
"""


def hash_of_text(text: str) -> int:
    """`String.hashCode`, as a number without a sign."""
    code = 0
    for unit in map(ord, text):
        code = (31 * code + unit) & 0xFFFFFFFF
    return code
