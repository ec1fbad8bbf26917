//! `citation lsp` with two clients: one that speaks the protocol itself, and Neovim, which is skipped if it is not
//! installed.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::list;

const LIBRARY: &str = "@book{emma, title={Emma}, author={Austen, Jane}, year=1815}\n\n@book{persuasion, title={Persuasion}, author={Austen, Jane}, year=1817, crossref={emma}}\n\n@book{emma, title={Emma again}, author={Austen, Jane}, year=1816}\n";
const PAPER: &str = "---\nbibliography: refs.bib\n---\n\nA 𝄞 wave [see @emma, p. 3; @emna] and @doi:10.1038/171737a0.\n";
const CHAPTER: &str =
    "\\begin{document}\nÄ \\citep[3]{emma} \\bibliography{refs}\n\\end{document}\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("refs.bib", LIBRARY),
        ("paper.md", PAPER),
        ("chapter.tex", CHAPTER),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_citation"));
    command.args(["lsp", "--local-only", "--init", "--data"]);
    command.arg(folder.join(".data"));
    command
}

/// A client that waits for each answer.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u64,
    root: String,
    /// Messages that came before an answer.
    early: VecDeque<Value>,
}

impl Client {
    fn start(folder: &Path) -> Client {
        let mut child = program(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut client = Client {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            requests: 0,
            root: format!("file://{}", folder.display()),
            early: VecDeque::new(),
        };
        let root = client.root.clone();
        let answer = client.ask("initialize", json!({"rootUri": root, "capabilities": {}}));
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        client.tell("initialized", json!({}));
        client
    }

    fn send(&mut self, message: Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the server ended"
            );
            if let Some(given) = line.strip_prefix("Content-Length: ") {
                length = given.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    /// The result, or the error, of a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.read();
            if message["id"] == id && message.get("method").is_none() {
                return message.get("result").unwrap_or(&message["error"]).clone();
            }
            self.early.push_back(message);
        }
    }

    /// The next message of the server with a method.
    fn wait_for(&mut self, method: &str) -> Value {
        loop {
            let message = match self.early.pop_front() {
                Some(message) => message,
                None => self.read(),
            };
            if message["method"] == method {
                return message["params"].clone();
            }
        }
    }

    fn uri(&self, name: &str) -> String {
        format!("{}/{name}", self.root)
    }

