// The panel at the side: the chosen test or line.
function valueList(values) {
  return h("dl", { class: "values" }, values.map((value) => [h("dt", { title: value.type }, value.name), h("dd", {}, spell(behind(value), 2000))]));
}

function testDetails(page, test) {
  const most = 400;
  const step = ([branch, way]) => {
    const [line, text] = page.branches[branch];
    const said = way === true ? h("span", { class: "covered-ink" }, "T") : way === false ? h("span", { class: "finding-ink" }, "F") : `#${way}`;
    return [h("a", { href: lineHash(page.file, line) }, line), said, h("span", {}, text)];
  };
  return [h("h3", {}, `Test ${test.id}`, h("small", {}, ending(test))),
    test.divergence ? h("p", { class: "finding-ink" }, `diverged: ${test.divergence}`) : "",
    test.purpose.length ? [h("h4", {}, "What it is for"), h("ul", {}, test.purpose.slice(0, 40).map((purpose) => h("li", {}, words(purpose))))] : "",
    h("h4", {}, "Inputs", test.calls ? h("small", {}, ` the last of ${test.calls} calls; x_1 is what the first was given`) : ""), test.inputs.length ? valueList(test.inputs) : h("p", { class: "empty" }, "none"),
    test.result !== null || test.outputs.length ? [h("h4", {}, "Observed"), valueList([...(test.result === null ? [] : [{ name: "result", type: "", value: test.result }]), ...test.outputs])] : "",
    h("h4", {}, `Path, ${plural(test.path.length, "step")}`), h("div", { class: "steps" }, test.path.slice(0, most).map(step)),
    test.path.length > most ? h("p", { class: "empty" }, `the first ${most}`) : ""];
}

function lineDetails(page, file, line) {
  const fact = page.facts.get(`${file}:${line}`);
  const source = report.files[file];
  const stretch = source.stretches.find(([first, lines]) => line >= first && line < first + lines.length);
  const text = stretch ? stretch[1][line - stretch[0]].trim() : "";
  const head = [h("h3", {}, `Line ${line}`, h("small", {}, source.name)), h("code", { class: "quote" }, text)];
  if (!fact) return [...head, h("p", { class: "empty" }, "No code of the functions shown.")];
  const tests = testsOfLine(page, fact);
  const item = (objective) => h("li", {}, h("span", { class: `verdict ${objective.verdict}` }, `${verdicts[objective.verdict]} ${objective.verdict}`), " ", words(objective.what),
    objective.because ? h("span", { class: "why" }, objective.because) : "", objective.count ? h("span", { style: "display:block;margin-top:3px" }, testLinks(objective.tests, objective.count, 10)) : "");
  const groups = [...new Set(fact.objectives.map((objective) => objective.criterion))];
  const only = h("button", { class: "filter", onclick: () => { state.filter = `line:${file === page.file ? "" : `${file}:`}${line}`; drawTests(); byId("tests").scrollIntoView(); } }, "only these in the table");
  return [...head,
    fact.findings.map((finding) => h("p", { class: "finding-ink" }, finding.what)),
    fact.mutants.map(([text, by]) => h("p", {}, "no test notices ", by ? [h("code", {}, by), " instead of ", h("code", {}, text)] : [h("code", {}, text), " left out"])),
    h("h4", {}, tests.length ? `Run by ${plural(tests.length, "test")}` : "Run by no test"), h("div", {}, tests.slice(0, 40).map(testLink), tests.length > 1 ? only : ""),
    !tests.length && fact.blocks.length ? h("p", { class: "why" }, page.proof || "whether any input comes here is unknown") : "",
    groups.map((group) => [h("h4", {}, group), h("ul", {}, fact.objectives.filter((objective) => objective.criterion === group).map(item))])];
}

function drawDetails() {
  const page = now();
  const test = state.test !== null && page.tests.find((test) => test.id === state.test);
  const content = test ? testDetails(page, test) : state.line ? lineDetails(page, ...state.line)
    : [h("h3", {}, "Details"), h("p", { class: "empty" }, "Choose a line or a test. ", h("kbd", {}, "?"), " shows the keys.")];
  byId("details").replaceChildren(...content.flat(Infinity));
  byId("details").scrollTop = 0;
}
