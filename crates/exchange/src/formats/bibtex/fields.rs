//! Maps fields of a resolved BibTeX or biblatex record to variables of an item (field mapping, section 2).
//! Fields without a variable are kept in `custom` under their own name.

use std::borrow::Cow;

use super::dates;
use super::kinds::{self, read_kind};
use super::names::{Particle, parse_names, split_list};
use super::resolve::ResolvedEntry;
use super::verbatim;
use citation_fields::item_builder::ItemBuilder;
use citation_fields::latex::{LatexMarkup, convert, paragraphs, plain, strip_outer_braces};
use citation_fields::notice::{Notices, lost_numbers};
use citation_fields::{identifiers, pages};
use citation_model::date::is_month;
use citation_model::identifier::{ArxivId, Doi};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Converts a record to an item.
pub fn read_item(record: &ResolvedEntry<'_>, notices: Notices) -> (Item, Notices) {
    let mut reader = EntryReader {
        record,
        used: vec![false; record.fields.len()],
        builder: ItemBuilder::with_notices(record.offset, notices),
        genre: "",
    };
    reader.kind();
    reader.titles();
    reader.containers();
    reader.names();
    reader.dates();
    reader.early_access();
    reader.numbers();
    reader.publishers();
    reader.identifiers();
    reader.texts();
    reader.rest();
    reader.settle_kind();
    reader.builder.finish()
}

/// Ends the name of biblatex's annotation with the ORCID iDs of a list of names.
pub(super) const ORCIDS: &str = "+an:orcid";

/// The numbers of names, from 1, and their ORCID iDs: `1="0000-0002-1825-0097"; 3="…"`.
fn orcids(annotation: &str) -> impl Iterator<Item = (usize, String)> {
    annotation.split(';').filter_map(|part| {
        let (number, id) = part.split_once('=')?;
        let id = identifiers::bare_orcid(id.trim().trim_matches('"'))?;
        Some((number.trim().parse().ok()?, id))
    })
}

struct EntryReader<'r, 'a> {
    record: &'r ResolvedEntry<'a>,
    used: Vec<bool>,
    builder: ItemBuilder,
    /// The genre that the entry type says.
    genre: &'static str,
}

/// Fields copied unchanged, as plain text without braces and markup.
pub(super) const TEXTS: &[(&str, TextVar, LatexMarkup)] = {
    use LatexMarkup::{None, Rich, Title};
    use TextVar::*;
    &[
        ("shorttitle", TitleShort, Title),
        ("origtitle", OriginalTitle, Title),
        ("origpublisher", OriginalPublisher, None),
        ("origlocation", OriginalPublisherPlace, None),
        ("series", CollectionTitle, Title),
        ("shortjournal", ContainerTitleShort, Rich),
        ("journal-abbreviation", ContainerTitleShort, Rich),
        ("abbrev_source_title", ContainerTitleShort, Rich),
        ("eventtitle", EventTitle, Title),
        ("venue", EventPlace, None),
        ("abstract", Abstract, Rich),
        ("annotation", Annote, Rich),
        ("annote", Annote, Rich),
        ("call-number", CallNumber, None),
        ("lccn", CallNumber, None),
        ("archive", Archive, None),
        ("copyright", License, None),
        ("rights", License, None),
        // CSL variables that BibTeX styles do not know, under their CSL names.
        ("archive_collection", ArchiveCollection, None),
        ("archive_location", ArchiveLocation, None),
        ("archive-place", ArchivePlace, None),
        ("authority", Authority, None),
        ("dimensions", Dimensions, None),
        ("division", Division, None),
        ("jurisdiction", Jurisdiction, None),
        ("medium", Medium, None),
        ("part-title", PartTitle, Title),
        ("references", References, Rich),
        ("reviewed-genre", ReviewedGenre, None),
        ("reviewed-title", ReviewedTitle, Title),
        ("scale", Scale, None),
        ("source", Source, None),
        ("volume-title", VolumeTitle, Title),
    ]
};

