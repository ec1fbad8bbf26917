//! Books of a library catalogue: MARC 21 XML in SRU responses.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use citation_model::date::Date;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Work};

use super::statement::{self, People};
use super::{RecordError, clean, fields, language, names};

/// What its records are made of beside their syntax, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<searchRetrieveResponse>",
    "<recordData>",
    "<record>",
    "</record>",
    "<leader>00000nam a2200000 a 4500</leader>",
    "<controlfield tag=\"001\">",
    "<datafield tag=\"245\">",
    "<datafield tag=\"700\">",
    "<subfield code=\"a\">",
    "</subfield>",
    "</datafield>",
];

/// Reads the records of a response, each as a work or an error. `source` is the library.
pub fn from_sru(xml: &[u8], source: Source) -> Result<Vec<Result<Work, RecordError>>, RecordError> {
    let xml = std::str::from_utf8(xml).map_err(|error| RecordError::Syntax(error.to_string()))?;
    let syntax = |error: quick_xml::Error| RecordError::Syntax(error.to_string());
    let mut reader = Reader::from_str(xml);
    let mut works = Vec::new();
    let mut record: Option<MarcRecord> = None;
    loop {
        match reader.read_event().map_err(syntax)? {
            Event::Start(start) => match (start.local_name().into_inner(), &mut record) {
                // The envelope uses the same element name around the records of the library.
                ("record", _) => record = Some(MarcRecord::default()),
                ("controlfield", Some(record)) => {
                    let text = reader.read_text(start.name()).map_err(syntax)?;
                    record.add(attribute(&start, "tag"), "", &text.into_inner());
                }
                ("datafield", Some(record)) => record.tag = attribute(&start, "tag"),
                ("subfield", Some(record)) => {
                    let text = reader.read_text(start.name()).map_err(syntax)?;
                    let tag = record.tag.clone();
                    record.add(tag, &attribute(&start, "code"), &text.into_inner());
                }
                _ => {}
            },
            Event::End(end) => match (end.local_name().into_inner(), &mut record) {
                ("record", Some(_)) => {
                    works.extend(record.take().map(|record| record.work(source)));
                }
                ("datafield", Some(record)) => record.add(record.tag.clone(), END, ""),
                _ => {}
            },
            Event::Eof if record.is_some() => {
                return Err(RecordError::Syntax("the answer is cut off".into()));
            }
            Event::Eof => return Ok(works),
            _ => {}
        }
    }
}

fn attribute(start: &BytesStart<'_>, name: &str) -> String {
    let attribute = start.try_get_attribute(name).ok().flatten();
    attribute.map_or_else(String::new, |found| found.value.into_owned())
}

/// Marks the end of a field.
const END: &str = "end";

/// The subfields of a record in order.
#[derive(Default)]
struct MarcRecord {
    tag: String,
    subfields: Vec<Subfield>,
}

struct Subfield {
    tag: String,
    /// Empty for a control field.
    code: String,
    text: String,
}

impl MarcRecord {
    fn add(&mut self, tag: String, code: &str, text: &str) {
        self.subfields.push(Subfield {
            tag,
            code: code.to_owned(),
            // In a control field, positions matter.
            text: match code {
                "" => text.to_owned(),
                _ => clean::plain(text),
            },
        });
    }

    fn all<'r>(&'r self, tags: &'r [&str], code: &'r str) -> impl Iterator<Item = &'r str> {
        let wanted =
            move |field: &&Subfield| tags.contains(&field.tag.as_str()) && field.code == code;
        self.subfields
            .iter()
            .filter(wanted)
            .map(|field| field.text.as_str())
    }

    fn first(&self, tags: &[&str], code: &str) -> Option<&str> {
        self.subfields
            .iter()
            .find(|field| tags.contains(&field.tag.as_str()) && field.code == code)
            .map(|field| field.text.as_str())
    }

    /// Maps the record. Fails without a number or a title.
    fn work(self, source: Source) -> Result<Work, RecordError> {
        let id = self.first(&["001"], "").map(str::trim);
        let id = id
            .filter(|id| !id.is_empty())
            .ok_or(RecordError::Missing("control number"))?;
        let mut item = Item::new(id, ItemType::Book);
        let title = self
            .first(&["245"], "a")
            .ok_or(RecordError::Missing("title"))?;
        let bare = |text: &str| {
            text.trim_end_matches([' ', '/', ':', '=', ';', ','])
                .to_owned()
        };
        let subtitle = self.first(&["245"], "b").map(bare);
        fields::title(
            &mut item,
            bare(title).trim_end_matches('.'),
            subtitle.as_deref(),
        );
        if item.text(TextVar::Title).is_none() {
            return Err(RecordError::Missing("title"));
        }
        self.people().set(&mut item);
        let imprint = ["264", "260"];
        fields::imprint(
            &mut item,
            TextVar::PublisherPlace,
            self.first(&imprint, "a"),
        );
        fields::imprint(&mut item, TextVar::Publisher, self.first(&imprint, "b"));
        fields::date(&mut item, DateVar::Issued, self.year().as_ref());
        let edition = self.first(&["250"], "a").map(bare);
        fields::number(&mut item, NumberVar::Edition, edition.as_deref());
        let series = self.first(&["490", "830"], "a").map(bare);
        fields::plain(&mut item, TextVar::CollectionTitle, series.as_deref());
        fields::isbns(&mut item, self.all(&["020"], "a"));
        let code = self.first(&["008"], "").and_then(|fixed| fixed.get(35..38));
        let language = code.or(self.first(&["041"], "a")).and_then(language::tag);
        fields::plain(&mut item, TextVar::Language, language.as_deref());
        let provenance = Provenance {
            source,
            record_id: id.to_owned(),
            url: None,
            license: None,
            fetched_at: 0,
        };
        Ok(Work::new(item, provenance))
    }

    /// Four digits of the imprint: `c1925.`, `[2004]`.
    fn year(&self) -> Option<Date> {
        let text = self.first(&["264", "260"], "c")?;
        let mut digits = text.split(|c: char| !c.is_ascii_digit());
        let year = digits.rfind(|run| run.len() == 4)?;
        Date::parse(year)
    }

    /// The main and added entries with their roles; the main entry is an author by default.
    fn people(&self) -> People {
        let mut people = People::default();
        let mut person: Option<(&Subfield, Vec<&str>)> = None;
        for field in &self.subfields {
            let is_person = matches!(field.tag.as_str(), "100" | "110" | "700" | "710");
            match (field.code.as_str(), &mut person) {
                ("a", _) if is_person => person = Some((field, Vec::new())),
                ("e" | "4", Some((_, roles))) if is_person => roles.push(&field.text),
                (END, Some(_)) => {
                    if let Some((name, roles)) = person.take() {
                        let role = roles.iter().find_map(|words| role(words));
                        let main = matches!(name.tag.as_str(), "100" | "110");
                        let role = role.or(main.then_some(NameVar::Author));
                        let text = name.text.trim_end_matches([',', ' ', ':']);
                        let is_corporate = name.tag.ends_with("10");
                        let read = if is_corporate {
                            names::literal
                        } else {
                            names::from_text
                        };
                        people.add(
                            role.unwrap_or(NameVar::Contributor),
                            read(without_stop(text)),
                        );
                    }
                }
                _ => {}
            }
        }
        people
    }
}

