"""crossref-commons asks for a work and its members."""

import os

import crossref_commons.config as config

config.API_URL = f"{os.environ['BASE']}/crossref"

import crossref_commons.retrieval as retrieval

for module in (retrieval, getattr(retrieval, "http_utils", None)):
    if hasattr(module, "API_URL"):
        module.API_URL = config.API_URL

work = retrieval.get_publication_as_json("10.1038/171737a0")
assert work["DOI"] == "10.1038/171737a0", work
assert work["author"][0]["family"] == "Watson"
print("ok")
