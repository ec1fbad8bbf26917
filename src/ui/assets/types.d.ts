// Types of the scripts, for the checker only (tests/browser/tsconfig.json); never sent.

// The API's JSON as used by the scripts; see /api/openapi.json for the rest.
declare namespace Api {
  interface Name {
    family?: string;
    given?: string;
    suffix?: string;
    dropping_particle?: string;
    non_dropping_particle?: string;
    literal?: string;
  }

  interface PartialDate {
    year?: number;
    month?: number;
    day?: number;
    literal?: string;
  }

  // A retraction or another notice about a work.
  interface Update {
    type: string;
    relation?: string;
    doi?: string;
    date?: string | null;
    source?: string | null;
  }

  interface Provenance {
    source?: string;
    fetched_at?: string;
  }

  // The members used by scripts; the others are texts, lists of names and dates.
  interface Metadata {
    id?: string;
    entry_type?: string;
    title?: string;
    authors?: Name[];
    editors?: Name[];
    date?: PartialDate;
    journal?: string;
    container_title?: string;
    publisher?: string;
    doi?: string;
    isbn?: string;
    language?: string;
    citation_key?: string;
    provenance?: Provenance;
    updates?: Update[];
    [field: string]: unknown;
  }

  // A work of a list. New works have no id yet: `Item`.
  interface Entry extends Item {
    id: string;
    added_at?: string;
    updated_at?: string;
  }

  interface Item {
    metadata: Metadata;
    note?: string | null;
    tags?: string[];
    review_status?: string;
    updates?: Update[];
  }

  interface Version {
    cause: string;
    replaced_at: string;
    changes: { field: string; from: unknown; to: unknown }[];
    metadata: Metadata;
  }

  interface Collection {
    id: string;
    name: string;
    description?: string | null;
    tags?: string[];
    defaultstyle?: string | null;
    entries?: Entry[];
    share_url?: string | null;
    link_can_edit?: boolean | null;
  }

  // A page also knows when its link expires.
  interface PageCollection extends Collection {
    share_ends?: string | null;
  }

  interface Style {
    id: string;
    title: string;
    title_short?: string | null;
    parent?: string | null;
    citation_format?: string | null;
    fields?: string[];
    // A sample entry as HTML, if requested.
    sample?: string;
  }

  interface Candidate {
    metadata: Metadata;
    score: number;
    source: string;
  }

  interface Tried {
    source: string;
    outcome: string;
  }

  // Why a request was refused.
  interface Problem {
    error?: string;
    message?: string;
    suggestion?: string;
    suggestions?: string[];
    suggested_styles?: { id: string; title: string }[];
    elsewhere?: string[];
    style?: string;
    retry_after?: number;
    reset_seconds?: number;
    limit?: number;
    available?: number;
    actions?: string[];
    sources_tried?: Tried[];
    errors?: Place[];
    details?: { field: string, message: string }[];
    conflicts?: { field: string, of?: string, base: unknown, theirs: unknown, yours: unknown }[];
  }

  interface Layout {
    hanging_indent?: boolean;
  }

  interface FormattedEntry {
    id: string;
    in_text: string;
    in_text_html: string;
    bibliography?: string | null;
    bibliography_html?: string | null;
  }

  interface Formatted {
    style: string;
    entries: FormattedEntry[];
    order: string[];
    sorted: boolean;
    layout?: Layout | null;
    plain: string;
    citations: string[];
    formats?: Record<string, { bibliography: string | null }>;
  }

  interface GroupCite {
    citation: string;
    citation_html: string;
    formats?: Record<string, string>;
  }

  // A position in a file, and its error.
  interface Place {
    line: number;
    column: number;
    citation_key?: string | null;
    message: string;
    snippet: string;
  }

  interface Text {
    text: string;
  }

  // The contents of a file or a text.
  interface Contents {
    entries: { metadata: Metadata; citation_key?: string }[];
    references: string[];
    // The fields of each reference.
    parsed: ReadReference[];
    left_out: Text[];
    errors: Place[];
    warnings: Place[];
    failed: number;
  }

  // The result of an import into a collection.
  interface Imported {
    imported: number;
    skipped?: number;
    failed: number;
    errors?: Place[];
    warnings?: Place[];
  }

