//! Small documents of each format and their expected content.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::io::Write;

use citation_documents::{Document, DocumentError, FindingKind, read};
use citation_model::budget::Budget;
use citation_model::cite::CiteMode;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const LIBRARY: &str =
    "@article{doe, title={On rings}, author={Doe, Jane}, year={2001}, doi={10.1000/rings}}
@book{roe, title={On knots}, author={Roe, Rik}, year={2002}}
@book{poe, title={On ropes}, author={Poe, Pat}, year={2003}}";

fn try_read(name: &str, bytes: &[u8]) -> Result<Document, DocumentError> {
    let beside = |name: &str| match name {
        "refs.bib" => Some(LIBRARY.as_bytes().to_vec()),
        "part.tex" | "part.typ" => Some(b"More \\cite{poe} and @poe.".to_vec()),
        _ => None,
    };
    read(name, bytes, &beside, &Budget::unlimited())
}

fn document(name: &str, text: &str) -> Document {
    try_read(name, text.as_bytes()).unwrap()
}

fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn docx(body: &str) -> Document {
    let text = format!("<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>");
    let parts = [
        ("[Content_Types].xml", "<Types/>"),
        ("word/document.xml", text.as_str()),
    ];
    try_read("paper.docx", &package(&parts)).unwrap()
}

/// The keys of the citations, and those of the references.
fn keys(document: &Document) -> (Vec<Vec<&str>>, Vec<&str>) {
    let cited = document.citations.iter().map(|citation| {
        let items = citation.items.iter();
        items.map(|cited| cited.cite.id.as_str()).collect()
    });
    let listed = document.references.iter().filter_map(|r| r.key.as_deref());
    (cited.collect(), listed.collect())
}

fn texts(document: &Document) -> Vec<&str> {
    document
        .references
        .iter()
        .map(|r| r.text.as_str())
        .collect()
}

