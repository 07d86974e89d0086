// Objectives, truth tables of decisions, and the graph.
function drawObjectives() {
  const page = now();
  const all = page.objectives;
  byId("objectives").hidden = all.length === 0;
  if (!all.length) return;
  const missed = all.filter((objective) => objective.verdict !== "covered").length;
  const verdict = state.verdict || (missed && !state.criterion ? "missed" : "all");
  const fits = (objective) => (verdict === "all" || (verdict === "missed" ? objective.verdict !== "covered" : objective.verdict === verdict)) &&
    (!state.criterion || objective.criterion === state.criterion);
  const list = all.filter(fits);
  const button = (name, label) => h("button", { class: "filter", "aria-pressed": String(verdict === name), onclick: () => { state.verdict = name; drawObjectives(); } }, label);
  const criterion = (name) => h("button", { class: "filter", "aria-pressed": String(state.criterion === name),
    onclick: () => { state.criterion = state.criterion === name ? null : name; drawGauges(); drawObjectives(); } }, name);
  const row = (objective) => h("tr", {}, h("td", { class: "verdict " + objective.verdict }, `${verdicts[objective.verdict]} ${objective.verdict}`),
    h("td", { class: "tight" }, objective.criterion), h("td", { class: "tight" }, lineLink(objective.file, objective.line)),
    h("td", {}, words(objective.what), objective.because ? h("span", { class: "why lead", style: "display:block;margin:0;font-size:12.5px" }, objective.because) : null),
    h("td", {}, testLinks(objective.tests, objective.count, 6)));
  const most = 300;
  byId("objectives").replaceChildren(h("h2", {}, "Objectives", h("span", { class: "note" }, `${plural(all.length, "objective")}, ${missed} not covered`)),
    h("div", { class: "filters" }, button("all", "all"), button("missed", "not covered"), button("covered", "covered"), button("infeasible", "infeasible"), button("unknown", "unknown"),
      page.criteria.length > 1 ? [h("span", {}, " "), page.criteria.map((gauge) => criterion(gauge.name))] : null),
    list.length ? h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, ["verdict", "criterion", "where", "what", "tests"].map((name) => h("th", {}, name)))), h("tbody", {}, list.slice(0, most).map(row))))
      : h("p", { class: "empty" }, "None."),
    list.length > most ? h("p", { class: "empty" }, `The first ${most} of ${list.length}; suite.json has them all.`) : null ?? "");
}

function truthTable(decision) {
  const letters = decision.columns.map((_, at) => String.fromCharCode(65 + (at % 26)));
  const verdict = (column) => column.pair ? h("span", { class: "verdict covered" }, `rows ${column.pair.map((row) => row + 1).sort((a, b) => a - b).join(" and ")}`)
    : column.verdict ? h("span", { class: `verdict ${column.verdict}`, title: column.because || "" }, column.verdict) : h("span", { class: "verdict", style: "color:var(--faint)" }, "not shown");
  const conditions = decision.columns.map((column, at) => [h("span", { class: "letter" }, letters[at]), h("code", {}, column.text), verdict(column)]);
  const half = (row, at) => { const pair = decision.columns[at].pair; return pair && pair.includes(row) ? " half" : ""; };
  const row = (line, number) => h("tr", {}, h("td", { class: "x" }, number + 1),
    [...line.cells].map((cell, at) => h("td", { class: (cell === "-" ? "x" : cell) + half(number, at) }, cell === "-" ? "–" : cell)),
    h("td", { class: `result ${line.result}` }, line.result), h("td", { class: "tests" }, testLinks(line.tests, line.count, 5)));
  return h("div", { class: "decision" }, h("p", { style: "margin:0 0 2px" }, lineLink(decision.file, decision.line), " in ", h("code", {}, decision.function)),
    h("code", {}, decision.text), h("div", { class: "conditions" }, conditions),
    h("table", { class: "truth" }, h("thead", {}, h("tr", {}, h("th", {}, ""), letters.map((letter) => h("th", {}, letter)), h("th", {}, "result"), h("th", { style: "text-align:left" }, "tests"))),
      h("tbody", {}, decision.rows.map(row))));
}

function drawDecisions() {
  const page = now();
  const several = page.decisions.filter((decision) => decision.columns.length > 1);
  const single = page.decisions.length - several.length;
  byId("decisions").hidden = page.decisions.length === 0;
  const shown = state.single || !several.length ? page.decisions : several;
  const toggle = single && several.length ? h("div", { class: "filters" }, h("button", { class: "filter", "aria-pressed": String(!!state.single), onclick: () => { state.single = !state.single; drawDecisions(); } }, `also the ${single} of one condition`)) : "";
  byId("decisions").replaceChildren(h("h2", {}, "Decisions", h("span", { class: "note" }, `evaluations seen; marked the pair that shows that a condition decides (${page.flavour})`)), toggle,
    h("div", { class: "tables" }, shown.slice(0, 200).map(truthTable)));
}

function drawGraph() {
  const page = now();
  byId("graph").hidden = page.graphs.length === 0;
  const figure = (graph) => {
    const picture = h("div", { class: "picture", onclick: (event) => { const node = event.target.closest(".node"); if (node?.dataset.line) location.hash = lineHash(page.file, Number(node.dataset.line)); } });
    picture.innerHTML = graph.svg;
    picture.prepend(h("figcaption", {}, graph.function));
    return h("figure", {}, picture);
  };
  const rest = page.graphs.slice(1);
  const more = rest.length ? h("details", {}, h("summary", { style: "cursor:pointer;color:var(--soft)" }, `${plural(rest.length, "function")} called`)) : "";
  if (rest.length) more.addEventListener("toggle", () => { if (more.children.length === 1) more.append(h("p", {}), ...rest.map(figure)); });
  const key = (verdict, text) => h("span", {}, h("span", { class: `${verdict}-ink` }, "━"), ` ${text}`);
  byId("graph").replaceChildren(h("h2", {}, "Control flow"), ...page.graphs.slice(0, 1).map(figure), more,
    h("div", { class: "legend" }, key("covered", "taken"), key("infeasible", "infeasible"), key("unknown", "not taken")));
}
