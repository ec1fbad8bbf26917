//! COinS: OpenURLs (ANSI/NISO Z39.88) in the titles of empty spans of a web page, as key-value pairs of the
//! formats for journals, books, dissertations and patents, or of Dublin Core.

use memchr::memmem;
use quick_xml::escape::{resolve_html5_entity, unescape_with};

use crate::content::Content;
use crate::format::{Format, KeyRule};
use crate::reading::{Reading, ReadingBuilder};
use crate::syntax::tokens;
use citation_fields::clean::cut;
use citation_fields::item_builder::ItemBuilder;
use citation_fields::parts::person_of_text;
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::Date;
use citation_model::identifier::{form_decode, percent_decode};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::lookahead::Lookahead;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static COINS: Format = Format {
    id: "coins",
    title: "COinS",
    media_types: &["text/html", "application/xhtml+xml"],
    extensions: &["html", "htm", "xhtml"],
    recognise: |content, budget| {
        let ahead = Lookahead::new(content.text().len(), budget);
        spans(content.text(), &ahead).next().is_some()
    },
    read: Some(read),
    write: None,
    keys: KeyRule::Optional,
    tokens: &[
        tokens::XML,
        &[
            "<span class=\"Z3988\" title=\"",
            "<span title=\"",
            "class=\"Z3988\"",
            "Z3988",
            "<span ",
            "\"></span>",
            "rft_val_fmt=info:ofi/fmt:kev:mtx:book",
            "&amp;rft.title=",
            "&amp;rft.au=",
            "&rft_id=",
            "%41",
            "+",
        ],
    ],
};

/// Reads every span that contains a reference.
fn read(content: &Content<'_>, budget: &Budget) -> Result<Reading, Exceeded> {
    let text = content.text();
    let mut builder = ReadingBuilder::new(text, budget)?;
    let ahead = Lookahead::new(text.len(), budget);
    for (offset, query) in spans(text, &ahead) {
        builder.spend(0, query.len())?;
        if builder.is_full(offset) {
            continue;
        }
        let context = Context::parse(&query);
        if let Some((item, kind)) = context.item(offset) {
            let (item, notices) = item.finish();
            builder.add(item, &kind, offset, notices);
        }
    }
    budget.check()?;
    Ok(builder.finish())
}

/// The item that a key-value OpenURL describes, such as the title of a COinS span; `None` if it is not a
/// work.
pub fn openurl_item(query: &str) -> Option<Item> {
    let (item, _) = Context::parse(query).item(0)?;
    Some(item.finish().0)
}

/// Maximum length of a start tag, in bytes.
const MAX_TAG: usize = 64 * 1024;

/// Maximum length of an attribute name with the white space around it, in bytes.
const MAX_KEY: usize = 200;

/// The titles of the spans of class `Z3988` and the offsets of their tags.
fn spans<'t>(
    text: &'t str,
    ahead: &'t Lookahead<'t>,
) -> impl Iterator<Item = (usize, String)> + use<'t> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(from..)?;
            let found = memmem::find(rest.as_bytes(), CLASS.as_bytes());
            ahead.spend(found.unwrap_or(rest.len()));
            let at = from + found?;
            let before = text.get(from..at)?;
            let start = from + before.rfind('<').unwrap_or(before.len());
            from = at + CLASS.len();
            let mut tag = StartTag::new(ahead.window(text.get(start..)?, MAX_TAG));
            let title = tag.title();
            ahead.spend(tag.looked_at());
            if let Some(title) = title {
                from = from.max(start + tag.looked_at());
                return Some((start, title));
            }
        }
    })
}

/// The class of the spans.
const CLASS: &str = "Z3988";

/// A start tag that is read attribute by attribute.
struct StartTag<'t> {
    tag: &'t str,
    /// Behind what was looked at.
    rest: &'t str,
}

