//! Writes items as BibTeX and biblatex, the inverse of `fields`, with a shared table.

use serde_json::Value;

use super::dates::{read_date, read_year};
use super::encode::{LatexEncoding, encode, group};
use super::fields::{NAMES, NUMBERS, ORCIDS, TEXTS, number_variable, settled_kind};
use super::kinds::{Dialect, own_genre, read_kind, write_kind};
use super::names::{Particle, parse_names};
use super::verbatim;
use crate::WriteOptions;
use crate::cost::spend_written;
use crate::keys;
use citation_fields::latex::LatexMarkup;
use citation_fields::{identifiers, languages};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateEnd};
use citation_model::item::{AND_OTHERS, Item};
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Writes items as entries separated by a blank line.
pub(crate) fn write(
    items: &[Item],
    dialect: Dialect,
    options: &WriteOptions,
    budget: &Budget,
) -> Result<String, Exceeded> {
    let keys = keys::for_export(items, options.key_letters());
    let mut out = String::new();
    for (item, key) in items.iter().zip(keys) {
        let before = out.len();
        if before > 0 {
            out.push('\n');
        }
        write_entry(item, &key, dialect, options, &mut out);
        spend_written(budget, out.len() - before)?;
    }
    Ok(out)
}

fn write_entry(item: &Item, key: &str, dialect: Dialect, options: &WriteOptions, out: &mut String) {
    let kind = entry_kind(item, dialect);
    let mut writer = EntryWriter {
        item,
        entry: kind,
        read_as: ItemType::Document,
        latex: dialect == Dialect::Biblatex,
        options,
        fields: Vec::new(),
    };
    writer.kind();
    writer.names();
    writer.titles();
    writer.dates();
    writer.numbers();
    writer.publisher();
    writer.identifiers();
    writer.texts();
    writer.custom();
    out.extend(["@", kind, "{", key, ",\n"]);
    for (name, value) in &writer.fields {
        out.extend(["  ", name, " = ", value, ",\n"]);
    }
    out.push_str("}\n");
}

fn entry_kind(item: &Item, dialect: Dialect) -> &'static str {
    write_kind(item.kind, item.text(TextVar::Genre), dialect)
}

struct EntryWriter<'i> {
    item: &'i Item,
    entry: &'static str,
    /// The item type that a reader assumes from the entry type alone.
    read_as: ItemType,
    /// Whether the dialect is biblatex, which has its own field names.
    latex: bool,
    options: &'i WriteOptions,
    /// Names, and values with their delimiters.
    fields: Vec<(String, String)>,
}

