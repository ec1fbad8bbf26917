//! Writes items as EndNote XML for import into EndNote.

use super::kinds::{is_serial_own, number_variable, write_kind};
use super::read::{FIELDS, PERFORMED, is_key};
use crate::rows::values;
use crate::syntax::tagged;
use crate::syntax::tagged::{serials, year_and_date};
use crate::syntax::xml::runs::runs;
use crate::syntax::xml::write::{RunElement, Writer, plain};
use citation_fields::keywords;
use citation_fields::parts::{event_days, makers, second_role};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Writes items as one file. Variables without an EndNote field are omitted.
pub fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut writer = Writer::new();
    let mut result = Ok(());
    writer.element("xml", |writer| {
        writer.element("records", |writer| {
            result = writer.each(items, budget, |_, item, writer| {
                writer.element("record", |writer| record(item, writer));
            });
        });
    });
    result.map(|()| writer.finish())
}

fn record(item: &Item, writer: &mut Writer) {
    use ItemType::*;
    let text = |variable| item.text(variable).unwrap_or_default();
    let (name, code) = write_kind(item.kind);
    writer.leaf_with("ref-type", &[("name", name)], &code.to_string());
    let whole = matches!(item.kind, Book | Pamphlet | Classic | Report | Collection);
    names(item, whole, writer);
    titles(item, writer);
    if item.kind.is_in_periodical() || item.kind.has_series() {
        writer.element("periodical", |writer| {
            let title = plain(text(TextVar::ContainerTitle));
            let short = plain(text(TextVar::ContainerTitleShort));
            writer.leaf("full-title", &title);
            if short != title {
                writer.leaf("abbr-1", &short);
            }
        });
    }
    numbers(item, writer);
    writer.element("keywords", |writer| {
        for word in keywords::split(text(TextVar::Keyword)) {
            writer.leaf("keyword", word);
        }
    });
    dates(item, writer);
    if let Some(date) = item.date(DateVar::OriginalDate) {
        writer.leaf("orig-pub", &date.edtf());
    }
    if !is_serial_own(item.kind) {
        writer.leaf("isbn", &serials(item).join(", "));
    }
    writer.leaf("electronic-resource-num", text(TextVar::Doi));
    writer.leaf("accession-num", text(TextVar::Pmid));
    writer.leaf("custom2", text(TextVar::Pmcid));
    if event(item).is_some() {
        writer.leaf("custom3", &plain(text(TextVar::ContainerTitle)));
    }
    if is_article(item.kind) {
        let number = item.number(NumberVar::Number);
        writer.leaf("custom7", number.unwrap_or_default());
    }
    // Others are numbers of records.
    if is_key(text(TextVar::CitationKey)) {
        writer.leaf("label", text(TextVar::CitationKey));
    }
    let has_pmid = !text(TextVar::Pmid).is_empty();
    // Distinguishes a PMID from other accession numbers.
    if has_pmid {
        writer.leaf(DATABASE, "PubMed");
    }
    for (name, value) in values(FIELDS, item).filter(|(name, _)| !has_pmid || *name != DATABASE) {
        // EndNote's line breaks.
        let lines: Vec<String> = tagged::lines(value).map(plain).collect();
        writer.leaf(name, &lines.join("\r"));
    }
    writer.element("urls", |writer| {
        writer.element("related-urls", |writer| {
            writer.leaf("url", text(TextVar::Url))
        });
    });
    if let Some(date) = item.date(DateVar::Accessed) {
        writer.leaf("access-date", &date.edtf());
    }
}

/// The field of the database that an accession number belongs to.
const DATABASE: &str = "remote-database-name";

fn numbers(item: &Item, writer: &mut Writer) {
    use ItemType::*;
    let number = |variable| item.number(variable).unwrap_or_default();
    let count = number(NumberVar::NumberOfPages);
    let pages = match number(NumberVar::Page) {
        "" if matches!(item.kind, Book | Thesis | Pamphlet | Collection) => count.to_owned(),
        // A bare number would be a page.
        "" if !count.is_empty() => format!("{count} p."),
        page => page.to_owned(),
    };
    writer.leaf("pages", &pages);
    writer.leaf("volume", number(NumberVar::Volume));
    writer.leaf("number", number(number_variable(item.kind)));
}

/// Whether works of a type have article numbers.
fn is_article(kind: ItemType) -> bool {
    kind.is_one_of(ItemType::JOURNAL_ARTICLES)
        || kind.is_in_periodical()
        || kind == ItemType::ConferencePaper
}

/// The conference of a work that is written as a conference paper. It takes the field of the secondary
/// title, and the proceedings a field of their own.
fn event(item: &Item) -> Option<&str> {
    let is_paper = write_kind(item.kind).0 == "Conference Paper";
    item.text(TextVar::EventTitle).filter(|_| is_paper)
}

fn titles(item: &Item, writer: &mut Writer) {
    let text = |variable| item.text(variable).unwrap_or_default();
    let (secondary, tertiary) = match item.kind.has_series() {
        true if item.kind == ItemType::Thesis => {
            (TextVar::Division, Some(TextVar::CollectionTitle))
        }
        true => (TextVar::CollectionTitle, None),
        false => (TextVar::ContainerTitle, Some(TextVar::CollectionTitle)),
    };
    writer.element("titles", |writer| {
        // For a translated title, EndNote puts the original first.
        match item.text(TextVar::OriginalTitle) {
            Some(original) => {
                styled("title", original, writer);
                styled("translated-title", text(TextVar::Title), writer);
            }
            None => styled("title", text(TextVar::Title), writer),
        }
        styled(
            "secondary-title",
            event(item).unwrap_or(text(secondary)),
            writer,
        );
        if let Some(tertiary) = tertiary {
            styled("tertiary-title", text(tertiary), writer);
        }
        styled("short-title", text(TextVar::TitleShort), writer);
    });
}

