//! Reference lists of JATS and older NLM document types: whole articles, lists and single references. Only
//! the references of an article are read. A reference may be fully tagged (`element-citation`), partly
//! tagged (`mixed-citation`) or plain text, which is kept as a note.

use crate::format::{Format, KeyRule};
use crate::reading::Reading;
use crate::syntax::tokens;
use crate::syntax::xml::records::{self, Found, Layout};
use crate::syntax::xml::tree::{Element, Markup};
use citation_fields::item_builder::ItemBuilder;
use citation_fields::names;
use citation_fields::parts::{date_of_parts, person};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static JATS: Format = Format {
    id: "jats",
    title: "JATS references",
    media_types: &["application/vnd.jats+xml"],
    extensions: &["xml", "nxml"],
    recognise: |content, _| {
        let Some(root) = content.root() else {
            return false;
        };
        let head = content.head();
        let has = |signs: &[&str]| signs.iter().any(|sign| head.contains(sign));
        let is_article = matches!(
            root.name,
            "article" | "book" | "pmc-articleset" | "OAI-PMH" | "standard"
        ) && has(&[
            "<article-meta",
            "<journal-meta",
            "<book-meta",
            "//NLM//DTD",
            "<ref-list",
        ]);
        is_article
            || has(&[
                "<element-citation",
                "<mixed-citation",
                "<nlm-citation",
                "<citation citation-type",
            ])
    },
    read: Some(|content, budget| read(content.text(), budget)),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        &[
            "<article>",
            "<article-meta>",
            "<ref-list>",
            "<ref id=\"a\">",
            "</ref>",
            "<element-citation>",
            "<mixed-citation>",
            "</mixed-citation>",
            "<person-group>",
            "<name><surname>",
            "<article-title>",
            "<year>",
            "<pub-id pub-id-type=\"doi\">",
        ],
    ],
};

/// Reads every reference of a document.
fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    const LAYOUT: Layout = Layout {
        is_record: |name, _| name == "ref" || is_citation(name),
        is_skipped: |name| name == "front",
    };
    records::read(text, budget, &LAYOUT, |record, offset, found| {
        let key = record.attribute("id");
        for citation in citations(record) {
            let mut item = ItemBuilder::new(offset);
            let own = citation.attribute("id");
            let mut citation = Citation::read(citation, &mut item);
            if let Some(key) = own
                .as_deref()
                .or(key.as_deref().filter(|_| found.is_empty()))
            {
                item.set_key(key);
            }
            citation.finish(&mut item);
            found.push(Found {
                item,
                entry_type: citation.said,
            });
        }
    })
}

fn is_citation(name: &str) -> bool {
    matches!(
        name,
        "element-citation" | "mixed-citation" | "citation" | "nlm-citation"
    )
}

