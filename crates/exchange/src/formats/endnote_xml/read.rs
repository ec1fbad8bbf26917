//! Reads the records of EndNote XML.

use super::kinds::{is_serial_own, number_variable, old_kind, read_kind};
use super::old;
use crate::reading::Reading;
use crate::rows::{FieldRow, number, text};
use crate::syntax::paragraphs::paragraphs;
use crate::syntax::xml::records::{self, Found, Layout};
use crate::syntax::xml::tree::{Element, Markup};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::names;
use citation_fields::pages;
use citation_fields::parts::{date_of, event_days, second_role};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::item_type::ItemType;
use citation_model::name::{Name, non_blank};
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Reads every record of a file.
pub fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    const LAYOUT: Layout = Layout {
        is_record: |name, _| matches!(name, "record" | "RECORD"),
        is_skipped: |name| matches!(name, "auth-address" | "AUTHOR_ADDRESS"),
    };
    records::read(text, budget, &LAYOUT, |record, offset, found| {
        let mut item = ItemBuilder::new(offset);
        let entry_type = EndNoteRecord {
            record,
            item: &mut item,
        }
        .read();
        found.push(Found { item, entry_type });
    })
}

struct EndNoteRecord<'x, 'i> {
    record: Element<'x>,
    item: &'i mut ItemBuilder,
}

impl EndNoteRecord<'_, '_> {
    fn read(&mut self) -> String {
        let said = self.kind();
        self.titles();
        self.names();
        self.dates();
        self.numbers();
        self.identifiers();
        self.texts();
        said
    }

