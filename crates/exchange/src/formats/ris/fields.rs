//! Maps RIS tags to variables of an item (field mapping, section 2). Values without a variable are kept in
//! `custom` under their tag.

use super::kinds::read_kind;
use super::parse::RisRecord;
use crate::rows::{FieldRow, number, text};
use crate::syntax::tagged::{TaggedField, is_any};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::notice::Notices;
use citation_fields::parts::{date_of, event_days, second_role};
use citation_fields::{identifiers, keywords, names, pages};
use citation_model::date::Date;
use citation_model::identifier::{Doi, Pmcid, Pmid};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Converts a record to an item.
pub fn read_item(record: &RisRecord<'_>, notices: Notices) -> (Item, Notices) {
    let mut reader = RisReader {
        record,
        used: vec![false; record.tags.len()],
        builder: ItemBuilder::with_notices(record.offset, notices),
    };
    reader.kind();
    reader.of_type();
    reader.titles();
    reader.containers();
    reader.names();
    reader.dates();
    reader.take_rows(FIELDS);
    reader.numbers();
    reader.identifiers();
    reader.texts();
    reader.rest();
    reader.builder.finish()
}

struct RisReader<'r, 'a> {
    record: &'r RisRecord<'a>,
    used: Vec<bool>,
    builder: ItemBuilder,
}

const NAMES: &[(&str, NameVar)] = &[
    ("AU", NameVar::Author),
    ("A1", NameVar::Author),
    ("ED", NameVar::Editor),
    ("A4", NameVar::Translator),
];

/// Tags with one variable for each type.
pub(crate) const FIELDS: &[FieldRow] = {
    use NumberVar::*;
    use TextVar::*;
    &[
        number("ET", Version).of(ItemType::has_versions),
        number("ET", Edition).of(|kind| !kind.has_versions()),
        number("NV", NumberOfVolumes),
        number("SE", ChapterNumber).of(is_chapter),
        number("SE", Section).of(|kind| !is_chapter(kind)),
        number("SV", CollectionNumber),
        text("ST", TitleShort),
        text("OP", OriginalTitle),
        text("RI", ReviewedTitle),
        text("PB", Publisher).of(|kind| kind != ItemType::LegalCase),
        text("CN", CallNumber),
        text("DB", Archive),
        text("DP", Source),
        text("CR", License),
        text("AV", ArchiveLocation),
    ]
};

/// Tags with a meaning of their own for some types, as EndNote and Zotero have them. Read first.
pub(crate) const FIELDS_OF_TYPES: &[FieldRow] = {
    use ItemType::*;
    use TextVar::{Authority, Dimensions, Medium, Scale};
    &[
        text("T3", Authority).of(|kind| matches!(kind, Bill | Hearing)),
        text("PB", Authority).of(|kind| kind == LegalCase),
        text("C1", Scale).of(|kind| kind == Map),
        text("C3", Dimensions).of(|kind| matches!(kind, Map | Graphic | Figure)),
        text("C5", Medium).of(|kind| matches!(kind, MotionPicture | Broadcast | Song)),
    ]
};

/// Whether a text names a conference and is not the number of an issue.
fn is_event_name(text: &str) -> bool {
    text.contains(char::is_whitespace) || text.chars().filter(|c| c.is_alphabetic()).count() > 2
}

fn is_chapter(kind: ItemType) -> bool {
    kind == ItemType::Chapter
}

