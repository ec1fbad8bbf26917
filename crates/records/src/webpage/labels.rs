//! Labels and values of the visible page: tables, definition lists, and lines such as `Published: 3 May 2021`.
//! Cells are lines of their own, so a label is before its value on a line or on the line above.

use citation_model::item_type::ItemType;
use citation_model::lists::phrases;

use super::marks::Part;
use super::page::{Line, Page};
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
    /// The size of a work: its pages, its discs.
    Extent,
}

const TITLES: [&str; 25] = phrases(
    "titre propre|título propio|العنوان|title|article title|document title|full title|main title|titel|haupttitel|titre|título|titolo|название|\
     заглавие|标题|题名|書名|书名|中文标准名称|标准名称|タイトル|제목|titel/untertitel|título do artigo",
);

const AUTHORS: [&str; 64] = phrases(
    "von|par|por|door|author|authors|author(s)|by|creator|creators|creator(s)|written by|posted by|main author|autor|autoren|\
     autorin|autor/in|autor(en)|verfasser|verfasserin|verfasserangaben|verfasserangabe|1. verfasser|\
     person(en)|auteur|auteurs|auteur(s)|autores|autor(es)|autoría|autoria|autore|autori|auteur / autrice|\
     автор|авторы|автори|작성자|저자|기자|作者|著者|撰稿|撰文|記者|记者|文|تأليف|الكاتب|كاتب|بقلم|författare|\
     forfatter|tekijä|kirjoittaja|szerző|yazar|penulis|oleh|tác giả|auteur(e)s|investigators|speaker",
);