    /// A child by its name in today's files.
    fn child(&self, name: &str) -> Option<Element<'_>> {
        if self.is_old() {
            return self.record.child(&old::name(name));
        }
        self.record.child(name)
    }

    /// A descendant by the names of today's files. Before, there were no groups of fields.
    fn path(&self, path: &[&str]) -> Option<Element<'_>> {
        let new = self.record.path(path);
        let last = path.last().filter(|_| self.is_old());
        new.or_else(|| old::field(self.record, last?))
    }

    /// Whether this is a record of EndNote 7 or of an older program.
    fn is_old(&self) -> bool {
        self.record.name() == "RECORD"
    }

    /// The text of a child, with EndNote's styles as markup.
    fn field(&self, name: &str) -> String {
        self.child(name).map(rich).unwrap_or_default()
    }

    /// The text of a child with its line breaks; one line if it has markup of its own.
    fn paragraphs(&self, name: &str) -> String {
        let line = self.field(name);
        let is_plain = |element: &Element<'_>| !line.contains('<') || element.text() == line;
        match self.child(name).filter(is_plain) {
            Some(element) => {
                let parts = element.parts();
                let parts = parts.iter().map(|part| paragraphs(part));
                let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
                parts.join("\n")
            }
            None => line,
        }
    }

    fn inside(&self, parent: &str, name: &str) -> String {
        self.path(&[parent, name]).map(rich).unwrap_or_default()
    }

    fn is(&self, kinds: &[ItemType]) -> bool {
        kinds.contains(&self.item.kind())
    }

    fn kind(&mut self) -> String {
        let (said, number) = self.said_kind();
        self.item.set_kind_or_say(read_kind(&said, &number), &said);
        // EndNote's proceedings type is used for a paper if the record names a container.
        let stands_in =
            !self.inside("titles", "secondary-title").is_empty() || !self.field("pages").is_empty();
        if said == "Conference Proceedings" && !stands_in {
            self.item.set_kind(ItemType::Book);
        }
        said
    }

    /// The name of the type, or its number if it has no name; and its number.
    fn said_kind(&self) -> (String, String) {
        let element = self.child("ref-type");
        let number = element.map(Element::text).unwrap_or_default();
        if self.is_old() {
            let name = old_kind(&number).map(str::to_owned);
            return (name.unwrap_or(number), String::new());
        }
        let name =
            element.and_then(|element| element.attribute("name").map(|name| name.into_owned()));
        (name.unwrap_or_else(|| number.clone()), number)
    }

    /// For works that stand alone, the secondary title is that of the series; a journal then has its own
    /// field.
    fn titles(&mut self) {
        let title = self.inside("titles", "title");
        let translated = self.inside("titles", "translated-title");
        if translated.is_empty() {
            self.item.text(TextVar::Title, &title);
        } else {
            self.item.text(TextVar::Title, &translated);
            self.item.text(TextVar::OriginalTitle, &title);
        }
        self.item
            .text(TextVar::TitleShort, &self.inside("titles", "short-title"));
        let secondary = self.inside("titles", "secondary-title");
        let journal = self.inside("periodical", "full-title");
        if self.item.kind().has_series() {
            self.item.text(TextVar::ContainerTitle, &journal);
            if secondary != journal {
                let variable = if self.is(&[ItemType::Thesis]) {
                    TextVar::Division
                } else {
                    TextVar::CollectionTitle
                };
                self.item.text(variable, &secondary);
            }
        } else {
            // EndNote has the title of proceedings in a field of its own, beside the name of the conference.
            let proceedings = non_blank(&self.field("custom3"));
            if let Some(proceedings) = proceedings.filter(|_| self.is(&[ItemType::ConferencePaper]))
            {
                self.item.text(TextVar::ContainerTitle, &proceedings);
                if secondary != proceedings {
                    self.item.text(TextVar::EventTitle, &secondary);
                }
            }
            self.item.text(TextVar::ContainerTitle, &secondary);
            self.item.text(TextVar::ContainerTitle, &journal);
        }
        self.item.text(
            TextVar::CollectionTitle,
            &self.inside("titles", "tertiary-title"),
        );
        let short = [
            self.inside("periodical", "abbr-1"),
            self.inside("titles", "alt-title"),
        ];
        for short in short {
            if self.item.item().text(TextVar::ContainerTitle) != Some(&short)
                && self.item.kind().is_in_periodical()
            {
                self.item.text(TextVar::ContainerTitleShort, &short);
            }
        }
    }

    fn names(&mut self) {
        use ItemType::*;
        let whole = self.is(&[Book, Pamphlet, Classic, Report]);
        let edited = self.said_kind().0 == "Edited Book";
        let has = |name: &str| {
            let group = self.path(&["contributors", name]);
            group.is_some_and(|group| group.children().next().is_some())
        };
        // The editors of a book without authors and series are in the field of the series editors.
        let in_series = has("authors")
            || has("tertiary-authors")
            || !self.inside("titles", "secondary-title").is_empty();
        let secondary = if whole && in_series {
            NameVar::CollectionEditor
        } else {
            second_role(self.item.kind())
        };
        let subsidiary = if self.is(PERFORMED) {
            NameVar::Performer
        } else {
            NameVar::Translator
        };
        let tertiary = match (whole, self.item.kind()) {
            (true, _) => NameVar::Editor,
            (_, Thesis) => NameVar::Contributor,
            _ => NameVar::CollectionEditor,
        };
        for (group, variable) in [
            (
                "authors",
                if edited {
                    NameVar::Editor
                } else {
                    NameVar::Author
                },
            ),
            ("secondary-authors", secondary),
            ("tertiary-authors", tertiary),
            ("subsidiary-authors", subsidiary),
            ("translated-authors", NameVar::Translator),
        ] {
            let authors = self.path(&["contributors", group]);
            let authors = authors.into_iter().flat_map(Element::children);
            let texts: Vec<String> = authors.map(Element::text).collect();
            for name in texts.iter().flat_map(|text| author_names(text)) {
                self.item.listed_name(variable, name);
            }
        }
    }

    fn dates(&mut self) {
        let year = self.inside("dates", "year");
        let rest = self.path(&["dates", "pub-dates", "date"]);
        let rest = rest.map(Element::text).unwrap_or_default();
        // The edition of a web page is the day of its last change.
        let rest = if rest.is_empty() && self.is(&[ItemType::Webpage]) {
            self.field("edition")
        } else {
            rest
        };
        if let Some(date) = date_of(&year, &rest) {
            let (issued, event) = event_days(self.item.kind(), date);
            self.item.date(DateVar::Issued, Some(issued));
            self.item.date(DateVar::EventDate, event);
        }
        // EndNote has the year and day of access to a web page in `volume` and `number`.
        let accessed = match self.item.kind() {
            ItemType::Webpage => date_of(&self.field("volume"), &self.field("number")),
            _ => None,
        };
        let accessed = accessed.or_else(|| Date::parse(&self.field("access-date")));
        let accessed = accessed.filter(|date| date.start.is_some());
        self.item.date(DateVar::Accessed, accessed);
    }

    fn numbers(&mut self) {
        use ItemType::*;
        let volume = self.field("volume");
        let accessed = self.item.item().date(DateVar::Accessed);
        let is_access = self.is(&[Webpage]) && accessed.is_some();
        match self.item.kind() {
            _ if is_access => {}
            // EndNote has the degree there.
            Thesis if !volume.contains(|c: char| c.is_ascii_digit()) => {
                self.item.text(TextVar::Genre, &self.field("work-type"));
                self.item.text(TextVar::Genre, &volume);
            }
            _ => self.item.number(NumberVar::Volume, &volume),
        }
        if !is_access {
            let variable = number_variable(self.item.kind());
            self.item.number(variable, &self.field("number"));
        }
        self.item.number(NumberVar::Issue, &self.field("issue"));
        let pages = self.field("pages");
        let count = match self.item.kind() {
            Book | Thesis | Pamphlet => pages::count(&pages),
            // The page of an article may end in a letter: `106S`.
            kind if kind.is_in_periodical() => None,
            // A bare number is the page of a work in a volume.
            _ => pages::count_before_unit(&pages),
        };
        match count {
            Some(count) => self.item.number(NumberVar::NumberOfPages, count),
            None => self.item.number(NumberVar::Page, &pages),
        }
        let edition = self.field("edition");
        // EndNote stores the date of the electronic edition there.
        if self.is(&[Article]) {
            let date = Date::parse_iso(&edition.replace('/', "-"));
            self.item.date(DateVar::AvailableDate, date);
        }
    }

    fn identifiers(&mut self) {
        self.item
            .text(TextVar::Doi, &self.field("electronic-resource-num"));
        for group in ["related-urls", "web-urls", "text-urls"] {
            let group = self.record.path(&["urls", group]);
            let urls = { group.into_iter() }.flat_map(|group| group.children_named("url"));
            let urls: Vec<String> = urls.map(Element::text).collect();
            self.addresses(urls);
        }
        if self.is_old() {
            self.addresses(vec![self.field("url")]);
        }
        for name in ["isbn", "issn"] {
            let text = self.field(name);
            if is_serial_own(self.item.kind()) {
                self.item.number(NumberVar::Number, &text)
            } else {
                self.item.serial_number(&text)
            }
        }
        let accession = self.field("accession-num");
        let source = [
            self.field("remote-database-name"),
            self.field("remote-database-provider"),
            self.item
                .item()
                .text(TextVar::Url)
                .unwrap_or_default()
                .to_owned(),
        ];
        let source = source.join(" ").to_lowercase();
        let from_pubmed = ["pubmed", "medline", "nlm"]
            .iter()
            .any(|name| source.contains(name));
        if from_pubmed && accession.bytes().all(|b| b.is_ascii_digit()) {
            self.item.text(TextVar::Pmid, &accession)
        } else {
            self.item.custom("AN", &accession)
        }
        let label = self.field("label");
        if is_key(&label) {
            self.item.set_key(&label);
        }
    }

    /// The user's own files and links into their database are not addresses.
    fn addresses(&mut self, urls: Vec<String>) {
        for url in urls.iter().filter(|url| !is_local(url)) {
            self.item.address(url);
        }
    }

    fn texts(&mut self) {
        let kind = self.item.kind();
        let is_day = |text: &str| Date::parse(text).is_some_and(|date| date.start.is_some());
        for row in FIELDS.iter().filter(|row| row.is_of(kind)) {
            let text = match row.tag() {
                "abstract" | "notes" | "research-notes" => self.paragraphs(row.tag()),
                name => self.field(name),
            };
            // The edition of a web page is the day of its last change.
            if row.tag() != "edition" || kind != ItemType::Webpage || !is_day(&text) {
                row.set(self.item, &text);
            }
        }
        let original = Date::parse(&self.field("orig-pub"));
        let original = original.filter(|date| date.start.is_some());
        self.item.date(DateVar::OriginalDate, original);
        let keywords = self.child("keywords").into_iter();
        let keywords: Vec<String> = keywords
            .flat_map(Element::children)
            .map(Element::text)
            .collect();
        for text in keywords {
            if text.contains(';') {
                self.item.text(TextVar::Keyword, &text)
            } else {
                self.item.keyword(&text)
            }
        }
        for field in self.record.children() {
            let name = field.name();
            let mut starts = ["custom", "user", "CUSTOM"].into_iter();
            let number = starts.find_map(|start| name.strip_prefix(start));
            let Some(number) = number else { continue };
            let text = field.text();
            let is_pmcid =
                |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            let has_article_number = number == "7"
                && (self.item.kind().is_in_periodical() || self.is(&[ItemType::ConferencePaper]));
            match text.strip_prefix("PMC").is_some_and(is_pmcid) {
                true => self.item.text(TextVar::Pmcid, &text),
                false if has_article_number => self.item.number(NumberVar::Number, &text),
                false if self.item.item().text(TextVar::ContainerTitle) == Some(&text) => {}
                false => self.item.custom(&format!("C{number}"), &text),
            }
        }
    }
}

