// Formats the documents of `differential.rs` with citeproc-js and compares: `node compare.cjs
// FOLDER-OF-CITEPROC`, which reads the locales, then a document a line with the result that there
// is, and prints the rates, how often each rule that is argued makes the difference, and the classes
// of the other differences by frequency.
'use strict';
const fs = require('fs');
const readline = require('readline');
const CSL = require(require('path').resolve(process.argv[2]));
CSL.debug = () => {};

// The differences that NOTES.md argues: what each rewrites to the same text. A difference that all of
// them together take away is argued; of those, a rule is counted where the others do not.
const ARGUED = {
    'formatting that is undone': text => text.replace(/<span style="font-variant:normal">([^<]*)<\/span>/g, '$1'),
    'the suffix of the last part behind a block': text => text.startsWith('<div class="csl-block">') ? text.replace(/[\s.]+$/, '') : text,
    'names of first cites': text => text.replace(/(?:\/| )(?:(?![;:]).)*?\/?(?=u\.a\.: )/g, ' '),
    'the mark of numbers in a series': text => text.replace(/\b3[-–](?=5\))/g, '3–'),
    'range marks': text => text.replace(/(?<=\d[.:e]\d+)[-–‑～](?=\d+[.:e]\d)|(?<=\d)[-–‑～](?=\d+\.e\d)/g, '–'),
    'the label of an article': text => text.replace(/\p{L}*\.?[\s-]*5\(2\)(\. ?\p{L}+)?/gu, '5(2)'),
    'second halves in small letters': text => text
        .replace(/\b(Ji|Xiao|Jean|Anne|Zoë)[ -](?=woo|ming|Paul|Marie)/g, '$1-')
        .replace(/\b([JX])\.?[- ]?(woo|ming|[WM]\b)\.?/g, '$1'),
    'letters of a language': text => text.replace(/İ/g, 'I').replace(/ı/g, 'i').replace(/\bIJs\b/g, 'Ijs'),
    'words in straight quotation marks': text => text.replace(/(?<=[‘“'"„«][\s\u202f]?)\p{Lu}/gu, letter => letter.toLowerCase()),
    'an author alone': (text, job, at) => isAuthorOnly(job, at) ? text.replace(/<[^>]*>|\[NO_PRINTED_FORM\]|[\d[\]()–.,\s]/g, '') : text,
    'particles in hyphens': text => text.replace(/\b(al-) (?=<|\p{L})/giu, '$1'),
    'letters beside a locator': text => text.replace(/\b\d{4}(?=[a-z]\b)/g, ''),
    'blanks within guillemets': text => text.replace(/[«“‘][\s\u202f]*([Pp]ropriété)[\s\u202f]*[»”’]/g, '«propriété»'),
    'quotes="false"': (text, job) => /quotes="false"/.test(job.xml) ? text.replace(/[«„“][\s\u202f]*|[\s\u202f]*[”»]|(?<!\p{L})‘|’(?!\p{L})/gu, "'") : text,
    'ranges across two years': text => text.replace(/(?<=\b28\b.*?2011)–(.{0,9}?)3?\b.*?(?=2012)/g, '–')
        .replace(/(?<=[–-]\d{0,4})[\s.]*(Jan\w*|\d+月)[\s.]*/g, '$1'),
    'labels of what is not there': text => text.replace(/(P\. in\.|<i>In\.<\/i>): /g, ''),
};

let locales = null;
const totals = {};
const argued = {};
const classes = new Map();
const file = process.env.CITATION_DIFFERENCES;
if (file) fs.writeFileSync(file, '');

const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on('line', line => {
    const job = JSON.parse(line);
    if (!locales) { locales = job; return; }
    let expected;
    try {
        expected = format(job);
    } catch (error) {
        count('documents that citeproc-js cannot format', true);
        return;
    }
    compare(job, expected, job.result);
});
lines.on('close', report);

function format(job) {
    const items = new Map(job.items.map(item => [item.id, item]));
    const system = {
        retrieveLocale: tag => locales[tag] || null,
        retrieveItem: id => ({ ...structuredClone(items.get(id)), system_id: id }),
        // An empty entry is dropped from the strings and not from the list of items.
        embedBibliographyEntry: id => `<!--${id}-->`,
    };
    const engine = new CSL.Engine(system, job.xml, job.locale || undefined, Boolean(job.locale));
    mendRanges(engine);
    const cited = new Set(job.citations.flatMap(citation => citation.citationItems.map(cite => cite.id)));
    engine.updateUncitedItems([...items.keys()].filter(id => !cited.has(id)));
    const texts = [];
    const before = [];
    for (const citation of job.citations) {
        const [, changed] = engine.processCitationCluster(structuredClone(citation), before, []);
        for (const [at, text] of changed) texts[at] = text;
        before.push([citation.citationID, citation.properties.noteIndex]);
    }
    // Again, so that they follow the others in order.
    engine.updateUncitedItems([...items.keys()].filter(id => !cited.has(id)));
    const bibliography = engine.makeBibliography();
    const entries = bibliography ? bibliography[1] : [];
    const ids = [];
    const bare = entries.map(entry => entry.replace(/<!--(.*?)-->\n?/, (_, id) => { ids.push(id); return ''; }));
    return { citations: texts, ids, entries: bare };
}

// The end of a range of dates is put together at a level that citeproc-js opens for the style's last
// date, whatever that is of (NOTES.md, «Ranges of dates»).
function mendRanges(engine) {
    const { dateput } = engine;
    const open = dateput.openLevel;
    dateput.openLevel = function () { return open.call(this, 'empty'); };
    dateput.string(engine, dateput.queue);
    dateput.openLevel();
}

function compare(job, expected, got) {
    let whole = true;
    const both = (kind, at, e, g) => {
        const [x, y] = [normalized(e), normalized(g)];
        const rules = x === y ? [] : argues(x, y, job, at);
        for (const group of ['', job.records ? ' of records' : ' of odd items']) {
            count(`${kind}${group}`, x === y);
            count(`${kind}${group}, equal or argued`, Boolean(rules));
        }
        whole &&= x === y;
        if (file && x !== y) {
            fs.appendFileSync(file, JSON.stringify({ kind, records: job.records, argued: rules, class: classOf(x, y), style: job.style, locale: job.locale, job: job.job, at, expected: x, got: y, items: job.items.filter(item => concerns(job, at, item.id)) }) + '\n');
        }
        if (rules) {
            for (const rule of rules) argued[rule] = (argued[rule] || 0) + 1;
            return;
        }
        const difference = `${kind} · ${classOf(x, y)}`;
        const known = classes.get(difference) || { count: 0, examples: [] };
        known.count += 1;
        if (known.examples.length < 2) known.examples.push([job, at, x, y]);
        classes.set(difference, known);
    };
    expected.citations.forEach((text, at) => both('citations', at, text, got.citations[at]));
    const entries = new Map(got.ids.map((id, at) => [id, got.entries[at]]));
    expected.ids.forEach((id, at) => both('entries', id, expected.entries[at], entries.get(id)));
    const order = expected.ids.join() === got.ids.join();
    count('orders of bibliographies', order);
    if (!order && file) {
        fs.appendFileSync(file, JSON.stringify({ kind: 'order', class: 'order', style: job.style, locale: job.locale, job: job.job, expected: expected.ids, got: got.ids, items: job.items }) + '\n');
    }
    count('documents', whole && order);
}

// The rules that a difference comes of, where it is argued.
function argues(x, y, job, at) {
    const rules = Object.entries(ARGUED);
    const alike = used => {
        const [e, g] = [x, y].map(text => used.reduce((text, [, rewrite]) => rewrite(text, job, at), text));
        return e === g;
    };
    if (!alike(rules)) return null;
    const needed = rules.filter(rule => !alike(rules.filter(other => other !== rule)));
    return needed.map(([name]) => name);
}

// Whether a citation gives an author to the running text.
function isAuthorOnly(job, at) {
    return Boolean(job.citations[at]?.citationItems[0]['author-only']);
}

// Whether an item stands in the entry or citation that differs.
function concerns(job, at, id) {
    return at === id || job.citations[at]?.citationItems.some(cite => cite.id === id);
}

function count(what, equal) {
    const total = totals[what] ||= [0, 0];
    total[0] += equal ? 1 : 0;
    total[1] += 1;
}

/// What the two write differently and mean alike.
function normalized(html) {
    let text = (html || '').normalize('NFC').trim();
    text = text.replace(/^<div class="csl-entry">([^]*)<\/div>$/, '$1').trim();
    text = text.replace(/&#(\d+);/g, (_, code) => ({ 38: '&amp;', 60: '&lt;', 62: '&gt;' })[code] || String.fromCodePoint(code));
    text = text.replace(/&quot;/g, '"');
    if (text.includes('<div')) text = text.replace(/\s*\n\s*/g, '');
    text = text.replace(/style="([^"]*)"/g, (_, style) =>
        `style="${style.split(';').map(part => part.replace(/ /g, '')).filter(Boolean).sort().join(';')}"`);
    const open = [];
    text = text.replace(/<span[^>]*>|<\/span>/g, tag => {
        const shown = tag === '</span>' ? open.pop() : tag !== '<span style="baseline">';
        if (tag !== '</span>') open.push(shown);
        return shown ? tag : '';
    });
    // Upright where nothing around is slanted.
    text = text.replace(/^((?:(?!<i>|<em>).)*?)<span style="font-style:normal">((?:(?!<\/?span).)*)<\/span>/g, '$1$2');
    for (let before = null; before !== text;) {
        before = text;
        text = text
            .replace(/<\/(i|b|sup|sub)><\1>/g, '')
            .replace(/<(i|b|sup|sub)><\/\1>/g, '')
            .replace(/\s+(<\/div>)/g, '$1')
            .replace(/(<div[^>]*>)\s+/g, '$1');
    }
    return text.trim();
}

/// The first stretch that differs, with the words and numbers in it made alike.
function classOf(expected, got) {
    if (!got) return 'nothing';
    if (!expected) return 'something for nothing';
    const plain = text => text.replace(/<[^>]*>/g, '');
    const [e, g] = [plain(expected), plain(got)];
    if (e === g) return 'markup';
    if (e.toLowerCase() === g.toLowerCase()) return 'case';
    if (e.replace(/\s/g, '') === g.replace(/\s/g, '')) return 'blanks';
    const [x, y] = [e, g].map(text => text.match(/\p{L}[\p{L}\p{M}]*|\d+|\s|[^]/gu) || []);
    let head = 0;
    while (head < x.length && x[head] === y[head]) head += 1;
    let tail = 0;
    while (tail < Math.min(x.length, y.length) - head && x[x.length - 1 - tail] === y[y.length - 1 - tail]) tail += 1;
    const shape = words => words.slice(head, words.length - tail).join('')
        .replace(/\p{L}[\p{L}\p{M}]+/gu, 'w').replace(/\p{Lu}/gu, 'I').replace(/\d+/g, '0').replace(/(w |I\. )+/g, '$1').slice(0, 24);
    return `${JSON.stringify(shape(x))} → ${JSON.stringify(shape(y))}`;
}

function report() {
    for (const [what, [equal, all]] of Object.entries(totals)) {
        console.log(`${what}: ${equal} of ${all}, ${(100 * equal / all).toFixed(2)} %`);
    }
    console.log('\nargued in NOTES.md, by what makes the difference');
    for (const [rule, number] of Object.entries(argued).sort(([, a], [, b]) => b - a)) console.log(`${number} × ${rule}`);
    const sorted = [...classes].sort(([, a], [, b]) => b.count - a.count);
    for (const [name, { count, examples }] of sorted.slice(0, 60)) {
        console.log(`\n${count} × ${name}`);
        for (const [job, at, e, g] of examples) console.log(`  ${job.style} ${job.locale || ''} #${job.job}/${at}\n    E ${e}\n    G ${g}`);
    }
}
