"""The vectors of the metadata table: what it lists after delta commits and compactions."""

from pathlib import Path

from model.hudi.metadata_records import FilesRecord

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hudi_metadata.txt"
VECTORS = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def record_of(words: list[str]) -> FilesRecord:
    """What a delta commit says, by its words."""

    def paths(sign: str) -> tuple[tuple[str, str], ...]:
        return tuple([(folder, name) for w in words if w[0] == sign for folder, _, name in [w[1:].partition("/")]])

    return FilesRecord(paths("+"), paths("-"), tuple([word[1:] for word in words if word[0] == "/"]))


def deltas_of(text: str) -> list[tuple[int, FilesRecord]]:
    """Delta commits, each with its instant, without compactions between them."""
    found = [delta.split() for delta in text.split(";")]
    return [(int(words[0]), record_of(words[1:])) for words in found if words]
