// A document in Word as the pane meets it, in place of Office.js: values are read only after `load` and `sync`, as in Word.
// It has text, content controls, fields and footnotes, and no layout.

(() => {
  /** @typedef {{ kind: string, text?: string, runs?: any[], tag?: string, code?: string, notes?: any[], format?: any }} Node */
  const held = { body: globalThis.wordBody ?? [{ kind: "text", text: "As shown " }], properties: new Map(), selection: undefined, syncs: 0 };
  globalThis.wordHeld = held;

  let waiting = [];
  // A value that throws until it was loaded.
  const late = (target, name, read) => {
    let known;
    let isKnown = false;
    Object.defineProperty(target, name, {
      configurable: true,
      get: () => {
        if (!isKnown) throw new Error(`${name} was not loaded`);
        return known;
      },
    });
    return () => waiting.push(() => {
      known = read();
      isKnown = true;
    });
  };
  const loadable = (target, values) => {
    const loads = new Map(Object.entries(values).map(([name, read]) => [name, late(target, name, read)]));
    target.load = (names) => names.split(",").forEach((name) => loads.get(name.trim())?.());
    return target;
  };

  const textOf = (node) => (node.runs ? node.runs.map(({ text }) => text).join("") : node.text ?? "");
  const listOf = (node, list = held.body) => list.includes(node) ? list
    : list.map((other) => other.notes && listOf(node, other.notes)).find(Boolean);
  const places = () => held.body.flatMap((node) => (node.kind === "note" ? [node, ...node.notes] : [node]));

  // `side`: start, end or whole of a node; without a node the end of a list.
  const range = (node, side, list = listOf(node)) => {
    const at = () => (node ? list.indexOf(node) + (side === "start" ? 0 : 1) : list.length);
    const self = {
      font: {},
      getRange: (place) => range(node, { Start: "start", End: "end", After: "end", Whole: "whole" }[place], list),
      insertText: (text, place) => {
        if (node?.runs && place !== "Before" && side !== "start" && side !== "end") return write(node, text, place);
        const added = { kind: "text", text };
        list.splice(at(), 0, added);
        return range(added, "whole", list);
      },
      insertParagraph: (text) => {
        const added = { kind: "text", text: `\n${text}` };
        list.splice(at(), 0, added);
        return range(added, "whole", list);
      },
      insertContentControl: () => {
        node.kind = "control";
        node.runs = node.text ? [{ text: node.text }] : [];
        node.tag = "";
        return control(node);
      },
      insertFootnote: () => {
        const note = { kind: "note", notes: [] };
        list.splice(at(), 0, note);
        return noteItem(note);
      },
      compareLocationWith: (other) => {
        const told = {};
        const order = places();
        waiting.push(() => {
          const [mine, theirs] = [order.indexOf(self.node), order.indexOf(other.node)];
          told.value = mine === theirs ? "Contains" : mine < theirs ? "Before" : "After";
        });
        return told;
      },
      node,
    };
    return loadable(self, { text: () => textOf(node) });
  };

  // Only inside of a control or the result of a field.
  const write = (node, text, place) => {
    const run = { text };
    if (place === "Replace") node.runs.length = 0;
    node.runs.push(run);
    return { font: run };
  };

  const control = (node) => {
    const self = range(node, "whole");
    let known;
    Object.defineProperty(self, "tag", { get: () => {
      if (known === undefined) throw new Error("tag was not loaded");
      return known;
    }, set: (tag) => (node.tag = known = tag) });
    const { load } = self;
    self.load = (names) => {
      load(names);
      waiting.push(() => (known = node.tag));
    };
    const paragraph = (isFirst) => ({
      set leftIndent(width) { node.format = { width }; },
      insertText: (text, place) => write(node, isFirst || place === "End" ? text : `\n${text}`, "End"),
    });
    return Object.assign(self, {
      clear: () => (node.runs.length = 0),
      paragraphs: { getFirst: () => paragraph(true) },
      insertParagraph: () => paragraph(false),
      delete: (keeps) => {
        const list = listOf(node);
        list.splice(list.indexOf(node), 1, ...(keeps ? [{ kind: "text", text: textOf(node) }] : []));
      },
    });
  };

  const fieldOf = (node) => {
    const list = listOf(node);
    const self = {
      result: range(node, "whole"),
      delete: () => list.splice(list.indexOf(node), 1),
      unlink: () => list.splice(list.indexOf(node), 1, { kind: "text", text: textOf(node) }),
    };
    let known;
    Object.defineProperty(self, "code", { get: () => {
      if (known === undefined) throw new Error("code was not loaded");
      return known;
    }, set: (code) => (node.code = known = code) });
    self.load = () => {
      self.result.load("text");
      waiting.push(() => (known = node.code));
    };
    return self;
  };

  const noteItem = (node) => ({
    body: body(node.notes),
    reference: range(node, "whole"),
    delete: () => held.body.splice(held.body.indexOf(node), 1),
  });

  // The members of a collection are loaded with it: `items/tag`.
  const collection = (list, kind, make) => {
    const self = {};
    const load = late(self, "items", () => list().filter((node) => node.kind === kind).map((node) => {
      const item = make(node);
      item.load?.("text");
      return item;
    }));
    self.load = load;
    return self;
  };

  const body = (list) => loadable({
    getRange: () => range(undefined, "end", list),
    contentControls: collection(() => list, "control", control),
    fields: collection(() => list, "field", fieldOf),
    footnotes: collection(() => list, "note", noteItem),
    endnotes: collection(() => [], "note", noteItem),
  }, { text: () => list.map(textOf).join("") });

  const context = {
    document: {
      get body() { return body(held.body); },
      contentControls: {
        getByTag: (tag) => collection(() => held.body.filter((node) => node.tag === tag), "control", control),
      },
      properties: {
        get customProperties() {
          const self = { add: (key, value) => held.properties.set(key, value) };
          self.load = late(self, "items", () => [...held.properties].map(([key, value]) => ({ key, value, delete: () => held.properties.delete(key) })));
          return self;
        },
      },
      getSelection: () => (held.selection ? range(held.selection, "whole") : range(undefined, "end", held.body)),
    },
    sync: async () => {
      held.syncs += 1;
      // What was loaded as a member of something is loaded with it.
      while (waiting.length) {
        const now = waiting;
        waiting = [];
        for (const load of now) load();
      }
    },
  };
  globalThis.Word = { run: (action) => action(context) };
  globalThis.Office = {
    onReady: async () => ({ host: "Word" }),
    context: { requirements: { isSetSupported: (name) => name === "WordApi" } },
  };
})();
