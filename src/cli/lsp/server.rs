//! The messages of the protocol: each becomes one question to the project.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::project::{Project, ProjectFile, path_of};
use super::worker::{AddTask, Done, Task, Worker};
use super::works::Library;
use super::{ADD_ENTRY, ADD_WORK, complete, edits, links, problems};
use crate::cli::Failure;
use citation_citing::identifier;

/// How long after a change diagnostics are made, unless another change comes.
const QUIET: Duration = Duration::from_millis(200);
/// The most entries of a file that are checked.
const MAX_CHECKS: usize = 500;

pub struct Settings {
    pub libraries: Vec<PathBuf>,
    pub checks: bool,
}

/// Answers until the client ends.
pub fn serve(library: &Arc<Library>, settings: Settings) -> Result<(), Failure> {
    let broken = |cause: &dyn std::fmt::Display| Failure(cause.to_string());
    let (connection, threads) = Connection::stdio();
    let params = connection.initialize(capabilities());
    let params = params.map_err(|cause| broken(&cause))?;
    let worker = Worker::start(library)?;
    let mut server = Server {
        project: Project::default(),
        library: Arc::clone(library),
        worker,
        settings,
        connection: &connection,
        requests: 0,
        is_due: false,
    };
    server.begin(&params);
    server.run().map_err(|cause| broken(&cause))?;
    server.worker.stop();
    drop(connection);
    threads.join().map_err(Failure::from)
}

fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
        "completionProvider": {"triggerCharacters": ["@", "{", ",", "`", "&", "<"], "resolveProvider": true},
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": {"prepareProvider": true},
        "codeActionProvider": {"codeActionKinds": ["quickfix"]},
        "documentLinkProvider": {},
        "executeCommandProvider": {"commands": [ADD_ENTRY, ADD_WORK]},
        "workspace": {"workspaceFolders": {"supported": true}},
    })
}

struct Server<'c> {
    project: Project,
    library: Arc<Library>,
    worker: Worker,
    settings: Settings,
    connection: &'c Connection,
    /// The number of requests to the client.
    requests: i32,
    /// Whether diagnostics have to be made.
    is_due: bool,
}

/// Why the client went away.
type Gone = Box<dyn std::error::Error>;

