//! The type of a page's work. Votes speak for types of works that show what they are: a data set, a law, a film. What
//! remains is prose, whose type depends on the publication that it stands in: every sign of `publication` has a weight
//! for each of these types. The highest sum decides.

use citation_model::item_type::ItemType;
use citation_model::lists::{phrases, words};

use super::Sources;
use super::claims::Claims;
use super::kind_weights::{PROSE, weight};
use super::labels::{self, Label};
use super::metas::Metas;
use super::page::Page;
use super::schema_org::Stated;
use super::signs::{Sign, Signs};
use super::{dublin_core, publication, title};

/// Registrants of preprint servers' DOIs.
const PREPRINTS: [&str; 14] = [
    "10.1101", "10.2139", "10.20944", "10.21203", "10.22541", "10.26434", "10.31219", "10.31223",
    "10.31234", "10.31235", "10.32942", "10.36227", "10.48550", "10.64898",
];

/// Hosts of blogs, including their subdomains.
const BLOG_HOSTS: [&str; 14] = words(
    "blogspot wordpress.com medium.com substack.com tumblr.com typepad.com hypotheses.org \
     ghost.io livejournal.com bearblog.dev dev.to hatenablog.com write.as svbtle.com",
);

const VIDEO_HOSTS: [&str; 6] =
    words("youtube.com youtu.be vimeo.com ted.com dailymotion.com bilibili.com");

/// Encyclopedias, including their editions by language.
const ENCYCLOPEDIA_HOSTS: [&str; 8] = words(
    "wikipedia.org britannica.com encyclopedia.com scholarpedia.org plato.stanford.edu iep.utm.edu \
     treccani.it larousse.fr",
);

/// Networks of short posts.
const POST_HOSTS: [&str; 12] = words(
    "twitter.com x.com facebook.com instagram.com threads.net bsky.app mastodon.social tiktok.com \
     linkedin.com reddit.com weibo.com t.me",
);

const SOFTWARE_HOSTS: [&str; 4] = words("github.com gitlab.com bitbucket.org codeberg.org");

/// Registries of software.
const PACKAGE_HOSTS: [&str; 7] = words(
    "pypi.org npmjs.com crates.io rubygems.org cran.r-project.org packagist.org hackage.haskell.org",
);

/// Repositories of data.
const DATA_HOSTS: [&str; 6] =
    words("datadryad.org pangaea.de dataverse.org openicpsr.org kaggle.com gbif.org");

/// Words in the names of newspapers and news sites.
pub(super) const NEWS: [&str; 55] = words(
    "news times herald tribune gazette chronicle guardian telegraph daily zeitung nachrichten tagblatt \
     tageblatt anzeiger rundschau presse kurier diario jornal giornale corriere gazzetta repubblica \
     noticias notícias noticia nouvelles figaro libération liberation lemonde parisien krant dagblad \
     avisen bladet aftenposten sanomat uutiset gazeta wiadomości haber hurriyet новости известия газета \
     правда вести 新闻 日报 晚报 新聞 뉴스 일보 أخبار",
);

/// Sections of newspapers, as they stand in their menus.
pub(super) const SECTIONS: [&str; 103] = phrases(
    "politics|business|opinion|world|sports|sport|local news|lifestyle|entertainment|obituaries|weather|\
     politik|wirtschaft|kultur|panorama|regional|lokales|meinung|wissen|gesellschaft|feuilleton|ausland|inland|\
     politique|économie|société|international|monde|faits divers|opinions|\
     política|economía|deportes|opinión|sociedad|internacional|nacional|sucesos|mundo|cultura|economia|esportes|\
     polícia|cidades|brasil|opinião|politica|cronaca|esteri|spettacoli|economia e finanza|politiek|economie|binnenland|\
     buitenland|cultuur|nyheter|ekonomi|kultur & nöje|politikk|økonomi|nyheder|indland|udland|urheilu|kotimaa|ulkomaat|\
     talous|polityka|gospodarka|świat|kraj|kultura|politika|ekonomika|domácí|zahraničí|svět|политика|экономика|общество|\
     культура|спорт|в мире|происшествия|siyaset|dünya|spor|gündem|时政|国际|财经|社会|体育|政治|経済|国際|スポーツ|정치|경제|\
     사회|سياسة|اقتصاد",
);

