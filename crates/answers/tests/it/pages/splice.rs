//! Tests that a refresh keeps every byte outside the markers, and that a second refresh changes nothing.

use answers::page::wanted_blocks;
use answers::{BlockUpdates, MAX_PAGE, MAX_PAIRS, RefreshedPage, page};
use games::GameVariant;
use proptest::prelude::*;
use table::IssueNumber;
use testkit::short_or_long;

const BEGIN: &str = "<!-- play-by-commit:table 42 -->";
const END: &str = "<!-- /play-by-commit:table -->";
const BLOCK: &str = "**alice** (X)\n\n- `b2`\n\n<table>\n<tr><td>X</td></tr>\n</table>";

fn refresh(
    text: &str,
    table: Option<(u64, &str)>,
    standings: Option<&dyn Fn(Option<GameVariant>) -> String>,
) -> RefreshedPage {
    page::refresh(
        text,
        BlockUpdates {
            table: table.map(|(number, text)| (IssueNumber::new(number), text)),
            standings,
            ..BlockUpdates::default()
        },
    )
}

fn refresh_table(text: &str) -> RefreshedPage {
    refresh(text, Some((42, BLOCK)), None)
}

/// Checks that a refresh gives this page, without problems, and that a second one changes nothing.
#[track_caller]
fn assert_becomes(text: &str, expected: &str) {
    let fresh = refresh_table(text);
    assert_eq!(fresh, RefreshedPage { text: Some(expected.to_owned()), problems: Vec::new() });
    assert_eq!(refresh_table(expected), RefreshedPage::default(), "a second refresh changes nothing");
}

/// Checks that a refresh doesn't change the page, and reports this problem, or none if it is empty.
#[track_caller]
fn assert_unchanged(text: &str, problem: &str) {
    let fresh = refresh_table(text);
    assert_eq!(fresh.text, None, "{text}");
    let problems = fresh.problems.join("\n");
    assert_eq!(problem.is_empty(), problems.is_empty(), "{text}: {problems}");
    assert!(problems.contains(problem), "{problems}");
}

#[test]
fn replaces_text_between_markers() {
    let filled = format!("{BEGIN}\n\n{BLOCK}\n\n{END}");
    for old in [
        "",
        " ",
        "\n",
        "old",
        "\n\nold `b2`\n\n",
        "\n<div>\n\n</div>\n",
        "\n<!-- a comment -->\n",
        "\n\n\n- a\n  - b\n\n\n",
    ] {
        let page = |inside: &str| format!("# Games\n\nHere:\n\n{inside}\n\nand more.");
        assert_becomes(&page(&format!("{BEGIN}{old}{END}")), &page(&filled));
    }
    assert_becomes(&format!("{BEGIN}{END}"), &filled);
    assert_becomes(&format!("{BEGIN}{END}\n"), &format!("{filled}\n"));
    assert_becomes(&format!("\u{feff}{BEGIN}{END}\n"), &format!("\u{feff}{filled}\n"));
    assert_becomes(
        &format!("{{{{ braces }}}} ${{x}}  \n\t{END_TEXT}\n{BEGIN}{END}  \n\n\n", END_TEXT = "é\u{202e}\u{0}日本"),
        &format!("{{{{ braces }}}} ${{x}}  \n\té\u{202e}\u{0}日本\n{filled}  \n\n\n"),
    );
    assert_becomes(&format!("{BEGIN}\n{END}\n\ntwice\n\n{BEGIN}\n{END}"), &format!("{filled}\n\ntwice\n\n{filled}"));
    assert_becomes(
        &format!("<div align=\"center\">\n{BEGIN}\n{END}\n</div>\n"),
        &format!("<div align=\"center\">\n{filled}\n</div>\n"),
    );
    assert_becomes(&format!("<p title='>'>\n{BEGIN}{END}\n</p>"), &format!("<p title='>'>\n{filled}\n</p>"));
    assert_becomes(&format!("- item\n  {BEGIN}{END}\n"), &format!("- item\n  {filled}\n"));
    assert_becomes(&format!("text {BEGIN}{END} text"), &format!("text {filled} text"));
    assert_becomes(&format!("> quote {BEGIN}{END}\n> more"), &format!("> quote {filled}\n> more"));
}

#[test]
fn accepts_any_spelling_of_markers() {
    let spellings = [
        "<!--play-by-commit:table 42-->",
        "<!--  Play-By-Commit : Table   #42  -->",
        "<!--\nplay-by-commit:table\t042\n-->",
        "<!-- PLAY-BY-COMMIT:TABLE 42 -->",
    ];
    for begin in spellings {
        for end in [
            END,
            "<!-- / play-by-commit : Table -->",
            "<!--/play-by-commit:table-->",
            "<!-- /play-by-commit:table 42 -->",
        ] {
            assert_becomes(&format!("{begin}{end}\n"), &format!("{begin}\n\n{BLOCK}\n\n{end}\n"));
        }
    }
}

