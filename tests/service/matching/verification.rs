//! Verification rates: references generated from the works of the benchmark, true ones, ones with a
//! changed field, and invented ones, with the verdicts for each kind.

use citation_testing::Random;
use std::collections::BTreeMap;

use citation::lookup::verify::Verdict;
use citation_model::item::Item;
use citation_model::variable::{NameVar, NumberVar, TextVar};

use super::works::{Works, benchmark, read_items};

/// References of each kind, unless `CITATION_VERIFY_SAMPLE` says how many.
const SAMPLE: usize = 50;

/// The parts of a reference as it is written.
#[derive(Clone)]
struct Parts {
    authors: Vec<(String, String)>,
    title: String,
    container: String,
    year: i32,
    volume: String,
    page: String,
    doi: Option<String>,
}

impl Parts {
    /// The parts of a work that has them all, with a title that tells it from others.
    fn of(item: &Item) -> Option<Parts> {
        let authors: Vec<(String, String)> = item
            .names(NameVar::Author)
            .iter()
            .filter_map(|name| Some((name.family.clone()?, name.given.clone()?)))
            .collect();
        let title = item.text(TextVar::Title)?.to_owned();
        let page = item
            .number(NumberVar::Page)?
            .split(['-', '–'])
            .next()?
            .to_owned();
        let numeric = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let volume = item.number(NumberVar::Volume)?.to_owned();
        let whole = !authors.is_empty()
            && title.split_whitespace().count() >= 6
            && numeric(&volume)
            && numeric(&page);
        whole.then_some(Parts {
            authors,
            title,
            container: item.text(TextVar::ContainerTitle)?.to_owned(),
            year: item.year()?,
            volume,
            page,
            doi: None,
        })
    }

    fn written(&self, style: usize) -> String {
        let initials = |given: &str| given.chars().next().unwrap_or('X');
        let Parts {
            title,
            container,
            year,
            volume,
            page,
            ..
        } = self;
        let doi = self
            .doi
            .as_ref()
            .map(|doi| format!(" https://doi.org/{doi}"))
            .unwrap_or_default();
        let names = |form: &dyn Fn(&(String, String)) -> String| -> String {
            self.authors
                .iter()
                .take(6)
                .map(form)
                .collect::<Vec<_>>()
                .join(", ")
        };
        match style % 3 {
            0 => format!(
                "{} ({year}). {title}. {container}, {volume}, {page}.{doi}",
                names(&|(f, g)| format!("{f}, {}.", initials(g)))
            ),
            1 => format!(
                "{}. {title}. {container}. {year};{volume}:{page}.{doi}",
                names(&|(f, g)| format!("{f} {}", initials(g)))
            ),
            _ => format!(
                "{}, “{title},” {container}, vol. {volume}, p. {page}, {year}.{doi}",
                names(&|(f, g)| format!("{}. {f}", initials(g)))
            ),
        }
    }
}

/// Every kind of reference, how it is made, and the verdicts that are right for it.
const KINDS: [(&str, Make, &[Verdict]); 10] = [
    ("true", |p, _, _| p.clone(), &[Verdict::Verified]),
    (
        "other year",
        |p, _, d| Parts {
            year: p.year - 2 - d.below(7) as i32,
            ..p.clone()
        },
        &[Verdict::Mismatch],
    ),
    (
        "other volume",
        |p, _, d| Parts {
            volume: (200 + d.below(700)).to_string(),
            ..p.clone()
        },
        &[Verdict::Mismatch],
    ),
    (
        "other page",
        |p, _, d| Parts {
            page: (2000 + d.below(7000)).to_string(),
            ..p.clone()
        },
        &[Verdict::Mismatch],
    ),
    ("other first author", other_author, &[Verdict::Mismatch]),
    (
        "other journal",
        |p, q, _| Parts {
            container: q.container.clone(),
            ..p.clone()
        },
        &[Verdict::Mismatch],
    ),
    ("other title word", other_word, &[Verdict::Mismatch]),
    (
        "right DOI, other title",
        |p, q, _| Parts {
            title: q.title.clone(),
            doi: p.doi.clone(),
            ..p.clone()
        },
        &[Verdict::Mismatch],
    ),
    (
        "title and others' names",
        |p, q, _| Parts {
            title: p.title.clone(),
            doi: None,
            ..q.clone()
        },
        &[Verdict::Mismatch, Verdict::NotFound, Verdict::Ambiguous],
    ),
    ("invented", invented, &[Verdict::NotFound]),
];