/// Beginnings of the names of news agencies and broadcasters.
const BROADCASTERS: [&str; 22] = words(
    "bbc cnn reuters npr cbc abcnews nbcnews cbsnews aljazeera dw.com tagesschau spiegel faz.net yle.fi rtve \
     rai euronews xinhuanet foxnews politico nytimes washingtonpost",
);

/// Words in the names of magazines.
pub(super) const MAGAZINES: [&str; 12] = words(
    "magazine magazin revista rivista wired newyorker theatlantic economist prospectmagazine slate.com vox.com \
     atlasobscura",
);

/// Beginnings of the numbers of standards.
const STANDARDS: [&str; 18] =
    words("ISO IEC IEEE DIN ASTM ANSI BS EN GB/T GB NF JIS UNE UNI ITU-T ETSI NISO ГОСТ");

/// Words of laws at the start or the end of titles.
const LAWS: [&str; 16] = words(
    "act gesetz verordnung gesetzbuch regulation directive ordinance loi décret ley decreto lei legge \
     constitution 条例 закон",
);

/// Words of speeches at the start of a title or of a line near the heading.
const SPEECHES: [&str; 12] = phrases(
    "rede von|ansprache von|speech by|a speech by|remarks by|address by|keynote by|rede |speech: |remarks |\
     discours de|discurso de",
);

/// Whether a page is one of a wiki, which many people write.
pub(super) fn is_wiki(metas: Metas<'_>) -> bool {
    let generator = metas.first(&["generator"]).unwrap_or_default();
    generator.starts_with("MediaWiki")
}

/// The type that most pages of a host have.
pub(super) fn of_host(host: &str) -> Option<ItemType> {
    let host = host.to_lowercase();
    let is_on = |hosts: &[&str]| hosts.iter().any(|known| is_below(&host, known));
    let has = |words: &[&str]| words.iter().any(|word| host.contains(word));
    let kinds = [
        (is_on(&VIDEO_HOSTS), ItemType::MotionPicture),
        (is_on(&ENCYCLOPEDIA_HOSTS), ItemType::EncyclopediaEntry),
        (is_on(&POST_HOSTS), ItemType::Post),
        (is_on(&BLOG_HOSTS), ItemType::BlogPost),
        (is_on(&PACKAGE_HOSTS), ItemType::Software),
        (is_on(&DATA_HOSTS), ItemType::Dataset),
        (has(&NEWS) || has(&BROADCASTERS), ItemType::NewspaperArticle),
        (has(&MAGAZINES), ItemType::MagazineArticle),
    ];
    kinds
        .into_iter()
        .find_map(|(holds, kind)| holds.then_some(kind))
}

/// Whether a host is a site or below it.
fn is_below(host: &str, site: &str) -> bool {
    let below = host.strip_suffix(site);
    below.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// What is known before the type is chosen.
pub(super) struct Known<'k> {
    pub page: &'k Page,
    pub sources: &'k Sources,
    pub claims: &'k Claims,
    pub heading: Option<usize>,
    pub site: Option<&'k str>,
    pub is_article: bool,
    pub is_story: bool,
    /// Whether the page shows its date, and that is one of publication.
    pub is_publication_shown: bool,
}

/// What speaks for the types of works.
pub(super) struct Evidence {
    /// The best first.
    pub scores: Vec<KindScore>,
    pub votes: Vec<(ItemType, f32)>,
    /// What the page shows of the publication that it stands in.
    pub signs: Signs,
}

