//! Verification of manuscripts, by the command and over HTTP: a dozen works of the starter
//! corpus, some of them altered, and some invented ones.

use std::fs;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::list;
use crate::support::program::{Run, run};

/// A work as its author cites it.
struct Cited {
    key: &'static str,
    /// `Family, G.`, joined by `, `.
    authors: &'static [(&'static str, &'static str)],
    year: &'static str,
    title: &'static str,
    container: &'static str,
    volume: &'static str,
    pages: &'static str,
    verdict: &'static str,
}

const fn cited(
    key: &'static str,
    authors: &'static [(&'static str, &'static str)],
    year: &'static str,
    title: &'static str,
    [container, volume, pages]: [&'static str; 3],
    verdict: &'static str,
) -> Cited {
    Cited {
        key,
        authors,
        year,
        title,
        container,
        volume,
        pages,
        verdict,
    }
}

const PNAS: &str = "Proceedings of the National Academy of Sciences";

const WORKS: [Cited; 14] = [
    cited(
        "avery",
        &[("Avery", "O."), ("MacLeod", "C."), ("McCarty", "M.")],
        "1944",
        "Studies on the chemical nature of the substance inducing transformation of pneumococcal types",
        ["The Journal of Experimental Medicine", "79", "137–158"],
        "verified",
    ),
    cited(
        "felsenstein",
        &[("Felsenstein", "J.")],
        "1985",
        "Confidence limits on phylogenies: An approach using the bootstrap",
        ["Evolution", "39", "783–791"],
        "verified",
    ),
    // The year is another.
    cited(
        "kohler",
        &[("Köhler", "G."), ("Milstein", "C.")],
        "1965",
        "Continuous cultures of fused cells secreting antibody of predefined specificity",
        ["Nature", "256", "495–497"],
        "mismatch",
    ),
    cited(
        "laemmli",
        &[("Laemmli", "U.")],
        "1970",
        "Cleavage of structural proteins during the assembly of the head of bacteriophage T4",
        ["Nature", "227", "680–685"],
        "verified",
    ),
    cited(
        "sanger",
        &[("Sanger", "F."), ("Nicklen", "S."), ("Coulson", "A.")],
        "1977",
        "DNA sequencing with chain-terminating inhibitors",
        [PNAS, "74", "5463–5467"],
        "verified",
    ),
    cited(
        "nobody",
        &[("Nobody", "N."), ("Noone", "P.")],
        "2019",
        "Quite imaginary musings upon an unwritten subject",
        ["Journal of Nowhere", "3", "1–12"],
        "not_found",
    ),
    cited(
        "aharonov",
        &[("Aharonov", "Y."), ("Bohm", "D.")],
        "1959",
        "Significance of electromagnetic potentials in the quantum theory",
        ["Physical Review", "115", "485–491"],
        "verified",
    ),
    // Another volume and other pages.
    cited(
        "anderson",
        &[("Anderson", "P.")],
        "1958",
        "Absence of diffusion in certain random lattices",
        ["Physical Review", "119", "2492–2505"],
        "mismatch",
    ),
    cited(
        "hubble",
        &[("Hubble", "E.")],
        "1929",
        "A relation between distance and radial velocity among extra-galactic nebulae",
        [PNAS, "15", "168–173"],
        "verified",
    ),
    cited(
        "codd",
        &[("Codd", "E.")],
        "1970",
        "A relational model of data for large shared data banks",
        ["Communications of the ACM", "13", "377–387"],
        "verified",
    ),
    // Another journal.
    cited(
        "lamport",
        &[("Lamport", "L.")],
        "1978",
        "Time, clocks, and the ordering of events in a distributed system",
        ["Journal of Symbolic Logic", "21", "558–565"],
        "mismatch",
    ),
    cited(
        "akerlof",
        &[("Akerlof", "G.")],
        "1970",
        "The market for “lemons”: Quality uncertainty and the market mechanism",
        ["The Quarterly Journal of Economics", "84", "488–500"],
        "verified",
    ),
    cited(
        "kahneman",
        &[("Kahneman", "D."), ("Tversky", "A.")],
        "1979",
        "Prospect theory: An analysis of decision under risk",
        ["Econometrica", "47", "263–291"],
        "verified",
    ),
    cited(
        "noone",
        &[("Noone", "P.")],
        "2020",
        "The invented virtue of unread manuscripts in the imaginary sciences",
        ["Annals of Fancy", "8", "77–99"],
        "not_found",
    ),
];

const PROSE: &str = "What follows is what a manuscript says before its list, and it says it at some length, so \
                     that nobody takes it for a list of references that somebody has pasted.";

impl Cited {
    fn printed(&self, emphasis: [&str; 2], dash: &str) -> String {
        let authors = &self.authors;
        let names: Vec<String> = authors.iter().map(|(f, g)| format!("{f}, {g}")).collect();
        let [open, close] = emphasis;
        let pages = self.pages.replace('–', dash);
        let Cited {
            year,
            title,
            container,
            volume,
            ..
        } = self;
        let names = names.join(", ");
        format!("{names} ({year}). {title}. {open}{container}{close}, {volume}, {pages}.")
    }

    fn bibtex(&self) -> String {
        let authors = &self.authors;
        let names: Vec<String> = authors.iter().map(|(f, g)| format!("{f}, {g}")).collect();
        let pages = self.pages.replace('–', "--");
        let Cited {
            key,
            year,
            title,
            container,
            volume,
            ..
        } = self;
        let names = names.join(" and ");
        format!(
            "@article{{{key},\n  author = {{{names}}},\n  title = {{{{{title}}}}},\n  journal = {{{container}}},\n  year = {{{year}}},\n  volume = {{{volume}}},\n  pages = {{{pages}}},\n}}\n"
        )
    }

    fn csl(&self) -> Value {
        let names: Vec<Value> = self
            .authors
            .iter()
            .map(|(f, g)| json!({"family": f, "given": g}))
            .collect();
        json!({
            "id": self.key, "type": "article-journal", "title": self.title, "author": names,
            "issued": {"date-parts": [[self.year.parse::<i32>().unwrap()]]},
            "container-title": self.container, "volume": self.volume, "page": self.pages,
        })
    }
}

fn prose() -> String {
    PROSE.repeat(8)
}

fn markdown() -> String {
    let list: Vec<String> = WORKS
        .iter()
        .map(|work| work.printed(["*", "*"], "–"))
        .collect();
    format!(
        "# Paper\n\n{}\n\n# References\n\n{}\n",
        prose(),
        list.join("\n\n")
    )
}

fn tex() -> String {
    let cites: Vec<String> = WORKS
        .iter()
        .map(|work| format!("As \\cite{{{}}} says.", work.key))
        .collect();
    let list: Vec<String> = WORKS
        .iter()
        .map(|work| {
            format!(
                "\\bibitem{{{}}} {}",
                work.key,
                work.printed(["\\emph{", "}"], "--")
            )
        })
        .collect();
    format!(
        "\\documentclass{{article}}\n\\begin{{document}}\n{}\n{}\n\\begin{{thebibliography}}{{9}}\n{}\n\\end{{thebibliography}}\n\\end{{document}}\n",
        prose(),
        cites.join("\n"),
        list.join("\n")
    )
}

fn html(between: &str) -> String {
    let list: Vec<String> = WORKS
        .iter()
        .map(|work| format!("{between}<p>{}</p>", work.printed(["<i>", "</i>"], "–")))
        .collect();
    format!(
        "<!doctype html><html><body><p>{}</p><h2>References</h2>{}</body></html>",
        prose(),
        list.concat()
    )
}

fn docx(paragraphs: &[String]) -> Vec<u8> {
    let body = paragraphs.concat();
    let text = format!(
        "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>{body}</w:body></w:document>"
    );
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [
        (
            "[Content_Types].xml",
            "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>",
        ),
        (
            "_rels/.rels",
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>",
        ),
        ("word/document.xml", &text),
    ] {
        writer
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

pub fn printed_docx() -> Vec<u8> {
    let mut paragraphs = vec![paragraph(&prose()), paragraph("References")];
    paragraphs.extend(
        WORKS
            .iter()
            .map(|work| paragraph(&work.printed(["", ""], "–"))),
    );
    docx(&paragraphs)
}

/// A paper of Zotero: its citations carry the works.
fn zotero_docx(printed: &[String]) -> Vec<u8> {
    let citation = |work: &Cited| {
        let code = json!({"citationItems": [{"id": work.key, "itemData": work.csl()}]}).to_string();
        let code = code
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;");
        format!(
            "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> ADDIN ZOTERO_ITEM CSL_CITATION {code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>(cited)</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>"
        )
    };
    let mut paragraphs: Vec<String> = WORKS.iter().map(citation).collect();
    paragraphs.push(paragraph("References"));
    paragraphs.extend(printed.iter().map(|entry| paragraph(entry)));
    docx(&paragraphs)
}

fn verify(folder: &Path, arguments: &[&str]) -> Run {
    let data = ["verify", "--local-only", "--init", "--data", "data"];
    run(folder, &[&data, arguments].concat(), b"")
}

/// What the references of each manuscript are, in order.
pub fn verdicts() -> Vec<&'static str> {
    WORKS.iter().map(|work| work.verdict).collect()
}

/// Checks that a manuscript's references get the verdicts that they should, in order.
fn check(folder: &Path, name: &str, bytes: &[u8]) -> Vec<Value> {
    fs::write(folder.join(name), bytes).unwrap();
    let run = verify(folder, &[name, "--to", "jsonl"]);
    assert_eq!(run.code, 1, "{name}: {}", run.said);
    let lines: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let found: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["verdict"].as_str())
        .collect();
    assert_eq!(found, verdicts(), "{name}: {}", run.out);
    lines
}

#[test]
fn manuscript_check_finds_altered_and_invented_references_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let lines = check(folder, "paper.md", markdown().as_bytes());
    assert_eq!(lines[0]["line"], 7);
    let lines = check(folder, "paper.tex", tex().as_bytes());
    assert_eq!(lines[0]["line"], 19);
    let lines = check(folder, "paper.docx", &printed_docx());
    assert_eq!(lines[0]["paragraph"], 3);
    let bib: String = WORKS.iter().map(Cited::bibtex).collect();
    fs::write(folder.join("refs.bib"), bib).unwrap();
    let cites: Vec<String> = WORKS
        .iter()
        .map(|work| format!("As @{} says.", work.key))
        .collect();
    let keyed = format!("---\nbibliography: refs.bib\n---\n\n{}\n", cites.join("\n"));
    let lines = check(folder, "keyed.md", keyed.as_bytes());
    assert_eq!(
        (&lines[1]["file"], &lines[1]["line"]),
        (&json!("refs.bib"), &json!(9))
    );
    check(folder, "paper.html", html("").as_bytes());
}