/// Whether a label is a citation key.
pub(super) fn is_key(label: &str) -> bool {
    !label.contains(char::is_whitespace) && label.contains(char::is_alphabetic)
}

/// Types whose subsidiary authors are the performers.
pub(super) const PERFORMED: &[ItemType] = &[
    ItemType::MotionPicture,
    ItemType::Broadcast,
    ItemType::Performance,
];

/// Fields with one variable for each type.
pub(crate) const FIELDS: &[FieldRow] = {
    use NumberVar::*;
    use TextVar::*;
    &[
        number("num-vols", NumberOfVolumes),
        number("edition", Version).of(ItemType::has_versions),
        number("edition", Edition).of(|kind| !kind.has_versions() && !is_journal_article(kind)),
        number("section", ChapterNumber).of(|kind| kind == ItemType::Chapter),
        // In an article this is the first page.
        number("section", Section)
            .of(|kind| kind != ItemType::Chapter && !is_journal_article(kind)),
        text("publisher", Publisher),
        text("pub-location", PublisherPlace),
        text("meeting-place", EventPlace),
        text("work-type", Genre),
        text("call-num", CallNumber),
        text("remote-database-name", Archive),
        text("remote-database-provider", Source),
        text("availability", ArchiveLocation),
        text("reviewed-item", ReviewedTitle),
        text("size", Dimensions),
        text("repro-ratio", Scale),
        text("abstract", Abstract),
        text("notes", Note),
        text("research-notes", Note).read_only(),
        text("language", Language),
    ]
};

