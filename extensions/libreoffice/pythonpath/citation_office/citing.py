"""What can be done with the citations of a document: every operation reads the document, asks the server what its
fields show, and writes those that show something else. Each is one step to undo."""

from __future__ import annotations

import copy
import json
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import codes, offline, preferences, wordfiles
from .codes import Json
from .fields import Field, Fields, set_bookmark_code
from .order import ENDNOTE, FOOTNOTE, FRAME, Places
from .server import Server, ServerError
from .texts import Run, one_step, plain, recording, runs_of_text
from .worklist import WorkList

FORMS = ["runs"]
# Marks in marks that are put apart at once.
MAX_RELEASES = 5
# Marks of a sentence that a note stands behind.
CLOSING = ".,;:!?"


class Report(NamedTuple):
    """What was done."""

    # The fields of the document, and how many were written.
    citations: int
    written: int
    # Whether no server answered, so that texts are provisional.
    is_offline: bool
    # Sentences of the server.
    warnings: List[str]


class CitingError(Exception):
    """Something that cannot be done. `key` names the message that says what to do instead."""

    def __init__(self, key: str, detail: str = "") -> None:
        super().__init__(f"{key}: {detail}")
        self.key = key
        self.detail = detail


class Session:
    """What is remembered of a document between two operations, so that an edit sends only what changed."""

    def __init__(self) -> None:
        self.forget()
        # Texts that were written in this session. One of them in a field, after an undo for example, was not
        # written by a person.
        self.known_texts: Dict[str, set] = {}
        # The position of each citation when they were last read.
        self.order: Dict[str, int] = {}
        # The style that the list was last written in.
        self.listed_style: Optional[str] = None

    def forget(self) -> None:
        self.token: Optional[str] = None
        self.address = ""
        self.citations: Dict[str, Json] = {}
        self.places: List[Tuple[str, int]] = []
        self.works: Dict[str, str] = {}
        self.options: Json = {}
        # The last answers: by citation, and the list.
        self.fields: Dict[str, Json] = {}
        self.list: Optional[Json] = None
        self.in_notes = False

    def knows(self, citation: str, text: str) -> bool:
        return text in self.known_texts.get(citation, ())

    def learn(self, citation: str, text: str) -> None:
        self.known_texts.setdefault(citation, set()).add(text)


_sessions: Dict[str, Session] = {}
MAX_SESSIONS = 20


def session_of(model: Any) -> Session:
    name = model.RuntimeUID
    if name not in _sessions:
        while len(_sessions) >= MAX_SESSIONS:
            _sessions.pop(next(iter(_sessions)))
        _sessions[name] = Session()
    return _sessions[name]


