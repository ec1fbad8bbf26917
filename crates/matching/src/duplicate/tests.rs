//! Pairs of one work, and pairs that only look like it.

use super::{Basis, Index, POSSIBLE, Veto, compare};
use citation_model::budget::{Budget, Exceeded};
use citation_model::date::{Date, DateParts};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// `Article | Smith, J; Doe, A | 2001 | A title | container=Nature | volume=3 | doi=10.1/x`.
fn item(text: &str) -> Item {
    let mut parts = text.split('|').map(str::trim);
    let mut next = || parts.next().unwrap_or_default();
    let mut item = Item::new("", ItemType::parse(next()).expect("a type"));
    let names = next().split(';').map(Name::parse).collect();
    item.set_names(NameVar::Author, names);
    if let Ok(year) = next().parse() {
        let start = Some(DateParts::year(year));
        item.set_date(
            DateVar::Issued,
            Date {
                start,
                ..Date::default()
            },
        );
    }
    item.set_text(TextVar::Title, next());
    for part in parts {
        let (name, value) = part.split_once('=').expect("name=value");
        match (
            TextVar::from_json_name(name),
            NumberVar::from_json_name(name),
        ) {
            (Some(variable), _) => item.set_text(variable, value),
            (_, Some(variable)) => item.set_number(variable, value),
            _ => panic!("no variable {name}"),
        }
    }
    item
}

fn same(a: &str, b: &str) {
    let (x, y) = (compare(&item(a), &item(b)), compare(&item(b), &item(a)));
    assert!(x.is_duplicate(), "{a}\n{b}\n{x:#?}");
    assert_eq!(x.score, y.score, "{a}\n{b}");
}

fn differ(a: &str, b: &str) {
    let found = compare(&item(a), &item(b));
    assert!(found.score < POSSIBLE, "{a}\n{b}\n{found:#?}");
}

fn vetoed(a: &str, b: &str, veto: Veto) {
    let found = compare(&item(a), &item(b));
    assert!(found.vetoes.contains(&veto), "{a}\n{b}\n{found:#?}");
    assert!(found.score < POSSIBLE, "{a}\n{b}\n{found:#?}");
}

#[test]
fn one_identifier_is_one_work() {
    same(
        "article|Smith, J|2001|Proteins of the deep sea|doi=10.1000/ABC.1",
        "article|Smith, John|2002|Proteins of the Deep Sea.|doi=https://doi.org/10.1000/abc.1",
    );
    same(
        "article|Smith, J|2001|Proteins of the deep sea|pmid=123",
        "document|||Proteins of the deep sea|pmid=PMID: 123",
    );
    same(
        "preprint|Vaswani, A|2017|Attention is all you need|doi=10.48550/arXiv.1706.03762",
        "document|Vaswani, Ashish|2017|Attention Is All You Need|arxiv_id=1706.03762v5",
    );
    same(
        "book|Knuth, D|1997|The art of computer programming|isbn=0-201-89683-4",
        "book|Knuth, Donald E.|1998|Art of Computer Programming|isbn=9780201896831",
    );
}

#[test]
fn without_identifiers_title_people_and_year_decide() {
    same(
        "article|Müller, Hans; Doe, A|2010|Behaviour of colloids in shear flow|container_title=Journal of the American Chemical Society|volume=12",
        "article|Mueller, H.|2010|Behavior of Colloids in Shear-Flow|container_title=J. Am. Chem. Soc.|volume=12",
    );
    same(
        "book|Kuhn, Thomas S.|1962|The structure of scientific revolutions",
        "book|Kuhn, Thomas|1962|Structure of Scientific Revolutions: An Essay",
    );
    same(
        "article|Li, Wei|2015|Effect of temprature on the growth of zebrafish embryos",
        "article|Wei, Li|2015|Effect of temperature on the growth of zebrafish embryos",
    );
    same(
        "article|Berg, J|2003|CO<sub>2</sub> fluxes over boreal forests|container_title=Tellus B",
        "article|Berg, J|2003|CO2 fluxes over boreal forests|container_title=Tellus B",
    );
}

