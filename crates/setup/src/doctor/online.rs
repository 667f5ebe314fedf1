//! Checks a repository on GitHub with a handful of read-only requests.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use answers::pages::links::percent_encode;
use anyhow::Result;
use github::reply::GetReply;
use github::{GitHub, Settings};
use protocol::answer::{COMMENTS_WARNING, MAX_COMMENTS};
use protocol::forge::{COMMENTS_PER_PAGE, Fault, Forge, Head, HostProblem};
use protocol::repo_config::{RepoConfig, is_enterprise_server, server_name};
use serde_json::Value;
use table::ids::IssueNumber;
use table::oid::Oid;

use crate::doctor::files::{self, Files, GameInputs, parse_record_path};
use crate::doctor::findings::{Findings, Grade};

/// The number of files to read with one query.
const FILES_PER_QUERY: usize = 20;
/// The maximum number of files to read.
const MAX_FILES: usize = 200;
/// The types of branch rules that keep the bot from committing to a branch.
const BLOCKING_RULES: [&str; 10] = [
    "pull_request",
    "required_status_checks",
    "merge_queue",
    "required_deployments",
    "workflows",
    "code_scanning",
    "update",
    "copilot_code_review",
    "license_compliance_scanning",
    "file_path_restriction",
];

/// A repository to check.
#[derive(Clone, Debug)]
pub struct OnlineCheck {
    /// How to reach GitHub. Its branch and state directory only count if `in_workflow` is true.
    pub(super) settings: Settings,
    /// Whether this runs in the workflow, with the inputs and the token that play.
    pub(super) in_workflow: bool,
    /// The pages that the bot updates; empty if `in_workflow` is false.
    pub(super) pages: Vec<String>,
    /// Whether the server is a GitHub Enterprise Server.
    pub(super) enterprise: bool,
}

impl OnlineCheck {
    /// Creates a check. With `in_workflow`, it uses the inputs in `settings` and `config` instead of those in the workflow file.
    pub fn new(settings: Settings, config: RepoConfig, in_workflow: bool) -> OnlineCheck {
        let enterprise = config.web.is_some_and(|web| is_enterprise_server(server_name(&web.server)));
        OnlineCheck { settings, in_workflow, pages: if in_workflow { config.pages } else { Vec::new() }, enterprise }
    }
}

/// Checks the settings, the files and the tables of a repository.
///
/// # Errors
/// Returns an error if GitHub can't be reached or doesn't accept the token, or if the token can't see the repository.
pub async fn examine(check: OnlineCheck, findings: &mut Findings) -> Result<(), Fault> {
    let OnlineCheck { ref settings, in_workflow, .. } = check;
    let github = GitHub::new(Settings { branch: None, ..settings.clone() })?;
    let result = check_repository(&github, check, findings).await;
    skip_lost(result.clone(), "The repository and its files", findings)?;
    check_actions(&github, findings).await?;
    check_interactions(&github, findings).await?;
    // If GitHub never answered, a list of skipped checks doesn't help.
    if result.is_err() && findings.all.iter().all(|finding| finding.grade == Grade::Skipped) {
        findings.all.clear();
        return result;
    }
    if in_workflow {
        findings.skipped("The permissions of the workflow's token, which only a write would show.");
    }
    Ok(())
}

/// Checks the settings of the repository, and its files.
async fn check_repository(github: &GitHub, check: OnlineCheck, findings: &mut Findings) -> Result<(), Fault> {
    let about = github.get("").await?;
    if about.status != 200 {
        let name = format!("{}/{}", check.settings.owner, check.settings.name);
        return Err(Fault::Fatal(HostProblem::new(format!(
            "This token can't see the repository {name} ({}).",
            about.status
        ))));
    }
    check_settings(&about.body, findings);
    let default = about.body["default_branch"].as_str().unwrap_or_default().to_owned();
    let head = github.read(&[], &[], COMMENTS_PER_PAGE).await?.head;
    let Head::Commit(head) = head else {
        findings.error("The repository is empty: it needs a first commit.");
        return Ok(());
    };
    if let Some(tree) = list_files(github, &head, findings).await? {
        let result = check_tree(github, check, (&default, &head, tree), findings).await;
        skip_lost(result, "The other files", findings)?;
    }
    Ok(())
}

