// The overview: what was tested, gauges for each criterion, findings.
function ring(gauge) {
  const round = 2 * Math.PI * 24;
  let from = 0;
  const arcs = ["covered", "infeasible", "unknown"].map((verdict) => {
    const length = (gauge[verdict] / gauge.objectives) * round;
    const arc = `<circle class="ring ${verdict}" cx="30" cy="30" r="24" stroke-dasharray="${length} ${round - length}" stroke-dashoffset="${-from}"/>`;
    from += length;
    return length ? arc : "";
  });
  const feasible = gauge.objectives - gauge.infeasible;
  const percent = feasible ? Math.floor((100 * gauge.covered) / feasible) : 100;
  const holder = h("span", {});
  holder.innerHTML = `<svg width="60" height="60" viewBox="0 0 60 60" role="img" aria-label="${percent} percent"><g transform="rotate(-90 30 30)">` +
    `<circle class="ring rest" cx="30" cy="30" r="24"/>${arcs.join("")}</g><text x="30" y="30.5">${percent}%</text></svg>`;
  return holder.firstChild;
}

function gaugeCard(gauge) {
  const figure = (verdict) => gauge[verdict] ? h("span", { class: `${verdict}-ink`, title: verdict }, `${verdicts[verdict]} ${gauge[verdict]} ${verdict}`) : null;
  const choose = () => {
    state.criterion = state.criterion === gauge.name ? null : gauge.name;
    state.verdict = null;
    drawGauges();
    drawObjectives();
    byId("objectives").scrollIntoView();
  };
  return h("button", { class: "gauge", "aria-pressed": String(state.criterion === gauge.name), onclick: choose, title: "show these objectives" },
    ring(gauge),
    h("span", {}, h("span", { class: "name" }, gauge.name), h("span", { class: "meaning" }, gauge.meaning),
      h("span", { class: "figures" }, figure("covered"), figure("infeasible"), figure("unknown"))));
}

function functionRows() {
  if (report.functions.length < 2) return null;
  const cell = (gauge) => h("span", { class: gauge.unknown ? "unknown-ink" : "covered-ink" }, `${gauge.name} ${gauge.covered}/${gauge.objectives - gauge.infeasible}  `);
  const row = (page, at) => h("tr", { class: `pick${at === state.at ? " chosen" : ""}`, onclick: () => { location.hash = `#${page.name}/overview`; } },
    h("td", {}, h("code", {}, page.name)), h("td", { class: "number" }, page.line), h("td", { class: "number" }, page.tests.length + page.left_out),
    h("td", { class: `number ${page.findings.length ? "finding-ink" : ""}` }, page.findings.length), h("td", {}, page.stop), h("td", {}, page.criteria.map(cell)));
  return [h("h2", {}, "Functions", h("span", { class: "note" }, plural(report.functions.length, "function"))),
    h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, ["function", "line", "tests", "findings", "exploration", "criteria"].map((name, at) => h("th", { class: at > 0 && at < 4 ? "number" : "" }, name)))),
      h("tbody", {}, report.functions.map(row)))), h("p", {})];
}

const stops = { exhausted: "every path was explored", decided: "every objective is decided", limits: "some paths were left out", tests: "stopped at the number of tests asked for",
  effort: "stopped after the effort allowed", time: "stopped at the deadline", memory: "stopped for want of memory",
  stopped: "stopped" };

function drawOverview() {
  const page = now();
  const tests = page.tests.length + page.left_out;
  const facts = [plural(tests, "test"), plural(page.refuted, "refuted prefix").replace("prefixs", "prefixes"), stops[page.stop] || page.stop];
  if (page.k !== null) facts.push(`at most ${plural(page.k, "iteration")} of each loop`);
  if (page.mutants && page.mutants.all) facts.push(`${page.mutants.killed} of ${page.mutants.all} mutants killed`);
  if (page.open) facts.push(`${page.open} ${page.open === 1 ? "prefix" : "prefixes"} open`);
  byId("overview").replaceChildren(...[functionRows()].flat().filter(Boolean),
    h("h1", {}, h("code", {}, page.name)),
    h("p", { class: "lead" }, h("code", {}, `${report.files[page.file].name}:${page.line}`), " · ", facts.join(" · ")));
}

function drawGauges() {
  byId("criteria").hidden = now().criteria.length === 0;
  byId("criteria").replaceChildren(h("h2", {}, "Criteria"), h("div", { class: "gauges" }, now().criteria.map(gaugeCard)));
}

// Changes of the source that no test notices.
function drawMutants() {
  const page = now(), mutants = page.mutants;
  byId("mutants").hidden = !mutants || !mutants.alive.length;
  if (!mutants) return;
  const row = ([line, kind, text, by, reached]) => h("tr", {}, h("td", { class: "number" }, lineLink(page.file, line)), h("td", {}, kind), h("td", {}, h("code", {}, text)), h("td", {}, by ? h("code", {}, by) : "left out"), h("td", {}, reached ? "" : "no test comes here"));
  byId("mutants").replaceChildren(h("h2", {}, "Surviving mutants", h("span", { class: "note" }, `changes of the source that no test notices; ${mutants.killed} of ${mutants.all} are noticed`)),
    h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, ["line", "change", "instead of", "there is", ""].map((name) => h("th", {}, name)))), h("tbody", {}, mutants.alive.map(row)))));
}

function drawFindings() {
  const page = now();
  const card = (finding) => h("dl", { class: "finding" },
    h("div", { class: "what" }, finding.what),
    h("dt", {}, "where"), h("dd", {}, lineLink(finding.file, finding.line), " in ", h("code", {}, finding.function), ": ", h("code", {}, finding.text)),
    h("dt", {}, "with"), h("dd", {}, h("code", {}, spellAll(finding.inputs, 200) || "no input")),
    h("dt", {}, "executed"), h("dd", {}, finding.native),
    finding.requires ? [h("dt", {}, "excluded by"), h("dd", {}, h("code", {}, `requires ${finding.requires};`))] : null,
    finding.also.length ? [h("dt", {}, "same cause"), h("dd", {}, finding.also.flatMap(([file, line]) => [lineLink(file, line), " "]))] : null);
  const diverged = page.tests.filter((test) => test.divergence);
  const list = [...page.findings.map(card), ...diverged.map((test) => h("dl", { class: "finding" }, h("div", { class: "what" }, `test ${test.id} diverged`), h("dt", {}, "how"), h("dd", {}, test.divergence, " ", testLink(test.id))))];
  byId("findings").hidden = list.length === 0;
  byId("findings").replaceChildren(h("h2", {}, "Findings", h("span", { class: "note" }, "inputs for which the program is undefined, and tests that did not do what was predicted, or do something else in an optimised build")), ...list);
}
