// Everything here is an addition: without it the page shows the same figures, tables and derivations.
(() => {
  "use strict";
  const script = document.currentScript;
  const root = script.dataset.root;
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const once = {};
  let charts = {};
  let derivations = { panels: {}, rows: {} };
  window.Rounds = { charts: (all) => { charts = all; }, derivations: (all) => { derivations = all; } };

  // file:// pages may not fetch(): data comes as classic scripts, loaded when first needed.
  function load(src) {
    once[src] ??= new Promise((resolve, reject) => {
      const tag = document.createElement("script");
      tag.src = src;
      tag.onload = resolve;
      tag.onerror = () => reject(new Error(src));
      document.head.append(tag);
    });
    return once[src];
  }

  // --- charts -------------------------------------------------------------------------------------------------
  const narrow = matchMedia("(max-width: 44rem)");
  const accent = (trace) => css(`--s${(trace.meta?.accent ?? 0) % 8}`);

  function themed(spec) {
    const ink = css("--ink"), quiet = css("--quiet"), hair = css("--hair"), paper = css("--paper");
    const data = spec.data.map((trace) => {
      const colour = accent(trace);
      const themedTrace = { ...trace };
      if (trace.type === "bar") themedTrace.insidetextfont = { color: paper };
      if (trace.line) themedTrace.line = { ...trace.line, color: colour };
      if (trace.marker) {
        themedTrace.marker = { ...trace.marker, color: colour };
        if (trace.marker.line) themedTrace.marker.line = { ...trace.marker.line, color: trace.type === "bar" ? paper : colour };
        if (trace.marker.pattern) themedTrace.marker.pattern = { ...trace.marker.pattern, fgcolor: paper };
      }
      return themedTrace;
    });
    const axis = (a) => ({ ...a, gridcolor: hair, zerolinecolor: hair, linecolor: quiet, tickcolor: quiet });
    const layout = {
      ...spec.layout,
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { ...spec.layout.font, color: ink, family: css("--sans") },
      hoverlabel: { bgcolor: paper, bordercolor: quiet, font: { color: ink } },
      xaxis: axis(spec.layout.xaxis), yaxis: axis(spec.layout.yaxis),
      shapes: (spec.layout.shapes ?? []).map((s) => ({ ...s, line: { ...s.line, color: quiet } })),
      annotations: (spec.layout.annotations ?? []).map((a) => ({ ...a, font: { ...a.font, color: ink } })),
    };
    if (narrow.matches) fitNarrow(data, layout);
    return { data, layout };
  }

  // On a phone the legend has a row for each line, and a bar's label a line for its number or none at all.
  function fitNarrow(data, layout) {
    layout.margin = { ...layout.margin, l: 56, r: 12 };
    if (layout.showlegend) layout.margin.b = 56 + 20 * data.length;
    layout.uniformtext = { mode: "hide", minsize: 11 };
    for (const trace of data.filter((one) => one.type === "bar" && one.textposition !== "none")) {
      trace.textposition = "inside";
      trace.text = trace.text.map((label) => label.replace(/ (?=[^ ]*$)/, "<br>"));
    }
  }

  const config = {
    responsive: true, displaylogo: false, showSendToCloud: false, plotlyServerURL: "", locale: document.documentElement.lang,
    modeBarButtons: [["toImage", "zoom2d", "resetScale2d"]], displayModeBar: "hover",
  };

  async function enliven(figure) {
    const drawing = figure.querySelector(".drawing");
    const live = drawing.querySelector(".live");
    await load("charts.js");
    const spec = charts[figure.dataset.figure];
    await load(`${root}assets/vendor/plotly-basic.min.js`);
    if (document.documentElement.lang === "zh-CN") await load(`${root}assets/vendor/plotly-locale-zh-cn.js`).catch(() => {});
    const draw = () => { const { data, layout } = themed(spec); return Plotly.react(live, data, layout, config); };
    live.hidden = false;
    drawing.classList.add("is-live");
    await draw();
    live.on?.("plotly_click", (event) => { const id = event.points[0]?.customdata?.[0]; if (id) openPanel(id, live); });
    for (const query of [matchMedia("(prefers-color-scheme: dark)"), narrow]) query.addEventListener("change", draw);
    figure.dataset.live = "true";
  }

  function watchFigures() {
    const figures = document.querySelectorAll("figure[data-figure]");
    if (!("IntersectionObserver" in window)) return;
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        seen.unobserve(entry.target);
        enliven(entry.target).catch(() => entry.target.querySelector(".drawing").classList.remove("is-live"));
      }
    }, { rootMargin: "200px" });
    figures.forEach((figure) => seen.observe(figure));
  }

  // --- derivations --------------------------------------------------------------------------------------------
  let opener = null;

  async function openPanel(id, from) {
    const panel = document.getElementById("panel");
    if (!panel) return false;
    await load("derivations.js");
    if (!Object.hasOwn(derivations.panels, id)) return false;
    const close = Object.assign(document.createElement("button"), { type: "button", textContent: panel.dataset.close });
    const page = Object.assign(document.createElement("a"), { href: `derivations.html#${id}`, textContent: panel.dataset.open });
    const actions = Object.assign(document.createElement("p"), { className: "actions" });
    actions.append(page, close);
    panel.innerHTML = derivations.panels[id];
    for (const body of panel.querySelectorAll("tbody[data-rows]")) {
      body.innerHTML = body.dataset.rows.split(" ").map((row) => derivations.rows[row]).join("");
      body.removeAttribute("data-rows");
    }
    panel.querySelector("h2").id = "panel-title";
    panel.prepend(actions);
    close.addEventListener("click", closePanel);
    if (!panel.open) panel.show();
    if (!panel.contains(from)) {
      opener = from;
      placePanel(panel, from);
    }
    close.focus({ preventScroll: true });
    return true;
  }

  function placePanel(panel, from) {
    const apart = 8, number = from.matches("a.q") && !narrow.matches;
    panel.classList.toggle("at", number);
    for (const side of ["top", "left"]) panel.style.removeProperty(side);
    if (!number) return;
    const at = from.getBoundingClientRect();
    const isAbove = at.bottom + apart + panel.offsetHeight > innerHeight && at.top - apart > panel.offsetHeight;
    const right = document.documentElement.clientWidth - panel.offsetWidth - apart;
    panel.style.top = `${scrollY + (isAbove ? at.top - apart - panel.offsetHeight : at.bottom + apart)}px`;
    panel.style.left = `${Math.max(apart, Math.min(at.left, right))}px`;
  }

  function closePanel() {
    document.getElementById("panel")?.close();
    opener?.focus?.({ preventScroll: true });
    opener = null;
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.q");
    if (!link || !document.getElementById("panel") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openPanel(link.hash.slice(1), link).then((shown) => { if (!shown) location.href = link.href; }, () => { location.href = link.href; });
  });
  addEventListener("resize", () => {
    const panel = document.getElementById("panel");
    if (panel?.open && opener) placePanel(panel, opener);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") closePanel(); });

  // --- the language switch keeps the place; the contents mark the section being read ----------------------------
  for (const link of document.querySelectorAll("a.language")) {
    link.addEventListener("click", () => { link.href = link.href.split("#")[0] + location.hash; });
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

  // Paper has nothing to unfold.
  addEventListener("beforeprint", () => document.querySelectorAll("main details").forEach((one) => { one.open = true; }));

  // A narrow screen starts with the contents folded.
  if (matchMedia("(max-width: 70rem)").matches) document.querySelector(".contents details")?.removeAttribute("open");
  watchFigures();
  watchSections();
})();