#[test]
fn tex_reads_the_family_of_cite() {
    let text = r"\bibliography{refs} % \cite{comment}
\newcommand{\refer}[1]{\cite{#1}}
\citep[see][p.~3]{doe, roe} \verb|\cite{no}| \textcites[1]{doe}[2]{roe} \refer{roe} \input{part}
\begin{verbatim}\cite{no}\end{verbatim} \nocite{none} \cite{unknown}";
    let document = document("paper.tex", text);
    let (cited, listed) = keys(&document);
    assert_eq!(
        cited,
        [
            vec!["doe", "roe"],
            vec!["doe", "roe"],
            vec!["roe"],
            vec!["poe"],
            vec!["unknown"]
        ]
    );
    assert_eq!(listed, ["doe", "roe", "poe"]);
    let second = &document.citations[0].items[1].cite;
    assert_eq!(second.locator.as_ref().unwrap().value, "3");
    assert_eq!(document.citations[0].place.line, Some(3));
    assert_eq!(
        document.citations[3].place.file.as_deref(),
        Some("part.tex")
    );
    let undefined = { document.findings.iter() }
        .filter(|finding| finding.kind == FindingKind::UndefinedKey)
        .flat_map(|finding| &finding.keys);
    assert_eq!(undefined.collect::<Vec<_>>(), ["unknown", "none"]);
}

#[test]
fn tex_reads_a_printed_list() {
    let text = r"\cite{doe}\begin{thebibliography}{9}\bibitem{doe} J.~Doe. \emph{On rings}. 2001.
\bibitem[R]{roe} R. Roe. On knots. 2002.\end{thebibliography}";
    let document = document("paper.tex", text);
    assert_eq!(
        texts(&document),
        ["J. Doe. On rings. 2001.", "R. Roe. On knots. 2002."]
    );
    assert_eq!(document.findings[0].kind, FindingKind::UncitedEntry);
    assert_eq!(document.findings[0].keys, ["roe"]);
}

#[test]
fn aux_names_keys_and_files() {
    let document = document("paper.aux", "\\citation{roe,doe}\n\\bibdata{refs}\n");
    assert_eq!(
        keys(&document),
        (vec![vec!["roe", "doe"]], vec!["roe", "doe"])
    );
}

#[test]
fn lists_of_multibib_have_their_works() {
    let text = "\\newcites{A,B}{One,Two}\\begin{document}\\citeA{doe} \\citepB[3]{roe} \\nociteB{poe}\n\
        \\bibliographyA{refs}\\bibliographyB{refs}\\end{document}";
    let document = document("paper.tex", text);
    let (cited, listed) = keys(&document);
    assert_eq!(cited, [["doe"], ["roe"]]);
    assert_eq!(listed, ["doe", "roe", "poe"]);
    assert_eq!(document.citations[0].items[0].cite.mode, CiteMode::Normal);
}

#[test]
fn markdown_reads_pandoc_citations() {
    let text = "---\nbibliography: refs.bib\n---\n\nAs [see @doe, pp. 3-4; -@roe] and @poe [chap. 2] say, \
        `[@no]`, me@example.org, \\@no, @fig-one, [@doi:10.1000/x].\n\n```\n@no\n```\n";
    let document = document("paper.md", text);
    let (cited, listed) = keys(&document);
    assert_eq!(
        cited,
        [vec!["doe", "roe"], vec!["poe"], vec!["doi:10.1000/x"]]
    );
    assert_eq!(listed, ["doe", "roe", "poe", "doi:10.1000/x"]);
    let first = &document.citations[0].items[0].cite;
    assert_eq!(
        (
            first.prefix.as_str(),
            first.locator.as_ref().unwrap().value.as_str()
        ),
        ("see", "3-4")
    );
    assert_eq!(document.citations[0].place.line, Some(5));
    assert!(document.findings.is_empty(), "{:?}", document.findings);
}

#[test]
fn markdown_reads_keys_joined_by_other_signs() {
    let text = "---\nbibliography: refs.bib\n---\n\nAs [see @doe and @roe; respectively] and [@poe,@doe] say.\n";
    let document = document("paper.md", text);
    let (cited, listed) = keys(&document);
    assert_eq!(cited, [["doe", "roe"], ["poe", "doe"]]);
    assert_eq!(listed, ["doe", "roe", "poe"]);
    let suffix = |citation: usize, cite: usize| -> &str {
        &document.citations[citation].items[cite].cite.suffix
    };
    assert_eq!((suffix(0, 0), suffix(1, 0)), ("", ""));
}

#[test]
fn remarks_of_publishers_are_no_references() {
    let text = "# References\n\nDoe, A. (2001). On waves. Annals, 4, 1-9.\n\nRoe, B. (2002). On tides. Annals, 5, 1-9.\n\n\
        © 2020 by the authors. Licensee Example, Basel, Switzerland. This article is an open access article \
        distributed under the terms and conditions of the license (https://example.org/licenses/by/4.0/).\n";
    let listed: Vec<String> = document("paper.md", text)
        .references
        .into_iter()
        .map(|reference| reference.text)
        .collect();
    assert_eq!(
        listed,
        [
            "Doe, A. (2001). On waves. Annals, 4, 1-9.",
            "Roe, B. (2002). On tides. Annals, 5, 1-9."
        ]
    );
}

#[test]
fn title_in_a_paragraph_of_its_own_belongs_to_its_names() {
    let text = "# References\n\nDoe, A., & van Roe, B. (2001).\n\nWaves and Tides. Annals, 4, 1-9.\n\n\
        Roe, B. (2002). On tides. Annals, 5, 1-9.\n\nPoe, C. On ropes. Annals (2003).\n\nMoe, C. Ropes. Annals (2003).\n\n\
        Poe, D. (2004). On knots. Annals, 7, 1-9.\n";
    let document = document("paper.md", text);
    assert_eq!(
        texts(&document),
        [
            "Doe, A., & van Roe, B. (2001). Waves and Tides. Annals, 4, 1-9.",
            "Roe, B. (2002). On tides. Annals, 5, 1-9.",
            "Poe, C. On ropes. Annals (2003).",
            "Moe, C. Ropes. Annals (2003).",
            "Poe, D. (2004). On knots. Annals, 7, 1-9."
        ]
    );
}

#[test]
fn markdown_lists_works_that_nocite_names() {
    let text =
        "---\nbibliography: refs.bib\nnocite: \"@poe, @doi:10.1000/x\"\n---\n\nAs @doe says.\n";
    let document = document("paper.md", text);
    let (cited, listed) = keys(&document);
    assert_eq!(cited, [vec!["doe"]]);
    assert_eq!(listed, ["doe", "poe", "doi:10.1000/x"]);
}

#[test]
fn markdown_reads_a_typed_list() {
    let text = "# Text\n\nA word.\n\n## References\n\n1. Doe, J. (2001). *On rings*. Ring, 1(2), 3--4.\n\
        2. Roe, R. (2002). On\n   knots. Knot, 5, 6--7.\n\n# Appendix\n\nIn 2004, 12 (3) of 4-5.\n";
    let document = document("paper.md", text);
    assert_eq!(
        texts(&document),
        [
            "Doe, J. (2001). On rings. Ring, 1(2), 3--4.",
            "Roe, R. (2002). On knots. Knot, 5, 6--7."
        ]
    );
    assert_eq!(document.references[1].place.line, Some(8));
}

#[test]
fn typst_reads_references_and_cite() {
    let text = "// @no\n= A <sec>\n@doe[p. 3] @roe, see @sec and #cite(<poe>, form: \"prose\"). me@no.org\n\
        #include \"part.typ\"\n#bibliography(\"refs.bib\")";
    let document = document("paper.typ", text);
    let (cited, listed) = keys(&document);
    assert_eq!(cited, [vec!["doe", "roe"], vec!["poe"], vec!["poe"]]);
    assert_eq!(listed, ["doe", "roe", "poe"]);
}

#[test]
fn html_links_citations_to_entries() {
    let text = "<html><body><p>A <a href=#b1>1</a>–<a href=#b3>3</a>.</p><h2>References</h2><ol>\
        <li id=b1>Doe, J. (2001). On rings. <a href='https://doi.org/10.1000/rings'>CrossRef</a></li>\
        <li id=b2><p>Roe, R. (2002). On knots. Knot, 3, 4–5.</p></li>\
        <li id=b3>Poe, P. (2003). On ropes. Rope, 3, 4–5.</li></ol>\
        <h2>Funding</h2><p>Grant 2004, pp. 1–3.</p>";
    let document = document("paper.html", text);
    assert_eq!(texts(&document)[0], "Doe, J. (2001). On rings.");
    assert_eq!(
        document.references[0].doi.as_ref().unwrap().as_str(),
        "10.1000/rings"
    );
    assert_eq!(keys(&document).0, [vec!["b1", "b2", "b3"]]);
    assert_eq!(document.references.len(), 3);
}

#[test]
fn docx_reads_fields_notes_and_lists() {
    let paragraph = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let field = "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>ADDIN ZOTERO_ITEM \
        CSL_CITATION {\"citationItems\":[{\"id\":7,\"locator\":\"9\",\"itemData\":{\"type\":\"book\",</w:instrText></w:r>\
        <w:r><w:instrText>\"title\":\"On the rings\",\"DOI\":\"10.1000/rings\"}}]}</w:instrText></w:r>\
        <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>(Doe)</w:t></w:r>\
        <w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>";
    let deleted = "<w:p><w:del><w:r><w:delText>Gone, G. (1999).</w:delText></w:r></w:del>\
        <w:r><w:t>Roe, R. (2002). On knots. Knot, 3, 4–5.</w:t></w:r></w:p>";
    let body = [
        field.to_owned(),
        paragraph("References"),
        paragraph("Doe, J. (2001). On the rings. Ring 1, 2–3."),
        deleted.to_owned(),
        paragraph("Appendix"),
        paragraph("See Smith (2001), 12(3), 4–5."),
    ];
    let document = docx(&body.concat());
    assert_eq!(
        texts(&document),
        [
            "Doe, J. (2001). On the rings. Ring 1, 2–3.",
            "Roe, R. (2002). On knots. Knot, 3, 4–5."
        ]
    );
    assert_eq!(keys(&document), (vec![vec!["7"]], vec!["7"]));
    assert_eq!(document.citations[0].text, "(Doe)");
    assert!(document.references[0].item.is_some());
    assert_eq!(document.findings.len(), 1, "{:?}", document.findings);
}

#[test]
fn odt_reads_marks_of_jabref() {
    let body = "<o:text><text:p>A <text:reference-mark-start text:name=\"JABREF_doe CID_1, JABREF_roe CID_2 x1\"/>\
        [1, 2]<text:reference-mark-end text:name=\"JABREF_doe CID_1, JABREF_roe CID_2 x1\"/></text:p>\
        <text:h>References</text:h><text:p>Doe, J. (2001). On rings. Ring 1, 2–3.</text:p></o:text>";
    let document = try_read("paper.odt", &package(&[("content.xml", body)])).unwrap();
    assert_eq!(keys(&document).0, [vec!["doe", "roe"]]);
    assert_eq!(document.citations[0].text, "[1, 2]");
    assert_eq!(document.references.len(), 1);
}

#[test]
fn rtf_reads_paragraphs_and_fields() {
    let text = "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}A {\\field{\\*\\fldinst{ADDIN ZOTERO_ITEM CSL_CITATION \
        \\{\"citationItems\":[\\{\"id\":\"a\",\"itemData\":\\{\"title\":\"Rings\"\\}\\}]\\}}}{\\fldrslt (Doe)}}.\\par \
        References\\par D\\'f6e, J. (2001). On rings. Ring 1, 2\\u8211-3.\\par }";
    let document = document("paper.rtf", text);
    assert_eq!(keys(&document).0, [vec!["a"]]);
    assert_eq!(texts(&document), ["Döe, J. (2001). On rings. Ring 1, 2–3."]);
}

#[test]
fn text_reads_the_list_under_its_heading() {
    let text = "A text of 1999.\n\nREFERENCES\n\n[1] Doe, J. (2001). On rings. Ring 1,\n    2–3.\n\
        [2] Roe, R. (2002). On knots. Knot 3, 4–5.\n\nAppendix A\n\nIn 2004.\n";
    let document = document("paper.txt", text);
    assert_eq!(
        texts(&document),
        [
            "Doe, J. (2001). On rings. Ring 1, 2–3.",
            "Roe, R. (2002). On knots. Knot 3, 4–5."
        ]
    );
}

#[test]
fn duplicates_are_found() {
    let text = "---\nreferences:\n- {id: a, type: book, title: On rings and knots, DOI: 10.1000/rings}\n\
        - {id: b, type: book, title: On rings and knots, DOI: 10.1000/rings}\n---\n[@a; @b]\n";
    let document = document("paper.md", text);
    assert_eq!(document.findings.len(), 1);
    assert_eq!(document.findings[0].kind, FindingKind::DuplicateWork);
    assert_eq!(document.findings[0].keys, ["a", "b"]);
}

#[test]
fn list_without_heading_is_separated_from_prose() {
    let paragraph = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let body = [
        "We thank J. Smith and A. B. Jones (York, 2010), grant 2004-117, pp. 1–3.",
        "Doe, J. (2001). On the rings. Ring 1, 2–3.",
        "Roe, R. (2002). On knots. Knot, 3, 4–5.",
        "van Poe, P. (2003). On ropes. Rope, 5, 6–7.",
        "d’Oe, O. (2004). On twine. Rope, 6, 7–8.",
        "Figure 1. Redrawn after Miller et al. (2009), J. Appl. Ecol., vol. 12, pp. 45–67.",
    ];
    let document = docx(&body.map(paragraph).concat());
    assert_eq!(texts(&document), body[1..5]);
}

#[test]
fn html_labels_and_links_in_own_blocks_are_not_entries() {
    let entry = |n: usize, text: &str| {
        format!(
            "<div><div>{n}.</div><div>{text}</div><div><a href=x>PubMed</a> | <a href=y>[CrossRef]</a></div></div>"
        )
    };
    let text = [
        "<h2>References<span>[edit]</span></h2>".to_owned(),
        entry(1, "Doe, J. (2001). On the rings. Ring 1, 2–3."),
        entry(2, "Roe, R. (2002). On knots. Knot, 3, 4–5."),
        entry(3, "Poe, P. (2003). On ropes. Rope, 5, 6–7."),
        "<footer><p>© 2016 The Authors. Vol. 12, No. 3, pp. 45–67.</p></footer>".to_owned(),
    ];
    let document = document("paper.html", &text.concat());
    assert_eq!(texts(&document).len(), 3, "{:?}", texts(&document));
}

#[test]
fn list_formatted_by_pandoc_is_read() {
    let document = document(
        "paper.tex",
        "\\begin{document}\nText (Doe 2001).\n\\begin{CSLReferences}{1}{0}\n\\leavevmode\\vadjust pre{\\hypertarget{ref-doe}{}}%\nDoe, Jane. 2001. \\emph{On Rings}. Ring Press.\n\n\\leavevmode\\vadjust pre{\\hypertarget{ref-roe}{}}%\nRoe, Rik. 2002. \\emph{On Knots}. Ring Press.\n\\end{CSLReferences}\n\\end{document}",
    );
    assert_eq!(
        texts(&document),
        [
            "Doe, Jane. 2001. On Rings. Ring Press.",
            "Roe, Rik. 2002. On Knots. Ring Press."
        ]
    );
    assert!(document.findings.is_empty(), "{:?}", document.findings);
}

#[test]
fn flat_opendocument_is_read() {
    let document = document(
        "paper.fodt",
        "<?xml version=\"1.0\"?><office:document xmlns:office=\"o\" xmlns:text=\"t\" office:mimetype=\"application/vnd.oasis.opendocument.text\"><office:meta><title>T</title></office:meta><office:master-styles><text:p>Page 1</text:p></office:master-styles><office:body><office:text><text:h>References</text:h><text:p>Doe, Jane. 2001. On Rings. Ring Press.</text:p></office:text></office:body></office:document>",
    );
    assert_eq!(texts(&document), ["Doe, Jane. 2001. On Rings. Ring Press."]);
}

#[test]
fn notes_after_a_list_are_not_entries() {
    let list = "References\n\nDoe, Jane. 2001. On Rings. Ring Press.\n\nPoe, Pat. 2003. On Ropes. Ring Press.\n\nRoe, Rik. 2002. On Knots. Ring Press.\n\n";
    let document = document(
        "paper.txt",
        &format!("{list}[1] See also Turing (1938), and (World Health Organization 2020).\n"),
    );
    assert_eq!(document.references.len(), 3, "{:?}", texts(&document));
}

#[test]
fn docx_reads_placeholders_of_citavi() {
    let json = r#"{"$type":"SwissAcademic.Citavi.Citations.WordPlaceholder, SwissAcademic.Citavi","Entries":[{"ReferenceId":"b2","Prefix":"see ","PageRange":{"OriginalString":"3-4"},"Reference":{"ReferenceType":"JournalArticle","Authors":[{"FirstName":"Jane","LastName":"Doe"},{"LastName":"Institute"}],"Title":"On rings","Year":"2001","Periodical":{"Name":"Rings"},"Doi":"10.1000/rings"}}]}"#;
    let encoded = base64(json.as_bytes());
    let char = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let body = format!(
        "<w:p><w:sdt><w:sdtPr><w:tag w:val=\"CitaviPlaceholder#1\"/></w:sdtPr><w:sdtContent>{}<w:r><w:instrText>ADDIN CitaviPlaceholder{{{encoded}}}</w:instrText></w:r>{}<w:r><w:t>(see Doe 2001)</w:t></w:r>{}</w:sdtContent></w:sdt></w:p>",
        char("begin"),
        char("separate"),
        char("end")
    );
    let document = docx(&body);
    let cited = &document.citations[0].items[0];
    assert_eq!(cited.cite.prefix, "see");
    assert_eq!(cited.cite.locator.as_ref().unwrap().value, "3-4");
    assert_eq!(cited.doi.as_ref().unwrap().as_str(), "10.1000/rings");
    assert_eq!(document.references.len(), 1);
}

/// Base64 without padding.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let mut bits = 0_u32;
        for n in 0..3 {
            bits = bits << 8 | u32::from(chunk.get(n).copied().unwrap_or(0));
        }
        for n in 0..=chunk.len() {
            let sign = bits >> (18 - 6 * n) & 63;
            out.push(SIGNS[sign as usize] as char);
        }
    }
    out
}

