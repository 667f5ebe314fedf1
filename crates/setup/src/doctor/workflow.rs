//! Checks a workflow that uses this action.

use std::fmt::Display;

use crate::inputs;

use crate::action_version::ActionVersion;
use crate::cron::check_cron;
use crate::doctor::findings::{Findings, Grade};
use crate::doctor::version;
use crate::templates::{BUILD_MINUTES, BUILD_RUNNER, WORKFLOW};
use crate::workflow_steps::{WorkflowStep, action_inputs, play_steps};
use crate::yaml::YamlNode;

/// The events that games use, each with its only useful type.
const EVENT_TYPES: [(&str, &str); 2] = [("issue_comment", "created"), ("issues", "opened")];

/// Checks a step that plays, with its workflow and its job.
///
/// `enterprise` says whether the repository is on GitHub Enterprise Server.
pub(super) fn check_workflow(step: &WorkflowStep, enterprise: bool, findings: &mut Findings) {
    let mut check = WorkflowCheck { step, findings, problems_before: 0 };
    check.problems_before = check.problem_count();
    check.check_triggers();
    check.finish_section("it starts on comments, on new issues, by hand and on a schedule");
    check.check_permissions();
    check.finish_section("its job can write contents and issues");
    check.check_condition();
    check.finish_section("its `if:` lets commands in and keeps chat and bots out");
    check.check_concurrency(enterprise);
    check.check_job(enterprise);
    check.finish_section("its job has a time limit, and the runs of one issue wait for each other");
    check.check_inputs();
    check.finish_section("its inputs are valid");
    version::check_action_version(step, findings);
}

/// The checks of one step that plays.
struct WorkflowCheck<'a> {
    step: &'a WorkflowStep,
    findings: &'a mut Findings,
    /// The number of problems at the start of the current section.
    problems_before: usize,
}

