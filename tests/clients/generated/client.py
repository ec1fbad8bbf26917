"""Lookup, verification, formatting, import and every export, by the generated package."""

import importlib
import pkgutil
import sys
from io import BytesIO

import citation_client
from citation_client import AuthenticatedClient
from citation_client.api.collections import create_collection, export_collection, import_entries
from citation_client.api.formatting import export_entries, format_entries, import_file
from citation_client.api.lookup import lookup, lookup_doi
from citation_client.api.verify import verify, verify_batch, verify_document
from citation_client.models import (
    CitationMetadata,
    CollectionRequest,
    DocumentUpload,
    DoiRequest,
    Error,
    ExportCollectionFormat,
    ExportRequest,
    ExportRequestFormat,
    FileUpload,
    FormatRequest,
    LookupRequest,
    VerifyBatchRequest,
    VerifyRequest,
)
from citation_client.types import File

# Compiling a module does not show a name that it lacks.
for module in pkgutil.walk_packages(citation_client.__path__, "citation_client."):
    importlib.import_module(module.name)

address, api_key = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=api_key, raise_on_unexpected_status=True)
DOI = "10.1038/171737a0"
WATSON = "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8."
BIBTEX = b"@article{a, title={A title}, year={2001}}"


def file(name, content=BIBTEX):
    return File(payload=BytesIO(content), file_name=name, mime_type="application/octet-stream")


work = lookup_doi.sync(client=client, body=DoiRequest(doi=DOI))
assert isinstance(work, CitationMetadata) and work.volume == "171", work
found = lookup.sync(client=client, body=LookupRequest(query=DOI, local_only=True))
assert found.metadata.doi == DOI, found

one = verify.sync(client=client, body=VerifyRequest(text=WATSON, local_only=True))
assert one.verdict == "verified" and one.input_.year == 1953, one
batch = verify_batch.sync(client=client, body=VerifyBatchRequest(references=[WATSON], local_only=True))
assert batch.summary["verified"] == 1 and batch.results[0].match.doi == DOI, batch
checked = verify_document.sync(client=client, body=DocumentUpload(file=file("refs.bib")), local_only=True)
assert checked.document.references == 1, checked

formatted = format_entries.sync(client=client, body=FormatRequest(entries=[work], style="apa"))
assert formatted.plain.startswith("Watson, J. D."), formatted
imported = import_file.sync(client=client, body=file("refs.bib"))
assert imported.entries[0].metadata.title == "A title", imported

collection = create_collection.sync(client=client, body=CollectionRequest(name="Generated", entries=[work]))
added = import_entries.sync(collection.id, client=client, body=FileUpload(file=file("refs.bib")))
assert added.imported == 1, added

for form in ExportRequestFormat:
    text = export_entries.sync(client=client, body=ExportRequest(entries=[work], format_=form))
    assert isinstance(text, str) and len(text) > 50, (form, text)
for form in ExportCollectionFormat:
    text = export_collection.sync(collection.id, form, client=client)
    assert isinstance(text, str) and len(text) > 50, (form, text)

refused = lookup_doi.sync(client=client, body=DoiRequest(doi="no DOI"))
assert isinstance(refused, Error) and refused.error == "invalid_doi", refused
print(f"Python: {len(ExportRequestFormat)} forms, {len(ExportCollectionFormat)} files")