impl<'r> RisReader<'r, '_> {
    fn item(&self) -> &Item {
        self.builder.item()
    }

    /// Takes the values of a tag and marks them as used.
    fn all(&mut self, tag: &str) -> Vec<&'r TaggedField<'r>> {
        let mut found = Vec::new();
        for (tagged, used) in self.record.tags.iter().zip(&mut self.used) {
            if tagged.tag == tag && !*used {
                *used = true;
                if !tagged.value.is_empty() {
                    found.push(tagged);
                }
            }
        }
        if let Some(first) = found.first() {
            self.builder.at(first.offset);
        }
        found
    }

    /// Takes the first value of a tag as one line; others stay.
    fn take(&mut self, tag: &str) -> Option<String> {
        self.take_value(tag).map(TaggedField::text)
    }

    /// Takes the value of the first tag that has one.
    fn take_any(&mut self, tags: &[&str]) -> Option<String> {
        tags.iter().find_map(|tag| self.take(tag))
    }

    fn take_paragraphs(&mut self, tag: &str) -> Option<String> {
        self.take_value(tag).map(TaggedField::paragraphs)
    }

    fn take_value(&mut self, tag: &str) -> Option<&'r TaggedField<'r>> {
        let mut tags = self.record.tags.iter().zip(&mut self.used);
        let is_free = |(tagged, used): &(&TaggedField<'_>, &mut bool)| {
            tagged.tag == tag && !**used && !tagged.value.is_empty()
        };
        let (tagged, used) = tags.find(is_free)?;
        *used = true;
        self.builder.at(tagged.offset);
        Some(tagged)
    }

    fn first(&self, tag: &str) -> Option<String> {
        let tags = self.record.tags.iter().zip(&self.used);
        let mut found =
            tags.filter(|(tagged, used)| tagged.tag == tag && !**used && !tagged.value.is_empty());
        found.next().map(|(tagged, _)| tagged.text())
    }

    fn has(&self, tag: &str) -> bool {
        self.record
            .tags
            .iter()
            .any(|tagged| tagged.tag == tag && !tagged.value.is_empty())
    }

    fn has_any(&self, tags: &[&str]) -> bool {
        tags.iter().any(|tag| self.has(tag))
    }

    fn is(&self, kinds: &[ItemType]) -> bool {
        kinds.contains(&self.builder.kind())
    }

    fn set_text(&mut self, variable: TextVar, text: Option<String>) {
        self.builder
            .text(variable, text.as_deref().unwrap_or_default());
    }

    fn set_number(&mut self, variable: NumberVar, text: Option<String>) {
        self.builder
            .number(variable, text.as_deref().unwrap_or_default());
    }

    fn take_text(&mut self, tag: &str, variable: TextVar) {
        let text = self.take(tag);
        self.set_text(variable, text);
    }

    /// Takes the tags of a table that have a variable for the type.
    fn take_rows(&mut self, fields: &[FieldRow]) {
        let kind = self.builder.kind();
        for row in fields.iter().filter(|row| row.is_of(kind)) {
            if let Some(text) = self.take(row.tag()) {
                row.set(&mut self.builder, &text);
            }
        }
    }

    fn take_number(&mut self, tag: &str, variable: NumberVar) {
        let text = self.take(tag);
        self.set_number(variable, text);
    }

    fn kind(&mut self) {
        let kind = self.record.kind.trim();
        let is_generic = kind.is_empty() || kind.eq_ignore_ascii_case("GEN");
        let read = read_kind(kind).unwrap_or_else(|| self.generic_kind());
        self.builder.set_kind(read);
        // Scopus writes papers and chapters of a volume in a series as `SER`.
        if kind.eq_ignore_ascii_case("SER") && self.has("T2") && self.has("SP") {
            let is_paper = self
                .first("M3")
                .is_some_and(|genre| is_any(&genre, &["Conference Paper"]));
            self.builder.set_kind(if is_paper {
                ItemType::ConferencePaper
            } else {
                ItemType::Chapter
            });
        }
        if kind.eq_ignore_ascii_case("INPR") {
            self.builder.text(TextVar::Status, "in press");
        }
        if self.builder.kind() == ItemType::ConferencePaper
            && kind.eq_ignore_ascii_case("CONF")
            && !self.has_any(&["SP", "T2", "C3", "BT", "JF", "JO"])
        {
            self.builder.set_kind(ItemType::Book);
        }
        // With a journal title, the type is clear despite an unknown type name.
        let settled = self.builder.kind() != ItemType::Document;
        if read_kind(kind).is_none() && !is_generic {
            let message = format!("“{kind}” is no reference type of RIS.");
            self.builder.notice("unknown_type", message);
            if !settled {
                self.builder.custom("entry_type", kind);
            }
        }
    }

    fn of_type(&mut self) {
        self.take_rows(FIELDS_OF_TYPES);
        // Zotero's filing date.
        if self.is(&[ItemType::Patent])
            && let Some(filed) = self.first("C1").and_then(|text| read_date(&text))
            && filed.start.is_some()
        {
            self.take("C1");
            self.builder.date(DateVar::Submitted, Some(filed));
        }
        // `OP` is the title of the original, or its date.
        if let Some(date) = self.first("OP").and_then(|text| read_date(&text))
            && date.start.is_some()
        {
            self.take("OP");
            self.builder.date(DateVar::OriginalDate, Some(date));
        }
    }

    /// A record of generic type is an article if it has a journal.
    fn generic_kind(&self) -> ItemType {
        let in_journal = self.has_any(&["JO", "JF", "JA"]) || self.has("T2") && self.has("VL");
        if in_journal {
            ItemType::Article
        } else {
            ItemType::Document
        }
    }

    fn titles(&mut self) {
        let mut title = self.take_any(&["TI", "T1", "CT"]);
        if self.builder.kind().is_whole_book() {
            title = title.or_else(|| self.take("BT"));
        }
        // A translated title is used as the title; the other is the original title. Databases write the
        // translation first, in brackets.
        if let Some(translated) = self.take("TT") {
            let bracketed = title.as_deref().and_then(|title| {
                let inside = title
                    .trim_end_matches('.')
                    .strip_prefix('[')?
                    .strip_suffix(']')?;
                Some(inside.trim_end_matches('.').to_owned())
            });
            let (original, own) = match bracketed {
                Some(own) => (Some(translated), own),
                None => (title, translated),
            };
            self.set_text(TextVar::OriginalTitle, original);
            title = Some(own);
        }
        self.set_text(TextVar::Title, title);
    }

    /// The journal title is the first of `JF`, `T2`, `JO` and the abbreviations. EBSCO writes an
    /// alternative title into `T2` and the journal into `JF`; Scopus writes the journal only into `T2`.
    fn containers(&mut self) {
        use ItemType::*;
        let secondary_is_series = self.is(&[Book, Report, Software, Map, Pamphlet, Classic]);
        if self.is(&[Thesis]) {
            self.take_text("T2", TextVar::Division);
        }
        let container = if secondary_is_series {
            self.take_text("T2", TextVar::CollectionTitle);
            self.take_any(&["JF", "JO"])
        } else {
            self.proceedings()
                .or_else(|| self.take_any(&["JF", "T2", "BT", "JO"]))
        };
        let container = container.or_else(|| self.take_any(&["J1", "JA", "J2"]));
        for tag in ["JA", "J2", "J1", "JO"] {
            let short = self.first(tag);
            if short.is_some() && short == container {
                self.take(tag);
            } else if self.item().text(TextVar::ContainerTitleShort).is_none() {
                self.take_text(tag, TextVar::ContainerTitleShort);
            }
        }
        if let Some(container) = &container {
            // Several programs repeat the title under other tags.
            for (tagged, used) in self.record.tags.iter().zip(&mut self.used) {
                *used |= matches!(tagged.tag, "JF" | "T2" | "C3" | "BT" | "JO")
                    && tagged.text() == *container;
            }
        }
        self.set_text(TextVar::ContainerTitle, container);
        self.take_text("T3", TextVar::CollectionTitle);
    }

    /// Whether Web of Science wrote the record. Its `C3` are the institutions of the authors, not proceedings, and its `A1`
    /// is the body behind a volume.
    fn is_of_web_of_science(&self) -> bool {
        self.has("WE") || { self.record.tags.iter() }
            .any(|tagged| tagged.tag == "AN" && tagged.value.trim_start().starts_with("WOS:"))
    }

    /// The title of the proceedings in `C3`. `T2` beside it is the conference (EndNote, Scopus) or the
    /// series.
    fn proceedings(&mut self) -> Option<String> {
        let (true, true) = (self.is(&[ItemType::ConferencePaper]), self.has("C3")) else {
            return None;
        };
        if self.is_of_web_of_science() {
            return None;
        }
        let proceedings = self.take("C3");
        let secondary = self
            .take("T2")
            .filter(|title| Some(title) != proceedings.as_ref());
        let lower = secondary.as_deref().unwrap_or_default().to_lowercase();
        let is_event = [
            "conference",
            "symposium",
            "workshop",
            "congress",
            "meeting",
            "colloquium",
        ]
        .iter()
        .any(|word| lower.contains(word));
        let variable = if is_event {
            TextVar::EventTitle
        } else {
            TextVar::CollectionTitle
        };
        self.set_text(variable, secondary);
        proceedings
    }

    fn names(&mut self) {
        use ItemType::*;
        let edited = self.record.kind.eq_ignore_ascii_case("EDBOOK");
        for (tag, variable) in NAMES {
            // The group author of a volume is the author of a paper only if nobody else is.
            if *tag == "A1" && self.has("AU") && self.is_of_web_of_science() {
                continue;
            }
            let variable = match *variable {
                NameVar::Author if edited => NameVar::Editor,
                NameVar::Translator if self.is(&[MotionPicture, Broadcast]) => NameVar::Performer,
                variable => variable,
            };
            self.add_names(tag, variable);
        }
        // Zotero has the authors of the book there; elsewhere it is a PMCID.
        if self.is(&[Chapter])
            && self
                .first("C2")
                .is_some_and(|text| Pmcid::parse(&text).is_err())
        {
            self.add_names("C2", NameVar::ContainerAuthor);
        }
        let whole = self.is(&[Book, Pamphlet, Classic, Report]);
        // The editors of a book without authors and series are in the field of the series editors.
        let in_series = self.has_any(&["AU", "A1", "ED", "A3", "T2", "T3"]);
        let (secondary, tertiary) = match self.builder.kind() {
            _ if whole && in_series => (NameVar::CollectionEditor, NameVar::Editor),
            _ if whole => (NameVar::Editor, NameVar::Editor),
            // ProQuest and EndNote have the advisor there.
            Thesis => (NameVar::Editor, NameVar::Contributor),
            // EndNote's `Director, Series` and `Producer`; Zotero's `Performer`.
            MotionPicture | Broadcast => (NameVar::Director, NameVar::Producer),
            Song | MusicalScore => (NameVar::Performer, NameVar::CollectionEditor),
            kind => (second_role(kind), NameVar::CollectionEditor),
        };
        // The organization that issues patents.
        if self.is(&[Patent]) {
            self.take_text("A2", TextVar::Authority);
        }
        self.add_names("A2", secondary);
        self.add_names("A3", tertiary);
    }

    /// A person under two tags (`AU` and `A1`) is added once. Two persons of one list may have the same
    /// name, as `Zhang, Y.`; an institution is listed twice by mistake.
    fn add_names(&mut self, tag: &str, variable: NameVar) {
        let tags = self.all(tag).into_iter();
        let read = tags.flat_map(|tagged| names::people(&tagged.text()));
        self.builder.name_list(variable, read);
    }

    /// The most precise date is used; additional data of the others are kept.
    fn dates(&mut self) {
        let mut best: Option<Date> = None;
        for tag in ["DA", "PY", "Y1"] {
            for date in self.dates_of(tag) {
                if best
                    .as_ref()
                    .is_none_or(|best| precision(&date) > precision(best))
                {
                    best = Some(date);
                }
            }
        }
        for tagged in &self.record.tags {
            let text = tagged.text();
            if matches!(tagged.tag, "DA" | "PY" | "Y1" | "Y2") {
                self.builder.at(tagged.offset).check_date(&text);
            }
        }
        // Web of Science has nothing else of an article in press.
        if best.is_none()
            && let Some(early) = self.first("EA").and_then(|text| read_date(&text))
            && early.start.is_some()
        {
            self.take("EA");
            self.builder.date(DateVar::Issued, Some(early));
        }
        if let Some(best) = best {
            for (tagged, used) in self.record.tags.iter().zip(&mut self.used) {
                *used |= matches!(tagged.tag, "DA" | "PY" | "Y1")
                    && read_date(&tagged.text()).is_some_and(|date| says_all_of(&best, &date));
            }
            let best = self.completed(best);
            let (issued, event) = event_days(self.builder.kind(), best);
            self.builder.date(DateVar::Issued, Some(issued));
            if let Some(event) = event {
                self.builder.date(DateVar::EventDate, Some(event));
            }
        }
        let Some(said) = self.first("Y2") else {
            return;
        };
        if let Some(date) = read_date(&said) {
            self.take("Y2");
            // Scopus and Web of Science have the days of a conference there: `23 August 1978 through 25
            // August 1978`, `MAY 12-14, 2019`.
            let variable = if date.end.is_some() {
                DateVar::EventDate
            } else {
                DateVar::Accessed
            };
            self.builder.date(variable, Some(date));
        }
    }

    /// A year with the month and day that Web of Science and EndNote put into `DA`: `JUN 13`.
    fn completed(&mut self, year: Date) -> Date {
        if precision(&year) != 2 {
            return year;
        }
        let Some(said) = self.first("DA") else {
            return year;
        };
        match date_of(&year.edtf(), &said) {
            Some(date) if date != year => {
                self.take("DA");
                date
            }
            _ => year,
        }
    }

    fn dates_of(&self, tag: &str) -> Vec<Date> {
        let tags = self.record.tags.iter();
        let values = tags.filter(|tagged| tagged.tag == tag && !tagged.value.is_empty());
        values
            .filter_map(|tagged| read_date(&tagged.text()))
            .collect()
    }

    fn numbers(&mut self) {
        use ItemType::*;
        let volume = self.take_any(&["VL", "VO"]);
        // IEEE has it twice.
        if volume.is_some() && volume == self.first("VO") {
            self.take("VO");
        }
        self.set_number(NumberVar::Volume, volume);
        // Web of Science has the name of a conference in `CP`.
        if self.is(&[ConferencePaper, Speech])
            && self.first("CP").is_some_and(|text| is_event_name(&text))
        {
            self.take_text("CP", TextVar::EventTitle);
        }
        // Their own number is in `SN`; others are kept under their tags.
        let has_own = self.is(ItemType::NUMBERED)
            && self.first("SN").is_some_and(|text| {
                let serials = identifiers::serial_numbers(&text);
                serials.isbns.is_empty() && serials.issns.is_empty()
            });
        if has_own {
            return self.other_numbers();
        }
        let issue = self.take_any(&["IS", "CP"]);
        let number = if self.is(ItemType::NUMBERED) {
            NumberVar::Number
        } else if self.builder.kind() == Chapter {
            NumberVar::NumberOfVolumes
        } else {
            NumberVar::Issue
        };
        self.set_number(number, issue);
        let variable = match self.builder.kind() {
            Book | Chapter | Pamphlet => NumberVar::CollectionNumber,
            Article | MagazineArticle | NewspaperArticle | ConferencePaper => NumberVar::Issue,
            _ => NumberVar::Number,
        };
        self.other_numbers();
        if self.item().number(variable).is_none() {
            self.take_number("M1", variable);
        }
    }

    fn other_numbers(&mut self) {
        self.pages();
        self.take_number("C7", NumberVar::Number);
    }

    /// `SP` may hold the whole range. For a book it is the number of pages.
    fn pages(&mut self) {
        let start = self.take("SP").map(|text| pages::normal(&text));
        let end = self.take("EP").map(|text| pages::normal(&text));
        match (start, end) {
            (Some(start), Some(end)) => {
                self.set_number(NumberVar::Page, Some(pages::range(&start, &end)));
            }
            (Some(text), None) | (None, Some(text)) => {
                match pages::count(&text).filter(|_| self.builder.kind().counts_pages()) {
                    Some(count) => self.builder.number(NumberVar::NumberOfPages, count),
                    None => self.set_number(NumberVar::Page, Some(text)),
                }
            }
            (None, None) => {}
        }
    }

    fn identifiers(&mut self) {
        // An address in the field of the DOI that is no DOI's stays an address.
        if let Some(text) = self.take("DO") {
            if text.contains("://") && Doi::parse(&text).is_err() && !self.has_any(&["UR", "LK"]) {
                self.builder.address(&text);
            } else {
                self.builder.text(TextVar::Doi, &text);
            }
        }
        if let Some(text) = self.first("M3") {
            self.take("M3");
            match Doi::parse(&text) {
                Ok(doi) => self.set_text(TextVar::Doi, Some(doi.to_string())),
                Err(_) => self.builder.text(TextVar::Genre, &text),
            }
        }
        let url = self.take_any(&["UR", "LK"]);
        self.builder.address(&url.unwrap_or_default());
        self.doi_elsewhere();
        self.serial_numbers();
        if let Some(Ok(pmcid)) = self.first("C2").map(|text| Pmcid::parse(&text)) {
            self.take("C2");
            self.builder.text(TextVar::Pmcid, pmcid.as_str());
        }
        let from_pubmed = ["DB", "DP", "UR"].iter().any(|tag| {
            self.record.tags.iter().any(|tagged| {
                tagged.tag == *tag && {
                    let text = tagged.text().to_lowercase();
                    text.contains("pubmed") || text.contains("medline") || text.contains("nlm")
                }
            })
        });
        if let Some(Ok(pmid)) = self
            .first("AN")
            .filter(|_| from_pubmed)
            .map(|text| Pmid::parse(&text))
        {
            self.take("AN");
            self.builder.text(TextVar::Pmid, pmid.as_str());
        }
        self.labelled("PMID:", TextVar::Pmid);
        self.labelled("arXiv:", TextVar::ArxivId);
        let key = self.take_any(&["ID", "LB"]);
        if let Some(key) = key {
            self.builder.set_key(&key);
        }
    }

    /// An identifier without its own tag, in a note after its name: `PMID: 123`.
    fn labelled(&mut self, label: &str, variable: TextVar) {
        if self.item().text(variable).is_some() {
            return;
        }
        let tags = self.record.tags.iter().zip(&mut self.used);
        for (tagged, used) in tags.filter(|(tagged, _)| tagged.tag == "N1") {
            let text = tagged.text();
            let id = text.strip_prefix(label).map(str::trim);
            let plain = id.filter(|id| !id.contains(char::is_whitespace));
            if let Some(Ok(id)) = plain.and_then(|id| identifiers::canonical(variable, id)) {
                *used = true;
                return self.builder.text(variable, &id);
            }
        }
    }

    /// Finds a DOI in an address or a note if `DO` is missing.
    fn doi_elsewhere(&mut self) {
        if self.item().text(TextVar::Doi).is_some() {
            return;
        }
        let is_named =
            |tagged: &&TaggedField<'_>| matches!(tagged.tag, "UR" | "L3" | "LK" | "N1" | "M2");
        let found = self.record.tags.iter().filter(is_named).find_map(|tagged| {
            let text = tagged.text();
            let lower = text.to_lowercase();
            let names_doi = match tagged.tag {
                "UR" | "LK" => lower.contains("doi.org/"),
                "L3" => lower.contains("doi.org/") || lower.starts_with("10."),
                "N1" | "M2" => lower.starts_with("doi:") || lower.starts_with("10."),
                _ => false,
            };
            let short = text.len() < 200 && !text.trim_start_matches("doi: ").contains(' ');
            (names_doi && short)
                .then(|| Doi::parse(&text).ok())
                .flatten()
        });
        self.set_text(TextVar::Doi, found.map(|doi| doi.to_string()));
    }

    /// `SN` is an ISSN, an ISBN, or the number of a report, patent or standard.
    fn serial_numbers(&mut self) {
        let texts: Vec<String> = self.all("SN").iter().map(|tagged| tagged.text()).collect();
        if texts.is_empty() {
            return;
        }
        let text = texts.join("; ");
        if !self.is(ItemType::NUMBERED) {
            return self.builder.serial_number(&text);
        }
        let serials = identifiers::serial_numbers(&text);
        self.builder.text(TextVar::Isbn, &serials.isbns.join(", "));
        self.builder.text(TextVar::Issn, &serials.issns.join(", "));
        self.builder
            .number(NumberVar::Number, &serials.others.join(", "));
    }

    fn texts(&mut self) {
        let place = self.take_any(&["CY", "PP"]);
        if self.is(&[ItemType::ConferencePaper, ItemType::Speech]) {
            let event_place = self.take_any(&["CL", "C1"]);
            self.set_text(TextVar::EventPlace, event_place);
        }
        self.set_text(TextVar::PublisherPlace, place);
        // Web of Science has tags of its own format.
        if self.is_of_web_of_science() {
            if self.item().text(TextVar::Publisher).is_none() {
                self.take_text("PU", TextVar::Publisher);
            }
            if self.item().text(TextVar::PublisherPlace).is_none() {
                self.take_text("PI", TextVar::PublisherPlace);
            }
            if self.item().text(TextVar::ContainerTitleShort).is_none() {
                self.take_text("JI", TextVar::ContainerTitleShort);
            }
        }
        let summary = self
            .take_paragraphs("AB")
            .or_else(|| self.take_paragraphs("N2"));
        self.set_text(TextVar::Abstract, summary);
        for tag in ["N1", "RN"] {
            for tagged in self.all(tag) {
                self.builder.text(TextVar::Note, &tagged.paragraphs());
            }
        }
        for tagged in self.all("KW") {
            for line in tagged.lines() {
                let words = keywords::split_at_semicolons(line);
                words.iter().for_each(|word| self.builder.keyword(word));
            }
        }
        self.take_text("LA", TextVar::Language);
    }

    fn rest(&mut self) {
        for (tagged, used) in self.record.tags.iter().zip(&self.used) {
            if *used || tagged.value.is_empty() {
                continue;
            }
            self.builder.custom(tagged.tag, &tagged.text());
        }
    }
}