class CitationDocument:
    """A document and the server that sets its citations."""

    def __init__(self, model: Any, server: Server, title: str = "Citation") -> None:
        self.model = model
        self.server = server
        # The name of the step to undo.
        self.title = title
        self.session = session_of(model)
        self.list = WorkList(model)
        self.warnings: List[str] = []
        self.written = 0
        self.is_offline = False
        # The id of the citation that was inserted last.
        self.last = ""
        wordfiles.adopt(model)

    def fields(self) -> List[Field]:
        return Fields(self.model).read()

    def field_at(self, found: Any) -> Optional[Field]:
        fields = Fields(self.model)
        return fields.at(fields.read(), found)

    def insert(self, found: Any, cites: List[Json]) -> Report:
        """Cites works in the place of a range; in a style of notes, in a new note."""
        if not cites:
            raise CitingError("error.nothing-cited")
        citation = codes.new_citation(cites)
        self.last = citation["citationID"]
        text = offline.citation_text(citation)
        with one_step(self.model, self.title):
            target = self._note_at(found) if self._style_is_note() else found
            citation["properties"]["plainCitation"] = text
            self.session.learn(citation["citationID"], text)
            Fields(self.model).insert(target, runs_of_text(text), citation)
            return self._refresh()

    def edit(self, field: Field, cites: List[Json]) -> Report:
        """Cites other works, or differently. Without any, the field goes."""
        with one_step(self.model, self.title):
            fields = Fields(self.model)
            if not cites:
                fields.remove(field)
                return self._refresh()
            citation = copy.deepcopy(field.citation) if field.citation else codes.new_citation(cites)
            citation["citationItems"] = cites
            properties = citation["properties"]
            # The dialog shows what the style makes of it, so that a text by hand ends here.
            for name in ("dontUpdate", "custom"):
                properties.pop(name, None)
            text = offline.citation_text(citation)
            properties["plainCitation"] = properties["formattedCitation"] = text
            self.session.learn(citation["citationID"], text)
            fields.replace(field, runs_of_text(text), citation)
            return self._refresh()

    def refresh(self) -> Report:
        """Sets all fields and the list."""
        with one_step(self.model, self.title):
            return self._refresh()

    def insert_list(self, found: Any) -> Report:
        """Puts the list of works in the place of a range; one that is there already is set again."""
        with one_step(self.model, self.title):
            if self.list.section() is None:
                self.list.insert(found)
            return self._refresh()

    def set_style(self, style: str, locale: str) -> Report:
        """Sets the document in another style. Notes that contain a citation only become text again, if the style
        cites in the text."""
        address = preferences.style_address(style)
        answer = self._answer({"style": address, "locale": locale or None, "citations": [], "codes": False})
        before = preferences.read(self.model)
        try:
            with one_step(self.model, self.title):
                has_list = answer.get("bibliography") is not None
                preferences.write(self.model, address, locale, answer["in_notes"], has_list)
                self.session.in_notes = answer["in_notes"]
                report = self._refresh()
                if not answer["in_notes"] and self._notes_to_text():
                    report = self._refresh()
                return report
        except Exception:
            preferences.write(self.model, before.style, before.locale, self.session.in_notes, True)
            raise

    def unlink(self) -> Report:
        """Makes plain text of all citations and the list."""
        with one_step(self.model, self.title):
            fields = Fields(self.model)
            found = fields.read()
            for field in found:
                fields.unlink(field)
            self.list.unlink()
        for field in found:
            if field.is_bookmark:
                set_bookmark_code(self.model, field.name, "")
        preferences.remove(self.model)
        self.session.forget()
        return Report(len(found), len(found), False, [])

    def missing_keys(self) -> List[str]:
        """The keys of fields of JabRef, which hold no record of their works."""
        keys: Dict[str, None] = {}
        for field in self.fields():
            for key in field.jabref.keys if field.jabref else []:
                keys.setdefault(key)
        return list(keys)

    def adopt(self, items: List[Json]) -> Tuple[Report, List[str]]:
        """Turns the fields of JabRef whose keys have records into fields of ours, which hold them. Returns the keys
        that have none; their fields stay as they are."""
        by_key = {str(item.get("id")): item for item in items}
        by_key.update({item["citation-key"]: item for item in items if item.get("citation-key")})
        missing: Dict[str, None] = {}
        with one_step(self.model, self.title):
            fields = Fields(self.model)
            for field in fields.read():
                if not field.jabref:
                    continue
                unknown = [key for key in field.jabref.keys if key not in by_key]
                missing.update(dict.fromkeys(unknown))
                if unknown:
                    continue
                cites = [codes.new_cite(by_key[key]) for key in field.jabref.keys]
                if field.jabref.is_composite:
                    codes.set_mode(cites[0], "composite")
                citation = codes.new_citation(cites)
                citation["properties"]["plainCitation"] = field.text
                fields.replace(field, runs_of_text(field.text), citation)
            self._adopt_list()
            return self._refresh(), list(missing)

    def _adopt_list(self) -> None:
        section = self.list.section()
        if section is not None and not section.Name.startswith(codes.LIST):
            section.Name = codes.mark_name(codes.list_code())

    # The request and its answer.

    def _refresh(self) -> Report:
        """Asks what the fields show and writes them, until the document has all notes that its style needs."""
        fields, read = self._read()
        for _ in range(MAX_RELEASES):
            if not any(field.is_wider and fields.release(field, read) for field in read):
                break
            fields, read = self._read()
        for _ in range(3):
            try:
                ids = self._ask(read)
            except ServerError as cause:
                if not cause.is_offline:
                    raise
                self.is_offline = True
                self.session.forget()
                break
            if not self._apply(fields, read, ids):
                break
            fields, read = self._read()
        self.warnings = list(dict.fromkeys(self.warnings))
        return Report(len(read), self.written, self.is_offline, self.warnings)

    def _read(self) -> Tuple[Fields, List[Field]]:
        fields = Fields(self.model, self.session.order)
        read = fields.read()
        self.session.order = {(field.citation or {}).get("citationID", ""): at for at, field in enumerate(read)}
        return fields, read

    def _ask(self, fields: List[Field]) -> List[str]:
        """Sends the document, or what changed in it; the answers are in the session then. Returns the id of each
        field; that of one of JabRef is empty."""
        ids = _ids(fields)
        works = Works()
        citations: Dict[str, Json] = {}
        places = []
        for field, name in zip(fields, ids):
            if field.citation is None:
                continue
            citations[name] = self._request(field, name, works)
            places.append((name, field.note))
        style = preferences.read(self.model)
        options = {
            "style": style.style,
            "locale": style.locale or None,
            "forms": FORMS,
            "codes": True,
            "bibliography": self.list.section() is not None,
        }
        if not style.text:
            options["locale"] = preferences.language_of(self.model) or None
        session = self.session
        request = None
        if session.token and session.address == self.server.address:
            request = self._edit(citations, places, works.sent(), options)
        answer = None
        if request is not None:
            try:
                answer = self.server.document(request)
            except ServerError as cause:
                # The server restarted, or forgot it.
                if cause.answer.get("resource") != "token":
                    raise
        if answer is None:
            session.forget()
            whole = [{"id": key, "item": json.loads(item)} for key, item in works.sent().items()]
            listed = [citations[name] for name, _ in places]
            answer = self._answer({**options, "works": whole, "citations": listed})
        self._learn(answer, options, citations, places, works.sent())
        if not style.text and fields:
            preferences.write(
                self.model, style.style, options["locale"] or "", answer["in_notes"], options["bibliography"]
            )
        return ids

    def _answer(self, request: Json) -> Json:
        return self.server.document({name: value for name, value in request.items() if value is not None})

    def _edit(self, citations: Dict[str, Json], places: List[Any], works: Dict[str, str], options: Json) -> Json:
        session = self.session
        request: Json = {"token": session.token}
        changed = [value for name, value in citations.items() if session.citations.get(name) != value]
        new = [{"id": key, "item": json.loads(item)} for key, item in works.items() if session.works.get(key) != item]
        if changed:
            request["citations"] = changed
        if new:
            request["works"] = new
        if places != session.places:
            request["places"] = [{"id": name, "note": note} for name, note in places]
        for name, value in options.items():
            if session.options.get(name) != value and value is not None:
                request[name] = value
        return request

    def _learn(self, answer: Json, options: Json, citations: Dict[str, Json], places: Any, works: Any) -> None:
        session = self.session
        session.token = answer.get("token")
        session.address = self.server.address
        session.options = options
        session.citations = citations
        session.places = places
        session.works = {**session.works, **works}
        session.in_notes = answer["in_notes"]
        for field in answer["citations"]:
            session.fields[field["id"]] = field
        session.fields = {name: field for name, field in session.fields.items() if name in citations}
        if answer.get("bibliography") is not None:
            session.list = answer["bibliography"]
        self.warnings.extend(warning["message"] for warning in answer.get("warnings", []))

    def _request(self, field: Field, name: str, works: Works) -> Json:
        citation = field.citation or {}
        cites = []
        for cite in citation["citationItems"]:
            request = {"id": works.add(cite), "mode": codes.mode_of(cite)}
            uris = codes.uris_of(cite)[:20]
            if uris:
                request["uris"] = uris
            for member in ("locator", "label", "prefix", "suffix"):
                value = cite.get(member)
                if value:
                    request[member] = str(value)
            cites.append(request)
        request = {"id": name, "cites": cites, "note": field.note, "by_hand": self.is_by_hand(field)}
        if not field.note:
            request["notes_before"] = field.notes_before
        return request

    def is_by_hand(self, field: Field) -> bool:
        """Whether a person wrote the text of a field."""
        citation = field.citation or {}
        if codes.keeps_text(citation):
            return True
        expected, shown = codes.plain_text(citation), field.text
        return bool(expected) and shown != expected and not self.session.knows(citation.get("citationID", ""), shown)

    # The document.

    def _apply(self, fields: Fields, read: List[Field], ids: List[str]) -> bool:
        """Writes the fields that show something else, and the list. Whether citations became notes, so that the
        numbers of notes are others now."""
        has_new_notes = False
        for field, name in zip(read, ids):
            answer = self.session.fields.get(name)
            if field.citation is None or answer is None or answer["state"] != "set":
                continue
            note = answer.get("note")
            if note is not None and not field.note and field.place.is_in_body:
                self._to_note(fields, field, answer)
                self.written += 1
                has_new_notes = True
                continue
            runs = _runs(answer["text"]) + (_runs(note) if note else [])
            if field.text == plain(runs) and _is_coded(field, answer):
                continue
            citation = self._coded(field, answer)
            self.session.learn(citation.get("citationID", ""), plain(runs))
            fields.replace(field, runs, citation)
            self.written += 1
        listed = self.session.list
        if listed is not None and self.list.section() is not None:
            entries = [_runs(entry) for entry in listed["entries"]]
            shown = self.list.text().replace("\r\n", "\n")
            if shown != "\n".join(plain(entry) for entry in entries) or self._list_is_new():
                self.list.write(entries, listed["layout"])
        return has_new_notes

    def _list_is_new(self) -> bool:
        """Whether another layout was asked for than the entries were last written in."""
        written, style = self.session.listed_style, preferences.read(self.model).style
        self.session.listed_style = style
        return written is not None and written != style

    def _coded(self, field: Field, answer: Json) -> Json:
        """The code of a field with its new text; what other programs keep in it stays."""
        citation = copy.deepcopy(field.citation) or {}
        code = answer.get("code")
        if code:
            citation["properties"].update(
                formattedCitation=code["properties"]["formattedCitation"],
                plainCitation=code["properties"]["plainCitation"],
                noteIndex=field.note,
            )
            for cite, coded in zip(citation["citationItems"], code["citationItems"]):
                if codes.item_of(cite) is None:
                    cite["itemData"] = coded["itemData"]
        citation.setdefault("citationID", codes.random_text())
        return citation

    def _style_is_note(self) -> bool:
        """Whether the document's style cites in notes. One that was never asked for is asked for now."""
        if self.session.token is None:
            try:
                style = preferences.read(self.model)
                answer = self._answer({"style": style.style, "citations": [], "bibliography": False})
                self.session.in_notes = answer["in_notes"]
            except ServerError as cause:
                if not cause.is_offline:
                    raise
                self.session.in_notes = any(field.note for field in self.fields()[:1])
        return self.session.in_notes

    def _note_at(self, found: Any) -> Any:
        """A place in a new note, or the range itself if it is in a note or where no note can be."""
        text = found.Text
        if text.supportsService(FOOTNOTE) or text.supportsService(ENDNOTE):
            return found
        if not _can_have_notes(self.model, found):
            return found
        return self._new_note(text, found)

    def _new_note(self, text: Any, found: Any) -> Any:
        note = self.model.createInstance(FOOTNOTE)
        cursor = text.createTextCursorByRange(found)
        cursor.collapseToEnd()
        text.insertTextContent(cursor, note, False)
        inside = note.createTextCursor()
        inside.gotoEnd(False)
        return inside

    def _to_note(self, fields: Fields, field: Field, answer: Json) -> None:
        """Moves a citation of the text into a note behind the punctuation. An author who is a part of the sentence
        stays there."""
        anchor = field.anchor
        text = anchor.Text
        cursor = text.createTextCursorByRange(anchor)
        author = _runs(answer["text"])
        citation = self._coded(field, answer)
        if author:
            for cite in citation["citationItems"]:
                if codes.mode_of(cite) == "composite":
                    codes.set_mode(cite, "suppress-author")
        with recording(self.model, False):
            cursor.String = ""
            if field.is_bookmark:
                set_bookmark_code(self.model, field.name, "")
            if author:
                text.insertString(cursor, plain(author), False)
                cursor.collapseToEnd()
            else:
                _remove_blank_before(text, cursor)
            while _next(text, cursor) in tuple(CLOSING):
                cursor.goRight(1, False)
            target = self._new_note(text, cursor)
            runs = _runs(answer["note"])
            citation["properties"]["plainCitation"] = plain(runs)
            self.session.learn(citation.get("citationID", ""), plain(runs))
            fields.insert(target, runs, citation)

    def _notes_to_text(self) -> bool:
        """Moves citations out of notes that contain nothing else."""
        fields = Fields(self.model)
        moved = False
        for field in fields.read():
            note = field.place.note
            if note is None or not field.citation:
                continue
            if note.String.strip(" .\r\n") != field.text.strip(" .\r\n"):
                continue
            anchor = note.Anchor
            text = anchor.Text
            with recording(self.model, False):
                cursor = text.createTextCursorByRange(anchor.Start)
                text.removeTextContent(note)
                while _before(text, cursor) in tuple(CLOSING):
                    cursor.goLeft(1, False)
                if _before(text, cursor) not in ("", " ", "\u00a0", "(", "["):
                    text.insertString(cursor, " ", False)
                    cursor.collapseToEnd()
                citation = copy.deepcopy(field.citation)
                shown = offline.citation_text(citation)
                citation["properties"]["plainCitation"] = shown
                self.session.learn(citation.get("citationID", ""), shown)
                fields.insert(cursor, runs_of_text(shown), citation)
            moved = True
        return moved


