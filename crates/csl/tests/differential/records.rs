//! Random items as registries and reference managers export them: ordinary values, with the blemishes that
//! records have.

use serde_json::{Map, Value, json};

use citation_testing::Random;

use super::items::{chance, pick};

const KINDS: &[&str] = &[
    "article-journal",
    "article-journal",
    "article-journal",
    "article-journal",
    "article-journal",
    "article-journal",
    "book",
    "book",
    "chapter",
    "chapter",
    "paper-conference",
    "paper-conference",
    "report",
    "thesis",
    "webpage",
    "article",
    "article-newspaper",
    "dataset",
    "legal_case",
    "manuscript",
];

const TITLES: &[&str] = &[
    "Clinical features of patients infected with 2019 novel coronavirus in Wuhan, China.",
    "Deep residual learning for image recognition",
    "R&amp;D spillovers and the case for industrial policy in an open economy",
    "Measurement of the <i>B</i><sup>0</sup> lifetime at √<i>s</i> = 13 TeV",
    "ImageNet Large Scale Visual Recognition Challenge (ILSVRC): Results & Lessons",
    "What do we know about “fake news”? A review",
    "The Structure of Scientific Revolutions: 50th Anniversary Edition",
    "COVID-19 and the gut–lung axis",
    "Corrigendum to “Water use in agriculture” [J. Hydrol. 590 (2020) 125–138]",
    "Why the world needs anthropologists / edited by Dan Podjed",
    "EFFECT OF PH ON THE GROWTH OF E. COLI",
    "Zur Theorie der Gesellschaftsspiele",
    "L’invention du quotidien, 1 : Arts de faire",
    "La construcción social de la realidad",
    "How to do things with words; the William James lectures, 1955.",
    "\"Hearing voices\" in everyday life",
    "Living with 'difficult' neighbours",
    "Is there a duty to obey the law?",
    "10 simple rules for writing a paper!",
];

const JOURNALS: &[(&str, &str)] = &[
    ("The Lancet", "The Lancet"),
    (
        "Journal of Machine Learning Research",
        "J. Mach. Learn. Res.",
    ),
    (
        "Proceedings of the National Academy of Sciences of the United States of America",
        "PNAS",
    ),
    (
        "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        "IEEE Trans. Pattern Anal. Mach. Intell.",
    ),
    ("Phys. Rev. D", "Phys. Rev. D"),
    ("Revue française de sociologie", ""),
    ("Zeitschrift für Soziologie", ""),
    ("Science (New York, N.Y.)", "Science"),
];

const FAMILIES: &[&str] = &[
    "Wang",
    "Wang",
    "Zhang",
    "Li",
    "Smith",
    "Smith",
    "Müller",
    "García-López",
    "van der Berg",
    "de Souza",
    "Le Guin",
    "McDonald",
    "O'Brien",
    "Kim",
    "Nguyen",
    "Brown",
    "Sørensen",
    "Ben-David",
    "Da Silva",
];

const GIVEN: &[&str] = &[
    "Jing",
    "Jun",
    "J.",
    "J. D.",
    "Jane D.",
    "John",
    "Wei",
    "Jia-Wei",
    "M.-J.",
    "Maria",
    "Anne-Marie",
    "P.A.",
    "Thomas H",
    "TH",
    "José Luis",
    "Klaus-Dieter",
    "Yi",
    "Jean-Luc",
];

const INSTITUTIONS: &[&str] = &[
    "World Health Organization",
    "ATLAS Collaboration",
    "U.S. Department of Energy",
    "European Commission. Joint Research Centre.",
    "R Core Team",
];

const PAGES: &[&str] = &[
    "497-506",
    "S12-S18",
    "123–45",
    "e1–e10",
    "iv-x",
    "1-22",
    "105001",
    "e0217865",
    "12",
    "1024-1030, 1045",
    "L12-L16",
    "497–506.e5",
    "211–52",
    "1–3",
    "eaaw1234",
    "1877-901",
    "33-33",
];

const LANGUAGES: &[&str] = &["en", "en-US", "eng", "English", "de", "fr", "es", "pt-BR"];

fn person(random: &mut Random) -> Value {
    let (family, given) = (pick(random, FAMILIES), pick(random, GIVEN));
    match random.below(20) {
        0 => {
            json!({"family": family, "given": given, "suffix": pick(random, &["Jr.", "Jr", "III"])})
        }
        1 => json!({"family": "Beauvoir", "given": given, "non-dropping-particle": "de"}),
        2 => json!({"family": "Humboldt", "given": given, "dropping-particle": "von"}),
        3 => json!({"literal": pick(random, INSTITUTIONS)}),
        _ => json!({"family": family, "given": given}),
    }
}

fn people(random: &mut Random) -> Value {
    let count = pick(random, &[1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 11, 25]);
    match random.below(20) {
        0 => json!([{"literal": pick(random, INSTITUTIONS)}]),
        _ => (0..count).map(|_| person(random)).collect(),
    }
}

fn issued(random: &mut Random) -> Value {
    let year = 2012 + random.below(12);
    match random.below(24) {
        0 => json!({"date-parts": [[year]], "season": pick(random, &["1", "2", "3", "4"])}),
        1 => json!({"date-parts": [[1800 + random.below(150)]], "circa": true}),
        2 => json!({"literal": pick(random, &["n.d.", "in press", "Winter 2019"])}),
        3 => json!({"date-parts": [[year, 3, 28], [year, 4, 2]]}),
        4..11 => json!({"date-parts": [[year]]}),
        11..14 => json!({"date-parts": [[year, 1 + random.below(12)]]}),
        _ => json!({"date-parts": [[year, 1 + random.below(12), 1 + random.below(28)]]}),
    }
}

