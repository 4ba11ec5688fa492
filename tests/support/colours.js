// The colours of every text that can be seen and of every field's edge, with what they stand on, as they are painted.
() => {
  const brush = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const known = new Map();

  // Layers of [colour, opacity], the lowest first -> "#rrggbb".
  function painted(layers) {
    const key = layers.join(";");
    if (!known.has(key)) {
      for (const [colour, opacity] of layers) {
        brush.globalAlpha = opacity;
        brush.fillStyle = colour;
        brush.fillRect(0, 0, 1, 1);
      }
      known.set(key, "#" + [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part.toString(16).padStart(2, "0")).join(""));
    }
    return known.get(key);
  }

  const base = Object.assign(document.createElement("i"), { className: "base" });
  document.body.append(base);
  base.style.backgroundColor = "Canvas";
  const canvas = getComputedStyle(base).backgroundColor;
  base.remove();

  const upwards = (element) => (element ? [...upwards(element.parentElement), element] : []);
  const grounds = (element) => [[canvas, 1], ...upwards(element).map((one) => [getComputedStyle(one).backgroundColor, 1])];
  const opacity = (element) => upwards(element).reduce((all, one) => all * getComputedStyle(one).opacity, 1);

  // What a text of a drawing is written over: filled shapes before it that hold its middle.
  function shapesBelow(text) {
    const { left, right, top, bottom } = text.getBoundingClientRect(), x = (left + right) / 2, y = (top + bottom) / 2;
    const holds = (box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
    return [...text.ownerSVGElement.querySelectorAll("rect, path, circle, polygon")]
      .filter((shape) => shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING && holds(shape.getBoundingClientRect()))
      .map((shape) => [getComputedStyle(shape), opacity(shape)])
      .filter(([style]) => style.visibility === "visible" && /^(rgb|color)/.test(style.fill))
      .map(([style, seen]) => [style.fill, style.fillOpacity * seen]);
  }

  function colours(element) {
    const style = getComputedStyle(element), drawn = element instanceof SVGElement;
    const below = grounds(element).concat(drawn ? shapesBelow(element.closest("text")) : []);
    return { ink: painted([...below, [drawn ? style.fill : style.color, opacity(element)]]), ground: painted(below), size: parseFloat(style.fontSize), bold: style.fontWeight >= 600 };
  }

  const seen = new Map();
  const add = (found, where) => seen.set(JSON.stringify(found), where.trim().slice(0, 60));
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: element } = texts.currentNode;
    if (!data.trim() || element.closest("script, style, title, desc, option, :disabled") || !shown(element)) continue;
    if (element instanceof SVGElement && !element.closest("text")?.getBoundingClientRect().width) continue;
    add({ kind: element instanceof SVGElement ? "drawn" : "text", ...colours(element) }, data);
  }
  for (const field of document.querySelectorAll("input:not([type=range], [type=checkbox], [type=radio], [type=hidden]), select, textarea")) {
    const { borderTopColor, borderTopWidth } = getComputedStyle(field);
    if (!shown(field) || !parseFloat(borderTopWidth)) continue;
    const below = grounds(field.parentElement);
    add({ kind: "edge", ink: painted([...below, [borderTopColor, opacity(field)]]), ground: painted(below), size: 0, bold: false }, field.id || field.name || field.tagName);
  }
  return [...seen].map(([found, where]) => ({ ...JSON.parse(found), where }));
}
