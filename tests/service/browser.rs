//! The pages in a real browser: `browser/*.test.mjs`, run by Node with Debian's Chromium against a
//! server in this process. Skipped, with a printed line, if Chromium, Node or the packages of
//! `browser/package.json` are missing; `.ci/run` installs them. CITATION_BROWSER_TESTS selects
//! files by a part of their names. Screenshots are saved in `target/tmp/screens`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::identity_provider::IdentityProvider;
use crate::support::{TestApp, add_account};
use citation::auth::accounts::NewAccount;
use citation::clock;
use citation::config::IssuerSettings;
use citation_model::plan::Plan;

const PASSWORD: &str = "correct horse battery staple";

/// A style whose title and affixes are not to become markup.
const HOSTILE_STYLE: &str = r#"<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
<info><title>Hostile &lt;img src=x onerror=alert(1)&gt; "&gt;&lt;script&gt;alert(1)&lt;/script&gt; &#x202E;elyts</title>
<id>http://www.zotero.org/styles/hostile</id><category citation-format="author-date"/><updated>2026-01-01T00:00:00Z</updated></info>
<citation><layout prefix="&lt;b onclick=alert(1)&gt;("><text variable="title"/></layout></citation>
<bibliography><layout suffix="&lt;/div&gt;&lt;script&gt;alert(1)&lt;/script&gt;"><text variable="title"/></layout></bibliography>
</style>"#;

/// Where Debian and others put Chromium; CITATION_CHROMIUM names another place.
const BROWSERS: [&str; 3] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CITATION_CHROMIUM").map(PathBuf::from);
    let usual = BROWSERS.iter().map(PathBuf::from);
    named.into_iter().chain(usual).find(|path| path.exists())
}

#[test]
fn pages_work_in_a_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let Some(chromium) = chromium() else {
        return eprintln!("skipped: there is no Chromium");
    };
    if !folder.join("node_modules/playwright-core").exists() {
        return eprintln!("skipped: the packages of tests/browser/package.json are not installed");
    }
    if Command::new("node").arg("--version").output().is_err() {
        return eprintln!("skipped: there is no Node");
    }
    let provider = IdentityProvider::start_with(clock::unix_now);
    let app = TestApp::start_with(|config| {
        // Many windows sign in from one address, and all of them as one person.
        config.auth.sign_in_attempts = 1_000;
        config.quota.sells_plans = true;
        // Nothing outside answers: a delivery is given up at once.
        config.webhooks.max_attempts = 1;
        config.limits.academic_collections = 1_000;
        config.server.embed_origins = vec!["https://library.example".to_owned()];
        let scholar = NewAccount {
            email: Some("scholar@example.org"),
            password: Some(PASSWORD),
            plan: Some(Plan::Academic),
            ..NewAccount::default()
        };
        config.auth.operators = vec![add_account(config, &scholar)];
        let styles = config.data.dir.join("styles");
        std::fs::create_dir_all(&styles).unwrap();
        std::fs::write(styles.join("hostile.csl"), HOSTILE_STYLE).unwrap();
        config.auth.oidc = vec![IssuerSettings {
            name: "university".to_owned(),
            issuer: provider.issuer.clone(),
            client_id: "citation".to_owned(),
            client_secret: serde_json::from_value("s3cret: +".into()).unwrap(),
            ..IssuerSettings::default()
        }];
    });
    let spent = TestApp::start_with(|config| {
        config.quota.sells_plans = true;
        config.quota.anonymous_daily = 1;
        config.sharing.anonymous = true;
    });
    let wanted = std::env::var("CITATION_BROWSER_TESTS").unwrap_or_default();
    let tests = std::fs::read_dir(&folder).unwrap();
    let mut tests: Vec<PathBuf> = tests
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .filter(|path| {
            let mut wanted = wanted.split(',');
            wanted.any(|name| path.to_string_lossy().contains(name))
        })
        .collect();
    tests.sort();
    let is_good = Command::new("node")
        .args(["--test", "--test-reporter=spec", "--test-concurrency=2"])
        .args(&tests)
        .env("BASE", app.url(""))
        .env("SPENT", spent.url(""))
        .env("CHROMIUM", &chromium)
        .env("PASSWORD", PASSWORD)
        .env("ISSUER", &provider.issuer)
        .env("SCREENS", concat!(env!("CARGO_TARGET_TMPDIR"), "/screens"))
        .status()
        .unwrap()
        .success();
    assert!(is_good, "a test in the browser failed");
}
