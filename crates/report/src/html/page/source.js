// The source with a verdict on each line.
const KEYWORDS = /^(auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_Bool|_Static_assert)$/;
const TOKEN = /\/\*[\s\S]*?(?:\*\/|$)|\/\/.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|[^A-Za-z_"'/]+|./g;

// One line as HTML; `inside` says whether a comment is open at its beginning. Gives the same for its end.
function paint(line, inside) {
  let html = "";
  if (inside) {
    const end = line.indexOf("*/");
    if (end < 0) return [`<span class="c">${escape(line)}</span>`, true];
    html = `<span class="c">${escape(line.slice(0, end + 2))}</span>`;
    line = line.slice(end + 2);
  }
  if (/^\s*#/.test(line)) return [html + `<span class="p">${escape(line)}</span>`, false];
  inside = false;
  for (const token of line.match(TOKEN) || []) {
    const kind = token.startsWith("/*") || token.startsWith("//") ? "c" : /^["']/.test(token) && token.length > 1 ? "s" : KEYWORDS.test(token) ? "k" : "";
    inside = token.startsWith("/*") && !token.endsWith("*/");
    html += kind ? `<span class="${kind}">${escape(token)}</span>` : escape(token);
  }
  return [html, inside];
}

const MARKS = { covered: "●", partial: "◐", infeasible: "⊘", unknown: "?" };
const SAYS = { covered: "covered", partial: "covered, but for what is infeasible", infeasible: "infeasible", unknown: "unknown" };

function sourceRow(page, file, number, html) {
  const fact = page.facts.get(`${file}:${number}`);
  if (!fact) return `<div class="row" id="at-${file}-${number}"><span>${number}</span><span></span><span></span><code>${html}</code></div>`;
  const verdict = lineVerdict(page, fact);
  const hits = fact.blocks.length ? testsOfLine(page, fact).length : "";
  const covered = fact.objectives.filter((objective) => objective.verdict === "covered").length;
  const title = fact.objectives.length ? `${SAYS[verdict]}: ${covered} of ${fact.objectives.length} objectives covered` : SAYS[verdict];
  const fails = fact.findings.length ? " fails" : "";
  return `<div class="row code ${verdict}${fails}" id="at-${file}-${number}" data-file="${file}" data-line="${number}" title="${title}">` +
    `<span>${number}</span><span class="hits">${hits ? `${hits}×` : ""}</span><span class="mark">${fails ? "▲" : MARKS[verdict]}</span><code>${html}</code></div>`;
}

function drawSource() {
  const page = now();
  lineFacts(page);
  const files = new Set([page.file, ...page.blocks.map(([file]) => file), ...page.findings.map((finding) => finding.file)]);
  const html = [];
  for (const file of files) {
    const source = report.files[file];
    html.push(`<div class="file">${escape(source.name)}</div>`);
    source.stretches.forEach(([first, lines], at) => {
      if (at) html.push('<div class="gap">⋯</div>');
      let inside = false, painted;
      lines.forEach((line, offset) => {
        [painted, inside] = paint(line, inside);
        html.push(sourceRow(page, file, first + offset, painted));
      });
    });
    if (!source.stretches.some(([, lines]) => lines.length)) html.push('<div class="gap">the file could not be read</div>');
  }
  const box = h("div", { class: "source", onclick: (event) => {
    const row = event.target.closest(".row.code");
    if (row) location.hash = lineHash(Number(row.dataset.file), Number(row.dataset.line));
  } });
  box.innerHTML = html.join("");
  const key = (verdict, text) => h("span", {}, h("span", { class: `${verdict}-ink` }, verdict === "finding" ? "▲" : MARKS[verdict] || "◐"), ` ${text}`);
  byId("source").replaceChildren(h("h2", {}, "Source", h("span", { class: "note" }, "click a line for its objectives and tests")), box,
    h("div", { class: "legend" }, key("covered", "covered"), key("infeasible", "infeasible, with proof"), key("unknown", "unknown, with reason"), key("finding", "fails"), h("span", {}, "n×  run by n tests")));
  const first = byId(`at-${page.file}-${page.line}`);
  if (first) box.scrollTop = Math.max(0, first.offsetTop - box.offsetTop - 60);
}

// Shows a line inside its box and on the screen.
function reveal(row) {
  const box = row.closest(".source");
  const top = row.offsetTop - box.offsetTop;
  if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 3;
  const at = row.getBoundingClientRect().top;
  if (at < 80 || at > innerHeight - 60) byId("source").scrollIntoView();
}

// Paints the lines the chosen test runs and the chosen line.
function markSource() {
  const page = now();
  document.querySelectorAll(".row.on, .row.chosen").forEach((row) => row.classList.remove("on", "chosen"));
  if (state.test !== null) {
    const test = page.tests.find((test) => test.id === state.test);
    for (const block of test ? test.blocks : []) {
      const [file, lines] = page.blocks[block];
      for (const line of lines) byId(`at-${file}-${line}`)?.classList.add("on");
    }
  }
  if (state.line) byId(`at-${state.line[0]}-${state.line[1]}`)?.classList.add("chosen");
}