#[test]
fn embedded_works_are_compared_with_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut printed: Vec<String> = WORKS
        .iter()
        .map(|work| work.printed(["", ""], "–"))
        .collect();
    check(folder.path(), "paper.docx", &zotero_docx(&printed));
    // The list prints another year than Zotero has, which is the right one.
    printed[0] = printed[0].replace("1944", "1949");
    fs::write(folder.path().join("edited.docx"), zotero_docx(&printed)).unwrap();
    let run = verify(folder.path(), &["edited.docx", "--to", "jsonl"]);
    let first: Value = serde_json::from_str(run.out.lines().next().unwrap()).unwrap();
    assert_eq!(first["verdict"], "mismatch", "{first}");
    assert_eq!(first["diffs"][0]["field"], "year");
    assert_eq!(
        (&first["diffs"][0]["given"], &first["diffs"][0]["found"]),
        (&json!("1949"), &json!("1944"))
    );
}

#[test]
fn reports_have_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("paper.tex"),
        tex().replace("As \\cite{avery} says.", "As \\cite{gone} says."),
    )
    .unwrap();
    let reports = [
        "report.html",
        "report.csv",
        "report.sarif",
        "report.jsonl",
        "report.txt",
    ];
    let options: Vec<&str> = reports.iter().flat_map(|name| ["--report", name]).collect();
    let run = verify(
        folder,
        &[&["paper.tex", "--to", "annotations"], &options[..]].concat(),
    );
    assert_eq!(run.code, 1, "{}", run.said);
    assert!(
        run.out
            .contains("::error file=paper.tex,line=24::not_found"),
        "{}",
        run.out
    );
    assert!(
        run.out
            .contains("::error file=paper.tex,line=4::No file defines “gone”."),
        "{}",
        run.out
    );
    let to_file = verify(folder, &["paper.tex", "--to", "annotations", "-o", "log"]);
    assert_eq!(to_file.out, "");
    assert_eq!(fs::read_to_string(folder.join("log")).unwrap(), run.out);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let page = read("report.html");
    for said in [
        "This server",
        "paper.tex:24",
        "14 · 9 <span",
        "No file defines “gone”.",
        "Nobody cites “avery”.",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let csv = read("report.csv");
    assert!(csv.contains("paper.tex,4,,gone,undefined_key,"), "{csv}");
    let log: Value = serde_json::from_str(&read("report.sarif")).unwrap();
    let results = list(&log["runs"][0]["results"]);
    assert_eq!(results.len(), 7, "{log}");
    assert_eq!(read("report.jsonl").lines().count(), 16);
    assert!(read("report.txt").ends_with("9 verified, 3 mismatch, 2 not_found\n"));
    let run = verify(folder, &["paper.tex", "--report", "report.exe"]);
    assert_eq!(run.code, 2, "{}", run.out);
}

