"""Zotero's document preferences, in properties of the document, so that Zotero goes on with the same style."""

from __future__ import annotations

import json
import re
from typing import Any, List, NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from .codes import random_text

PREFIX = "ZOTERO_PREF_"
STYLES = "http://www.zotero.org/styles/"
DEFAULT_STYLE = STYLES + "apa"
# Maximum length of a property in Word.
PIECE = 255
REMOVABLE = 128  # com.sun.star.beans.PropertyAttribute.REMOVABLE


class Preferences(NamedTuple):
    # The address of the style.
    style: str = DEFAULT_STYLE
    # A language tag; empty for that of the style.
    locale: str = ""
    # The text as Zotero wrote it; empty if there are none.
    text: str = ""


def read(model: Any) -> Preferences:
    """The preferences of a document; the defaults if it has none that can be read."""
    properties = model.DocumentProperties.UserDefinedProperties
    pieces = [str(properties.getPropertyValue(name)) for name in _names(properties)]
    text = "".join(pieces)
    try:
        return _of_json(text) if text.startswith("{") else _of_xml(text)
    except (ValueError, AttributeError, TypeError, ElementTree.ParseError):
        return Preferences()


def write(model: Any, style: str, locale: str, is_note: bool, has_list: bool) -> None:
    """Writes a style and a locale; what else Zotero keeps stays."""
    before = read(model)
    text = _changed(before.text, style, locale, is_note, has_list)
    if text == before.text:
        return
    remove(model)
    properties = model.DocumentProperties.UserDefinedProperties
    for number, start in enumerate(range(0, len(text), PIECE), 1):
        properties.addProperty(f"{PREFIX}{number}", REMOVABLE, text[start:start + PIECE])


def remove(model: Any) -> None:
    properties = model.DocumentProperties.UserDefinedProperties
    for name in _names(properties):
        properties.removeProperty(name)


def style_address(style: str) -> str:
    """The address of a style that is named by its id."""
    return style if "/" in style else STYLES + style


def style_name(address: str) -> str:
    return address[len(STYLES):] if address.startswith(STYLES) else address


def _names(properties: Any) -> List[str]:
    found = []
    for described in properties.PropertySetInfo.Properties:
        number = described.Name[len(PREFIX):]
        if described.Name.startswith(PREFIX) and number.isdigit():
            found.append((int(number), described.Name))
    return [name for _, name in sorted(found)]


def _of_json(text: str) -> Preferences:
    style = json.loads(text)["style"]
    return Preferences(style["styleID"], style.get("locale") or "", text)


def _of_xml(text: str) -> Preferences:
    style = _parsed(text).find("style")
    return Preferences(style.get("id") or DEFAULT_STYLE, style.get("locale") or "", text)


def _parsed(text: str) -> ElementTree.Element:
    # Preferences need no entities of their own, which could grow without bound.
    if "<!" in text:
        raise ValueError("a document type")
    return ElementTree.fromstring(text)


def _changed(text: str, style: str, locale: str, is_note: bool, has_list: bool) -> str:
    if text.startswith("{"):
        value = json.loads(text)
        value["style"].update(styleID=style, locale=locale, hasBibliography=has_list)
        value.setdefault("prefs", {})["noteType"] = int(is_note)
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if text:
        root = _parsed(text)
        found = root.find("style")
        if found is not None:
            found.set("id", style)
            found.set("locale", locale)
            found.set("hasBibliography", str(int(has_list)))
            found.set("bibliographyStyleHasBeenSet", str(int(has_list)))
            for preference in root.iter("pref"):
                if preference.get("name") == "noteType":
                    preference.set("value", str(int(is_note)))
            return ElementTree.tostring(root, encoding="unicode")
    return (
        f'<data data-version="3"><session id="{random_text()[:8]}"/>'
        f'<style id={quoteattr(style)} locale={quoteattr(locale)} hasBibliography="{int(has_list)}" '
        f'bibliographyStyleHasBeenSet="{int(has_list)}"/>'
        f'<prefs><pref name="fieldType" value="ReferenceMark"/><pref name="noteType" value="{int(is_note)}"/>'
        "</prefs></data>"
    )


def language_of(model: Any) -> str:
    """The language tag of the document's text, for a document without preferences."""
    locale = model.CharLocale
    tag = "-".join(part for part in (locale.Language, locale.Country) if part)
    return tag if re.fullmatch(r"[a-z]{2,3}(-[A-Z]{2})?", tag) and locale.Language != "zxx" else ""
