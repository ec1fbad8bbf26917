//! The candidates for the container of a work: a journal, a book, proceedings.

use citation_model::item_type::ItemType;
use citation_model::lists::words;

use super::Sources;
use super::claims::Claims;
use super::labels::{self, Label};
use super::metas::Metas;
use super::page::Page;
use super::pool::Pool;
use super::title::{self, fold};
use super::traits::{Trait, Traits};
use super::weights::Field;

/// What is known before the container is chosen.
pub(super) struct Known<'k> {
    pub title: &'k str,
    pub sites: &'k [String],
    pub site: Option<&'k str>,
    pub is_article: bool,
    pub is_story: bool,
    pub is_chapter: bool,
}

/// The ranked candidates.
pub(super) fn candidates(
    page: &Page,
    sources: &Sources,
    cited: &[Claims],
    own: &Claims,
    known: &Known<'_>,
) -> Pool<String> {
    let mut pool = Pool::new(Field::Container);
    let title = fold(known.title);
    let mut add = |name: Option<&str>, traits: &[Trait]| {
        let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) else {
            return;
        };
        let key = fold(name);
        // A work is not its own container.
        if key != title && name.len() <= 300 {
            pool.add(key, name.to_owned(), Traits::of(traits));
        }
    };
    add(sources.highwire.container.as_deref(), &[Trait::Highwire]);
    add(sources.prism.container.as_deref(), &[Trait::DublinCore]);
    add(
        sources.dublin_core.container.as_deref(),
        &[Trait::DublinCore],
    );
    let whole = Metas(page).plain(&["dcterms.ispartof", "dc.relation.ispartof"]);
    if whole.is_some() && whole == sources.dublin_core.container {
        add(whole.as_deref(), &[Trait::DublinCore, Trait::SchemaPart]);
    }
    add(sources.eprints.container.as_deref(), &[Trait::Eprints]);
    add(sources.coins.container.as_deref(), &[Trait::Coins]);
    add(sources.schema.container.as_deref(), &[Trait::SchemaPart]);
    for labelled in labels::labelled(page, Label::Container).take(3) {
        let name = labelled.value;
        let cited = super::cited::parse(name).and_then(|claims| claims.container);
        add(Some(cited.as_deref().unwrap_or(name)), &[Trait::LabelValue]);
    }
    for cited in cited {
        add(cited.container.as_deref(), &[Trait::CitationLine]);
    }
    add(own.container.as_deref(), &[Trait::OwnCitation]);
    let journal = title::journal(page, Some(known.title), known.site);
    add(journal.as_deref(), &[Trait::TitlePart]);
    // `Site - Journal of Tides - Full Text`
    if known.is_article {
        for piece in title::pieces(&page.title, |_| false) {
            let name = page.title.get(piece).map(str::trim);
            let name = name.filter(|name| is_periodical(name) && name.contains(' '));
            add(name, &[Trait::TitlePart]);
        }
    }
    let proceedings = title::proceedings(page);
    add(proceedings.as_deref(), &[Trait::TitlePart, Trait::IsWork]);
    // `Chapter 3 Title | Book`
    if known.is_chapter {
        let pieces = title::pieces(&page.title, |_| false);
        let last = pieces.last().filter(|_| pieces.len() > 1);
        let book = last.and_then(|last| page.title.get(last.clone()));
        add(book, &[Trait::TitlePart, Trait::IsWork]);
    }
    let in_title = fold(&page.title);
    let all: Vec<String> = (pool.candidates().iter())
        .map(|candidate| candidate.value.clone())
        .collect();
    for candidate in pool.candidates_mut() {
        let key = candidate.key.as_str();
        candidate.traits = candidate
            .traits
            .with_if(
                known.sites.contains(&title::bare(&candidate.value)),
                Trait::IsSite,
            )
            .with_if(key.len() > 3 && in_title.contains(key), Trait::InTitleTag)
            .with_if(!candidate.value.contains(' '), Trait::IsSingleWord)
            .with_if(
                all.iter().any(|whole| abbreviates(&candidate.value, whole)),
                Trait::Subset,
            )
            .with_if(candidate.value.len() > 120, Trait::IsLong)
            .with_if(is_periodical(&candidate.value), Trait::IsPeriodical)
            .with_if(known.is_article, Trait::OfArticle)
            .with_if(known.is_story, Trait::OfStory);
    }
    pool.rank();
    pool
}

/// Whether a name has a word of journals and proceedings.
fn is_periodical(name: &str) -> bool {
    const STEMS: [&str; 30] = words(
        "journal proceeding transaction letter annal acta archiv bulletin review advance frontier zeitschrift \
         revista revue rivista časopis czasopismo журнал вестник известия труды conference symposium workshop \
         congress lecture 学报 雑誌 学刊 학회지",
    );
    let name = name.to_lowercase();
    STEMS.iter().any(|stem| {
        if stem.is_ascii() {
            name.split(' ').any(|word| word.starts_with(stem))
        } else {
            name.contains(stem)
        }
    })
}

/// Whether two names are of one container: equal, abbreviated, or one with a part before or behind.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let (short, whole) = (fold(one), fold(other));
    short == whole
        || abbreviates(one, other)
        || abbreviates(other, one)
        || short.len() > 8 && whole.len() > 8 && (whole.contains(&short) || short.contains(&whole))
}

/// Whether a name is an abbreviation of another: `J. Phys. Chem. A` of `The Journal of Physical Chemistry A`.
fn abbreviates(short: &str, whole: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        let words = name
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let words = words.map(str::to_lowercase);
        words
            .filter(|word| !matches!(word.as_str(), "the" | "of" | "and" | "for" | "in"))
            .collect()
    };
    if short.len() >= whole.len() {
        return false;
    }
    let (short, whole) = (words(short), words(whole));
    short.len() == whole.len()
        && short.iter().zip(&whole).all(|(short, whole)| {
            let begins = short.chars().next() == whole.chars().next();
            begins && short.len() <= whole.len()
        })
        && short
            .iter()
            .zip(&whole)
            .any(|(short, whole)| short.len() < whole.len())
}

/// Whether works of a type are parts of a site, which is their container.
pub(super) fn is_part_of_site(kind: ItemType) -> bool {
    matches!(
        kind,
        ItemType::Webpage
            | ItemType::BlogPost
            | ItemType::Post
            | ItemType::NewspaperArticle
            | ItemType::MagazineArticle
            | ItemType::EncyclopediaEntry
            | ItemType::Broadcast
            | ItemType::MotionPicture
    )
}
