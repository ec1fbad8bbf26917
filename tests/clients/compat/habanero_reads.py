"""habanero asks for works, agencies, lists and content negotiation."""

import os

from habanero import Crossref, cn

base, doi = os.environ["BASE"], "10.1038/171737a0"
crossref = Crossref(base_url=f"{base}/crossref", mailto="tests@example.org")

work = crossref.works(ids=doi)["message"]
assert work["DOI"] == doi and work["container-title"] == ["Nature"], work
assert crossref.registration_agency(doi)[0] in ("Crossref", "Unknown")
found = crossref.works(query="nucleic acids", limit=2)["message"]
assert found["total-results"] > 0 and len(found["items"]) <= 2, found
assert crossref.types()["message"]["total-results"] > 5
url = f"{base}/doi"
assert "@article" in cn.content_negotiation(ids=doi, format="bibtex", url=url)
assert "Watson" in cn.content_negotiation(ids=doi, format="text", style="apa", url=url)
assert "TY  - JOUR" in cn.content_negotiation(ids=doi, format="ris", url=url)
print("ok")
