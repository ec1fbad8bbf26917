//! Citations of Word documents: every kind of field is set or reported, and nothing else changes.

mod generated;
mod unchanged;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use citation_citing::CitingError;
use citation_citing::{IncompleteList, Sources, Word, WordOptions, cite_word, collect};
use citation_csl::{Compiled, Locale, Style};
use citation_documents::{Document, FieldHandling, FindingKind};
use citation_model::budget::Budget;
use citation_model::item::Item;

use generated::*;

/// An embedded style, and no works.
struct StyleOnly(&'static str);

impl Sources for StyleOnly {
    fn file(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn style(&self, _: Option<&str>, locale: Option<&str>) -> Result<Compiled, String> {
        let xml = citation_embedded::style(self.0).ok_or("no such style")?;
        let style = Style::parse(&xml).map_err(|cause| cause.to_string())?;
        let find = |tag: &str| {
            Some(Arc::new(
                Locale::parse(&citation_embedded::locale(tag)?).ok()?,
            ))
        };
        Compiled::new(Arc::new(style), locale, &find).map_err(|cause| cause.to_string())
    }

    fn work(&self, _: &str) -> Option<Item> {
        None
    }

    fn reference(&self, _: &str) -> Option<Item> {
        None
    }
}

fn read(bytes: &[u8]) -> Document {
    citation_documents::read("paper.docx", bytes, &|_| None, &Budget::unlimited()).unwrap()
}

fn cite_in(
    bytes: &[u8],
    style: &'static str,
    fields: FieldHandling,
    incomplete_list: IncompleteList,
) -> Result<Word, CitingError> {
    let options = WordOptions {
        fields,
        incomplete_list,
    };
    cite_word(bytes, &[], options, &StyleOnly(style), &Budget::unlimited())
}

fn cited(bytes: &[u8]) -> Word {
    cite_in(bytes, "apa", FieldHandling::Replace, IncompleteList::Refuse).unwrap()
}

fn text_of(word: &Word) -> String {
    printed(&part(&word.bytes, "word/document.xml"))
}

fn collected(bytes: &[u8]) -> usize {
    let found = collect(&read(bytes), &StyleOnly("apa"), &Budget::unlimited()).unwrap();
    assert!(found.missing.is_empty(), "{:?}", found.missing);
    found.items.len()
}

/// Checks that every command finds the same number of works, and no year with a letter.
fn check_works(bytes: &[u8], expected: usize) {
    let document = read(bytes);
    assert_eq!(
        document.references.len(),
        expected,
        "{:#?}",
        document.references
    );
    assert_eq!(document.findings, [], "{:?}", document.findings);
    assert_eq!(collected(bytes), expected);
    let word = cited(bytes);
    let text = text_of(&word);
    let entries = text.split("References\n").nth(1).unwrap().trim();
    assert_eq!(entries.lines().count(), expected, "{text}");
    assert!(!text.contains("a)") && !text.contains("b)"), "{text}");
}

const RINGS: Work = work("Roe", "2001", "On the rings of the golden worm", "lib", 1);
const KNOTS: Work = work("Doe", "2002", "Silver knots in practice", "lib", 2);
const ROPES: Work = work("Poe", "2003", "Ropes and their makers", "lib", 3);
const PRESS: Work = work("Moe", "in press", "Threads without an end", "lib", 4);

#[test]
fn endnote_data_are_read_in_every_place_and_encoding() {
    let places = [
        DataPlace::Code,
        DataPlace::FieldAndInner,
        DataPlace::Inner,
        DataPlace::Simple,
    ];
    for place in places {
        for end in ["AA==", "AG==", "AH", "\r\nAB==\0", "A\nA = =", ""] {
            let first = endnote(&[("", RINGS)], "(x)", DataPlace::Code, end);
            let second = endnote(&[("", KNOTS), ("", ROPES)], "(y)", place, end);
            let body = [
                paragraph(&[run("A "), first]),
                paragraph(&[run("B "), second]),
            ]
            .concat();
            let bytes = package(&body, &[]);
            assert_eq!(read(&bytes).citations.len(), 2, "{place:?} {end:?}");
            let text = text_of(&cited(&bytes));
            assert!(
                text.starts_with("A (Roe, 2001)\nB (Doe, 2002; Poe, 2003)\n"),
                "{text}"
            );
        }
    }
}

/// A field of EndNote's with data that are cut.
fn unread_field() -> String {
    endnote(&[("", KNOTS)], "(Doe 2002)", DataPlace::Simple, "").replace("PEVu", "{cut}")
}

#[test]
fn unread_field_stays_and_protects_the_list() {
    let fields = [
        unread_field(),
        field("ADDIN CSL_CITATION {\"citationItems\": [{\"id\"", "(Doe 2002)"),
        field("ADDIN CSL_CITATION {\"citationItems\": []}", "(Doe 2002)"),
        field("ADDIN EN.CITE", "(Doe 2002)"),
        field("ADDIN REFMGR.CITE <Refman/>", "(Doe 2002)"),
        field("ADDIN Mendeley Citation{5b9e}", "(Doe 2002)"),
        field("CITATION Doe02 \\l 1033", "(Doe 2002)"),
        "<w:sdt><w:sdtPr><w:tag w:val=\"MENDELEY_CITATION_v3_e30=\"/></w:sdtPr><w:sdtContent><w:r><w:t>(Doe 2002)</w:t></w:r></w:sdtContent></w:sdt>".to_owned(),
    ];
    for unread in fields {
        let text = [
            paragraph(&[run("A "), zotero(&[RINGS], "(Roe)", "(Roe)")]),
            paragraph(&[run("B "), unread.clone()]),
        ]
        .concat();
        let with_list = [
            text.clone(),
            list("ADDIN EN.REFLIST", &["old one", "old two"]),
        ]
        .concat();
        let bytes = package(&with_list, &[]);
        let refused = cite_in(
            &bytes,
            "apa",
            FieldHandling::Replace,
            IncompleteList::Refuse,
        );
        let Err(CitingError::IncompleteList(places)) = refused else {
            panic!("{unread} {refused:?}");
        };
        assert_eq!(
            (places[0].place.paragraph, places[0].text.as_str()),
            (Some(2), "(Doe 2002)")
        );
        for (bytes, incomplete) in [
            (&bytes, IncompleteList::Replace),
            // There is no list to lose.
            (&package(&text, &[]), IncompleteList::Refuse),
        ] {
            let word = cite_in(bytes, "apa", FieldHandling::Replace, incomplete).unwrap();
            assert_eq!(word.left, places);
            let xml = part(&word.bytes, "word/document.xml");
            assert!(xml.contains(&unread) && !xml.contains("old "), "{xml}");
            assert!(
                text_of(&word).starts_with("A (Roe, 2001)\nB (Doe 2002)\n"),
                "{xml}"
            );
        }
        let is_word = !unread.contains("ADDIN") && unread.contains("1033");
        let found = read(&bytes).findings;
        let unread = found
            .iter()
            .any(|finding| finding.kind == FindingKind::UnreadField);
        assert!(unread || is_word, "{found:?}");
    }
}

#[test]
fn list_without_citations_stays() {
    let body = [
        paragraph(&[run("Text.")]),
        list("ADDIN EN.REFLIST", &["one", "two"]),
    ]
    .concat();
    let bytes = package(&body, &[]);
    let word = cited(&bytes);
    assert_eq!(
        part(&word.bytes, "word/document.xml"),
        part(&bytes, "word/document.xml")
    );
}

#[test]
fn works_are_told_apart_by_what_they_are() {
    let doi = |work: Work, doi| Work {
        doi: Some(doi),
        ..work
    };
    let copy = |work: Work| Work {
        library: "other",
        number: 9,
        ..work
    };
    // Mendeley's numbers begin again in each field.
    let body = paragraph(&[
        mendeley(&[RINGS], "(x)", "(x)", None),
        mendeley(&[KNOTS, RINGS], "(x)", "(x)", None),
        mendeley(&[ROPES], "(x)", "(x)", None),
    ]);
    check_works(&package(&body, &[]), 3);
    // One number in two libraries of EndNote.
    let other = Work {
        library: "other",
        number: 1,
        ..KNOTS
    };
    let body = paragraph(&[
        endnote(&[("", RINGS)], "(x)", DataPlace::Code, ""),
        endnote(&[("", other)], "(x)", DataPlace::Code, ""),
    ]);
    check_works(&package(&body, &[]), 2);
    // One work in two libraries, and in two programs.
    let body = paragraph(&[
        endnote(&[("", RINGS)], "(x)", DataPlace::Code, ""),
        endnote(&[("", copy(RINGS))], "(x)", DataPlace::Code, ""),
        zotero(&[doi(RINGS, "10.1000/rings")], "(x)", "(x)"),
        mendeley(&[doi(RINGS, "10.1000/RINGS")], "(x)", "(x)", None),
    ]);
    check_works(&package(&body, &[]), 1);
    // Two works of an author and a year.
    let same_year = Work {
        title: "Ropes and knots compared",
        year: "2001",
        ..RINGS
    };
    let bytes = package(
        &paragraph(&[
            zotero(&[RINGS], "(x)", "(x)"),
            zotero(
                &[Work {
                    number: 8,
                    ..same_year
                }],
                "(x)",
                "(x)",
            ),
        ]),
        &[],
    );
    let text = text_of(&cited(&bytes));
    assert!(text.contains("2001a") && text.contains("2001b"), "{text}");
}

#[test]
fn blanks_within_a_field_stay() {
    let sources = sources(&[("Roe01", RINGS)]);
    let parts = [("customXml/item1.xml", sources.as_str())];
    let check = |result: &str, expected: &str| {
        let word_field = field(" CITATION Roe01 \\l 1033 ", result);
        let bodies = [
            word_field.clone(),
            format!(
                "<w:sdt><w:sdtPr><w:citation/></w:sdtPr><w:sdtContent>{word_field}</w:sdtContent></w:sdt>"
            ),
            simple_field(" CITATION Roe01 \\l 1033 ", &run(result)),
            zotero(&[RINGS], result, result),
        ];
        for inside in bodies {
            let body = paragraph(&[run("This was shown"), inside, run("before.")]);
            let bytes = package(&body, &parts);
            for fields in [FieldHandling::Replace, FieldHandling::Keep] {
                let word = cite_in(&bytes, "apa", fields, IncompleteList::Refuse).unwrap();
                let text = text_of(&word);
                let first = text.lines().next().unwrap();
                assert_eq!(first, format!("This was shown{expected}before."));
            }
        }
    };
    check(" (Roe, 2001)", " (Roe, 2001)");
    check("(Roe 01) ", "(Roe, 2001) ");
    check("\u{a0}[1] ", "\u{a0}(Roe, 2001) ");
    check("[1]", "(Roe, 2001)");
}

#[test]
fn author_in_the_text_is_not_doubled() {
    let check = |attributes: &str, work: Work, old: &str, expected: &str| {
        let inside = endnote(&[(attributes, work)], old, DataPlace::Code, "");
        let word = cited(&package(&paragraph(&[inside]), &[]));
        assert_eq!(text_of(&word).lines().next(), Some(expected));
        word
    };
    check(" AuthorYear=\"1\"", RINGS, "Roe (2001)", "Roe (2001)");
    check(" ExcludeAuth=\"1\"", RINGS, "(2001)", "(2001)");
    check(
        " AuthorYear=\"1\"",
        PRESS,
        "Moe (in press)",
        "Moe (in press)",
    );
    check("", PRESS, "(Moe in press)", "(Moe, in press)");
    check(
        "",
        Work {
            year: "n.d.",
            ..PRESS
        },
        "(Moe, n.d.)",
        "(Moe, n.d.)",
    );
    check(" ExcludeYear=\"1\"", RINGS, "Roe", "Roe");
    // No style prints nothing, or two authors in the text.
    let hidden = check(" ExcludeAuth=\"1\" ExcludeYear=\"1\"", RINGS, "", "");
    assert!(text_of(&hidden).contains("rings of the golden worm"));
    let cites = [(" AuthorYear=\"1\"", RINGS), (" AuthorYear=\"1\"", KNOTS)];
    let inside = endnote(&cites, "Roe (2001) and Doe (2002)", DataPlace::Code, "");
    let word = cited(&package(&paragraph(&[inside]), &[]));
    assert!(text_of(&word).starts_with("Roe (2001) and Doe (2002)\n"));
    assert_eq!(word.left.len(), 1);
}

#[test]
fn text_written_by_hand_stays_and_is_reported() {
    let by_hand = [
        mendeley(&[KNOTS], "(Doe, 2002)", "(2002)", Some("(2002)")),
        // Edited in Word.
        mendeley(&[KNOTS], "(Doe, 2002)", "(2002)", None),
        zotero(&[KNOTS], "(Doe, 2002)", "(2002)"),
        zotero(&[KNOTS], "(2002)", "(2002)")
            .replace("noteIndex", "dontUpdate&quot;: true, &quot;noteIndex"),
    ];
    for inside in by_hand {
        let body = paragraph(&[run("As Doe "), inside.clone(), run(" agreed.")]);
        let bytes = package(&body, &[]);
        for (fields, is_kept) in [(FieldHandling::Replace, false), (FieldHandling::Keep, true)] {
            let word = cite_in(&bytes, "ieee", fields, IncompleteList::Refuse).unwrap();
            assert!(
                text_of(&word).starts_with("As Doe (2002) agreed.\n"),
                "{}",
                text_of(&word)
            );
            let [kept] = word.left.as_slice() else {
                panic!("{inside}");
            };
            assert_eq!(
                (kept.place.paragraph, kept.text.as_str()),
                (Some(1), "(2002)")
            );
            assert_eq!(
                part(&word.bytes, "word/document.xml").contains(&inside),
                is_kept
            );
            assert!(
                text_of(&word).contains("Silver knots"),
                "{}",
                text_of(&word)
            );
        }
    }
}

#[test]
fn what_refers_to_replaced_text_stays() {
    let marks = "<w:bookmarkStart w:id=\"7\" w:name=\"place\"/><w:commentRangeStart w:id=\"3\"/>";
    let end = "<w:commentRangeEnd w:id=\"3\"/><w:r><w:commentReference w:id=\"3\"/></w:r><w:bookmarkEnd w:id=\"7\"/>";
    let inside = zotero(&[RINGS], "(old)", "(old)");
    let inside = inside.replace(&run("(old)"), &format!("{marks}{}", run("(old)")));
    let body = paragraph(&[inside, run(" says"), end.to_owned()]);
    for fields in [FieldHandling::Replace, FieldHandling::Keep] {
        let word = cite_in(&package(&body, &[]), "apa", fields, IncompleteList::Refuse).unwrap();
        let xml = part(&word.bytes, "word/document.xml");
        for mark in ["bookmarkStart w:id=\"7\"", "commentRangeStart w:id=\"3\""] {
            assert_eq!(xml.matches(mark).count(), 1, "{xml}");
        }
    }
    // A tracked insertion that begins within the field.
    let inside = zotero(&[RINGS], "(old)", "(old)").replace(
        &run("(old)"),
        &format!("<w:ins w:id=\"1\">{}", run("(old)")),
    );
    let body = paragraph(&[
        inside,
        run(" says"),
        "</w:ins>".to_owned(),
        zotero(&[KNOTS], "(k)", "(k)"),
    ]);
    let word = cited(&package(&body, &[]));
    assert_eq!(word.left.len(), 1);
    assert!(
        text_of(&word).starts_with("(old) says(Doe, 2002)\n"),
        "{}",
        text_of(&word)
    );
}

/// A document with everything that formatting must not touch.
fn whole_document() -> Vec<u8> {
    let call = |id: u32| format!("<w:r><w:footnoteReference w:id=\"{id}\"/></w:r>");
    let body = [
        paragraph(&[
            "<w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr>".to_owned(),
            run("One & two"),
        ]),
        list(" TOC \\o \"1-3\" ", &["One 1", "Two 2"]),
        paragraph(&[
            run("As "),
            endnote(
                &[(" AuthorYear=\"1\"", RINGS)],
                "Roe (2001)",
                DataPlace::FieldAndInner,
                "AG==",
            ),
            run(" says "),
            call(2),
            field(" REF place \\h ", "Table 1"),
            run("."),
        ]),
        format!(
            "<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>",
            paragraph(&[
                run("Cell "),
                mendeley(&[KNOTS], "(Doe, 2002)", "(Doe, 2002)", None)
            ])
        ),
        paragraph(&[
            "<w:r><w:drawing><a:x xmlns:a=\"a\"/></w:drawing></w:r>".to_owned(),
            simple_field(" SEQ Figure ", &run("1")),
        ]),
        paragraph(&[
            run("Typed (Poe 2003), "),
            field(" CITATION Poe03 \\l 1033 ", " (Poe, 2003)"),
            mendeley(&[RINGS], "(Roe, 2001)", "Roe's (2001)", None),
            run("  end"),
        ]),
        paragraph(&[field(" PAGE ", "3"), call(3)]),
        paragraph(&[run("References")]),
        list(" ADDIN EN.REFLIST ", &["old one", "old two", "old three"]),
        paragraph(&[run("Appendix")]),
    ];
    let notes = footnotes(&[
        run("A note without a citation."),
        [run("See"), zotero(&[ROPES], " (Poe)", " (Poe)")].concat(),
    ]);
    let sources = sources(&[("Poe03", ROPES)]);
    package(
        &body.concat(),
        &[
            ("word/footnotes.xml", &notes),
            ("customXml/item1.xml", &sources),
            ("word/media/image1.png", "\u{1}binary"),
        ],
    )
}

fn shared(folder: &str) -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1);
    let shared = above.map(|path| path.join("shared"));
    { shared }
        .find(|path| path.is_dir())
        .unwrap_or_default()
        .join(folder)
}

/// The Word documents below a folder.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        match path.is_dir() {
            true => documents(&path, found),
            false if path.extension().is_some_and(|ending| ending == "docx") => found.push(path),
            false => {}
        }
    }
    found.sort();
}

#[test]
fn only_citations_and_the_list_change() {
    unchanged::check("generated", &whole_document());
    let mut found = Vec::new();
    for folder in ["data/documents/files", "data/reported/field"] {
        documents(&shared(folder), &mut found);
    }
    if found.is_empty() {
        assert!(
            std::env::var_os("CITATION_REQUIRE_SUITES").is_none(),
            "no shared documents"
        );
        println!("skipped: there are no shared documents");
    }
    for path in found {
        unchanged::check(&path.display().to_string(), &std::fs::read(&path).unwrap());
    }
}
