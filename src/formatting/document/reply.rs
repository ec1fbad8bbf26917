//! The answer to a host: the texts of its fields, their codes, and the list.

use std::collections::HashMap;
use std::fmt::Write;

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::state::{DocumentState, HostCitation, HostForm};
use super::{DocumentResult, FieldOutcome};
use crate::formatting::bibliography::{LayoutParameters, layout};
use crate::formatting::html::write_entry;
use crate::formatting::markup::written;
use crate::formatting::render::locale_warning;
use crate::formatting::{FormatError, Formatter};
use citation_citing::{is_note_style, runs};
use citation_csl::{OutputFormat, Rich, write_all};
use citation_documents::{CitationCode, CodeCite, Height, TextRun, citation_code, list_heading};
use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::Citation;
use citation_model::item::Item;

/// A document whose citations are set.
#[derive(Debug, Serialize, ToSchema)]
pub struct SetDocumentReply {
    /// Names this state in the next request; null if the document is too large to be kept.
    pub token: Option<String>,
    pub style: String,
    /// The locale that was used.
    pub locale: String,
    /// Whether the citations of the style stand in notes.
    pub in_notes: bool,
    /// In the order of the document. With a token only those that changed.
    pub citations: Vec<DocumentField>,
    /// Null for a style without a bibliography, if none was wanted, and with a token if it is unchanged.
    pub bibliography: Option<DocumentList>,
    pub bibliography_changed: bool,
    pub warnings: Vec<DocumentWarning>,
}

/// A citation of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentField {
    pub id: String,
    /// Whether the field shows another text now, or is not known to show this one.
    pub changed: bool,
    /// `set`, `kept` (a person wrote its text) or `unknown` (a work is not known, and the text stays).
    pub state: &'static str,
    /// The number of its note in a style of notes; 0 otherwise.
    pub note_number: u32,
    /// The text of the field. In a style of notes and for a citation of the text: the words that stay in the
    /// text, which may be empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<FieldForms>,
    /// The content of the note that a citation of the text becomes in a style of notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<FieldForms>,
    /// What the field keeps, as Zotero and Mendeley read it: it follows `ADDIN ZOTERO_ITEM CSL_CITATION `.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<std::collections::BTreeMap<String, serde_json::Value>>)]
    pub code: Option<Box<RawValue>>,
}

/// A text in the wanted forms.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldForms {
    pub plain: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtf: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<Vec<FieldRun>>,
}

/// A text with uniform formatting.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldRun {
    /// A tab separates a number from the text beside it, a line feed begins a line.
    pub text: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub italic: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bold: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub small_caps: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub underline: bool,
    /// `superscript` or `subscript`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<&'static str>,
}

/// The list of works.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentList {
    /// The heading in the language of the list, for a document that has none.
    pub heading: String,
    pub entries: Vec<DocumentEntry>,
    /// All entries, if wanted in HTML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// All entries as a document, if wanted in RTF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtf: Option<String>,
    pub layout: LayoutParameters,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentEntry {
    /// The id of the work.
    pub id: String,
    #[serde(flatten)]
    pub text: FieldForms,
}

/// What a host should tell its user.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentWarning {
    /// `unknown_work`, `unknown_label`, `locale_fallback`, `lookup_failed`, or a code of formatting.
    pub code: String,
    pub message: String,
    /// The citation that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
    /// The work that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<String>,
}