impl Server<'_> {
    /// Reads the folders of the workspace.
    fn begin(&mut self, params: &Value) {
        let folders = params["workspaceFolders"].as_array();
        let folders = folders.into_iter().flatten().map(|folder| &folder["uri"]);
        let mut roots: Vec<&Value> = folders.collect();
        if roots.is_empty() {
            roots.push(&params["rootUri"]);
        }
        for root in roots {
            if let Some(path) = root.as_str().and_then(path_of) {
                self.project.add_folder(&path);
            }
        }
        for path in &self.settings.libraries {
            if let Ok(path) = path.canonicalize() {
                self.project.load(&path);
            }
        }
        let can_register = params
            .pointer("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration")
            .and_then(Value::as_bool);
        if can_register == Some(true) {
            let glob = "**/*.{bib,json,yaml,yml,ris,md,markdown,qmd,rmd,tex,typ,org}";
            let registration = json!({"registrations": [{
                "id": "files", "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {"watchers": [{"globPattern": glob}]},
            }]});
            self.ask("client/registerCapability", registration);
        }
    }

    fn run(&mut self) -> Result<(), Gone> {
        loop {
            let is_waiting = self.is_due || self.worker.pending > 0;
            let message = if is_waiting {
                match self.connection.receiver.recv_timeout(QUIET) {
                    Ok(message) => message,
                    Err(cause) if cause.is_timeout() => {
                        self.idle();
                        continue;
                    }
                    Err(_) => return Ok(()),
                }
            } else {
                match self.connection.receiver.recv() {
                    Ok(message) => message,
                    Err(_) => return Ok(()),
                }
            };
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    let response = self.answer(request);
                    self.connection.sender.send(Message::Response(response))?;
                }
                Message::Notification(notification) => self.note(&notification),
                Message::Response(_) => {}
            }
        }
    }

    /// Nothing came for a moment.
    fn idle(&mut self) {
        while let Ok(done) = self.worker.done.try_recv() {
            self.worker.pending = self.worker.pending.saturating_sub(1);
            match done {
                Done::Checked => self.is_due = true,
                Done::Added(task, found) => self.add_work(&task, found),
            }
        }
        if std::mem::take(&mut self.is_due) {
            self.project.refresh();
            for (uri, diagnostics) in problems::diagnostics(&self.project, &self.worker) {
                self.tell(
                    "textDocument/publishDiagnostics",
                    json!({"uri": uri, "diagnostics": diagnostics}),
                );
            }
        }
    }

    fn tell(&self, method: &str, params: Value) {
        let notification = Notification::new(method.to_owned(), params);
        // A client that is gone is seen when its messages are read.
        let _ = self
            .connection
            .sender
            .send(Message::Notification(notification));
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.requests += 1;
        let request = Request::new(RequestId::from(self.requests), method.to_owned(), params);
        let _ = self.connection.sender.send(Message::Request(request));
    }

    fn note(&mut self, notification: &Notification) {
        let params = &notification.params;
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let uri = uri.unwrap_or_default();
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let text = params.pointer("/textDocument/text").and_then(Value::as_str);
                if self.project.get(uri).is_none() {
                    self.project.add_siblings(uri);
                }
                self.project.open(uri, text.unwrap_or_default().to_owned());
            }
            "textDocument/didChange" => {
                let changes = params["contentChanges"].as_array();
                self.project
                    .change(uri, changes.map(Vec::as_slice).unwrap_or_default());
            }
            "textDocument/didClose" => {
                self.project.close(uri);
                self.tell(
                    "textDocument/publishDiagnostics",
                    json!({"uri": uri, "diagnostics": []}),
                );
            }
            "textDocument/didSave" => self.check(uri),
            "workspace/didChangeWatchedFiles" => {
                for change in params["changes"].as_array().into_iter().flatten() {
                    if let Some(path) = change["uri"].as_str().and_then(path_of) {
                        self.project.load(&path);
                    }
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                let added = params.pointer("/event/added").and_then(Value::as_array);
                for folder in added.into_iter().flatten() {
                    if let Some(path) = folder["uri"].as_str().and_then(path_of) {
                        self.project.add_folder(&path);
                    }
                }
            }
            _ => return,
        }
        self.is_due = true;
    }

    /// Checks the entries of a bibliography, or those that a manuscript cites.
    fn check(&mut self, uri: &str) {
        self.project.refresh();
        if !self.settings.checks || self.library.app.is_none() {
            return;
        }
        let Some(file) = self.project.get(uri) else {
            return;
        };
        let own = file.entries().iter().map(|entry| &entry.item);
        let cited = { file.uses().iter() }
            .filter_map(|found| Some(&self.project.entry(&found.key)?.1.item));
        for item in own.chain(cited).take(MAX_CHECKS) {
            self.worker.check(item);
        }
    }

    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let uri = uri.unwrap_or_default();
        let position = &params["position"];
        // Completion needs no places of keys, and must not wait for a bibliography that is being changed.
        if method != "textDocument/completion" && self.project.is_stale() {
            self.project.refresh();
            self.is_due = true;
        }
        let file = self.project.get(uri);
        let result = match method.as_str() {
            "textDocument/completion" => {
                file.map(|file| complete::completion(&self.project, &self.library, file, position))
            }
            "completionItem/resolve" => return Response::new_ok(id, self.resolve(params)),
            "textDocument/hover" => file.and_then(|file| self.hover(file, position)),
            "textDocument/definition" => file.map(|file| self.definition(file, position)),
            "textDocument/references" => file.map(|file| self.references(file, &params)),
            "textDocument/prepareRename" => file.and_then(|file| {
                let found = file.key_at(file.text.offset(position))?;
                Some(json!({"range": file.text.range(&found.range), "placeholder": found.key}))
            }),
            "textDocument/rename" => {
                let found = file.and_then(|file| file.key_at(file.text.offset(position)));
                let new = params["newName"].as_str().unwrap_or_default();
                match found.map(|found| edits::rename(&self.project, &found.key, new)) {
                    Some(Ok(edit)) => Some(edit),
                    Some(Err(message)) => return failed(id, message),
                    None => return failed(id, "there is no key here".to_owned()),
                }
            }
            "textDocument/codeAction" => {
                file.map(|file| json!(problems::quick_fixes(&self.project, file, &params["range"])))
            }
            "textDocument/documentLink" => {
                file.map(|file| json!(links::document_links(&self.project, file)))
            }
            "workspace/executeCommand" => match self.execute(&params) {
                Ok(()) => None,
                Err(message) => return failed(id, message),
            },
            _ => {
                let message = format!("{method} is not supported");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, message);
            }
        };
        Response::new_ok(id, result)
    }

    /// Adds the formatted entry to a proposal.
    fn resolve(&self, mut item: Value) -> Value {
        let key = item.pointer("/data/key").and_then(Value::as_str);
        if let Some((_, entry)) = key.and_then(|key| self.project.entry(key)) {
            let shown = self.library.formatted(&entry.item);
            item["documentation"] = json!({"kind": "markdown", "value": shown});
        }
        item
    }

    /// The formatted entry and what speaks against it.
    fn hover(&self, file: &ProjectFile, position: &Value) -> Option<Value> {
        let found = file.key_at(file.text.offset(position))?;
        let Some((defined, entry)) = self.project.entry(&found.key) else {
            let text = match identifier(&found.key) {
                Some(identifier) => format!("{identifier}"),
                None => format!(
                    "No bibliography of the project has the key “{}”.",
                    found.key
                ),
            };
            let range = file.text.range(&found.range);
            return Some(json!({"contents": {"kind": "plaintext", "value": text}, "range": range}));
        };
        let mut text = self.library.formatted(&entry.item);
        let checked = self.worker.checked(&entry.item).flatten();
        let notice = checked.map(|checked| checked.message);
        if let Some(notice) = notice.or_else(|| self.library.warning(&entry.item)) {
            text.push_str(&format!("\n\n**{}**", notice.replace('\n', "  \n")));
        }
        text.push_str(&format!("\n\n`{}` in {}", entry.key, defined.name));
        let range = file.text.range(&found.range);
        Some(json!({"contents": {"kind": "markdown", "value": text}, "range": range}))
    }

    fn definition(&self, file: &ProjectFile, position: &Value) -> Value {
        let found = file.key_at(file.text.offset(position));
        let entries = { self.project.entries() }
            .filter(|(_, entry)| found.as_ref().is_some_and(|found| found.key == entry.key));
        let places = entries.map(|(file, entry)| location(file, &entry.range));
        json!(places.collect::<Vec<_>>())
    }

    fn references(&self, file: &ProjectFile, params: &Value) -> Value {
        let Some(found) = file.key_at(file.text.offset(&params["position"])) else {
            return json!([]);
        };
        let declared = params.pointer("/context/includeDeclaration") == Some(&Value::Bool(true));
        let mut places = Vec::new();
        for file in self.project.files() {
            let uses = file.uses().iter().filter(|used| used.key == found.key);
            places.extend(uses.map(|used| location(file, &used.range)));
            if declared {
                let entries = file.entries().iter().filter(|entry| entry.key == found.key);
                places.extend(entries.map(|entry| location(file, &entry.range)));
            }
        }
        json!(places)
    }

    fn execute(&mut self, params: &Value) -> Result<(), String> {
        let given = &params["arguments"][0];
        let text = |name: &str| given[name].as_str().unwrap_or_default().to_owned();
        match params["command"].as_str() {
            Some(ADD_ENTRY) => {
                let bibliography = self.project.get(&text("bibliography"));
                let bibliography = bibliography.ok_or("the bibliography is not there any more")?;
                let edit = edits::add_entry(bibliography, &text("entry"));
                let changes = json!({&bibliography.uri: [edit]});
                self.apply("Add the entry", &changes);
                Ok(())
            }
            Some(ADD_WORK) => {
                let key = text("key");
                let identifier = identifier(&key).ok_or("this is no identifier")?;
                let uri = text("uri");
                self.worker.send(Task::Add(AddTask {
                    identifier,
                    uri,
                    key,
                }));
                Ok(())
            }
            _ => Err("the command is not known".to_owned()),
        }
    }

    fn apply(&mut self, label: &str, changes: &Value) {
        self.ask(
            "workspace/applyEdit",
            json!({"label": label, "edit": {"changes": changes}}),
        );
    }

    /// Adds the entry of a work that was looked up, and cites it by its key.
    fn add_work(&mut self, task: &AddTask, found: Result<Box<citation_model::item::Item>, String>) {
        self.project.refresh();
        let made = found.and_then(|item| {
            let gone = || "the file is not there any more".to_owned();
            let file = self.project.get(&task.uri).ok_or_else(gone)?;
            let target = self.project.target(file).ok_or_else(gone)?;
            let (key, entry) = { self.library.new_entry(&self.project, &item) }
                .ok_or("no key can be made for the work")?;
            let uses = file.uses().iter().filter(|used| used.key == task.key);
            let uses =
                uses.map(|used| json!({"range": file.text.range(&used.range), "newText": key}));
            let uses: Vec<Value> = uses.collect();
            Ok(json!({&file.uri: uses, &target.uri: [edits::add_entry(target, &entry)]}))
        });
        match made {
            Ok(changes) => self.apply("Add the work", &changes),
            Err(message) => {
                let message = format!("{}: {message}", task.key);
                self.tell("window/showMessage", json!({"type": 2, "message": message}));
            }
        }
    }
}

fn location(file: &ProjectFile, range: &std::ops::Range<usize>) -> Value {
    json!({"uri": file.uri, "range": file.text.range(range)})
}

fn failed(id: RequestId, message: String) -> Response {
    Response::new_err(id, ErrorCode::RequestFailed as i32, message)
}