/// Checks the setup and the games in the files of the default branch, and the branch of the games.
async fn check_tree(
    github: &GitHub,
    check: OnlineCheck,
    (default, head, tree): (&str, &Oid, BTreeMap<String, u64>),
    findings: &mut Findings,
) -> Result<(), Fault> {
    let OnlineCheck { settings, in_workflow, pages, enterprise } = check;
    let setup_files = read_files(github, head, &files::setup_paths(tree.keys().map(String::as_str))).await?;
    let mut inputs = files::check_setup(&setup_files, enterprise, findings);
    if in_workflow {
        inputs = GameInputs { branch: settings.branch.clone(), state_dir: settings.state_dir.clone(), pages, ..inputs };
    }
    let branch = inputs.branch.clone().unwrap_or_else(|| default.to_owned());
    let state = match &inputs.branch {
        Some(name) if name != default => {
            files::warn_of_other_branch(&read_files(github, head, &inputs.pages).await?, &inputs, findings);
            let github = GitHub::new(Settings { branch: inputs.branch.clone(), ..settings.clone() })?;
            match github.read(&[], &[], COMMENTS_PER_PAGE).await?.head {
                Head::Commit(oid) => Some((list_files(&github, &oid, findings).await?, oid)),
                Head::Missing(_) => {
                    findings.ok(format!(
                        "The branch `{branch}` doesn't exist yet. The bot creates it with the first \
                             move."
                    ));
                    None
                }
            }
        }
        _ => Some((Some(tree), head.clone())),
    };
    check_branch_rules(github, &branch, inputs.branch.is_none(), state.is_some(), findings).await?;
    if let Some((Some(tree), oid)) = state {
        check_files(github, &oid, &tree, &inputs, findings).await?;
    }
    Ok(())
}

/// Gets a path below the repository. A problem of the server is a reply, too, so that it stops no other check.
async fn get(github: &GitHub, path: &str) -> Result<GetReply, Fault> {
    match github.get(path).await {
        Err(Fault::Lost(_)) => Ok(GetReply { status: 503, body: Value::Null }),
        result => result,
    }
}

/// Turns a problem of the server into a check that wasn't made.
fn skip_lost(result: Result<(), Fault>, what: &str, findings: &mut Findings) -> Result<(), Fault> {
    match result {
        Err(Fault::Lost(why)) => {
            findings.skipped(format!("{what}: {why}"));
            Ok(())
        }
        result => result,
    }
}

fn check_settings(about: &Value, findings: &mut Findings) {
    if about["archived"] == true {
        findings.error(
            "The repository is archived, so nobody can comment and nothing can be committed. Unarchive it in the \
             settings.",
        );
    }
    if about["disabled"] == true {
        findings.error("GitHub has disabled the repository.");
    }
    match about["has_issues"].as_bool() {
        Some(true) => findings.ok("Issues are on."),
        _ => findings
            .error("Issues are off, and a game is an issue. Turn them on in the settings: General, Features, Issues."),
    }
    if about["private"] == true {
        findings.warning(
            "The repository is private: once your free minutes are used up, each command costs at least a minute. \
             `runs-on: ubuntu-slim` is the cheapest.",
        );
    }
}

/// Lists all files of a commit with their sizes in bytes, from the
/// [tree API](https://docs.github.com/en/rest/git/trees#get-a-tree); `None` if GitHub doesn't list them.
pub(crate) async fn list_files(
    github: &GitHub,
    at: &Oid,
    findings: &mut Findings,
) -> Result<Option<BTreeMap<String, u64>>, Fault> {
    let reply = get(github, &format!("git/trees/{at}?recursive=1")).await?;
    if reply.status != 200 {
        findings.skipped(format!("The files at commit {at}: GitHub didn't list them ({}).", reply.status));
        return Ok(None);
    }
    if reply.body["truncated"] == true {
        findings.skipped("Some files, because the repository has more than GitHub lists at once.");
    }
    let entries = reply.body["tree"].as_array().map(Vec::as_slice).unwrap_or_default();
    let files = entries.iter().filter(|entry| entry["type"] == "blob");
    let file = |entry: &Value| Some((entry["path"].as_str()?.to_owned(), entry["size"].as_u64().unwrap_or_default()));
    Ok(Some(files.filter_map(file).collect()))
}

