// The part of Office.js that the pane in Word uses, for the checker only; never sent. Word provides the rest.

declare namespace Office {
  function onReady(): Promise<{ host: string | null }>;
  const context: { requirements: { isSetSupported(name: string, version: string): boolean } };
}

declare namespace Word {
  interface Loaded {
    load(properties: string): void;
  }
  interface Font {
    italic: boolean;
    bold: boolean;
    underline: string;
    superscript: boolean;
    subscript: boolean;
    smallCaps: boolean;
  }
  interface Range {
    text: string;
    font: Font;
    getRange(place: string): Range;
    compareLocationWith(other: Range): { value: string };
    insertText(text: string, place: string): Range;
    insertParagraph(text: string, place: string): Paragraph;
    insertContentControl(): ContentControl;
    insertFootnote(text: string): NoteItem;
  }
  interface Paragraph extends Range {
    leftIndent: number;
    firstLineIndent: number;
    spaceAfter: number;
  }
  interface ContentControl extends Range {
    tag: string;
    title: string;
    appearance: string;
    paragraphs: { getFirst(): Paragraph };
    clear(): void;
    delete(keepContent: boolean): void;
  }
  interface Field {
    code: string;
    result: Range;
    delete(): void;
    unlink(): void;
  }
  interface NoteItem {
    body: Body;
    reference: Range;
    delete(): void;
  }
  interface Body extends Range, Loaded {
    contentControls: Loaded & { items: ContentControl[] };
    fields: Loaded & { items: Field[] };
    footnotes: Loaded & { items: NoteItem[] };
    endnotes: Loaded & { items: NoteItem[] };
  }
  interface Property {
    key: string;
    value: string;
    delete(): void;
  }
  interface RequestContext {
    document: {
      body: Body;
      contentControls: { getByTag(tag: string): Loaded & { items: ContentControl[] } };
      properties: { customProperties: Loaded & { items: Property[]; add(key: string, value: string): void } };
      getSelection(): Range;
    };
    sync(): Promise<void>;
  }
  function run<Result>(action: (context: RequestContext) => Promise<Result>): Promise<Result>;
}
