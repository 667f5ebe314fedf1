//! Tests of templates, YAML and schedules.

mod unified_diff;

use setup::{
    ACTION_REFERENCE, AWAITED_WORKFLOWS, DAILY_WORKFLOW, MAX_BYTES, MAX_DEPTH, QUEUE_LINE, RUNNER_LINE, SITE_WORKFLOW,
    TIMEOUT_LINE, WORKFLOW, WorkflowChoices, WorkflowKind, action_inputs, awaited_workflows, check_cron, game_workflow,
    parse_yaml, play_steps,
};

#[test]
fn the_template_has_every_line_that_a_choice_replaces() {
    for part in [ACTION_REFERENCE, RUNNER_LINE, TIMEOUT_LINE] {
        assert_eq!([WORKFLOW, DAILY_WORKFLOW].map(|text| text.matches(part).count()), [1, 1], "{part}");
    }
    assert_eq!(WORKFLOW.matches(QUEUE_LINE).count(), 1);
    for part in [
        ACTION_REFERENCE,
        AWAITED_WORKFLOWS,
        "          site: site\n",
        "ref: ${{ github.event.repository.default_branch }}",
    ] {
        assert_eq!(SITE_WORKFLOW.matches(part).count(), 1, "{part}");
    }
    let end = "        with:\n          doctor: ${{ inputs.doctor }}\n";
    assert!(WORKFLOW.ends_with(end) && DAILY_WORKFLOW.ends_with(end));
    // The site starts after both.
    let names =
        [WORKFLOW, DAILY_WORKFLOW].map(|text| play_steps("a.yml", text, None).unwrap()[0].workflow_name().to_owned());
    assert_eq!(awaited_workflows(&names), AWAITED_WORKFLOWS);
}

#[test]
fn a_choice_changes_only_its_line() {
    let of_release =
        |version: &str| WorkflowChoices { version: Some(version.to_owned()), ..WorkflowChoices::default() };
    assert_eq!(game_workflow(WorkflowKind::Play, &of_release("v1")), WORKFLOW);
    assert_eq!(game_workflow(WorkflowKind::Daily, &of_release("v1")), DAILY_WORKFLOW);
    let text = game_workflow(WorkflowKind::Play, &WorkflowChoices { enterprise: true, ..of_release("v1.2.3") });
    assert!(text.contains("- uses: play-by-commit/play-by-commit@v1.2.3 # zizmor: ignore"), "{text}");
    assert!(!text.contains("queue:") && text.contains("runs-on: self-hosted # "), "{text}");
    assert_eq!(text.lines().count(), WORKFLOW.lines().count() - 1);
}

#[test]
fn a_value_survives_yaml() {
    let written = |value: &str| {
        let inputs = vec![("branch".to_owned(), value.to_owned())];
        game_workflow(WorkflowKind::Play, &WorkflowChoices { inputs, ..WorkflowChoices::default() })
    };
    for value in ["play", "games/state", "1.0", "true", "No", "a, b", "README.md,docs/x.md", "it's", "7", ".github/x"] {
        let root = parse_yaml(&written(value)).unwrap();
        let step = &root.get_path(&["jobs", "play", "steps"]).unwrap().items()[0];
        assert_eq!(step.get_path(&["with", "branch"]).unwrap().as_str(), Some(value));
    }
    assert!(written("play").ends_with("\n          branch: play\n") && written("1.0").ends_with(" branch: '1.0'\n"));
}

#[test]
fn finds_the_steps_that_use_this_action() {
    let action = include_str!("../../../../action.yml");
    assert_eq!(play_steps("a.yml", WORKFLOW, None).unwrap().len(), 1);
    let own = WORKFLOW.replace("play-by-commit/play-by-commit@v1", "./");
    assert_eq!(play_steps("a.yml", &own, Some(action)).unwrap().len(), 1);
    assert_eq!(play_steps("a.yml", &own, Some("name: Another")).unwrap().len(), 0);
    assert_eq!(play_steps("a.yml", "on: push\n", None).unwrap().len(), 0);
    assert!(play_steps("a.yml", "# play-by-commit\non: [\n", None).is_err());
    assert!(action_inputs().contains(&"state-dir".to_owned()) && action_inputs().len() == 19, "{:?}", action_inputs());
}

#[test]
fn parses_a_workflow_with_its_lines() {
    let root =
        parse_yaml("on:\n  issues:\n    types: [opened]\nname: 'x' # said\nwith: &a\n  n: 07\nalso: *a\n").unwrap();
    assert_eq!(root.get_path(&["on", "issues", "types"]).unwrap().names(), ["opened"]);
    assert_eq!(root.get_path(&["also", "n"]).unwrap().as_str(), Some("07"));
    assert_eq!((root.get("name").unwrap().line, root.get("name").unwrap().as_str()), (4, Some("x")));
    assert_eq!(root.get_path(&["on", "issues", "nothing"]), None);
}

#[test]
fn refuses_invalid_yaml_with_its_line() {
    let deep = "- ".repeat(MAX_DEPTH + 1);
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let last = format!("*a{}", level - 1);
        bomb += &format!("a{level}: &a{level} [{}]\n", [last.as_str(); 10].join(", "));
    }
    for (text, words) in [
        ("", "empty"),
        ("a: b\na: c\n", "line 2: `a` appears twice"),
        ("a: [b\nc: d\n", "line "),
        ("a: b\n---\nc: d\n", "second document"),
        ("[a]: b\n", "not a word"),
        (&deep, "nested more than"),
        (&bomb, "more than 20000 values"),
        (&"a".repeat(MAX_BYTES + 1), "longer than"),
    ] {
        let why = parse_yaml(text).unwrap_err().to_string();
        assert!(why.contains(words), "{why}");
    }
}

#[test]
fn checks_a_schedule_as_github_does() {
    for good in ["37 4 * * *", "*/15 0-23/2 1,15 JAN-mar sun", "0 0 31 12 6", "5,10-20/3 * * * MON-FRI", "0 4 * * */2"]
    {
        assert!(check_cron(good).is_ok(), "{good}");
    }
    for (bad, words) in [
        ("99 4 * * *", "its minute is `99`, and must be from 0 to 59"),
        ("37 24 * * *", "its hour is `24`"),
        ("37 4 0 * *", "its day of the month is `0`"),
        ("37 4 * 13 *", "its month is `13`"),
        ("37 4 * * 7", "its day of the week is `7`"),
        ("37 4 * * FUN", "its day of the week"),
        ("37 4 * *", "it has 4 fields"),
        ("@daily", "it has 1 field"),
        ("", "it has 0 fields"),
        ("*/0 * * * *", "its minute"),
        ("1--2 * * * *", "its minute"),
        ("20-10 * * * *", "its minute"),
        ("1, * * * *", "its minute"),
        ("+1 * * * *", "its minute"),
        ("99999999999 * * * *", "its minute"),
    ] {
        let why = check_cron(bad).unwrap_err().to_string();
        assert!(why.contains(words), "{bad}: {why}");
    }
}