type Make = fn(&Parts, &Parts, &mut Random) -> Parts;

fn other_author(parts: &Parts, other: &Parts, _: &mut Random) -> Parts {
    let mut changed = parts.clone();
    changed.authors[0] = other.authors[0].clone();
    changed
}

/// Replaces a long word by one of another title.
fn other_word(parts: &Parts, other: &Parts, random: &mut Random) -> Parts {
    let mut words: Vec<&str> = parts.title.split(' ').collect();
    let long: Vec<usize> = (0..words.len()).filter(|n| words[*n].len() > 5).collect();
    let title = &other.title;
    let foreign: Vec<&str> = title.split(' ').filter(|word| word.len() > 5).collect();
    if let (Some(at), Some(word)) = (
        long.get(random.below(long.len())),
        foreign.get(random.below(foreign.len())),
    ) {
        words[*at] = word;
    }
    Parts {
        title: words.join(" "),
        ..parts.clone()
    }
}

/// Plausible in every part and true in none: halves of two titles, strangers' names, a real
/// journal with numbers that nobody used.
fn invented(parts: &Parts, other: &Parts, random: &mut Random) -> Parts {
    let words = |title: &str| title.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (first, second) = (words(&parts.title), words(&other.title));
    let title = [&first[..first.len() / 2], &second[second.len() / 2..]]
        .concat()
        .join(" ");
    let given = parts.authors.iter().map(|(_, given)| given.clone());
    let authors = other
        .authors
        .iter()
        .map(|(family, _)| family.chars().rev().collect::<String>())
        .zip(given)
        .collect();
    Parts {
        authors,
        title,
        year: 1990 + random.below(34) as i32,
        volume: (1 + random.below(90)).to_string(),
        page: (1 + random.below(3000)).to_string(),
        ..other.clone()
    }
}

#[test]
fn word_of_the_title_is_not_the_journal() {
    let works = Works::new(read_items(
        r#"{"id":"10.5555/fibres","DOI":"10.5555/fibres","type":"article-journal","title":"Adsorption of imagined vapours on activated carbon fibres","author":[{"family":"Brenner","given":"Dora"}],"container-title":"Carbon","volume":"35","page":"1307-1313","issued":{"date-parts":[[1997]]}}"#,
    ));
    let check = |journal: &str, expected: Verdict| {
        let text = format!(
            "Brenner, D. (1997). Adsorption of imagined vapours on activated carbon fibres. \
             {journal}, 35, 1307."
        );
        assert_eq!(works.verify(&text).verdict, expected, "{text}");
    };
    check("Carbon", Verdict::Verified);
    check("Annals of Fictive Chemistry", Verdict::Mismatch);
}

#[test]
fn year_in_title_or_volume_is_not_the_year() {
    let works = Works::new(read_items(concat!(
        r#"{"id":"10.5555/harbours","DOI":"10.5555/harbours","type":"article-journal","title":"Quiet harbours measured once again","author":[{"family":"Falk","given":"Nora"}],"container-title":"Yearbook of Imaginary Waters","volume":"2010","page":"50-61","issued":{"date-parts":[[2010]]}}"#,
        "\n",
        r#"{"id":"10.5555/address","DOI":"10.5555/address","type":"article-journal","title":"On tides and their tables: address to the harbour masters, January 1957","author":[{"family":"Orlov","given":"Pia"}],"container-title":"The Fictive Gazette","volume":"41","page":"161","issued":{"date-parts":[[1957]]}}"#,
    )));
    let check = |text: &str, expected: Verdict| {
        assert_eq!(works.verify(text).verdict, expected, "{text}");
    };
    let harbours = |year: i32| {
        format!(
            "Falk, N. ({year}). Quiet harbours measured once again. \
             Yearbook of Imaginary Waters, 2010, 50."
        )
    };
    check(&harbours(2010), Verdict::Verified);
    check(&harbours(2006), Verdict::Mismatch);
    let address = |year: i32| {
        format!(
            "Orlov P. On tides and their tables: address to the harbour masters, January 1957. \
             The Fictive Gazette. {year};41:161."
        )
    };
    check(&address(1957), Verdict::Verified);
    check(&address(1952), Verdict::Mismatch);
}

