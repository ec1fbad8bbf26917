"""Provisional texts of citations from what a document embeds, while no server answers."""

from __future__ import annotations

from typing import List

from .codes import Json, item_of, mode_of

# Family names before the rest is "et al.".
MAX_NAMES = 2


def citation_text(citation: Json) -> str:
    """Author and year, in no style. The next refresh with a server replaces it."""
    return "(" + "; ".join(_cite(cite) for cite in citation["citationItems"]) + ")"


def _cite(cite: Json) -> str:
    item = item_of(cite) or {}
    names = _names(item) if mode_of(cite) != "suppress-author" else ""
    year = year_of(item) if mode_of(cite) != "author-only" else ""
    label = cite.get("label") or "page"
    locator = str(cite.get("locator") or "")
    if locator and label != "page":
        locator = f"{label} {locator}"
    parts = [part for part in (names, year, locator) if part]
    shown = ", ".join(parts) or str(item.get("title") or cite.get("id"))
    return f"{cite.get('prefix') or ''}{shown}{cite.get('suffix') or ''}"


def _names(item: Json) -> str:
    names = names_of(item)
    if len(names) > MAX_NAMES:
        return f"{names[0]} et al."
    return " & ".join(names) or str(item.get("title") or "")


def names_of(item: Json) -> List[str]:
    """The family names of the authors of a record, or of its editors. Others wrote it, with what they took for
    people."""
    people = item.get("author") or item.get("editor")
    people = [person for person in people if isinstance(person, dict)] if isinstance(people, list) else []
    names = [str(person.get("family") or person.get("literal") or "") for person in people]
    return [name for name in names if name]


def year_of(item: Json) -> str:
    date = item.get("issued")
    if not isinstance(date, dict):
        return ""
    parts = date.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return str(parts[0][0])
    return str(date.get("literal") or date.get("raw") or "")
