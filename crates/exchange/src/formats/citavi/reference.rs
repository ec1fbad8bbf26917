//! Maps a Citavi reference to CSL. Every type has the same fields, but with different meanings (the
//! manual's table "Fields in Citavi").

use std::collections::HashMap;

use citation_fields::{keywords, languages, pages};
use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::{Name, non_blank};
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// A reference, its people and names, in Citavi's terms.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    pub kind: String,
    /// Texts by their XML names: `Title`, `DOI`.
    pub fields: HashMap<String, String>,
    pub authors: Vec<Name>,
    pub editors: Vec<Name>,
    pub translators: Vec<Name>,
    pub collaborators: Vec<Name>,
    pub others: Vec<Name>,
    pub organizations: Vec<Name>,
    pub publishers: Vec<String>,
    pub keywords: Vec<String>,
    pub series: String,
    pub periodical: Periodical,
}

#[derive(Clone, Debug, Default)]
pub struct Periodical {
    pub name: String,
    pub abbreviation: String,
    pub issn: String,
}

/// A person from the parts of the name. A single name of several words is an institution.
pub fn person(first: &str, middle: &str, prefix: &str, last: &str, suffix: &str) -> Name {
    let given = format!("{} {}", first.trim(), middle.trim());
    let is_whole = given.trim().is_empty() && prefix.trim().is_empty();
    if is_whole && last.trim().contains(char::is_whitespace) {
        return Name::literal(last);
    }
    Name {
        non_dropping_particle: non_blank(prefix),
        suffix: non_blank(suffix),
        ..Name::person(last, &given)
    }
}

impl Reference {
    pub fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// The item alone, contained in a work of type `parent_kind`.
    pub fn item(&self, parent_kind: Option<&str>) -> Item {
        let kind = kind(&self.kind, parent_kind);
        let key = self.field("CitationKey").trim();
        let mut item = Item::new(key, kind);
        item.set_text(TextVar::CitationKey, key);
        item.set_text(TextVar::Title, self.title());
        self.people(&mut item);
        self.texts(&mut item);
        self.numbers(&mut item);
        self.dates(&mut item);
        item
    }

    fn title(&self) -> String {
        let (title, subtitle) = (self.field("Title").trim(), self.field("Subtitle").trim());
        match title.ends_with(['?', '!', '.', ':']) {
            _ if title.is_empty() || subtitle.is_empty() => format!("{title}{subtitle}"),
            true => format!("{title} {subtitle}"),
            false => format!("{title}: {subtitle}"),
        }
    }

    fn people(&self, item: &mut Item) {
        use ItemType::*;
        let (authors, editors, collaborators) = match item.kind {
            MotionPicture | Broadcast => (NameVar::Director, NameVar::Producer, NameVar::Performer),
            Song => (NameVar::Composer, NameVar::Director, NameVar::Performer),
            Interview => (NameVar::Interviewer, NameVar::Editor, NameVar::Author),
            PersonalCommunication => (NameVar::Author, NameVar::Editor, NameVar::Recipient),
            // The editors of a patent are its holders.
            Patent => (NameVar::Author, NameVar::Contributor, NameVar::Contributor),
            _ => (NameVar::Author, NameVar::Editor, NameVar::Contributor),
        };
        for (variable, names) in [
            (authors, &self.authors),
            (editors, &self.editors),
            (NameVar::Translator, &self.translators),
            (collaborators, &self.collaborators),
            (NameVar::Contributor, &self.others),
        ] {
            let all = [item.names(variable), names].concat();
            item.set_names(variable, all);
        }
        // An interview with only one known side is attributed to that person.
        if item.kind == Interview && item.names(NameVar::Author).is_empty() {
            item.set_names(NameVar::Author, self.authors.clone());
            item.set_names(NameVar::Interviewer, Vec::new());
        }
        let institution = names_text(&self.organizations);
        match item.kind {
            Thesis => item.set_text(TextVar::Publisher, institution),
            LegalCase | Legislation | Patent | Standard => {
                item.set_text(TextVar::Authority, institution)
            }
            Manuscript => item.set_text(TextVar::Archive, institution),
            _ if self.authors.is_empty() && self.editors.is_empty() => {
                item.set_names(NameVar::Author, self.organizations.clone());
            }
            _ => item.set_text(TextVar::Authority, institution),
        }
    }

