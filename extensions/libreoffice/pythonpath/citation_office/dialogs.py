"""The dialogs: a citation, a style, the server."""

from __future__ import annotations

import copy
from typing import Any, List, Optional, Tuple

from . import codes, settings, works
from .citing import CitingError
from .codes import Json
from .messages import Messages
from .server import Server, ServerError
from .settings import Settings
from .windows import CANCEL, OK, Window

MODES = tuple(codes.MODES)


class CiteDialog:
    """Chooses the cites of a citation."""

    def __init__(self, context: Any, words: Messages, server: Server, known: List[Json], cites: List[Json],
                 is_by_hand: bool = False) -> None:
        self.words = words
        self.server = server
        # The works that the document embeds, which can be cited without a server.
        self.known = known
        self.cites = copy.deepcopy(cites)
        self.found: List[works.Shown] = []
        self.filling = False
        self.window = Window(context, words.get("cite.title"), 330, 262)
        self._build()
        self._show_cites(0)
        self.say(words.get("cite.by-hand" if is_by_hand else "cite.hint"))

    def _build(self) -> None:
        word, window = self.words.get, self.window
        window.label("query-label", word("cite.query"), 6, 6, 250)
        window.add("Edit", "query", 6, 17, 254)
        window.button("search", word("cite.search"), 264, 17, 60, self.search)
        window.label("found-label", word("cite.found"), 6, 35, 200)
        window.add("ListBox", "found", 6, 45, 254, 72)
        window.button("add", word("cite.add"), 264, 45, 60, self.add)
        window.label("cited-label", word("cite.cited"), 6, 121, 200)
        window.add("ListBox", "cited", 6, 131, 254, 46)
        window.button("up", word("cite.up"), 264, 131, 60, lambda: self.move(-1))
        window.button("down", word("cite.down"), 264, 147, 60, lambda: self.move(1))
        window.button("remove", word("cite.remove"), 264, 163, 60, self.remove)
        window.label("label-label", word("cite.label"), 6, 181, 76)
        window.choices("label", 6, 191, 76, [word(f"locator.{label}") for label in codes.LOCATORS])
        window.label("locator-label", word("cite.locator"), 86, 181, 76)
        window.add("Edit", "locator", 86, 191, 76)
        window.label("mode-label", word("cite.author"), 166, 181, 158)
        window.choices("mode", 166, 191, 158, [word(f"mode.{mode}") for mode in MODES])
        window.label("prefix-label", word("cite.prefix"), 6, 208, 156)
        window.add("Edit", "prefix", 6, 218, 156)
        window.label("suffix-label", word("cite.suffix"), 166, 208, 158)
        window.add("Edit", "suffix", 166, 218, 158)
        window.label("status", "", 6, 236, 188, 22, MultiLine=True)
        window.button("ok", word("ok"), 198, 242, 60, PushButtonType=OK)
        window.button("cancel", word("cancel"), 264, 242, 60, PushButtonType=CANCEL)
        window.on_return("query", self.search)
        window.on_double("found", self.add)
        window.on_choice("cited", self._show_cite)
        for name in ("label", "mode"):
            window.on_choice(name, self._take)
        for name in ("locator", "prefix", "suffix"):
            window.on_text(name, self._take)

    def run(self, parent: Any) -> Optional[List[Json]]:
        """The cites that were chosen; `None` if a person gave up."""
        return self.cites if self.window.run(parent) else None

    def say(self, text: str) -> None:
        self.window.set_text("status", text)

    def search(self) -> None:
        """Searches the document, the collections and the corpus, or finds an identifier or a link."""
        query = self.window.text("query").strip()
        if not query:
            return
        self.say(self.words.get("cite.searching"))
        place = self.words.get("cite.in-document")
        self.found = [works.of_cite(cite, place) for cite in self.known if works.matches(cite, query)]
        text = ""
        try:
            self.found.extend(works.of_server(*work) for work in self.server.search(query))
        except ServerError as cause:
            text = self.words.get(cause.key, detail=cause.detail)
        self.window.fill("found", [shown.line for shown in self.found])
        self.say(text or ("" if self.found else self.words.get("cite.nothing")))

    def add(self) -> None:
        """Cites the work that is chosen."""
        chosen = self.window.chosen("found")
        if not 0 <= chosen < len(self.found):
            return
        work = self.found[chosen]
        try:
            item = work.item if work.metadata is None else self.server.items([work.metadata])[0]
        except (ServerError, IndexError) as cause:
            key = cause.key if isinstance(cause, ServerError) else "error.refused"
            self.say(self.words.get(key, detail=str(getattr(cause, "detail", ""))))
            return
        self.cites.append(codes.new_cite(item or {}, work.uris))
        self._show_cites(len(self.cites) - 1)
        self.say("")

    def remove(self) -> None:
        at = self._chosen()
        if at is not None:
            del self.cites[at]
            self._show_cites(max(0, at - 1))

    def move(self, by: int) -> None:
        at = self._chosen()
        if at is not None and 0 <= at + by < len(self.cites):
            self.cites.insert(at + by, self.cites.pop(at))
            self._show_cites(at + by)

    def _chosen(self) -> Optional[int]:
        at = self.window.chosen("cited")
        return at if 0 <= at < len(self.cites) else None

    def _show_cites(self, chosen: int) -> None:
        lines = [works.item_line(codes.item_of(cite) or {"title": cite.get("id")}) for cite in self.cites]
        self.window.fill("cited", lines, chosen)
        self._show_cite()

    def _show_cite(self) -> None:
        """Shows what the chosen cite says."""
        at = self._chosen()
        cite = self.cites[at] if at is not None else {}
        window = self.window
        self.filling = True
        try:
            label = cite.get("label") or "page"
            window.choose("label", codes.LOCATORS.index(label) if label in codes.LOCATORS else 0)
            window.choose("mode", MODES.index(codes.mode_of(cite)))
            for name in ("locator", "prefix", "suffix"):
                window.set_text(name, str(cite.get(name) or ""))
            for name in ("label", "mode", "locator", "prefix", "suffix", "up", "down", "remove"):
                window.enable(name, at is not None)
        finally:
            self.filling = False

    def _take(self) -> None:
        """Takes what was entered for the chosen cite."""
        at = self._chosen()
        if self.filling or at is None:
            return
        cite, window = self.cites[at], self.window
        for name in ("locator", "prefix", "suffix"):
            value = window.text(name)
            if value.strip():
                cite[name] = value
            else:
                cite.pop(name, None)
        chosen = codes.LOCATORS[max(0, window.chosen("label"))]
        # A label that the list lacks stays until another is chosen.
        if cite.get("label") in (None, "", *codes.LOCATORS) or chosen != "page":
            cite["label"] = chosen
        if "locator" not in cite:
            cite.pop("label", None)
        codes.set_mode(cite, MODES[max(0, window.chosen("mode"))])


