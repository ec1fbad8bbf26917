//! Random items and documents: all types, many languages, usual and unusual values.

use serde_json::{Map, Value, json};

use citation_testing::Random;

use super::records::record;

/// Item types with weights; the most cited types are the most frequent.
const KINDS: &[(&str, usize)] = &[
    ("article-journal", 30),
    ("book", 16),
    ("chapter", 14),
    ("webpage", 6),
    ("thesis", 5),
    ("report", 6),
    ("paper-conference", 6),
    ("article-newspaper", 4),
    ("article-magazine", 3),
    ("article", 3),
    ("document", 1),
    ("manuscript", 2),
    ("entry-encyclopedia", 2),
    ("entry-dictionary", 1),
    ("entry", 1),
    ("post-weblog", 2),
    ("post", 1),
    ("dataset", 2),
    ("software", 2),
    ("standard", 1),
    ("patent", 2),
    ("legal_case", 2),
    ("legislation", 2),
    ("bill", 1),
    ("regulation", 1),
    ("treaty", 1),
    ("hearing", 1),
    ("motion_picture", 2),
    ("broadcast", 1),
    ("song", 1),
    ("musical_score", 1),
    ("performance", 1),
    ("speech", 2),
    ("interview", 2),
    ("personal_communication", 1),
    ("pamphlet", 1),
    ("review", 1),
    ("review-book", 2),
    ("map", 1),
    ("figure", 1),
    ("graphic", 1),
    ("event", 1),
    ("collection", 1),
    ("classic", 1),
    ("periodical", 1),
];

const ENGLISH: &[&str] = &[
    "Deep learning for the analysis of citations",
    "The origin of species: A new look",
    "Who owns the ocean?",
    "What is to be done? The politics of water",
    "Is “peer review” dead?",
    "“Reading” the city",
    "Stop! A history of traffic lights",
    "On the role of <i>Escherichia coli</i> in soil",
    "Reduction of CO<sub>2</sub> and NO<sub>x</sub> in flue gas",
    "10<sup>th</sup> anniversary of the journal",
    "A guide to <span class=\"nocase\">iPhone</span> development",
    "SMITH V. JONES REVISITED",
    "Introduction to X-ray crystallography",
    "A note on the k-means algorithm vs. the EM algorithm",
    "Studies in the U.S. and the U.K.",
    "Annual report 2019.",
    "The end of history (and the last man)",
    "mRNA vaccines, today and tomorrow",
    "Don't panic: it's only a test",
    "War & peace in the “new” world",
    "Notes from the field",
    "Modern family law - an overview",
    "The state of the art; or, how we got here",
    "Effects of α-synuclein on neurons",
    "Why do we sleep",
    "Beyond the limits",
    "Who said “why not?”",
    "The so-called “end.”",
    "Wait for it…",
    "Hello, world!",
    "“Is it safe?” and other questions",
    "On ‘being’ and “nothing”",
    "Smith v. Jones, Inc.",
    "<i>Hamlet</i> on film",
    "<i>The waste land</i>",
    "Reading <i>Ulysses</i>",
    "The chemistry of <span style=\"font-variant:small-caps;\">d</span>-glucose",
    "A study of TiO<sub>2</sub>/SiO<sub>2</sub>",
    "Why “we” care: a “short” history?",
    "Vol. 2 of the collected works, 3rd ed.",
    "Is “this” a question?",
    "A trial (ABC-123) [letter]",
    "Part I – origins / Part II — ends",
    "The U.S.A. and the World: 1945-1990",
    "Notes on “Camp”",
];

