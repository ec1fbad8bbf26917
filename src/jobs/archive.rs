//! The files of an archive (Zip), unpacked within limits that do not rely on the sizes that it states.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::store::jobs::JobFile;
use citation_documents::{self as documents, ManuscriptFormat};
use citation_exchange::Format;

/// The limits of an archive.
#[derive(Clone, Copy, Debug)]
pub struct ArchiveLimits {
    pub files: usize,
    /// Bytes of all files, unpacked.
    pub bytes: u64,
}

/// Why an archive is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    #[error("the archive is broken: {0}")]
    Broken(String),
    #[error("the archive has more than {0} files")]
    TooManyFiles(usize),
    #[error("the files of the archive have more than {0} bytes")]
    TooLarge(u64),
    #[error(
        "“{0}” in the archive is compressed more than {MAX_RATIO} times, as no manuscript is; send it by itself"
    )]
    Ratio(String),
    #[error("“{0}” is an archive within the archive; send its files")]
    Nested(String),
    #[error("“{0}” in the archive is encrypted; send it without a password")]
    Encrypted(String),
    #[error("the archive has no manuscript and no bibliography")]
    Nothing,
}

/// The largest ratio of unpacked to packed bytes, and the size up to which it is not looked at: plain text
/// compresses some ten times, an empty page of a word processor more.
const MAX_RATIO: u64 = 100;
const MIN_BYTES: u64 = 1 << 20;

/// Characters of a name that are kept.
const NAME_CHARS: usize = 1_000;

/// The first bytes of an archive.
const SIGNATURES: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Whether a file is an archive of files, and not a document that is one inside.
pub fn is_archive(name: &str, bytes: &[u8]) -> bool {
    SIGNATURES
        .iter()
        .any(|signature| bytes.starts_with(signature))
        && documents::detect(name, bytes).is_err()
        && !is_packed_bibliography(name)
}