#[test]
fn year_off_by_one_is_a_difference_unless_another_date_has_it() {
    let works = Works::new(read_items(
        r#"{"id":"10.5555/lamps","DOI":"10.5555/lamps","type":"article-journal","title":"Lamps of imagined lighthouses","author":[{"family":"Brenner","given":"Dora"}],"container-title":"Shore","volume":"35","page":"13-21","issued":{"date-parts":[[1997]]},"available-date":{"date-parts":[[1996,11]]},"original-date":{"date-parts":[[1931]]}}"#,
    ));
    let check = |year: i32, expected: Verdict, differences: &str| {
        let text =
            format!("Brenner, D. ({year}). Lamps of imagined lighthouses. Shore, 35, 13–21.");
        check_verdict(&works, &text, expected, differences);
    };
    check(1997, Verdict::Verified, "");
    check(1996, Verdict::Verified, "");
    check(1931, Verdict::Verified, "");
    check(1998, Verdict::Mismatch, "year:Warning");
}

/// A few works that are easily taken for one another.
fn coast() -> Works {
    Works::new(read_items(concat!(
        r#"{"id":"10.5555/tides","DOI":"10.5555/tides","type":"article-journal","title":"Slow tides","author":[{"family":"Falk","given":"Nora"},{"family":"Orlov","given":"Pia"},{"family":"Brenner","given":"Dora"}],"container-title":"Shore","volume":"52","issue":"7","page":"436-444","issued":{"date-parts":[[2015]]}}"#,
        "\n",
        r#"{"id":"slow-tides-book","type":"book","title":"Slow tides","author":[{"family":"Marlow","given":"Ivo"}],"publisher":"Harbour Press","ISBN":"9780306406157","issued":{"date-parts":[[2016]]}}"#,
        "\n",
        r#"{"id":"10.5555/moss","DOI":"10.5555/moss","PMID":"4711","type":"article-journal","title":"Why most roof moss is green in migratory seasons","author":[{"family":"Quint","given":"Hanna"}],"container-title":"Journal of Urban Botany","volume":"2","page":"83-90","issued":{"date-parts":[[2005]]}}"#,
        "\n",
        r#"{"id":"promontoires","type":"book","title":"Les promontoires: histoire critique des falaises","author":[{"family":"Roche","given":"Paul"}],"publisher":"Quai","issued":{"date-parts":[[1979]]}}"#,
        "\n",
        r#"{"id":"10.48550/arxiv.1801.01234","DOI":"10.48550/arXiv.1801.01234","type":"article","title":"Counting imagined walks in sparse weather graphs","author":[{"family":"Nakamura","given":"Yu"}],"issued":{"date-parts":[[2018]]}}"#,
    )))
}

/// The verdict, and the fields that differ with their severity.
fn check_verdict(works: &Works, text: &str, expected: Verdict, differences: &str) {
    let found = works.verify(text);
    let fields: Vec<String> = found
        .differences
        .iter()
        .map(|d| format!("{}:{:?}", d.field, d.severity))
        .collect();
    assert_eq!(found.verdict, expected, "{text}: {fields:?}");
    assert_eq!(fields.join(" "), differences, "{text}");
}

