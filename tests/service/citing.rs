//! `citation pandoc`, `cite` and `collect`, with the real program.

use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::list;
use crate::support::program::{Run, run};

const LIBRARY: &str = "@book{emma, author = {Austen, Jane}, title = {Emma}, year = 1815}\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        std::fs::write(folder.0.path().join("refs.bib"), LIBRARY).unwrap();
        folder
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> Run {
        let data = self.0.path().join("data");
        let data = data.to_str().unwrap();
        let all = [arguments, &["--init", "--data", data]].concat();
        run(self.0.path(), &all, input)
    }
}

fn cite(key: &str) -> Value {
    json!({"t": "Cite", "c": [[{
        "citationId": key, "citationPrefix": [], "citationSuffix": [], "citationNoteNum": 1,
        "citationMode": {"t": "NormalCitation"}, "citationHash": 0}], []]})
}

#[test]
fn filter_formats_citations_and_bibliography() {
    let folder = Folder::new();
    let document = json!({
        "pandoc-api-version": [1, 22, 2, 1],
        "meta": {"bibliography": {"t": "MetaString", "c": "refs.bib"}},
        "blocks": [{"t": "Para", "c": [cite("emma"), cite("doi:10.1038/171737a0"), cite("none")]}],
    });
    let input = serde_json::to_vec(&document).unwrap();
    let run = folder.run(
        &["pandoc", "html", "--style", "apa", "--local-only"],
        &input,
    );
    assert_eq!(run.code, 0, "{}", run.said);
    assert!(run.said.contains("“none”"), "{}", run.said);
    let set: Value = serde_json::from_str(&run.out).unwrap();
    let first = &set["blocks"][0]["c"][0]["c"][1];
    assert_eq!(first[0], json!({"t": "Str", "c": "(Austen,"}));
    let entries = list(&set["blocks"][1]["c"][1]);
    let ids: Vec<&str> = entries
        .iter()
        .filter_map(|entry| entry["c"][0][0].as_str())
        .collect();
    assert_eq!(ids, ["ref-emma", "ref-doi:10.1038/171737a0"]);
}

