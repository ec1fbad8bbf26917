//! Made projects of several files: exactly the citations change.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use citation_testing::Random;

use crate::support::{Tree, cite, compiles, read, run, write};

const LANGUAGES: [Language; 3] = [Language::Tex, Language::Typst, Language::Quarto];
const PROJECTS: usize = 8;
const WORKS: usize = 9;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Language {
    Tex,
    Typst,
    Quarto,
}

/// A part of a file.
enum Piece {
    Fixed(String),
    /// A citation, or the place of the list.
    Changed(String),
}

struct Generator {
    language: Language,
    random: Random,
    files: Vec<(PathBuf, Vec<Piece>)>,
    count: usize,
}

impl Generator {
    fn extension(&self) -> &'static str {
        match self.language {
            Language::Tex => "tex",
            Language::Typst => "typ",
            Language::Quarto => "qmd",
        }
    }

    fn number(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    fn citation(&mut self) -> String {
        let (one, two) = (self.random.below(WORKS), self.random.below(WORKS));
        let page = self.random.below(90) + 1;
        let forms: &[String] = &match self.language {
            Language::Tex => [
                format!("\\cite{{k{one}}}"),
                format!("\\citep[see][p.~{page}]{{k{one},k{two}}}"),
                format!("\\citet{{k{one}}}"),
                format!("\\pair{{k{one}}}{{{page}}}"),
            ],
            Language::Typst => [
                format!("@k{one}"),
                format!("@k{one}[p. {page}] @k{two}"),
                format!("#cite(<k{one}>, form: \"prose\")"),
                format!("#cite(label(\"k{one}\"))"),
            ],
            Language::Quarto => [
                format!("@k{one}"),
                format!("[see @k{one}, p. {page}; @k{two}]"),
                format!("@k{one} [p. {page}]"),
                format!("[-@k{one}]"),
            ],
        };
        forms[self.random.below(forms.len())].clone()
    }

    fn filler(&mut self) -> String {
        let n = self.number();
        let others: &[&str] = match self.language {
            Language::Tex => &[
                "\\section{Part}",
                "A note.\\footnote{Here.} % \\cite{none}",
                "\\verb|\\cite{none}| é ü",
                "\\begin{tabular}{l}a\\end{tabular}",
                "\\iffalse \\cite{none} \\fi",
                "\t  spaces\tand tabs  \r",
            ],
            Language::Typst => &[
                "== Part",
                "A note.#footnote[Here.] // @none",
                "`@none` é ü 漢字",
                "#table(columns: 1, [a])",
                "#link(\"https://example.org/@none\")[x]",
                "\t  spaces\tand tabs  \r",
            ],
            Language::Quarto => &[
                "## Part",
                "A note.[^n1]",
                "`@none` é ü 漢字",
                "| a |\n|---|\n| b |",
                "```\n[@none]\n```",
                "\t  spaces\tand tabs  \r",
            ],
        };
        let other = others[self.random.below(others.len())];
        format!("\n\n{other}\n\nWords {n} before ")
    }

    /// A file in a folder; names in it are relative to what the language says.
    fn file(&mut self, path: &Path, depth: usize) {
        let mut pieces = vec![Piece::Fixed(self.head(path))];
        let at = self.files.len();
        self.files.push((path.to_owned(), Vec::new()));
        for _ in 0..2 + self.random.below(3) {
            let filler = self.filler();
            let citation = self.citation();
            let n = self.number();
            pieces.push(Piece::Fixed(filler));
            pieces.push(Piece::Changed(citation));
            pieces.push(Piece::Fixed(format!(" and words {n} behind.\n")));
            if depth < 3 && self.random.below(3) < 2 {
                let name = format!("part{}.{}", self.number(), self.extension());
                let folder = ["", "sub", "other"][self.random.below(3)];
                let included = self.included(path, folder, &name, depth);
                pieces.push(Piece::Fixed(included));
            }
        }
        if depth == 0 {
            pieces.extend(self.end());
        }
        self.files[at].1 = pieces;
    }

    /// Writes an included file, and returns the command that includes it.
    fn included(&mut self, from: &Path, folder: &str, name: &str, depth: usize) -> String {
        let own = from.parent().unwrap();
        // TeX and Quarto read names from the folder of the document.
        let base = match self.language {
            Language::Typst => own.to_owned(),
            _ => PathBuf::new(),
        };
        let path = base.join(folder).join(name);
        self.file(&path, depth + 1);
        let relative = Path::new(folder).join(name).display().to_string();
        let stem = relative.trim_end_matches(".tex").to_owned();
        let kind = self.random.below(4);
        match (self.language, kind) {
            (Language::Tex, 0) => format!("\n\\input {relative}\n"),
            (Language::Tex, 1) => format!("\n\\InputIfFileExists{{{relative}}}{{}}{{}}\n"),
            (Language::Tex, 2) if depth == 0 => format!("\n\\include{{{stem}}}\n"),
            (Language::Tex, _) => format!("\n\\input{{{stem}}}\n"),
            (Language::Typst, _) => format!("\n#include \"{relative}\"\n"),
            (Language::Quarto, _) => format!("\n{{{{< include {relative} >}}}}\n"),
        }
    }

    fn head(&self, path: &Path) -> String {
        if path.parent() != Some(Path::new("")) || path.file_stem() != Some("main".as_ref()) {
            return String::new();
        }
        match self.language {
            Language::Tex => "\\documentclass{book}\n\\usepackage{natbib}\n\\newcommand{\\pair}[2]{\\emph{as} \\cite[p.~#2]{#1}}\n\\begin{document}\n".to_owned(),
            Language::Typst => "#set cite(style: \"apa\")\n= Book\n".to_owned(),
            Language::Quarto => "---\nbibliography: refs.bib\n---\n\n[^n1]: The note.\n".to_owned(),
        }
    }

    fn end(&self) -> Vec<Piece> {
        let fixed = |text: &str| Piece::Fixed(text.to_owned());
        let changed = |text: &str| Piece::Changed(text.to_owned());
        match self.language {
            Language::Tex => vec![
                fixed("\n\\bibliographystyle{plainnat}\n"),
                changed("\\bibliography{refs}"),
                fixed("\n\\end{document}\n"),
            ],
            Language::Typst => vec![
                fixed("\n"),
                changed("#bibliography(\"refs.bib\")"),
                fixed("\n\nThe last words.\n"),
            ],
            Language::Quarto => vec![fixed("\n"), changed("")],
        }
    }

    fn tree(&self) -> Tree {
        let text = |pieces: &[Piece]| -> String {
            { pieces.iter() }
                .map(|piece| match piece {
                    Piece::Fixed(text) | Piece::Changed(text) => text.as_str(),
                })
                .collect()
        };
        let mut tree: Tree = { self.files.iter() }
            .map(|(path, pieces)| (path.clone(), text(pieces).into_bytes()))
            .collect();
        let mut library = String::new();
        for n in 0..WORKS {
            let _ = writeln!(
                library,
                "@book{{k{n}, author={{Family{n}, Given}}, title={{Title {n}}}, publisher={{P}}, year={{{}}}}}",
                1900 + n
            );
        }
        tree.insert(PathBuf::from("refs.bib"), library.into_bytes());
        tree.insert(PathBuf::from("figures/one.png"), vec![0, 159, 146, 150]);
        tree
    }
}