pub(crate) async fn read_files(github: &GitHub, at: &Oid, paths: &[String]) -> Result<Files, Fault> {
    let mut contents = Files::new();
    for chunk in paths.chunks(FILES_PER_QUERY) {
        contents.extend(github.read_files(at, chunk).await?);
    }
    Ok(contents)
}

/// Checks pages, standings and records: the newest tables first, up to [`MAX_FILES`] files.
async fn check_files(
    github: &GitHub,
    at: &Oid,
    tree: &BTreeMap<String, u64>,
    inputs: &GameInputs,
    findings: &mut Findings,
) -> Result<(), Fault> {
    let mut paths = files::game_paths(tree.keys().map(String::as_str), inputs);
    paths.sort_by_key(|path| match parse_record_path(path, &inputs.state_dir) {
        // Pages and standings come first because they are few, then the current rounds.
        None => (false, false, Reverse(IssueNumber::default())),
        Some((issue, round)) => (true, round.is_some(), Reverse(issue)),
    });
    let all = paths.len();
    paths.truncate(MAX_FILES);
    let is_complete = all == paths.len();
    let contents = read_files(github, at, &paths).await?;
    let running = files::running_issues(tree.keys().map(String::as_str), inputs);
    files::check_games(&contents, &running, inputs, is_complete, findings);
    if !is_complete {
        findings.skipped(format!(
            "The oldest {} of {all} game files, and the standings. `play-by-commit doctor` in a clone checks all of \
             them.",
            all - paths.len()
        ));
    }
    Ok(())
}

/// Checks the [rules](https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch) and the protection of the games'
/// branch.
async fn check_branch_rules(
    github: &GitHub,
    branch: &str,
    is_default: bool,
    exists: bool,
    findings: &mut Findings,
) -> Result<(), Fault> {
    let advice = if is_default {
        "Set the input `branch:` to a branch for the games alone, such as `play`".to_owned()
    } else {
        format!("Exclude `{branch}` from it, or set the input `branch:` to another branch")
    };
    let rules = get(github, &format!("rules/branches/{}?per_page=100", percent_encode(branch))).await?;
    let before = findings.all.len();
    match (rules.status, rules.body.as_array()) {
        (200, Some(rules)) => {
            let is_blocking = |kind: &&str| BLOCKING_RULES.contains(kind) || (*kind == "creation" && !exists);
            let mut kinds: Vec<&str> =
                rules.iter().filter_map(|rule| rule["type"].as_str()).filter(is_blocking).collect();
            kinds.sort_unstable();
            kinds.dedup();
            if !kinds.is_empty() {
                findings.error(format!(
                    "A ruleset keeps the bot from committing to the branch `{branch}`: `{}`. {advice}.",
                    kinds.join("`, `")
                ));
            }
        }
        _ => {
            findings
                .skipped(format!("The rulesets of the branch `{branch}`: GitHub didn't show them ({}).", rules.status));
        }
    }
    if exists {
        let reply = get(github, &format!("branches/{}", percent_encode(branch))).await?;
        let checks = &reply.body["protection"]["required_status_checks"]["enforcement_level"];
        if reply.status == 200 && checks.as_str().is_some_and(|level| level != "off") {
            findings.error(format!(
                "The protection of the branch `{branch}` requires status checks before a commit. \
                     {advice}."
            ));
        } else if reply.status == 200 && reply.body["protection"]["enabled"] == true {
            findings.skipped(format!(
                "The protection of the branch `{branch}`, which only administrators can see. If it keeps the bot \
                 out: {advice}."
            ));
        } else if reply.status != 200 {
            findings
                .skipped(format!("The protection of the branch `{branch}`: GitHub didn't show it ({}).", reply.status));
        }
    }
    if findings.all.len() == before {
        findings.ok(format!("No rule keeps the bot from committing to the branch `{branch}`."));
    }
    Ok(())
}