pub(super) const NUMBERS: &[(&str, NumberVar)] = &[
    ("volume", NumberVar::Volume),
    ("volumes", NumberVar::NumberOfVolumes),
    ("pagetotal", NumberVar::NumberOfPages),
    ("numpages", NumberVar::NumberOfPages),
    ("edition", NumberVar::Edition),
    ("chapter", NumberVar::ChapterNumber),
    ("version", NumberVar::Version),
    ("part", NumberVar::PartNumber),
    ("section", NumberVar::Section),
    ("collection-number", NumberVar::CollectionNumber),
    ("printing-number", NumberVar::PrintingNumber),
    ("supplement-number", NumberVar::SupplementNumber),
];

pub(super) const NAMES: &[(&str, NameVar)] = &[
    ("author", NameVar::Author),
    ("translator", NameVar::Translator),
    ("bookauthor", NameVar::ContainerAuthor),
    ("narrator", NameVar::Narrator),
    ("execproducer", NameVar::ExecutiveProducer),
    ("scriptwriter", NameVar::ScriptWriter),
    ("director", NameVar::Director),
    ("producer", NameVar::Producer),
    ("illustrator", NameVar::Illustrator),
    ("recipient", NameVar::Recipient),
    ("interviewer", NameVar::Interviewer),
    ("host", NameVar::Host),
    ("guest", NameVar::Guest),
    ("original-author", NameVar::OriginalAuthor),
    ("reviewed-author", NameVar::ReviewedAuthor),
    ("series-creator", NameVar::SeriesCreator),
    ("editorial-director", NameVar::EditorialDirector),
    ("editor-translator", NameVar::EditorTranslator),
];