impl EntryWriter<'_> {
    fn has(&self, name: &str) -> bool {
        // Fields of `custom` are written last under their own names.
        let fields = self.fields.iter().take(MAX_OWN_FIELDS);
        fields.into_iter().any(|(known, _)| known == name)
    }

    fn custom_has(&self, name: &str) -> bool {
        self.item.custom.get(name).is_some_and(Value::is_string)
    }

    /// Adds a field once, with its value in braces.
    fn add(&mut self, name: &str, latex: &str) {
        if !latex.is_empty() && !self.has(name) {
            self.fields.push((name.to_owned(), format!("{{{latex}}}")));
        }
    }

    fn encode(&self, text: &str, markup: LatexMarkup) -> String {
        encode(
            text,
            LatexEncoding {
                ascii: self.options.latex,
                protect: false,
                markup,
            },
        )
    }

    fn text(&mut self, name: &str, text: Option<&str>, markup: LatexMarkup) {
        if let Some(text) = text {
            let latex = self.encode(text, markup);
            self.add(name, &latex);
        }
    }

    /// A text whose lines become paragraphs, with a blank line between them.
    fn paragraphs(&mut self, name: &str, text: Option<&str>) {
        let lines = text.unwrap_or_default().lines();
        let lines: Vec<String> = lines
            .map(|line| self.encode(line, LatexMarkup::Rich))
            .filter(|line| !line.trim().is_empty())
            .collect();
        self.add(name, &lines.join("\n\n"));
    }

    /// An address or identifier, without LaTeX where that is possible.
    fn verbatim(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.add(name, &verbatim::encode(text, verbatim::decode));
        }
    }

    /// Writes the item type if a reader would infer another one from the entry type.
    fn kind(&mut self) {
        let read = read_kind(self.entry).map_or(ItemType::Document, |kind| kind.item);
        let entry_item = Item {
            kind: read,
            ..self.item.clone()
        };
        self.read_as = read;
        if settled_kind(&entry_item, self.entry) == self.item.kind {
            return;
        }
        let subtype = match self.item.kind {
            ItemType::MagazineArticle => "magazine",
            ItemType::NewspaperArticle => "newspaper",
            kind => kind.csl(),
        };
        self.read_as = self.item.kind;
        // An unknown subtype stays unchanged.
        let taken = self.custom_has("entrysubtype");
        self.add(if taken { "csl-type" } else { "entrysubtype" }, subtype);
    }

    fn names(&mut self) {
        for (field, variable) in NAMES {
            // biblatex's editor roles follow below.
            if !ROLES.iter().any(|(_, role)| role == variable) {
                self.name_list(field, *variable);
            }
        }
        let fields = [
            ("editor", "editortype"),
            ("editora", "editoratype"),
            ("editorb", "editorbtype"),
            ("editorc", "editorctype"),
        ];
        let custom_role = self.custom_has("editortype");
        let mut free = fields.into_iter();
        for (role, variable) in ROLES {
            if self.item.names(*variable).is_empty() {
                continue;
            }
            let is_editor = *variable == NameVar::Editor;
            match free.next() {
                Some((field, type_field)) => {
                    self.name_list(field, *variable);
                    if !is_editor && !custom_role {
                        self.add(type_field, role);
                    }
                }
                None => self.name_list(role, *variable),
            }
        }
    }

    fn name_list(&mut self, field: &str, variable: NameVar) {
        let names = self.item.names(variable);
        if names.is_empty() {
            return;
        }
        let options = self.item.custom.get("options").and_then(Value::as_str);
        let dropping = options.is_some_and(|options| {
            options
                .split(',')
                .any(|o| o.split_whitespace().collect::<String>() == "useprefix=false")
        });
        let mut written: Vec<String> = names.iter().map(|name| self.name(name, dropping)).collect();
        if self.item.has_others(variable) {
            written.push("others".to_owned());
        }
        self.add(field, &written.join(" and "));
        let orcids: Vec<String> = { names.iter().zip(1..) }
            .filter_map(|(name, number): (&Name, usize)| {
                let orcid = identifiers::bare_orcid(name.orcid.as_deref()?)?;
                Some(format!("{number}=\"{orcid}\""))
            })
            .collect();
        if self.latex {
            self.add(&format!("{field}{ORCIDS}"), &orcids.join("; "));
        }
    }

    fn name(&self, name: &Name, dropping: bool) -> String {
        let part = |part: &Option<String>| {
            self.encode(part.as_deref().unwrap_or_default(), LatexMarkup::None)
        };
        if name.literal.is_some() {
            return group(&part(&name.literal));
        }
        let family = part(&name.family);
        let mut given = part(&name.given);
        let mut particle = part(&name.non_dropping_particle);
        let suffix = part(&name.suffix);
        let loose = part(&name.dropping_particle);
        if dropping && particle.is_empty() {
            particle = loose;
        } else if !loose.is_empty() {
            given = format!("{given} {loose}").trim().to_owned();
        }
        if family.is_empty() && particle.is_empty() {
            return group(&given);
        }
        let rule = if dropping {
            Particle::Dropping
        } else {
            Particle::NonDropping
        };
        let plain = NameParts {
            particle: &particle,
            family: &family,
            suffix: &suffix,
            given: &given,
        };
        let text = plain.joined();
        if reads_as(&text, name, rule) {
            return text;
        }
        let braced = |text: &str| {
            if text.is_empty() {
                String::new()
            } else {
                group(text)
            }
        };
        NameParts {
            particle: &particle,
            family: &braced(&family),
            suffix: &braced(&suffix),
            given: &braced(&given),
        }
        .joined()
    }

    fn titles(&mut self) {
        use TextVar::*;
        let item = self.item;
        for (field, variable) in [("title", Title), ("shorttitle", TitleShort)] {
            if let Some(text) = item.text(variable) {
                let latex = encode(
                    text,
                    LatexEncoding {
                        ascii: self.options.latex,
                        protect: true,
                        markup: LatexMarkup::Title,
                    },
                );
                self.add(field, &latex);
            }
        }
        let (container, volume) = (item.text(ContainerTitle), item.text(VolumeTitle));
        let journal = if self.latex {
            "journaltitle"
        } else {
            "journal"
        };
        if item.kind == ItemType::Article {
            self.text("issuetitle", volume, LatexMarkup::Title);
        }
        let field = match item.kind {
            ItemType::Chapter
            | ItemType::ConferencePaper
            | ItemType::Entry
            | ItemType::DictionaryEntry
            | ItemType::EncyclopediaEntry => "booktitle",
            ItemType::Book | ItemType::Classic | ItemType::Collection | ItemType::Pamphlet => {
                if self.custom_has("maintitle") {
                    "booktitle"
                } else {
                    "maintitle"
                }
            }
            _ => journal,
        };
        self.text(field, container, LatexMarkup::Title);
        if item.text(EventTitle).is_none() {
            self.text("eventtitle", item.text(Event), LatexMarkup::Title);
        }
    }

    fn dates(&mut self) {
        if let Some(date) = self.item.date(DateVar::Issued) {
            if self.latex {
                self.date("date", date);
            } else {
                self.year(date);
            }
        }
        for (field, variable) in [
            ("urldate", DateVar::Accessed),
            ("origdate", DateVar::OriginalDate),
            ("eventdate", DateVar::EventDate),
            ("submitted", DateVar::Submitted),
            ("available-date", DateVar::AvailableDate),
        ] {
            if let Some(date) = self.item.date(variable) {
                self.date(field, date);
            }
        }
    }

    fn date(&mut self, field: &str, date: &Date) {
        match date.start {
            Some(_) => self.add(field, &date.edtf()),
            None => match open_start(date) {
                Some(text) => self.add(field, &text),
                None => self.text(field, date.literal.as_deref(), LatexMarkup::None),
            },
        }
    }

    /// Writes `year` and `month`, and also `date` if these cannot express the date.
    fn year(&mut self, date: &Date) {
        let Some(start) = date.start else {
            let literal = date.literal.as_deref().unwrap_or_default();
            let latex = self.encode(literal, LatexMarkup::None);
            let reads = read_year(&latex, None, None).as_ref() == Some(date);
            self.add("year", &latex);
            if let (false, Some(text)) = (reads, open_start(date)) {
                self.add("date", &text);
            } else if !reads && read_date(&latex).as_ref() == Some(date) {
                self.add("date", &latex);
            }
            return;
        };
        let end = date.end_parts();
        let year = match end {
            Some(end) if end.year != start.year => format!("{}--{}", start.year, end.year),
            _ => start.year.to_string(),
        };
        let macro_of = |month: u8| MONTHS.get(usize::from(month).wrapping_sub(1)).copied();
        let first = start.month.and_then(macro_of);
        let last = end
            .filter(|end| end.year == start.year)
            .and_then(|end| end.month);
        let last = last.and_then(macro_of).filter(|last| Some(*last) != first);
        let season = start
            .season
            .and_then(|s| SEASONS.get(usize::from(s).wrapping_sub(1)).copied());
        let (month, said) = match (first, last, season) {
            (Some(first), Some(last), _) => (
                format!("{first} # {{--}} # {last}"),
                format!("{first}--{last}"),
            ),
            (Some(first), None, _) => (first.to_owned(), first.to_owned()),
            (_, _, Some(season)) => (format!("{{{season}}}"), season.to_owned()),
            _ => (String::new(), String::new()),
        };
        let day = start
            .day
            .filter(|_| last.is_none())
            .map(|day| day.to_string());
        let said = Some(said.as_str()).filter(|said| !said.is_empty());
        let is_whole = read_year(&year, said, day.as_deref()).as_ref() == Some(date);
        self.add("year", &year);
        if !month.is_empty() {
            self.fields.push(("month".to_owned(), month));
        }
        self.add("day", day.as_deref().unwrap_or_default());
        let open = date.end == Some(DateEnd::Open);
        if !is_whole || open {
            self.add("date", &date.edtf());
        }
    }

    fn numbers(&mut self) {
        use NumberVar::*;
        let item = self.item;
        let in_series = item.text(TextVar::CollectionTitle).is_some();
        let by_number = number_variable(self.read_as, in_series);
        self.text("number", item.number(by_number), LatexMarkup::None);
        for (field, variable) in [("eid", Number), ("issue", Issue)] {
            if by_number != variable {
                self.text(field, item.number(variable), LatexMarkup::None);
            }
        }
        let pages = item.number(Page).map(|page| page.replace('-', "--"));
        if let Some(pages) = pages {
            let latex = self.encode(&pages.replace("--", "\u{2013}"), LatexMarkup::None);
            let latex = latex
                .replace("{\\textendash}", "--")
                .replace('\u{2013}', "--");
            self.add("pages", &latex);
        }
        for (field, variable) in NUMBERS {
            let written = NUMBERS
                .iter()
                .any(|(known, v)| v == variable && self.has(known));
            if *variable != by_number && !written {
                self.text(field, item.number(*variable), LatexMarkup::None);
            }
        }
    }

    /// BibTeX has separate fields for the publisher of a thesis and of a report.
    fn publisher(&mut self) {
        let others = ["institution", "school", "organization"];
        let alone = !others.iter().any(|name| self.custom_has(name));
        let field = match self.item.kind {
            ItemType::Thesis if !self.latex && !self.custom_has("school") => "school",
            ItemType::Thesis | ItemType::Report => "institution",
            ItemType::Webpage if self.latex && alone => "organization",
            _ => "publisher",
        };
        self.literal_list(field, self.item.text(TextVar::Publisher));
        let location = if self.latex && !self.custom_has("address") {
            "location"
        } else {
            "address"
        };
        let place = if self.custom_has("location") {
            "address"
        } else {
            location
        };
        self.literal_list(place, self.item.text(TextVar::PublisherPlace));
    }

    /// A name that contains the word `and` would be read as two.
    fn literal_list(&mut self, field: &str, text: Option<&str>) {
        let Some(text) = text else { return };
        let latex = self.encode(text, LatexMarkup::None);
        let parted = text
            .split_whitespace()
            .any(|word| word.eq_ignore_ascii_case("and"));
        let latex = if parted { group(&latex) } else { latex };
        self.add(field, &latex);
    }

    fn identifiers(&mut self) {
        use TextVar::*;
        let item = self.item;
        let more = item.custom.get("doi").and_then(Value::as_str);
        let dois: Vec<&str> = item.text(Doi).into_iter().chain(more).collect();
        self.verbatim("doi", Some(&dois.join(", ")));
        self.verbatim("url", item.text(Url));
        self.text("isbn", item.text(Isbn), LatexMarkup::None);
        self.text("issn", item.text(Issn), LatexMarkup::None);
        self.text("pmid", item.text(Pmid), LatexMarkup::None);
        self.text("pmcid", item.text(Pmcid), LatexMarkup::None);
        if self.custom_has("eprint")
            || self.custom_has("eprinttype")
            || self.custom_has("archiveprefix")
        {
            self.text("arxivid", item.text(ArxivId), LatexMarkup::None);
        } else if let Some(id) = item.text(ArxivId) {
            self.verbatim("eprint", Some(id));
            let field = if self.latex {
                "eprinttype"
            } else {
                "archiveprefix"
            };
            self.add(field, if self.latex { "arxiv" } else { "arXiv" });
        }
    }

    fn texts(&mut self) {
        let item = self.item;
        for (field, variable, markup) in TEXTS {
            let written = TEXTS
                .iter()
                .any(|(known, v, _)| v == variable && self.has(known));
            let elsewhere = match *field {
                "annotation" | "annote" => *field != self.annotation_field(),
                // Written as `issuetitle`.
                "volume-title" => item.kind == ItemType::Article,
                _ => false,
            };
            match variable {
                _ if written || elsewhere => {}
                TextVar::Abstract | TextVar::Annote => self.paragraphs(field, item.text(*variable)),
                _ => self.text(field, item.text(*variable), *markup),
            }
        }
        let genre = item.text(TextVar::Genre);
        match genre {
            Some(_) if genre == own_genre(self.entry) => {}
            // The entry type implies a degree that the item does not have.
            None if own_genre(self.entry).is_some() => self.add("type", "Thesis"),
            _ => self.text("type", genre, LatexMarkup::None),
        }
        self.text("pubstate", item.text(TextVar::Status), LatexMarkup::None);
        self.paragraphs("note", item.text(TextVar::Note));
        self.text("keywords", item.text(TextVar::Keyword), LatexMarkup::None);
        if let Some(language) = item.text(TextVar::Language) {
            let babel = languages::babel_name(language);
            match babel.filter(|babel| languages::tag_of(babel) == language) {
                Some(babel) => {
                    let langid = self.latex || self.custom_has("language");
                    self.add(if langid { "langid" } else { "language" }, babel);
                }
                None => self.text("language", Some(language), LatexMarkup::None),
            }
        }
    }

    /// The dialect's field for an annotation, unless a second one is kept under that name.
    fn annotation_field(&self) -> &'static str {
        if self.latex != self.custom_has(if self.latex { "annotation" } else { "annote" }) {
            "annotation"
        } else {
            "annote"
        }
    }

    /// Writes fields without a variable as they were read.
    fn custom(&mut self) {
        for (name, value) in &self.item.custom {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                _ => continue,
            };
            if !is_field_name(name) || matches!(name.as_str(), "type" | AND_OTHERS) {
                continue;
            }
            // Names of fields have no case, and are read in small letters.
            let name = &name.to_lowercase();
            if verbatim::is_verbatim(name) {
                self.add(name, &verbatim::encode(&text, verbatim::kept));
            } else {
                self.text(name, Some(&text), LatexMarkup::Rich);
            }
        }
    }
}

