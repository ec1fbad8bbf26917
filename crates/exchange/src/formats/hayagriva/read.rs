//! Reads entries. Parents become the CSL variables of the containing book, journal, series or conference.

use super::text;
use crate::reading::{Reading, ReadingBuilder};
use crate::syntax::yaml::{self, Node};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::names::MAX_NAME_LENGTH;
use citation_fields::pages;
use citation_fields::set;
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::item_type::ItemType;
use citation_model::lists::words;
use citation_model::name::{Name, non_blank};
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Reads a mapping of entries by key, or a single entry.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    let mut builder = ReadingBuilder::new(text, budget)?;
    let root = match yaml::read(text, budget)? {
        Ok(root) => root,
        Err(notice) => {
            builder.lost(notice.offset, notice.code, notice.message);
            return Ok(builder.finish());
        }
    };
    if ["type", "title"]
        .iter()
        .any(|name| root.text_of(name).is_some())
    {
        add("", &root, &mut builder)?;
        return Ok(builder.finish());
    }
    for (key, node) in root.members() {
        if node.is_map() {
            add(key, node, &mut builder)?;
        } else {
            let message = "An entry is a mapping; this is none.".to_owned();
            builder.lost(node.offset, "invalid_item", message);
        }
    }
    Ok(builder.finish())
}

fn add(key: &str, node: &Node, builder: &mut ReadingBuilder<'_>) -> Result<(), Exceeded> {
    let entry = Entry::of(node);
    let mut item = ItemBuilder::new(node.offset);
    item.set_kind(entry.kind());
    item.set_key(key);
    entry.fill(&mut item);
    let word = node.text_of("type").unwrap_or_default();
    builder.add_built(item, word, node.offset)
}

/// Members with one variable for all types.
pub(super) const TEXTS: [(&str, TextVar); 7] = [
    ("genre", TextVar::Genre),
    ("archive", TextVar::Archive),
    ("archive-location", TextVar::ArchiveLocation),
    ("call-number", TextVar::CallNumber),
    ("note", TextVar::Note),
    ("abstract", TextVar::Abstract),
    ("runtime", TextVar::Dimensions),
];

/// Roles of affiliated people; others are contributors.
pub(super) const ROLES: [(&str, NameVar); 12] = [
    ("translator", NameVar::Translator),
    ("compiler", NameVar::Compiler),
    ("collaborator", NameVar::Contributor),
    ("organizer", NameVar::Organizer),
    ("cast-member", NameVar::Performer),
    ("composer", NameVar::Composer),
    ("producer", NameVar::Producer),
    ("executive-producer", NameVar::ExecutiveProducer),
    ("writer", NameVar::ScriptWriter),
    ("director", NameVar::Director),
    ("illustrator", NameVar::Illustrator),
    ("narrator", NameVar::Narrator),
];

/// An entry with its parents sorted by role.
struct Entry<'n> {
    own: &'n Node,
    /// The type in lower case.
    kind: String,
    /// The containing book, journal or site, and its type.
    container: Option<(&'n Node, String)>,
    series: Option<&'n Node>,
    event: Option<&'n Node>,
    original: Option<&'n Node>,
}