fn names(item: &Item, whole: bool, writer: &mut Writer) {
    let editors = item.names(second_role(item.kind));
    let series = item.names(NameVar::CollectionEditor);
    let tertiary = match item.kind {
        ItemType::Thesis => item.names(NameVar::Contributor),
        _ if whole => editors,
        _ => series,
    };
    let subsidiary = if PERFORMED.contains(&item.kind) {
        NameVar::Performer
    } else {
        NameVar::Translator
    };
    let groups = [
        ("authors", makers(item)),
        ("secondary-authors", if whole { series } else { editors }),
        ("tertiary-authors", tertiary),
        ("subsidiary-authors", item.names(subsidiary)),
    ];
    writer.element("contributors", |writer| {
        for (group, names) in groups {
            writer.element(group, |writer| {
                for name in names {
                    writer.leaf("author", &inverted(name));
                }
            });
        }
    });
}

/// `Family, Given, Suffix`; an institution gets the commas that keep it whole in EndNote.
fn inverted(name: &Name) -> String {
    let whole = Some(name.heading()).filter(|_| name.given.is_none() && name.suffix.is_none());
    if let Some(literal) = whole.filter(|whole| name.literal.is_some() || whole.contains(' ')) {
        let literal = literal.replace("; ", ", ");
        return if literal.contains(',') {
            literal.replacen(',', ",,", 1)
        } else {
            format!("{literal},")
        };
    }
    tagged::inverted(name)
}

fn dates(item: &Item, writer: &mut Writer) {
    let Some(issued) = item.date(DateVar::Issued) else {
        return;
    };
    // The days of a paper are those of its conference.
    let (issued, _) = event_days(item.kind, issued.clone());
    let (year, date) = year_and_date(Some(&issued));
    writer.element("dates", |writer| match year.as_str() {
        "" => writer.leaf("year", &date),
        year => {
            writer.leaf("year", year);
            writer.element("pub-dates", |writer| writer.leaf("date", &date));
        }
    });
}

/// Writes text whose markup becomes EndNote styles: an element for each run with the same style.
fn styled(name: &'static str, text: &str, writer: &mut Writer) {
    if !text.contains('<') {
        return writer.leaf(name, text);
    }
    const STYLE: RunElement = RunElement {
        name: "style",
        attribute: "face",
        plain: "normal",
    };
    writer.runs(name, &[], &STYLE, &runs(text));
}

#[cfg(test)]
mod tests {
    use crate::ENDNOTE_XML;
    use crate::testing::check_round_trip;

    #[test]
    fn fields_that_endnote_has_read_back() {
        check_round_trip(
            &ENDNOTE_XML,
            r#"[
            {"type": "article-journal", "citation-key": "doe2001", "title": "On <i>E. coli</i> & x < 2: H<sub>2</sub>O",
             "author": [{"family": "Doe", "given": "Jane Q."}, {"family": "van der Berg", "given": "A.", "suffix": "Jr."}, {"literal": "World Health Organization"}],
             "container-title": "Journal of Tests", "container-title-short": "J. Tests", "volume": "12", "issue": "3", "page": "101-109",
             "issued": {"date-parts": [[2001, 5, 3]]}, "DOI": "10.5555/abc", "ISSN": "2049-3630", "PMID": "123", "PMCID": "PMC77", "archive": "PubMed",
             "abstract": "Text\nof lines\nwithout stops", "note": "For <p>all</p>\nof us", "keyword": "ants, bees", "language": "en", "URL": "https://example.org/a?b=c&d", "accessed": {"date-parts": [[2020, 1, 2]]}},
            {"type": "book", "title": "Whole", "editor": [{"family": "Roe", "given": "R."}], "publisher": "House", "publisher-place": "Rome",
             "collection-title": "Series", "collection-number": "7", "number-of-pages": "300", "edition": "2", "ISBN": "9780198526636", "issued": {"date-parts": [[1999]]}},
            {"type": "chapter", "title": "Part", "author": [{"family": "Doe", "given": "J."}], "editor": [{"family": "Roe", "given": "R."}],
             "container-title": "Whole", "collection-title": "Series", "chapter-number": "4", "page": "1-9", "issued": {"date-parts": [[1998], [2000]]}},
            {"type": "thesis", "title": "Ding", "author": [{"family": "Doe", "given": "J."}], "genre": "PhD thesis", "publisher": "University", "number-of-pages": "90"},
            {"type": "report", "title": "R", "number": "12/3", "author": [{"literal": "Body"}, {"literal": "Smith, Roe and Co"}], "publisher": "Institute"},
            {"type": "patent", "title": "P", "number": "US 1", "author": [{"family": "Doe", "given": "J."}]},
            {"type": "webpage", "title": "W", "container-title": "Site", "URL": "https://example.org/"},
            {"type": "paper-conference", "title": "P", "container-title": "Proceedings", "event-title": "Conference", "number": "e7"},
            {"type": "article-journal", "title": "N", "container-title": "J", "number": "e5", "abstract": "One.\\nTwo."},
            {"type": "report", "title": "R", "number-of-pages": "30"},
            {"type": "document", "title": "D"}]"#,
        );
    }
}