  interface Lookup {
    taken_for: string;
    looked_up: string;
    metadata?: Metadata;
    candidates?: Candidate[];
    results?: (Lookup & { error?: Problem })[];
    notices: { code: string; message: string }[];
    found_by?: { value: string };
    sources_tried?: Tried[];
  }

  interface Me {
    authenticated: boolean;
    features: string[];
    lookups: { remaining: number; limit: number };
  }

  // The position of a reference in a manuscript.
  interface Position {
    file?: string | null;
    page?: number | null;
    paragraph?: number | null;
    note?: number | null;
    line?: number | null;
    citation_key?: string | null;
  }

  interface Diff {
    field: string;
    given?: unknown;
    found?: unknown;
  }

  interface ReadReference {
    title?: string | null;
    authors?: (string | Name)[];
    container_title?: string | null;
    year?: number | null;
    volume?: string | null;
    issue?: string | null;
    pages?: string | null;
    identifiers?: { kind: string; value: string }[];
  }

  interface Verdict {
    verdict: string;
    diffs: Diff[];
    match?: Metadata | null;
    others?: Metadata[];
    score?: number | null;
    source?: string | null;
    updates?: Update[];
    sources_tried?: Tried[];
    input?: ReadReference;
    message?: string;
    corrections?: { field: string; given: string; found: string }[];
    // Names the reference among the decisions of people; and the decision that the verdict follows.
    reference_key?: string;
    override?: { decision: string; by: string; date: string; why: string; replaced: string };
  }

  // A line of the response to a verified batch or document.
  interface VerdictLine extends Verdict {
    index: number;
    text?: string;
    position?: Position;
  }

  interface Finding {
    kind: string;
    keys: string[];
    position?: Position;
  }

  // A request that is answered in the background.
  interface Job {
    id: string;
    kind: string;
    state: string;
    files: number;
    files_done: number;
    items: number;
    results: number;
    summary: Record<string, number>;
    error?: Problem | null;
  }

  // One result of a job, or what a file contains.
  interface JobResult {
    number: number;
    file: string;
    result?: any; // as of the synchronous request
    error?: Problem | null;
    document?: { findings: Finding[] } | null;
    references?: number | null;
    left_out?: Text[] | null;
  }

  interface BatchResult {
    status: string;
    metadata?: Metadata | null;
    score?: number | null;
    source?: string | null;
    error?: Problem | null;
    bibliography_html?: string | null;
  }
}

// The style and locale of a list.
interface Setting {
  style?: string;
  locale?: string;
}

// The formatted texts of a work.
interface Rendered {
  html: string;
  text: string;
  in_text?: string;
  in_text_html?: string;
}

// A completed change, and its undo.
interface Done {
  undo: () => unknown;
}

interface Removed {
  entry: Api.Entry;
  removed_at?: string;
}

// A list of works, local or remote (local-store.js, remote-store.js). Changes show at once.
interface WorkList extends EventTarget {
  entries: Api.Entry[];
  style: string;
  locale: string;
  // Whether changes outlive the page.
  isKept: boolean;
  collection?: Api.Collection;
  find(id: string): Api.Entry | undefined;
  whole(id: string): Promise<Api.Entry>;
  // `refused` is the number of works that the server did not take.
  add(items: Api.Item[], at?: number, told?: (done: number, all: number) => void): Promise<Done & { ids: string[], refused?: number }>;
  remove(ids: string[]): Promise<Done>;
  removed(): Promise<Removed[]>;
  restore(ids: string[]): Promise<Done>;
  update(id: string, change: Partial<Api.Item>, before?: Api.Entry): Promise<Done>;
  versions?(id: string): Promise<Api.Version[]>;
  move(id: string, to: number): Promise<Done>;
  arrange(ids: string[]): Promise<Done>;
  set(setting: Setting): Promise<void>;
}

// The detected kind of a text (detect.js). A page read by another window includes its HTML.
interface Detected {
  kind: string;
  value: string;
  lines?: string[];
  html?: string;
}

// An ambiguous line of a list.
interface OpenLine {
  text: string;
  reason?: string;
  candidates?: Api.Candidate[];
  // What is known of a page that could not be read.
  unread?: Api.Metadata;
  // What may have been meant instead of it.
  suggestion?: string;
}

// A menu item.
type Choice = [text: string, action: () => unknown];

// A tool of a list: the key of its label, and its action.
type Tool = [key: string, action: (button: HTMLElement) => unknown];
type SelectionTool = [key: string, action: (ids: string[], button: HTMLElement, clear: () => void) => unknown];