impl<'t> StartTag<'t> {
    fn new(tag: &'t str) -> StartTag<'t> {
        StartTag { tag, rest: tag }
    }

    /// Bytes that were looked at; the length of the tag if it was read to its end.
    fn looked_at(&self) -> usize {
        self.tag.len() - self.rest.len()
    }

    /// The title of a COinS span.
    fn title(&mut self) -> Option<String> {
        let name = self.tag.get(..6)?;
        if !name.eq_ignore_ascii_case("<span ") && !name.eq_ignore_ascii_case("<span\n") {
            return None;
        }
        let (mut title, mut is_coins) = (None, false);
        self.rest = self.tag.get(5..)?.trim_start();
        while !self.rest.starts_with(['>', '/']) {
            let (key, value) = self.attribute()?;
            match key.trim().to_ascii_lowercase().as_str() {
                "class" => is_coins = value.split_whitespace().any(|class| class == CLASS),
                "title" => title = Some(value),
                _ => {}
            }
        }
        let value = title.filter(|_| is_coins)?;
        let title = unescape_with(value, resolve_html5_entity);
        Some(title.map_or_else(|_| value.replace("&amp;", "&"), |title| title.into_owned()))
    }

    /// The next attribute, whose value is quoted.
    fn attribute(&mut self) -> Option<(&'t str, &'t str)> {
        let end = cut(self.rest, MAX_KEY).find('=')?;
        let (key, behind) = (self.rest.get(..end)?, self.rest.get(end + 1..)?);
        let behind = behind.trim_start();
        let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        self.rest = behind.get(1..)?;
        let Some((value, behind)) = self.rest.split_once(quote) else {
            self.rest = "";
            return None;
        };
        self.rest = behind.trim_start();
        Some((key, value))
    }
}

/// The key-value pairs of one OpenURL.
struct Context {
    pairs: Vec<(String, String)>,
}

/// Maximum number of pairs per OpenURL: works with thousands of authors have one for each.
const MAX_PAIRS: usize = 20_000;

impl Context {
    fn parse(query: &str) -> Context {
        let pairs = query
            .split('&')
            .take(MAX_PAIRS)
            .filter_map(|pair| pair.split_once('='));
        let decoded = pairs.map(|(name, value)| {
            let name = percent_decode(name.trim()).to_ascii_lowercase();
            let name = name.strip_prefix("rft.").map(str::to_owned).unwrap_or(name);
            let value = form_decode(value);
            // Some pages escape twice.
            let value = unescape_with(&value, resolve_html5_entity)
                .map(|text| text.into_owned())
                .unwrap_or(value);
            (name, value.split_whitespace().collect::<Vec<_>>().join(" "))
        });
        Context {
            pairs: decoded.filter(|(_, value)| !value.is_empty()).collect(),
        }
    }

    fn all<'c, 'n>(&'c self, name: &'n str) -> impl Iterator<Item = &'c str> + use<'c, 'n> {
        let named = self.pairs.iter().filter(move |(known, _)| known == name);
        named.map(|(_, value)| value.as_str())
    }