/// Titles in other languages, with their language tags as in records.
const FOREIGN: &[(&str, &str)] = &[
    ("de", "Die Entdeckung der Langsamkeit. Roman"),
    ("de-DE", "Was ist Aufklärung? Thesen und Definitionen"),
    ("de", "Zur Frage „Was bleibt?“"),
    (
        "fr",
        "Les mots et les choses : une archéologie des sciences humaines",
    ),
    ("fr-FR", "L’étranger"),
    ("fr", "Qu’est-ce que la « propriété » ?"),
    ("es", "Cien años de soledad"),
    ("es-ES", "¿Qué es la filosofía?"),
    ("it", "Il nome della rosa"),
    ("pt-BR", "Introdução à ciência da informação"),
    ("nl", "Het ijs en de zee"),
    ("tr", "İstanbul’da ilk bilim tarihi"),
    ("pl", "Łódź i okolice"),
    ("cs", "Čas a prostor"),
    ("sv", "Över gränserna"),
    ("ru", "Война и мир"),
    ("ru-RU", "О представлении функций"),
    ("uk", "Історія України"),
    ("el", "Η ιστορία της Ελλάδας"),
    ("zh-CN", "基于深度学习的引文解析方法"),
    ("zh", "红楼梦"),
    ("ja", "日本語文献の引用形式に関する研究"),
    ("ko", "한국어 문헌의 인용 형식"),
    ("ar", "مدخل إلى علم المكتبات"),
    ("he", "מבוא למדעי המידע"),
    ("la", "De revolutionibus orbium coelestium"),
];

const JOURNALS: &[(&str, &str)] = &[
    ("Nature", "Nature"),
    ("The Lancet", "Lancet"),
    (
        "Journal of the American Chemical Society",
        "J. Am. Chem. Soc.",
    ),
    ("Physical Review Letters", "Phys. Rev. Lett."),
    ("PLOS ONE", ""),
    ("Annales. Histoire, Sciences Sociales", ""),
    (
        "Proceedings of the National Academy of Sciences",
        "Proc. Natl. Acad. Sci. U.S.A.",
    ),
    ("Zeitschrift für Physik", "Z. Phys."),
    ("eLife", "eLife"),
    ("Science & Society", ""),
    ("What’s New?", ""),
    ("Rev. Mod. Phys.", "Rev. Mod. Phys."),
    (
        "JAMA: The Journal of the American Medical Association",
        "JAMA",
    ),
    ("The New York Times", "NYT"),
];

const BOOKS: &[&str] = &[
    "Handbook of economics",
    "Proceedings of the 12th International Conference on Machine Learning",
    "The Oxford companion to music",
    "Festschrift für Karl Popper",
    "What is art? Essays on method",
    "Advances in neural information processing systems 30",
    "Encyclopædia Britannica",
    "Who’s who in science?",
    "The “new” physics",
    "Readings in <i>Moby-Dick</i>",
    "Lectures vol. 1.",
];

const FAMILIES: &[&str] = &[
    "Smith",
    "Smith",
    "Jones",
    "Müller",
    "García Márquez",
    "O’Neill",
    "Nguyễn",
    "Kim",
    "Wang",
    "Zhang",
    "Lévi-Strauss",
    "Ōe",
    "MacDonald",
    "van der Berg",
    "de la Cruz",
    "D’Angelo",
    "al-Rahman",
    "Çelik",
    "Brown",
    "Lee",
    "Østergaard",
    "Dvořák",
];

const GIVEN: &[&str] = &[
    "John",
    "Jane",
    "John A.",
    "J.",
    "J. A.",
    "J.A.",
    "Jean-Paul",
    "J.-P.",
    "Jean Paul",
    "Maria",
    "María José",
    "Peter",
    "Ji-woo",
    "Xiao-ming",
    "Anne-Marie",
    "A",
    "Ludwig",
    "Philippe M.-C.",
    "William Henry",
    "W. H.",
    "Thị Mai",
    "Þórður",
    "Émile",
    "Yann",
    "Wei",
    "Zoë R.",
];

/// Names in other scripts: family, given.
const SCRIPTS: &[(&str, &str)] = &[
    ("王", "小明"),
    ("李", "娜"),
    ("山田", "太郎"),
    ("김", "민준"),
    ("Иванов", "Сергей Петрович"),
    ("Достоевский", "Фёдор М."),
    ("Παπαδόπουλος", "Γιώργος"),
    ("الخوارزمي", "محمد"),
    ("כהן", "דוד"),
];

const INSTITUTIONS: &[&str] = &[
    "World Health Organization",
    "UNESCO",
    "National Research Council (U.S.)",
    "Institut für Physik",
    "Die Zeit",
    "NASA [@NASA]",
    "IPCC Working Group I",
    "Ministère de l’Éducation nationale",
    "国家统计局",
    "Apple Inc.",
    "A. C. Nielsen Company",
    "OECD & IEA",
];

const PUBLISHERS: &[&str] = &[
    "Oxford University Press",
    "Springer",
    "Wiley-Blackwell",
    "Éditions du Seuil",
    "Suhrkamp",
    "MIT Press",
    "Harper & Row",
    "Penguin Books Ltd.",
];

