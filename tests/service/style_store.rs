//! The style store: installing and removing a collection, the styles folder, and that a
//! running program notices changes.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use citation::clock::Clock;
use citation::store::{Store, StoreSettings};
use citation::styles::catalog::StyleFilter;
use citation::styles::install::{self, InstallError};
use citation::styles::{StyleProblem, Styles};

/// The styles as one process sees them.
fn open(data: &Path) -> Styles {
    open_with(data, Clock::system())
}

fn open_with(data: &Path, clock: Clock) -> Styles {
    let store = Store::open(data, &StoreSettings::default()).unwrap();
    let folders = vec![data.join("styles")];
    Styles::new(Some(Arc::new(store)), folders, 1 << 20, clock)
}

fn independent(id: &str, title: &str, layout: &str) -> String {
    format!(
        "<style xmlns=\"http://purl.org/net/xbiblio/csl\" class=\"in-text\" version=\"1.0\">\n\
         <info><title>{title}</title><id>http://www.zotero.org/styles/{id}</id>\
         <updated>2026-01-01T00:00:00Z</updated></info>\n\
         <citation><layout>{layout}</layout></citation>\n</style>"
    )
}

fn dependent(id: &str, title: &str, parent: &str) -> String {
    format!(
        "<style xmlns=\"http://purl.org/net/xbiblio/csl\" version=\"1.0\" default-locale=\"de-DE\">\
         <info><title>{title}</title><id>http://www.zotero.org/styles/{id}</id>\
         <link href=\"http://www.zotero.org/styles/{parent}\" rel=\"independent-parent\"/>\
         <updated>2026-01-01T00:00:00Z</updated></info></style>"
    )
}

/// A folder laid out like the public collection, with two files that cannot be used.
fn collection(folder: &Path) {
    let title = "<text variable=\"title\"/>";
    let files = [
        ("first.csl", independent("first", "First Style", title)),
        ("second.csl", independent("second", "Second Style", title)),
        (
            "broken.csl",
            independent("broken", "Broken", "\n  <text macro=\"lost\"/>"),
        ),
        (
            "renamed-styles.json",
            "{\"Ancient\": \"second\", \"gone\": \"nowhere\"}".to_owned(),
        ),
        (
            "dependent/journal.csl",
            dependent("journal", "Journal of Tests", "first"),
        ),
        (
            "dependent/orphan.csl",
            dependent("orphan", "Orphan", "lost-parent"),
        ),
    ];
    fs::create_dir_all(folder.join("dependent")).unwrap();
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
}

fn id_of(styles: &Styles, name: &str) -> Option<String> {
    let catalog = styles.catalog().unwrap();
    catalog.find(name).map(|entry| entry.id.clone())
}

/// How long it takes at most until changes are looked for again, in seconds.
const LOOK_INTERVAL: u64 = 1;

#[test]
fn installed_collection_is_visible_to_other_processes() {
    let data = tempfile::tempdir().unwrap();
    let source = tempfile::tempdir().unwrap();
    collection(source.path());
    let clock = Clock::set_to(0);
    let running = open_with(data.path(), clock.clone());
    assert_eq!(id_of(&running, "second"), None);

    let styles = open(data.path());
    let mut steps = 0;
    let installed = styles.install(source.path(), &mut |_| steps += 1).unwrap();
    assert_eq!((installed.independent, installed.dependent), (2, 1));
    assert_eq!(installed.former_names, 1);
    assert!(steps >= 5 + 3, "{steps}");
    let refused: Vec<String> = installed
        .refused
        .iter()
        .map(|refused| {
            let file = Path::new(&refused.file).file_name().unwrap();
            format!("{}: {}", file.to_string_lossy(), refused.reason)
        })
        .collect();
    assert_eq!(
        refused,
        [
            "broken.csl: line 4, column 3: the macro \"lost\" is not defined",
            "orphan.csl: the style depends on “lost-parent”, which is neither in the collection nor installed",
        ]
    );

    clock.advance(LOOK_INTERVAL);
    assert_eq!(id_of(&running, "ANCIENT").as_deref(), Some("second"));
    assert_eq!(id_of(&running, "gone"), None);
    let journal = running.ready("journal", None).unwrap();
    assert_eq!(
        (journal.name(), &*journal.locale),
        ("journal".to_owned(), "de-DE")
    );
    let found = running
        .catalog()
        .unwrap()
        .search("jornal of tsets", &StyleFilter::default(), 9);
    assert_eq!(found.first().map(|entry| &*entry.id), Some("journal"));

    assert!(
        Store::open(data.path(), &StoreSettings::default())
            .unwrap()
            .remove_style("first")
            .unwrap()
    );
    clock.advance(LOOK_INTERVAL);
    assert_eq!(id_of(&running, "first"), None);
    let problem = running.ready("journal", None).unwrap_err();
    assert!(
        matches!(problem, StyleProblem::ParentMissing { .. }),
        "{problem}"
    );
}