#[test]
fn fix_changes_only_errors() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // A word of a title and a letter of a name, where the rest leaves no doubt.
    let words = [("jackknife", "bootstrap"), ("Laemmly", "Laemmli")];
    let altered = |text: String| {
        words.iter().fold(text, |text, (wrong, right)| {
            assert_eq!(text.matches(right).count(), 1, "{right}");
            text.replace(right, wrong)
        })
    };
    let bib: String = altered(WORKS.iter().map(Cited::bibtex).collect());
    let (markdown, tex) = (altered(markdown()), altered(tex()));
    let html = altered(html("\n"));
    let check = |name: &str, text: &str, changes: &[(&str, &str)]| {
        fs::write(folder.join(name), text).unwrap();
        let run = verify(folder, &[name, "--fix"]);
        assert_eq!(run.code, 1, "{}", run.said);
        assert!(
            run.out.contains(&format!("--- {name}\n+++ {name}\n@@ -")),
            "{}",
            run.out
        );
        let expected = changes.iter().fold(text.to_owned(), |text, (from, to)| {
            assert_eq!(text.matches(from).count(), 1, "{from}");
            text.replace(from, to)
        });
        let found = fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(found, expected, "{name}: {}{}", run.out, run.said);
    };
    let acm = "Communications of the ACM";
    check(
        "refs.bib",
        &bib,
        &[
            ("year = {1965}", "year = {1975}"),
            ("volume = {119}", "volume = {109}"),
            ("pages = {2492--2505}", "pages = {1492--1505}"),
            ("Journal of Symbolic Logic", acm),
            words[0],
            words[1],
        ],
    );
    let printed = [
        ("(1965)", "(1975)"),
        (", 119, ", ", 109, "),
        ("Journal of Symbolic Logic", acm),
        words[0],
        words[1],
    ];
    let dashed = |from, to| [&printed[..], &[(from, to)]].concat();
    check("paper.md", &markdown, &dashed("2492–2505", "1492–1505"));
    check("paper.tex", &tex, &dashed("2492--2505", "1492--1505"));
    check("paper.html", &html, &dashed("2492–2505", "1492–1505"));
    fs::write(folder.join("other.md"), &markdown).unwrap();
    verify(folder, &["other.md", "--fix", "-o", "fixed.md"]);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("other.md"), markdown);
    assert_eq!(read("fixed.md"), read("paper.md"));
}