    /// The first value among `names`.
    fn first<'c>(&'c self, names: &[&str]) -> &'c str {
        let found = names.iter().find_map(|name| self.all(name).next());
        found.unwrap_or_default()
    }

    /// The item and its type as written; `None` if the format is not one of works.
    fn item(&self, offset: usize) -> Option<(ItemBuilder, String)> {
        let format = self.first(&["rft_val_fmt"]);
        let format = format
            .rsplit([':', '/'])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        let genre = self.first(&["genre", "type"]).to_ascii_lowercase();
        let kind = kind(&format, &genre, self)?;
        let mut item = ItemBuilder::new(offset);
        item.set_kind(kind);
        self.titles(kind, &mut item);
        self.people(kind, &mut item);
        self.numbers(kind, &mut item);
        self.identifiers(&mut item);
        item.text(TextVar::Publisher, self.first(&["pub", "publisher"]));
        item.text(TextVar::PublisherPlace, self.first(&["place"]));
        item.text(TextVar::Language, self.first(&["language"]));
        item.text(TextVar::License, self.first(&["rights"]));
        item.text(TextVar::Abstract, self.first(&["description"]));
        item.text(TextVar::Archive, self.first(&["archive"]));
        for subject in self.all("subject") {
            item.keyword(subject);
        }
        let says_something =
            item.item().text(TextVar::Title).is_some() || !item.item().names.is_empty();
        says_something.then_some((item, if genre.is_empty() { format } else { genre }))
    }

    fn titles(&self, kind: ItemType, item: &mut ItemBuilder) {
        let article = self.first(&["atitle"]);
        let (own, container) = match kind {
            _ if article.is_empty() => (self.first(&["btitle", "title", "jtitle"]), ""),
            ItemType::Chapter | ItemType::ConferencePaper => {
                (article, self.first(&["btitle", "jtitle", "title"]))
            }
            _ => (article, self.first(&["jtitle", "btitle", "title"])),
        };
        item.text(TextVar::Title, own);
        let container = match container {
            // A journal next to a title that is not that of an article.
            "" if own != self.first(&["jtitle"]) => self.first(&["jtitle"]),
            container => container,
        };
        item.text(TextVar::ContainerTitle, container);
        item.text(TextVar::ContainerTitleShort, self.first(&["stitle"]));
        item.text(TextVar::CollectionTitle, self.first(&["series"]));
        item.text(TextVar::Genre, self.first(&["degree"]));
    }

    /// The first author may be given in parts and as a whole; the others only as a whole.
    fn people(&self, kind: ItemType, item: &mut ItemBuilder) {
        let own = if kind == ItemType::Patent {
            "inventor"
        } else {
            "au"
        };
        let family = self.first(&["aulast", "invlast"]);
        let initials = [self.first(&["auinit1"]), self.first(&["auinitm"])].join(" ");
        let given = match self.first(&["aufirst", "invfirst"]) {
            "" => self.first(&["auinit"]),
            given => given,
        };
        let given = if given.is_empty() {
            initials.trim()
        } else {
            given
        };
        let mut names = Vec::new();
        let first = (!family.is_empty()).then(|| match given {
            "" if family.contains(' ') => Name::literal(family),
            given => Name {
                suffix: citation_model::name::non_blank(self.first(&["ausuffix"])),
                ..Name::person(family, given)
            },
        });
        for whole in self.all(own).chain(self.all("creator")) {
            if !first.as_ref().is_some_and(|first| is_same(first, whole)) {
                names.push(person_of_text(whole));
            }
        }
        for name in first.into_iter().chain(names) {
            item.name(NameVar::Author, name);
        }
        for corporation in self.all("aucorp").chain(self.all("inst")) {
            match kind {
                ItemType::Thesis => item.text(TextVar::Publisher, corporation),
                _ => item.name(NameVar::Author, Name::literal(corporation)),
            }
        }
        for contributor in self.all("contributor") {
            item.name(NameVar::Contributor, person_of_text(contributor));
        }
    }

    fn numbers(&self, kind: ItemType, item: &mut ItemBuilder) {
        item.number(NumberVar::Volume, self.first(&["volume"]));
        item.number(NumberVar::Issue, self.first(&["issue"]));
        item.number(NumberVar::PartNumber, self.first(&["part"]));
        item.number(NumberVar::Edition, self.first(&["edition"]));
        item.number(NumberVar::Page, self.first(&["pages"]));
        item.pages(self.first(&["spage"]), self.first(&["epage"]));
        item.number(NumberVar::NumberOfPages, self.first(&["tpages"]));
        item.number(NumberVar::Number, self.first(&["artnum", "number"]));
        if item.kind() == ItemType::Patent {
            item.date(DateVar::Submitted, Date::parse(self.first(&["appldate"])));
        }
        let issued = match kind {
            ItemType::Patent => self.first(&["date", "pubdate", "prioritydate"]),
            _ => self.first(&["date"]),
        };
        let season = match self.first(&["ssn"]) {
            "" => self.first(&["chron"]),
            season => season,
        };
        let whole = Date::parse(issued);
        let dated = Date::parse(&format!("{season} {issued}")).filter(|_| !season.is_empty());
        let is_year = whole
            .as_ref()
            .is_some_and(|date| date.start.is_some_and(|start| start.precision() == 1));
        item.date(
            DateVar::Issued,
            dated
                .filter(|date| is_year && date.start.is_some())
                .or(whole),
        );
    }

    /// Identifiers have their own keys or are in `rft_id`, in various forms.
    fn identifiers(&self, item: &mut ItemBuilder) {
        item.text(TextVar::Isbn, self.first(&["isbn"]));
        let issns = [self.first(&["issn"]), self.first(&["eissn"])];
        for issn in issns {
            item.text(TextVar::Issn, issn);
        }
        item.text(TextVar::Doi, self.first(&["doi"]));
        for id in self.all("rft_id").chain(self.all("identifier")) {
            let lower = id.get(..16).unwrap_or(id).to_ascii_lowercase();
            let behind =
                |prefix: &str| id.get(prefix.len()..).filter(|_| lower.starts_with(prefix));
            if let Some(doi) = behind("info:doi/")
                .or_else(|| behind("doi:"))
                .or_else(|| behind("urn:doi:"))
            {
                item.text(TextVar::Doi, doi);
            } else if let Some(pmid) = behind("info:pmid/").or_else(|| behind("pmid:")) {
                item.text(TextVar::Pmid, pmid);
            } else if let Some(isbn) = behind("urn:isbn:") {
                if item.item().text(TextVar::Isbn).is_none() && self.first(&["isbn"]).is_empty() {
                    item.text(TextVar::Isbn, isbn);
                }
            } else if let Some(issn) = behind("urn:issn:") {
                if issns.iter().all(|issn| issn.is_empty()) {
                    item.text(TextVar::Issn, issn);
                }
            } else if let Some(arxiv) = behind("info:arxiv/").or_else(|| behind("arxiv:")) {
                item.text(TextVar::ArxivId, arxiv);
            } else if let Some(pmcid) = behind("info:pmcid/").or_else(|| behind("pmc:")) {
                item.text(TextVar::Pmcid, pmcid);
            } else if ["http://", "https://", "ftp://", "//"]
                .iter()
                .any(|scheme| lower.starts_with(scheme))
            {
                item.address(id);
            }
        }
    }
}