#[test]
fn docx_without_the_sources_of_its_citations_says_so() {
    let document = docx(
        "<w:p><w:fldSimple w:instr=\" CITATION Doe01 \"><w:r><w:t>(Doe)</w:t></w:r></w:fldSimple></w:p>",
    );
    assert_eq!(document.findings.len(), 1, "{:?}", document.findings);
    assert!(document.findings[0].message.contains("LibreOffice"));
}

#[test]
fn typst_key_behind_a_script_without_blanks_is_one() {
    let document = document("a.typ", "光@doe。a@roe.org #bibliography(\"refs.bib\")");
    assert_eq!(keys(&document).0, [["doe"]]);
}

#[test]
fn terms_of_a_glossary_of_typst_are_no_keys() {
    let check = |package: &str, terms: &str, expected: &[&str]| {
        let text = format!(
            "#import \"{package}\": *\n#let terms = ({terms})\n@led, @nfc:pl and @doe. #bibliography(\"refs.bib\")"
        );
        let document = document("a.typ", &text);
        assert_eq!(keys(&document).0.concat(), expected, "{text}");
    };
    let glossy = "led: (short: \"LED\", long: \"x\"), \"nfc\": (\n  short: \"NFC\"\n)";
    check("@preview/glossy:0.9.0", glossy, &["doe"]);
    let glossarium = "(key: \"led\", short: \"LED\"), (key: \"nfc\", short: \"NFC\")";
    check("@preview/glossarium:0.5.1", glossarium, &["doe"]);
    check("other.typ", glossy, &["led", "nfc:pl", "doe"]);
}

