// How a live chart is drawn: a round's spec in the colours of the page, fitted into the place of its static drawing.
(() => {
  "use strict";
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const narrow = matchMedia("(max-width: 44rem)");
  const accent = (number) => css(`--s${(number ?? 0) % 8}`);

  // What is computed is hatched on the page's own ground, and its words have a rim of that.
  function hatch(trace, colour, ink, paper) {
    const rim = [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(([x, y]) => `${x}px ${y}px 1px ${paper}`).join(", ");
    trace.marker = { ...trace.marker, color: paper, line: { color: colour, width: 1 }, pattern: { ...trace.marker.pattern, fgcolor: colour, fgopacity: 0.45 } };
    trace.insidetextfont = { color: ink, shadow: rim };
  }

  // Open markers are drawn by their edge; solid ones and bars have one in the colour of the page.
  const isOpen = (symbol) => symbol.endsWith("-open");
  const edge = ({ symbol }, colour, paper) => (Array.isArray(symbol) ? symbol.map((one) => (isOpen(one) ? colour : paper)) : symbol ? colour : paper);

  function themed(spec, live) {
    const ink = css("--ink"), quiet = css("--quiet"), hair = css("--hair"), paper = css("--paper");
    const data = spec.data.map((trace) => {
      const colour = trace.meta?.role === "mark" ? ink : accent(trace.meta?.accent);
      const themedTrace = { ...trace };
      if (trace.type === "bar") themedTrace.insidetextfont = { color: paper };
      if (trace.line) themedTrace.line = { ...trace.line, color: colour };
      if (trace.marker) {
        themedTrace.marker = { ...trace.marker, color: colour };
        if (trace.marker.line) themedTrace.marker.line = { ...trace.marker.line, color: edge(trace.marker, colour, paper) };
        if (trace.marker.pattern) hatch(themedTrace, colour, ink, paper);
      }
      return themedTrace;
    });
    const axis = (a) => ({ ...a, gridcolor: hair, zerolinecolor: hair, linecolor: quiet, tickcolor: quiet, tickfont: { ...a.tickfont, color: quiet }, title: { ...a.title, font: { ...a.title?.font, color: quiet } } });
    const layout = {
      ...spec.layout,
      width: live.clientWidth, height: live.clientHeight,
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { ...spec.layout.font, color: ink, family: css("--sans") },
      hoverlabel: { bgcolor: paper, bordercolor: quiet, font: { color: ink } },
      xaxis: axis(spec.layout.xaxis), yaxis: axis(spec.layout.yaxis),
      shapes: (spec.layout.shapes ?? []).map((s) => ({ ...s, line: { ...s.line, color: quiet } })),
      annotations: (spec.layout.annotations ?? []).map((a) => ({ ...a, font: { ...a.font, color: a.name === "title" ? quiet : ink } })),
    };
    if (narrow.matches) fitNarrow(data, layout);
    else if (spec.labels.length) labelEnds(spec.labels, layout);
    if (layout.showlegend) {
      const short = new Map(spec.labels.map((label) => [label.name, label.text]));
      for (const trace of data) if (short.has(trace.name)) trace.name = short.get(trace.name);
      layout.margin = { ...layout.margin, b: layout.margin.b + 20 * rowsOfLegend(spec.labels, layout.width) };
    }
    return { data, layout };
  }

  function rowsOfLegend(labels, width) {
    let rows = 1, used = 0;
    for (const label of labels) {
      const needed = label.width + SWATCH;
      if (used && used + needed > width - 80) { rows += 1; used = 0; }
      used += needed;
    }
    return rows;
  }

  // On a phone a bar's label has a line for its number, or there is none at all.
  function fitNarrow(data, layout) {
    layout.margin = { ...layout.margin, r: 12 };
    layout.legend = { ...layout.legend, font: { size: 11 } };
    layout.uniformtext = { mode: "hide", minsize: 11 };
    for (const trace of data.filter((one) => one.type === "bar" && one.textposition !== "none")) {
      trace.textposition = "inside";
      trace.text = trace.text.map((label) => label.replace(/ (?=[^ ]*$)/, "<br>"));
    }
  }

  // Names stand at the ends of their lines, pushed apart, as in the static drawing; a legend only where they have no room.
  const LABEL_GAP = 16, LABEL_OFFSET = 14, SWATCH = 50;

  function labelEnds(labels, layout) {
    const { margin } = layout, tall = layout.height - margin.t - margin.b;
    const room = LABEL_OFFSET + 8 + Math.max(...labels.map((label) => label.width)) * 1.1;
    if (labels.length * LABEL_GAP > tall || room > layout.width / 3) return;
    layout.margin = { ...margin, r: room };
    layout.showlegend = false;
    const wide = layout.width - margin.l - room;
    const across = place(layout.xaxis.range, wide), up = place(layout.yaxis.range, tall);
    const wanted = labels.map((label) => tall - up(label.y));
    const placed = spread(wanted, tall);
    layout.annotations.push(...labels.map((label, i) => {
      const colour = accent(label.accent), ax = wide - across(label.x) + LABEL_OFFSET, ay = placed[i] - wanted[i];
      const apart = Math.abs(ay) > 3 || ax > 40 + LABEL_OFFSET;
      const shared = { text: label.text, x: label.x, y: label.y, xanchor: "left", font: { color: colour, weight: label.role === "measured" ? 600 : 400 } };
      if (!apart) return { ...shared, showarrow: false, xshift: ax, yshift: -ay };
      return { ...shared, showarrow: true, ax, ay, arrowhead: 0, arrowwidth: 0.7, arrowcolor: css("--quiet"), standoff: 8 };
    }));
  }

  const place = ([low, high], length) => (value) => ((value - low) / (high - low)) * length;

  function spread(wanted, length) {
    const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
    const placed = [...wanted];
    let floor = 0, ceiling = length;
    for (const i of order) { placed[i] = Math.max(placed[i], floor); floor = placed[i] + LABEL_GAP; }
    for (const i of order.reverse()) { placed[i] = Math.min(placed[i], ceiling); ceiling = placed[i] - LABEL_GAP; }
    return placed;
  }

  const config = {
    displaylogo: false, showSendToCloud: false, plotlyServerURL: "", locale: document.documentElement.lang,
    modeBarButtons: [["toImage", "zoom2d", "resetScale2d"]], displayModeBar: "hover",
  };

  Rounds.live = { themed, config };
})();
