//! Repairs known faults of exporting programs in an item, with a notice. Values that may be intended are
//! only reported.

use std::borrow::Cow;

use crate::formats::zotero::extra;
use citation_fields::clean::{self, composed, cut};
use citation_fields::identifiers;
use citation_fields::keywords;
use citation_fields::languages;
use citation_fields::latex::{LatexMarkup, leftover};
use citation_fields::names;
use citation_fields::names::suffixes::split_suffix;
use citation_fields::notice::{Notice, Notices};
use citation_fields::pages;
use citation_fields::set;
use citation_model::date::Date;
use citation_model::identifier::{ArxivId, Doi};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::lists::phrases;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Repairs an item whose record is at a byte offset of the text.
pub(crate) fn mend(item: &mut Item, offset: usize, notices: &mut Notices) {
    let mut notice = |code, message: String| {
        notices.push(Notice::new(code, message, offset));
    };
    for said in missing_values(item) {
        notice(
            "missing_value",
            format!("“{said}” stands for a missing value; it was left out."),
        );
    }
    counts_of_none(item);
    pages_for_their_number(item);
    number_for_pages(item);
    keywords_as_texts(item);
    address_for_doi(item);
    subtitle(item);
    members_in_other_names(item);
    tidy_texts(item);
    clean_titles(item);
    title_of_container(item);
    title_edges(item);
    for said in mend_names(item) {
        notice("mended_name", said);
    }
    if let Some(said) = editors_among_authors(item) {
        notice("mended_name", said);
    }
    // Google Scholar's journal of a preprint.
    if item.text(TextVar::ArxivId).is_none()
        && let Some(id) = arxiv_id(item)
    {
        notice(
            "arxiv_id",
            format!("The arXiv id {id} was taken from the journal."),
        );
        item.set_text(TextVar::ArxivId, id);
    }
    if has_redundant_genre(item) {
        item.text.remove(TextVar::Genre);
    }
    extra::read_note(item);
    if let Some(said) = accessed_in_note(item) {
        notice(
            "accessed_in_note",
            format!("“{said}” was taken for the date of access."),
        );
    }
    if let Some(said) = missing_date(item) {
        notice(
            "missing_value",
            format!("“{said}” stands for a missing date; it was left out."),
        );
    }
    let impossible = { item.date.iter() }.find_map(|(_, date)| date.impossible_day());
    if let Some(day) = impossible {
        notice("invalid_date", no_such_day(&day.iso()));
    }
    if let Some(said) = issue_in_volume(item) {
        notice(
            "mended_volume",
            format!("“{said}” was taken for a volume and an issue."),
        );
    }
    // The record of proceedings repeats its title for the papers that inherit it.
    // ADS repeats the title of a book in a description: `Title, by Doe, J.~ISBN … Published by …`.
    if item.kind == ItemType::Book
        && let Some(container) = item.text(TextVar::ContainerTitle)
        && let Some(title) = item.text(TextVar::Title)
        && repeats(container, title)
    {
        item.text.remove(TextVar::ContainerTitle);
        item.text.remove(TextVar::ContainerTitleShort);
    }
    if item.text(TextVar::Doi).is_none()
        && let Some(url) = item
            .text(TextVar::Url)
            .filter(|url| url.contains("doi.org/"))
        && let Ok(doi) = Doi::parse(url)
    {
        notice(
            "doi_in_address",
            format!("The address is that of the DOI {doi}, which was taken."),
        );
        item.set_text(TextVar::Doi, doi.as_str());
    }
    if let Some(page) = item.number(NumberVar::Page)
        && let Some(bare) = pages::without_page_label(page)
    {
        let bare = bare.to_owned();
        item.set_number(NumberVar::Page, bare);
    }
    if let Some(page) = item.number(NumberVar::Page) {
        let normal = pages::normal(page);
        if normal != page {
            item.set_number(NumberVar::Page, normal);
        }
    }
    if let Some(page) = item.number(NumberVar::Page)
        && let Some(once) = pages::once(page)
    {
        notice(
            "doubled_pages",
            format!("The pages “{page}” are given twice; “{once}” was taken."),
        );
        let once = once.to_owned();
        item.set_number(NumberVar::Page, once);
    }
    report_capitals(item, offset, notices);
}

/// Reports a title in capitals.
pub(crate) fn report_capitals(item: &Item, offset: usize, notices: &mut Notices) {
    if let Some(title) = item.text(TextVar::Title)
        && is_in_capitals(title)
    {
        let title = cut(title, MAX_SHOWN_LENGTH);
        let message = format!(
            "The title is in capitals, which no style undoes: “{title}”. Write it as a sentence."
        );
        notices.push(Notice::new("title_in_capitals", message, offset));
    }
}

/// Maximum bytes of a value in a message.
const MAX_SHOWN_LENGTH: usize = 100;