/// A preprint, its publication, and an article with four authors.
const VERSIONS: &str = r#"{"id":"10.48550/arxiv.2101.00001","type":"article","title":"Coherent rings of slow light in folded lattices","author":[{"family":"Ash","given":"Anna"},{"family":"Birch","given":"Ben"}],"issued":{"date-parts":[[2021]]},"publisher":"arXiv","DOI":"10.48550/arxiv.2101.00001"}
{"id":"10.5555/ring.7","type":"article-journal","title":"Coherent rings of slow light in folded lattices","author":[{"family":"Ash","given":"Anna"},{"family":"Birch","given":"Ben"}],"issued":{"date-parts":[[2022]]},"container-title":"Journal of Lattice Optics","volume":"14","page":"210-225","DOI":"10.5555/ring.7"}
{"id":"10.5555/knot.1","type":"article-journal","title":"Molecular structure of woven knots: a structure for braids","author":[{"family":"Dogwood","given":"Dan"},{"family":"Elm","given":"Eve"},{"family":"Fir","given":"Fay"},{"family":"Gum","given":"Gus"}],"issued":{"date-parts":[[1998]]},"container-title":"Braids","volume":"17","page":"737-748","DOI":"10.5555/knot.1"}
"#;

/// A folder with a corpus of [`VERSIONS`].
fn folder_of_versions() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("works.jsonl"), VERSIONS).unwrap();
    let ingested = run(
        folder.path(),
        &["ingest", "--data", "data", "works.jsonl"],
        b"",
    );
    assert_eq!(ingested.code, 0, "{}", ingested.said);
    folder
}

