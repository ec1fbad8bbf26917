"""The texts of the extension in the language of the office."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict

FOLDER = Path(__file__).parent / "messages"
LANGUAGES = ("en", "de", "es", "fr", "ar", "zh-CN")


class Messages:
    """The texts of one language; a text that it lacks is in English."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = {**read("en"), **read(language)}

    def get(self, key: str, **values: Any) -> str:
        """A text with its values: `{name}` is the value of that name."""
        text = self._texts.get(key, key)
        return re.sub(r"\{(\w+)\}", lambda found: str(values.get(found.group(1), found.group(0))), text)


def read(language: str) -> Dict[str, str]:
    found = {}
    for line in (FOLDER / f"{language}.txt").read_text("utf-8").splitlines():
        key, separator, value = line.partition(" = ")
        if separator and not line.startswith("#"):
            found[key] = value
    return found


def language_of(tag: str) -> str:
    """The language of the extension for a language tag of the office."""
    if tag.startswith("zh"):
        return "zh-CN"
    short = tag.split("-")[0]
    return short if short in LANGUAGES else "en"


def of_office(context: Any) -> Messages:
    from com.sun.star.beans import PropertyValue

    manager = context.ServiceManager
    provider = manager.createInstanceWithContext("com.sun.star.configuration.ConfigurationProvider", context)
    path = PropertyValue(Name="nodepath", Value="/org.openoffice.Setup/L10N")
    access = provider.createInstanceWithArguments("com.sun.star.configuration.ConfigurationAccess", (path,))
    return Messages(language_of(str(access.getPropertyValue("ooLocale") or "en")))
