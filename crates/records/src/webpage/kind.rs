//! The type of a page's work: every sign adds to the score of a type, and the highest score decides.

use citation_model::item_type::ItemType;
use citation_model::lists::{phrases, words};
use citation_model::name::Name;

use super::Sources;
use super::claims::Claims;
use super::labels::{self, Label};
use super::metas::Metas;
use super::page::Page;
use super::{dublin_core, given_names, people, title};

/// Registrants of preprint servers' DOIs.
const PREPRINTS: [&str; 14] = [
    "10.1101", "10.2139", "10.20944", "10.21203", "10.22541", "10.26434", "10.31219", "10.31223",
    "10.31234", "10.31235", "10.32942", "10.36227", "10.48550", "10.64898",
];

/// Systems used almost only for blogs, as named in `<meta name="generator">`.
const BLOG_ENGINES: [&str; 10] =
    phrases("blogger|ghost|medium|movable type|typepad|tumblr|substack|livejournal|jekyll|hugo");

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
const NEWS: [&str; 55] = words(
    "news times herald tribune gazette chronicle guardian telegraph daily zeitung nachrichten tagblatt \
     tageblatt anzeiger rundschau presse kurier diario jornal giornale corriere gazzetta repubblica \
     noticias notícias noticia nouvelles figaro libération liberation lemonde parisien krant dagblad \
     avisen bladet aftenposten sanomat uutiset gazeta wiadomości haber hurriyet новости известия газета \
     правда вести 新闻 日报 晚报 新聞 뉴스 일보 أخبار",
);