#[test]
fn preprint_is_replaced_by_its_published_version_only_if_asked() {
    const PREPRINT: &str =
        "title = {Coherent rings of slow light in folded lattices}, year = {2021}";
    let folder = folder_of_versions();
    let folder = folder.path();
    let entry = |key: &str, place: &str| {
        format!("@misc{{{key}, author = {{Ash, Anna and Birch, Ben}}, {PREPRINT}, {place}}}\n")
    };
    let bib = [
        entry("a", "journal = {arXiv}, doi = {10.48550/arXiv.2101.00001}"),
        entry("b", "journal = {arXiv preprint arXiv:2101.00001}"),
        entry("c", "eprint = {2101.00001}, archiveprefix = {arXiv}"),
    ]
    .concat();
    let path = folder.join("refs.bib");
    fs::write(&path, &bib).unwrap();
    assert_eq!(verify(folder, &["refs.bib", "--fix"]).code, 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), bib);
    let run = verify(folder, &["refs.bib", "--fix", "--published"]);
    assert_eq!(run.code, 0, "{}", run.said);
    let place = "journal = {Journal of Lattice Optics}";
    let fixed = [
        entry("a", &format!("{place}, doi = {{10.5555/ring.7}}")),
        entry("b", place),
    ]
    .concat()
    .replace("{2021}", "{2022}");
    let fixed = fixed + &entry("c", "eprint = {2101.00001}, archiveprefix = {arXiv}");
    assert_eq!(fs::read_to_string(&path).unwrap(), fixed, "{}", run.out);
    let told = "refs.bib:3: The preprint has been published";
    assert!(run.said.contains(told), "{}", run.said);
}

