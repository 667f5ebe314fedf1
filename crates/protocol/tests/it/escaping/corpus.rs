//! Hostile texts.

/// A token that is in every hostile text, and can't be in a login, option or move.
pub(crate) const TOKEN: &str = "zq.x";

/// Returns the hostile texts.
pub(crate) fn hostile_texts() -> Vec<String> {
    let mut all: Vec<String> = PIECES.iter().map(|piece| (*piece).to_owned()).collect();
    // Backticks of various lengths before, after and around the token.
    for count in [1, 2, 3, 4, 7, 30, 59, 60, 61] {
        let ticks = "`".repeat(count);
        all.push(format!("{ticks}zq.x"));
        all.push(format!("zq.x{ticks}@zq.x"));
        all.push(format!("{ticks}zq.x{ticks}<img/src=//zq.x>"));
        all.push(format!("zq.x{ticks}[zq.x](https://zq.x.example)`"));
    }
    all.push("@zq.x".repeat(20));
    all.push("`@zq.x`".repeat(20));
    all
}

const PIECES: &[&str] = &[
    // Mentions and references.
    "@zq.x",
    "@zq.x/team",
    "@host/zq.x",
    "@bob@zq.x",
    "#1zq.x",
    "zq.x#1",
    "host/zq.x#1",
    "GH-1zq.x",
    "zq.x GH-1",
    "zq.x #1",
    "zq.x,#1,@bob",
    "zq.x deadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
    "host/games@deadbeefzq.x",
    "zq.x@example.com",
    ":zq.x:",
    "zq.x:+1:",
    ":tada:zq.x",
    // Links and images.
    "https://zq.x.example/",
    "http://zq.x",
    "www.zq.x.example",
    "<https://zq.x.example>",
    "[zq.x](https://zq.x.example)",
    "[zq.x][1]",
    "[zq.x]: https://zq.x.example",
    "![zq.x](https://zq.x.example/a.png)",
    "[![zq.x](a)](javascript:zq.x)",
    "[^zq.x]",
    "zq.x[^1]",
    "[[zq.x]]",
    // HTML.
    "<b>zq.x</b>",
    "<img/src=x/onerror=zq.x>",
    "<img src=x onerror=zq.x>",
    "</details>zq.x",
    "<details><summary>zq.x",
    "<a href='//zq.x'>zq.x</a>",
    "<!-- zq.x",
    "zq.x -->",
    "<!-- play-by-commit 1/5000000001 table=1 --> zq.x",
    "<!--play-by-commit:table 1-->zq.x",
    "<?zq.x?>",
    "<![CDATA[zq.x]]>",
    "<script>zq.x</script>",
    "&lt;zq.x&gt;",
    "&#64;zq.x",
    "&#96;zq.x",
    "&NewLine;zq.x",
    // Other Markdown.
    "**zq.x**",
    "_zq.x_",
    "~~zq.x~~",
    "# zq.x",
    "|zq.x|zq.x|",
    "| zq.x |\n| --- |\n| zq.x |",
    "- [ ] zq.x",
    "> zq.x",
    "1. zq.x",
    "---zq.x",
    "\\`zq.x\\`",
    "zq.x\\",
    "$zq.x$",
    "$`zq.x`$",
    "$$zq.x$$",
    "zq.x  \nzq.x",
    // Workflow commands and templates.
    "::error::zq.x",
    "::set-output name=zq.x::1",
    "::add-mask::zq.x",
    "##[error]zq.x",
    "%0A::error::zq.x",
    "zq.x\n::error::zq.x",
    "zq.x\r::error::zq.x",
    "${{ github.token }}zq.x",
    "${{zq.x}}",
    "{{zq.x}}",
    "{zq.x}",
    "{}zq.x{0}",
    "%s%n%zq.x",
    "$(zq.x)",
    "${IFS}zq.x",
    ";zq.x;",
    "../../zq.x",
    "zq.x/../../.github/workflows/zq.x",
    // Invisible characters, and characters that change the direction of text.
    "\u{202e}zq.x\u{202c}",
    "\u{2066}zq.x\u{2069}",
    "zq.x\u{200b}@\u{200b}bob",
    "\u{feff}zq.x",
    "zq.x\u{ad}",
    "zq.x\u{0}",
    "zq.x\u{7}\u{1b}[31m",
    "zq.x\u{85}zq.x\u{2028}zq.x\u{2029}zq.x",
    "zq.x\u{fffd}\u{fffd}",
    "zq.x\u{fffe}\u{10ffff}\u{e000}",
    "\u{e0001}\u{e0041}zq.x",
    "z\u{34f}q.x zq.x\u{3164}\u{115f}",
    "zq.x\u{fe0f}\u{20e3}",
    "Zq.x\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}",
    "\u{fdfd}\u{fdfd}zq.x",
    "\u{ff20}zq.x\u{ff1c}\u{ff40}",
    "\\ud800\\udc00zq.x",
    "zq.x\r\nzq.x\n\rzq.x\r",
    "\tzq.x\u{a0}zq.x\u{3000}zq.x",
    "Co-authored-by:zq.x",
    "zq.x\n\nCo-authored-by: zq.x <1+zq.x@users.noreply.github.com>",
    "fixes #1 zq.x",
    "=zq.x=",
    "size=3=zq.x",
    "a=b=zq.x",
    "\"zq.x\"",
    "'zq.x'",
    "zq.x\",\"status\":\"won",
];
