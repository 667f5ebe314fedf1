//! The doctor: checks a repository's setup without changing it. `facts!` holds the text of each finding.
//!
//! A work tree ([`offline`]) and a commit on GitHub ([`online`]) get the same checks of their files. The doctor also lists the
//! checks that it had to skip.

mod files;
pub mod offline;
pub mod online;
mod workflow;

use std::fmt;
use std::fmt::{Display, Formatter};

use table::{IssueNumber, Oid};

use crate::action_version::ACTION;
use crate::templates::{BUILD_MINUTES, BUILD_RUNNER};
use crate::{FORM_PATH, LINK_FORM_PATH};

// The grades of findings.

/// The grade of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// A problem: games don't work as they should until the host fixes it.
    Error,
    /// A possible improvement: games work as they are.
    Warning,
    /// A skipped check. The fact says why.
    Skipped,
    /// A check without a problem.
    Good,
}

impl Grade {
    /// Returns the grade as a label for a report.
    pub fn label(self) -> &'static str {
        match self {
            Grade::Error => "to change",
            Grade::Warning => "could be better",
            Grade::Skipped => "not checked",
            Grade::Good => "good",
        }
    }
}

// The findings of the doctor, with their grades and places.

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    /// The path of the file that its sentence begins with, from the root of the repository.
    path: Option<String>,
    /// The line in that file, counted from 1.
    line: Option<usize>,
    fact: Fact,
}

/// All findings, in the order of the checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    all: Vec<Finding>,
}

/// Formats the finding as a sentence with its period.
impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let line = self.line.map_or(String::new(), |line| format!(", line {line}"));
        let place = self.path.as_ref().map_or(String::new(), |path| format!("{path}{line}: "));
        let sentence = format!("{place}{}", self.fact);
        // Text that is quoted from a file must not start a new line.
        let line: String = sentence.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        // A quoted sentence has a period already.
        write!(f, "{}.", line.trim_end_matches('.'))
    }
}

impl Findings {
    /// Adds a fact that isn't about a file, or whose text already names it.
    fn add(&mut self, fact: Fact) {
        self.push(Finding { path: None, line: None, fact });
    }

    /// Adds a fact about a file.
    fn add_at(&mut self, path: &str, line: impl Into<Option<usize>>, fact: Fact) {
        self.push(Finding { path: Some(path.to_owned()), line: line.into(), fact });
    }

    /// Returns the sentences of the findings with this grade.
    pub fn sentences(&self, grade: Grade) -> impl Iterator<Item = String> {
        self.all.iter().filter(move |finding| finding.fact.grade() == grade).map(Finding::to_string)
    }

    /// Returns the number of findings of each grade, as a sentence.
    pub fn summary(&self) -> String {
        let [errors, warnings, skipped, good] =
            [Grade::Error, Grade::Warning, Grade::Skipped, Grade::Good].map(|grade| self.sentences(grade).count());
        format!("{good} good, {errors} to change, {warnings} could be better, {skipped} not checked.")
    }

    /// Whether nothing was checked.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether every check was skipped.
    fn are_all_skipped(&self) -> bool {
        self.all.iter().all(|finding| finding.fact.grade() == Grade::Skipped)
    }

    /// Whether a finding is about this file.
    fn has_place(&self, path: &str) -> bool {
        self.all.iter().any(|finding| finding.path.as_deref() == Some(path))
    }

    /// Whether this fact was found in this file.
    fn has_fact(&self, path: &str, fact: &Fact) -> bool {
        self.all.iter().any(|finding| finding.path.as_deref() == Some(path) && finding.fact == *fact)
    }

    /// Returns the number of findings that aren't good.
    pub(crate) fn problem_count(&self) -> usize {
        self.all.iter().filter(|finding| finding.fact.grade() != Grade::Good).count()
    }

    fn push(&mut self, finding: Finding) {
        if !self.all.contains(&finding) {
            self.all.push(finding);
        }
    }
}

// Every finding of the doctor, with its grade and text.
//
// Texts don't end with a period. If a finding has a place, it's printed first.