impl<'r> EntryReader<'r, '_> {
    /// Takes the text of a field and marks the field as used.
    fn take(&mut self, name: &str) -> Option<&'r str> {
        let at = self
            .record
            .fields
            .iter()
            .position(|field| field.name == name)?;
        if let Some(used) = self.used.get_mut(at) {
            *used = true;
        }
        let field = self.record.fields.get(at)?;
        self.builder.at(field.offset);
        Some(field.text.as_ref())
    }

    fn item(&self) -> &Item {
        self.builder.item()
    }

    fn take_text(&mut self, name: &str, markup: LatexMarkup) -> Option<String> {
        let text = convert(self.take(name)?, markup);
        (!text.is_empty()).then_some(text)
    }

    /// A text with its paragraphs, one a line.
    fn take_paragraphs(&mut self, name: &str) -> Option<String> {
        let latex = self.take(name)?;
        let parts = paragraphs(latex).into_iter();
        let parts = parts.map(|part| convert(part, LatexMarkup::Rich));
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }

    fn has(&self, name: &str) -> bool {
        self.record.get(name).is_some()
    }

    fn kind(&mut self) {
        match read_kind(&self.record.kind) {
            Some(kind) => {
                self.builder.set_kind(kind.item);
                self.genre = kind.genre.unwrap_or_default();
            }
            None if self.record.kind.is_empty() => {}
            None => self.builder.custom("entry_type", &self.record.kind),
        }
        self.builder.set_key(self.record.key);
        if let Some(kind) = self.subtype() {
            let named = self.has("csl-type");
            self.take(if named { "csl-type" } else { "entrysubtype" });
            self.builder.set_kind(kind);
        }
    }

    /// The item type given by `entrysubtype`: a biblatex keyword for articles, or the name of an item type
    /// that the entry types do not distinguish. Otherwise `csl-type` may name the item type.
    fn subtype(&self) -> Option<ItemType> {
        let named = self.record.get("csl-type");
        match named.or_else(|| self.record.get("entrysubtype"))?.trim() {
            "magazine" if self.builder.kind() == ItemType::Article => {
                Some(ItemType::MagazineArticle)
            }
            "newspaper" if self.builder.kind() == ItemType::Article => {
                Some(ItemType::NewspaperArticle)
            }
            name => ItemType::from_csl(name),
        }
    }

    /// Joins a title from three fields: `title: subtitle. titleaddon`.
    fn joined_title(&mut self, title: &str, subtitle: &str, addon: &str) -> Option<String> {
        let mut joined = self.take_text(title, LatexMarkup::Title)?;
        if let Some(subtitle) = self.take_text(subtitle, LatexMarkup::Title) {
            append(&mut joined, ": ", &subtitle);
        }
        if let Some(addon) = self.take_text(addon, LatexMarkup::Title) {
            append(&mut joined, ". ", &addon);
        }
        Some(joined)
    }

    fn titles(&mut self) {
        // The name of the site, as Zotero writes it.
        let has_container = ["booktitle", "journaltitle", "journal", "maintitle"];
        let mut addon = "titleaddon";
        if self.builder.kind() == ItemType::Webpage
            && !has_container.iter().any(|field| self.has(field))
            && let Some(site) = self.take_text("titleaddon", LatexMarkup::Title)
        {
            self.builder.text(TextVar::ContainerTitle, &site);
            addon = "";
        }
        if let Some(title) = self.joined_title("title", "subtitle", addon) {
            self.builder.text(TextVar::Title, &title);
        }
        // An issue of a periodical may have a title in addition to the periodical's.
        if self.builder.kind() == ItemType::Article
            && self.has("issuetitle")
            && let Some(title) = self.joined_title("issuetitle", "issuesubtitle", "issuetitleaddon")
        {
            self.builder.text(TextVar::VolumeTitle, &title);
        }
    }

    /// The containing journal or book; the multi-volume work if no volume has a title.
    fn containers(&mut self) {
        let journal = self
            .joined_title("journaltitle", "journalsubtitle", "journaltitleaddon")
            .or_else(|| self.take_text("journal", LatexMarkup::Title));
        let full = self.take_text("fjournal", LatexMarkup::Title);
        let full = full.or_else(|| self.take_text("journal-full", LatexMarkup::Title));
        // Beside the full title, the other is its abbreviation.
        let journal = match (full, journal) {
            (Some(full), Some(short)) if short != full => {
                self.builder.text(TextVar::ContainerTitleShort, &short);
                Some(full)
            }
            (full, journal) => full.or(journal),
        };
        let book = self.joined_title("booktitle", "booksubtitle", "booktitleaddon");
        let main = self.joined_title("maintitle", "mainsubtitle", "maintitleaddon");
        let container = match (journal, book) {
            (Some(journal), None) => Some(journal),
            (None, book) => book,
            // The series of a proceedings volume, if both are given.
            (Some(journal), Some(book)) => {
                if self.builder.kind().is_in_periodical() {
                    self.builder.custom("booktitle", &book);
                    Some(journal)
                } else {
                    self.builder.text(TextVar::CollectionTitle, &journal);
                    Some(book)
                }
            }
        };
        match (container, main) {
            (None, Some(main)) => self.builder.text(TextVar::ContainerTitle, &main),
            (Some(container), main) => {
                self.builder.text(TextVar::ContainerTitle, &container);
                if let Some(main) = main {
                    self.builder.custom("maintitle", &main);
                }
            }
            (None, None) => {}
        }
    }

    fn particle(&self) -> Particle {
        let options = self.record.get("options").unwrap_or_default();
        let compact: String = options.chars().filter(|c| !c.is_whitespace()).collect();
        if compact.split(',').any(|option| option == "useprefix=false") {
            Particle::Dropping
        } else {
            Particle::NonDropping
        }
    }

    fn names(&mut self) {
        for (field, variable) in NAMES {
            self.name_list(field, *variable);
        }
        for (field, role) in [
            ("editor", "editortype"),
            ("editora", "editoratype"),
            ("editorb", "editorbtype"),
            ("editorc", "editorctype"),
        ] {
            if !self.has(field) {
                continue;
            }
            let text = self.record.get(role).unwrap_or("editor");
            match editor_role(text.trim()) {
                Some(variable) => {
                    self.take(role);
                    self.name_list(field, variable);
                }
                // A role that CSL lacks (redactor, reviser) becomes editor if there is no other editor;
                // assistants of the editor stay under their fields.
                None if field == "editor" => self.name_list(field, NameVar::Editor),
                None => {}
            }
        }
    }

    /// Appends to the names of a variable, since several fields may supply them.
    fn name_list(&mut self, field: &str, variable: NameVar) {
        let Some(text) = self.take(field) else {
            return;
        };
        let mut list = parse_names(text, self.particle());
        let annotation = self.take(&format!("{field}{ORCIDS}")).unwrap_or_default();
        for (number, orcid) in orcids(annotation) {
            let name = number.checked_sub(1).and_then(|at| list.names.get_mut(at));
            if let Some(name) = name {
                name.orcid = Some(orcid);
            }
        }
        self.builder.leave_out_names(list.left_out);
        if list.and_others {
            self.builder.and_others(variable);
        }
        self.builder.name_list(variable, list.names);
    }

    fn dates(&mut self) {
        for (field, variable) in [
            ("date", DateVar::Issued),
            ("urldate", DateVar::Accessed),
            ("origdate", DateVar::OriginalDate),
            ("eventdate", DateVar::EventDate),
            ("submitted", DateVar::Submitted),
            ("available-date", DateVar::AvailableDate),
        ] {
            let Some(text) = self.take(field) else {
                continue;
            };
            self.builder.check_date(text);
            if let Some(date) = dates::read_date(text) {
                self.builder.date(variable, Some(date));
            }
        }
        for (year, month, day, variable) in [
            ("year", "month", "day", DateVar::Issued),
            ("urlyear", "urlmonth", "urlday", DateVar::Accessed),
            ("origyear", "origmonth", "origday", DateVar::OriginalDate),
            ("eventyear", "eventmonth", "eventday", DateVar::EventDate),
        ] {
            if self.item().date(variable).is_some() {
                // `date` is complete; the older fields only repeat it.
                for repeated in [year, month, day] {
                    self.take(repeated);
                }
            } else if let Some(year_text) = self.take(year) {
                let (month_text, day) = (self.take(month), self.take(day));
                let number = |text: Option<&str>| text?.trim().parse::<i64>().ok();
                if number(month_text).is_some_and(|month| !is_month(month)) {
                    let said = format!("{year_text}-{}", month_text.unwrap_or_default());
                    self.builder.notice("invalid_date", lost_numbers(&said));
                }
                let (original, text) = dates::original_year(year_text).unzip();
                let text = text.unwrap_or(year_text);
                if let (DateVar::Issued, Some(original)) = (variable, original) {
                    self.builder.date(DateVar::OriginalDate, Some(original));
                }
                if let Some(date) = dates::read_year(text, month_text, day) {
                    self.builder.date(variable, Some(date));
                }
            }
        }
    }

    /// The date of the first edition on the web, where there is no other: Web of Science has nothing else of an article in
    /// press.
    fn early_access(&mut self) {
        for field in ["early-access-date", "earlyaccessdate"] {
            if self.item().date(DateVar::Issued).is_none()
                && let Some(text) = self.take(field)
            {
                self.builder.date(DateVar::Issued, dates::read_date(text));
            }
        }
    }

    /// Sets a number that is not known yet.
    fn number(&mut self, field: &str, variable: NumberVar) {
        if self.item().number(variable).is_none()
            && let Some(text) = self.take_text(field, LatexMarkup::None)
        {
            self.builder.number(variable, &text);
        }
    }

    /// Styles change of a name only a small letter at its start, which braces protect: `{de} Gruyter`.
    fn markup_of_name(&self, field: &str) -> LatexMarkup {
        let raw = self.record.get(field).unwrap_or_default();
        let raw = strip_outer_braces(raw);
        let starts_small = |text: &str| text.starts_with(char::is_lowercase);
        if raw.strip_prefix('{').is_some_and(starts_small) {
            LatexMarkup::Title
        } else {
            LatexMarkup::None
        }
    }

    fn numbers(&mut self) {
        for (field, variable) in NUMBERS {
            self.number(field, *variable);
        }
        if let Some(text) = self.take("pages") {
            self.builder
                .number(NumberVar::Page, &pages::normal(&plain(text)));
        }
        if let Some(number) = self.take_text("number", LatexMarkup::None) {
            let variable = number_variable(self.builder.kind(), self.has("series"));
            // Web of Science marks special issues.
            let number = number.strip_suffix(", SI").unwrap_or(&number);
            self.builder.number(variable, number);
        }
        // ACM, Web of Science and Scopus write the number of an article into fields of their own.
        for field in ["eid", "articleno", "article-number", "art_number"] {
            self.number(field, NumberVar::Number);
        }
        if let Some(issue) = self.take_text("issue", LatexMarkup::None) {
            if self.item().number(NumberVar::Issue).is_none() {
                self.builder.number(NumberVar::Issue, &issue);
            } else {
                self.builder.custom("issue", &issue);
            }
        }
        for field in ["isrn", "reportnumber"] {
            self.number(field, NumberVar::Number);
        }
    }

    /// The first field that names the publisher; the others stay in `custom`.
    fn publishers(&mut self) {
        let fields: &[&str] = match self.builder.kind() {
            ItemType::Thesis | ItemType::Report => {
                &["institution", "school", "publisher", "organization"]
            }
            _ => &["publisher", "institution", "school", "organization"],
        };
        for field in fields {
            if self.item().text(TextVar::Publisher).is_none() {
                // «John Wiley and Sons» is one publisher: BibTeX, unlike biblatex, has no lists here.
                let markup = self.markup_of_name(field);
                if let Some(name) = self.take_text(field, markup) {
                    self.builder.text(TextVar::Publisher, &name);
                }
            }
        }
        let location = self.take("location").map(literal_list);
        let address = self.take("address").map(literal_list);
        let is_paper = self.builder.kind() == ItemType::ConferencePaper;
        match (location, address) {
            // ACM puts the place of the publisher into `address` and that of the event into `location`.
            (Some(location), Some(address)) if location != address => {
                self.builder.text(TextVar::PublisherPlace, &address);
                if is_paper && !self.has("venue") {
                    self.builder.text(TextVar::EventPlace, &location);
                } else {
                    self.builder.custom("location", &location);
                }
            }
            (location, address) => {
                let place = location.or(address).unwrap_or_default();
                self.builder.text(TextVar::PublisherPlace, &place);
            }
        }
    }

    fn identifiers(&mut self) {
        if let Some(text) = self.take("doi") {
            self.builder.text(TextVar::Doi, &verbatim::decode(text));
        }
        for field in ["url", "link"] {
            if self.item().text(TextVar::Url).is_none() && self.has(field) {
                let url = self.take(field).map(verbatim::decode).unwrap_or_default();
                self.builder.address(&url);
            }
        }
        for (field, variable) in [
            ("isbn", TextVar::Isbn),
            ("issn", TextVar::Issn),
            ("pmid", TextVar::Pmid),
            ("pubmedid", TextVar::Pmid),
            ("pmcid", TextVar::Pmcid),
            ("pmc", TextVar::Pmcid),
            ("arxivid", TextVar::ArxivId),
            ("arxiv", TextVar::ArxivId),
        ] {
            if self.item().text(variable).is_none()
                && let Some(text) = self.take(field)
            {
                self.builder.text(variable, &plain(&with_line_breaks(text)));
            }
        }
        self.eprint();
    }

    /// `eprint` with `eprinttype` (biblatex) or `archivePrefix` (arXiv's own BibTeX).
    fn eprint(&mut self) {
        let Some(eprint) = self.record.get("eprint").map(verbatim::decode) else {
            return;
        };
        let archive = self
            .record
            .get("eprinttype")
            .or_else(|| self.record.get("archiveprefix"));
        let archive = archive.map(plain).unwrap_or_default();
        let variable = match archive.to_lowercase().as_str() {
            "arxiv" => TextVar::ArxivId,
            "pubmed" | "pmid" => TextVar::Pmid,
            "pmcid" | "pmc" => TextVar::Pmcid,
            "doi" => TextVar::Doi,
            "" if ArxivId::parse(&eprint).is_ok() => TextVar::ArxivId,
            // Archives without a variable (jstor, hdl, googlebooks) are kept unchanged.
            _ => return,
        };
        if self
            .item()
            .text(variable)
            .is_some_and(|known| known != eprint)
        {
            return;
        }
        self.take("eprint");
        self.take("eprinttype");
        self.take("archiveprefix");
        self.builder.text(variable, &eprint);
    }

    fn texts(&mut self) {
        for (field, variable, markup) in TEXTS {
            if self.item().text(*variable).is_none()
                && let Some(text) = match variable {
                    TextVar::Abstract | TextVar::Annote => self.take_paragraphs(field),
                    _ => self.take_text(field, *markup),
                }
            {
                self.builder.text(*variable, &text);
            }
        }
        self.genre();
        if let Some(state) = self.take_text("pubstate", LatexMarkup::None) {
            let words = kinds::publication_state(&state).map_or(state, str::to_owned);
            self.builder.text(TextVar::Status, &words);
        }
        self.notes();
        for field in ["keywords", "keyword", "tags"] {
            let text = self.take_text(field, LatexMarkup::None);
            self.builder
                .text(TextVar::Keyword, &text.unwrap_or_default());
        }
        for field in ["langid", "language", "hyphenation"] {
            if self.item().text(TextVar::Language).is_none()
                && let Some(text) = self.take_text(field, LatexMarkup::None)
            {
                self.builder.text(TextVar::Language, &text);
            }
        }
    }

    fn genre(&mut self) {
        if let Some(text) = self.take_text("type", LatexMarkup::None) {
            let words = kinds::type_key(&text).map_or(text, str::to_owned);
            self.builder.text(TextVar::Genre, &words);
        }
        self.builder.text(TextVar::Genre, self.genre);
    }

    /// CSL has one variable for `note` and `addendum`. `howpublished` is an address, a manner of
    /// publication or a publisher.
    fn notes(&mut self) {
        let note = self.take_paragraphs("note");
        let addendum = self.take_paragraphs("addendum");
        let joined: Vec<String> = note.into_iter().chain(addendum).collect();
        self.builder.text(TextVar::Note, &joined.join(". "));
        let Some(text) = self.record.get("howpublished") else {
            return;
        };
        if let (Some(url), true) = (verbatim::find_url(text), !self.has("url")) {
            self.take("howpublished");
            self.builder.text(TextVar::Url, &url);
        } else if self.item().text(TextVar::Publisher).is_none() {
            self.take("howpublished");
            self.builder.text(TextVar::Publisher, &plain(text));
        }
    }

    /// Keeps unused fields as text, without LaTeX unless they are an address or a path.
    fn rest(&mut self) {
        for (field, used) in self.record.fields.iter().zip(&self.used) {
            if *used {
                continue;
            }
            let text = if verbatim::is_verbatim(&field.name) {
                verbatim::kept(&field.text)
            } else {
                convert(&field.text, LatexMarkup::Rich)
            };
            if !text.is_empty() {
                let name = field.name.to_string();
                self.builder.custom(&name, &text);
            }
        }
    }

    fn settle_kind(&mut self) {
        if self.subtype().is_none() {
            let kind = settled_kind(self.item(), &self.record.kind);
            self.builder.set_kind(kind);
        }
    }
}

