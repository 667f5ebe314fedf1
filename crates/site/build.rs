//! Embeds the pages of `docs/games`, and the boards that they show.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pages = files(&docs.join("games"))?;
    let mut text = String::new();
    for page in &pages {
        text += &fs::read_to_string(page)?;
    }
    let is_shown = |board: &PathBuf| {
        let name = board.file_name().unwrap_or_default().display();
        text.contains(&format!("\"../boards/{name}\""))
    };
    let boards: Vec<PathBuf> = files(&docs.join("boards"))?.into_iter().filter(is_shown).collect();
    let code = embed("GUIDES", &pages) + &embed("BOARDS", &boards);
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("guides.rs"), code)
}

/// Returns the files in a folder, sorted, and asks Cargo to run this again when one changes.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

/// Returns a constant with the names of these files, without their extensions, and their texts.
fn embed(constant: &str, files: &[PathBuf]) -> String {
    let mut code = format!("const {constant}: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file.file_stem().unwrap_or_default().display();
        _ = writeln!(code, "    (\"{name}\", include_str!({file:?})),");
    }
    code + "];\n"
}