const PLACES: &[&str] = &[
    "New York",
    "London; New York",
    "Paris",
    "Frankfurt am Main",
    "Cambridge, MA",
    "Tōkyō",
    "Washington, D.C.",
];

const PAGES: &[&str] = &[
    "436-444",
    "101–118",
    "12",
    "S101-S119",
    "e0217865",
    "17, 19",
    "1425-1440",
    "xi-xiv",
    "5-10, 22-31",
    "n/a",
    "321-8",
    "1-2",
    "99-102",
    "A1",
    "2793-803",
    "100-104",
    "pp. 12-15",
    "12-",
    "5.1-5.12",
    "1:15-1:30",
    "217–225, 230",
    "042-049",
    "iii",
    "1087e5-1087e12",
    "1998-2003",
];

const LOCATORS: &[(&str, &str)] = &[
    ("page", "12-15"),
    ("page", "5"),
    ("page", "100"),
    ("page", "7, 9"),
    ("page", "100–104"),
    ("page", "xii"),
    ("page", "33ff."),
    ("page", "12 and 15"),
    ("chapter", "3"),
    ("section", "4.2-4.3"),
    ("section", "2.1"),
    ("volume", "2"),
    ("figure", "3a"),
    ("verse", "12"),
    ("paragraph", "9"),
    ("line", "10-12"),
    ("note", "4"),
    ("book", "II"),
    ("folio", "12r"),
    ("sub-verbo", "art"),
    ("issue", "7"),
    ("part", "1"),
    ("column", "77-78"),
    ("page", "1.5"),
    ("page", "12-15, 18"),
    ("section", "4.2–4.3"),
    ("page", "1.2-1.4"),
    ("section", "§ 3"),
    ("page", "p. 12"),
    ("page", "45n3"),
    ("page", "iv–vii"),
    ("paragraph", "12.3, 12.5"),
    ("page", "a–c"),
    ("act", "2"),
    ("scene", "3"),
    ("article", "5(2)"),
    ("appendix", "B"),
    ("table", "2.1"),
    ("equation", "3"),
    ("page", "10 & 12"),
    ("volume", "II"),
    ("page", "437-8"),
    ("chapter", "3-4"),
    ("timestamp", "01:02:03"),
    ("article-locator", "6"),
    ("title-locator", "42"),
    ("canon", "12"),
    ("elocation", "e17"),
    ("rule", "9"),
    ("supplement", "1"),
    ("version", "2.0"),
    ("opus", "27"),
    ("page", "497–506.e5"),
    ("page", "S12-S18"),
    ("page", "[12]"),
    ("page", "12–15"),
    ("page", "1011-12"),
    ("page", "12, n. 4"),
    ("page", "passim"),
    ("page", "12*"),
    ("chapter", "IV"),
    ("chapter", "Introduction"),
    ("section", "3(a)(ii)"),
    ("paragraph", "12-14"),
    ("note", "3, 5"),
    ("figure", "2-3"),
    ("verse", "3:16"),
    ("line", "5"),
];

pub fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(from.len())]
}

/// Returns true with a probability of `of` percent.
pub fn chance(random: &mut Random, of: usize) -> bool {
    random.below(100) < of
}

fn kind(random: &mut Random) -> &'static str {
    let total = KINDS.iter().map(|(_, weight)| weight).sum();
    let mut at = random.below(total);
    for (kind, weight) in KINDS {
        match at.checked_sub(*weight) {
            Some(rest) => at = rest,
            None => return kind,
        }
    }
    "book"
}

