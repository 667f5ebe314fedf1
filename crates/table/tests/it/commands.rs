//! The facts about the commands.

use std::collections::BTreeSet;

use table::parser::parse_comment;
use table::{Command, ParsedComment, commands, find_command};

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
    let mut known = BTreeSet::new();
    for spec in commands().iter().filter_map(|usage| find_command(&usage.word)) {
        for text in [&[spec.word()], spec.synonyms, spec.misnomers, spec.phrases].concat() {
            assert!(known.insert(text), "{text}");
        }
    }
}