#[test]
fn reference_is_held_against_the_version_that_it_claims() {
    let works = Works::new(read_items(concat!(
        r#"{"id":"talk","DOI":"10.5555/talk","type":"paper-conference","title":"Measuring the drift of imagined sandbanks","author":[{"family":"Falk","given":"Nora"},{"family":"Orlov","given":"Pia"}],"container-title":"Proceedings of the Congress on Sand","page":"11-18","issued":{"date-parts":[[2011]]}}"#,
        "\n",
        r#"{"id":"paper","DOI":"10.5555/paper","type":"article-journal","title":"Measuring the drift of imagined sandbanks","author":[{"family":"Falk","given":"Nora"},{"family":"Orlov","given":"Pia"}],"container-title":"Annals of Coasts","volume":"9","page":"201-230","issued":{"date-parts":[[2014]]}}"#,
    )));
    let check = |place: &str, expected: Verdict, matched: &str, message: &str| {
        let text = format!("Falk N, Orlov P. Measuring the drift of imagined sandbanks. {place}");
        let found = works.verify(&text);
        assert_eq!(found.verdict, expected, "{text}: {:?}", found.differences);
        let work = found.matched.expect("a work");
        assert_eq!(work.work.item.id.as_str(), matched, "{text}");
        let forms: Vec<&str> = found.forms.iter().map(|form| form.form.as_str()).collect();
        assert_eq!(forms, ["version"], "{text}");
        assert!(found.message.contains(message), "{}", found.message);
    };
    let (talk, paper) = (
        "Proceedings of the Congress on Sand. 2011:11-18.",
        "Annals of Coasts. 2014;9:201-230.",
    );
    check(talk, Verdict::Verified, "talk", "agrees with it");
    check(paper, Verdict::Verified, "paper", "agrees with it");
    let exchanged = format!("{paper} doi:10.5555/talk");
    check(&exchanged, Verdict::Verified, "paper", "another version");
    // Half of each version is neither.
    let mixed = "Annals of Coasts. 2011;9:11-18.";
    check(mixed, Verdict::Mismatch, "talk", "differs");
}

#[test]
fn record_that_agrees_outweighs_another_of_the_same_publication() {
    let works = Works::new(read_items(concat!(
        r#"{"id":"a","PMID":"4713","type":"article-journal","title":"Measuring the drift of imagined sandbanks","author":[{"family":"Falk","given":"Nora"},{"family":"Orlov","given":"Pia"}],"container-title":"Annals of Coasts","volume":"9","page":"201-230","issued":{"date-parts":[[2014]]}}"#,
        "\n",
        r#"{"id":"b","DOI":"10.5555/paper","type":"article-journal","title":"Measuring the drift of imagined sandbanks","author":[{"family":"Falk","given":"Nora"},{"family":"Orlov","given":"Pia"}],"container-title":"Annals of Coasts","volume":"9","page":"201-230","issued":{"date-parts":[[2012]]}}"#,
    )));
    let year = |year: i32| {
        let text = format!(
            "Falk N, Orlov P. Measuring the drift of imagined sandbanks. Annals of Coasts. {year};9:201-230."
        );
        let found = works.verify(&text);
        let field = found.fields.into_iter().find(|field| field.field == "year");
        let values = field.expect("a year").values;
        let values: Vec<String> = values.into_iter().map(|value| value.value).collect();
        (found.verdict, values.len())
    };
    assert_eq!(year(2014), (Verdict::Verified, 2));
    assert_eq!(year(2012), (Verdict::Verified, 2));
    assert_eq!(year(2009), (Verdict::Mismatch, 2));
}

#[test]
fn extra_words_are_a_difference() {
    let works = coast();
    let check = |title: &str, container: &str, verdict, differences: &str| {
        let text = format!("Falk N, Orlov P, Brenner D. {title}. {container}. 2015;52:436–44.");
        check_verdict(&works, &text, verdict, differences);
    };
    check("Slow tides", "Shore", Verdict::Verified, "");
    check("Slow tides [Internet]", "Shore", Verdict::Verified, "");
    check(
        "Slow tides: a survey",
        "Shore",
        Verdict::Verified,
        "title:Info",
    );
    let other = "title:Critical";
    check(
        "Slow tides among gulls in rural bays",
        "Shore",
        Verdict::Mismatch,
        other,
    );
    check("Very slow tides", "Shore", Verdict::Mismatch, other);
    let other = "container_title:Warning";
    check("Slow tides", "Shore Methods", Verdict::Mismatch, other);
    check("Slow tides", "European Shore", Verdict::Mismatch, other);
}