#[test]
fn keeps_line_endings() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let page = format!("# Games\n\n{BEGIN}\n{END}\n\nmore\n");
    let full = format!("# Games\n\n{BEGIN}\n\n{BLOCK}\n\n{END}\n\nmore\n");
    assert_becomes(&crlf(&page), &crlf(&full));
    // The most common line ending wins, not counting lines between the markers…
    assert_becomes(
        &format!("a\r\nb\r\nc\n{BEGIN}\n\n\n\n\n{END}"),
        &format!("a\r\nb\r\nc\n{BEGIN}{}{END}", crlf(&format!("\n\n{BLOCK}\n\n"))),
    );
    assert_becomes(&format!("a\r\nb\nc\n{BEGIN}\r\n\r\n\r\n{END}"), &format!("a\r\nb\nc\n{BEGIN}\n\n{BLOCK}\n\n{END}"));
    // … unless there are no other lines.
    assert_becomes(&format!("{BEGIN}\r\n{END}"), &format!("{BEGIN}{}{END}", crlf(&format!("\n\n{BLOCK}\n\n"))));
    let refreshed = refresh(&page, Some((42, &crlf(BLOCK))), None).text.unwrap();
    assert_eq!(refreshed, full, "for any line endings of the block");
    let padded = refresh(&page, Some((42, &format!("\n \n{BLOCK}\n\n"))), None).text.unwrap();
    assert_eq!(padded, full, "for any white space around the block");
}

#[test]
fn ignores_markers_in_examples() {
    for example in [
        format!("```\n{BEGIN}\n{END}\n```\n"),
        format!("\u{feff}```\n{BEGIN}\n{END}\n```\n"),
        format!("~~~markdown\n{BEGIN}\n{END}\n"),
        format!("- item\n\n  ```\n  {BEGIN}\n  {END}\n  ```\n"),
        format!("    {BEGIN}\n    {END}\n"),
        format!("\t{BEGIN}{END}\n"),
        format!("Write `{BEGIN}` and `{END}`.\n"),
        format!("Write ``{BEGIN} ` {END}``.\n"),
        format!("<a title=\"{BEGIN}{END}\">x</a>\n"),
        format!("<div title=\"{BEGIN}{END}\">\n</div>\n"),
        format!("&lt;!-- play-by-commit:table 42 --&gt; {}\n", "&lt;!-- /play-by-commit:table --&gt;"),
        format!("\\{BEGIN} \\{END}\n"),
    ] {
        assert_unchanged(&example, "");
        assert_eq!(wanted_blocks(&example).tables.len(), 0, "{example}");
    }
    // A real pair next to an example is filled, and the example stays.
    let example = format!("```html\n{BEGIN}\n{END}\n```\n");
    assert_becomes(
        &format!("{example}\n{BEGIN}{END}\n\n{example}"),
        &format!("{example}\n{BEGIN}\n\n{BLOCK}\n\n{END}\n\n{example}"),
    );
}

