//! Citation templates of the English Wikipedia: `{{cite journal |last1=Doe |first1=Jane |title=…}}`, one
//! per line, according to the documentation of Citation Style 1.

use crate::format::{Format, KeyRule};
use crate::syntax::tagged::{one_line, write_records};
use citation_fields::names::joined;
use citation_fields::rich_text::tag_at;
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateEnd, DateParts};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::lists::words;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

pub static WIKIPEDIA: Format = Format {
    id: "wikipedia",
    title: "Wikipedia citation templates",
    media_types: &["text/x-wiki"],
    extensions: &["wiki", "wikitext"],
    recognise: |_, _| false,
    read: None,
    write: Some(|items, _, budget| write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[],
};

fn write(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    write_records(items, template, budget)
}

/// The template of a type, and its parameter for the container.
fn template_of(item: &Item) -> (&'static str, &'static str) {
    use ItemType::*;
    match item.kind {
        Article | Review | BookReview => ("cite journal", "journal"),
        Preprint if item.text(TextVar::ArxivId).is_some() => ("cite arXiv", ""),
        MagazineArticle => ("cite magazine", "magazine"),
        NewspaperArticle => ("cite news", "newspaper"),
        Book | Classic | Collection | Pamphlet | Manuscript => ("cite book", ""),
        Chapter => ("cite book", "title"),
        DictionaryEntry | EncyclopediaEntry | Entry => ("cite encyclopedia", "encyclopedia"),
        ConferencePaper => ("cite conference", "book-title"),
        Thesis => ("cite thesis", ""),
        Report | Standard => ("cite report", ""),
        Webpage | BlogPost | Post | Software | Dataset => ("cite web", "website"),
        Speech | Event => ("cite speech", ""),
        Interview => ("cite interview", "work"),
        Map => ("cite map", ""),
        MotionPicture | Broadcast => ("cite AV media", ""),
        _ => ("citation", "work"),
    }
}

/// A template being written.
struct Template<'o> {
    name: &'static str,
    out: &'o mut String,
}

impl Template<'_> {
    fn set(&mut self, parameter: &str, value: &str) {
        if !value.trim().is_empty() && !parameter.is_empty() {
            let value = escaped(&one_line(value));
            self.out.extend([" |", parameter, "=", &value]);
        }
    }
}

fn template(item: &Item, out: &mut String) {
    let (name, within) = template_of(item);
    out.extend(["{{", name]);
    let mut template = Template { name, out };
    names(item, &mut template);
    titles(item, within, &mut template);
    numbers(item, &mut template);
    publication(item, &mut template);
    identifiers(item, &mut template);
    template.out.push_str("}}");
}

fn names(item: &Item, template: &mut Template<'_>) {
    for (role, variable) in [
        ("", NameVar::Author),
        ("editor-", NameVar::Editor),
        ("translator-", NameVar::Translator),
    ] {
        for (name, n) in item.names(variable).iter().zip(1..) {
            match &name.literal {
                Some(literal) => template.set(&format!("{role}last{n}"), literal),
                None => {
                    let given = [&name.given, &name.dropping_particle, &name.suffix];
                    template.set(&format!("{role}last{n}"), &name.heading());
                    template.set(&format!("{role}first{n}"), &joined(&given));
                }
            }
        }
    }
}

fn titles(item: &Item, within: &str, template: &mut Template<'_>) {
    let text = |variable| item.text(variable).unwrap_or_default();
    let is_chapter = within == "title" && !text(TextVar::ContainerTitle).is_empty();
    let title = if is_chapter { "chapter" } else { "title" };
    template.set(title, text(TextVar::Title));
    template.set(within, text(TextVar::ContainerTitle));
    template.set("conference", text(TextVar::EventTitle));
    template.set("series", text(TextVar::CollectionTitle));
}

fn numbers(item: &Item, template: &mut Template<'_>) {
    if let Some(date) = item.date(DateVar::Issued) {
        template.set("date", &written(date));
    }
    for (parameter, variable) in [
        ("edition", NumberVar::Edition),
        ("volume", NumberVar::Volume),
        ("issue", NumberVar::Issue),
        ("number", NumberVar::Number),
    ] {
        template.set(parameter, item.number(variable).unwrap_or_default());
    }
    let all = item.number(NumberVar::Page).unwrap_or_default();
    let is_one = !all.contains(['-', '–', ',']);
    let parameter = if is_one { "page" } else { "pages" };
    template.set(parameter, &all.replace('-', "–"));
}

fn publication(item: &Item, template: &mut Template<'_>) {
    let text = |variable| item.text(variable).unwrap_or_default();
    let publisher = match template.name {
        "cite journal" | "cite magazine" | "cite news" => "",
        _ => text(TextVar::Publisher),
    };
    template.set("publisher", publisher);
    if !publisher.is_empty() {
        template.set("location", text(TextVar::PublisherPlace));
    }
    if matches!(template.name, "cite thesis" | "cite report") {
        template.set("type", text(TextVar::Genre));
    }
}