/// Maximum number of fields of a date; the specification has four.
const MAX_DATE_FIELDS: usize = 16;

/// `2003/07/14/spring`, with slashes omitted or doubled, or any form that [`Date::parse`] accepts.
pub(super) fn read_date(text: &str) -> Option<Date> {
    let fields: Vec<&str> = text.splitn(MAX_DATE_FIELDS, '/').map(str::trim).collect();
    let [year, rest @ ..] = fields.as_slice() else {
        return None;
    };
    let year_like = (3..=4).contains(&year.len()) && year.bytes().all(|b| b.is_ascii_digit());
    if !year_like || rest.is_empty() {
        return Date::parse(text);
    }
    let number = |at: usize| rest.get(at).and_then(|text| text.parse::<i64>().ok());
    let words = rest
        .iter()
        .filter(|text| text.parse::<i64>().is_err() && !text.is_empty());
    let words: Vec<&str> = words.copied().collect();
    let year_number = year.parse().ok()?;
    let parts = citation_model::date::DateParts::new(year_number, number(0), number(1));
    if words.is_empty() || parts.month.is_some() {
        return Some(parts.into());
    }
    // The fourth field is free text: a season, a range of months, an edition.
    let said = Date::parse(&format!("{} {year}", words.join(" ")));
    said.filter(|date| date.start.is_some())
        .or_else(|| Some(parts.into()))
}

