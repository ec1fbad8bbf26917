//! Writes items as EndNote XML, which EndNote imports.

use super::kinds::write_kind;
use super::read::TEXTS;
use crate::xml::write::{Writer, plain};
use crate::{keywords, spend_written};
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Writes items as one file. Variables that EndNote has no field for are left out.
pub fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut writer = Writer::new();
    let mut result = Ok(());
    writer.element("xml", |writer| {
        writer.element("records", |writer| {
            for item in items {
                let before = writer.len();
                writer.element("record", |writer| record(item, writer));
                result = spend_written(budget, writer.len() - before);
                if result.is_err() {
                    break;
                }
            }
        });
    });
    result.map(|()| writer.finish())
}

fn record(item: &Item, writer: &mut Writer) {
    use ItemType::*;
    let text = |variable| item.text(variable).unwrap_or_default();
    let number = |variable| item.number(variable).unwrap_or_default();
    let (name, code) = write_kind(item.kind);
    writer.leaf_with("ref-type", &[("name", name)], &code.to_string());
    let whole = matches!(item.kind, Book | Pamphlet | Classic | Report | Collection);
    names(item, whole, writer);
    titles(item, writer);
    let journal = text(TextVar::ContainerTitle);
    if item.kind.is_in_periodical() || has_series(item.kind) {
        writer.element("periodical", |writer| {
            writer.leaf("full-title", journal);
            writer.leaf("abbr-1", text(TextVar::ContainerTitleShort));
        });
    }
    let pages = match number(NumberVar::Page) {
        "" if matches!(item.kind, Book | Thesis | Pamphlet | Collection) => {
            number(NumberVar::NumberOfPages)
        }
        page => page,
    };
    writer.leaf("pages", pages);
    writer.leaf("volume", number(NumberVar::Volume));
    let (variable, is_serial_taken) = match item.kind {
        Book | Chapter | Pamphlet | Collection => (NumberVar::CollectionNumber, false),
        Report | Patent | Standard | LegalCase | Bill | Legislation => (NumberVar::Number, true),
        Thesis => (NumberVar::Number, false),
        _ => (NumberVar::Issue, false),
    };
    writer.leaf("number", number(variable));
    writer.leaf("num-vols", number(NumberVar::NumberOfVolumes));
    match item.kind {
        Article | Preprint | Review | BookReview => {}
        Software | Dataset => writer.leaf("edition", number(NumberVar::Version)),
        _ => writer.leaf("edition", number(NumberVar::Edition)),
    }
    match item.kind {
        Article | Preprint | Review | BookReview => {}
        Chapter => writer.leaf("section", number(NumberVar::ChapterNumber)),
        _ => writer.leaf("section", number(NumberVar::Section)),
    }
    writer.element("keywords", |writer| {
        for word in keywords::split(text(TextVar::Keyword)) {
            writer.leaf("keyword", word);
        }
    });
    dates(item, writer);
    if !is_serial_taken {
        let serials = [text(TextVar::Isbn), text(TextVar::Issn)];
        let serials: Vec<&str> = serials
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect();
        writer.leaf("isbn", &serials.join(", "));
    }
    writer.leaf("electronic-resource-num", text(TextVar::Doi));
    writer.leaf("accession-num", text(TextVar::Pmid));
    writer.leaf("custom2", text(TextVar::Pmcid));
    writer.leaf("label", text(TextVar::CitationKey));
    for (name, variable) in TEXTS.iter().filter(|(name, _)| *name != "research-notes") {
        let value = match variable {
            // By it a PMID is told from other accession numbers.
            TextVar::Archive if !text(TextVar::Pmid).is_empty() => "PubMed",
            _ => text(*variable),
        };
        writer.leaf(name, &plain(value));
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

/// Whether the secondary title is that of a series.
fn has_series(kind: ItemType) -> bool {
    use ItemType::*;
    matches!(
        kind,
        Book | Report | Software | Map | Pamphlet | Classic | Thesis | Collection
    )
}

fn titles(item: &Item, writer: &mut Writer) {
    let text = |variable| item.text(variable).unwrap_or_default();
    let (secondary, tertiary) = match has_series(item.kind) {
        true => (TextVar::CollectionTitle, None),
        false => (TextVar::ContainerTitle, Some(TextVar::CollectionTitle)),
    };
    writer.element("titles", |writer| {
        // A title with its original: EndNote has the original in front.
        match item.text(TextVar::OriginalTitle) {
            Some(original) => {
                styled("title", original, writer);
                styled("translated-title", text(TextVar::Title), writer);
            }
            None => styled("title", text(TextVar::Title), writer),
        }
        styled("secondary-title", text(secondary), writer);
        if let Some(tertiary) = tertiary {
            styled("tertiary-title", text(tertiary), writer);
        }
        styled("short-title", text(TextVar::TitleShort), writer);
    });
}

fn names(item: &Item, whole: bool, writer: &mut Writer) {
    let authors = item.names(NameVar::Author);
    let editors = item.names(NameVar::Editor);
    let series = item.names(NameVar::CollectionEditor);
    let groups = [
        ("authors", authors),
        ("secondary-authors", if whole { series } else { editors }),
        ("tertiary-authors", if whole { editors } else { series }),
        ("subsidiary-authors", item.names(NameVar::Translator)),
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

/// `Family, Given, Suffix`; the comma behind a body keeps it whole.
fn inverted(name: &Name) -> String {
    if let Some(literal) = &name.literal {
        return match literal.contains(',') {
            true => literal.clone(),
            false => format!("{literal},"),
        };
    }
    let family = [&name.non_dropping_particle, &name.family];
    let family: Vec<&str> = family.into_iter().flatten().map(String::as_str).collect();
    let given = [&name.given, &name.dropping_particle];
    let given: Vec<&str> = given.into_iter().flatten().map(String::as_str).collect();
    let (family, given) = (family.join(" "), given.join(" "));
    match &name.suffix {
        Some(suffix) => format!("{family}, {given}, {suffix}"),
        None if given.is_empty() => family,
        None => format!("{family}, {given}"),
    }
}

fn dates(item: &Item, writer: &mut Writer) {
    let Some(date) = item.date(DateVar::Issued) else {
        return;
    };
    writer.element("dates", |writer| match date.start {
        Some(start) => {
            writer.leaf("year", &start.year.to_string());
            if start.precision() > 1 || date.end.is_some() || date.circa {
                writer.element("pub-dates", |writer| writer.leaf("date", &date.edtf()));
            }
        }
        None => writer.leaf("year", date.literal.as_deref().unwrap_or_default()),
    });
}

/// A text whose markup becomes EndNote's styles.
fn styled(name: &'static str, text: &str, writer: &mut Writer) {
    writer.leaf(name, &plain(text));
}
