//! Plays games and writes the repository's README and threads as web pages with their images.
//!
//! GitHub is in memory. Each page comes wide and narrow, light and dark.
//!
//! ```text
//! cargo run -p play-by-commit-testkit --example visit -- DIR
//! ```
//!
//! `tests/look/look.sh` makes screenshots of them.

use std::path::{Path, PathBuf};

use protocol::Trigger;
use protocol::settle::settle;
use pulldown_cmark::{Options, Parser, html};
use testkit::place;
use testkit::world::{Note, World, default_config, run};

const README: &str = "# Octo's games\n\nHello! This is my profile. Play with me:\n\n\
    <!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n\n## The other tables\n\n\
    <!-- play-by-commit:table 2 -->\n<!-- /play-by-commit:table -->\n\n\
    <!-- play-by-commit:table 3 -->\n<!-- /play-by-commit:table -->\n\n\
    <!-- play-by-commit:table 4 -->\n<!-- /play-by-commit:table -->\n\n## Who is best?\n\n\
    <!-- play-by-commit:standings -->\n<!-- /play-by-commit:standings -->\n";

/// All comments in order: the issue (0 for a new one), the login and the text.
const COMMENTS: &[(u64, &str, &str)] = &[
    (0, "octo", "/new tic-tac-toe seats=open"),
    (0, "alice", "/new tic-tac-toe 4x4 @bob"),
    (0, "carol", "/new backgammon match=3 @dave"),
    (0, "erin", "/new ultimate-tic-tac-toe @frank"),
    (1, "alice", "/move b2"),
    (1, "bob", "/move a1"),
    (1, "carol", "/move a3"),
    (2, "alice", "b2"),
    (2, "carol", "Good luck, you two!"),
    (2, "bob", "B 2"),
    (2, "bob", "a1"),
    (2, "alice", "c3"),
    (2, "bob", "/mvoe a2"),
    (2, "bob", "/move a2"),
    (2, "alice", "d4"),
    (4, "erin", "e5"),
    (4, "frank", "e4"),
    (4, "erin", "e1"),
    (4, "frank", "e2"),
];

/// A long game of chess: Kasparov–Topalov, Wijk aan Zee 1999.
const LONG_GAME: &str = "e4 d6 d4 Nf6 Nc3 g6 Be3 Bg7 Qd2 c6 f3 b5 Nge2 Nbd7 Bh6 Bxh6 Qxh6 Bb7 a3 e5 O-O-O Qe7 Kb1 a6 Nc1 O-O-O Nb3 exd4 \
    Rxd4 c5 Rd1 Nb6 g3 Kb8 Na5 Ba8 Bh3 d5 Qf4 Ka7 Rhe1 d4 Nd5 Nbxd5 exd5 Qd6 Rxd4 cxd4 Re7 Kb6 Qxd4 Kxa5 b4 Ka4 Qc3 Qxd5 Ra7 Bb7 \
    Rxb7 Qc4 Qxf6 Kxa3 Qxa6 Kxb4 c3 Kxc3 Qa1 Kd2 Qb2 Kd1 Bf1 Rd2 Rd7 Rxd7 Bxc4 bxc4 Qxh8 Rd3 Qa8 c3 Qa4 Ke1 f4 f5 Kc1 Rd2 Qa7";

fn main() {
    let dir = PathBuf::from(std::env::args().nth(1).expect("which directory? See the top of this file"));
    let world = World::new();
    world.land(&[("README.md", README)]);
    let moves = LONG_GAME.split_whitespace().zip(["garry", "veselin"].into_iter().cycle());
    let long_game = moves.map(|(text, login)| (5, login, text));
    let comments = COMMENTS.iter().copied().chain([(0, "garry", "/new chess @veselin")]).chain(long_game);
    for (issue, login, text) in comments {
        let source = match issue {
            0 => place(world.open_issue(login, text), 0),
            issue => place(issue, world.comment(issue, login, text)),
        };
        run(settle(&world, &default_config(), Trigger::Comment { source, table: None })).unwrap().unwrap();
    }
    run(settle(&world, &default_config(), Trigger::Sweep)).unwrap().unwrap();
    write_page(&dir, &world, "readme", &render_markdown(&world.file("README.md").unwrap()));
    for issue in 1..=5 {
        let notes = world.with_state(|state| {
            let issue = &state.issues[&issue];
            std::iter::once(&issue.body).chain(&issue.comments).cloned().collect::<Vec<_>>()
        });
        write_page(&dir, &world, &format!("thread-{issue}"), &notes.iter().map(render_note).collect::<String>());
    }
}

fn render_note(note: &Note) -> String {
    let author = note.author.as_deref().unwrap_or("ghost");
    if note.minimized {
        return format!("<section><header>{author}: This comment was marked as outdated.</header></section>\n");
    }
    format!("<section><header>{author}</header><div>{}</div></section>\n", render_markdown(&note.text))
}

fn render_markdown(markdown: &str) -> String {
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_GFM));
    out
}

/// Writes a page in all widths and color schemes, with its images.
fn write_page(dir: &Path, world: &World, name: &str, body: &str) {
    let body = extract_images(dir, world, body);
    for (theme, ink, ground, line) in
        [("light", "#1f2328", "#ffffff", "#d1d9e0"), ("dark", "#f0f6fc", "#0d1117", "#3d444d")]
    {
        for width in [1000, 360] {
            let style = format!(
                "body{{margin:16px;width:{width}px;background:{ground};color:{ink};font:16px/1.5 system-ui,sans-serif}}\
                 body>div{{padding:0 16px;box-sizing:border-box}}img{{max-width:100%;height:auto}}\
                 section{{border:1px solid {line};border-radius:6px;margin:0 0 16px}}\
                 header{{padding:8px 16px;border-bottom:1px solid {line};font-weight:600;font-size:14px}}\
                 section>div{{padding:0 16px}}a{{color:#4493f8;text-decoration:none}}\
                 table{{border-collapse:collapse;display:block;overflow:auto}}td,th{{border:1px solid {line};padding:6px 13px}}\
                 code{{background:#818b981f;padding:.2em .4em;border-radius:6px;font-size:85%}}pre{{overflow:auto}}\
                 details{{margin:0 0 16px}}h1,h2{{border-bottom:1px solid {line};padding-bottom:.3em}}"
            );
            let page = format!(
                "<!doctype html><meta charset=utf-8><title>{name}</title><style>{style}</style><div>{body}</div>"
            );
            std::fs::create_dir_all(dir).unwrap();
            std::fs::write(dir.join(format!("{name}-{theme}-{width}.html")), page).unwrap();
        }
    }
    println!("{}", dir.join(format!("{name}-light-1000.html")).display());
}

/// Extracts the repository's images from the commits or branches in their URLs, and returns the text with local paths.
fn extract_images(dir: &Path, world: &World, text: &str) -> String {
    let text = text.replace("/host/games/raw/", "/host/games/blob/");
    let mut parts = text.split("https://github.example/host/games/blob/");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (address, rest) = part.split_once('"').expect("an address in an attribute");
        let (at, file) = address.split_once('/').unwrap();
        let file = file.split('?').next().unwrap();
        let oid = if at == "HEAD" { world.head().unwrap().to_string() } else { at.to_owned() };
        let svg = world.with_state(|state| state.commits[&oid].files[file].clone());
        let local = format!("pictures/{at}-{}", file.replace('/', "-"));
        std::fs::create_dir_all(dir.join("pictures")).unwrap();
        std::fs::write(dir.join(&local), svg).unwrap();
        out += &format!("{local}\"{rest}");
    }
    out
}