/// Whether a text is the pieces, with something else in place of the changed ones.
fn differs_in_its_citations_alone(pieces: &[Piece], text: &str) -> Result<(), String> {
    let mut rest = text;
    let mut is_open = false;
    for piece in pieces {
        let fixed = match piece {
            Piece::Changed(old) if rest.starts_with(old.as_str()) && !old.is_empty() => {
                return Err(format!("“{old}” is unchanged"));
            }
            Piece::Changed(_) => {
                is_open = true;
                continue;
            }
            Piece::Fixed(fixed) => fixed.as_str(),
        };
        let at = rest.find(fixed).filter(|at| *at == 0 || is_open);
        let Some(at) = at else {
            return Err(format!("“{fixed}” has changed"));
        };
        rest = &rest[at + fixed.len()..];
        is_open = false;
    }
    if rest.is_empty() || is_open {
        Ok(())
    } else {
        Err(format!("“{rest}” is new"))
    }
}

fn project(language: Language, seed: u64) -> Generator {
    let mut generator = Generator {
        language,
        random: Random::seeded(seed),
        files: Vec::new(),
        count: 0,
    };
    let main = PathBuf::from(format!("main.{}", generator.extension()));
    generator.file(&main, 0);
    generator
}

#[test]
fn projects_of_several_files_change_in_their_citations_alone() {
    for language in LANGUAGES {
        for seed in 1..=PROJECTS as u64 {
            let generator = project(language, seed);
            let before = generator.tree();
            let folder = tempfile::tempdir().unwrap();
            write(&before, folder.path());
            let main = format!("main.{}", generator.extension());
            let (run, after) = cite(folder.path(), Some(&main));
            let name = format!("{language:?} {seed}");
            assert_eq!(run.code, 0, "{name}: {}", run.said);
            assert!(before.keys().eq(after.keys()), "{name}");
            let parts: Vec<&PathBuf> = generator.files.iter().map(|(path, _)| path).collect();
            for (path, bytes) in &before {
                assert!(
                    parts.contains(&path) || after[path] == *bytes,
                    "{name}: {}",
                    path.display()
                );
            }
            for (path, pieces) in &generator.files {
                let text = std::str::from_utf8(&after[path]).unwrap();
                if let Err(cause) = differs_in_its_citations_alone(pieces, text) {
                    panic!("{name}: {}: {cause}\n{text}", path.display());
                }
            }
            if seed <= 2 {
                match language {
                    Language::Tex => compiles(
                        &after,
                        "pdflatex",
                        &["-interaction=nonstopmode", "-halt-on-error", "main.tex"],
                    ),
                    Language::Typst => {
                        compiles(&after, "typst", &["compile", "main.typ", "out.pdf"])
                    }
                    Language::Quarto => {}
                }
            }
        }
    }
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let library = "@book{doe, author={Doe, Jane}, title={Rings}, year=2001}\n";
    let mut tree: Tree = { files.iter() }
        .map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec()))
        .collect();
    tree.insert(PathBuf::from("refs.bib"), library.as_bytes().to_vec());
    write(&tree, folder.path());
    folder
}