/// Whether a date contains all the information of another.
fn says_all_of(date: &Date, other: &Date) -> bool {
    let (Some(start), Some(said)) = (date.start, other.start) else {
        return date == other;
    };
    let same = |own: Option<u8>, said: Option<u8>| said.is_none() || own == said;
    start.year == said.year
        && same(start.month, said.month)
        && same(start.day, said.day)
        && same(start.season, said.season)
        && (other.end.is_none() || date.end == other.end)
}

/// The precision of a date; a literal is less precise than a year.
fn precision(date: &Date) -> u8 {
    let range = u8::from(date.end.is_some());
    date.start.map_or(0, |start| start.precision() * 2 + range)
}

#[cfg(test)]
mod tests {
    use crate::RIS;
    use crate::testing::check_read;

    #[track_caller]
    fn check(record: &str, expected: &str) {
        check_read(
            &RIS,
            &format!("{record}\nER  - \n"),
            &format!("[{expected}]"),
        );
    }

    #[test]
    fn odd_fields_of_databases_have_their_variables() {
        check(
            "TY  - JOUR\nTI  - [A title.].\nTT  - Ein Titel\nAU  - {Bank of England}\nKW  - a;b\nKW  - c",
            r#"{"title": "A title", "original-title": "Ein Titel", "author": [{"literal": "Bank of England"}], "keyword": "a, b, c"}"#,
        );
        check(
            "TY  - CONF\nTI  - A\nT2  - Proc\nPY  - 2019\nY1  - 27 Oct.-2 Nov. 2019\nCY  - Reading, Mass. :",
            r#"{"issued": {"date-parts": [[2019]]}, "event-date": {"date-parts": [[2019, 10, 27], [2019, 11, 2]]}, "publisher-place": "Reading, Mass."}"#,
        );
        check(
            "TY  - THES\nTI  - A\nT2  - Physics\nPB  - MIT",
            r#"{"division": "Physics", "container-title": null}"#,
        );
        check(
            "TY  - PAT\nTI  - A\nA2  - Patent Office",
            r#"{"authority": "Patent Office", "editor": null}"#,
        );
    }

