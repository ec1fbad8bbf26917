//! Files that Markdown includes: the forms of Quarto, R Markdown, MyST, pymdownx and pandoc's filters.

use crate::format::ManuscriptFormat;

/// Files that a line includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Include {
    /// The position of the line, and its number from 0.
    pub at: usize,
    pub line: usize,
    pub names: Vec<String>,
    pub base: IncludeBase,
}

/// Which folder a name is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IncludeBase {
    /// That of the document, also inside of included files: Quarto, knitr, pymdownx.
    Document,
    /// That of the file.
    File,
}

/// What stands between a start and an end on a line of its own.
const LINE_FORMS: [(&str, &str, IncludeBase); 10] = [
    ("{{< include ", ">}}", IncludeBase::Document),
    ("{{<include ", ">}}", IncludeBase::Document),
    ("--8<-- ", "", IncludeBase::Document),
    (":::{include} ", "", IncludeBase::File),
    ("::: {include} ", "", IncludeBase::File),
    ("!include ", "", IncludeBase::File),
    ("{!", "!}", IncludeBase::Document),
    ("{% include-markdown ", "%}", IncludeBase::File),
    ("{% include ", "%}", IncludeBase::File),
    ("@import ", "", IncludeBase::File),
];

const SNIPPET: &str = "--8<--";

/// An open block.
enum OpenBlock<'t> {
    /// Code, with its fence.
    Code(&'t str),
    /// A block whose lines are the names of files, with its end.
    Names(&'t str, Include),
}

/// The includes of a body, in order.
pub(super) fn includes(body: &str) -> Vec<Include> {
    let mut found = Vec::new();
    let mut open: Option<OpenBlock<'_>> = None;
    let mut at = 0;
    for (line, text) in body.split_inclusive('\n').enumerate() {
        let trimmed = text.trim();
        let include = |names: Vec<String>, base| Include {
            at,
            line,
            names,
            base,
        };
        open = match open {
            Some(OpenBlock::Code(fence)) => {
                (!trimmed.starts_with(fence)).then_some(OpenBlock::Code(fence))
            }
            Some(OpenBlock::Names(fence, include)) if trimmed.starts_with(fence) => {
                found.push(include);
                None
            }
            Some(OpenBlock::Names(fence, mut include)) => {
                include.names.extend(name(trimmed));
                Some(OpenBlock::Names(fence, include))
            }
            None if trimmed == SNIPPET => Some(OpenBlock::Names(
                SNIPPET,
                include(Vec::new(), IncludeBase::Document),
            )),
            None => match ["```", "~~~"].into_iter().find(|f| trimmed.starts_with(f)) {
                Some(fence) => {
                    let info = trimmed.trim_start_matches(['`', '~']).trim_start();
                    match of_fence(info) {
                        FenceNames::Own(names, base) => {
                            found.push(include(names, base));
                            Some(OpenBlock::Code(fence))
                        }
                        FenceNames::Lines => Some(OpenBlock::Names(
                            fence,
                            include(Vec::new(), IncludeBase::Document),
                        )),
                        FenceNames::None => Some(OpenBlock::Code(fence)),
                    }
                }
                None => {
                    found.extend(of_line(trimmed).map(|(names, base)| include(names, base)));
                    None
                }
            },
        };
        at += text.len();
    }
    found.retain(|include| !include.names.is_empty());
    found
}

fn of_line(line: &str) -> Option<(Vec<String>, IncludeBase)> {
    LINE_FORMS.iter().find_map(|(start, end, base)| {
        let inside = line.strip_prefix(start)?;
        let inside = if end.is_empty() {
            inside
        } else {
            inside.get(..inside.find(end)?)?
        };
        Some((Vec::from_iter(name(inside)), *base))
    })
}

/// What the first line of a block of code includes.
enum FenceNames {
    None,
    Own(Vec<String>, IncludeBase),
    /// The lines of the block are names.
    Lines,
}

fn of_fence(info: &str) -> FenceNames {
    if let Some(rest) = info.strip_prefix("{include}") {
        return FenceNames::Own(Vec::from_iter(name(rest)), IncludeBase::File);
    }
    let Some(options) = info.strip_prefix('{') else {
        return FenceNames::None;
    };
    if options.trim_start().starts_with(".include") {
        return FenceNames::Lines;
    }
    // `{r, child = c("a.Rmd", "b.Rmd")}`
    let child = options
        .split_once("child")
        .and_then(|(_, rest)| rest.trim_start().strip_prefix('='))
        .map(str::trim_start);
    let Some(value) = child else {
        return FenceNames::None;
    };
    let listed = value
        .strip_prefix("c(")
        .and_then(|rest| rest.split_once(')'));
    let value = listed.map_or(value, |(names, _)| names);
    let mark = if value.starts_with('\'') { '\'' } else { '"' };
    let names = value.split(mark).skip(1).step_by(2);
    let names = match listed {
        Some(_) => names.take(usize::MAX),
        None => names.take(1),
    };
    FenceNames::Own(names.flat_map(name).collect(), IncludeBase::Document)
}

/// The name of a file of Markdown, without quotation marks and the part of it that is meant.
fn name(text: &str) -> Option<String> {
    let text = text.trim();
    let quoted = ['"', '\'', '`']
        .into_iter()
        .find_map(|mark| text.strip_prefix(mark)?.split_once(mark));
    let name = match quoted {
        Some((name, _)) => name,
        None => text.split_whitespace().next()?,
    };
    if name.contains("://") || name.starts_with(['#', ';']) {
        return None;
    }
    // `chapter.md:section` and `chapter.md:3:9`
    let name = name.split([':', '#']).next()?;
    let extension = name.rsplit('/').next()?.rsplit_once('.')?.1;
    let is_markdown = ManuscriptFormat::of_extension(extension) == Some(ManuscriptFormat::Markdown);
    is_markdown.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_includes_are_read() {
        let check = |text: &str, expected: &[&str]| {
            let names: Vec<String> = { includes(text).into_iter() }
                .flat_map(|include| include.names)
                .collect();
            assert_eq!(names, expected, "{text}");
        };
        check("Text.\n\n{{< include _a.qmd >}}\n", &["_a.qmd"]);
        check("{{< include \"a b.qmd\" >}}\n", &["a b.qmd"]);
        check("```{include} ../a.md\n:start-line: 2\n```\n", &["../a.md"]);
        check(":::{include} a.md\n:::\n", &["a.md"]);
        check("--8<-- \"a.md:intro\"\n", &["a.md"]);
        check("--8<--\na.md\nb.md\n; c.md\n--8<--\n", &["a.md", "b.md"]);
        check("```{r child='a.Rmd'}\n```\n", &["a.Rmd"]);
        check(
            "```{r, child = c(\"a.Rmd\", \"b.Rmd\"), echo=FALSE}\n```\n",
            &["a.Rmd", "b.Rmd"],
        );
        check("``` {.include}\na.md\nb.md\n```\n", &["a.md", "b.md"]);
        check("!include a.md\n", &["a.md"]);
        check("```\n{{< include a.qmd >}}\n```\n", &[]);
        check("{{< include a.py >}}\n{% include head.html %}\n", &[]);
    }
}