impl<'n> Entry<'n> {
    fn of(own: &'n Node) -> Entry<'n> {
        let kind = kind_of(own).unwrap_or_else(|| "misc".to_owned());
        let mut entry = Entry {
            own,
            kind,
            container: None,
            series: None,
            event: None,
            original: None,
        };
        for parent in parents(own) {
            let kind = kind_of(parent).unwrap_or_else(|| default_parent(&entry.kind).to_owned());
            match kind.as_str() {
                "conference" | "exhibition" => drop(entry.event.get_or_insert(parent)),
                "original" => drop(entry.original.get_or_insert(parent)),
                "anthology" if entry.is_whole() => drop(entry.series.get_or_insert(parent)),
                _ => {
                    if entry.container.is_none() {
                        entry.container = Some((parent, kind));
                    }
                }
            }
        }
        if let Some((container, _)) = &entry.container {
            entry.series = entry
                .series
                .or_else(|| parents(container).iter().find(|node| node.is_map()));
        }
        entry
    }

    /// Whether the work stands alone, so that a parent anthology is a series.
    fn is_whole(&self) -> bool {
        matches!(
            self.kind.as_str(),
            "book"
                | "anthology"
                | "proceedings"
                | "report"
                | "thesis"
                | "reference"
                | "manuscript"
                | "periodical"
        )
    }

    fn kind(&self) -> ItemType {
        use ItemType::*;
        let container = self
            .container
            .as_ref()
            .map_or("", |(_, kind)| kind.as_str());
        match self.kind.as_str() {
            "article" => match container {
                "newspaper" => NewspaperArticle,
                "blog" => BlogPost,
                "proceedings" => ConferencePaper,
                "repository" => Preprint,
                "reference" => Entry,
                "web" => Webpage,
                "" if self.event.is_some() => ConferencePaper,
                _ => Article,
            },
            "anthos" => Chapter,
            "anthology" => Collection,
            "artwork" => Graphic,
            "audio" => Song,
            "blog" | "web" => Webpage,
            "conference" | "exhibition" => Event,
            "misc" if self.event.is_some() => Speech,
            "newspaper" => Periodical,
            "proceedings" | "reference" => Book,
            "repository" => Software,
            "scene" => Broadcast,
            "thread" | "tweet" => Post,
            "video" if self.container.is_some() => Broadcast,
            "video" => MotionPicture,
            word => ItemType::parse(word).unwrap_or_default(),
        }
    }

    fn fill(&self, item: &mut ItemBuilder) {
        let own = self.own;
        titles(own, item, TextVar::Title, TextVar::TitleShort);
        item.name_list(NameVar::Author, people(own.get("author")));
        if let Some((container, _)) = &self.container {
            titles(
                container,
                item,
                TextVar::ContainerTitle,
                TextVar::ContainerTitleShort,
            );
            item.name_list(NameVar::ContainerAuthor, people(container.get("author")));
        }
        item.name_list(NameVar::Editor, people(self.first("editor")));
        affiliated(own, item);
        self.issuance(item);
        self.identifiers(item);
        for (name, variable) in TEXTS {
            item.text(variable, &formattable(own.get(name)));
        }
        if let Some(language) = self.first("language").and_then(Node::text) {
            item.text(TextVar::Language, language);
        }
        self.series_and_event(item);
    }

    /// A member of the entry, otherwise of its container.
    fn first(&self, name: &str) -> Option<&'n Node> {
        let container = self.container.as_ref().map(|(node, _)| *node);
        self.own.get(name).or_else(|| container?.get(name))
    }

    fn issuance(&self, item: &mut ItemBuilder) {
        for (name, variable) in [
            ("volume", NumberVar::Volume),
            ("issue", NumberVar::Issue),
            ("edition", NumberVar::Edition),
            ("volume-total", NumberVar::NumberOfVolumes),
        ] {
            let text = self.first(name).and_then(Node::text);
            item.number(variable, text.unwrap_or_default());
        }
        let range = self.own.text_of("page-range").unwrap_or_default();
        item.number(NumberVar::Page, &pages::normal(range));
        item.number(
            NumberVar::NumberOfPages,
            self.own.text_of("page-total").unwrap_or_default(),
        );
        item.number(
            NumberVar::ChapterNumber,
            self.own.text_of("chapter").unwrap_or_default(),
        );
        if let Some(date) = self.first("date").and_then(date) {
            item.date(DateVar::Issued, Some(date));
        }
        let (publisher, location) = publisher(self.first("publisher"));
        item.text(TextVar::Publisher, &publisher);
        item.text(TextVar::PublisherPlace, &location);
        if item.item().text(TextVar::PublisherPlace).is_none() {
            item.text(
                TextVar::PublisherPlace,
                &formattable(self.first("location")),
            );
        }
        // The institution of a thesis or report is its publisher.
        let organization = formattable(self.first("organization"));
        let publishes = matches!(item.kind(), ItemType::Thesis | ItemType::Report)
            && item.item().text(TextVar::Publisher).is_none();
        let variable = if publishes {
            TextVar::Publisher
        } else {
            TextVar::Authority
        };
        item.text(variable, &organization);
    }

