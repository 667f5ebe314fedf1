//! Runs `play-by-commit site`, and checks its files and links.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use site::{PngRenderer, Site, SiteOptions, build};

const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");

/// A temporary directory with records in `state`, deleted on drop.
struct Home(PathBuf);

impl Home {
    fn new(name: &str, games: u64) -> Home {
        let dir = std::env::temp_dir().join(format!("play-by-commit-site-{}-{name}", std::process::id()));
        fs::create_dir_all(dir.join("state")).unwrap();
        testkit::write_games(&dir.join("state"), games, 2);
        Home(dir)
    }

    fn site(&self, more: &[&str]) -> Output {
        let args = ["site", "--state-dir", "state", "--out", "out", "--repository", "host/games"];
        Command::new(PROGRAM).args(args).args(more).current_dir(&self.0).output().unwrap()
    }

    #[track_caller]
    fn build(&self, more: &[&str]) -> String {
        let output = self.site(more);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns all files of the site with their texts and modification times.
    fn files(&self) -> BTreeMap<String, (String, SystemTime)> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.0.join("out")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.strip_prefix(self.0.join("out")).unwrap().to_str().unwrap().to_owned();
                let time = fs::metadata(&path).unwrap().modified().unwrap();
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                found.insert(name, (text, time));
            }
        }
        found
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Returns the values of an attribute.
fn attribute_values<'a>(text: &'a str, attribute: &str) -> Vec<&'a str> {
    let mark = format!(" {attribute}=\"");
    text.split(&mark).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_link_leads_to_a_file() {
    let home = Home::new("links", 14);
    let printed = home.build(&["--evaluate", "2"]);
    assert!(
        printed.contains("14 games in") && printed.contains("The computer analyzed 2 games; 11 more follow next time"),
        "{printed}"
    );
    let files = home.files();
    let pages = files.iter().filter(|(name, _)| name.ends_with(".html"));
    for (name, (text, _)) in pages {
        let ids: BTreeSet<&str> = attribute_values(text, "id").into_iter().collect();
        let steps: usize = attribute_values(text, "data-steps").first().map_or(0, |steps| steps.parse().unwrap());
        let folder = Path::new(name).parent().unwrap();
        for link in [
            attribute_values(text, "href"),
            attribute_values(text, "src"),
            attribute_values(text, "data-replay"),
            attribute_values(text, "data-flip"),
            attribute_values(text, "data-words"),
            attribute_values(text, "data-starts"),
            attribute_values(text, "data-near"),
            attribute_values(text, "data-live"),
        ]
        .concat()
        {
            if let Some(id) = link.strip_prefix('#') {
                // The script shows the board after a move.
                let ply = id.strip_prefix('p').map(|ply| ply.trim_end_matches(char::is_lowercase));
                let is_move = ply.and_then(|ply| ply.parse().ok()).is_some_and(|ply: usize| ply <= steps);
                assert!(ids.contains(id) || is_move, "{name}: no {link}");
            } else if let Some(rest) = link.strip_prefix("/games/") {
                let path = rest.split('#').next().unwrap();
                assert!(name == "404.html" && files.contains_key(path), "{name}: {link} leads nowhere");
            } else if !link.starts_with("https://") {
                let mut parts: Vec<&str> =
                    folder.to_str().unwrap().split('/').filter(|part| !part.is_empty()).collect();
                for part in link.split(['#', '?']).next().unwrap().split('/') {
                    match part {
                        ".." => assert!(parts.pop().is_some(), "{name}: {link} leads out of the site"),
                        part => parts.push(part),
                    }
                }
                assert!(files.contains_key(&parts.join("/")), "{name}: {link} leads nowhere");
            }
        }
    }
    for name in ["feed.xml", "sitemap.xml"] {
        let text = &files[name].0;
        let document = roxmltree::Document::parse(text).unwrap();
        let links: Vec<&str> = document
            .descendants()
            .filter_map(|node| node.text())
            .filter(|text| text.contains("/games/1-1.html"))
            .collect();
        assert!(text.contains("https://host.github.io/games/"), "{text}");
        assert_eq!(links.is_empty(), !text.contains("/games/1-1.html"));
    }
    let feeds: Vec<&String> =
        files.keys().filter(|name| name.starts_with("players/") && name.ends_with(".xml")).collect();
    for feed in &feeds {
        let document = roxmltree::Document::parse(&files[*feed].0).unwrap();
        let page = feed.replace(".xml", ".html");
        let ids = document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", "id")));
        let pages: Vec<&str> = ids.filter_map(|id| id.text()?.strip_prefix("https://host.github.io/games/")).collect();
        assert!(pages[0] == page && pages.iter().all(|page| files.contains_key(*page)), "{feed}: {pages:?}");
        assert!(
            files[&page].0.contains("title=\"Results of ") && files[&page].0.contains(&format!("href=\"../{feed}\"")),
            "{page}"
        );
    }
    assert!(feeds.len() > 5, "{feeds:?}");
    let value_files = files.keys().filter(|name| name.ends_with(".values.json")).count();
    assert_eq!(value_files, 2, "the site keeps the analysis");
}