fn person(random: &mut Random) -> Value {
    match random.below(40) {
        0 | 1 => json!({"literal": pick(random, INSTITUTIONS)}),
        2 | 3 => {
            let (family, given) = pick(random, SCRIPTS);
            json!({"family": family, "given": given})
        }
        4 => {
            json!({"family": "Beethoven", "given": pick(random, GIVEN), "dropping-particle": "van"})
        }
        5 => {
            json!({"family": "Berg", "given": pick(random, GIVEN), "non-dropping-particle": "van der"})
        }
        6 => {
            json!({"family": "Fontaine", "given": pick(random, GIVEN), "dropping-particle": "de", "non-dropping-particle": "La"})
        }
        7 => {
            json!({"family": pick(random, FAMILIES), "given": pick(random, GIVEN), "suffix": pick(random, &["Jr.", "III", "Sr."])})
        }
        8 => json!({"family": pick(random, &["Plato", "Madonna", "Aristotle"])}),
        10 => {
            json!({"family": pick(random, &["de Gaulle", "von der Leyen", "Van Dyke", "di Stefano", "du Pont"]), "given": pick(random, GIVEN)})
        }
        11 => {
            json!({"family": pick(random, FAMILIES), "given": pick(random, GIVEN), "suffix": pick(random, &["Jr.", "III"]), "comma-suffix": true})
        }
        12 => {
            json!({"family": "Humboldt", "given": "Alexander", "dropping-particle": "von"})
        }
        14 => json!({"family": "Nagy", "given": "László", "static-ordering": true}),
        9 => json!({"family": "d’", "given": pick(random, GIVEN)}),
        _ => json!({"family": pick(random, FAMILIES), "given": pick(random, GIVEN)}),
    }
}

fn people(random: &mut Random) -> Value {
    let count = pick(random, &[1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 9, 12, 24]);
    if chance(random, 6) {
        return json!([{"literal": pick(random, INSTITUTIONS)}]);
    }
    (0..count).map(|_| person(random)).collect()
}

fn day(random: &mut Random) -> Value {
    let year = if chance(random, 50) {
        2019 + random.below(3)
    } else {
        1890 + random.below(135)
    };
    let (month, day) = (1 + random.below(12), 1 + random.below(28));
    match random.below(10) {
        0..5 => json!([year]),
        5 | 6 => json!([year, month]),
        _ => json!([year, month, day]),
    }
}

fn date(random: &mut Random) -> Value {
    match random.below(60) {
        0 => json!({"date-parts": [day(random)], "season": 1 + random.below(4)}),
        1 => json!({"date-parts": [day(random)], "circa": true}),
        2 => {
            json!({"literal": pick(random, &["in press", "forthcoming", "n.d.", "Spring 1997", "1999?", "[1923]"])})
        }
        8 => {
            json!({"date-parts": [[1990 + random.below(20)]], "season": pick(random, &["1", "2", "4"])})
        }
        9 => json!({"date-parts": [[(1900 + random.below(100)).to_string(), "3"]]}),
        10 => {
            json!({"raw": pick(random, &["May 2001", "2003/2004", "1998-05", "12 June 1987", "c. 1850", "Winter 2010"])})
        }
        11 => json!({"date-parts": [[2011, 12, 28], [2012, 1, 3]]}),
        12 => json!({"date-parts": [[2015, 3], [2015, 4]]}),
        13 => json!({"date-parts": [[-44, 3, 15]]}),
        14 => json!({"date-parts": [[1801]], "circa": 1}),
        3 => json!({"date-parts": [[-380]]}),
        4 => json!({"date-parts": [[850]]}),
        5 => {
            let first = 1990 + random.below(20);
            json!({"date-parts": [[first], [first + 1 + random.below(5)]]})
        }
        6 => json!({"date-parts": [[2018, 5, 25], [2018, 5 + random.below(2), 31]]}),
        7 => json!({"raw": "2012-03-14"}),
        _ => json!({"date-parts": [day(random)]}),
    }
}

fn title(random: &mut Random, item: &mut Map<String, Value>) {
    if chance(random, 28) {
        let (language, title) = pick(random, FOREIGN);
        item.insert("title".into(), json!(title));
        if chance(random, 85) {
            item.insert("language".into(), json!(language));
        }
    } else {
        item.insert("title".into(), json!(pick(random, ENGLISH)));
        if chance(random, 25) {
            item.insert(
                "language".into(),
                json!(pick(random, &["en", "en-US", "en-GB", "English"])),
            );
        }
    }
}

