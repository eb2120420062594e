"""Metadata from JSON, field by field: what cannot be read is left out and told, and the rest is kept.

PyIceberg's own classes refuse a whole file for one bad field, as Java does; a damaged table has such files.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from checkers.iceberg.autopsy.records import (
    Defect,
    Header,
    MetadataLogEntry,
    PartitionField,
    Ref,
    Snapshot,
    SnapshotLogEntry,
    Statistics,
)

T = TypeVar("T")
INT64 = range(-(2**63), 2**63)
_CONFIG = ConfigDict(alias_generator=lambda name: name.replace("_", "-"), strict=True, extra="ignore")
_TYPES = (Header, MetadataLogEntry, PartitionField, Ref, Snapshot, SnapshotLogEntry, Statistics)


def _model(kind: Any) -> type[BaseModel]:
    """What reads a record: its fields, each of exactly its type, by the names that JSON has."""
    hints = get_type_hints(kind)
    known = {
        one.name: (hints[one.name], ... if one.default is MISSING else one.default)
        if one.default_factory is MISSING
        else (hints[one.name], Field(default_factory=one.default_factory))
        for one in fields(kind)
    }
    made: type[BaseModel] = create_model(kind.__name__, __config__=_CONFIG, **known)  # type: ignore[call-overload]
    return made


_MODELS: dict[Any, type[BaseModel]] = {one: _model(one) for one in _TYPES}
_NAMES: dict[Any, set[str]] = {one: {field.name.replace("_", "-") for field in fields(one)} for one in _TYPES}


class Fields:
    """Reads records out of one metadata file. Attributes: `defects` grows with what could not be read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.defects: list[Defect] = []

    def wrong(self, place: str, expected: str, got: object) -> None:
        """Note a place that cannot be read."""
        self.defects.append(Defect(self.file, place, expected, repr(got)[:200]))

    def record(self, kind: type[T], data: Any, place: str) -> T | None:
        """One record; what is bad in it is left out, and without what it must have it is None."""
        if not isinstance(data, dict):
            self.wrong(place, "an object", data)
            return None
        known = {name: value for name, value in data.items() if value is not None}
        bad = self._bad(kind, known, place)
        try:
            found = _MODELS[kind].model_validate({k: v for k, v in known.items() if k not in bad})
            return kind(**{name: getattr(found, name) for name in _MODELS[kind].model_fields})
        except ValidationError:
            return None

    def _bad(self, kind: type, known: dict[str, Any], place: str) -> set[str]:
        """The fields that cannot be what they have to be, each noted."""
        bad = set()
        for name, value in known.items():
            if type(value) is int and value not in INT64 and name in _NAMES[kind]:
                self.wrong(_within(place, (name,)), "a number of 64 bits", value)
                bad.add(name)
        try:
            _MODELS[kind].model_validate({name: value for name, value in known.items() if name not in bad})
        except ValidationError as error:
            for each in error.errors(include_url=False, include_context=False):
                name = str(each["loc"][0])
                if name not in bad:
                    got = None if each["type"] == "missing" else each["input"]
                    self.wrong(_within(place, each["loc"]), each["msg"].removeprefix("Input should be "), got)
                bad.add(name)
        return bad

    def records(self, kind: type[T], data: Mapping[str, Any], name: str) -> Iterator[tuple[str, T, Any]]:
        """The records of a list that can be read: their places, themselves, and their JSON."""
        items = data.get(name)
        if items is not None and not isinstance(items, list):
            self.wrong(name, "a list", items)
            return
        for number, item in enumerate(items or ()):
            place = f"{name}[{number}]"
            found = self.record(kind, item, place)
            if found is not None:
                yield place, found, item

    def objects(self, data: Mapping[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The objects of a list, and their places."""
        items = data.get(name)
        if items is not None and not isinstance(items, list):
            self.wrong(name, "a list", items)
            return
        for number, item in enumerate(items or ()):
            if isinstance(item, dict):
                yield f"{name}[{number}]", item
            else:
                self.wrong(f"{name}[{number}]", "an object", item)

    def whole(self, data: Mapping[str, Any], name: str, place: str) -> int | None:
        """A whole number that has to be there."""
        value = data.get(name)
        if type(value) is int and value in INT64:
            return value
        self.wrong(_within(place, (name,)), "a whole number", value)
        return None


def _within(place: str, names: tuple[int | str, ...]) -> str:
    return ".".join(filter(None, (place, *map(str, names))))
