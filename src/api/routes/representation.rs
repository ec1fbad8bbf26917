//! The representations of one work, and content negotiation (RFC 9110, section 12.5.1;
//! <https://citation.crosscite.org/docs.html>).

use super::lookup;
use crate::api::edge::context::RequestContext;
use crate::api::edge::negotiate;
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::blocking::PoolKind;
use crate::formatting::StyleChoice;
use citation_exchange::{self as exchange, Format, WriteOptions, linked};
use citation_model::work::Work;

/// A representation of a work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// The API's metadata.
    Metadata,
    CslJson,
    Bibtex,
    Ris,
    /// A formatted entry as plain text.
    Bibliography,
    /// A formatted entry as HTML.
    Html,
    SchemaOrg,
    Turtle,
    RdfXml,
    /// A message of Crossref's REST API.
    Crossref,
}

use Representation::*;

impl Representation {
    /// Whether it needs a style, which is CPU-bound.
    pub fn is_formatted(self) -> bool {
        matches!(self, Bibliography | Html)
    }
}

/// Media types and their representations. The first row is the default.
pub type Offer = [(&'static str, Representation)];

/// The representations of `/api/v1/works/{doi}`.
pub const OF_WORKS: &Offer = &[
    ("application/json", Metadata),
    ("application/vnd.citationstyles.csl+json", CslJson),
    ("application/citeproc+json", CslJson),
    ("application/x-bibtex", Bibtex),
    ("text/x-bibtex", Bibtex),
    ("application/x-research-info-systems", Ris),
    ("text/x-bibliography", Bibliography),
    ("text/html", Html),
    ("application/vnd.schemaorg.ld+json", SchemaOrg),
    ("application/ld+json", SchemaOrg),
    ("text/turtle", Turtle),
    ("application/rdf+xml", RdfXml),
    ("application/vnd.crossref+json", Crossref),
];

/// The representations of a DOI resolver.
pub const OF_DOIS: &Offer = &[
    ("application/vnd.citationstyles.csl+json", CslJson),
    ("application/citeproc+json", CslJson),
    ("application/json", CslJson),
    ("application/x-bibtex", Bibtex),
    ("text/x-bibtex", Bibtex),
    ("application/x-research-info-systems", Ris),
    ("text/x-bibliography", Bibliography),
    ("application/vnd.schemaorg.ld+json", SchemaOrg),
    ("application/ld+json", SchemaOrg),
    ("text/turtle", Turtle),
    ("application/rdf+xml", RdfXml),
    ("application/vnd.crossref+json", Crossref),
];

/// A selected representation, as the client named it.
pub struct Chosen {
    pub representation: Representation,
    media_type: &'static str,
    style: StyleChoice,
}

/// Selects by an `Accept` header. Style and locale come from its parameters or the query.
pub fn choose(
    context: &RequestContext,
    accept: Option<&str>,
    offer: &'static Offer,
) -> Option<Chosen> {
    let available: Vec<&'static str> = offer.iter().map(|(media_type, _)| *media_type).collect();
    let (media_type, accepted) = negotiate::choose(accept, &available)?;
    let (_, representation) = offer.iter().find(|(offered, _)| *offered == media_type)?;
    let parameter = |name: &str| {
        let given = accepted.parameter(name).or_else(|| context.query.get(name));
        given.map(str::to_owned)
    };
    Some(Chosen {
        representation: *representation,
        media_type,
        style: StyleChoice::named(parameter("style"), parameter("locale")),
    })
}

/// The error if no representation is acceptable.
pub fn not_acceptable(offer: &Offer) -> ApiError {
    let available: Vec<&str> = offer.iter().map(|(media_type, _)| *media_type).collect();
    let message = "A work is available as JSON, CSL-JSON, BibTeX, RIS, a formatted entry, schema.org, \
                   Turtle and RDF/XML; `available` lists the media types.";
    ApiError::new(Code::NotAcceptable, message).with("available", available)
}

impl Chosen {
    /// The work in this representation.
    pub fn reply(&self, context: &RequestContext, work: &Work) -> Result<Reply, ApiError> {
        let items = std::slice::from_ref(&work.item);
        let file = |format: &Format| -> Result<Reply, ApiError> {
            let text = exchange::write(items, format, &WriteOptions::default(), &context.budget)?;
            let media_type = format!("{}; charset=utf-8", format.media_type());
            Ok(Reply::bytes(&media_type, text))
        };
        let reply = match self.representation {
            Metadata => Reply::json(&lookup::metadata(context, work, false)),
            CslJson => Reply::json(&work.item).with_header("content-type", self.media_type),
            SchemaOrg => Reply::json_value(&linked::schema_org(&work.item))
                .with_header("content-type", self.media_type),
            Crossref => Reply::json_value(&linked::crossref(&work.item))
                .with_header("content-type", self.media_type),
            Bibtex => file(&exchange::BIBTEX)?,
            Ris => file(&exchange::RIS)?,
            Turtle => Reply::bytes(
                "text/turtle; charset=utf-8",
                linked::turtle(items, &context.budget)?,
            ),
            RdfXml => Reply::bytes(
                "application/rdf+xml; charset=utf-8",
                linked::rdf_xml(items, &context.budget)?,
            ),
            Bibliography | Html => self.formatted(context, work)?,
        };
        Ok(reply)
    }

    fn formatted(&self, context: &RequestContext, work: &Work) -> Result<Reply, ApiError> {
        let formatted = context.job.run_in(PoolKind::Heavy, |_| {
            context.formatter().one_entry(work, &self.style)
        })??;
        Ok(match self.representation {
            Html => Reply::bytes("text/html; charset=utf-8", formatted.html),
            _ => Reply::bytes("text/x-bibliography; charset=utf-8", formatted.plain),
        })
    }
}
