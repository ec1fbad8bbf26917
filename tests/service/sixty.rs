//! A manuscript of sixty references in every format: works of the starter corpus, six of them altered,
//! and three invented ones. All nine are found, and at most one of the others is suspected.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::list;
use crate::support::program::run;

/// A work as the manuscript cites it.
#[derive(Clone, Default)]
struct Work {
    key: String,
    /// Family and initials.
    authors: Vec<[String; 2]>,
    year: i64,
    title: String,
    container: String,
    volume: String,
    pages: String,
    doi: Option<String>,
    is_false: bool,
}

const COUNT: usize = 60;
const PROSE: &str = "What follows is what a manuscript says before its list, and it says it at some length, so \
                     that nobody takes it for a list of references that somebody has pasted. ";

fn work(value: &Value) -> Option<Work> {
    let text = |name: &str| Some(value[name].as_str()?.to_owned());
    let author = |name: &Value| {
        let given = name["given"].as_str()?.split(['-', ' ', '.']);
        let initials = given.filter_map(|part| part.chars().next());
        let initials: Vec<String> = initials.map(|c| format!("{c}.")).collect();
        Some([name["family"].as_str()?.to_owned(), initials.join(" ")])
    };
    let authors = value["author"].as_array()?.iter().map(author);
    Some(Work {
        key: text("id")?,
        authors: authors.collect::<Option<_>>()?,
        year: value["issued"]["date-parts"][0][0].as_i64()?,
        title: text("title")?,
        container: text("container-title")?,
        volume: text("volume")?,
        pages: text("page").filter(|pages| pages.contains('-'))?,
        doi: text("DOI"),
        is_false: false,
    })
}

/// Articles of the starter corpus, spread over its subjects; their letters are those of every font.
fn articles() -> Vec<Work> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let read = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(corpus.join(name)).unwrap()).unwrap()
    };
    let notices = read("notices.json").to_string();
    let mut names: Vec<String> = { fs::read_dir(&corpus).unwrap() }
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".json") && name != "notices.json")
        .collect();
    names.sort();
    let mut works = Vec::new();
    for name in names {
        let all = read(&name);
        let articles = list(&all).iter();
        let articles = articles.filter(|value| value["type"] == "article-journal");
        works.extend(articles.filter_map(work));
    }
    works.retain(|work| {
        let is_noted = work.doi.as_ref().is_some_and(|doi| notices.contains(doi));
        !is_noted && work.authors.len() < 5 && latin(&work.printed(["", ""], "")).is_some()
    });
    let step = works.len() / COUNT;
    works.into_iter().step_by(step).take(COUNT).collect()
}

fn works() -> Vec<Work> {
    let mut works = articles();
    assert_eq!(works.len(), COUNT);
    let other = works[1].doi.clone();
    for (n, work) in works.iter_mut().enumerate() {
        // Every other list prints none.
        if n % 2 == 1 {
            work.doi = None;
        }
        work.is_false = n % 10 == 5 || n % 20 == 8;
        match n {
            5 => work.year += 11,
            15 => work.authors[0][0] = "Wrongman".to_owned(),
            25 => (work.volume, work.pages) = ("977".to_owned(), "3001-3017".to_owned()),
            35 => work.container = "Journal of Imaginary Symbols".to_owned(),
            45 => {
                let words: Vec<&str> = work.title.split(' ').collect();
                let rest = words.len() - 2;
                work.title = format!("{} Marzipan elephants", words[..rest].join(" "));
            }
            55 => work.doi = other.clone(),
            8 | 28 | 48 => {
                *work = Work {
                    key: format!("nobody{n}"),
                    authors: vec![["Nobody".to_owned(), "N.".to_owned()]],
                    year: 1990 + n as i64 / 2,
                    title: format!("Quite imaginary musings upon {n} unwritten gardens"),
                    container: "Annals of Fancy".to_owned(),
                    volume: n.to_string(),
                    pages: format!("{n}1-{n}9"),
                    doi: None,
                    is_false: true,
                }
            }
            _ => {}
        }
    }
    assert_eq!(works.iter().filter(|work| work.is_false).count(), 9);
    works
}

