"""The citation fields of a document: finds them in reading order, and writes them."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional

from . import codes
from .codes import JabRefMark, Json
from .order import Place, in_order, note_key, note_numbers, place_of
from .texts import Run, TrackedChanges, length, read_paragraphs, recording, write_runs, write_same

# Maximum length of a property in Word.
PIECE = 255
REMOVABLE = 128  # com.sun.star.beans.PropertyAttribute.REMOVABLE


class Field(NamedTuple):
    """A citation field."""

    mark: Any
    # The name of the mark.
    name: str
    # What it cites; `None` for one of JabRef.
    citation: Optional[Json]
    jabref: Optional[JabRefMark]
    is_bookmark: bool
    place: Place
    # The number of the note that it is in, 0 for the text, and of notes before it.
    note: int
    notes_before: int
    # `Insert` if a tracked change inserted it.
    change: str

    @property
    def text(self) -> str:
        return self.mark.Anchor.String


class Fields:
    """The fields of a document."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.changes = TrackedChanges(model)
        # The fields that a tracked change deleted: they stand in the document, but not in its text.
        self.deleted: List[Field] = []

    def read(self) -> List[Field]:
        """The fields in reading order."""
        found = [field for field in self._marks() if field.citation or field.jabref]
        if self.changes.changes:
            found = [field._replace(change=self.changes.kind_at(field.mark.Anchor)) for field in found]
        self.deleted = [field for field in found if field.change == "Delete"]
        found = [field for field in found if field.change != "Delete"]
        return self._numbered(found)

    def _marks(self) -> List[Field]:
        found = []
        marks = self.model.ReferenceMarks
        for name in marks.ElementNames:
            citation, jabref = codes.read_citation(name), codes.read_jabref(name)
            if citation or jabref:
                mark = marks.getByName(name)
                place = place_of(self.model, mark.Anchor)
                found.append(Field(mark, name, citation, jabref, False, place, 0, 0, ""))
        bookmarks = self.model.Bookmarks
        stored = bookmark_codes(self.model)
        for name in bookmarks.ElementNames:
            citation = codes.read_citation(stored.get(name, ""))
            if citation:
                mark = bookmarks.getByName(name)
                place = place_of(self.model, mark.Anchor)
                found.append(Field(mark, name, citation, None, True, place, 0, 0, ""))
        return found

    def _numbered(self, fields: List[Field]) -> List[Field]:
        notes, numbers = note_numbers(self.model)
        places: List[Any] = [(field.place, field) for field in fields]
        places.extend((place_of(self.model, note.Anchor), numbers[note_key(note)]) for note in notes)
        ordered, before = [], 0
        for place, found in in_order(places, lambda entry: entry[0]):
            if isinstance(found, Field):
                note = numbers.get(note_key(place.note), 0) if place.note is not None else 0
                ordered.append(found._replace(note=note, notes_before=before))
            else:
                before += 1
        return ordered

    def at(self, fields: List[Field], found: Any) -> Optional[Field]:
        """The field that a cursor is in or beside."""
        text = found.Text
        for field in fields:
            anchor = field.mark.Anchor
            if anchor.Text != text:
                continue
            try:
                is_in = (
                    text.compareRegionStarts(anchor.Start, found.Start) >= 0
                    and text.compareRegionEnds(found.End, anchor.End) >= 0
                )
            except Exception:  # pylint: disable=broad-except
                continue
            if is_in:
                return field
        return None

    def insert(self, found: Any, runs: List[Run], citation: Json) -> None:
        """Writes a new field in the place of a range. Where changes are tracked, it is an insertion."""
        text = found.Text
        cursor = text.createTextCursorByRange(found)
        if cursor.String:
            cursor.String = ""
            cursor.collapseToEnd()
        self._mark(text, write_runs(text, cursor, runs), citation)

    def replace(self, field: Field, runs: List[Run], citation: Json) -> None:
        """Writes another text and another code."""
        anchor = field.mark.Anchor
        text = anchor.Text
        if field.is_bookmark:
            self._replace_bookmark(field, runs, citation)
            return
        cursor = text.createTextCursorByRange(anchor)
        self.changes.empty(cursor, field.change)
        cursor.collapseToStart()
        with recording(self.model, field.change == "Insert"):
            self._mark(text, write_runs(text, cursor, runs), citation)

    def _mark(self, text: Any, whole: Any, citation: Json) -> None:
        mark = self.model.createInstance("com.sun.star.text.ReferenceMark")
        mark.Name = codes.mark_name(codes.write_citation(citation))
        text.insertTextContent(whole, mark, True)

    def _replace_bookmark(self, field: Field, runs: List[Run], citation: Json) -> None:
        text = field.mark.Anchor.Text
        cursor = text.createTextCursorByRange(field.mark.Anchor)
        self.changes.empty(cursor, field.change)
        cursor.collapseToStart()
        if field.name in self.model.Bookmarks.ElementNames:
            # One without a text stays when its text goes.
            text.removeTextContent(self.model.Bookmarks.getByName(field.name))
        with recording(self.model, field.change == "Insert"):
            whole = write_runs(text, cursor, runs)
            mark = self.model.createInstance("com.sun.star.text.Bookmark")
            mark.Name = field.name
            text.insertTextContent(whole, mark, True)
        set_bookmark_code(self.model, field.name, codes.write_citation(citation))

    def release(self, field: Field) -> bool:
        """Puts text behind a citation out of its mark. Writer draws in what is typed there, after an undo for
        example. Whether there was any."""
        expected, shown = codes.plain_text(field.citation or {"properties": {}}), field.text
        if field.is_bookmark or not expected or shown == expected or not shown.startswith(expected):
            return False
        anchor = field.mark.Anchor
        text = anchor.Text
        cursor = text.createTextCursorByRange(anchor.Start)
        cursor.goRight(length(expected), True)
        if cursor.String != expected:
            return False
        runs = [run for paragraph in read_paragraphs(cursor) for run in paragraph]
        controller = self.model.CurrentController
        behind = text.createTextCursorByRange(cursor.End)
        behind.gotoRange(anchor.End, True)
        controller.select(behind)
        # It may contain other citations, which stay what they are when the text is moved.
        moved = controller.getTransferable()
        cursor.gotoRange(anchor.End, True)
        self.changes.empty(cursor, field.change)
        cursor.collapseToStart()
        whole = write_same(text, cursor, runs)
        self._mark(text, whole, field.citation or {})
        controller.select(text.createTextCursorByRange(whole.End))
        controller.insertTransferable(moved)
        return True

    def remove(self, field: Field) -> None:
        """Removes a field with its text."""
        cursor = field.mark.Anchor.Text.createTextCursorByRange(field.mark.Anchor)
        self.changes.empty(cursor, field.change)

    def unlink(self, field: Field) -> None:
        """Removes a field and keeps its text."""
        anchor = field.mark.Anchor
        text = anchor.Text
        if field.is_bookmark:
            text.removeTextContent(field.mark)
            return
        cursor = text.createTextCursorByRange(anchor)
        runs = [run for paragraph in read_paragraphs(cursor) for run in paragraph]
        self.changes.empty(cursor, field.change)
        cursor.collapseToStart()
        with recording(self.model, field.change == "Insert"):
            write_same(text, cursor, runs)


def bookmark_codes(model: Any) -> Dict[str, str]:
    """The codes of Zotero's bookmarks, which are in pieces in properties of the document."""
    properties = model.DocumentProperties.UserDefinedProperties
    pieces: Dict[str, List[Any]] = {}
    for described in properties.PropertySetInfo.Properties:
        name, _, number = described.Name.rpartition("_")
        if name.startswith(codes.BOOKMARK) and number.isdigit():
            value = str(properties.getPropertyValue(described.Name))
            pieces.setdefault(name, []).append((int(number), value))
    return {name: "".join(piece for _, piece in sorted(found)) for name, found in pieces.items()}


def set_bookmark_code(model: Any, bookmark: str, code: str) -> None:
    """Stores the code of a bookmark; an empty one removes it."""
    properties = model.DocumentProperties.UserDefinedProperties
    for described in properties.PropertySetInfo.Properties:
        name, _, number = described.Name.rpartition("_")
        if name == bookmark and number.isdigit():
            properties.removeProperty(described.Name)
    for number, start in enumerate(range(0, len(code), PIECE), 1):
        properties.addProperty(f"{bookmark}_{number}", REMOVABLE, code[start:start + PIECE])
