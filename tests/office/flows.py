"""What people do with citations in LibreOffice, each ending in a saved file whose citations our own reader finds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import traceback
import urllib.request
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple
from xml.sax.saxutils import quoteattr

import uno  # Makes the modules of the office importable.
from com.sun.star.text.TextContentAnchorType import AS_CHARACTER

from office import Document, Office

PROGRAM = os.environ["CITATION"]
ADDRESS = os.environ["ADDRESS"]
WORK = Path(os.environ["WORK"])
DNA = {"query": "10.1038/171737a0"}


def work(family: str, title: str, year: int = 1815, **more: Any) -> Dict[str, Any]:
    """A record that the document is to hold."""
    name = {"family": family, "given": "Ann"}
    return {"id": f"{family}{year}", "type": "book", "title": title, "author": [name],
            "issued": {"date-parts": [[year]]}, **more}


def of(family: str, title: str, year: int = 1815, **cite: Any) -> Dict[str, Any]:
    return {"item": work(family, title, year), **cite}


ASH, BIRCH = of("Ash", "Trees"), of("Birch", "Woods", 1901)

# Each flow: its function, and the files that it saved with the number of citations in each.
Saved = List[Tuple[Path, int]]
FLOWS: List[Callable[["Desk"], Saved]] = []


def flow(function: Callable[["Desk"], Saved]) -> Callable[["Desk"], Saved]:
    FLOWS.append(function)
    return function


class Desk:
    """Where a flow works: an office, and a folder of its own."""

    def __init__(self, office: Office, folder: Path) -> None:
        self.office = office
        self.folder = folder
        self.times: List[str] = []

    def new(self) -> Document:
        return self.office.new()

    def flat(self, body: str, properties: str = "") -> Document:
        """Opens an OpenDocument text that another program wrote."""
        names = "".join(
            f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{kind}:1.0" '
            for name, kind in (("office", "office"), ("text", "text"), ("meta", "meta"), ("table", "table"))
        )
        path = self.folder / "given.fodt"
        path.write_text(
            f'<?xml version="1.0" encoding="UTF-8"?><office:document {names} '
            'xmlns:field="urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0" '
            'office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">'
            f"<office:meta>{properties}</office:meta><office:body><office:text>{body}</office:text></office:body>"
            "</office:document>", "utf-8",
        )
        return self.office.open(path)

    def close(self, document: Document, count: int, name: str = "text.odt") -> Tuple[Path, int]:
        path = document.save_as(self.folder / name)
        document.close()
        return path, count

    def timed(self, what: str, do: Callable[[], Any]) -> Any:
        start = time.monotonic()
        answer = do()
        self.times.append(f"{what} {1000 * (time.monotonic() - start):.0f} ms")
        return answer


def equal(found: Any, expected: Any) -> None:
    assert found == expected, f"{found!r} instead of {expected!r}"


def undo(document: Document, times: int = 1) -> None:
    for _ in range(times):
        document.model.UndoManager.undo()


def redo(document: Document, times: int = 1) -> None:
    for _ in range(times):
        document.model.UndoManager.redo()


@flow
def work_is_cited_by_identifier_words_and_link(desk: Desk) -> Saved:
    document = desk.new()
    for query in ("10.1038/171737a0", "watson crick molecular structure nucleic acids",
                  "https://doi.org/10.1038/171737a0"):
        document.type("It is known ")
        document.cite({"query": query})
        document.type(". ")
    equal(document.texts(), ["(Watson & Crick, 1953)"] * 3)
    return [desk.close(document, 3)]


@flow
def locators_affixes_and_modes_are_set(desk: Desk) -> Saved:
    document = desk.new()
    document.cite(of("Ash", "Trees", locator="3", prefix="see ", suffix=", my emphasis"))
    for mode in ("composite", "suppress-author", "author-only"):
        document.type(" and ")
        document.cite(of("Ash", "Trees", mode=mode))
    document.type(" and ")
    document.cite(of("Ash", "Trees", locator="2", label="chapter"))
    texts = ["(see Ash, 1815, p. 3, my emphasis)", "Ash (1815)", "(1815)", "Ash", "(Ash, 1815, Chapter 2)"]
    equal(document.texts(), texts)
    return [desk.close(document, 5)]


@flow
def citation_has_several_works(desk: Desk) -> Saved:
    document = desk.new()
    document.cite(BIRCH, ASH, DNA)
    equal(document.texts(), ["(Ash, 1815; Birch, 1901; Watson & Crick, 1953)"])
    return [desk.close(document, 1)]


@flow
def citation_is_edited(desk: Desk) -> Saved:
    document = desk.new()
    document.cite(ASH)
    document.type(" and ")
    document.cite(BIRCH)
    document.run("edit", field=0, set={"locator": "7"})
    equal(document.texts(), ["(Ash, 1815, p. 7)", "(Birch, 1901)"])
    document.run("edit", field=1, cites=[ASH, BIRCH])
    equal(document.texts()[1], "(Ash, 1815; Birch, 1901)")
    document.run("edit", field=0, cites=[])
    equal(document.texts(), ["(Ash, 1815; Birch, 1901)"])
    return [desk.close(document, 1)]


@flow
def moved_citations_are_numbered_anew(desk: Desk) -> Saved:
    document = desk.new()
    document.run("style", style="ieee")
    document.type("First ")
    document.cite(ASH)
    document.type("; then ")
    document.cite(BIRCH)
    document.type(".\n")
    document.run("list")
    equal(document.texts(), ["[1]", "[2]"])
    document.select(document.mark(1))
    document.dispatch(".uno:Cut")
    document.model.CurrentController.ViewCursor.gotoStart(False)
    document.dispatch(".uno:Paste")
    document.run("refresh")
    equal(document.texts(), ["[1]", "[2]"])
    equal(document.fields()[0]["citation"]["citationItems"][0]["itemData"]["title"], "Woods")
    assert document.text().index("Woods") < document.text().index("Trees"), document.text()
    return [desk.close(document, 2)]


@flow
def copied_citation_is_a_citation(desk: Desk) -> Saved:
    document = desk.new()
    document.type("Once ")
    document.cite(ASH)
    document.type(" and again ")
    document.select(document.mark(0))
    document.dispatch(".uno:Copy")
    document.end()
    document.dispatch(".uno:Paste")
    document.type(" x ")
    document.dispatch(".uno:Paste")
    equal(document.texts(), ["(Ash, 1815)"] * 3)
    document.run("edit", field=2, set={"locator": "9"})
    equal(document.texts(), ["(Ash, 1815)", "(Ash, 1815)", "(Ash, 1815, p. 9)"])
    return [desk.close(document, 3)]


@flow
def citation_is_copied_to_another_document(desk: Desk) -> Saved:
    one, other = desk.new(), desk.new()
    one.cite(ASH)
    other.type("Here ")
    other.cite(BIRCH)
    one.select(one.mark(0))
    one.dispatch(".uno:Copy")
    other.type(" too ")
    other.dispatch(".uno:Paste")
    other.run("refresh")
    equal(other.texts(), ["(Birch, 1901)", "(Ash, 1815)"])
    return [desk.close(one, 1, "one.odt"), desk.close(other, 2, "other.odt")]


@flow
def deleted_citation_leaves_the_list(desk: Desk) -> Saved:
    document = desk.new()
    document.cite(ASH)
    document.type(" and ")
    document.cite(BIRCH)
    document.type("\n")
    document.run("list")
    assert "Woods" in document.text()
    document.select(document.mark(1))
    document.dispatch(".uno:Delete")
    document.run("refresh")
    assert "Woods" not in document.text() and "Trees" in document.text(), document.text()
    return [desk.close(document, 1)]


@flow
def insertion_is_one_step_to_undo(desk: Desk) -> Saved:
    document = desk.new()
    document.type("A ")
    document.cite(ASH)
    document.type("\n")
    document.run("list")
    before = document.text()
    document.view.gotoStart(False)
    document.run("insert", cites=[BIRCH])
    after = document.text()
    assert "Woods" in after
    undo(document)
    equal(document.text(), before)
    redo(document)
    equal(document.text(), after)
    equal(document.texts(), ["(Birch, 1901)", "(Ash, 1815)"])
    return [desk.close(document, 2)]


@flow
def change_of_style_is_one_step_to_undo(desk: Desk) -> Saved:
    document = desk.new()
    document.type("A ")
    document.cite(ASH)
    document.type(" and ")
    document.cite(BIRCH)
    document.type(".\n")
    document.run("list")
    before = document.text()
    document.run("style", style="ieee")
    equal(document.texts(), ["[1]", "[2]"])
    undo(document)
    equal(document.text(), before)
    redo(document)
    equal(document.texts(), ["[1]", "[2]"])
    # A text of another style is none that somebody wrote.
    document.run("style", style="apa")
    equal(document.text(), before)
    return [desk.close(document, 2)]


@flow
def citations_in_tables_are_in_order(desk: Desk) -> Saved:
    document = desk.new()
    document.run("style", style="ieee")
    document.type("Before ")
    document.cite(ASH)
    document.type("\n")
    model = document.model
    table = model.createInstance("com.sun.star.text.TextTable")
    table.initialize(2, 2)
    cursor = model.Text.createTextCursor()
    cursor.gotoEnd(False)
    model.Text.insertTextContent(cursor, table, False)
    for cell, cited in (("B2", of("Cedar", "Cones")), ("A1", BIRCH)):
        inside = table.getCellByName(cell)
        document.view.gotoRange(inside.Text.End, False)
        document.cite(cited)
    document.type("After ")
    document.cite(of("Date", "Palms"))
    equal(document.texts(), ["[1]", "[2]", "[3]", "[4]"])
    families = [field["citation"]["citationItems"][0]["itemData"]["author"][0]["family"] for field in document.fields()]
    equal(families, ["Ash", "Birch", "Cedar", "Date"])
    return [desk.close(document, 4), ]


@flow
def citation_in_a_note_of_the_person_is_set(desk: Desk) -> Saved:
    document = desk.new()
    document.type("A ")
    document.cite(ASH)
    model = document.model
    note = model.createInstance("com.sun.star.text.Footnote")
    document.type(" and more")
    model.Text.insertTextContent(model.Text.End, note, False)
    note.insertString(note.createTextCursor(), "Compare ", False)
    cursor = note.createTextCursor()
    cursor.gotoEnd(False)
    document.view.gotoRange(cursor, False)
    document.cite(BIRCH)
    document.type(". Last ")
    document.cite(DNA)
    found = [(field["text"], field["note"]) for field in document.fields()]
    equal(found, [("(Ash, 1815)", 0), ("(Birch, 1901)", 1), ("(Watson & Crick, 1953)", 0)])
    return [desk.close(document, 3)]


@flow
def style_of_notes_makes_notes(desk: Desk) -> Saved:
    document = desk.new()
    document.run("style", style="chicago-notes-bibliography")
    for cited in (ASH, of("Ash", "Trees", locator="4"), BIRCH):
        document.type("A sentence.")
        document.cite(cited)
        document.type(" ")
    notes = document.model.Footnotes
    equal([notes.getByIndex(n).String for n in range(notes.Count)],
          ["Ann Ash, Trees (1815).", "Ash, Trees, 4.", "Ann Birch, Woods (1901)."])
    undo(document, 2)
    equal(notes.Count, 2)
    return [desk.close(document, 2)]


@flow
def citations_move_between_text_and_notes(desk: Desk) -> Saved:
    document = desk.new()
    document.type("As ")
    document.cite(of("Ash", "Trees", mode="composite"))
    document.type(" says, it is so ")
    document.cite(BIRCH)
    document.type(".")
    document.run("style", style="chicago-notes-bibliography")
    notes = document.model.Footnotes
    equal([notes.getByIndex(n).String for n in range(notes.Count)], ["Trees (1815).", "Ann Birch, Woods (1901)."])
    assert document.text().startswith("As Ann Ash"), document.text()
    document.run("style", style="apa")
    equal(notes.Count, 0)
    equal(document.texts(), ["(1815)", "(Birch, 1901)"])
    assert document.text().endswith("(Birch, 1901)."), document.text()
    return [desk.close(document, 2)]


@flow
def citation_in_a_header_is_set(desk: Desk) -> Saved:
    document = desk.new()
    document.type("Text ")
    document.cite(ASH)
    style = document.model.StyleFamilies.getByName("PageStyles").getByName("Standard")
    style.HeaderIsOn = True
    document.view.gotoRange(style.HeaderText.End, False)
    document.cite(BIRCH)
    equal(document.texts(), ["(Ash, 1815)", "(Birch, 1901)"])
    path, _ = desk.close(document, 1)
    document = desk.office.open(path)
    equal(document.texts(), ["(Ash, 1815)", "(Birch, 1901)"])
    document.close()
    # Our reader reads the text, without headers.
    return [(path, 1)]


@flow
def citation_in_a_frame_is_set(desk: Desk) -> Saved:
    document = desk.new()
    document.type("Text ")
    document.cite(ASH)
    document.type(" ")
    model = document.model
    frame = model.createInstance("com.sun.star.text.TextFrame")
    frame.AnchorType = AS_CHARACTER
    model.Text.insertTextContent(model.Text.End, frame, False)
    document.view.gotoRange(frame.Text.End, False)
    document.cite(BIRCH)
    equal(document.texts(), ["(Ash, 1815)", "(Birch, 1901)"])
    return [desk.close(document, 2)]


@flow
def tracked_insertion_stays_tracked(desk: Desk) -> Saved:
    document = desk.new()
    document.type("Text ")
    document.cite(ASH)
    document.type(". ")
    document.model.RecordChanges = True
    document.cite(BIRCH)
    assert document.model.RecordChanges
    document.run("style", style="ieee")
    document.run("style", style="apa")
    equal(document.texts(), ["(Ash, 1815)", "(Birch, 1901)"])
    # The person's insertion is the only change; texts that were set again are none.
    kinds = changes(document)
    equal(kinds, [("Insert", "(Birch, 1901)")])
    document.dispatch(".uno:RejectAllTrackedChanges")
    document.run("refresh")
    equal(document.texts(), ["(Ash, 1815)"])
    undo(document, 1)
    return [desk.close(document, len(document.texts()))]


def changes(document: Document) -> List[Tuple[str, str]]:
    found = []
    redlines = document.model.Redlines.createEnumeration()
    while redlines.hasMoreElements():
        change = redlines.nextElement()
        text = change.RedlineStart.Text
        cursor = text.createTextCursorByRange(change.RedlineStart)
        cursor.gotoRange(change.RedlineEnd, True)
        found.append((change.RedlineType, cursor.String))
    return found


@flow
def tracked_deletion_is_not_cited(desk: Desk) -> Saved:
    document = desk.new()
    document.run("style", style="ieee")
    document.cite(ASH)
    document.type(" and ")
    document.cite(BIRCH)
    document.type("\n")
    document.run("list")
    document.model.RecordChanges = True
    document.select(document.mark(0))
    document.dispatch(".uno:Delete")
    document.run("refresh")
    equal([field["citation"]["citationItems"][0]["itemData"]["title"] for field in document.fields()], ["Woods"])
    equal(document.texts(), ["[1]"])
    first = desk.close(document, 1, "deleted.odt")
    document = desk.office.open(first[0])
    document.dispatch(".uno:RejectAllTrackedChanges")
    document.run("refresh")
    equal(document.texts(), ["[1]", "[2]"])
    return [first, desk.close(document, 2, "rejected.odt")]


@flow
def text_of_a_person_stays(desk: Desk) -> Saved:
    document = desk.new()
    document.cite(ASH)
    document.type(" and ")
    document.cite(BIRCH)
    anchor = document.mark(0)
    cursor = anchor.Text.createTextCursorByRange(anchor.Start)
    cursor.goRight(1, False)
    anchor.Text.insertString(cursor, "surely ", False)
    document.run("style", style="ieee")
    equal(document.texts(), ["(surely Ash, 1815)", "[2]"])
    document.run("edit", field=0, set={"locator": "2"})
    equal(document.texts(), ["[1, p. 2]", "[2]"])
    return [desk.close(document, 2)]


@flow
def text_typed_beside_a_citation_is_no_part_of_it(desk: Desk) -> Saved:
    document = desk.new()
    document.type("A ")
    document.cite(ASH)
    anchor = document.mark(0)
    # Writer draws text into a mark that it restored.
    cursor = anchor.Text.createTextCursorByRange(anchor.End)
    cursor.goLeft(1, False)
    anchor.Text.insertString(cursor, ") is right", False)
    cursor.gotoRange(document.mark(0).End, False)
    cursor.goLeft(1, True)
    cursor.String = ""
    equal(document.texts(), ["(Ash, 1815) is right"])
    document.run("refresh")
    equal(document.texts(), ["(Ash, 1815)"])
    equal(document.text(), "A (Ash, 1815) is right")
    # A paragraph that begins with a mark draws in what is typed before it.
    document.type("\n")
    document.cite(BIRCH)
    anchor = document.mark(1)
    anchor.Text.insertString(anchor.Start, "So ", False)
    equal(document.texts()[1], "So (Birch, 1901)")
    document.run("refresh")
    equal(document.texts(), ["(Ash, 1815)", "(Birch, 1901)"])
    assert document.text().endswith("So (Birch, 1901)"), document.text()
    return [desk.close(document, 2)]


@flow
def saved_document_goes_on(desk: Desk) -> Saved:
    document = desk.new()
    document.run("style", style="ieee", locale="de-DE")
    document.cite(of("Ash", "Trees", locator="3"))
    document.type("\n")
    document.run("list")
    path, _ = desk.close(document, 1)
    document = desk.office.open(path)
    equal(document.texts(), ["[1, S. 3]"])
    equal(document.run("refresh")["written"], 0)
    document.view.gotoStart(False)
    document.run("insert", cites=[BIRCH])
    equal(document.texts(), ["[1]", "[2, S. 3]"])
    return [desk.close(document, 2)]


@flow
def files_of_word_keep_citations(desk: Desk) -> Saved:
    document = desk.new()
    document.type("A ")
    document.cite(ASH)
    document.type(" and ")
    document.cite(of("Birch", "Woods", 1901, locator="3"))
    document.type(".\n")
    document.run("list")
    shown = document.texts()
    saved = [desk.close(document, 2, "one.docx")]
    for name in ("two.odt", "three.docx", "four.odt"):
        document = desk.office.open(saved[-1][0])
        equal(document.texts(), shown)
        equal(document.run("refresh")["written"], 0)
        saved.append(desk.close(document, 2, name))
    document = desk.office.open(saved[-1][0])
    document.view.gotoStart(False)
    document.run("insert", cites=[DNA])
    assert "Molecular" in document.text(), document.text()
    equal(document.text().count("Woods"), 1)
    saved.append(desk.close(document, 3, "five.docx"))
    return saved


@flow
def file_of_word_is_saved_without_losing_undo(desk: Desk) -> Saved:
    document = desk.new()
    document.type("A ")
    document.cite(ASH)
    document.type("\n")
    document.run("list")
    before = document.text()
    document.view.gotoStart(False)
    document.run("insert", cites=[BIRCH])
    after = document.text()
    document.save_as(desk.folder / "text.docx")
    equal((document.text(), document.model.isModified()), (after, False))
    undo(document)
    equal(document.text(), before)
    document.model.store()
    redo(document)
    equal(document.text(), after)
    document.model.store()
    equal(document.texts(), ["(Birch, 1901)", "(Ash, 1815)"])
    document.close()
    return [(desk.folder / "text.docx", 2)]


@flow
def notes_survive_files_of_word(desk: Desk) -> Saved:
    document = desk.new()
    document.run("style", style="chicago-notes-bibliography")
    document.type("A.")
    document.cite(ASH)
    document.type(" B.")
    document.cite(BIRCH)
    path, _ = desk.close(document, 2, "notes.docx")
    document = desk.office.open(path)
    equal([field["note"] for field in document.fields()], [1, 2])
    equal(document.run("refresh")["written"], 0)
    document.run("style", style="apa")
    equal(document.texts(), ["(Ash, 1815)", "(Birch, 1901)"])
    return [(path, 2), desk.close(document, 2, "text.docx")]


ZOTERO_STYLE = (
    '<data data-version="3" zotero-version="6.0.26"><session id="Ab3"/><style id="http://www.zotero.org/styles/ieee" '
    'locale="en-GB" hasBibliography="1" bibliographyStyleHasBeenSet="1"/><prefs><pref name="fieldType" '
    'value="ReferenceMark"/><pref name="delayCitationUpdates" value="true"/></prefs></data>'
)


def zotero_code(family: str, title: str, text: str, key: str, **more: Any) -> str:
    cite = {"id": 12, "uris": [f"http://zotero.org/users/1/items/{key}"], "itemData": {**work(family, title), "id": 12},
            **more}
    code = {"citationID": key.lower(), "properties": {"formattedCitation": text, "plainCitation": text, "noteIndex": 0,
            "unsorted": False}, "citationItems": [cite], "schema": "x"}
    return "ZOTERO_ITEM CSL_CITATION " + json.dumps(code)


def properties(prefix: str, text: str) -> str:
    pieces = [text[start:start + 255] for start in range(0, len(text), 255)]
    return "".join(
        f'<meta:user-defined meta:name="{prefix}_{number}">{escape(piece)}</meta:user-defined>'
        for number, piece in enumerate(pieces, 1)
    )


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def marked(kind: str, name: str, text: str) -> str:
    named = quoteattr(name)
    return f"<text:{kind}-start text:name={named}/>{escape(text)}<text:{kind}-end text:name={named}/>"


@flow
def document_of_zotero_goes_on(desk: Desk) -> Saved:
    one = zotero_code("Ash", "Trees", "[1]", "AAAA1111") + " RNDabcdefghij"
    other = zotero_code("Birch", "Woods", "[2]", "BBBB2222", locator="5", label="page") + " RNDklmnopqrst"
    code = 'ZOTERO_BIBL {"uncited":[["http://zotero.org/users/1/items/X"]],"omitted":[],"custom":[]} CSL_BIBLIOGRAPHY'
    body = (
        f"<text:p>See {marked('reference-mark', one, '[1]')} and {marked('reference-mark', other, '[2]')}.</text:p>"
        f"<text:section text:name={quoteattr(code + ' RNDuvwxyzabcd')}><text:p>Old.</text:p></text:section>"
    )
    document = desk.flat(body, properties("ZOTERO_PREF", ZOTERO_STYLE))
    document.run("refresh")
    equal(document.texts(), ["[1]", "[2, p. 5]"])
    assert "[2]\tA. Birch" in document.text(), document.text()
    field = document.fields()[1]["citation"]
    equal(field["citationItems"][0]["uris"], ["http://zotero.org/users/1/items/BBBB2222"])
    equal((field["citationItems"][0]["id"], field["properties"]["unsorted"]), (12, False))
    document.run("style", style="apa")
    found = document.model.DocumentProperties.UserDefinedProperties
    stored = "".join(str(found.getPropertyValue(f"ZOTERO_PREF_{number}")) for number in (1, 2))
    assert "styles/apa" in stored and "delayCitationUpdates" in stored and 'id="Ab3"' in stored, stored
    assert any(code in name for name in document.model.TextSections.ElementNames)
    equal(document.texts(), ["(Ash, 1815)", "(Birch, 1815, p. 5)"])
    return [desk.close(document, 2)]


@flow
def bookmarks_of_zotero_go_on(desk: Desk) -> Saved:
    code = zotero_code("Ash", "Trees", "(old)", "AAAA1111")
    body = f"<text:p>See {marked('bookmark', 'ZOTERO_BREF_q1w2e3r4t5y6', '(old)')} and more.</text:p>"
    document = desk.flat(body, properties("ZOTERO_BREF_q1w2e3r4t5y6", code))
    document.run("refresh")
    equal(document.texts(), ["(Ash, 1815)"])
    document.run("edit", field=0, set={"locator": "4"})
    equal(document.texts(), ["(Ash, 1815, p. 4)"])
    equal(document.text(), "See (Ash, 1815, p. 4) and more.")
    return [desk.close(document, 1)]


@flow
def fields_of_word_become_marks(desk: Desk) -> Saved:
    code = " ADDIN " + zotero_code("Ash", "Trees", "(Ash 1815)", "AAAA1111") + " "
    body = (
        '<text:p>See <field:fieldmark-start text:name="f" field:type="vnd.oasis.opendocument.field.UNHANDLED">'
        f'<field:param field:name="vnd.oasis.opendocument.field.code" field:value={quoteattr(code)}/>'
        "</field:fieldmark-start><field:fieldmark-separator/>(Ash 1815)<field:fieldmark-end/> there.</text:p>"
    )
    document = desk.flat(body)
    equal(document.texts(), ["(Ash 1815)"])
    document.run("refresh")
    equal(document.texts(), ["(Ash, 1815)"])
    equal(document.text(), "See (Ash, 1815) there.")
    return [desk.close(document, 1), ]


@flow
def document_of_jabref_is_taken_over(desk: Desk) -> Saved:
    bibliography = desk.folder / "refs.bib"
    bibliography.write_text(
        "@book{ash, author={Ann Ash}, title={Trees}, year=1815}\n"
        "@book{birch, author={Ann Birch}, title={Woods}, year=1901}\n"
    )
    marks = [
        marked("reference-mark", "JABREF_ash CID_1, JABREF_birch CID_2 a1B2", "[1, 2]"),
        marked("reference-mark", "JR_cite_2_birch", "Birch [2]"),
        marked("reference-mark", "JABREF_lost CID_3 c3D4", "[3]"),
    ]
    body = (
        f"<text:p>See {', '.join(marks)}.</text:p>"
        '<text:section text:name="JR_bib"><text:p>Old.</text:p></text:section>'
    )
    document = desk.flat(body)
    report = document.run("adopt", bibliography=str(bibliography))
    equal(report["missing"], ["lost"])
    equal(document.texts(), ["(Ash, 1815; Birch, 1901)", "Birch (1901)", "[3]"])
    assert "Ash, A. (1815). Trees." in document.text() and "Old." not in document.text(), document.text()
    return [desk.close(document, 3)]


@flow
def unlinked_document_keeps_its_text(desk: Desk) -> Saved:
    document = desk.new()
    document.run("style", style="nature")
    document.type("A")
    document.cite(ASH)
    document.type(" B")
    document.cite(BIRCH)
    document.type("\n")
    document.run("list")
    before = document.text()
    document.run("unlink")
    equal(document.text(), before)
    equal(document.fields(), [])
    equal(document.model.TextSections.Count, 0)
    undo(document)
    equal(len(document.fields()), 2)
    redo(document)
    return [desk.close(document, 0)]


@flow
def language_is_changed(desk: Desk) -> Saved:
    document = desk.new()
    document.cite(ASH, of("Birch", "Woods", 1901, locator="3-4"))
    document.run("style", style="apa", locale="de-DE")
    equal(document.texts(), ["(Ash, 1815; Birch, 1901, S. 3–4)"])
    document.run("style", style="apa", locale="fr-FR")
    assert document.texts() != ["(Ash, 1815; Birch, 1901, S. 3–4)"], document.texts()
    return [desk.close(document, 1)]


@flow
def formatting_of_styles_is_written(desk: Desk) -> Saved:
    document = desk.new()
    document.run("style", style="nature")
    document.type("Raised")
    document.cite(ASH)
    document.cite(BIRCH)
    portion = document.model.Text.createTextCursorByRange(document.mark(0))
    assert portion.CharEscapement > 0
    document.type("\n")
    document.run("list")
    document.run("style", style="apa")
    portion = document.model.Text.createTextCursorByRange(document.mark(1))
    equal((portion.CharEscapement, portion.String), (0, "(Birch, 1901)"))
    section = document.model.TextSections.getByIndex(0)
    cursor = section.Anchor.Text.createTextCursorByRange(section.Anchor.Start)
    cursor.goRight(len("Ash, A. (1815). T"), False)
    equal(str(cursor.CharPosture.value), "ITALIC")
    assert section.Anchor.ParaFirstLineIndent < 0
    return [desk.close(document, 2)]


@flow
def collections_are_searched(desk: Desk) -> Saved:
    key = os.environ["API_KEY"]

    def post(path: str, body: Any) -> Any:
        headers = {"Content-Type": "application/json", "X-API-Key": key}
        request = urllib.request.Request(ADDRESS + path, json.dumps(body).encode(), headers)
        return json.load(urllib.request.urlopen(request, timeout=20))

    collection = post("/api/v1/collections", {"name": "Thesis"})["id"]
    metadata = {"title": "Zebrawood", "authors": [{"family": "Elm", "given": "Eve"}], "date": {"year": 1999}}
    post(f"/api/v1/collections/{collection}/entries", {"metadata": metadata})
    desk.office.run("settings", address=ADDRESS, key=key)
    try:
        document = desk.new()
        found = document.run("search", query="zebrawood")["found"]
        equal(found[0]["collection"], "Thesis")
        document.cite({"query": "zebrawood"})
        equal(document.texts(), ["(Elm, 1999)"])
        return [desk.close(document, 1)]
    finally:
        desk.office.run("settings", address=ADDRESS)


@flow
def key_is_kept_in_the_password_store(desk: Desk) -> Saved:
    key = os.environ["API_KEY"]
    equal(desk.office.run("settings", address=ADDRESS, key=key, keep=True)["kept"], True)
    desk.office.stop()
    desk.office.start()
    try:
        document = desk.new()
        # Only its account may read its collections.
        equal(document.run("account")["authenticated"], True)
        document.cite(ASH)
        # A state of the server belongs to its caller: for another one the whole document is sent.
        desk.office.run("settings", address=ADDRESS)
        equal(document.run("account")["authenticated"], False)
        document.type(" and ")
        document.cite(BIRCH)
        equal(document.texts(), ["(Ash, 1815)", "(Birch, 1901)"])
        registry = (desk.office.profile / "user/registrymodifications.xcu").read_text("utf-8", "replace")
        assert key not in registry
        return [desk.close(document, 2)]
    finally:
        desk.office.run("settings", address=ADDRESS)


@flow
def document_is_written_without_a_server(desk: Desk) -> Saved:
    document = desk.new()
    document.cite(ASH)
    desk.office.run("settings", address="http://127.0.0.1:9")
    try:
        document.type(" and ")
        report = document.cite(of("Birch", "Woods", 1901, locator="3"))
        assert report["is_offline"]
        equal(document.texts(), ["(Ash, 1815)", "(Birch, 1901, 3)"])
        equal(desk.office.run("search", query="x")["error"], "error.unreachable")
    finally:
        desk.office.run("settings", address=ADDRESS)
    document.run("refresh")
    equal(document.texts(), ["(Ash, 1815)", "(Birch, 1901, p. 3)"])
    return [desk.close(document, 2)]


@flow
def failures_leave_the_document_as_it_was(desk: Desk) -> Saved:
    document = desk.new()
    document.type("A ")
    document.cite(ASH)
    before = document.text()
    run = desk.office.run
    equal(run("style", document.model, style="no-such-style")["error"], "error.refused")
    equal(run("insert", document.model, cites=[])["error"], "error.nothing-cited")
    equal(run("insert", document.model, cites=[{"item": {"author": 3}}])["error"], "error.refused")
    run("settings", address=ADDRESS, key="ck_wrong")
    answer = run("insert", document.model, cites=[BIRCH])
    assert answer["error"] == "error.key", answer["detail"]
    run("settings", address="ftp://x")
    equal(run("insert", document.model, cites=[BIRCH])["error"], "error.address")
    run("settings", address=ADDRESS)
    equal(document.text(), before)
    document.run("refresh")
    equal(document.texts(), ["(Ash, 1815)"])
    return [desk.close(document, 1)]


@flow
def five_hundred_citations_of_two_hundred_works(desk: Desk) -> Saved:
    codes = []
    for number in range(500):
        cited = number * 7 % 200
        item = work(f"Author{cited:03}", f"Title {cited}", 1900 + cited % 90)
        code = {"citationID": f"c{number}", "properties": {"plainCitation": "", "formattedCitation": ""},
                "citationItems": [{"id": cited, "itemData": {**item, "id": cited}}]}
        name = f"ZOTERO_ITEM CSL_CITATION {json.dumps(code)} RND{number:010}"
        codes.append(f"<text:p>Sentence {number} {marked('reference-mark', name, '?')}.</text:p>")
    body = "".join(codes) + '<text:section text:name="ZOTERO_BIBL {} CSL_BIBLIOGRAPHY RNDx"><text:p/></text:section>'
    document = desk.flat(body)
    report = desk.timed("set 500", lambda: document.run("refresh"))
    equal((report["citations"], report["written"]), (500, 500))
    equal(desk.timed("refresh", lambda: document.run("refresh"))["written"], 0)
    document.view.gotoStart(False)
    report = desk.timed("insert", lambda: document.run("insert", cites=[of("Zed", "Last")]))
    equal(report["citations"], 501)
    desk.timed("edit", lambda: document.run("edit", field=250, set={"locator": "9"}))
    desk.timed("style", lambda: document.run("style", style="ieee"))
    equal(document.texts()[0], "[1]")
    first = document.save_as(desk.folder / "text.odt")
    desk.timed("save .docx", lambda: document.save_as(desk.folder / "text.docx"))
    equal(len(document.fields()), 501)
    document.close()
    return [(first, 501), (desk.folder / "text.docx", 501)]


def check(path: Path, expected: int) -> None:
    """Our own programs find the citations of a file, and can set it."""
    run = subprocess.run([PROGRAM, "references", "--json", str(path)], capture_output=True, text=True, timeout=60)
    if run.returncode not in (0, 1):
        raise AssertionError(f"citation references: {run.stderr}")
    found = json.loads(run.stdout) if run.stdout.strip() else {}
    equal((path.name, len(found.get("citations", []))), (path.name, expected))
    out = path.with_name("set-" + path.name)
    options = ["--style", "apa", "--keep-fields", "--replace-list", "--local-only", "-o", str(out)]
    run = subprocess.run([PROGRAM, "cite", str(path), *options], capture_output=True, text=True, timeout=60, cwd=WORK)
    # A key of JabRef that the bibliography lacks is told, and a citation of a header that stays as it is.
    is_told = any(text in run.stderr for text in ("no work is known", "cannot be replaced"))
    if run.returncode and not (out.exists() and is_told):
        raise AssertionError(f"citation cite {path.name}: {run.stderr}")


def main(extension: Path) -> int:
    wanted = sys.argv[2:]
    office = Office(WORK)
    began = time.monotonic()
    office.start_with(extension)
    office.run("settings", address=ADDRESS)
    print(f"office with the extension: {time.monotonic() - began:.1f} s", flush=True)
    failed = citations = flows = 0
    checks: List[Tuple[str, int, Future]] = []
    checker = ThreadPoolExecutor(1)
    for function in FLOWS:
        name = function.__name__.replace("_", " ")
        if wanted and not any(part in function.__name__ for part in wanted):
            continue
        flows += 1
        folder = WORK / function.__name__
        folder.mkdir()
        desk = Desk(office, folder)
        start = time.monotonic()
        try:
            saved = function(desk)
            for path, count in saved:
                # Beside the next flow.
                checks.append((name, count, checker.submit(check, path, count)))
            print(f"ok    {time.monotonic() - start:5.1f} s  {name}  {', '.join(desk.times)}", flush=True)
        except Exception:
            failed += 1
            print(f"FAIL  {time.monotonic() - start:5.1f} s  {name}\n{traceback.format_exc()}", flush=True)
            if office.process.poll() is not None or not is_alive(office):
                office.stop()
                office.start()
                office.run("settings", address=ADDRESS)
    office.stop()
    for name, count, outcome in checks:
        cause = outcome.exception()
        if cause is None:
            citations += count
        else:
            failed += 1
            print(f"FAIL  a file of: {name}\n{cause}", flush=True)
    print(f"{flows} flows, {failed} failed, {citations} citations found in {len(checks)} saved files, "
          f"{time.monotonic() - began:.0f} s")
    return 1 if failed else 0


def is_alive(office: Office) -> bool:
    try:
        office.service("com.sun.star.frame.Desktop").getComponents()
        return True
    except Exception:
        return False


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
