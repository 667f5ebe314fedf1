//! The dice: their rolls, their fairness, that they give no secret away, and that `docs/DICE.md` tells the truth.

mod blocks;
mod document;
mod fairness;
mod fixture;

use std::collections::HashSet;

use game::Roll;
use serde::de::DeserializeOwned;
use table::dice::{MIN_SECRET_CHARS, parse_secret};
use table::{CommentId, CommentRef, Commitment, InvalidSecret, IssueNumber, Key, RoundContext, Timestamp, UserId};

/// The key with the bytes 0, 1, 2, ... 31.
fn counting() -> Key {
    Key::from_entropy(std::array::from_fn(|at| u8::try_from(at).unwrap()))
}

/// Source and number of rolls of one table.
fn roll(key: &Key, round: u32, number: u32, issue: u64, comment: u64) -> Roll {
    key.roll(round, number, CommentRef { issue: IssueNumber::new(issue), comment: CommentId::new(comment) })
}

// The numbers in the next three tests come from another program: Python's hmac and struct.

#[test]
fn the_throws_are_those_that_others_work_out() {
    for (round, number, issue, comment, dice) in [
        (1, 1, 42, 0, [5, 1]),
        (1, 2, 42, 0, [5, 3]),
        (2, 1, 42, 0, [4, 3]),
        (1, 1, 43, 0, [1, 2]),
        (1, 1, 42, 1, [5, 5]),
        (1, 1, 42, 5_000_000_002, [4, 1]),
        (258, 772, 1286, 1800, [3, 3]),
        (u32::MAX, u32::MAX - 1, u64::MAX - 2, u64::MAX - 3, [1, 5]),
    ] {
        assert_eq!(roll(&counting(), round, number, issue, comment), dice, "{round} {number} {issue} {comment}");
    }
    assert_eq!(roll(&Key::from_entropy([255; 32]), 1, 1, 42, 0), [5, 3]);
}

#[test]
fn bytes_that_would_favor_the_low_faces_are_skipped() {
    for (number, bytes, dice) in [
        (46, [251, 210, 109], [6, 1]),
        (262, [252, 237, 230], [4, 3]),
        (152, [253, 36, 204], [1, 1]),
        (12, [114, 253, 71], [1, 6]),
        (273, [254, 158, 44], [3, 3]),
        (762, [255, 180, 24], [1, 1]),
        (303, [254, 255, 48], [1, 3]),
    ] {
        assert_eq!(roll(&counting(), 1, number, 42, 5_000_000_002), dice, "roll {number}, from the bytes {bytes:?}");
    }
}

#[test]
fn the_keys_are_those_that_others_work_out() {
    let long = ["x".repeat(64), "x".repeat(65)];
    for (text, (issue, round, by, comment, time), key, commitment) in [
        (
            "sixteen letters!",
            (1, 1, 1, 1, 1),
            "1c98ef29f2e4a36adceb7f28b032e884b1d53f7bb781727b9bf04858cdb58ae7",
            "0790fb069f8d8acc8f8209773bf34023b5a1ec0921317d0047a41613e4f28e06",
        ),
        (
            "sixteen letters!",
            (u64::MAX, u32::MAX, u64::MAX - 1, u64::MAX - 2, u64::MAX - 3),
            "cc1be1a14bca801add12d1a5766d2c336a222704afc3222fcdc1cd9de753cd83",
            "8d1eaa3021ea63958a47faef2aba6ccd527cd9c5b5967fb4e35fa10cced20446",
        ),
        (
            "würfel würfel würfel",
            (7, 3, 1002, 5_000_000_004, 1_760_000_001_000),
            "578eceb6b4bb46873c7802c5c036440b3bfbfa10a813429080532a4281628933",
            "43568206a81c4a50c32357bca9ab77a8cfd59ed0b27491d3ec4c13b9cb3256f7",
        ),
        (
            long[0].as_str(),
            (7, 3, 1002, 5_000_000_004, 1_760_000_001_000),
            "164d572ffa69324d9a42941536130a547566b222bcd85c54064868a3b32af33a",
            "b335151155d1c2ada18d19fdb6605d2db75d058f2870b5872b3de323b65a53d4",
        ),
        (
            long[1].as_str(),
            (7, 3, 1002, 5_000_000_004, 1_760_000_001_000),
            "ae260b0042bc469bc53332b2f788388f9853e367983b84eb3d4c6ced5710f01b",
            "67f02e5dc96fdf917c7e8442774f909a66a4fd86c4e4946b953fa3a483c4a74c",
        ),
    ] {
        let found = Key::derive(
            &parse_secret(text).unwrap(),
            &RoundContext {
                issue: IssueNumber::new(issue),
                round,
                author: UserId::new(by),
                comment: CommentId::new(comment),
                time: Timestamp::from_millis(time),
            },
        );
        assert_eq!(found.to_hex(), key, "{text} {issue}");
        assert_eq!(found.commitment().to_string(), commitment, "{text} {issue}");
    }
}

/// A sequence of rolls, so that two of them are the same only when the streams are.
fn stream(dice: impl Fn(u32) -> Roll) -> Vec<Roll> {
    (1..=40).map(dice).collect()
}

