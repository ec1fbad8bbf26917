"""doi2bib asks Crossref's interface for BibTeX, and for the short name of the journal."""

import os

import doi2bib.crossref as crossref

crossref.bare_url = f"{os.environ['BASE']}/crossref/"
doi = "10.1038/171737a0"

found, bib = crossref.get_bib(doi)
assert found and bib.startswith("@article") and "Watson" in bib, bib
found, bib = crossref.get_bib_from_doi(doi)
assert found and "journal = {Nature}" in bib, bib
found, _ = crossref.get_bib("10.5555/nothing")
assert not found
print("ok")