/// An item with the usual variables of its type, and sometimes an unusual value.
fn item(random: &mut Random, id: usize) -> Value {
    let kind = kind(random);
    let mut item = Map::new();
    item.insert("id".into(), json!(format!("i{id}")));
    item.insert("type".into(), json!(kind));
    let mut set = |name: &str, value: Value| drop(item.insert(name.into(), value));
    if chance(random, 90) {
        set("author", people(random));
    }
    if chance(random, 94) {
        set("issued", date(random));
    }
    let text = |set: &mut dyn FnMut(&str, Value),
                random: &mut Random,
                name: &str,
                of: usize,
                from: &[&str]| {
        if chance(random, of) {
            set(name, json!(pick(random, from)));
        }
    };
    let serial = matches!(
        kind,
        "article-journal" | "article-magazine" | "article-newspaper" | "review" | "review-book"
    );
    let contained = matches!(
        kind,
        "chapter"
            | "paper-conference"
            | "entry-encyclopedia"
            | "entry-dictionary"
            | "entry"
            | "song"
            | "figure"
    );
    let legal = matches!(
        kind,
        "legal_case" | "legislation" | "bill" | "regulation" | "treaty" | "hearing"
    );
    if serial {
        let (long, short) = pick(random, JOURNALS);
        set("container-title", json!(long));
        if !short.is_empty() && chance(random, 60) {
            set("container-title-short", json!(short));
        }
        text(
            &mut set,
            random,
            "volume",
            85,
            &[
                "1", "58", "521", "XII", "12-13", "12a", "Vol. 5", "3 & 4", "2020", "112",
            ],
        );
        text(
            &mut set,
            random,
            "issue",
            70,
            &[
                "1",
                "3",
                "7553",
                "Suppl. 1",
                "3-4",
                "Special issue",
                "3/4",
                "2, 3",
                "S1",
                "no. 6",
            ],
        );
        text(&mut set, random, "page", 85, PAGES);
        text(&mut set, random, "ISSN", 20, &["0028-0836"]);
        text(&mut set, random, "number", 6, &["e0217865"]);
        text(&mut set, random, "section", 6, &["A", "Sports"]);
    } else {
        text(&mut set, random, "publisher", 80, PUBLISHERS);
        text(&mut set, random, "publisher-place", 65, PLACES);
        text(
            &mut set,
            random,
            "edition",
            20,
            &[
                "2",
                "2nd",
                "Revised edition",
                "3",
                "rev. ed.",
                "11",
                "1",
                "21",
                "3rd edition",
                "2., überarb. Aufl.",
                "Second",
                "4e",
                "5th rev. ed.",
            ],
        );
        text(&mut set, random, "volume", 15, &["2", "3", "IV"]);
        text(
            &mut set,
            random,
            "number-of-pages",
            20,
            &["320", "xii, 320 p."],
        );
        text(
            &mut set,
            random,
            "collection-title",
            14,
            &[
                "Lecture notes in computer science",
                "Bibliothèque de la Pléiade",
            ],
        );
        text(
            &mut set,
            random,
            "collection-number",
            10,
            &["14", "2nd ser., 5", "392", "Vol. 12", "3-5"],
        );
        text(
            &mut set,
            random,
            "number",
            if matches!(kind, "report" | "patent" | "standard") || legal {
                80
            } else {
                5
            },
            &[
                "TR-12",
                "US 6285999 B1",
                "ISO 690:2021",
                "12",
                "No. 4",
                "[2017] UKSC 5",
                "H.R. 4447",
                "3 U.S. 17",
                "12/345",
                "2",
            ],
        );
        text(&mut set, random, "ISBN", 25, &["978-0-201-89685-5"]);
        text(&mut set, random, "number-of-volumes", 5, &["4", "2 vols."]);
    }
    if contained || legal && chance(random, 50) {
        set("container-title", json!(pick(random, BOOKS)));
        text(&mut set, random, "page", 80, PAGES);
        if chance(random, 60) {
            set("editor", people(random));
        }
        text(&mut set, random, "chapter-number", 8, &["3", "XII"]);
    }
    if matches!(kind, "webpage" | "post-weblog" | "post" | "broadcast") {
        text(
            &mut set,
            random,
            "container-title",
            70,
            &["BBC News", "GitHub", "The conversation", "Wikipedia"],
        );
    }
    text(
        &mut set,
        random,
        "genre",
        if matches!(kind, "thesis" | "report" | "post" | "manuscript") {
            70
        } else {
            5
        },
        &[
            "PhD thesis",
            "Working paper",
            "Preprint",
            "Masterarbeit",
            "[Unpublished manuscript]",
            "Technical report",
        ],
    );
    if legal {
        text(
            &mut set,
            random,
            "authority",
            70,
            &[
                "Supreme Court of the United States",
                "UK Supreme Court",
                "BGH",
            ],
        );
        text(&mut set, random, "section", 30, &["2", "12101", "46.101"]);
        text(&mut set, random, "references", 15, &["[2018] AC 61"]);
        text(&mut set, random, "jurisdiction", 8, &["us", "de"]);
    }
    if matches!(
        kind,
        "paper-conference" | "speech" | "performance" | "event"
    ) {
        text(
            &mut set,
            random,
            "event-title",
            60,
            &[
                "12th International Conference on Machine Learning",
                "CHI ’20",
            ],
        );
        text(
            &mut set,
            random,
            "event-place",
            40,
            &["Honolulu, HI, USA", "Wien"],
        );
        if chance(random, 20) {
            set("event-date", date(random));
        }
    }
    for (name, of) in [
        ("translator", 5),
        ("director", 2),
        ("container-author", 3),
        ("interviewer", 2),
        ("recipient", 2),
        ("reviewed-author", 3),
        ("composer", 1),
        ("collection-editor", 3),
        ("original-author", 1),
        ("illustrator", 1),
    ] {
        if chance(random, of) {
            set(name, people(random));
        }
    }
    if kind == "book" && chance(random, 25) {
        set("editor", people(random));
    }
    for (name, of) in [
        ("original-date", 5),
        ("submitted", 2),
        ("available-date", 1),
    ] {
        if chance(random, of) {
            set(name, date(random));
        }
    }
    let online = matches!(
        kind,
        "webpage" | "post-weblog" | "post" | "dataset" | "software"
    );
    text(
        &mut set,
        random,
        "URL",
        if online { 95 } else { 25 },
        &[
            "https://www.example.org/articles/2020/01",
            "http://arxiv.org/abs/1706.03762",
        ],
    );
    if chance(random, if online { 80 } else { 15 }) {
        set(
            "accessed",
            json!({"date-parts": [[2021, 1 + random.below(12), 1 + random.below(28)]]}),
        );
    }
    text(
        &mut set,
        random,
        "DOI",
        if serial { 60 } else { 15 },
        &["10.1038/nature14539", "10.1016/S0140-6736(20)30183-5"],
    );
    text(
        &mut set,
        random,
        "PMID",
        if serial { 15 } else { 1 },
        &["17496085"],
    );
    text(&mut set, random, "medium", 4, &["DVD", "CD-ROM"]);
    text(&mut set, random, "archive", 4, &["Bodleian Library"]);
    text(
        &mut set,
        random,
        "archive_location",
        3,
        &["Box 5, Folder 2"],
    );
    text(&mut set, random, "call-number", 2, &["QA76.9"]);
    text(
        &mut set,
        random,
        "version",
        if kind == "software" { 60 } else { 1 },
        &["1.2.3", "2.0"],
    );
    text(
        &mut set,
        random,
        "note",
        3,
        &["A note.", "Translated from the French"],
    );
    text(
        &mut set,
        random,
        "title-short",
        8,
        &["Short title", "What is it?"],
    );
    text(&mut set, random, "original-title", 3, &["Le Petit Prince"]);
    text(
        &mut set,
        random,
        "volume-title",
        3,
        &["Sorting and searching"],
    );
    text(&mut set, random, "part-number", 2, &["2"]);
    text(&mut set, random, "part-title", 1, &["The beginning"]);
    text(&mut set, random, "supplement-number", 1, &["1"]);
    text(&mut set, random, "status", 4, &["in press", "forthcoming"]);
    text(
        &mut set,
        random,
        "scale",
        if kind == "map" { 60 } else { 0 },
        &["1:25,000"],
    );
    text(&mut set, random, "dimensions", 2, &["24 x 36 cm", "90 min"]);
    text(
        &mut set,
        random,
        "reviewed-title",
        if kind.starts_with("review") { 60 } else { 0 },
        ENGLISH,
    );
    if chance(random, 96) {
        title(random, &mut item);
    }
    in_language_order(&mut item);
    Value::Object(item)
}

