"use strict";
const all = (query, within = document) => [...within.querySelectorAll(query)];
const lines = JSON.parse(document.getElementById("lines").textContent);
const links = all(".matrix td a");
const groups = all("details.group");
const squares = groups.map((group) => ({
  group,
  link: links.find((link) => link.hash === "#" + group.lastElementChild.id),
  cells: all("details.cell", group).map((cell) => ({ cell, keys: cell.dataset.k.split(" ") })),
}));
for (const square of squares) {
  const td = square.link.parentElement;
  square.whole = { kind: td.className, html: square.link.innerHTML, label: square.link.ariaLabel, style: td.style.cssText };
}

/* Filters: a cell stays if it has every value that is chosen. */
const form = document.getElementById("filters");
const selects = all("select", form);
const SIGNS = { differs: "✗", known: "!", as: "✓", skipped: "–" };
const HOW = ["zero-copy", "converted", "refused"];

function apply() {
  const wanted = selects.filter((select) => select.value !== "");
  let shown = 0;
  for (const square of squares) {
    const left = square.cells.filter(({ cell, keys }) => {
      const stays = wanted.every((select) => keys[select.dataset.axis] === select.value);
      cell.hidden = !stays;
      return stays;
    });
    shown += left.length;
    square.group.hidden = left.length === 0;
    redraw(square, left, wanted.length > 0);
  }
  for (const client of all(".client")) client.hidden = !client.querySelector(".group:not([hidden])");
  const total = squares.reduce((sum, square) => sum + square.cells.length, 0);
  document.getElementById("shown").value = wanted.length ? `${shown.toLocaleString("en")} of ${total.toLocaleString("en")} cells` : `all ${total.toLocaleString("en")} cells`;
}

function redraw(square, left, filtered) {
  const { link, whole } = square;
  const td = link.parentElement;
  td.className = whole.kind;
  td.style.cssText = whole.style;
  link.innerHTML = whole.html;
  link.ariaLabel = whole.label;
  link.hidden = left.length === 0;
  if (link.hidden) td.className = "";
  if (!filtered || link.hidden) return;
  const kinds = left.map(({ cell }) => cell.classList[1]);
  const kind = Object.keys(SIGNS).find((each) => kinds.includes(each));
  const how = HOW.map((word) => left.filter(({ cell }) => cell.firstElementChild.lastElementChild.textContent === word).length);
  const ran = how.reduce((sum, n) => sum + n, 0) || 1;
  td.className = kind;
  td.style.setProperty("--z", `${(100 * how[0]) / ran}%`);
  td.style.setProperty("--c", `${(100 * (how[0] + how[1])) / ran}%`);
  const letters = HOW.map((word, n) => (how[n] ? word[0] + how[n] : "")).filter(Boolean).join(" ");
  link.innerHTML = `<span><b>${SIGNS[kind]}</b> ${left.length}</span><small>${letters}</small>`;
  link.ariaLabel = `${whole.label.split(":")[0]}: ${left.length} of the chosen cells, ${letters}`;
}

form.addEventListener("change", apply);
form.addEventListener("reset", () => setTimeout(apply));
form.addEventListener("submit", (event) => event.preventDefault());

/* A square opens its cells; if there is one, its story. Escape goes back to the square. */
function open(square) {
  square.group.open = true;
  const cells = square.cells.filter(({ cell }) => !cell.hidden);
  if (cells.length === 1) cells[0].cell.open = true;
  const summary = (cells[0]?.cell ?? square.group).querySelector("summary");
  square.group.scrollIntoView({ block: "start" });
  summary.focus({ preventScroll: true });
}

const atHash = () => squares.find((each) => each.link.hash === location.hash);
for (const square of squares) square.link.addEventListener("click", () => setTimeout(() => open(square)));
window.addEventListener("popstate", () => atHash() && open(atHash()));
document.addEventListener("keydown", (event) => {
  const group = event.key === "Escape" && document.activeElement.closest("details.group");
  if (group) go(squares.find((each) => each.group === group).link);
});

/* Arrow keys move in the matrix, and Tab enters it once. */
function go(link) {
  for (const each of links) each.tabIndex = each === link ? 0 : -1;
  link.focus();
  link.scrollIntoView({ block: "nearest", inline: "nearest" });
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
document.querySelector(".matrix").addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  let td = event.target.closest("td");
  if (!step || !td) return;
  event.preventDefault();
  while ((td = beside(td, step))) {
    const link = td.querySelector("a:not([hidden])");
    if (link) return go(link);
  }
});
const beside = (td, [down, right]) => {
  const row = td.parentElement.parentElement.rows[td.parentElement.sectionRowIndex + down];
  const found = row?.cells[td.cellIndex + right];
  return found?.tagName === "TD" ? found : null;
};

/* What is folded is written out when its cell is opened. */
const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};
document.addEventListener("toggle", (event) => {
  const place = event.target.open && event.target.querySelector(":scope > [data-r]");
  if (!place) return;
  const [facts, requests] = place.dataset.r.split("|").map((part) => (part ? part.split(" ").map((n) => lines[n]) : []));
  const rows = facts.map((line) => line.split(/: (.*)/s));
  place.replaceWith(
    element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
    element("p", { className: "asked" }, "The broker's last requests"),
    element("ol", {}, ...requests.map((line) => element("li", {}, line))),
  );
}, true);

links.forEach((link, n) => { link.tabIndex = n ? -1 : 0; });
form.hidden = false;
for (const each of all(".with-js")) each.hidden = false;
apply();
if (atHash()) open(atHash());