#[test]
fn strictness_decides_on_unsure_verdicts() {
    let folder = folder_of_versions();
    let folder = folder.path();
    let text = "Molecular structure of woven knots: a structure for braids";
    let people = "Dogwood, Dan and Elm, Eve and Fir, Fay and Gum, Gus";
    let bib = format!(
        "@misc{{bare, title = {{{text}}}}}\n\
         @article{{whole, author = {{{people}}}, title = {{{text}}}, journal = {{Braids}}, year = {{1998}}}}\n\
         @article{{short, author = {{Dogwood, Dan}}, title = {{Molecular structure of woven knots}}}}\n"
    );
    fs::write(folder.join("refs.bib"), bib).unwrap();
    for (strictness, expected) in [
        ("strict", ["ambiguous", "verified", "mismatch"]),
        ("normal", ["verified", "verified", "mismatch"]),
        ("lenient", ["verified", "verified", "ambiguous"]),
    ] {
        let run = verify(
            folder,
            &["refs.bib", "--strictness", strictness, "--to", "jsonl"],
        );
        let lines = run
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let lines: Vec<Value> = lines.collect();
        let verdicts: Vec<&str> = { lines.iter() }
            .filter_map(|line| line["verdict"].as_str())
            .collect();
        assert_eq!(verdicts, expected, "{strictness}: {}", run.out);
    }
}

#[test]
fn printed_list_is_compared_with_all_authors() {
    let folder = folder_of_versions();
    let folder = folder.path();
    let rest =
        "Molecular structure of woven knots: a structure for braids. Braids. 1998;17:737-748.";
    for (people, verdict, given, found) in [
        (
            "Dogwood D, Elm E, Fir F, Gum G",
            "verified",
            Value::Null,
            Value::Null,
        ),
        (
            "Dogwood D, Elm E, et al",
            "verified",
            Value::Null,
            Value::Null,
        ),
        (
            "Dogwood D, Elm E, Fir F",
            "mismatch",
            Value::Null,
            "Gus Gum".into(),
        ),
        (
            "Dogwood D, Fir F, Gum G",
            "mismatch",
            Value::Null,
            "Eve Elm".into(),
        ),
        (
            "Dogwood D, Elm E, Oak O, Fir F, Gum G",
            "mismatch",
            "O Oak".into(),
            Value::Null,
        ),
        (
            "Dogwood D, Elm E, Fir F, Gum G, Oak O",
            "mismatch",
            "O Oak".into(),
            Value::Null,
        ),
        (
            "Dogwood D, Elm E, Oak O, Gum G",
            "mismatch",
            "O Oak".into(),
            "Fay Fir".into(),
        ),
    ] {
        fs::write(folder.join("refs.txt"), format!("{people}. {rest}\n")).unwrap();
        let run = verify(folder, &["refs.txt", "--to", "jsonl"]);
        let line: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(line["verdict"], verdict, "{people}: {line}");
        if verdict == "mismatch" {
            let difference = &line["diffs"][0];
            assert_eq!(difference["field"], "authors", "{people}: {line}");
            assert_eq!(difference["given"], given, "{people}: {line}");
            assert_eq!(difference["found"], found, "{people}: {line}");
        }
    }
}

#[test]
fn list_whose_style_cuts_authors_has_no_authors_left_out() {
    let folder = folder_of_versions();
    let folder = folder.path();
    let others = ["Rings", "Ropes", "Tides", "Shores", "Winds"].map(|subject| {
        format!(
            "Ash A, Birch B. On {subject} and other things. Journal of {subject}. 2001;3:4-9.\n\n"
        )
    });
    let cut = "Dogwood D, Elm E. Molecular structure of woven knots: a structure for braids. Braids. 1998;17:737-748.\n\n";
    let list = others.concat() + cut;
    for (list, verdict) in [
        (list.clone(), "verified"),
        (list.replacen("Birch B.", "Birch B, et al.", 1), "mismatch"),
    ] {
        fs::write(folder.join("refs.txt"), list).unwrap();
        let run = verify(folder, &["refs.txt", "--to", "jsonl"]);
        let last: Value = serde_json::from_str(run.out.lines().last().unwrap()).unwrap();
        assert_eq!(last["verdict"], verdict, "{last}");
    }
}