#[test]
fn leaves_unchanged_files_alone() {
    let home = Home::new("again", 8);
    home.build(&["--evaluate", "0"]);
    let before = home.files();
    let printed = home.build(&["--evaluate", "0"]);
    assert!(printed.contains(": 0 new or changed, 0 removed"), "{printed}");
    assert_eq!(home.files(), before);
    // It restores a missing file, and rewrites everything with other settings.
    fs::remove_file(home.0.join("out/games/2-1.svg")).unwrap();
    let printed = home.build(&["--evaluate", "0"]);
    assert!(printed.contains(": 1 new or changed, 0 removed"), "{printed}");
    assert_eq!(home.files()["games/2-1.svg"].0, before["games/2-1.svg"].0);
    home.build(&["--evaluate", "0", "--url", "https://games.example/"]);
    assert!(home.files()["games/2-1.html"].0.contains("https://games.example/games/2-1.html"));
    home.build(&["--evaluate", "0"]);
    let before = home.files();
    // It removes the files of a removed game.
    fs::remove_file(home.0.join("state/3.json")).unwrap();
    fs::write(home.0.join("out/notes.html"), "my own").unwrap();
    home.build(&["--evaluate", "0"]);
    let after = home.files();
    assert!(!after.keys().any(|name| name.starts_with("games/3-1.")), "{:?}", after.keys());
    assert!(after.contains_key("notes.html"), "files that the list doesn't name stay");
    let same = |name: &str| after[name] == before[name];
    assert!(same("games/4-1.html") && same("games/4-1.svg") && same("site.css"), "others are left alone");
}