/// The roles of biblatex's `editortype`, editors first.
const ROLES: &[(&str, NameVar)] = &[
    ("editor", NameVar::Editor),
    ("series", NameVar::CollectionEditor),
    ("compiler", NameVar::Compiler),
    ("director", NameVar::Director),
    ("producer", NameVar::Producer),
    ("execproducer", NameVar::ExecutiveProducer),
    ("scriptwriter", NameVar::ScriptWriter),
    ("performer", NameVar::Performer),
    ("narrator", NameVar::Narrator),
    ("composer", NameVar::Composer),
    ("illustrator", NameVar::Illustrator),
    ("organizer", NameVar::Organizer),
    ("curator", NameVar::Curator),
    ("chair", NameVar::Chair),
    ("collaborator", NameVar::Contributor),
];

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

const SEASONS: [&str; 4] = ["Spring", "Summer", "Autumn", "Winter"];

/// More fields than an item has variables.
const MAX_OWN_FIELDS: usize = 200;

fn is_field_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':' | b'.' | b'+' | b'/')
        })
}

/// The parts of a name in LaTeX; missing ones are empty.
struct NameParts<'p> {
    particle: &'p str,
    family: &'p str,
    suffix: &'p str,
    given: &'p str,
}

impl NameParts<'_> {
    /// `von Last, Jr, First`. A single-word family name alone needs no comma.
    fn joined(&self) -> String {
        let family = format!("{} {}", self.particle, self.family);
        let family = family.trim();
        let given = if self.given.is_empty() {
            "{}"
        } else {
            self.given
        };
        if !self.suffix.is_empty() {
            return format!("{family}, {}, {given}", self.suffix);
        }
        let alone = self.given.is_empty() && !family.contains([' ', '{']);
        if alone {
            family.to_owned()
        } else {
            format!("{family}, {given}")
        }
    }
}

/// Whether a written name is read back as the same parts, ignoring what BibTeX cannot express.
fn reads_as(text: &str, name: &Name, particle: Particle) -> bool {
    let list = parse_names(text, particle);
    let [read] = list.names.as_slice() else {
        return false;
    };
    !list.and_others
        && read.family == name.family
        && read.suffix == name.suffix
        && read.literal.is_none()
        && (name.dropping_particle.is_some() || read.given == name.given)
        && read.non_dropping_particle == name.non_dropping_particle
}

/// A range with only an end, in the syntax of biblatex's date fields: `/1034`.
fn open_start(date: &Date) -> Option<String> {
    let end = date.literal.as_deref()?.strip_prefix('–')?;
    let is_edtf = |c: char| c.is_ascii_alphanumeric() || "-~?.".contains(c);
    if !end.chars().all(is_edtf) {
        return None;
    }
    let text = format!("/{end}");
    (read_date(&text).as_ref() == Some(date)).then_some(text)
}

#[cfg(test)]
mod tests;
