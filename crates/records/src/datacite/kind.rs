//! Maps `types` of a resource to item types.

use citation_model::item_type::ItemType;

use super::dto::Types;

impl Types {
    /// The item type, from the general type, the free text and DataCite's own guess.
    pub(super) fn item_type(&self) -> ItemType {
        let words = self.resource_type.as_deref().unwrap_or_default();
        let citeproc = self.citeproc.as_deref().and_then(ItemType::from_csl);
        match self.resource_type_general.as_deref() {
            Some("Text") => from_words(words).or(citeproc).unwrap_or_default(),
            Some(general) => from_general(general),
            // DataCite uses `article` for everything unknown.
            None => from_words(words)
                .or(citeproc.filter(|kind| *kind != ItemType::Preprint))
                .unwrap_or_default(),
        }
    }

    /// The resource's own type text, if it is more specific than the item type.
    pub(super) fn genre(&self, kind: ItemType) -> Option<&str> {
        if kind == ItemType::Preprint {
            return Some("preprint");
        }
        let fold = |text: &str| -> String {
            let letters = text.chars().filter(|c| c.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        };
        let words = self.resource_type.as_deref()?;
        let folded = fold(words);
        let general = self.resource_type_general.as_deref().unwrap_or_default();
        let says_nothing = folded == fold(general)
            || folded == fold(kind.csl())
            || folded == fold(kind.json_name())
            || matches!(
                kind,
                ItemType::Article | ItemType::Chapter | ItemType::ConferencePaper
            );
        (!says_nothing).then_some(words)
    }
}

/// The item type of a `resourceTypeGeneral`.
fn from_general(general: &str) -> ItemType {
    match general {
        "Dataset" => ItemType::Dataset,
        "JournalArticle" | "DataPaper" => ItemType::Article,
        "Preprint" => ItemType::Preprint,
        "ConferencePaper" => ItemType::ConferencePaper,
        "ConferenceProceeding" | "Book" => ItemType::Book,
        "BookChapter" => ItemType::Chapter,
        "Dissertation" => ItemType::Thesis,
        "Report" => ItemType::Report,
        "Standard" => ItemType::Standard,
        "Software" | "ComputationalNotebook" => ItemType::Software,
        "Image" => ItemType::Graphic,
        "Audiovisual" => ItemType::MotionPicture,
        "Sound" => ItemType::Song,
        "Journal" => ItemType::Periodical,
        "PeerReview" => ItemType::Review,
        "Event" => ItemType::Event,
        "Presentation" | "Poster" => ItemType::Speech,
        _ => ItemType::Document,
    }
}

/// The item type of the words of a `resourceType`, in the most common languages.
fn from_words(words: &str) -> Option<ItemType> {
    let lower = words.to_lowercase();
    let rules: [(&[&str], ItemType); 14] = [
        (
            &[
                "thesis",
                "dissertation",
                "thèse",
                "tesis",
                "tese",
                "habilitation",
                "bachelor",
                "master",
                "doctoral",
                "диссертация",
                "бакалавр",
                "магистер",
                "выпускная",
                "дипломн",
            ],
            ItemType::Thesis,
        ),
        (&["chapter", "section", "kapitel"], ItemType::Chapter),
        (&["proceedings"], ItemType::Book),
        (&["conference", "konferenz"], ItemType::ConferencePaper),
        (&["preprint", "pre-print"], ItemType::Preprint),
        (
            &["report", "working paper", "bericht", "deliverable"],
            ItemType::Report,
        ),
        (&["book review"], ItemType::BookReview),
        (&["peer review"], ItemType::Review),
        (&["book", "monogra", "buch"], ItemType::Book),
        (&["blog"], ItemType::BlogPost),
        (
            &["poster", "presentation", "slides", "lecture", "talk"],
            ItemType::Speech,
        ),
        (&["software", "source code"], ItemType::Software),
        (&["article", "artikel", "journal"], ItemType::Article),
        (&["standard"], ItemType::Standard),
    ];
    let hit = rules
        .iter()
        .find(|(marks, _)| marks.iter().any(|mark| lower.contains(mark)));
    hit.map(|(_, kind)| *kind)
}

/// Whether works of that type have a container.
pub(super) fn is_part(kind: ItemType) -> bool {
    kind.is_in_periodical()
        || matches!(
            kind,
            ItemType::Chapter
                | ItemType::ConferencePaper
                | ItemType::Entry
                | ItemType::EncyclopediaEntry
                | ItemType::DictionaryEntry
                | ItemType::BlogPost
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_by_what_the_resource_says() {
        let check = |general: &str, words: &str, citeproc: &str, expected| {
            let types = format!(
                r#""resourceTypeGeneral":{general},"resourceType":"{words}","citeproc":"{citeproc}""#
            );
            let types: Types = serde_json::from_str(&format!("{{{types}}}")).unwrap();
            assert_eq!(types.item_type(), expected, "{words}");
        };
        check(r#""Software""#, "", "article", ItemType::Software);
        check(
            r#""Text""#,
            "Master's thesis",
            "article-journal",
            ItemType::Thesis,
        );
        check(r#""Text""#, "", "article-journal", ItemType::Article);
        check("null", "", "article", ItemType::Document);
        check(r#""PhysicalObject""#, "Rock", "article", ItemType::Document);
        check(r#""Preprint""#, "Article", "article", ItemType::Preprint);
    }
}
