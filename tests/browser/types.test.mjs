// Compares the scripts' types with the OpenAPI document.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { base } from "./browser.mjs";

const { default: ts } = await import("typescript").catch(() => ({ default: undefined }));

// The document's names of types with shorter names in the scripts.
const SCHEMAS = {
  Name: "Author", Metadata: "CitationMetadata", Update: "UpdateNotice", Item: "CollectionEntry", Entry: "CollectionEntry",
  Version: "VersionReply", Collection: "FullCollection", Style: "Style", Candidate: "ReverseLookupCandidate", Tried: "SourceTried",
  Layout: "LayoutParameters", FormattedEntry: "FormattedEntry", Formatted: "FormatReply", GroupCite: "GroupReply", Place: "FileProblem",
  Text: "LeftOut", Contents: "FileContents", Imported: "ImportReply", Lookup: "LookupReply", Me: "Me", Position: "Position",
  Diff: "FieldDifference", ReadReference: "ParsedReference", Verdict: "VerificationReply", Finding: "DocumentFinding",
  BatchResult: "FormatBatchResult",
};

test("the types of the scripts have the members that the interface describes", async (t) => {
  if (!ts) return t.skip("typescript is not installed");
  const { components: { schemas } } = await (await fetch(`${base}/api/openapi.json`)).json();
  // The members of a schema, and the required ones.
  const described = (schema) => {
    const whole = schema.$ref ? schemas[schema.$ref.split("/").at(-1)] : schema;
    const parts = [...whole.allOf ?? [], ...whole.oneOf ?? []].map(described);
    return {
      names: [...Object.keys(whole.properties ?? {}), ...parts.flatMap(({ names }) => names)],
      required: [...whole.required ?? [], ...parts.flatMap(({ required }) => required)],
    };
  };
  const text = await readFile(new URL("../../src/ui/assets/types.d.ts", import.meta.url), "utf8");
  const file = ts.createSourceFile("types.d.ts", text, ts.ScriptTarget.Latest);
  const space = file.statements.find(ts.isModuleDeclaration);
  const interfaces = space.body.statements.filter(ts.isInterfaceDeclaration);
  const faults = [];
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const { names, required } = described(schemas[schema]);
    for (const member of interfaces.find((type) => type.name.text === name).members.filter(ts.isPropertySignature)) {
      const own = member.name.text;
      if (!names.includes(own)) faults.push(`${name}.${own} is no member of ${schema}`);
      else if (!member.questionToken && !required.includes(own)) faults.push(`${name}.${own} may be absent`);
    }
  }
  assert.deepEqual(faults, []);
  return undefined;
});