impl Formatter<'_> {
    /// Sets a document and answers what its host has to change. `is_edit` if the host has the answer to the
    /// state before, so that it needs only what changed.
    pub fn answer(
        &self,
        state: &mut DocumentState,
        is_edit: bool,
    ) -> Result<SetDocumentReply, FormatError> {
        let result = self.document(state)?;
        let reply = self.reply(state, &result, is_edit);
        let (reply, list) = reply.map_err(|cause| state.choice.too_complex(cause))?;
        let ids = state.citations.iter().map(|cited| cited.id.clone());
        state.answered = ids.zip(result.fields).collect();
        state.list = list.map(Into::into);
        Ok(reply)
    }

    fn reply(
        &self,
        state: &DocumentState,
        result: &DocumentResult,
        is_edit: bool,
    ) -> Result<(SetDocumentReply, Option<String>), Exceeded> {
        let budget = self.job.budget();
        let writer = FieldWriter {
            state,
            budget,
            is_edit,
        };
        let fields = { state.citations.iter().zip(&result.set.citations) }.zip(&result.fields);
        let mut citations = Vec::new();
        for ((cited, set), outcome) in fields {
            let field = writer.field(cited, set, outcome)?;
            if field.changed || !is_edit {
                citations.push(field);
            }
        }
        let (list, key) = match writer.list(result)? {
            Some((list, key)) => (Some(list), Some(key)),
            None => (None, None),
        };
        let is_changed = key.as_deref() != state.list.as_ref().map(|list| list.as_str());
        let ready = &result.ready;
        let reply = SetDocumentReply {
            token: None,
            style: ready.name(),
            locale: ready.locale.clone(),
            in_notes: is_note_style(&ready.compiled),
            citations,
            bibliography: list.filter(|_| is_changed || !is_edit),
            bibliography_changed: is_changed,
            warnings: warnings(state, result),
        };
        Ok((reply, key))
    }
}

/// Writes fields in the forms of the host.
struct FieldWriter<'a> {
    state: &'a DocumentState,
    budget: &'a Budget,
    is_edit: bool,
}

impl FieldWriter<'_> {
    fn field(
        &self,
        cited: &HostCitation,
        set: &Citation,
        outcome: &FieldOutcome,
    ) -> Result<DocumentField, Exceeded> {
        let mut field = DocumentField {
            id: cited.id.clone(),
            changed: false,
            state: match outcome {
                FieldOutcome::Set(_) => "set",
                FieldOutcome::Kept => "kept",
                FieldOutcome::Unknown(_) => "unknown",
            },
            note_number: set.note_number,
            text: None,
            note: None,
            code: None,
        };
        let before = self.state.answered.get(&cited.id).filter(|_| self.is_edit);
        let FieldOutcome::Set(new) = outcome else {
            // The host learns it once.
            field.changed = self.is_edit && before != Some(outcome);
            return Ok(field);
        };
        let is_note = cited.note.is_none() && !new.note.is_empty();
        let whole = new.joined();
        let plain = whole.text();
        field.changed = match (before, &cited.text) {
            (Some(before), _) => before != outcome,
            (None, Some(shown)) => is_note || *shown != plain,
            (None, None) => true,
        };
        if self.is_edit && !field.changed {
            return Ok(field);
        }
        if is_note {
            field.text = Some(self.forms(&new.text)?);
            field.note = Some(self.forms(&new.note)?);
        } else {
            field.text = Some(self.forms(&whole)?);
        }
        if self.state.output.codes {
            field.code = self.code(cited, &whole, &plain)?;
        }
        Ok(field)
    }

    fn forms(&self, rich: &Rich) -> Result<FieldForms, Exceeded> {
        let wants = |form| self.state.output.forms.contains(&form);
        let form = |form, write: &dyn Fn() -> String| {
            wants(form)
                .then(|| written(write(), self.budget))
                .transpose()
        };
        Ok(FieldForms {
            plain: written(rich.text(), self.budget)?,
            html: form(HostForm::Html, &|| rich.html())?,
            rtf: form(HostForm::Rtf, &|| rich.markup_inside(OutputFormat::Rtf))?,
            runs: wants(HostForm::Runs)
                .then(|| runs(rich).into_iter().map(FieldRun::from).collect()),
        })
    }

    fn code(
        &self,
        cited: &HostCitation,
        whole: &Rich,
        plain: &str,
    ) -> Result<Option<Box<RawValue>>, Exceeded> {
        let cites = cited.cites.iter().filter_map(|cite| {
            let work = self.state.works.get(&cite.cite.id)?;
            Some(CodeCite {
                cite: &cite.cite,
                uris: &cite.uris,
                item: &work.json,
            })
        });
        let code = citation_code(&CitationCode {
            id: &cited.id,
            cites: cites.collect(),
            formatted: &whole.markup_inside(OutputFormat::Rtf),
            plain,
            note: cited.note.unwrap_or_default(),
        });
        // Texts and records of JSON can always be written.
        let code = code.ok();
        self.budget
            .spend_bytes(code.as_ref().map_or(0, |code| code.get().len()))?;
        Ok(code)
    }

    /// The list, and a text that differs from those of other lists.
    fn list(&self, result: &DocumentResult) -> Result<Option<(DocumentList, String)>, Exceeded> {
        let formatted = &result.set.set.formatted;
        let Some(entries) = &formatted.bibliography else {
            return Ok(None);
        };
        let wants = |form| self.state.output.forms.contains(&form);
        let works: HashMap<&str, &Item> = { result.set.works.iter() }
            .map(|item| (item.id.as_str(), item))
            .collect();
        let mut html = String::from("<div class=\"csl-bib-body\">");
        let mut list = Vec::with_capacity(entries.len());
        for entry in entries {
            let content = written(entry.content.html(), self.budget)?;
            match works.get(entry.id.as_str()) {
                Some(item) => write_entry(&mut html, item, &entry.id, &content),
                None => html.push_str(&content),
            }
            list.push(DocumentEntry {
                id: entry.id.clone(),
                text: self.forms(&entry.content)?,
            });
        }
        html.push_str("</div>");
        let contents = entries.iter().map(|entry| &entry.content);
        let hanging = formatted.parameters.hanging_indent;
        let rtf = wants(HostForm::Rtf).then(|| write_all(contents, OutputFormat::Rtf, hanging));
        let mut key = html.clone();
        let _ = write!(key, "{:?}", formatted.parameters);
        let list = DocumentList {
            heading: list_heading(result.ready.compiled.lang()),
            entries: list,
            html: wants(HostForm::Html).then_some(html),
            rtf: rtf.map(|rtf| written(rtf, self.budget)).transpose()?,
            layout: layout(&formatted.parameters),
        };
        Ok(Some((list, key)))
    }
}