/// Sections of newspapers, as they stand in their menus.
const SECTIONS: [&str; 103] = phrases(
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

/// Minimum number of sections in a menu of a newspaper.
const MIN_SECTIONS: usize = 5;

/// Beginnings of the names of news agencies and broadcasters.
const BROADCASTERS: [&str; 22] = words(
    "bbc cnn reuters npr cbc abcnews nbcnews cbsnews aljazeera dw.com tagesschau spiegel faz.net yle.fi rtve \
     rai euronews xinhuanet foxnews politico nytimes washingtonpost",
);

/// Words in the names of magazines.
const MAGAZINES: [&str; 12] = words(
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

/// The scores of the types, the best first, with the signs of each.
pub(super) fn scores(known: &Known<'_>) -> Vec<(ItemType, f32, Vec<&'static str>)> {
    let mut scores: Vec<(ItemType, f32, Vec<&'static str>)> = Vec::new();
    for (kind, weight, sign) in signs(known) {
        match scores.iter_mut().find(|(other, _, _)| *other == kind) {
            Some((_, score, signs)) => {
                *score += weight;
                signs.push(sign);
            }
            None => scores.push((kind, weight, vec![sign])),
        }
    }
    scores.sort_by(|one, other| other.1.total_cmp(&one.1));
    scores
}

type Sign = (ItemType, f32, &'static str);

fn signs(known: &Known<'_>) -> Vec<Sign> {
    let mut signs: Vec<Sign> = vec![(ItemType::Webpage, 1.0, "every page")];
    let sources = known.sources;
    // Blogs state that they are news, too, so it decides only without other signs.
    let of_schema = match sources.schema.kind {
        Some(ItemType::NewspaperArticle) => 1.2,
        _ => 3.5,
    };
    let stated = [
        (sources.highwire.kind, 4.0, "Highwire tag"),
        (sources.prism.kind, 2.5, "PRISM tag"),
        (sources.dublin_core.kind, 4.5, "Dublin Core tag"),
        (sources.eprints.kind, 5.0, "EPrints tag"),
        (sources.schema.kind, of_schema, "schema.org"),
        (sources.graph.kind, 1.5, "Open Graph tag"),
        (sources.coins.kind, 1.5, "COinS"),
        (sources.bibtex.kind, 3.0, "BibTeX entry"),
    ];
    signs.extend(
        stated
            .into_iter()
            .filter_map(|(kind, weight, sign)| Some((kind?, weight, sign))),
    );
    of_numbers(known, &mut signs);
    of_address(known, &mut signs);
    of_text(known, &mut signs);
    signs
}

/// The signs of identifiers and of a container.
fn of_numbers(known: &Known<'_>, signs: &mut Vec<Sign>) {
    let claims = known.claims;
    let registrant = claims.doi.as_deref().and_then(|doi| doi.split('/').next());
    let is_preprint = registrant.is_some_and(|registrant| PREPRINTS.contains(&registrant));
    // Cold Spring Harbor uses one registrant for its journals and its preprint servers.
    let is_journal = registrant == Some("10.1101") && claims.issue.is_some();
    if is_preprint && claims.volume.is_none() && !is_journal && claims.issn.is_empty() {
        signs.push((ItemType::Preprint, 6.0, "registrant of preprints"));
    }
    let is_numbered = claims.volume.is_some() || claims.doi.is_some() || !claims.issn.is_empty();
    if claims.container.is_some() && is_numbered && !known.is_story {
        signs.push((ItemType::Article, 2.0, "in a journal"));
    }
    if claims.container.is_some() && !is_numbered && !known.is_story {
        signs.push((ItemType::Article, 1.2, "part of a container"));
    }
    if claims.doi.is_some() && known.is_article && claims.volume.is_some() {
        signs.push((ItemType::Article, 0.8, "volume and DOI"));
    }
    if claims.arxiv.is_some() {
        signs.push((ItemType::Preprint, 2.0, "arXiv identifier"));
    }
    if !claims.isbn.is_empty() && claims.container.is_none() {
        signs.push((ItemType::Book, 2.0, "ISBN"));
    }
    // Some journals are called proceedings too, but none a conference.
    if claims.container.as_deref().is_some_and(title::is_meeting) && !known.is_story {
        signs.push((ItemType::ConferencePaper, 2.6, "name of a conference"));
    }
    if title::proceedings(known.page).is_some() {
        signs.push((ItemType::ConferencePaper, 4.2, "proceedings in the title"));
    }
}

/// The signs of the address, the generator and the name of the site.
fn of_address(known: &Known<'_>, signs: &mut Vec<Sign>) {
    let url = known.claims.url.as_deref().unwrap_or_default();
    let host = super::address::host(url).unwrap_or_default().to_lowercase();
    let is_on = |hosts: &[&str]| hosts.iter().any(|known| is_below(&host, known));
    let path = url.to_lowercase();
    let parts = || path.split('/').skip(3).filter(|part| !part.is_empty());
    let has_part = |words: &[&str]| parts().any(|part| words.contains(&part));
    let has_authors = !known.claims.authors.is_empty();
    let is_post = known.claims.date.is_some() || has_authors;
    let generator = Metas(known.page)
        .first(&["generator"])
        .unwrap_or_default()
        .to_lowercase();
    let is_blog = BLOG_ENGINES
        .iter()
        .any(|engine| generator.starts_with(engine))
        || is_on(&BLOG_HOSTS)
        || host.contains(".blogspot.")
        || host.starts_with("blog.")
        || host.starts_with("blogs.")
        || has_part(&["blog", "blogs", "blog-post"]);
    if is_blog && is_post {
        signs.push((ItemType::BlogPost, 2.2, "blog"));
    }
    let is_own = |author: &Name| {
        let shown = author.display();
        let name = title::fold(&shown);
        let places = [known.site.unwrap_or_default(), &host];
        let is_named = places
            .iter()
            .any(|place| title::fold(place).contains(&name));
        is_named && people::is_person(author) && given_names::begins_with_one(&shown)
    };
    if !known.is_article && known.claims.authors.iter().any(is_own) {
        signs.push((ItemType::BlogPost, 2.2, "site with the name of its author"));
    }
    let site = known.site.unwrap_or_default().to_lowercase();
    if site.contains("blog") && is_post {
        signs.push((ItemType::BlogPost, 1.5, "name of a blog"));
    }
    let names_it = |words: &[&str]| {
        words
            .iter()
            .any(|word| site.contains(word) || host.contains(word))
    };
    if is_post && !known.is_article && names_it(&NEWS) {
        signs.push((ItemType::NewspaperArticle, 1.4, "name of a newspaper"));
    }
    if is_post && !known.is_article && BROADCASTERS.iter().any(|name| host.contains(name)) {
        signs.push((
            ItemType::NewspaperArticle,
            1.4,
            "news agency or broadcaster",
        ));
    }
    if is_post && !known.is_article && has_sections(known.page) {
        signs.push((ItemType::NewspaperArticle, 1.4, "sections of a newspaper"));
    }
    if is_post && !known.is_article && names_it(&MAGAZINES) {
        signs.push((ItemType::MagazineArticle, 1.3, "name of a magazine"));
    }
    // Newspapers and magazines write stories, which show the day of their publication or state a day beside their
    // authors; blogs have been told by then.
    let is_day_given = match known.claims.date {
        Some(_) => has_authors || known.is_publication_shown,
        None => false,
    };
    if known.is_story && is_day_given && !known.is_article {
        signs.push((ItemType::NewspaperArticle, 1.1, "story"));
    }
    if is_post && !known.is_story && !known.is_article && has_comment_form(known.page) {
        signs.push((ItemType::BlogPost, 1.5, "form for comments"));
    }
    if is_on(&VIDEO_HOSTS) {
        signs.push((ItemType::MotionPicture, 3.0, "host of videos"));
    }
    if is_on(&SOFTWARE_HOSTS) && parts().count() == 2 {
        signs.push((ItemType::Software, 3.0, "host of software"));
    }
    if is_on(&PACKAGE_HOSTS) {
        signs.push((ItemType::Software, 3.0, "registry of software"));
    }
    if is_on(&DATA_HOSTS) {
        signs.push((ItemType::Dataset, 2.0, "repository of data"));
    }
    if parts().any(|part| part.starts_with("podcast")) || host.starts_with("podcast") {
        signs.push((ItemType::Broadcast, 1.8, "podcast"));
    }
    if is_thread(known.page, url) {
        signs.push((ItemType::Post, 1.8, "forum"));
    }
    if host.starts_with("legislation.") || host.starts_with("laws.") || host.starts_with("eur-lex.")
    {
        signs.push((ItemType::Legislation, 3.0, "host of laws"));
    }
    if is_wiki(Metas(known.page)) && host.contains("wikipedia") {
        signs.push((ItemType::EncyclopediaEntry, 4.0, "encyclopedia"));
    }
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
fn has_comment_form(page: &Page) -> bool {
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

/// Whether a page has a menu with the sections of a newspaper.
fn has_sections(page: &Page) -> bool {
    let short = page.lines.iter().filter(|line| line.text.len() <= 24);
    let mut found: Vec<String> = Vec::new();
    for line in short {
        let text = line.text.to_lowercase();
        if SECTIONS.contains(&text.as_str()) && !found.contains(&text) {
            found.push(text);
        }
        if found.len() >= MIN_SECTIONS {
            return true;
        }
    }
    false
}

/// Maximum number of words of a type as a value.
const MAX_WORDS: usize = 6;

/// The signs of the visible text.
fn of_text(known: &Known<'_>, signs: &mut Vec<Sign>) {
    let page = known.page;
    let shown = known.claims.title.as_deref().unwrap_or_default();
    let headings = || page.lines.iter().filter(|line| line.heading > 0).take(3);
    let mut texts = headings()
        .map(|line| line.text.as_str())
        .chain([shown, page.title.as_str()]);
    let begins_standard = |text: &str| {
        let text = text.rsplit(['：', ':', '|']).next().unwrap_or(text).trim();
        STANDARDS.iter().any(|body| {
            let rest = text.strip_prefix(body);
            rest.is_some_and(|rest| {
                let number = rest.trim_start_matches([' ', '-', '/']);
                number.len() < rest.len() && number.starts_with(|c: char| c.is_ascii_digit())
            })
        })
    };
    if texts.any(begins_standard) && !known.is_article && !known.is_story {
        signs.push((ItemType::Standard, 2.5, "number of a standard"));
    }
    for value in labels::values(page, Label::Kind).take(2) {
        let is_short = value.split_whitespace().count() <= MAX_WORDS;
        if let Some(kind) = dublin_core::kind(value).filter(|_| is_short) {
            signs.push((kind, 2.5, "label of the type"));
        }
    }
    if let Some(kind) = labels::kind(page).filter(|_| !known.is_story) {
        signs.push((kind, 2.5, "labels of the type"));
    }
    let has = |label: Label| labels::labelled(page, label).next().is_some();
    if has(Label::Isbn) && (has(Label::Imprint) || has(Label::Publisher) || has(Label::Author)) {
        signs.push((ItemType::Book, 2.5, "record of a book"));
    }
    let mut extents = labels::values(page, Label::Extent);
    if labels::is_record(page) && extents.any(is_of_pages) {
        signs.push((ItemType::Book, 1.5, "number of pages"));
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
        signs.push((ItemType::Legislation, 1.5, "title of a law"));
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
        signs.push((ItemType::Speech, 2.5, "words of a speech"));
    }
    if is_chapter(page, shown) {
        signs.push((ItemType::Chapter, 3.5, "number of a chapter"));
    }
    const ASKED: [&str; 5] = phrases("asked |gefragt |preguntado |вопрос задан|demandé ");
    if near
        .clone()
        .any(|text| text.len() <= 60 && ASKED.iter().any(|word| text.starts_with(word)))
    {
        signs.push((ItemType::Post, 1.8, "words of a question"));
    }
    const THESES: [&str; 8] = phrases(
        "dissertation|doctoral thesis|phd thesis|master's thesis|masterarbeit|diplomarbeit|thèse de doctorat|\
         tesis doctoral",
    );
    if near
        .clone()
        .any(|text| text.len() <= 60 && THESES.iter().any(|word| text.starts_with(word)))
    {
        signs.push((ItemType::Thesis, 2.5, "words of a thesis"));
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
