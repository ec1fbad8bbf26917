//! Citations that print less than the style does, or something else: the year, the title, the names of all
//! authors, the address, the entry of the list.

use std::collections::HashMap;
use std::sync::Arc;

use citation_csl::{Class, Compiled, Options, Rich, Style};
use citation_documents::CitationForm;
use citation_model::cite::{Citation, CiteMode};
use citation_model::item::Item;
use citation_model::variable::DateVar;

use super::language::MarkupLanguage;
use crate::CitingError;
use crate::format::{FormattedCitation, FormattedCitations, format};

/// The forms that no style has, and the layout that prints one.
const LAYOUTS: [(CitationForm, &str); 4] = [
    (
        CitationForm::Year,
        r#"<date variable="issued" form="text" date-parts="year"/>"#,
    ),
    (
        CitationForm::Authors,
        r#"<names variable="author"><name form="short" and="text"/><substitute><names variable="editor"/></substitute></names>"#,
    ),
    (
        CitationForm::Title,
        r#"<choose>
          <if type="article article-journal article-magazine article-newspaper chapter entry entry-dictionary entry-encyclopedia manuscript paper-conference patent post post-weblog thesis" match="any">
            <text variable="title" form="short" quotes="true"/>
          </if>
          <else><text variable="title" form="short" font-style="italic"/></else>
        </choose>"#,
    ),
    (CitationForm::Url, r#"<text variable="URL"/>"#),
];

/// Prints citations in their forms.
pub struct FormWriter<'a> {
    compiled: &'a Compiled,
    items: &'a [Item],
    options: &'a Options,
    language: MarkupLanguage,
    /// The year of each work.
    years: HashMap<&'a str, i32>,
}

impl<'a> FormWriter<'a> {
    pub fn new(
        compiled: &'a Compiled,
        items: &'a [Item],
        options: &'a Options,
        language: MarkupLanguage,
    ) -> FormWriter<'a> {
        let year = |item: &'a Item| {
            let start = item.date(DateVar::Issued)?.start.as_ref()?;
            Some((item.id.as_str(), start.year))
        };
        FormWriter {
            compiled,
            items,
            options,
            language,
            years: items.iter().filter_map(year).collect(),
        }
    }

    /// The texts of the citations whose form is not the style's, as markup; `None` for the others. `set` are
    /// the citations as the style prints them.
    pub fn texts(
        &self,
        forms: &[CitationForm],
        citations: &[Citation],
        set: &FormattedCitations,
    ) -> Result<Vec<Option<String>>, CitingError> {
        let mut texts: Vec<Option<String>> = vec![None; forms.len()];
        for (form, layout) in LAYOUTS {
            self.add(form, layout, forms, citations, set, &mut texts)?;
        }
        let entries = set.formatted.bibliography.as_deref().unwrap_or_default();
        let entries: HashMap<&str, &Rich> = { entries.iter() }
            .map(|entry| (entry.id.as_str(), &entry.content))
            .collect();
        let of_entries = { forms.iter().zip(citations).zip(&mut texts) }
            .filter(|((form, _), _)| **form == CitationForm::Entry);
        for ((_, citation), text) in of_entries {
            let found: Vec<String> = { citation.cites.iter() }
                .filter_map(|cite| entries.get(cite.id.as_str()))
                .map(|entry| self.language.write_inside(entry))
                .map(|entry| entry.strip_suffix('.').unwrap_or(&entry).to_owned())
                .collect();
            *text = (found.len() == citation.cites.len()).then(|| found.join("; "));
        }
        Ok(texts)
    }

    /// Adds the texts of one form.
    fn add(
        &self,
        form: CitationForm,
        layout: &str,
        forms: &[CitationForm],
        citations: &[Citation],
        set: &FormattedCitations,
        texts: &mut [Option<String>],
    ) -> Result<(), CitingError> {
        let mut places = Vec::new();
        let mut plain = Vec::new();
        for (n, (own, citation)) in forms.iter().zip(citations).enumerate() {
            let shown = set.citations.get(n);
            if *own != form {
                continue;
            }
            if form == CitationForm::Year
                && let Some(FormattedCitation::Known(rich)) = shown
                && self.shows_years(citation, rich)
            {
                // It may have the letter of the year.
                let text = self.language.write_inside(rich);
                let text = bare(&text, self.compiled, self.language);
                if let Some(place) = texts.get_mut(n) {
                    *place = Some(text);
                }
                continue;
            }
            let mut citation = citation.clone();
            citation.note_number = 0;
            for cite in &mut citation.cites {
                cite.mode = CiteMode::Normal;
            }
            places.push(n);
            plain.push(citation);
        }
        if places.is_empty() {
            return Ok(());
        }
        let options = Options {
            bibliography: false,
            document: false,
            ..self.options.clone()
        };
        let compiled = self.compiled.with_style(Arc::new(style(layout)?));
        let made = format(&compiled, self.items, plain, &options, None)?;
        for (n, made) in places.into_iter().zip(made.citations) {
            if let FormattedCitation::Known(rich) = made
                && !rich.is_empty()
                && let Some(text) = texts.get_mut(n)
            {
                *text = Some(self.language.write_inside(&rich));
            }
        }
        Ok(())
    }

    /// Whether the style itself prints the years of works if it leaves out their authors.
    fn shows_years(&self, citation: &Citation, shown: &Rich) -> bool {
        let shown = shown.text();
        let is_shown = |id: &str| {
            let year = self.years.get(id);
            year.is_some_and(|year| shown.contains(&year.to_string()))
        };
        self.compiled.style().options.class == Class::InText
            && citation.cites.iter().all(|cite| is_shown(&cite.id))
    }
}

/// A style with one layout.
fn style(layout: &str) -> Result<Style, CitingError> {
    let xml = format!(
        r#"<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
          <info><title>Form</title><id>form</id><updated>2026-01-01T00:00:00Z</updated></info>
          <citation><layout delimiter="; "><group delimiter=", ">{layout}
            <group delimiter=" "><label variable="locator" form="short"/><text variable="locator"/></group>
          </group></layout></citation>
        </style>"#
    );
    Style::parse(&xml).map_err(|cause| CitingError::Style(cause.to_string()))
}

/// A citation without the signs that the style puts around it.
pub fn bare(shown: &str, compiled: &Compiled, language: MarkupLanguage) -> String {
    let [prefix, _, suffix] = compiled.citation_affixes();
    let written = |affix: &str| language.write_inside(&Rich::plain(affix));
    let within = |prefix: &str, suffix: &str| {
        let inside = shown.strip_prefix(prefix)?.strip_suffix(suffix)?;
        (inside.len() < shown.len()).then(|| inside.to_owned())
    };
    // A style may put them around each cite.
    within(&written(prefix), &written(suffix))
        .or_else(|| {
            let pairs = [("(", ")"), ("[", "]")];
            pairs.into_iter().find_map(|(open, close)| {
                let (open, close) = (written(open), written(close));
                let inside = within(&open, &close)?;
                let is_whole = !inside.contains(&open) && !inside.contains(&close);
                is_whole.then_some(inside)
            })
        })
        .unwrap_or_else(|| shown.to_owned())
}