/// The items of a document, records of a library or odd ones; some share the authors, or the authors and the
/// date, of another.
pub fn items(random: &mut Random, count: usize, are_records: bool) -> Vec<Value> {
    let mut items: Vec<Value> = Vec::with_capacity(count);
    for id in 0..count {
        let mut item = if are_records {
            record(random, id)
        } else {
            item(random, id)
        };
        if id > 0 && chance(random, 15) {
            let other = &items[random.below(id)];
            let shared = if chance(random, 60) { 2 } else { 1 };
            for name in ["author", "issued"].into_iter().take(shared) {
                if let Some(value) = other.get(name) {
                    item[name] = value.clone();
                }
            }
            if let Value::Object(item) = &mut item {
                in_language_order(item);
            }
        }
        items.push(item);
    }
    items
}

/// Removes what the two processors intentionally show differently: particles and suffixes of names in
/// works whose language puts the family name first (NOTES.md).
fn in_language_order(item: &mut Map<String, Value>) {
    let language = item.get("language").and_then(Value::as_str);
    if !language.is_some_and(|tag| tag.starts_with("zh") || tag.starts_with("ja")) {
        return;
    }
    let lists = item.values_mut().filter_map(Value::as_array_mut);
    for name in lists.flatten().filter_map(Value::as_object_mut) {
        name.retain(|part, _| matches!(part.as_str(), "family" | "given" | "literal"));
        if name
            .get("family")
            .is_some_and(|family| family == "al-Rahman")
        {
            name.insert("family".into(), json!("Rahman"));
        }
    }
}