    fn open(&mut self, name: &str, text: &str) {
        let document = json!({"uri": self.uri(name), "languageId": "", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// A request about a place of a file.
    fn at(&mut self, method: &str, name: &str, line: u32, character: u32, further: Value) -> Value {
        let mut params = json!({
            "textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character},
        });
        for (member, value) in further.as_object().into_iter().flatten() {
            params[member] = value.clone();
        }
        self.ask(&format!("textDocument/{method}"), params)
    }

    fn stop(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.child.wait().unwrap().success());
    }
}

/// The line and the first and last character of a range.
fn place(range: &Value) -> [u64; 3] {
    let number = |pointer: &str| range.pointer(pointer).and_then(Value::as_u64).unwrap();
    assert_eq!(number("/start/line"), number("/end/line"));
    [
        number("/start/line"),
        number("/start/character"),
        number("/end/character"),
    ]
}

#[test]
fn diagnostics_name_undefined_unused_and_duplicate_keys() {
    let folder = folder();
    let mut client = Client::start(folder.path());
    client.open("paper.md", PAPER);
    let told = client.wait_for("textDocument/publishDiagnostics");
    let found = list(&told["diagnostics"]);
    assert_eq!(found.len(), 1, "{told}");
    assert_eq!(found[0]["code"], "undefined-key");
    // The clef before it takes two units of UTF-16.
    assert_eq!(place(&found[0]["range"]), [4, 29, 33]);
    let range = found[0]["range"].clone();
    let params = json!({"textDocument": {"uri": client.uri("paper.md")}, "range": range, "context": {"diagnostics": []}});
    let fixes = client.ask("textDocument/codeAction", params);
    assert_eq!(fixes[0]["title"], "Change to “emma”");
    client.open("refs.bib", LIBRARY);
    let told = loop {
        let told = client.wait_for("textDocument/publishDiagnostics");
        if told["uri"] == client.uri("refs.bib") {
            break told;
        }
    };
    let found = list(&told["diagnostics"]).iter();
    let found: Vec<(&str, [u64; 3])> = found
        .map(|found| (found["code"].as_str().unwrap(), place(&found["range"])))
        .filter(|(code, _)| code.ends_with("-key"))
        .collect();
    assert_eq!(
        found,
        [("unused-key", [2, 6, 16]), ("duplicate-key", [4, 6, 10])]
    );
    client.stop();
}

#[test]
fn keys_are_completed_shown_found_and_renamed() {
    let folder = folder();
    let mut client = Client::start(folder.path());
    let typed = format!("{PAPER}\nSee [@per");
    client.open("paper.md", &typed);
    let found = client.at("completion", "paper.md", 6, 9, json!({}));
    let first = &found["items"][0];
    assert_eq!(first["label"], "persuasion");
    assert_eq!(place(&first["textEdit"]["range"]), [6, 6, 9]);
    let resolved = client.ask("completionItem/resolve", first.clone());
    let shown = resolved["documentation"]["value"].as_str().unwrap();
    assert!(shown.starts_with("Austen, J. (1817)"), "{shown}");
    // By the title.
    let change = json!({
        "textDocument": {"uri": client.uri("paper.md"), "version": 2},
        "contentChanges": [{"range": {"start": {"line": 6, "character": 6}, "end": {"line": 6, "character": 9}}, "text": "again"}],
    });
    client.tell("textDocument/didChange", change);
    let found = client.at("completion", "paper.md", 6, 11, json!({}));
    assert_eq!(found["items"][0]["label"], "emma");

    let hover = client.at("hover", "paper.md", 4, 16, json!({}));
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("*Emma*"), "{shown}");
    let defined = client.at("definition", "chapter.tex", 1, 13, json!({}));
    assert_eq!(defined[0]["uri"], client.uri("refs.bib"));
    assert_eq!(place(&defined[0]["range"]), [0, 6, 10]);

    let edit = client.at(
        "rename",
        "paper.md",
        4,
        16,
        json!({"newName": "austen:1815"}),
    );
    let ranges = |name: &str| {
        let edits = list(&edit["changes"][format!("file://{}/{name}", folder.path().display())]);
        edits
            .iter()
            .map(|edit| place(&edit["range"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(ranges("paper.md"), [[4, 16, 20]]);
    assert_eq!(ranges("chapter.tex"), [[1, 12, 16]]);
    let mut own = ranges("refs.bib");
    own.sort_unstable();
    assert_eq!(own[0], [0, 6, 10]);
    assert_eq!(own.len(), 3, "both entries and the cross reference");
    let refused = client.at(
        "rename",
        "paper.md",
        4,
        16,
        json!({"newName": "persuasion"}),
    );
    assert!(
        refused["message"].as_str().unwrap().contains("persuasion"),
        "{refused}"
    );
    let links = client.at("documentLink", "paper.md", 0, 0, json!({}));
    let targets: Vec<&str> = list(&links)
        .iter()
        .map(|link| link["target"].as_str().unwrap())
        .collect();
    assert_eq!(
        targets,
        [
            client.uri("refs.bib").as_str(),
            "https://doi.org/10.1038/171737a0"
        ]
    );
    client.stop();
}

#[test]
fn works_of_the_corpus_become_entries() {
    let folder = folder();
    let mut client = Client::start(folder.path());
    client.open("paper.md", &format!("{PAPER}\nSee [@watson1953"));
    let found = client.at("completion", "paper.md", 6, 16, json!({}));
    let items = list(&found["items"]);
    let work = items.iter().find(|item| item["label"] == "Watson1953");
    let work = work.unwrap_or_else(|| panic!("{found}"));
    let command = &work["command"];
    client.ask(
        "workspace/executeCommand",
        json!({"command": command["command"], "arguments": command["arguments"]}),
    );
    let applied = client.wait_for("workspace/applyEdit");
    let edit = &applied["edit"]["changes"][client.uri("refs.bib")][0];
    let text = edit["newText"].as_str().unwrap();
    assert!(
        text.contains("{Watson1953,") && text.contains("10.1038/171737a0"),
        "{text}"
    );

    // An identifier in the text becomes a key and an entry.
    let arguments = json!([{"uri": client.uri("paper.md"), "key": "doi:10.1038/171737a0"}]);
    client.ask(
        "workspace/executeCommand",
        json!({"command": "citation.addWork", "arguments": arguments}),
    );
    let applied = client.wait_for("workspace/applyEdit");
    let edit = &applied["edit"]["changes"][client.uri("paper.md")][0];
    assert_eq!(edit["newText"], "Watson1953");
    assert_eq!(place(&edit["range"]), [4, 40, 60]);
    client.stop();
}

/// Neovim's own client on the same files.
#[test]
fn neovim_completes_and_renames() {
    if Command::new("nvim").arg("--version").output().is_err() {
        println!("Neovim is not installed; skipped");
        return;
    }
    let folder = folder();
    let script = folder.path().join(".client.lua");
    let command = program(folder.path());
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<&str> = words.map(|word| word.to_str().unwrap()).collect();
    let lua = include_str!("client.lua")
        .replace("COMMAND", &json!(words).to_string().replace(['[', ']'], ""));
    std::fs::write(&script, lua).unwrap();
    let ran = Command::new("nvim")
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .args([
            "--headless",
            "-u",
            "NONE",
            "-i",
            "NONE",
            "-S",
            ".client.lua",
        ])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    let found = std::fs::read(folder.path().join(".found.json"));
    let found: Value = serde_json::from_slice(&found.unwrap_or_else(|_| panic!("{told}"))).unwrap();
    assert_eq!(found["completed"], json!(["persuasion"]), "{found}");
    assert_eq!(found["defined"], 6, "{found}");
    let paper = std::fs::read_to_string(folder.path().join("paper.md")).unwrap();
    assert_eq!(
        paper.trim_end(),
        PAPER.replace("@emma", "@austen1815").trim_end()
    );
    let library = std::fs::read_to_string(folder.path().join("refs.bib")).unwrap();
    assert_eq!(
        library.trim_end(),
        LIBRARY.replace("emma", "austen1815").trim_end()
    );
}
