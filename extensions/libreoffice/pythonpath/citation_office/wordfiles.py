"""Word's files. They have no reference marks, but fields: while Writer writes such a file, the marks are fields of
Word, which Zotero reads there; fields of such a file become marks when it is opened."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from . import codes
from .order import texts_of
from .texts import (
    Run, TrackedChanges, each, marks_beside, not_undone, read_paragraphs, recording, write_paragraphs, write_same,
)

FIELD = "com.sun.star.text.Fieldmark"
KIND = "vnd.oasis.opendocument.field.UNHANDLED"
CODE = "vnd.oasis.opendocument.field.code"


class Converted(NamedTuple):
    """A mark that is a field of Word for now."""

    field: Any
    name: str
    paragraphs: List[List[Run]]
    change: str


# Marks right behind each other.
MAX_MARKS = 100

# By document: the marks that are fields of Word while a file is written.
_converted: Dict[str, Tuple[List[Converted], Optional[Converted]]] = {}
# Documents whose fields of Word were looked for.
_adopted: Dict[str, None] = {}


def is_word(model: Any) -> bool:
    """Whether the document is a file of Word."""
    names = {argument.Name: argument.Value for argument in model.Args}
    return "Word" in str(names.get("FilterName", "")) or model.URL.lower().endswith((".docx", ".doc", ".docm"))


def has_marks(model: Any) -> bool:
    return any(name.startswith((codes.CITATION, "JR_cite", "JABREF_")) for name in model.ReferenceMarks.ElementNames)


def before_saving(model: Any) -> None:
    """Turns the marks into fields of Word. What can be undone stays so, because `after_saving` puts every
    character back into its place."""
    name = model.RuntimeUID
    if name in _converted or not is_word(model) or model.isReadonly():
        return
    changes = TrackedChanges(model)
    done: List[Converted] = []
    # If something fails, what is done until then is put back.
    _converted[name] = (done, None)
    with not_undone(model), recording(model, False):
        marks = model.ReferenceMarks
        cited = [name for name in marks.ElementNames if codes.read_citation(name)]
        for mark in _last_first(cited, model):
            anchor = marks.getByName(mark).Anchor
            change = changes.kind_at(anchor) if changes.changes else ""
            if change != "Delete":
                done.append(_to_field(model, changes, anchor, mark, change))
        _converted[name] = (done, _list_to_field(model))


def after_saving(model: Any, is_saved: bool) -> None:
    """Puts the marks back."""
    name = model.RuntimeUID
    done, listed = _converted.pop(name, ([], None))
    if not done and listed is None:
        return
    # If something fails, the next command looks for fields of Word.
    _adopted.pop(name, None)
    is_modified = model.isModified()
    changes = TrackedChanges(model)
    with not_undone(model), recording(model, False):
        for converted in reversed(done):
            text, cursor = _emptied(changes, converted.field, converted.change)
            with recording(model, converted.change == "Insert"):
                runs = converted.paragraphs[0] if converted.paragraphs else []
                _mark(model, text, write_same(text, cursor, runs), converted.name)
        if listed is not None:
            text, cursor = _emptied(changes, listed.field, "")
            write_paragraphs(text, cursor, listed.paragraphs, write_same)
    _adopted[name] = None
    model.setModified(is_modified and not is_saved)


def adopt(model: Any) -> int:
    """Turns the citation fields of a file of Word into marks, once for each document. What was done before cannot
    be undone then. Returns the number of fields."""
    name = model.RuntimeUID
    if name in _adopted or name in _converted:
        return 0
    _adopted[name] = None
    while len(_adopted) > 100:
        _adopted.pop(next(iter(_adopted)))
    found = _fields_of_word(model)
    if not found:
        return 0
    is_changed = model.isModified()
    changes = TrackedChanges(model)
    with not_undone(model), recording(model, False):
        for field, code in found:
            anchor = field.Anchor
            change = changes.kind_at(anchor) if changes.changes else ""
            paragraphs = read_paragraphs(anchor.Text.createTextCursorByRange(anchor))
            if codes.is_list(code):
                _adopt_list(model, changes, field, paragraphs, codes.mark_name(_list_code(code)))
                continue
            citation = codes.read_citation(code)
            if citation is None:
                continue
            text, cursor = _emptied(changes, field, change)
            runs = [run for paragraph in paragraphs for run in paragraph]
            with recording(model, change == "Insert"):
                whole = write_same(text, cursor, runs)
                _mark(model, text, whole, codes.mark_name(codes.write_citation(citation)))
    model.UndoManager.clear()
    model.setModified(is_changed)
    return len(found)


def _list_code(code: str) -> str:
    code = code.strip()
    return codes.list_code(code[len("ADDIN "):].lstrip() if code.startswith("ADDIN ") else code)


def _last_first(marks: List[str], model: Any) -> List[str]:
    """Marks right behind each other, the last first: a mark would draw in a field that is written before it."""
    ordered: Dict[str, None] = {}
    for name in marks:
        _, behind = marks_beside(model.ReferenceMarks.getByName(name).Anchor, MAX_MARKS)
        for other in reversed(behind):
            ordered.setdefault(other.Name)
        ordered.setdefault(name)
    return list(ordered)


def _to_field(model: Any, changes: TrackedChanges, anchor: Any, name: str, change: str) -> Converted:
    text = anchor.Text
    cursor = text.createTextCursorByRange(anchor)
    paragraphs = read_paragraphs(cursor)
    changes.empty(cursor, change)
    cursor.collapseToStart()
    citation = codes.read_citation(name)
    code = codes.write_citation(citation) if citation else name
    runs = [run for paragraph in paragraphs for run in paragraph]
    with recording(model, change == "Insert"):
        field = _field(model, text, cursor, code, lambda at: write_same(text, at, runs))
    return Converted(field, name, [runs], change)


def _field(model: Any, text: Any, cursor: Any, code: str, write: Callable[[Any], Any]) -> Any:
    """Makes a field of Word at a cursor. Its text is between its separator and its end."""
    field = model.createInstance(FIELD)
    text.insertTextContent(cursor, field, False)
    field.setFieldType(KIND)
    field.getParameters().insertByName(CODE, f" ADDIN {code} ")
    inside = text.createTextCursorByRange(field.Anchor.End)
    inside.goLeft(1, False)
    write(inside)
    return field


def _list_to_field(model: Any) -> Optional[Converted]:
    """The entries become a field inside of their section. The section itself stays, because what can be undone
    refers to it."""
    from .worklist import WorkList

    section = WorkList(model).section()
    if section is None or not section.Name.startswith(codes.LIST):
        return None
    text = section.Anchor.Text
    cursor = text.createTextCursorByRange(section.Anchor)
    paragraphs = read_paragraphs(cursor)
    if not cursor.String:
        return None
    cursor.String = ""
    cursor.collapseToStart()

    def write(at: Any) -> None:
        write_paragraphs(text, at, paragraphs, write_same)

    field = _field(model, text, cursor, codes.list_code(section.Name), write)
    return Converted(field, section.Name, paragraphs, "")


def _adopt_list(model: Any, changes: TrackedChanges, field: Any, paragraphs: List[List[Run]], name: str) -> None:
    around = field.Anchor.TextSection
    is_own = around is not None and around.Anchor.String.strip() == field.Anchor.String.strip()
    text, cursor = _emptied(changes, field, "")
    write_paragraphs(text, cursor, paragraphs, write_same)
    if is_own:
        # Writer reads the section of a list that it wrote into a file of Word as a section without a name.
        around.Name = name
        return
    whole = text.createTextCursorByRange(cursor.End)
    for _ in range(len(paragraphs) - 1):
        whole.gotoPreviousParagraph(True)
    whole.gotoStartOfParagraph(True)
    section = model.createInstance("com.sun.star.text.TextSection")
    section.Name = name
    text.insertTextContent(whole, section, True)


def _emptied(changes: TrackedChanges, field: Any, change: str) -> Tuple[Any, Any]:
    anchor = field.Anchor
    text = anchor.Text
    cursor = text.createTextCursorByRange(anchor)
    changes.empty(cursor, change)
    cursor.collapseToStart()
    return text, cursor


def _mark(model: Any, text: Any, whole: Any, name: str) -> None:
    mark = model.createInstance("com.sun.star.text.ReferenceMark")
    mark.Name = name
    text.insertTextContent(whole, mark, True)


def _fields_of_word(model: Any) -> List[Tuple[Any, str]]:
    """The fields of Word that are citations or lists, with their codes."""
    found: Dict[str, Tuple[Any, str]] = {}
    for text in texts_of(model):
        for paragraph in _paragraphs(text):
            for portion in each(paragraph):
                if portion.TextPortionType != "TextFieldStart" or not portion.Bookmark:
                    continue
                field = portion.Bookmark
                parameters = field.getParameters()
                if not parameters.hasByName(CODE):
                    continue
                code = str(parameters.getByName(CODE))
                if codes.read_citation(code) or (codes.is_list(code)):
                    found[field.Name] = (field, code)
    return list(found.values())


def _paragraphs(text: Any) -> List[Any]:
    """The paragraphs of a text, with those of its tables."""
    found = []
    for part in each(text):
        if part.supportsService("com.sun.star.text.TextTable"):
            for name in part.CellNames:
                found.extend(_paragraphs(part.getCellByName(name)))
        elif part.supportsService("com.sun.star.text.Paragraph"):
            found.append(part)
    return found