    fn identifiers(&self, item: &mut ItemBuilder) {
        let numbers = self.own.get("serial-number");
        let own = |name: &str| {
            let listed = numbers.and_then(|numbers| numbers.text_of(name));
            listed.or(self.own.text_of(name))
        };
        let serial = numbers.and_then(Node::text).or(own("serial"));
        item.number(NumberVar::Number, serial.unwrap_or_default());
        item.number(NumberVar::Version, own("version").unwrap_or_default());
        for (name, variable) in [
            ("doi", TextVar::Doi),
            ("pmid", TextVar::Pmid),
            ("pmcid", TextVar::Pmcid),
            ("arxiv", TextVar::ArxivId),
        ] {
            item.text(variable, own(name).unwrap_or_default());
        }
        let around = |name: &str| {
            let (container, _) = self.container.as_ref()?;
            let listed = container
                .get("serial-number")
                .and_then(|numbers| numbers.text_of(name));
            listed.or(container.text_of(name))
        };
        for (name, variable) in [("isbn", TextVar::Isbn), ("issn", TextVar::Issn)] {
            item.text(
                variable,
                own(name).or_else(|| around(name)).unwrap_or_default(),
            );
        }
        if let Some(url) = self.first("url") {
            let address = url.text().or(url.text_of("value"));
            item.text(TextVar::Url, address.unwrap_or_default());
            if let Some(accessed) = url.get("date").and_then(date) {
                item.date(DateVar::Accessed, Some(accessed));
            }
        }
    }

    /// The series, the conference, and the original publication.
    fn series_and_event(&self, item: &mut ItemBuilder) {
        if let Some(series) = self.series {
            item.text(TextVar::CollectionTitle, &formattable(series.get("title")));
            item.name_list(NameVar::CollectionEditor, people(series.get("editor")));
            let number = series.text_of("volume").or(series.text_of("issue"));
            item.number(NumberVar::CollectionNumber, number.unwrap_or_default());
        }
        if let Some(event) = self.event {
            item.text(TextVar::EventTitle, &formattable(event.get("title")));
            item.text(TextVar::EventPlace, &formattable(event.get("location")));
            if let Some(date) = event.get("date").and_then(date) {
                if item.item().date(DateVar::Issued).is_none() {
                    item.date(DateVar::Issued, Some(date.clone()));
                }
                item.date(DateVar::EventDate, Some(date));
            }
        }
        if let Some(original) = self.original {
            item.text(TextVar::OriginalTitle, &formattable(original.get("title")));
            item.name_list(NameVar::OriginalAuthor, people(original.get("author")));
            let (publisher, location) = publisher(original.get("publisher"));
            item.text(TextVar::OriginalPublisher, &publisher);
            item.text(TextVar::OriginalPublisherPlace, &location);
            if let Some(date) = original.get("date").and_then(date) {
                item.date(DateVar::OriginalDate, Some(date));
            }
        }
    }
}

/// Whether a word is a type of the format.
pub(super) fn is_kind(word: &str) -> bool {
    const KINDS: [&str; 31] = words(
        "anthology anthos article artwork audio blog book case chapter conference entry \
         exhibition legislation manuscript misc newspaper original patent performance \
         periodical post proceedings reference report repository scene thesis thread tweet \
         video web",
    );
    KINDS.iter().any(|kind| kind.eq_ignore_ascii_case(word))
}

