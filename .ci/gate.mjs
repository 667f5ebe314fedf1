// Checks which events start a job: evaluates the `if:` of a workflow's play job as GitHub does.
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

const person = { type: "User" };
const bot = { type: "Bot" };
const issue = (more) => ({ labels: [{ name: "bug" }], body: "It broke.", ...more });
const table = issue({ labels: [{ name: "bug" }, { name: "play-by-commit" }] });
const comment = (body, on = issue(), sender = person) => ({
  event_name: "issue_comment",
  event: { action: "created", sender, issue: on, comment: { body } },
});
const opened = (body, sender = person) => ({
  event_name: "issues",
  event: { action: "opened", sender, issue: issue({ body }) },
});

const cases = [
  ["a command", true, comment("/move b2")],
  ["a command below an empty line", true, comment("\r\n/move b2")],
  ["a command below a quote", true, comment("> Your move.\n\n/move b2")],
  ["a command below a quote, from a browser", true, comment("> Your move.\r\n\r\n/move b2")],
  ["chat", false, comment("Nice weather today.")],
  ["chat with a slash in a line", false, comment("See src/lib.rs and/or https://example.org/a.\r\nBye.")],
  ["the letters of an escape", false, comment("Use \\n/ there.")],
  ["a bare move at a table", true, comment("b2", table)],
  ["chat at a table, which only the program can tell from a move", true, comment("Good game!", table)],
  ["a command of a bot", false, comment("/move b2", table, bot)],
  ["a command on a pull request", false, comment("/move b2", { ...table, pull_request: { url: "" } })],
  ["chat below an issue that began with a command", false, comment("Hello", issue({ body: "/new tic-tac-toe" }))],
  ["chat below a form without its label", false, comment("Hello", issue({ body: "### Game\n\ntic-tac-toe" }))],
  ["an issue with a command", true, opened("/new tic-tac-toe @bob")],
  ["an issue that begins with a game", true, opened("/chess @bob")],
  ["an issue with a space after the slash", true, opened("/ new chess @bob")],
  ["an issue with a command further down", true, opened("Who plays?\r\n\r\n/new tic-tac-toe")],
  ["a filled-in form", true, opened("### Game\n\ntic-tac-toe\n\n### Opponent\n\n@bob\n\n### Options\n\n_No response_")],
  ["a bug report", false, opened("### Steps\n\nIt broke.\n\n### Game\n\nNone.")],
  ["an issue without a body", false, opened(null)],
  ["an issue of a bot", false, opened("/new tic-tac-toe", bot)],
  ["a run by hand", true, { event_name: "workflow_dispatch", event: { inputs: null, sender: person } }],
];

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
