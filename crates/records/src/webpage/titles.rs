//! The candidates for the title: every stated title and heading, and the parts of them between separators.

use std::collections::HashSet;
use std::ops::Range;

use citation_model::lists::{phrases, words};

use super::metas::Metas;
use super::page::Page;
use super::pool::Pool;
use super::title::{fold, pieces};
use super::traits::{Trait, Traits};
use super::weights::Field;
use super::{Sources, address, labels};

/// Maximum number of headings and of marked titles that are candidates.
const HEADINGS: usize = 8;

/// What is known before the title is chosen.
pub(super) struct Known<'k> {
    /// Names of the site, folded without article and domain.
    pub sites: &'k [String],
    pub url: Option<&'k str>,
    pub is_article: bool,
    pub is_story: bool,
}

impl Known<'_> {
    /// Whether a part of a title is the name of the site or its address.
    pub fn is_site(&self, part: &str) -> bool {
        // `Center for Open Oceans (COO)` on the site `COO`.
        let short = part
            .strip_suffix(')')
            .and_then(|part| part.rsplit_once('('));
        self.is_named(part)
            || short.is_some_and(|(whole, short)| self.is_named(whole) || self.is_named(short))
            || self.is_host(part)
    }

    /// Whether a text is a name of the site.
    fn is_named(&self, text: &str) -> bool {
        let bare = super::title::bare(text);
        !bare.is_empty() && self.sites.contains(&bare)
    }

    /// Whether a part spells the host: whole (`AOC media` of aoc.media), or its name and perhaps one more word
    /// (`Schweizer Jäger Online` of schweizerjaeger.ch).
    fn is_host(&self, part: &str) -> bool {
        const MIN_LENGTH: usize = 8;
        const WORD_LENGTH: usize = 8;
        let Some(host) = self.url.and_then(address::host) else {
            return false;
        };
        let spelt = fold(part)
            .replace('ä', "ae")
            .replace('ö', "oe")
            .replace('ü', "ue");
        let name = fold(&address::bare_host(host));
        let is_named = name.len() >= MIN_LENGTH
            && spelt
                .strip_prefix(&name)
                .is_some_and(|rest| rest.len() <= WORD_LENGTH);
        spelt == fold(host.trim_start_matches("www.")) || is_named
    }
}

/// The ranked candidates.
pub(super) fn candidates(page: &Page, sources: &Sources, known: &Known<'_>) -> Pool<String> {
    let mut pool = Pool::new(Field::Title);
    let metas = Metas(page);
    let schema = sources.schema.title.clone();
    let stated = [
        (Trait::Highwire, sources.highwire.title.clone()),
        (Trait::DublinCore, sources.dublin_core.title.clone()),
        (Trait::Eprints, sources.eprints.title.clone()),
        (Trait::Coins, sources.coins.title.clone()),
        (Trait::OwnCitation, sources.bibtex.title.clone()),
        (Trait::Schema, schema),
        (
            Trait::OpenGraph,
            metas.rich(&["og:title", "parsely-title", "sailthru.title"]),
        ),
        (Trait::SocialTag, metas.rich(&["twitter:title"])),
        (
            Trait::Meta,
            metas.rich(&["title", "article:title", "headline", "articletitle", "hdl"]),
        ),
        (Trait::TitleTag, Some(page.title.clone())),
    ];
    let headings = page.lines.iter().filter(|line| line.heading > 0).take(40);
    let headings: HashSet<String> = headings.map(|line| fold(&line.text)).collect();
    let is_heading = |text: &str| headings.contains(&fold(text));
    for (source, text) in &stated {
        let Some(text) = text.as_deref().filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        // With the site's name at an end it is no title, unless nothing else is left.
        if bare_part(text, known, &is_heading).is_none() {
            pool.add(fold(text), text.to_owned(), Traits::of(&[*source]));
        }
        let part = match source {
            Trait::TitleTag => Trait::TitlePart,
            _ => Trait::TagPart,
        };
        add_parts(&mut pool, text, (*source, part), known, &is_heading);
    }
    let mut seen = [0_usize; 4];
    for line in page.lines.iter().filter(|line| line.heading > 0) {
        let Some(count) = seen.get_mut(usize::from(line.heading)) else {
            continue;
        };
        *count += 1;
        if *count > HEADINGS || line.part == super::marks::Part::Others {
            continue;
        }
        let source = match line.heading {
            1 => Trait::Heading,
            _ => Trait::LowerHeading,
        };
        let traits = Traits::of(&[source]).with(match *count {
            1 => Trait::First,
            _ => Trait::Late,
        });
        let traits = traits.with_if(line.is_home, Trait::Host);
        let rich = line.rich.as_deref().unwrap_or(&line.text);
        pool.add(fold(&line.text), rich.to_owned(), traits);
        if let Some(behind) = &line.behind {
            let element = if behind.is_kicker {
                Trait::BehindKicker
            } else {
                Trait::BehindElement
            };
            let traits = Traits::of(&[source, element]);
            pool.add(fold(&behind.text), behind.text.clone(), traits);
        }
        // A page that heads its text with the type and the title.
        if line.heading == 1 {
            add_parts(
                &mut pool,
                &line.text,
                (Trait::TagPart, Trait::TagPart),
                known,
                &is_heading,
            );
        }
    }
    for mark in page.titles.iter().take(HEADINGS) {
        pool.add(
            fold(&mark.text),
            super::page::squeeze(&mark.text),
            Traits::of(&[if mark.is_sure {
                Trait::MarkedSure
            } else {
                Trait::Marked
            }]),
        );
    }
    for value in labels::values(page, labels::Label::Title).take(2) {
        pool.add(
            fold(value),
            value.to_owned(),
            Traits::of(&[Trait::LabelValue]),
        );
    }
    describe(&mut pool, page, known, &stated);
    pool.rank();
    pool
}