fn parents(node: &Node) -> &[Node] {
    node.get("parent").map_or(&[], Node::values)
}

fn kind_of(node: &Node) -> Option<String> {
    Some(node.text_of("type")?.trim().to_ascii_lowercase())
}

/// The default type of a parent without one.
fn default_parent(kind: &str) -> &'static str {
    match kind {
        "article" => "periodical",
        "chapter" => "book",
        "entry" => "reference",
        "anthos" | "legislation" => "anthology",
        "web" => "web",
        "scene" | "video" => "video",
        "artwork" => "exhibition",
        "audio" => "audio",
        _ => "misc",
    }
}

fn titles(node: &Node, item: &mut ItemBuilder, long: TextVar, short: TextVar) {
    let Some(title) = node.get("title") else {
        return;
    };
    let subtitle = formattable(node.get("subtitle"));
    let whole = set::with_subtitle(formattable(Some(title)), Some(&subtitle));
    item.text(long, &whole);
    let short_form = title.get("short").or_else(|| title.get("shorthand"));
    item.text(short, &formattable(short_form));
}

/// A formattable string, which may be a mapping of its forms.
fn formattable(node: Option<&Node>) -> String {
    let Some(node) = node else {
        return String::new();
    };
    let value = node.text().or(node.text_of("value")).unwrap_or_default();
    let rich = text::rich_text(value);
    match node.text_of("verbatim") {
        Some("true") => format!("<span class=\"nocase\">{rich}</span>"),
        _ => rich,
    }
}

fn publisher(node: Option<&Node>) -> (String, String) {
    match node {
        Some(node) if node.get("name").is_some() || node.get("location").is_some() => (
            formattable(node.get("name")),
            formattable(node.get("location")),
        ),
        node => (formattable(node), String::new()),
    }
}

fn date(node: &Node) -> Option<Date> {
    text::read_date(node.text()?)
}

fn people(node: Option<&Node>) -> Vec<Name> {
    let nodes = node.map_or(&[][..], Node::values);
    nodes.iter().map(person).collect()
}

/// `von der Leyen, Ursula`, `Luther King, Martin, Jr.`, or a mapping of the parts. A name of several words
/// without a comma is an institution.
fn person(node: &Node) -> Name {
    let part = |name: &str| node.text_of(name).and_then(non_blank);
    let Some(text) = node.text() else {
        let (given, prefix) = (part("given-name"), part("prefix"));
        let name = part("name").or_else(|| part("alias")).unwrap_or_default();
        let is_alone = given.is_none() && prefix.is_none();
        // Parts are not split: a comma in a name alone is an institution's.
        if is_alone && name.contains(|c: char| c.is_whitespace() || c == ',') {
            return Name::literal(&name);
        }
        return Name {
            given,
            non_dropping_particle: prefix,
            suffix: part("suffix"),
            ..Name::person(&name, "")
        };
    };
    of_text(text)
}

fn of_text(text: &str) -> Name {
    if text.len() > MAX_NAME_LENGTH {
        return Name::literal(text);
    }
    let mut parts = text.splitn(3, ',').map(str::trim);
    let family = parts.next().unwrap_or_default();
    let Some(given) = parts.next() else {
        return if family.contains(char::is_whitespace) {
            Name::literal(family)
        } else {
            Name::person(family, "")
        };
    };
    let (prefix, family) = prefixed(family);
    Name {
        non_dropping_particle: non_blank(prefix),
        suffix: parts.next().and_then(non_blank),
        ..Name::person(family, given)
    }
}

/// Splits a family name into its lower-case prefix and the rest.
fn prefixed(family: &str) -> (&str, &str) {
    let upper = family
        .split_whitespace()
        .find(|word| !word.starts_with(char::is_lowercase));
    let at = upper.and_then(|word| family.find(word)).unwrap_or_default();
    family.split_at_checked(at).unwrap_or(("", family))
}