/// Whether a type is written as a journal article, whose edition and section have other meanings.
fn is_journal_article(kind: ItemType) -> bool {
    kind.is_one_of(ItemType::JOURNAL_ARTICLES)
}

/// The tags of a style's faces, `bold italic`. Fonts and sizes are ignored.
fn rich(element: Element<'_>) -> String {
    element.rich(|inside| {
        let face = inside.attribute("face").unwrap_or_default();
        let has = |word| face.split_ascii_whitespace().any(|face| face == word);
        match (
            has("bold"),
            has("italic"),
            has("superscript"),
            has("subscript"),
        ) {
            (false, false, false, false) => Markup::Content,
            (false, true, false, false) => Markup::ITALIC,
            (true, false, false, false) => Markup::BOLD,
            (false, false, true, _) => Markup::SUPERSCRIPT,
            (false, false, _, true) => Markup::SUBSCRIPT,
            (true, true, false, false) => Markup::Tags("<b><i>", "</i></b>"),
            (false, true, true, _) => Markup::Tags("<i><sup>", "</sup></i>"),
            (false, true, _, true) => Markup::Tags("<i><sub>", "</sub></i>"),
            (true, false, true, _) => Markup::Tags("<b><sup>", "</sup></b>"),
            (true, false, _, true) => Markup::Tags("<b><sub>", "</sub></b>"),
            (true, true, true, _) => Markup::Tags("<b><i><sup>", "</sup></i></b>"),
            (true, true, _, true) => Markup::Tags("<b><i><sub>", "</sub></i></b>"),
        }
    })
}

/// People, or an institution, marked by a comma after it; its inner commas are doubled: `Regents,, U. of C.` is
/// `Regents, U. of C.`
fn author_names(text: &str) -> Vec<Name> {
    let body = text.strip_suffix(',').filter(|body| !body.contains(','));
    match body {
        Some(body) => vec![Name::literal(body)],
        None if text.contains(",,") => vec![Name::literal(&text.replace(",,", ","))],
        None => names::people(text),
    }
}

fn is_local(address: &str) -> bool {
    ["internal-pdf:", "file:", "<Go to "]
        .iter()
        .any(|start| address.starts_with(start))
}

#[cfg(test)]
mod tests {
    use crate::ENDNOTE_XML;
    use crate::testing::check_read;

    #[track_caller]
    fn check(record: &str, expected: &str) {
        let text = format!("<xml><records><record>{record}</record></records></xml>");
        check_read(&ENDNOTE_XML, &text, &format!("[{expected}]"));
    }