#[test]
fn reports_unpaired_markers_and_leaves_them_alone() {
    assert_unchanged(&format!("# Games\n\n{BEGIN}\n"), "Line 3: The marker of table 42 has no end");
    assert_unchanged(&format!("\n{END}\n"), "Line 2: The end marker of a table has no start marker.");
    assert_unchanged(&format!("{BEGIN}\n```\n{END}\n```\n"), "Line 1: The marker of table 42 has no end");
    assert_unchanged(&format!("<!--\n{BEGIN}\n-->\n{END}\n"), "Line 4: The end marker of a table has no start marker");
    assert_unchanged(
        &format!("{BEGIN}\n{BEGIN}\n{END}\n{END}\n"),
        "Line 2: The marker of table 42 is inside another pair",
    );
    let standings = ("<!-- play-by-commit:standings -->", "<!-- /play-by-commit:standings -->");
    assert_unchanged(
        &format!("{BEGIN}\n{}\n{END}\n{}\n", standings.0, standings.1),
        "Line 2: The marker of the standings is inside",
    );
    assert_unchanged(
        &format!("{BEGIN}\n{}\n{END}\n", standings.1),
        "Line 2: The end marker of standings has no start marker",
    );
    assert_unchanged(
        "<!-- play-by-commit:tables -->\n",
        "Line 1: The marker of the list of tables has no end marker, `<!-- /play-by-commit:tables -->`",
    );
    assert_unchanged(
        "\n<!-- /play-by-commit:tables -->\n",
        "Line 2: The end marker of the list of tables has no start marker",
    );
    assert_unchanged(
        &format!("<!-- play-by-commit:tables -->\n{END}\n"),
        "Line 2: The end marker of a table has no start marker",
    );
    assert_unchanged(
        "<!-- play-by-commit:tables 42 -->",
        "Line 1: The marker of the list of tables is just `play-by-commit:tables`, without other words.",
    );
    assert_unchanged("<!-- play-by-commit:table -->", "Line 1: The marker of a table needs its number");
    assert_unchanged("<!-- play-by-commit:table 0 -->", "needs its number");
    assert_unchanged("<!-- play-by-commit:table +1 -->", "needs its number");
    assert_unchanged("<!-- play-by-commit:table 99999999999999999999 -->", "needs its number");
    assert_unchanged("<!-- play-by-commit:board 42 -->", "This marker is unknown");
    assert_unchanged("<!-- play-by-commit:standings mancala -->", "doesn't have");
    assert_unchanged("<!-- play-by-commit 42/0 table=42 --> and <!-- play-by-commit -->", "");
    assert_unchanged(&format!("{BEGIN}{END}{}", "a".repeat(MAX_PAGE)), "The page is longer than 400000 bytes");
    assert_unchanged(&format!("{BEGIN}{END}\n\n").repeat(MAX_PAIRS + 1), "more than 20 pairs");
    let most = format!("{BEGIN}\n{END}\n\n").repeat(MAX_PAIRS);
    assert_eq!(refresh_table(&most).text.unwrap().matches(BLOCK).count(), MAX_PAIRS);
    let nearly = format!("{BEGIN}{END}{}", "a".repeat(MAX_PAGE - BEGIN.len() - END.len()));
    assert_unchanged(&nearly, "With its boards the page would be longer");
    // Other pairs are still filled.
    let fresh = refresh_table(&format!("{BEGIN}{END}\n\n{BEGIN}\n"));
    assert_eq!(fresh.text.unwrap(), format!("{BEGIN}\n\n{BLOCK}\n\n{END}\n\n{BEGIN}\n"));
    assert_eq!(fresh.problems.len(), 1);
}

/// With new lines between them, these markers or their block would be in a code block.
#[test]
fn refuses_a_change_that_would_hide_markers() {
    let bad = refresh(&format!("{BEGIN}{END}\n"), Some((42, &format!("x\n\n{END}\n\ny"))), None);
    assert_eq!(bad.text, None);
    assert!(bad.problems[0].contains("couldn't find the markers on this page again"), "{bad:?}");
    let fence = refresh(&format!("{BEGIN}{END}\n"), Some((42, "```\nopen")), None);
    assert_eq!(fence.text, None);
    assert_eq!(fence.problems.len(), 1);
}

#[test]
fn updates_only_the_given_blocks() {
    let page = "<!-- play-by-commit:table 7 -->old<!-- /play-by-commit:table -->\n\n\
                <!-- play-by-commit:standings -->old<!-- /play-by-commit:standings -->\n\n\
                <!-- play-by-commit:standings Tic Tac Toe -->old<!-- /play-by-commit:standings -->\n";
    assert_unchanged(page, "");
    let wanted = wanted_blocks(page);
    assert!(wanted.standings);
    assert_eq!(wanted.tables.into_iter().collect::<Vec<_>>(), [IssueNumber::new(7)]);
    let standings_of = |game: Option<GameVariant>| format!("standings of {}", game.map_or("all", GameVariant::name));
    let fresh = refresh(page, Some((42, BLOCK)), Some(&standings_of)).text.unwrap();
    assert_eq!(
        fresh,
        "<!-- play-by-commit:table 7 -->old<!-- /play-by-commit:table -->\n\n\
         <!-- play-by-commit:standings -->\n\nstandings of all\n\n<!-- /play-by-commit:standings -->\n\n\
         <!-- play-by-commit:standings Tic Tac Toe -->\n\nstandings of tic-tac-toe\n\n<!-- /play-by-commit:standings -->\n"
    );
    assert_eq!(refresh(&fresh, None, Some(&standings_of)), RefreshedPage::default());
    let both = refresh(&fresh, Some((7, "seven")), Some(&standings_of)).text.unwrap();
    assert_eq!(both, fresh.replace("table 7 -->old<", "table 7 -->\n\nseven\n\n<"));
    assert_eq!(wanted_blocks("nothing here"), answers::WantedBlocks::default());
}

