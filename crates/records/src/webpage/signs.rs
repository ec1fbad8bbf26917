//! What a page shows of the publication that it stands in: a newspaper, a magazine, a blog, or the site of an
//! institution. Weights are in `kind_weights`.

use super::evidence::evidence;

evidence! {
    /// Something on a page that is more frequent in one kind of publication than in others.
    Sign,
    /// A set of signs.
    Signs,

    // Every page has it.
    Every = "every page",

    // Statements.
    StatesNews = "states a news article",
    StatesBlogPost = "states a blog posting",
    StatesArticle = "states an article",
    StatesPage = "states a page without a work",
    StatesNothing = "states no type",
    StatesRecipe = "states a recipe or instructions",
    StatesProduct = "states a product, an event or a place",
    StatesNewsroom = "states a news organization",
    StatesAccess = "states who may read it",
    StatesSite = "Open Graph tag of a site",
    StatesStory = "Open Graph tag of an article",
    StatesSection = "states its section",
    StatesTags = "states its keywords as a story",
    StatesTime = "states the time of its publication",
    NewsroomTags = "tags for tools of newsrooms",
    Keywords = "tags of dates and authors without a vocabulary",
    ScholarlyTags = "tags of a scholarly work",

    // System.
    BlogSystem = "system of blogs",
    WordPress = "WordPress",
    InstitutionSystem = "system of institutions",
    CommentFeed = "feed of comments",
    OneFeed = "feed",
    ManyFeeds = "feeds",
    NoFeed = "no feed",

    // Address.
    HostOfBlogs = "host of blogs",
    HostOfInstitution = "host of an institution",
    HostOfPress = "host of the press",
    SubHost = "host below another",
    PathOfBlog = "address of a blog",
    PathOfNews = "address of news",
    PathOfMagazine = "address of a magazine",
    PathOfPress = "address of press releases",
    PathOfSection = "section in the address",
    PathWithDay = "day in the address",
    PathWithMonth = "month in the address",
    PathWithNumber = "number in the address",
    PathOfOnePart = "address of one part",
    PathOfTwoParts = "address of two parts",
    PathDeep = "address of many parts",
    PathWithEnding = "address with a file ending",

    // Names.
    SiteOfNews = "name of a newspaper",
    SiteOfBroadcaster = "name of a broadcaster",
    SiteOfMagazine = "name of a magazine",
    SiteOfBlog = "name of a blog",
    SiteOfInstitution = "name of an institution",
    SiteOfAuthor = "site with the name of its author",
    SiteIsDomain = "domain as name of the site",
    SiteIsLong = "long name of the site",

    // People and dates.
    NoAuthor = "no author",
    AuthorIsSite = "site as its author",
    AuthorIsHandle = "author of one word",
    AuthorIsInstitution = "institution as author",
    AuthorIsPerson = "person as author",
    AuthorIsMarked = "author with initials or capitals",
    SeveralAuthors = "several authors",
    OwnerIsAuthor = "copyright of the author",
    OwnerIsCompany = "copyright of a company",
    OwnerIsPublisher = "copyright of a publisher",
    NoDate = "no date",
    DateShown = "date of publication shown",
    TimeShown = "time of day near the heading",
    ChangeShown = "time of a change near the heading",
    ReadingTime = "time that reading takes",
    Byline = "line with the author next to the heading",

    // Furniture.
    FewSections = "some sections of a newspaper",
    ManySections = "sections of a newspaper",
    HardSections = "sections of politics, sports and places",
    OneOfPaper = "menu with one word of newspapers",
    ManyOfPaper = "menu with words of newspapers",
    OneOfMagazine = "menu with one word of magazines",
    ManyOfMagazine = "menu with words of magazines",
    OneOfBlog = "menu with one word of blogs",
    ManyOfBlog = "menu with words of blogs",
    ArchiveOfMonths = "archive of months",
    FewOfInstitution = "menu with some words of institutions",
    ManyOfInstitution = "menu with words of institutions",
    Shop = "shop",
    Advertises = "place for advertisements",
    Newsroom = "newsroom",
    PoweredBy = "name of the system in the footer",
    CommentForm = "form for comments",
    Breadcrumb = "trail to the page",

    // Text.
    Dateline = "text begins with a place",
    Agency = "news agency",
    StockPhoto = "pictures of a stock",
    FirstPerson = "writer says I",
    MuchFirstPerson = "writer often says I",
    Speech = "reports what was said",
    MuchSpeech = "often reports what was said",
    Address = "speaks to the reader",
    WeVoice = "writers say we",
    NoText = "no text",
    ShortText = "short text",
    LongText = "long text",
    ManyHeadings = "headings inside the text",
    TitleOfAdvice = "title of advice",

    // What the page is.
    IsStory = "story",
    IsScholarly = "scholarly work",
    IsThread = "discussion",
    IsRecord = "record",
}