/// The file `rounds.txt` saves time, and never decides what the pages say.
#[test]
fn a_damaged_cache_only_costs_time() {
    let home = Home::new("cache", 8);
    let cache = home.0.join("out/rounds.txt");
    home.build(&["--evaluate", "0"]);
    let (before, whole) = (home.files(), fs::read_to_string(&cache).unwrap());
    let (sum, rounds) = whole.split_once('\n').unwrap();
    assert!(rounds.contains("\"hash\""), "{whole}");
    let forged = rounds.replace("player-", "forger-");
    assert_ne!(forged, rounds);
    for damaged in [String::new(), whole[..whole.len() / 2].to_owned(), format!("{sum}\n{forged}"), forged] {
        fs::write(&cache, &damaged).unwrap();
        let printed = home.build(&["--evaluate", "0"]);
        assert!(printed.contains(": 1 new or changed, 0 removed"), "{printed}");
        let texts = |files: &BTreeMap<String, (String, SystemTime)>| {
            files.iter().map(|(name, (text, _))| (name.clone(), text.clone())).collect::<Vec<_>>()
        };
        assert_eq!(texts(&home.files()), texts(&before));
    }
    // A record that changed isn't taken from it.
    fs::copy(home.0.join("state/1.json"), home.0.join("state/2.json")).unwrap();
    let output = home.site(&["--evaluate", "0"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("2.json: DAMAGED"));
}

#[test]
fn reports_and_skips_a_damaged_record() {
    let home = Home::new("damaged", 8);
    let record = home.0.join("state/2.json");
    let text = fs::read_to_string(&record).unwrap();
    // An invalid login would be on every page.
    let edited = text.replace("\"login\": \"player-", "\"login\": \"<script>alert(1)</script>");
    assert_ne!(edited, text);
    fs::write(&record, edited).unwrap();
    fs::write(home.0.join("state/99.json"), "{\"schema\": 2, \"game\": \"<img>\"}").unwrap();
    fs::create_dir_all(home.0.join("state/archive")).unwrap();
    fs::copy(home.0.join("state/5.json"), home.0.join("state/archive/5-1.json")).unwrap();
    let output = home.site(&["--evaluate", "0"]);
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(
        output.status.success() && out.contains("7 games") && out.contains("3 damaged games were left out."),
        "{out}{err}"
    );
    for name in ["2.json: DAMAGED", "99.json: DAMAGED", "5-1.json: DAMAGED"] {
        assert!(err.contains(name), "{err}");
    }
    let files = home.files();
    assert!(!files.contains_key("games/2-1.html") && !files.contains_key("games/99-1.html"));
    assert!(files.contains_key("games/5-1.html"));
    for (name, (text, _)) in &files {
        assert!(!text.contains("<script>alert"), "{name}");
    }
}

#[test]
fn a_sentence_says_which_dice_are_damaged() {
    let home = Home::new("dice", 0);
    let record = include_str!("../dice/1.json");
    let note = "`history[9]` can't have happened: the dice don't match their key: roll 1 is recorded as 2-2, but the key gives 1-1";
    for (edited, note) in [
        (record.replace("\"throw\": [1, 1]", "\"throw\": [2, 2]"), note),
        (
            record.replace("\"throw\": [5, 3]", "\"throw\": [6, 3]"),
            "`history[1]` can't have happened: the move isn't legal: Die 5 is not available (remaining: 6, 3)",
        ),
    ] {
        assert_ne!(edited, record);
        fs::write(home.0.join("state/1.json"), edited).unwrap();
        let err = String::from_utf8(home.site(&["--evaluate", "0"]).stderr).unwrap();
        assert_eq!(err.trim_end(), format!("state/1.json: DAMAGED, so it was left out: {note}"));
    }
}

#[test]
fn refuses_a_directory_with_other_files() {
    let home = Home::new("foreign", 1);
    fs::create_dir_all(home.0.join("out")).unwrap();
    fs::write(home.0.join("out/thesis.txt"), "all my work").unwrap();
    let output = home.site(&[]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && err.contains("no manifest.txt, so it isn't a site"), "{err}");
    assert_eq!(home.files().len(), 1);
    // An edited list names files outside the directory, which stay.
    fs::remove_file(home.0.join("out/thesis.txt")).unwrap();
    fs::write(home.0.join("victim.txt"), "mine").unwrap();
    home.build(&["--evaluate", "0"]);
    let list = home.0.join("out/manifest.txt");
    let edited = fs::read_to_string(&list).unwrap() + "../victim.txt\n/etc/hostname\nstate/../../victim.txt\n";
    fs::write(&list, edited).unwrap();
    home.build(&["--evaluate", "0"]);
    assert!(home.0.join("victim.txt").exists());
    let nowhere =
        Command::new(PROGRAM).args(["site", "--out", "there"]).current_dir(home.0.join("out")).output().unwrap();
    let err = String::from_utf8(nowhere.stderr).unwrap();
    assert!(err.contains("there is no directory state") && !home.0.join("out/there").exists(), "{err}");
}

#[test]
fn continues_the_analysis_next_time() {
    let home = Home::new("evaluate", 8);
    for (analyzed, left) in [(1, 7), (2, 6)] {
        let printed = home.build(&["--evaluate", "1"]);
        assert!(printed.contains(&format!("analyzed 1 game; {left} more follow next time")), "{printed}");
        let pages = home.files().values().filter(|(text, _)| text.contains("class=\"evaluation\"")).count();
        assert_eq!(pages, analyzed, "{printed}");
    }
}

#[test]
fn a_step_with_the_site_input_only_builds_the_site() {
    let home = Home::new("step", 1);
    let damaged = home.0.join("state/7.json");
    fs::write(&damaged, "{").unwrap();
    let step = |state: &str| {
        let variables = [
            ("GITHUB_EVENT_NAME", "workflow_run"),
            ("GITHUB_REPOSITORY", "Octo/games"),
            ("GITHUB_SERVER_URL", "https://github.com"),
            ("PLAY_BY_COMMIT_SITE", "out"),
            ("PLAY_BY_COMMIT_STATE_DIR", state),
        ];
        Command::new(PROGRAM).arg("run").env_clear().envs(variables).current_dir(&home.0).output().unwrap()
    };
    let output = step("state");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && out.contains("1 game in"), "{out}");
    assert!(
        out.contains("::warning title=Play by Commit::state/7.json is damaged, so it was left out of the site"),
        "{out}"
    );
    let files = home.files();
    assert!(files["index.html"].0.contains("https://octo.github.io/games/index.html"), "{}", files["index.html"].0);
    let chess = &files["chess/index.html"].0;
    assert!(chess.contains("https://github.com/Octo/games/issues/new?title="), "{chess}");
    // If the bot listens only in labeled issues, the links use the form that sets the label.
    assert!(Command::new("git").args(["init", "-q"]).current_dir(&home.0).status().unwrap().success());
    let forms = home.0.join(".github/ISSUE_TEMPLATE");
    fs::create_dir_all(&forms).unwrap();
    fs::write(forms.join("board-link.yml"), "name: A link\n").unwrap();
    assert!(step("state").status.success());
    let chess = &home.files()["chess/index.html"].0;
    assert!(chess.contains("https://github.com/Octo/games/issues/new?template=board-link.yml&amp;title="), "{chess}");
    let output = step("elsewhere");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(!output.status.success() && out.contains("::error") && out.contains("check out the repository"), "{out}");
}