/// Whether a whole name equals the one given in parts, in either order.
fn is_same(name: &Name, whole: &str) -> bool {
    let letters = |text: &str| -> Vec<String> {
        let mut words: Vec<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        words.sort_unstable();
        words
    };
    letters(whole) == letters(&name.display())
}

/// The item type from the metadata format and the genre.
fn kind(format: &str, genre: &str, context: &Context) -> Option<ItemType> {
    let kind = match format {
        "journal" => match genre {
            "proceeding" | "conference" => ItemType::ConferencePaper,
            "preprint" => ItemType::Preprint,
            "issue" => ItemType::Periodical,
            _ => ItemType::Article,
        },
        "book" => match genre {
            "bookitem" => ItemType::Chapter,
            "proceeding" | "conference" => ItemType::ConferencePaper,
            "report" => ItemType::Report,
            "document" => ItemType::Document,
            "" if !context.first(&["atitle"]).is_empty() => ItemType::Chapter,
            _ => ItemType::Book,
        },
        "dissertation" => ItemType::Thesis,
        "patent" => ItemType::Patent,
        "dc" => ItemType::parse(genre).unwrap_or(ItemType::Webpage),
        // Formats of people and queries are not works.
        "" => match genre {
            "bookitem" => ItemType::Chapter,
            "" if context.first(&["jtitle", "atitle"]).is_empty() => ItemType::Book,
            genre => ItemType::parse(genre).unwrap_or(ItemType::Article),
        },
        _ => return None,
    };
    Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(html: &str) -> Vec<Item> {
        let reading = read(&Content::of_text(html), &Budget::unlimited()).unwrap();
        reading.items.into_iter().map(|read| read.item).collect()
    }

    fn span(pairs: &str) -> String {
        format!(
            "<html><p>x <SPAN title='ctx_ver=Z39.88-2004&amp;{pairs}' class=\"a Z3988\"></span></p>"
        )
    }

    #[test]
    fn an_article_is_read() {
        let html = span(
            "rft_val_fmt=info%3Aofi%2Ffmt%3Akev%3Amtx%3Ajournal&amp;rft.genre=article&amp;rft.atitle=A+%26+B&amp;rft.jtitle=J&amp;\
             rft.date=2001-02&amp;rft.volume=3&amp;rft.spage=5&amp;rft.epage=9&amp;rft.aufirst=Jane&amp;rft.aulast=Doe&amp;rft.au=Jane+Doe&amp;\
             rft.au=Roe%2C+R.&amp;rft_id=info%3Adoi%2F10.5555%2Fx&amp;rft_id=https%3A%2F%2Fx.org%2F1&amp;rft_id=info:pmid/123",
        );
        let read = &items(&html)[0];
        assert_eq!(read.kind, ItemType::Article);
        assert_eq!(read.text(TextVar::Title), Some("A & B"));
        assert_eq!(read.text(TextVar::ContainerTitle), Some("J"));
        assert_eq!(read.number(NumberVar::Page), Some("5-9"));
        assert_eq!(
            read.names(NameVar::Author),
            [Name::person("Doe", "Jane"), Name::person("Roe", "R.")]
        );
        assert_eq!(read.text(TextVar::Doi), Some("10.5555/x"));
        assert_eq!(read.text(TextVar::Pmid), Some("123"));
        assert_eq!(read.text(TextVar::Url), Some("https://x.org/1"));
    }

    #[test]
    fn genres_decide_the_type() {
        let check = |pairs: &str, expected: Option<ItemType>| {
            let found = items(&span(&format!("{pairs}&amp;rft.title=T")))
                .first()
                .map(|item| item.kind);
            assert_eq!(found, expected, "{pairs}");
        };
        check(
            "rft_val_fmt=info:ofi/fmt:kev:mtx:book&amp;rft.genre=book",
            Some(ItemType::Book),
        );
        check(
            "rft_val_fmt=info:ofi/fmt:kev:mtx:book&amp;rft.genre=bookitem&amp;rft.atitle=C",
            Some(ItemType::Chapter),
        );
        check(
            "rft_val_fmt=info:ofi/fmt:kev:mtx:dissertation",
            Some(ItemType::Thesis),
        );
        check(
            "rft_val_fmt=info:ofi/fmt:kev:mtx:dc&amp;rft.type=blogPost",
            Some(ItemType::BlogPost),
        );
        check("rft_val_fmt=info:ofi/fmt:kev:mtx:sch_svc", None);
    }

    #[test]
    fn other_spans_and_hostile_pages_are_passed_over() {
        let other = Content::of_text("<span class='Z39'>Z3988</span> <b class=\"Z3988\">");
        assert_eq!(COINS.recognises(&other, &Budget::unlimited()), Ok(false));
        assert_eq!(items("<span class=\"Z3988\" title=\""), []);
        let work = |count: usize| {
            let budget = Budget::unlimited();
            read(&Content::of_text(&"<span Z3988".repeat(count)), &budget).unwrap();
            read(&Content::of_text(&span("rft.au=A").repeat(count)), &budget).unwrap();
            budget.steps()
        };
        assert!(work(1000) <= 11 * work(100));
    }
}