#[test]
fn odt_field_of_authors_is_split() {
    let check = |authors: &str, expected: &[&str]| {
        let text = format!(
            "<office:document xmlns:office=\"o\" xmlns:text=\"t\" office:mimetype=\"application/vnd.oasis.opendocument.text\"><office:body><office:text><text:p><text:bibliography-mark text:identifier=\"a\" text:author=\"{authors}\" text:title=\"T\">[a]</text:bibliography-mark></text:p></office:text></office:body></office:document>"
        );
        let document = try_read("a.fodt", text.as_bytes()).unwrap();
        let item = document.citations[0].items[0].item.clone().unwrap();
        let names = item.names(citation_model::variable::NameVar::Author).iter();
        let found: Vec<String> = names.map(|name| name.heading()).collect();
        assert_eq!(found, expected, "{authors}");
    };
    check("Doe, Jane; Roe, Rik", &["Doe", "Roe"]);
    check("Jane Doe, Pat Poe and Rik Roe", &["Doe", "Poe", "Roe"]);
    check("Doe, Jane and Roe, Rik", &["Doe", "Roe"]);
    check("Michel Moe et Michel Loe", &["Moe", "Loe"]);
    check(
        "Institute of Rings and Knots",
        &["Institute of Rings and Knots"],
    );
}

