"""Formatted text in Writer: reads and writes runs, and changes text without losing tracked changes."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Tuple

from com.sun.star.awt.FontSlant import ITALIC, NONE as UPRIGHT
from com.sun.star.awt.FontUnderline import NONE as NO_LINE, SINGLE
from com.sun.star.awt.FontWeight import BOLD, NORMAL
from com.sun.star.style.CaseMap import NONE as NO_CAPS, SMALLCAPS
from com.sun.star.text.ControlCharacter import PARAGRAPH_BREAK

# A run is as the server sends it: text, italic, bold, small_caps, underline, position.
Run = Dict[str, Any]

# Percent of the line height and of the font size.
RAISED, LOWERED, SMALLER = 33, -8, 58
FULL = 100


def plain(runs: List[Run]) -> str:
    return "".join(run["text"] for run in runs)


def runs_of_text(text: str) -> List[Run]:
    return [{"text": text}] if text else []


def write_runs(text: Any, cursor: Any, runs: List[Run]) -> Any:
    """Inserts runs at a cursor and returns a cursor over them. Text without formatting of its own takes that of
    the place."""
    whole = _insert(text, cursor, plain(runs))
    if any(_is_formatted(run) for run in runs) or _is_moved(whole):
        _format(text, whole, runs)
    return whole


def _insert(text: Any, cursor: Any, written: str) -> Any:
    """Inserts a text and returns a cursor over it."""
    whole = text.createTextCursorByRange(cursor.Start)
    # Replacing an empty range would not be tracked. The cursor is behind the text then.
    text.insertString(whole, written, False)
    whole.collapseToEnd()
    whole.goLeft(length(written), True)
    return whole


def _is_formatted(run: Run) -> bool:
    return any(run.get(name) for name in ("italic", "bold", "small_caps", "underline", "position"))


def _is_moved(cursor: Any) -> bool:
    """Whether the text takes a raised position from a citation beside it."""
    return cursor.CharEscapement != 0


def _format(text: Any, whole: Any, runs: List[Run]) -> None:
    # A citation beside this one may be raised.
    whole.CharEscapement = 0
    whole.CharEscapementHeight = FULL
    part = text.createTextCursorByRange(whole.Start)
    for run in runs:
        part.collapseToEnd()
        part.goRight(length(run["text"]), True)
        if run.get("italic"):
            # Inside of a slanted text, emphasis is upright.
            part.CharPosture = UPRIGHT if part.CharPosture == ITALIC else ITALIC
        if run.get("bold"):
            part.CharWeight = NORMAL if part.CharWeight == BOLD else BOLD
        if run.get("small_caps"):
            part.CharCaseMap = SMALLCAPS
        if run.get("underline"):
            part.CharUnderline = SINGLE
        if run.get("position") == "superscript":
            part.CharEscapement, part.CharEscapementHeight = RAISED, SMALLER
        elif run.get("position") == "subscript":
            part.CharEscapement, part.CharEscapementHeight = LOWERED, SMALLER


def length(text: str) -> int:
    """Positions that the office counts: UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def read_paragraphs(cursor: Any) -> List[List[Run]]:
    """The runs of each paragraph of a range, formatted as it is."""
    paragraphs = []
    for paragraph in each(cursor):
        if not hasattr(paragraph, "createEnumeration"):
            continue
        runs = []
        for portion in each(paragraph):
            if portion.TextPortionType == "Text" and portion.String:
                runs.append(_read_run(portion))
        paragraphs.append(runs)
    return paragraphs


def _read_run(portion: Any) -> Run:
    run: Run = {"text": portion.String}
    if portion.CharPosture == ITALIC:
        run["italic"] = True
    if portion.CharWeight == BOLD:
        run["bold"] = True
    if portion.CharCaseMap == SMALLCAPS:
        run["small_caps"] = True
    if portion.CharUnderline == SINGLE:
        run["underline"] = True
    if portion.CharEscapement:
        run["position"] = "superscript" if portion.CharEscapement > 0 else "subscript"
    return run


def write_same(text: Any, cursor: Any, runs: List[Run]) -> Any:
    """Inserts runs that were read, with just their formatting. Returns a cursor over them."""
    whole = _insert(text, cursor, plain(runs))
    part = text.createTextCursorByRange(whole.Start)
    for run in runs:
        part.collapseToEnd()
        part.goRight(length(run["text"]), True)
        posture = ITALIC if run.get("italic") else UPRIGHT
        weight = BOLD if run.get("bold") else NORMAL
        caps = SMALLCAPS if run.get("small_caps") else NO_CAPS
        line = SINGLE if run.get("underline") else NO_LINE
        position = run.get("position")
        raised = {"superscript": RAISED, "subscript": LOWERED}.get(position, 0)
        wanted = {"CharPosture": posture, "CharWeight": weight, "CharCaseMap": caps, "CharUnderline": line}
        for name, value in wanted.items():
            if getattr(part, name) != value:
                setattr(part, name, value)
        if bool(part.CharEscapement) != bool(raised):
            part.CharEscapement, part.CharEscapementHeight = raised, SMALLER if raised else FULL
    return whole