/// The pieces of a title; the site's name, which may have separators inside, is one:
/// `Title - Admissions Blog - University of Example`.
fn parts(text: &str, known: &Known<'_>, is_heading: &dyn Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut pieces = pieces(text, |part| known.is_site(part) || is_heading(part));
    let count = pieces.len();
    let ends = |from: usize| (from + 1..count).rev().map(move |to| (from, to));
    let joined = (0..count).flat_map(ends).find_map(|(from, to)| {
        let range = pieces.get(from)?.start..pieces.get(to)?.end;
        let is_part = (from, to + 1) != (0, count);
        let is_joined = is_part && known.is_named(text.get(range.clone())?.trim());
        is_joined.then_some((from, to, range))
    });
    if let Some((from, to, range)) = joined {
        pieces.splice(from..=to, [range]);
    }
    pieces
}

/// The part of a title that is left without the site's name at its start or its end.
fn bare_part<'t>(
    text: &'t str,
    known: &Known<'_>,
    is_heading: &dyn Fn(&str) -> bool,
) -> Option<&'t str> {
    if is_heading(text) {
        return None;
    }
    let pieces = parts(text, known, is_heading);
    let is_site = |piece: &Range<usize>| {
        text.get(piece.clone())
            .is_some_and(|piece| known.is_site(piece.trim()))
    };
    let first = pieces.iter().position(|piece| !is_site(piece))?;
    let last = pieces.iter().rposition(|piece| !is_site(piece))?;
    let is_cut = first > 0 || last + 1 < pieces.len();
    let range = pieces.get(first)?.start..pieces.get(last)?.end;
    text.get(range)
        .filter(|part| is_cut && fold(part).chars().count() > 1)
}

/// Adds the parts of a title between its separators: `whole` is the source of the title, `source` that of a part.
fn add_parts(
    pool: &mut Pool<String>,
    text: &str,
    (whole, source): (Trait, Trait),
    known: &Known<'_>,
    is_heading: &dyn Fn(&str) -> bool,
) {
    let pieces = parts(text, known, is_heading);
    let count = pieces.len();
    for from in 0..count {
        for to in from..count {
            if (from, to + 1) == (0, count) {
                continue;
            }
            let (Some(first), Some(last)) = (pieces.get(from), pieces.get(to)) else {
                continue;
            };
            let Some(part) = text.get(first.start..last.end).map(str::trim) else {
                continue;
            };
            // With the site's name at an end a part is no title either.
            if bare_part(part, known, is_heading).is_some() {
                continue;
            }
            let rest = pieces.iter().enumerate();
            let rest = rest.filter(|(at, _)| *at < from || *at > to);
            let is_cut = |is_site: bool| {
                rest.clone().any(|(_, piece)| {
                    text.get(piece.clone())
                        .is_some_and(|piece| known.is_site(piece.trim()) == is_site)
                })
            };
            // What is left without the site's name, and a part that the page has as heading, is the tag's claim.
            let is_claim = !is_cut(false) || is_heading(part) && !known.is_site(part);
            let traits = Traits::of(&[if is_claim { whole } else { source }])
                .with_if(is_cut(true), Trait::RestIsSite)
                .with_if(is_cut(false) && !is_claim, Trait::RestIsOther);
            pool.add(fold(part), part.to_owned(), traits);
        }
    }
}

