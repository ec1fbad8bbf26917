"""The order in which a reader meets places of a document: text, tables, notes, frames; then headers and footers."""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, TypeVar

from .texts import each

NOTE = "SwXFootnote"
FOOTNOTE = "com.sun.star.text.Footnote"
ENDNOTE = "com.sun.star.text.Endnote"
FRAME = "com.sun.star.text.TextFrame"
# Containers in containers.
MAX_DEPTH = 12

PARTS = (
    "HeaderText", "FooterText", "HeaderTextFirst", "FooterTextFirst", "HeaderTextLeft", "FooterTextLeft",
)

T = TypeVar("T")


class Step(NamedTuple):
    """A place inside of one text."""

    text: Any
    range: Any
    # The position of the cell, if the step goes into a table.
    cell: int = -1
    # Whether it is before the range: a table is before the paragraph behind it, since the office compares no tables.
    is_before: bool = False


class Place(NamedTuple):
    """A place of the document, from the outermost text inwards."""

    steps: List[Step]
    # The note that it is in, if any.
    note: Optional[Any]
    is_in_body: bool


class Places:
    """Finds the places of ranges of a document."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.body = model.Text
        # By the name of a table: its text, and the start of the paragraph behind it.
        self._behind: Dict[str, Tuple[Any, Any]] = {}

    def of(self, found: Any) -> Place:
        steps: List[Step] = []
        note = None
        text = found.Text
        is_before = False
        for _ in range(MAX_DEPTH):
            steps.append(Step(text, found, is_before=is_before))
            is_before = False
            table = _property(found, "TextTable")
            if table is not None:
                cell = _property(found, "Cell")
                name = cell.CellName if cell is not None else ""
                names = table.CellNames
                steps.append(Step(None, None, names.index(name) if name in names else 0))
                text, found = self._behind_table(table.Name)
                is_before = True
                continue
            name = text.ImplementationName
            if name == "SwXBodyText":
                break
            if name == NOTE:
                note = text
            elif not _is(text, FRAME):
                break
            found = text.Anchor
            text = found.Text
        steps.reverse()
        return Place(steps, note, text == self.body)

    def _behind_table(self, name: str) -> Tuple[Any, Any]:
        """The text that a table is in, and the start of the paragraph behind it. The office tells neither of a
        table."""
        if name not in self._behind:
            for text in texts_of(self.model):
                self._read_tables(text, MAX_DEPTH)
                if name in self._behind:
                    break
        return self._behind.get(name, (self.body, self.body.End))

    def _read_tables(self, text: Any, depth: int) -> None:
        waiting: List[str] = []
        for part in each(text):
            if part.supportsService("com.sun.star.text.TextTable"):
                waiting.append(part.Name)
                for name in part.CellNames if depth else ():
                    self._read_tables(part.getCellByName(name), depth - 1)
                continue
            while waiting:
                self._behind[waiting.pop()] = (text, part.Anchor.Start)
        for name in waiting:
            self._behind[name] = (text, text.End)


def texts_of(model: Any) -> List[Any]:
    """The texts of a document that are in no other: the body, notes, frames, headers and footers."""
    texts = [model.Text]
    for found in (model.Footnotes, model.Endnotes):
        texts.extend(found.getByIndex(index) for index in range(found.Count))
    frames = model.TextFrames
    texts.extend(frames.getByIndex(index) for index in range(frames.Count))
    styles = model.StyleFamilies.getByName("PageStyles")
    for index in range(styles.Count):
        style = styles.getByIndex(index)
        if style.isInUse():
            texts.extend(text for text in (getattr(style, part, None) for part in PARTS) if text is not None)
    return texts


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
            difference = difference or second.is_before - first.is_before
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


def contains(outer: Any, inner: Any) -> bool:
    """Whether a range is inside of another, or beside its ends."""
    text = outer.Text
    if inner.Text != text:
        return False
    try:
        return text.compareRegionStarts(outer, inner) >= 0 and text.compareRegionEnds(inner, outer) >= 0
    except Exception:  # pylint: disable=broad-except
        return False


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
