"""How well references are checked: `citation verify` and its peers on one corpus, with everything on loopback.

    measure.py CITATION SPLIT.jsonl.gz CORPUS.jsonl.gz [--peers PEER,…] [--every N] [--work FOLDER]

SPLIT has one reference a line: `id`, `type` and `fields` of BibTeX, `label` (VALID or not), `kind` (what was altered), and
`in_corpus` (whether the corpus has its title). CORPUS is CSL-JSON. The DOIs of the corpus and of the references are
registered, except those of the kind `fabricated_doi`. Rows of the table:

    offline      citation verify --local-only
    registries   citation verify, with stand-ins for doi.org, Crossref and DataCite (registries.py)
    PEER         bibtex-updater, academic-refchecker: installed from PyPI, behind gateway.py, which gives them this
                 server's own interfaces of Crossref and doi.org, and DBLP's search made of it, instead of those of
                 the internet; hallucinator, which takes no other server: with its own offline database, made of
                 the corpus

The Python that runs this installs the peers; hallucinator needs 3.12.

A reference is flagged if its verdict is that something is wrong with it or that it was not found. `covered` leaves out true
references whose title the corpus lacks. Seconds are of the wall clock, and of one reference. FOLDER keeps what was made, so
that a second run goes on with it.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Set

HERE = Path(__file__).resolve().parent
FABRICATED = "fabricated_doi"
# bibtex-updater does not say that it needs an older bibtexparser; hallucinator has packages for Python 3.12 alone.
PACKAGES = {
    "bibtex-updater": ["bibtex-updater==1.12.0", "bibtexparser<2"],
    "academic-refchecker": ["academic-refchecker==3.1.10"],
    "hallucinator": ["hallucinator==0.2.2"],
}
Row = Dict[str, Any]


class Split:
    """The references, and the folder of a run."""

    def __init__(self, path: str, corpus: str, every: int, work: Path) -> None:
        self.corpus = corpus
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            self.rows: List[Row] = [json.loads(line) for line in lines][::every]
        self.work = work
        self.bib = work / "split.bib"
        self.bib.write_text("".join(map(entry, self.rows)), encoding="utf-8")
        self.path = work / "split.jsonl.gz"
        with gzip.open(self.path, "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps(row) + "\n" for row in self.rows)

    def write_registered(self) -> Path:
        path = self.work / "registered.txt"
        known = (row for row in self.rows if row["kind"] != FABRICATED)
        dois = {doi for row in known for doi in dois_of(row["fields"])}
        path.write_text("\n".join(sorted(dois)), encoding="utf-8")
        return path


def entry(row: Row) -> str:
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in row["fields"].items() if value)
    return f"@{row['type']}{{{row['id']},\n{fields}}}\n\n"


def dois_of(fields: Row) -> Set[str]:
    found = re.findall(r"10\.\d{4,9}/[^\s{}\"]+", " ".join(map(str, fields.values())))
    return {doi.rstrip(".,;").lower() for doi in found}


def rates(pairs: List[tuple]) -> Dict[str, float]:
    """Of pairs of (is altered, is flagged)."""
    count = lambda bad, flagged: sum(1 for pair in pairs if pair == (bad, flagged))
    tp, fn, fp, tn = count(True, True), count(True, False), count(False, True), count(False, False)
    root = math.sqrt(max((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn), 1))
    return {
        "detected": tp / max(tp + fn, 1),
        "false alarms": fp / max(fp + tn, 1),
        "F1": 2 * tp / max(2 * tp + fp + fn, 1),
        "MCC": (tp * tn - fp * fn) / root,
    }


def report(name: str, split: Split, verdicts: Dict[str, Optional[bool]], seconds: float) -> None:
    """Prints the rates over what is covered, over that without invented DOIs, and over all."""
    def of(keep: Any) -> List[tuple]:
        rows = (row for row in split.rows if keep(row))
        return [(row["label"] != "VALID", bool(verdicts.get(row["id"]))) for row in rows]

    is_covered = lambda row: row["label"] != "VALID" or row["in_corpus"]
    parts = {
        "covered": of(is_covered),
        "covered, no invented DOIs": of(lambda row: is_covered(row) and row["kind"] != FABRICATED),
        "all": of(lambda row: True),
    }
    missing = sum(1 for row in split.rows if verdicts.get(row["id"]) is None)
    for part, pairs in parts.items():
        shown = "  ".join(f"{what} {value:.3f}" for what, value in rates(pairs).items())
        print(f"{name:20} {part:26} {shown}")
    print(f"{name:20} {seconds / len(split.rows):.3f} s a reference; {missing} without a verdict", flush=True)
    kinds: Dict[str, List[int]] = {}
    for row in split.rows:
        kind = row["kind"] or ("true" if row["in_corpus"] else "true, not in the corpus")
        known = kinds.setdefault(kind, [0, 0])
        known[0] += bool(verdicts.get(row["id"]))
        known[1] += 1
    print(" ", ", ".join(f"{kind} {flagged}/{of}" for kind, (flagged, of) in sorted(kinds.items())), flush=True)


@contextlib.contextmanager
def serving(command: List[str], **options: Any) -> Iterator[str]:
    """A server that prints `listening on ADDRESS`; ends with the block."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)
    try:
        assert process.stdout
        for line in process.stdout:
            if line.startswith("listening on "):
                break
        else:
            sys.exit(f"{command[0]} did not start")
        yield line.removeprefix("listening on ").strip()
    finally:
        process.terminate()
        process.wait()


