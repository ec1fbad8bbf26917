"""Works as a dialog shows them, and those that a document embeds."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional

from . import codes
from .codes import Json
from .fields import Field
from .offline import names_of, year_of

# Characters of a line in a list.
MAX_LINE = 160


class Shown(NamedTuple):
    """A work in the list of what was found."""

    line: str
    # What the server found; `None` for a work that the document embeds.
    metadata: Optional[Json]
    item: Optional[Json]
    uris: List[str]


def of_server(metadata: Json, collection: str) -> Shown:
    people = metadata.get("authors") or metadata.get("editors") or []
    names = [str(person.get("family") or person.get("literal") or "") for person in people]
    date = metadata.get("date")
    year = date.get("year") if isinstance(date, dict) else None
    return Shown(line(metadata.get("title"), names, year, collection), metadata, None, [])


def of_cite(cite: Json, place: str) -> Shown:
    item = codes.item_of(cite) or {}
    return Shown(item_line(item, place), None, item, codes.uris_of(cite))


def item_line(item: Json, place: str = "") -> str:
    return line(item.get("title") or item.get("id"), names_of(item), year_of(item), place)


def line(title: Any, names: List[str], year: Any, place: str) -> str:
    names = [name for name in names if name]
    people = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
    head = " ".join(part for part in (people, f"({year})" if year else "") if part)
    text = ": ".join(part for part in (head, str(title or "?")) if part)
    shown = text if len(text) <= MAX_LINE else text[: MAX_LINE - 1] + "…"
    return f"[{place}] {shown}" if place else shown


def embedded(fields: List[Field]) -> List[Json]:
    """The cites of a document, each work once."""
    found = {}
    for field in fields:
        for cite in field.citation["citationItems"] if field.citation else []:
            item = codes.item_of(cite)
            if item is not None:
                found.setdefault(item_line(item), cite)
    return list(found.values())


def matches(cite: Json, query: str) -> bool:
    """Whether a work has all words of a query."""
    item = codes.item_of(cite) or {}
    text = " ".join([item_line(item), str(item.get("DOI", "")), str(item.get("ISBN", ""))]).lower()
    return all(word in text for word in query.lower().split())