#[test]
fn bibliographies_of_a_document_share_strings_and_parents() {
    let companions = |name: &str| {
        let text = match name {
            "abbrev.bib" => "@string{jt = {Journal of Tests}}",
            "refs.bib" => {
                "@article{doe, title = {Rings}, journal = jt, year = 2001}\n\
                 @incollection{roe, title = {Knots}, crossref = {poe}, year = 2002}"
            }
            "books.bib" => "@collection{poe, title = {Bows and Arrows}, year = 2002}",
            _ => return None,
        };
        Some(text.as_bytes().to_vec())
    };
    for (name, text) in [
        (
            "a.tex",
            "\\bibliography{abbrev,refs,books}\\cite{doe}\\cite{roe}",
        ),
        (
            "a.tex",
            "\\addbibresource{abbrev.bib}\\addbibresource{refs.bib}\\addbibresource{books.bib}\\cite{doe}\\cite{roe}",
        ),
        (
            "a.md",
            "---\nbibliography: [abbrev.bib, refs.bib, books.bib]\n---\n[@doe; @roe]",
        ),
        (
            "a.typ",
            "@doe @roe #bibliography((\"abbrev.bib\", \"refs.bib\", \"books.bib\"))",
        ),
    ] {
        let budget = Budget::unlimited();
        let document = read(name, text.as_bytes(), &companions, &budget).unwrap();
        let containers: Vec<Option<String>> = { document.references.iter() }
            .map(|reference| {
                let item = reference.item.as_ref()?;
                let container = citation_model::variable::TextVar::ContainerTitle;
                item.text(container).map(str::to_owned)
            })
            .collect();
        let expected = ["Journal of Tests", "Bows and Arrows"];
        assert_eq!(
            containers,
            expected.map(|text| Some(text.to_owned())),
            "{text}"
        );
    }
}