/// Removes what programs write for nothing: `nan` (pandas and R), `N.PAG` (EBSCO's “no page”), and in numbers
/// and identifiers also words such as `null`.
fn missing_values(item: &mut Item) -> Vec<String> {
    use TextVar::*;
    let is_nan = |text: &str| matches!(text, "nan" | "NaN" | "NAN" | "#N/A");
    let is_word = identifiers::stands_for_none;
    let is_no_page = |text: &str| {
        text.eq_ignore_ascii_case("no page")
            || text.split('-').all(|end| is_word(end) || end.is_empty())
    };
    let mut found = Vec::new();
    let is_id = |variable| matches!(variable, Doi | Url | Isbn | Issn | Pmid | Pmcid | ArxivId);
    let missing = |(variable, text): (TextVar, &String)| {
        (is_nan(text) || is_id(variable) && is_word(text)).then_some(variable)
    };
    let texts: Vec<TextVar> = item.text.iter().filter_map(missing).collect();
    for variable in texts {
        found.extend(item.text.remove(variable));
    }
    let missing = |(variable, text): (NumberVar, &String)| {
        let is_missing =
            is_nan(text) || is_word(text) || variable == NumberVar::Page && is_no_page(text);
        is_missing.then_some(variable)
    };
    let numbers: Vec<NumberVar> = item.number.iter().filter_map(missing).collect();
    for variable in numbers {
        found.extend(item.number.remove(variable));
    }
    found
}

/// A date of access in a note of its own: `Accessed: 2020-03-04`, `[Online; accessed 4-March-2020]`.
fn accessed_in_note(item: &mut Item) -> Option<String> {
    const WORDS: [&str; 5] = [
        "accessed",
        "retrieved",
        "visited",
        "viewed",
        "last accessed",
    ];
    let note = item
        .text(TextVar::Note)
        .filter(|note| note.len() < 80)?
        .to_owned();
    let bare = note
        .trim_matches(['[', ']', '(', ')', '.', ' '])
        .to_lowercase();
    let bare = ["online;", "online,", "online"]
        .iter()
        .find_map(|word| bare.strip_prefix(word))
        .unwrap_or(&bare);
    let bare = bare.trim_start().trim_start_matches("last ");
    let behind = WORDS.iter().find_map(|word| bare.strip_prefix(word))?;
    let behind = behind
        .trim_start_matches([':', ' '])
        .trim_start_matches("on ");
    let date = Date::parse(&behind.replace(',', " ")).or_else(|| Date::parse(behind));
    let date = date.filter(|date| date.start.is_some() && date.end.is_none())?;
    if item
        .date(DateVar::Accessed)
        .is_none_or(|known| *known == date)
    {
        item.set_date(DateVar::Accessed, date);
        item.text.remove(TextVar::Note);
        return Some(note);
    }
    None
}

/// Composes letters and their accents, joins runs of blanks, and removes the brackets of dates in words: forms
/// that readers of other formats would not keep.
fn tidy_texts(item: &mut Item) {
    for (variable, text) in tidied(item.text.iter()) {
        item.set_text(variable, text);
    }
    for (variable, text) in tidied(item.number.iter()) {
        item.set_number(variable, text);
    }
    for (_, names) in item.names.iter_mut() {
        for name in names {
            let parts = [&mut name.family, &mut name.given, &mut name.literal];
            for part in parts.into_iter().flatten() {
                if let Some(text) = tidy(part) {
                    *part = text;
                }
            }
        }
    }
    if let Some(name) = item.text(TextVar::Language)
        && languages::tag_of(name) != name
    {
        let tag = languages::tag_of(name);
        item.set_text(TextVar::Language, tag);
    }
    for value in item.custom.values_mut() {
        if let serde_json::Value::String(text) = value
            && let Some(tidied) = tidy(text)
        {
            *text = tidied;
        }
    }
    for (_, date) in item.date.iter_mut() {
        let inside = |text: &str| Some(text.strip_prefix('[')?.strip_suffix(']')?.to_owned());
        if let Some(text) = date.literal.as_deref().and_then(inside) {
            date.literal = Some(text);
        }
    }
}

/// The texts that change.
fn tidied<'i, V>(texts: impl Iterator<Item = (V, &'i String)>) -> Vec<(V, String)> {
    texts
        .filter_map(|(variable, text)| Some((variable, tidy(text)?)))
        .collect()
}

/// A text in composed letters, with one blank where it has several; `None` if nothing changes.
fn tidy(text: &str) -> Option<String> {
    // A tie alone keeps words together.
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\u{a0}');
    // By bytes first, since most texts have one blank everywhere: a tie ends in 0xA0 and begins with 0xC2.
    let mut pairs = text.as_bytes().windows(2);
    let has_several =
        pairs.any(|pair| matches!(pair, [b' ' | b'\t' | 0xa0, b' ' | b'\t' | b'\n' | 0xc2])) && {
            let mut pairs = text.chars().zip(text.chars().skip(1));
            pairs.any(|(one, two)| is_blank(one) && (is_blank(two) || two == '\n'))
        };
    let composed = composed(text);
    if !has_several && !text.contains('\t') && matches!(composed, Cow::Borrowed(_)) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    for c in composed.chars() {
        match c {
            c if is_blank(c) && out.ends_with('\n') => {}
            c if is_blank(c) && out.ends_with(is_blank) => {
                out.pop();
                out.push(' ');
            }
            '\t' => out.push(' '),
            '\n' => {
                out.truncate(out.trim_end_matches(is_blank).len());
                out.push('\n');
            }
            c => out.push(c),
        }
    }
    Some(out)
}

/// The titles of a work, its parts and its containers.
const TITLES: [TextVar; 9] = [
    TextVar::Title,
    TextVar::TitleShort,
    TextVar::OriginalTitle,
    TextVar::ContainerTitle,
    TextVar::ContainerTitleShort,
    TextVar::CollectionTitle,
    TextVar::EventTitle,
    TextVar::PartTitle,
    TextVar::VolumeTitle,
];

