//! The files of a commit in a reply.

use std::collections::BTreeMap;

use protocol::forge::FileContent;
use serde::Deserialize;

/// Files by the aliases from [`expand`](crate::graphql::expand).
#[derive(Deserialize)]
pub(super) struct FileEntries {
    #[serde(flatten)]
    files: BTreeMap<String, Option<FileEntry>>,
}

#[derive(Deserialize)]
pub(super) struct FileEntry {
    #[serde(default)]
    object: Option<BlobNode>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BlobNode {
    #[serde(rename = "__typename")]
    kind: String,
    byte_size: Option<usize>,
    is_binary: Option<bool>,
    #[serde(default)]
    is_truncated: bool,
    text: Option<String>,
}

impl FileEntries {
    /// Returns the files by path. `paths` are those of the query, in the same order.
    pub(super) fn by_path(&self, paths: &[String]) -> BTreeMap<String, FileContent> {
        let entry = |index: usize| self.files.get(&format!("file{index}")).and_then(Option::as_ref);
        paths.iter().enumerate().map(|(index, path)| (path.clone(), to_file(entry(index), path))).collect()
    }
}

/// Returns the content of a file; `None` if it doesn't exist.
pub(super) fn to_file(entry: Option<&FileEntry>, path: &str) -> FileContent {
    let Some(entry) = entry else { return FileContent::Missing };
    let why = match &entry.object {
        Some(object) if object.kind != "Blob" => "is not a file",
        None => "is not a file",
        Some(object) if object.is_truncated => "is too large: GitHub sends only a part of it",
        Some(BlobNode { is_binary: Some(true), .. } | BlobNode { text: None, .. }) => "is not text",
        // GitHub replaces invalid UTF-8. Writing that back would change the file.
        Some(BlobNode { text: Some(text), byte_size: Some(size), .. }) if text.len() != *size => "isn't UTF-8 text",
        Some(BlobNode { text: Some(text), .. }) => return FileContent::Text(text.clone()),
    };
    FileContent::Unreadable(format!("`{path}` {why}"))
}