const PUBLISHED: [&str; 63] = phrases(
    "année de parution|año de publicación|año|出版年|出版时间|出版日期|تاريخ النشر|سنة النشر|published|date published|publication date|published date|published on|publication year|year of publication|\
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

const PUBLISHERS: [&str; 18] = phrases(
    "maison d’édition|verlag, ort|الناشر|publisher|published by|verlag|verlag/herausgeber|éditions|editorial|editora|editor|editore|издательство|出版社|\
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
const ISBNS: [&str; 6] = phrases("ردمك|isbn|isbn-13|isbn13|isbn-10|isbn/issn");
const ISSNS: [&str; 5] = phrases("issn|e-issn|eissn|issn-l|print issn");
const PMIDS: [&str; 3] = phrases("pmid|pubmed id|pubmed");
const VOLUMES: [&str; 12] =
    phrases("tomo|المجلد|volume|vol|vol.|band|jahrgang|tome|volumen|том|卷|巻");
const ISSUES: [&str; 11] =
    phrases("العدد|issue|number|no.|issue number|heft|numéro|número|номер|期|号");
const PAGES: [&str; 14] = phrases(
    "الصفحات|页数|pages|page range|page(s)|page|seiten|seite|páginas|pagine|страницы|页码|ページ|pp.",
);
const LANGUAGES: [&str; 12] = phrases(
    "اللغة|语言|language|languages|language(s)|sprache|sprache(n)|langue|idioma|lingua|язык|语种",
);
const KINDS: [&str; 25] = phrases(
    "medientyp|mediengruppe|materialart|material type|format|type de ressource|type de support|tipo de material|tipo de recurso|资源类型|النوع|type|document type|publication type|item type|resource type|article type|medienart|dokumenttyp|dokumentart|\
     publikationstyp|type de document|tipo de documento|tipo|文献类型",
);
const SOURCES: [&str; 8] = phrases("来源|來源|稿源|出处|quelle|fuente|fonte|источник");
const NUMBERS: [&str; 10] = phrases(
    "标准号|standard number|report number|document number|patent number|law number|nummer|number|文号|发文字号",
);

const EXTENTS: [&str; 13] = phrases(
    "extent|physical description|collation|pagination|umfang|umfangsangabe|umfangsangaben|description matérielle|\
     description physique|descripción física|载体形态|载体形态项|الوصف المادي",
);

/// The labels of each fact.
const LABELS: [(Label, &[&str]); 19] = [
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
    (Label::Extent, &EXTENTS),
];

/// The longest label in bytes.
const MAX_LENGTH: usize = 48;

/// A text in lower case without what surrounds a label; `None` if it is too long for one.
fn bare(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || ":：,*•".contains(c));
    (!text.is_empty() && text.len() <= MAX_LENGTH).then(|| text.to_lowercase())
}

/// Whether a text is a label of a fact.
pub(super) fn is_label(text: &str, label: Label) -> bool {
    bare(text).is_some_and(|text| facts(&text).any(|fact| fact == label))
}

/// Whether a text is a label of any fact.
pub(super) fn is_any(text: &str) -> bool {
    bare(text).is_some_and(|text| facts(&text).next().is_some())
}

/// The facts that a bare label may be of.
fn facts(bare: &str) -> impl Iterator<Item = Label> {
    let known = LABELS.iter().filter(move |(label, words)| {
        words.contains(&bare) || *label == Label::Author && people::is_label(bare)
    });
    known.map(|(label, _)| *label)
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

/// A label with its value, by the lines of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    label: Label,
    /// The line of the value, where it begins in it, and the first line behind it.
    line: usize,
    start: usize,
    end: usize,
}

/// Maximum number of pairs, and of lines of a value.
const PAIRS: usize = 400;
const MAX_LINES: usize = 24;

/// The labels and values of a page. A line is a label if it is one without colon, and that of a term has all lines up
/// to the next term; a label on the line of its value ends in a colon.
pub(super) fn pairs(lines: &[Line]) -> Vec<Pair> {
    let mut found = Vec::new();
    let own = lines.iter().enumerate();
    for (at, line) in own.filter(|(_, line)| line.part != Part::Others) {
        if found.len() >= PAIRS {
            break;
        }
        if let Some(text) = bare(&line.text).filter(|text| facts(text).next().is_some()) {
            let end = end_of_value(lines, at);
            let pair = |label| Pair {
                label,
                line: at + 1,
                start: 0,
                end,
            };
            found.extend(facts(&text).filter(|_| end > at + 1).map(pair));
            continue;
        }
        let mut places = line.text.char_indices().take(MAX_LENGTH);
        let Some((colon, mark)) = places.find(|(_, c)| matches!(c, ':' | '：')) else {
            continue;
        };
        let start = colon + mark.len_utf8();
        let has_value = line
            .text
            .get(start..)
            .is_some_and(|value| !value.trim().is_empty());
        let head = line.text.get(..colon).and_then(bare).filter(|_| has_value);
        let pair = |label| Pair {
            label,
            line: at,
            start,
            end: at + 1,
        };
        found.extend(head.iter().flat_map(|head| facts(head)).map(pair));
    }
    found
}

/// The first line behind the value of a label that is a line of its own; the line behind the label if it has none.
fn end_of_value(lines: &[Line], label: usize) -> usize {
    let is_term = lines.get(label).is_some_and(|line| line.is_term);
    let behind = lines.get(label + 1..).unwrap_or_default();
    let is_value = |line: &&Line| {
        line.heading == 0
            && !line.is_term
            && (is_term || !is_any(&line.text) && line.text.len() <= 400)
    };
    let most = if is_term { MAX_LINES } else { 1 };
    label + 1 + behind.iter().take(most).take_while(is_value).count()
}

/// A value with its label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Labelled<'p> {
    pub value: &'p str,
    /// The line of the value.
    pub line: usize,
    /// The other lines of the value.
    pub rest: &'p [Line],
    /// Whether the label is a line of its own, as in the cells of a table.
    pub is_cell: bool,
}

/// The values with a label of a fact, in the order of the page.
pub(super) fn labelled(page: &Page, label: Label) -> impl Iterator<Item = Labelled<'_>> {
    let pairs = page.pairs.iter().filter(move |pair| pair.label == label);
    pairs.filter_map(|pair| {
        let value = page.lines.get(pair.line)?.text.get(pair.start..)?;
        Some(Labelled {
            value: value.trim(),
            line: pair.line,
            rest: page.lines.get(pair.line + 1..pair.end).unwrap_or_default(),
            is_cell: pair.start == 0,
        })
    })
}