#[test]
fn negated_or_replaced_word_is_a_difference() {
    let works = coast();
    let check = |title: &str, verdict, differences: &str| {
        let text = format!("Quint H. {title}. J Urban Bot. 2005;2:83-90.");
        check_verdict(&works, &text, verdict, differences);
    };
    let title = "Why most roof moss is green in migratory seasons";
    check(title, Verdict::Verified, "");
    for title in [
        "Why most roof moss is not green in migratory seasons",
        "Why most roof moss is green in non-migratory seasons",
        "Why most roof moss is brown in migratory seasons",
    ] {
        check(title, Verdict::Mismatch, "title:Critical");
    }
}

#[test]
fn identifier_of_another_work_is_a_difference() {
    let works = coast();
    let tides = "Falk N, Orlov P, Brenner D. Slow tides. Shore. 2015;52:436–44.";
    let with = |identifier: &str| format!("{tides} {identifier}");
    let other = "identifier:Critical";
    check_verdict(&works, &with("PMID: 4711"), Verdict::Mismatch, other);
    check_verdict(
        &works,
        &with("PMID: 4712"),
        Verdict::Verified,
        "identifier:Info",
    );
    let book = with("doi:10.5555/tides ISBN 9780306406157");
    check_verdict(&works, &book, Verdict::Mismatch, other);
    check_verdict(&works, "doi:10.5555/moss", Verdict::Verified, "");
    check_verdict(&works, "arXiv:1801.01234", Verdict::Verified, "");
    let preprint = "Nakamura, Y. (2018). Counting imagined walks in sparse weather graphs. \
                    arXiv preprint arXiv:1801.01234.";
    check_verdict(&works, preprint, Verdict::Verified, "");
}

#[test]
fn first_author_and_last_page_are_compared() {
    let works = coast();
    let check = |text: &str, verdict, differences: &str| {
        check_verdict(&works, text, verdict, differences);
    };
    check(
        "Orlov P, Falk N, Brenner D. Slow tides. Shore. 2015;52:436–44.",
        Verdict::Mismatch,
        "authors:Critical",
    );
    check(
        "Falk N, Orlov P, Brenner D. Slow tides. Shore. 2015;52:436–54.",
        Verdict::Mismatch,
        "pages:Warning",
    );
    check(
        "Roche, P., & Falk, N. (1979). Les promontoires: histoire critique des falaises. Quai.",
        Verdict::Mismatch,
        "authors:Warning",
    );
    check(
        "Roche, P. (1979). Les promontoires: une promenade en hiver. Quai.",
        Verdict::Mismatch,
        "title:Warning",
    );
    check(
        "Falk N, Orlov P, Brenner D. Slow horses in the rain. Shore. 2015;52:436–44.",
        Verdict::Mismatch,
        "title:Critical",
    );
}

#[test]
fn note_is_matched_to_the_work_it_cites() {
    let works = coast();
    let check = |text: &str| check_verdict(&works, text, Verdict::Verified, "");
    check("Roche, P. (1979). Les promontoires. Quai.");
    check(
        "Paul Roche, Les promontoires: histoire critique des falaises (Paris: Quai, 1979), 47–48.",
    );
    check(
        "12 See Hanna Quint, “Why Most Roof Moss Is Green in Migratory Seasons,” \
         Journal of Urban Botany 2 (2005): 84.",
    );
    check("Nora Falk, Pia Orlov and Dora Brenner, “Slow Tides,” Shore 52, no. 7 (2015): 436–44.");
}