/// Defines the facts. The names in braces are those of the fields.
macro_rules! facts {
    ($($grade:ident $name:ident $({ $($field:ident: $type:ty),* })? => $text:literal;)*) => {
        /// A fact about a repository. Its text explains its fields.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) enum Fact {
            $($name $({ $($field: $type),* })?,)*
        }

        impl Fact {
            /// Returns the grade of a finding with this fact.
            pub(crate) fn grade(&self) -> Grade {
                match self {
                    $(Fact::$name $({ $($field: _),* })? => Grade::$grade,)*
                }
            }
        }

        /// Formats the fact as sentences, without a period at the end.
        impl Display for Fact {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                match self {
                    $(Fact::$name $({ $($field),* })? => write!(f, $text),)*
                }
            }
        }
    };
}

facts! {
    // The workflow that plays.
    Error NoWorkflow => "No workflow here uses play-by-commit. `play-by-commit init` writes one, unless a server plays here. If yours \
        uses a mirror with another name, add the input `doctor` to its step";
    Error InvalidYaml { path: String, why: String } => "{path} can't be read as YAML: {why}";
    Error Unreadable { why: String } => "{why}";
    Error RivalStep { rival: String } => "{rival} plays the same games, so each comment starts two runs that race. Delete one of them";
    Warning SeveralSteps => "More than one step plays here, and each comment starts all of them. Give them different games, with the \
        input `games`, or delete all but one";

    // Its triggers.
    Good GoodTriggers => "it starts on comments, on new issues and by hand";
    Good GoodSchedule => "it starts on a schedule and by hand";
    Error NoTriggers => "it has no `on:`, so nothing starts it";
    Error MissingEvent { event: &'static str, wanted: &'static str } =>
        "`{event}` doesn't start it. Add `{event}:` with `types: [{wanted}]`";
    Warning EventOfAnyType { event: &'static str, wanted: &'static str } =>
        "`{event}` also starts it for events that never change a game. Add `types: [{wanted}]`";
    Error MissingEventType { event: &'static str, wanted: &'static str } =>
        "`{event}` doesn't start it for `{wanted}`. Set `types: [{wanted}]`";
    Warning UselessEventTypes { event: &'static str, wanted: &'static str, more: String } =>
        "`{event}` with `{more}` starts runs that never change a game. Set `types: [{wanted}]`";
    Warning NoSchedule => "no workflow here has a `schedule:`, so if GitHub drops a run, nobody answers its comment. `play-by-commit \
        init` writes a daily one";
    Error OnlySchedule => "no workflow here has comments start it, so nobody can play. Copy play.yml from the README of Play by Commit, \
        with the same inputs";
    Warning ScheduleWithComments => "in a public repository, GitHub disables a workflow with a `schedule:` after sixty quiet days, \
        comments included. `play-by-commit init` moves the schedule to a file of its own";
    Good DailyBesideServer => "a server answers the comments, and this finds what it missed";
    Warning WorkflowBesideServer { bot: String } => "the setting `bots` names `{bot}`. If its server plays here now, delete this file, \
        because both would answer";
    Error OtherGames { play: String } => "its `branch` or `state-dir` differs from the one in {play}, so it settles other games. Copy \
        both from there";
    Warning OtherInputs { play: String, names: String } => "the daily run has other inputs than {play}: `{names}`. Copy them from there";
    Error InvalidCron { cron: String, why: String } =>
        "GitHub rejects the whole workflow because of `cron: \"{cron}\"`: {why}";
    Warning NoDispatch => "you can't start it by hand. Add `workflow_dispatch:`";
    Error UnknownEvent { event: String } => "games don't use `{event}`, and runs for it fail. Remove it";

    // Its permissions.
    Good GoodPermissions => "its job can write contents and issues";
    Skipped OwnToken => "the permissions of its own token";
    Error PublicToken => "everyone can read the `token` in this file. Revoke it, and use a secret: `${{{{ secrets.NAME }}}}`";
    Warning NoPermissions { job: String } => "neither the workflow nor its job `{job}` has `permissions:`, so a repository setting \
        decides. Give the job `contents: write` and `issues: write`";
    Warning WriteAll => "`write-all` grants too much: `contents: write` and `issues: write` are enough";
    Error ReadAll => "with `read-all`, the bot can neither commit nor answer. Set `contents: write` and `issues: write`";
    Error MissingPermission { scope: &'static str, action: &'static str } =>
        "the bot can't {action} without `{scope}: write` in the job's permissions";
    Warning UselessPermissions { list: String } => "the bot doesn't need {list}";
    Warning NoDefaultPermissions => "it has no `permissions: {{}}` at the top, so a job without its own gets the repository's default";

    // Its condition.
    Good GoodCondition => "its `if:` lets commands in and keeps chat and bots out";
    Warning NoCondition { job: String } => "the job `{job}` has no `if:`, so every comment in the repository starts a job. In a private \
        repository, each costs a minute. Copy the `if:` from the README of Play by Commit";
    Warning ConditionWithoutSchedule => "the `if:` doesn't mention `schedule`: make sure that the daily run gets through";
    Warning ConditionWithoutComment =>
        "the `if:` doesn't mention `github.event.comment.body`: make sure that commands get through";
    Warning ConditionWithoutIssue =>
        "the `if:` doesn't mention `github.event.issue.body`: make sure that `/new` in a new issue gets through";
    Warning ConditionWithoutLabel =>
        "the `if:` doesn't mention the label `play-by-commit`: without it, a bare `b2` at a table doesn't get through";
    Warning ConditionWithoutBots => "the `if:` doesn't mention bots: make sure that bots' comments don't start jobs";
    Warning ConditionWithoutPullRequest => "the `if:` doesn't mention `github.event.issue.pull_request`: comments on pull requests don't \
        need a job";

    // Its job.
    Good GoodJob => "its job has a time limit, and the runs of one issue wait for each other";
    Warning NoConcurrency => "it has no `concurrency:`, so runs of one issue race. No move is lost, but a group for each issue saves API \
        requests";
    Error SharedGroup => "its concurrency group is the same for all issues, so GitHub drops waiting runs, and their moves wait for the \
        daily run. Add `${{{{ github.event.issue.number }}}}` to `group:`";
    Warning CanceledRuns => "`cancel-in-progress: true` stops runs in the middle of an answer. No move is lost, but answers come late. Set \
        it to false";
    Error QueueOnEnterprise => "GitHub Enterprise Server doesn't know `queue: max`. Leave the line out";
    Warning NoTimeout { job: String } => "the job `{job}` has no `timeout-minutes:`, so a stuck run takes six hours. 10 minutes are enough";
    Error NoRunner { job: String } => "the job `{job}` has no `runs-on:`";
    Error HostedOnEnterprise { label: String } => "`{label}` is one of GitHub's own runners, which an Enterprise Server doesn't have. Use \
        the label of your own runner";
    Warning CostlyRunner { label: String } =>
        "in a private repository, `{label}` costs several times as much as `ubuntu-slim`";
    Error RunnerWithoutCargo { uses: String } => "`{uses}` isn't a release, so cargo builds it, and `ubuntu-slim` has no cargo. Set \
        `runs-on: {BUILD_RUNNER}`";
    Error RunnerWithoutCargoForCommit { uses: String } => "`{uses}` isn't a release, so cargo builds it, and `ubuntu-slim` has no cargo. \
        Set `runs-on: {BUILD_RUNNER}`. If it's the commit of a release, add its tag as a comment: `# v1.2.3`";
    Warning ShortBuild { uses: String, minutes: u32 } => "`{uses}` isn't a release, and building it may take longer than {minutes} \
        minutes. Set `timeout-minutes: {BUILD_MINUTES}`";
    Error UntrustedScript => "a script in the same job contains the text of a comment or an issue as an expression, so anyone can run \
        commands there. Pass it as an environment variable";

    // Its inputs.
    Good GoodInputs => "its inputs are valid";
    Error UnknownInput { name: String, known: String } =>
        "there is no input `{name}`, so it does nothing. The inputs are: {known}";
    Warning OldInput => "there is no input `probe` any more. Remove it from the step and from `workflow_dispatch:`";
    Error MisspelledInput { name: String, nearest: String } =>
        "there is no input `{name}`, so it does nothing. Perhaps you mean `{nearest}`";
    Error InvalidInput { why: String } => "{why}";
    Error PublicDiceSecret => "everyone can read the `dice-secret` in this file and predict the rolls. Use a secret: \
        `${{{{ secrets.DICE_SECRET }}}}`";
    Error UnusedDispatchInput => "the step doesn't get the input `doctor`, so *Run workflow* plays instead. Add \
        `doctor: ${{{{ inputs.doctor }}}}` below its `with:`";

    // The settings file.
    Good GoodSettings => "its settings are valid";
    Good SharedSettings => "the settings of this repository are in the owner's repository `.github`";
    Error InvalidSetting { why: String } => "{why}";
    Error ContradictingInput { why: String } => "{why}. Until then, every run fails";
    Warning NoWorkflowForSettings => "No workflow here uses play-by-commit, so a server has to play. Otherwise, `play-by-commit init` \
        writes a workflow";

    // The action and its version.
    Warning OtherAction { action: String } => "`{action}` isn't the action of this project, and its job can write to your repository. Use \
        `{ACTION}`, unless this is a fork or a mirror that you trust";
    Error NoVersion { uses: String } => "`{uses}` names no version. Write `{uses}@v1`";
    Warning FollowsBranch { uses: String, action: String, branch: String } => "`{uses}` follows a branch, `{branch}`, and is rebuilt \
        whenever it moves. Use `{action}@v1`, or pin a full commit id";
    Warning UnknownTag { action: String, tag: String } => "this program doesn't know `{tag}` of the action. If there is no such tag, no \
        run starts: check it, or use `{action}@v1`";
    Good FollowsTag { tag: String } =>
        "the action follows the tag `{tag}`. `play-by-commit init --version SHA` pins a commit instead";
    Good PinnedCommit { commit: String } => "the action is pinned to the commit {commit}";
    Good LocalAction => "it uses the action in this repository";

    // The workflow that publishes the site.
    Good GoodSite => "it publishes the site after each run";
    Error ArtifactOnEnterprise => "newer Pages actions don't run on GitHub Enterprise Server. From 3.9 on, use actions/deploy-pages@v3 \
        with actions/upload-pages-artifact@v2. Or build the site with `play-by-commit site --out DIR` and put its files on any web server";
    Error SiteMissesRuns { workflows: String } => "moves don't reach the site, because the bot's commits don't start workflows. Set \
        `workflow_run:` with `{workflows}` and `types: [completed]`";
    Error MissingSitePermission { scope: &'static str, access: &'static str } =>
        "GitHub can't publish the site without `{scope}: {access}` in the job's permissions";
    Error OtherStateDir { play: String, dir: String } =>
        "its `state-dir` differs from the one in {play}, so it shows other games. Set `state-dir: {dir}`";
    Error OtherCacheKey { key: String, dir: String } =>
        "the key of its cache is `{key}`, so new moves don't reach the site. Use `hashFiles('{dir}/**')`";
    Error OtherBranch { site: String, play: String, on: String, wanted: String } => "it reads `{site}`, but {play} plays on {on}. Set \
        `ref: {wanted}` in its checkout, or run `play-by-commit init --site`";

    // The issue form.
    Warning NoForm => "There is no {FORM_PATH}, so players have to know what to type. `play-by-commit init` adds it";
    Warning NoLinkForm => "There is no {LINK_FORM_PATH}, so with `only-labels` the links of a board do nothing. `play-by-commit init` \
        adds it";
    Good FormUpToDate => "up to date, with every game people can play";
    Good FormComplete => "it offers every game people can play";
    Error FormWithoutGame => "label the first question `Game`, because that's how the bot recognizes a filled-in form";
    Error UnknownQuestion { label: String } => "remove the question `{label}`, or a filled-in form starts no game. The bot only knows \
        `Game`, `Opponent` and `Options`";
    Error UnknownGame { name: String } => "{FORM_PATH} offers `{name}`, but there is no such game. Remove it";
    Error ForbiddenGame { name: String } => "{FORM_PATH} offers `{name}`, but `games` doesn't allow it";
    Warning FormLacksGames { games: String } => "{FORM_PATH} doesn't offer {games}";
    Warning BlankIssuesOff => "with `blank_issues_enabled: false`, links on boards and links to the next game lead to GitHub's template \
        chooser instead of a filled-in issue. Set it to true";

    // Records and standings.
    Good NoRecords { dir: String } => "There are no records in `{dir}` yet";
    Error GamesElsewhere { dir: String, found: String, count: usize } => "There are no records in `{dir}`, the `state-dir` of the \
        workflow, but `{found}` has {count}. Set `state-dir: {found}`, or move that folder";
    Good OneRecord { dir: String } => "The only record in `{dir}` replays correctly";
    Good Records { dir: String, count: usize } => "All {count} records in `{dir}` replay correctly";
    Warning ForeignGames { count: usize } => "The bot leaves the games of another repository alone ({count}). If this is a copy, \
        run `play-by-commit adopt` in a clone to continue them here";
    Error DamagedRecord { path: String, why: String } => "{path} is damaged: {why}. Restore it from an earlier commit";
    Error ByteOrderMark { path: String } => "{path} is damaged: it begins with a byte order mark, which some editors add to UTF-8. Restore \
        it from an earlier commit";
    Error OtherRound { path: String, round: u32 } =>
        "{path} is damaged: `round` is {round}, but the file is named for another round";
    Warning MissingRound { path: String, round: u32 } => "{path} is missing: round {round} of that table is no longer on the site. \
        Restore it from an earlier commit";
    Warning NearLimit { path: String, count: usize, limit: usize, unit: &'static str } => "{path} has {count} of at most {limit} {unit}. \
        Finish that game soon; its rematch starts with an empty record";
    Warning MissingSummary { path: String } => "{path} is missing, so lists leave that game out. The next move of a game writes it, or \
        the daily run if the issue is recent";
    Warning MissingSummaries { path: String, more: usize } => "{path} is missing, so lists leave that game out. The same goes for {more} \
        other games. A game's next move writes its file, and so does the daily run if the issue is recent";
    Warning DamagedList { path: String, why: String } => "{path} is damaged: {why}. The daily run writes it again";
    Error WrongStandings { why: String } => "The standings are wrong: {why}";
    Good GoodStandings { results: usize, people: usize } => "The standings are correct. Results: {results}; players: {people}";
    Warning IgnoredByGit { dir: String } => "Git ignores `{dir}`. The bot still commits games there, but `git add` leaves them out. Take \
        it out of `.gitignore`";

    // Pages.
    Good GoodMarkers => "its markers are correct";
    Error InvalidMarker { why: String } => "{why}";
    Warning PageOfNoTable { path: String, table: IssueNumber } => "{path} shows table {table}, but that table has no game yet";
    Warning HiddenMarkers => "its markers are inside a code block or another comment, so the bot ignores them. Move them out";
    Error MissingPage { path: String } => "The input `pages` names {path}, but the games' branch has no such file";
    Warning PageOnOtherBranch { path: String, branch: String } => "{path} has markers here, but with `branch: {branch}` the bot only \
        updates pages on that branch. Link people to the page there, or keep the games on this branch";

    // Checks that need GitHub, or another branch.
    Skipped GamesOnOtherBranch { branch: String } => "The games are on the branch `{branch}`, which isn't checked out here. To check the \
        records, the standings and the pages, run this in a work tree of that branch";
    Skipped SettingsOnGitHub => "GitHub's settings. `play-by-commit doctor --online OWNER/NAME` checks them, with a token in GITHUB_TOKEN. \
        So does the workflow, if you start it by hand and check `doctor`";
    Skipped Unanswered { what: &'static str, why: String } => "{what}: {why}";
    Skipped Hidden { what: &'static str } => "{what}, which this token can't see";
    Skipped UnexpectedStatus { what: &'static str, status: u16 } => "{what}: GitHub answered {status}";
    Skipped HiddenTokenPermissions => "The permissions of the workflow's token, which only a write would show";
    Skipped FilesNotListed { commit: Oid, status: u16 } => "The files at commit {commit}: GitHub didn't list them ({status})";
    Skipped TooManyFiles => "Some files, because the repository has more than GitHub lists at once";
    Skipped OldestFiles { skipped: usize, all: usize } => "The oldest {skipped} of {all} game files, and the standings. `play-by-commit \
        doctor` in a clone checks all of them";

    // The settings of the repository.
    Error EmptyRepository => "The repository is empty: it needs a first commit";
    Error Archived => "The repository is archived, so nobody can comment and nothing can be committed. Unarchive it in the settings";
    Error Disabled => "GitHub has disabled the repository";
    Good IssuesOn => "Issues are on";
    Error IssuesOff =>
        "Issues are off, and each game needs one. Turn them on in the settings: General, Features, Issues";
    Warning OnlyCollaboratorsOpenIssues => "Only people with write access can open issues, so nobody else can start a game or use the \
        links on boards. Change that in the settings: General, Features, Issues";
    Warning Private => "The repository is private: once your free minutes are used up, each command costs at least a minute. `runs-on: \
        ubuntu-slim` is the cheapest";
    Warning LimitedInteractions { limit: String, until: String } =>
        "Interactions are limited to `{limit}` until {until}, so nobody else can move";
    Good UnlimitedInteractions => "Anyone can comment";
    Warning FullIssue { issue: u64, comments: u64, limit: u64 } =>
        "Issue {issue} has {comments} of at most {limit} comments. Continue in a new issue with `/continue #{issue}`";
    Good NoFullIssue => "No table's issue is nearly full";

    // The settings of the games' branch.
    Good NoBranchYet { branch: String } => "The branch `{branch}` doesn't exist yet. The bot creates it with the first move";
    Good NoBlockingRule { branch: String } => "No rule keeps the bot from committing to the branch `{branch}`";
    Error BlockingRules { branch: String, rules: String, advice: String } =>
        "A ruleset keeps the bot from committing to the branch `{branch}`: `{rules}`. {advice}. The rules are in the settings: Rules, \
        Rulesets";
    Warning ConditionalRules { branch: String, rules: String } => "A ruleset may keep the bot from committing to the branch `{branch}`: \
        `{rules}`. Make sure that the bot's messages, emails, paths and sizes pass, in the settings: Rules, Rulesets";
    Error RequiredChecks { branch: String, advice: String } =>
        "The protection of the branch `{branch}` requires status checks before a commit. {advice}";
    Skipped HiddenProtection { branch: String, advice: String } => "The protection of the branch `{branch}`, which only \
        administrators can see. If it keeps the bot out: {advice}";
    Skipped UnknownRules { branch: String, status: u16 } =>
        "The rulesets of the branch `{branch}`: GitHub didn't show them ({status})";
    Skipped UnknownProtection { branch: String, status: u16 } =>
        "The protection of the branch `{branch}`: GitHub didn't show it ({status})";

    // The settings of GitHub Actions.
    Error ActionsOff => "Actions are off. Turn them on in the settings: Actions, General";
    Error OnlyLocalActions => "Only actions of the same owner are allowed. Allow `play-by-commit/play-by-commit@*` in the settings: \
        Actions, General";
    Warning OnlySelectedActions => "Only selected actions are allowed. Make sure that `play-by-commit/play-by-commit@*` is one of them, in \
        the settings: Actions, General";
    Warning OnlyPinnedActions => "This repository requires actions to be pinned to a full commit id. `play-by-commit init --version SHA` \
        pins this one";
    Good AllowedAction => "Actions are on, and this one is allowed";
    Good DefaultPermissions { access: String } => "A job without `permissions:` gets `{access}`";
    Error DisabledWorkflow { path: String, name: String, why: &'static str, effect: &'static str } =>
        "{path} is disabled{why}, so {effect}. Choose Actions, *{name}*, Enable workflow";
    Warning NoCachedBuild { name: String } => "Each comment builds the program from source, which takes minutes: no run by hand or on a \
        schedule has cached it in the last week. Choose Actions, *{name}*, Run workflow";
    Good CachedBuild => "A run by hand or on a schedule has cached the program in the last week";
}

/// Returns how to let the bot commit to its branch; `None` stands for the default branch.
fn branch_advice(branch: Option<&str>) -> String {
    match branch {
        None => "Set the input `branch:` to a branch for the games alone, such as `play`".to_owned(),
        Some(branch) => format!("Exclude `{branch}` from it, or set the input `branch:` to another branch"),
    }
}
