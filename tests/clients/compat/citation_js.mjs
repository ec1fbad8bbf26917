// citation-js fetches a DOI by content negotiation and writes it.
import { Cite } from "@citation-js/core";
import "@citation-js/plugin-doi";
import "@citation-js/plugin-bibtex";
import assert from "node:assert/strict";

const url = `${process.env.BASE}/10.1038/171737a0`;
const cite = await Cite.async(url, { forceType: "@doi/api" });
assert.equal(cite.data[0]["container-title"], "Nature");
assert.match(cite.format("bibtex"), /@article/);
console.log("ok");
