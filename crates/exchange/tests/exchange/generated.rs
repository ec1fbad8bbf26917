//! Items of every type with values of every kind that files hold: whole and broken, from clean records and from
//! programs that put anything into any field.

use citation_model::item_type::ItemType;
use citation_testing::Random;
use serde_json::{Map, Value, json};

/// A variable and the values that it may have.
struct Values {
    variables: &'static [&'static str],
    texts: &'static [&'static str],
}

/// Texts of titles and of other names of things.
const WORDS: &[&str] = &[
    "A title",
    "On <i>E. coli</i> & x < 2: H<sub>2</sub>O",
    "What is {this}? $x_1$ 50% #3 a_b ~ ^ \\emph{c}",
    "It's “quoted” – and \"so\"",
    "Ends with a stop.",
    "Ends with an ellipsis...",
    "the U.S.",
    "Name, with a comma; and a semicolon",
    "a: b: c",
    "<b>Bold</b> and <i>both</i>",
    "<span class=\"nocase\">mRNA</span> in McDonald's DNA",
    "Über die naïve Ångström-Straße",
    "中文标题 和 العربية",
    "[Bracketed]",
    "- a list",
    "yes",
    "12",
    "1999",
    "null",
    "ER  - ",
    "AU  - Doe",
    "%A Doe",
    "@article{x,",
    "Volume 3, number 4",
    "Proceedings of the 3rd Conference (ABC 2019), Rome, Italy, 3-5 May 2019",
    "#1",
    "Ph.D. thesis",
    "et al.",
    "n.d.",
];

/// Texts of several lines.
const LINES: &[&str] = &[
    "One line.\nAnother line.",
    "One\ntwo\nthree",
    "One.\n\nTwo.",
    "Ends:\n",
    "<p>First.</p>\n<p>Second <i>one</i>.</p>",
    "<p>First.</p><p>Second.</p>",
    "a<br/>b",
    "Version: 2\nRest",
    "original-date: 1899",
    "tex.key: value",
    "AU  - Doe\nER  - ",
    "%A Doe\n%0 Book",
    "\ttabs\tand  blanks ",
    "A line of as many words as fit into it, which ends with a stop by chance here.\nAnd more.",
    "- one\n- two",
    "{\"a\": 1}",
    "Cited by: 7; Export Date: 3 May 2019",
    "4 < 5 && 6 > 5",
    "“Quoted.”\n(In brackets)\nend",
];

const VALUES: &[Values] = &[
    Values {
        variables: &[
            "title",
            "title-short",
            "container-title",
            "container-title-short",
            "collection-title",
            "event-title",
            "original-title",
            "reviewed-title",
            "volume-title",
            "publisher",
            "publisher-place",
            "event-place",
            "genre",
            "medium",
            "archive",
            "archive_location",
            "call-number",
            "authority",
            "division",
            "source",
            "status",
            "license",
            "dimensions",
            "scale",
            "jurisdiction",
        ],
        texts: WORDS,
    },
    Values {
        variables: &["abstract", "note", "annote"],
        texts: LINES,
    },
    Values {
        variables: &["abstract", "note"],
        texts: WORDS,
    },
    Values {
        variables: &["keyword"],
        texts: &[
            "ants",
            "ants, bees",
            "ants; bees, and wasps",
            "a/b, <i>c</i>",
        ],
    },
    Values {
        variables: &["page"],
        texts: &[
            "101-109",
            "101–9",
            "7",
            "e12",
            "e12-e19",
            "S1-S3",
            "iv-xii",
            "1-3, 7-9",
            "1-1",
            "162a-165",
            "xx + 300 p.",
            "300 p",
            "A5",
            "1:3-1:9",
            "12-",
        ],
    },
    Values {
        variables: &[
            "volume",
            "issue",
            "number",
            "edition",
            "version",
            "section",
            "chapter-number",
            "collection-number",
            "number-of-volumes",
            "part-number",
            "supplement-number",
        ],
        texts: &[
            "1",
            "12",
            "3-4",
            "2nd",
            "second",
            "IV",
            "Suppl 2",
            "12 (3)",
            "A-17",
            "e5",
            "2019",
            "1.0.3",
            "PhD thesis",
            "3 May",
            "300",
        ],
    },
    Values {
        variables: &["number-of-pages"],
        texts: &["300", "12"],
    },
    Values {
        variables: &["ISBN"],
        texts: &[
            "9780306406157",
            "978-0-306-40615-7",
            "9780306406157, 9783161484100",
            "9780306406157 9783161484100",
            "0-306-40615-2 (paper); 9783161484100 (e-book)",
            "1234",
            "2049-3630",
        ],
    },
    Values {
        variables: &["ISSN"],
        texts: &[
            "2049-3630",
            "20493630",
            "2049-3630, 1234-5679",
            "2049-3630 (Print) 1234-5679 (Online)",
            "1234-1234",
        ],
    },
    Values {
        variables: &["DOI"],
        texts: &[
            "10.5555/abc",
            "10.1002/(SICI)1097<1:AID-X>3.0.CO;2-#",
            "10.5555/a_b{c}",
            "not a DOI",
        ],
    },
    Values {
        variables: &["URL"],
        texts: &[
            "https://example.org/a?b=c&d=e_f#g%20h~i",
            "https://doi.org/10.5555/abc",
            "example.org",
            "https://www.ncbi.nlm.nih.gov/pubmed/77",
        ],
    },
    Values {
        variables: &["PMID"],
        texts: &["12345678"],
    },
    Values {
        variables: &["PMCID"],
        texts: &["PMC1234567"],
    },
    Values {
        variables: &["language"],
        texts: &["en", "de-DE", "English", "klingon", "eng; fre"],
    },
];

