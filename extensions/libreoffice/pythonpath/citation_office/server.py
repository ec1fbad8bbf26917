"""Requests to the Citation server, each within a time limit."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, List, NamedTuple, Optional

# Seconds. The office waits for an answer.
TIMEOUT = 20
MAX_ANSWER = 64 * 1024 * 1024

Json = Dict[str, Any]


class ServerError(Exception):
    """A request without an answer. `key` names the message that says what to do."""

    def __init__(self, key: str, detail: str = "", answer: Optional[Json] = None) -> None:
        super().__init__(f"{key}: {detail}")
        self.key = key
        self.detail = detail
        self.answer = answer or {}

    @property
    def is_offline(self) -> bool:
        """Whether no server answered, so that what the document embeds has to do."""
        return self.key in ("error.unreachable", "error.slow")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A key must not follow to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


class FoundWork(NamedTuple):
    """A work that was found, to show and to cite."""

    metadata: Json
    # The name of the collection that has it; empty for the corpus and others.
    collection: str


class Server:
    """One server, for one caller."""

    def __init__(self, address: str, key: str = "", timeout: float = TIMEOUT) -> None:
        self.address = address.strip().rstrip("/")
        self.key = key.strip()
        self.timeout = timeout

    def post(self, path: str, body: Json) -> Any:
        data = json.dumps(body, ensure_ascii=False).encode()
        return self._ask(path, data, "application/json")

    def get(self, path: str, **query: str) -> Any:
        return self._ask(path + ("?" + urllib.parse.urlencode(query) if query else ""), None, "")

    def document(self, request: Json) -> Json:
        """Sets citations."""
        return self.post("/api/v1/document", request)

    def account(self) -> Json:
        return self.get("/api/v1/me")

    def styles(self, query: str) -> List[Json]:
        return self.get("/api/v1/styles/search", q=query, limit="20") if query.strip() else self.get("/api/v1/styles")

    def locales(self) -> List[str]:
        return [locale["id"] for locale in self.get("/api/v1/locales")]

    def search(self, query: str) -> List[FoundWork]:
        """Works for an identifier, an address, or words: those of the caller's collections first."""
        found = [work for work in self._own(query)]
        titles = {_same(work.metadata) for work in found}
        try:
            answer = self.post("/api/v1/lookup", {"query": query})
        except ServerError as cause:
            if found and not cause.is_offline:
                return found
            raise
        for metadata in _works(answer):
            if _same(metadata) not in titles:
                titles.add(_same(metadata))
                found.append(FoundWork(metadata, ""))
        return found

    def _own(self, query: str) -> List[FoundWork]:
        if not self.key:
            return []
        found = []
        for collection in self.get("/api/v1/collections")[:50]:
            if collection.get("entry_count"):
                path = f"/api/v1/collections/{collection['id']}"
                whole = self.get(path, q=query, limit="20")
                works = (entry["metadata"] for entry in whole.get("entries", []))
                found.extend(FoundWork(metadata, collection["name"]) for metadata in works)
        return found

    def items(self, metadata: List[Json]) -> List[Json]:
        """Works as complete CSL-JSON."""
        answer = self.post("/api/v1/export", {"format": "csl-json", "entries": metadata})
        return answer if isinstance(answer, list) else []

    def read_bibliography(self, content: bytes) -> List[Json]:
        """The entries of a bibliography file as CSL-JSON, with their keys as ids."""
        answer = self._ask("/api/v1/import", content, "application/octet-stream")
        entries = [entry for entry in answer.get("entries", []) if entry.get("metadata")]
        items = []
        for start in range(0, len(entries), 500):
            part = entries[start:start + 500]
            for entry, item in zip(part, self.items([entry["metadata"] for entry in part])):
                items.append({**item, "id": entry.get("citation_key") or item.get("id")})
        return items

    def _ask(self, path: str, data: Optional[bytes], kind: str) -> Any:
        """Asks in another thread, because the time limit of a socket begins anew with every byte."""
        if not self.address.startswith(("http://", "https://")):
            raise ServerError("error.address", self.address)
        headers = {"Accept": "application/json", "User-Agent": "citation-libreoffice"}
        if kind:
            headers["Content-Type"] = kind
        if self.key:
            headers["X-API-Key"] = self.key
        try:
            request = urllib.request.Request(self.address + path, data, headers)
        except ValueError:
            raise ServerError("error.address", self.address) from None
        outcome: List[Any] = []

        def run() -> None:
            try:
                outcome.append(_read(request, self.timeout))
            except Exception as cause:  # pylint: disable=broad-except
                outcome.append(cause)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(self.timeout)
        if not outcome:
            raise ServerError("error.slow", self.address)
        answer = outcome[0]
        if isinstance(answer, ServerError):
            raise answer
        if isinstance(answer, Exception):
            raise ServerError("error.unreachable", self.address) from answer
        return answer


def _read(request: urllib.request.Request, timeout: float) -> Any:
    opener = urllib.request.build_opener(_NoRedirect)
    try:
        with opener.open(request, timeout=timeout) as response:
            body = response.read(MAX_ANSWER + 1)
    except urllib.error.HTTPError as cause:
        raise _refusal(cause) from None
    try:
        if len(body) > MAX_ANSWER:
            raise ValueError("too long")
        return json.loads(body)
    except ValueError:
        raise ServerError("error.no-server", request.host) from None


def _refusal(cause: urllib.error.HTTPError) -> ServerError:
    try:
        answer = json.loads(cause.read(1_000_000))
        message = answer["message"]
    except (ValueError, KeyError, TypeError, OSError):
        return ServerError("error.no-server", f"{cause.url} ({cause.code})")
    if cause.code in (401, 403):
        return ServerError("error.key", message, answer)
    return ServerError("error.refused", message, answer)


def _works(answer: Json) -> List[Json]:
    """The works of the answer to a lookup, the best first."""
    found = []
    if answer.get("metadata"):
        found.append(answer["metadata"])
    found.extend(candidate["metadata"] for candidate in answer.get("candidates") or [])
    for result in answer.get("results") or []:
        found.extend(_works(result))
    return found


def _same(metadata: Json) -> str:
    """What works share that are the same to a reader of the list."""
    return metadata.get("doi") or metadata.get("isbn") or f"{metadata.get('title')}|{metadata.get('date')}"