/// Formats `main` of some files, and returns the text of another file.
fn formatted(files: &[(&str, &str)], main: &str, other: &str) -> String {
    let folder = folder(files);
    let (run, after) = cite(folder.path(), Some(main));
    assert_eq!(run.code, 0, "{}", run.said);
    String::from_utf8(after[Path::new(other)].clone()).unwrap()
}

#[test]
fn single_output_is_refused_for_several_files() {
    let folder = folder(&[
        ("main.tex", "\\input{one}\n\\bibliography{refs}\n"),
        ("one.tex", "\\cite{doe}\n"),
    ]);
    for output in [&[][..], &["-o", "out.tex"]] {
        let arguments = [
            &["cite", "main.tex", "--style", "apa", "--local-only"],
            output,
        ]
        .concat();
        let run = run(folder.path(), &arguments);
        assert_eq!(run.code, 2, "{}", run.said);
        assert!(run.said.contains("one.tex"), "{}", run.said);
        assert!(run.said.contains("--output"), "{}", run.said);
        assert!(!folder.path().join("out.tex").exists());
    }
}

#[test]
fn output_over_a_file_of_the_manuscript_is_refused() {
    let text = "\\cite{doe}\n\\bibliography{refs}\n";
    let folder = folder(&[("main.tex", text)]);
    let before = read(folder.path());
    for output in ["main.tex", "refs.bib"] {
        let arguments = [
            "cite",
            "main.tex",
            "--style",
            "apa",
            "--local-only",
            "-o",
            output,
        ];
        let run = run(folder.path(), &arguments);
        assert_eq!(run.code, 2, "{}", run.said);
        let after = read(folder.path());
        for (name, bytes) in &before {
            assert_eq!(after.get(name), Some(bytes), "{output}: {}", name.display());
        }
    }
}

