//! References to works of every kind, generated from those of the starter corpus and a few more: a book by its
//! author and title, a chapter and its book, a report by its number, a law, software with its version, a
//! web page. Each must be verified as its kind.

use std::collections::BTreeMap;

use citation::lookup::verify::Verdict;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

use super::works::{Works, read_items};

/// Kinds of which the starter corpus has few works or none.
const MORE: &str = concat!(
    r#"{"id":"hours","type":"webpage","title":"Opening hours of the imaginary harbour office","author":[{"literal":"Office of Imaginary Waters"}],"container-title":"Imaginary Waters","URL":"https://example.org/harbour/hours","issued":{"date-parts":[[2021,3,4]]},"accessed":{"date-parts":[[2022,5,6]]}}"#,
    "\n",
    r#"{"id":"10.5555/gauge","DOI":"10.5555/gauge","type":"software","title":"Tidegauge: reading harbour instruments","version":"2.3.1","author":[{"family":"Orlov","given":"Pia"}],"publisher":"Zenodo","issued":{"date-parts":[[2020]]}}"#,
    "\n",
    r#"{"id":"timber","type":"chapter","title":"Timber, rope and patience","container-title":"The slow building of bridges","author":[{"family":"Adeyemi","given":"Folasade"}],"publisher":"Harbour Press","page":"61-88","issued":{"date-parts":[[1998]]}}"#,
    "\n",
    r#"{"id":"bridges","type":"book","title":"The slow building of bridges","editor":[{"family":"Roche","given":"Paul"}],"publisher":"Harbour Press","issued":{"date-parts":[[1998]]}}"#,
    "\n",
    r#"{"id":"tides","type":"report","title":"Tides of unnamed harbours","number":"IW-76-12","publisher":"Office of Imaginary Waters","author":[{"family":"Falk","given":"Nora"}],"issued":{"date-parts":[[1976]]}}"#,
    "\n",
    r#"{"id":"10.5555/gauges","DOI":"10.5555/gauges","type":"dataset","title":"Gauge readings of forty invented harbours","version":"3","author":[{"family":"Brenner","given":"Dora"}],"publisher":"Dryad","issued":{"date-parts":[[2016]]}}"#,
    "\n",
    r#"{"id":"case","type":"legal_case","title":"Harbour Office v. Brenner","container-title":"Reports of Imaginary Cases","volume":"5","page":"137","authority":"Court of Imaginary Waters","issued":{"date-parts":[[1957]]},"URL":"https://example.org/cases/137"}"#,
);

/// The parts of a reference to anything.
struct Parts {
    authors: Vec<(String, String)>,
    title: String,
    container: String,
    publisher: String,
    number: String,
    edition: String,
    volume: String,
    pages: String,
    year: i32,
    address: String,
    accessed: bool,
}

impl Parts {
    fn of(item: &Item) -> Option<Parts> {
        let text = |variable| item.text(variable).unwrap_or_default().to_owned();
        let number = |variable| item.number(variable).unwrap_or_default().to_owned();
        let names = [NameVar::Author, NameVar::Editor].map(|variable| item.names(variable));
        let names = names
            .into_iter()
            .find(|names| !names.is_empty())
            .unwrap_or_default();
        let number_or_version = match number(NumberVar::Number) {
            none if none.is_empty() => number(NumberVar::Version),
            number => number,
        };
        let doi = item
            .text(TextVar::Doi)
            .map(|doi| format!("https://doi.org/{doi}"));
        Some(Parts {
            authors: names
                .iter()
                .map(|name| (name.heading(), name.given.clone().unwrap_or_default()))
                .collect(),
            title: item.text(TextVar::Title)?.to_owned(),
            container: text(TextVar::ContainerTitle),
            publisher: text(TextVar::Publisher),
            number: number_or_version,
            edition: number(NumberVar::Edition),
            volume: number(NumberVar::Volume),
            pages: number(NumberVar::Page),
            year: item.year()?,
            address: doi.unwrap_or_else(|| text(TextVar::Url)),
            accessed: item.date(DateVar::Accessed).is_some() || item.kind == ItemType::Webpage,
        })
    }

