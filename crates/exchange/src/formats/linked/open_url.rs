//! Works as COinS: a key-value OpenURL (ANSI/NISO Z39.88) in the title of an empty span, which reference
//! managers find in a web page.

use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::percent_encode;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use quick_xml::escape::escape;

use crate::cost::spend_written;

/// Works as spans, one per line.
pub fn coins(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut out = String::new();
    for item in items {
        let before = out.len();
        let title = open_url(item);
        out.push_str(&format!(
            "<span class='Z3988' title='{}'></span>\n",
            escape(title.as_str())
        ));
        spend_written(budget, out.len() - before)?;
    }
    Ok(out)
}

/// A work as the joined and encoded pairs of an OpenURL.
pub fn open_url(item: &Item) -> String {
    let mut pairs = Pairs(String::from("ctx_ver=Z39.88-2004"));
    pairs.identifiers(item);
    let (format, genre) = format(item.kind);
    pairs.put("rft_val_fmt", &format!("info:ofi/fmt:kev:mtx:{format}"));
    pairs.put("rft.genre", genre);
    pairs.titles(item, format);
    pairs.people(item, format);
    pairs.numbers(item, format);
    pairs.0
}

/// The metadata format and genre of a type.
fn format(kind: ItemType) -> (&'static str, &'static str) {
    use ItemType::*;
    match kind {
        Article | MagazineArticle | NewspaperArticle | Review | BookReview => {
            ("journal", "article")
        }
        Preprint => ("journal", "preprint"),
        Periodical => ("journal", "issue"),
        Book | Classic | Collection | Pamphlet => ("book", "book"),
        Chapter | Entry | DictionaryEntry | EncyclopediaEntry => ("book", "bookitem"),
        ConferencePaper => ("book", "proceeding"),
        Report | Standard => ("book", "report"),
        Thesis => ("dissertation", ""),
        Patent => ("patent", ""),
        _ => ("dc", ""),
    }
}

/// Maximum number of names written, to keep links short.
const MAX_NAMES: usize = 100;

struct Pairs(String);

