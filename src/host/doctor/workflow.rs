//! Judges a workflow in which this action is a step.

use std::fmt::Display;

use crate::host::action_version::ActionVersion;
use crate::host::cron::check_cron;
use crate::host::doctor::findings::{Findings, Grade};
use crate::host::doctor::version;
use crate::host::inputs;
use crate::host::templates::{BUILDING_MINUTES, BUILDING_RUNNER, WORKFLOW};
use crate::host::workflow_steps::{WorkflowStep, action_inputs, own_steps};
use crate::host::yaml::YamlNode;

/// The events that play, each with the only one of its types that wakes anybody.
const EVENTS: [(&str, &str); 2] = [("issue_comment", "created"), ("issues", "opened")];

/// Judges one workflow. `enterprise`: the repository is on an Enterprise Server.
pub(super) fn judge(step: &WorkflowStep, enterprise: bool, findings: &mut Findings) {
    let mut judge = Judge { step, findings, before: 0 };
    judge.before = judge.faults();
    judge.triggers();
    judge.end_chapter("it starts on comments, on new issues, by hand and by the clock");
    judge.permissions();
    judge.end_chapter("its job may write contents and issues");
    judge.gate();
    judge.end_chapter("its `if:` lets commands in and keeps chat and bots out");
    judge.concurrency(enterprise);
    judge.job(enterprise);
    judge.end_chapter("its job is limited in time, and one thread's runs wait for each other");
    judge.inputs();
    judge.end_chapter("its inputs are known");
    version::judge(step, findings);
}

struct Judge<'a> {
    step: &'a WorkflowStep,
    findings: &'a mut Findings,
    /// The number of faults when the last chapter began.
    before: usize,
}

