// Validates every src/**/*.graphql against the schema that GitHub publishes.
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

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "src");
const documents = readdirSync(root, { recursive: true }).filter((name) => name.endsWith(".graphql")).sort();
if (documents.length === 0) {
  console.error("There is no src/**/*.graphql to check.");
  process.exit(2);
}

let wrong = 0;
for (const name of documents) {
  const text = readFileSync(join(root, name), "utf8");
  let errors;
  try {
    errors = validate(schema, parse(new Source(text, name)));
  } catch (error) {
    errors = [error];
  }
  wrong += errors.length;
  errors.forEach((error) => console.error(`${error}\n`));
  console.log(`${errors.length === 0 ? "fits " : "WRONG"}  src/${name}`);
}
process.exit(wrong === 0 ? 0 : 1);