    #[test]
    fn report_has_its_own_number_and_a_page_its_site() {
        check(
            "TY  - RPRT\nTI  - A\nSN  - TR-12\nM1  - 7",
            r#"{"number": "TR-12", "custom": {"M1": "7"}}"#,
        );
        check("TY  - RPRT\nTI  - A\nM1  - 7", r#"{"number": "7"}"#);
        check(
            "TY  - ELEC\nTI  - A\nT2  - Site",
            r#"{"type": "webpage", "container-title": "Site", "collection-title": null}"#,
        );
    }

    #[test]
    fn fields_of_single_types_have_their_variables() {
        check(
            "TY  - CASE\nTI  - A\nPB  - Some Court",
            r#"{"authority": "Some Court", "publisher": null}"#,
        );
        check(
            "TY  - CHAP\nTI  - A\nC2  - Poe, L.\nOP  - 1899",
            r#"{"container-author": [{"family": "Poe", "given": "L."}], "original-date": {"date-parts": [[1899]]}}"#,
        );
        check(
            "TY  - MPCT\nTI  - A\nAU  - Doe, J.\nA2  - Roe, K.\nA3  - Poe, L.\nA4  - Zoe, M.\nC5  - DVD",
            r#"{"director": [{"family": "Roe", "given": "K."}], "producer": [{"family": "Poe", "given": "L."}],
                "performer": [{"family": "Zoe", "given": "M."}], "medium": "DVD", "translator": null}"#,
        );
        check(
            "TY  - PAT\nTI  - A\nC1  - 1999/01/02",
            r#"{"submitted": {"date-parts": [[1999, 1, 2]]}}"#,
        );
    }