impl Judge<'_> {
    fn triggers(&mut self) {
        let Some(on) = self.step.root.at("on") else {
            return self.at(1).change("it has no `on:`, so nothing starts it");
        };
        let events = on.words();
        for (event, wanted) in EVENTS {
            if !events.contains(&event) {
                self.at(on.line)
                    .change(format!("`{event}` does not start it. Add `{event}:` with `types: [{wanted}]`"));
                continue;
            }
            let Some(types) = on.path(&[event, "types"]) else {
                self.at(on.line).better(format!(
                    "`{event}` starts it for edits and more as well, which wake nobody. Add `types: [{wanted}]`"
                ));
                continue;
            };
            let words = types.words();
            if !words.contains(&wanted) {
                self.at(types.line)
                    .change(format!("`{event}` does not start it when one is {wanted}. Set `types: [{wanted}]`"));
            }
            let more: Vec<&str> = words.into_iter().filter(|word| *word != wanted).collect();
            if !more.is_empty() {
                let more = more.join("`, `");
                self.at(types.line).better(format!(
                    "`{event}` with `{more}` wakes nobody: edits and the like change no game. Set `types: \
                         [{wanted}]`"
                ));
            }
        }
        if !events.contains(&"schedule") {
            self.at(on.line).change(
                "no `schedule` starts it, so what GitHub drops or delays stays unsettled. Add `schedule:` with a \
                 `cron:` a day",
            );
        }
        let times = on.at("schedule").map(YamlNode::items).unwrap_or_default();
        for time in times.iter().filter_map(|time| time.at("cron")) {
            let cron = time.text().unwrap_or_default();
            if let Err(why) = check_cron(cron) {
                self.at(time.line).change(format!("GitHub starts no run at all, because of `cron: \"{cron}\"`: {why}"));
            }
        }
        if !events.contains(&"workflow_dispatch") {
            self.at(on.line).better("it cannot be started by hand. Add `workflow_dispatch:`");
        }
        let known = ["issue_comment", "issues", "schedule", "workflow_dispatch", "workflow_call"];
        for event in events.into_iter().filter(|event| !known.contains(event)) {
            self.at(on.line).change(format!("games don't use `{event}`, and runs for it fail. Remove it"));
        }
    }

    fn permissions(&mut self) {
        if let Some(token) =
            self.step.input("token").filter(|token| !token.contains("github.token") && !token.contains("GITHUB_TOKEN"))
        {
            if !token.contains("${{") {
                self.at(self.step.node.line).change(
                    "the `token` stands in the file for all to read. Revoke it, and name a secret: `${{ secrets.NAME \
                     }}`",
                );
            }
            self.findings.unseen(format!(
                "{}: it uses a token of its own, and what that may do stands on GitHub.",
                self.step.path
            ));
            return;
        }
        let (name, job) = &self.step.job;
        let top = self.step.root.at("permissions");
        let Some(permissions) = job.at("permissions").or(top) else {
            return self.at(job.line).better(format!(
                "neither it nor its job `{name}` has `permissions:`, so a setting of the repository decides. Give \
                     the job `contents: write` and `issues: write`"
            ));
        };
        match permissions.text() {
            Some("write-all") => {
                return self
                    .at(permissions.line)
                    .better("`write-all` is more than is needed: `contents: write` and `issues: write` are enough");
            }
            Some("read-all") => {
                return self.at(permissions.line).change(
                    "`read-all` lets the bot neither commit nor answer. Set `contents: write` and `issues: write`",
                );
            }
            _ => {}
        }
        for (what, why) in [("contents", "commit"), ("issues", "answer")] {
            if permissions.at(what).and_then(YamlNode::text) != Some("write") {
                self.at(permissions.line)
                    .change(format!("without `{what}: write` in the job's permissions the bot cannot {why}"));
            }
        }
        let more = permissions
            .entries()
            .iter()
            .filter(|(what, may)| !["contents", "issues"].contains(&what.as_str()) && may.text() == Some("write"));
        let more: Vec<String> = more.map(|(what, _)| format!("`{what}: write`")).collect();
        if !more.is_empty() {
            self.at(permissions.line).better(format!("{} is not needed", more.join(" and ")));
        }
        if top.is_none() {
            self.at(1).better(
                "it has no `permissions: {}` at the top, so that a job that names none would get what the repository \
                 gives",
            );
        }
    }

    /// Judges the condition of the job: that of the template is right, and of any other only the missing words can be named.
    fn gate(&mut self) {
        let (name, job) = &self.step.job;
        let Some(gate) = job.at("if") else {
            return self.at(job.line).better(format!(
                "the job `{name}` has no `if:`, so every comment in the repository starts a job, which costs a \
                     minute each where minutes are paid for. README.md of Play by Commit has the one to copy"
            ));
        };
        let text = gate.text().unwrap_or_default();
        let ours = own_steps("", WORKFLOW, None).ok().and_then(|found| found.into_iter().next());
        let ours = ours.as_ref().and_then(|step| step.job.1.at("if")).and_then(YamlNode::text);
        let words =
            |text: &str| text.replace("${{", " ").replace("}}", " ").split_whitespace().collect::<Vec<_>>().join(" ");
        if ours.map(words) == Some(words(text)) {
            return;
        }
        let quiet = text.to_lowercase();
        let mentions = |any: &[&str]| any.iter().any(|word| quiet.contains(word));
        for (any, why) in [
            (
                &["schedule", "event_name !=", "issue_comment' ||"][..],
                "`schedule`: see to it that the daily run gets through",
            ),
            (&["comment.body"], "`github.event.comment.body`: see to it that commands get through"),
            (&["issue.body"], "`github.event.issue.body`: see to it that `/new` in a new issue gets through"),
            (&["play-by-commit"], "the label `play-by-commit`: a bare `b2` at a table does not get through without it"),
            (&["bot", "sender.type", "user.type"], "bots: see to it that answers of bots start no job"),
            (&["pull_request"], "`github.event.issue.pull_request`: comments on pull requests need no job"),
        ] {
            if !mentions(any) {
                self.at(gate.line).better(format!("the `if:` does not mention {why}"));
            }
        }
    }

    fn concurrency(&mut self, enterprise: bool) {
        let Some(concurrency) = self.step.job.1.at("concurrency").or_else(|| self.step.root.at("concurrency")) else {
            return self.at(self.step.job.1.line).better(
                "it has no `concurrency:`, so runs of one thread race. Nothing is lost by that, and a group for each \
                 issue is kinder to the API",
            );
        };
        let group = concurrency.text().or_else(|| concurrency.at("group").and_then(YamlNode::text)).unwrap_or_default();
        let queue = concurrency.at("queue").and_then(YamlNode::text) == Some("max");
        if !group.contains("issue.number") && !queue {
            self.at(concurrency.line).change(
                "its concurrency group is the same for all issues, so a waiting run is dropped for one of another \
                 issue, and its move waits for the daily run. Put `${{ github.event.issue.number }}` into `group:`",
            );
        }
        if concurrency.at("cancel-in-progress").and_then(YamlNode::text) == Some("true") {
            self.at(concurrency.line).better(
                "`cancel-in-progress: true` kills runs in the middle of an answer. Nothing is lost by that, but \
                 answers come late. Set it to false",
            );
        }
        if queue && enterprise {
            self.at(concurrency.line)
                .change("`queue: max` is not known to GitHub Enterprise Server. Leave the line out");
        }
    }

    fn job(&mut self, enterprise: bool) {
        let (name, job) = &self.step.job;
        if job.at("timeout-minutes").is_none() {
            self.at(job.line).better(format!(
                "the job `{name}` has no `timeout-minutes:`, so a run that hangs goes on for six hours. 10 is \
                     enough"
            ));
        }
        let Some(runs_on) = job.at("runs-on") else {
            return self.at(job.line).change(format!("the job `{name}` has no `runs-on:`"));
        };
        let label = runs_on.text().unwrap_or_default();
        let hosted = ["ubuntu-", "windows-", "macos-"].iter().any(|system| label.starts_with(system));
        if hosted && enterprise {
            self.at(runs_on.line).change(format!(
                "`{label}` is a runner of GitHub's, and an Enterprise Server has none. Name the label of one of \
                     yours"
            ));
        } else if hosted && !label.starts_with("ubuntu-") {
            self.at(runs_on.line)
                .better(format!("`{label}` costs a multiple of `ubuntu-slim` where minutes are paid for"));
        }
        // Without a release the action builds itself, which needs Rust.
        let (uses, version) = (self.step.uses(), self.step.version());
        if version.is_built_from_source() {
            if label == "ubuntu-slim" {
                let unless = match version {
                    ActionVersion::Commit { .. } => {
                        ". If it's the commit of a release, add its tag as a comment: `# v1.2.3`"
                    }
                    _ => "",
                };
                self.at(runs_on.line).change(format!(
                    "`{uses}` is no release, so it is built by cargo, and `ubuntu-slim` has none. Set `runs-on: \
                     {BUILDING_RUNNER}`{unless}"
                ));
            }
            let minutes =
                job.at("timeout-minutes").and_then(|node| Some((node.line, node.text()?.parse::<u32>().ok()?)));
            if let Some((line, minutes)) = minutes.filter(|(_, minutes)| *minutes < BUILDING_MINUTES) {
                self.at(line).better(format!(
                    "`{uses}` is no release, and building it may take longer than {minutes} minutes. Set `timeout-minutes: \
                     {BUILDING_MINUTES}`"
                ));
            }
        }
        for step in job.at("steps").map(YamlNode::items).unwrap_or_default() {
            let script = step.at("run").and_then(YamlNode::text).unwrap_or_default();
            let quoted = ["github.event.comment.body", "github.event.issue.body", "github.event.issue.title"];
            if quoted.iter().any(|text| {
                script
                    .split("${{")
                    .skip(1)
                    .any(|part| part.split("}}").next().is_some_and(|inner| inner.contains(text)))
            }) {
                self.at(step.line).change(
                    "a script of the same job has text of a comment or an issue in it as an expression, so anyone can \
                     run commands there. Hand it on as an environment variable",
                );
            }
        }
    }

    fn inputs(&mut self) {
        let known = action_inputs();
        let given = self.step.node.at("with").map(YamlNode::entries).unwrap_or_default();
        for (name, value) in given {
            let text = value.text().unwrap_or_default();
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                let near = known.iter().min_by_key(|known| strsim::damerau_levenshtein(known, name));
                let near = near.filter(|near| strsim::damerau_levenshtein(near, name) <= 3);
                let hint = near
                    .map_or(format!("There are: {}", known.join(", ")), |near| format!("`{near}` is meant, perhaps"));
                self.at(value.line).change(format!("there is no input `{name}`, so it does nothing. {hint}"));
            } else if text.contains("${{") {
                // What an expression comes to is known when it runs.
            } else if name == "dice-secret" && !text.is_empty() {
                self.at(value.line).change(
                    "the `dice-secret` stands in the file for all to read, so throws can be foreseen. Name a secret: \
                     `${{ secrets.DICE_SECRET }}`",
                );
            } else if let Err(why) = inputs::check_input(&name.to_lowercase(), text) {
                self.at(value.line).change(format!("{why}"));
            }
        }
    }

    /// Returns the place of a finding: a line of the workflow.
    fn at(&mut self, line: usize) -> Spot<'_> {
        Spot { findings: self.findings, before: format!("{}, line {line}: ", self.step.path) }
    }

    /// Ends a chapter; one without a fault is good.
    fn end_chapter(&mut self, sentence: &str) {
        if self.faults() == self.before {
            self.findings.good(format!("{}: {sentence}.", self.step.path));
        }
        self.before = self.faults();
    }

    fn faults(&self) -> usize {
        self.findings.all.iter().filter(|finding| finding.grade != Grade::Good).count()
    }
}

/// A place in a workflow, about which there is a finding.
struct Spot<'a> {
    findings: &'a mut Findings,
    before: String,
}

impl Spot<'_> {
    fn change(self, sentence: impl Display) {
        self.findings.change(format!("{}{sentence}.", self.before));
    }

    fn better(self, sentence: impl Display) {
        self.findings.better(format!("{}{sentence}.", self.before));
    }
}