    #[test]
    fn an_article() {
        check(
            r#"<ref-type name="Journal Article">17</ref-type><contributors><authors><author><style face="normal">Doe, J. Q.</style></author>
            <author>World Health Organization,</author></authors></contributors>
            <titles><title><style face="normal">On </style><style face="bold italic">E. coli</style></title><secondary-title>J Tests</secondary-title></titles>
            <periodical><full-title>J Tests</full-title><abbr-1>JT</abbr-1></periodical>
            <pages>943-7</pages><volume>112</volume><number>5</number><dates><year>2015</year><pub-dates><date>Mar 3</date></pub-dates></dates>
            <isbn>2049-3630 (Electronic)&#xD;1234-5679 (Linking)</isbn><accession-num>77</accession-num>
            <urls><pdf-urls><url>internal-pdf://x.pdf</url></pdf-urls><related-urls><url>http://www.ncbi.nlm.nih.gov/pubmed/77</url></related-urls></urls>
            <keywords><keyword>ants</keyword><keyword>bees; wasps</keyword></keywords><custom2>PMC99</custom2><electronic-resource-num>doi:10.5555/X</electronic-resource-num>"#,
            r#"{"type": "article-journal", "title": "On <b><i>E. coli</i></b>", "author": [{"family": "Doe", "given": "J. Q."}, {"literal": "World Health Organization"}],
            "container-title": "J Tests", "container-title-short": "JT", "page": "943-7", "volume": "112", "issue": "5", "issued": {"date-parts": [[2015, 3, 3]]},
            "ISSN": "2049-3630, 1234-5679", "PMID": "77", "PMCID": "PMC99", "DOI": "10.5555/x", "keyword": "ants, bees, wasps"}"#,
        );
    }

    /// Flat as EndNote 7 wrote it, and in groups as programs that know both forms.
    #[test]
    fn records_in_capitals_are_read() {
        let flat = "<XML><RECORDS><RECORD><REFERENCE_TYPE>0</REFERENCE_TYPE><REFNUM>1</REFNUM>\
            <AUTHORS><AUTHOR>Doe, Jane</AUTHOR><AUTHOR>Roe, Al</AUTHOR></AUTHORS><YEAR>2001</YEAR><TITLE>On ants</TITLE>\
            <SECONDARY_TITLE>J Tests</SECONDARY_TITLE><VOLUME>3</VOLUME><NUMBER>2</NUMBER><PAGES>1-9</PAGES><DATE>May 3</DATE>\
            <ISBN>2049-3630</ISBN><LABEL>doe01</LABEL><KEYWORDS><KEYWORD>ants</KEYWORD></KEYWORDS><URL>https://example.org/</URL></RECORD>\
            <RECORD><REFERENCE_TYPE>7</REFERENCE_TYPE><AUTHORS><AUTHOR>Poe, P.</AUTHOR></AUTHORS><SECONDARY_AUTHORS><SECONDARY_AUTHOR>Roe, R.</SECONDARY_AUTHOR></SECONDARY_AUTHORS>\
            <TITLE>Part</TITLE><SECONDARY_TITLE>Whole</SECONDARY_TITLE><PLACE_PUBLISHED>Rome</PLACE_PUBLISHED><PUBLISHER>House</PUBLISHER></RECORD></RECORDS></XML>";
        check_read(
            &ENDNOTE_XML,
            flat,
            r#"[{"type": "article-journal", "author": [{"family": "Doe", "given": "Jane"}, {"family": "Roe", "given": "Al"}], "title": "On ants",
            "container-title": "J Tests", "volume": "3", "issue": "2", "page": "1-9", "issued": {"date-parts": [[2001, 5, 3]]}, "ISSN": "2049-3630",
            "citation-key": "doe01", "keyword": "ants", "URL": "https://example.org/"},
            {"type": "chapter", "title": "Part", "container-title": "Whole", "editor": [{"family": "Roe", "given": "R."}], "publisher": "House", "publisher-place": "Rome"}]"#,
        );
        let grouped = "<xml><records><RECORD><REFERENCE_TYPE>9</REFERENCE_TYPE><CONTRIBUTORS><AUTHORS><AUTHOR><style>Roe, R.</style></AUTHOR></AUTHORS></CONTRIBUTORS>\
            <TITLES><TITLE>Whole</TITLE></TITLES><YEAR>1999</YEAR></RECORD></records></xml>";
        check_read(
            &ENDNOTE_XML,
            grouped,
            r#"[{"type": "book", "title": "Whole", "editor": [{"family": "Roe", "given": "R."}], "author": null, "issued": {"date-parts": [[1999]]}}]"#,
        );
    }

    #[test]
    fn the_name_of_a_type_counts_before_its_number() {
        check(
            r#"<ref-type name="Book">1</ref-type><titles><title>T</title></titles>"#,
            r#"{"type": "book"}"#,
        );
        check(
            "<ref-type>17</ref-type><titles><title>T</title></titles>",
            r#"{"type": "article-journal"}"#,
        );
        check(
            r#"<ref-type name="Conference Proceedings">10</ref-type><titles><title>T</title></titles>"#,
            r#"{"type": "book"}"#,
        );
    }

    #[test]
    fn editors_of_a_book_stand_in_several_places() {
        let book = r#"<ref-type name="Book">6</ref-type><titles><title>T</title></titles>"#;
        let editors = r#"{"editor": [{"family": "Roe", "given": "R."}], "author": null}"#;
        let group = |name: &str| {
            format!("{book}<contributors><{name}><author>Roe, R.</author></{name}></contributors>")
        };
        check(&group("secondary-authors"), editors);
        check(&group("tertiary-authors"), editors);
        check(
            &group("authors").replace("\"Book\"", "\"Edited Book\""),
            editors,
        );
    }

    #[test]
    fn paper_has_a_conference_and_proceedings() {
        check(
            r#"<ref-type name="Conference Proceedings">10</ref-type><titles><secondary-title>3rd Conference</secondary-title></titles><custom3>Proceedings</custom3>"#,
            r#"{"container-title": "Proceedings", "event-title": "3rd Conference", "custom": null}"#,
        );
    }

    #[test]
    fn one_author_may_be_several() {
        check(
            "<ref-type>17</ref-type><contributors><authors><author>Doe JA, Roe B</author><author>Smith,, Roe and Co</author></authors></contributors>",
            r#"{"author": [{"family": "Doe", "given": "J. A."}, {"family": "Roe", "given": "B."}, {"literal": "Smith, Roe and Co"}]}"#,
        );
    }

    #[test]
    fn numbers_of_web_pages_and_theses_have_other_meanings() {
        check(
            r#"<ref-type name="Web Page">12</ref-type><volume>2019</volume><number>March 3</number>"#,
            r#"{"accessed": {"date-parts": [[2019, 3, 3]]}, "volume": null, "issue": null}"#,
        );
        check(
            r#"<ref-type name="Thesis">32</ref-type><volume>PhD thesis</volume>"#,
            r#"{"genre": "PhD thesis", "volume": null}"#,
        );
    }

    #[test]
    fn editions_of_web_pages_are_dates_and_series_of_theses_departments() {
        check(
            r#"<ref-type name="Web Page">12</ref-type><edition>4 April 2019</edition><dates><year>2019</year></dates>"#,
            r#"{"issued": {"date-parts": [[2019, 4, 4]]}, "edition": null}"#,
        );
        check(
            r#"<ref-type name="Thesis">32</ref-type><titles><secondary-title>Physics</secondary-title></titles>"#,
            r#"{"division": "Physics", "collection-title": null}"#,
        );
    }

    #[test]
    fn page_of_an_article_is_not_counted() {
        check(
            r#"<ref-type name="Journal Article">17</ref-type><pages>106S</pages>"#,
            r#"{"page": "106S", "number-of-pages": null}"#,
        );
    }

    #[test]
    fn two_authors_may_have_the_same_name() {
        check(
            r#"<ref-type name="Journal Article">17</ref-type><contributors><authors><author>Li, J.</author><author>Li, J.</author></authors></contributors>"#,
            r#"{"author": [{"family": "Li", "given": "J."}, {"family": "Li", "given": "J."}]}"#,
        );
    }

    #[test]
    fn pages_of_a_book_are_counted() {
        let pages =
            |pages: &str| format!(r#"<ref-type name="Book">6</ref-type><pages>{pages}</pages>"#);
        check(&pages("x, 726 p."), r#"{"number-of-pages": "726"}"#);
        check(&pages("800"), r#"{"number-of-pages": "800"}"#);
        check(&pages("162-168"), r#"{"page": "162-168"}"#);
        let report = |text: &str| pages(text).replace("Book", "Report");
        check(
            &report("34 p."),
            r#"{"number-of-pages": "34", "page": null}"#,
        );
        check(&report("34"), r#"{"page": "34", "number-of-pages": null}"#);
    }
}