impl Pairs {
    fn put(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.0
                .push_str(&format!("&{name}={}", percent_encode(value)));
        }
    }

    fn put_text(&mut self, name: &str, item: &Item, variable: TextVar) {
        self.put(name, item.text(variable).unwrap_or_default());
    }

    fn put_number(&mut self, name: &str, item: &Item, variable: NumberVar) {
        self.put(name, item.number(variable).unwrap_or_default());
    }

    fn identifiers(&mut self, item: &Item) {
        if let Some(doi) = item.doi() {
            self.put("rft_id", &format!("info:doi/{doi}"));
        }
        if let Some(pmid) = item.text(TextVar::Pmid) {
            self.put("rft_id", &format!("info:pmid/{pmid}"));
        }
        if let Some(arxiv) = item.text(TextVar::ArxivId) {
            self.put("rft_id", &format!("info:arxiv/{arxiv}"));
        }
        if let Some(isbn) = item.isbns().first() {
            self.put("rft_id", &format!("urn:isbn:{isbn}"));
        }
        self.put_text("rft_id", item, TextVar::Url);
    }

    fn titles(&mut self, item: &Item, format: &str) {
        let is_part = item.text(TextVar::ContainerTitle).is_some();
        match format {
            "journal" => {
                self.put_text("rft.atitle", item, TextVar::Title);
                self.put_text("rft.jtitle", item, TextVar::ContainerTitle);
                self.put_text("rft.stitle", item, TextVar::ContainerTitleShort);
            }
            "book" if is_part => {
                self.put_text("rft.atitle", item, TextVar::Title);
                self.put_text("rft.btitle", item, TextVar::ContainerTitle);
                self.put_text("rft.series", item, TextVar::CollectionTitle);
            }
            "book" => {
                self.put_text("rft.btitle", item, TextVar::Title);
                self.put_text("rft.series", item, TextVar::CollectionTitle);
            }
            "dc" => {
                self.put_text("rft.title", item, TextVar::Title);
                self.put("rft.type", crate::formats::zotero::type_name(item.kind));
                self.put_text("rft.source", item, TextVar::ContainerTitle);
                self.put_text("rft.description", item, TextVar::Abstract);
                self.put_text("rft.identifier", item, TextVar::Url);
            }
            _ => self.put_text("rft.title", item, TextVar::Title),
        }
        match format {
            "dissertation" => {
                self.put_text("rft.inst", item, TextVar::Publisher);
                self.put_text("rft.degree", item, TextVar::Genre);
            }
            "dc" => self.put_text("rft.publisher", item, TextVar::Publisher),
            _ => {
                self.put_text("rft.pub", item, TextVar::Publisher);
                self.put_text("rft.place", item, TextVar::PublisherPlace);
            }
        }
    }

    fn people(&mut self, item: &Item, format: &str) {
        let (own, is_dc) = match format {
            "patent" => ("rft.inventor", false),
            "dc" => ("rft.creator", true),
            _ => ("rft.au", false),
        };
        let authors = item.names(NameVar::Author);
        if let (
            Some(Name {
                literal: None,
                family,
                given,
                ..
            }),
            false,
        ) = (authors.first(), is_dc)
        {
            self.put("rft.aufirst", given.as_deref().unwrap_or_default());
            self.put("rft.aulast", family.as_deref().unwrap_or_default());
        }
        for name in authors.iter().take(MAX_NAMES) {
            match &name.literal {
                Some(literal) if !is_dc => self.put("rft.aucorp", literal),
                _ => self.put(own, &name.display()),
            }
        }
    }

    fn numbers(&mut self, item: &Item, format: &str) {
        let issued = item.date(DateVar::Issued).and_then(|date| date.start);
        if let Some(start) = issued {
            self.put("rft.date", &start.iso());
        }
        self.put_text("rft.language", item, TextVar::Language);
        if format == "patent" {
            self.put_number("rft.number", item, NumberVar::Number);
        }
        if matches!(format, "patent" | "dc" | "dissertation") {
            return;
        }
        self.put_number("rft.volume", item, NumberVar::Volume);
        self.put_number("rft.issue", item, NumberVar::Issue);
        self.put_number("rft.edition", item, NumberVar::Edition);
        self.put_number("rft.tpages", item, NumberVar::NumberOfPages);
        self.put_number("rft.pages", item, NumberVar::Page);
        if let Some((first, last)) = super::pages(item) {
            self.put("rft.spage", first);
            self.put("rft.epage", last.unwrap_or_default());
        }
        if let Some(isbn) = item.isbns().first() {
            self.put("rft.isbn", isbn.as_str());
        }
        if let Some(issn) = item.issns().first() {
            self.put("rft.issn", issn.as_str());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{COINS, Content, openurl_item, read};
    use citation_model::date::Date;

    fn work(kind: ItemType) -> Item {
        let mut item = Item::new("", kind);
        item.set_text(TextVar::Title, "Oaks & <i>'elms'</i>");
        item.set_text(TextVar::ContainerTitle, "Trees");
        item.set_text(TextVar::Doi, "10.1000/a<b");
        item.set_number(NumberVar::Volume, "3");
        item.set_number(NumberVar::Page, "12-34");
        item.set_names(
            NameVar::Author,
            vec![Name::person("Doe", "Jane"), Name::person("Roe", "R.")],
        );
        item.set_date(DateVar::Issued, Date::parse_iso("2020-05").unwrap());
        item
    }

    #[test]
    fn written_spans_are_read_back() {
        for kind in [
            ItemType::Article,
            ItemType::Chapter,
            ItemType::ConferencePaper,
        ] {
            let item = work(kind);
            let html = coins(std::slice::from_ref(&item), &Budget::unlimited()).unwrap();
            let reading = read(&Content::of_text(&html), &COINS, &Budget::unlimited()).unwrap();
            let read = &reading.items[0].item;
            assert_eq!(read.kind, kind, "{html}");
            for variable in [TextVar::ContainerTitle, TextVar::Doi] {
                assert_eq!(read.text(variable), item.text(variable), "{html}");
            }
            assert_eq!(read.number(NumberVar::Page), Some("12-34"), "{html}");
            assert_eq!(read.names(NameVar::Author), item.names(NameVar::Author));
            assert_eq!(read.date(DateVar::Issued), item.date(DateVar::Issued));
        }
    }

    #[test]
    fn every_type_has_an_open_url() {
        for kind in ItemType::ALL {
            let read = openurl_item(&open_url(&work(*kind)));
            assert!(
                read.is_some_and(|item| item.text(TextVar::Title).is_some()),
                "{kind:?}"
            );
        }
    }
}