class StyleDialog:
    """Chooses a style and a language."""

    def __init__(self, context: Any, words: Messages, server: Server, style: str, locale: str) -> None:
        self.words = words
        self.server = server
        self.found: List[Json] = [{"id": style, "title": style}]
        self.locales = [""] + server.locales()
        self.window = Window(context, words.get("style.title"), 300, 176)
        self._build(locale)
        self.search()
        self._add_current(style)

    def _build(self, locale: str) -> None:
        word, window = self.words.get, self.window
        window.label("query-label", word("style.query"), 6, 6, 220)
        window.add("Edit", "query", 6, 17, 224)
        window.button("search", word("cite.search"), 234, 17, 60, self.search)
        window.add("ListBox", "found", 6, 35, 288, 84)
        window.label("locale-label", word("style.locale"), 6, 124, 100)
        window.choices("locale", 6, 134, 120, [word("style.of-style"), *self.locales[1:]])
        if locale in self.locales:
            window.choose("locale", self.locales.index(locale))
        window.label("status", "", 6, 152, 160, 20, MultiLine=True)
        window.button("ok", word("ok"), 168, 156, 60, PushButtonType=OK)
        window.button("cancel", word("cancel"), 234, 156, 60, PushButtonType=CANCEL)
        window.on_return("query", self.search)

    def search(self) -> None:
        try:
            self.found = self.server.styles(self.window.text("query"))
        except ServerError as cause:
            self.window.set_text("status", self.words.get(cause.key, detail=cause.detail))
            return
        self._show()

    def _add_current(self, style: str) -> None:
        """Offers the style of the document first."""
        others = [found for found in self.found if found["id"] != style]
        current = [found for found in self.found if found["id"] == style] or [{"id": style, "title": style}]
        self.found = current + others
        self._show()

    def _show(self) -> None:
        self.window.fill("found", [found["title"] for found in self.found])
        self.window.set_text("status", "" if self.found else self.words.get("cite.nothing"))

    def run(self, parent: Any) -> Optional[Tuple[str, str]]:
        """The ids of the style and the locale; `None` if a person gave up."""
        is_taken = self.window.run(parent)
        at = self.window.chosen("found")
        if not is_taken or not 0 <= at < len(self.found):
            return None
        return self.found[at]["id"], self.locales[max(0, self.window.chosen("locale"))]


class SettingsDialog:
    """The server and the key."""

    def __init__(self, context: Any, words: Messages) -> None:
        self.context = context
        self.words = words
        self.settings = settings.read(context)
        self.is_kept = settings.may_store(context)
        word = words.get
        self.window = window = Window(context, word("settings.title"), 280, 116)
        window.label("address-label", word("settings.address"), 6, 6, 200)
        window.add("Edit", "address", 6, 16, 268, Text=self.settings.address)
        window.label("key-label", f"{word('settings.key')} ({word('settings.key-hint')})", 6, 34, 268)
        window.add("Edit", "key", 6, 44, 268, Text=self.settings.key, EchoChar=ord("*"))
        window.add("CheckBox", "keep", 6, 62, 268, 12, Label=word("settings.keep"), State=int(self.is_kept))
        window.label("status", "", 6, 77, 268, 18, MultiLine=True)
        window.button("test", word("settings.test"), 6, 97, 60, self.test)
        window.button("ok", word("ok"), 148, 97, 60, PushButtonType=OK)
        window.button("cancel", word("cancel"), 214, 97, 60, PushButtonType=CANCEL)
        for name in ("address", "key"):
            window.on_text(name, self._take)
        window.on_choice("keep", self._take)

    def _take(self) -> None:
        window = self.window
        self.settings = Settings(window.text("address").strip(), window.text("key").strip())
        self.is_kept = bool(window.control("keep").Model.State)

    def test(self) -> None:
        try:
            account = Server(*self.settings).account()
        except ServerError as cause:
            text = self.words.get(cause.key, detail=cause.detail)
        else:
            is_known = account.get("authenticated")
            text = self.words.get("settings.works" if is_known else "settings.anonymous", plan=account.get("plan", ""))
        self.window.set_text("status", text)

    def run(self, parent: Any) -> bool:
        """Whether a server was set."""
        if not self.window.run(parent):
            return False
        if not self.settings.address.startswith(("http://", "https://")):
            raise CitingError("error.address", self.settings.address)
        if self.is_kept and not settings.may_store(self.context):
            settings.allow_storing(self.context)
        settings.write(self.context, self.settings, self.is_kept)
        return True