#[test]
fn main_file_outside_of_the_folder_is_refused() {
    let text = "\\begin{document}\\cite{doe}\\bibliography{refs}\\end{document}\n";
    let folder = folder(&[("inner/main.tex", text), ("other/main.tex", text)]);
    let arguments = [
        "cite",
        "inner",
        "--main",
        "../other/main.tex",
        "--style",
        "apa",
        "--local-only",
        "-o",
        "out",
    ];
    let run = run(folder.path(), &arguments);
    assert_eq!(run.code, 2, "{}", run.said);
    let kept = std::fs::read_to_string(folder.path().join("other/main.tex")).unwrap();
    assert_eq!(kept, text);
    assert!(!folder.path().join("out").exists());
}

/// What may cite and is not read is named, and nothing is written.
#[test]
fn unread_citations_are_refused_by_name() {
    for (name, text) in [
        (
            "main.tex",
            "\\newcommand{\\ch}[1]{\\input{#1}}\\begin{document}\\ch{one}\\bibliography{refs}\\end{document}",
        ),
        (
            "main.tex",
            "\\begin{document}\\textcquote[5]{\\k}{words}\\bibliography{refs}\\end{document}",
        ),
        (
            "main.tex",
            "\\def\\k{doe}\\begin{document}\\cite{\\k}\\bibliography{refs}\\end{document}",
        ),
        (
            "main.typ",
            "#let f(k) = cite(label(k))\n#f(\"doe\")\n#bibliography(\"refs.bib\")\n",
        ),
        (
            "main.typ",
            "#let c = cite.with(form: \"prose\")\n#c(<doe>)\n#bibliography(\"refs.bib\")\n",
        ),
    ] {
        let folder = folder(&[(name, text)]);
        let (run, after) = cite(folder.path(), Some(name));
        assert_eq!(run.code, 2, "{text}: {}", run.said);
        assert!(after.is_empty(), "{text}");
    }
}

#[test]
fn project_with_a_missing_file_is_refused_whole() {
    let folder = folder(&[(
        "main.tex",
        "\\begin{document}\\cite{doe}\n\\input{gone}\\bibliography{refs}\\end{document}",
    )]);
    let (run, after) = cite(folder.path(), Some("main.tex"));
    assert_eq!((run.code, after.len()), (2, 0), "{}", run.said);
    assert!(run.said.contains("“gone.tex”"), "{}", run.said);
}

#[test]
fn file_outside_of_the_folder_is_refused() {
    let folder = folder(&[
        ("own/main.tex", "\\input{../one}\n\\bibliography{../refs}\n"),
        ("one.tex", "\\cite{doe}\n"),
    ]);
    let (run, after) = cite(&folder.path().join("own"), Some("main.tex"));
    assert_eq!((run.code, after.len()), (2, 0), "{}", run.said);
    assert!(run.said.contains("../one.tex"), "{}", run.said);
    let (run, after) = cite(folder.path(), Some("own/main.tex"));
    assert_eq!(run.code, 0, "{}", run.said);
    assert!(after[Path::new("one.tex")].starts_with(b"(Doe, 2001)"));
}

#[test]
fn file_in_another_encoding_is_refused() {
    let folder = folder(&[("main.tex", "\\input{one}\n\\bibliography{refs}\n")]);
    let latin = b"caf\xe9 \\cite{doe} na\xefve\n";
    std::fs::write(folder.path().join("one.tex"), latin).unwrap();
    let (run, after) = cite(folder.path(), Some("main.tex"));
    assert_eq!((run.code, after.len()), (2, 0), "{}", run.said);
    assert!(run.said.contains("one.tex is not in UTF-8"), "{}", run.said);
}

#[test]
fn folder_with_content_is_not_written_to() {
    let folder = folder(&[("main.tex", "\\cite{doe}\n\\bibliography{refs}\n")]);
    std::fs::create_dir(folder.path().join("out")).unwrap();
    std::fs::write(folder.path().join("out/kept"), "").unwrap();
    let run = run(
        folder.path(),
        &[
            "cite",
            "main.tex",
            "--style",
            "apa",
            "--local-only",
            "-o",
            "out",
        ],
    );
    assert_eq!(run.code, 2, "{}", run.said);
    assert_eq!(read(&folder.path().join("out")).len(), 1);
}

