//! RDF as Turtle and as RDF/XML, with the vocabularies of the DOI registration agencies: Dublin Core terms,
//! the Bibliographic Ontology, PRISM and FOAF.

use std::fmt::Write;

use citation_model::budget::{Budget, Exceeded};
use citation_model::date::DateParts;
use citation_model::identifier::{Doi, percent_encode_path};
use citation_model::item::Item;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

use crate::cost::spend_written;

const PREFIXES: [(&str, &str); 7] = [
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("dct", "http://purl.org/dc/terms/"),
    ("bibo", "http://purl.org/ontology/bibo/"),
    ("prism", "http://prismstandard.org/namespaces/basic/2.1/"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
];

/// The value of a property.
enum Object {
    Text(String),
    Date(String, &'static str),
    Address(String),
    /// A typed node without an address.
    Node(&'static str, Vec<(&'static str, Object)>),
}

type Properties = Vec<(&'static str, Object)>;

/// Works as Turtle, one paragraph each.
pub fn turtle(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut text = String::new();
    for (prefix, address) in PREFIXES {
        let _ = writeln!(text, "@prefix {prefix}: <{address}> .");
    }
    for item in items {
        let before = text.len();
        text.push('\n');
        let _ = write!(text, "{}", turtle_subject(item));
        let properties = properties(item);
        for (n, (name, object)) in properties.iter().enumerate() {
            let _ = write!(text, "\n    {name} ");
            turtle_object(&mut text, object);
            text.push_str(if n + 1 < properties.len() {
                " ;"
            } else {
                " .\n"
            });
        }
        if properties.is_empty() {
            text.push_str(" a owl:Thing .\n");
        }
        spend_written(budget, text.len() - before)?;
    }
    Ok(text)
}

fn turtle_subject(item: &Item) -> String {
    subject(item).map_or_else(|| "[]".to_owned(), |address| format!("<{address}>"))
}

fn turtle_object(text: &mut String, object: &Object) {
    match object {
        Object::Text(value) => turtle_text(text, value),
        Object::Date(value, kind) => {
            let _ = write!(text, "\"{value}\"^^xsd:{kind}");
        }
        Object::Address(address) => {
            let _ = write!(text, "<{address}>");
        }
        Object::Node(kind, properties) => {
            let _ = write!(text, "[ a {kind}");
            for (name, object) in properties {
                let _ = write!(text, " ; {name} ");
                turtle_object(text, object);
            }
            text.push_str(" ]");
        }
    }
}

/// A literal in quotation marks (Turtle 1.1, section 6.5).
fn turtle_text(text: &mut String, value: &str) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => {
                text.push('\\');
                text.push(c);
            }
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(text, "\\u{:04X}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
}

/// Works as RDF/XML.
pub fn rdf_xml(items: &[Item], budget: &Budget) -> Result<String, Exceeded> {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rdf:RDF");
    for (prefix, address) in PREFIXES {
        let _ = write!(text, "\n    xmlns:{prefix}=\"{address}\"");
    }
    text.push_str(">\n");
    for item in items {
        let before = text.len();
        text.push_str("  <rdf:Description");
        if let Some(address) = subject(item) {
            let _ = write!(text, " rdf:about=\"{}\"", xml(&address));
        }
        text.push_str(">\n");
        for (name, object) in properties(item) {
            xml_property(&mut text, name, &object, 4);
        }
        text.push_str("  </rdf:Description>\n");
        spend_written(budget, text.len() - before)?;
    }
    text.push_str("</rdf:RDF>\n");
    Ok(text)
}

fn xml_property(text: &mut String, name: &str, object: &Object, indent: usize) {
    let _ = write!(text, "{:indent$}<{name}", "");
    match object {
        Object::Text(value) => {
            let _ = writeln!(text, ">{}</{name}>", xml(value));
        }
        Object::Date(value, kind) => {
            let datatype = format!("http://www.w3.org/2001/XMLSchema#{kind}");
            let _ = writeln!(text, " rdf:datatype=\"{datatype}\">{value}</{name}>");
        }
        Object::Address(address) => {
            let _ = writeln!(text, " rdf:resource=\"{}\"/>", xml(address));
        }
        Object::Node(kind, properties) => {
            let _ = writeln!(text, ">\n{:1$}<{kind}>", "", indent + 2);
            for (name, object) in properties {
                xml_property(text, name, object, indent + 4);
            }
            let _ = writeln!(
                text,
                "{:1$}</{kind}>\n{2:indent$}</{name}>",
                "",
                indent + 2,
                ""
            );
        }
    }
}

/// Text of an element or attribute. XML 1.0 excludes most control characters.
fn xml(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect();
    quick_xml::escape::escape(&plain).into_owned()
}

/// The address that identifies a work: that of its DOI.
fn subject(item: &Item) -> Option<String> {
    item.doi().map(|doi| address(&doi))
}

fn address(doi: &Doi) -> String {
    format!("http://dx.doi.org/{}", percent_encode_path(doi.as_str()))
}

fn properties(item: &Item) -> Properties {
    let mut found: Properties = Vec::new();
    let mut put = |name, value: Option<&str>| {
        found.extend(value.map(|value| (name, Object::Text(value.to_owned()))));
    };
    put("dct:title", item.text(TextVar::Title));
    put("dct:identifier", item.doi().as_ref().map(Doi::as_str));
    put("bibo:doi", item.doi().as_ref().map(Doi::as_str));
    put("prism:doi", item.doi().as_ref().map(Doi::as_str));
    put("dct:publisher", item.text(TextVar::Publisher));
    put("dct:language", item.text(TextVar::Language));
    put("bibo:volume", item.number(NumberVar::Volume));
    put("prism:volume", item.number(NumberVar::Volume));
    put("bibo:issue", item.number(NumberVar::Issue));
    put("bibo:edition", item.number(NumberVar::Edition));
    if let Some((first, last)) = super::pages(item) {
        put("bibo:pageStart", Some(first));
        put("prism:startingPage", Some(first));
        put("bibo:pageEnd", last);
        put("prism:endingPage", last);
    }
    for isbn in item.isbns() {
        put("bibo:isbn", Some(&isbn.to_string()));
    }
    if let Some(parts) = item.date(DateVar::Issued).and_then(|date| date.start) {
        found.push(("dct:date", date(&parts)));
    }
    for name in item.names(NameVar::Author) {
        found.push(("dct:creator", agent(name)));
    }
    for name in item.names(NameVar::Editor) {
        found.push(("bibo:editor", agent(name)));
    }
    if let Some(title) = item.text(TextVar::ContainerTitle) {
        let mut container = vec![("dct:title", Object::Text(title.to_owned()))];
        for issn in item.issns() {
            container.push(("bibo:issn", Object::Text(issn.to_string())));
            container.push(("owl:sameAs", Object::Address(format!("urn:issn:{issn}"))));
        }
        let kind = if item.issns().is_empty() {
            "bibo:Document"
        } else {
            "bibo:Journal"
        };
        found.push(("dct:isPartOf", Object::Node(kind, container)));
    }
    if let Some(doi) = item.doi() {
        let encoded = percent_encode_path(doi.as_str());
        found.push(("owl:sameAs", Object::Address(format!("doi:{encoded}"))));
        found.push(("owl:sameAs", Object::Address(format!("info:doi/{encoded}"))));
    }
    found
}

fn date(parts: &DateParts) -> Object {
    match (parts.month, parts.day) {
        (Some(_), Some(_)) => Object::Date(parts.iso(), "date"),
        (Some(_), None) => Object::Date(parts.iso(), "gYearMonth"),
        _ => Object::Date(DateParts::year(parts.year).iso(), "gYear"),
    }
}

fn agent(name: &citation_model::name::Name) -> Object {
    let mut properties = vec![("foaf:name", Object::Text(name.display()))];
    if name.literal.is_some() {
        return Object::Node("foaf:Organization", properties);
    }
    let parts = [
        ("foaf:familyName", &name.family),
        ("foaf:givenName", &name.given),
    ];
    for (property, part) in parts {
        properties.extend(part.clone().map(|part| (property, Object::Text(part))));
    }
    if let Some(orcid) = &name.orcid {
        properties.push((
            "owl:sameAs",
            Object::Address(format!("https://orcid.org/{orcid}")),
        ));
    }
    Object::Node("foaf:Person", properties)
}
