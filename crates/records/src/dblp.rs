//! DBLP: the elements of `dblp.xml`, a publication each.
//!
//! Written after <https://dblp.org/xml/dblp.dtd> and <https://dblp.org/xml/docu/dblpxml.pdf>.

use citation_exchange::{Element, Markup, each_record};
use citation_model::budget::Budget;
use citation_model::date::Date;
use citation_model::identifier::{ArxivId, Doi};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Work};

use super::{RecordError, fields, identifiers, names, xml_text};

/// The elements of publications; `www` is a person's page.
pub const ELEMENTS: [&str; 9] = [
    "article",
    "inproceedings",
    "proceedings",
    "book",
    "incollection",
    "phdthesis",
    "mastersthesis",
    "data",
    "www",
];

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<article key=\"journals/a/B\" mdate=\"2020-01-01\">",
    "</article>",
    "<author orcid=\"",
    "<author>",
    "</author>",
    "<title>",
    "</title>",
    "<ee>https://doi.org/10.1000/a</ee>",
    "<year>2001</year>",
    "&uuml;",
];

/// Reads one element and maps it.
pub fn from_slice(xml: &[u8]) -> Result<Work, RecordError> {
    let text = xml_text(xml);
    let mut found = None;
    each_record(
        &text,
        &Budget::unlimited(),
        |name, _| ELEMENTS.contains(&name),
        |record| {
            found.get_or_insert_with(|| work(record));
        },
    )
    .map_err(|error| RecordError::Syntax(error.to_string()))?;
    found.unwrap_or(Err(RecordError::Missing("publication")))
}

fn work(record: Element<'_>) -> Result<Work, RecordError> {
    let key = record.attribute("key").ok_or(RecordError::Missing("key"))?;
    if record.name() == "www" || key.starts_with("dblpnote/") {
        return Err(RecordError::NotAWork("a page of DBLP".to_owned()));
    }
    let links = record.child_texts("ee");
    let doi = links.iter().find_map(|link| doi_of(link));
    let preprint = arxiv_id(record, &links);
    let kind = match record.name() {
        _ if preprint.is_some() => ItemType::Preprint,
        "article" => ItemType::Article,
        "inproceedings" => ItemType::ConferencePaper,
        "incollection" => ItemType::Chapter,
        "phdthesis" | "mastersthesis" => ItemType::Thesis,
        "data" => ItemType::Dataset,
        _ => ItemType::Book,
    };
    let mut item = Item::new(key.as_ref(), kind);
    let title = record.child("title").map(rich).unwrap_or_default();
    fields::title(&mut item, title.trim_end_matches('.'), None);
    if item.text(TextVar::Title).is_none() {
        return Err(RecordError::Missing("title"));
    }
    item.set_names(NameVar::Author, people(record, "author"));
    item.set_names(NameVar::Editor, people(record, "editor"));
    let year = record.child_text("year");
    fields::date(&mut item, DateVar::Issued, Date::parse_iso(&year).as_ref());
    set_publication(&mut item, record);
    let doi = doi.or_else(|| preprint.as_ref().map(ArxivId::doi));
    if let Some(doi) = &doi {
        item.set_text(TextVar::Doi, doi.as_str());
    }
    if let Some(id) = &preprint {
        item.set_text(TextVar::ArxivId, id.as_str());
        item.set_text(TextVar::Publisher, "arXiv");
        item.set_text(TextVar::Genre, "preprint");
    }
    let link = links.iter().find_map(|link| fields::web_address(link));
    if let Some(url) = doi.as_ref().map(Doi::url).or(link) {
        item.set_text(TextVar::Url, url);
    }
    let provenance = Provenance {
        source: Source::Dblp,
        record_id: key.as_ref().to_owned(),
        url: Some(format!("https://dblp.org/rec/{key}")),
        license: Some("CC0-1.0".to_owned()),
        fetched_at: record
            .attribute("mdate")
            .map_or(0, |day| super::unix_seconds(&day)),
    };
    Ok(Work::new(item, provenance))
}

fn set_publication(item: &mut Item, record: Element<'_>) {
    let text = |name: &str| Some(record.child_text(name)).filter(|text| !text.is_empty());
    if item.kind == ItemType::Preprint {
        return;
    }
    let container = match item.kind {
        ItemType::ConferencePaper | ItemType::Chapter => text("booktitle"),
        ItemType::Article => text("journal"),
        _ => None,
    };
    fields::plain(item, TextVar::ContainerTitle, container.as_deref());
    fields::volume_or_issue(item, NumberVar::Volume, text("volume").as_deref());
    fields::volume_or_issue(item, NumberVar::Issue, text("number").as_deref());
    fields::pages(item, text("pages").as_deref());
    fields::plain(item, TextVar::CollectionTitle, text("series").as_deref());
    let publisher = text("school").or_else(|| text("publisher"));
    fields::imprint(item, TextVar::Publisher, publisher.as_deref());
    let isbns = record.child_texts("isbn");
    fields::isbns(item, isbns.iter().map(String::as_str));
    match record.name() {
        "phdthesis" => item.set_text(TextVar::Genre, "PhD thesis"),
        "mastersthesis" => item.set_text(TextVar::Genre, "Master’s thesis"),
        _ => {}
    }
}