/// A preprint and its article, a work that was registered twice, and a translation.
fn forms() -> Works {
    Works::new(read_items(concat!(
        r#"{"id":"10.48550/arxiv.1901.04711","DOI":"10.48550/arXiv.1901.04711","type":"article","genre":"preprint","publisher":"arXiv","title":"Counting imagined walks in sparse weather graphs","author":[{"family":"Nakamura","given":"Yu"}],"issued":{"date-parts":[[2019]]}}"#,
        "\n",
        r#"{"id":"10.5555/walks","DOI":"10.5555/walks","type":"article-journal","title":"Counting imagined walks in sparse weather graphs","author":[{"family":"Nakamura","given":"Yu"}],"container-title":"Annals of Invented Computation","volume":"8","page":"112-120","issued":{"date-parts":[[2021]]}}"#,
        "\n",
        r#"{"id":"10.5555/moss-a","DOI":"10.5555/moss-a","type":"article-journal","title":"Respiration rates of roof moss in urban winters","author":[{"family":"Quint","given":"Hanna"}],"container-title":"Urban Botany Letters","volume":"41","page":"34-50","issued":{"date-parts":[[2003]]}}"#,
        "\n",
        r#"{"id":"10.5555/moss-b","DOI":"10.5555/moss-b","type":"article-journal","title":"Respiration rates of roof moss in urban winters","author":[{"family":"Quint","given":"Hanna"}],"container-title":"Urban Botany Letters","volume":"41","page":"34-50","issued":{"date-parts":[[2003]]}}"#,
        "\n",
        r#"{"id":"10.5555/bells-ru","DOI":"10.5555/bells-ru","type":"article-journal","title":"Звон старых колоколов над рекой","author":[{"family":"Щербаков","given":"И."}],"container-title":"Вестник вымышленной акустики","volume":"5","page":"33-40","issued":{"date-parts":[[1987]]}}"#,
        "\n",
        r#"{"id":"10.5555/bells-en","DOI":"10.5555/bells-en","type":"article-journal","title":"Ringing of old bells above the river","original-title":"Звон старых колоколов над рекой","author":[{"family":"Shcherbakov","given":"I."}],"container-title":"Herald of Invented Acoustics","volume":"3","page":"21-29","issued":{"date-parts":[[1988]]}}"#,
        "\n",
        r#"{"id":"10.48550/arxiv.1902.04712","DOI":"10.48550/arXiv.1902.04712","type":"article","genre":"preprint","publisher":"arXiv","title":"Slow rivers and their imagined deltas","author":[{"family":"Marlow","given":"Ivo"}],"issued":{"date-parts":[[2019]]}}"#,
    )))
}

#[test]
fn forms_of_one_work_are_named() {
    let works = forms();
    let check = |text: &str, verdict, matched: &str, forms: &[(&str, &str)], message: &str| {
        let found = works.verify(text);
        let id = found.matched.as_ref().map(|m| m.work.item.id.as_str());
        let others = found.forms.iter();
        let others: Vec<(&str, &str)> = others
            .map(|other| (other.form.as_str(), other.work.item.id.as_str()))
            .collect();
        assert_eq!(found.verdict, verdict, "{text}: {:?}", found.differences);
        assert_eq!((id, others.as_slice()), (Some(matched), forms), "{text}");
        assert!(found.message.contains(message), "{}", found.message);
    };
    let article = "Nakamura, Y. (2021). Counting imagined walks in sparse weather graphs. \
                   Annals of Invented Computation, 8, 112–120.";
    let preprint = [("preprint", "10.48550/arxiv.1901.04711")];
    let published = [("published", "10.5555/walks")];
    let walks = "10.5555/walks";
    let known = "agrees with it";
    check(article, Verdict::Verified, walks, &preprint, known);
    let with_preprint = format!("{article} arXiv:1901.04711");
    check(
        &with_preprint,
        Verdict::Verified,
        walks,
        &preprint,
        "is that of the preprint",
    );
    let arxiv = "Nakamura, Y. (2019). Counting imagined walks in sparse weather graphs. arXiv.";
    let arxiv_id = "10.48550/arxiv.1901.04711";
    check(arxiv, Verdict::Verified, arxiv_id, &published, known);
    let with_article = format!("{arxiv} https://doi.org/10.5555/walks");
    check(
        &with_article,
        Verdict::Verified,
        arxiv_id,
        &published,
        "that of the published work",
    );
    let moss = "Quint H. Respiration rates of roof moss in urban winters. Urban Botany Letters. \
                2003;41:34-50. doi:10.5555/moss-b";
    let twice = [("registration", "10.5555/moss-a")];
    check(moss, Verdict::Verified, "10.5555/moss-b", &twice, known);
    let bells = "Shcherbakov I. Ringing of old bells above the river. Herald of Invented Acoustics. \
                 1988;3:21-9. doi:10.5555/bells-ru";
    let original = [("original", "10.5555/bells-ru")];
    check(
        bells,
        Verdict::Verified,
        "10.5555/bells-en",
        &original,
        "that of the original",
    );
    let only_preprint = "Marlow, I. (2021). Slow rivers and their imagined deltas. \
                         Annals of Invented Computation, 9, 12–20.";
    let rivers = "10.48550/arxiv.1902.04712";
    check(
        only_preprint,
        Verdict::Mismatch,
        rivers,
        &[],
        "A preprint of the work is known",
    );
}