fn affiliated(own: &Node, item: &mut ItemBuilder) {
    for people_of_role in own.get("affiliated").map_or(&[][..], Node::values) {
        let role = people_of_role.text_of("role").unwrap_or_default();
        let names = people(people_of_role.get("names"));
        let folded: String = role.chars().filter(char::is_ascii_alphabetic).collect();
        let folded = folded.to_ascii_lowercase();
        let row = ROLES
            .iter()
            .find(|(role, _)| role.replace('-', "") == folded);
        let variable = row.map_or(NameVar::Contributor, |(_, variable)| *variable);
        item.name_list(variable, names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::item::Item;

    fn items(text: &str) -> Vec<Item> {
        let reading = read(text, &Budget::unlimited()).unwrap();
        assert_eq!(reading.problems, [], "{text}");
        reading.items.into_iter().map(|read| read.item).collect()
    }

    #[test]
    fn parents_are_what_stands_around() {
        let read = items(concat!(
            "k:\n  type: Article\n  title: {value: 'The {DNA} \\$5', short: D}\n  author: ['von der Leyen, Ursula', 'King, M, Jr.', UNICEF]\n",
            "  page-range: 1 – 3\n  parent:\n    - {type: Conference, title: Conf, location: Rome}\n",
            "    - {type: Proceedings, title: Proc, editor: 'Doe, J', date: 2001-02, volume: 3, isbn: 9780306406157, parent: {title: LNCS, volume: 7}}\n",
        ));
        let item = &read[0];
        assert_eq!(item.kind, ItemType::ConferencePaper);
        assert_eq!(
            item.text(TextVar::Title),
            Some("The <span class=\"nocase\">DNA</span> $5")
        );
        assert_eq!(item.text(TextVar::ContainerTitle), Some("Proc"));
        assert_eq!(item.text(TextVar::EventPlace), Some("Rome"));
        assert_eq!(item.text(TextVar::CollectionTitle), Some("LNCS"));
        assert_eq!(item.number(NumberVar::CollectionNumber), Some("7"));
        assert_eq!(item.number(NumberVar::Page), Some("1-3"));
        assert_eq!(item.year(), Some(2001));
        let authors = item.names(NameVar::Author);
        assert_eq!(authors[0].non_dropping_particle.as_deref(), Some("von der"));
        assert_eq!(authors[1].suffix.as_deref(), Some("Jr."));
        assert_eq!(authors[2], Name::person("UNICEF", ""));
    }

    #[test]
    fn parts_of_a_name_are_not_split() {
        let read = items(
            "k:\n  type: Book\n  title: T\n  author: [{name: 'Roe, Doe, and Company'}, 'Roe, Al']\n",
        );
        let authors = read[0].names(NameVar::Author);
        assert_eq!(authors[0], Name::literal("Roe, Doe, and Company"));
        assert_eq!(authors[1], Name::person("Roe", "Al"));
    }

    #[test]
    fn an_entry_alone_has_no_key() {
        let read = items("title: T\ntype: Web\nurl: {value: 'https://x.org', date: 2020-11-12}\n");
        assert_eq!((read[0].id.as_str(), read[0].kind), ("", ItemType::Webpage));
        assert_eq!(
            read[0].date(DateVar::Accessed).unwrap().edtf(),
            "2020-11-12"
        );
    }

    #[test]
    fn dates_before_christ_are_counted_without_a_year_0() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text::read_date(text).unwrap().edtf(), expected, "{text}");
        };
        check("-0043-03", "-0044-03");
        check("0000", "-0001");
        check("~1984", "1984~");
        check("2001-02-03", "2001-02-03");
    }

    #[test]
    fn malformed_entries_are_reported() {
        let reading = read("a: 1\nb: {type: book}\n", &Budget::unlimited()).unwrap();
        assert_eq!((reading.items.len(), reading.total), (1, 2));
    }
}