impl WorkflowCheck<'_> {
    fn check_triggers(&mut self) {
        let Some(on) = self.step.root.get("on") else {
            return self.at_line(1).error("it has no `on:`, so nothing starts it");
        };
        let events = on.names();
        for (event, wanted) in EVENT_TYPES {
            if !events.contains(&event) {
                self.at_line(on.line)
                    .error(format!("`{event}` doesn't start it. Add `{event}:` with `types: [{wanted}]`"));
                continue;
            }
            let Some(types) = on.get_path(&[event, "types"]) else {
                self.at_line(on.line).warning(format!(
                    "`{event}` also starts it for edits and the like, which change no game. Add `types: [{wanted}]`"
                ));
                continue;
            };
            let names = types.names();
            if !names.contains(&wanted) {
                self.at_line(types.line)
                    .error(format!("`{event}` doesn't start it for `{wanted}`. Set `types: [{wanted}]`"));
            }
            let more: Vec<&str> = names.into_iter().filter(|name| *name != wanted).collect();
            if !more.is_empty() {
                let more = more.join("`, `");
                self.at_line(types.line).warning(format!(
                    "`{event}` with `{more}` starts runs that change no game. Set `types: \
                         [{wanted}]`"
                ));
            }
        }
        if !events.contains(&"schedule") {
            self.at_line(on.line).error(
                "it has no `schedule:`, so if GitHub drops a run, nobody answers its comment. Add `schedule:` with a \
                 daily `cron:`",
            );
        }
        let times = on.get("schedule").map(YamlNode::items).unwrap_or_default();
        for time in times.iter().filter_map(|time| time.get("cron")) {
            let cron = time.as_str().unwrap_or_default();
            if let Err(why) = check_cron(cron) {
                self.at_line(time.line).error(format!(
                    "GitHub rejects the whole workflow because of `cron: \"{cron}\"`: \
                     {why}"
                ));
            }
        }
        if !events.contains(&"workflow_dispatch") {
            self.at_line(on.line).warning("you can't start it by hand. Add `workflow_dispatch:`");
        }
        let known = ["issue_comment", "issues", "schedule", "workflow_dispatch", "workflow_call"];
        for event in events.into_iter().filter(|event| !known.contains(event)) {
            self.at_line(on.line).error(format!("games don't use `{event}`, and runs for it fail. Remove it"));
        }
    }

    fn check_permissions(&mut self) {
        if let Some(token) = self.step.input("token")
            && !token.contains("github.token")
            && !token.contains("GITHUB_TOKEN")
        {
            if !token.contains("${{") {
                self.at_line(self.step.node.line).error(
                    "everyone can read the `token` in this file. Revoke it, and use a secret: `${{ secrets.NAME \
                     }}`",
                );
            }
            self.findings.skipped(format!("{}: the permissions of its own token.", self.step.path));
            return;
        }
        let (name, job) = &self.step.job;
        let top = self.step.root.get("permissions");
        let Some(permissions) = job.get("permissions").or(top) else {
            return self.at_line(job.line).warning(format!(
                "neither the workflow nor its job `{name}` has `permissions:`, so a repository setting decides. Give \
                 the job `contents: write` and `issues: write`"
            ));
        };
        match permissions.as_str() {
            Some("write-all") => {
                return self
                    .at_line(permissions.line)
                    .warning("`write-all` grants too much: `contents: write` and `issues: write` are enough");
            }
            Some("read-all") => {
                return self.at_line(permissions.line).error(
                    "with `read-all`, the bot can neither commit nor answer. Set `contents: write` and `issues: write`",
                );
            }
            _ => {}
        }
        for (name, action) in [("contents", "commit"), ("issues", "answer")] {
            if permissions.get(name).and_then(YamlNode::as_str) != Some("write") {
                self.at_line(permissions.line)
                    .error(format!("the bot can't {action} without `{name}: write` in the job's permissions"));
            }
        }
        let more = permissions.entries().iter().filter(|(name, access)| {
            !["contents", "issues"].contains(&name.as_str()) && access.as_str() == Some("write")
        });
        let more: Vec<String> = more.map(|(name, _)| format!("`{name}: write`")).collect();
        if !more.is_empty() {
            self.at_line(permissions.line).warning(format!("the bot doesn't need {}", more.join(" and ")));
        }
        if top.is_none() {
            self.at_line(1).warning(
                "it has no `permissions: {}` at the top, so a job without its own gets the repository's default",
            );
        }
    }

    /// Checks the `if:` of the job. One that differs from the template's is only searched for the parts it needs.
    fn check_condition(&mut self) {
        let (name, job) = &self.step.job;
        let Some(condition) = job.get("if") else {
            return self.at_line(job.line).warning(format!(
                "the job `{name}` has no `if:`, so every comment in the repository starts a job. In a private \
                 repository, each costs a minute. Copy the `if:` from the README of Play by Commit"
            ));
        };
        let text = condition.as_str().unwrap_or_default();
        let template = play_steps("", WORKFLOW, None).ok().and_then(|found| found.into_iter().next());
        let template = template.as_ref().and_then(|step| step.job.1.get("if")).and_then(YamlNode::as_str);
        let normalize =
            |text: &str| text.replace("${{", " ").replace("}}", " ").split_whitespace().collect::<Vec<_>>().join(" ");
        if template.map(normalize) == Some(normalize(text)) {
            return;
        }
        let lowercase = text.to_lowercase();
        for (words, advice) in [
            (
                &["schedule", "event_name !=", "issue_comment' ||"][..],
                "`schedule`: make sure that the daily run gets through",
            ),
            (&["comment.body"], "`github.event.comment.body`: make sure that commands get through"),
            (&["issue.body"], "`github.event.issue.body`: make sure that `/new` in a new issue gets through"),
            (&["play-by-commit"], "the label `play-by-commit`: without it, a bare `b2` at a table doesn't get through"),
            (&["bot", "sender.type", "user.type"], "bots: make sure that bots' comments don't start jobs"),
            (&["pull_request"], "`github.event.issue.pull_request`: comments on pull requests don't need a job"),
        ] {
            if !words.iter().any(|word| lowercase.contains(word)) {
                self.at_line(condition.line).warning(format!("the `if:` doesn't mention {advice}"));
            }
        }
    }

    fn check_concurrency(&mut self, enterprise: bool) {
        let Some(concurrency) = self.step.job.1.get("concurrency").or_else(|| self.step.root.get("concurrency")) else {
            return self.at_line(self.step.job.1.line).warning(
                "it has no `concurrency:`, so runs of one issue race. No move is lost, but a group for each issue \
                 saves API requests",
            );
        };
        let group =
            concurrency.as_str().or_else(|| concurrency.get("group").and_then(YamlNode::as_str)).unwrap_or_default();
        let has_queue = concurrency.get("queue").and_then(YamlNode::as_str) == Some("max");
        if !group.contains("issue.number") && !has_queue {
            self.at_line(concurrency.line).error(
                "its concurrency group is the same for all issues, so GitHub drops waiting runs, and their moves \
                 wait for the daily run. Add `${{ github.event.issue.number }}` to `group:`",
            );
        }
        if concurrency.get("cancel-in-progress").and_then(YamlNode::as_str) == Some("true") {
            self.at_line(concurrency.line).warning(
                "`cancel-in-progress: true` stops runs in the middle of an answer. No move is lost, but answers come \
                 late. Set it to false",
            );
        }
        if has_queue && enterprise {
            self.at_line(concurrency.line)
                .error("GitHub Enterprise Server doesn't know `queue: max`. Leave the line out");
        }
    }

    fn check_job(&mut self, enterprise: bool) {
        let (name, job) = &self.step.job;
        if job.get("timeout-minutes").is_none() {
            self.at_line(job.line).warning(format!(
                "the job `{name}` has no `timeout-minutes:`, so a stuck run takes six hours. 10 minutes are enough"
            ));
        }
        let Some(runs_on) = job.get("runs-on") else {
            return self.at_line(job.line).error(format!("the job `{name}` has no `runs-on:`"));
        };
        let label = runs_on.as_str().unwrap_or_default();
        let is_hosted = ["ubuntu-", "windows-", "macos-"].iter().any(|system| label.starts_with(system));
        if is_hosted && enterprise {
            self.at_line(runs_on.line).error(format!(
                "`{label}` is one of GitHub's own runners, which an Enterprise Server doesn't have. Use the label of \
                 your own runner"
            ));
        } else if is_hosted && !label.starts_with("ubuntu-") {
            self.at_line(runs_on.line)
                .warning(format!("in a private repository, `{label}` costs several times as much as `ubuntu-slim`"));
        }
        // A version that isn't a release is built from source, which needs Rust.
        let (uses, version) = (self.step.uses(), self.step.version());
        if version.is_built_from_source() {
            if label == "ubuntu-slim" {
                let advice = match version {
                    ActionVersion::Commit { .. } => {
                        ". If it's the commit of a release, add its tag as a comment: `# v1.2.3`"
                    }
                    _ => "",
                };
                self.at_line(runs_on.line).error(format!(
                    "`{uses}` isn't a release, so cargo builds it, and `ubuntu-slim` has no cargo. Set `runs-on: \
                     {BUILD_RUNNER}`{advice}"
                ));
            }
            if let Some(limit) = job.get("timeout-minutes")
                && let Some(minutes) = limit.as_str().and_then(|text| text.parse::<u32>().ok())
                && minutes < BUILD_MINUTES
            {
                self.at_line(limit.line).warning(format!(
                    "`{uses}` isn't a release, and building it may take longer than {minutes} minutes. Set \
                     `timeout-minutes: \
                     {BUILD_MINUTES}`"
                ));
            }
        }
        for step in job.get("steps").map(YamlNode::items).unwrap_or_default() {
            let script = step.get("run").and_then(YamlNode::as_str).unwrap_or_default();
            let untrusted = ["github.event.comment.body", "github.event.issue.body", "github.event.issue.title"];
            let mut expressions = script.split("${{").skip(1).filter_map(|part| part.split("}}").next());
            if expressions.any(|expression| untrusted.iter().any(|text| expression.contains(text))) {
                self.at_line(step.line).error(
                    "a script in the same job contains the text of a comment or an issue as an expression, so anyone \
                     can run commands there. Pass it as an environment variable",
                );
            }
        }
    }

    fn check_inputs(&mut self) {
        let known = action_inputs();
        let given = self.step.node.get("with").map(YamlNode::entries).unwrap_or_default();
        for (name, value) in given {
            let text = value.as_str().unwrap_or_default();
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                let nearest = known.iter().min_by_key(|known| strsim::damerau_levenshtein(known, name));
                let nearest = nearest.filter(|nearest| strsim::damerau_levenshtein(nearest, name) <= 3);
                let hint = nearest.map_or(format!("The inputs are: {}", known.join(", ")), |nearest| {
                    format!("Perhaps you mean `{nearest}`")
                });
                self.at_line(value.line).error(format!("there is no input `{name}`, so it does nothing. {hint}"));
            } else if text.contains("${{") {
                // An expression has no value until the workflow runs.
            } else if name == "dice-secret" && !text.is_empty() {
                self.at_line(value.line).error(
                    "everyone can read the `dice-secret` in this file and predict the rolls. Use a secret: \
                     `${{ secrets.DICE_SECRET }}`",
                );
            } else if let Err(why) = inputs::check_input(&name.to_lowercase(), text) {
                self.at_line(value.line).error(format!("{why}"));
            }
        }
        for name in ["doctor", "probe"] {
            let offered = self.step.root.get_path(&["on", "workflow_dispatch", "inputs", name]);
            if let Some(line) = offered.filter(|_| self.step.input(name).is_none()).map(|input| input.line) {
                self.at_line(line).error(format!(
                    "the step doesn't get the input `{name}`, so *Run workflow* plays instead. Add `{name}: ${{{{ inputs.{name} }}}}` \
                     below its `with:`"
                ));
            }
        }
    }

    /// Returns the location for a finding in this line of the workflow.
    fn at_line(&mut self, line: usize) -> Location<'_> {
        Location { findings: self.findings, prefix: format!("{}, line {line}: ", self.step.path) }
    }

    /// Ends a section of checks, with this finding if it had no problem.
    fn finish_section(&mut self, sentence: &str) {
        if self.problem_count() == self.problems_before {
            self.findings.ok(format!("{}: {sentence}.", self.step.path));
        }
        self.problems_before = self.problem_count();
    }

    fn problem_count(&self) -> usize {
        self.findings.all.iter().filter(|finding| finding.grade != Grade::Ok).count()
    }
}

/// A line of a workflow that a finding is about.
struct Location<'a> {
    findings: &'a mut Findings,
    prefix: String,
}

impl Location<'_> {
    fn error(self, sentence: impl Display) {
        self.findings.error(format!("{}{sentence}.", self.prefix));
    }

    fn warning(self, sentence: impl Display) {
        self.findings.warning(format!("{}{sentence}.", self.prefix));
    }
}
