//! Build script: packs the embedded data. Citation styles and locales are extracted from the archive of the
//! `hayagriva` crate and converted back to their original XML; the works of the starter corpus come from
//! `corpus/`.
//!
//! OUT_DIR receives `styles.bin` and `locales.bin` with one compressed frame per file, `embedded.rs` with
//! the tables of frames, `starter.json.zst`, `notices.json.zst` and `journals.tsv.zst`.

#![allow(clippy::string_slice, reason = "offsets were found in the same text")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use citationberg::LocaleFile;
use hayagriva::archive::{self, ArchivedStyle};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The zstd level. Higher levels hardly reduce the size and slow the build noticeably.
const LEVEL: i32 = 12;

/// The zstd level for the journals, the largest text; takes a second.
const JOURNALS_LEVEL: i32 = 19;

/// The works of the starter corpus, from the crate's folder.
const CORPUS: &str = "../../corpus";

/// The file of `corpus/` that holds retractions and corrections instead of works.
const NOTICES: &str = "notices.json";

fn main() -> Outcome<()> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    let mut tables = String::new();
    write_styles(&out, &mut tables)?;
    write_locales(&out, &mut tables)?;
    fs::write(out.join("embedded.rs"), tables)?;
    write_corpus(&out)?;
    write_journals(&out)
}

fn write_styles(out: &Path, tables: &mut String) -> Outcome<()> {
    // A map sorts by name and removes duplicate names of the archive.
    let mut styles = BTreeMap::new();
    for style in ArchivedStyle::all() {
        let name = last_segment(style.csl_id()).to_owned();
        styles.insert(name, mend(&style.get().to_xml()?, "style"));
    }
    tables.push_str(&pack("STYLES", &styles, &out.join("styles.bin"))?);
    Ok(())
}

fn write_locales(out: &Path, tables: &mut String) -> Outcome<()> {
    let mut locales = BTreeMap::new();
    for locale in archive::locales() {
        let lang = locale
            .lang
            .ok_or("a locale of the archive has no language")?;
        let file = LocaleFile {
            version: "1.0".to_owned(),
            lang: lang.clone(),
            info: locale.info,
            terms: locale.terms,
            date: locale.date,
            style_options: locale.style_options,
        };
        locales.insert(lang.0, mend(&file.to_xml()?, "locale"));
    }
    tables.push_str(&pack("LOCALES", &locales, &out.join("locales.bin"))?);
    Ok(())
}

/// Compresses each text separately, so that it can be read without the rest. Returns the table as source
/// text.
fn pack(table: &str, texts: &BTreeMap<String, String>, file: &Path) -> Outcome<String> {
    let mut source = format!("static {table}: &[Embedded] = &[\n");
    let mut frames = Vec::new();
    for (name, text) in texts {
        let offset = frames.len();
        frames.extend(zstd::bulk::compress(text.as_bytes(), LEVEL)?);
        let length = frames.len() - offset;
        let size = text.len();
        writeln!(
            source,
            "    Embedded {{ name: {name:?}, offset: {offset}, length: {length}, size: {size} }},",
        )?;
    }
    source.push_str("];\n");
    fs::write(file, frames)?;
    Ok(source)
}

