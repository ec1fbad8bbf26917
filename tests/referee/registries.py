"""Stand-ins for doi.org, Crossref and DataCite on a loopback port, made from a corpus of CSL-JSON lines.

    registries.py CORPUS.jsonl.gz [--registered FILE] [--listen 127.0.0.1:0]

The first line printed is `listening on http://127.0.0.1:PORT`. Below that address:

    /doi/api/handles/DOI    the handle API: whether a DOI is registered
    /doi/DOI                CSL-JSON, if a registry has a record
    /crossref/works/DOI     a record; /crossref/works?query.bibliographic=WORDS&rows=N searches
    /datacite/dois/DOI      a record; /datacite/dois?query=WORDS&page[size]=N searches

The corpus's DOIs are registered, at DataCite if their prefix is one of its own. FILE lists further DOIs, one a line, that
are registered without a record here.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import re
import unicodedata
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Iterator, List, Optional, Tuple
from urllib.parse import parse_qs, unquote, urlsplit

# arXiv, Zenodo, figshare, Dryad, Harvard Dataverse.
DATACITE_PREFIXES = ("10.48550", "10.5281", "10.6084", "10.5061", "10.7910")
# Of a query, the words with the fewest works are looked up.
MAX_QUERY_WORDS = 8
# A word that more works have tells nothing.
MAX_WORKS_OF_WORD = 3000
MAX_ROWS = 100
CROSSREF_TYPES = {
    "article-journal": "journal-article",
    "paper-conference": "proceedings-article",
    "chapter": "book-chapter",
    "book": "book",
    "article": "posted-content",
    "thesis": "dissertation",
    "report": "report",
}
Item = Dict[str, Any]


def words_of(text: str) -> List[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return re.findall(r"[^\W_]{2,}", "".join(c for c in plain if not unicodedata.combining(c)))


def lines_of(path: str) -> Iterator[str]:
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as lines:
        yield from lines


class Registries:
    def __init__(self, corpus: str, registered: Optional[str]) -> None:
        self.items: List[Item] = [json.loads(line) for line in lines_of(corpus)]
        self.by_doi: Dict[str, Item] = {}
        self.by_word: Dict[str, List[int]] = collections.defaultdict(list)
        for at, item in enumerate(self.items):
            if item.get("DOI"):
                self.by_doi.setdefault(item["DOI"].lower(), item)
                for word in set(words_of(item.get("title", ""))):
                    self.by_word[word].append(at)
        further = lines_of(registered) if registered else iter(())
        self.registered = {line.strip().lower() for line in further if line.strip()}

    def is_registered(self, doi: str) -> bool:
        return doi in self.by_doi or doi in self.registered

    def record(self, doi: str, of_datacite: bool) -> Optional[Item]:
        item = self.by_doi.get(doi)
        return item if item and is_of_datacite(doi) == of_datacite else None

    def search(self, query: str, rows: int, of_datacite: bool) -> List[Item]:
        """The works with the most words of a query in their titles, weighted by how rare the words are."""
        known = [word for word in set(words_of(query)) if word in self.by_word]
        known.sort(key=lambda word: len(self.by_word[word]))
        scores: Dict[int, float] = collections.defaultdict(float)
        for word in known[:MAX_QUERY_WORDS]:
            works = self.by_word[word]
            if len(works) <= MAX_WORKS_OF_WORD:
                for at in works:
                    scores[at] += 1 / (1 + len(works) ** 0.5)
        best = sorted(scores, key=lambda at: -scores[at])
        found = (self.items[at] for at in best)
        there = (item for item in found if is_of_datacite(item["DOI"].lower()) == of_datacite)
        return [item for item, _ in zip(there, range(rows))]


def is_of_datacite(doi: str) -> bool:
    return doi.split("/")[0] in DATACITE_PREFIXES


def crossref_work(item: Item) -> Item:
    work = {
        "DOI": item["DOI"],
        "URL": f"https://doi.org/{item['DOI']}",
        "type": CROSSREF_TYPES.get(item.get("type", ""), "other"),
        "title": [item["title"]] if item.get("title") else [],
        "container-title": [item["container-title"]] if item.get("container-title") else [],
        "author": item.get("author", []),
        "source": "Crossref",
        "score": 1.0,
    }
    for name in ("issued", "volume", "issue", "page", "publisher"):
        if item.get(name):
            work[name] = item[name]
    return work


def datacite_work(item: Item) -> Item:
    def creator(name: Item) -> Item:
        family, given = name.get("family"), name.get("given")
        whole = ", ".join(part for part in (family, given) if part) or name.get("literal", "")
        return {"name": whole, "familyName": family, "givenName": given, "nameType": "Personal"}

    parts = item.get("issued", {}).get("date-parts") or [[None]]
    container = {"title": item["container-title"]} if item.get("container-title") else {}
    return {
        "id": item["DOI"].lower(),
        "type": "dois",
        "attributes": {
            "doi": item["DOI"].lower(),
            "titles": [{"title": item.get("title", "")}],
            "creators": [creator(name) for name in item.get("author", [])],
            "publicationYear": parts[0][0],
            "container": container,
            "publisher": item.get("publisher", "arXiv"),
            "types": {"resourceTypeGeneral": "Preprint"},
            "state": "findable",
        },
    }


def answer(registries: Registries, target: str) -> Tuple[int, Any]:
    """Status and JSON of a path with its query."""
    url = urlsplit(target)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    path = unquote(url.path)
    service, _, rest = path.strip("/").partition("/")
    if service == "doi":
        if rest.startswith("api/handles/"):
            handle = rest.removeprefix("api/handles/")
            if not registries.is_registered(handle.lower()):
                return 404, {"responseCode": 100, "handle": handle}
            address = {"format": "string", "value": f"https://publisher.example/{handle}"}
            return 200, {"responseCode": 1, "handle": handle, "values": [{"type": "URL", "data": address}]}
        item = registries.by_doi.get(rest.lower())
        if item:
            return 200, {name: value for name, value in item.items() if name != "id"}
        return (406 if registries.is_registered(rest.lower()) else 404), {}
    rows = min(int(query.get("rows") or query.get("page[size]") or 20), MAX_ROWS)
    if service == "crossref" and rest.startswith("works/"):
        item = registries.record(rest.removeprefix("works/").lower(), of_datacite=False)
        return (200, envelope("work", crossref_work(item))) if item else (404, "Resource not found.")
    if service == "crossref" and rest == "works":
        words = " ".join(value for name, value in query.items() if name.startswith("query"))
        found = registries.search(words, rows, of_datacite=False)
        works = [crossref_work(item) for item in found]
        message = {"total-results": len(works), "items": works, "items-per-page": rows, "query": {}}
        return 200, envelope("work-list", message)
    if service == "datacite" and rest.startswith("dois/"):
        item = registries.record(rest.removeprefix("dois/").lower(), of_datacite=True)
        return (200, {"data": datacite_work(item)}) if item else (404, {"errors": [{"status": "404"}]})
    if service == "datacite" and rest == "dois":
        found = registries.search(query.get("query", ""), rows, of_datacite=True)
        return 200, {"data": [datacite_work(item) for item in found], "meta": {"total": len(found)}}
    return 404, {}


def envelope(kind: str, message: Any) -> Item:
    return {"status": "ok", "message-type": kind, "message-version": "1.0.0", "message": message}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--registered", metavar="FILE")
    parser.add_argument("--listen", default="127.0.0.1:0", metavar="ADDRESS")
    options = parser.parse_args()
    registries = Registries(options.corpus, options.registered)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            status, value = answer(registries, self.path)
            body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
            self.send_response(status)
            is_csl = "/api/handles/" not in self.path and self.path.startswith("/doi/")
            kind = "application/vnd.citationstyles.csl+json" if is_csl else "application/json"
            self.send_header("Content-Type", "text/plain" if isinstance(value, str) else kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_HEAD = do_GET

        def log_message(self, *_: Any) -> None:
            pass

    host, _, port = options.listen.rpartition(":")
    server = ThreadingHTTPServer((host, int(port)), Handler)
    server.daemon_threads = True
    print(f"listening on http://{host}:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
