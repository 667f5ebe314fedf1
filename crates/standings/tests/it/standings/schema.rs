//! The JSON Schema of the files of the standings, made from their types.

use games::GameKind;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};
use standings::files::SCHEMA_VERSION;
use standings::{OPEN_KIND, OpenRow, PlayerFile, Ranking, RatedRow};

/// The JSON Schema of the files: one alternative for each of the three, and the definitions of all at the root.
fn schema() -> Value {
    let mut generator = SchemaGenerator::default();
    let names: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.info().name).collect();
    let mut player = PlayerFile::json_schema(&mut generator).to_value();
    player["title"] = "players/ID.json".into();
    player["properties"]["games"]["propertyNames"] = json!({ "enum": names });
    let mut rated = Ranking::<RatedRow>::json_schema(&mut generator).to_value();
    rated["title"] = "players/GAME.json".into();
    rated["properties"]["game"] = json!({ "enum": names });
    let mut open = Ranking::<OpenRow>::json_schema(&mut generator).to_value();
    open["title"] = "players/open.json".into();
    open["properties"]["game"] = json!({ "const": OPEN_KIND });
    let files = [player, rated, open].map(|mut file| {
        file["properties"]["schema"] = json!({ "const": SCHEMA_VERSION });
        file
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The standings of Play by Commit: state/players/*.json",
        "anyOf": files,
        "$defs": generator.take_definitions(true),
    })
}

#[test]
fn the_schema_is_current() {
    let schema = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    expect_test::expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/../../state/standings.schema.json")]
        .assert_eq(&schema);
}
