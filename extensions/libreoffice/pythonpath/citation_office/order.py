"""The order in which a reader meets places of a document: text, tables, notes, frames; then headers and footers."""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, TypeVar

FOOTNOTE = "com.sun.star.text.Footnote"
ENDNOTE = "com.sun.star.text.Endnote"
FRAME = "com.sun.star.text.TextFrame"
# Containers in containers.
MAX_DEPTH = 12

T = TypeVar("T")


class Step(NamedTuple):
    """A place inside of one text."""

    text: Any
    range: Any
    # The position of the cell, if the step goes into a table.
    cell: int = -1


class Place(NamedTuple):
    """A place of the document, from the outermost text inwards."""

    steps: List[Step]
    # The note that it is in, if any.
    note: Optional[Any]
    is_in_body: bool


def place_of(model: Any, found: Any) -> Place:
    steps: List[Step] = []
    note = None
    text = found.Text
    for _ in range(MAX_DEPTH):
        steps.append(Step(text, found))
        table = _property(found, "TextTable")
        if table is not None:
            cell = _property(found, "Cell")
            name = cell.CellName if cell is not None else ""
            names = table.CellNames
            steps.append(Step(None, None, names.index(name) if name in names else 0))
            found = table.Anchor
        elif _is(text, FOOTNOTE) or _is(text, ENDNOTE):
            note = text
            found = text.Anchor
        elif _is(text, FRAME):
            found = text.Anchor
        else:
            break
        text = found.Text
    steps.reverse()
    return Place(steps, note, text == model.Text)


def in_order(items: List[T], place: Callable[[T], Place]) -> List[T]:
    """Sorts items by their places."""

    def compare(one: T, other: T) -> int:
        return _compare(place(one), place(other))

    return sorted(items, key=cmp_to_key(compare))


def _compare(one: Place, other: Place) -> int:
    if one.is_in_body != other.is_in_body:
        return -1 if one.is_in_body else 1
    for first, second in zip(one.steps, other.steps):
        if first.cell >= 0 or second.cell >= 0:
            difference = first.cell - second.cell
        elif first.text != second.text:
            return 0
        else:
            difference = compare_starts(first.text, first.range, second.range)
        if difference:
            return difference
    return len(one.steps) - len(other.steps)


def compare_starts(text: Any, one: Any, other: Any) -> int:
    """Below zero if `one` starts first."""
    try:
        return -text.compareRegionStarts(one, other)
    except Exception:  # pylint: disable=broad-except
        # Ranges that the office cannot compare keep their order.
        return 0


def note_numbers(model: Any) -> Tuple[List[Any], Dict[str, int]]:
    """The notes of a document, and the number of each by its key: footnotes as they are counted, endnotes behind
    them."""
    notes: List[Any] = []
    numbers: Dict[str, int] = {}
    for found in (model.Footnotes, model.Endnotes):
        for index in range(found.Count):
            note = found.getByIndex(index)
            notes.append(note)
            numbers[note_key(note)] = len(notes)
    return notes, numbers


def note_key(note: Any) -> str:
    return f"{'endnote' if _is(note, ENDNOTE) else 'footnote'} {note.ReferenceId}"


def _is(text: Any, service: str) -> bool:
    return hasattr(text, "supportsService") and text.supportsService(service)


def _property(found: Any, name: str) -> Any:
    try:
        return found.getPropertyValue(name)
    except Exception:  # pylint: disable=broad-except
        return None