/// With a painter, each board is painted once and its page links the picture. Without one, no page does.
#[test]
fn paints_each_board_once() {
    let home = Home::new("painted", 6);
    static PAINTED: AtomicUsize = AtomicUsize::new(0);
    let paint: PngRenderer = |svg| {
        assert!(svg.starts_with("<svg "), "{svg}");
        PAINTED.fetch_add(1, Ordering::Relaxed);
        Ok(b"\x89PNG, more or less".to_vec())
    };
    let built = |painter: Option<PngRenderer>| {
        let url = Some("https://host.github.io/games/".to_owned());
        let site = Site { name: "host/games".to_owned(), url, previews: painter.is_some(), ..Site::default() };
        let (state_dir, out) = (home.0.join("state"), home.0.join("out"));
        build(&SiteOptions { state_dir, out, site, max_evaluations: 0 }, painter, &|_| {}).unwrap()
    };
    let page = |name: &str| fs::read_to_string(home.0.join("out").join(name)).unwrap();
    let names = |page: &str| page.contains("\"og:image\" content=\"https://host.github.io/games/games/1-1.png\"");
    built(Some(paint));
    assert_eq!(PAINTED.load(Ordering::Relaxed), 6);
    assert_eq!(fs::read(home.0.join("out/games/1-1.png")).unwrap(), b"\x89PNG, more or less");
    assert!(names(&page("games/1-1.html")) && !page("players/index.html").contains("og:image"));
    assert!(page("index.html").contains("\"og:image\""), "the first page shows the newest board");
    assert_eq!(built(Some(paint)).written, 0);
    assert_eq!(PAINTED.load(Ordering::Relaxed), 6, "unchanged boards are not painted again");
    assert_eq!(built(None).removed, 6);
    assert!(!page("games/1-1.html").contains("og:image") && !home.0.join("out/games/1-1.png").exists());
}

