"""The codes of citation fields: what a field keeps besides its text, in the form of Zotero and JabRef."""

from __future__ import annotations

import json
import random
import re
import string
from typing import Any, Dict, List, NamedTuple, Optional

CITATION = "ZOTERO_ITEM CSL_CITATION "
LIST = "ZOTERO_BIBL "
LIST_END = " CSL_BIBLIOGRAPHY"
BOOKMARK = "ZOTERO_BREF_"
SCHEMA = "https://github.com/citation-style-language/schema/raw/master/csl-citation.json"

Json = Dict[str, Any]

# The kinds of locators that the dialog offers, as CSL names them.
LOCATORS = (
    "page", "chapter", "section", "paragraph", "figure", "table", "line", "note", "volume", "verse", "folio", "part",
)

# What a cite shows, and the member of its code that says so.
MODES = {
    "normal": None,
    "composite": "composite",
    "suppress-author": "suppress-author",
    "author-only": "author-only",
}


class JabRefMark(NamedTuple):
    keys: List[str]
    # Whether the author is a part of the sentence.
    is_composite: bool


def read_citation(code: str) -> Optional[Json]:
    """The citation in the code of a field, or `None` if it is no citation that can be read. What follows the JSON,
    such as Zotero's random mark, is skipped."""
    code = code.strip()
    if code.startswith("ADDIN "):
        code = code[len("ADDIN "):].lstrip()
    if "CSL_CITATION" not in code.split("{", 1)[0]:
        return None
    try:
        citation, _ = json.JSONDecoder().raw_decode(code, code.index("{"))
    except ValueError:
        return None
    items = citation.get("citationItems") if isinstance(citation, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return None
    if not isinstance(citation.get("properties"), dict):
        citation["properties"] = {}
    return citation


def write_citation(citation: Json) -> str:
    """A code in Zotero's form, without the mark that makes it unique."""
    return CITATION + json.dumps(citation, ensure_ascii=False, separators=(",", ":"))


def mark_name(code: str) -> str:
    """The name of a reference mark. Two marks cannot have the same name."""
    return f"{code} RND{random_text()}"


def random_text() -> str:
    return "".join(random.choice(string.ascii_letters + string.digits) for _ in range(10))


def is_list(code: str) -> bool:
    """Whether a code or the name of a section is that of a list of works."""
    code = code.strip()
    if code.startswith("ADDIN "):
        code = code[len("ADDIN "):].lstrip()
    return code.startswith(LIST) or code.startswith(("JR_bib", "JABREF_bib"))


def list_code(name: Optional[str] = None) -> str:
    """The code of a list, without its random mark; what Zotero keeps in it stays."""
    if name and name.startswith(LIST) and LIST_END in name:
        return name[: name.index(LIST_END) + len(LIST_END)]
    return LIST + '{"uncited":[],"omitted":[],"custom":[]}' + LIST_END


def read_jabref(name: str) -> Optional[JabRefMark]:
    """The keys of a mark of JabRef: `JABREF_doe CID_1, JABREF_roe CID_2 abc`, in old versions
    `JR_cite1_2_doe,roe`, whose second number is 2 for an author in the sentence."""
    if name.startswith("JABREF_") and not name.startswith("JABREF_bib"):
        keys = [part.split(" CID_")[0] for part in name.split("JABREF_")[1:]]
        return JabRefMark([key.strip() for key in keys if key.strip()], False)
    old = re.fullmatch(r"JR_cite\d*_(\d)_(.*)", name)
    if old is None:
        return None
    keys = [key.strip() for key in old.group(2).split(",") if key.strip()]
    return JabRefMark(keys, old.group(1) == "2") if keys else None


def new_citation(cites: List[Json]) -> Json:
    """A citation of cites in Zotero's form, whose text is not set yet."""
    return {
        "citationID": random_text(),
        "properties": {"formattedCitation": "", "plainCitation": "", "noteIndex": 0},
        "citationItems": cites,
        "schema": SCHEMA,
    }


def new_cite(item: Json, uris: Optional[List[str]] = None) -> Json:
    """A cite of a work, whose record it holds whole."""
    cite: Json = {"id": item.get("id", ""), "itemData": item}
    if uris:
        cite["uris"] = uris
    return cite


def mode_of(cite: Json) -> str:
    for mode, member in MODES.items():
        if member and cite.get(member) is True:
            return mode
    return "normal"


def set_mode(cite: Json, mode: str) -> None:
    for member in MODES.values():
        if member:
            cite.pop(member, None)
    member = MODES.get(mode)
    if member:
        cite[member] = True


def uris_of(cite: Json) -> List[str]:
    """The addresses of the record in the libraries of programs."""
    found = []
    for member in ("uris", "uri"):
        value = cite.get(member)
        for uri in value if isinstance(value, list) else [value]:
            if isinstance(uri, str) and uri:
                found.append(uri)
    return found


def item_of(cite: Json) -> Optional[Json]:
    """The record that a cite holds."""
    item = cite.get("itemData", cite.get("item"))
    return item if isinstance(item, dict) else None


def plain_text(citation: Json) -> str:
    """The text that the program which wrote the field last put into it."""
    text = citation["properties"].get("plainCitation")
    return text if isinstance(text, str) else ""


def keeps_text(citation: Json) -> bool:
    """Whether a person chose to keep their own text."""
    properties = citation["properties"]
    return properties.get("dontUpdate") is True or bool(properties.get("custom"))
