"""Checks references with hallucinator and its offline database of DBLP, which is made of a corpus of CSL-JSON lines.

    hallucinator_checks.py SPLIT.jsonl.gz CORPUS.jsonl.gz RESULTS.jsonl

Its addresses and its authorities for TLS are compiled in, so that no other server can stand in for the services that it asks;
all of them are disabled. Writes `id` and `status` of each reference.
"""

import gzip
import json
import sqlite3
import sys
from pathlib import Path

import hallucinator

SCHEMA = """
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE publications (id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, title TEXT NOT NULL);
CREATE TABLE publication_authors (pub_id INTEGER NOT NULL, author_id INTEGER NOT NULL, PRIMARY KEY (pub_id, author_id));
CREATE VIRTUAL TABLE publications_fts USING fts5(title, content='publications', content_rowid='id');
CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT);
"""
ONLINE = ["CrossRef", "arXiv", "Semantic Scholar", "ACL Anthology", "NeurIPS", "SSRN", "Europe PMC", "PubMed", "OpenAlex",
          "Open Library", "DOI", "GovInfo", "PatentsView", "IACR ePrint", "Standards", "URL Check", "Wayback Machine",
          "Web Search"]


def lines_of(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def make_database(path, corpus):
    database = sqlite3.connect(path)
    database.executescript(SCHEMA)
    numbers = {}
    for at, item in enumerate(lines_of(corpus), 1):
        database.execute("INSERT INTO publications VALUES (?, ?, ?)", (at, f"work/{at}", item.get("title", "")))
        for name in item.get("author", []):
            whole = " ".join(filter(None, (name.get("given"), name.get("family"), name.get("literal"))))
            number = numbers.setdefault(whole, len(numbers) + 1)
            database.execute("INSERT OR IGNORE INTO authors VALUES (?, ?)", (number, whole))
            database.execute("INSERT OR IGNORE INTO publication_authors VALUES (?, ?)", (at, number))
    database.execute("INSERT INTO publications_fts (publications_fts) VALUES ('rebuild')")
    counts = {"publications": at, "authors": len(numbers)}
    for key, value in {"schema_version": "3", "build_date": "0", **counts}.items():
        database.execute("INSERT INTO metadata VALUES (?, ?)", (key, str(value)))
    database.commit()
    database.close()


def main():
    split, corpus, results = sys.argv[1:4]
    path = Path("corpus.db")
    if not path.exists():
        make_database(path, corpus)
    config = hallucinator.ValidatorConfig()
    config.dblp_offline_path = str(path)
    config.disabled_dbs = ONLINE
    rows = list(lines_of(split))
    references = [
        hallucinator.Reference(row["fields"].get("title", ""), authors=row["fields"].get("author", "").split(" and "))
        for row in rows
    ]
    checked = hallucinator.Validator(config).check(references)
    with open(results, "w", encoding="utf-8") as lines:
        for row, result in zip(rows, checked, strict=True):
            lines.write(json.dumps({"id": row["id"], "status": result.status}) + "\n")


if __name__ == "__main__":
    main()