def _can_have_notes(model: Any, found: Any) -> bool:
    """Headers, footers and frames have no notes."""
    place = Places(model).of(found)
    return place.is_in_body and all(
        step.text is None or not step.text.supportsService(FRAME) for step in place.steps
    )


class Works:
    """The works of a document under the ids that a request names them by."""

    def __init__(self) -> None:
        self._items: Dict[str, str] = {}

    def add(self, cite: Json) -> str:
        """The id of the work of a cite. Two records with one address are one work; ids alone are those of a
        program, so that others may use them for other works."""
        item = codes.item_of(cite)
        uris = codes.uris_of(cite)
        name = uris[0] if uris else str(cite.get("id", ""))
        if item is None:
            return name or "?"
        written = json.dumps({**item, "id": 0}, sort_keys=True, ensure_ascii=False)
        key, number = name or "?", 1
        while not uris and self._items.get(key, written) != written:
            number += 1
            key = f"{name}#{number}"
        self._items.setdefault(key, written)
        return key

    def sent(self) -> Dict[str, str]:
        return self._items


def _is_coded(field: Field, answer: Json) -> bool:
    """Whether the code of a field says what its answer says."""
    citation, code = field.citation or {}, answer.get("code")
    if not code or "citationID" not in citation:
        return False
    properties, wanted = citation["properties"], code["properties"]
    return (
        properties.get("formattedCitation") == wanted["formattedCitation"]
        and properties.get("plainCitation") == wanted["plainCitation"]
        and properties.get("noteIndex", 0) == field.note
        and all(codes.item_of(cite) is not None for cite in citation["citationItems"])
    )


def _ids(fields: List[Field]) -> List[str]:
    """An id for each citation: its own, with a number if it was copied."""
    used: Dict[str, int] = {}
    ids = []
    for field in fields:
        own = str((field.citation or {}).get("citationID") or "citation")[:900]
        used[own] = used.get(own, 0) + 1
        ids.append("" if field.citation is None else own if used[own] == 1 else f"{own} {used[own]}")
    return ids


def _runs(form: Json) -> List[Run]:
    return form.get("runs") or runs_of_text(form.get("plain", ""))


def _next(text: Any, cursor: Any) -> str:
    ahead = text.createTextCursorByRange(cursor.End)
    return ahead.String if ahead.goRight(1, True) else ""


def _before(text: Any, cursor: Any) -> str:
    behind = text.createTextCursorByRange(cursor.Start)
    return behind.String if not behind.isStartOfParagraph() and behind.goLeft(1, True) else ""


def _remove_blank_before(text: Any, cursor: Any) -> None:
    behind = text.createTextCursorByRange(cursor.Start)
    if not behind.isStartOfParagraph() and behind.goLeft(1, True) and behind.String == " ":
        behind.String = ""
