//! [`InvalidRecord`], the reason why a record can't be read.

use std::error::Error;
use std::fmt;

/// An error that names the field of a record that is wrong: a sentence for the host, without its capital and its period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidRecord(String);

impl From<String> for InvalidRecord {
    fn from(sentence: String) -> InvalidRecord {
        InvalidRecord(sentence)
    }
}

impl From<&str> for InvalidRecord {
    fn from(sentence: &str) -> InvalidRecord {
        InvalidRecord(sentence.to_owned())
    }
}

impl fmt::Display for InvalidRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for InvalidRecord {}
