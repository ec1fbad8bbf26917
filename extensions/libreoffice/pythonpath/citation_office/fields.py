"""The citation fields of a document: finds them in reading order, and writes them."""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from . import codes
from .codes import JabRefMark, Json
from .order import Place, Places, compare_starts, contains, in_order, note_key, note_numbers
from .texts import Run, TrackedChanges, length, marks_beside, plain, read_paragraphs, recording, write_runs, write_same

# Maximum length of a property in Word.
PIECE = 255
# Marks right behind each other.
MAX_MARKS = 100
REMOVABLE = 128  # com.sun.star.beans.PropertyAttribute.REMOVABLE


class Field(NamedTuple):
    """A citation field."""

    mark: Any
    # All marks of its kind.
    marks: Any
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
    # What it showed when it was read.
    text: str

    @property
    def anchor(self) -> Any:
        """Its range. A mark that was written anew has its name."""
        return self.mark.Anchor or self.marks.getByName(self.name).Anchor

    @property
    def is_wider(self) -> bool:
        """Whether it shows more than its citation."""
        expected = codes.plain_text(self.citation) if self.citation else ""
        if self.is_bookmark or not expected or len(self.text) <= len(expected):
            return False
        return self.text.startswith(expected) or self.text.endswith(expected)


class Fields:
    """The fields of a document."""

    def __init__(self, model: Any, order: Optional[Dict[str, int]] = None) -> None:
        self.model = model
        # The order of citations when they were last read, by their ids: what is sorted already is sorted soon.
        self.order = order or {}
        self.changes = TrackedChanges(model)
        self.places = Places(model)
        # The fields that a tracked change deleted: they stand in the document, but not in its text.
        self.deleted: List[Field] = []

    def read(self) -> List[Field]:
        """The fields in reading order."""
        found = [field for field in self._marks() if field.citation or field.jabref]
        if self.changes.changes:
            found = [field._replace(change=self.changes.kind_at(field.anchor)) for field in found]
        self.deleted = [field for field in found if field.change == "Delete"]
        found = [field for field in found if field.change != "Delete"]
        return self._numbered(found)

    def _marks(self) -> List[Field]:
        found = []
        marks = self.model.ReferenceMarks
        for name in marks.ElementNames:
            citation, jabref = codes.read_citation(name), codes.read_jabref(name)
            if citation or jabref:
                found.append(self._field(marks, name, citation, jabref, False))
        bookmarks = self.model.Bookmarks
        stored = bookmark_codes(self.model)
        for name in bookmarks.ElementNames:
            citation = codes.read_citation(stored.get(name, ""))
            if citation:
                found.append(self._field(bookmarks, name, citation, None, True))
        return found

    def _field(self, marks: Any, name: str, citation: Any, jabref: Any, is_bookmark: bool) -> Field:
        mark = marks.getByName(name)
        anchor = mark.Anchor
        place = self.places.of(anchor)
        return Field(mark, marks, name, citation, jabref, is_bookmark, place, 0, 0, "", anchor.String)

    def _numbered(self, fields: List[Field]) -> List[Field]:
        notes, numbers = note_numbers(self.model)
        last = len(self.order)
        fields.sort(key=lambda field: self.order.get((field.citation or {}).get("citationID", ""), last))
        places: List[Any] = [(field.place, field) for field in fields]
        places.extend((self.places.of(note.Anchor), numbers[note_key(note)]) for note in notes)
        ordered, before = [], 0
        for place, found in in_order(places, lambda entry: entry[0]):
            if isinstance(found, Field):
                note = numbers.get(note_key(place.note), 0) if place.note is not None else 0
                ordered.append(found._replace(note=note, notes_before=before))
            else:
                before += 1
        return ordered

    def at(self, fields: List[Field], found: Any) -> Optional[Field]:
        """The field that a cursor is in or right behind."""
        text = found.Text
        for field in fields:
            anchor = field.anchor
            if contains(anchor, found) and compare_starts(text, anchor, found) < 0:
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
        if field.is_bookmark:
            self._replace_bookmark(field, runs, citation)
            return
        self._rewrite(field, runs, lambda text, whole: self._mark(text, whole, citation))

    def _rewrite(self, field: Field, runs: List[Run], mark: Callable[[Any, Any], None]) -> None:
        """Writes another text in the place of a field, and what marks it. Marks right beside it are written anew
        too, because they would draw it in."""
        anchor = field.anchor
        text = anchor.Text
        before, behind = marks_beside(anchor, MAX_MARKS)
        cursor = text.createTextCursorByRange(before[0].Anchor if before else anchor)
        cursor.gotoRange(behind[-1].Anchor.End if behind else anchor.End, True)
        parts: List[Tuple[List[Run], str]] = [(self.runs(found.Anchor), found.Name) for found in before]
        parts.append((runs, ""))
        parts.extend((self.runs(found.Anchor), found.Name) for found in behind)
        self.changes.empty(cursor, field.change)
        cursor.collapseToStart()
        with recording(self.model, field.change == "Insert"):
            for number, (written, name) in enumerate(parts):
                write = write_runs if number == len(before) else write_same
                whole = write(text, cursor, written)
                if number == len(before):
                    mark(text, whole)
                else:
                    self._mark(text, whole, {}, name)
                cursor = text.createTextCursorByRange(whole.End)

    def runs(self, anchor: Any) -> List[Run]:
        """The runs of a range of one paragraph."""
        cursor = anchor.Text.createTextCursorByRange(anchor)
        return [run for paragraph in read_paragraphs(cursor) for run in paragraph]

    def _mark(self, text: Any, whole: Any, citation: Json, name: str = "") -> None:
        mark = self.model.createInstance("com.sun.star.text.ReferenceMark")
        mark.Name = name or codes.mark_name(codes.write_citation(citation))
        text.insertTextContent(whole, mark, True)

    def _replace_bookmark(self, field: Field, runs: List[Run], citation: Json) -> None:
        text = field.anchor.Text
        cursor = text.createTextCursorByRange(field.anchor)
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

    def release(self, field: Field, fields: List[Field]) -> bool:
        """Puts text beside a citation out of its mark. Writer draws in what is written at the start of a paragraph
        that begins with a mark, and behind a mark that an undo restored. Whether there was any."""
        if not field.is_wider or not field.marks.hasByName(field.name):
            return False
        expected, shown = codes.plain_text(field.citation or {}), field.text
        anchor = field.anchor
        text = anchor.Text
        own = text.createTextCursorByRange(anchor.Start)
        if not shown.startswith(expected):
            own.goRight(length(shown) - length(expected), False)
        own.goRight(length(expected), True)
        marks = [(own, field.name)]
        for other in fields:
            if other.name != field.name and not other.is_bookmark and contains(anchor, other.anchor):
                marks.append((other.anchor, other.name))
        parts = self._parts(anchor, marks)
        if plain([run for runs, _ in parts for run in runs]) != shown:
            # It contains what is no text.
            return False
        cursor = text.createTextCursorByRange(anchor)
        self.changes.empty(cursor, field.change)
        cursor.collapseToStart()
        with recording(self.model, field.change == "Insert"):
            for runs, name in parts:
                whole = write_same(text, cursor, runs)
                if name:
                    self._mark(text, whole, {}, name)
                cursor = text.createTextCursorByRange(whole.End)
        return True

    def _parts(self, anchor: Any, marks: List[Any]) -> List[Any]:
        """The runs of a range, divided where marks begin and end, each with the name of its mark."""
        text = anchor.Text
        marks.sort(key=cmp_to_key(lambda one, other: compare_starts(text, one[0].Start, other[0].Start)))
        parts = []
        at = anchor.Start
        for found, name in [*marks, (anchor.End, "")]:
            between = text.createTextCursorByRange(at)
            between.gotoRange(found.Start, True)
            for cursor, mark in ((between, ""), (text.createTextCursorByRange(found), name)):
                runs = [run for paragraph in read_paragraphs(cursor) for run in paragraph]
                if runs:
                    parts.append((runs, mark))
            at = found.End
        return parts

    def remove(self, field: Field) -> None:
        """Removes a field with its text."""
        cursor = field.anchor.Text.createTextCursorByRange(field.anchor)
        self.changes.empty(cursor, field.change)

    def unlink(self, field: Field) -> None:
        """Removes a field and keeps its text."""
        if field.is_bookmark:
            field.anchor.Text.removeTextContent(field.mark)
            return
        self._rewrite(field, self.runs(field.anchor), lambda *_: None)


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