/// The item type of an entry. `misc` is used for everything that BibTeX has no type for, so other fields
/// may give the type.
pub(super) fn settled_kind(item: &Item, entry: &str) -> ItemType {
    let is_from_arxiv = item.text(TextVar::ArxivId).is_some();
    if is_from_arxiv && (entry == "unpublished" || entry == "article" && names_arxiv(item)) {
        return ItemType::Preprint;
    }
    if entry != "misc" {
        return item.kind;
    }
    let said = [TextVar::Genre, TextVar::Publisher, TextVar::Medium]
        .iter()
        .filter_map(|v| item.text(*v))
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase();
    let has = |variable| item.text(variable).is_some();
    if !has(TextVar::ArxivId) && item.doi().is_some_and(|doi| is_arxiv_doi(&doi)) {
        ItemType::Preprint
    } else if said.contains("software") || said.contains("computer program") {
        ItemType::Software
    } else if said.contains("dataset") || said.contains("data set") {
        ItemType::Dataset
    } else if has(TextVar::ArxivId) {
        ItemType::Preprint
    } else if has(TextVar::Url) && !has(TextVar::Doi) && !has(TextVar::Publisher) {
        ItemType::Webpage
    } else {
        ItemType::Document
    }
}

/// Whether arXiv stands where a journal would: `ArXiv e-prints`, `arXiv preprint arXiv:1801.02634`.
fn names_arxiv(item: &Item) -> bool {
    let container = item.text(TextVar::ContainerTitle).unwrap_or_default();
    let first = container.split(|c: char| !c.is_alphanumeric()).next();
    first.is_some_and(|word| word.eq_ignore_ascii_case("arxiv"))
}

