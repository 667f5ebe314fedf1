//! The facts about the commands, and the words that people write for them.

use std::collections::BTreeSet;

use table::{Command, Meaning, ParsedComment, commands, find_command, parse_comment, phrases};

#[test]
fn every_word_is_the_command_with_its_facts() {
    for word in commands().into_iter().map(|usage| usage.word).chain(["/rules".to_owned()]) {
        let ParsedComment::Command(command, None) = parse_comment(&word) else { panic!("{word} isn't a command") };
        assert_eq!(command.spec(), find_command(&word), "{word}");
        assert_eq!(command.spec().is_none(), matches!(command, Command::Verb(_)), "{word}");
    }
}

#[test]
fn no_word_stands_for_two_commands() {
    let mut known: BTreeSet<String> = commands().into_iter().map(|usage| usage.word).collect();
    for (phrase, meaning) in phrases() {
        if let Meaning::Command(word) | Meaning::Synonym(word) | Meaning::Misnomer(word) = meaning {
            assert!(find_command(word.split(' ').next().unwrap()).is_some(), "{word}");
            assert!(known.insert(phrase.to_owned()), "{phrase}");
        }
    }
}

#[test]
fn no_phrase_is_two_answers_or_twice_in_the_table() {
    let mut known = BTreeSet::new();
    for (phrase, meaning) in phrases() {
        let group = match meaning {
            Meaning::Yes
            | Meaning::No
            | Meaning::Later
            | Meaning::Acknowledgement
            | Meaning::Joining
            | Meaning::Ready => "an answer".to_owned(),
            meaning => format!("{meaning:?}"),
        };
        assert!(known.insert((phrase, group)), "{phrase}: {meaning:?}");
        assert!(!phrase.is_empty() && phrase.trim() == phrase, "{phrase:?}");
        assert!(meaning == Meaning::Smiley || phrase.to_lowercase() == phrase, "{phrase}");
    }
}
