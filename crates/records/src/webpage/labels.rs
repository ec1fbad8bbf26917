//! Labels and values of the visible page: tables, definition lists, and lines such as `Published: 3 May 2021`.
//! Cells are lines of their own, so a label is before its value on a line or on the line above.

use citation_model::lists::phrases;

use super::marks::Part;
use super::page::Page;
use super::people;

/// What a label is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Title,
    Author,
    Published,
    /// Dates that are not of publication: of a change, of receipt, of expiry, of an event.
    OtherDate,
    Imprint,
    Publisher,
    Container,
    Doi,
    Isbn,
    Issn,
    Pmid,
    Volume,
    Issue,
    Pages,
    Language,
    Kind,
    /// A source in which an article was published: a newspaper, an agency.
    Source,
    /// The number of a standard, a law or a report.
    Number,
}

const TITLES: [&str; 22] = phrases(
    "title|article title|document title|full title|main title|titel|haupttitel|titre|título|titolo|название|\
     заглавие|标题|题名|書名|书名|中文标准名称|标准名称|タイトル|제목|titel/untertitel|título do artigo",
);

const AUTHORS: [&str; 64] = phrases(
    "von|par|por|door|author|authors|author(s)|by|creator|creators|creator(s)|written by|posted by|main author|autor|autoren|\
     autorin|autor/in|autor(en)|verfasser|verfasserin|verfasserangaben|verfasserangabe|1. verfasser|\
     person(en)|auteur|auteurs|auteur(s)|autores|autor(es)|autoría|autoria|autore|autori|auteur / autrice|\
     автор|авторы|автори|작성자|저자|기자|作者|著者|撰稿|撰文|記者|记者|文|تأليف|الكاتب|كاتب|بقلم|författare|\
     forfatter|tekijä|kirjoittaja|szerző|yazar|penulis|oleh|tác giả|auteur(e)s|investigators|speaker",
);

const PUBLISHED: [&str; 55] = phrases(
    "published|date published|publication date|published date|published on|publication year|year of publication|\
     year|date|issued|issue date|date issued|posted|posted on|first published|date of publication|release date|\
     released|first online|available online|published online|datum|veröffentlicht|veröffentlicht am|\
     erscheinungsjahr|erscheinungsdatum|erschienen|jahr|publié le|publié|date de publication|année|\
     date de parution|fecha|fecha de publicación|publicado|publicado em|data de publicação|ano|data|\
     data di pubblicazione|pubblicato|опубликовано|дата публикации|дата|发布日期|发布时间|发表于|发表时间|时间|\
     公開日|掲載日|発行日|입력|등록",
);

const OTHER_DATES: [&str; 40] = phrases(
    "updated|last updated|last modified|modified|date modified|revised|received|accepted|submitted|\
     date submitted|expires|expiry date|valid until|effective date|accessed|retrieved|last edited|date added|\
     deadline|event date|aktualisiert|zuletzt aktualisiert|letzte änderung|stand|gültig bis|mis à jour|\
     mis à jour le|actualizado|última actualización|atualizado em|aggiornato|обновлено|实施日期|修改时间|更新时间|\
     废止日期|更新日|最終更新日|수정|date deposited",
);

const IMPRINTS: [&str; 12] = phrases(
    "imprint|impressum|publication|publication details|published/created|publication info|erschienen|éditeur|\
     verlagsort, verlag, jahr|publication, distribution, etc.|veröffentlichung|出版发行项",
);

const PUBLISHERS: [&str; 15] = phrases(
    "publisher|published by|verlag|verlag/herausgeber|éditions|editorial|editora|editor|editore|издательство|出版社|\
     出版者|出版元|発行|출판사",
);

const CONTAINERS: [&str; 25] = phrases(
    "journal|journal title|published in|appears in|in|source|publication title|journal name|book title|conference|\
     proceedings|event title|zeitschrift|erschienen in|in zeitschrift|quelle|revue|revista|rivista|журнал|期刊|刊名|\
     収録刊行物|雑誌名|학술지명",
);