#[test]
fn line_break_inside_an_entry_of_word_does_not_end_it() {
    let entry = |names: &str, title: &str| {
        format!(
            "<w:p><w:r><w:t>{names} (2001). {title}.</w:t><w:br/><w:t>Journal of Tests, 3(2), 1–9.</w:t><w:br/>\
             <w:t>https://example.org/{title}</w:t></w:r></w:p>"
        )
    };
    let body = format!(
        "<w:p><w:r><w:t>References</w:t></w:r></w:p>{}{}{}",
        entry("Doe, J.", "Rings"),
        entry("Roe, R.", "Knots"),
        entry("Poe, P., &amp; Moe, M.", "Bows")
    );
    let document = docx(&body);
    let expected = ["Doe, J.", "Roe, R.", "Poe, P., & Moe, M."]
        .iter()
        .zip(["Rings", "Knots", "Bows"])
        .map(|(names, title)| {
            format!(
                "{names} (2001). {title}. Journal of Tests, 3(2), 1–9. https://example.org/{title}"
            )
        });
    assert_eq!(texts(&document), expected.collect::<Vec<_>>());
}

#[test]
fn named_bibliographies_that_are_missing_are_named() {
    let check = |name: &str, text: &str, missing: &[&str]| {
        let document = document(name, text);
        let findings =
            { document.findings.iter() }.filter(|finding| finding.kind == FindingKind::MissingFile);
        let names: Vec<&str> = findings.flat_map(|f| &f.keys).map(String::as_str).collect();
        assert_eq!(names, missing, "{text}");
        assert_eq!(document.naming, None, "{text}");
    };
    check(
        "a.tex",
        "\\nobibliography{gone}\\bibentry{doe}",
        &["gone.bib"],
    );
    check(
        "a.tex",
        "\\bibliography{refs,gone}\\cite{doe}",
        &["gone.bib"],
    );
    check(
        "a.tex",
        "\\addbibresource{gone.bib}\\cite{doe}",
        &["gone.bib"],
    );
    check(
        "a.md",
        "---\nbibliography: gone.bib\n---\n[@doe]\n",
        &["gone.bib"],
    );
    check("a.typ", "@doe #bibliography(\"gone.bib\")", &["gone.bib"]);
}

