//! The table of hostile requests, for the tests and the bench.

use serde_json::{Value, json};

/// A hostile request.
pub struct Row {
    pub name: String,
    pub method: &'static str,
    /// `{collection}` is replaced by the caller's collection, `{entry}` by an entry of it.
    pub path: String,
    pub content_type: &'static str,
    pub body: Box<dyn Fn() -> Vec<u8>>,
}

/// Makes a text of about this many bytes.
type Repeat = fn(usize) -> String;

/// Makes a file.
type Make = fn() -> String;

/// Makes a body around a list of entries.
type Around = fn(Value) -> Value;

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const TEXT: &str = "text/plain";
const BIBTEX: &str = "application/x-bibtex";
const RIS: &str = "application/x-research-info-systems";
const CSL_JSON: &str = "application/vnd.citationstyles.csl+json";

fn row(
    name: &str,
    path: &str,
    content_type: &'static str,
    body: impl Fn() -> String + 'static,
) -> Row {
    Row {
        name: name.to_owned(),
        method: "POST",
        path: path.to_owned(),
        content_type,
        body: Box::new(move || body().into_bytes()),
    }
}

fn json_row(name: &str, path: &str, body: impl Fn() -> Value + 'static) -> Row {
    row(name, path, JSON, move || body().to_string())
}

/// Every row of the table.
#[allow(dead_code, reason = "the bench sends all, the tests a part each")]
pub fn all() -> Vec<Row> {
    let mut rows = formatting();
    rows.extend(styling());
    rows.extend(importing());
    rows.extend(documents());
    rows.extend(matching());
    rows.extend(collecting());
    rows.extend(posting());
    rows.extend(translating());
    rows.extend(calling());
    rows
}

/// Texts that are expensive for their length, which is a parameter: fields of a work and of its containers.
fn texts() -> Vec<(&'static str, Repeat)> {
    vec![
        ("nested tags", |n| {
            "<i>".repeat(n / 7) + "x" + &"</i>".repeat(n / 7)
        }),
        ("tags of two kinds", |n| {
            "<i>".repeat(n / 7) + &"</b>".repeat(n / 7)
        }),
        ("tags without end", |n| "<span".repeat(n / 5) + ">"),
        ("small capitals without end", |n| {
            "<span style=\"font-variant: small-caps;\">".repeat(n / 41)
        }),
        ("tags and quotes", |n| "<i>“</i>”".repeat(n / 13)),
        ("quotes in quotes", |n| "“‘".repeat(n / 6) + "x"),
        ("straight quotes", |n| "\"'a".repeat(n / 3)),
        ("closing brackets", |n| {
            format!("10.1000/a{}", ")".repeat(n))
        }),
        ("opening brackets", |n| "([{".repeat(n / 3)),
        ("full stops", |n| "a. ".repeat(n / 3)),
        ("dashes", |n| "1-2–3, ".repeat(n / 9)),
        ("combining marks", |n| {
            format!("a{}", "\u{301}".repeat(n / 2))
        }),
        ("right to left", |n| "\u{202e}א".repeat(n / 5)),
        ("particles", |n| "van der ".repeat(n / 8)),
        ("names joined", |n| "A and ".repeat(n / 6)),
        ("colons", |n| "a: b? ".repeat(n / 6)),
        ("digits", |n| "9".repeat(n)),
    ]
}

/// Fields that get the texts.
const FIELDS: [&str; 6] = ["title", "doi", "journal", "pages", "note", "abstract"];

/// A work with a text in a field.
fn work(field: &str, text: &str) -> Value {
    let mut work = json!({
        "entry_type": "Article", "title": "A title", "journal": "A journal",
        "authors": [{"family": "Abel", "given": "A."}], "date": {"year": 2020},
    });
    work[field] = text.into();
    work
}

/// A work with a text in its authors.
fn work_by(text: &str) -> Value {
    let name = json!({"family": text, "given": text, "suffix": text});
    json!({"title": "A title", "authors": [name, {"literal": text}, text]})
}

fn family(family: &str, suffix: bool) -> Value {
    if suffix {
        json!({"family": family, "suffix": "Jr."})
    } else {
        json!({"family": family})
    }
}

/// A document with works of one author and year.
fn document(works: usize, citations: Vec<Value>) -> Value {
    let works = (0..works).map(|n| {
        let id = if n == 0 { "w".to_owned() } else { format!("w{n}") };
        json!({"id": id, "item": {"type": "book", "title": format!("T{n}"), "author": [{"family": "Smith"}], "issued": {"date-parts": [[2020]]}}})
    });
    json!({"style": "apa", "forms": ["html", "rtf", "runs"], "works": works.collect::<Vec<_>>(), "citations": citations})
}