const DOIS: [&str; 8] = phrases(
    "doi|doi bookmark|digital object identifier|document object identifier|digital object identifier (doi)|dois|doi link|article doi",
);
const ISBNS: [&str; 5] = phrases("isbn|isbn-13|isbn13|isbn-10|isbn/issn");
const ISSNS: [&str; 5] = phrases("issn|e-issn|eissn|issn-l|print issn");
const PMIDS: [&str; 3] = phrases("pmid|pubmed id|pubmed");
const VOLUMES: [&str; 10] = phrases("volume|vol|vol.|band|jahrgang|tome|volumen|том|卷|巻");
const ISSUES: [&str; 10] = phrases("issue|number|no.|issue number|heft|numéro|número|номер|期|号");
const PAGES: [&str; 12] =
    phrases("pages|page range|page(s)|page|seiten|seite|páginas|pagine|страницы|页码|ページ|pp.");
const LANGUAGES: [&str; 10] =
    phrases("language|languages|language(s)|sprache|sprache(n)|langue|idioma|lingua|язык|语种");
const KINDS: [&str; 14] = phrases(
    "type|document type|publication type|item type|resource type|article type|medienart|dokumenttyp|dokumentart|\
     publikationstyp|type de document|tipo de documento|tipo|文献类型",
);
const SOURCES: [&str; 8] = phrases("来源|來源|稿源|出处|quelle|fuente|fonte|источник");
const NUMBERS: [&str; 10] = phrases(
    "标准号|standard number|report number|document number|patent number|law number|nummer|number|文号|发文字号",
);

/// The labels of each fact.
const LABELS: [(Label, &[&str]); 18] = [
    (Label::Title, &TITLES),
    (Label::Author, &AUTHORS),
    (Label::Published, &PUBLISHED),
    (Label::OtherDate, &OTHER_DATES),
    (Label::Imprint, &IMPRINTS),
    (Label::Publisher, &PUBLISHERS),
    (Label::Container, &CONTAINERS),
    (Label::Doi, &DOIS),
    (Label::Isbn, &ISBNS),
    (Label::Issn, &ISSNS),
    (Label::Pmid, &PMIDS),
    (Label::Volume, &VOLUMES),
    (Label::Issue, &ISSUES),
    (Label::Pages, &PAGES),
    (Label::Language, &LANGUAGES),
    (Label::Kind, &KINDS),
    (Label::Source, &SOURCES),
    (Label::Number, &NUMBERS),
];

/// The longest label in bytes.
const MAX_LENGTH: usize = 48;

/// Whether a text is a label of a fact.
pub(super) fn is_label(text: &str, label: Label) -> bool {
    if text.len() > MAX_LENGTH {
        return false;
    }
    let text = text.trim_matches(|c: char| c.is_whitespace() || ":：,*•".contains(c));
    let lower = text.to_lowercase();
    let table = LABELS.iter().find(|(known, _)| *known == label);
    table.is_some_and(|(_, words)| words.contains(&lower.as_str()))
        || label == Label::Author && people::is_label(&lower)
}

/// Whether a text is a label of any fact.
pub(super) fn is_any(text: &str) -> bool {
    LABELS.iter().any(|(label, _)| is_label(text, *label))
}

/// What a date behind a label is the date of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateRole {
    Published,
    /// The last change of the page.
    Changed,
    /// The receipt of a manuscript, an expiry, a visit.
    Other,
}

/// Stems of words for publication.
const OF_PUBLICATION: [&str; 24] = phrases(
    "published|posted|first online|available online|veröffentlicht|publié|publicado|pubblicato|released|\
     erschienen|veröffentlichung|gepubliceerd|publicerad|publisert|julkaistu|opublikowan|publikováno|опубликован|\
     发表于|发布时间|发布日期|기사입력|publicación|geplaatst",
);

