//! Maps properties of the vocabularies to Zotero fields.

use super::graph::{Graph, Object, Resource};
use super::kinds;
use crate::formats::zotero::ZoteroRecord;
use crate::reading::Reading;
use citation_fields::names::MAX_NAMES;
use citation_fields::notice::Notices;
use citation_fields::parts::{person, person_of_text};
use citation_model::budget::{Budget, Exceeded};
use citation_model::lists::words;
use citation_model::name::{Name, non_blank};

/// Reads every node that is a work.
pub fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    let (graph, mut builder) = Graph::read(text, budget)?;
    for node in &graph.nodes {
        let Some(kind) = kinds::kind(node, &graph) else {
            continue;
        };
        let mut reader = RdfReader {
            graph: &graph,
            record: ZoteroRecord {
                kind,
                ..ZoteroRecord::default()
            },
        };
        reader.work(node);
        let record = reader.record;
        let kind = record.kind.clone();
        let bytes = record.fields.iter().map(|(_, value)| value.len()).sum();
        builder.spend(record.fields.len() + record.creators.len(), bytes)?;
        if let Some(item) = record.into_item() {
            builder.add_plain(item, &kind, node.offset, Notices::default())?;
        }
    }
    Ok(builder.finish())
}

/// Properties of the work itself and their fields.
const FIELDS: [(&str, &[&str]); 33] = [
    ("title", &["title", "headline"]),
    ("abstractNote", &["abstract"]),
    (
        "date",
        &[
            "date",
            "issued",
            "datePublished",
            "dateCreated",
            "created",
            "dateIssued",
        ],
    ),
    ("accessDate", &["dateSubmitted", "accessDate"]),
    ("rights", &["rights", "license"]),
    ("language", &["language", "inLanguage"]),
    ("shortTitle", &["shortTitle"]),
    ("archiveLocation", &["coverage"]),
    ("DOI", &["doi"]),
    ("ISBN", &["isbn13", "isbn", "isbn10"]),
    ("ISSN", &["issn", "eissn"]),
    ("PMID", &["pmid"]),
    ("url", &["uri", "url", "homepage"]),
    ("volume", &["volume", "volumeNumber"]),
    ("issue", &["issue", "issueNumber"]),
    ("number", &["number"]),
    ("pages", &["pages", "pagination"]),
    ("numPages", &["numPages", "numberOfPages"]),
    ("numberOfVolumes", &["numVolumes", "numberOfVolumes"]),
    ("edition", &["edition", "bookEdition"]),
    ("section", &["section", "articleSection"]),
    (
        "versionNumber",
        &["versionNumber", "softwareVersion", "version"],
    ),
    ("status", &["status"]),
    ("programmingLanguage", &["programmingLanguage"]),
    ("journalAbbreviation", &["journalAbbreviation"]),
    ("conferenceName", &["conferenceName"]),
    ("eventPlace", &["eventPlace"]),
    ("seriesNumber", &["seriesNumber"]),
    ("libraryCatalog", &["libraryCatalog", "repository"]),
    ("callNumber", &["callNumber"]),
    ("filingDate", &["dateFiled", "filingDate"]),
    ("authority", &["authority", "court"]),
    ("citationKey", &["citationKey"]),
];

/// Properties of people and their roles. The lists of Bibliontology come before the single names, which
/// repeat them.
const CREATORS: [(&str, &[&str]); 10] = [
    (
        "author",
        &[
            "authorList",
            "authors",
            "creator",
            "author",
            "maker",
            "presenter",
        ],
    ),
    ("editor", &["editorList", "editors", "editor"]),
    (
        "contributor",
        &["contributorList", "contributors", "contributor"],
    ),
    ("translator", &["translators", "translator"]),
    ("seriesEditor", &["seriesEditors"]),
    ("bookAuthor", &["bookAuthors"]),
    ("director", &["directors", "director"]),
    ("interviewer", &["interviewers", "interviewer"]),
    ("recipient", &["recipients", "recipient"]),
    ("performer", &["performers", "performer", "byArtist"]),
];

/// Maximum depth of works in works.
const MAX_CONTEXT: usize = 4;

struct RdfReader<'g> {
    graph: &'g Graph,
    record: ZoteroRecord,
}