const NAME_VARIABLES: &[&str] = &[
    "author",
    "editor",
    "translator",
    "collection-editor",
    "container-author",
    "director",
    "composer",
    "performer",
    "interviewer",
    "recipient",
    "contributor",
    "reviewed-author",
];

const DATE_VARIABLES: &[&str] = &[
    "issued",
    "issued",
    "accessed",
    "event-date",
    "original-date",
    "submitted",
    "available-date",
];

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(from.len())]
}

fn name(random: &mut Random) -> Value {
    match random.below(16) {
        0 => json!({"literal": "World Health Organization"}),
        1 => json!({"literal": "Roe, Doe, and Company"}),
        2 => json!({"literal": "Ministry of Ants, Section of Bees; Office 4"}),
        3 => json!({"literal": "{NASA} and the ESA"}),
        4 => json!({"literal": "UNESCO and the Bank of Roe"}),
        5 => json!({"family": "Plato"}),
        6 => {
            json!({"family": "Berg", "given": "Al", "non-dropping-particle": "van der", "suffix": "Jr."})
        }
        7 => json!({"family": "Humboldt", "given": "A.", "dropping-particle": "von"}),
        8 => json!({"family": "Doe", "given": "J. Q.", "suffix": "III"}),
        9 => json!({"family": "Roe Poe", "given": "Jean-Luc"}),
        10 => json!({"family": "王", "given": "小明"}),
        11 => json!({"family": "O’Doe", "given": "Zoë"}),
        12 => json!({"family": "De Roe", "given": "M."}),
        13 => json!({"family": "Doe and Sons", "given": "J."}),
        _ => json!({"family": "Doe", "given": "Jane"}),
    }
}

fn date(random: &mut Random) -> Value {
    match random.below(12) {
        0 => json!({"date-parts": [[2001]]}),
        1 => json!({"date-parts": [[2001, 5]]}),
        2 => json!({"date-parts": [[2001, 5, 3]]}),
        3 => json!({"date-parts": [[2001], [2003]]}),
        4 => json!({"date-parts": [[2001, 4, 30], [2001, 5, 3]]}),
        5 => json!({"date-parts": [[2001, 1], [2001, 2]]}),
        6 => json!({"date-parts": [[1850]], "circa": true}),
        7 => json!({"date-parts": [[1850], [1855]], "circa": true}),
        8 => json!({"date-parts": [[2007]], "season": 3}),
        9 => json!({"literal": "in press"}),
        10 => json!({"raw": "2004/.."}),
        _ => json!({"date-parts": [[2019, 12, 30], [2020, 1, 2]]}),
    }
}

/// An item as CSL-JSON.
pub fn item(random: &mut Random) -> Map<String, Value> {
    let mut item = Map::new();
    let kind = ItemType::ALL[random.below(ItemType::ALL.len())];
    // Many files have little else than articles, books and parts of books.
    let common = [
        "article-journal",
        "book",
        "chapter",
        "paper-conference",
        "report",
        "thesis",
        "webpage",
    ];
    let kind = match random.below(2) {
        0 => pick(random, &common),
        _ => kind.csl(),
    };
    item.insert("type".to_owned(), json!(kind));
    item.insert(
        "id".to_owned(),
        json!(pick(random, &["doe2001", "Doe:2001a", "x/y_1", "12"])),
    );
    if random.below(10) > 0 {
        item.insert("title".to_owned(), json!(pick(random, WORDS)));
    }
    for _ in 0..random.below(8) {
        let values = &VALUES[random.below(VALUES.len())];
        let variable = pick(random, values.variables);
        item.insert(variable.to_owned(), json!(pick(random, values.texts)));
    }
    for _ in 0..random.below(4) {
        let count = 1 + random.below(3);
        // An institution is once in a list: readers take a second one for a slip.
        let mut names: Vec<Value> = Vec::new();
        for name in (0..count).map(|_| name(random)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        item.insert(pick(random, NAME_VARIABLES).to_owned(), names.into());
    }
    for _ in 0..random.below(3) {
        let variable = pick(random, DATE_VARIABLES);
        let mut value = date(random);
        // Only works appear in words, and a work is read on a day.
        let is_odd = |value: &Value| {
            let is_range = value["date-parts"]
                .as_array()
                .is_some_and(|parts| parts.len() > 1);
            let is_open = value.get("raw").is_some() || value.get("circa").is_some();
            value.get("literal").is_some() || variable == "accessed" && (is_range || is_open)
        };
        while variable != "issued" && is_odd(&value) {
            value = date(random);
        }
        item.insert(variable.to_owned(), value);
    }
    if item.contains_key("number-of-pages") {
        item.remove("page");
    }
    // They say the same.
    if item
        .get("note")
        .is_some_and(|note| note == "original-date: 1899")
    {
        item.remove("original-date");
    }
    // A series has a title before it has editors.
    if item.contains_key("collection-editor") {
        item.entry("collection-title").or_insert(json!("A series"));
    }
    item
}