#[test]
fn document_that_names_no_bibliography_says_how() {
    let check = |name: &str, text: &str, how: Option<&str>| {
        let naming = document(name, text).naming;
        assert_eq!(naming.is_some(), how.is_some(), "{text}");
        let how = how.unwrap_or_default();
        assert!(
            naming.unwrap_or_default().contains(how),
            "{text}: {naming:?}"
        );
    };
    check("a.md", "Text [@doe].", Some("bibliography: "));
    check("a.tex", "Text \\cite{doe}.", Some("\\bibliography{"));
    check("a.typ", "Text #cite(<doe>).", Some("#bibliography("));
    // Nothing is cited, or by what needs no bibliography, or the works are in the document.
    check("a.md", "Text.", None);
    check("a.md", "Text [@doi:10.1000/x].", None);
    check(
        "a.md",
        "---\nreferences: [{id: roe, title: T}]\n---\n[@doe]",
        None,
    );
    check("a.md", "---\nbibliography: refs.bib\n---\n[@gone]", None);
    check(
        "a.tex",
        "\\cite{gone}\\begin{thebibliography}{1}\\bibitem{doe} Doe, J. On rings. 2001.\\end{thebibliography}",
        None,
    );
}

#[test]
fn entry_of_front_matter_that_is_no_yaml_spoils_no_other() {
    for broken in [
        "output: [a",
        "title: \"A \\q\"",
        "title: a: b",
        "x:\n  - y\n z: 1",
        "author: @doe",
    ] {
        for text in [
            format!("---\n{broken}\nbibliography: refs.bib\n---\n\n[@doe]\n"),
            format!("---\nbibliography:\n  - refs.bib\n{broken}\n---\n\n[@doe]\n"),
        ] {
            let document = document("a.md", &text);
            assert_eq!(document.references.len(), 1, "{text}");
        }
    }
}