    fn texts(&self, item: &mut Item) {
        for (name, variable) in [
            ("Abstract", TextVar::Abstract),
            ("DOI", TextVar::Doi),
            ("ISBN", TextVar::Isbn),
            ("OnlineAddress", TextVar::Url),
            ("ParallelTitle", TextVar::OriginalTitle),
            ("PlaceOfPublication", TextVar::PublisherPlace),
            ("PMCID", TextVar::Pmcid),
            ("PubMedID", TextVar::Pmid),
            ("SourceOfBibliographicInformation", TextVar::Source),
            ("StorageMedium", TextVar::Medium),
            ("Notes", TextVar::Note),
        ] {
            item.set_text(variable, self.field(name));
        }
        let language = [self.field("LanguageCode"), self.field("Language")];
        let language = language.into_iter().find(|text| !text.trim().is_empty());
        item.set_text(
            TextVar::Language,
            languages::tag_of(language.unwrap_or_default()),
        );
        let supplement = match item.kind {
            ItemType::Thesis | ItemType::PersonalCommunication | ItemType::Map => TextVar::Genre,
            _ => TextVar::Annote,
        };
        item.set_text(supplement, self.field("TitleSupplement"));
        if !self.publishers.is_empty() {
            item.set_text(TextVar::Publisher, self.publishers.join("; "));
        }
        item.set_text(TextVar::CollectionTitle, &*self.series);
        item.set_text(
            TextVar::Keyword,
            keywords::join(self.keywords.iter().map(String::as_str)),
        );
        item.set_text(TextVar::ContainerTitle, &*self.periodical.name);
        item.set_text(TextVar::ContainerTitleShort, &*self.periodical.abbreviation);
        item.set_text(TextVar::Issn, &*self.periodical.issn);
        match self.kind.as_str() {
            "ConferenceProceedings" => {
                item.set_text(TextVar::EventPlace, self.field("SpecificField1"));
                item.set_text(TextVar::EventTitle, self.field("SpecificField7"));
                if let Some(date) = Date::parse(self.field("SpecificField4")) {
                    item.set_date(DateVar::EventDate, date);
                }
            }
            "ComputerProgram" => item.set_number(NumberVar::Version, self.field("SpecificField4")),
            "Movie"
            | "Broadcast"
            | "AudioBook"
            | "AudioOrVideoDocument"
            | "MusicTrack"
            | "Lecture" => {
                item.set_text(TextVar::Dimensions, self.field("SpecificField2"));
            }
            "Standard" => item.set_text(TextVar::Genre, self.field("SpecificField2")),
            "PressRelease" => item.set_text(TextVar::Genre, "Press release"),
            _ => {}
        }
    }

    fn numbers(&self, item: &mut Item) {
        use ItemType::*;
        item.set_number(NumberVar::Volume, self.field("Volume"));
        item.set_number(NumberVar::Edition, self.field("Edition"));
        let number = match item.kind {
            Article | NewspaperArticle | MagazineArticle | Periodical => NumberVar::Issue,
            Book | Chapter | ConferencePaper | Collection => NumberVar::CollectionNumber,
            _ => NumberVar::Number,
        };
        match self.kind.as_str() {
            "Map" => item.set_text(TextVar::Scale, self.field("Number")),
            _ => item.set_number(number, self.field("Number")),
        }
        match item.kind {
            // The article number in journals without pages.
            Article => item.set_number(NumberVar::Number, self.field("NumberOfVolumes")),
            _ => item.set_number(NumberVar::NumberOfVolumes, self.field("NumberOfVolumes")),
        }
        item.set_number(
            NumberVar::Page,
            pages::normal(&shown(self.field("PageRange"))),
        );
        item.set_number(NumberVar::NumberOfPages, count(self.field("PageCount")));
    }

    /// For most types the year and the day are in separate fields.
    fn dates(&self, item: &mut Item) {
        let date = |name: &str| Date::parse(self.field(name));
        let year = date("Year").or_else(|| date("YearResolved"));
        let day = match item.kind {
            ItemType::Patent => date("Date2").or_else(|| date("Date")),
            _ => date("Date").or_else(|| date("Date2")),
        };
        let year_of = |date: &Date| date.start.map(|start| start.year);
        let is_of_year = |day: &Date| {
            year.as_ref()
                .is_none_or(|year| year_of(year) == year_of(day))
        };
        let precise = day
            .clone()
            .filter(|day| day.start.is_some() && is_of_year(day));
        if let Some(issued) = precise.or(year).or(day) {
            item.set_date(DateVar::Issued, issued);
        }
        if let Some(accessed) = date("AccessDate").filter(|date| date.start.is_some()) {
            item.set_date(DateVar::Accessed, accessed);
        }
    }
}