/// `apa` of `http://www.zotero.org/styles/apa`: the file name of a style.
fn last_segment(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

// ---- restoring the original XML ----

/// Attributes that the archive writes although they equal the default. Omitting them does not change the
/// meaning.
const DEFAULTS: &[(&str, &str, &str)] = &[
    ("bibliography", "entry-spacing", "1"),
    ("bibliography", "hanging-indent", "false"),
    ("bibliography", "line-spacing", "1"),
    (
        "bibliography",
        "subsequent-author-substitute-rule",
        "complete-all",
    ),
    ("citation", "disambiguate-add-givenname", "false"),
    ("citation", "disambiguate-add-names", "false"),
    ("citation", "disambiguate-add-year-suffix", "false"),
    ("citation", "givenname-disambiguation-rule", "by-cite"),
    ("citation", "near-note-distance", "5"),
    ("date-part", "strip-periods", "false"),
    ("else-if", "match", "all"),
    ("et-al", "term", "et al"),
    ("if", "match", "all"),
    ("key", "sort", "ascending"),
    ("label", "form", "long"),
    ("label", "plural", "contextual"),
    ("label", "strip-periods", "false"),
    ("number", "form", "numeric"),
    ("style", "demote-non-dropping-particle", "display-and-sort"),
    ("style", "initialize-with-hyphen", "true"),
    ("term", "form", "long"),
    ("text", "form", "long"),
    ("text", "plural", "false"),
    ("text", "quotes", "false"),
    ("text", "strip-periods", "false"),
];

/// Names that the archive spells differently from CSL's own files: attribute, its spelling, CSL's spelling.
/// They are terms and locators, which share their spelling.
const SPELLINGS: &[(&str, &str, &str)] = &[
    ("locator", "sub&#32;verbo", "sub-verbo"),
    ("name", "and-others", "and others"),
    ("name", "printing-number", "printing"),
    ("name", "sub verbo", "sub-verbo"),
    ("page-range-format", "chicago-15", "chicago"),
    ("term", "and-others", "and others"),
    ("term", "printing-number", "printing"),
    ("term", "sub verbo", "sub-verbo"),
];

/// Converts the archive's XML to a CSL file: the correct root element in CSL's namespace, original
/// spellings, no attributes that repeat a default, and escaped line breaks and tabs in attributes, which a
/// parser would otherwise turn into spaces.
fn mend(xml: &str, root: &str) -> String {
    // The archive names the root of a locale like that of a style.
    let body = xml
        .strip_prefix("<style")
        .and_then(|xml| xml.strip_suffix("</style>"));
    let Some(body) = body else {
        return xml.to_owned();
    };
    let mut mended = format!("<{root} xmlns=\"http://purl.org/net/xbiblio/csl\"");
    let mut rest = body;
    let mut element = root;
    loop {
        // `rest` begins with the attributes of an opening tag, or at their position.
        let tag_end = end_of_tag(rest);
        let (attributes, after) = rest.split_at(tag_end);
        let old_name = is_old_translator_term(element, attributes, after);
        write_attributes(&mut mended, element, attributes, old_name);
        let next = next_element(after);
        mended.push_str(&after[..next]);
        rest = &after[next..];
        if rest.is_empty() {
            break;
        }
        element = rest
            .get(1..)
            .map_or("", |name| &name[..name.find([' ', '/', '>']).unwrap_or(0)]);
        mended.push_str(&rest[..=element.len()]);
        rest = &rest[element.len() + 1..];
    }
    let _ = write!(mended, "</{root}>");
    mended
}

/// The end of the tag whose attributes begin `text`: its `>` or `/>`, which no value contains.
fn end_of_tag(text: &str) -> usize {
    let end = text.find('>').unwrap_or(text.len());
    if text[..end].ends_with('/') {
        end - 1
    } else {
        end
    }
}

/// The position of the next opening tag, or the end.
fn next_element(text: &str) -> usize {
    let opening = text
        .match_indices('<')
        .find(|(at, _)| !text[at + 1..].starts_with('/'));
    opening.map_or(text.len(), |(at, _)| at)
}

/// Rewrites the attributes ` a="1" b="2"` of an element.
fn write_attributes(out: &mut String, element: &str, attributes: &str, old_name: bool) {
    let mut rest = attributes;
    while let Some((name, quoted)) = rest.split_once("=\"") {
        let (value, after) = quoted.split_once('"').unwrap_or((quoted, ""));
        let name = name.trim_start();
        rest = after;
        if DEFAULTS.contains(&(element, name, value)) {
            continue;
        }
        let value = if old_name && name == "name" {
            "editortranslator".to_owned()
        } else {
            respelt(name, value)
        };
        let value = value
            .replace('\t', "&#9;")
            .replace('\n', "&#10;")
            .replace('\r', "&#13;");
        let _ = write!(out, " {name}=\"{value}\"");
    }
}

/// The value, or each value of a list, in the spelling of CSL's own files.
fn respelt(name: &str, value: &str) -> String {
    let own = |value| {
        let known = SPELLINGS.iter().find(|(n, v, _)| *n == name && *v == value);
        known.map(|(_, _, own)| *own)
    };
    match own(value) {
        Some(own) => own.to_owned(),
        None => value
            .split(' ')
            .map(|part| own(part).unwrap_or(part))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// Whether a term was `editortranslator`, the older name of `editor-translator`. The archive uses the newer
/// name for both. In files with both, the older one is last; files with one have the older.
fn is_old_translator_term(element: &str, attributes: &str, after: &str) -> bool {
    let block = after.split("</terms>").next().unwrap_or(after);
    element == "term"
        && attributes.starts_with(" name=\"editor-translator\"")
        && !block.contains(&format!("<term{attributes}>"))
}

// ---- the starter corpus ----

/// The lists of journals, from the crate's folder.
const JOURNALS: [&str; 2] = [
    "../../corpus/journals/general.tsv",
    "../../corpus/journals/medicine.tsv",
];

/// Concatenates the lists of journals.
fn write_journals(out: &Path) -> Outcome<()> {
    let lists: Result<Vec<String>, _> = JOURNALS.iter().map(fs::read_to_string).collect();
    let packed = zstd::bulk::compress(lists?.concat().as_bytes(), JOURNALS_LEVEL)?;
    fs::write(out.join("journals.tsv.zst"), packed)?;
    Ok(())
}

/// Concatenates the arrays of `corpus/*.json`, ordered by file name.
fn write_corpus(out: &Path) -> Outcome<()> {
    println!("cargo::rerun-if-changed={CORPUS}");
    let mut works = Vec::new();
    let mut notices = "[]".to_owned();
    for path in corpus_files()? {
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(&path)?;
        if path.ends_with(NOTICES) {
            notices = text;
            continue;
        }
        let array = text
            .trim()
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        let elements = array.ok_or_else(|| format!("{} is not a JSON array", path.display()))?;
        if !elements.trim().is_empty() {
            works.push(elements.trim().to_owned());
        }
    }
    let works = format!("[{}]", works.join(",\n"));
    fs::write(
        out.join("starter.json.zst"),
        zstd::bulk::compress(works.as_bytes(), LEVEL)?,
    )?;
    fs::write(
        out.join("notices.json.zst"),
        zstd::bulk::compress(notices.as_bytes(), LEVEL)?,
    )?;
    Ok(())
}

fn corpus_files() -> Outcome<Vec<PathBuf>> {
    let Ok(folder) = fs::read_dir(CORPUS) else {
        return Ok(Vec::new());
    };
    let paths: Result<Vec<PathBuf>, _> = folder
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut paths = paths?;
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    });
    paths.sort();
    Ok(paths)
}