/// A MARC role in words or as a code.
fn role(words: &str) -> Option<NameVar> {
    match words.trim_end_matches(['.', ',']) {
        "aut" | "author" => Some(NameVar::Author),
        "edt" => Some(NameVar::Editor),
        "trl" => Some(NameVar::Translator),
        "ill" => Some(NameVar::Illustrator),
        words => statement::role(words),
    }
}

/// Removes the full stop at the end of a field, except after an initial.
fn without_stop(text: &str) -> &str {
    match text.strip_suffix('.') {
        Some(bare) if !bare.ends_with(|c: char| c.is_uppercase()) => bare,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written after the documentation of MARC 21 (loc.gov/marc/bibliographic) and SRU 1.1
    /// (loc.gov/standards/sru).
    #[test]
    fn a_book_of_a_catalogue_is_mapped() {
        let field = |tag: &str, subfields: &[(&str, &str)]| {
            let inner: String = subfields
                .iter()
                .map(|(code, text)| format!("<subfield code=\"{code}\">{text}</subfield>"))
                .collect();
            format!("<datafield tag=\"{tag}\" ind1=\"1\" ind2=\" \">{inner}</datafield>")
        };
        let xml = [
            "<zs:searchRetrieveResponse xmlns:zs=\"http://www.loc.gov/zing/srw/\"><zs:records><zs:record><zs:recordData><record xmlns=\"http://www.loc.gov/MARC21/slim\"><controlfield tag=\"001\"> 2004 </controlfield>",
            "<controlfield tag=\"008\">040101s2004    nyu           000 1 eng  </controlfield>",
            &field("020", &[("a", "0743273567 (pbk. : alk. paper)")]),
            &field("100", &[("a", "Fitzgerald, F. Scott"), ("d", "1896-1940."), ("e", "author.")]),
            &field("245", &[("a", "The great Gatsby :"), ("b", "a novel /"), ("c", "F. Scott Fitzgerald.")]),
            &field("250", &[("a", "2nd ed.")]),
            &field("260", &[("a", "New York :"), ("b", "Scribner,"), ("c", "c2004.")]),
            &field("700", &[("a", "Bruccoli, Matthew J.,"), ("e", "editor.")]),
            "</record></zs:recordData></zs:record></zs:records></zs:searchRetrieveResponse>",
        ]
        .concat();
        let mut works = from_sru(xml.as_bytes(), Source::Loc).unwrap().into_iter();
        let item = works.next().unwrap().unwrap().item;
        assert_eq!(item.text(TextVar::Title), Some("The great Gatsby: a novel"));
        assert_eq!(item.text(TextVar::Isbn), Some("9780743273565"));
        assert_eq!(item.text(TextVar::Publisher), Some("Scribner"));
        assert_eq!(item.text(TextVar::PublisherPlace), Some("New York"));
        assert_eq!(item.text(TextVar::Language), Some("en"));
        assert_eq!(item.year(), Some(2004));
        assert_eq!(
            item.names(NameVar::Author)[0].display(),
            "F. Scott Fitzgerald"
        );
        assert_eq!(
            item.names(NameVar::Editor)[0].display(),
            "Matthew J. Bruccoli"
        );
        assert!(from_sru(b"<record><datafield>", Source::Loc).is_err());
        let none = b"<zs:searchRetrieveResponse><zs:numberOfRecords>0</zs:numberOfRecords></zs:searchRetrieveResponse>";
        assert!(from_sru(none, Source::Loc).unwrap().is_empty());
    }
}