impl RdfReader<'_> {
    fn work(&mut self, node: &Resource) {
        self.people(node);
        self.publisher(node);
        for (field, names) in FIELDS {
            self.record.set(field, node.text(names));
        }
        if self.record.get("title").is_none() {
            self.record.set("title", node.text(&["name"]));
        }
        // Zotero's extra field is a description in other RDF.
        let field = if self.is_of_zotero(node) {
            "extra"
        } else {
            "abstractNote"
        };
        self.record.set(field, node.text(&["description"]));
        self.version();
        self.range(node);
        self.identifiers(node);
        self.tags(node);
        for around in node.all(&["isPartOf"]) {
            self.container(around, 0);
        }
        for event in node
            .all(&["presentedAt"])
            .filter_map(|event| self.graph.node(event))
        {
            self.record
                .set("conferenceName", event.text(&["title", "name"]));
            self.record
                .set("eventPlace", event.text(&["place", "location"]));
        }
        if self.is_of_zotero(node) {
            self.own_fields(node);
        }
        let about = node.id.as_str();
        if about.starts_with("http") && !self.is_of_zotero(node) {
            self.record.set("url", about);
        }
        let repository = node.all(&["codeRepository"]).next();
        if let (None, Some(Object::Reference(address))) = (self.record.get("url"), repository) {
            self.record.set("url", address);
        }
    }

    fn is_of_zotero(&self, node: &Resource) -> bool {
        !node.text(&["itemType"]).is_empty()
    }

    /// The version of a program is in the property used for the edition of other works.
    fn version(&mut self) {
        if self.record.kind == "computerProgram"
            && let Some(edition) = self.record.get("edition").map(str::to_owned)
        {
            self.record.set("versionNumber", &edition);
            self.record.fields.retain(|(name, _)| name != "edition");
        }
    }

    fn range(&mut self, node: &Resource) {
        let (start, end) = (
            node.text(&["pageStart", "startingPage"]),
            node.text(&["pageEnd", "endingPage"]),
        );
        match (start, end) {
            (start, "") | ("", start) => self.record.set("pages", start),
            (start, end) => self.record.set("pages", &format!("{start}-{end}")),
        }
    }

    /// Fields that Zotero writes under their own names.
    fn own_fields(&mut self, node: &Resource) {
        const OWN: [&str; 27] = words(
            "archive artworkMedium artworkSize audioFileType audioRecordingFormat codeNumber \
             codeVolume committee country format genre history interviewMedium \
             issuingAuthority legalStatus legislativeBody meetingName medium numPages \
             originalDate priorityNumbers references runningTime scale session system \
             videoRecordingFormat",
        );
        for name in OWN {
            self.record.set(name, node.text(&[name]));
        }
        self.record.set("type", node.text(&["type"]));
    }

    fn people(&mut self, node: &Resource) {
        for (creator, properties) in CREATORS {
            // Lists give the order; single names repeat them.
            let objects = properties.iter().find_map(|name| {
                let mut objects = node
                    .properties
                    .iter()
                    .filter(move |(known, _)| known == name)
                    .peekable();
                objects.peek().is_some().then_some(objects)
            });
            for (_, object) in objects.into_iter().flatten() {
                self.names(object, creator);
            }
        }
        // Zotero names other roles in the plural.
        for (property, object) in &node.properties {
            let role = property.strip_suffix('s').filter(|role| {
                let is_listed = CREATORS
                    .iter()
                    .any(|(_, names)| names.contains(&property.as_str()));
                !is_listed && crate::formats::zotero::is_creator(role)
            });
            if let Some(role) = role {
                self.names(object, role);
            }
        }
    }

    /// A person, or an ordered list of persons.
    fn names(&mut self, object: &Object, creator: &str) {
        if self.record.creators.len() >= MAX_NAMES {
            return;
        }
        let name = match (object, self.graph.node(object)) {
            (_, Some(list)) if matches!(list.class.as_str(), "Seq" | "Bag" | "Alt" | "List") => {
                let place =
                    |name: &str| name.strip_prefix('_').and_then(|n| n.parse::<usize>().ok());
                let mut members: Vec<&(String, Object)> = list.properties.iter().collect();
                members.sort_by_key(|(name, _)| place(name).unwrap_or_default());
                for (_, member) in members {
                    let is_list = self
                        .graph
                        .node(member)
                        .is_some_and(|node| node.class == list.class);
                    if !is_list {
                        self.names(member, creator);
                    }
                }
                return;
            }
            (_, Some(node)) => of_node(node),
            (Object::Text(text), None) => person_of_text(text),
            _ => return,
        };
        if !name.is_empty() {
            self.record.creators.push((creator.to_owned(), name));
        }
    }

    fn publisher(&mut self, node: &Resource) {
        for object in node.all(&["publisher", "institution", "provider", "distributor"]) {
            let Some(organization) = self.graph.node(object) else {
                self.record
                    .set("publisher", object.text().unwrap_or_default());
                continue;
            };
            self.record.set(
                "publisher",
                organization.text(&["name", "title", "legalName"]),
            );
            let addresses = organization
                .all(&["adr", "address"])
                .filter_map(|address| self.graph.node(address));
            let places: Vec<&str> = addresses
                .map(|address| address.text(&["locality", "addressLocality"]))
                .collect();
            for place in places {
                self.record.set("place", place);
            }
            self.record
                .set("place", organization.text(&["localityName", "location"]));
        }
    }

    /// `DOI 10.1/x`, `ISBN 978…`, `urn:isbn:…`, an address as text or as a node of class `URI`.
    fn identifiers(&mut self, node: &Resource) {
        for object in node.all(&["identifier"]) {
            let text = match object {
                Object::Reference(address) => address.as_str(),
                object => object.text().unwrap_or_default(),
            };
            let text = text.trim();
            let lower = text.get(..16).unwrap_or(text).to_ascii_lowercase();
            let behind = |prefix: &str| {
                lower
                    .starts_with(prefix)
                    .then(|| text.get(prefix.len()..).unwrap_or_default())
            };
            let named = [
                ("doi", "DOI"),
                ("isbn", "ISBN"),
                ("issn", "ISSN"),
                ("pmid", "PMID"),
                ("pmcid", "PMCID"),
                ("urn:isbn", "ISBN"),
                ("urn:issn", "ISSN"),
                ("info:doi", "DOI"),
                ("urn:doi", "DOI"),
            ];
            let found = named
                .iter()
                .find_map(|(prefix, field)| Some((field, behind(prefix)?)));
            if let Some((field, value)) = found {
                self.record
                    .set(field, value.trim_start_matches([':', '/', ' ', '-']));
            } else if lower.starts_with("10.") {
                self.record.set("DOI", text);
            } else if lower.starts_with("http") || lower.starts_with("ftp:") {
                self.record.set("url", text);
            }
        }
    }

    fn tags(&mut self, node: &Resource) {
        for object in node.all(&["subject", "keywords"]) {
            let class = self
                .graph
                .node(object)
                .map_or("", |node| node.class.as_str());
            let text = object.text().unwrap_or_default();
            match class {
                // Call numbers.
                "LCC" | "DDC" | "UDC" => self.record.set("callNumber", text),
                _ => self.record.tags.extend(non_blank(text)),
            }
        }
    }

    /// The journal, book, series, site or report that contains a work.
    fn container(&mut self, object: &Object, depth: usize) {
        let graph = self.graph;
        let Some(node) = graph.node(object).filter(|_| depth < MAX_CONTEXT) else {
            if let Some(text) = object.text() {
                self.record.set("publicationTitle", text);
            }
            return;
        };
        let title = node.text(&["title", "name"]);
        let number = node.text(&["number", "issue", "issueNumber"]);
        match node.class.as_str() {
            "Series" => {
                self.record.set("series", title);
                self.record.set("series", node.text(&["alternative"]));
                self.record.set("seriesNumber", number);
            }
            "CourtReporter" | "Code" => {
                self.record.set("publicationTitle", title);
                self.record.set("number", number);
                self.record.set("volume", node.text(&["volume"]));
            }
            // Zotero's section of a newspaper.
            "Part" if node.all(&["isPartOf"]).next().is_some() => {
                self.record.set("section", title);
            }
            "Issue" | "PublicationIssue" | "PublicationVolume" => {
                self.record.set("issue", number);
                self.record
                    .set("volume", node.text(&["volume", "volumeNumber"]));
                self.record
                    .set("date", node.text(&["date", "issued", "datePublished"]));
            }
            _ => {
                self.record.set("publicationTitle", title);
                self.record.set(
                    "journalAbbreviation",
                    node.text(&["alternative", "shortTitle"]),
                );
                self.record
                    .set("volume", node.text(&["volume", "volumeNumber"]));
                self.record.set("edition", node.text(&["edition"]));
                self.record.set(
                    "numberOfVolumes",
                    node.text(&["numVolumes", "numberOfVolumes"]),
                );
                let is_numbered = matches!(
                    self.record.kind.as_str(),
                    "bookSection" | "encyclopediaArticle" | "dictionaryEntry"
                );
                self.record
                    .set(if is_numbered { "seriesNumber" } else { "issue" }, number);
                if matches!(self.record.kind.as_str(), "bookSection" | "conferencePaper") {
                    for editor in node.all(&["editorList", "editors", "editor"]) {
                        self.names(editor, "editor");
                    }
                }
            }
        }
        self.record.set("ISSN", node.text(&["issn", "eissn"]));
        self.record
            .set("ISBN", node.text(&["isbn13", "isbn", "isbn10"]));
        self.identifiers(node);
        if let Some(issn) = node.id.strip_prefix("urn:issn:") {
            self.record.set("ISSN", issn);
        }
        self.publisher(node);
        for wider in node.all(&["isPartOf"]) {
            self.container(wider, depth + 1);
        }
    }
}

/// A person or an institution.
fn of_node(node: &Resource) -> Name {
    let family = node.text(&["surname", "familyName", "family_name", "lastName"]);
    let given = node.text(&["givenName", "givenname", "firstName", "given_name"]);
    let whole = node.text(&["name", "label", "title"]);
    match (family, node.class.as_str()) {
        ("", "Person") => person_of_text(if whole.is_empty() { given } else { whole }),
        ("", _) => Name::literal(whole),
        (family, _) if given.is_empty() && family.contains(char::is_whitespace) => {
            Name::literal(family)
        }
        (family, _) => person(family, given, ""),
    }
}
