// Checks which events start a job: evaluates the `if:` of a workflow's play job as GitHub does, for each event in gate.json.
// Usage: node .ci/gate.mjs NODE_MODULES WORKFLOW
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, workflow] = process.argv.slice(2);
const { Lexer, Parser, Evaluator, data } = await import(
  pathToFileURL(resolve(modules, "@actions/expressions/dist/index.js")).href
);

// The folded block: the lines that are indented deeper than their key.
const text = readFileSync(workflow, "utf8");
const folded = /^ {4}if: >-\n((?: {6,}.*\n)+)/m.exec(text);
if (!folded) {
  console.error(`${workflow} has no job with an "if: >-" block`);
  process.exit(1);
}
const expression = folded[1].replace(/\s*\n\s*/g, " ").trim();

// What starts a job is one list, which the tests of the program read, too.
const cases = JSON.parse(readFileSync(new URL("gate.json", import.meta.url), "utf8")).map((each) => {
  const { name, starts, comment, body = "It broke.", title = "A bug", labels = ["bug"] } = each;
  const issue = { title, body, labels: labels.map((name) => ({ name })) };
  if (each.pullRequest) issue.pull_request = { url: "" };
  const event = { sender: { type: each.bot ? "Bot" : "User" }, issue };
  if (comment === undefined) return [name, starts, { event_name: "issues", event: { action: "opened", ...event } }];
  return [name, starts, { event_name: "issue_comment", event: { action: "created", comment: { body: comment }, ...event } }];
});
cases.push(["a run by hand", true, { event_name: "workflow_dispatch", event: { inputs: null, sender: { type: "User" } } }]);

const literal = (value) => {
  if (value === null) return new data.Null();
  if (typeof value === "string") return new data.StringData(value);
  if (Array.isArray(value)) return new data.Array(...value.map(literal));
  return new data.Dictionary(...Object.entries(value).map(([key, inner]) => ({ key, value: literal(inner) })));
};

const starts = (github) => {
  const tree = new Parser(new Lexer(expression).lex().tokens, ["github"], []).parse();
  const result = new Evaluator(tree, literal({ github })).evaluate();
  return result.coerceString() === "true";
};

let failed = 0;
for (const [name, wanted, github] of cases) {
  if (starts(github) !== wanted) {
    failed += 1;
    console.error(`${workflow}: ${name} ${wanted ? "starts no job, but should" : "starts a job, but shouldn't"}`);
  }
}
console.log(`${workflow}: ${cases.length - failed} events passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
