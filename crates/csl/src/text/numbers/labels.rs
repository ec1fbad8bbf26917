//! Labels inside a value: `vol. 1, fol. 186`.

#![allow(clippy::string_slice, reason = "offsets were found in the same text")]

/// Abbreviations used as labels in values, and their terms; the most common first.
const LABELS: &[(&str, &str)] = &[
    ("p.", "page"),
    ("pp.", "page"),
    ("vol.", "volume"),
    ("no.", "issue"),
    ("vrs.", "verse"),
    ("sv.", "sub-verbo"),
    ("subpara.", "subparagraph"),
    ("op.", "opus"),
    ("subch.", "subchapter"),
    ("add.", "addendum"),
    ("amend.", "amendment"),
    ("annot.", "annotation"),
    ("app.", "appendix"),
    ("art.", "article"),
    ("bibliog.", "bibliography"),
    ("bk.", "book"),
    ("ch.", "chapter"),
    ("cl.", "clause"),
    ("col.", "column"),
    ("cmt.", "comment"),
    ("dec.", "decision"),
    ("dept.", "department"),
    ("ex.", "example"),
    ("fig.", "figure"),
    ("fld.", "field"),
    ("fol.", "folio"),
    ("n.", "note"),
    ("hypo.", "hypothetical"),
    ("illus.", "illustration"),
    ("intro.", "introduction"),
    ("l.", "line"),
    ("para.", "paragraph"),
    ("pt.", "part"),
    ("pmbl.", "preamble"),
    ("princ.", "principle"),
    ("pub.", "publication"),
    ("r.", "rule"),
    ("rn.", "randnummer"),
    ("sched.", "schedule"),
    ("sec.", "section"),
    ("ser.", "series"),
    ("subdiv.", "subdivision"),
    ("subsec.", "subsection"),
    ("supp.", "supplement"),
    ("tbl.", "table"),
    ("tit.", "title"),
];

/// Words of more than four letters that can be labels.
const LONG_LABELS: &[&str] = &[
    "subpara", "subch", "amend", "bibliog", "annot", "illus", "princ", "intro", "sched", "subdiv",
    "subsec",
];

/// The term of an abbreviation.
pub fn label_term(slug: &str) -> Option<&'static str> {
    LABELS
        .iter()
        .find(|(known, _)| *known == slug)
        .map(|(_, term)| *term)
}

/// The abbreviation of a term.
pub(super) fn slug_of(term: &str) -> Option<&'static str> {
    let term = match term {
        "sub verbo" => "sub-verbo",
        other => other,
    };
    LABELS
        .iter()
        .find(|(_, known)| *known == term)
        .map(|(slug, _)| *slug)
}

/// Splits at short lowercase words that end in a period or a blank.
pub(super) fn split_labels(text: &str) -> (Vec<String>, Vec<String>) {
    let mut texts = vec![String::new()];
    let mut labels = Vec::new();
    let mut rest = text;
    let mut at_start = true;
    while !rest.is_empty() {
        let lead = if at_start && !rest.starts_with(' ') {
            Some(0)
        } else {
            rest.starts_with(' ').then_some(1)
        };
        if let Some(lead) = lead
            && let Some(length) = label_length(&rest[lead..])
        {
            labels.push(rest[..lead + length].to_owned());
            texts.push(String::new());
            rest = &rest[lead + length..];
            at_start = false;
            continue;
        }
        at_start = false;
        let Some(c) = rest.chars().next() else { break };
        if let Some(last) = texts.last_mut() {
            last.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    (texts, labels)
}

fn label_length(text: &str) -> Option<usize> {
    let word = text
        .find(|c: char| !c.is_ascii_lowercase())
        .unwrap_or(text.len());
    let fits = (1..=4).contains(&word) || LONG_LABELS.contains(&&text[..word]);
    let after = &text[word..];
    if !fits || !after.starts_with(['.', ' ']) {
        return None;
    }
    let blanks = after[1..].len() - after[1..].trim_start_matches(' ').len();
    Some(word + 1 + blanks)
}