#[test]
fn version_control_and_the_output_are_not_copied() {
    let folder = folder(&[
        (
            "main.tex",
            "\\begin{document}\\cite{doe}\\bibliography{refs}\\end{document}",
        ),
        (".git/config", ""),
        (".latexmkrc", ""),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/hostname", folder.path().join("outside")).unwrap();
    // The second copy does not contain the first.
    for output in ["out", "again"] {
        let run = run(
            folder.path(),
            &["cite", ".", "--style", "apa", "--local-only", "-o", output],
        );
        assert_eq!(run.code, 0, "{}", run.said);
        let out = read(&folder.path().join(output));
        let names: Vec<String> = out.keys().map(|path| path.display().to_string()).collect();
        let own = names.iter().filter(|name| !name.starts_with("data/"));
        assert_eq!(
            own.collect::<Vec<_>>(),
            [".citation-copy", ".latexmkrc", "main.tex", "refs.bib"]
        );
    }
}

#[test]
fn file_that_is_written_has_the_permissions_of_the_manuscript() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("main.tex", "\\cite{doe}\n\\bibliography{refs}\n")]);
    let main = folder.path().join("main.tex");
    std::fs::set_permissions(&main, std::fs::Permissions::from_mode(0o644)).unwrap();
    let arguments = [
        "cite",
        "main.tex",
        "--style",
        "apa",
        "--local-only",
        "-o",
        "out.tex",
    ];
    let run = run(folder.path(), &arguments);
    assert_eq!(run.code, 0, "{}", run.said);
    let written = std::fs::metadata(folder.path().join("out.tex")).unwrap();
    assert_eq!(written.permissions().mode() & 0o777, 0o644);
}

#[test]
fn tex_reads_files_by_the_rules_of_its_packages() {
    let files = [
        (
            "main.tex",
            "\\documentclass{book}\n\\begin{document}\n\\subimport{a/}{one}\n\\subfile{b/two}\n\\printbibliography[heading=none]\n\\end{document}\n",
        ),
        ("a/one.tex", "\\input{inner}\\subimport{deep/}{three}\n"),
        ("a/inner.tex", "One \\cite{doe}.\n"),
        ("a/deep/three.tex", "Three \\cite{doe}.\n"),
        (
            "b/two.tex",
            "\\documentclass[../main]{subfiles}\n\\begin{document}\nTwo \\cite{doe}.\n\\ifSubfilesClassLoaded{\\printbibliography}{}\n\\end{document}\n\\cite{none}\n",
        ),
    ];
    let files = files.map(|(name, text)| match name {
        "main.tex" => (
            name,
            text.replace("\\begin", "\\addbibresource{refs.bib}\n\\begin"),
        ),
        _ => (name, text.to_owned()),
    });
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    assert_eq!(
        formatted(&files, "main.tex", "a/inner.tex"),
        "One (Doe, 2001).\n"
    );
    assert_eq!(
        formatted(&files, "main.tex", "a/deep/three.tex"),
        "Three (Doe, 2001).\n"
    );
    let two = formatted(&files, "main.tex", "b/two.tex");
    assert!(two.contains("Two (Doe, 2001).\n\\ifSubfilesClassLoaded{\\printbibliography}{}\n\\end{document}\n\\cite{none}\n"), "{two}");
    let main = formatted(&files, "main.tex", "main.tex");
    assert!(main.contains("\\subfile{b/two}\n\\begin{list}"), "{main}");
}

#[test]
fn list_stands_where_an_included_file_prints_it() {
    let files = [
        (
            "main.tex",
            "\\documentclass{article}\\begin{document}\n\\cite{doe}\n\\input{end}\n\\end{document}\n",
        ),
        ("end.tex", "% the end\n\\bibliography{refs}\n"),
    ];
    let end = formatted(&files, "main.tex", "end.tex");
    assert!(end.starts_with("% the end\n\\ifdefined"), "{end}");
    assert!(end.ends_with("\\end{list}\n"), "{end}");
}