def write_settings(path: Path, own: Dict[str, str]) -> None:
    """Every provider disabled but those with an address of their own."""
    shipped = (HERE.parents[1] / "citation.toml").read_text(encoding="utf-8")
    lines = ["[limits]", "anonymous_per_minute = 10000000", "[quota]", "anonymous_daily = 10000000"]
    lines += ["[lookup]", "fetch_pages = false"]
    for provider in re.findall(r"^\[providers\.(\w+)\]$", shipped, re.MULTILINE):
        lines.append(f"[providers.{provider}]")
        if provider in own:
            lines += [f'base_url = "{own[provider]}"', "max_per_second = 0", "max_in_flight = 16"]
        else:
            lines.append("enabled = false")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def timed(command: List[str], output: Path, **options: Any) -> float:
    start = time.monotonic()
    with open(output, "w", encoding="utf-8") as out:
        subprocess.run(command, stdout=out, **options)
    return time.monotonic() - start


def of_citation(path: Path) -> Dict[str, Optional[bool]]:
    verdicts: Dict[str, Optional[bool]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        result = json.loads(line)
        if "verdict" in result:
            is_answer = result["verdict"] not in ("not_checked", "quota_exhausted")
            flagged = result["verdict"] in ("mismatch", "not_found")
            verdicts[result["reference"]] = flagged if is_answer else None
    return verdicts


class Runs:
    def __init__(self, citation: str, split: Split) -> None:
        self.citation, self.split, self.corpus = citation, split, split.corpus
        self.work = split.work
        self.data = self.work / "data"
        self.settings = self.work / "citation.toml"

    def ingest(self) -> None:
        if not self.data.exists():
            write_settings(self.settings, {})
            subprocess.run([self.citation, "--init", *self.options(), "ingest", self.corpus], check=True)

    def options(self) -> List[str]:
        return ["--config", str(self.settings), "--data", str(self.data)]

    def verify(self, name: str, options: List[str]) -> None:
        output = self.work / f"{name}.jsonl"
        command = [self.citation, "verify", *self.options(), *options, "--to", "jsonl", str(self.split.bib)]
        seconds = timed(command, output, stderr=subprocess.DEVNULL)
        report(name, self.split, of_citation(output), seconds)

    def offline(self) -> None:
        write_settings(self.settings, {})
        self.verify("offline", ["--local-only"])

    @contextlib.contextmanager
    def registries(self) -> Iterator[str]:
        program = [sys.executable, str(HERE / "registries.py"), self.corpus]
        with serving([*program, "--registered", str(self.split.write_registered())]) as address:
            yield address

    def with_registries(self) -> None:
        with self.registries() as address:
            names = ("doi", "crossref", "datacite")
            write_settings(self.settings, {name: f"{address}/{name}" for name in names})
            self.verify("registries", [])

    def peer(self, name: str) -> None:
        write_settings(self.settings, {})
        serve = [self.citation, "serve", *self.options(), "--listen", "127.0.0.1:0"]
        with self.registries() as registries, serving(serve, stderr=subprocess.DEVNULL) as server:
            gateway = [sys.executable, str(HERE / "gateway.py"), server, registries, str(self.work)]
            with serving(gateway) as proxy:
                self.run_peer(name, proxy)

    def run_peer(self, name: str, proxy: str) -> None:
        python = self.install(name)
        authority = str(self.work / "authority.pem")
        names = ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy")
        environment = {
            **os.environ,
            **{variable: proxy for variable in names},
            "SSL_CERT_FILE": authority,
            "REQUESTS_CA_BUNDLE": authority,
            "NO_COLOR": "1",
        }
        folder = self.work / name
        seconds = 0.0
        for command in COMMANDS[name](self.split, python, folder):
            print("$", " ".join(command), flush=True)
            seconds += timed(command, folder / "output.txt", cwd=folder, env=environment, stderr=subprocess.STDOUT)
        report(name, self.split, READERS[name](folder), seconds)

    def install(self, name: str) -> Path:
        folder = self.work / name
        python = folder / "venv/bin/python"
        if not python.exists():
            folder.mkdir(exist_ok=True)
            subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES[name]], check=True)
        return python