/// Returns a random piece of a hostile page.
fn page_piece() -> impl Strategy<Value = String> {
    let words = [
        BEGIN,
        END,
        BEGIN,
        END,
        "<!-- play-by-commit:standings -->",
        "<!-- /play-by-commit:standings -->",
        "<!-- play-by-commit:tables -->",
        "<!-- /play-by-commit:tables -->",
        "<!-- play-by-commit:table 7 -->",
        "<!-- PLAY-by-commit : table #42-->",
        "\n",
        "\r\n",
        "\n\n",
        "\r",
        "    ",
        "\t",
        "```",
        "~~~\n",
        "```\n",
        "`",
        "``",
        "<!--",
        "-->",
        "<div>",
        "</div>\n",
        "<a href=\"",
        "\">",
        "<pre>",
        "<p>\n",
        "> ",
        "- ",
        "1. ",
        "# ",
        "| a | b |\n|---|---|\n| ",
        "|",
        "[",
        "](x)",
        "[^1]: ",
        "$$",
        "\\",
        "&lt;",
        "\u{feff}",
        "é",
        "\u{0}",
        "**",
        "_",
        "{{x}}",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "---\n",
        "text",
        "<script>",
        "</script>\n",
        "  \n",
    ];
    prop_oneof![9 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => ".{0,6}"]
}

/// Whether `fresh` is `text` with only the text between markers replaced by the block. It searches for matching parts
/// without finding markers itself.
fn only_blocks_changed(text: &str, fresh: &str) -> bool {
    let block = |end: &str| format!("\n\n{BLOCK}\n\n").replace('\n', end);
    let [plain, long] = [block("\n"), block("\r\n")];
    let between = if fresh.contains(&long) { long } else { plain };
    let parts: Vec<&str> = fresh.split(&between).collect();
    text.strip_prefix(parts[0]).is_some_and(|rest| contains_parts_in_order(rest, &parts[1..]))
}

/// Whether the text has these parts in order, each after replaced text, with the last one at the end.
fn contains_parts_in_order(text: &str, parts: &[&str]) -> bool {
    let [part, later @ ..] = parts else { return text.is_empty() };
    // Matches may overlap: a part can start with what it ends with.
    let places = text.match_indices("<!--").map(|(at, _)| at).filter(|at| text[*at..].starts_with(part));
    part.starts_with("<!--") && places.map(|at| at + part.len()).any(|end| contains_parts_in_order(&text[end..], later))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: short_or_long(200, 3000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn keeps_hostile_pages_intact(pieces in proptest::collection::vec(page_piece(), 0..40)) {
        let text = pieces.concat();
        let fresh = refresh_table(&text);
        if let Some(fresh) = &fresh.text {
            prop_assert!(only_blocks_changed(&text, fresh), "{text:?} became {fresh:?}");
            let again = refresh_table(fresh);
            prop_assert_eq!(&again.text, &None, "{:?} changes again", fresh);
            prop_assert_eq!(wanted_blocks(fresh), wanted_blocks(&text));
        } else if fresh.problems.is_empty() {
            // Nothing to do: the page doesn't show this table.
            prop_assert!(!wanted_blocks(&text).tables.contains(&IssueNumber::new(42)) || text.contains(BLOCK));
        }
    }

    /// The result for paragraphs of arbitrary text is known to the byte.
    #[test]
    fn keeps_text_around_markers(outside in proptest::collection::vec("[a-zé日{}$@#.,;:!?/ \u{202e}]{1,30}", 1..8), inside in "[a-z]{0,5}[ .!]?(\n[a-z#]{1,5}){0,3}\n?") {
        let page = |inside: &str| outside.iter().map(|text| format!("t{text}\n\n{BEGIN}{inside}{END}\n\n")).collect::<String>();
        let fresh = refresh_table(&page(&inside));
        prop_assert_eq!(fresh.text, Some(page(&format!("\n\n{BLOCK}\n\n"))));
    }
}

/// Pages of the maximum size that are slow to parse.
#[test]
fn handles_long_pages_quickly() {
    let started = std::time::Instant::now();
    for piece in [
        "<!-- ", "<", "[", "`", "> ", "- ", "<a b=\"", "*a_", "<div>\n", "<!-->", "\n\n<!--", "![](", "| ", "&",
        "[^1]: ", "<?", "\\`",
    ] {
        let filler = piece.repeat((MAX_PAGE - 10_000) / piece.len());
        let fresh = refresh_table(&format!("{BEGIN}{END}\n\n{filler}"));
        assert!(fresh.text.is_some() || !fresh.problems.is_empty(), "{piece:?}");
        drop(refresh_table(&format!("{filler}\n\n{BEGIN}{END}\n")));
    }
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}