#[test]
fn fixed_docx_has_tracked_changes_for_libreoffice() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("paper.docx"), printed_docx()).unwrap();
    let run = verify(folder, &["paper.docx", "--fix"]);
    assert_eq!(run.code, 2, "{}", run.said);
    assert!(run.said.contains("--output"), "{}", run.said);
    let run = verify(folder, &["paper.docx", "--fix", "-o", "reviewed.docx"]);
    assert_eq!(run.code, 1, "{}", run.said);
    for change in [
        "@@ paragraph 5 @@\n-1965\n+1975",
        "@@ paragraph 8 @@\n# comment",
    ] {
        assert!(run.out.contains(change), "{change}: {}", run.out);
    }
    assert_eq!(fs::read(folder.join("paper.docx")).unwrap(), printed_docx());
    // Read again with its changes accepted, nothing is wrong but what nobody wrote.
    let again = verify(folder, &["reviewed.docx", "--to", "jsonl"]);
    for (verdict, expected) in [("verified", 12), ("not_found", 2)] {
        let verdict = format!("\"verdict\":\"{verdict}\"");
        let count = again.out.matches(&verdict).count();
        assert_eq!(count, expected, "{}", again.out);
    }
    let home = format!("-env:UserInstallation=file://{}/office", folder.display());
    let converted = std::process::Command::new("soffice")
        .args([&home, "--headless", "--convert-to", "odt", "reviewed.docx"])
        .current_dir(folder)
        .output();
    let Ok(converted) = converted else {
        println!("LibreOffice is not installed, so it was not asked");
        return;
    };
    let said = String::from_utf8_lossy(&converted.stderr).into_owned();
    let odt = fs::File::open(folder.join("reviewed.odt")).unwrap_or_else(|_| panic!("{said}"));
    let mut content = String::new();
    let mut archive = zip::ZipArchive::new(odt).unwrap();
    let mut part = archive.by_name("content.xml").unwrap();
    std::io::Read::read_to_string(&mut part, &mut content).unwrap();
    let changes = content.matches("<text:changed-region").count();
    let creators = content.matches("<dc:creator>Citation</dc:creator>").count();
    // The year, the volume, both pages and three words of a journal, each taken out and put in.
    assert_eq!((changes, creators), (14, 16), "{content}");
    assert_eq!(
        content.matches("<office:annotation ").count(),
        2,
        "{content}"
    );
}

#[test]
fn decision_is_kept_beside_the_file_and_shown_in_a_signed_report() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = "Nobody, N. (2001). An invention of this test alone. Nowhere 1, 2-3.";
    fs::write(folder.join("refs.txt"), format!("{text}\n")).unwrap();
    let decided = verify(
        folder,
        &[
            "refs.txt",
            "--real",
            text,
            "--why",
            "Seen on paper.",
            "--by",
            "Ann Ash",
        ],
    );
    assert_eq!(decided.code, 0, "{}{}", decided.out, decided.said);
    assert!(
        decided.out.contains("real, says Ann Ash on"),
        "{}",
        decided.out
    );
    let key = run(folder, &["report", "key", "key.pem"], b"").done();
    let report = ["refs.txt", "--report", "report.json", "--sign", "key.pem"];
    verify(folder, &report).done();
    let said = |arguments: &[&str]| {
        let checked = run(
            folder,
            &[&["report", "check", "report.json"], arguments].concat(),
            b"",
        );
        (checked.code, checked.out)
    };
    let (code, out) = said(&["--key", key.trim()]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("refs.txt: unchanged"), "{out}");
    assert_eq!(said(&["--key", "AAAA"]).0, 1);
    let json: Value =
        serde_json::from_slice(&fs::read(folder.join("report.json")).unwrap()).unwrap();
    assert_eq!(
        json["results"][0]["override"]["replaced"], "not_found",
        "{json}"
    );
    assert_eq!(json["run"]["local_only"], true, "{json}");
    assert_eq!(json["summary"], json!({"verified": 1}), "{json}");
    // The decision is about the reference as it was.
    fs::write(
        folder.join("refs.txt"),
        format!("{}\n", text.replace("2001", "2002")),
    )
    .unwrap();
    assert_eq!(verify(folder, &["refs.txt"]).code, 1);
    assert!(said(&[]).1.contains("refs.txt: changed"));
    fs::write(folder.join("report.json"), "{}").unwrap();
    assert_eq!(said(&[]).0, 1);
}