impl Work {
    fn printed(&self, [open, close]: [&str; 2], dash: &str) -> String {
        let names: Vec<String> = { self.authors.iter() }
            .map(|[family, initials]| format!("{family}, {initials}"))
            .collect();
        let names = match names.as_slice() {
            [others @ .., last] if !others.is_empty() => {
                format!("{}, and {last}", others.join(", "))
            }
            names => names.concat(),
        };
        let Work {
            year,
            title,
            container,
            volume,
            ..
        } = self;
        let pages = self.pages.replace('-', dash);
        let doi = self
            .doi
            .as_ref()
            .map(|doi| format!(" https://doi.org/{doi}"));
        format!(
            "{names} ({year}). {title}. {open}{container}{close}, {volume}, {pages}.{}",
            doi.unwrap_or_default()
        )
    }

    fn bibtex(&self) -> String {
        let names = self
            .authors
            .iter()
            .map(|[family, initials]| format!("{family}, {initials}"));
        let Work {
            key,
            year,
            title,
            container,
            volume,
            pages,
            ..
        } = self;
        let names = names.collect::<Vec<_>>().join(" and ");
        let doi = self.doi.as_ref().map(|doi| format!(", doi = {{{doi}}}"));
        format!(
            "@article{{{key}, author = {{{names}}}, title = {{{{{title}}}}}, journal = {{{container}}}, year = {year}, volume = {{{volume}}}, pages = {{{pages}}}{}}}\n",
            doi.unwrap_or_default().replace('_', "\\_")
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn zip(parts: &[(&str, String)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A text in Windows' Latin, as fonts of PDFs have it.
fn latin(text: &str) -> Option<Vec<u8>> {
    let byte = |c| match c {
        '–' => Some(0x96),
        '’' => Some(0x92),
        '“' => Some(0x93),
        '”' => Some(0x94),
        c => u8::try_from(c)
            .ok()
            .filter(|byte| !(0x80..0xa0).contains(byte)),
    };
    text.chars().map(byte).collect()
}

/// Lines of a paragraph, none longer than a page is wide.
fn lines(text: &str) -> Vec<String> {
    const MAX_WIDTH: usize = 88;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < MAX_WIDTH => {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Pages with a number at their foot; entries are numbered and hang.
fn pdf(list: &[String]) -> Vec<u8> {
    const LINES: usize = 48;
    let mut printed: Vec<(u32, String)> = Vec::new();
    printed.extend(lines(&PROSE.repeat(6)).into_iter().map(|line| (60, line)));
    printed.push((60, String::new()));
    printed.push((60, "References".to_owned()));
    for (n, entry) in list.iter().enumerate() {
        let entry = format!("[{}] {entry}", n + 1);
        let hanging = lines(&entry).into_iter().enumerate();
        printed.extend(hanging.map(|(n, line)| (if n == 0 { 60 } else { 78 }, line)));
    }
    let pages: Vec<&[(u32, String)]> = printed.chunks(LINES).collect();
    let kids: Vec<String> = (0..pages.len())
        .map(|n| format!("{} 0 R", 10 + 2 * n))
        .collect();
    let mut out = format!(
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count {}/Kids[{}]/MediaBox[0 0 600 800]>>endobj\n3 0 obj<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>>>>>endobj\n",
        pages.len(),
        kids.join(" ")
    )
    .into_bytes();
    for (n, page) in pages.iter().enumerate() {
        let mut content = Vec::new();
        let last = (300, format!("{}", n + 1));
        for (at, (x, line)) in page.iter().chain([&last]).enumerate() {
            let y = if at == page.len() { 30 } else { 750 - 14 * at };
            write!(content, "BT /F 10 Tf 1 0 0 1 {x} {y} Tm (").unwrap();
            for byte in latin(line).unwrap() {
                if matches!(byte, b'(' | b')' | b'\\') {
                    content.push(b'\\');
                }
                content.push(byte);
            }
            content.extend(b") Tj ET\n");
        }
        let (object, stream) = (10 + 2 * n, 11 + 2 * n);
        write!(
            out,
            "{object} 0 obj<</Type/Page/Parent 2 0 R/Resources 3 0 R/Contents {stream} 0 R>>endobj\n{stream} 0 obj<</Length {}>>stream\n",
            content.len()
        )
        .unwrap();
        out.extend(content);
        out.extend(b"\nendstream endobj\n");
    }
    out.extend(b"trailer<</Root 1 0 R/Size 500>>\n%%EOF\n");
    out
}

fn rtf(paragraphs: &[String]) -> String {
    let mut out = "{\\rtf1\\ansi\\ansicpg1252 ".to_owned();
    for paragraph in paragraphs {
        for c in paragraph.chars() {
            match c {
                '\\' | '{' | '}' => write!(out, "\\{c}").unwrap(),
                c if c.is_ascii() => out.push(c),
                c => write!(out, "\\u{}?", u32::from(c)).unwrap(),
            }
        }
        out.push_str("\\par\n");
    }
    out.push('}');
    out
}

/// The manuscript in each format, by its name.
fn manuscripts(works: &[Work]) -> Vec<(&'static str, Vec<u8>)> {
    let printed = |emphasis, dash| -> Vec<String> {
        works
            .iter()
            .map(|work| work.printed(emphasis, dash))
            .collect()
    };
    let plain = printed(["", ""], "–");
    let before = [PROSE.repeat(6), "References".to_owned()];
    let paragraphs: Vec<String> = before.iter().chain(&plain).cloned().collect();
    let marked = |open: &str, close: &str| -> String {
        let marked = paragraphs
            .iter()
            .map(|text| format!("{open}{}{close}", escaped(text)));
        marked.collect()
    };
    let tex: Vec<String> = { works.iter() }
        .map(|work| {
            let entry = work
                .printed(["\\emph{", "}"], "--")
                .replace('&', "\\&")
                .replace('_', "\\_");
            format!("\\bibitem{{{}}} {entry}", work.key)
        })
        .collect();
    let cited = |sign: &str, end: &str| -> String {
        let cited = works
            .iter()
            .map(|work| format!("As {sign}{}{end} says.\n", work.key));
        cited.collect()
    };
    let docx = format!(
        "<w:document xmlns:w=\"w\"><w:body>{}</w:body></w:document>",
        marked("<w:p><w:r><w:t>", "</w:t></w:r></w:p>")
    );
    let odt = format!(
        "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\"><office:body><office:text>{}</office:text></office:body></office:document-content>",
        marked("<text:p>", "</text:p>")
    );
    let items = plain
        .iter()
        .map(|entry| format!("<li>{}</li>\n", escaped(entry)));
    let html = format!(
        "<!doctype html><html><body><p>{}</p><h2>References</h2><ol>{}</ol></body></html>",
        before[0],
        items.collect::<String>()
    );
    vec![
        (
            "paper.tex",
            format!(
                "\\documentclass{{article}}\\begin{{document}}\n{}{}\\begin{{thebibliography}}{{9}}\n{}\n\\end{{thebibliography}}\\end{{document}}\n",
                before[0],
                cited("\\cite{", "}"),
                tex.join("\n")
            )
            .into_bytes(),
        ),
        (
            "paper.md",
            format!("{}\n\n# References\n\n{}\n", before[0], printed(["*", "*"], "–").join("\n\n")).into_bytes(),
        ),
        ("paper.typ", format!("{}\n#bibliography(\"refs.bib\")\n", cited("@", "")).into_bytes()),
        ("paper.html", html.into_bytes()),
        ("paper.docx", zip(&[("[Content_Types].xml", "<Types/>".to_owned()), ("word/document.xml", docx)])),
        ("paper.odt", zip(&[("mimetype", "application/vnd.oasis.opendocument.text".to_owned()), ("content.xml", odt)])),
        ("paper.rtf", rtf(&paragraphs).into_bytes()),
        ("paper.pdf", pdf(&plain)),
    ]
}

#[test]
fn manuscript_check_finds_nine_false_references_among_sixty() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let works = works();
    fs::write(
        folder.join("refs.bib"),
        works.iter().map(Work::bibtex).collect::<String>(),
    )
    .unwrap();
    for (name, bytes) in manuscripts(&works) {
        fs::write(folder.join(name), bytes).unwrap();
        let arguments = [
            "--init",
            "verify",
            "--local-only",
            "--data",
            "data",
            name,
            "--to",
            "jsonl",
        ];
        let run = run(folder, &arguments, b"");
        assert_eq!(run.code, 1, "{name}: {}", run.said);
        let lines: Vec<Value> = { run.out.lines() }
            .map(|line| serde_json::from_str(line).unwrap())
            .filter(|line: &Value| !line["verdict"].is_null())
            .collect();
        assert_eq!(lines.len(), COUNT, "{name}: {}", run.out);
        let mut suspected = Vec::new();
        for (work, line) in works.iter().zip(&lines) {
            let is_suspected = line["verdict"] != "verified";
            assert!(
                is_suspected || !work.is_false,
                "{name}: {}: {line}",
                work.key
            );
            if is_suspected && !work.is_false {
                suspected.push(line.to_string());
            }
        }
        assert!(suspected.len() <= 1, "{name}: {suspected:#?}");
    }
}
