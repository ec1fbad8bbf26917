#!/usr/bin/env python3
"""Makes the extension: build.py [FILE], by default citation.oxt. The same files make the same bytes."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from typing import Dict
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
LANGUAGES = ("en", "de", "es", "fr", "ar", "zh-CN")
PROTOCOL = "org.citation.office:"
# The commands of the menu, in groups.
MENU = (("cite", "list"), ("refresh", "style", "import", "unlink"), ("settings",))
TOOLBAR = ("cite", "list", "refresh", "style")
WRITER = "com.sun.star.text.TextDocument"
# The earliest that an archive can state.
TIME = (1980, 1, 1, 0, 0, 0)


def messages(language: str) -> Dict[str, str]:
    """The texts of a language."""
    found = {}
    text = (HERE / "pythonpath/citation_office/messages" / f"{language}.txt").read_text("utf-8")
    for line in text.splitlines():
        key, separator, value = line.partition(" = ")
        if separator and not line.startswith("#"):
            found[key] = value
    return found


def titles(key: str, name: str = "Title") -> str:
    """A property with a text in every language."""
    values = "".join(
        f'<value xml:lang="{"en-US" if language == "en" else language}">{escape(messages(language)[key])}</value>'
        for language in LANGUAGES
    )
    return f'<prop oor:name="{name}" oor:type="xs:string">{values}</prop>'


def window_state() -> str:
    """The name and the place of the toolbar."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<oor:component-data xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" oor:name="WriterWindowState" '
        'oor:package="org.openoffice.Office.UI"><node oor:name="UIElements"><node oor:name="States">'
        '<node oor:name="private:resource/toolbar/addon_org.citation.office.bar" oor:op="replace">'
        f'{titles("menu", "UIName")}'
        '<prop oor:name="Docked" oor:type="xs:boolean"><value>true</value></prop>'
        '<prop oor:name="DockingArea" oor:type="xs:int"><value>0</value></prop>'
        '<prop oor:name="DockPos" oor:type="xs:string"><value>0,2</value></prop>'
        '<prop oor:name="Visible" oor:type="xs:boolean"><value>true</value></prop>'
        "</node></node></node></oor:component-data>\n"
    )


def addons() -> str:
    """The menu and the toolbar, with their titles in every language."""

    def text(name: str, value: str) -> str:
        return f'<prop oor:name="{name}" oor:type="xs:string"><value>{escape(value)}</value></prop>'

    def entry(number: int, command: str) -> str:
        url = "private:separator" if command == "-" else PROTOCOL + command
        title = "" if command == "-" else titles(f"command.{command}") + text("Target", "_self")
        return f'<node oor:name="m{number:02}" oor:op="replace">{text("URL", url)}{title}{text("Context", WRITER)}</node>'

    listed = [command for group in MENU for command in ("-", *group)][1:]
    menu = "".join(entry(number, command) for number, command in enumerate(listed))
    bar = "".join(entry(number, command) for number, command in enumerate(TOOLBAR))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<oor:component-data xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" oor:name="Addons" oor:package="org.openoffice.Office">'
        '<node oor:name="AddonUI">'
        '<node oor:name="OfficeMenuBar"><node oor:name="org.citation.office.menu" oor:op="replace">'
        f'{titles("menu")}{text("Context", WRITER)}<node oor:name="Submenu">{menu}</node></node></node>'
        f'<node oor:name="OfficeToolBar"><node oor:name="org.citation.office.bar" oor:op="replace">{titles("menu")}{bar}'
        "</node></node></node></oor:component-data>\n"
    )


def files() -> Dict[str, bytes]:
    found = {}
    for pattern in ("*.py", "*.xml", "*.xcu", "META-INF/*.xml", "pythonpath/**/*.py", "pythonpath/**/*.txt"):
        for path in HERE.glob(pattern):
            if path != Path(__file__).resolve():
                found[path.relative_to(HERE).as_posix()] = path.read_bytes()
    found["Addons.xcu"] = addons().encode()
    found["WriterWindowState.xcu"] = window_state().encode()
    return found


def build(target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files().items()):
            archive.writestr(zipfile.ZipInfo(name, TIME), content, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("citation.oxt"))
