"""The operations by name, for macros and tests: the same that the dialogs call."""

from __future__ import annotations

import traceback
from typing import Any, Dict, List

from . import codes, settings
from .citing import CitationDocument, CitingError
from .codes import Json
from .server import Server, ServerError


def run(context: Any, operation: str, model: Any, wanted: Json) -> Json:
    """Runs an operation on a document. What cannot be done is answered as `{"error": …, "detail": …}`."""
    try:
        return _run(context, operation, model, wanted)
    except (ServerError, CitingError) as cause:
        return {"error": cause.key, "detail": cause.detail}
    except Exception:  # pylint: disable=broad-except
        # The bridge carries no exceptions of Python.
        return {"error": "error.internal", "detail": traceback.format_exc()}


def _run(context: Any, operation: str, model: Any, wanted: Json) -> Json:
    if operation == "settings":
        if wanted.get("keep"):
            settings.allow_storing(context)
        chosen = settings.Settings(wanted["address"], wanted.get("key", ""))
        return {"kept": settings.write(context, chosen, bool(wanted.get("keep")))}
    chosen = settings.read(context)
    server = Server(chosen.address, chosen.key)
    if operation == "account":
        return server.account()
    if operation == "search":
        return {"found": [work._asdict() for work in server.search(wanted["query"])]}
    document = CitationDocument(model, server)
    cursor = model.CurrentController.ViewCursor
    if operation == "fields":
        fields = document.fields()
        return {"fields": [{"text": field.text, "note": field.note, "citation": field.citation} for field in fields]}
    if operation == "insert":
        return _report(document.insert(cursor, _cites(server, wanted["cites"])))
    if operation == "edit":
        fields = document.fields()
        field = fields[wanted["field"]]
        cites = field.citation["citationItems"] if "cites" not in wanted else _cites(server, wanted["cites"])
        for cite in cites:
            cite.update(wanted.get("set", {}))
        return _report(document.edit(field, cites))
    if operation == "refresh":
        return _report(document.refresh())
    if operation == "list":
        return _report(document.insert_list(cursor))
    if operation == "style":
        return _report(document.set_style(wanted["style"], wanted.get("locale", "")))
    if operation == "unlink":
        return _report(document.unlink())
    if operation == "adopt":
        with open(wanted["bibliography"], "rb") as file:
            items = server.read_bibliography(file.read())
        report, missing = document.adopt(items)
        return {**_report(report), "missing": missing}
    raise CitingError("error.operation", operation)


def _cites(server: Server, wanted: List[Json]) -> List[Json]:
    """Cites as the dialog makes them: of a record, or of the first work that is found."""
    cites = []
    for cite in wanted:
        item = cite.get("item")
        if item is None:
            found = server.search(cite["query"])
            if not found:
                raise CitingError("error.nothing-found", cite["query"])
            item = server.items([found[0].metadata])[0]
        made = codes.new_cite(item)
        made.update({name: value for name, value in cite.items() if name in ("locator", "label", "prefix", "suffix")})
        codes.set_mode(made, cite.get("mode", "normal"))
        cites.append(made)
    return cites


def _report(report: Any) -> Dict[str, Any]:
    return report._asdict()