/// Headings that templates repeat on every page.
const GENERIC: [&str; 63] = phrases(
    "home|abstract|summary|navigation|menu|main menu|search|search results|contents|table of contents|\
     references|details|detail|detailanzeige|detail view|full record|record|article|articles|news|blog|\
     login|sign in|about|contact|comments|related|share|download|introduction|main navigation|\
     site navigation|metadata|citation|cite|export|document|start|startseite|suche|inhalt|accueil|inicio|\
     resumen|resumo|zusammenfassung|résumé|latest news|latest|welcome|untitled|untitled document|\
     page not found|index|top|overview|view item|item details|title|library catalog|opac|newsletter|\
     most popular",
);

/// Adds the traits that compare candidates with the page.
fn describe(
    pool: &mut Pool<String>,
    page: &Page,
    known: &Known<'_>,
    stated: &[(Trait, Option<String>)],
) {
    let tops = page.lines.iter().filter(|line| line.heading == 1);
    let tops: Vec<String> = tops.take(HEADINGS).map(|line| fold(&line.text)).collect();
    let lower = page.lines.iter().filter(|line| line.heading > 1);
    let lower: Vec<String> = lower.take(40).map(|line| fold(&line.text)).collect();
    let homes: HashSet<String> = super::site::homes(page).map(fold).collect();
    let in_title = fold(&page.title);
    let end_of_tag = end_behind_heading(&page.title, known, &tops, &lower);
    let tags: Vec<String> = stated
        .iter()
        .filter(|(source, _)| *source != Trait::TitleTag)
        .filter_map(|(_, text)| text.as_deref().map(fold))
        .collect();
    let slug = known.url.map(address::slug_words).unwrap_or_default();
    let keys: Vec<String> = (pool.candidates().iter())
        .map(|candidate| candidate.key.clone())
        .collect();
    let cut: Vec<String> = (pool.candidates().iter())
        .filter(|candidate| is_cut_short(&candidate.value))
        .map(|candidate| candidate.key.clone())
        .collect();
    for candidate in pool.candidates_mut() {
        let key = candidate.key.as_str();
        let letters = key.chars().count();
        let parts = parts(&candidate.value, known, &|part| tops.contains(&fold(part)));
        let end = |piece: Option<&std::ops::Range<usize>>| {
            let piece = piece.and_then(|piece| candidate.value.get(piece.clone()));
            piece.is_some_and(|piece| known.is_site(piece.trim()))
        };
        // Another candidate goes on in the middle of a word or behind an ellipsis.
        let goes_on =
            |other: &String| letters > 30 && other.len() > key.len() && other.starts_with(key);
        let is_in =
            |all: &[String]| key.len() > 6 && all.iter().any(|one| one != key && one.contains(key));
        let is_cut = is_cut_short(&candidate.value)
            || stem(&candidate.value).is_some_and(|stem| {
                keys.iter()
                    .any(|other| other != key && other.starts_with(stem.as_str()))
            })
            || (candidate
                .traits
                .has_any(&[Trait::Schema, Trait::SocialTag, Trait::OpenGraph])
                && letters > 60
                && tops.iter().any(goes_on))
            || is_continued(&candidate.value, &page.title);
        candidate.traits = candidate
            .traits
            .with_if(
                end_of_tag.as_deref() == Some(key) && !is_in_slug(&candidate.value, &slug),
                Trait::EndsTitleTag,
            )
            .with_if(known.is_site(&candidate.value), Trait::IsSite)
            .with_if(homes.contains(key), Trait::Host)
            .with_if(
                parts.len() > 1 && (end(parts.first()) || end(parts.last())),
                Trait::KeepsSite,
            )
            .with_if(
                parts.len() > 1
                    && tops
                        .iter()
                        .any(|top| has_piece(top, &candidate.value, &parts)),
                Trait::HasHeading,
            )
            .with_if(tops.iter().any(|top| top == key), Trait::IsHeading)
            .with_if(
                tops.len() == 1 && tops.iter().any(|top| top == key),
                Trait::IsOnlyHeading,
            )
            .with_if(lower.iter().any(|one| one == key), Trait::IsLowerHeading)
            .with_if(key.len() > 3 && in_title.contains(key), Trait::InTitleTag)
            .with_if(is_in(&tags), Trait::InTag)
            .with_if(is_in(&tops), Trait::InHeading)
            .with_if(is_cut, Trait::IsCutShort)
            .with_if(
                keys.len() > 1
                    && cut
                        .iter()
                        .any(|one| one != key && key.starts_with(one.as_str())),
                Trait::IsLonger,
            )
            .with_if(
                GENERIC.contains(&candidate.value.to_lowercase().trim())
                    || is_catalogue(&candidate.value),
                Trait::IsGeneric,
            )
            .with_if(letters < 5, Trait::IsShort)
            .with_if(letters > 180, Trait::IsLong)
            .with_if(
                !candidate.value.trim().contains(' ') && key.is_ascii(),
                Trait::IsSingleWord,
            )
            .with_if(is_in_slug(&candidate.value, &slug), Trait::InSlug)
            .with_if(known.is_article, Trait::OfArticle)
            .with_if(known.is_story, Trait::OfStory);
    }
}