#[test]
fn everything_that_a_throw_depends_on_changes_it() {
    let (key, other) = (counting(), Key::from_entropy([1; 32]));
    let streams = [
        stream(|n| roll(&key, 1, n, 42, 77)),
        stream(|n| roll(&other, 1, n, 42, 77)),
        stream(|n| roll(&key, 2, n, 42, 77)),
        stream(|n| roll(&key, 1, n + 1, 42, 77)),
        stream(|n| roll(&key, 1, n, 43, 77)),
        stream(|n| roll(&key, 1, n, 42, 78)),
        stream(|n| roll(&key, n, 1, 42, 77)),
        stream(|n| roll(&key, 1, n, 77, 42)),
    ];
    assert_eq!(streams.iter().collect::<HashSet<_>>().len(), streams.len());
    // The last byte of the key and the first bytes of each field count as well.
    let mut bytes = std::array::from_fn(|at| u8::try_from(at).unwrap());
    bytes[31] ^= 1;
    let last = Key::from_entropy(bytes);
    for far in [
        stream(|n| roll(&last, 1, n, 42, 77)),
        stream(|n| roll(&key, 1 | 1 << 31, n, 42, 77)),
        stream(|n| roll(&key, 1, n | 1 << 31, 42, 77)),
        stream(|n| roll(&key, 1, n, 42 | 1 << 63, 77)),
        stream(|n| roll(&key, 1, n, 42, 77 | 1 << 63)),
    ] {
        assert_ne!(far, streams[0]);
    }
}

#[test]
fn everything_that_makes_a_round_its_own_changes_its_key() {
    let occasion = RoundContext {
        issue: IssueNumber::new(42),
        round: 1,
        author: UserId::new(1001),
        comment: CommentId::new(7),
        time: Timestamp::from_millis(1_760_000_000_000),
    };
    let occasions = [
        occasion,
        RoundContext { issue: IssueNumber::new(43), ..occasion },
        RoundContext { round: 2, ..occasion },
        RoundContext { author: UserId::new(1002), ..occasion },
        RoundContext { comment: CommentId::new(8), ..occasion },
        RoundContext { time: Timestamp::from_millis(1_760_000_000_001), ..occasion },
        RoundContext { author: UserId::new(7), comment: CommentId::new(1001), ..occasion },
    ];
    let mut keys: Vec<_> = ["sixteen letters!", "sixteen letters?", "Sixteen letters!"]
        .into_iter()
        .flat_map(|text| occasions.map(|occasion| Key::derive(&parse_secret(text).unwrap(), &occasion).to_hex()))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 3 * occasions.len());
}

#[test]
fn refuses_a_weak_secret() {
    for weak in ["", " ", "hunter2", "fifteen letters", "fünfzehn zeiche", "    fifteen letters     "] {
        assert_eq!(parse_secret(weak).err(), Some(InvalidSecret::TooShort), "{weak}");
    }
    assert!(parse_secret(&"ü".repeat(MIN_SECRET_CHARS)).is_ok());
    assert!(parse_secret(&"x".repeat(100_000)).is_ok());
    // Whether a line end came along when the secret was stored must not matter when it is stored again.
    let occasion = RoundContext {
        issue: IssueNumber::new(42),
        round: 1,
        author: UserId::new(1001),
        comment: CommentId::new(7),
        time: Timestamp::from_millis(0),
    };
    let key = |text| Key::derive(&parse_secret(text).unwrap(), &occasion);
    assert_eq!(key("sixteen letters!"), key("\tsixteen letters!\r\n"));
}

#[test]
fn nothing_of_a_key_or_a_secret_shows() {
    let text = "0f1e2d3c4b5a6978";
    let key = Key::from_entropy([0x5a; 32]);
    assert_eq!(format!("{:?} {key:?}", parse_secret(text).unwrap()), "Secret(hidden) Key(hidden)");
    assert_eq!(format!("{key:#?}"), "Key(hidden)");
    let commitment = key.commitment();
    assert_eq!(format!("{commitment:?}"), format!("Commitment({commitment})"));
}

#[track_caller]
fn refused<T: DeserializeOwned>(json: &str, sentence: &str) {
    let error = serde_json::from_str::<T>(json).err().expect(json).to_string();
    assert!(error.starts_with(sentence), "{error}");
    assert!(!error.contains("5a5a") && !error.contains("5A5A") && !error.contains("5050"), "{error}");
}

#[test]
fn a_key_has_one_spelling() {
    let key = Key::from_entropy([0x5a; 32]);
    let (digits, json) = ("5a".repeat(32), serde_json::to_string(&key).unwrap());
    assert_eq!(json, format!("\"{digits}\""));
    assert_eq!(serde_json::from_str::<Key>(&json).unwrap(), key);
    assert_eq!(key.to_hex(), digits);
    let commitment = serde_json::to_string(&key.commitment()).unwrap();
    assert_eq!(commitment, format!("\"{}\"", key.commitment()));
    assert_eq!(serde_json::from_str::<Commitment>(&commitment).unwrap(), key.commitment());
    for wrong in [
        format!("\"{}\"", digits.to_uppercase()),
        format!("\"{}A\"", &digits[1..]),
        format!("\"{}\"", &digits[1..]),
        format!("\"{}\"", &digits[2..]),
        format!("\"{digits}5a\""),
        format!("\" {}\"", &digits[1..]),
        format!("\"0x{}\"", &digits[2..]),
        format!("\"+{}\"", &digits[1..]),
        format!("\"{}g\"", &digits[1..]),
        format!("\"{}ü\"", &digits[2..]),
        "\"\"".to_owned(),
        "50505050505050505050505050505050".to_owned(),
        "50505050".to_owned(),
        format!("[\"{digits}\"]"),
        "null".to_owned(),
    ] {
        refused::<Key>(&wrong, "a key has to be a string of 64 lowercase hexadecimal digits");
        refused::<Commitment>(&wrong, "a commitment has to be a string of 64 lowercase hexadecimal digits");
    }
}

/// The published schema says what is read.
#[test]
fn the_schema_asks_for_64_digits() {
    for schema in [schemars::schema_for!(Key), schemars::schema_for!(Commitment)] {
        assert_eq!(schema.get("type").unwrap(), "string");
        assert_eq!(schema.get("pattern").unwrap(), "^[0-9a-f]{64}$");
    }
}