    /// The reference in one of four forms.
    fn written(&self, form: usize) -> String {
        let initial = |given: &str| {
            given
                .chars()
                .next()
                .map(|c| format!("{c}."))
                .unwrap_or_default()
        };
        let names = |write: &dyn Fn(&str, &str) -> String| {
            let names = self.authors.iter().map(|(family, given)| {
                if given.is_empty() {
                    family.clone()
                } else {
                    write(family, given)
                }
            });
            names.collect::<Vec<_>>().join(", ")
        };
        let family_first = names(&|f, g| format!("{f}, {}", initial(g)));
        let given_first = names(&|f, g| format!("{} {f}", initial(g)));
        let in_full = names(&|f, g| format!("{g} {f}"));
        let part = |before: &str, text: &str, behind: &str| {
            if text.is_empty() {
                String::new()
            } else {
                format!("{before}{text}{behind}")
            }
        };
        let accessed = if self.accessed {
            " Accessed 6 May 2022."
        } else {
            ""
        };
        let year = self.year;
        let numbered = part(" (", &self.number, ")") + &part(" (", &self.edition, ". ed.)");
        match form {
            0 => format!(
                "{}({year}). {}{numbered}.{}{} {}",
                part("", &family_first, " "),
                self.title,
                part(
                    " ",
                    &self.container,
                    &(part(", ", &self.volume, "") + &part(", ", &self.pages, "") + ".")
                ),
                part(" ", &self.publisher, "."),
                self.address,
            ),
            1 => format!(
                "{}“{},”{}{}{}{} {year}{}.{accessed}",
                part("", &given_first, ", "),
                self.title,
                part(" ", &self.container, ","),
                part(" vol. ", &self.volume, ","),
                part(" ", &self.publisher, ","),
                part(" ", &self.number, ","),
                part(", pp. ", &self.pages, ""),
            ),
            2 => format!(
                "{}{}{numbered}.{}{} {year}{}{}.{accessed}",
                part("", &in_full, ". "),
                self.title,
                part(" ", &self.container, "."),
                part(" ", &self.publisher, ","),
                part(";", &self.volume, ""),
                part(":", &self.pages, ""),
            ),
            _ => format!(
                "{}{}.{} {year}.{accessed} {}",
                part("", &family_first, ": "),
                self.title,
                part(" ", &self.publisher, ","),
                self.address,
            ),
        }
    }
}

#[test]
fn works_of_every_kind_are_verified() {
    let starter = citation_embedded::starter().expect("the starter corpus");
    let mut items: Vec<Item> = serde_json::from_slice(&starter).expect("items");
    items.extend(read_items(MORE));
    let works = Works::new(items);
    let mut table: BTreeMap<&str, BTreeMap<Verdict, usize>> = BTreeMap::new();
    let (mut others, mut all, mut verified) = (Vec::new(), 0, 0);
    let of_periodicals = |item: &&Item| !item.kind.is_in_periodical();
    for item in works.items.iter().filter(of_periodicals) {
        let Some(parts) = Parts::of(item) else {
            continue;
        };
        for form in 0..4 {
            let text = parts.written(form);
            let found = works.verify(&text);
            *table
                .entry(item.kind.csl())
                .or_default()
                .entry(found.verdict)
                .or_default() += 1;
            all += 1;
            verified += usize::from(found.verdict == Verdict::Verified);
            let is_other = |work: &Item| work.kind != item.kind && work.id != item.id;
            let matched = found
                .matched
                .as_ref()
                .filter(|_| found.verdict == Verdict::Verified);
            if matched.is_some_and(|matched| is_other(&matched.work.item)) {
                others.push(text.clone());
            }
            if found.verdict != Verdict::Verified
                && std::env::var_os("CITATION_VERIFY_SHOW").is_some()
            {
                println!(
                    "{}: {} for {text}: {:?}",
                    item.kind.csl(),
                    found.verdict.as_str(),
                    found.differences
                );
            }
        }
    }
    println!(
        "| kind | references | verified | mismatch | ambiguous | not found |\n|---|---|---|---|---|---|"
    );
    for (kind, counts) in &table {
        let count = |verdict| counts.get(&verdict).copied().unwrap_or(0);
        println!(
            "| {kind} | {} | {} | {} | {} | {} |",
            counts.values().sum::<usize>(),
            count(Verdict::Verified),
            count(Verdict::Mismatch),
            count(Verdict::Ambiguous),
            count(Verdict::NotFound),
        );
    }
    assert!(
        others.is_empty(),
        "taken for works of another kind: {others:#?}"
    );
    assert!(verified * 100 >= all * 90, "{verified} of {all}");
}
