//! Writes items as Zotero's own RDF, and as plain Dublin Core.

use serde_json::{Map, Value};

use crate::formats::zotero::{Blanks, api_object};
use crate::syntax::xml::write::Writer;
use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;

const RDF: (&str, &str) = ("xmlns:rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#");
const DC: (&str, &str) = ("xmlns:dc", "http://purl.org/dc/elements/1.1/");
const DCTERMS: (&str, &str) = ("xmlns:dcterms", "http://purl.org/dc/terms/");

/// Items in the form of Zotero's export.
pub fn zotero(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let namespaces = [
        RDF,
        ("xmlns:z", "http://www.zotero.org/namespaces/export#"),
        DCTERMS,
        DC,
        ("xmlns:bib", "http://purl.org/net/biblio#"),
        ("xmlns:foaf", "http://xmlns.com/foaf/0.1/"),
        (
            "xmlns:prism",
            "http://prismstandard.org/namespaces/1.2/basic/",
        ),
        ("xmlns:vcard", "http://nwalsh.com/rdf/vCard#"),
    ];
    graph(items, &namespaces, budget, |fields, about, writer| {
        let class = class_of(fields.text("itemType"));
        writer.element_with(class, &[("rdf:about", about)], |writer| {
            work(fields, writer)
        });
    })
}

/// Items in the fifteen elements of Dublin Core.
pub fn dublin_core(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    graph(
        items,
        &[RDF, DC, DCTERMS],
        budget,
        |fields, about, writer| {
            writer.element_with("rdf:Description", &[("rdf:about", about)], |writer| {
                writer.leaf("dc:type", fields.text("itemType"));
                writer.leaf("dc:title", fields.text("title"));
                for creator in fields.creators() {
                    let is_contributor = matches!(
                        creator.role,
                        "contributor" | "editor" | "seriesEditor" | "translator"
                    );
                    let element = if is_contributor {
                        "dc:contributor"
                    } else {
                        "dc:creator"
                    };
                    writer.leaf(element, &creator.inverted());
                }
                writer.leaf("dc:source", fields.container());
                writer.leaf("dc:publisher", fields.publisher());
                for (element, field) in [
                    ("dc:date", "date"),
                    ("dc:description", "abstractNote"),
                    ("dc:language", "language"),
                    ("dc:rights", "rights"),
                    ("dc:coverage", "archiveLocation"),
                ] {
                    writer.leaf(element, fields.text(field));
                }
                fields.tags(writer);
                identifiers(fields, writer);
                writer.leaf("dc:identifier", fields.text("url"));
            });
        },
    )
}

fn graph(
    items: &[Item],
    namespaces: &[(&str, &str)],
    budget: &Budget,
    node: impl Fn(&Fields, &str, &mut Writer),
) -> Result<String, Exceeded> {
    Writer::new().document("rdf:RDF", namespaces, items, budget, |at, item, writer| {
        let fields = Fields(api_object(item, Blanks::LeftOut));
        node(&fields, &format!("#item_{}", at + 1), writer);
    })
}

const IDENTIFIERS: [&str; 5] = ["ISBN", "ISSN", "DOI", "PMID", "PMCID"];

/// Fields that some types have under other names.
const SPECIAL: [(&str, &[&str]); 10] = [
    ("title", &["nameOfAct", "caseName", "subject"]),
    ("date", &["dateDecided", "dateEnacted", "issueDate"]),
    ("series", &["seriesTitle"]),
    ("volume", &["codeVolume", "reporterVolume"]),
    ("pages", &["codePages", "firstPage"]),
    ("place", &["repositoryLocation"]),
    ("callNumber", &["applicationNumber"]),
    (
        "authority",
        &[
            "court",
            "issuingAuthority",
            "legislativeBody",
            "organization",
        ],
    ),
    (
        "number",
        &[
            "archiveID",
            "billNumber",
            "docketNumber",
            "documentNumber",
            "episodeNumber",
            "identifier",
            "patentNumber",
            "publicLawNumber",
            "reportNumber",
        ],
    ),
    (
        "type",
        &[
            "letterType",
            "manuscriptType",
            "mapType",
            "postType",
            "presentationType",
            "reportType",
            "thesisType",
            "websiteType",
        ],
    ),
];

/// Zotero's class of a type.
fn class_of(kind: &str) -> &'static str {
    match kind {
        "journalArticle" | "magazineArticle" | "newspaperArticle" => "bib:Article",
        "book" => "bib:Book",
        "bookSection" | "encyclopediaArticle" | "dictionaryEntry" => "bib:BookSection",
        "thesis" => "bib:Thesis",
        "letter" | "email" => "bib:Letter",
        "manuscript" => "bib:Manuscript",
        "interview" => "bib:Interview",
        "film" => "bib:MotionPicture",
        "artwork" => "bib:Illustration",
        "report" => "bib:Report",
        "bill" | "statute" => "bib:Legislation",
        "patent" => "bib:Patent",
        "hearing" | "case" | "document" | "webpage" | "blogPost" | "forumPost" => "bib:Document",
        "map" => "bib:Image",
        "audioRecording" | "videoRecording" | "tvBroadcast" | "radioBroadcast" | "podcast" => {
            "bib:Recording"
        }
        "computerProgram" | "dataset" => "bib:Data",
        _ => "rdf:Description",
    }
}

