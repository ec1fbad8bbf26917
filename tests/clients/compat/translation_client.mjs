// The client of ZoteroBib looks up an identifier and words, reads a file, and exports.
import Client from "zotero-translation-client";
import assert from "node:assert/strict";

const storage = { getItem: () => null, setItem: () => {}, clear: () => {} };
const make = () => new Client({ translateURL: `${process.env.BASE}/translate`, storage, persist: false });
const doi = "10.1038/171737a0";

const client = make();
const found = await client.translateIdentifier(doi);
assert.equal(found.result, "COMPLETE");
assert.equal(found.items[0].publicationTitle, "Nature");
assert.equal(client.itemsCSL[0].type, "article-journal");
assert.match(await client.exportItems("bibtex"), /@article/);
assert.match(await client.exportItems("ris"), /TY {2}- JOUR/);
const choices = await make().translateIdentifier("molecular structure of nucleic acids watson crick 1953");
assert.equal(choices.result, "MULTIPLE_CHOICES");
assert.equal(choices.items[doi].itemType, "journalArticle");
const read = await make().translateImport("@book{a, title = {A}, author = {Doe, Jane}, year = 2001}");
assert.equal(read.items[0].itemType, "book");
assert.equal((await make().translateIdentifier("10.5555/never-seen")).result, "FAILED");
console.log("ok");
