//! The settings file of a repository: how a run notices that it changed, and starts again with the new settings.
//!
//! The first read of a run shows the file, so it costs no request. [`RepoConfig::settings`] names the blob that the run's settings
//! come from. If the read shows another one, the run ends before it decides anything, and [`with_settings`] starts again.

use std::ops::Deref;

use table::{IssueNumber, Oid};
use tracing::info;

use crate::settle::settle_with_ledger;
use crate::{
    FileContent, Forge, GiveUpReason, HostError, Ledger, RepoConfig, Report, RequestError, SettleError, Snapshot,
    Trigger,
};

/// The path of the settings file on the default branch.
pub const SETTINGS_PATH: &str = ".github/play-by-commit.yml";

/// The number of times that a run starts with other settings before it gives up.
const MAX_STARTS: usize = 5;

/// The settings file of a repository, as of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFile {
    /// The ID of its content.
    pub blob: Oid,
    /// Its content, which is never missing.
    pub content: FileContent,
    /// Whether it is in the owner's repository `.github`, for all repositories without a file of their own.
    pub is_shared: bool,
}

/// The settings file that a [`RepoConfig`] was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsSource {
    /// The ID of its content.
    pub blob: Oid,
    /// Whether it is in the owner's repository `.github`.
    pub is_shared: bool,
    /// The mistakes in it. A setting with a mistake has its default.
    pub mistakes: Vec<SettingsMistake>,
}

/// A mistake in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsMistake {
    /// The line, counted from 1; `None` if it is about the whole file.
    pub line: Option<usize>,
    /// What to change, as a sentence without a period. Text from the file is in code spans.
    pub sentence: String,
}

impl SettingsSource {
    /// Returns the place of the file in Markdown.
    pub fn place(&self) -> String {
        let shared = if self.is_shared { " in the owner's repository `.github`" } else { "" };
        format!("`{SETTINGS_PATH}`{shared}")
    }

    /// Returns the Markdown of a notice about the mistakes; `None` if there are none.
    pub(super) fn notice_text(&self) -> Option<String> {
        let place = self.place();
        let list: String =
            self.mistakes.iter().map(|mistake| format!("\n- {}.", capitalize(&mistake.text()))).collect();
        match self.mistakes.len() {
            0 => None,
            1 => Some(format!("{place} has a mistake. The default applies until somebody fixes it:\n{list}")),
            count => {
                Some(format!("{place} has {count} mistakes. The defaults apply until somebody fixes them:\n{list}"))
            }
        }
    }
}

impl SettingsMistake {
    /// Returns the line and the sentence, without a period.
    pub fn text(&self) -> String {
        match self.line {
            Some(line) => format!("line {line}: {}", self.sentence),
            None => self.sentence.clone(),
        }
    }
}

fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}

/// The first read of a run: what it asked for, and the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstRead {
    issues: Vec<IssueNumber>,
    paths: Vec<String>,
    comments: usize,
    /// The reply.
    pub snapshot: Snapshot,
}

/// The outcome of the first read of a run.
pub(super) enum FirstReadOutcome {
    /// The run has the settings that the read shows.
    Current(Snapshot),
    /// The read shows other settings.
    SettingsChanged(Box<FirstRead>),
}

impl FirstRead {
    /// Makes the first read of a run, unless an earlier attempt has `known` it already.
    pub(super) async fn make(
        forge: &dyn Forge,
        config: &RepoConfig,
        known: Option<FirstRead>,
        issues: &[IssueNumber],
        paths: &[String],
        comments: usize,
    ) -> Result<FirstReadOutcome, RequestError> {
        let is_same = |read: &FirstRead| read.issues == issues && read.paths == paths && read.comments == comments;
        let snapshot = match known.filter(is_same) {
            Some(read) => read.snapshot,
            None => forge.read(issues, paths, comments).await?,
        };
        let shown = snapshot.settings.as_ref().map(|file| &file.blob);
        if shown == config.settings.as_ref().map(|source| &source.blob) {
            return Ok(FirstReadOutcome::Current(snapshot));
        }
        let (issues, paths) = (issues.to_vec(), paths.to_vec());
        Ok(FirstReadOutcome::SettingsChanged(Box::new(FirstRead { issues, paths, comments, snapshot })))
    }
}

/// Settles as [`settle_with_ledger`] does, with the settings in the repository's file. See [`with_settings`].
///
/// # Errors
/// Returns an error if [`settle_with_ledger`] would, or if the settings can't be used.
pub async fn settle_with_settings<F>(
    make_config: impl Fn(Option<&SettingsFile>) -> Result<RepoConfig, HostError>,
    make_forge: impl Fn(&RepoConfig) -> Result<F, RequestError>,
    known: &mut Option<SettingsFile>,
    trigger: Trigger,
    ledger: &mut Ledger,
) -> Result<Report, SettleError>
where
    F: Deref<Target: Forge + Sized>,
{
    let run = async |forge: &dyn Forge, config: &RepoConfig, ledger: &mut Ledger| {
        settle_with_ledger(forge, config, trigger, ledger).await
    };
    with_settings(make_config, make_forge, known, ledger, run).await
}

/// Makes a run with the settings in the repository's file, and starts it again if its first read shows another file.
///
/// `make_config` returns the settings with a file, and `make_forge` a forge for them. `known` is the file as it was last read, and
/// is updated, so the next run can begin with the right settings. The first read is made again only if the settings change what
/// it asks for.
///
/// # Errors
/// Returns an error if `run` does, or if the settings can't be used.
pub async fn with_settings<F, T>(
    make_config: impl Fn(Option<&SettingsFile>) -> Result<RepoConfig, HostError>,
    make_forge: impl Fn(&RepoConfig) -> Result<F, RequestError>,
    known: &mut Option<SettingsFile>,
    ledger: &mut Ledger,
    run: impl AsyncFn(&dyn Forge, &RepoConfig, &mut Ledger) -> Result<T, SettleError>,
) -> Result<T, SettleError>
where
    F: Deref<Target: Forge + Sized>,
{
    let new_forge = |config: &RepoConfig| {
        make_forge(config).map_err(|error| match error {
            RequestError::Fatal(problem) => SettleError::HostMustAct(problem),
            error => SettleError::GaveUp(GiveUpReason::Unreachable(error.to_string())),
        })
    };
    let mut config = make_config(known.as_ref()).map_err(SettleError::HostMustAct)?;
    let mut forge = new_forge(&config)?;
    for _ in 0..MAX_STARTS {
        let read = match run(&*forge, &config, ledger).await {
            Err(SettleError::SettingsChanged(read)) => read,
            outcome => return outcome,
        };
        info!("Starting with the repository's current settings.");
        known.clone_from(&read.snapshot.settings);
        let next = make_config(known.as_ref()).map_err(SettleError::HostMustAct)?;
        if config.reads_like(&next) {
            ledger.first_read = Some(*read);
        } else {
            forge = new_forge(&next)?;
        }
        config = next;
    }
    Err(SettleError::GaveUp(GiveUpReason::NoProgress))
}