/// The citations of a reference. The alternative with the most markup is used; without a citation, a note
/// takes its place.
fn citations(reference: Element<'_>) -> Vec<Element<'_>> {
    if reference.name() != "ref" {
        return vec![reference];
    }
    let mut found = Vec::new();
    for child in reference.children() {
        if is_citation(child.name()) {
            found.push(child);
        } else if child.name() == "citation-alternatives" {
            let best = child.child("element-citation");
            found.extend(best.or_else(|| child.children().find(|c| is_citation(c.name()))));
        }
    }
    if found.is_empty() {
        found.extend(reference.child("note"));
    }
    found
}

/// Values that can be assigned only after the whole reference is read.
#[derive(Default)]
struct Citation {
    /// As written: `journal`, `confproc`.
    said: String,
    kind: Option<ItemType>,
    title: String,
    chapter: String,
    source: String,
    conference: String,
    year: String,
    month: String,
    day: String,
    season: String,
    date: Option<Date>,
    first_page: String,
    last_page: String,
    /// The whole text, if nothing is tagged.
    text: String,
}

impl Citation {
    fn read(citation: Element<'_>, item: &mut ItemBuilder) -> Citation {
        let said = ["publication-type", "citation-type", "content-type"]
            .iter()
            .find_map(|name| citation.attribute(name));
        let said = said.unwrap_or_default().into_owned();
        let mut read = Citation {
            kind: kind(&said),
            said,
            ..Citation::default()
        };
        if let Some(kind) = read.kind {
            item.set_kind(kind);
        }
        read.walk(citation, None, item);
        if item.item().says_nothing() && read.is_empty() {
            read.text = citation.text();
        }
        read
    }

    fn is_empty(&self) -> bool {
        let texts = [&self.title, &self.chapter, &self.source, &self.year];
        texts.iter().all(|text| text.is_empty())
    }

    /// Reads nested elements; the depth is bounded by the tree.
    fn walk(&mut self, parent: Element<'_>, group: Option<NameVar>, item: &mut ItemBuilder) {
        for element in parent.children() {
            match element.name() {
                "person-group" => {
                    let role = element.attribute("person-group-type");
                    let role = role_of(role.as_deref().unwrap_or("author"));
                    self.walk(element, Some(role), item);
                }
                "name" | "string-name" | "collab" => {
                    item.listed_name(group.unwrap_or(self.next_role()), name(element));
                }
                "pub-id" | "object-id" => identifier(element, item),
                "ext-link" | "uri" | "self-uri" => address(element, item),
                "comment" => self.comment(element, group, item),
                "date-in-citation" | "access-date" | "time-stamp" => {
                    let date = Date::parse(&element.text());
                    let date = date.filter(|date| date.start.is_some());
                    item.date(DateVar::Accessed, date);
                }
                "date" | "string-date" => {
                    self.walk(element, group, item);
                    self.date = self.date.take().or_else(|| date(element));
                }
                name => {
                    if !self.field(name, element, item) {
                        self.walk(element, group, item);
                    }
                }
            }
        }
    }

    /// After a title, names outside of groups are editors: «In: Doe J, editor.»
    fn next_role(&self) -> NameVar {
        if self.title.is_empty() && self.chapter.is_empty() {
            NameVar::Author
        } else {
            NameVar::Editor
        }
    }

    /// Reads an element; returns whether it has a known value.
    fn field(&mut self, name: &str, element: Element<'_>, item: &mut ItemBuilder) -> bool {
        let place = match name {
            "article-title" | "data-title" => &mut self.title,
            "chapter-title" | "part-title" => &mut self.chapter,
            "source" => &mut self.source,
            "conf-name" => &mut self.conference,
            "year" => &mut self.year,
            "month" => &mut self.month,
            "day" => &mut self.day,
            "season" => &mut self.season,
            "fpage" => &mut self.first_page,
            "lpage" => &mut self.last_page,
            _ => return variable(name, element, item),
        };
        if place.is_empty() {
            *place = without_stop(&rich(element)).to_owned();
        }
        true
    }

    /// A remark, or only a wrapper of an identifier or address.
    fn comment(&mut self, element: Element<'_>, group: Option<NameVar>, item: &mut ItemBuilder) {
        self.walk(element, group, item);
        let text = element.rich(|inside| match inside.name() {
            "ext-link" | "uri" | "pub-id" | "object-id" => Markup::Nothing,
            _ => Markup::Content,
        });
        let rim = |c: char| c.is_whitespace() || matches!(c, ',' | '.' | ';' | ':' | '(' | ')');
        let text = text.trim_matches(rim);
        let lower = text.to_ascii_lowercase();
        let is_frame = [
            "doi",
            "pmid",
            "pmcid",
            "available",
            "http",
            "url",
            "accessed",
            "retrieved",
        ]
        .iter()
        .any(|word| lower.starts_with(word));
        let names_degree = self.kind == Some(ItemType::Thesis) && lower.contains("thesis");
        match is_frame {
            _ if names_degree => item.text(TextVar::Genre, text),
            true => {}
            false => item.text(TextVar::Note, text),
        }
    }

    fn finish(&mut self, item: &mut ItemBuilder) {
        let date = if self.season.is_empty() {
            date_of_parts(&self.year, &self.month, &self.day)
        } else {
            citation_fields::parts::date_of(&self.year, &self.season)
        };
        item.date(DateVar::Issued, date.or(self.date.take()));
        item.pages(&self.first_page, &self.last_page);
        item.set_kind(self.kind.unwrap_or_else(|| self.likely_kind(item)));
        let titled = [&self.title, &self.chapter].map(|title| !title.is_empty());
        if item.kind() == ItemType::Book && titled != [false, false] && !self.source.is_empty() {
            item.set_kind(ItemType::Chapter);
        }
        self.titles(item);
        item.text(TextVar::Note, &self.text);
    }

    /// The type of a reference that does not state one.
    fn likely_kind(&self, item: &ItemBuilder) -> ItemType {
        let has = |variable| item.item().number(variable).is_some();
        match () {
            () if !self.chapter.is_empty() => ItemType::Chapter,
            () if !self.conference.is_empty() => ItemType::ConferencePaper,
            () if !self.source.is_empty() && (has(NumberVar::Volume) || has(NumberVar::Page)) => {
                ItemType::Article
            }
            () if item.item().text(TextVar::Publisher).is_some() => ItemType::Book,
            () if !self.title.is_empty() && !self.source.is_empty() => ItemType::Article,
            () if item.item().text(TextVar::Url).is_some() => ItemType::Webpage,
            () => ItemType::Document,
        }
    }

    /// The source is the container of the cited part, or the work itself if no part is named. An untitled
    /// article stays untitled.
    fn titles(&mut self, item: &mut ItemBuilder) {
        let (title, container) = match (self.title.as_str(), self.chapter.as_str()) {
            ("", "") if item.kind().is_in_periodical() => ("", self.source.as_str()),
            ("", "") => (self.source.as_str(), ""),
            ("", chapter) => (chapter, self.source.as_str()),
            (title, "") => (title, self.source.as_str()),
            // A paper in a numbered part of a volume.
            (title, part) if self.source.is_empty() => (title, part),
            (title, _) => (title, self.source.as_str()),
        };
        item.text(TextVar::Title, title);
        item.text(TextVar::ContainerTitle, container);
        item.text(TextVar::EventTitle, &self.conference);
        if item.kind() == ItemType::ConferencePaper {
            item.text(TextVar::ContainerTitle, &self.conference);
        }
    }
}

/// Reads an element that maps to one variable; returns whether it does.
fn variable(name: &str, element: Element<'_>, item: &mut ItemBuilder) -> bool {
    let text = || element.text();
    match name {
        "volume" => item.number(NumberVar::Volume, &text()),
        "issue" => item.number(NumberVar::Issue, &text()),
        "page-range" => item.number(NumberVar::Page, &text()),
        "elocation-id" => item.number(NumberVar::Number, &text()),
        "edition" => item.number(NumberVar::Edition, &text()),
        "version" => item.number(NumberVar::Version, &text()),
        "supplement" => item.number(NumberVar::SupplementNumber, &text()),
        "size" if element.has("units", "page") || element.has("units", "pages") => {
            item.number(NumberVar::NumberOfPages, &text());
        }
        "page-count" => {
            let count = element.attribute("count");
            let count = count.map_or_else(text, |count| count.into_owned());
            item.number(NumberVar::NumberOfPages, &count);
        }
        "publisher-name" | "institution" => item.text(TextVar::Publisher, &text()),
        "publisher-loc" => item.text(TextVar::PublisherPlace, &text()),
        "conf-loc" => item.text(TextVar::EventPlace, &text()),
        "conf-date" => item.date(DateVar::EventDate, Date::parse(&text())),
        "series" => item.text(TextVar::CollectionTitle, &text()),
        "trans-title" => item.custom("translated-title", &text()),
        "isbn" => item.text(TextVar::Isbn, &text()),
        "issn" => item.text(TextVar::Issn, &text()),
        "patent" | "std" => item.number(NumberVar::Number, &text()),
        "abstract" => item.text(TextVar::Abstract, &text()),
        "annotation" => item.text(TextVar::Note, &text()),
        "label" | "etal" | "role" | "size" | "trans-source" | "issue-title" => {}
        _ => return false,
    }
    true
}

fn rich(element: Element<'_>) -> String {
    element.rich(|inside| match inside.name() {
        "italic" => Markup::ITALIC,
        "bold" => Markup::BOLD,
        "sup" => Markup::SUPERSCRIPT,
        "sub" => Markup::SUBSCRIPT,
        "sc" => Markup::SMALL_CAPS,
        "fn" | "xref" | "tex-math" => Markup::Nothing,
        _ => Markup::Content,
    })
}

/// Removes the full stop that ends a title in print, except after an initial and in an abbreviated title:
/// `Nat. Med.`
fn without_stop(title: &str) -> &str {
    let Some(shorter) = title.strip_suffix('.') else {
        return title;
    };
    let mut words = shorter.split(' ').rev().skip(1);
    let is_short = |word: &str| word.ends_with('.') && word.len() <= 8;
    if words.clone().count() <= 6 && words.any(is_short) {
        return title;
    }
    let last = shorter.rsplit([' ', '.']).next().unwrap_or_default();
    match last.chars().count() {
        0 | 1 => title,
        _ => shorter,
    }
}

/// The item type of a `publication-type`.
fn kind(said: &str) -> Option<ItemType> {
    let kind = match said.to_ascii_lowercase().as_str() {
        "" | "other" | "misc" | "undeclared" | "unknown" | "list" | "text" | "article" => {
            return None;
        }
        "journal" | "journalarticle" | "letter" | "review" | "in-press" | "periodical"
        | "commentary" => ItemType::Article,
        "confproc" | "conference" | "conf-proceedings" | "confproceedings" | "proceedings"
        | "conf-paper" => ItemType::ConferencePaper,
        "book-chapter" | "chapter" | "book-part" => ItemType::Chapter,
        "web" | "website" | "webpage" | "web-page" | "online" | "url" | "internet" => {
            ItemType::Webpage
        }
        "gov" | "government" | "working-paper" | "discussion" | "techreport" => ItemType::Report,
        "data" | "database" => ItemType::Dataset,
        "computer-program" | "code" => ItemType::Software,
        "magazine" => ItemType::MagazineArticle,
        "newspaper" | "news" => ItemType::NewspaperArticle,
        "blog" => ItemType::BlogPost,
        "legal" | "legislation" | "statute" => ItemType::Legislation,
        "std" => ItemType::Standard,
        "clinicaltrial" | "clinical-trial" => ItemType::Document,
        "video" | "av" | "audiovisual" => ItemType::MotionPicture,
        _ => return ItemType::parse(said),
    };
    Some(kind)
}

/// The variable of the names in a `person-group`.
fn role_of(role: &str) -> NameVar {
    match role.to_ascii_lowercase().as_str() {
        "editor" | "editors" | "allauthors-editor" | "guest-editor" => NameVar::Editor,
        "translator" | "transed" | "translators" => NameVar::Translator,
        "compiler" => NameVar::Compiler,
        "curator" => NameVar::Curator,
        "director" => NameVar::Director,
        "illustrator" => NameVar::Illustrator,
        "series-editor" => NameVar::CollectionEditor,
        _ => NameVar::Author,
    }
}

fn name(element: Element<'_>) -> Name {
    if element.name() == "collab" {
        return Name::literal(&element.rich(|inside| match inside.name() {
            "contrib-group" | "xref" => Markup::Nothing,
            _ => Markup::Content,
        }));
    }
    let family = element.child_text("surname");
    let given = element.child_text("given-names");
    if family.is_empty() && given.is_empty() {
        return names::in_any_order(&element.text());
    }
    Name {
        non_dropping_particle: citation_model::name::non_blank(&element.child_text("particle")),
        ..person(&family, &given, &element.child_text("suffix"))
    }
}

fn date(element: Element<'_>) -> Option<Date> {
    let iso = element.attribute("iso-8601-date");
    let date = iso.and_then(|iso| Date::parse_iso(&iso));
    date.or_else(|| Date::parse(&element.text()).filter(|date| date.start.is_some()))
}

fn identifier(element: Element<'_>, item: &mut ItemBuilder) {
    let text = element.text();
    let variable = match element.attribute("pub-id-type").as_deref() {
        Some("doi") => TextVar::Doi,
        Some("pmid") => TextVar::Pmid,
        Some("pmcid" | "pmc") => return pmcid(&text, item),
        Some("arxiv") => TextVar::ArxivId,
        Some("isbn") => TextVar::Isbn,
        Some("issn") => TextVar::Issn,
        Some("uri" | "url") => return item.address(&text),
        Some("patent" | "std-designation") => return item.number(NumberVar::Number, &text),
        Some("accession" | "archive") => TextVar::ArchiveLocation,
        _ if text.starts_with("10.") => TextVar::Doi,
        _ if text.starts_with("http") => return item.address(&text),
        Some(kind) => return item.custom(kind, &text),
        None => return,
    };
    item.text(variable, &text);
}

/// Some references have only the number.
fn pmcid(text: &str, item: &mut ItemBuilder) {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        item.text(TextVar::Pmcid, &format!("PMC{text}"))
    } else {
        item.text(TextVar::Pmcid, text)
    }
}

