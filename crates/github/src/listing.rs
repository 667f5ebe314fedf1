//! The reply to `sweep.graphql`, and its conversion to an [`IssueList`].

use std::collections::{BTreeMap, BTreeSet};

use protocol::forge::{Cursor, Fault, FileContent, IssueList};
use serde::Deserialize;
use table::ids::IssueNumber;
use table::state_path::StatePath;

use crate::file_entries::{FileEntry, to_file};
use crate::graphql::{IssueNode, Reading, RepositoryKind};

#[derive(Deserialize)]
pub(super) struct Repository {
    #[serde(flatten)]
    kind: RepositoryKind,
    #[serde(rename = "defaultBranchRef")]
    default_branch: Option<BranchRef>,
    #[serde(rename = "ref")]
    state_branch: Option<BranchRef>,
    issues: IssuePage,
}

#[derive(Deserialize)]
struct BranchRef {
    target: Option<Commit>,
}

#[derive(Deserialize)]
struct Commit {
    file: Option<Directory>,
}

#[derive(Deserialize)]
struct Directory {
    object: Option<Tree>,
}

#[derive(Deserialize)]
struct Tree {
    entries: Option<Vec<TreeEntry>>,
}

#[derive(Deserialize)]
struct TreeEntry {
    name: String,
    #[serde(flatten)]
    file: FileEntry,
}

/// The reply to `folder.graphql`.
#[derive(Deserialize)]
pub(super) struct FolderRepository {
    object: Option<Commit>,
}

impl FolderRepository {
    /// Returns the names in the folder; none if it doesn't exist.
    pub(super) fn into_names(self) -> Vec<String> {
        self.into_entries().map(|entry| entry.name).collect()
    }

    /// Returns the contents of the files in the folder, by name; none if it doesn't exist.
    pub(super) fn into_files(self, dir: &str) -> BTreeMap<String, FileContent> {
        let content = |entry: &TreeEntry| to_file(Some(&entry.file), &format!("{dir}/{}", entry.name));
        self.into_entries().map(|entry| (entry.name.clone(), content(&entry))).collect()
    }

    fn into_entries(self) -> impl Iterator<Item = TreeEntry> {
        let tree = self.object.and_then(|commit| commit.file).and_then(|folder| folder.object);
        tree.and_then(|tree| tree.entries).unwrap_or_default().into_iter()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct IssuePage {
    page_info: ForwardPage,
    nodes: Option<Vec<Option<Issue>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ForwardPage {
    has_next_page: bool,
    end_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Issue {
    number: IssueNumber,
    #[serde(flatten)]
    thread: IssueNode,
}

impl Repository {
    /// Converts the reply to a page of the list.
    pub(super) fn into_list(self, viewer: String) -> Result<IssueList, Fault> {
        let reading = Reading { viewer, kind: self.kind };
        let branch = self.state_branch.or(self.default_branch);
        let tree = branch.and_then(|branch| branch.target?.file?.object);
        let entries = tree.and_then(|tree| tree.entries).unwrap_or_default();
        let records: BTreeSet<IssueNumber> =
            entries.iter().filter_map(|entry| StatePath::parse(&entry.name)?.into_record()).collect();
        let IssuePage { page_info, nodes } = self.issues;
        let issues = nodes.unwrap_or_default().into_iter().flatten().filter(|issue| !issue.thread.is_locked());
        Ok(IssueList {
            issues: issues
                .map(|issue| Ok((issue.number, issue.thread.into_thread(&reading)?)))
                .collect::<Result<_, Fault>>()?,
            next: if page_info.has_next_page { page_info.end_cursor.map(Cursor) } else { None },
            records,
        })
    }
}
