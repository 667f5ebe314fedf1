//! The imports of every source file, from its tokens: `use` trees and paths in the code, macros included.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The imports of a file.
#[derive(Default)]
pub(super) struct Imports {
    /// The files that it uses, by their paths below `src`, each with the name that it uses of it.
    pub files: BTreeMap<String, String>,
    /// The paths into other crates, and the names of macros with their `!`.
    pub outside: BTreeSet<String>,
    /// The items of other files that it re-exports.
    pub reexports: BTreeSet<String>,
}

/// The imports of each file, by its path below `src`.
pub(super) type Graph = BTreeMap<String, Imports>;

/// The module path of a file: `["games", "backgammon"]`.
type Module = Vec<String>;

/// Reads all files below a directory.
pub(super) fn read_sources(src: &Path) -> Graph {
    let mut files = BTreeMap::new();
    collect(src, &[], &mut files);
    let mut code: BTreeMap<Module, (String, Vec<String>)> = BTreeMap::new();
    for (path, text) in &files {
        assert!(
            !text.contains("cfg(test)"),
            "src/{path}: the library is built without tests, so this one would never run"
        );
        let module = module_of(path);
        let stream: TokenStream = text.parse().unwrap_or_else(|error| panic!("src/{path}: {error}"));
        let mut tokens = Vec::new();
        flatten(stream, &mut tokens);
        code.insert(module, (path.clone(), tokens));
    }
    code.iter().map(|(module, (path, tokens))| (path.clone(), imports(module, path, tokens, &code))).collect()
}

fn collect(dir: &Path, above: &[String], files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let path = [above, std::slice::from_ref(&name)].concat();
        if entry.path().is_dir() {
            collect(&entry.path(), &path, files);
        } else if name.ends_with(".rs") && name != "main.rs" {
            files.insert(path.join("/"), fs::read_to_string(entry.path()).unwrap());
        }
    }
}

fn module_of(path: &str) -> Module {
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
    if path == "lib" { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// Writes the tokens of a file down as words, without literals and attributes' texts.
fn flatten(stream: TokenStream, words: &mut Vec<String>) {
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Parenthesis => ("(", ")"),
                    _ => ("[", "]"),
                };
                words.push(open.to_owned());
                flatten(group.stream(), words);
                words.push(close.to_owned());
            }
            TokenTree::Punct(colon) if colon.as_char() == ':' && words.last().is_some_and(|word| word == ":") => {
                words.pop();
                words.push("::".to_owned());
            }
            TokenTree::Literal(_) => words.push("\"\"".to_owned()),
            other => words.push(other.to_string()),
        }
    }
}

type Code = BTreeMap<Module, (String, Vec<String>)>;

fn imports(module: &Module, path: &str, words: &[String], code: &Code) -> Imports {
    let mut found = Imports::default();
    let mut names: BTreeMap<String, Module> = BTreeMap::new();
    let mut rest = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if words[at] != "use" {
            rest.push(words[at].as_str());
            at += 1;
            continue;
        }
        let public = at > 0 && (words[at - 1] == "pub" || words[at - 1] == ")");
        let mut leaves = Vec::new();
        at = use_tree(words, at + 1, &[], &mut leaves);
        for (leaf, name) in leaves {
            let file = add(&leaf, module, path, code, &mut found);
            if public && file.is_some() {
                found.reexports.insert(leaf.join("::"));
            }
            names.insert(name, leaf);
        }
    }
    for (at, word) in rest.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |before| rest[before]);
        let next = rest.get(at + 1).copied().unwrap_or_default();
        if next == "!" && rest.get(at + 2).is_some_and(|word| "([{".contains(word)) {
            found.outside.insert(format!("{word}!"));
        }
        let begins = is_name(word) && next == "::" && before != "::" && (before != "$" || *word == "crate");
        if !begins {
            continue;
        }
        let mut whole: Module = vec![(*word).to_owned()];
        let steps = rest[at + 1..].chunks(2);
        whole.extend(
            steps
                .take_while(|step| step[0] == "::" && step.len() == 2 && is_name(step[1]))
                .map(|step| step[1].to_owned()),
        );
        if let Some(named) = names.get(*word) {
            whole.splice(..1, named.iter().cloned());
        }
        if whole.len() > 1 {
            add(&whole, module, path, code, &mut found);
        }
    }
    found
}

/// Notes where a path leads, and says which file of ours that is.
fn add(whole: &[String], module: &Module, path: &str, code: &Code, found: &mut Imports) -> Option<()> {
    let below = |module: &[String]| code.contains_key(&[module, &whole[..1]].concat()).then(|| module.to_vec());
    // A macro may be given the path of something beside it.
    let beside = || below(&module[..module.len().saturating_sub(1)]).filter(|_| whole.len() > 1);
    let (mut at, mut rest) = match whole[0].as_str() {
        "crate" => (Vec::new(), &whole[1..]),
        "self" => (module.clone(), &whole[1..]),
        "super" => {
            let up = whole.iter().take_while(|word| *word == "super").count();
            (module[..module.len() - up].to_vec(), &whole[up..])
        }
        first => match below(module).or_else(beside) {
            Some(above) => (above, whole),
            None => {
                if first.starts_with(char::is_lowercase) && whole.len() > 1 {
                    found.outside.insert(whole.join("::"));
                }
                return None;
            }
        },
    };
    while let [next, below @ ..] = rest
        && code.contains_key(&[&at[..], std::slice::from_ref(next)].concat())
    {
        at.push(next.clone());
        rest = below;
    }
    let (file, _) = &code[&at];
    if file == path {
        return None;
    }
    let name = rest.first().map_or_else(|| "the module".to_owned(), |item| format!("`{item}`"));
    found.files.entry(file.clone()).or_insert(name);
    Some(())
}

/// Reads a `use` tree into its leaves, each with the name that it gets here, and gives the place behind it.
fn use_tree(words: &[String], mut at: usize, above: &[String], leaves: &mut Vec<(Module, String)>) -> usize {
    let mut path = above.to_vec();
    loop {
        match words[at].as_str() {
            "{" => {
                at += 1;
                while words[at] != "}" {
                    at = use_tree(words, at, &path, leaves);
                    at += usize::from(words[at] == ",");
                }
                return at + 1;
            }
            "::" => at += 1,
            "," | "}" | ";" => break,
            "as" => {
                leaves.push((path, words[at + 1].clone()));
                return at + 2;
            }
            "self" if !above.is_empty() => at += 1,
            word => {
                path.push(word.to_owned());
                at += 1;
            }
        }
    }
    let name = path.last().cloned().unwrap_or_default();
    leaves.push((path, name));
    at
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
