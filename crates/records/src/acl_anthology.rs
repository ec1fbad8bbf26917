//! The ACL Anthology: an XML file for each of its collections, with the papers of their volumes.
//!
//! Written after <https://github.com/acl-org/acl-anthology/blob/master/data/xml/schema.rnc>.

use citation_exchange::{Element, Markup, each_record};
use citation_fields::parts::date_of;
use citation_model::budget::Budget;
use citation_model::date::Date;
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Update, UpdateKind, UpdateRelation, Work};

use super::{RecordError, fields, names, xml_text};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<collection id=\"2020.acl\">",
    "<volume id=\"1\">",
    "<meta>",
    "</meta>",
    "<booktitle>",
    "<year>2020</year>",
    "<paper id=\"1\">",
    "</paper>",
    "<title>",
    "</title>",
    "<author><first>",
    "<last>",
];

/// Maximum number of works read of one collection; the largest has some 3,000.
const MAX_WORKS: usize = 100_000;

/// Reads a collection, each of its papers and volumes as a work or an error.
pub fn from_collection(xml: &[u8]) -> Result<Vec<Result<Work, RecordError>>, RecordError> {
    let text = xml_text(xml);
    let mut works = Vec::new();
    each_record(
        &text,
        &Budget::unlimited(),
        |name, _| name == "collection",
        |collection| {
            let id = collection.attribute("id").unwrap_or_default();
            for volume in collection.children_named("volume") {
                let volume = Volume {
                    collection: &id,
                    element: volume,
                    meta: volume.child("meta"),
                };
                let papers = volume.element.children_named("paper");
                let room = MAX_WORKS.saturating_sub(works.len());
                works.extend(papers.map(|paper| volume.paper(paper)).take(room));
                works.extend(volume.whole());
            }
        },
    )
    .map_err(|error| RecordError::Syntax(error.to_string()))?;
    if works.is_empty() {
        Err(RecordError::Missing("paper"))
    } else {
        Ok(works)
    }
}

/// A volume of a collection, and what it says about all its papers.
struct Volume<'x> {
    collection: &'x str,
    element: Element<'x>,
    meta: Option<Element<'x>>,
}

impl Volume<'_> {
    fn fact(&self, name: &str) -> Option<String> {
        let text = self.meta?.child_text(name);
        (!text.is_empty()).then_some(text)
    }

    fn is_journal(&self) -> bool {
        self.fact("journal-title").is_some()
    }

    fn paper(&self, paper: Element<'_>) -> Result<Work, RecordError> {
        let number = paper.attribute("id").ok_or(RecordError::Missing("id"))?;
        let kind = if self.is_journal() {
            ItemType::Article
        } else {
            ItemType::ConferencePaper
        };
        let id = self.anthology_id(&number);
        let mut item = Item::new(&id, kind);
        set_title(&mut item, paper.child("title"))?;
        item.set_names(NameVar::Author, people(paper, "author"));
        let container = self.fact("journal-title");
        match container {
            Some(journal) => fields::plain(&mut item, TextVar::ContainerTitle, Some(&journal)),
            None => {
                let title = self.meta.and_then(|meta| meta.child("booktitle")).map(rich);
                fields::rich(&mut item, TextVar::ContainerTitle, title.as_deref());
                item.set_names(NameVar::Editor, self.editors());
            }
        }
        fields::pages(&mut item, Some(&paper.child_text("pages")));
        let issue = paper.child_text("issue");
        let issue = Some(issue).filter(|issue| !issue.is_empty());
        let issue = issue.or_else(|| self.fact("journal-issue"));
        fields::volume_or_issue(&mut item, NumberVar::Issue, issue.as_deref());
        self.set_imprint(&mut item);
        self.finish(item, id, paper)
    }

    /// The volume itself, if it is a book.
    fn whole(&self) -> Option<Result<Work, RecordError>> {
        let front = self.element.child("frontmatter")?;
        let title = self.meta?.child("booktitle")?;
        if self.is_journal() {
            return None;
        }
        let id = self.anthology_id("0");
        let mut item = Item::new(&id, ItemType::Book);
        if let Err(error) = set_title(&mut item, Some(title)) {
            return Some(Err(error));
        }
        item.set_names(NameVar::Editor, self.editors());
        self.set_imprint(&mut item);
        Some(self.finish(item, id, front))
    }

    fn editors(&self) -> Vec<Name> {
        self.meta
            .map_or_else(Vec::new, |meta| people(meta, "editor"))
    }

    fn set_imprint(&self, item: &mut Item) {
        let volume = match item.kind {
            ItemType::Article => self.fact("journal-volume"),
            _ => None,
        };
        fields::volume_or_issue(item, NumberVar::Volume, volume.as_deref());
        fields::imprint(item, TextVar::Publisher, self.fact("publisher").as_deref());
        let place = self.fact("address");
        fields::imprint(item, TextVar::PublisherPlace, place.as_deref());
        let isbns = self.fact("isbn");
        fields::isbns(item, isbns.iter().map(String::as_str));
        let date = self.date();
        fields::date(item, DateVar::Issued, date.as_ref());
    }

    /// The month and the year. The days of a conference are those of its event.
    fn date(&self) -> Option<Date> {
        let year = self.fact("year")?;
        let month = self.fact("month").unwrap_or_default();
        let month = month.split([' ', '-', '–', '/']).next().unwrap_or_default();
        date_of(&year, month).or_else(|| Date::parse_iso(&year))
    }

    /// `2020.acl-main.5`; before 2020 `P19-1005`, with one digit for the volume, or two in collections of
    /// workshops.
    fn anthology_id(&self, paper: &str) -> String {
        let volume = self.element.attribute("id").unwrap_or_default();
        let collection = self.collection;
        let numbers = (volume.parse::<u32>(), paper.parse::<u32>());
        match numbers {
            (Ok(volume), Ok(paper)) if !collection.contains('.') => {
                let is_workshop = collection.starts_with('W')
                    || collection == "C69"
                    || (collection == "D19" && volume >= 5);
                if is_workshop {
                    format!("{collection}-{volume:02}{paper:02}")
                } else {
                    format!("{collection}-{volume}{paper:03}")
                }
            }
            _ => format!("{collection}-{volume}.{paper}"),
        }
    }

    fn finish(
        &self,
        mut item: Item,
        id: String,
        element: Element<'_>,
    ) -> Result<Work, RecordError> {
        let url = format!("https://aclanthology.org/{id}/");
        let doi = Doi::parse(&element.child_text("doi")).ok();
        if let Some(doi) = &doi {
            item.set_text(TextVar::Doi, doi.as_str());
        }
        item.set_text(
            TextVar::Url,
            doi.as_ref().map_or_else(|| url.clone(), Doi::url),
        );
        let mut work = Work::new(
            item,
            Provenance {
                source: Source::AclAnthology,
                record_id: id,
                url: Some(url),
                license: Some("CC-BY-4.0".to_owned()),
                fetched_at: 0,
            },
        );
        if let (Some(notice), Some(doi)) = (element.child("retracted"), doi) {
            let date = notice.attribute("date");
            work.updates.push(Update {
                kind: UpdateKind::Retraction,
                relation: UpdateRelation::UpdatedBy,
                // The Anthology does not identify the notice, so the work's own DOI is used.
                doi,
                date: date.and_then(|date| Date::parse_iso(&date)),
                source: Source::AclAnthology.as_str().to_owned(),
                reasons: Vec::new(),
            });
        }
        Ok(work)
    }
}