#[test]
fn macro_that_cites_keeps_what_it_writes() {
    let check = |text: &str, expected: &str| {
        let text = format!("{text}\n\\bibliography{{refs}}\n");
        let set = formatted(&[("main.tex", &text)], "main.tex", "main.tex");
        assert!(set.contains(expected), "{set}");
    };
    check(
        "\\newcommand{\\fig}[2]{see \\cite{#1}, Fig.~#2}\n\\fig{doe}{3}.",
        "\nsee (Doe, 2001), Fig.~3.",
    );
    check(
        "\\newcommand{\\tool}{Rings~\\cite{doe}}\n\\tool.",
        "\\newcommand{\\tool}{Rings~(Doe, 2001)}\n\\tool.",
    );
    check("\\caption{A \\cite{doe}}", "\\caption{A (Doe, 2001)}");
}

/// Notes, quotations and the parts of citations compile where they stand.
#[test]
fn notes_compile_in_every_place_of_tex() {
    let text = r"\documentclass{article}
\usepackage{natbib}
\IfFileExists{csquotes.sty}{\usepackage{csquotes}}{\newcommand{\textquote}[2][]{``#2'' (#1)}}
\providecommand{\blockquote}[2][]{``#2'' (#1)}
\usepackage{graphicx}
\title{A wave \cite{doe}}
\author{A. Author \cite{doe}}
\begin{document}
\maketitle
\tableofcontents
\section{A heading \cite{doe}\label{a}}
\subsection*{Another \citet{doe}, and on}
\paragraph[Short]{A third \cite{doe}.}
Text \cite{doe}. In (\citeyear{doe}), \citeauthor{doe} said \textcquote[3]{doe}{words}.
\blockcquote{doe}{More words.} A note.\footnote{See \cite{doe}.} \citetitle{doe}, \citeurl{doe}
\begin{figure}\includegraphics{x}\caption{A figure \cite{doe} of some length, so that it is longer than one line
of the page, and is set twice}\listoffigures\end{figure}
\begin{table}\caption[Short]{A table \cite{doe}}\begin{tabular}{l}A cell \cite{doe}\\\end{tabular}\end{table}
\parbox{3cm}{A box \cite{doe}} \fullcite{doe}
\bibliography{refs}
\end{document}
"
    .replace("\\includegraphics{x}", "");
    for style in ["chicago-notes-bibliography", "apa", "ieee"] {
        let folder = folder(&[("main.tex", text.as_str())]);
        let arguments = [
            "cite",
            "main.tex",
            "--style",
            style,
            "--local-only",
            "-o",
            "out.tex",
        ];
        let run = run(folder.path(), &arguments);
        assert_eq!(run.code, 0, "{}", run.said);
        let set = std::fs::read(folder.path().join("out.tex")).unwrap();
        let shown = String::from_utf8(set.clone()).unwrap();
        for command in ["\\cite", "cquote", "\\fullcite"] {
            assert!(!shown.contains(command), "{shown}");
        }
        let tree = Tree::from([(PathBuf::from("main.tex"), set)]);
        compiles(
            &tree,
            "pdflatex",
            &["-interaction=nonstopmode", "-halt-on-error", "main.tex"],
        );
    }
}

#[test]
fn typst_list_in_code_is_an_expression() {
    let files = [
        (
            "main.typ",
            "#import \"t.typ\": doc\n#import \"@preview/x:0.1.0\"\n#show: doc\nAs @doe#[x]@doe.\n",
        ),
        (
            "t.typ",
            "#let doc(body) = {\n  set bibliography(title: none)\n  body\n  bibliography(\"refs.bib\", style: \"ieee\")\n}\n",
        ),
    ];
    let template = formatted(&files, "main.typ", "t.typ");
    assert!(
        template.contains("  body\n  [#par(hanging-indent: 1.5em)["),
        "{template}"
    );
    assert!(template.ends_with("]\n}\n"), "{template}");
    let main = formatted(&files, "main.typ", "main.typ");
    assert!(main.contains("As (Doe, 2001)#[x]#[(Doe, 2001)]."), "{main}");
}
