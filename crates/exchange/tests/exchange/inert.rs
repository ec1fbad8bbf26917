//! Written TeX, tables and links contain nothing active, whatever an item has in its fields; and they are read back
//! as they were.

use citation_exchange::{BIBLATEX, BIBTEX, CSL_JSON, CSV, Format, WriteOptions};
use citation_model::date::Date;
use citation_model::inert::tex::{Token, is_listed, tokens};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use serde_json::Value;

use super::{items_of, read, write};

/// Texts that TeX, BibTeX or a style would run or stumble over.
const ATTACKS: &[&str] = &[
    "$\\immediate\\write18{id > x}y$",
    "$\\hbox{\\input{/etc/hostname}}$",
    "\\catcode`\\@=0 @input",
    "\\csname input\\endcsname x",
    "^^5cinput x",
    "$^^5cinput\\alpha$",
    "a\\^^5cinput",
    "\\def\\x{\\input}",
    "\\loop\\iftrue\\repeat",
    "\\directlua{os.execute('id')}",
    "\\openin1=x",
    "\\special{dvi}",
    "\\href{javascript:alert(1)}{x}",
    "\\verb|x| \\endverb\\input x",
    "$\\begin{filecontents}{x}\\end{filecontents}\\alpha$",
    "$\\begin{array}{>{\\input{x}}c}\\end{array}$",
    "}\\input{x",
    "{\\input{x}",
    "$\\{ } \\frac{a}{b} { \\}$",
    "a % b # c & d _ e ~ f ^ g $ h",
    "},\n@string{a = {b}}\n@preamble{\"\\input x\"}\n@comment{",
    "\\",
    "<i>\\input x</i>",
    "a\u{0}b\u{1b}c\\\u{7f}input",
];

fn attacked(kind: ItemType, attack: &str) -> Item {
    let mut item = Item::new(attack, kind);
    for variable in TextVar::ALL {
        item.set_text(*variable, attack);
    }
    for variable in NumberVar::ALL {
        item.set_number(*variable, attack);
    }
    for variable in NameVar::ALL {
        let person = Name {
            non_dropping_particle: Some(attack.to_owned()),
            suffix: Some(attack.to_owned()),
            orcid: Some(attack.to_owned()),
            ..Name::person(attack, attack)
        };
        item.set_names(*variable, vec![person, Name::literal(attack)]);
    }
    for variable in DateVar::ALL {
        let date = Date {
            literal: Some(format!("–{attack}")),
            ..Date::default()
        };
        item.set_date(*variable, date);
    }
    for field in [
        "file", "ids", "options", "crossref", "execute", "odd", "eprint", "doi", "location", attack,
    ] {
        item.custom.insert(field.to_owned(), Value::from(attack));
    }
    item
}

fn check_tex(written: &str, attack: &str) {
    for token in tokens(written) {
        match token {
            Token::Command(name) => {
                assert!(is_listed(name), "\\{name} of {attack:?} in\n{written}")
            }
            Token::Notation => panic!("^^ of {attack:?} in\n{written}"),
            Token::Character(c) => assert!(c == '\n' || !c.is_control(), "{c:?} in\n{written}"),
        }
    }
}

#[test]
fn written_tex_has_only_commands_of_the_lists() {
    let ways = [
        (&BIBTEX, false),
        (&BIBLATEX, false),
        (&BIBTEX, true),
        (&BIBLATEX, true),
    ];
    let mut next = ways.iter().cycle();
    for attack in ATTACKS {
        // Each attack meets every type, and every way of writing with some types.
        for &kind in ItemType::ALL {
            let item = attacked(kind, attack);
            let (format, latex) = *next.next().unwrap();
            let written = write(&[item], format, &WriteOptions { latex });
            check_tex(&written, attack);
            let reading = read(&written, format);
            let found = (reading.items.len(), reading.total);
            assert_eq!(found, (1, 1), "{attack:?} in\n{written}");
        }
    }
}

/// One field at a time, so that a value that is lost is seen.
#[test]
fn attacks_come_back_as_text() {
    let check = |item: Item| {
        for format in [&BIBTEX, &BIBLATEX] {
            let written = write(
                std::slice::from_ref(&item),
                format,
                &WriteOptions::default(),
            );
            let read = items_of(&written, format);
            assert_eq!(read, std::slice::from_ref(&item), "{written}");
        }
    };
    for attack in ATTACKS
        .iter()
        .filter(|attack| !attack.contains(['\n', '\u{0}']))
    {
        for variable in [
            TextVar::Title,
            TextVar::Publisher,
            TextVar::Url,
            TextVar::Isbn,
            TextVar::Issn,
            TextVar::Abstract,
        ] {
            let mut item = Item::new("k", ItemType::Article);
            item.set_text(TextVar::CitationKey, "k");
            // An address ends at a blank.
            let text = match variable {
                TextVar::Url => attack.replace(' ', ""),
                _ => attack.to_string(),
            };
            if text.contains("<i>") && !matches!(variable, TextVar::Title | TextVar::Abstract) {
                continue;
            }
            item.set_text(variable, text);
            check(item);
        }
        let mut item = Item::new("k", ItemType::Article);
        item.set_text(TextVar::CitationKey, "k");
        item.custom.insert("file".to_owned(), Value::from(*attack));
        check(item);
    }
}

#[test]
fn formulas_of_mathematics_stay() {
    for formula in [
        "$\\frac{a}{b}$",
        "$\\mathbb{Z}_2 \\rtimes \\widehat{G}$",
        "$\\begin{pmatrix} \\frac{a}{b} & c \\end{pmatrix}$",
    ] {
        let mut item = Item::new("k", ItemType::Article);
        item.set_text(TextVar::Title, formula);
        let written = write(&[item], &BIBTEX, &WriteOptions::default());
        assert!(written.contains(formula), "{written}");
    }
}

const FORMULAS: &[&str] = &[
    "=HYPERLINK(\"http://x\",\"y\")",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "'=1",
    "''@x",
    "'t Hooft",
    "a;=b",
];

#[test]
fn cells_of_a_table_are_no_formulas_and_come_back() {
    for formula in FORMULAS {
        let mut item = Item::new("k", ItemType::Article);
        for variable in [
            TextVar::Title,
            TextVar::ContainerTitle,
            TextVar::Publisher,
            TextVar::Abstract,
        ] {
            item.set_text(variable, *formula);
        }
        let name = Name::literal(&formula.replace([',', ';'], ""));
        item.set_names(NameVar::Author, vec![name]);
        let written = write(std::slice::from_ref(&item), &CSV, &WriteOptions::default());
        for cell in written.split(',') {
            let cell = cell.trim_start_matches('"');
            assert!(
                !cell.starts_with(['=', '+', '-', '@']),
                "{cell} in {written}"
            );
        }
        let read = items_of(&written, &CSV);
        for variable in [
            TextVar::Title,
            TextVar::ContainerTitle,
            TextVar::Publisher,
            TextVar::Abstract,
        ] {
            assert_eq!(read[0].text(variable), Some(*formula), "{written}");
        }
    }
}

#[test]
fn only_addresses_are_bookmarks() {
    let format = Format::named("bookmarks").unwrap();
    for address in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        " javascript:x",
    ] {
        let json = serde_json::json!({"type": "webpage", "title": "T", "URL": address}).to_string();
        let written = write(
            &items_of(&json, &CSL_JSON),
            format,
            &WriteOptions::default(),
        );
        assert!(!written.contains("HREF"), "{written}");
    }
}