/// Checks the settings of [GitHub Actions](https://docs.github.com/en/rest/actions/permissions).
async fn check_actions(github: &GitHub, findings: &mut Findings) -> Result<(), Fault> {
    let about = get(github, "actions/permissions").await?;
    match (about.status, about.body["allowed_actions"].as_str()) {
        (200, _) if about.body["enabled"] == false => {
            findings.error("Actions are off. Turn them on in the settings: Actions, General.");
        }
        (200, Some("local_only")) => findings.error(
            "Only actions of the same owner are allowed. Allow `play-by-commit/play-by-commit@*` in the settings: \
             Actions, General.",
        ),
        (200, Some("selected")) => findings.warning(
            "Only selected actions are allowed. Make sure that `play-by-commit/play-by-commit@*` is one of them, in \
             the settings: Actions, General.",
        ),
        (200, _) if about.body["sha_pinning_required"] == true => findings.warning(
            "This repository requires actions to be pinned to a full commit id. `play-by-commit init --version SHA` \
             pins this one.",
        ),
        (200, _) => findings.ok("Actions are on, and this one is allowed."),
        _ => note_skipped("The list of allowed actions", &about, findings),
    }
    let default = get(github, "actions/permissions/workflow").await?;
    match (default.status, default.body["default_workflow_permissions"].as_str()) {
        (200, Some(may)) => findings.ok(format!("A job without `permissions:` gets `{may}`.")),
        _ => note_skipped("The default permissions of a job", &default, findings),
    }
    let all = get(github, "actions/workflows?per_page=100").await?;
    if all.status != 200 {
        note_skipped("The state of the workflow", &all, findings);
    }
    let workflows = all.body["workflows"].as_array().map(Vec::as_slice).unwrap_or_default();
    for workflow in workflows {
        let (path, state) =
            (workflow["path"].as_str().unwrap_or_default(), workflow["state"].as_str().unwrap_or_default());
        let uses_action = findings.all.iter().any(|finding| {
            finding.sentence.starts_with(&format!("{path}:")) || finding.sentence.starts_with(&format!("{path}, line "))
        });
        match state {
            "active" | "deleted" => {}
            "disabled_inactivity" if uses_action => findings.error(format!(
                "GitHub disabled {path} after sixty days without activity. Enable it: Actions, the workflow, Enable \
                 workflow."
            )),
            state if uses_action => findings
                .error(format!("{path} is disabled ({state}). Enable it: Actions, the workflow, Enable workflow.")),
            _ => {}
        }
    }
    Ok(())
}

/// Checks the [interaction limits](https://docs.github.com/en/rest/interactions/repos), and the number of comments at each table.
async fn check_interactions(github: &GitHub, findings: &mut Findings) -> Result<(), Fault> {
    let limits = get(github, "interaction-limits").await?;
    match (limits.status, limits.body["limit"].as_str()) {
        (200, Some(limit)) => {
            let until = limits.body["expires_at"].as_str().unwrap_or("further notice");
            findings.warning(format!(
                "Interactions are limited to `{limit}` until {until}: nobody else can move until \
                     then."
            ));
        }
        (200, None) => findings.ok("Anyone can comment."),
        _ => note_skipped("The interaction limits", &limits, findings),
    }
    let issues =
        get(github, "issues?labels=play-by-commit&state=open&sort=comments&direction=desc&per_page=100").await?;
    let Some(all) = issues.body.as_array() else {
        note_skipped("The number of comments in the tables' issues", &issues, findings);
        return Ok(());
    };
    let all = all.iter().filter(|issue| issue["pull_request"].is_null());
    let full: Vec<(u64, u64)> = all
        .filter_map(|issue| Some((issue["number"].as_u64()?, issue["comments"].as_u64()?)))
        .filter(|(_, comments)| *comments >= COMMENTS_WARNING)
        .collect();
    for (number, comments) in &full {
        findings.warning(format!(
            "Issue {number} has {comments} of at most {MAX_COMMENTS} comments. Continue in a new issue with `/continue \
             #{number}`."
        ));
    }
    if full.is_empty() {
        findings.ok("No table's issue is nearly full.");
    }
    Ok(())
}

fn note_skipped(what: &str, reply: &GetReply, findings: &mut Findings) {
    let why = match reply.status {
        403 | 404 => ", which this token can't see".to_owned(),
        status => format!(": GitHub answered {status}"),
    };
    findings.skipped(format!("{what}{why}."));
}