#[test]
fn romanised_names_match_their_characters() {
    let works = Works::new(read_items(concat!(
        r#"{"id":"10.5555/z1","DOI":"10.5555/z1","type":"article-journal","title":"虚构城市的水路网络研究","author":[{"family":"王","given":"小明"},{"family":"李","given":"娜"}],"container-title":"想象地理学报","volume":"18","issue":"4","page":"210-224","issued":{"date-parts":[[2011]]}}"#,
        "\n",
        r#"{"id":"10.5555/z2","DOI":"10.5555/z2","type":"article-journal","title":"Networks of imagined canals in river towns","author":[{"family":"Wang","given":"Xiaoming"},{"family":"Li","given":"Na"}],"container-title":"Journal of Fictive Geography","volume":"7","page":"12-30","issued":{"date-parts":[[2015]]}}"#,
        "\n",
        r#"{"id":"10.5555/j1","DOI":"10.5555/j1","type":"article-journal","title":"架空都市の水路網に関する研究","author":[{"family":"田中","given":"花子"},{"family":"佐々木","given":"一郎"}],"container-title":"仮想地理学雑誌","volume":"18","issue":"4","page":"310-324","issued":{"date-parts":[[2012]]}}"#,
        "\n",
        r#"{"id":"10.5555/j2","DOI":"10.5555/j2","type":"article-journal","title":"架空港湾における潮位の観測","author":[{"literal":"鈴木太郎"}],"container-title":"仮想海洋学会誌","volume":"3","page":"1-9","issued":{"date-parts":[[1999]]}}"#,
        "\n",
        r#"{"id":"10.5555/k1","DOI":"10.5555/k1","type":"article-journal","title":"상상 도시의 수로망에 관한 연구","author":[{"family":"김","given":"지우"},{"family":"박","given":"서연"}],"container-title":"가상지리학회지","volume":"5","issue":"2","page":"33-48","issued":{"date-parts":[[2018]]}}"#,
        "\n",
        r#"{"id":"10.5555/k2","DOI":"10.5555/k2","type":"article-journal","title":"Quiet harbours of invented coasts","author":[{"family":"Kim","given":"Ji-woo"},{"family":"Park","given":"Seo-yeon"}],"container-title":"Korean Journal of Fictive Coasts","volume":"9","page":"101-117","issued":{"date-parts":[[2020]]}}"#,
    )));
    let check = |names: [&str; 5], rest: &str| {
        for name in names {
            let text = format!("{name}. {rest}");
            let found = works.verify(&text);
            assert_eq!(
                found.verdict,
                Verdict::Verified,
                "{text}: {:?}",
                found.differences
            );
        }
    };
    check(
        [
            "王小明, 李娜",
            "王 小明, 李 娜",
            "小明 王, 娜 李",
            "Wang X, Li N",
            "Wang Xiaoming, Li Na",
        ],
        "虚构城市的水路网络研究[J]. 想象地理学报, 2011, 18(4): 210-224.",
    );
    check(
        [
            "王小明, 李娜",
            "WANG Xiaoming, LI Na",
            "Xiaoming Wang, Na Li",
            "Wang X-M, Li N",
            "Wang XM, Li N",
        ],
        "Networks of imagined canals in river towns. J Fictive Geogr. 2015;7:12-30.",
    );
    check(
        [
            "田中花子, 佐々木一郎",
            "田中 花子・佐々木 一郎",
            "花子 田中, 一郎 佐々木",
            "Tanaka H, Sasaki I",
            "Tanaka, H., & Sasaki, I",
        ],
        "架空都市の水路網に関する研究. 仮想地理学雑誌, 18(4), 310-324, 2012.",
    );
    check(
        [
            "鈴木太郎",
            "鈴木 太郎",
            "太郎 鈴木",
            "Suzuki T",
            "Suzuki, Taro",
        ],
        "架空港湾における潮位の観測. 仮想海洋学会誌, 3, 1-9, 1999.",
    );
    check(
        [
            "김지우, 박서연",
            "김 지우, 박 서연",
            "지우 김, 서연 박",
            "Kim J, Park S",
            "Kim, J., & Park, S",
        ],
        "상상 도시의 수로망에 관한 연구. 가상지리학회지. 2018;5(2):33-48.",
    );
    check(
        [
            "김지우, 박서연",
            "Kim JW, Park SY",
            "Kim Jiwoo, Park Seoyeon",
            "Jiwoo Kim, Seoyeon Park",
            "Kim J-W, Park S-Y",
        ],
        "Quiet harbours of invented coasts. Korean J Fictive Coasts. 2020;9:101-17.",
    );
}