#[test]
fn cite_formats_manuscript() {
    let folder = Folder::new();
    folder.write(
        "paper.md",
        "---\nbibliography: refs.bib\n---\n\nSee [@emma, p. 3].\n",
    );
    let path = folder.0.path().join("paper.md");
    let run = folder.run(&["cite", path.to_str().unwrap(), "--style", "apa"], b"");
    assert_eq!((run.code, run.said.as_str()), (0, ""));
    assert!(
        run.out.contains("\nSee (Austen, 1815, p. 3).\n"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("Austen, J. (1815). *Emma*."),
        "{}",
        run.out
    );
}

#[test]
fn collect_keeps_keys_and_reports_missing_works() {
    let folder = Folder::new();
    folder.write("paper.tex", "\\cite{emma,none}\n\\bibliography{refs}\n");
    let path = folder.0.path().join("paper.tex");
    let out = folder.0.path().join("out.bib");
    let (path, out) = (path.to_str().unwrap(), out.to_str().unwrap());
    let run = folder.run(&["collect", path, "-o", out, "--local-only"], b"");
    assert_eq!(run.code, 1, "{}", run.said);
    assert!(run.said.contains("“none”"), "{}", run.said);
    let written = std::fs::read_to_string(Path::new(out)).unwrap();
    assert!(written.contains("{emma,"), "{written}");
}

#[test]
fn cite_lists_supported_formats() {
    let folder = Folder::new();
    folder.write("paper.rtf", "{\\rtf1 A (Doe 2001)\\par}");
    let run = folder.run(&["cite", "paper.rtf"], b"");
    assert_eq!(run.code, 2, "{}", run.said);
    let supported = "are set in Markdown, TeX, Typst, HTML, .docx and .odt alone";
    assert!(run.said.contains(supported), "{}", run.said);
}

/// A Word document with a marker, a citation of Zotero's and its list.
fn docx() -> Vec<u8> {
    let char = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let field = |code: &str, shown: &str| {
        let code = format!("<w:r><w:instrText>{code}</w:instrText></w:r>");
        let shown = format!("<w:r><w:t>{shown}</w:t></w:r>");
        [char("begin"), code, char("separate"), shown, char("end")].concat()
    };
    let item = "{\"id\":1,\"type\":\"book\",\"title\":\"Opticks\",\"author\":[{\"family\":\"Newton\",\"given\":\"Isaac\"}],\"issued\":{\"date-parts\":[[1704]]}}";
    let zotero = field(
        &format!(
            "ADDIN ZOTERO_ITEM CSL_CITATION {{\"citationItems\":[{{\"id\":1,\"itemData\":{item}}}]}}"
        ),
        "old",
    );
    let list = field("ADDIN ZOTERO_BIBL {} CSL_BIBLIOGRAPHY", "old list");
    let text = format!(
        "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body><w:p><w:r><w:t xml:space=\"preserve\">A novel [@emma, p. 3]. Light </w:t></w:r>{zotero}<w:r><w:t>.</w:t></w:r></w:p><w:p>{list}</w:p></w:body></w:document>"
    );
    let types = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>";
    let relations = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>";
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, part) in [
        ("[Content_Types].xml", types),
        ("_rels/.rels", relations),
        ("word/document.xml", &text),
    ] {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(name, options).unwrap();
        writer.write_all(part.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The text of a document as an office reads it, in OpenDocument; nothing where none is installed.
fn content(folder: &Path, file: &str) -> Option<String> {
    let home = format!("-env:UserInstallation=file://{}/office", folder.display());
    let converted = Command::new("soffice")
        .args([&home, "--headless", "--convert-to", "odt", file])
        .current_dir(folder)
        .output();
    let Ok(converted) = converted else {
        println!("LibreOffice is not installed, so it was not asked");
        return None;
    };
    let said = String::from_utf8_lossy(&converted.stderr).into_owned();
    let odt = std::fs::File::open(folder.join(file).with_extension("odt"));
    let mut archive = zip::ZipArchive::new(odt.unwrap_or_else(|_| panic!("{said}"))).unwrap();
    let mut content = String::new();
    let mut part = archive.by_name("content.xml").unwrap();
    part.read_to_string(&mut content).unwrap();
    Some(content)
}

/// A text without its tags.
fn without_tags(xml: &str) -> String {
    let pieces = xml
        .split('<')
        .map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
    pieces.collect()
}

#[test]
fn cited_docx_opens_in_libreoffice() {
    let folder = Folder::new();
    std::fs::write(folder.0.path().join("paper.docx"), docx()).unwrap();
    let cite = |style: &str, name: &str| {
        let path = folder.0.path();
        let (paper, library) = (path.join("paper.docx"), path.join("refs.bib"));
        let (paper, library) = (paper.to_str().unwrap(), library.to_str().unwrap());
        let out = path.join(name);
        let named = ["--bibliography", library, "-o", out.to_str().unwrap()];
        let run = folder.run(
            &[&["cite", paper, "--style", style][..], &named].concat(),
            b"",
        );
        assert_eq!((run.code, run.said.as_str()), (0, ""));
        content(path, name)
    };
    let Some(apa) = cite("apa", "apa.docx") else {
        return;
    };
    let text = without_tags(&apa);
    for expected in [
        "A novel (Austen, 1815, p. 3). Light (Newton, 1704).",
        "Austen, J. (1815). Emma.",
        "Newton, I. (1704). Opticks.",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("old"), "{text}");
    let style_of = |xml: &str, text: &str| {
        let before = xml.split(&format!(">{text}<")).next().unwrap();
        let name = before.rsplit("text:style-name=\"").next().unwrap();
        let name = name.split('"').next().unwrap().to_owned();
        let style = xml.split(&format!("style:name=\"{name}\"")).nth(1).unwrap();
        style.split("</style:style>").next().unwrap().to_owned()
    };
    assert!(
        style_of(&apa, "Emma").contains("fo:font-style=\"italic\""),
        "{apa}"
    );
    let notes = cite("chicago-notes-bibliography", "notes.docx").unwrap();
    assert_eq!(notes.matches("<text:note ").count(), 2, "{notes}");
    let text = without_tags(&notes);
    assert!(text.contains("Jane Austen, Emma (1815), 3."), "{text}");
    assert!(text.contains("Austen, Jane. Emma. 1815."), "{text}");
}