/// A record of a usual type with the variables that it has in most libraries.
pub fn record(random: &mut Random, id: usize) -> Value {
    let kind = pick(random, KINDS);
    let mut record = Map::new();
    let mut set = |name: &str, value: Value| drop(record.insert(name.into(), value));
    set("id", json!(format!("i{id}")));
    set("type", json!(kind));
    set("title", json!(pick(random, TITLES)));
    set("issued", issued(random));
    if chance(random, 95) {
        set("author", people(random));
    }
    let article = matches!(kind, "article-journal" | "article-newspaper");
    let part = matches!(kind, "chapter" | "paper-conference");
    if article {
        let (long, short) = pick(random, JOURNALS);
        set("container-title", json!(long));
        if !short.is_empty() {
            set("container-title-short", json!(short));
        }
    }
    if part {
        set("container-title", json!(pick(random, TITLES)));
        if chance(random, 70) {
            set("editor", people(random));
        }
    }
    if kind == "paper-conference" {
        set(
            "event-title",
            json!(pick(
                random,
                &[
                    "CHI ’20: CHI Conference on Human Factors in Computing Systems",
                    "2016 IEEE Conference on Computer Vision and Pattern Recognition (CVPR)"
                ]
            )),
        );
    }
    if kind == "book" && chance(random, 25) {
        let authors = random.below(2) == 0;
        set("editor", people(random));
        if authors {
            set("author", json!([]));
        }
    }
    let fields: &[(&str, bool, usize, &[&str])] = &[
        (
            "volume",
            article,
            95,
            &["395", "12", "27", "XXIII", "103-B"],
        ),
        (
            "issue",
            article,
            80,
            &["10223", "4", "1-2", "Suppl 1", "S1", "SI", "3–4"],
        ),
        ("page", article || part, 85, PAGES),
        ("number", article, 8, &["e0217865", "105001"]),
        ("ISSN", article, 60, &["0140-6736, 1474-547X"]),
        (
            "DOI",
            kind != "webpage",
            60,
            &[
                "10.1016/S0140-6736(20)30183-5",
                "10.1145/3313831.3376175",
                "10.5281/zenodo.1234",
            ],
        ),
        (
            "URL",
            true,
            60,
            &[
                "https://doi.org/10.1145/3313831.3376175",
                "http://www.who.int/report?id=1&lang=en",
                "https://www.jstor.org/stable/2117903",
            ],
        ),
        ("language", true, 45, LANGUAGES),
        (
            "publisher",
            !article,
            85,
            &[
                "Oxford University Press",
                "Springer International Publishing",
                "ACM",
                "O'Reilly Media, Inc.",
                "PUF",
                "Oxford University Press; Clarendon Press",
            ],
        ),
        (
            "publisher-place",
            !article,
            60,
            &[
                "Cambridge, MA",
                "New York, NY, USA",
                "Paris",
                "Cham",
                "Berlin, Heidelberg",
            ],
        ),
        (
            "edition",
            matches!(kind, "book" | "chapter"),
            30,
            &["2", "2nd ed", "3rd", "1st edition", "Rev."],
        ),
        (
            "volume",
            matches!(kind, "book" | "chapter"),
            20,
            &["2", "II", "11045"],
        ),
        ("number-of-volumes", kind == "book", 10, &["3"]),
        (
            "number-of-pages",
            matches!(kind, "book" | "report" | "thesis"),
            50,
            &["212", "xx, 212"],
        ),
        (
            "collection-title",
            part || kind == "book",
            25,
            &["Lecture Notes in Computer Science", "Que sais-je ?"],
        ),
        (
            "collection-number",
            part || kind == "book",
            15,
            &["11045", "42"],
        ),
        (
            "event-place",
            kind == "paper-conference",
            50,
            &["Las Vegas, NV, USA"],
        ),
        (
            "genre",
            matches!(kind, "thesis" | "report"),
            80,
            &["PhD Thesis", "Technical report", "Doctoral dissertation"],
        ),
        (
            "number",
            matches!(kind, "report" | "legal_case"),
            60,
            &["NREL/TP-5500-1234", "19-1392"],
        ),
        ("genre", kind == "article", 60, &["preprint"]),
        ("number", kind == "article", 60, &["arXiv:1512.03385"]),
        (
            "authority",
            kind == "legal_case",
            80,
            &["Supreme Court of the United States", "Bundesgerichtshof"],
        ),
        (
            "archive",
            kind == "manuscript" || chance(random, 10),
            70,
            &["Bodleian Library", "arXiv"],
        ),
        (
            "archive_location",
            kind == "manuscript",
            70,
            &["MS. Eng. 12, fol. 3"],
        ),
        ("status", true, 4, &["in press", "accepted"]),
        ("source", true, 30, &["Crossref", "DOI.org (Crossref)"]),
        (
            "ISBN",
            kind == "book" || part,
            60,
            &["978-3-319-24574-4 978-3-319-24573-7"],
        ),
        (
            "title-short",
            true,
            25,
            &["Clinical features", "What do we know?"],
        ),
        ("abstract", true, 10, &["<jats:p>We show that …</jats:p>"]),
    ];
    for (name, applies, of, values) in fields {
        if *applies && chance(random, *of) {
            set(name, json!(pick(random, values)));
        }
    }
    if kind == "webpage" {
        set("container-title", json!("BBC News"));
    }
    if chance(random, 30) {
        set(
            "accessed",
            json!({"date-parts": [[2024, 1 + random.below(12), 1 + random.below(28)]]}),
        );
    }
    if kind == "book" && chance(random, 10) {
        set(
            "original-date",
            json!({"date-parts": [[1850 + random.below(100)]]}),
        );
    }
    if matches!(kind, "book" | "chapter") && chance(random, 10) {
        set("translator", people(random));
    }
    Value::Object(record)
}