#[test]
fn style_in_the_folder_is_added_and_removed_live() {
    let data = tempfile::tempdir().unwrap();
    let clock = Clock::set_to(0);
    let styles = open_with(data.path(), clock.clone());
    let folder = data.path().join("styles");
    fs::create_dir(&folder).unwrap();
    assert_eq!(id_of(&styles, "own"), None);
    let file = folder.join("own.csl");
    fs::write(
        &file,
        independent("own", "Own", "<text variable=\"title\"/>"),
    )
    .unwrap();
    fs::write(folder.join("bad.csl"), "<style").unwrap();
    clock.advance(LOOK_INTERVAL);
    assert_eq!(id_of(&styles, "own").as_deref(), Some("own"));
    assert_eq!(id_of(&styles, "bad"), None);
    assert!(styles.ready("own", None).is_ok());
    fs::remove_file(file).unwrap();
    clock.advance(LOOK_INTERVAL);
    assert_eq!(id_of(&styles, "own"), None);
    assert!(matches!(
        styles.ready("own", None),
        Err(StyleProblem::Unknown { .. })
    ));
}

#[test]
fn source_without_styles_is_reported() {
    let data = tempfile::tempdir().unwrap();
    let empty = tempfile::tempdir().unwrap();
    let styles = open(data.path());
    let install = |source: &Path| styles.install(source, &mut |_| {}).unwrap_err();
    assert!(matches!(install(empty.path()), InstallError::Empty(_)));
    let absent = empty.path().join("absent.zip");
    assert!(matches!(install(&absent), InstallError::Unreadable { .. }));
    let odd = empty.path().join("odd.zip");
    fs::write(&odd, "not an archive").unwrap();
    assert!(matches!(install(&odd), InstallError::Unreadable { .. }));
}

#[test]
fn rejected_files_of_a_collection_are_reported() {
    let data = tempfile::tempdir().unwrap();
    let source = tempfile::tempdir().unwrap();
    let title = "<text variable=\"title\"/>";
    let files = [
        ("LOUD.CSL", independent("loud", "Loud", title)),
        ("._loud.csl", "\0\u{5}".to_owned()),
        ("one.csl", dependent("one", "One", "two")),
        ("two.csl", dependent("two", "Two", "one")),
        ("renamed-styles.json", "{".to_owned()),
    ];
    for (name, text) in files {
        fs::write(source.path().join(name), text).unwrap();
    }
    let styles = open(data.path());
    let installed = styles.install(source.path(), &mut |_| {}).unwrap();
    assert_eq!((installed.independent, installed.dependent), (1, 0));
    let mut refused: Vec<String> = installed
        .refused
        .iter()
        .map(|refused| format!("{}: {}", refused.file, refused.reason))
        .collect();
    refused.sort();
    let names = refused.remove(1);
    assert!(
        names.starts_with("renamed-styles.json: cannot read the list of former names"),
        "{names}"
    );
    assert_eq!(
        refused,
        [
            "one.csl: the style depends on “two”, which depends on another style itself",
            "two.csl: the style depends on “one”, which depends on another style itself",
        ]
    );
    assert_eq!(id_of(&styles, "LOUD").as_deref(), Some("LOUD"));
}

#[test]
fn style_check_reports_lint_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.csl");
    let absent = install::check(&file).unwrap_err().to_string();
    assert!(absent.starts_with("cannot read the file"), "{absent}");
    let odd = "<text variable=\"title\" text-case=\"zork\"/>";
    fs::write(&file, independent("odd", "Odd", odd)).unwrap();
    let doubts = install::check(&file).unwrap();
    let doubts: Vec<String> = doubts.iter().map(ToString::to_string).collect();
    assert_eq!(
        doubts,
        ["line 3, column 19: text-case=\"zork\" is not a value that <text> knows"]
    );
    assert_eq!(install::files_in(folder.path()).unwrap(), [file]);
}