def write_paragraphs(text: Any, cursor: Any, paragraphs: List[List[Run]], write: Any) -> None:
    """Inserts paragraphs at a collapsed cursor; the first goes on in its paragraph. `write` writes runs."""
    for number, runs in enumerate(paragraphs):
        if number:
            text.insertControlCharacter(cursor, PARAGRAPH_BREAK, False)
        written = write(text, cursor, runs)
        cursor.gotoRange(written.End, False)


def marks_beside(anchor: Any, most: int) -> Tuple[List[Any], List[Any]]:
    """The reference marks right before and right behind a range, each in the order of the text. The office may
    extend them by what is written beside them."""
    text = anchor.Text
    before: List[Any] = []
    at = anchor
    while len(before) < most:
        cursor = text.createTextCursorByRange(at.Start)
        if cursor.isStartOfParagraph() or not cursor.goLeft(1, False):
            break
        mark = cursor.ReferenceMark
        if mark is None or text.compareRegionEnds(mark.Anchor, at.Start) != 0:
            break
        before.insert(0, mark)
        at = mark.Anchor
    behind: List[Any] = []
    at = anchor
    while len(behind) < most:
        # The property is that of the character behind the cursor.
        mark = text.createTextCursorByRange(at.End).ReferenceMark
        if mark is None or text.compareRegionStarts(mark.Anchor, at.End) != 0:
            break
        behind.append(mark)
        at = mark.Anchor
    return before, behind


def each(found: Any) -> Iterator[Any]:
    parts = found.createEnumeration()
    while parts.hasMoreElements():
        yield parts.nextElement()


class TrackedChanges:
    """The tracked changes of a document. The texts of citations are calculated, like those of fields and indexes, so
    that a new text is no change that somebody has to accept. In a tracked insertion it stays a part of that."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.changes = [change for change in each(model.Redlines) if change.RedlineType in ("Insert", "Delete")]

    def kind_at(self, found: Any) -> str:
        """`Insert` or `Delete` if a range is in such a change; otherwise empty."""
        kind = ""
        for change in self.changes:
            if _covers(change, found):
                if change.RedlineType == "Delete":
                    return "Delete"
                kind = "Insert"
        return kind

    def empty(self, cursor: Any, kind: str) -> None:
        """Removes the text of a range, with the marks in it."""
        if not cursor.String:
            return
        with recording(self.model, kind == "Insert"):
            cursor.String = ""
        if cursor.String:
            # Somebody else inserted it, so that its removal was tracked.
            with recording(self.model, False):
                cursor.String = ""


def _covers(change: Any, found: Any) -> bool:
    one, other = change.RedlineStart, change.RedlineEnd
    text = found.Text
    if one is None or other is None or one.Text != text:
        return False
    try:
        # The office names the end first where a person wrote forwards.
        start, end = (other, one) if text.compareRegionStarts(one, other) < 0 else (one, other)
        return text.compareRegionStarts(start, found.Start) >= 0 and text.compareRegionEnds(found.End, end) >= 0
    except Exception:  # pylint: disable=broad-except
        return False


@contextmanager
def recording(model: Any, is_on: bool) -> Iterator[None]:
    before = model.RecordChanges
    if before != is_on:
        model.RecordChanges = is_on
    try:
        yield
    finally:
        if before != is_on:
            model.RecordChanges = before


@contextmanager
def one_step(model: Any, title: str) -> Iterator[None]:
    """Everything inside is one step to undo. If it fails, it is undone."""
    undo = model.UndoManager
    undo.enterUndoContext(title)
    model.lockControllers()
    failed = True
    try:
        yield
        failed = False
    finally:
        model.unlockControllers()
        undo.leaveUndoContext()
        titles = undo.getAllUndoActionTitles()
        # A step without a change is not there.
        if failed and titles and titles[0] == title:
            undo.undo()
            undo.clearRedo()


@contextmanager
def not_undone(model: Any) -> Iterator[None]:
    """Changes inside are no steps to undo. What was before must be there again in the end, position by position."""
    model.UndoManager.lock()
    model.lockControllers()
    try:
        yield
    finally:
        model.unlockControllers()
        model.UndoManager.unlock()