/// Replaces the markup of registries in titles by that of items: `<scp>DNA</scp>`, `H<SUB>2</SUB>O`, `&amp;`.
fn clean_titles(item: &mut Item) {
    for variable in TITLES.into_iter().chain([TextVar::Publisher]) {
        if let Some(text) = item.text(variable)
            && clean::has_foreign_markup(text)
        {
            let text = clean::rich(text);
            item.set_text(variable, text);
        }
    }
}

/// Reads the TeX that a program left in texts and names. In BibTeX, too: what still is TeX when it was read once was escaped
/// by the program that wrote the file (`$\backslash$alpha`, `\{DNA\}`, `\textbackslash\&`), unless it has dollar signs, which are
/// text then.
pub(crate) fn read_leftover_tex(item: &mut Item, is_tex: bool) {
    use TextVar::*;
    const OTHERS: [TextVar; 7] = [
        Publisher,
        PublisherPlace,
        Abstract,
        Keyword,
        EventPlace,
        Genre,
        Archive,
    ];
    for variable in [Doi, Url] {
        if let Some(text) = item.text(variable)
            && let Cow::Owned(read) = leftover::without_escapes(text)
        {
            item.set_text(variable, read);
        }
    }
    for (variables, markup) in [
        (&TITLES[..], LatexMarkup::Title),
        (&OTHERS[..], LatexMarkup::Rich),
    ] {
        for &variable in variables {
            let Some(text) = item.text(variable) else {
                continue;
            };
            let read = if is_tex && text.contains('$') {
                leftover::without_apostrophes(text)
            } else {
                leftover::read(text, markup)
            };
            if let Cow::Owned(read) = read {
                item.set_text(variable, read);
            }
        }
    }
    for (_, names) in item.names.iter_mut() {
        for name in names {
            let parts = [
                &mut name.family,
                &mut name.given,
                &mut name.literal,
                &mut name.non_dropping_particle,
            ];
            for part in parts.into_iter().flatten() {
                if let Cow::Owned(read) = leftover::read(part, LatexMarkup::None) {
                    *part = read;
                }
            }
        }
    }
    // Reading leaves blanks where ties and marks were.
    tidy_texts(item);
}

/// The message about a date that the calendar does not have.
pub(crate) fn no_such_day(date: &str) -> String {
    format!("The calendar has no {date}; it was kept as it is.")
}

/// Removes a date in words that say that there is none: styles have a term for it.
fn missing_date(item: &mut Item) -> Option<String> {
    const WORDS: [&str; 12] = [
        "nd", "na", "nodate", "undated", "sd", "sa", "oj", "unknown", "none", "null", "????", "?",
    ];
    let is_missing = |date: &Date| {
        if date.start.is_some_and(|start| start.year == 0) {
            return true;
        }
        let literal = date.literal.as_deref().filter(|_| date.start.is_none());
        literal.is_some_and(|text| {
            let is_sign = |c: &char| c.is_alphanumeric() || *c == '?';
            let text: String = text.to_lowercase().chars().filter(is_sign).collect();
            WORDS.contains(&text.as_str())
        })
    };
    let missing = |(variable, date): (DateVar, &Date)| is_missing(date).then_some(variable);
    let variable = item.date.iter().find_map(missing)?;
    let date = item.date.remove(variable)?;
    Some(date.literal.clone().unwrap_or_else(|| date.edtf()))
}