/// The names of people. DBLP numbers those who share one: `Wei Wang 0001`.
fn people(record: Element<'_>, role: &str) -> Vec<Name> {
    let people = record.children_named(role).map(|person| {
        let text = person.text();
        let mut name = names::from_text(without_number(&text));
        let orcid = person.attribute("orcid");
        name.orcid = orcid.and_then(|orcid| identifiers::bare_orcid(&orcid));
        name
    });
    people.collect()
}

fn without_number(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((name, number))
            if number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            name
        }
        _ => name,
    }
}

fn rich(element: Element<'_>) -> String {
    element.rich(|inside| match inside.name() {
        "i" => Markup::Tags("<i>", "</i>"),
        "sub" => Markup::Tags("<sub>", "</sub>"),
        "sup" => Markup::Tags("<sup>", "</sup>"),
        _ => Markup::Content,
    })
}

/// The DOI of a link to a resolver. Other links, such as those of publishers, may only contain one.
fn doi_of(link: &str) -> Option<Doi> {
    let address = link.split_once("://").map_or(link, |(_, address)| address);
    let (host, _) = address.split_once('/')?;
    matches!(host, "doi.org" | "dx.doi.org" | "www.doi.org")
        .then(|| Doi::parse(link).ok())
        .flatten()
}

/// The id of a preprint on arXiv, which DBLP lists under the journal CoRR.
fn arxiv_id(record: Element<'_>, links: &[String]) -> Option<ArxivId> {
    if record.child_text("journal") != "CoRR" {
        return None;
    }
    let volume = record.child_text("volume");
    let of_volume = volume.strip_prefix("abs/");
    let of_volume = of_volume.and_then(|id| ArxivId::parse(id).ok());
    of_volume.or_else(|| {
        let mut links = links.iter().filter(|link| link.contains("arxiv.org/"));
        links.find_map(|link| ArxivId::parse(link).ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paper_of_proceedings() {
        let xml = br#"<inproceedings mdate="2017-05-24" key="conf/frog/DoeR13">
            <author orcid="0000-0002-1825-0097">Jo D&ouml;e 0002</author><author>Ann Roe</author>
            <title>On H<sub>2</sub>O &amp; frogs.</title><pages>174-183</pages><year>2013</year>
            <booktitle>FROGS</booktitle><ee type="oa">https://frogs.example/1</ee>
            <ee>https://doi.org/10.5555/FROGS.2013.19</ee><crossref>conf/frog/2013</crossref>
            <url>db/conf/frog/frog2013.html#DoeR13</url></inproceedings>"#;
        let work = from_slice(xml).unwrap();
        let item = &work.item;
        assert_eq!(item.kind, ItemType::ConferencePaper);
        assert_eq!(item.text(TextVar::Title), Some("On H<sub>2</sub>O & frogs"));
        assert_eq!(item.text(TextVar::Doi), Some("10.5555/frogs.2013.19"));
        assert_eq!(item.text(TextVar::ContainerTitle), Some("FROGS"));
        let authors = item.names(NameVar::Author);
        assert_eq!(authors[0].display(), "Jo Döe");
        assert_eq!(authors[0].orcid.as_deref(), Some("0000-0002-1825-0097"));
        assert_eq!(work.provenance.record_id, "conf/frog/DoeR13");
        assert_eq!(work.provenance.fetched_at, 1_495_584_000);
    }

    #[test]
    fn other_kinds() {
        let kind = |xml: &str| from_slice(xml.as_bytes()).map(|work| work.item);
        let preprint = kind(
            "<article key=\"journals/corr/a\" publtype=\"informal\"><author>A B</author><title>T.</title>\
             <journal>CoRR</journal><volume>abs/2001.00001</volume><year>2020</year></article>",
        )
        .unwrap();
        assert_eq!(preprint.kind, ItemType::Preprint);
        assert_eq!(preprint.text(TextVar::ArxivId), Some("2001.00001"));
        assert_eq!(preprint.number(NumberVar::Volume), None);
        let thesis = kind(
            "<phdthesis key=\"phd/a\"><author>A B</author><title>T</title><year>1999</year>\
             <school>University of Ponds</school></phdthesis>",
        )
        .unwrap();
        assert_eq!(thesis.text(TextVar::Publisher), Some("University of Ponds"));
        let page =
            kind("<www key=\"homepages/a\"><author>A B</author><title>Home Page</title></www>");
        assert!(matches!(page, Err(RecordError::NotAWork(_))));
        assert!(kind("<article key=\"a\"><year>1999</year></article>").is_err());
        assert!(kind("<article key=\"a\"><title>cut").is_err());
    }
}