/// Zotero's field of the container title, and the container's class.
const CONTAINERS: [(&str, &str); 12] = [
    ("publicationTitle", "bib:Journal"),
    ("bookTitle", "bib:Book"),
    ("proceedingsTitle", "bib:Book"),
    ("encyclopediaTitle", "bib:Book"),
    ("dictionaryTitle", "bib:Book"),
    ("websiteTitle", "z:Website"),
    ("blogTitle", "z:Blog"),
    ("forumTitle", "z:Forum"),
    ("programTitle", "bib:Series"),
    ("reporter", "bib:CourtReporter"),
    ("code", "bib:Code"),
    ("repository", ""),
];

/// Fields and their properties.
const PROPERTIES: [(&str, &str); 45] = [
    ("dc:title", "title"),
    ("dcterms:abstract", "abstractNote"),
    ("dc:date", "date"),
    ("dcterms:dateSubmitted", "accessDate"),
    ("dc:rights", "rights"),
    ("dc:coverage", "archiveLocation"),
    ("bib:pages", "pages"),
    ("prism:edition", "edition"),
    ("dc:description", "extra"),
    ("z:citationKey", "citationKey"),
    ("z:language", "language"),
    ("z:shortTitle", "shortTitle"),
    ("z:libraryCatalog", "libraryCatalog"),
    ("z:callNumber", "callNumber"),
    ("z:numPages", "numPages"),
    ("z:numberOfVolumes", "numberOfVolumes"),
    ("z:section", "section"),
    ("z:versionNumber", "versionNumber"),
    ("z:programmingLanguage", "programmingLanguage"),
    ("z:conferenceName", "conferenceName"),
    ("z:archive", "archive"),
    ("z:type", "type"),
    ("z:authority", "authority"),
    ("z:originalDate", "originalDate"),
    ("z:filingDate", "filingDate"),
    ("z:eventPlace", "eventPlace"),
    ("z:artworkMedium", "artworkMedium"),
    ("z:artworkSize", "artworkSize"),
    ("z:audioFileType", "audioFileType"),
    ("z:audioRecordingFormat", "audioRecordingFormat"),
    ("z:codeNumber", "codeNumber"),
    ("z:codeVolume", "codeVolume"),
    ("z:committee", "committee"),
    ("z:country", "country"),
    ("z:format", "format"),
    ("z:genre", "genre"),
    ("z:history", "history"),
    ("z:interviewMedium", "interviewMedium"),
    ("z:meetingName", "meetingName"),
    ("z:medium", "medium"),
    ("z:runningTime", "runningTime"),
    ("z:scale", "scale"),
    ("z:session", "session"),
    ("z:system", "system"),
    ("z:videoRecordingFormat", "videoRecordingFormat"),
];

fn work(fields: &Fields, writer: &mut Writer) {
    writer.leaf("z:itemType", fields.text("itemType"));
    container(fields, writer);
    let publisher = fields.publisher();
    let place = fields.text("place");
    writer.element("dc:publisher", |writer| {
        writer.element("foaf:Organization", |writer| {
            writer.element("vcard:adr", |writer| {
                writer.element("vcard:Address", |writer| {
                    writer.leaf("vcard:locality", place)
                });
            });
            writer.leaf("foaf:name", publisher);
        });
    });
    people(fields, writer);
    fields.tags(writer);
    for (property, field) in PROPERTIES {
        writer.leaf(property, fields.text(field));
    }
    writer.element("dc:identifier", |writer| {
        writer.element("dcterms:URI", |writer| {
            writer.leaf("rdf:value", fields.text("url"))
        });
    });
}

/// The container and its series.
fn container(fields: &Fields, writer: &mut Writer) {
    let container = CONTAINERS
        .iter()
        .find(|(field, _)| fields.get(field).is_some());
    let (title, class) = match container {
        Some((field, class)) => (fields.text(field), *class),
        None => ("", ""),
    };
    let numbers = |writer: &mut Writer| {
        writer.leaf("prism:volume", fields.text("volume"));
        writer.leaf("prism:number", fields.text("issue"));
    };
    if class.is_empty() {
        numbers(writer);
        identifiers(fields, writer);
    } else {
        writer.element("dcterms:isPartOf", |writer| {
            writer.element(class, |writer| {
                writer.leaf("dc:title", title);
                writer.leaf("dcterms:alternative", fields.text("journalAbbreviation"));
                numbers(writer);
                identifiers(fields, writer);
            });
        });
    }
    writer.leaf("prism:number", fields.text("number"));
    writer.element("dcterms:isPartOf", |writer| {
        writer.element("bib:Series", |writer| {
            writer.leaf("dc:title", fields.text("series"));
            writer.leaf("prism:number", fields.text("seriesNumber"));
        });
    });
}

