// Everything here is an addition: without it the page shows the same figures, tables and derivations.
(() => {
  "use strict";
  const { root, copy, copied, charts } = document.currentScript.dataset;
  const once = {};
  window.Rounds = { root, chartsFile: charts, load, button, openPanel, fill };

  // Words with {n} in them, and with {n:row|rows}, which agrees with it.
  function fill(text, parts) {
    return text.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, name, one, many) => one === undefined ? parts[name] ?? whole : parts[name] === 1 ? one : many);
  }

  // file:// pages may not fetch(): data comes as classic scripts, loaded when first needed, as style sheets are.
  function load(src) {
    once[src] ??= new Promise((resolve, reject) => {
      const isSheet = src.endsWith(".css");
      const tag = document.createElement(isSheet ? "link" : "script");
      Object.assign(tag, isSheet ? { rel: "stylesheet", href: src } : { src });
      tag.onload = resolve;
      tag.onerror = () => { delete once[src]; reject(new Error(src)); }; // it may be there next time
      document.head.append(tag);
    });
    return once[src];
  }

  function button(text, onClick, className = "") {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, className });
    made.addEventListener("click", onClick);
    return made;
  }

  // --- charts: what draws them comes with the first that is looked at ------------------------------------------------
  const live = () => load(`${root}assets/live.js`);

  function watchFigures() {
    const figures = document.querySelectorAll("figure[data-figure]");
    for (const figure of figures) offerCopy(figure);
    if (!("IntersectionObserver" in window)) return;
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        live().then(() => Rounds.enliven(target)).catch(() => {}); // the static drawing stays
      }
    }, { rootMargin: "200px" });
    figures.forEach((figure) => seen.observe(figure));
  }

  // The numbers of a figure to the clipboard.
  function offerCopy(figure) {
    const put = button(copy, async () => {
      await live();
      await Rounds.copy(figure);
      put.textContent = copied;
      setTimeout(() => { put.textContent = copy; }, 2000);
    });
    put.ariaLive = "polite";
    figure.querySelector(".tools").append(" ", put);
  }

  // --- tables: sorted by a column, and back to the order they came in -----------------------------------------
  const TURNS = { none: "ascending", ascending: "descending", descending: "none" };
  const EXPONENTS = { "⁻": "-", "⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8", "⁹": "9" };
  const sortable = () => document.querySelectorAll("section table[id]:not(.ledger):not(:has(th.t, thead a))");

  // The number in a cell, else its words: "C=8" is 8, "1,387.8" is 1387.8, "1.20 × 10⁻⁵" is 0.000012, "—" is nothing.
  function key(cell) {
    const text = cell.textContent.trim();
    const plain = text.replaceAll(",", "").replaceAll("−", "-").replace(/ × 10([⁻⁰¹²³⁴-⁹]+)/, (_, power) => `e${[...power].map((sign) => EXPONENTS[sign]).join("")}`);
    const found = /^(?:[A-Za-z]+=)?(-?\d+(?:\.\d+)?(?:e-?\d+)?)/.exec(plain);
    return found ? Number(found[1]) : text === "—" ? null : text;
  }

  function compare(a, b) {
    if (a === null || b === null) return (a === null) - (b === null);
    return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), document.documentElement.lang);
  }

  function sortBy(table, column) {
    const heads = [...table.tHead.rows[0].cells];
    const turn = TURNS[heads[column].ariaSort ?? "none"];
    heads.forEach((head) => { if (head.ariaSort) head.ariaSort = "none"; });
    heads[column].ariaSort = turn;
    table.came ??= [...table.tBodies[0].rows];
    const rows = table.came.map((row) => ({ row, at: key(row.cells[column]) }));
    const away = turn === "descending" ? -1 : 1;
    // What is unknown stays at the end both ways.
    if (turn !== "none") rows.sort((one, other) => compare(one.at, other.at) * (one.at === null || other.at === null ? 1 : away));
    table.tBodies[0].append(...rows.map(({ row }) => row));
  }

  function offerSorting() {
    for (const table of sortable()) {
      [...table.tHead.rows[0].cells].forEach((head, column) => {
        const sort = button("", () => sortBy(table, column), "sort");
        sort.append(...head.childNodes);
        head.append(sort);
        head.ariaSort = "none";
      });
    }
  }

  // Paper repeats the heads of a table on each page, but not the buttons in them.
  function withdrawSorting() {
    for (const sort of document.querySelectorAll("th > .sort")) {
      sort.parentElement.ariaSort = null;
      sort.replaceWith(...sort.childNodes);
    }
  }

  // A table that fits needs no box to scroll in, and its head can stay in sight with the page.
  function fitTables() {
    for (const box of document.querySelectorAll(".scroll")) {
      box.classList.remove("fits");
      box.classList.toggle("fits", box.clientWidth > 0 && box.scrollWidth <= box.clientWidth);
    }
  }

  // --- derivations: what opens a panel is loaded with the first number that is pressed ------------------------------
  const NUMBER = 'a[href^="how.html#"]';
  const panel = document.getElementById("panel");

  async function openPanel(id, from) {
    await load(`${root}assets/panel.js`);
    return Rounds.open(panel, id, from);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(`${NUMBER}:not(.whole)`);
    if (!link || !panel || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openPanel(link.hash.slice(1), link).then((shown) => { if (!shown) location.href = link.href; }, () => { location.href = link.href; });
  });
  addEventListener("resize", fitTables);

  // --- the search: its script and its index come when they are asked for ---------------------------------------
  const finder = document.querySelector("a.find");

  async function find(event) {
    event?.preventDefault();
    try {
      await load(`${root}assets/search.js`);
      await Rounds.find(finder, load);
    } catch {
      if (event) location.href = finder.href;
    }
  }

  const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.altKey;
  if (finder) {
    finder.setAttribute("aria-keyshortcuts", "/");
    finder.addEventListener("click", (event) => { if (isPlain(event) && !event.shiftKey) find(event); });
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && isPlain(event) && !event.target.closest?.("input, textarea, select")) find(event);
    });
    if (document.getElementById("search")) find();
  }

  // --- the language switch keeps the place; the contents mark the section being read ----------------------------
  for (const link of document.querySelectorAll("a.language")) {
    link.addEventListener("click", () => { link.href = link.href.split("#")[0] + location.hash; });
  }

  // An address may name what another page of the round tells by now: the contents know which.
  function leadOn() {
    const id = location.hash.slice(1);
    if (!id || document.getElementById(id)) return;
    const holds = (link) => link.hash.slice(1) === id || link.dataset.holds?.split(" ").includes(id);
    const link = [...document.querySelectorAll(".contents a")].find(holds);
    if (link) location.replace(`${link.href.split("#")[0]}#${id}`);
  }

  function watchSections() {
    const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [a.hash.slice(1), a]));
    if (!links.size || !("IntersectionObserver" in window)) return;
    const watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting) links.get(entry.target.id)?.setAttribute("aria-current", "true");
        else links.get(entry.target.id)?.removeAttribute("aria-current");
      }
    }, { rootMargin: "-10% 0px -80% 0px" });
    document.querySelectorAll("main section[id]").forEach((section) => watcher.observe(section));
  }

  // Paper has nothing to unfold and nothing to press.
  addEventListener("beforeprint", () => {
    document.querySelectorAll("main details").forEach((one) => { one.open = true; });
    withdrawSorting();
  });
  addEventListener("afterprint", offerSorting);

  addEventListener("hashchange", leadOn);
  leadOn();
  fitTables();
  offerSorting();
  watchFigures();
  watchSections();
})();