#[test]
fn other_identifiers_are_other_works() {
    let a = "article|Smith, J|2001|Proteins of the deep sea|volume=3|doi=10.1000/1";
    let b = "article|Smith, J|2001|Proteins of the deep sea|volume=3|doi=10.1000/2";
    vetoed(a, b, Veto::OtherIdentifier);
    vetoed(
        "article|Smith, J|2001|Proteins of the deep sea|pmid=1",
        "article|Smith, J|2001|Proteins of the deep sea|pmid=2",
        Veto::OtherIdentifier,
    );
}

#[test]
fn chapters_share_the_identifier_of_their_book() {
    let a = "chapter|Smith, J|2001|Whales and their songs|container_title=The sea|doi=10.1000/sea";
    let b = "chapter|Doe, A|2001|Currents of the north|container_title=The sea|doi=10.1000/sea";
    vetoed(a, b, Veto::OtherTitle);
    let found = compare(&item(a), &item(b));
    assert_eq!(found.basis, Basis::Doi);
    assert!(found.is_worth_showing());
    assert!(found.conflicting_fields().contains(&"title"));
    vetoed(
        "chapter|Smith, J|2001|The sea|isbn=9780201896831",
        "book|Smith, J|2001|The sea|isbn=9780201896831",
        Veto::PartAndWhole,
    );
}

#[test]
fn editions_volumes_and_parts_are_apart() {
    vetoed(
        "book|Knuth, D|1997|The art of computer programming|edition=2nd",
        "book|Knuth, D|1997|The art of computer programming|edition=Third",
        Veto::OtherEdition,
    );
    vetoed(
        "book|Knuth, D|1997|The art of computer programming|volume=1",
        "book|Knuth, D|1997|The art of computer programming|volume=2",
        Veto::OtherPart,
    );
    vetoed(
        "article|Smith, J|2001|Studies on yeast. Part II",
        "article|Smith, J|2001|Studies on yeast. Part III",
        Veto::OtherPart,
    );
    vetoed(
        "report|World Bank|2019|World development report 2019",
        "report|World Bank|2020|World development report 2020",
        Veto::OtherPart,
    );
    vetoed(
        "software|Harris, C|2020|NumPy|version=1.2",
        "software|Harris, C|2020|NumPy|version=1.20",
        Veto::OtherEdition,
    );
    differ(
        "book|Feynman, R|1963|Lectures on physics",
        "book|Feynman, R|1963|Lectures on physics II",
    );
}

#[test]
fn works_about_a_work_are_apart_from_it() {
    vetoed(
        "article|Smith, J|2001|Proteins of the deep sea",
        "article|Smith, J|2001|Erratum: Proteins of the deep sea",
        Veto::Notice,
    );
    vetoed(
        "article|Smith, J|2001|Proteins of the deep sea|doi=10.1000/1",
        "article|Smith, J|2001|Correction to: Proteins of the deep sea|doi=10.1000/1",
        Veto::Notice,
    );
    vetoed(
        "preprint|Smith, J|2001|Proteins of the deep sea",
        "article|Smith, J|2001|Proteins of the deep sea|container_title=Nature",
        Veto::PreprintAndArticle,
    );
    vetoed(
        "article|Smith, J|2001|Proteins of the deep sea|container_title=arXiv preprint arXiv:0101.0001",
        "article|Smith, J|2001|Proteins of the deep sea|container_title=Nature",
        Veto::PreprintAndArticle,
    );
    vetoed(
        "review-book|Doe, A|2001|The sea around us",
        "book|Doe, A|2001|The sea around us",
        Veto::OtherKind,
    );
}

#[test]
fn the_same_heading_elsewhere_is_another_piece() {
    vetoed(
        "article|Smith, J|2001|Editorial|container_title=Nature|volume=3|pages=1-2",
        "article|Smith, J|2001|Editorial|container_title=Nature|volume=4|pages=7-8",
        Veto::OtherPlace,
    );
    differ(
        "chapter|Smith, J|2001|Introduction|container_title=The sea|pages=1-20",
        "chapter|Smith, J|2001|Introduction|container_title=The shore|pages=3-9",
    );
    vetoed(
        "thesis|Smith, J|1999|Proteins of the deep sea",
        "thesis|Smith, J|2008|Proteins of the deep sea",
        Veto::YearsApart,
    );
    vetoed(
        "book|Kafka, F|1925|Der Prozess|language=de",
        "book|Kafka, F|1925|Der Prozess|language=fr",
        Veto::OtherLanguage,
    );
}