/// Collects the evidence for each type and adds it up.
pub(super) fn evidence(known: &Known<'_>) -> Evidence {
    let mut scores: Vec<KindScore> = Vec::new();
    let stated = Stated::of(&known.page.objects);
    let signs = publication::signs(known, &stated);
    let votes = votes(known, &stated);
    for kind in PROSE {
        let weights: Vec<(Sign, f32)> = signs
            .iter()
            .map(|sign| (sign, weight(sign, kind)))
            .collect();
        let speaking = weights.iter().filter(|(_, weight)| *weight > 0.0);
        scores.push((
            kind,
            weights.iter().map(|(_, weight)| weight).sum(),
            speaking.map(|(sign, _)| sign.as_str()).collect(),
        ));
    }
    for (kind, weight, reason) in votes.iter().copied() {
        match scores.iter_mut().find(|(other, _, _)| *other == kind) {
            Some((_, score, reasons)) => {
                *score += weight;
                reasons.push(reason);
            }
            None => scores.push((kind, weight, vec![reason])),
        }
    }
    scores.sort_by(|one, other| other.1.total_cmp(&one.1));
    Evidence {
        scores,
        votes: votes
            .into_iter()
            .map(|(kind, weight, _)| (kind, weight))
            .collect(),
        signs,
    }
}

