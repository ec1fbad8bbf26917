//! Word documents with the fields of citation programs, made for tests.

use std::io::{Cursor, Read, Write};

use base64::Engine;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

const NAMESPACE: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>"#;

/// A work, and where programs keep it.
#[derive(Clone, Copy)]
pub struct Work {
    pub family: &'static str,
    pub year: &'static str,
    pub title: &'static str,
    pub doi: Option<&'static str>,
    pub library: &'static str,
    pub number: u32,
}

pub const fn work(
    family: &'static str,
    year: &'static str,
    title: &'static str,
    library: &'static str,
    number: u32,
) -> Work {
    Work {
        family,
        year,
        title,
        doi: None,
        library,
        number,
    }
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

pub fn run(text: &str) -> String {
    format!(
        "<w:r><w:t xml:space=\"preserve\">{}</w:t></w:r>",
        escaped(text)
    )
}

pub fn paragraph(inside: &[String]) -> String {
    format!("<w:p>{}</w:p>", inside.concat())
}

fn character(kind: &str, inside: &str) -> String {
    format!("<w:r><w:fldChar w:fldCharType=\"{kind}\">{inside}</w:fldChar></w:r>")
}

fn code(code: &str) -> String {
    format!(
        "<w:r><w:instrText xml:space=\"preserve\">{}</w:instrText></w:r>",
        escaped(code)
    )
}

/// A field with its code in two pieces.
pub fn field(instruction: &str, result: &str) -> String {
    let middle = (0..=instruction.len() / 2)
        .rev()
        .find(|at| instruction.is_char_boundary(*at));
    let (one, other) = instruction.split_at(middle.unwrap_or(0));
    [
        character("begin", ""),
        code(one),
        code(other),
        character("separate", ""),
        run(result),
        character("end", ""),
    ]
    .concat()
}

pub fn simple_field(instruction: &str, inside: &str) -> String {
    let instruction = escaped(instruction);
    format!("<w:fldSimple w:instr=\"{instruction}\">{inside}</w:fldSimple>")
}

/// Where EndNote keeps the data of a citation.
#[derive(Clone, Copy, Debug)]
pub enum DataPlace {
    Code,
    /// In the field, and again in a field of its code.
    FieldAndInner,
    /// In the inner field alone.
    Inner,
    Simple,
}

pub fn endnote(cites: &[(&str, Work)], result: &str, place: DataPlace, end: &str) -> String {
    let xml = endnote_xml(cites);
    let data = format!(
        "<w:fldData xml:space=\"preserve\">{}</w:fldData>",
        encoded(&xml, end)
    );
    let outer = match place {
        DataPlace::Code => return field(&format!(" ADDIN EN.CITE {xml}"), result),
        DataPlace::Simple => {
            return simple_field(" ADDIN EN.CITE ", &format!("{data}{}", run(result)));
        }
        DataPlace::FieldAndInner => data.as_str(),
        DataPlace::Inner => "",
    };
    [
        character("begin", outer),
        code(" ADDIN EN.CITE "),
        character("begin", &data),
        code(" ADDIN EN.CITE.DATA "),
        character("end", ""),
        character("separate", ""),
        run(result),
        character("end", ""),
    ]
    .concat()
}

/// Base64 in lines; `end` replaces its last group, which holds a NUL.
fn encoded(xml: &str, end: &str) -> String {
    let mut xml = xml.to_owned();
    while !xml.len().is_multiple_of(3) {
        xml.push(' ');
    }
    let text = base64::engine::general_purpose::STANDARD.encode(xml);
    let lines: Vec<&str> = (0..text.len())
        .step_by(76)
        .map(|at| &text[at..(at + 76).min(text.len())])
        .collect();
    format!("{}{end}", lines.join("\r\n"))
}

fn endnote_xml(cites: &[(&str, Work)]) -> String {
    let cites: String = { cites.iter() }
        .map(|(attributes, work)| {
            let Work { family, year, title, library, number, .. } = work;
            let doi = work.doi.map(|doi| format!("<electronic-resource-num>{doi}</electronic-resource-num>"));
            format!(
                "<Cite{attributes}><Author>{family}</Author><Year>{year}</Year><RecNum>{number}</RecNum><DisplayText>(x)</DisplayText><record><rec-number>{number}</rec-number><foreign-keys><key app=\"EN\" db-id=\"{library}\">{number}</key></foreign-keys><ref-type name=\"Journal Article\">17</ref-type><contributors><authors><author>{family}, Jane</author></authors></contributors><titles><title>{title}</title><secondary-title>Journal of Tests</secondary-title></titles><dates><year>{year}</year></dates>{}</record></Cite>",
                doi.unwrap_or_default()
            )
        })
        .collect();
    format!("<EndNote>{cites}</EndNote>")
}

fn csl(work: Work, id: &str) -> Value {
    let mut item = json!({
        "id": id, "type": "article-journal", "title": work.title, "container-title": "Journal of Tests",
        "author": [{"family": work.family, "given": "Jane"}], "issued": {"date-parts": [[work.year]]},
    });
    if let Some(doi) = work.doi {
        item["DOI"] = json!(doi);
    }
    item
}

/// A citation of Mendeley, whose items are numbered within it.
pub fn mendeley(works: &[Work], printed: &str, result: &str, manual: Option<&str>) -> String {
    let items: Vec<Value> = { works.iter().zip(1..) }
        .map(|(work, n)| {
            let id = format!("ITEM-{n}");
            let uri = format!(
                "http://www.mendeley.com/documents/?uuid={}-{}",
                work.library, work.number
            );
            json!({"id": id, "itemData": csl(*work, &id), "uris": [uri]})
        })
        .collect();
    let mut citation = json!({
        "citationItems": items,
        "mendeley": {"formattedCitation": printed, "plainTextFormattedCitation": printed, "previouslyFormattedCitation": printed},
        "properties": {"noteIndex": 0},
    });
    if let Some(manual) = manual {
        citation["mendeley"]["manualFormatting"] = json!(manual);
    }
    field(&format!("ADDIN CSL_CITATION {citation}"), result)
}

pub fn zotero(works: &[Work], printed: &str, result: &str) -> String {
    let items: Vec<Value> = { works.iter() }
        .map(|work| {
            let uri = format!("http://zotero.org/users/{}/items/{}", work.library, work.number);
            json!({"id": work.number, "uris": [uri], "itemData": csl(*work, &work.number.to_string())})
        })
        .collect();
    let citation = json!({
        "citationID": "a1", "citationItems": items,
        "properties": {"formattedCitation": printed, "plainCitation": printed, "noteIndex": 0},
    });
    field(
        &format!(" ADDIN ZOTERO_ITEM CSL_CITATION {citation} "),
        result,
    )
}

/// A list that a program maintains, over several paragraphs.
pub fn list(instruction: &str, entries: &[&str]) -> String {
    let begin = [
        character("begin", ""),
        code(instruction),
        character("separate", ""),
    ]
    .concat();
    let mut paragraphs: Vec<String> = entries.iter().map(|entry| run(entry)).collect();
    if let Some(first) = paragraphs.first_mut() {
        first.insert_str(0, &begin);
    }
    if let Some(last) = paragraphs.last_mut() {
        last.push_str(&character("end", ""));
    }
    { paragraphs.into_iter() }
        .map(|inside| paragraph(&[inside]))
        .collect()
}

/// Word's sources, by tag.
pub fn sources(works: &[(&str, Work)]) -> String {
    let sources: String = { works.iter() }
        .map(|(tag, Work { family, year, title, .. })| format!("<b:Source><b:Tag>{tag}</b:Tag><b:SourceType>JournalArticle</b:SourceType><b:Title>{title}</b:Title><b:JournalName>Journal of Tests</b:JournalName><b:Year>{year}</b:Year><b:Author><b:Author><b:NameList><b:Person><b:Last>{family}</b:Last><b:First>Jane</b:First></b:Person></b:NameList></b:Author></b:Author></b:Source>"))
        .collect();
    format!(
        "<b:Sources xmlns:b=\"http://schemas.openxmlformats.org/officeDocument/2006/bibliography\">{sources}</b:Sources>"
    )
}

pub fn package(body: &str, further: &[(&str, &str)]) -> Vec<u8> {
    let text = format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"{NAMESPACE}\"><w:body>{body}<w:sectPr/></w:body></w:document>"
    );
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let parts = [("[Content_Types].xml", TYPES), ("word/document.xml", &text)];
    for (name, text) in parts.iter().chain(further) {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub fn footnotes(notes: &[String]) -> String {
    let notes: String = { notes.iter().zip(2..) }
        .map(|(inside, id)| format!("<w:footnote w:id=\"{id}\"><w:p>{inside}</w:p></w:footnote>"))
        .collect();
    format!("<w:footnotes xmlns:w=\"{NAMESPACE}\">{notes}</w:footnotes>")
}

/// The parts of a package with their bytes, in order.
pub fn parts(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|n| {
            let mut part = archive.by_index(n).unwrap();
            let mut bytes = Vec::new();
            part.read_to_end(&mut bytes).unwrap();
            (part.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

pub fn part(bytes: &[u8], name: &str) -> String {
    let mut all = parts(bytes).into_iter();
    let found = all.find(|(other, _)| other == name);
    String::from_utf8(found.map(|(_, bytes)| bytes).unwrap_or_default()).unwrap()
}

/// The printed text of markup: paragraphs in lines, without the codes of fields.
pub fn printed(markup: &str) -> String {
    let mut out = String::new();
    for paragraph in markup.split("</w:p>") {
        let mut rest = paragraph;
        while let Some(at) = rest.find("<w:t") {
            let tag = &rest[at..];
            let Some((open, behind)) = tag.split_once('>') else {
                break;
            };
            rest = behind;
            if (open == "<w:t" || open.starts_with("<w:t ")) && !open.ends_with('/') {
                let (text, behind) = behind.split_once("</w:t>").unwrap_or((behind, ""));
                out.push_str(text);
                rest = behind;
            }
        }
        out.push('\n');
    }
    out.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}