fn identifiers(item: &Item, template: &mut Template<'_>) {
    let text = |variable| item.text(variable).unwrap_or_default();
    // A template accepts one number of each kind.
    let first = |variable| text(variable).split([',', ' ']).next().unwrap_or_default();
    template.set("isbn", first(TextVar::Isbn));
    template.set("issn", first(TextVar::Issn));
    template.set("doi", text(TextVar::Doi));
    template.set("pmid", text(TextVar::Pmid));
    template.set("pmc", text(TextVar::Pmcid).trim_start_matches("PMC"));
    let is_arxiv = template.name == "cite arXiv";
    template.set(
        if is_arxiv { "eprint" } else { "arxiv" },
        text(TextVar::ArxivId),
    );
    template.set("language", text(TextVar::Language));
    let url = text(TextVar::Url);
    if !is_arxiv {
        template.set("url", &url.replace(' ', "%20"));
    }
    if let Some(date) = item.date(DateVar::Accessed).filter(|_| !url.is_empty()) {
        template.set("access-date", &written(date));
    }
}

/// Full dates as `2001-02-03`; months in words, because the templates reject `2001-02`.
fn written(date: &Date) -> String {
    const MONTHS: [&str; 12] = words(
        "January February March April May June July August September October November December",
    );
    let part = |parts: DateParts| {
        let at = parts
            .month
            .and_then(|month| usize::from(month).checked_sub(1));
        match (at.and_then(|at| MONTHS.get(at)), parts.day) {
            (Some(_), Some(_)) => parts.iso(),
            (Some(month), None) => format!("{month} {}", parts.year),
            (None, _) => parts.year.to_string(),
        }
    };
    match (date.start, date.end) {
        (Some(start), Some(DateEnd::At(end))) => format!("{} – {}", part(start), part(end)),
        (Some(start), _) => part(start),
        (None, _) => date.edtf(),
    }
}

/// Escapes a value for a template: quotation marks for emphasis, character references for brackets and
/// bars.
fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(c) = rest.chars().next() {
        if let Some(tag) = tag_at(rest) {
            out.push_str(match tag {
                "<i>" | "</i>" => "''",
                "<b>" | "</b>" => "'''",
                "<sup>" | "</sup>" | "<sub>" | "</sub>" => tag,
                _ => "",
            });
            rest = rest.get(tag.len()..).unwrap_or_default();
            continue;
        }
        match c {
            '|' => out.push_str("{{!}}"),
            '[' => out.push_str("&#91;"),
            ']' => out.push_str("&#93;"),
            '{' => out.push_str("&#123;"),
            '}' => out.push_str("&#125;"),
            '<' => out.push_str("&lt;"),
            c => out.push(c),
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::items;

    #[track_caller]
    fn check(item: &str, expected: &str) {
        let written = write(&items(&format!("[{item}]")), &Budget::unlimited()).unwrap();
        assert_eq!(written, format!("{expected}\n"));
    }

    #[test]
    fn article_is_cite_journal() {
        check(
            r#"{"type": "article-journal", "title": "On <i>x</i> | y [z]", "author": [{"family": "Gogh", "given": "V.", "non-dropping-particle": "van"}, {"literal": "WHO"}],
                "container-title": "J", "volume": "1", "issue": "2", "page": "3-9", "issued": {"date-parts": [[2001, 2]]}, "DOI": "10.5555/x", "ISSN": "1234-5679, 2049-3630", "PMCID": "PMC12"}"#,
            "{{cite journal |last1=van Gogh |first1=V. |last2=WHO |title=On ''x'' {{!}} y &#91;z&#93; |journal=J |date=February 2001 |volume=1 |issue=2 |pages=3–9 |issn=1234-5679 |doi=10.5555/x |pmc=12}}",
        );
    }

    #[test]
    fn chapter_stands_in_its_book() {
        check(
            r#"{"type": "chapter", "title": "C", "container-title": "B", "editor": [{"family": "Roe", "given": "R."}], "publisher": "P", "publisher-place": "X", "page": "7", "issued": {"date-parts": [[1999], [2001]]}}"#,
            "{{cite book |editor-last1=Roe |editor-first1=R. |chapter=C |title=B |date=1999 – 2001 |page=7 |publisher=P |location=X}}",
        );
    }

    #[test]
    fn page_of_the_web_says_when_it_was_seen() {
        check(
            r#"{"type": "webpage", "title": "T", "URL": "https://x.org/a", "accessed": {"date-parts": [[2020, 1, 2]]}}"#,
            "{{cite web |title=T |url=https://x.org/a |access-date=2020-01-02}}",
        );
    }
}