impl From<TextRun> for FieldRun {
    fn from(run: TextRun) -> FieldRun {
        FieldRun {
            text: run.text,
            italic: run.style.is_italic,
            bold: run.style.is_bold,
            small_caps: run.style.is_small_caps,
            underline: run.style.is_underlined,
            position: match run.style.height {
                Height::Baseline => None,
                Height::Superscript => Some("superscript"),
                Height::Subscript => Some("subscript"),
            },
        }
    }
}

fn warnings(state: &DocumentState, result: &DocumentResult) -> Vec<DocumentWarning> {
    let mut warnings = Vec::new();
    if let Some(warning) = locale_warning(&state.choice, &result.ready) {
        warnings.push(DocumentWarning {
            code: warning.code,
            message: warning.message,
            citation: None,
            work: None,
        });
    }
    for (cited, outcome) in state.citations.iter().zip(&result.fields) {
        let about = |code: &str, message: String, work: &str| DocumentWarning {
            code: code.to_owned(),
            message,
            citation: Some(cited.id.clone()),
            work: Some(work.to_owned()),
        };
        if let FieldOutcome::Unknown(ids) = outcome {
            warnings.extend(ids.iter().map(|id| {
                let message =
                    format!("No work is known of “{id}”; the text of the citation stays.");
                about("unknown_work", message, id)
            }));
        }
        for cite in &cited.cites {
            let Some(locator) = &cite.cite.locator else {
                continue;
            };
            if !result.ready.compiled.has_label(&locator.label) {
                let message = format!(
                    "The locator label “{}” does not exist; “{}” is used without one.",
                    locator.label, locator.value
                );
                warnings.push(about("unknown_label", message, &cite.cite.id));
            }
        }
    }
    warnings
}
