use super::*;
use crate::{BIBTEX, read};

/// Writes without a limit.
fn write(items: &[Item], dialect: Dialect, options: &WriteOptions) -> String {
    super::write(items, dialect, options, &Budget::unlimited()).unwrap()
}

fn items(text: &str) -> Vec<Item> {
    let reading = read(&text.into(), &BIBTEX, &Budget::unlimited()).unwrap();
    reading.items.into_iter().map(|read| read.item).collect()
}

/// The fields of one entry after it is read and written again.
#[track_caller]
fn check(fields: &str, expected: &str) {
    let read = items(&format!("@article{{k, {fields}}}"));
    let written = write(&read, Dialect::Bibtex, &WriteOptions::default());
    assert_eq!(
        written,
        format!("@article{{k,\n  {expected},\n}}\n"),
        "{fields}"
    );
    assert_eq!(items(&written), read, "{written}");
}

/// Checks that an entry reads back in both dialects and both encodings.
#[track_caller]
fn reads_back(entry: &str) {
    let read = items(entry);
    for dialect in [Dialect::Bibtex, Dialect::Biblatex] {
        for latex in [false, true] {
            let written = write(&read, dialect, &WriteOptions { latex });
            assert_eq!(items(&written), read, "{written}");
            assert!(!latex || written.is_ascii(), "{written}");
        }
    }
}

#[test]
fn names() {
    let check = |names: &str| {
        check(
            &format!("author = {{{names}}}"),
            &format!("author = {{{names}}}"),
        )
    };
    check("Curie, Marie and van der Berg, Anna and King, Jr., Martin Luther");
    check("{Barnes and Noble, Inc.} and others");
    check("Plato and Du Bois, {}");
    check("van {Iliad of Ipswich}, {Ian}");
    check("{Iliad of Ipswich}, {Ian}");
    reads_back("@book{k, author = {{\\\"O}zg{\\\"u}r, {\\'E}. and Erd{\\H o}s, P.}}");
    reads_back("@book{k, author = {de Lamartine, Alphonse}, options = {useprefix=false}}");
}

#[test]
fn text_and_addresses() {
    check(
        "title = {R\\&D at 50\\%: a\\_b}",
        "title = {R\\&D at 50\\%: a\\_b}",
    );
    check(
        "title = {The {DNA} of {\\em x}}",
        "title = {The {DNA} of \\emph{x}}",
    );
    check(
        "url = {http://x.org/a_b%20c#d}",
        "url = {http://x.org/a_b%20c#d}",
    );
    check("pages = {12-34}", "pages = {12--34}");
    check(
        "journal = {Nature \\& Co.}, issue = 4",
        "journal = {Nature \\& Co.},\n  number = {4}",
    );
    reads_back(
        "@book{k, publisher = {{Barnes and Noble}}, address = {K{\\o}benhavn}, note = {a -- b}}",
    );
    reads_back("@misc{k, eprint = {1234.5678}, archiveprefix = {arXiv}, primaryclass = {cs.CL}}");
    reads_back(
        "@article{k, eprint = {123}, eprinttype = {jstor}, odd = {x & y}, file = {a_b:c.pdf:PDF}}",
    );
}

#[test]
fn dates() {
    check("date = {2004}", "year = {2004}");
    check(
        "date = {2004-07-14}",
        "year = {2004},\n  month = jul,\n  day = {14}",
    );
    check(
        "year = 2004, month = {jul--aug}",
        "year = {2004},\n  month = jul # {--} # aug",
    );
    check("date = {1988/1992}", "year = {1988--1992}");
    check("date = {2001-21}", "year = {2001},\n  month = {Spring}");
    check("date = {2004/..}", "year = {2004},\n  date = {2004/..}");
    check("year = {in press}", "year = {in press}");
    reads_back("@book{k, date = {1984~}, urldate = {2020-01-02}, origdate = {-0044}}");
}

#[test]
fn kinds_read_back() {
    for &kind in ItemType::ALL {
        for dialect in [Dialect::Bibtex, Dialect::Biblatex] {
            let mut item = Item::new("k", kind);
            item.set_text(TextVar::CitationKey, "k");
            item.set_text(TextVar::Genre, "Some kind");
            item.set_number(NumberVar::Number, "7");
            item.set_text(TextVar::ContainerTitle, "Around");
            item.set_text(TextVar::Url, "http://x.org");
            let written = write(
                std::slice::from_ref(&item),
                dialect,
                &WriteOptions::default(),
            );
            assert_eq!(items(&written), [item], "{written}");
        }
    }
}

#[test]
fn roles_and_titles_read_back() {
    reads_back(
        "@incollection{k, title = {T}, booktitle = {B}, maintitle = {M}, series = {S}, number = 3}",
    );
    reads_back(
        "@book{k, title = {T}, maintitle = {M}, editor = {A, B}, editora = {C, D}, editoratype = {compiler}}",
    );
    reads_back("@movie{k, title = {T}, director = {A, B}, producer = {C, D}}");
    reads_back(
        "@movie{k, entrysubtype = {film}, title = {T}, langid = {german}, language = {english}}",
    );
    reads_back("@mastersthesis{k, title = {T}, school = {S}}");
    reads_back(
        "@inproceedings{k, title = {T}, address = {A}, location = {L}, organization = {O}, publisher = {P}}",
    );
    reads_back("@strange{k, title = {T}, language = {ngerman}, keywords = {a, b}}");
}

#[test]
fn capitals_inside_words_are_protected() {
    let read = items("@article{k, title = {The mRNA of mice}}");
    let written = write(&read, Dialect::Bibtex, &WriteOptions::default());
    assert!(
        written.contains("title = {The {mRNA}{} of mice}"),
        "{written}"
    );
}

#[test]
fn repeated_and_unmapped_fields_come_back() {
    reads_back("@book{k, title = {T}, doi = {10.1000/a, 10.1000/b}}");
    reads_back("@book{k, title = {T}, annote = {A}, annotation = {B}}");
    let doi = items("@book{k, doi = {10.1000/a, https://doi.org/10.1000/B}}");
    assert_eq!(doi[0].text(TextVar::Doi), Some("10.1000/a"));
    assert_eq!(doi[0].custom["doi"], "10.1000/b");
    for kind in [ItemType::Article, ItemType::Book, ItemType::Chapter] {
        for container in ["", "C"] {
            let mut item = Item::new("k", kind);
            item.set_text(TextVar::CitationKey, "k");
            item.set_text(TextVar::VolumeTitle, "V");
            item.set_text(TextVar::ContainerTitle, container);
            item.set_text(TextVar::References, "R");
            for dialect in [Dialect::Bibtex, Dialect::Biblatex] {
                let written = write(
                    std::slice::from_ref(&item),
                    dialect,
                    &WriteOptions::default(),
                );
                assert_eq!(items(&written), [item.clone()], "{written}");
            }
        }
    }
}
