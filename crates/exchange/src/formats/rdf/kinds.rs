//! Maps classes of the vocabularies to Zotero's item types.

use citation_model::lists::words;

use super::graph::{Graph, Resource};

/// The item type of a node; `None` if it is not a work but a person, journal, collection or file.
pub fn kind(node: &Resource, graph: &Graph) -> Option<String> {
    let own = node.text(&["itemType"]);
    if !own.is_empty() {
        return Some(own.to_owned());
    }
    if graph.used.contains(&node.id)
        && !node.id.is_empty()
        && of_class(&node.class) != Some("journalArticle")
    {
        return None;
    }
    let types = node.all(&["type"]).filter_map(|object| match object {
        super::graph::Object::Reference(address) => address.rsplit(['#', '/']).next(),
        super::graph::Object::Text(text) => Some(text.as_str()),
        super::graph::Object::Node(_) => None,
    });
    let mut classes = std::iter::once(node.class.as_str())
        .chain(types)
        .filter(|class| *class != "Description");
    let has_title = !node.text(&["title", "name", "headline"]).is_empty();
    let is_no_work = is_no_work(&node.class);
    if is_no_work || !has_title {
        return None;
    }
    let in_periodical = || {
        let parts = node.all(&["isPartOf"]).filter_map(|part| graph.node(part));
        parts
            .map(|part| part.class.as_str())
            .find_map(|class| match class {
                "Newspaper" => Some("newspaperArticle"),
                "Magazine" => Some("magazineArticle"),
                _ => None,
            })
    };
    let known = classes.find_map(|class| of_class(class).or_else(|| of_words(class)));
    Some(
        match known.unwrap_or("document") {
            "journalArticle" => in_periodical().unwrap_or("journalArticle"),
            kind => kind,
        }
        .to_owned(),
    )
}

fn is_no_work(class: &str) -> bool {
    const CLASSES: [&str; 32] = words(
        "Person Organization Agent Group Journal Newspaper Magazine Series CourtReporter Code \
         Blog Website Forum Collection Attachment Memo UserItem Seq Bag Conference Event \
         Address Concept MultiVolumeBook Periodical Issue PublicationIssue PublicationVolume \
         ImageObject Place Tag AutomaticTag",
    );
    CLASSES.contains(&class)
}

/// Classes of bib, bibo and schema.
fn of_class(class: &str) -> Option<&'static str> {
    Some(match class {
        "Article" | "AcademicArticle" | "ScholarlyArticle" | "MedicalScholarlyArticle" => {
            "journalArticle"
        }
        "NewsArticle" | "ReportageNewsArticle" => "newspaperArticle",
        "Book" | "EditedBook" | "Proceedings" | "CollectedDocument" | "ReferenceSource"
        | "Manual" => "book",
        "BookSection" | "Chapter" => "bookSection",
        "ConferenceProceedings" => "conferencePaper",
        "Document" | "Webpage" | "WebPage" | "WebSite" => "webpage",
        "BlogPosting" | "LiveBlogPosting" => "blogPost",
        "DiscussionForumPosting" | "SocialMediaPosting" => "forumPost",
        "Data" | "Dataset" => "dataset",
        "SoftwareSourceCode" | "SoftwareApplication" | "Software" => "computerProgram",
        "Film" | "MotionPicture" | "Movie" => "film",
        "AudioVisualDocument" | "VideoObject" | "Clip" => "videoRecording",
        "AudioDocument" | "Recording" | "AudioObject" | "MusicRecording" | "MusicAlbum" => {
            "audioRecording"
        }
        "PodcastEpisode" => "podcast",
        "RadioEpisode" => "radioBroadcast",
        "TVEpisode" | "Episode" => "tvBroadcast",
        "Illustration" | "Image" | "Painting" | "Photograph" | "Sculpture" | "VisualArtwork"
        | "Drawing" => "artwork",
        "Map" => "map",
        "Interview" => "interview",
        "Letter" | "PersonalCommunicationDocument" | "PersonalCommunication" => "letter",
        "Email" | "EmailMessage" => "email",
        "LegalCaseDocument" | "LegalDecision" | "CourtCase" => "case",
        "Hearing" => "hearing",
        "Bill" => "bill",
        "Legislation" | "Statute" => "statute",
        "Manuscript" => "manuscript",
        "Patent" => "patent",
        "Report" | "TechArticle" => "report",
        "Slideshow" | "Presentation" | "PresentationDigitalDocument" => "presentation",
        "Standard" => "standard",
        "Thesis" => "thesis",
        "Preprint" => "preprint",
        _ => return None,
    })
}

/// Free-text types and those of the Dublin Core Metadata Initiative.
fn of_words(text: &str) -> Option<&'static str> {
    let folded: String = text
        .chars()
        .filter(|c| c.is_alphabetic())
        .flat_map(char::to_lowercase)
        .collect();
    Some(match folded.as_str() {
        "book" | "textbook" | "monograph" => "book",
        "journalarticle" | "article" | "textarticle" | "textserialjournal" | "researcharticle" => {
            "journalArticle"
        }
        "bookchapter" | "booksection" | "chapter" | "bookpart" => "bookSection",
        "conferencepaper" | "conferenceobject" | "conferenceproceedings" | "conferenceposter" => {
            "conferencePaper"
        }
        "thesis"
        | "dissertation"
        | "doctoralthesis"
        | "masterthesis"
        | "bachelorthesis"
        | "electronicthesisordissertation" => "thesis",
        "report" | "technicalreport" | "workingpaper" | "techreport" => "report",
        "newspaperarticle" => "newspaperArticle",
        "magazinearticle" => "magazineArticle",
        "preprint" => "preprint",
        "patent" => "patent",
        "dataset" | "data" => "dataset",
        "software" | "computerprogram" => "computerProgram",
        "image" | "stillimage" | "artwork" => "artwork",
        "movingimage" | "video" => "videoRecording",
        "film" => "film",
        "sound" | "audio" => "audioRecording",
        "map" => "map",
        "webpage" | "website" => "webpage",
        "blogpost" => "blogPost",
        "manuscript" => "manuscript",
        "letter" => "letter",
        "interview" => "interview",
        "lecture" | "presentation" => "presentation",
        _ => return None,
    })
}