/// `12(3)` as a volume without an issue.
fn issue_in_volume(item: &mut Item) -> Option<String> {
    if item.number(NumberVar::Issue).is_some() || !item.kind.is_in_periodical() {
        return None;
    }
    let said = item.number(NumberVar::Volume)?.to_owned();
    let (volume, issue) = said.strip_suffix(')')?.split_once('(')?;
    let (volume, issue) = (volume.trim(), issue.trim());
    let is_number = |text: &str| {
        (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_issue = is_number(issue) || issue.split(['-', '/']).all(is_number);
    if !is_number(volume) || !is_issue {
        return None;
    }
    item.set_number(NumberVar::Volume, volume);
    item.set_number(NumberVar::Issue, issue);
    Some(said)
}

/// Whether the genre says again what the type says, as Scopus and Web of Science always write it:
/// `@ARTICLE{…, type={Article}}`.
fn has_redundant_genre(item: &Item) -> bool {
    const WORDS: [&str; 13] = phrases(
        "article|article in press|book|book chapter|conference paper|conference review|\
         data paper|editorial|erratum|letter|note|review|short survey",
    );
    let Some(genre) = item.text(TextVar::Genre) else {
        return false;
    };
    let is_word = WORDS.contains(&genre.to_lowercase().as_str());
    let says = |text: Option<&str>| text.is_some_and(|text| text.to_lowercase().contains("scopus"));
    let source = item.custom.get("source").and_then(|value| value.as_str());
    let is_scopus =
        says(item.text(TextVar::Source)) || says(source) || says(item.text(TextVar::Url));
    let is_same = ItemType::parse(genre) == Some(item.kind);
    is_word && (is_scopus || is_same)
}

/// Repairs lists of names and returns what was changed.
fn mend_names(item: &mut Item) -> Vec<String> {
    let mut said = Vec::new();
    let mut cut_short = Vec::new();
    for (variable, list) in item.names.iter_mut() {
        let before = list.len();
        list.retain(|name| !is_others(name));
        if list.len() < before {
            cut_short.push(variable);
        }
        let are_turned = are_turned(list);
        for name in list {
            if let Some(mended) = without_homonym_number(name) {
                *name = mended;
            }
            without_null(name);
            without_life_dates(name);
            suffix_of_family(name);
            if let Some(mended) = family_and_initials(name, are_turned) {
                said.push(format!(
                    "“{}” was taken for a family name and initials.",
                    name.heading()
                ));
                *name = mended;
            }
        }
    }
    for variable in cut_short {
        item.set_others(variable);
    }
    said
}

/// A suffix behind the family name is the suffix: `Doe Jr.`
fn suffix_of_family(name: &mut Name) {
    let Some(family) = name.family.as_deref().filter(|_| name.suffix.is_none()) else {
        return;
    };
    if let (before, Some(suffix)) = split_suffix(family)
        && name.given.is_some()
    {
        let (before, suffix) = (before.to_owned(), suffix.to_owned());
        name.family = Some(before);
        name.suffix = Some(suffix);
    }
}

/// Removes the role behind the names of editors (`Doe, J. (Ed.)`). Authors of a book with such a role are its
/// editors.
fn editors_among_authors(item: &mut Item) -> Option<String> {
    let mut is_any = false;
    for (_, names) in item.names.iter_mut() {
        for name in names {
            let parts = [&mut name.given, &mut name.family, &mut name.suffix];
            for part in parts.into_iter().flatten() {
                if let Some(bare) = without_editor_mark(part) {
                    *part = bare.to_owned();
                    is_any = true;
                }
            }
        }
    }
    let is_moved = is_any
        && item.kind.is_whole_book()
        && item.names(NameVar::Editor).is_empty()
        && !item.names(NameVar::Author).is_empty();
    if is_moved {
        let editors = item.names.remove(NameVar::Author).unwrap_or_default();
        item.set_names(NameVar::Editor, editors);
    }
    is_any.then(|| "“(Ed.)” is a role and no part of a name.".to_owned())
}

fn without_editor_mark(text: &str) -> Option<&str> {
    const MARKS: [&str; 8] = [
        "ed", "eds", "editor", "editors", "hrsg", "hg", "dir", "coord",
    ];
    let (bare, mark) = text.strip_suffix(')')?.rsplit_once('(')?;
    let mark = mark.trim_end_matches('.').to_lowercase();
    let bare = bare.trim_end();
    (MARKS.contains(&mark.as_str()) && !bare.is_empty()).then_some(bare)
}

/// `1706.03762` of a container or publisher `arXiv preprint arXiv:1706.03762`.
fn arxiv_id(item: &Item) -> Option<String> {
    let texts = [TextVar::ContainerTitle, TextVar::Publisher].map(|variable| item.text(variable));
    texts.iter().flatten().find_map(|text| {
        let (_, id) = text.split_once("arXiv:")?;
        let id = id.split([' ', ',', '[', ';']).next()?;
        ArxivId::parse(id).ok().map(|id| id.to_string())
    })
}

/// DBLP tells people of the same name apart by a number: `Jane Doe 0001`.
fn without_homonym_number(name: &Name) -> Option<Name> {
    let number = name.family.as_deref()?;
    let is_number = number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    let given = name.given.as_deref().filter(|_| is_number)?;
    Some(Name {
        orcid: name.orcid.clone(),
        ..Name::parse(given)
    })
}

/// Removes the word that a program writes for a part of a name that it does not know: `null Doe`.
fn without_null(name: &mut Name) {
    for part in [
        &mut name.given,
        &mut name.dropping_particle,
        &mut name.non_dropping_particle,
        &mut name.suffix,
    ] {
        if part
            .as_deref()
            .is_some_and(|part| matches!(part, "null" | "NULL" | "None" | "NaN"))
        {
            *part = None;
        }
    }
}

/// Removes the dates of life that catalogues put behind a given name: `Walter (1933-....)`.
fn without_life_dates(name: &mut Name) {
    let Some(given) = &name.given else {
        return;
    };
    let Some((bare, dates)) = given
        .strip_suffix(')')
        .and_then(|given| given.rsplit_once('('))
    else {
        return;
    };
    let are_dates = dates.contains(['-', '–'])
        && dates.chars().filter(char::is_ascii_digit).count() >= 4
        && { dates.chars() }
            .all(|c| c.is_ascii_digit() || matches!(c, '-' | '–' | '.' | '?' | ' '));
    if are_dates && !bare.trim().is_empty() {
        name.given = Some(bare.trim().to_owned());
    }
}

/// Removes a count of none, as Rayyan and the American Physical Society write it: `chapter={0}`, `numpages={0}`.
fn counts_of_none(item: &mut Item) {
    for variable in [
        NumberVar::ChapterNumber,
        NumberVar::NumberOfPages,
        NumberVar::NumberOfVolumes,
    ] {
        if item.number(variable) == Some("0") {
            item.number.remove(variable);
        }
    }
}

/// A member `subtitle`, which many files have in formats without one, continues the title.
fn subtitle(item: &mut Item) {
    if let Some(serde_json::Value::String(subtitle)) = item.custom.get("subtitle")
        && let Some(title) = item.text(TextVar::Title)
    {
        let whole = set::with_subtitle(title.to_owned(), Some(subtitle));
        item.set_text(TextVar::Title, whole);
        item.custom.remove("subtitle");
    }
}

/// Members in the names of other vocabularies, which people write by hand: `url` and `doi` in small letters, `date`.
fn members_in_other_names(item: &mut Item) {
    use TextVar::*;
    const TEXTS: [(&str, TextVar); 6] = [
        ("url", Url),
        ("doi", Doi),
        ("isbn", Isbn),
        ("issn", Issn),
        ("pmid", Pmid),
        ("pmcid", Pmcid),
    ];
    let said = |item: &Item, name: &str| Some(item.custom.get(name)?.as_str()?.trim().to_owned());
    for (name, variable) in TEXTS {
        let text = said(item, name).filter(|_| item.text(variable).is_none());
        let canonical = text.and_then(|text| match identifiers::canonical(variable, &text) {
            Some(canonical) => canonical.ok(),
            None => text.contains("://").then_some(text),
        });
        if let Some(text) = canonical {
            item.set_text(variable, text);
            item.custom.remove(name);
        }
    }
    let date = said(item, "date").filter(|_| item.date(DateVar::Issued).is_none());
    let date = date.and_then(|text| Date::parse(&text));
    if let Some(date) = date.filter(|date| date.start.is_some()) {
        item.set_date(DateVar::Issued, date);
        item.custom.remove("date");
    }
}

/// Pages in the place of their number: `pp. 53-58`.
fn pages_for_their_number(item: &mut Item) {
    if item.number(NumberVar::Page).is_none()
        && let Some(text) = item.number(NumberVar::NumberOfPages)
        && let Some(bare) = pages::without_page_label(text)
        && bare.contains('-')
    {
        let bare = bare.to_owned();
        item.number.remove(NumberVar::NumberOfPages);
        item.set_number(NumberVar::Page, bare);
    }
}

/// A range from a page to itself is the page. Outside of periodicals, `300 p.` is a number of pages.
fn number_for_pages(item: &mut Item) {
    let Some(page) = item.number(NumberVar::Page) else {
        return;
    };
    let ends = page.split_once('-').filter(|(first, last)| first == last);
    if let Some((first, _)) = ends.filter(|(first, _)| !first.is_empty()) {
        let first = first.to_owned();
        return item.set_number(NumberVar::Page, first);
    }
    let is_count = |_: &&str| !page.contains(['-', ',', ';']);
    let is_free = !item.kind.is_in_periodical() && item.number(NumberVar::NumberOfPages).is_none();
    let count = pages::count_before_unit(page).filter(is_count);
    if let Some(count) = count.filter(|_| is_free).map(str::to_owned) {
        item.number.remove(NumberVar::Page);
        item.set_number(NumberVar::NumberOfPages, count);
    }
}

/// Without the full title, the short title of a container is its title.
fn title_of_container(item: &mut Item) {
    if item.text(TextVar::ContainerTitle).is_none()
        && let Some(short) = item.text.remove(TextVar::ContainerTitleShort)
    {
        item.set_text(TextVar::ContainerTitle, short);
    }
}

/// Keywords have no markup, and one blank between them.
fn keywords_as_texts(item: &mut Item) {
    let Some(text) = item.text(TextVar::Keyword) else {
        return;
    };
    let words: Vec<String> = keywords::split(text).map(keywords::clean).collect();
    let words = keywords::join(words.iter().map(String::as_str));
    if words != text {
        item.set_text(TextVar::Keyword, words);
    }
}

/// An address that is no DOI is the address of the work, whatever field has it.
fn address_for_doi(item: &mut Item) {
    let doi = item
        .text(TextVar::Doi)
        .filter(|doi| doi.starts_with("http"));
    let Some(address) = doi
        .filter(|doi| Doi::parse(doi).is_err())
        .map(str::to_owned)
    else {
        return;
    };
    if item.text(TextVar::Url).is_none_or(|url| url == address) {
        item.text.remove(TextVar::Doi);
        item.set_text(TextVar::Url, address);
    }
}

/// Removes the comma or semicolon that separated a title from what followed it.
fn title_edges(item: &mut Item) {
    for variable in [
        TextVar::Title,
        TextVar::ContainerTitle,
        TextVar::CollectionTitle,
        TextVar::Publisher,
    ] {
        if let Some(text) = item.text(variable)
            && text.ends_with([',', ';'])
        {
            let bare = text.trim_end_matches([',', ';', ' ']).to_owned();
            // The end of a character reference.
            let is_reference = text.ends_with(';')
                && bare
                    .rsplit('&')
                    .next()
                    .is_some_and(|name| name.len() < bare.len() && name.len() < 9);
            if !is_reference && !bare.is_empty() {
                item.set_text(variable, bare);
            }
        }
    }
}

/// Whether a container begins with the whole title of the work in it.
fn repeats(container: &str, title: &str) -> bool {
    let letters = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let title = letters(title);
    let rest = letters(container);
    !title.is_empty()
        && rest
            .strip_prefix(&*title)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("by"))
}

fn is_others(name: &Name) -> bool {
    // Full stops at the end are cut off.
    const OTHERS: &[&str] = &["others", "et al", "and others", "…", ""];
    let is = |text: Option<&str>, words: &[&str]| {
        let text = text.map(|text| text.trim_end_matches('.').to_ascii_lowercase());
        text.is_some_and(|text| words.contains(&text.as_str()))
    };
    match (&name.family, &name.given) {
        (Some(family), None) => is(Some(family), OTHERS),
        (Some(family), Some(given)) => {
            is(Some(family), &["others", "al"]) && is(Some(given), &["and", "et"])
        }
        _ => is(name.literal.as_deref(), OTHERS),
    }
}

/// `Francis HC`, PubMed's form: a family name followed by initials. Readers that expect commas take the
/// whole, or the initials, as the family name. A literal is not split.
fn family_and_initials(name: &Name, are_turned: bool) -> Option<Name> {
    let whole = match (&name.family, &name.given, &name.literal) {
        (Some(whole), None, None) => Cow::Borrowed(whole.as_str()),
        (Some(family), Some(given), None) if are_turned => Cow::Owned(format!("{given} {family}")),
        _ => return None,
    };
    let mended = names::with_initials(&whole)?;
    Some(Name {
        family: mended.family,
        given: mended.given,
        ..name.clone()
    })
}

/// Whether every family name of a list is one to three capitals and one of them is not a syllable, so that
/// they are initials and not short names such as `XU`.
fn are_turned(names: &[Name]) -> bool {
    let family = |name: &Name| name.family.clone().filter(|_| name.given.is_some());
    let families: Option<Vec<String>> = names.iter().map(family).collect();
    let is_short =
        |text: &String| text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_no_syllable =
        |text: &String| text.len() == 1 || !text.contains(['A', 'E', 'I', 'O', 'U', 'Y']);
    families.is_some_and(|families| {
        !families.is_empty() && families.iter().all(is_short) && families.iter().any(is_no_syllable)
    })
}

/// Whether a text of several words in a script with case has no lower-case letter.
fn is_in_capitals(text: &str) -> bool {
    let capitals = text.chars().filter(|c| c.is_uppercase()).count();
    capitals >= 12 && text.contains(' ') && !text.contains(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(mut item: Item) -> (Item, Vec<&'static str>) {
        let mut notices = Notices::default();
        mend(&mut item, 0, &mut notices);
        (item, notices.codes())
    }

    #[test]
    fn tex_that_a_program_escaped_is_read() {
        let check = |title: &str, author: &str, expected: [&str; 2]| {
            let text = format!("@article{{doe, title = {{{title}}}, author = {{{author}}}}}");
            let budget = citation_model::budget::Budget::unlimited();
            let content = crate::Content::new(text.as_bytes());
            let reading = crate::read(&content, &crate::BIBTEX, &budget).unwrap();
            let item = &reading.items[0].item;
            let names = item.names(NameVar::Author);
            let family = names[0].family.as_deref();
            assert_eq!(
                [item.text(TextVar::Title), family],
                expected.map(Some),
                "{text}"
            );
        };
        check(
            "On \\{CI\\} terms of $\\backslash$lambda",
            "Roe, A",
            ["On <span class=\"nocase\">CI</span> terms of λ", "Roe"],
        );
        check(
            "{\\{UV\\} spectra of \\{DNA\\}}",
            "\\{Ro\\{\\textbackslash{}'e\\}\\}, Al",
            [
                "<span class=\"nocase\">UV</span> spectra of <span class=\"nocase\">DNA</span>",
                "Roé",
            ],
        );
        check("Part.{\\~{}}II", "Roe, A", ["Part. II", "Roe"]);
        check("Sets \\{0, 1\\}", "Roe, A", ["Sets {0, 1}", "Roe"]);
    }

    #[test]
    fn ranges_of_pages_have_one_hyphen_in_every_format() {
        let mut item = Item::default();
        item.set_number(NumberVar::Page, "12–34");
        let (item, codes) = mended(item);
        assert_eq!(item.number(NumberVar::Page), Some("12-34"));
        assert!(codes.is_empty());
    }

    #[test]
    fn counts_of_none_and_separators_at_the_end_are_left_out() {
        let mut item = Item::default();
        item.set_number(NumberVar::NumberOfPages, "0");
        item.set_number(NumberVar::ChapterNumber, "0");
        item.set_number(NumberVar::Issue, "0");
        item.set_text(TextVar::Title, "Part I &amp; II");
        item.set_text(TextVar::ContainerTitle, "Proc.,");
        item.custom.insert("subtitle".into(), "A test".into());
        let (item, codes) = mended(item);
        assert!(codes.is_empty());
        assert_eq!(item.number(NumberVar::NumberOfPages), None);
        assert_eq!(item.number(NumberVar::ChapterNumber), None);
        assert_eq!(item.number(NumberVar::Issue), Some("0"));
        assert_eq!(item.text(TextVar::Title), Some("Part I & II: A test"));
        assert_eq!(item.text(TextVar::ContainerTitle), Some("Proc."));
    }

    #[test]
    fn values_have_the_form_that_every_format_keeps() {
        let mut item = Item::new("k", ItemType::Book);
        item.set_text(TextVar::Title, "A\u{a0} \ttitle\u{a0}3");
        item.set_text(TextVar::Keyword, "ants,<i>bees</i>");
        item.set_text(TextVar::ContainerTitleShort, "J. Tests");
        item.set_text(TextVar::Doi, "https://example.org/a");
        item.set_number(NumberVar::Page, "xii, 300 p.");
        item.set_names(NameVar::Author, vec![Name::person("Doe Jr.", "Jane")]);
        let (item, codes) = mended(item);
        assert!(codes.is_empty());
        assert_eq!(item.text(TextVar::Title), Some("A title\u{a0}3"));
        assert_eq!(item.text(TextVar::Keyword), Some("ants, bees"));
        assert_eq!(item.text(TextVar::ContainerTitle), Some("J. Tests"));
        assert_eq!(item.text(TextVar::ContainerTitleShort), None);
        assert_eq!(item.text(TextVar::Doi), None);
        assert_eq!(item.text(TextVar::Url), Some("https://example.org/a"));
        let author = &item.names(NameVar::Author)[0];
        assert_eq!(author.family.as_deref(), Some("Doe"));
        assert_eq!(author.suffix.as_deref(), Some("Jr."));
    }

    #[test]
    fn counts_of_pages_are_no_pages() {
        let check = |kind: ItemType, page: &str, pages: Option<&str>, count: Option<&str>| {
            let mut item = Item::new("k", kind);
            item.set_number(NumberVar::Page, page);
            let (item, _) = mended(item);
            assert_eq!(item.number(NumberVar::Page), pages, "{page}");
            assert_eq!(item.number(NumberVar::NumberOfPages), count, "{page}");
        };
        check(ItemType::Book, "300 p.", None, Some("300"));
        check(ItemType::Article, "106 S", Some("106 S"), None);
        check(ItemType::Article, "7-7", Some("7"), None);
        check(ItemType::Chapter, "12-15", Some("12-15"), None);
    }

    #[test]
    fn members_in_names_of_other_vocabularies_are_variables() {
        let mut item = Item::default();
        for (name, text) in [
            ("url", "https://x.org/a"),
            ("doi", "10.1000/X"),
            ("issn", "unknown"),
            ("date", "2002-12-10"),
        ] {
            item.custom.insert(name.into(), text.into());
        }
        let (item, _) = mended(item);
        assert_eq!(item.text(TextVar::Url), Some("https://x.org/a"));
        assert_eq!(item.text(TextVar::Doi), Some("10.1000/x"));
        assert_eq!(item.text(TextVar::Issn), None);
        let date = item.date(DateVar::Issued).map(Date::edtf);
        assert_eq!(date.as_deref(), Some("2002-12-10"));
        let left: Vec<&str> = item.custom.keys().map(String::as_str).collect();
        assert_eq!(left, ["issn"]);
    }

    #[test]
    fn words_for_missing_names_and_more_names_are_no_names() {
        let mut item = Item::default();
        let names = [
            Name::person("Doe", "null"),
            Name::person("Roe", "Walter (1933-....)"),
            Name::literal("…"),
        ];
        item.set_names(NameVar::Author, names.to_vec());
        let (item, _) = mended(item);
        assert_eq!(
            item.names(NameVar::Author),
            [Name::person("Doe", ""), Name::person("Roe", "Walter")]
        );
        assert!(item.has_others(NameVar::Author));
    }

    #[test]
    fn initials_behind_a_family_name_are_given_names() {
        let check = |family: &str, expected: Option<(&str, &str)>| {
            let mut item = Item::default();
            item.set_names(NameVar::Author, vec![Name::person(family, "")]);
            let (item, codes) = mended(item);
            let name = &item.names(NameVar::Author)[0];
            let (family, given) = expected.unwrap_or((family, ""));
            assert_eq!(name.family.as_deref(), Some(family));
            assert_eq!(name.given.as_deref().unwrap_or_default(), given);
            assert_eq!(codes.len(), usize::from(expected.is_some()));
        };
        check("Francis HC", Some(("Francis", "H. C.")));
        check("van der Berg J", Some(("van der Berg", "J.")));
        check("World Bank EU", None);
        check("NASA USA", None);
        check("Cancer UK", None);
        check("Google LLC", None);
        check("Plato", None);
    }

    #[test]
    fn initials_taken_for_family_names_are_turned() {
        let check = |names: &[(&str, &str)], expected: &[&str]| {
            let mut item = Item::default();
            let list = names
                .iter()
                .map(|(given, family)| Name::person(family, given));
            item.set_names(NameVar::Author, list.collect());
            let (item, _) = mended(item);
            let names = item.names(NameVar::Author).iter();
            let families: Vec<&str> = names.filter_map(|name| name.family.as_deref()).collect();
            assert_eq!(families, expected);
        };
        check(
            &[("Francis", "HC"), ("Watson", "JD")],
            &["Francis", "Watson"],
        );
        check(&[("Wei", "XU"), ("Na", "LI")], &["XU", "LI"]);
        check(&[("Francis", "HC"), ("Jane", "Doe")], &["HC", "Doe"]);
    }

    #[test]
    fn literals_are_kept_whole() {
        let mut item = Item::default();
        item.set_names(NameVar::Author, vec![Name::literal("Arduino AG")]);
        assert_eq!(mended(item.clone()), (item, vec![]));
    }

    #[test]
    fn homonym_numbers_are_no_family_names() {
        let mut item = Item::default();
        item.set_names(NameVar::Author, vec![Name::person("0001", "Jane Doe")]);
        let (item, _) = mended(item);
        assert_eq!(item.names(NameVar::Author), [Name::person("Doe", "Jane")]);
    }

    #[test]
    fn words_for_no_page_are_no_pages() {
        let check = |page: &str, left: Option<&str>| {
            let mut item = Item::default();
            item.set_number(NumberVar::Page, page);
            assert_eq!(mended(item).0.number(NumberVar::Page), left, "{page}");
        };
        for page in [
            "N.PAG",
            "N.PAG-N.PAG",
            "n.pag.",
            "N/A",
            "??-??",
            "-",
            "no page",
        ] {
            check(page, None);
        }
        check("pp. 12-15", Some("12-15"));
        check("p.e9", Some("p.e9"));
        check("NA12", Some("NA12"));
        check("e1-e9", Some("e1-e9"));
    }

    #[test]
    fn word_of_scopus_for_the_type_goes() {
        let check = |kind, genre: &str, source: &str, left: Option<&str>| {
            let mut item = Item::new("a", kind);
            item.set_text(TextVar::Genre, genre);
            item.set_text(TextVar::Source, source);
            assert_eq!(mended(item).0.text(TextVar::Genre), left);
        };
        check(ItemType::Article, "Article", "", None);
        check(ItemType::Article, "Review", "Scopus", None);
        check(ItemType::Article, "Review", "", Some("Review"));
        check(ItemType::Thesis, "PhD thesis", "Scopus", Some("PhD thesis"));
    }

    #[test]
    fn address_of_the_resolver_gives_the_doi() {
        let mut item = Item::default();
        item.set_text(TextVar::Url, "http://dx.doi.org/10.1000/ABC");
        let (item, codes) = mended(item);
        assert_eq!(item.text(TextVar::Doi), Some("10.1000/abc"));
        assert_eq!(codes, ["doi_in_address"]);
    }

    #[test]
    fn role_behind_a_name_makes_editors() {
        let mut item = Item::new("", ItemType::Book);
        item.set_names(
            NameVar::Author,
            vec![Name::person("Doe", "J."), Name::person("Roe", "K. (Eds.)")],
        );
        let (item, codes) = mended(item);
        assert!(item.names(NameVar::Author).is_empty());
        assert_eq!(item.names(NameVar::Editor)[1], Name::person("Roe", "K."));
        assert_eq!(codes, ["mended_name"]);
    }

    #[test]
    fn journal_of_a_preprint_has_its_id() {
        let mut item = Item::new("", ItemType::Article);
        item.set_text(TextVar::ContainerTitle, "arXiv preprint arXiv:1706.03762");
        let (item, _) = mended(item);
        assert_eq!(item.text(TextVar::ArxivId), Some("1706.03762"));
    }

    #[test]
    fn date_of_access_in_a_note_is_taken() {
        let check = |note: &str, expected: Option<&str>| {
            let mut item = Item::default();
            item.set_text(TextVar::Note, note);
            let (item, _) = mended(item);
            let date = item.date(DateVar::Accessed).map(Date::edtf);
            assert_eq!(date.as_deref(), expected, "{note}");
            assert_eq!(item.text(TextVar::Note).is_none(), expected.is_some());
        };
        check("Accessed: 2020-03-04", Some("2020-03-04"));
        check("[Online; accessed 4-March-2020]", Some("2020-03-04"));
        check("Last visited on March 4, 2020.", Some("2020-03-04"));
        check("Accessed by many", None);
        check("Online version", None);
    }

    #[test]
    fn words_for_no_date_are_no_dates() {
        for (text, is_left) in [("n.d.", false), ("[s. d.]", false), ("forthcoming", true)] {
            let mut item = Item::default();
            item.set_date(DateVar::Issued, Date::parse(text).unwrap());
            assert_eq!(
                mended(item).0.date(DateVar::Issued).is_some(),
                is_left,
                "{text}"
            );
        }
    }

    #[test]
    fn volume_with_an_issue_is_parted() {
        let check = |text: &str, volume: &str, issue: Option<&str>| {
            let mut item = Item::new("", ItemType::Article);
            item.set_number(NumberVar::Volume, text);
            let (item, _) = mended(item);
            assert_eq!(item.number(NumberVar::Volume), Some(volume));
            assert_eq!(item.number(NumberVar::Issue), issue);
        };
        check("12(3)", "12", Some("3"));
        check("12 (3-4)", "12", Some("3-4"));
        check("12(Suppl.)", "12(Suppl.)", None);
    }

    #[test]
    fn others_are_no_name() {
        for others in [
            Name::person("others", ""),
            Name::person("al.", "et"),
            Name::literal("et al."),
        ] {
            let mut item = Item::default();
            item.set_names(NameVar::Author, vec![Name::person("Doe", "J."), others]);
            let (item, codes) = mended(item);
            assert_eq!(item.names(NameVar::Author).len(), 1);
            assert!(item.has_others(NameVar::Author));
            assert!(codes.is_empty());
        }
    }

    #[test]
    fn empty_cells_doubled_pages_and_capitals_are_told() {
        let mut item = Item::default();
        item.set_text(TextVar::Publisher, "nan");
        item.set_number(NumberVar::Issue, "NaN");
        item.set_number(NumberVar::Page, "12-15-12-15");
        item.set_text(TextVar::Title, "THE ORIGIN OF IT ALL");
        let (item, codes) = mended(item);
        assert_eq!(
            codes,
            [
                "missing_value",
                "missing_value",
                "doubled_pages",
                "title_in_capitals"
            ]
        );
        assert_eq!(item.number(NumberVar::Page), Some("12-15"));
        assert_eq!(item.text(TextVar::Title), Some("THE ORIGIN OF IT ALL"));
        assert_eq!(item.text(TextVar::Publisher), None);
    }
}
