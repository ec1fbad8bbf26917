"""manubot asks doi.org for CSL-JSON, and translation-server for what Zotero would say of a work."""

import os

import manubot.cite.doi as doi_org
import manubot.cite.zotero as zotero

base, doi = os.environ["BASE"], "10.1038/171737a0"
doi_org.content_negotiation_url_default = base
zotero.base_url = f"{base}/translate"

item = doi_org.get_doi_csl_item_default(doi)
assert item["author"][0]["family"] == "Watson", item
assert item["container-title"] == "Nature" and item["DOI"] == doi, item
item = doi_org.get_doi_csl_item_zotero(doi)
assert item["type"] == "article-journal" and item["title"].startswith("Molecular"), item
print("ok")
