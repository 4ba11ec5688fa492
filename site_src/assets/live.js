// How a live chart is drawn: a round's spec in the colours of the page, fitted into the place of its static drawing.
(() => {
  "use strict";
  const { root, load, chartsFile } = Rounds;
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const narrow = matchMedia("(max-width: 44rem)");
  const accent = (number) => css(`--s${(number ?? 0) % 8}`);

  const CLEAR = "rgba(0,0,0,0)"; // what is drawn by its edge alone

  // What is computed is hatched on the page's own ground, and its words have a rim of that.
  function hatch(trace, colour, ink, paper) {
    const rim = [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(([x, y]) => `${x}px ${y}px 1px ${paper}`).join(", ");
    trace.marker = { ...trace.marker, color: paper, line: { color: colour, width: 1 }, pattern: { ...trace.marker.pattern, fgcolor: colour, fgopacity: 0.45 } };
    trace.insidetextfont = { color: ink, shadow: rim };
  }

  // Open markers are drawn by their edge; solid ones and bars have one in the colour of the page.
  const isOpen = (symbol) => symbol.endsWith("-open");
  const edge = ({ symbol }, colour, paper) => (Array.isArray(symbol) ? symbol.map((one) => (isOpen(one) ? colour : paper)) : symbol ? colour : paper);

  // What belongs to a series is named after its accent: s0, s1, …
  const ofSeries = (name, otherwise) => (/^s\d+$/.test(name ?? "") ? accent(Number(name.slice(1))) : otherwise);

  // One of time and an upright one for each panel, where there are several.
  const axesOf = (layout) => Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));

  function themed(spec, live) {
    const ink = css("--ink"), quiet = css("--quiet"), hair = css("--hair"), paper = css("--paper");
    const data = spec.data.map((trace) => {
      const colour = { mark: ink, even: quiet }[trace.meta?.role] ?? accent(trace.meta?.accent);
      const themedTrace = { ...trace };
      if (trace.type === "bar") themedTrace.insidetextfont = { color: paper };
      if (trace.fill) Object.assign(themedTrace, { fillcolor: trace.fillcolor === CLEAR ? CLEAR : trace.meta.role === "even" ? hair : colour, ...(trace.fillpattern && { fillpattern: { ...trace.fillpattern, fgcolor: colour, bgcolor: paper } }) });
      if (trace.line) themedTrace.line = { ...trace.line, color: colour };
      if (trace.marker) {
        themedTrace.marker = { ...trace.marker, color: colour };
        if (trace.marker.line) themedTrace.marker.line = { ...trace.marker.line, color: edge(trace.marker, colour, paper) };
        if (trace.marker.pattern) hatch(themedTrace, colour, ink, paper);
        if (trace.meta?.role === "empty") Object.assign(themedTrace, { marker: { ...trace.marker, line: { ...trace.marker.line, color: colour } }, insidetextfont: { color: ink } });
      }
      return themedTrace;
    });
    const axis = (a) => ({ ...a, gridcolor: hair, zerolinecolor: hair, linecolor: quiet, tickcolor: quiet, tickfont: { ...a.tickfont, color: quiet }, title: { ...a.title, font: { ...a.title?.font, color: quiet } } });
    const layout = {
      ...spec.layout,
      width: live.clientWidth, height: live.clientHeight,
      paper_bgcolor: CLEAR, plot_bgcolor: CLEAR,
      font: { ...spec.layout.font, color: ink, family: css("--sans") },
      hoverlabel: { bgcolor: paper, bordercolor: quiet, font: { color: ink } },
      ...Object.fromEntries(axesOf(spec.layout).map((name) => [name, axis(spec.layout[name])])),
      shapes: (spec.layout.shapes ?? []).map((s) => ({ ...s, ...(s.fillcolor && { fillcolor: ofSeries(s.name, quiet) }), line: { ...s.line, color: ofSeries(s.name, quiet) } })),
      annotations: (spec.layout.annotations ?? []).map((a) => ({ ...a, font: { ...a.font, color: a.name === "title" ? quiet : ofSeries(a.name, ink) }, ...(a.bgcolor ? { bgcolor: paper } : {}) })),
    };
    if (narrow.matches) fitNarrow(data, layout);
    const atEnds = !narrow.matches && roomAtEnds(spec.labels, layout);
    tellMarks(layout);
    if (atEnds) labelEnds(spec.labels, layout);
    tellBeside(data, layout);
    const across = layout.width - layout.margin.l - layout.margin.r;
    if (layout.showlegend) {
      const names = spec.legend ?? spec.labels, short = new Map(names.map((label) => [label.name, label.text]));
      for (const trace of data) if (short.has(trace.name)) trace.name = short.get(trace.name);
      layout.margin = { ...layout.margin, b: layout.margin.b + heightOfLegend(names, across) };
    }
    layout.xaxis = apart(layout.xaxis, across, widthOf);
    const up = layout.height - layout.margin.t - layout.margin.b;
    for (const name of axesOf(layout).filter((one) => one.startsWith("y"))) {
      const [low, high] = layout[name].domain ?? [0, 1];
      layout[name] = apart(layout[name], up * (high - low), () => TICK_HEIGHT);
    }
    return { data, layout };
  }

  // The legend gives all of its entries the width of the widest, unless they fit into one row.
  function heightOfLegend(labels, width) {
    const needed = labels.map((label) => label.width + SWATCH), tall = labels.map((label) => 20 + LINE * (linesOf(label) - 1));
    const inRow = sum(needed) <= width ? labels.length : Math.max(1, Math.floor(width / Math.max(...needed)));
    return sum(tall.filter((_, i) => i % inRow === 0).map((_, row) => Math.max(...tall.slice(row * inRow, (row + 1) * inRow))));
  }

  const LINE = 15;
  const linesOf = (label) => label.text.split("<br>").length;
  const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

  const ruler = document.createElement("canvas").getContext("2d");
  const TICK_HEIGHT = 12, PADDING = 8;

  function widthOf(text, size = 12) {
    ruler.font = `${size}px ${css("--sans")}`;
    return Math.max(...text.split("<br>").map((line) => ruler.measureText(line).width));
  }

  // As in the static drawing, a tick whose label would touch the one before is left out.
  function apart(axis, length, sizeOf) {
    if (!axis.tickvals) return axis;
    const at = place(axis.range, length);
    let freeFrom = -Infinity;
    const kept = axis.tickvals.map((value, i) => {
      const here = at(axis.type === "log" ? Math.log10(value) : value), half = sizeOf(axis.ticktext[i]) / 2;
      if (here - half < freeFrom) return false;
      freeFrom = here + half + 4;
      return true;
    });
    return { ...axis, tickvals: axis.tickvals.filter((_, i) => kept[i]), ticktext: axis.ticktext.filter((_, i) => kept[i]) };
  }

  // The words at a mark stay over the plot, as in the static drawing: moved in from its edges, in as many lines as they take.
  const MARK_LINES = 3, ROW = 18;

  function tellMarks(layout) {
    const wide = layout.width - layout.margin.l - layout.margin.r, at = place(layout.xaxis.range, wide);
    let more = 0;
    for (const note of layout.annotations.filter((one) => one.name === "mark").reverse()) {
      const lines = inLines(note.text, wide, 13);
      const half = Math.max(...lines.map((line) => widthOf(line, 13))) / 2, x = at(note.x);
      Object.assign(note, { text: lines.join("<br>"), yshift: note.yshift + ROW * more, xanchor: "center", xshift: Math.min(Math.max(x, half), Math.max(half, wide - half)) - x });
      more += lines.length - 1;
    }
    layout.margin = { ...layout.margin, t: layout.margin.t + ROW * more };
    for (const title of layout.annotations.filter((one) => one.name === "title" && one.y === 1)) title.yshift += ROW * more;
  }

  function inLines(text, wide, size) {
    const lines = [""];
    for (const part of text.match(/[（《「『【]*(?:[\u3040-\u30ff\u3400-\u9fff]|[^ \u3040-\u30ff\u3400-\u9fff（《「『【、。》」』】！），：；？]+)?[、。》」』】！），：；？]* */g)) {
      if (lines.length < MARK_LINES && lines.at(-1) && widthOf((lines.at(-1) + part).trimEnd(), size) > wide) lines.push("");
      lines[lines.length - 1] += part;
    }
    return lines.map((line) => cut(line.trimEnd(), wide, size));
  }

  function cut(text, width, size) {
    let kept = text;
    while (kept && widthOf(kept === text ? text : `${kept}…`, size) > width) kept = kept.slice(0, -1);
    return kept === text ? text : `${kept.trimEnd()}…`;
  }

  // What has no room in its part of a bar stands below the bar, in as many lines as it takes; the bar makes room for them.
  const NAME = 20;

  function tellBeside(data, layout) {
    const bars = data.filter((one) => one.type === "bar");
    if (!bars.length) return;
    const { margin } = layout, wide = layout.width - margin.l - margin.r, tall = layout.height - margin.t - margin.b;
    const told = new Map(), room = place(layout.xaxis.range, wide), size = narrow.matches ? 11 : 13, line = 1.3 * size;
    for (const trace of bars) {
      if (widthOf(trace.text[0], 13) + 2 * PADDING <= room(trace.x[0]) - room(0)) continue;
      trace.textposition = "none";
      told.set(trace.y[0], [...(told.get(trace.y[0]) ?? []), trace.text[0].trim().replace("<br>", " ")]);
    }
    const lines = new Map([...told].map(([y, texts]) => [y, wrapped(texts, wide - 4, size)]));
    const pitch = tall / Math.abs(layout.yaxis.range[0] - layout.yaxis.range[1]);
    const most = Math.max(0, ...[...lines.values()].map((some) => some.length));
    const bar = Math.max(34, Math.min(pitch * (1 - layout.bargap), pitch - NAME - line * most - PADDING));
    for (const trace of bars) { trace.width = bar / pitch; trace.offset = NAME / pitch - 0.5; }
    for (const [y, some] of lines) {
      layout.annotations.push({ x: 0, xref: "paper", xanchor: "left", y, yanchor: "top", yshift: pitch / 2 - NAME - bar, showarrow: false, align: "left", font: { size }, text: some.join("<br>") });
    }
  }

  function wrapped(texts, wide, size) {
    const lines = [];
    for (const text of texts) {
      const joined = lines.length ? `${lines.at(-1)} · ${text}` : text;
      if (lines.length && widthOf(joined, size) <= wide) lines[lines.length - 1] = joined;
      else lines.push(cut(text, wide, size));
    }
    return lines;
  }

  // On a phone a bar's label has a line for its number, or there is none at all.
  function fitNarrow(data, layout) {
    layout.margin = { ...layout.margin, r: 12 };
    layout.annotations = layout.annotations.filter((note) => note.yref === "paper" || note.yanchor !== "middle");
    layout.legend = { ...layout.legend, font: { size: 11 } };
    layout.uniformtext = { mode: "hide", minsize: 11 };
    for (const trace of data.filter((one) => one.type === "bar" && one.textposition !== "none")) {
      trace.textposition = "inside";
      trace.text = trace.text.map((label) => label.replace(/ (?=[^ ]*$)/, "<br>"));
    }
  }

  // Names stand at the ends of their lines, pushed apart, as in the static drawing; a legend only where they have no room.
  const LABEL_GAP = 16, LABEL_OFFSET = 14, SWATCH = 50;

  function roomAtEnds(labels, layout) {
    const { margin } = layout, tall = layout.height - margin.t - margin.b;
    const room = LABEL_OFFSET + 8 + Math.max(...labels.map((label) => label.width)) * 1.1;
    if (!labels.length || sum(labels.map(heightOf)) > tall || room > layout.width / 3) return false;
    layout.margin = { ...margin, r: room };
    layout.showlegend = false;
    return true;
  }

  function labelEnds(labels, layout) {
    const { margin } = layout, tall = layout.height - margin.t - margin.b, wide = layout.width - margin.l - margin.r;
    const across = place(layout.xaxis.range, wide), up = place(layout.yaxis.range, tall);
    const wanted = labels.map((label) => tall - up(label.y));
    const placed = spread(wanted, labels.map(heightOf), tall);
    layout.annotations.push(...labels.map((label, i) => {
      const colour = accent(label.accent), ax = wide - across(label.x) + LABEL_OFFSET, ay = placed[i] - wanted[i];
      const apart = Math.abs(ay) > 3 || ax > 40 + LABEL_OFFSET;
      const shared = { text: label.text, x: label.x, y: label.y, xanchor: "left", align: "left", font: { color: colour, weight: label.role === "measured" ? 600 : 400 } };
      if (!apart) return { ...shared, showarrow: false, xshift: ax, yshift: -ay };
      return { ...shared, showarrow: true, ax, ay, arrowhead: 0, arrowwidth: 0.7, arrowcolor: css("--quiet"), standoff: 8 };
    }));
  }

  const place = ([low, high], length) => (value) => ((value - low) / (high - low)) * length;

  const heightOf = (label) => LABEL_GAP + LINE * (linesOf(label) - 1);

  function spread(wanted, heights, length) {
    const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
    const placed = [...wanted];
    let floor = 0, ceiling = length;
    const more = heights.map((height) => (height - LABEL_GAP) / 2), less = heights.map((height) => (height + LABEL_GAP) / 2);
    for (const i of order) { placed[i] = Math.max(placed[i], floor + more[i]); floor = placed[i] + less[i]; }
    for (const i of order.reverse()) { placed[i] = Math.min(placed[i], ceiling - more[i]); ceiling = placed[i] - less[i]; }
    return placed;
  }

  const config = {
    displaylogo: false, showSendToCloud: false, plotlyServerURL: "", locale: document.documentElement.lang,
    modeBarButtons: [["toImage", "zoom2d", "resetScale2d"]], displayModeBar: "hover",
  };

  // --- the charts of a page -------------------------------------------------------------------------------------
  const MOST_ON_A_PHONE = 8; // with more lines the legend leaves the chart no room: the drawing stays
  let charts = {};
  Rounds.charts = (all) => { charts = all; };

  async function of(figure) {
    await load(chartsFile);
    return charts[figure.dataset.figure];
  }

  async function enliven(figure, drawing, live) {
    const spec = await of(figure);
    if (narrow.matches && spec.labels.length > MOST_ON_A_PHONE) return;
    await load(`${root}assets/vendor/plotly-basic.min.js`);
    if (document.documentElement.lang === "zh-CN") await load(`${root}assets/vendor/plotly-locale-zh-cn.js`).catch(() => {});
    const draw = () => { const { data, layout } = themed(spec, live); return Plotly.react(live, data, layout, config); };
    live.hidden = false;
    await draw();
    drawing.classList.add("is-live");
    live.on?.("plotly_click", (event) => { const id = event.points[0]?.customdata?.[0]; if (id && document.getElementById("panel")) Rounds.openPanel(id, live); });
    for (const query of [matchMedia("(prefers-color-scheme: dark)"), narrow]) query.addEventListener("change", draw);
    let width = live.clientWidth;
    new ResizeObserver(() => { if (live.clientWidth && live.clientWidth !== width) { width = live.clientWidth; draw(); } }).observe(live);
    figure.dataset.live = "true";
  }

  Rounds.enliven = async (figure) => {
    const drawing = figure.querySelector(".drawing"), live = drawing.querySelector(".live");
    try {
      await enliven(figure, drawing, live);
    } catch (error) {
      drawing.classList.remove("is-live");
      live.hidden = true;
      throw error;
    }
  };

  // Pages that are neither local nor encrypted have no clipboard: there the browser copies what is selected.
  Rounds.copy = async (figure) => {
    const { csv } = await of(figure);
    if (navigator.clipboard) return navigator.clipboard.writeText(csv);
    const area = Object.assign(document.createElement("textarea"), { value: csv });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  };
})();
