// Choosing, keys, and the first drawing.
function drawFunction() {
  drawOverview(); drawFindings(); drawGauges(); drawMutants(); drawSource(); drawObjectives(); drawDecisions(); drawGraph(); drawTests();
  const page = now();
  byId("functions").value = String(state.at);
  const link = (id, label, count, alarm) => (byId(id).hidden ? null : h("a", { href: `#${prefix()}${id}` }, h("span", { class: alarm ? "alarm" : "" }, label), count ? h("span", { class: "count" }, count) : null));
  byId("contents").replaceChildren(...[link("overview", "Overview"), link("findings", "Findings", page.findings.length, true), link("criteria", "Criteria"), link("mutants", "Mutants", page.mutants?.alive.length), link("source", "Source"), link("objectives", "Objectives", page.objectives.length),
    link("decisions", "Decisions"), link("graph", "Control flow"), link("tests", "Tests", page.tests.length + page.left_out)].filter(Boolean));
}

// Follows #test-3, #line-17, #line-1:17, #tests, each possibly after the name of a function and a slash.
function follow() {
  const parts = decodeURIComponent(location.hash.slice(1)).split("/");
  const target = parts.pop();
  const named = parts.length ? report.functions.findIndex((page) => page.name === parts[0]) : -1;
  if (named >= 0 && named !== state.at) { Object.assign(state, { at: named, test: null, line: null, filter: "", criterion: null, verdict: null, shown: 100 }); drawFunction(); }
  const test = /^test-(\d+)$/.exec(target), line = /^line-(?:(\d+):)?(\d+)$/.exec(target);
  document.querySelectorAll("#rows tr.chosen").forEach((row) => row.classList.remove("chosen"));
  state.test = test ? Number(test[1]) : null;
  state.line = line ? [Number(line[1] ?? now().file), Number(line[2])] : null;
  markSource();
  drawDetails();
  if (test) byId(`row-${test[1]}`)?.classList.add("chosen");
  const row = line ? byId(`at-${state.line[0]}-${state.line[1]}`) : test ? document.querySelector(".row.on") : null;
  if (row) reveal(row);
  else if (!test && !line && target) byId(target)?.scrollIntoView();
}

function step(by) {
  const list = state.list;
  const at = list.findIndex((test) => test.id === state.test);
  const next = list[at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.min(Math.max(at + by, 0), list.length - 1)];
  if (next) location.hash = `#${prefix()}test-${next.id}`;
}

function stepLine(by) {
  const rows = [...document.querySelectorAll(".row.infeasible, .row.unknown, .row.partial, .row.fails")];
  const at = rows.findIndex((row) => state.line && row.id === `at-${state.line[0]}-${state.line[1]}`);
  const row = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length];
  if (row) location.hash = lineHash(Number(row.dataset.file), Number(row.dataset.line));
}

function turn() {
  const dark = document.documentElement.dataset.theme === "dark";
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("clew-theme", document.documentElement.dataset.theme); } catch { /* the choice is not kept */ }
}

function other(by) {
  const page = report.functions[(state.at + by + report.functions.length) % report.functions.length];
  if (report.functions.length > 1) location.hash = `#${page.name}/overview`;
}

const keys = { j: () => step(1), k: () => step(-1), n: () => stepLine(1), p: () => stepLine(-1), "[": () => other(-1), "]": () => other(1), d: turn,
  "?": () => byId("keys").showModal(), "/": () => { byId("tests").scrollIntoView(); byId("filter").focus(); }, Escape: () => { location.hash = "#"; } };

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  if (typing) { if (event.key === "Escape") event.target.blur(); return; }
  const act = keys[event.key];
  if (act) { event.preventDefault(); act(); }
});

let theme = null;
try { theme = localStorage.getItem("clew-theme"); } catch { /* private windows may forbid it */ }
const system = matchMedia("(prefers-color-scheme: dark)");
document.documentElement.dataset.theme = theme || (system.matches ? "dark" : "light");
system.addEventListener("change", () => { if (!theme) document.documentElement.dataset.theme = system.matches ? "dark" : "light"; });
byId("theme").addEventListener("click", turn);
byId("ask").addEventListener("click", () => byId("keys").showModal());
byId("keys").addEventListener("click", (event) => { if (event.target === byId("keys")) byId("keys").close(); });
byId("functions").append(...report.functions.map((page, at) => h("option", { value: at }, page.name)));
byId("functions").addEventListener("change", (event) => { location.hash = `#${report.functions[event.target.value].name}/overview`; });
byId("functions").hidden = report.functions.length < 2;
addEventListener("beforeprint", () => { state.shown = 5000; if (report.functions.length) drawRows(); });
addEventListener("hashchange", follow);
if (report.functions.length) { drawFunction(); follow(); }
else byId("overview").replaceChildren(h("h1", {}, "Nothing was tested"));