fn cite(random: &mut Random, id: String) -> Value {
    let mut cite = Map::from_iter([("id".to_owned(), json!(id))]);
    if chance(random, 30) {
        let (label, value) = pick(random, LOCATORS);
        cite.insert("label".into(), json!(label));
        cite.insert("locator".into(), json!(value));
    }
    if chance(random, 6) {
        cite.insert(
            "prefix".into(),
            json!(pick(
                random,
                &[
                    "see ",
                    "cf. ",
                    "See also",
                    "e.g., ",
                    "For a review, see ",
                    "<i>contra</i> ",
                    "But. ",
                    "see <i>e.g.</i>",
                    "See, e.g.,",
                    "Why?",
                    "compare:",
                    "“quoted” in ",
                    "(cf. ",
                    "<i>Cf.</i> ",
                ]
            )),
        );
    }
    if chance(random, 6) {
        cite.insert(
            "suffix".into(),
            json!(pick(
                random,
                &[
                    ", emphasis added",
                    " and passim",
                    ".",
                    "; my translation",
                    ", n. 3",
                    "?",
                    " (emphasis <i>added</i>)",
                    " [sic]",
                    ", <b>passim</b>.",
                    ", “my translation”",
                    ", ",
                    "...",
                    " et passim!",
                ]
            )),
        );
    }
    if chance(random, 4) {
        cite.insert("suppress-author".into(), json!(true));
    }
    Value::Object(cite)
}

/// Citations of the first `items` items, in notes or in the text; every one is cited at least once, some
/// again immediately or later, or twice in a citation.
pub fn citations(random: &mut Random, items: usize, in_notes: bool) -> Vec<Value> {
    let mut cited: Vec<Vec<usize>> = Vec::new();
    let mut next = 0;
    while next < items {
        match random.below(10) {
            0..5 => cited.push(vec![next]),
            5 | 6 if next > 0 => cited.push(vec![next - 1]),
            7 if next > 0 => cited.push(vec![random.below(next)]),
            _ => {
                let end = (next + 2 + random.below(3)).min(items);
                cited.push((next..end).collect());
                next = end;
                continue;
            }
        }
        if cited.last().is_some_and(|last| last.contains(&next)) {
            next += 1;
        }
    }
    let cited = cited.into_iter().enumerate();
    let mut note = 0;
    cited
        .map(|(at, cited)| {
            note += pick(random, &[1, 1, 1, 1, 2, 4]);
            let again = cited.first().copied().filter(|_| chance(random, 3));
            let mut cites: Vec<Value> = cited
                .into_iter()
                .chain(again)
                .map(|item| cite(random, format!("i{item}")))
                .collect();
            // For running text, which other cites have no place in.
            if let [Value::Object(cite)] = cites.as_mut_slice()
                && chance(random, 3)
            {
                cite.insert("author-only".into(), json!(true));
            }
            json!({
                "citationID": format!("c{at}"),
                "citationItems": cites,
                "properties": {"noteIndex": if in_notes { note } else { 0 }},
            })
        })
        .collect()
}
