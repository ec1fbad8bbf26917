// What the tests put into pages, for the checker only.

// The document of `word-host.js`.
declare var wordHeld: { body: any[]; properties: Map<string, string>; selection: any };
// Milliseconds from a visit to the first painted rows.
declare var rowsAt: number;