#[test]
fn one_telling_word_makes_another_title() {
    differ(
        "article|Smith, J|2001|Effects of caffeine on the growth of male rats",
        "article|Smith, J|2001|Effects of caffeine on the growth of female rats",
    );
    differ(
        "article|Olson, J|1987|Dietary intakes of vitamin A in humans|volume=45|pages=704",
        "article|Olson, J|1987|Dietary intakes of vitamin K in humans|volume=45|pages=687",
    );
    differ(
        "article|Smith, J|2001|Symmetric encryption in practice",
        "article|Smith, J|2001|Asymmetric encryption in practice",
    );
    differ(
        "article|Smith, J|2001|Proteins of the deep sea",
        "article|Jones, K|2001|Proteins of the deep sea",
    );
}

#[test]
fn a_comparison_explains_itself() {
    let found = compare(
        &item("article|Smith, J|2001|Proteins of the deep sea|volume=3|doi=10.1000/1"),
        &item("article|Smith, J|2002|Proteins of the deep sea|volume=4|doi=10.1000/1"),
    );
    assert_eq!(
        found.matched_fields(),
        ["identifier", "title", "authors", "year", "entry_type"]
    );
    assert_eq!(found.conflicting_fields(), ["volume"]);
    let fields = &found.fields;
    let year = fields.iter().find(|f| f.field == "year").expect("a year");
    assert_eq!(
        (year.given.as_deref(), year.found.as_deref()),
        (Some("2001"), Some("2002"))
    );
}

#[test]
fn groups_hold_no_pair_that_a_veto_parts() {
    let items: Vec<Item> = [
        "article|Smith, J|2001|Proteins of the deep sea|doi=10.1000/1",
        "article|Li, Wei|2015|Growth of zebrafish embryos in cold water",
        "article|Smith, John|2001|Proteins of the deep sea",
        "article|Smith, J|2001|Proteins of the deep sea|doi=10.1000/2",
        "article|Li, W.|2015|Growth of zebrafish embryos in cold water|pages=3",
        "article|Smith, J|2001|Protein of the deep sea|doi=10.1000/1",
    ]
    .into_iter()
    .map(item)
    .collect();
    let index = Index::new(&items);
    assert_eq!(groups(&index), [vec![0, 2, 5], vec![1, 4]]);
    let like: Vec<usize> = index
        .like(&items[2])
        .iter()
        .map(|found| found.index)
        .collect();
    assert_eq!(like, [0, 2, 3, 5]);
}

#[test]
fn thousands_of_equal_titles_are_no_trouble() {
    let items: Vec<Item> = (0..2000)
        .map(|n| item(&format!("article|Smith, J|2001|Editorial|doi=10.1000/{n}")))
        .collect();
    assert!(groups(&Index::new(&items)).is_empty());
    let items: Vec<Item> = (0..2000)
        .map(|_| item("article|Smith, J|2001|Editorial note of the board"))
        .collect();
    assert_eq!(groups(&Index::new(&items)).len(), 1);
}

fn groups(index: &Index) -> Vec<Vec<usize>> {
    index.groups(&Budget::unlimited()).unwrap()
}

#[test]
fn work_grows_with_the_list_and_no_faster() {
    let steps = |n: usize| {
        let items: Vec<Item> = (0..n)
            .map(|_| item("article|Smith, J|2001|Editorial note of the board"))
            .collect();
        let budget = Budget::unlimited();
        Index::new(&items).groups(&budget).unwrap();
        budget.steps()
    };
    let (one, ten, hundred) = (steps(50), steps(500), steps(5_000));
    assert!(ten <= 20 * one, "{one}, {ten}");
    assert!(hundred <= 11 * ten, "{ten}, {hundred}");
}

#[test]
fn search_for_duplicates_stops_where_the_budget_ends() {
    let items: Vec<Item> = (0..100)
        .map(|_| item("article|Smith, J|2001|Editorial note of the board"))
        .collect();
    let limit = 1_000;
    let found = Index::new(&items).groups(&Budget::new(limit, u64::MAX));
    assert_eq!(found, Err(Exceeded::Steps { limit }));
}