fn set_title(item: &mut Item, title: Option<Element<'_>>) -> Result<(), RecordError> {
    let title = title.map(rich).unwrap_or_default();
    fields::title(item, &title, None);
    match item.text(TextVar::Title) {
        Some(_) => Ok(()),
        None => Err(RecordError::Missing("title")),
    }
}

fn people(element: Element<'_>, role: &str) -> Vec<Name> {
    let people = element.children_named(role).map(|person| {
        let (first, last) = (person.child_text("first"), person.child_text("last"));
        let given = Some(first.as_str()).filter(|first| !first.is_empty());
        if last.is_empty() {
            names::from_text(&person.text())
        } else {
            names::from_parts(Some(&last), given, None)
        }
    });
    people.collect()
}

fn rich(element: Element<'_>) -> String {
    element.rich(|inside| match inside.name() {
        "i" => Markup::Tags("<i>", "</i>"),
        _ => Markup::Content,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLLECTION: &str = r#"<?xml version='1.0' encoding='UTF-8'?>
        <collection id="2020.frog"><volume id="main" ingest-date="2020-08-20"><meta>
        <booktitle>Proceedings of the <fixed-case>F</fixed-case>rog Conference</booktitle>
        <editor><first>Petra</first><last>Stein</last></editor><publisher>Association for Frogs</publisher>
        <address>Online</address><month>July 5–10</month><year>2020</year><isbn>978-0-262-03384-8</isbn></meta>
        <frontmatter><url hash="1">2020.frog-main.0</url></frontmatter>
        <paper id="1"><title>On <i>Rana</i> &amp; <fixed-case>T</fixed-case>oads</title>
        <author><first>Jo</first><last>van Doe</last></author><author><first/><last>Plato</last></author>
        <pages>1–12</pages><abstract>Long.</abstract><doi>10.18653/v1/2020.frog-main.1</doi>
        <retracted date="2021-03-02">Data.</retracted></paper><paper id="2"><pages>3</pages></paper>
        </volume></collection>"#;

    #[test]
    fn papers_and_volume_of_a_collection() {
        let works = from_collection(COLLECTION.as_bytes()).unwrap();
        assert_eq!(works.len(), 3);
        let work = works[0].as_ref().unwrap();
        let item = &work.item;
        assert_eq!(work.provenance.record_id, "2020.frog-main.1");
        assert_eq!(item.text(TextVar::Title), Some("On <i>Rana</i> & Toads"));
        assert_eq!(
            item.text(TextVar::ContainerTitle),
            Some("Proceedings of the Frog Conference")
        );
        assert_eq!(item.names(NameVar::Author)[1].display(), "Plato");
        assert_eq!(item.date(DateVar::Issued).unwrap().edtf(), "2020-07");
        assert_eq!(item.number(NumberVar::Page), Some("1-12"));
        assert_eq!(work.updates[0].date.as_ref().unwrap().edtf(), "2021-03-02");
        assert!(works[1].is_err());
        let book = works[2].as_ref().unwrap();
        assert_eq!(book.item.kind, ItemType::Book);
        assert_eq!(book.item.text(TextVar::Isbn), Some("9780262033848"));
    }

    #[test]
    fn ids_of_the_two_schemes() {
        let check = |collection: &str, volume: &str, paper: &str, expected: &str| {
            let xml = format!(
                "<collection id=\"{collection}\"><volume id=\"{volume}\"><meta><year>2000</year></meta>\
                 <paper id=\"{paper}\"><title>T</title></paper></volume></collection>"
            );
            let works = from_collection(xml.as_bytes()).unwrap();
            assert_eq!(works[0].as_ref().unwrap().provenance.record_id, expected);
        };
        check("P19", "1", "5", "P19-1005");
        check("W03", "4", "7", "W03-0407");
        check("D19", "52", "1", "D19-5201");
        check("2022.acl", "long", "13", "2022.acl-long.13");
        assert!(from_collection(b"<collection id=\"a\"/>").is_err());
    }
}