/// `POST /api/v1/format` and other routes that format.
pub fn formatting() -> Vec<Row> {
    let mut rows = Vec::new();
    let routes: [(&str, Around); 5] = [
        (
            "/api/v1/format",
            |entries| json!({"entries": entries, "style": "apa"}),
        ),
        (
            "/api/v1/format",
            |entries| json!({"entries": entries, "style": "chicago-notes-bibliography", "formats": ["rtf", "latex"], "links": true}),
        ),
        (
            "/api/v1/format/group-cite",
            |entries| json!({"entries": entries, "indices": [0]}),
        ),
        ("/api/v1/format/batch", |entries| {
            let items = entries.as_array().into_iter().flatten();
            json!({"items": items.map(|entry| json!({"metadata": entry})).collect::<Vec<_>>()})
        }),
        (
            "/api/v1/export",
            |entries| json!({"entries": entries, "format": "bibtex"}),
        ),
    ];
    for (place, (path, body)) in routes.into_iter().enumerate() {
        for (name, text) in texts() {
            if place == 0 {
                rows.push(json_row(&format!("title: {name}, long"), path, move || {
                    body(json!([work("title", &text(1_500_000))]))
                }));
            }
            // The maximum length of a field, in every field, in as many works as fit into a body.
            rows.push(json_row(&format!("fields: {name}"), path, move || {
                let text = text(9_000);
                let works = FIELDS.map(|field| work(field, &text));
                let authors = [work_by(&text.chars().take(900).collect::<String>())];
                body(works.into_iter().chain(authors).cycle().take(80).collect())
            }));
            if place < 2 {
                rows.push(json_row(
                    &format!("abstract and note: {name}"),
                    path,
                    move || {
                        let mut work = work("note", &text(190_000));
                        work["abstract"] = text(190_000).into();
                        body(json!([work]))
                    },
                ));
            }
        }
    }
    for (name, text) in texts() {
        rows.push(json_row(
            &format!("affixes: {name}"),
            "/api/v1/document",
            move || {
                let text = text(9_000);
                let cite = json!({"id": "w", "locator": text.chars().take(900).collect::<String>(), "prefix": text, "suffix": text});
                let citations = (0..100).map(|n| json!({"id": n.to_string(), "cites": [cite]}));
                document(1, citations.collect())
            },
        ));
    }
    rows.push(json_row(
        "a work cited 10,000 times",
        "/api/v1/document",
        || {
            let citations =
                (0..10_000).map(|n| json!({"id": n.to_string(), "cites": [{"id": "w"}]}));
            document(1, citations.collect())
        },
    ));
    rows.push(json_row(
        "500 works in each of 40 citations",
        "/api/v1/document",
        || {
            let cites: Vec<Value> = (0..500).map(|n| json!({"id": format!("w{n}")})).collect();
            let citations = (0..40).map(|n| json!({"id": n.to_string(), "cites": cites}));
            document(500, citations.collect())
        },
    ));
    let format = "/api/v1/format";
    rows.push(json_row("one form 200,000 times", format, || {
        let entries = vec![work("volume", "1"); 100];
        json!({"entries": entries, "formats": vec!["rtf"; 200_000]})
    }));
    rows.push(json_row("authors of one family", format, || {
        let works = (0..20).map(|n| {
            let authors = (0..4_000).map(|m| family("Smith", n % 2 == 0 && m == 0));
            json!({"title": "T", "authors": authors.collect::<Vec<_>>(), "date": {"year": 2020}})
        });
        json!({"style": "apa", "entries": works.collect::<Vec<_>>()})
    }));
    rows.push(json_row("works of one author and year", format, || {
        let work = json!({"title": "T", "authors": [{"family": "Smith"}], "date": {"year": 2020}});
        json!({"style": "apa", "entries": vec![work; 1_000]})
    }));
    rows.push(json_row("authors told apart late", format, || {
        let works = (0..50).map(|n| {
            let mut authors = vec![json!({"family": "Smith", "given": "A"}); 500];
            authors.push(json!({"family": format!("S{n}")}));
            json!({"title": "T", "authors": authors, "date": {"year": 2020}})
        });
        json!({"style": "apa", "entries": works.collect::<Vec<_>>()})
    }));
    rows.push(json_row(
        "a style's name of 1.8 MB",
        format,
        || json!({"entries": [{"title": "x"}], "style": "qz ".repeat(600_000)}),
    ));
    rows.push(json_row(
        "a locale's name of 1.8 MB",
        format,
        || json!({"entries": [{"title": "x"}], "locale": "en-".repeat(600_000)}),
    ));
    rows.push(row("objects of one member", format, JSON, || {
        format!(
            "{{\"entries\":[{{\"title\":\"x\",\"extra\":[{}0]}}]}}",
            "{\"\":0},".repeat(290_000)
        )
    }));
    rows.push(row("a million entries", format, JSON, || {
        format!("{{\"entries\":[{}0]}}", "0,".repeat(1_000_000))
    }));
    rows.push(row("nested lists", format, JSON, || {
        format!(
            "{{\"entries\":{}{}}}",
            "[".repeat(1_000_000),
            "]".repeat(1_000_000)
        )
    }));
    rows.push(row("nested objects in extra", format, JSON, || {
        let (open, close) = ("{\"a\":".repeat(120), "}".repeat(120));
        format!("{{\"entries\":[{{\"title\":\"x\",\"extra\":{open}1{close}}}]}}")
    }));
    rows.push(row("a number of 2,000,000 digits", format, JSON, || {
        format!(
            "{{\"entries\":[{{\"title\":\"x\",\"volume\":{}}}]}}",
            "9".repeat(2_000_000)
        )
    }));
    rows.push(row("one member 150,000 times", format, JSON, || {
        format!("{{{}\"entries\":[]}}", "\"entries\":[],".repeat(150_000))
    }));
    rows.push(json_row("unknown members", format, || {
        let members = (0..100_000).map(|n| (format!("m{n}"), json!(n)));
        json!({"entries": [members.collect::<serde_json::Map<_, _>>()]})
    }));
    let group = "/api/v1/format/group-cite";
    rows.push(json_row(
        "900,000 indices",
        group,
        || json!({"entries": [{"title": "x"}], "indices": vec![0; 900_000]}),
    ));
    for (name, text) in texts() {
        rows.push(json_row(&format!("affixes: {name}"), group, move || {
            let text = text(9_000);
            let cite = json!({"index": 0, "prefix": text, "suffix": text, "locator": "1"});
            json!({"entries": [{"title": "x"}], "items": vec![cite; 100]})
        }));
    }
    rows
}

