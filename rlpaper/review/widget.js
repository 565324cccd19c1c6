// The reviewer's page. It knows what the kernel has told it, and nothing else: costs, meters and refusals are the kernel's.

const AGREEMENT = {
  equal: ["=", "equal"], close: ["≈", "similar"], different: ["≠", "different"],
  swapped: ["⇄", "swapped with another attribute"], missing: ["?", "a value is missing"],
};
const ANSWERS = [["same", "S", "Same"], ["different", "D", "Different"], ["unsure", "U", "Unsure"]];
const CONFIDENCE = { 1: "low", 2: "middle", 3: "high" };
const SYMBOLS = { "*": "equal", "@": "differing", "&": "differing", "/": "slash", "-": "dash", " ": "blank" };
const LEGEND = [
  ["*", "equal, hidden"], ["@ &", "differ, hidden; the same symbol is the same value where two are swapped"],
  ["x", "substituted", "substituted"], ["x", "only in this row", "inserted"], ["·", "only in the other row", "gap"],
  ["xy", "two neighbours exchanged", "transposed"], ["xx", "parts exchanged", "swapped"],
];
const KEYS = [
  ["arrows", "move"], ["Enter", "reveal one step"], ["F", "reveal fully"], ["P", "reveal the pair in part"],
  ["S D U", "same, different, unsure"], ["1 2 3", "confidence low, middle, high"], ["Z", "take the last decision back"],
  ["Page Up, Page Down", "other pages"],
];

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  // What can have the focus keeps its keys from JupyterLab, for which D twice deletes a cell.
  if (tag === "button" || tag === "summary" || attributes.role === "gridcell") element.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function render({ model, el }) {
  let frame = null; // the page as last told
  let focus = { position: -1, column: 0 }; // none yet; the last column is the decision
  let confidence = {}; // of pairs not decided yet
  let hovered = null;

  const root = make("div", { class: "rlpaper-review" });
  const head = make("div", { class: "rr-head" });
  const tools = make("div", { class: "rr-tools", role: "toolbar", "aria-label": "pages and whole-page actions" });
  const body = make("div", { class: "rr-body" });
  const says = make("div", { class: "rr-says", role: "status", "aria-live": "polite" }, "Loading …");
  root.append(head, tools, body, says, legend());
  el.replaceChildren(root);

  const send = (message) => model.send(message);
  const say = (text, refused = false) => { says.textContent = text; says.classList.toggle("rr-refused", refused); };
  const columns = () => frame.attributes.length + 1;
  const pairAt = (position) => frame.pairs.find((pair) => pair.position === position);

  function receive(told) {
    if (told.meters && frame) Object.assign(frame, { meters: told.meters, progress: told.progress });
    if (told.type === "page") {
      frame = told;
      const positions = frame.pairs.map((pair) => pair.position);
      const open = frame.pairs.find((pair) => !pair.decision);
      if (told.focus !== undefined) focus = { position: told.focus, column: columns() - 1 };
      else if (!positions.includes(focus.position)) focus = { position: (open ?? frame.pairs[0])?.position ?? 0, column: 0 };
      draw();
      say(told.focus !== undefined ? `Taken back: pair ${told.focus + 1}.` : summary());
    } else if (told.type === "pairs") {
      for (const pair of told.pairs) {
        const at = frame.pairs.findIndex((other) => other.position === pair.position);
        if (at >= 0) frame.pairs[at] = pair;
      }
      draw();
      const pair = told.pairs.length === 1 ? told.pairs[0] : null;
      const cell = pair && pair.position === focus.position && focus.column < columns() - 1 ? pair.cells[focus.column] : null;
      say(cell ? described(pair, focus.column) : summary());
    } else if (told.type === "refused") {
      if (frame) drawHead();
      say(`Refused. ${told.reason}`, true);
    }
  }

  const summary = () => `${frame.progress.decided} of ${frame.progress.pairs} pairs decided; ` +
    `privacy risk ${frame.meters.kapr.spent.text} of ${frame.meters.kapr.limit.text}.`;

  // Actions.

  function reveal(cells, mode) { if (cells.length) send({ type: "reveal", cells, mode }); }

  function step(pair, column, fully) {
    const offers = pair.cells[column].next;
    if (!offers.length) { say("There is nothing more to reveal here."); return; }
    reveal([[pair.position, column]], offers[fully ? offers.length - 1 : 0].mode);
  }

  const everything = (pairs) => pairs.flatMap((pair) => pair.cells.map((_, column) => [pair.position, column]));

  function decide(pair, answer) {
    send({ type: "decide", position: pair.position, answer, confidence: sureness(pair) });
    say(`Pair ${pair.position + 1}: ${answer}.`);
  }

  const sureness = (pair) => pair.decision?.confidence ?? confidence[pair.position] ?? 2;

  function sure(pair, level) {
    confidence[pair.position] = level;
    if (pair.decision) send({ type: "decide", position: pair.position, answer: pair.decision.answer, confidence: level });
    else { draw(); say(`Confidence ${CONFIDENCE[level]}.`); }
  }

  const turn = (number) => { if (number >= 0 && number < frame.pages) send({ type: "open", page: number }); };

  function move(rows, across) {
    const at = frame.pairs.findIndex((pair) => pair.position === focus.position);
    const to = Math.min(Math.max(at + rows, 0), frame.pairs.length - 1);
    focus = { position: frame.pairs[to].position, column: Math.min(Math.max(focus.column + across, 0), columns() - 1) };
    focusCell();
  }

  function focusCell() {
    for (const cell of body.querySelectorAll("[role=gridcell]")) cell.tabIndex = -1;
    const cell = body.querySelector(`[data-position="${focus.position}"][data-column="${focus.column}"]`);
    if (cell) { cell.tabIndex = 0; cell.focus(); }
  }

  function key(event) {
    if (!frame || event.ctrlKey || event.metaKey || event.altKey || !event.target.closest("[role=grid]")) return;
    const pair = pairAt(focus.position);
    const cell = focus.column < columns() - 1;
    const button = event.target.tagName === "BUTTON";
    const actions = {
      ArrowUp: () => move(-1, 0), ArrowDown: () => move(1, 0), ArrowLeft: () => move(0, -1), ArrowRight: () => move(0, 1),
      PageUp: () => turn(frame.page - 1), PageDown: () => turn(frame.page + 1),
      Home: () => move(0, -columns()), End: () => move(0, columns()),
      Enter: () => cell && step(pair, focus.column, false), " ": () => cell && step(pair, focus.column, false),
      f: () => cell && step(pair, focus.column, true), p: () => reveal(everything([pair]), "partial"),
      s: () => decide(pair, "same"), d: () => decide(pair, "different"), u: () => decide(pair, "unsure"),
      1: () => sure(pair, 1), 2: () => sure(pair, 2), 3: () => sure(pair, 3), z: () => send({ type: "undo" }),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (button && (event.key === "Enter" || event.key === " "))) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  // What is seen and heard.

  const price = (offer) => offer.refused ? `not possible: ${offer.refused}`
    : `costs ${offer.cost.text}${offer.cost.value > left() ? ", more than is left" : ""}`;
  const left = () => frame.meters.kapr.limit.value - frame.meters.kapr.spent.value;
  const spoken = (text) => [...text].map((character) => SYMBOLS[character] ?? character).join(" ");
  const aloud = (segments) => segments.length === 0 ? "missing"
    : segments.map(([markup, text]) => markup === "gap" ? "gap"
      : /^[*@&]+$/.test(text) ? `${text.length} ${markup === "equal" ? "equal" : markup} hidden`
        : markup === "equal" || markup === "separator" ? spoken(text) : `${markup} ${spoken(text)}`).join(", ");

  function described(pair, column) {
    const cell = pair.cells[column];
    const offers = cell.next.map((offer) => `${offer.mode} ${price(offer)}`).join("; ");
    return `${frame.attributes[column].name} of pair ${pair.position + 1}: ${AGREEMENT[cell.agreement][1]}, shown ${cell.mode}. ` +
      `First row: ${aloud(cell.rows[0])}. Second row: ${aloud(cell.rows[1])}. ` + (offers ? `To reveal: ${offers}.` : "All is shown.");
  }

  function meter(name, value, limit, text, extra = 0) {
    const share = (amount) => `${limit > 0 ? Math.min(100, (100 * amount) / limit) : 100}%`;
    const bar = make("div", { class: "rr-bar", role: "meter", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": limit,
      "aria-valuenow": value, "aria-valuetext": text },
    make("span", { class: "rr-spent", style: `width:${share(value)}` }),
    make("span", { class: "rr-extra", style: `width:${share(Math.min(extra, Math.max(0, limit - value)))}` }));
    return make("div", { class: "rr-meter" }, make("span", { class: "rr-name" }, name), bar, make("span", { class: "rr-value" }, text));
  }

  function drawHead() {
    const { kapr, characters } = frame.meters;
    const offer = hovered;
    head.replaceChildren(
      make("div", { class: "rr-who" }, make("strong", {}, frame.reviewer),
        ` · ${frame.progress.decided} of ${frame.progress.pairs} pairs decided`,
        frame.kappa > 1 ? ` · never fewer than ${frame.kappa} records that fit` : null),
      make("div", { class: "rr-meters" },
        meter("Privacy risk (KAPR)", kapr.spent.value, kapr.limit.value, `${kapr.spent.text} of ${kapr.limit.text}`, offer?.cost?.value ?? 0),
        meter("Characters shown", characters.shown, characters.total, `${characters.shown} of ${characters.total}`)));
  }

  function draw() {
    hovered = null;
    drawHead();
    const within = root.contains(document.activeElement);
    const whole = (mode) => {
      const offers = frame.pairs.map((pair) => pair.all.find((offer) => offer.mode === mode));
      const blocked = offers.find((offer) => offer.refused);
      const cost = offers.reduce((sum, offer) => sum + (offer.cost?.value ?? 0), 0).toFixed(4);
      const done = !blocked && offers.every((offer) => offer.cells === 0);
      return make("button", { type: "button", "data-all": mode, disabled: done, title: blocked ? blocked.refused : done ? "is shown" : `costs ${cost}`,
        onclick: () => reveal(everything(frame.pairs), mode) }, `Page ${mode === "full" ? "fully" : "in part"}` + (blocked ? " (refused)" : done ? "" : ` (${cost})`));
    };
    tools.replaceChildren(
      make("button", { type: "button", disabled: frame.page === 0, onclick: () => turn(frame.page - 1) }, "‹ Previous"),
      make("span", {}, ` Page ${frame.page + 1} of ${frame.pages} `),
      make("button", { type: "button", disabled: frame.page + 1 >= frame.pages, onclick: () => turn(frame.page + 1) }, "Next ›"),
      make("span", { class: "rr-space" }), make("span", {}, "Reveal: "), whole("partial"), whole("full"),
      make("button", { type: "button", "data-undo": true, onclick: () => send({ type: "undo" }) }, "Undo decision"));
    const header = make("tr", {}, make("th", { scope: "col" }, "Pair"),
      ...frame.attributes.map((attribute) => make("th", { scope: "col" }, attribute.name)), make("th", { scope: "col" }, "Same person?"));
    const table = make("table", { role: "grid", "aria-label": "pairs to review" }, make("thead", {}, header),
      make("tbody", {}, ...frame.pairs.map(drawPair)));
    table.addEventListener("keydown", key);
    body.replaceChildren(table);
    if (within) focusCell();
  }

  function drawPair(pair) {
    return make("tr", { class: pair.decision ? "rr-decided" : "" }, make("th", { scope: "row" }, String(pair.position + 1)),
      ...pair.cells.map((cell, column) => drawCell(pair, cell, column)), drawDecision(pair));
  }

  function drawCell(pair, cell, column) {
    const [sign, meaning] = AGREEMENT[cell.agreement];
    const rows = cell.rows.map((segments) => make("div", { class: "rr-row" }, ...(segments.length === 0
      ? [make("span", { class: "rr-missing" }, "missing")]
      : segments.map(([markup, text]) => make("span", { class: `rr-${markup}`, title: markup === "equal" ? undefined : markup },
        markup === "gap" ? "·" : text)))));
    const offer = cell.next[0];
    const tip = make("div", { class: "rr-tip" }, ...(cell.next.length
      ? cell.next.map((other, i) => make("div", {}, `${i ? "Shift-click" : "Click"}: ${other.mode}, ${price(other)}`))
      : [make("div", {}, "nothing more to reveal")]));
    const over = () => { hovered = offer ?? null; drawHead(); };
    const out = () => { hovered = null; drawHead(); };
    return make("td", { role: "gridcell", class: `rr-cell rr-is-${cell.mode}`, tabindex: focused(pair, column) ? 0 : -1, "data-position": pair.position,
      "data-column": column, "data-mode": cell.mode, "data-cost": offer?.cost?.text, "aria-label": described(pair, column),
      onfocus: () => { focus = { position: pair.position, column }; over(); }, onblur: out, onmouseenter: over, onmouseleave: out,
      onclick: (event) => { focus = { position: pair.position, column }; step(pair, column, event.shiftKey); } },
    make("span", { class: "rr-sign", title: meaning, "aria-hidden": "true" }, sign), make("div", { class: "rr-rows" }, ...rows), tip);
  }

  const focused = (pair, column) => pair.position === focus.position && column === focus.column;

  function drawDecision(pair) {
    const column = columns() - 1;
    const level = sureness(pair);
    const answers = ANSWERS.map(([answer, letter, label]) => {
      const chosen = pair.decision?.answer === answer;
      return make("button", { type: "button", tabindex: -1, "aria-pressed": String(chosen), "data-answer": answer, title: `key ${letter}`,
        onclick: () => decide(pair, answer) }, `${chosen ? "✓ " : ""}${label}`);
    });
    const levels = [1, 2, 3].map((value) => make("button", { type: "button", tabindex: -1, class: "rr-level", "aria-pressed": String(value === level),
      "data-confidence": value, title: `confidence, key ${value}`, onclick: () => sure(pair, value) }, `${value === level ? "●" : "○"} ${CONFIDENCE[value]}`));
    const label = `Pair ${pair.position + 1}: ${pair.decision ? `decided ${pair.decision.answer}` : "not decided"}, confidence ${CONFIDENCE[level]}. ` +
      "Keys S, D, U decide; 1, 2, 3 set the confidence.";
    return make("td", { role: "gridcell", class: "rr-decision", tabindex: focused(pair, column) ? 0 : -1, "data-position": pair.position, "data-column": column,
      "aria-label": label, onfocus: () => { focus = { position: pair.position, column }; } },
    make("div", {}, ...answers), make("div", {}, ...levels));
  }

  model.on("msg:custom", receive);
  send({ type: "open" });
  return () => model.off("msg:custom", receive);
}

function legend() {
  return make("details", { class: "rr-legend" }, make("summary", {}, "Symbols and keys"),
    make("ul", {}, ...LEGEND.map(([text, meaning, markup]) => make("li", {}, make("code", { class: markup ? `rr-${markup}` : "" }, text), ` ${meaning}`))),
    make("ul", {}, ...KEYS.map(([keys, meaning]) => make("li", {}, make("kbd", {}, keys), ` ${meaning}`))));
}

export default { render };
