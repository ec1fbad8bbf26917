"""The list of works of a document: a section in Zotero's form."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from com.sun.star.style.TabAlign import LEFT
from com.sun.star.style import TabStop
from com.sun.star.text.ControlCharacter import PARAGRAPH_BREAK

from . import codes
from .texts import Run, plain, recording, write_paragraphs, write_runs

# The style that Writer and Zotero use for entries.
STYLE = "Bibliography 1"
# Lengths in hundredths of a millimetre.
HANGING = 1270
CHARACTER = 220
LINE = 420


class WorkList:
    def __init__(self, model: Any) -> None:
        self.model = model

    def section(self) -> Optional[Any]:
        sections = self.model.TextSections
        for name in sections.ElementNames:
            if codes.is_list(name):
                return sections.getByName(name)
        return None

    def text(self) -> str:
        """What it shows; empty if there is none."""
        section = self.section()
        return section.Anchor.String if section is not None else ""

    def insert(self, found: Any) -> None:
        """Makes a list without entries in the place of a range, in a paragraph of its own."""
        text = found.Text
        cursor = text.createTextCursorByRange(found)
        cursor.collapseToStart()
        start = text.createTextCursorByRange(cursor)
        if not start.isStartOfParagraph():
            text.insertControlCharacter(cursor, PARAGRAPH_BREAK, False)
        rest = text.createTextCursorByRange(cursor)
        if not rest.isEndOfParagraph():
            text.insertControlCharacter(cursor, PARAGRAPH_BREAK, False)
            cursor.goLeft(1, False)
        section = self.model.createInstance("com.sun.star.text.TextSection")
        section.Name = codes.mark_name(codes.list_code())
        text.insertTextContent(cursor, section, True)

    def write(self, entries: List[List[Run]], layout: Dict[str, Any]) -> None:
        """Replaces the entries."""
        section = self.section()
        if section is None:
            return
        wanted = "\n".join(plain(entry) for entry in entries)
        self._set_style(layout)
        with recording(self.model, False):
            anchor = section.Anchor
            text = anchor.Text
            cursor = text.createTextCursorByRange(anchor)
            if cursor.String:
                # The last paragraph stays, and the section with it.
                cursor.String = ""
            cursor.collapseToStart()
            cursor.setPropertyToDefault("CharPosture")
            cursor.ParaStyleName = self._style_name()
            write_paragraphs(text, cursor, entries, write_runs)
        if section.Anchor.String.replace("\r\n", "\n") != wanted:
            raise RuntimeError("the list of works was not written")

    def _style_name(self) -> str:
        styles = self.model.StyleFamilies.getByName("ParagraphStyles")
        return STYLE if styles.hasByName(STYLE) else "Standard"

    def _set_style(self, layout: Dict[str, Any]) -> None:
        """Sets the style of the entries where it differs from the layout of the citation style."""
        styles = self.model.StyleFamilies.getByName("ParagraphStyles")
        if not styles.hasByName(STYLE):
            return
        style = styles.getByName(STYLE)
        margin, tabs = 0, ()
        if layout.get("second_field_align"):
            margin = CHARACTER * max(2, int(layout.get("max_offset") or 0) + 1)
            tabs = (TabStop(Position=0, Alignment=LEFT, DecimalChar=".", FillChar=" "),)
        elif layout.get("hanging_indent"):
            margin = HANGING
        wanted = {
            "ParaLeftMargin": margin,
            "ParaFirstLineIndent": -margin,
            "ParaBottomMargin": LINE * int(layout.get("entry_spacing") or 0),
        }
        for name, value in wanted.items():
            if abs(style.getPropertyValue(name) - value) > 1:
                style.setPropertyValue(name, value)
        if len(style.ParaTabStops) != len(tabs) and tabs:
            style.ParaTabStops = tabs

    def unlink(self) -> None:
        """Removes the section and keeps the entries."""
        section = self.section()
        if section is not None:
            section.Anchor.Text.removeTextContent(section)