/// The files of an archive. A file is checked if its name is that of a manuscript, or that of a bibliography
/// without a manuscript in the same folder; every other file is a companion.
pub fn unpack(bytes: &[u8], limits: ArchiveLimits) -> Result<Vec<JobFile>, ArchiveError> {
    let broken = |cause: ZipError| ArchiveError::Broken(cause.to_string());
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > limits.files {
        return Err(ArchiveError::TooManyFiles(limits.files));
    }
    let mut left = limits.bytes;
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let shown = archive.name_for_index(index).and_then(Result::ok);
        let shown: String = shown.unwrap_or_default().chars().take(NAME_CHARS).collect();
        let part = match archive.by_index(index) {
            Ok(part) => part,
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                return Err(ArchiveError::Encrypted(shown));
            }
            Err(cause) => return Err(broken(cause)),
        };
        if part.is_dir() || is_hidden(&shown) {
            continue;
        }
        let packed = part.compressed_size();
        let most = packed.saturating_mul(MAX_RATIO).max(MIN_BYTES);
        let mut content = Vec::new();
        part.take(left.min(most).saturating_add(1))
            .read_to_end(&mut content)
            .map_err(|cause| ArchiveError::Broken(format!("{shown}: {cause}")))?;
        let length = content.len() as u64;
        if length > most {
            return Err(ArchiveError::Ratio(shown));
        }
        left = left
            .checked_sub(length)
            .ok_or(ArchiveError::TooLarge(limits.bytes))?;
        if is_archive(&shown, &content) {
            return Err(ArchiveError::Nested(shown));
        }
        files.push(JobFile {
            name: shown,
            media_type: None,
            is_companion: false,
            content,
        });
    }
    mark_companions(&mut files);
    if files.iter().all(|file| file.is_companion) {
        return Err(ArchiveError::Nothing);
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

fn mark_companions(files: &mut [JobFile]) {
    let with_manuscript: std::collections::HashSet<String> = { files.iter() }
        .filter(|file| has_manuscript_name(&file.name))
        .map(|file| folder(&file.name).to_owned())
        .collect();
    for file in files {
        let is_checked = has_manuscript_name(&file.name)
            || has_bibliography_name(&file.name) && !with_manuscript.contains(folder(&file.name));
        file.is_companion = !is_checked;
    }
}

/// What operating systems put into archives besides the files of people.
fn is_hidden(name: &str) -> bool {
    name.split(['/', '\\'])
        .any(|segment| segment.starts_with('.') || segment == "__MACOSX")
}

/// The folder of a file in an archive.
pub fn folder(name: &str) -> &str {
    name.rsplit_once(['/', '\\'])
        .map_or("", |(folder, _)| folder)
}

fn extension(name: &str) -> Option<String> {
    name.rsplit_once('.')
        .map(|(_, extension)| extension.to_ascii_lowercase())
}

fn has_manuscript_name(name: &str) -> bool {
    extension(name).is_some_and(|extension| ManuscriptFormat::of_extension(&extension).is_some())
}

/// The format whose own files are archives, by its id.
const PACKED_FORMAT: &str = "citavi";

fn is_packed_bibliography(name: &str) -> bool {
    let format = Format::named(PACKED_FORMAT);
    let is_its = |extension: String| format.is_some_and(|f| f.extensions.contains(&&*extension));
    extension(name).is_some_and(is_its)
}

fn has_bibliography_name(name: &str) -> bool {
    extension(name)
        .is_some_and(|extension| Format::readable().any(|f| f.extensions.contains(&&*extension)))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    const LIMITS: ArchiveLimits = ArchiveLimits {
        files: 10,
        bytes: 8 << 20,
    };

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn archive_gives_manuscripts_and_their_companions() {
        let bytes = archive(&[
            ("a/paper.tex", b"\\cite{x}"),
            ("a/refs.bib", b"@book{x}"),
            ("b/only.bib", b"@book{y}"),
            ("__MACOSX/a/._paper.tex", b"x"),
            ("figure.png", b"x"),
        ]);
        assert!(is_archive("papers.zip", &bytes));
        let files = unpack(&bytes, LIMITS).unwrap();
        let found: Vec<(&str, bool)> = { files.iter() }
            .map(|file| (file.name.as_str(), file.is_companion))
            .collect();
        let expected = [
            ("a/paper.tex", false),
            ("a/refs.bib", true),
            ("b/only.bib", false),
            ("figure.png", true),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn bombs_are_refused() {
        let check = |bytes: &[u8], expected: ArchiveError| {
            assert_eq!(unpack(bytes, LIMITS), Err(expected));
        };
        let zeros = vec![b' '; 4 << 20];
        check(
            &archive(&[("a.txt", &zeros)]),
            ArchiveError::Ratio("a.txt".to_owned()),
        );
        let inner = archive(&[("a.txt", b"text")]);
        check(
            &archive(&[("inner.zip", &inner)]),
            ArchiveError::Nested("inner.zip".to_owned()),
        );
        check(
            &archive(&[("inner.txt", &inner)]),
            ArchiveError::Nested("inner.txt".to_owned()),
        );
        let many: Vec<(String, Vec<u8>)> = (0..11)
            .map(|n| (format!("{n}.txt"), b"text".to_vec()))
            .collect();
        let many: Vec<(&str, &[u8])> = many.iter().map(|(n, c)| (n.as_str(), &c[..])).collect();
        check(&archive(&many), ArchiveError::TooManyFiles(10));
        // As large as the ratio allows, again and again.
        let mut random = 1_u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 24) as u8
        })
        .take(3 << 20)
        .collect();
        let noisy = [("1.txt", &noise[..]), ("2.txt", &noise), ("3.txt", &noise)];
        check(&archive(&noisy), ArchiveError::TooLarge(8 << 20));
        check(&archive(&[("a.png", b"x")]), ArchiveError::Nothing);
        let whole = archive(&[("a.txt", b"text")]);
        assert!(matches!(
            unpack(&whole[..whole.len() / 2], LIMITS),
            Err(ArchiveError::Broken(_))
        ));
    }
}