def bibtex_updater(split: Split, python: Path, _: Path) -> Iterator[List[str]]:
    program = str(HERE / "bibtex_updater_checks.py")
    yield [str(python), program, str(split.bib), "--jsonl", "results.jsonl", "--no-cache"]


def of_bibtex_updater(folder: Path) -> Dict[str, Optional[bool]]:
    """Every status but `verified` tells of a problem; `unconfirmed` of details that no source has."""
    results = map(json.loads, (folder / "results.jsonl").read_text(encoding="utf-8").splitlines())
    return {result["key"]: result["status"] != "verified" for result in results}


def refchecker(split: Split, python: Path, folder: Path) -> Iterator[List[str]]:
    """Of references with one title it checks the first, so no file has two of them."""
    seen: Dict[str, int] = {}
    parts: Dict[int, List[Row]] = {}
    for row in split.rows:
        title = re.sub(r"\W+", " ", row["fields"].get("title", "").lower()).strip()
        number = seen[title] = seen.get(title, 0) + 1
        parts.setdefault(number, []).append(row)
    program = str(python.parent / "academic-refchecker")
    for number, rows in parts.items():
        name = f"part{number}"
        (folder / f"{name}.bib").write_text("".join(map(entry, rows)), encoding="utf-8")
        (folder / f"{name}.keys").write_text("\n".join(row["id"] for row in rows), encoding="utf-8")
        yield [program, "--paper", f"{name}.bib", "--report-file", f"{name}.json", "--report-format", "json"]


def of_refchecker(folder: Path) -> Dict[str, Optional[bool]]:
    """It lists references with a problem; that the reference leaves out a detail is none."""
    verdicts: Dict[str, Optional[bool]] = {}
    for keys in folder.glob("part*.keys"):
        verdicts.update(dict.fromkeys(keys.read_text(encoding="utf-8").split(), False))
        for record in json.loads(keys.with_suffix(".json").read_text(encoding="utf-8"))["records"]:
            problems = record["_original_errors"]
            said = (problem.get("error_details") or problem.get("warning_details", "") for problem in problems)
            is_flagged = any(text and not text.startswith("Missing") for text in said)
            verdicts[record["original_reference"]["bibtex_key"]] = is_flagged
    return verdicts


def hallucinator(split: Split, python: Path, _: Path) -> Iterator[List[str]]:
    yield [str(python), str(HERE / "hallucinator_checks.py"), str(split.path), split.corpus, "results.jsonl"]


def of_hallucinator(folder: Path) -> Dict[str, Optional[bool]]:
    results = map(json.loads, (folder / "results.jsonl").read_text(encoding="utf-8").splitlines())
    return {result["id"]: result["status"] != "verified" for result in results}


COMMANDS = {"bibtex-updater": bibtex_updater, "academic-refchecker": refchecker, "hallucinator": hallucinator}
READERS = {
    "bibtex-updater": of_bibtex_updater,
    "academic-refchecker": of_refchecker,
    "hallucinator": of_hallucinator,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("citation")
    parser.add_argument("split")
    parser.add_argument("corpus")
    parser.add_argument("--peers", default="", metavar="PEER,…")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth reference")
    parser.add_argument("--work", type=Path, default=Path("referee"), metavar="FOLDER")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    work = options.work.resolve()
    split = Split(options.split, str(Path(options.corpus).resolve()), options.every, work)
    runs = Runs(str(Path(options.citation).resolve()), split)
    runs.ingest()
    runs.offline()
    runs.with_registries()
    for peer in filter(None, options.peers.split(",")):
        runs.peer(peer)


if __name__ == "__main__":
    main()
