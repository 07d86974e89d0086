// What everything else builds on: the data, the state, and how elements are made.
const report = JSON.parse(document.getElementById("data").textContent);
const state = { at: 0, test: null, line: null, filter: "", criterion: null, verdict: null, sort: ["id", 1], shown: 100 };
const byId = (id) => document.getElementById(id);
const now = () => report.functions[state.at];

// Makes an element: h("a", { href: "#x" }, "text", child, [more]).
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const plural = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
const verdicts = { covered: "●", infeasible: "⊘", unknown: "?" };

// A value as C would write it, members that are zero left out, shortened if asked.
function spell(value, most = Infinity) {
  const text = value === null ? "NULL"
    : Array.isArray(value) ? `{${value.map((part) => spell(part)).join(", ")}}`
    : typeof value === "object" ? `{${Object.entries(value).filter(([, part]) => !isZero(part)).map(([name, part]) => `.${name} = ${spell(part)}`).join(", ") || "0"}}`
    : String(value);
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}
function isZero(value) {
  if (value === null || typeof value !== "object") return value === null || value === 0 || value === "0x0p+0" || /^[[\]0,]+ ×/.test(value);
  return Object.values(value).every(isZero);
}
// The single object behind a pointer has no braces of its own.
const behind = ({ name, value }) => (name.startsWith("*") && Array.isArray(value) && value.length === 1 ? value[0] : value);
const isPlain = ({ name, value }) => value === `&*${name}`;
const spellAll = (values, most = Infinity) => values.filter((value) => !isPlain(value)).map((value) => `${value.name} = ${spell(behind(value), most)}`).join(", ");

// Text with `code` in it.
function words(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

const prefix = () => (report.functions.length > 1 ? `${now().name}/` : "");
const testLink = (id) => h("a", { class: "chip", href: `#${prefix()}test-${id}` }, String(id));
const lineHash = (file, line) => `#${prefix()}line-${file === now().file ? "" : `${file}:`}${line}`;
const lineLink = (file, line) => h("a", { href: lineHash(file, line) }, `line ${line}`);

function testLinks(tests, count, most = 24) {
  const links = tests.slice(0, most).map(testLink);
  return count > links.length ? [...links, h("span", { class: "why" }, `${plural(count, "test")} in all`)] : links;
}

// What is known of each line of the function shown, made once: tests, objectives, findings by "file:line".
function lineFacts(page) {
  if (page.facts) return page.facts;
  const facts = new Map();
  const at = (file, line) => {
    const key = `${file}:${line}`;
    if (!facts.has(key)) facts.set(key, { file, line, blocks: [], objectives: [], findings: [], mutants: [] });
    return facts.get(key);
  };
  page.blockTests = page.blocks.map(() => []);
  for (const test of page.tests) for (const block of test.blocks) page.blockTests[block].push(test.id);
  page.blocks.forEach(([file, lines], block) => lines.forEach((line) => at(file, line).blocks.push(block)));
  for (const objective of page.objectives) at(objective.file, objective.line).objectives.push(objective);
  for (const finding of page.findings) at(finding.file, finding.line).findings.push(finding);
  for (const [line, , text, by] of page.mutants?.alive ?? []) at(page.file, line).mutants.push([text, by]);
  return (page.facts = facts);
}

function testsOfLine(page, fact) {
  if (fact.blocks.length === 1) return page.blockTests[fact.blocks[0]];
  const all = new Set();
  for (const block of fact.blocks) for (const test of page.blockTests[block]) all.add(test);
  return [...all].sort((a, b) => a - b);
}

// The verdict on a line: unknown before infeasible before covered. A check that cannot fail says nothing against it.
function lineVerdict(page, fact) {
  const objectives = fact.objectives.filter((objective) => objective.criterion !== "error" || objective.verdict !== "infeasible");
  const has = (verdict) => objectives.some((objective) => objective.verdict === verdict);
  if (has("unknown")) return "unknown";
  if (objectives.length) return has("covered") ? (has("infeasible") ? "partial" : "covered") : "infeasible";
  if (fact.blocks.some((block) => page.blockTests[block].length)) return "covered";
  return page.proof ? "infeasible" : "unknown";
}
