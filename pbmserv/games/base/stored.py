"""Positions as JSON and back, by the types of their fields.

Dataclasses, tuples, texts, whole numbers, booleans and None are converted here. Pydantic converts positions that have
anything else: it writes the same JSON, but it takes 10 MB of memory, and none of our games needs it. It also reads
values that only look like their type, such as `true` for a whole number.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

#: Makes a value of one type from its JSON, which is parsed already. Raises ValueError if it is of another type.
Reader = Callable[[object], object]

_PLAIN = (str, int, bool, NoneType)


class JsonForm(NamedTuple):
    """How positions of one type are written and read. `load` raises ValueError."""

    dump: Callable[[object], str]
    load: Callable[[str | bytes], Any]


def form_of(kind: object) -> JsonForm:
    """Return how positions of this type are stored."""
    try:
        read = _reader(kind)
    except (TypeError, RecursionError):  # a position may have others of its type inside it
        return _by_pydantic(kind)

    def load(text: str | bytes) -> object:
        try:
            return read(json.loads(text))
        except ValueError:  # perhaps the game is not strict about types
            return _by_pydantic(kind).load(text)

    return JsonForm(_ENCODER.encode, load)


def _by_pydantic(kind: Any) -> JsonForm:
    from pydantic import TypeAdapter

    adapter = TypeAdapter(kind)
    return JsonForm(lambda position: adapter.dump_json(position).decode(), adapter.validate_json)


def _reader(kind: object) -> Reader:
    """Return what reads values of this type. Raises TypeError for a type that is not for this module."""
    if kind in _PLAIN:
        return lambda value: _demand(type(value) is kind, kind, value)
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple:
        return _items(args[0]) if args[1:] == (...,) else _row([_reader(arg) for arg in args])
    if origin in (Union, UnionType) and len(args) == len([None, "another"]) and NoneType in args:
        read = _reader(next(arg for arg in args if arg is not NoneType))
        return lambda value: None if value is None else read(value)
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind)
    raise TypeError(kind)


def _demand(holds: bool, kind: object, value: object) -> Any:
    if not holds:
        raise ValueError(f"not {kind}: {value!r}")
    return value


def _items(kind: object) -> Reader:
    """Read a tuple of any length. Plain items, such as the squares of a board, are checked all at once."""
    if kind in _PLAIN:
        kinds = {kind}
        return lambda value: tuple(_demand(type(value) is list and kinds.issuperset(map(type, value)), kind, value))
    read = _reader(kind)
    return lambda value: tuple(map(read, _demand(type(value) is list, tuple, value)))


def _row(readers: list[Reader]) -> Reader:
    def read(value: Any) -> object:
        _demand(type(value) is list and len(value) == len(readers), tuple, value)
        return tuple(read(item) for read, item in zip(readers, value, strict=True))

    return read


def _record(kind: Any) -> Reader:
    """Read a dataclass. Fields that have a default may be missing.

    Raises TypeError for a class whose constructor does not take all of its fields.
    """
    if not all(field.init for field in fields(kind)):
        raise TypeError(kind)
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in fields(kind)}
    needed = {f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING}

    def read(value: Any) -> object:
        _demand(type(value) is dict and needed <= value.keys(), kind, value)
        return kind(**{name: read(value[name]) for name, read in readers.items() if name in value})

    return read


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _plain(value: object) -> Mapping[str, object]:
    kind: object = type(value)
    return {name: getattr(value, name) for name in _names(kind)}


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain, check_circular=False)
