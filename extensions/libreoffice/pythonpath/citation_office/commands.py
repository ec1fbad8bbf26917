"""The commands of the menu, the toolbar and the keyboard: dialogs around the operations."""

from __future__ import annotations

import traceback
from typing import Any, List, Optional

from . import codes, messages, preferences, settings, works
from .citing import CitationDocument, CitingError, Report
from .dialogs import CiteDialog, SettingsDialog, StyleDialog
from .server import Server, ServerError
from .windows import message

PROTOCOL = "org.citation.office:"
OK_CANCEL = 2  # com.sun.star.awt.MessageBoxButtons.BUTTONS_OK_CANCEL
# Bytes of a bibliography.
MAX_BIBLIOGRAPHY = 32 * 1024 * 1024


class Commands:
    """What a person can do in a window."""

    def __init__(self, context: Any, frame: Any) -> None:
        self.context = context
        self.frame = frame
        self.words = messages.of_office(context)

    def run(self, name: str) -> None:
        """Carries out a command. A failure is told; the document is as it was before then."""
        command = {
            "cite": self.cite,
            "list": self.list,
            "refresh": self.refresh,
            "style": self.style,
            "import": self.adopt,
            "unlink": self.unlink,
            "settings": self.settings,
        }.get(name)
        if command is None:
            return
        try:
            command()
        except (ServerError, CitingError) as cause:
            self._tell("ERRORBOX", self.words.get(cause.key, detail=cause.detail))
        except Exception:  # pylint: disable=broad-except
            lines = traceback.format_exc().strip().splitlines()
            self._tell("ERRORBOX", self.words.get("error.internal", detail="\n".join(lines[-3:])))

    def cite(self) -> None:
        """Cites in the place of the cursor, or edits the citation there."""
        document = self._document("undo.cite")
        cursor = self._cursor()
        fields = document.fields()
        field = document.field_at(cursor)
        cites = field.citation["citationItems"] if field and field.citation else []
        by_hand = bool(field and field.citation and document.is_by_hand(field))
        known = works.embedded(fields)
        dialog = CiteDialog(self.context, self.words, document.server, known, cites, by_hand)
        chosen = dialog.run(self._parent())
        if chosen is None:
            return
        if field is not None:
            self._report(document.edit(field, chosen), is_quiet=True)
        elif chosen:
            self._report(document.insert(cursor, chosen), is_quiet=True)
            self._go_behind(document.last)

    def list(self) -> None:
        self._report(self._document("undo.list").insert_list(self._cursor()), is_quiet=True)

    def refresh(self) -> None:
        self._report(self._document("undo.refresh").refresh())

    def style(self) -> None:
        document = self._document("undo.style")
        before = preferences.read(self._model())
        style = preferences.style_name(before.style)
        chosen = StyleDialog(self.context, self.words, document.server, style, before.locale).run(self._parent())
        if chosen is not None:
            self._report(document.set_style(*chosen))

    def adopt(self) -> None:
        """Takes over the citations of Zotero, Word and JabRef."""
        document = self._document("undo.import")
        missing: List[str] = []
        if document.missing_keys():
            path = self._ask_file()
            if path is None:
                return
            with open(path, "rb") as file:
                items = document.server.read_bibliography(file.read(MAX_BIBLIOGRAPHY))
            report, missing = document.adopt(items)
        else:
            report = document.refresh()
        texts = [self.words.get("done.import", citations=report.citations)]
        if missing:
            texts.append(self.words.get("done.missing", keys=", ".join(missing[:50])))
        self._report(report, texts)

    def unlink(self) -> None:
        document = self._document("undo.unlink")
        if self._tell("QUERYBOX", self.words.get("ask.unlink"), OK_CANCEL) == 1:
            report = document.unlink()
            self._tell("INFOBOX", self.words.get("done.unlink", citations=report.citations))

    def settings(self) -> None:
        SettingsDialog(self.context, self.words).run(self._parent())

    def _document(self, title: str) -> CitationDocument:
        chosen = settings.read(self.context)
        return CitationDocument(self._model(), Server(chosen.address, chosen.key), self.words.get(title))

    def _model(self) -> Any:
        return self.frame.Controller.Model

    def _parent(self) -> Any:
        return self.frame.ContainerWindow

    def _cursor(self) -> Any:
        controller = self.frame.Controller
        try:
            # A selection of text has one range, or several of which the last was made last.
            selection = self._model().CurrentSelection
            count = selection.Count
            found = selection.getByIndex(count - 1)
            return found.Text.createTextCursorByRange(found.End)
        except Exception:  # pylint: disable=broad-except
            pass
        try:
            cursor = controller.ViewCursor
            return cursor.Text.createTextCursorByRange(cursor.End)
        except Exception:
            raise CitingError("error.nothing-to-cite") from None

    def _go_behind(self, citation: str) -> None:
        """Puts the cursor behind a new citation."""
        marks = self._model().ReferenceMarks
        for name in marks.ElementNames:
            found = codes.read_citation(name) if citation in name else None
            if found and found.get("citationID") == citation:
                self.frame.Controller.ViewCursor.gotoRange(marks.getByName(name).Anchor.End, False)

    def _report(self, report: Report, texts: Optional[List[str]] = None, is_quiet: bool = False) -> None:
        """Tells what was done. After an edit only what is not as expected."""
        lines = texts or []
        if not lines and not is_quiet:
            lines = [self.words.get("done.refresh", citations=report.citations, written=report.written)]
        if report.is_offline:
            lines.append(self.words.get("done.offline"))
        if report.warnings:
            lines.append("\n".join([self.words.get("warnings"), *report.warnings[:10]]))
        if lines:
            self._tell("INFOBOX", "\n\n".join(lines))

    def _tell(self, kind: str, text: str, buttons: int = 1) -> int:
        return message(self.context, self._parent(), kind, self.words.get("menu"), text, buttons)

    def _ask_file(self) -> Optional[str]:
        import unohelper

        service = "com.sun.star.ui.dialogs.FilePicker"
        picker = self.context.ServiceManager.createInstanceWithContext(service, self.context)
        picker.setTitle(self.words.get("ask.bibliography"))
        picker.appendFilter("BibTeX, RIS, CSL-JSON …", "*.bib;*.ris;*.json;*.xml;*.yaml")
        picker.appendFilter(self.words.get("all-files"), "*.*")
        if not picker.execute():
            return None
        files = picker.getSelectedFiles()
        return unohelper.fileUrlToSystemPath(files[0]) if files else None
