//! Merging the notes and tags of two entries: nothing of either is lost.

use super::input::{Fault, has_tag};
use crate::config::LimitSettings;
use crate::store::collections::EntryRow;

/// An entry with the note and tags of another one appended. `field` names the other one in
/// errors about limits.
pub(super) fn merged(
    entry: &EntryRow,
    note: Option<&str>,
    tags: &[String],
    limits: &LimitSettings,
    field: &str,
) -> Result<EntryRow, Fault> {
    let note = both(entry.note.as_deref(), note);
    let most = limits.note_chars;
    if note
        .as_ref()
        .is_some_and(|note| note.chars().count() > most as usize)
    {
        let message = format!("would give the entry a note of more than {most} characters");
        return Err(Fault::new(field, "too_long", message));
    }
    let mut all = entry.tags.clone();
    for tag in tags {
        if !has_tag(&all, tag) {
            all.push(tag.clone());
        }
    }
    if all.len() > limits.tags as usize && all.len() > entry.tags.len() {
        let message = format!("would give the entry more than {} tags", limits.tags);
        return Err(Fault::new(field, "too_many", message));
    }
    Ok(EntryRow {
        note,
        tags: all,
        ..entry.clone()
    })
}

/// Two notes, separated by a blank line; only one of them if it contains the other.
fn both(ours: Option<&str>, theirs: Option<&str>) -> Option<String> {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) if has_part(ours, theirs) => Some(ours.to_owned()),
        (Some(ours), Some(theirs)) if has_part(theirs, ours) => Some(theirs.to_owned()),
        (Some(ours), Some(theirs)) => Some(format!("{ours}\n\n{theirs}")),
        (ours, theirs) => ours.or(theirs).map(str::to_owned),
    }
}

/// Whether a note contains another one among its paragraphs.
fn has_part(note: &str, part: &str) -> bool {
    format!("\n\n{note}\n\n").contains(&format!("\n\n{part}\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::review::ReviewStatus;

    fn entry(note: Option<&str>, tags: &[&str]) -> EntryRow {
        EntryRow {
            id: 1,
            uid: String::new(),
            collection: 1,
            rank: 0,
            note: note.map(str::to_owned),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            review_status: ReviewStatus::Clean,
            citation_key: None,
            added_at: 0,
            updated_at: 0,
        }
    }

    #[test]
    fn notes_are_joined_unless_contained() {
        let check = |ours: Option<&str>, theirs: Option<&str>, expected: Option<&str>| {
            assert_eq!(both(ours, theirs).as_deref(), expected);
        };
        check(None, None, None);
        check(Some("a"), None, Some("a"));
        check(None, Some("b"), Some("b"));
        check(Some("a"), Some("b"), Some("a\n\nb"));
        check(Some("a"), Some("a"), Some("a"));
        check(Some("a\n\nb"), Some("b"), Some("a\n\nb"));
        check(Some("b"), Some("a\n\nb"), Some("a\n\nb"));
        check(Some("ab"), Some("b"), Some("ab\n\nb"));
    }

    #[test]
    fn tags_are_merged_within_the_limits() {
        let limits = LimitSettings {
            tags: 2,
            note_chars: 4,
            ..LimitSettings::default()
        };
        let check = |note: &str, tags: &[&str], expected: Result<&[&str], &str>| {
            let tags = entry(None, tags).tags;
            let found = merged(&entry(Some("n"), &["a"]), Some(note), &tags, &limits, "");
            let found = found.as_ref().map(|entry| entry.tags.as_slice());
            match (found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(fault), Err(code)) => assert_eq!(fault.code, code),
                _ => panic!("{found:?}"),
            }
        };
        check("n", &["A", "b"], Ok(&["a", "b"]));
        check("m", &[], Ok(&["a"]));
        check("n", &["b", "c"], Err("too_many"));
        check("mm", &[], Err("too_long"));
    }
}