    #[test]
    fn paragraphs_of_an_abstract_stay() {
        check(
            "TY  - JOUR\nTI  - A\nAB  - One.\nTwo\n lines.\n\nThree.",
            r#"{"abstract": "One.\nTwo lines.\nThree."}"#,
        );
    }

    #[test]
    fn one_line_may_have_several_people() {
        check(
            "TY  - JOUR\nAU  - Doe, J.; Roe, K.\nAU  - A. B. Smith\nAU  - World Bank",
            r#"{"author": [{"family": "Doe", "given": "J."}, {"family": "Roe", "given": "K."},
                {"family": "Smith", "given": "A. B."}, {"literal": "World Bank"}]}"#,
        );
    }

    #[test]
    fn proceedings_have_a_conference_or_a_series_beside_them() {
        check(
            "TY  - CONF\nT2  - 3rd Conference on Tests\nC3  - Proceedings\nT3  - Series",
            r#"{"container-title": "Proceedings", "event-title": "3rd Conference on Tests", "collection-title": "Series"}"#,
        );
        check(
            "TY  - CONF\nT2  - Lecture Notes\nC3  - Proceedings",
            r#"{"container-title": "Proceedings", "collection-title": "Lecture Notes", "event-title": null}"#,
        );
        check(
            "TY  - CONF\nT2  - Proceedings\nC3  - Proceedings\nJF  - Proceedings",
            r#"{"container-title": "Proceedings", "collection-title": null, "custom": null}"#,
        );
    }

    #[test]
    fn web_of_science_has_institutions_where_others_have_proceedings() {
        let container = r#""container-title": "TESTS 2016""#;
        check(
            "TY  - CPAPER\nAU  - Doe, J\nA1  - IEEE\nT2  - TESTS 2016\nC3  - University of Tests\nC3  - Test Agency\nAN  - WOS:000400000000001",
            &format!(r#"{{{container}, "author": [{{"family": "Doe", "given": "J"}}]}}"#),
        );
        check(
            "TY  - CPAPER\nA1  - IEEE\nT2  - TESTS 2016\nC3  - University of Tests\nWE  - Conference Index",
            &format!(r#"{{{container}, "author": [{{"family": "IEEE"}}]}}"#),
        );
    }

    #[test]
    fn conference_of_web_of_science_is_an_event() {
        check(
            "TY  - CPAPER\nCP  - Conference on Tests\nCL  - Rome, ITALY\nY2  - MAY 12-14, 2019",
            r#"{"event-title": "Conference on Tests", "event-place": "Rome, ITALY", "issue": null, "accessed": null,
                "event-date": {"date-parts": [[2019, 5, 12], [2019, 5, 14]]}}"#,
        );
    }

    #[test]
    fn serial_with_pages_is_a_part_of_a_volume() {
        let record = "TY  - SER\nTI  - A\nT2  - Lecture Notes\nA2  - Doe, J.\nSP  - 1\nEP  - 8";
        let editor =
            r#""container-title": "Lecture Notes", "editor": [{"family": "Doe", "given": "J."}]"#;
        check(record, &format!(r#"{{"type": "chapter", {editor}}}"#));
        check(
            &format!("{record}\nM3  - Conference Paper"),
            &format!(r#"{{"type": "paper-conference", {editor}}}"#),
        );
        check(
            "TY  - SER\nTI  - A\nT2  - Lecture Notes",
            r#"{"type": "book", "collection-title": "Lecture Notes"}"#,
        );
    }

    #[test]
    fn two_authors_may_have_the_same_name() {
        let zhang = r#"{"family": "Zhang", "given": "Y."}"#;
        check(
            "TY  - JOUR\nAU  - Zhang, Y.\nAU  - Zhang, Y.\nA1  - Zhang, Y.\nAU  - IEEE\nAU  - IEEE",
            &format!(r#"{{"author": [{zhang}, {zhang}, {{"family": "IEEE"}}]}}"#),
        );
    }

    #[test]
    fn proceedings_of_an_article_are_no_journal() {
        check(
            "TY  - JOUR\nJA  - J Tests\nC3  - EMBASE 1234",
            r#"{"container-title": "J Tests", "container-title-short": null}"#,
        );
    }

    #[test]
    fn serial_numbers_of_print_and_electronic_are_two() {
        check(
            "TY  - JOUR\nSN  - 0302-9743 (Print) 1611-3349 (Electronic)",
            r#"{"ISSN": "0302-9743, 1611-3349"}"#,
        );
    }

    #[test]
    fn advisor_of_a_thesis_contributes() {
        check(
            "TY  - THES\nAU  - Doe, J.\nA3  - Roe, K.\nSP  - xii, 234 p.",
            r#"{"contributor": [{"family": "Roe", "given": "K."}], "collection-editor": null, "number-of-pages": "234"}"#,
        );
    }

    #[test]
    fn editors_of_a_book_stand_in_several_places() {
        let editor = r#"{"editor": [{"family": "Doe", "given": "J."}]}"#;
        check("TY  - BOOK\nA2  - Doe, J.", editor);
        check("TY  - BOOK\nAU  - Poe, L.\nA3  - Doe, J.", editor);
        check(
            "TY  - BOOK\nAU  - Poe, L.\nA2  - Doe, J.",
            r#"{"collection-editor": [{"family": "Doe", "given": "J."}]}"#,
        );
    }

    #[test]
    fn tags_of_web_of_science_are_read() {
        check(
            "TY  - JOUR\nTI  - A\nT2  - WHOLE TESTS\nJI  - Wh. Tests\nJ9  - WH TESTS\nPU  - A PRESS\nPI  - ROME\nEA  - MAY 2021\nAN  - WOS:000000000000001",
            r#"{"type": "article-journal", "title": "A", "container-title": "WHOLE TESTS", "container-title-short": "Wh. Tests",
            "publisher": "A PRESS", "publisher-place": "ROME", "issued": {"date-parts": [[2021, 5]]},
            "custom": {"AN": "WOS:000000000000001", "J9": "WH TESTS"}}"#,
        );
    }

    #[test]
    fn address_in_the_field_of_the_doi_is_an_address() {
        check(
            "TY  - ELEC\nTI  - A\nDO  - http://x.org/a",
            r#"{"type": "webpage", "title": "A", "URL": "http://x.org/a"}"#,
        );
    }

    #[test]
    fn event_of_a_paper_comes_back() {
        crate::testing::check_round_trip(
            &RIS,
            r#"[{"type": "paper-conference", "citation-key": "a", "title": "A", "container-title": "B", "event-title": "Conference on Tests",
                "event-place": "Rome", "event-date": {"date-parts": [[2019, 5, 12], [2019, 5, 14]]},
                "author": [{"literal": "A. B. Smith"}, {"family": "Roe", "suffix": "Jr."}]}]"#,
        );
    }
}
