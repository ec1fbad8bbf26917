//! Every reader of external text, with the tokens that its module declares.

use std::io::Write;

use citation_documents::ManuscriptFormat;
use citation_exchange::{self as exchange, Content, Format, Hints, tokens};
use citation_matching::query::Questions;
use citation_matching::reference::Reference;
use citation_model::budget::Budget;
use citation_records::{self as records, Abstracts};
use citation_testing::growth::{Unit, units};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Reads a text within a budget.
pub type Read = Box<dyn Fn(&str, &Budget) + Send + Sync>;

/// A reader of text.
pub struct Reader {
    pub name: String,
    pub tokens: Vec<&'static str>,
    /// Divides the number of units: a reader that tries every format costs as much as all.
    share: usize,
    /// Whether it spends the budget.
    #[allow(dead_code, reason = "only the test of steps asks")]
    pub is_counted: bool,
    pub read: Read,
}

impl Reader {
    fn new(
        name: impl Into<String>,
        tokens: &[&[&'static str]],
        read: impl Fn(&str, &Budget) + Send + Sync + 'static,
    ) -> Reader {
        Reader {
            name: name.into(),
            tokens: tokens.concat(),
            share: 1,
            is_counted: true,
            read: Box::new(read),
        }
    }

    /// A reader of answers and files whose length is bounded, which takes no budget.
    fn uncounted(
        name: impl Into<String>,
        tokens: &[&[&'static str]],
        read: impl Fn(&str) + Send + Sync + 'static,
    ) -> Reader {
        Reader {
            is_counted: false,
            ..Reader::new(name, tokens, move |text, _| read(text))
        }
    }

    /// Units of its tokens, the same in each run.
    pub fn units(&self, most: usize) -> Vec<Unit> {
        let seed = { self.name.bytes() }.fold(1, |seed: u64, byte| {
            seed.wrapping_mul(31).wrapping_add(byte.into())
        });
        units(&self.tokens, most / self.share, seed)
    }
}

/// All readers. A format or a kind of document that is new in its table is a reader without further ado.
pub fn all() -> Vec<Reader> {
    let mut readers = vec![recognition()];
    readers.extend(Format::readable().map(file));
    for format in ManuscriptFormat::ALL {
        readers.extend(manuscripts(format));
    }
    readers.push(references());
    readers.extend([style(), locale()]);
    readers.extend(provider_records());
    readers.push(web_page());
    readers
}

/// Recognition tries every format, so its tokens are those of all.
fn recognition() -> Reader {
    let mut tokens: Vec<&str> = Format::readable()
        .flat_map(|format| format.tokens.concat())
        .collect();
    tokens.sort_unstable();
    tokens.dedup();
    let reader = Reader::new("recognition", &[&tokens], |text, budget| {
        let _ = exchange::recognise(&Content::of_text(text), Hints::default(), budget);
    });
    Reader { share: 8, ..reader }
}

fn file(format: &'static Format) -> Reader {
    Reader::new(format.id, format.tokens, move |text, budget| {
        let content = Content::of_text(text);
        let _ = format.recognises(&content, budget);
        let _ = exchange::read(&content, format, budget);
    })
}

/// A kind of manuscript under each of its extensions, which are partly different readers.
fn manuscripts(format: ManuscriptFormat) -> Vec<Reader> {
    let extensions = match format {
        ManuscriptFormat::Tex => &["tex", "bbl", "aux"],
        _ => format.extensions().get(..1).unwrap_or_default(),
    };
    let reader = |extension: &&'static str| {
        let name = format!("a.{extension}");
        Reader::new(
            name.clone(),
            &[citation_documents::tokens(format)],
            move |text, budget| {
                let bytes = bytes_of(format, text);
                let document = citation_documents::read(&name, &bytes, &|_| None, budget);
                drop(document);
            },
        )
    };
    extensions.iter().map(reader).collect()
}

/// The file of a kind whose text this is.
fn bytes_of(format: ManuscriptFormat, text: &str) -> Vec<u8> {
    match format {
        ManuscriptFormat::Docx => package(&[
            ("[Content_Types].xml", "<Types/>"),
            (
                "word/document.xml",
                &format!("<w:document xmlns:w=\"w\"><w:body>{text}</w:body></w:document>"),
            ),
        ]),
        ManuscriptFormat::Odt => package(&[
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            (
                "content.xml",
                &format!(
                    "<office:document-content><office:body><office:text>{text}</office:text>\
                     </office:body></office:document-content>"
                ),
            ),
        ]),
        ManuscriptFormat::Pdf => format!("%PDF-1.7\n{text}").into_bytes(),
        _ => text.as_bytes().to_vec(),
    }
}

fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        let options = SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A pasted list, and its first references.
fn references() -> Reader {
    Reader::new(
        "references",
        &[citation_matching::TOKENS],
        |text, budget| {
            let Ok(list) = citation_matching::split(text, budget) else {
                return;
            };
            for piece in list.pieces.iter().take(100) {
                if budget.spend(Reference::steps(&piece.text)).is_ok() {
                    let _ = Questions::of(&Reference::parse(&piece.text));
                }
            }
        },
    )
}

fn style() -> Reader {
    Reader::uncounted("style", &[citation_csl::STYLE_TOKENS], |text| {
        let _ = citation_csl::Style::parse(text);
    })
}

fn locale() -> Reader {
    Reader::uncounted("locale", &[citation_csl::LOCALE_TOKENS], |text| {
        let _ = citation_csl::Locale::parse(text);
    })
}

/// The records of providers as a whole, and their texts.
fn provider_records() -> Vec<Reader> {
    let whole = |name: &str, syntax, tokens, read: fn(&[u8])| {
        Reader::uncounted(name, &[syntax, tokens], move |text| read(text.as_bytes()))
    };
    vec![
        whole(
            "crossref",
            tokens::JSON,
            records::crossref::TOKENS,
            |json| {
                let _ = records::crossref::from_slice(json);
                let _ = records::crossref::from_list(json);
            },
        ),
        whole(
            "datacite",
            tokens::JSON,
            records::datacite::TOKENS,
            |json| {
                let _ = records::datacite::from_slice(json);
                let _ = records::datacite::from_list(json);
            },
        ),
        whole(
            "openalex",
            tokens::JSON,
            records::openalex::TOKENS,
            |json| {
                let _ = records::openalex::from_slice(json);
                let _ = records::openalex::from_list(json);
            },
        ),
        whole(
            "europepmc",
            tokens::JSON,
            records::europepmc::TOKENS,
            |json| {
                let _ = records::europepmc::from_search(json);
            },
        ),
        whole("doi csl", tokens::JSON, records::doi_csl::TOKENS, |json| {
            let _ = records::doi_csl::from_slice(json);
        }),
        whole(
            "openlibrary",
            tokens::JSON,
            records::openlibrary::TOKENS,
            |json| {
                let _ = records::openlibrary::from_search(json);
            },
        ),
        whole("pubmed", tokens::XML, records::pubmed::TOKENS, |xml| {
            let _ = records::pubmed::from_set(xml);
            let _ = records::pubmed::deleted(xml);
        }),
        whole("arxiv", tokens::XML, records::arxiv::TOKENS, |xml| {
            let _ = records::arxiv::from_feed(xml, Abstracts::Keep);
        }),
        whole("marc", tokens::XML, records::marc::TOKENS, |xml| {
            let _ = records::marc::from_sru(xml, citation_model::work::Source::Loc);
        }),
        whole(
            "semantic scholar",
            tokens::JSON,
            records::semantic_scholar::TOKENS,
            |json| {
                let _ = records::semantic_scholar::from_slice(json);
                let _ = records::semantic_scholar::from_list(json);
            },
        ),
        whole("dblp", tokens::XML, records::dblp::TOKENS, |xml| {
            let _ = records::dblp::from_slice(xml);
        }),
        whole(
            "acl anthology",
            tokens::XML,
            records::acl_anthology::TOKENS,
            |xml| {
                let _ = records::acl_anthology::from_collection(xml);
            },
        ),
        whole("oai", tokens::XML, records::oai::TOKENS, |xml| {
            let _ = records::oai::from_slice(xml);
            let _ = records::oai::resumption_token(xml);
            let _ = records::oai::error(xml);
        }),
        whole(
            "retraction watch",
            &[],
            records::retraction_watch::TOKENS,
            |csv| {
                let _ = records::retraction_watch::from_slice(csv);
            },
        ),
        whole(
            "wikidata",
            tokens::JSON,
            records::wikidata::TOKENS,
            |json| {
                let _ = records::wikidata::from_slice(json);
            },
        ),
        whole(
            "unpaywall",
            tokens::JSON,
            records::unpaywall::TOKENS,
            |json| {
                let _ = records::unpaywall::from_slice(json);
            },
        ),
        whole(
            "resource list",
            tokens::XML,
            records::resource_list::TOKENS,
            |xml| {
                let _ = records::resource_list::read(xml);
            },
        ),
        Reader::uncounted("texts of records", &[records::clean::TOKENS], |text| {
            let _ = records::clean::rich(text);
            let _ = records::clean::plain(text);
            let _ = records::clean::name(text);
            let _ = records::clean::pages(text);
        }),
        Reader::uncounted("crossref texts", &[records::clean::TOKENS], |text| {
            let record = serde_json::json!({
                "DOI": "10.1000/a", "type": "journal-article", "title": [text], "abstract": text,
                "author": [{"family": text, "given": text}], "page": text,
                "container-title": [text], "publisher": text,
            });
            let _ = records::crossref::from_slice(record.to_string().as_bytes());
        }),
    ]
}

fn web_page() -> Reader {
    Reader::new("web page", &[records::webpage::TOKENS], |text, budget| {
        let url = Some("https://www.example.org/2021/07/14/story");
        let _ = records::webpage::read(text.as_bytes(), url, None, budget);
    })
}
