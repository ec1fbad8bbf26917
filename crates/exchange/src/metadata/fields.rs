//! Maps members of CitationMetadata to variables, in every spelling that clients use: those of the API, of
//! CSL, and of other formats and citation managers.

use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};

/// The meaning of a member of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    Id,
    /// `entry_type`, `type`, `itemType`: the type in any spelling.
    Type,
    /// `csl_type`: written together with `entry_type`; read only if that is missing.
    CslType,
    /// A plural or singular name variable. Only the singular may be a text.
    Names(NameVar, Number),
    Text(TextVar),
    /// `journal`, the API's name of the container title of articles.
    Journal,
    /// `keywords`, a list, or text with separators.
    Keywords,
    Subtitle,
    ArticleNumber,
    Numeric(NumberVar),
    Date(DateVar),
    /// `year`, `month` and `day` as separate members.
    Year,
    Month,
    Day,
    /// `extra` and CSL-JSON's `custom`.
    Extra,
    /// Written by the server and ignored on input: `provenance`, `updates`.
    ReadOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Singular,
    Plural,
}

/// The meaning of a member name; `None` if the member goes to `extra`.
pub(super) fn member(key: &str) -> Option<Member> {
    exact(key).or_else(|| folded(key))
}

/// The spellings of the API and of CSL.
fn exact(key: &str) -> Option<Member> {
    let special = match key {
        "id" => Member::Id,
        "entry_type" | "type" => Member::Type,
        "csl_type" => Member::CslType,
        "journal" => Member::Journal,
        "journal_abbreviation" => Member::Text(TextVar::ContainerTitleShort),
        "keywords" | "keyword" => Member::Keywords,
        "extra" | "custom" => Member::Extra,
        "provenance" | "updates" | "open_access" | "library_url" => Member::ReadOnly,
        _ => return by_json_name(key).or_else(|| csl(key)),
    };
    Some(special)
}

fn by_json_name(key: &str) -> Option<Member> {
    if let Some(variable) = TextVar::from_json_name(key) {
        return Some(Member::Text(variable));
    }
    if let Some(variable) = NumberVar::from_json_name(key) {
        return Some(Member::Numeric(variable));
    }
    if let Some(variable) = NameVar::from_json_name(key) {
        return Some(Member::Names(variable, Number::Plural));
    }
    DateVar::from_json_name(key).map(Member::Date)
}

fn csl(key: &str) -> Option<Member> {
    Variable::from_csl(key).map(|variable| match variable {
        Variable::Text(TextVar::Keyword) => Member::Keywords,
        Variable::Text(v) => Member::Text(v),
        Variable::Number(v) => Member::Numeric(v),
        Variable::Date(v) => Member::Date(v),
        Variable::Names(v) => Member::Names(v, Number::Singular),
    })
}

/// Spellings that differ in case, hyphens and underscores, and the words of other formats.
fn folded(key: &str) -> Option<Member> {
    let folded: String = key
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect();
    other_words(&folded).or_else(|| by_folded_spelling(&folded))
}

fn other_words(folded: &str) -> Option<Member> {
    let member = match folded {
        "entrytype" | "itemtype" => Member::Type,
        "subtitle" => Member::Subtitle,
        "articlenumber" => Member::ArticleNumber,
        "year" | "publicationyear" => Member::Year,
        "month" => Member::Month,
        "day" => Member::Day,
        "published" | "publicationdate" | "pubdate" => Member::Date(DateVar::Issued),
        "accessdate" | "urldate" => Member::Date(DateVar::Accessed),
        "journaltitle" | "publicationtitle" | "containertitle" => Member::Journal,
        "booktitle" | "proceedingstitle" | "websitetitle" => Member::Text(TextVar::ContainerTitle),
        "journalabbreviation" | "shortjournal" => Member::Text(TextVar::ContainerTitleShort),
        "shorttitle" => Member::Text(TextVar::TitleShort),
        "place" | "address" => Member::Text(TextVar::PublisherPlace),
        "institution" | "school" | "university" => Member::Text(TextVar::Publisher),
        "series" | "seriestitle" => Member::Text(TextVar::CollectionTitle),
        "seriesnumber" => Member::Numeric(NumberVar::CollectionNumber),
        "conferencename" | "eventname" => Member::Text(TextVar::EventTitle),
        "langid" => Member::Text(TextVar::Language),
        "abstractnote" => Member::Text(TextVar::Abstract),
        "link" => Member::Text(TextVar::Url),
        "arxiv" | "arxivid" => Member::Text(TextVar::ArxivId),
        "pubmedid" => Member::Text(TextVar::Pmid),
        "numpages" | "pagetotal" => Member::Numeric(NumberVar::NumberOfPages),
        "page" | "pagerange" => Member::Numeric(NumberVar::Page),
        "firstpage" => Member::Numeric(NumberVar::PageFirst),
        "numberofvolumes" | "volumes" => Member::Numeric(NumberVar::NumberOfVolumes),
        "seriesauthors" | "serieseditors" => {
            Member::Names(NameVar::CollectionEditor, Number::Plural)
        }
        _ => return None,
    };
    Some(member)
}

/// The spellings of the API and of CSL, compared without case and separators.
fn by_folded_spelling(folded: &str) -> Option<Member> {
    let same = |spelling: &str| {
        spelling
            .chars()
            .filter(|c| !matches!(c, '-' | '_'))
            .map(|c| c.to_ascii_lowercase())
            .eq(folded.chars())
    };
    let specials = ["id", "csl_type", "journal", "keywords", "keyword", "extra"];
    let texts = TextVar::ALL.iter().flat_map(|v| [v.json_name(), v.csl()]);
    let numbers = NumberVar::ALL.iter().flat_map(|v| [v.json_name(), v.csl()]);
    let names = NameVar::ALL.iter().flat_map(|v| [v.json_name(), v.csl()]);
    let dates = DateVar::ALL.iter().flat_map(|v| [v.json_name(), v.csl()]);
    specials
        .into_iter()
        .chain(texts)
        .chain(numbers)
        .chain(names)
        .chain(dates)
        .find(|spelling| same(spelling))
        .and_then(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_is_found_under_its_own_names() {
        for &v in TextVar::ALL.iter().filter(|v| **v != TextVar::Keyword) {
            assert_eq!(member(v.json_name()), Some(Member::Text(v)));
            assert_eq!(member(v.csl()), Some(Member::Text(v)));
        }
        for &v in NumberVar::ALL {
            assert_eq!(member(v.json_name()), Some(Member::Numeric(v)));
            assert_eq!(member(v.csl()), Some(Member::Numeric(v)));
        }
        for &v in DateVar::ALL {
            assert_eq!(member(v.json_name()), Some(Member::Date(v)));
            assert_eq!(member(v.csl()), Some(Member::Date(v)));
        }
        for &v in NameVar::ALL {
            assert_eq!(
                member(v.json_name()),
                Some(Member::Names(v, Number::Plural))
            );
            assert_eq!(member(v.csl()), Some(Member::Names(v, Number::Singular)));
        }
    }

    #[test]
    fn other_spellings_are_understood() {
        assert_eq!(member("Title"), Some(Member::Text(TextVar::Title)));
        assert_eq!(
            member("publisher-place"),
            Some(Member::Text(TextVar::PublisherPlace))
        );
        assert_eq!(
            member("collection-editors"),
            Some(Member::Names(NameVar::CollectionEditor, Number::Plural))
        );
        assert_eq!(member("publicationTitle"), Some(Member::Journal));
        assert_eq!(member("itemType"), Some(Member::Type));
        assert_eq!(member("shelf"), None);
    }
}
