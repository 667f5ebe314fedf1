//! [`InvalidFile`], the reason why a file of the state directory can't be used.

/// An error in a record or in the standings. It is a sentence for the host that names the field or the file, without
/// the period at its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidFile(String);

impl From<String> for InvalidFile {
    fn from(sentence: String) -> InvalidFile {
        InvalidFile(sentence)
    }
}

impl From<&str> for InvalidFile {
    fn from(sentence: &str) -> InvalidFile {
        InvalidFile(sentence.to_owned())
    }
}