/// A type, its score and its evidence.
pub(super) type KindScore = (ItemType, f32, Vec<&'static str>);

/// A type, a weight and what speaks for it.
type Vote = (ItemType, f32, &'static str);

/// What speaks for a type by itself.
fn votes(known: &Known<'_>, stated: &Stated<'_>) -> Vec<Vote> {
    let mut votes: Vec<Vote> = Vec::new();
    let sources = known.sources;
    // A story with a film has the film's tags, too.
    let is_written = known.is_story || stated.is_written();
    let of_graph = match sources.graph.kind {
        Some(ItemType::MotionPicture | ItemType::Song) if !is_written => 3.5,
        _ => 1.5,
    };
    let by_source = [
        (sources.highwire.kind, 4.0, "Highwire tag"),
        (sources.prism.kind, 2.5, "PRISM tag"),
        (sources.dublin_core.kind, 4.5, "Dublin Core tag"),
        (sources.eprints.kind, 5.0, "EPrints tag"),
        (sources.schema.kind, 3.5, "schema.org"),
        (sources.graph.kind, of_graph, "Open Graph tag"),
        (sources.coins.kind, 1.5, "COinS"),
        (sources.bibtex.kind, 3.0, "BibTeX entry"),
    ];
    // What objects state of prose is a sign: blogs state that they are news, and newspapers that they are blogs.
    let is_sign = |kind: ItemType, reason: &str| reason == "schema.org" && PROSE.contains(&kind);
    votes.extend(
        by_source
            .into_iter()
            .filter_map(|(kind, weight, reason)| Some((kind?, weight, reason)))
            .filter(|(kind, _, reason)| !is_sign(*kind, reason)),
    );
    of_numbers(known, &mut votes);
    of_address(known, &mut votes);
    of_text(known, &mut votes);
    votes
}

/// The votes of identifiers and of a container.
fn of_numbers(known: &Known<'_>, votes: &mut Vec<Vote>) {
    let claims = known.claims;
    let registrant = claims.doi.as_deref().and_then(|doi| doi.split('/').next());
    let is_preprint = registrant.is_some_and(|registrant| PREPRINTS.contains(&registrant));
    // Cold Spring Harbor uses one registrant for its journals and its preprint servers.
    let is_journal = registrant == Some("10.1101") && claims.issue.is_some();
    if is_preprint && claims.volume.is_none() && !is_journal && claims.issn.is_empty() {
        votes.push((ItemType::Preprint, 6.0, "registrant of preprints"));
    }
    let is_numbered = claims.volume.is_some() || claims.doi.is_some() || !claims.issn.is_empty();
    if claims.container.is_some() && is_numbered && !known.is_story {
        votes.push((ItemType::Article, 2.0, "in a journal"));
    }
    if claims.container.is_some() && !is_numbered && !known.is_story {
        votes.push((ItemType::Article, 1.2, "part of a container"));
    }
    if claims.doi.is_some() && known.is_article && claims.volume.is_some() {
        votes.push((ItemType::Article, 0.8, "volume and DOI"));
    }
    if claims.arxiv.is_some() {
        votes.push((ItemType::Preprint, 2.0, "arXiv identifier"));
    }
    if !claims.isbn.is_empty() && claims.container.is_none() {
        votes.push((ItemType::Book, 2.0, "ISBN"));
    }
    // Some journals are called proceedings too, but none a conference.
    if claims.container.as_deref().is_some_and(title::is_meeting) && !known.is_story {
        votes.push((ItemType::ConferencePaper, 2.6, "name of a conference"));
    }
    if title::proceedings(known.page).is_some() {
        votes.push((ItemType::ConferencePaper, 4.2, "proceedings in the title"));
    }
}

/// The votes of the address and of systems.
fn of_address(known: &Known<'_>, votes: &mut Vec<Vote>) {
    let url = known.claims.url.as_deref().unwrap_or_default();
    let host = super::address::host(url).unwrap_or_default().to_lowercase();
    let is_on = |hosts: &[&str]| hosts.iter().any(|known| is_below(&host, known));
    let path = url.to_lowercase();
    let parts = || path.split('/').skip(3).filter(|part| !part.is_empty());
    if is_on(&VIDEO_HOSTS) {
        votes.push((ItemType::MotionPicture, 3.0, "host of videos"));
    }
    if is_on(&SOFTWARE_HOSTS) && parts().count() == 2 {
        votes.push((ItemType::Software, 3.0, "host of software"));
    }
    if is_on(&PACKAGE_HOSTS) {
        votes.push((ItemType::Software, 3.0, "registry of software"));
    }
    if is_on(&DATA_HOSTS) {
        votes.push((ItemType::Dataset, 2.0, "repository of data"));
    }
    if is_on(&POST_HOSTS) {
        votes.push((ItemType::Post, 3.0, "network of posts"));
    }
    if is_podcast(known, &host) || parts().any(|part| part.starts_with("podcast")) {
        votes.push((ItemType::Broadcast, 1.8, "podcast"));
    }
    let og = Metas(known.page).first(&["og:type"]).unwrap_or_default();
    let og = og.rsplit([':', '.']).next().unwrap_or_default();
    if matches!(og, "sound" | "audio" | "podcast") {
        votes.push((ItemType::Broadcast, 3.0, "Open Graph tag of a sound"));
    }
    // A wiki or a lexicon is a work of reference, whoever runs it.
    if parts().any(|part| REFERENCES.contains(&part)) || host.split('.').any(names_reference) {
        votes.push((ItemType::EncyclopediaEntry, 3.5, "work of reference"));
    }
    if is_thread(known.page, url) {
        votes.push((ItemType::Post, 1.8, "forum"));
    }
    if host.starts_with("legislation.") || host.starts_with("laws.") || host.starts_with("eur-lex.")
    {
        votes.push((ItemType::Legislation, 3.0, "host of laws"));
    }
    if is_wiki(Metas(known.page)) && host.contains("wikipedia") {
        votes.push((ItemType::EncyclopediaEntry, 4.0, "encyclopedia"));
    }
}

/// Words of works of reference in addresses.
const REFERENCES: [&str; 11] = words(
    "wiki lexikon lexicon encyclopedia encyclopaedia enzyklopaedie enciclopedia encyclopedie dictionary \
     woerterbuch glossar",
);

/// Whether a label of a host names a work of reference: `lexikon`, `examplepedia`.
fn names_reference(label: &str) -> bool {
    label.ends_with("pedia") || label.len() > 4 && REFERENCES.contains(&label)
}

/// Whether the site or its feeds are those of a podcast.
fn is_podcast(known: &Known<'_>, host: &str) -> bool {
    let site = known.site.unwrap_or_default().to_lowercase();
    let feeds = known.page.feeds.iter().take(8);
    let feeds = feeds.filter(|feed| feed.to_lowercase().contains("podcast"));
    site.contains("podcast") || host.contains("podcast") || feeds.count() > 0
}

/// Whether a host is one of blogs.
pub(super) fn is_host_of_blogs(host: &str) -> bool {
    BLOG_HOSTS.iter().any(|known| is_below(host, known))
        || host.contains(".blogspot.")
        || host.starts_with("blog.")
        || host.starts_with("blogs.")
}

/// Whether a host is that of news or of a magazine below another: `news.example.org`.
pub(super) fn is_host_of_press(host: &str) -> bool {
    let first = host.split('.').next().unwrap_or_default();
    let is_below = host.split('.').count() > 2;
    is_below && (NEWS.contains(&first) || SECTIONS.contains(&first) || MAGAZINES.contains(&first))
}

/// Whether a host is that of a news agency or broadcaster.
pub(super) fn is_host_of_broadcaster(host: &str) -> bool {
    BROADCASTERS.iter().any(|name| host.contains(name))
}

/// Whether a page shows the posts of a discussion: its address or its system is that of a forum, or its lines say
/// of several people when they joined or how much they wrote.
pub(super) fn is_thread(page: &Page, url: &str) -> bool {
    const FORUMS: [&str; 9] =
        words("questions forum forums thread threads topic topics viewtopic.php showthread.php");
    const HOSTS: [&str; 6] = words("forum. forums. community. bbs. boards. discuss.");
    const SYSTEMS: [&str; 8] = words("discourse vbulletin phpbb xenforo mybb smf vanilla invision");
    const MEMBERS: [&str; 13] = phrases(
        "joined:|join date|posts:|messages:|registered:|member since|thread starter|topic author|topic starter|\
         registriert seit|beiträge:|inscrit|mensajes:",
    );
    const MIN_MEMBERS: usize = 4;
    let host = super::address::host(url).unwrap_or_default().to_lowercase();
    let lower = url.to_lowercase();
    let mut parts = lower.split(['/', '?']).skip(3);
    let generator = Metas(page).first(&["generator"]).unwrap_or_default();
    let generator = generator.to_lowercase();
    let short = page.lines.iter().filter(|line| line.text.len() <= 60);
    let of_members = short.filter(|line| {
        let text = line.text.to_lowercase();
        MEMBERS.iter().any(|label| text.starts_with(label))
    });
    parts.any(|part| FORUMS.contains(&part))
        || HOSTS.iter().any(|label| host.starts_with(label)) && lower.split('/').nth(4).is_some()
        || SYSTEMS.iter().any(|system| generator.starts_with(system))
        || of_members.take(MIN_MEMBERS).count() == MIN_MEMBERS
}

/// Whether a page asks for a comment, as posts of blogs do.
pub(super) fn has_comment_form(page: &Page) -> bool {
    const FORMS: [&str; 17] = phrases(
        "leave a comment|leave a reply|post a comment|add a comment|schreibe einen kommentar|\
         schreib einen kommentar|einen kommentar schreiben|kommentar schreiben|kommentar hinterlassen|\
         laisser un commentaire|deja un comentario|deja una respuesta|deixe um comentário|lascia un commento|\
         plaats een reactie|dodaj komentarz|skriv en kommentar",
    );
    let mut short = page.lines.iter().filter(|line| line.text.len() <= 60);
    short.any(|line| {
        let text = line.text.to_lowercase();
        FORMS.iter().any(|form| text.starts_with(form))
    })
}

/// Maximum number of words of a type as a value.
const MAX_WORDS: usize = 6;

/// The votes of the visible text.
fn of_text(known: &Known<'_>, votes: &mut Vec<Vote>) {
    let page = known.page;
    let shown = known.claims.title.as_deref().unwrap_or_default();
    let headings = || page.lines.iter().filter(|line| line.heading > 0).take(3);
    let mut texts = headings()
        .map(|line| line.text.as_str())
        .chain([shown, page.title.as_str()]);
    let begins_standard = |text: &str| {
        // `Standard: ISO 1`, but also `ISO 1:2001`.
        let behind = text.rsplit(['：', ':', '|']).next().unwrap_or(text);
        is_number_of_standard(text) || is_number_of_standard(behind.trim())
    };
    if texts.any(begins_standard) && !known.is_article && !known.is_story {
        votes.push((ItemType::Standard, 2.5, "number of a standard"));
    }
    for value in labels::values(page, Label::Kind).take(2) {
        let is_short = value.split_whitespace().count() <= MAX_WORDS;
        if let Some(kind) = dublin_core::kind(value).filter(|_| is_short) {
            votes.push((kind, 2.5, "label of the type"));
        }
    }
    if let Some(kind) = labels::kind(page).filter(|_| !known.is_story) {
        votes.push((kind, 2.5, "labels of the type"));
    }
    let has = |label: Label| labels::labelled(page, label).next().is_some();
    let is_record = has(Label::Imprint) || has(Label::Publisher) || has(Label::Author);
    // A review has the data of its book, too, below its own author and day.
    let is_review =
        known.is_story || known.is_publication_shown && !known.claims.authors.is_empty();
    if has(Label::Isbn) && is_record && !is_review {
        votes.push((ItemType::Book, 2.5, "record of a book"));
    }
    let mut extents = labels::values(page, Label::Extent);
    if labels::is_record(page) && extents.any(is_of_pages) {
        votes.push((ItemType::Book, 1.5, "number of pages"));
    }
    let lower = shown.to_lowercase();
    let mut parts = lower.split_whitespace();
    let (first, last) = (parts.next(), parts.next_back());
    let is_dated_law = lower
        .split(|c: char| !c.is_ascii_digit())
        .any(|number| number.len() == 4);
    let is_law = [first, last]
        .into_iter()
        .flatten()
        .any(|word| LAWS.contains(&word));
    if is_law
        && is_dated_law
        && !known.is_article
        && !known.is_story
        && known.claims.authors.is_empty()
    {
        votes.push((ItemType::Legislation, 1.5, "title of a law"));
    }
    let near = page.lines.iter().skip(known.heading.unwrap_or(0)).take(6);
    let near = near
        .filter(|line| line.text.len() <= 300)
        .map(|line| line.text.to_lowercase());
    let says_speech = |text: &String| {
        SPEECHES
            .iter()
            .any(|words| text.starts_with(words) || text.contains(&format!("- {words}")))
    };
    if says_speech(&lower) || near.clone().any(|text| says_speech(&text)) {
        votes.push((ItemType::Speech, 2.5, "words of a speech"));
    }
    if is_chapter(page, shown) {
        votes.push((ItemType::Chapter, 3.5, "number of a chapter"));
    }
    const ASKED: [&str; 5] = phrases("asked |gefragt |preguntado |вопрос задан|demandé ");
    if near
        .clone()
        .any(|text| text.len() <= 60 && ASKED.iter().any(|word| text.starts_with(word)))
    {
        votes.push((ItemType::Post, 1.8, "words of a question"));
    }
    const THESES: [&str; 8] = phrases(
        "dissertation|doctoral thesis|phd thesis|master's thesis|masterarbeit|diplomarbeit|thèse de doctorat|\
         tesis doctoral",
    );
    if near
        .clone()
        .any(|text| text.len() <= 60 && THESES.iter().any(|word| text.starts_with(word)))
    {
        votes.push((ItemType::Thesis, 2.5, "words of a thesis"));
    }
}

/// Whether a text begins with the number of a standard, of one body or of several: `ISO/IEC 1`, `DIN EN 1-2`.
fn is_number_of_standard(text: &str) -> bool {
    let mut rest = text;
    loop {
        let mut bodies = STANDARDS.iter().filter_map(|body| rest.strip_prefix(body));
        let Some(behind) = bodies.find(|behind| behind.starts_with([' ', '-', '/'])) else {
            return rest.len() < text.len() && rest.starts_with(|c: char| c.is_ascii_digit());
        };
        rest = behind.trim_start_matches([' ', '-', '/']);
    }
}

/// Whether the size of a work is a number of pages: `334 S.`, `xii, 301 pages`.
fn is_of_pages(extent: &str) -> bool {
    const PAGES: [&str; 9] = words("s seiten p pp pages páginas 页 页码 صفحة");
    let lower = extent.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphabetic());
    lower.contains(|c: char| c.is_ascii_digit()) && words.any(|word| PAGES.contains(&word))
}

/// Whether a page is a chapter of a book: its title begins with the number of one.
pub(super) fn is_chapter(page: &Page, title: &str) -> bool {
    const CHAPTERS: [&str; 5] = words("chapter kapitel chapitre capítulo capitolo");
    [page.title.as_str(), title].iter().any(|text| {
        let lower = text.to_lowercase();
        let mut words = lower.split_whitespace();
        let is_named = words.next().is_some_and(|word| CHAPTERS.contains(&word));
        is_named
            && words
                .next()
                .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    })
}
