const project = JSON.parse(document.getElementById("data").textContent);

/* An element with attributes and children. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);
const share = row => { const all = sum(row.objectives, n => n); return all ? (row.objectives[0] + row.objectives[1]) / all : -1; };

/* Totals. */
function overview() {
  const functions = project.functions, tested = functions.filter(row => row.tests > 0);
  const decided = sum(functions, row => row.objectives[0] + row.objectives[1]);
  const objectives = sum(functions, row => sum(row.objectives, n => n));
  const total = (number, words, alarm) => make("div", { class: alarm && number ? "total alarm" : "total" }, make("b", {}, String(number)), make("span", {}, words));
  document.getElementById("overview").append(
    make("h1", {}, `${functions.length} functions`),
    make("p", { class: "lead" }, `${new Set(functions.map(row => row.file)).size} files, ${sum(functions, row => row.statements)} statements`),
    make("div", { class: "totals" },
      total(tested.length, "with tests"), total(functions.length - tested.length, "without"),
      total(sum(functions, row => row.tests), "tests"),
      objectives ? total(`${decided} / ${objectives}`, "objectives decided") : null,
      total(project.findings.length, "findings", true), total(sum(functions, row => row.diverged), "divergences", true)));
}

/* Findings, the gravest first. */
function findings() {
  const section = document.getElementById("findings");
  section.append(make("h2", {}, "Findings", make("span", { class: "note" }, "inputs that make the program undefined")));
  if (!project.findings.length) return section.append(make("p", { class: "empty" }, "None."));
  const rows = project.findings.map(finding => make("tr", {},
    make("td", { class: finding.confirmed ? "bad" : "" }, finding.what), make("td", {}, make("code", {}, finding.text)),
    make("td", { class: "where mono" }, `${finding.file}:${finding.line}`), make("td", { class: "why", title: finding.input }, finding.input)));
  section.append(make("table", { class: "rows" }, make("tbody", {}, ...rows)));
}

const columns = [
  ["Function", row => row.name, row => make("span", { title: row.variant }, row.link ? make("a", { href: row.link }, make("code", {}, row.name)) : make("code", {}, row.name || "(whole file)"), row.variant ? ` (${row.variant})` : null)],
  ["Place", row => `${row.file}:${String(row.line).padStart(7, "0")}`, row => `${row.file}:${row.line}`, "where mono"],
  ["Statements", row => row.statements, row => String(row.statements), "number"],
  ["Tests", row => row.tests, row => String(row.tests), "number"],
  ["Objectives", share, row => bar(row)],
  ["Findings", row => row.findings, row => row.findings ? make("span", { class: "bad" }, String(row.findings)) : "", "number"],
  ["Diverged", row => row.diverged, row => row.diverged ? make("span", { class: "bad" }, String(row.diverged)) : "", "number"],
  ["Ended by", row => row.reason || row.stop, row => row.reason || row.stop, "why"],
];

function bar(row) {
  const all = sum(row.objectives, n => n);
  if (!all) return "";
  const [covered, infeasible, unknown] = row.objectives;
  const part = (kind, number) => make("i", { class: kind, style: `width:${100 * number / all}%` });
  return make("div", { class: "bar", title: `${covered} covered, ${infeasible} infeasible, ${unknown} unknown` },
    part("covered", covered), part("infeasible", infeasible), part("unknown", unknown));
}

/* The table, sorted by a column and filtered by what is typed. */
const order = { column: 1, down: false };
let wanted = "";

function rows() {
  const value = columns[order.column][1];
  const compare = (a, b) => { const [x, y] = [value(a), value(b)]; return x < y ? -1 : x > y ? 1 : 0; };
  const shown = project.functions.filter(row => `${row.name} ${row.file} ${row.reason || row.stop}`.toLowerCase().includes(wanted));
  shown.sort((a, b) => order.down ? compare(b, a) : compare(a, b));
  return shown.map(row => make("tr", {}, ...columns.map(([, , cell, kind]) => make("td", { class: kind }, cell(row)))));
}

function draw() {
  const heads = columns.map(([name, , , kind], index) => {
    const button = make("button", {}, name);
    button.addEventListener("click", () => {
      order.down = order.column === index ? !order.down : kind === "number";
      order.column = index;
      draw();
    });
    const sorted = order.column === index ? (order.down ? "descending" : "ascending") : undefined;
    return make("th", { class: kind === "number" ? "number" : undefined, "aria-sort": sorted }, button);
  });
  const table = make("table", { class: "rows" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows()));
  document.getElementById("table").replaceChildren(table);
}

function functions() {
  const search = make("input", { class: "search", type: "search", placeholder: "name, file or reason ( / )", "aria-label": "filter" });
  search.addEventListener("input", () => { wanted = search.value.toLowerCase(); draw(); });
  document.getElementById("functions").append(make("h2", {}, "Functions", search), make("div", { id: "table" }));
  document.addEventListener("keydown", event => {
    if (event.target === search) return;
    if (event.key === "/") { event.preventDefault(); search.focus(); }
    if (event.key === "d") turn();
  });
  draw();
}

/* The workers of a queue: what each did, and what kept them. */
function crew() {
  const crew = project.crew;
  if (!crew) return;
  const section = document.getElementById("crew"), workers = Object.entries(crew.workers);
  const row = (...cells) => make("tr", {}, ...cells.map((cell, index) => make("td", { class: index ? "number" : "mono" }, cell)));
  const table = (heads, rows) => make("table", { class: "rows" },
    make("thead", {}, make("tr", {}, ...heads.map((head, index) => make("th", { class: index ? "number" : undefined }, head)))), make("tbody", {}, ...rows));
  const rate = worker => worker.seconds > 0 ? (worker.functions / worker.seconds).toFixed(2) : "";
  section.append(
    make("h2", {}, "Workers", make("span", { class: "note" }, `${crew.retried.length} functions tried again, ${crew.taken_over} orders of lost workers, ${crew.repeated} results left out`)),
    table(["Worker", "Functions", "Seconds at work", "Functions a second"],
      workers.map(([name, worker]) => row(name, String(worker.functions), worker.seconds.toFixed(1), rate(worker)))),
    make("h2", {}, "Stragglers", make("span", { class: "note" }, "the functions that took longest")),
    table(["Function", "Seconds"], crew.slowest.map(([name, seconds]) => row(name, seconds.toFixed(1)))),
    ...crew.retried.map(([file, name, why]) => make("p", { class: "note" }, `${name ? file + ": " + name : file} was tried again after ${why}`)),
    ...crew.troubles.map(trouble => make("p", { class: "note" }, trouble)));
}

function turn() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
}

if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";
document.getElementById("theme").addEventListener("click", turn);
overview();
findings();
functions();
crew();
