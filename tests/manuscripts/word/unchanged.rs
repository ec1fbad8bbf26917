//! Compares a document before and after its citations are formatted, without the readers of the program.

use std::collections::BTreeMap;

use citation_citing::{CitingError, IncompleteList, Word};
use citation_documents::{Document, FieldHandling, LeftCause, LeftPart, WordDocument};
use citation_model::budget::Budget;
use citation_model::variable::TextVar;

use super::generated::{part, parts, printed};
use super::{cite_in, read};

const CITING_CODES: [&str; 5] = [
    "CSL_CITATION",
    "EN.CITE",
    "CITATION",
    "MENDELEY_CITATION",
    "ZOTERO_ITEM",
];
const LIST_CODES: [&str; 4] = [
    "CSL_BIBLIOGRAPHY",
    "EN.REFLIST",
    "BIBLIOGRAPHY",
    "ZOTERO_BIBL",
];

/// A paragraph of a part and what precedes it, in the source.
struct Piece<'a> {
    source: &'a str,
    is_cited: bool,
    is_list: bool,
    /// The first words of the codes of other programs' fields.
    codes: Vec<String>,
}

/// Splits a part at the ends of its paragraphs.
fn pieces(part: &str) -> Vec<Piece<'_>> {
    let mut fields: Vec<String> = Vec::new();
    let mut controls: Vec<String> = Vec::new();
    let mut out = Vec::new();
    for source in part.split_inclusive("</w:p>") {
        let mut piece = Piece {
            source,
            is_cited: false,
            is_list: false,
            codes: Vec::new(),
        };
        let open = fields.iter().chain(&controls);
        piece.note(&open.cloned().collect::<Vec<_>>());
        let mut rest = source;
        while let Some(at) = rest.find('<') {
            let Some((tag, behind)) = rest[at..].split_once('>') else {
                break;
            };
            rest = behind;
            match tag
                .trim_start_matches('<')
                .split([' ', '/'])
                .next()
                .unwrap_or_default()
            {
                "w:fldChar" if tag.contains("\"begin\"") => fields.push(String::new()),
                "w:fldChar" if tag.contains("\"end\"") => {
                    let code = fields.pop().unwrap_or_default();
                    piece.close(&code, is_in_list(&fields, &controls));
                }
                "w:fldSimple" => {
                    let code = tag.split("instr=\"").nth(1).unwrap_or_default();
                    piece.close(code, is_in_list(&fields, &controls));
                }
                "w:instrText" if !tag.ends_with('/') => {
                    if let Some(field) = fields.last_mut() {
                        field.push_str(behind.split('<').next().unwrap_or_default());
                    }
                }
                "w:sdt" => controls.push(String::new()),
                "w:tag" | "w:bibliography" | "w:citation" => {
                    if let Some(control) = controls.last_mut() {
                        control.push_str(&tag.to_uppercase());
                    }
                }
                _ => {}
            }
            if tag.starts_with("</w:sdt")
                && !tag.starts_with("</w:sdtP")
                && !tag.starts_with("</w:sdtC")
            {
                controls.pop();
            }
            let open = fields.iter().chain(&controls);
            piece.note(&open.cloned().collect::<Vec<_>>());
        }
        piece.is_cited |= printed(source).contains("[@") || printed(source).contains("@doi:");
        out.push(piece);
    }
    out
}

fn is_in_list(fields: &[String], controls: &[String]) -> bool {
    let mut open = fields.iter().chain(controls);
    open.any(|code| LIST_CODES.iter().any(|known| code.contains(known)))
}

impl Piece<'_> {
    fn note(&mut self, open: &[String]) {
        let has = |codes: &[&str]| {
            open.iter()
                .any(|code| codes.iter().any(|known| code.contains(known)))
        };
        self.is_list |= has(&LIST_CODES);
        self.is_cited |= has(&CITING_CODES);
    }

    /// Notes a field that ends, within the list or not.
    fn close(&mut self, code: &str, is_inside: bool) {
        let is_ours = [CITING_CODES.as_slice(), &LIST_CODES]
            .concat()
            .iter()
            .any(|known| code.contains(known));
        self.is_cited |= CITING_CODES.iter().any(|known| code.contains(known));
        self.is_list |= LIST_CODES.iter().any(|known| code.contains(known));
        let first = code.split_whitespace().next().unwrap_or_default();
        if !is_ours && !is_inside && !first.is_empty() {
            self.codes.push(first.to_owned());
        }
    }
}

/// Counts of what formatting does not touch.
fn counts(part: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for code in pieces(part).into_iter().flat_map(|piece| piece.codes) {
        *counts.entry(code).or_default() += 1;
    }
    for tag in [
        "<w:footnoteReference ",
        "<w:endnoteReference ",
        "<w:commentReference ",
        "<w:tbl>",
        "<w:drawing>",
        "<w:pict>",
        "<w:object>",
    ] {
        *counts.entry(tag.to_owned()).or_default() += part.matches(tag).count();
    }
    counts.retain(|_, count| *count > 0);
    counts
}

/// The headings of a part; a list that the document had no place for has one.
fn headings(part: &str) -> usize {
    part.matches("w:pStyle w:val=\"Heading").count()
}

fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Checks what formatting does to a document, in two styles and with both treatments of fields.
pub fn check(name: &str, bytes: &[u8]) {
    let before = read(bytes);
    for (style, fields) in [
        ("apa", FieldHandling::Replace),
        ("ieee", FieldHandling::Keep),
    ] {
        let mut word = cite_in(bytes, style, fields, IncompleteList::Refuse);
        if let Err(CitingError::IncompleteList(places)) = &word {
            assert!(!places.is_empty(), "{name}");
            word = cite_in(bytes, style, fields, IncompleteList::Replace);
        }
        let word = word.unwrap_or_else(|cause| panic!("{name}: {cause}"));
        let case = format!("{name}, {style}, {fields:?}");
        check_parts(&case, bytes, &word, fields);
        check_citations(&case, &before, &word, fields);
        check_works(&case, bytes, &before, &word);
    }
}

fn check_parts(case: &str, bytes: &[u8], word: &Word, fields: FieldHandling) {
    let (before, after) = (parts(bytes), parts(&word.bytes));
    let names = |parts: &[(String, Vec<u8>)]| -> Vec<String> {
        parts.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&before), names(&after), "{case}");
    for ((name, old), (_, new)) in before.iter().zip(&after) {
        let is_preferences = name == "docProps/custom.xml" && fields == FieldHandling::Keep;
        if old == new || is_preferences {
            continue;
        }
        let (Ok(old), Ok(new)) = (std::str::from_utf8(old), std::str::from_utf8(new)) else {
            panic!("{case}: {name} changed");
        };
        let mut rest = new;
        for piece in pieces(old)
            .iter()
            .filter(|piece| !piece.is_cited && !piece.is_list)
        {
            let Some((_, behind)) = rest.split_once(piece.source) else {
                panic!("{case}: {name} lost {}", piece.source);
            };
            rest = behind;
        }
        assert_eq!(counts(old), counts(new), "{case}: {name}");
        let is_new = !pieces(old).iter().any(|piece| piece.is_list);
        let added = headings(new).saturating_sub(headings(old));
        assert!(added <= usize::from(is_new), "{case}: {name}");
    }
}

/// Every citation is set or reported, and fields that are kept cite the same works.
fn check_citations(case: &str, before: &Document, word: &Word, fields: FieldHandling) {
    let after = read(&word.bytes);
    let is_set = |part: &&LeftPart| part.cause == LeftCause::ByHand;
    let remaining = word.left.iter().filter(|part| !is_set(part)).count();
    let text = printed(&part(&word.bytes, "word/document.xml"))
        + &printed(&part(&word.bytes, "word/footnotes.xml"));
    for kept in &word.left {
        assert!(kept.place.paragraph.is_some(), "{case}: {kept:?}");
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        assert!(
            squeezed(&text).contains(&squeezed(&kept.text)),
            "{case}: {kept:?}"
        );
    }
    let works = |document: &Document| -> Vec<Vec<String>> {
        let cited = document.citations.iter().map(|citation| &citation.items);
        cited
            .map(|items| {
                let titles = items.iter().map(|cited| {
                    cited
                        .item
                        .as_ref()
                        .and_then(|item| item.text(TextVar::Title))
                });
                titles
                    .map(|title| letters(title.unwrap_or_default()))
                    .collect()
            })
            .collect()
    };
    match (fields, before.marks_citations) {
        (FieldHandling::Keep, true) if !has_markers(before) => {
            assert_eq!(works(before), works(&after), "{case}");
        }
        _ => assert!(
            after.marks_citations as usize * after.citations.len() <= remaining,
            "{case}: {:?}",
            after.citations
        ),
    }
}

fn has_markers(document: &Document) -> bool {
    document
        .citations
        .iter()
        .any(|citation| citation.text.contains('@'))
}

/// The works are in the document, and the reference list has each once.
fn check_works(case: &str, bytes: &[u8], before: &Document, word: &Word) {
    let after = read(&word.bytes);
    let text: String = after
        .blocks
        .iter()
        .map(|block| letters(&block.text))
        .collect();
    let mut titles: Vec<String> = Vec::new();
    for cited in before.citations.iter().flat_map(|citation| &citation.items) {
        let title = cited
            .item
            .as_ref()
            .and_then(|item| item.text(TextVar::Title));
        let title = letters(title.unwrap_or_default());
        if !titles.contains(&title) {
            assert!(text.contains(&title), "{case}: {title} is not there");
            titles.push(title);
        }
    }
    titles.retain(|title| !title.is_empty());
    // Word's own list has its sources that nobody cites, too.
    let budget = Budget::unlimited();
    let document = WordDocument::open(bytes, &budget).unwrap();
    for source in document.listed() {
        let title = letters(source.text(TextVar::Title).unwrap_or_default());
        assert!(text.contains(&title), "{case}: {title} is not listed");
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    // A typed list stays beside the new one.
    let main = part(bytes, "word/document.xml");
    let is_typed = before.references.iter().any(|entry| entry.is_printed())
        && !pieces(&main).iter().any(|piece| piece.is_list);
    if before.marks_citations && word.unknown.is_empty() && !titles.is_empty() && !is_typed {
        assert_eq!(
            after.references.len(),
            titles.len(),
            "{case}: {:#?}",
            after.references
        );
    }
}
