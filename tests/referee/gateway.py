"""A proxy on a loopback port behind which unmodified programs find this server instead of the services of the internet.

    gateway.py SERVER REGISTRIES FOLDER

A program uses it by HTTPS_PROXY and trusts FOLDER/authority.pem, which is made anew (by SSL_CERT_FILE or
REQUESTS_CA_BUNDLE). The first line printed is `listening on http://127.0.0.1:PORT`.

    api.crossref.org            SERVER/crossref, the interface of Crossref
    doi.org, dx.doi.org         SERVER/doi for records; REGISTRIES says whether a DOI is registered
    api.datacite.org            REGISTRIES/datacite
    dblp.org                    its search, answered by SERVER/crossref, since works without a DOI count there
    other known services        nothing found, in their own form
    any other host              404

Nothing leaves the machine.
"""

from __future__ import annotations

import collections
import http.client
import json
import ssl
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

FEED = '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>none</title></feed>'
# What services answer to a search that finds nothing, by host and beginning of the path.
NOTHING: Dict[Tuple[str, str], Any] = {
    ("dblp.org", "/search/venue/"): {"result": {"hits": {"@total": "0", "@computed": "0", "@sent": "0", "@first": "0"}}},
    ("api.semanticscholar.org", "/graph/v1/paper/search"): {"total": 0, "offset": 0, "data": []},
    ("api.openalex.org", "/works?"): {"meta": {"count": 0}, "results": []},
    ("api.openalex.org", "/sources?"): {"meta": {"count": 0}, "results": []},
    ("export.arxiv.org", "/api/query"): FEED,
    ("api.openreview.net", "/notes"): {"notes": [], "count": 0},
    ("api2.openreview.net", "/notes"): {"notes": [], "count": 0},
    ("www.ebi.ac.uk", "/europepmc/"): {"hitCount": 0, "resultList": {"result": []}},
    ("openlibrary.org", "/search.json"): {"numFound": 0, "start": 0, "docs": []},
    ("www.googleapis.com", "/books/"): {"totalItems": 0},
}
Answer = Tuple[int, str, bytes]


