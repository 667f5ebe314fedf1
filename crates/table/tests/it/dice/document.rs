//! The worked example of `docs/DICE.md`. It is worked out here from the bytes that the page shows, and held against what the
//! program says. `UPDATE_EXPECT=1 cargo test -p play-by-commit-table dice` writes it again.

use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use table::dice::parse_secret;
use table::{CommentId, CommentRef, IssueNumber, Key, RoundContext, Timestamp, UserId};
use testkit::place;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/DICE.md");
const SECRET: &str = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
const OCCASION: RoundContext = RoundContext {
    issue: IssueNumber::new(42),
    round: 1,
    author: UserId::new(1001),
    comment: CommentId::new(0),
    time: Timestamp::from_millis(1_760_000_000_000),
};
const SOURCE: CommentRef = place(42, 5_000_000_062);
const NUMBER: u32 = 3;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(message).finalize().into_bytes().to_vec()
}

/// A line a field: its name, its bytes, and what they mean. And all the bytes, one after the other.
fn message(domain: &str, fields: &[(&str, Vec<u8>, u64)]) -> (String, Vec<u8>) {
    let mut lines = format!("  {:<10} {}\n{:13}({domain:?} in ASCII)\n", "domain", hex(domain.as_bytes()), "");
    let mut bytes = domain.as_bytes().to_vec();
    for (name, field, value) in fields {
        lines += &format!("  {name:<10} {:<16}  {value}\n", hex(field));
        bytes.extend(field);
    }
    (lines, bytes)
}

fn long(value: u64) -> Vec<u8> {
    value.to_be_bytes().to_vec()
}

fn short(value: u32) -> Vec<u8> {
    value.to_be_bytes().to_vec()
}

fn example() -> String {
    let RoundContext { issue, round, author, comment, time } = OCCASION;
    let (key_lines, key_message) = message(
        "play-by-commit/dice/key/1",
        &[
            ("issue", long(issue.get()), issue.get()),
            ("round", short(round), round.into()),
            ("by", long(author.get()), author.get()),
            ("comment", long(comment.get()), comment.get()),
            ("time", long(time.as_millis()), time.as_millis()),
        ],
    );
    let key = hmac(SECRET.as_bytes(), &key_message);
    let commitment = hex(&Sha256::digest(&key));
    let (throw_lines, throw_message) = message(
        "play-by-commit/dice/throw/1",
        &[
            ("round", short(round), round.into()),
            ("number", short(NUMBER), NUMBER.into()),
            ("issue", long(SOURCE.issue.get()), SOURCE.issue.get()),
            ("comment", long(SOURCE.comment.get()), SOURCE.comment.get()),
            ("block", short(0), 0),
        ],
    );
    let block = hmac(&key, &throw_message);
    let used = block.iter().scan(0, |dice, byte| {
        let go_on = *dice < 2;
        *dice += i32::from(*byte < 252);
        go_on.then_some(*byte)
    });
    let used: Vec<u8> = used.collect();
    let dice: Vec<u8> = used.iter().filter(|byte| **byte < 252).map(|byte| byte % 6 + 1).collect();
    let steps = used.iter().map(|byte| match byte {
        252.. => format!("  {byte:02x} = {byte:<3}  skipped\n"),
        _ => format!("  {byte:02x} = {byte:<3}  {byte} mod 6 + 1 = {}\n", byte % 6 + 1),
    });
    let steps: String = steps.collect();

    let program = Key::derive(&parse_secret(SECRET).unwrap(), &OCCASION);
    assert_eq!(program.to_hex(), hex(&key));
    assert_eq!(program.commitment().to_string(), commitment);
    assert_eq!(program.roll(round, NUMBER, SOURCE).as_slice(), dice);
    assert!(used.len() > 2, "the example has a byte that is skipped");

    format!(
        "```text\nsecret       {SECRET}\n\nmessage of the key, {} bytes:\n{key_lines}all of it    {}\nkey          {}\n\
         commitment   {commitment}\n\nmessage of roll {NUMBER}, {} bytes:\n{throw_lines}all of it    {}\nblock 0      {}\n{steps}\
         dice         {}\n```\n",
        key_message.len(),
        wrapped(&key_message),
        hex(&key),
        throw_message.len(),
        wrapped(&throw_message),
        hex(&block),
        dice.iter().map(u8::to_string).collect::<Vec<_>>().join("-"),
    )
}

/// Lines of 32 bytes.
fn wrapped(bytes: &[u8]) -> String {
    bytes.chunks(32).map(hex).collect::<Vec<_>>().join("\n             ")
}

#[test]
fn the_page_shows_what_the_program_does() {
    let text = std::fs::read_to_string(PAGE).unwrap();
    let (begin, end) = ("<!-- example -->\n", "<!-- /example -->");
    let from = text.find(begin).expect("the page has an example") + begin.len();
    let to = from + text[from..].find(end).expect("the example has an end");
    let current = format!("{}{}{}", &text[..from], example(), &text[to..]);
    expect_test::expect_file![PAGE].assert_eq(&current);
}