/// A style around a layout and macros.
fn style(macros: &str, layout: &str) -> String {
    format!(
        r#"<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0" class="in-text">
<info><title>t</title><id>t</id><updated>2020-01-01T00:00:00Z</updated></info>
{macros}<citation><layout>{layout}</layout></citation><bibliography><layout>{layout}</layout></bibliography></style>"#
    )
}

/// Styles that are expensive for their length.
fn styles() -> Vec<(&'static str, Make)> {
    vec![
        ("a long delimiter", || {
            let parts = r#"<text value="a"/>"#.repeat(4_000);
            let delimiter = "x".repeat(100_000);
            let own = format!(
                r#"<macro name="m"><group delimiter="{delimiter}">{parts}</group></macro>"#
            );
            style(&own, &r#"<text macro="m"/>"#.repeat(5))
        }),
        ("macros that call two", || {
            let macros = (0..40).map(|n| {
                let call = format!(r#"<text macro="m{}"/>"#, n + 1);
                format!(r#"<macro name="m{n}">{call}{call}</macro>"#)
            });
            let macros: String = macros.collect();
            style(
                &(macros + r#"<macro name="m40"><text value="a"/></macro>"#),
                r#"<text macro="m0"/>"#,
            )
        }),
        ("macros that call themselves", || {
            let own = r#"<macro name="a"><text macro="b"/></macro><macro name="b"><text macro="a"/></macro>"#;
            style(own, r#"<text macro="a"/>"#)
        }),
        ("a chain of macros", || {
            let macros = (0..4_000)
                .map(|n| format!(r#"<macro name="m{n}"><text macro="m{}"/></macro>"#, n + 1));
            let macros: String = macros.collect();
            style(
                &(macros + r#"<macro name="m4000"><text value="a"/></macro>"#),
                r#"<text macro="m0"/>"#,
            )
        }),
        ("nested groups", || {
            let (open, close) = ("<group>".repeat(16_000), "</group>".repeat(16_000));
            style("", &format!(r#"{open}<text value="a"/>{close}"#))
        }),
        ("nested choices", || {
            let (open, close) = (
                r#"<choose><if type="book">"#.repeat(4_000),
                "</if></choose>".repeat(4_000),
            );
            style("", &format!(r#"{open}<text value="a"/>{close}"#))
        }),
        ("nested substitutes", || {
            let (open, close) = (
                r#"<names variable="author"><substitute>"#.repeat(3_000),
                "</substitute></names>".repeat(3_000),
            );
            style("", &format!(r#"{open}<text value="a"/>{close}"#))
        }),
        ("a nest of elements unknown", || "<a>".repeat(80_000)),
        ("entities", || {
            let mut entities = r#"<!ENTITY e0 "xxxxxxxxxx">"#.to_owned();
            for n in 1..20 {
                let body = format!("&e{};", n - 1).repeat(10);
                entities.push_str(&format!(r#"<!ENTITY e{n} "{body}">"#));
            }
            format!(
                "<!DOCTYPE style [{entities}]>{}",
                style("", r#"<text value="&e19;"/>"#)
            )
        }),
        ("attributes", || {
            let attributes: String = (0..20_000).map(|n| format!(r#" a{n}="""#)).collect();
            style("", &format!("<group{attributes}/>"))
        }),
        ("conditions", || {
            let one = r#"<choose><if type="book article" variable="title author" match="none"><text variable="title"/></if></choose>"#;
            style("", &one.repeat(2_000))
        }),
        ("sort keys", || {
            let keys = r#"<key variable="title"/>"#.repeat(10_000);
            style(
                "",
                &format!(
                    "<text variable=\"title\"/></layout></citation><citation><sort>{keys}</sort><layout>"
                ),
            )
        }),
        ("long affixes", || {
            let affix = "“<i>".repeat(20_000);
            style(
                "",
                &format!(
                    r#"<text variable="title" prefix="{0}" suffix="{0}"/>"#,
                    affix.replace('<', "&lt;")
                ),
            )
        }),
    ]
}

/// Styles supplied by a request or an account.
pub fn styling() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, xml) in styles() {
        rows.push(json_row(
            &format!("style: {name}"),
            "/api/v1/format",
            move || {
                let works: Vec<Value> = (0..100).map(|n| work("volume", &n.to_string())).collect();
                json!({"entries": works, "style_xml": xml()})
            },
        ));
        rows.push(json_row(
            &format!("style: {name}"),
            "/api/v1/format/group-cite",
            move || json!({"entries": [work("volume", "1")], "indices": [0], "style_xml": xml()}),
        ));
        rows.push(row(
            &format!("own style: {name}"),
            "/api/v1/me/styles",
            "application/vnd.citationstyles.style+xml",
            xml,
        ));
    }
    rows
}

/// Files that are expensive for their length, with their content type.
fn files() -> Vec<(&'static str, &'static str, Make)> {
    vec![
        ("spans of COinS in titles of others", TEXT, || {
            "<span class=\"Z3988\" title=\"".repeat(4_100_000 / 28)
        }),
        ("one xdata named often", BIBTEX, || {
            let fields: String = (0..500).map(|n| format!("f{n}={{x}},")).collect();
            let names = "x,".repeat(300_000);
            format!("@xdata{{x,{fields}}}\n@misc{{b,title={{t}},xdata={{{names}}}}}")
        }),
        ("xdata that are not there", BIBTEX, || {
            format!("@misc{{b,xdata={{{}}}}}", "z,".repeat(4_000_000))
        }),
        ("a chain of xdata", BIBTEX, || {
            (0..100_000)
                .map(|n| format!("@xdata{{x{n},xdata={{x{}}}}}\n", n + 1))
                .collect()
        }),
        ("a chain of crossref", BIBTEX, || {
            let entry = |n| format!("@inbook{{x{n},title={{t}},crossref={{x{}}}}}\n", n + 1);
            (0..100_000).map(entry).collect()
        }),
        ("crossref in a circle", BIBTEX, || {
            "@inbook{a,title={t},crossref={b}}\n@book{b,title={t},crossref={a}}\n".repeat(50_000)
        }),
        ("strings that double", BIBTEX, || {
            let mut text = "@string{s0=\"xxxxxxxxxx\"}\n".to_owned();
            for n in 1..40 {
                text.push_str(&format!("@string{{s{n}=s{0}#s{0}}}\n", n - 1));
            }
            text + "@misc{a,title=s39}"
        }),
        ("braces without end", BIBTEX, || {
            format!("@misc{{a,title={}", "{".repeat(9_000_000))
        }),
        ("nested braces", BIBTEX, || {
            format!(
                "@misc{{a,title={{{}x{}}}}}",
                "{".repeat(2_000_000),
                "}".repeat(2_000_000)
            )
        }),
        ("nested commands", BIBTEX, || {
            format!(
                "@misc{{a,title={{{}x{}}}}}",
                "\\emph{".repeat(500_000),
                "}".repeat(500_000)
            )
        }),
        ("accents", BIBTEX, || {
            format!("@misc{{a,title={{{}}}}}", "\\'".repeat(4_000_000))
        }),
        ("formulas", BIBTEX, || {
            format!("@misc{{a,title={{{}}}}}", "$x^{".repeat(2_000_000))
        }),
        ("1,500,000 authors", BIBTEX, || {
            format!(
                "@misc{{a,title={{t}},author={{{}Z}}}}",
                "A and ".repeat(1_500_000)
            )
        }),
        ("entries that do not end", BIBTEX, || {
            "@article{a,\n".repeat(700_000)
        }),
        ("entries of nothing", BIBTEX, || {
            "@misc{a}\n".repeat(900_000)
        }),
        ("entries of one key", BIBTEX, || {
            "@misc{a,title={t}}\n".repeat(400_000)
        }),
        ("fields of one name", BIBTEX, || {
            format!("@misc{{a,{}}}", "title={t},".repeat(800_000))
        }),
        ("fields of many names", BIBTEX, || {
            let fields: String = (0..400_000).map(|n| format!("f{n}={{x}},")).collect();
            format!("@misc{{a,{fields}}}")
        }),
        ("comments", BIBTEX, || "@comment{".repeat(900_000)),
        ("1,500,000 authors", RIS, || {
            format!("TY  - JOUR\n{}ER  - \n", "AU  - A\n".repeat(1_200_000))
        }),
        ("records without end", RIS, || {
            "TY  - JOUR\n".repeat(800_000)
        }),
        ("a line of 9 MB", RIS, || {
            format!("TY  - JOUR\nTI  - {}\nER  - \n", "<i>".repeat(3_000_000))
        }),
        ("tags unknown", RIS, || {
            format!("TY  - JOUR\n{}ER  - \n", "ZZ  - x\n".repeat(1_100_000))
        }),
        ("lines that go on", RIS, || {
            format!("TY  - JOUR\nTI  - x\n{}ER  - \n", "x\n".repeat(4_000_000))
        }),
        ("nested lists", CSL_JSON, || "[".repeat(9_000_000)),
        ("objects of one member", CSL_JSON, || {
            format!("[{}0]", "{\"\":0},".repeat(1_300_000))
        }),
        ("numbers", CSL_JSON, || {
            format!("[{}0]", "0,".repeat(4_500_000))
        }),
        ("nested tags", CSL_JSON, || {
            let title = "<i>".repeat(600_000) + "x" + &"</i>".repeat(600_000);
            json!([{"type": "book", "title": title}]).to_string()
        }),
        ("1,000,000 authors", CSL_JSON, || {
            format!(
                "[{{\"type\":\"book\",\"title\":\"t\",\"author\":[{}{{}}]}}]",
                "{\"a\":0},".repeat(1_000_000)
            )
        }),
        ("nested elements", TEXT, || {
            format!(
                "<?xml version=\"1.0\"?><PubmedArticleSet>{}",
                "<a>".repeat(3_000_000)
            )
        }),
        ("entities", TEXT, || {
            let mut entities = r#"<!ENTITY e0 "xxxxxxxxxx">"#.to_owned();
            for n in 1..20 {
                let body = format!("&e{};", n - 1).repeat(10);
                entities.push_str(&format!(r#"<!ENTITY e{n} "{body}">"#));
            }
            format!(
                "<?xml version=\"1.0\"?><!DOCTYPE xml [{entities}]><xml><records><record><titles><title>&e19;</title></titles></record></records></xml>"
            )
        }),
        ("EndNote's nested styles", TEXT, || {
            let (open, close) = (
                "<style face=\"italic\">".repeat(200_000),
                "</style>".repeat(200_000),
            );
            format!(
                "<?xml version=\"1.0\"?><xml><records><record><titles><title>{open}x{close}</title></titles></record></records></xml>"
            )
        }),
        ("a long reference and short ones", TEXT, || {
            let long = "Smith, J. A title. Nature 2001. ".repeat(125_000);
            format!("1. {long}\n{}", "x\n".repeat(300_000))
        }),
        ("short references", TEXT, || {
            "1. A (2001).\n".repeat(700_000)
        }),
        ("numbers", TEXT, || "[1] ".repeat(2_300_000)),
        ("one line", TEXT, || {
            "Smith, J. (2001). A title. Nature, 1(2), 3–4. ".repeat(190_000)
        }),
        ("brackets", TEXT, || {
            format!("Smith (2001) {}", "(".repeat(9_000_000))
        }),
        ("identifiers", TEXT, || "doi:10.1000/a) ".repeat(600_000)),
        ("empty lines", TEXT, || "\n".repeat(9_000_000)),
        ("blanks", TEXT, || format!("1. A{}b", " ".repeat(9_000_000))),
        ("YAML's anchors", TEXT, || {
            let mut text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
            for n in 1..20 {
                let body = vec![format!("*a{}", n - 1); 10].join(",");
                text.push_str(&format!("a{n}: &a{n} [{body}]\n"));
            }
            text
        }),
        ("zeros", TEXT, || "\0".repeat(9_000_000)),
    ]
}

/// `POST /api/v1/import` and other routes that accept a file.
pub fn importing() -> Vec<Row> {
    let routes = [
        "/api/v1/import",
        "/api/v1/collections/{collection}/import",
        "/api/v1/verify/batch?local_only=true",
    ];
    let mut rows = Vec::new();
    for path in routes {
        for (name, content_type, text) in files() {
            rows.push(row(&format!("file: {name}"), path, content_type, text));
        }
    }
    for (name, _, text) in files().into_iter().step_by(4) {
        let multipart = "multipart/form-data; boundary=b";
        rows.push(row(&format!("form: {name}"), "/c/{collection}/import", multipart, move || {
            let head = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.bib\"\r\n\r\n";
            format!("{head}{}\r\n--b--\r\n", text())
        }));
    }
    let multipart = "multipart/form-data; boundary=b";
    let import = "/api/v1/collections/{collection}/import";
    rows.push(row("form: parts", import, multipart, || {
        "--b\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n\r\n".repeat(150_000)
            + "--b--\r\n"
    }));
    rows.push(row("form: headers", import, multipart, || {
        format!(
            "--b\r\n{}\r\nx\r\n--b--\r\n",
            "content-disposition: form-data\r\n".repeat(250_000)
        )
    }));
    rows.push(row("form: boundaries", import, multipart, || {
        "--b\r\n".repeat(1_500_000)
    }));
    rows
}

/// A PDF of one page with this content, and with forms `/X0`, `/X1` and so on, which may draw each other. Each
/// stream is the rest of its dictionary and its bytes.
fn pdf(content: (&str, Vec<u8>), forms: Vec<(&str, Vec<u8>)>) -> Vec<u8> {
    let mut bytes = b"%PDF-1.5\n".to_vec();
    let named: String = (0..forms.len())
        .map(|n| format!("/X{n} {} 0 R", 6 + n))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 600 800]>>".to_vec(),
        format!(
            "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F 4 0 R>>/XObject<<{named}>>>>>>"
        )
        .into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>".to_vec(),
    ];
    let stream = |kind: &str, (head, body): (&str, Vec<u8>)| {
        let start = format!("<<{kind}{head}/Length {}>>stream\n", body.len());
        [start.as_bytes(), &body, b"\nendstream"].concat()
    };
    objects.push(stream("", content));
    let form = "/Type/XObject/Subtype/Form/BBox[0 0 600 800]";
    objects.extend(forms.into_iter().map(|content| stream(form, content)));
    for (n, object) in objects.iter().enumerate() {
        bytes.extend(format!("{} 0 obj", n + 1).bytes());
        bytes.extend(object);
        bytes.extend(b"endobj\n");
    }
    bytes.extend(b"trailer<</Root 1 0 R/Size 99>>\n%%EOF\n");
    bytes
}

/// A PDF with a reference list.
#[allow(dead_code, reason = "the bench does not send it")]
pub fn plain_pdf() -> Vec<u8> {
    let list = "BT /F 10 Tf 1 0 0 1 60 700 Tm (References) Tj 1 0 0 1 60 680 Tm \
                ([1] J. Doe, On light, J. Light 12, 1-9 \\(2001\\).) Tj ET";
    pdf(("", list.as_bytes().to_vec()), Vec::new())
}

/// Two gigabytes of blanks, packed twice.
fn packed_blanks() -> Vec<u8> {
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;
    let once = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut blanks = ZlibEncoder::new(once, Compression::best());
    let block = vec![b' '; 1 << 20];
    for _ in 0..2_048 {
        blanks.write_all(&block).unwrap();
    }
    blanks.finish().unwrap().finish().unwrap()
}

/// Documents that a separate process reads.
pub fn documents() -> Vec<Row> {
    let document = |name: &str, body: fn() -> Vec<u8>| Row {
        name: format!("document: {name}"),
        method: "POST",
        path: "/api/v1/verify/document?local_only=true&filename=a.pdf".to_owned(),
        content_type: "application/pdf",
        body: Box::new(body),
    };
    vec![
        document("forms that draw each other", || {
            let twice = |n: usize| format!("/X{0} Do /X{0} Do", n + 1).into_bytes();
            let forms = (0..30).map(|n| ("", twice(n))).collect();
            pdf(("", b"/X0 Do".to_vec()), forms)
        }),
        document("doubly packed blanks", || {
            pdf(
                ("/Filter[/FlateDecode/FlateDecode]", packed_blanks()),
                Vec::new(),
            )
        }),
        document("doubly packed form", || {
            let form = ("/Filter[/FlateDecode/FlateDecode]", packed_blanks());
            pdf(("", b"/X0 Do ".repeat(10)), vec![form])
        }),
        document("operators", || {
            pdf(("", b"q Q ".repeat(1_000_000)), Vec::new())
        }),
        document("glyphs", || {
            let glyphs = format!("BT /F 1 Tf 1 0 0 1 0 9 Tm ({}) Tj ET", "a".repeat(450_000));
            pdf(("", glyphs.into_bytes()), Vec::new())
        }),
        document("glyphs of one line", || {
            let glyph = |n: usize| format!("1 0 0 1 {} 9 Tm (a) Tj ", n % 590);
            let glyphs: String = (0..19_000).rev().map(glyph).collect();
            pdf(
                ("", format!("BT /F 1 Tf {glyphs}ET").into_bytes()),
                Vec::new(),
            )
        }),
    ]
}

/// Requests of Zotero clients.
pub fn translating() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, content_type, text) in files() {
        let name = format!("translated file: {name}");
        rows.push(row(&name, "/translate/import", content_type, text));
    }
    for (name, text) in texts() {
        for length in [1_900, 1_500_000] {
            let of = move || text(length).chars().take(length).collect::<String>();
            let name = format!("translated text: {name}, {length}");
            rows.push(row(&name, "/translate/search", TEXT, of));
            rows.push(row(&name, "/translate/web", TEXT, move || {
                format!("http://example.org/{}", of())
            }));
        }
        for format in ["bibtex", "ris", "coins", "rdf_bibliontology", "csv"] {
            let path = format!("/translate/export?format={format}");
            rows.push(json_row(&format!("item: {name}"), &path, move || {
                let text = text(9_000);
                let creator = json!({"creatorType": "author", "lastName": text, "firstName": text});
                let item = json!({"itemType": "journalArticle", "title": text, "extra": text,
                    "pages": text, "DOI": text, "creators": [creator], "tags": [{"tag": text}]});
                json!(vec![item; 80])
            }));
        }
    }
    rows.push(json_row(
        "items without number",
        "/translate/export?format=ris",
        || json!(vec![json!({"itemType": "book"}); 60_000]),
    ));
    rows.push(json_row(
        "creators without number",
        "/translate/export?format=coins",
        || {
            let creators = vec![json!({"creatorType": "author", "name": "x"}); 30_000];
            json!([{"itemType": "book", "creators": creators}])
        },
    ));
    rows.push(json_row("choices without number", "/translate/web", || {
        let items: serde_json::Map<String, Value> =
            (0..100_000).map(|n| (n.to_string(), "x".into())).collect();
        json!({"url": "http://example.org/", "session": "a", "items": items})
    }));
    rows.push(row(
        "nested items",
        "/translate/export?format=ris",
        JSON,
        || {
            format!(
                "[{{\"itemType\":\"book\",\"x\":{}1{}}}]",
                "[".repeat(500_000),
                "]".repeat(500_000)
            )
        },
    ));
    rows
}

/// Texts and titles matched against the corpus.
pub fn matching() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, text) in texts() {
        for length in [1_900, 1_500_000] {
            let name = format!("{name}, {length}");
            let of = move || text(length).chars().take(length).collect::<String>();
            rows.push(json_row(
                &format!("text: {name}"),
                "/api/v1/reverse",
                move || json!({"text": of(), "local_only": true}),
            ));
            rows.push(json_row(
                &format!("text: {name}"),
                "/api/v1/verify",
                move || json!({"text": of(), "local_only": true}),
            ));
            rows.push(json_row(
                &format!("metadata: {name}"),
                "/api/v1/verify",
                move || json!({"metadata": work("title", &of()), "local_only": true}),
            ));
            rows.push(json_row(
                &format!("references: {name}"),
                "/api/v1/verify/batch",
                move || {
                    let count = if length < 10_000 { 100 } else { 1 };
                    json!({"references": vec![of(); count], "local_only": true})
                },
            ));
            rows.push(json_row(
                &format!("doi: {name}"),
                "/api/v1/lookup/doi",
                move || json!({"doi": format!("10.1000/{}", of())}),
            ));
            rows.push(json_row(
                &format!("isbn: {name}"),
                "/api/v1/lookup/isbn",
                move || json!({"isbn": of()}),
            ));
            rows.push(json_row(
                &format!("query: {name}"),
                "/api/v1/lookup",
                move || json!({"query": of(), "local_only": true}),
            ));
            rows.push(json_row(
                &format!("url: {name}"),
                "/api/v1/lookup/url",
                move || json!({"url": format!("https://example.org/{}", of()), "local_only": true}),
            ));
            rows.push(json_row(
                &format!("abbreviation: {name}"),
                "/api/v1/journal/expand",
                move || json!({"abbreviation": of()}),
            ));
            rows.push(json_row(
                &format!("journal: {name}"),
                "/api/v1/journal/abbreviate",
                move || json!({"title": of()}),
            ));
            rows.push(json_row(
                &format!("title: {name}"),
                "/api/v1/titles/sentence-case",
                move || json!({"title": of(), "language": "en"}),
            ));
        }
    }
    let keys = "/api/v1/citation-keys";
    rows.push(json_row(
        "a long pattern",
        keys,
        || json!({"entries": [{"title": "t"}], "pattern": "[auth:lower]".repeat(150_000)}),
    ));
    rows.push(json_row("keys that are all the same", keys, || {
        let work = json!({"title": "T", "authors": [{"family": "Smith"}], "date": {"year": 2020}});
        json!({"entries": vec![work; 4_000]})
    }));
    rows.push(json_row("keys of many authors", keys, || {
        let authors = vec![json!({"family": "A"}); 100];
        json!({"entries": vec![json!({"title": "T", "authors": authors}); 1_000], "pattern": "[authors][authors][authors]"})
    }));
    rows.push(json_row(
        "100,000 references",
        "/api/v1/verify/batch",
        || json!({"references": vec!["Smith 2001"; 100_000], "local_only": true}),
    ));
    rows
}

/// Collections and their contents.
pub fn collecting() -> Vec<Row> {
    let mut rows = Vec::new();
    let entries = "/api/v1/collections/{collection}/entries";
    for (name, text) in texts() {
        let of = move || work("title", &text(9_000));
        rows.push(json_row(
            &format!("entry: {name}"),
            entries,
            move || json!({"metadata": of(), "note": text(9_000)}),
        ));
        rows.push(json_row(
            &format!("entry: {name}, long"),
            entries,
            move || work("title", &text(1_500_000)),
        ));
        rows.push(json_row(
            &format!("entries: {name}"),
            &format!("{entries}/batch"),
            move || json!({"entries": vec![of(); 60]}),
        ));
        let duplicates = "/api/v1/collections/{collection}/check-duplicates";
        rows.push(json_row(&format!("duplicates: {name}"), duplicates, of));
        rows.push(json_row(
            &format!("merging: {name}"),
            &format!("{entries}/{{entry}}/merge"),
            move || json!({"metadata": of(), "strategy": "overwrite"}),
        ));
        rows.push(json_row(&format!("browser: {name}"), "/api/v1/collections/merge", move || {
            let entry = json!({"metadata": of(), "note": text(9_000)});
            json!({"dry_run": true, "collections": [{"name": "n", "entries": vec![entry; 100]}]})
        }));
        rows.push(json_row(
            &format!("collection: {name}"),
            "/api/v1/collections",
            move || json!({"name": text(1_000_000)}),
        ));
    }
    rows.push(row(
        "objects of one member",
        "/api/v1/collections/merge",
        JSON,
        || {
            format!(
                "{{\"collections\":[{}{{\"name\":\"x\"}}]}}",
                "{\"\":0},".repeat(1_300_000)
            )
        },
    ));
    rows.push(json_row(
        "100,000 collections",
        "/api/v1/collections/merge",
        || json!({"collections": vec![json!({"name": "x"}); 100_000]}),
    ));
    rows.push(json_row(
        "50,000 ids",
        &format!("{entries}/batch-delete"),
        || json!({"entry_ids": vec!["x"; 50_000]}),
    ));
    rows.push(json_row(
        "50,000 tags",
        &format!("{entries}/batch-tag"),
        || json!({"entry_ids": ["x"], "add": vec!["x"; 50_000]}),
    ));
    rows.push(json_row(
        "50,000 ids",
        "/api/v1/collections/batch-move",
        || json!({"from": "x", "to": "y", "entry_ids": vec!["x"; 50_000]}),
    ));
    let mut reorder = json_row(
        "50,000 ids",
        "/api/v1/collections/{collection}/reorder",
        || json!({"entry_ids": vec!["x"; 50_000]}),
    );
    reorder.method = "PATCH";
    rows.push(reorder);
    rows
}

/// The pages' forms.
pub fn posting() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, text) in texts() {
        let form = move |field: &'static str| {
            move || {
                let bytes = text(60_000).into_bytes();
                let escaped: String = bytes.iter().map(|byte| format!("%{byte:02X}")).collect();
                format!("{field}={escaped}")
            }
        };
        rows.push(row(
            &format!("page: {name}"),
            "/cite",
            FORM,
            form("do=find&q"),
        ));
        rows.push(row(&format!("page: {name}"), "/verify", FORM, form("list")));
        rows.push(row(&format!("page: {name}"), "/batch", FORM, form("list")));
        rows.push(row(
            &format!("page: {name}"),
            "/auth/login",
            FORM,
            form("email=a%40example.org&password"),
        ));
        rows.push(row(
            &format!("page: {name}"),
            "/library",
            FORM,
            form("do=new&name"),
        ));
    }
    rows.push(row("fields", "/cite", FORM, || "a=b&".repeat(500_000)));
    rows.push(row("passwords", "/auth/sign-up", FORM, || {
        format!("email=a%40example.org&password={}", "x".repeat(2_000_000))
    }));
    rows
}

/// Beginnings without an end, and ends within each other, by the name of a manuscript.
const UNCLOSED: [(&str, &str, &str, &str); 11] = [
    ("a.tex", "latex", "", "\\cite["),
    ("a.tex", "latex", "", "\\begin{"),
    ("a.tex", "latex", "", "\\end{x{"),
    ("a.tex", "latex", "", "\\def\\x{"),
    (
        "a.tex",
        "latex",
        "\\begin{thebibliography}{9}",
        "\\bibitem[",
    ),
    (
        "a.tex",
        "latex",
        "\\begin{thebibliography}{9}\\bibitem{a}",
        "\\href{",
    ),
    ("a.bbl", "", "", "\\entry{a}{b}{}"),
    ("a.md", "markdown", "", "<div>"),
    ("a.md", "markdown", "", "{\\[@"),
    ("a.typ", "typst", "", "#cite("),
    ("a.html", "html", "", "<div>"),
];

/// Manuscripts of unclosed parts: as files, and as text of the tool.
fn unclosed() -> Vec<Row> {
    let mut rows = Vec::new();
    for (file, syntax, start, unit) in UNCLOSED {
        let text = move |bytes: usize| start.to_owned() + &unit.repeat(bytes / unit.len());
        let path = format!("/api/v1/verify/document?local_only=true&filename={file}");
        let name = format!("unclosed in {file}: {unit}");
        rows.push(row(&name, &path, "application/octet-stream", move || {
            text(1_200_000)
        }));
        if !syntax.is_empty() {
            rows.push(json_row(&format!("cite: {name}"), "/mcp", move || {
                json!({
                    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                    "params": {"name": "cite", "arguments": {
                        "text": text(63_000), "syntax": syntax, "local_only": true,
                    }},
                })
            }));
        }
    }
    rows
}

/// The tools of the Model Context Protocol, and invalid messages.
pub fn calling() -> Vec<Row> {
    let call = |name: &str, arguments: Value| {
        json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        })
    };
    let mut rows = unclosed();
    for (name, text) in texts() {
        for length in [1_900, 60_000] {
            let of = move || text(length).chars().take(length).collect::<String>();
            let mut tool = |tool: &'static str, arguments: fn(String) -> Value| {
                let name = format!("{tool}: {name}, {length}");
                rows.push(json_row(&name, "/mcp", move || call(tool, arguments(of()))));
            };
            tool("lookup", |text| json!({"query": text, "local_only": true}));
            tool("search", |text| json!({"text": text, "local_only": true}));
            tool(
                "verify",
                |text| json!({"references": vec![text; 100], "local_only": true}),
            );
            tool(
                "verify_document",
                |text| json!({"text": text, "local_only": true}),
            );
            tool(
                "verify_document",
                |text| json!({"text": format!("# A\n\n[@a]\n\n{text}"), "filename": "a.md", "local_only": true}),
            );
            tool(
                "format",
                |text| json!({"entries": vec![json!({"title": text, "authors": [{"literal": text}]}); 50]}),
            );
            for syntax in ["markdown", "latex", "typst", "html"] {
                let name = format!("cite in {syntax}: {name}, {length}");
                rows.push(json_row(&name, "/mcp", move || {
                    call(
                        "cite",
                        json!({"text": of(), "syntax": syntax, "local_only": true}),
                    )
                }));
            }
            let name = format!("cite with a bibliography: {name}, {length}");
            rows.push(json_row(&name, "/mcp", move || {
                let bibliography = format!("@book{{a, title={{{}}}}}", of());
                let text = "[@a]".repeat(length / 10);
                call(
                    "cite",
                    json!({"text": text, "bibliography": bibliography, "local_only": true}),
                )
            }));
        }
    }
    rows.push(json_row("many citations", "/mcp", move || {
        call(
            "cite",
            json!({"text": "[@a; @b; @c] ".repeat(4_900), "local_only": true}),
        )
    }));
    rows.push(json_row("many lookups", "/mcp", move || {
        let query = (0..3_000)
            .map(|n| format!("10.1000/{n} "))
            .collect::<String>();
        Value::Array(vec![
            call(
                "lookup",
                json!({"query": query, "local_only": true})
            );
            10
        ])
    }));
    rows.push(json_row("a long batch", "/mcp", || {
        json!(vec![
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
            100_000
        ])
    }));
    rows.push(row("nesting", "/mcp", JSON, || "[".repeat(1_000_000)));
    rows.push(row("nested parameters", "/mcp", JSON, || {
        let nested = format!("{}{}", "{\"a\":".repeat(5_000), "}".repeat(5_000));
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{nested}}}")
    }));
    rows.push(json_row("packed", "/mcp", move || {
        call("verify_document", json!({"base64": "A".repeat(8_000_000)}))
    }));
    rows.push(json_row(
        "a long method",
        "/mcp",
        || json!({"jsonrpc": "2.0", "id": 1, "method": "x".repeat(1_000_000)}),
    ));
    rows.push(json_row("a long address", "/mcp", || {
        let uri = format!("citation://collections/{}", "x".repeat(1_000_000));
        json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}})
    }));
    rows
}