// Children of an element; lists may be nested.
type Child = Node | string | null | undefined | Child[];

// Attributes of an element and, with the prefix `on`, event handlers.
type Properties = {
  [E in keyof HTMLElementEventMap as `on${E}`]?: (event: HTMLElementEventMap[E]) => unknown;
} & {
  // Includes the events above: `any` is the event of each.
  [attribute: string]: string | number | boolean | null | undefined | ((event: any) => unknown);
};

// A form and the fields used by scripts.
type Form<Fields> = HTMLFormElement & { elements: Fields };

// Page elements used by scripts, by id. Those of only some pages may be missing.
interface Ids {
  "jobs-more": HTMLElement | null;
  "docs-search": HTMLInputElement;
  "docs-none": HTMLElement;
  assertive: HTMLElement | null;
  polite: HTMLElement | null;
  batch: HTMLFormElement;
  check: HTMLButtonElement;
  cite: Form<{ entries: HTMLInputElement; candidates: HTMLInputElement }>;
  copy: HTMLButtonElement | null;
  count: HTMLElement;
  data: HTMLElement;
  description: HTMLElement;
  drop: HTMLElement;
  entries: HTMLElement;
  entry: HTMLElement;
  examples: HTMLElement | null;
  file: HTMLInputElement;
  find: HTMLButtonElement;
  here: HTMLElement;
  import: HTMLFormElement;
  keep: HTMLElement;
  kind: HTMLElement;
  // The list of works; the text box of the pages that check and format.
  list: HTMLTextAreaElement;
  "list-title": HTMLElement;
  compare: HTMLElement;
  "own-file": HTMLInputElement;
  "own-text": HTMLTextAreaElement;
  local: HTMLElement;
  locale: HTMLSelectElement;
  main: HTMLElement;
  name: HTMLElement;
  narrow: HTMLElement;
  outcome: HTMLElement;
  progress: HTMLElement;
  q: HTMLTextAreaElement;
  quota: HTMLElement | null;
  report: HTMLElement;
  results: HTMLElement;
  retag: Form<{ tag: HTMLInputElement; name: HTMLInputElement }> | null;
  run: HTMLButtonElement;
  settings: HTMLElement;
  "single-keys": HTMLInputElement | null;
  style: HTMLSelectElement;
  styles: Form<{ field: HTMLSelectElement }>;
  target: HTMLElement;
  tools: HTMLElement;
  verify: HTMLFormElement;
  // The pane in Word.
  outside: HTMLElement;
  pane: HTMLElement;
  "word-cite": HTMLElement;
  "word-document": HTMLElement;
}

// Custom elements and events.
interface HTMLElementTagNameMap {
  "entry-list": import("./entry-list.js").EntryList;
  "names-field": import("./names-field.js").NamesField;
  "style-picker": import("./style-picker.js").StylePicker;
  "toast-region": import("./toast.js").ToastRegion;
}

interface HTMLElementEventMap {
  act: CustomEvent<{ name: string; id: string; to?: number }>;
  choose: CustomEvent<Api.Style>;
}

interface DocumentEventMap {
  ready: Event;
  waiting: CustomEvent<{ seconds: number }>;
  quota: CustomEvent<{ left: number; limit: number; reset: number }>;
}

// Browsers that can move an element without losing its focus.
interface Element {
  moveBefore?(node: Element, before: Node | null): void;
}

// Trusted Types, if the browser supports them.
declare var trustedTypes: undefined | {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): { createScriptURL: (address: string) => string };
};

// The browser APIs used by the extension (examples/extension).
interface ExtensionBrowser {
  action: { onClicked: { addListener(clicked: (tab: ExtensionTab) => unknown): void } };
  runtime: { openOptionsPage(): Promise<void> };
  scripting: { executeScript(script: { target: { tabId?: number }; files: string[] }): Promise<{ result?: { url: string; html: string } }[]> };
  storage: { local: { get(key: string): Promise<{ server?: string }>; set(values: { server: string }): Promise<void> } };
  tabs: { create(tab: { url: string; index: number }): Promise<unknown> };
}

interface ExtensionTab {
  id?: number;
  index: number;
  url?: string;
}

declare var browser: ExtensionBrowser | undefined;
declare var chrome: ExtensionBrowser;