fn is_arxiv_doi(doi: &Doi) -> bool {
    doi.registrant() == "10.48550"
}

/// Mendeley writes the line breaks of an identifier's field as `\r` and `\n`, in LaTeX or not.
fn with_line_breaks(text: &str) -> Cow<'_, str> {
    const BREAKS: [&str; 6] = [
        "{\\textbackslash}r",
        "{\\textbackslash}n",
        "$\\backslash$r",
        "$\\backslash$n",
        "\\r",
        "\\n",
    ];
    if text.contains('\\') {
        BREAKS
            .iter()
            .fold(text.to_owned(), |text, said| text.replace(said, " "))
            .into()
    } else {
        text.into()
    }
}

/// Joins parts of a title; no separator is added after final punctuation.
fn append(title: &mut String, separator: &str, part: &str) {
    let ends = title.ends_with(['?', '!', ':', '.', '…']);
    title.push_str(if ends { " " } else { separator });
    title.push_str(part);
}

/// A list of places, separated by `and` in biblatex.
fn literal_list(text: &str) -> String {
    let mut joined = String::new();
    for part in split_list(text).filter(|part| *part != "others") {
        if !joined.is_empty() {
            joined.push_str(", ");
        }
        joined.push_str(&plain(part));
    }
    joined
}

/// The variable for `number`: for a book in a series, its number in the series.
pub(super) fn number_variable(kind: ItemType, in_series: bool) -> NumberVar {
    use ItemType::*;
    match kind {
        Report | Patent | Standard | Thesis | Legislation | LegalCase | Dataset | Software
        | Manuscript | Document | Webpage => NumberVar::Number,
        Book | Chapter | Pamphlet | EncyclopediaEntry => NumberVar::CollectionNumber,
        ConferencePaper if in_series => NumberVar::CollectionNumber,
        _ => NumberVar::Issue,
    }
}

