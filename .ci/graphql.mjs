// Validates every *.graphql in crates and tests/live against the schema that GitHub publishes. The program joins the
// *.fragment.graphql to the documents that name their fragments, and so does this.
//
//   node .ci/graphql.mjs DIR
//
// DIR/node_modules holds the packages `graphql` and `@octokit/graphql-schema`. Exits with 1 and the errors if a document
// does not fit, with 2 if there is nothing to check.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

if (!process.argv[2]) {
  console.error("usage: node .ci/graphql.mjs DIR   (DIR/node_modules holds graphql and @octokit/graphql-schema)");
  process.exit(2);
}
const modules = join(resolve(process.argv[2]), "node_modules");
const { buildSchema, parse, Source, validate } = createRequire(join(modules, "from-here.js"))("graphql");
const published = join(modules, "@octokit", "graphql-schema", "schema.graphql");
// The published schema has some duplicate fields, so skip its validation and only validate our documents.
const schema = buildSchema(readFileSync(published, "utf8"), { assumeValid: true, assumeValidSDL: true });

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const below = (folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name));
const files = ["crates", "tests/live"].flatMap(below).filter((name) => name.endsWith(".graphql")).sort();
const documents = files.filter((name) => !name.endsWith(".fragment.graphql"));
const read = (name) => readFileSync(join(root, name), "utf8");
const fragments = files.filter((name) => !documents.includes(name)).map(read);
const isNamed = (fragment, text) => text.includes(`...${fragment.match(/^fragment (\w+)/m)[1]}`);
if (documents.length === 0) {
  console.error("There is no *.graphql to check.");
  process.exit(2);
}

let wrong = 0;
for (const name of documents) {
  const text = [read(name), ...fragments.filter((fragment) => isNamed(fragment, read(name)))].join("");
  let errors;
  try {
    errors = validate(schema, parse(new Source(text, name)));
  } catch (error) {
    errors = [error];
  }
  wrong += errors.length;
  errors.forEach((error) => console.error(`${error}\n`));
  console.log(`${errors.length === 0 ? "fits " : "WRONG"}  ${name}`);
}
process.exit(wrong === 0 ? 0 : 1);