/// The last part of the title tag, folded, if it is a top heading and a lower one is a part before it: the top
/// heading is then the book or the site of the page.
fn end_behind_heading(
    title: &str,
    known: &Known<'_>,
    tops: &[String],
    lower: &[String],
) -> Option<String> {
    let is_in = |headings: &[String], text: &str| headings.contains(&fold(text));
    let is_heading = |text: &str| is_in(tops, text) || is_in(lower, text);
    let pieces = parts(title, known, &is_heading);
    let texts = pieces.iter().filter_map(|piece| title.get(piece.clone()));
    let texts: Vec<&str> = texts.map(str::trim).collect();
    let (last, before) = texts.split_last()?;
    let is_title = |text: &&str| is_in(lower, text) && !is_in(tops, text) && !known.is_site(text);
    let is_end = is_in(tops, last) && before.iter().any(is_title);
    is_end.then(|| fold(last))
}

/// Whether a title is that of a catalogue, not of a work in it: `Web-OPAC V3.0`.
fn is_catalogue(title: &str) -> bool {
    const WORDS: [&str; 6] = words("opac webopac catalog catalogue katalog bibliothekskatalog");
    let lower = title.to_lowercase();
    lower.len() <= 60
        && lower
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| WORDS.contains(&word))
}

/// Whether a longer title goes on behind a title without a separator: a tag whose value ends at a quotation mark.
fn is_continued(title: &str, whole: &str) -> bool {
    let rest = whole.strip_prefix(title).filter(|_| title.len() > 20);
    let rest = rest.map(str::trim_start).filter(|rest| !rest.is_empty());
    rest.is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_alphanumeric() || "\"“„«'‘".contains(c))
    })
}

fn is_cut_short(text: &str) -> bool {
    text.ends_with('…') || text.ends_with("...")
}

/// The folded text before an ellipsis inside of a title.
fn stem(title: &str) -> Option<String> {
    let (head, _) = title
        .split_once("... ")
        .or_else(|| title.split_once("… "))?;
    Some(fold(head)).filter(|stem| stem.len() > 12)
}

/// Whether a heading is a piece of a title or several.
fn has_piece(heading: &str, title: &str, pieces: &[Range<usize>]) -> bool {
    let texts = (0..pieces.len()).flat_map(|from| {
        (from..pieces.len())
            .filter(move |to| (from, *to + 1) != (0, pieces.len()))
            .map(move |to| (from, to))
    });
    heading.chars().count() > 4
        && texts.take(40).any(|(from, to)| {
            let range = pieces.get(from).zip(pieces.get(to));
            let text = range.and_then(|(first, last)| title.get(first.start..last.end));
            text.is_some_and(|text| fold(text) == heading)
        })
}

/// Whether most of the words of an address are in a title.
fn is_in_slug(title: &str, slug: &[String]) -> bool {
    if slug.len() < 3 {
        return false;
    }
    let words: Vec<String> = title
        .split(|c: char| !c.is_alphanumeric())
        .map(fold)
        .collect();
    let common = slug.iter().filter(|word| words.contains(word)).count();
    common * 10 >= slug.len() * 7
}