/// A pipe would never end, and a link can lead anywhere.
#[cfg(unix)]
#[test]
fn skips_pipes_and_links_among_the_records() {
    let home = Home::new("pipes", 2);
    let result = Command::new("mkfifo").arg(home.0.join("state/50.json")).status().unwrap();
    assert!(result.success());
    let secret = fs::read_to_string(home.0.join("state/1.json")).unwrap().replace("\"issue\": 1,", "\"issue\": 51,");
    fs::write(home.0.join("outside.json"), secret).unwrap();
    std::os::unix::fs::symlink("../outside.json", home.0.join("state/51.json")).unwrap();
    fs::create_dir(home.0.join("state/52.json")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", home.0.join("state/53.json")).unwrap();
    let output = home.site(&["--evaluate", "0"]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{err}");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.starts_with("2 games in") && out.contains("4 damaged games were left out."), "{out}");
    for words in [
        "50.json: DAMAGED, so it was left out: it isn't a regular file",
        "51.json: DAMAGED, so it was left out: it links to a place outside state",
    ] {
        assert!(err.contains(words), "{err}");
    }
    assert!(!home.files().contains_key("games/51-1.html"));
}

#[cfg(unix)]
#[test]
fn never_writes_through_a_link() {
    use std::os::unix::fs::symlink;
    let home = Home::new("links-out", 2);
    home.build(&["--evaluate", "0"]);
    // It replaces links by files, and leaves their targets alone.
    let mine = ["a.txt", "b.txt", "c.txt"].map(|name| home.0.join(name));
    for (path, name) in mine.iter().zip(["site.css", "games/1-1.html", "games/2-1.json"]) {
        fs::write(path, "mine").unwrap();
        fs::remove_file(home.0.join("out").join(name)).unwrap();
        symlink(path, home.0.join("out").join(name)).unwrap();
    }
    assert!(Command::new("mkfifo").arg(home.0.join("out/games/1-1.values.json")).status().unwrap().success());
    home.build(&["--evaluate", "1"]);
    for path in &mine {
        assert_eq!(fs::read_to_string(path).unwrap(), "mine");
    }
    assert!(home.files()["site.css"].0.len() > 100);
    // It refuses a directory that is a link.
    fs::remove_dir_all(home.0.join("out/players")).unwrap();
    fs::create_dir(home.0.join("elsewhere")).unwrap();
    symlink(home.0.join("elsewhere"), home.0.join("out/players")).unwrap();
    let output = home.site(&[]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && err.contains("players is a link, and `site` doesn't write through links"),
        "{err}"
    );
    assert_eq!(fs::read_dir(home.0.join("elsewhere")).unwrap().count(), 0);
}

#[test]
fn never_writes_the_site_among_the_records() {
    let home = Home::new("among", 0);
    fs::remove_dir_all(home.0.join("state")).unwrap();
    fs::create_dir(home.0.join("state")).unwrap();
    for out in ["state", "state/site", "state/../state"] {
        let args = ["site", "--state-dir", "state", "--out", out];
        let output = Command::new(PROGRAM).args(args).current_dir(&home.0).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && err.contains("is inside the directory of the games"), "{out}: {err}");
    }
    assert_eq!(fs::read_dir(home.0.join("state")).unwrap().count(), 0);
}

#[test]
fn counts_files_and_damaged_records() {
    let home = Home::new("counts", 6);
    for issue in 100..121 {
        fs::write(home.0.join(format!("state/{issue}.json")), "{}").unwrap();
    }
    let output = home.site(&["--evaluate", "1"]);
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(err.matches("DAMAGED, so it was left out").count(), 10, "{err}");
    assert!(err.ends_with("and 11 more damaged games were left out\n"), "{err}");
    // The site is new, and pages of analyzed games still count as one file each.
    let files = out.split(" files: ").next().unwrap().rsplit(' ').next().unwrap();
    assert!(out.contains(&format!(" {files} files: {files} new or changed, 0 removed")), "{out}");
    assert!(out.contains("21 damaged games were left out"), "{out}");
}

/// The workflow publishes a site only if it differs from the published one.
#[cfg(unix)]
#[test]
fn publishes_only_what_changed() {
    let home = Home::new("published", 2);
    home.build(&[]);
    fs::rename(home.0.join("out"), home.0.join("site")).unwrap();
    let workflow = setup::parse_yaml(setup::SITE_WORKFLOW).unwrap();
    let steps = workflow.get_path(&["jobs", "site", "steps"]).unwrap().items();
    let step = steps.iter().find(|step| step.text_at("id") == Some("site")).unwrap();
    // A shell function answers with the address of the published site.
    let script = format!("gh() {{ echo \"$PAGES\"; [[ -n $PAGES ]]; }}\n{}", step.text_at("run").unwrap());
    let output = home.0.join("output");
    let is_changed = |pages: &str| {
        fs::write(&output, "").unwrap();
        let mut bash = Command::new("bash");
        bash.args(["-e", "-c", &script]).current_dir(&home.0).env("PAGES", pages).env("GITHUB_OUTPUT", &output);
        let ran = bash.env("GITHUB_REPOSITORY", "host/games").output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
        let said = fs::read_to_string(&output).unwrap();
        assert!(["", "changed=true\n"].contains(&said.as_str()), "{said}");
        !said.is_empty()
    };
    let published = home.0.join("published");
    let address = format!("file://{}/", published.display());
    // Pages are off, or nothing is published yet.
    assert!(is_changed(""));
    fs::create_dir_all(&published).unwrap();
    assert!(is_changed(&address));
    let sum = || fs::read_to_string(home.0.join("site/fingerprint.txt")).unwrap();
    fs::write(published.join("fingerprint.txt"), sum()).unwrap();
    assert!(!is_changed(&address), "the same site would be published again");
    // The next build keeps the file, and a new result changes it.
    fs::rename(home.0.join("site"), home.0.join("out")).unwrap();
    home.build(&[]);
    fs::rename(home.0.join("out"), home.0.join("site")).unwrap();
    assert!(!is_changed(&address), "a build without a change would be published");
    fs::write(home.0.join("site/index.html"), "changed").unwrap();
    assert!(is_changed(&address));
}