/// Stems of words for a change of the page.
const OF_CHANGE: [&str; 36] = phrases(
    "updated|last update|modified|revised|last edited|last changed|last reviewed|aktualisiert|aktualisierung|\
     letzte änderung|zuletzt bearbeitet|zuletzt geändert|mis à jour|mise à jour|modifié|modification|actualizad|\
     actualización|atualizad|aggiornat|ultima modifica|bijgewerkt|güncelle|oppdatert|uppdaterad|обновлен|\
     дата изменения|muokattu|päivitetty|最終更新|更新|修改时间|수정|edited on|aktualizováno|aktualizacja",
);

/// Stems of words for other dates.
const OF_OTHERS: [&str; 14] = phrases(
    "received|accepted|submitted|reviewed|eingegangen|accessed|retrieved|expire|valid until|deadline|gültig bis|\
     实施日期|废止日期|deposited",
);

/// The meaning that the last label of a text gives to the date behind it. Stems of words count anywhere in the text,
/// whole labels only alone.
pub(super) fn date_role(before: &str) -> Option<DateRole> {
    let lower = before.to_lowercase();
    let last = |stems: &[&str]| stems.iter().filter_map(|stem| lower.rfind(stem)).max();
    let places = [
        (last(&OF_PUBLICATION), DateRole::Published),
        (last(&OF_CHANGE), DateRole::Changed),
        (last(&OF_OTHERS), DateRole::Other),
    ];
    let found = places
        .into_iter()
        .filter_map(|(place, role)| Some((place?, role)));
    let found = found.max_by_key(|(place, _)| *place).map(|(_, role)| role);
    found.or_else(|| match () {
        () if is_label(before, Label::Published) => Some(DateRole::Published),
        () if is_label(before, Label::OtherDate) => Some(DateRole::Other),
        () => None,
    })
}

/// A value with its label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Labelled<'p> {
    pub value: &'p str,
    /// The line of the value.
    pub line: usize,
    /// Whether the label is a line of its own, as in the cells of a table.
    pub is_cell: bool,
}

/// The values with a label of a fact, in the order of the page. A line is a label if it is one without colon; a
/// label on the line of its value ends in a colon.
pub(super) fn labelled(page: &Page, label: Label) -> impl Iterator<Item = Labelled<'_>> {
    let lines = page.lines.iter().enumerate();
    let own = lines.filter(|(_, line)| line.part != Part::Others);
    own.filter_map(move |(at, line)| {
        if is_label(&line.text, label) {
            let next = page.lines.get(at + 1)?;
            let is_value = next.heading == 0 && !is_any(&next.text) && next.text.len() <= 400;
            return is_value.then_some(Labelled {
                value: next.text.as_str(),
                line: at + 1,
                is_cell: true,
            });
        }
        let colon = line
            .text
            .char_indices()
            .take(MAX_LENGTH)
            .find(|(_, c)| matches!(c, ':' | '：'));
        let (colon, mark) = colon?;
        let head = line.text.get(..colon)?;
        let value = line.text.get(colon + mark.len_utf8()..)?.trim();
        (is_label(head, label) && !value.is_empty()).then_some(Labelled {
            value,
            line: at,
            is_cell: false,
        })
    })
}

/// The values alone.
pub(super) fn values(page: &Page, label: Label) -> impl Iterator<Item = &str> {
    labelled(page, label).map(|labelled| labelled.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_belong_to_the_last_label() {
        let role = date_role;
        assert_eq!(role("Published on"), Some(DateRole::Published));
        assert_eq!(role("Published 3 May, updated"), Some(DateRole::Changed));
        assert_eq!(role("Received"), Some(DateRole::Other));
        assert_eq!(role("Datum:"), Some(DateRole::Published));
        assert_eq!(role("Berlin,"), None);
    }

    #[test]
    fn labels_are_words_with_or_without_a_colon() {
        assert!(is_label("Author(s):", Label::Author));
        assert!(is_label(" 作者：", Label::Author));
        assert!(is_label("Author, ", Label::Author));
        assert!(!is_label("Author of the year", Label::Author));
        assert!(is_any("ISBN:"));
    }
}