#[test]
fn title_alone_does_not_select_among_works() {
    let works = coast();
    let lean = works.verify("Slow tides");
    assert_eq!(lean.verdict, Verdict::Ambiguous);
    assert_eq!(lean.others.len(), 1);
    let full = "Falk N, Orlov P, Brenner D. Slow tides. Shore. 2015;52:436–44.";
    check_verdict(&works, full, Verdict::Verified, "");
}

#[test]
fn verdicts_on_generated_references() {
    let Some(lines) = benchmark("corpus-dev.jsonl.gz") else {
        return;
    };
    let works = Works::new(read_items(&lines));
    let whole: Vec<(Parts, &str)> = works
        .items
        .iter()
        .filter_map(|item| Some((Parts::of(item)?, item.id.as_str())))
        .collect();
    let sample = std::env::var("CITATION_VERIFY_SAMPLE")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(SAMPLE);
    let mut random = Random::seeded(1);
    let mut table: Vec<(&str, BTreeMap<Verdict, usize>)> = Vec::new();
    for (name, make, right) in KINDS {
        let mut counts = BTreeMap::new();
        for n in 0..sample {
            let (parts, id) = &whole[random.below(whole.len())];
            let (other, _) = &whole[random.below(whole.len())];
            let mut parts = parts.clone();
            parts.doi = name.contains("DOI").then(|| (*id).to_owned());
            let text = make(&parts, other, &mut random).written(n);
            let found = works.verify(&text).verdict;
            if !right.contains(&found) && std::env::var_os("CITATION_VERIFY_SHOW").is_some() {
                println!("{name}: {} for {text}", found.as_str());
            }
            *counts.entry(found).or_default() += 1;
        }
        table.push((name, counts));
    }
    print_table(&table, sample);
    let count = |kind: &str, verdict: Verdict| {
        let row = table.iter().find(|(name, _)| *name == kind);
        row.and_then(|(_, counts)| counts.get(&verdict))
            .copied()
            .unwrap_or(0)
    };
    assert!(count("true", Verdict::NotFound) * 200 <= sample);
    assert!(count("invented", Verdict::Verified) * 500 <= sample);
    assert!(count("true", Verdict::Verified) * 100 >= sample * 90);
    for kind in [
        "other first author",
        "right DOI, other title",
        "title and others' names",
    ] {
        assert!(count(kind, Verdict::Verified) * 50 <= sample, "{kind}");
    }
}

fn print_table(table: &[(&str, BTreeMap<Verdict, usize>)], sample: usize) {
    print!("{:26}", format!("of {sample} each"));
    for verdict in Verdict::ALL {
        print!("{:>12}", verdict.as_str());
    }
    println!();
    for (name, counts) in table {
        print!("{name:26}");
        for verdict in Verdict::ALL {
            print!("{:>12}", counts.get(&verdict).copied().unwrap_or(0));
        }
        println!();
    }
}