/// Whether a page is a record: it states several facts of a work as label and value.
pub(super) fn is_record(page: &Page) -> bool {
    const MIN_FACTS: usize = 4;
    let mut facts: Vec<Label> = Vec::new();
    for pair in &page.pairs {
        if !facts.contains(&pair.label) {
            facts.push(pair.label);
        }
    }
    facts.len() >= MIN_FACTS
}

/// Labels that only records of a type have, in the languages of the pages.
const OF_KINDS: [(ItemType, &[&str]); 6] = [
    (ItemType::Standard, &OF_STANDARDS),
    (ItemType::Legislation, &OF_LAWS),
    (ItemType::Dataset, &OF_DATA),
    (ItemType::Software, &OF_SOFTWARE),
    (ItemType::Thesis, &OF_THESES),
    (ItemType::Patent, &OF_PATENTS),
];

const OF_STANDARDS: [&str; 20] = phrases(
    "ics|ics code|ics codes|ics classification|technical committee|standard number|committee|normenausschuss|\
     comité technique|comité técnico|supersedes|replaces|replaced by|ersatz für|remplace|标准号|中国标准分类号|\
     国际标准分类号|归口单位|ccs",
);

const OF_LAWS: [&str; 26] = phrases(
    "royal assent|enacted|date of enactment|entry into force|in force|date of document|date of effect|celex number|\
     legal basis|ausfertigungsdatum|vollzitat|fundstelle|inkrafttreten|abkürzung|date de promulgation|\
     entrée en vigueur|nature du texte|fecha de promulgación|fecha de disposición|entrada en vigor|rango|施行日期|发文机关|\
     制定机关|تاريخ النفاذ|الجريدة الرسمية",
);

const OF_DATA: [&str; 27] = phrases(
    "temporal coverage|spatial coverage|geographic coverage|time period|time period covered|collection dates|variables|\
     number of records|number of variables|update frequency|frequency|file format|file formats|file size|data type|\
     kind of data|unit of analysis|zeitbezug|raumbezug|erhebungszeitraum|couverture temporelle|couverture spatiale|\
     cobertura temporal|cobertura espacial|数据格式|时间范围|sampling procedure",
);

const OF_SOFTWARE: [&str; 25] = phrases(
    "latest version|version|current version|license|licence|repository|homepage|maintainer|maintainers|requires|\
     requires python|dependencies|imports|depends|programming language|operating system|needscompilation|lizenz|\
     betriebssystem|système d’exploitation|licencia|sistema operativo|版本|许可证|操作系统",
);

const OF_THESES: [&str; 22] = phrases(
    "degree|degree name|degree level|degree grantor|degree discipline|advisor|thesis advisor|supervisor|committee chair|\
     committee members|betreuer|gutachter|erstgutachter|doktorvater|tag der mündlichen prüfung|directeur de thèse|\
     sous la direction de|director de tesis|director de la tesis|导师|学位|المشرف",
);

const OF_PATENTS: [&str; 13] = phrases(
    "inventor|inventors|assignee|application number|priority date|patent number|filing date|erfinder|anmelder|\
     inventeur|déposant|发明人|申请号",
);

/// The type whose labels a page has most of, at least two.
pub(super) fn kind(page: &Page) -> Option<ItemType> {
    const MIN_LABELS: usize = 2;
    let own = page.lines.iter().filter(|line| line.part != Part::Others);
    let labels = own.filter_map(|line| {
        let colon = line.text.find([':', '：']);
        let head = match colon.and_then(|colon| line.text.get(..colon)) {
            Some(head) => head,
            None if line.is_term => line.text.as_str(),
            None => return None,
        };
        bare(head)
    });
    let mut labels: Vec<String> = labels.take(PAIRS).collect();
    labels.sort_unstable();
    labels.dedup();
    let count = |known: &[&str]| {
        let of_kind = labels
            .iter()
            .filter(|label| known.contains(&label.as_str()));
        of_kind.count()
    };
    let mut counts = OF_KINDS.map(|(kind, known)| (count(known), kind));
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let [(most, kind), (next, _), ..] = counts;
    (most >= MIN_LABELS && most > next).then_some(kind)
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