/// Maximum names and bytes per text inherited from a containing work, so that many works in one stay small.
const MAX_INHERITED: usize = 100;
const MAX_INHERITED_LENGTH: usize = 2_000;

/// Copies to a work what it inherits from the work that contains it.
pub fn inherit(whole: &Item, item: &mut Item) {
    let is_short = |text: &&str| text.len() <= MAX_INHERITED_LENGTH;
    if let (None, Some(title)) = (
        item.text(TextVar::ContainerTitle),
        whole.text(TextVar::Title).filter(is_short),
    ) {
        item.set_text(TextVar::ContainerTitle, title);
    }
    for (own, of_whole) in [
        (NameVar::Editor, NameVar::Editor),
        (NameVar::ContainerAuthor, NameVar::Author),
    ] {
        if item.names(own).is_empty() {
            let names = whole.names(of_whole).iter().take(MAX_INHERITED);
            item.set_names(own, names.cloned().collect());
        }
    }
    for variable in [
        TextVar::Publisher,
        TextVar::PublisherPlace,
        TextVar::Isbn,
        TextVar::Issn,
        TextVar::CollectionTitle,
        TextVar::EventTitle,
        TextVar::EventPlace,
        TextVar::Language,
    ] {
        if let (None, Some(text)) = (item.text(variable), whole.text(variable).filter(is_short)) {
            item.set_text(variable, text);
        }
    }
    for variable in [
        NumberVar::Volume,
        NumberVar::Issue,
        NumberVar::Edition,
        NumberVar::CollectionNumber,
        NumberVar::NumberOfVolumes,
    ] {
        if let (None, Some(text)) = (
            item.number(variable),
            whole.number(variable).filter(is_short),
        ) {
            item.set_number(variable, text);
        }
    }
    for variable in [DateVar::Issued, DateVar::EventDate] {
        if let (None, Some(date)) = (item.date(variable), whole.date(variable)) {
            item.set_date(variable, date.clone());
        }
    }
}

fn names_text(names: &[Name]) -> String {
    names
        .iter()
        .map(Name::display)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The range as typed, from a field that holds it as XML: `<sp>…</sp><ep>…</ep><os>5-9</os>`.
fn shown(text: &str) -> String {
    let Some((_, rest)) = text.rsplit_once("<os>") else {
        let is_plain = !text.contains('<');
        return if is_plain {
            text.trim().to_owned()
        } else {
            String::new()
        };
    };
    rest.split('<').next().unwrap_or_default().trim().to_owned()
}

/// The number of pages, if it consists of digits.
fn count(text: &str) -> String {
    let counted = text
        .split_once("<c>")
        .and_then(|(_, rest)| rest.split('<').next());
    counted.map(str::to_owned).unwrap_or_else(|| shown(text))
}

/// The item type of a Citavi type in a containing work of type `parent`.
fn kind(name: &str, parent: Option<&str>) -> ItemType {
    use ItemType::*;
    match name {
        "ArchiveMaterial" | "Manuscript" => Manuscript,
        "AudioBook"
        | "Book"
        | "BookEdited"
        | "CollectedWorks"
        | "ConferenceProceedings"
        | "LegalCommentary" => Book,
        "AudioOrVideoDocument" | "Movie" => MotionPicture,
        "Broadcast" | "RadioPlay" => Broadcast,
        "ComputerProgram" => Software,
        "Contribution" | "ContributionInLegalCommentary" => match parent {
            Some("ConferenceProceedings") => ConferencePaper,
            Some("SpecialIssue") => Article,
            _ => Chapter,
        },
        "CourtDecision" => LegalCase,
        "InternetDocument" => Webpage,
        "InterviewMaterial" => Interview,
        "JournalArticle" | "SpecialIssue" => Article,
        "Lecture" => Speech,
        "Map" => Map,
        "MusicAlbum" | "MusicTrack" => Song,
        "NewsAgencyReport" | "NewspaperArticle" => NewspaperArticle,
        "Patent" => Patent,
        "PersonalCommunication" => PersonalCommunication,
        "PressRelease" | "UnpublishedWork" => Report,
        "Standard" => Standard,
        "StatuteOrRegulation" => Legislation,
        "Thesis" => Thesis,
        other => ItemType::parse(other).unwrap_or_default(),
    }
}