fn editor_role(role: &str) -> Option<NameVar> {
    let variable = match role {
        "editor" | "" => NameVar::Editor,
        "compiler" => NameVar::Compiler,
        "translator" => NameVar::Translator,
        "organizer" => NameVar::Organizer,
        "director" => NameVar::Director,
        "producer" => NameVar::Producer,
        "execproducer" => NameVar::ExecutiveProducer,
        "performer" => NameVar::Performer,
        "narrator" => NameVar::Narrator,
        "scriptwriter" => NameVar::ScriptWriter,
        "illustrator" => NameVar::Illustrator,
        "collaborator" | "contributor" => NameVar::Contributor,
        "series" | "serieseditor" | "seriesEditor" => NameVar::CollectionEditor,
        "composer" => NameVar::Composer,
        "curator" => NameVar::Curator,
        "chair" => NameVar::Chair,
        _ => return None,
    };
    Some(variable)
}

#[cfg(test)]
mod tests {
    use crate::BIBTEX;
    use crate::testing::check_read;

    #[test]
    fn first_address_of_a_field_is_read() {
        let check = |url: &str, expected: &str| {
            check_read(
                &BIBTEX,
                &format!("@book{{a, title = {{A}}, url = {{{url}}}}}"),
                &format!(r#"[{{"type": "book", "title": "A"{expected}}}]"#),
            );
        };
        check(
            "\\url{http://x.org/a_b} [freely available]",
            r#", "URL": "http://x.org/a_b""#,
        );
        check("http://x.org/a;", r#", "URL": "http://x.org/a""#);
        check(
            "{{\\textless}Go to ISI{\\textgreater}://WOS:000123456789012 http://x.org/a}",
            r#", "URL": "http://x.org/a", "custom": {"AN": "WOS:000123456789012"}"#,
        );
        check(
            "<Go to ISI>://WOS:000123456789012",
            r#", "custom": {"AN": "WOS:000123456789012"}"#,
        );
    }

    #[test]
    fn articles_in_press_of_web_of_science_have_a_date() {
        check_read(
            &BIBTEX,
            "@article{a, title = {A}, number = {1, SI}, early-access-date = {MAY 2021}}",
            r#"[{"title": "A", "issue": "1", "issued": {"date-parts": [[2021, 5]]}}]"#,
        );
        check_read(
            &BIBTEX,
            "@online{a, title = {A}, titleaddon = {A Site}, url = {http://x.org/a}}",
            r#"[{"type": "webpage", "title": "A", "container-title": "A Site", "URL": "http://x.org/a"}]"#,
        );
    }

    #[test]
    fn fields_of_programs_have_their_variables() {
        check_read(
            &BIBTEX,
            "@article{a, journal = {Nat Med}, journal-full = {Nature medicine}, article-number = {e5},
             url = {http://x.org/a http://x.org/b}, abstract = {One.\n\nTwo.}}",
            r#"[{"container-title": "Nature medicine", "container-title-short": "Nat Med", "number": "e5",
             "URL": "http://x.org/a", "abstract": "One.\nTwo."}]"#,
        );
    }
}
