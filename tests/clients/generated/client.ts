// Lookup, verification, formatting, import and every export, by the types of the description.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

declare const process: { argv: string[] };
const [address, apiKey] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: address ?? "", headers: { "X-API-Key": apiKey ?? "" } });
const DOI = "10.1038/171737a0";
const WATSON = "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8.";

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

function given<T>(answer: { data?: T; error?: unknown }): T {
  check(answer.data !== undefined, JSON.stringify(answer.error));
  return answer.data;
}

const work: components["schemas"]["CitationMetadata"] = given(
  await client.POST("/api/v1/lookup/doi", { body: { doi: DOI } }),
);
check(work.title?.startsWith("Molecular structure") === true, "title");
const found = given(await client.POST("/api/v1/lookup", { body: { query: DOI, local_only: true } }));
check(found.metadata?.doi === DOI, "lookup");

const one = given(await client.POST("/api/v1/verify", { body: { text: WATSON, local_only: true } }));
check(one.verdict === "verified" && one.input.year === 1953, one.message);
const batch = given(
  await client.POST("/api/v1/verify/batch", {
    body: { references: [WATSON, { metadata: work }], local_only: true },
  }),
);
check(batch.summary["verified"] === 2, JSON.stringify(batch.summary));
const source: string | undefined = batch.results[0]?.sources_tried[0]?.source;
check(source !== undefined, "source");

const formatted = given(
  await client.POST("/api/v1/format", { body: { entries: [work], style: "apa", locale: "en-US" } }),
);
check(formatted.plain.startsWith("Watson, J. D."), formatted.plain);

const bibtex = "@article{a, title={A title}, year={2001}}";
const imported = given(
  await client.POST("/api/v1/import", {
    body: bibtex,
    bodySerializer: (body) => body,
    headers: { "Content-Type": "application/x-bibtex" },
  }),
);
check(imported.entries[0]?.metadata.title === "A title", "import");

const collection = given(
  await client.POST("/api/v1/collections", { body: { name: "Generated", entries: [work] } }),
);
const form = new FormData();
form.append("file", new Blob([bibtex]), "refs.bib");
const added = given(
  await client.POST("/api/v1/collections/{id}/import", {
    params: { path: { id: collection.id } },
    body: { file: "" },
    bodySerializer: () => form,
  }),
);
check(added.imported === 1 && added.entries[0]?.index === 0, "import into a collection");

const document = await (await fetch(`${address}/api/openapi.json`)).json();
type Form = components["schemas"]["ExportRequest"]["format"];
const forms: Form[] = document.components.schemas.ExportRequest.properties.format.enum;
for (const format of forms) {
  const text = given(
    await client.POST("/api/v1/export", { body: { entries: [work], format }, parseAs: "text" }),
  );
  check(typeof text === "string" && text.length > 50, format);
}
type Ending = paths["/api/v1/collections/{id}/export.{format}"]["get"]["parameters"]["path"]["format"];
const parameters = document.paths["/api/v1/collections/{id}/export.{format}"].get.parameters;
const endings: Ending[] = parameters.find((p: { name: string }) => p.name === "format").schema.enum;
for (const format of endings) {
  const path = { id: collection.id, format };
  const text = given(
    await client.GET("/api/v1/collections/{id}/export.{format}", { params: { path }, parseAs: "text" }),
  );
  check(typeof text === "string" && text.length > 50, format);
}

const refused = await client.POST("/api/v1/lookup/doi", { body: { doi: "no DOI" } });
check(refused.error?.error === "invalid_doi", "refusal");
console.log(`TypeScript: ${forms.length} forms, ${endings.length} files`);
