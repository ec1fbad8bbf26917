"""pyzotero reads a collection: all of its pages, one item, formats, versions."""

import os

from pyzotero import zotero

base, key, user = os.environ["BASE"], os.environ["KEY"], os.environ["ZOTERO_USER"]
library = zotero.Zotero(user, "user", key)
library.endpoint = base

assert library.key_info()["userID"] == int(user)
assert library.num_items() == 3, library.num_items()
items = library.everything(library.items(limit=1, sort="title", direction="asc"))
assert [item["data"]["title"] for item in items] == ["Alpha", "Beta", "Gamma"], items
beta = items[1]
assert library.item(beta["key"])["data"]["DOI"] == "10.5555/beta"
assert beta["data"]["creators"][0] == {
    "creatorType": "author", "firstName": "Jane", "lastName": "Doe",
}
collection = library.collections()[0]
assert collection["data"]["name"] == "Thesis"
assert len(library.collection_items(collection["key"])) == 3
assert len(library.collection_items_top(collection["key"])) == 3
assert [item["data"]["title"] for item in library.items(q="beta")] == ["Beta"]
versions = library.item_versions()
assert set(versions) == {item["key"] for item in items}
assert library.last_modified_version() <= max(versions.values())
library.add_parameters(format="bibtex")
entries = library.items().entries
assert any(entry["title"] == "Beta" for entry in entries), entries
assert "Doe, J." in library.items(format="bib", style="apa").decode()
assert library.groups() == []
print("ok")
