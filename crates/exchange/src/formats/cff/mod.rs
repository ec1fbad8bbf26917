//! `CITATION.cff`, the Citation File Format (schema 1.2.0 and earlier): one software or dataset, what to
//! cite instead, and its references.

pub(crate) mod kinds;
mod read;
mod write;

use crate::content::Content;
use crate::format::{Format, KeyRule};
use crate::syntax::tokens;
use crate::syntax::yaml::outline;
use read::read;
use write::write;

pub static CFF: Format = Format {
    id: "cff",
    title: "CITATION.cff",
    media_types: &["application/vnd.citation-file-format+yaml"],
    extensions: &["cff"],
    recognise: |content, _| recognise(content),
    read: Some(|content, budget| read(content.text(), budget)),
    write: Some(|items, _, budget| write(items, budget)),
    keys: KeyRule::Optional,
    tokens: &[
        tokens::YAML,
        &[
            "cff-version: 1.2.0\n",
            "title: ",
            "authors:\n",
            "  - family-names: ",
            "references:\n",
            "  - type: book\n",
            "preferred-citation:\n",
            "doi: ",
        ],
    ],
};

fn recognise(content: &Content<'_>) -> bool {
    let is_version =
        |line: &crate::syntax::yaml::Line<'_>| line.key == "cff-version" && line.indent == 0;
    outline(content).iter().any(is_version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::budget::Budget;
    use citation_model::item::Item;
    use citation_model::item_type::ItemType;
    use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

    fn items(text: &str) -> Vec<Item> {
        let reading = read(text, &Budget::unlimited()).unwrap();
        assert_eq!(reading.problems, [], "{text}");
        reading.items.into_iter().map(|read| read.item).collect()
    }

    const HEAD: &str =
        "cff-version: 1.2.0\nmessage: Cite it.\ntitle: Tool\nauthors:\n  - name: The Team\n";

    #[test]
    fn preferred_citation_comes_first() {
        let read = items(&format!(
            "{HEAD}version: 1.10\ndate-released: 2020-02-03\nidentifiers:\n  - {{type: doi, value: 10.5555/x}}\n\
             references:\n  - type: article\n    title: R\n    authors: [{{family-names: Doe, given-names: Jo}}]\n\
             preferred-citation:\n  type: conference-paper\n  title: P\n  authors: [{{alias: jd}}]\n  \
             collection-title: Proc\n  start: 10\n  end: 12\n  year: 2016\n  month: 12\n  conference: {{name: C, city: Austin, country: US}}\n"
        ));
        let titles: Vec<_> = read
            .iter()
            .map(|item| item.text(TextVar::Title).unwrap())
            .collect();
        assert_eq!(titles, ["P", "Tool", "R"]);
        assert_eq!(read[1].kind, ItemType::Software);
        assert_eq!(read[1].number(NumberVar::Version), Some("1.10"));
        assert_eq!(read[1].text(TextVar::Doi), Some("10.5555/x"));
        assert_eq!(
            read[1].names(NameVar::Author)[0].literal.as_deref(),
            Some("The Team")
        );
        assert_eq!(read[0].text(TextVar::ContainerTitle), Some("Proc"));
        assert_eq!(read[0].text(TextVar::EventPlace), Some("Austin, US"));
        assert_eq!(read[0].number(NumberVar::Page), Some("10-12"));
        assert_eq!(read[0].date(DateVar::Issued).unwrap().edtf(), "2016-12");
    }

    #[test]
    fn a_head_that_says_nothing_of_its_own_is_no_item() {
        let read = items(&format!(
            "{HEAD}preferred-citation: {{type: book, title: Tool, authors: [{{name: The Team}}], year: 2001}}\n"
        ));
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].kind, ItemType::Book);
    }

    #[test]
    fn other_yaml_is_refused() {
        let reading = read("test: 123\n", &Budget::unlimited()).unwrap();
        assert_eq!((reading.items.len(), reading.total), (0, 1));
        assert_eq!(reading.problems[0].code, "not_cff");
    }

    #[test]
    fn work_without_a_title_is_read() {
        let read = items("cff-version: '1.2.0'\npreferred-citation: {type: generic}\n");
        assert_eq!(read.len(), 1);
        let written = write(&[Item::default()], &Budget::unlimited()).unwrap();
        assert_eq!(items(&written).len(), 1, "{written}");
    }

    #[test]
    fn written_items_read_back() {
        let check = |text: &str| {
            let first = items(text);
            let written = write(&first, &Budget::unlimited()).unwrap();
            let again = items(&written);
            assert_eq!(again, first, "{written}");
        };
        check(&format!(
            "{HEAD}version: '2'\nlicense: MIT\nkeywords: [a, b]\nabstract: A.\nurl: https://x.org\n"
        ));
        check(&format!("{HEAD}type: dataset\ndoi: 10.5555/x\n"));
        check(&format!(
            "{HEAD}preferred-citation:\n  type: thesis\n  thesis-type: PhD\n  title: Tool\n  \
             authors: [{{family-names: Berg, given-names: A., name-particle: van, name-suffix: Jr., orcid: 'https://orcid.org/0000-0002-1825-0097'}}]\n  \
             institution: {{name: Uni, city: Bern}}\n  department: D\n  date-published: 2001-02-03\n  pages: 200\n\
             references:\n  - {{type: article, title: R, authors: [{{name: X}}], journal: J, volume: 1, issue: 2, start: 5, end: 9, issn: 1234-5679, year: 2001, month: 5}}\n  \
             - {{type: book, title: B, editors: [{{name: X}}], collection-title: S, publisher: {{name: P, city: Rome}}, isbn: '9780306406157', edition: 2nd, languages: [de], notes: N}}\n"
        ));
    }

    #[test]
    fn nothing_is_still_valid_yaml() {
        let written = write(&[], &Budget::unlimited()).unwrap();
        assert!(written.starts_with("cff-version: \"1.2.0\"\n"), "{written}");
        assert_eq!(items(&written), []);
    }
}
