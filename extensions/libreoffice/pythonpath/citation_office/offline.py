"""Provisional texts of citations from what a document embeds, while no server answers."""

from __future__ import annotations

from typing import Any, Dict, List

from .codes import Json, item_of, mode_of

# Family names before the rest is "et al.".
MAX_NAMES = 2


def citation_text(citation: Json) -> str:
    """Author and year, in no style. The next refresh with a server replaces it."""
    return "(" + "; ".join(_cite(cite) for cite in citation["citationItems"]) + ")"


def _cite(cite: Json) -> str:
    item = item_of(cite) or {}
    names = _names(item) if mode_of(cite) != "suppress-author" else ""
    year = _year(item) if mode_of(cite) != "author-only" else ""
    label = cite.get("label") or "page"
    locator = str(cite.get("locator") or "")
    if locator and label != "page":
        locator = f"{label} {locator}"
    parts = [part for part in (names, year, locator) if part]
    return f"{cite.get('prefix') or ''}{', '.join(parts) or item.get('title') or cite.get('id')}{cite.get('suffix') or ''}"


def _names(item: Json) -> str:
    people: List[Dict[str, Any]] = item.get("author") or item.get("editor") or []
    names = [str(person.get("family") or person.get("literal") or "") for person in people if isinstance(person, dict)]
    names = [name for name in names if name]
    if len(names) > MAX_NAMES:
        return f"{names[0]} et al."
    return " & ".join(names) or str(item.get("title") or "")


def _year(item: Json) -> str:
    date = item.get("issued")
    if not isinstance(date, dict):
        return ""
    parts = date.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return str(parts[0][0])
    return str(date.get("literal") or date.get("raw") or "")
