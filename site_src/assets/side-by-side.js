// Any two rounds side by side, from a small script of each. Without it the pairs that have pages of their own are listed.
(() => {
  "use strict";
  const filters = document.querySelector(".side-by-side .filters");
  if (!filters) return;
  const { words, metrics, order, first, sameWork, lang } = JSON.parse(document.getElementById("side-by-side-data").textContent);
  const [base, head] = ["base", "head"].map((name) => filters.querySelector(`[name=${name}]`));
  const laid = document.getElementById("laid");
  const { root, load: loadScript } = Rounds;
  const known = {}; // what was loaded, by round
  let pairs = new Map(); // series of the base -> series of the head, where the reader says so
  let all = false;

  const told = (text) => (typeof text === "string" ? text : text[lang]);
  const fill = (key, parts) => Rounds.fill(words[key], parts);

  function make(tag, { text, ...attributes } = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    made.append(...children);
    return made;
  }

  // --- the data of a round: a classic script, as a page opened from a disk may load ------------------------------
  Rounds.glance = (data) => { known[data.id] = data; };

  async function load(id) {
    await loadScript(`${root}data/${id}/glance.js`).catch(() => {});
    if (!known[id]) throw new Error(id);
    return known[id];
  }

  // --- what stands against what ----------------------------------------------------------------------------------
  function partner(one, a, b) {
    const own = pairs.has(one.id) ? pairs.get(one.id) : usual(one, a, b);
    return b.series.find(({ id }) => id === own);
  }

  // Those that either round names, then those of one id: nothing else is taken for the same unasked.
  function usual(one, a, b) {
    const named = b.pairs[one.id] ?? Object.keys(a.pairs).find((other) => a.pairs[other] === one.id);
    const taken = [...Object.values(b.pairs), ...Object.keys(a.pairs)];
    return named ?? (taken.includes(one.id) ? undefined : one.id);
  }

  // --- conditions: what each side has is compared as text; what one side does not record is never the same ---------
  const plain = (said) => said?.plain ?? said;
  const shown = (said) => told(said?.shown ?? said);
  const isFlag = (path) => path.startsWith("flag.") || path.startsWith("env.");

  function settingsOf(one, other, a, b) {
    const paths = new Set([...Object.keys(one.settings), ...Object.keys(other.settings)]);
    const both = one.flags && other.flags;
    const found = [...paths].filter((path) => both || !isFlag(path)).map((path) => {
      const about = a.titles[path] ?? b.titles[path];
      const [x, y] = [one.settings[path], other.settings[path]];
      const missing = about.counting || (both && isFlag(path)) ? words.not_given : words.not_recorded;
      const status = plain(x) === plain(y) ? "equal" : (x === undefined || y === undefined) && missing === words.not_recorded ? "unknown" : "different";
      return { ...about, path, status, base: x === undefined ? missing : shown(x), head: y === undefined ? missing : shown(y) };
    });
    if (both) return found;
    const said = [one, other].map(({ flags }) => (flags ? words.recorded : words.not_recorded));
    return [...found, { path: "flags", title: words.flags, affects: "", status: "unknown", base: said[0], head: said[1] }];
  }

  function isApart(x, y) {
    return Object.keys(x.asked).some((key) => key in y.asked && Math.abs(x.asked[key] - y.asked[key]) > sameWork * Math.max(x.asked[key], y.asked[key]));
  }

  // --- rows ------------------------------------------------------------------------------------------------------
  function* rowsOf({ one, other, settings }) {
    const work = settings.some(({ work, status }) => work && status === "different");
    for (const level of other.levels) {
      const before = one.levels.find(({ id, load }) => id === level.id && load === level.load);
      if (!before) continue;
      for (const key of order) {
        const [x, y] = [before.values[key], level.values[key]];
        if ((x || y) && (all || first.includes(key))) yield { key, x, y, level, one, other, ...finding(x, y, before, level, work) };
      }
    }
  }

  function finding(x, y, before, level, work) {
    if (!x || !y) return { label: words[x ? "only_base" : "only_head"], looks: "unknown" };
    if (work) return { label: words.incomparable, looks: "unknown" };
    if (isApart(before, level)) return { label: words.incomparable, looks: "unknown", why: words.other_lengths };
    if (before.spoilt || level.spoilt) return { label: words.spoilt, looks: "unknown" };
    return x[0] === y[0] ? { label: words.same, looks: "empty" } : { label: words.differs, looks: "note" };
  }

  const decimals = (text) => (/\.(\d+)/.exec(text)?.[1] ?? "").length;
  const grouped = (number, places) => number.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
  const signed = (number, places) => (number > 0 ? "+" : "") + grouped(number, places).replace("-", "−").replace(/^−(0(\.0+)?)$/, "$1");
  const difference = (x, y) => (x && y ? signed(y[0] - x[0], Math.max(decimals(x[1]), decimals(y[1]))) : "—");

  // A share of a few failures says nothing: their numbers do.
  function change(key, x, y) {
    if (!x || !y || !x[0] || key === "failed") return "—";
    const share = 100 * (y[0] / x[0] - 1);
    return `${signed(share, Math.abs(share) < 1000 ? 1 : 0)}%`;
  }

  // --- what is shown ---------------------------------------------------------------------------------------------
  const status = (label, looks) => make("span", { class: `status ${looks}`, text: label });
  const cell = (text, key) => make("td", { "data-k": key, text });

  function headings(...names) {
    return make("thead", {}, make("tr", {}, ...names.map(([text, isText]) => make("th", { scope: "col", text, ...(isText ? { class: "t" } : {}) }))));
  }

  function scroll(id, caption, ...parts) {
    const table = make("table", { id, class: "versus stacked" }, make("caption", { text: caption }), ...parts);
    return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
  }

  function rowOf(row) {
    const { title, unit, arrow } = metrics[row.key];
    const names = [...new Set([row.one.name, row.other.name])].join(" → ");
    const quantity = make("th", { scope: "row" }, make("b", { class: `s${row.other.accent}`, text: names }), ` ${row.level.name}`, make("br"), title, " ", make("small", { text: unit }), " ", make("small", { text: arrow }));
    const found = make("td", { class: "t" }, status(row.label, row.looks), ...(row.why ? [make("br"), make("small", { text: row.why })] : []));
    return make("tr", {}, quantity, cell(change(row.key, row.x, row.y), "Δ %"), found, cell(row.x?.[1] ?? "—", words.base), cell(row.y?.[1] ?? "—", words.head), cell(difference(row.x, row.y), "Δ"));
  }

  const rowsTable = (id, caption, rows) => scroll(id, caption, headings([words.quantity], ["Δ %"], [words.found, true], [words.base], [words.head], ["Δ"]), make("tbody", {}, ...rows.map(rowOf)));

  function folded(key, number, table) {
    return make("details", { class: "more" }, make("summary", { text: fill(key, { n: number }) }), table(`laid-${key}`, fill(key, { n: number })));
  }

  function differences(rows, held) {
    if (!rows.length) return [make("p", { text: held.length ? words.no_level : words.no_pair })];
    const [both, alone] = [true, false].map((wanted) => rows.filter(({ x, y }) => Boolean(x && y) === wanted));
    return [
      ...(both.length ? [rowsTable("laid-rows", words.rows_caption, both)] : []),
      ...(alone.length ? [folded("one_sided", alone.length, (id, caption) => rowsTable(id, caption, alone))] : []),
    ];
  }

  // How floors are counted is no condition of the run, and is not counted among those that differ.
  const isCounting = ({ setting }) => Boolean(setting.counting);

  function settingOf({ setting, series }) {
    const name = make("th", { scope: "row" }, told(setting.title), ...(setting.flag ? [" ", make("code", { class: "flag", text: setting.flag })] : []));
    const cells = [[setting.base, words.base], [setting.head, words.head], [series.join(words.between), words.series], ...("affects" in setting ? [[told(setting.affects), words.affects]] : [])];
    return make("tr", {}, name, ...cells.map(([text, key]) => make("td", { class: "t", "data-k": key, text })));
  }

  const settingsTable = (id, caption, found) => scroll(id, caption, headings([words.setting], [words.base, true], [words.head, true], [words.series, true], ...(found.every(isCounting) ? [] : [[words.affects, true]])), make("tbody", {}, ...found.map(settingOf)));

  // Settings that several series have alike stand once.
  function joined(held) {
    const found = new Map();
    for (const { other, settings } of held) {
      for (const setting of settings) {
        const key = JSON.stringify([setting.path, setting.base, setting.head, setting.status]);
        if (!found.has(key)) found.set(key, { setting, series: [] });
        found.get(key).series.push(other.name);
      }
    }
    return (status) => [...found.values()].filter(({ setting }) => setting.status === status);
  }

  function conditions(held) {
    const of = joined(held), [different, unknown, equal] = ["different", "unknown", "equal"].map(of);
    const others = [["unknown", unknown], ["equal", equal]].filter(([, found]) => found.length);
    const counted = different.filter(isCounting), ran = different.filter((one) => !isCounting(one));
    return [
      make("h3", { text: words.settings }),
      ...(ran.length ? [settingsTable("laid-settings", words.settings_caption, ran)] : []),
      ...(counted.length ? [make("p", { text: words.floors_lead }), settingsTable("laid-floors", words.floors, counted)] : []),
      ...others.map(([key, found]) => folded(key, found.length, (id, caption) => settingsTable(id, caption, found))),
    ];
  }

  function standing(a, b, held) {
    const of = joined(held), work = of("different").filter(({ setting }) => setting.work);
    if (a.model !== b.model) return status(fill("other_model", { base: a.model, head: b.model }), "fail");
    if (a.sha256 === b.sha256) return status(words.same_data, "note");
    if (!held.length) return words.no_pair;
    if (work.length) return status(fill("other_work", { what: [...new Set(work.map(({ setting }) => told(setting.title)))].join(words.between) }), "warn");
    const counts = { n: of("different").filter((one) => !isCounting(one)).length, m: of("unknown").length };
    return fill(counts.n ? "changed" : "unchanged", counts);
  }

  function elsewhere(a, b) {
    const page = `diff/${a.id}...${b.id}/index.html`;
    const link = [...document.querySelectorAll(".built a")].find((one) => one.getAttribute("href") === page);
    if (link) return make("p", {}, words.has_page, make("a", { href: page, text: link.textContent }));
    return make("p", {}, words.no_page, make("code", { text: `rounds diff runs/${a.id} runs/${b.id}` }));
  }

  // Which series stands against which, for the reader to say otherwise.
  function pairing(a, b) {
    const box = make("fieldset", { class: "filters pairing" }, make("legend", { text: words.pairing }));
    for (const one of a.series) {
      const select = make("select", {}, make("option", { value: "", text: words.nothing }), ...b.series.map(({ id, name }) => make("option", { value: id, text: name })));
      select.value = partner(one, a, b)?.id ?? "";
      select.addEventListener("change", () => { pairs.set(one.id, select.value); show(one.id); });
      select.dataset.of = one.id;
      box.append(make("label", {}, `${one.name} ↔ `, select));
    }
    const box2 = make("input", { type: "checkbox" });
    box2.checked = all;
    box2.addEventListener("change", () => { all = box2.checked; show("all"); });
    box2.dataset.of = "all";
    box.append(make("label", {}, box2, ` ${words.all}`));
    return box;
  }

  // Until the first of it is there its place is kept, so that what stands below does not move.
  function put(...parts) {
    laid.replaceChildren(...parts);
    laid.hidden = false;
  }

  function lay(a, b) {
    const held = a.series.map((one) => ({ one, other: partner(one, a, b) })).filter(({ other }) => other)
      .map(({ one, other }) => ({ one, other, settings: settingsOf(one, other, a, b) }));
    const rows = held.flatMap((pair) => [...rowsOf(pair)]);
    const link = (side) => make("a", { href: `rounds/${side.id}/index.html`, text: told(side.title) });
    put(
      make("h2", { text: fill("against", { base: a.id, head: b.id }) }),
      make("p", { class: "quiet" }, words.base_link, link(a), make("br"), words.head_link, link(b)),
      make("p", { class: "lead" }, standing(a, b, held)),
      elsewhere(a, b),
      pairing(a, b),
      make("h3", { text: words.rows }),
      ...differences(rows, held),
      ...(held.length ? conditions(held) : []),
    );
  }

  // --- the choice, which stands in the address behind the # ------------------------------------------------------
  function keep() {
    const held = new URLSearchParams({ base: base.value, head: head.value });
    for (const [one, other] of pairs) held.append("pair", `${one}:${other}`);
    if (all) held.set("all", "1");
    history.replaceState(null, "", `${location.pathname}${location.search}#${held}`);
  }

  function restore() {
    const held = new URLSearchParams(location.hash.slice(1));
    for (const select of [base, head]) {
      if ([...select.options].some(({ value }) => value === held.get(select.name))) select.value = held.get(select.name);
    }
    pairs = new Map(held.getAll("pair").map((one) => one.split(":")).filter((one) => one.length === 2));
    all = held.get("all") === "1";
  }

  // What is asked for last is what is shown, whichever script comes last; the focus stays where it was.
  async function show(focus) {
    const [one, other] = [base.value, head.value];
    if (one === other) return put(make("p", { text: words.same_round }));
    try {
      const a = await load(one), b = await load(other);
      if (base.value !== one || head.value !== other) return undefined;
      lay(a, b);
      if (focus) laid.querySelector(`[data-of="${CSS.escape(focus)}"]`)?.focus();
    } catch (error) {
      put(make("p", { text: fill("unloaded", { round: error.message }) }));
    }
    return undefined;
  }

  function chosen() {
    pairs = new Map();
    show();
    keep();
  }

  laid.addEventListener("change", keep);
  filters.hidden = false;
  for (const select of [base, head]) select.addEventListener("change", chosen);
  filters.querySelector("[name=swap]").addEventListener("click", () => {
    [base.value, head.value] = [head.value, base.value];
    pairs = new Map([...pairs].filter(([, other]) => other).map(([a, b]) => [b, a]));
    show();
    keep();
  });
  addEventListener("hashchange", () => { restore(); show(); });
  restore();
  show();
})();