def make_authority(folder: Path) -> ssl.SSLContext:
    """An authority, and a context with a certificate for every host, made per host."""
    key, authority = folder / "authority.key", folder / "authority.pem"
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=Loopback gateway",
            "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign",
            "-keyout", str(key), "-out", str(authority))
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=gateway", "-keyout", str(folder / "host.key"),
            "-out", str(folder / "host.csr"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    hosts: Dict[str, ssl.SSLContext] = {}
    lock = threading.Lock()

    def choose(socket: ssl.SSLObject, host: Optional[str], _: ssl.SSLContext) -> None:
        with lock:
            if host and host not in hosts:
                hosts[host] = certified(folder, host)
            if host:
                socket.context = hosts[host]

    context.sni_callback = choose
    context.load_cert_chain(*sign(folder, "localhost"))
    return context


def certified(folder: Path, host: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sign(folder, host))
    return context


def sign(folder: Path, host: str) -> Tuple[str, str]:
    extensions, certificate = folder / f"{host}.ext", folder / f"{host}.pem"
    extensions.write_text(f"subjectAltName=DNS:{host}\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n")
    openssl("x509", "-req", "-in", str(folder / "host.csr"), "-CA", str(folder / "authority.pem"), "-CAkey",
            str(folder / "authority.key"), "-CAcreateserial", "-days", "30", "-extfile", str(extensions),
            "-out", str(certificate))
    return str(certificate), str(folder / "host.key")


def openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def fetched(base: str, path: str, accept: str) -> Answer:
    address = urlsplit(base)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=120)
    connection.request("GET", path, headers={"Accept": accept, "Connection": "close"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers.get("Content-Type", "text/plain"), body


def as_json(status: int, value: Any) -> Answer:
    return status, "application/json", json.dumps(value).encode()


def dblp_publication(work: Dict[str, Any]) -> Dict[str, Any]:
    """A work of Crossref's interface as DBLP's search has it."""
    names = [" ".join(filter(None, (name.get("given"), name.get("family")))) for name in work.get("author", [])]
    year = (work.get("issued", {}).get("date-parts") or [[None]])[0][0]
    info = {
        "authors": {"author": [{"@pid": "", "text": name} for name in names]},
        "title": (work.get("title") or [""])[0] + ".",
        "venue": (work.get("short-container-title") or work.get("container-title") or [""])[0],
        "year": str(year) if year else None,
        "pages": work.get("page"),
        "volume": work.get("volume"),
        "type": "Journal Articles" if work.get("type") == "journal-article" else "Conference and Workshop Papers",
        "doi": work.get("DOI"),
        "ee": work.get("URL"),
    }
    return {name: value for name, value in info.items() if value}


class Gateway:
    def __init__(self, server: str, registries: str) -> None:
        self.server, self.registries = server.rstrip("/"), registries.rstrip("/")
        self.asked: collections.Counter = collections.Counter()

    def answer(self, host: str, path: str, accept: str) -> Answer:
        self.asked[host] += 1
        if host == "api.crossref.org":
            return fetched(self.server, f"/crossref{path.removeprefix('/v1')}", accept)
        if host == "api.datacite.org":
            return fetched(self.registries, f"/datacite{path}", accept)
        if host in ("doi.org", "dx.doi.org", "www.doi.org"):
            return self.resolve(path, accept)
        if host == "dblp.org" and path.startswith("/search/publ/"):
            return self.search_dblp(parse_qs(urlsplit(path).query))
        for (known, start), nothing in NOTHING.items():
            if host == known and path.startswith(start):
                if isinstance(nothing, str):
                    return 200, "application/atom+xml", nothing.encode()
                return as_json(200, nothing)
        return as_json(404, {"error": "not found"})

    def search_dblp(self, query: Dict[str, List[str]]) -> Answer:
        words, rows = query.get("q", [""])[0], query.get("h", ["10"])[0]
        wanted = urlencode({"query.bibliographic": words, "rows": rows})
        status, kind, body = fetched(self.server, f"/crossref/works?{wanted}", "application/json")
        if status != 200:
            return status, kind, body
        works = json.loads(body)["message"]["items"]
        hits = [{"@score": "1", "info": dblp_publication(work)} for work in works]
        count = {name: str(len(hits)) for name in ("@total", "@computed", "@sent")}
        return as_json(200, {"result": {"query": words, "hits": {**count, "@first": "0", "hit": hits}}})

    def resolve(self, path: str, accept: str) -> Answer:
        """A record if one is asked for; else the page of a registered DOI, which says nothing."""
        if path.startswith("/api/handles/"):
            return fetched(self.registries, f"/doi{path}", accept)
        doi = path.split("?")[0]
        if any(kind in accept for kind in ("json", "bibtex", "bibliography", "ris")):
            return fetched(self.server, f"/doi{doi}", accept)
        status, _, _ = fetched(self.registries, f"/doi/api/handles{doi}", "*/*")
        return status, "text/html", f"<title>{unquote(doi)}</title>".encode() if status == 200 else b""


def main() -> None:
    server, registries, folder = sys.argv[1:4]
    context = make_authority(Path(folder))
    gateway = Gateway(server, registries)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        host = ""

        def do_CONNECT(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.flush()
            host = self.path.rpartition(":")[0]
            try:
                self.connection = context.wrap_socket(self.connection, server_side=True)
            except (OSError, ssl.SSLError):
                self.close_connection = True
                return
            self.rfile = self.connection.makefile("rb", self.rbufsize)
            self.wfile = self.connection.makefile("wb", 0)
            self.host = host
            self.close_connection = False

        def do_GET(self) -> None:
            url = urlsplit(self.path)
            host = self.host or url.hostname or ""
            path = url.path + (f"?{url.query}" if url.query else "")
            length = int(self.headers.get("Content-Length") or 0)
            self.rfile.read(length)
            try:
                status, kind, body = gateway.answer(host, path, self.headers.get("Accept", "*/*"))
            except OSError as cause:
                status, kind, body = 502, "text/plain", str(cause).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_HEAD = do_POST = do_GET

        def log_message(self, *_: Any) -> None:
            pass

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.daemon_threads = True
    print(f"listening on http://127.0.0.1:{listener.server_address[1]}", flush=True)
    listener.serve_forever()


if __name__ == "__main__":
    main()