/// A link, whose text may be a label or the address.
fn address(element: Element<'_>, item: &mut ItemBuilder) {
    let target = element.attribute("href");
    let target = target.map_or_else(|| element.text(), |target| target.into_owned());
    match element.attribute("ext-link-type").as_deref() {
        Some("doi") => item.text(TextVar::Doi, &target),
        Some("pmid") => item.text(TextVar::Pmid, &target),
        Some("pmcid") => pmcid(&target, item),
        _ if target.starts_with("10.") => item.text(TextVar::Doi, &target),
        _ => item.address(&target),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_read;

    #[track_caller]
    fn check(references: &str, expected: &str) {
        let text = format!(
            "<article dtd-version='1.3'><front><article-meta><title-group><article-title>Own</article-title></title-group></article-meta></front>
            <body><p/></body><back><ref-list>{references}</ref-list></back></article>"
        );
        check_read(&JATS, &text, &format!("[{expected}]"));
    }

    #[test]
    fn abbreviated_source_keeps_its_stop_and_thesis_its_degree() {
        check(
            "<ref><element-citation publication-type='journal'><article-title>It.</article-title><source>Nat. Med.</source></element-citation></ref>
            <ref><element-citation publication-type='thesis'><source>T</source><comment>PhD thesis</comment><size units='page'>200</size></element-citation></ref>",
            r#"{"title": "It", "container-title": "Nat. Med."}, {"genre": "PhD thesis", "number-of-pages": "200", "note": null}"#,
        );
    }

    #[test]
    fn a_reference_marked_up_throughout() {
        check(
            "<ref id='b1'><label>1</label><element-citation publication-type='journal'><person-group person-group-type='author'>
            <name><surname>Doe</surname><given-names>JQ</given-names><suffix>Jr</suffix></name><collab>The Group</collab><etal/></person-group>
            <year iso-8601-date='2012'>2012a</year><month>05</month><article-title>On <italic>x</italic>.</article-title><source>Tests.</source>
            <volume>7</volume><issue>2</issue><fpage>1</fpage><lpage>9</lpage><pub-id pub-id-type='doi'>https://doi.org/10.5555/X</pub-id>
            <pub-id pub-id-type='pmcid'>77</pub-id><comment>In press</comment></element-citation></ref>",
            r#"{"type": "article-journal", "citation-key": "b1", "author": [{"family": "Doe", "given": "JQ", "suffix": "Jr"}, {"literal": "The Group"}],
            "title": "On <i>x</i>", "container-title": "Tests", "volume": "7", "issue": "2", "page": "1-9", "issued": {"date-parts": [[2012, 5]]},
            "DOI": "10.5555/x", "PMCID": "PMC77", "note": "In press"}"#,
        );
    }

    #[test]
    fn a_reference_marked_up_in_part() {
        check(
            "<ref><mixed-citation publication-type='book'><name><surname>Doe</surname></name>. <chapter-title>Part</chapter-title>. In: <name><surname>Roe</surname></name>, ed.
            <source>Whole</source>. <publisher-loc>Rome</publisher-loc>: <publisher-name>House</publisher-name>; <year>1999</year>. <comment>doi: <ext-link xlink:href='https://doi.org/10.5555/y'>10.5555/y</ext-link></comment></mixed-citation></ref>",
            r#"{"type": "chapter", "title": "Part", "container-title": "Whole", "author": [{"family": "Doe"}], "editor": [{"family": "Roe"}],
            "publisher": "House", "publisher-place": "Rome", "DOI": "10.5555/y", "note": null}"#,
        );
    }

    #[test]
    fn several_citations_and_alternatives() {
        check(
            "<ref id='r'><mixed-citation publication-type='book'><source>A</source></mixed-citation><mixed-citation publication-type='book'><source>B</source></mixed-citation></ref>
            <ref><citation-alternatives><mixed-citation>C.</mixed-citation><element-citation publication-type='report'><source>C</source></element-citation></citation-alternatives></ref>",
            r#"{"title": "A", "citation-key": "r"}, {"title": "B", "citation-key": null}, {"title": "C", "type": "report"}"#,
        );
    }

    #[test]
    fn plain_text_is_kept_as_a_note() {
        check(
            "<ref id='b'><mixed-citation>Doe J. Title. 2001.</mixed-citation></ref><ref><note><p>See there.</p></note></ref>",
            r#"{"title": null, "note": "Doe J. Title. 2001."}, {"note": "See there."}"#,
        );
    }

    #[test]
    fn types_that_are_not_told() {
        let kind = |fields: &str, kind: &str| {
            check(
                &format!("<ref><element-citation>{fields}</element-citation></ref>"),
                &format!(r#"{{"type": "{kind}"}}"#),
            )
        };
        kind(
            "<article-title>A</article-title><source>S</source><volume>1</volume>",
            "article-journal",
        );
        kind(
            "<source>S</source><publisher-name>P</publisher-name>",
            "book",
        );
        kind(
            "<article-title>A</article-title><conf-name>C</conf-name>",
            "paper-conference",
        );
        kind(
            "<article-title>A</article-title><uri>https://example.org/</uri>",
            "webpage",
        );
    }
}