fn identifiers(fields: &Fields, writer: &mut Writer) {
    for scheme in IDENTIFIERS {
        if let Some(id) = fields.get(scheme) {
            writer.leaf("dc:identifier", &format!("{scheme} {id}"));
        }
    }
}

/// The list for each role; the first role of a type is its author role.
fn people(fields: &Fields, writer: &mut Writer) {
    const LISTS: [(&str, &str); 26] = [
        ("author", "bib:authors"),
        ("editor", "bib:editors"),
        ("contributor", "bib:contributors"),
        ("translator", "z:translators"),
        ("seriesEditor", "z:seriesEditors"),
        ("bookAuthor", "z:bookAuthors"),
        ("director", "z:directors"),
        ("interviewer", "z:interviewers"),
        ("recipient", "z:recipients"),
        ("performer", "z:performers"),
        ("artist", "z:artists"),
        ("inventor", "z:inventors"),
        ("programmer", "z:programmers"),
        ("presenter", "z:presenters"),
        ("podcaster", "z:podcasters"),
        ("cartographer", "z:cartographers"),
        ("composer", "z:composers"),
        ("interviewee", "z:interviewees"),
        ("reviewedAuthor", "z:reviewedAuthors"),
        ("castMember", "z:castMembers"),
        ("scriptwriter", "z:scriptwriters"),
        ("producer", "z:producers"),
        ("guest", "z:guests"),
        ("sponsor", "z:sponsors"),
        ("cosponsor", "z:cosponsors"),
        ("commenter", "z:commenters"),
    ];
    for (role, list) in LISTS {
        writer.element(list, |writer| {
            writer.element("rdf:Seq", |writer| {
                for creator in fields.creators().filter(|creator| creator.role == role) {
                    writer.element("rdf:li", |writer| {
                        writer.element("foaf:Person", |writer| {
                            writer.leaf("foaf:surname", creator.family);
                            writer.leaf("foaf:givenName", creator.given);
                        });
                    });
                }
            });
        });
    }
}

/// An item in the form of Zotero's API.
struct Fields(Map<String, Value>);

struct Creator<'f> {
    role: &'f str,
    family: &'f str,
    given: &'f str,
}

impl Creator<'_> {
    fn inverted(&self) -> String {
        match self.given {
            "" => self.family.to_owned(),
            given => format!("{}, {given}", self.family),
        }
    }
}

impl Fields {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// A field under its name or that of the type.
    fn text(&self, name: &str) -> &str {
        let special = SPECIAL.iter().find(|(generic, _)| *generic == name);
        let special = special.map_or(&[][..], |(_, names)| names);
        self.get(name).unwrap_or_else(|| self.first(special))
    }

    fn first(&self, names: &[&str]) -> &str {
        names
            .iter()
            .find_map(|name| self.get(name))
            .unwrap_or_default()
    }

    fn container(&self) -> &str {
        let found = CONTAINERS.iter().find_map(|(field, _)| self.get(field));
        found.unwrap_or_default()
    }

    fn publisher(&self) -> &str {
        self.first(&[
            "publisher",
            "institution",
            "university",
            "company",
            "studio",
            "network",
            "label",
            "distributor",
            "repository",
        ])
    }

    fn creators(&self) -> impl Iterator<Item = Creator<'_>> {
        let creators = self.0.get("creators").and_then(Value::as_array);
        creators.into_iter().flatten().map(|creator| {
            let text = |name: &str| {
                creator
                    .get(name)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            };
            Creator {
                role: text("creatorType"),
                family: if text("name").is_empty() {
                    text("lastName")
                } else {
                    text("name")
                },
                given: text("firstName"),
            }
        })
    }

    fn tags(&self, writer: &mut Writer) {
        let tags = self.0.get("tags").and_then(Value::as_array);
        for tag in tags.into_iter().flatten() {
            let text = tag.get("tag").and_then(Value::as_str).unwrap_or_default();
            writer.leaf("dc:subject", text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{WRITTEN, items};

    #[test]
    fn dublin_core_has_its_own_elements_alone() {
        let written = dublin_core(&items(WRITTEN), &Budget::unlimited()).unwrap();
        for expected in [
            "<dc:title>On x &amp; y</dc:title>",
            "<dc:creator>Doe, Jane</dc:creator>",
            "<dc:creator>World Health Organization</dc:creator>",
            "<dc:contributor>Poe, P.</dc:contributor>",
            "<dc:source>J</dc:source>",
            "<dc:subject>b</dc:subject>",
            "<dc:identifier>DOI 10.5555/x</dc:identifier>",
        ] {
            assert!(written.contains(expected), "{expected}: {written}");
        }
        assert!(!written.contains("<bib:"), "{written}");
    }
}
