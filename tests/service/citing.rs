//! `citation pandoc`, `cite` and `collect`, run as people run them.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::program::{Run, run};

const LIBRARY: &str = "@book{emma, author = {Austen, Jane}, title = {Emma}, year = 1815}\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        std::fs::write(folder.0.path().join("refs.bib"), LIBRARY).unwrap();
        folder
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> Run {
        let data = self.0.path().join("data");
        let data = data.to_str().unwrap();
        let all = [arguments, &["--init", "--data", data]].concat();
        run(self.0.path(), &all, input)
    }
}

fn cite(key: &str) -> Value {
    json!({"t": "Cite", "c": [[{
        "citationId": key, "citationPrefix": [], "citationSuffix": [], "citationNoteNum": 1,
        "citationMode": {"t": "NormalCitation"}, "citationHash": 0}], []]})
}

#[test]
fn filter_sets_citations_and_the_bibliography() {
    let folder = Folder::new();
    let document = json!({
        "pandoc-api-version": [1, 22, 2, 1],
        "meta": {"bibliography": {"t": "MetaString", "c": "refs.bib"}},
        "blocks": [{"t": "Para", "c": [cite("emma"), cite("doi:10.1038/171737a0"), cite("none")]}],
    });
    let input = serde_json::to_vec(&document).unwrap();
    let run = folder.run(
        &["pandoc", "html", "--style", "apa", "--local-only"],
        &input,
    );
    assert_eq!(run.code, 0, "{}", run.said);
    assert!(run.said.contains("“none”"), "{}", run.said);
    let set: Value = serde_json::from_str(&run.out).unwrap();
    let first = &set["blocks"][0]["c"][0]["c"][1];
    assert_eq!(first[0], json!({"t": "Str", "c": "(Austen,"}));
    let entries = set["blocks"][1]["c"][1].as_array().unwrap();
    let ids: Vec<&str> = entries
        .iter()
        .filter_map(|entry| entry["c"][0][0].as_str())
        .collect();
    assert_eq!(ids, ["ref-emma", "ref-doi:10.1038/171737a0"]);
}

#[test]
fn cite_sets_a_text() {
    let folder = Folder::new();
    folder.write(
        "paper.md",
        "---\nbibliography: refs.bib\n---\n\nSee [@emma, p. 3].\n",
    );
    let path = folder.0.path().join("paper.md");
    let run = folder.run(&["cite", path.to_str().unwrap(), "--style", "apa"], b"");
    assert_eq!((run.code, run.said.as_str()), (0, ""));
    assert!(
        run.out.contains("\nSee (Austen, 1815, p. 3).\n"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("Austen, J. (1815). *Emma*."),
        "{}",
        run.out
    );
}

#[test]
fn collect_keeps_keys_and_tells_what_is_missing() {
    let folder = Folder::new();
    folder.write("paper.tex", "\\cite{emma,none}\n\\bibliography{refs}\n");
    let path = folder.0.path().join("paper.tex");
    let out = folder.0.path().join("out.bib");
    let (path, out) = (path.to_str().unwrap(), out.to_str().unwrap());
    let run = folder.run(&["collect", path, "-o", out, "--local-only"], b"");
    assert_eq!(run.code, 1, "{}", run.said);
    assert!(run.said.contains("“none”"), "{}", run.said);
    let written = std::fs::read_to_string(Path::new(out)).unwrap();
    assert!(written.contains("{emma,"), "{written}");
}
