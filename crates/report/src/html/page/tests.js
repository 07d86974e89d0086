// The table of tests: sortable, filtered, drawn as far as one looks.
const COLUMNS = [
  ["id", "#", (test) => test.id, "52px"], ["inputs", "inputs", (test) => spellAll(test.inputs), "26%"], ["path", "path", (test) => test.path.length, "18%"],
  ["result", "result", (test) => (typeof test.result === "number" ? test.result : ending(test)), "11%"], ["outputs", "outputs", (test) => spellAll(test.outputs), "15%"],
  ["purpose", "what it is for", (test) => test.purpose.join(" "), "30%"],
];

const ending = (test) => (test.ending === "returned" ? (test.result === null ? "returned" : spell(test.result, 40)) : test.ending);

// A path in short: the line and which way, such as 7T 8F.
function pathText(page, test, most) {
  const step = ([branch, way]) => `${page.branches[branch][0]}${way === true ? "T" : way === false ? "F" : `#${way}`}`;
  const text = test.path.slice(0, most).map(step).join(" ");
  return test.path.length > most ? `${text} …` : text;
}

function fitting(page) {
  const wanted = state.filter.trim().toLowerCase();
  const line = /^line:(?:(\d+):)?(\d+)$/.exec(wanted);
  let list = page.tests;
  if (line) {
    const fact = page.facts.get(`${line[1] ?? page.file}:${line[2]}`);
    const ids = new Set(fact ? testsOfLine(page, fact) : []);
    list = list.filter((test) => ids.has(test.id));
  } else if (wanted) {
    list = list.filter((test) => `${test.id} ${spellAll(test.inputs)} ${ending(test)} ${spellAll(test.outputs)} ${test.purpose.join(" ")}`.toLowerCase().includes(wanted));
  }
  const [name, way] = state.sort;
  const key = COLUMNS.find((column) => column[0] === name)[2];
  const keyed = list.map((test) => [key(test), test]);
  keyed.sort(([a], [b]) => way * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true })));
  return keyed.map(([, test]) => test);
}

function testRow(page, test) {
  const clip = (text) => h("td", {}, h("code", { class: "clip", title: text.length > 24 ? text.slice(0, 600) : false }, text));
  const purpose = test.divergence ? `diverged: ${test.divergence}` : test.purpose.length > 1 ? `${test.purpose[0]} (+${test.purpose.length - 1})` : test.purpose[0] || "";
  return h("tr", { class: `pick${test.id === state.test ? " chosen" : ""}`, id: `row-${test.id}`, onclick: () => { location.hash = `#${prefix()}test-${test.id}`; } },
    h("td", { class: "number" }, h("a", { href: `#${prefix()}test-${test.id}` }, test.id)), clip(spellAll(test.inputs, 120)), clip(pathText(page, test, 40)),
    clip(ending(test)), clip(spellAll(test.outputs, 80)), h("td", {}, h("span", { class: "clip" }, words(purpose))));
}

function drawRows() {
  const page = now();
  state.list = fitting(page);
  const body = byId("rows");
  body.replaceChildren(...state.list.slice(0, state.shown).map((test) => testRow(page, test)));
  byId("matching").textContent = state.filter ? `${state.list.length} of ${page.tests.length}` : plural(page.tests.length, "test");
  byId("more").hidden = state.shown >= state.list.length;
  for (const heading of document.querySelectorAll("#tests th")) {
    heading.setAttribute("aria-sort", heading.dataset.name === state.sort[0] ? (state.sort[1] > 0 ? "ascending" : "descending") : "none");
  }
}

function drawTests() {
  const page = now();
  const heading = ([name, label]) => h("th", { "data-name": name, "aria-sort": "none", class: name === "id" ? "number" : "" },
    h("button", { onclick: () => { state.sort = [name, state.sort[0] === name ? -state.sort[1] : 1]; drawRows(); } }, label));
  const filter = h("input", { id: "filter", type: "search", placeholder: "filter: a value, a word, line:17", value: state.filter,
    oninput: (event) => { state.filter = event.target.value; state.shown = 100; drawRows(); } });
  const more = h("button", { class: "tool more", id: "more", onclick: () => { state.shown += 400; drawRows(); } }, "show more");
  byId("tests").replaceChildren(h("h2", {}, "Tests", h("span", { class: "note", id: "matching" })),
    page.left_out ? h("p", { class: "empty" }, `The first ${page.tests.length} tests; suite.json has ${page.left_out} more.`) : "",
    h("div", { class: "filters" }, filter), h("div", { class: "wide" }, h("table", { class: "suite" }, h("colgroup", {}, COLUMNS.map(([, , , width]) => h("col", { style: `width:${width}` }))), h("thead", {}, h("tr", {}, COLUMNS.map(heading))), h("tbody", { id: "rows" }))), more);
  drawRows();
  new IntersectionObserver((seen) => { if (seen.some((entry) => entry.isIntersecting) && state.shown < state.list.length) { state.shown += 200; drawRows(); } }).observe(more);
}
