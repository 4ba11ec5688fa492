// The derivation of a number opens beside it. It is put together from what the round knows of the number in any
// language (facts) and from what the language of the page says of that (words); every string of both is HTML.
(() => {
  "use strict";
  const { root, load, button } = Rounds;
  const narrow = matchMedia("(max-width: 44rem)");
  let facts = null, words = null, dialog = null, opener = null, shown = null, trail = [];
  Rounds.facts = (all) => { facts = all; };
  Rounds.words = (all) => { words = all; };

  // Without its style a panel can be read all the same.
  const styled = load(`${root}assets/panel.css`).catch(() => {});

  async function known() {
    await Promise.all([styled, load("derivations.js")]);
    await load(words.facts);
  }

  // --- what a panel says --------------------------------------------------------------------------------------
  const here = (name) => words.sources[name] ?? name;

  function fact(id) {
    const [kind, place, shown, exact = "", origin = 0, restsOn = 0, inputs = "", file = "", line = "", reason = 0] = facts.facts[id];
    const [metric, formula, ...numbers] = facts.kinds[kind];
    const [key, title, meaning, why] = words.metrics[metric];
    return {
      key, title, meaning, why, formula, numbers, exact, shown,
      of: words.places[place],
      link: `<a href="how.html#${id}">${shown}</a>`,
      origin: words.origins[origin - 1] ?? "",
      restsOn: restsOn ? words.phrases.rests_on.replace("{}", words.origins[restsOn - 1]) : "",
      inputs: inputs ? inputs.split(" ") : [],
      source: file ? here(file) + words.between + here(line) : "",
      reason: words.reasons[reason - 1] ?? "",
    };
  }

  function row(id) {
    const { title, of, link, origin, source, formula } = fact(id);
    const from = source || (formula && `<a href="how.html#${id}">${words.phrases.derived}</a>`);
    return `<tr><th scope="row">${title}</th><td>${of}</td><td>${link}</td><td>${origin}</td><td class="source">${from}</td></tr>`;
  }

  function computed({ formula, numbers, inputs }) {
    const t = words.phrases;
    const put = numbers.map((piece) => (typeof piece === "number" ? fact(inputs[piece]).link : piece)).join("");
    const rows = /(first|last)\(/.test(formula) ? `<p class="quiet">${t.first_last}</p>` : "";
    const heads = [t.input, t.of, t.value, t.origin, t.source].map((head) => `<th scope="col">${head}</th>`).join("");
    return `<p class="formula">${formula}</p><p class="formula numbers">= ${put}</p>${rows}
      <table class="inputs stacked"><thead><tr>${heads}</tr></thead><tbody>${inputs.map(row).join("")}</tbody></table>`;
  }

  // Where all that a number rests on was read, the nearest first, and once what reads the same. Where no input has inputs
  // of its own, the table of inputs has said it all.
  function readFrom(id) {
    const t = words.phrases, all = new Set([id]), told = {};
    for (const one of all) {
      const { title, of, shown, link, source, inputs } = fact(one);
      if (source) told[title + shown + source] ??= `<li>${title}${words.between}${of}${words.is}${link} <span class="source">${source}</span></li>`;
      inputs.forEach(all.add, all);
    }
    const rows = Object.values(told), more = rows.splice(8);
    if (!rows.length || !fact(id).inputs.some((input) => fact(input).formula)) return "";
    const list = (some) => `<ul class="leaves">${some.join("")}</ul>`;
    const folded = `<details><summary>${t.more_read.replace("{}", more.length)}</summary>${list(more)}</details>`;
    return `<p><b>${t.read_from}</b></p>${list(rows)}${more.length ? folded : ""}`;
  }

  function told(id) {
    const one = fact(id), t = words.phrases;
    return `<p class="actions"><a href="how.html#${id}" class="whole">${t.open_page}</a></p>
      <h2 class="what" id="panel-title"><a href="../../glossary.html#${one.key}">${one.title}</a></h2><p class="of">${one.of}</p>
      <p class="result">${one.link}${one.origin && ` <span class="origin">${one.origin}${one.restsOn}</span>`}</p>
      ${one.reason && `<p><b>${one.exact ? t.caveat : t.reason}</b> ${one.reason}</p>`}
      ${one.formula && computed(one)}
      ${one.source && `<p><b>${t.read_from}</b> <span class="source">${one.source}</span></p>`}
      ${one.exact && `<p class="quiet">${t.exact} <span class="exact">${one.exact}</span></p>`}
      <p class="quiet">${one.meaning}</p>
      ${one.why && `<p class="quiet"><b>${t.why_two}</b> ${one.why}</p>`}
      ${readFrom(id)}`;
  }

  // --- where it stands ----------------------------------------------------------------------------------------
  Rounds.open = async (panel, id, from) => {
    dialog = panel;
    await known();
    if (!Object.hasOwn(facts.facts, id)) return false;
    const isInside = panel.open && panel.contains(from);
    trail = isInside ? [...trail, shown] : [];
    if (!isInside) opener = from;
    show(id);
    return true;
  };

  // The way back is there as soon as an input of a number has been opened.
  function show(id) {
    const closes = button("", close);
    closes.innerHTML = words.phrases.close;
    shown = id;
    dialog.innerHTML = told(id);
    const actions = dialog.firstChild;
    actions.append(closes);
    if (trail.length) {
      const back = button("", () => show(trail.pop()));
      Object.assign(back, { className: "back", innerHTML: words.phrases.step_back });
      actions.prepend(back);
    }
    if (!dialog.open) dialog.show();
    put(opener);
    dialog.scrollTop = 0;
    closes.focus({ preventScroll: true });
  }

  // What unfolds in it moves nothing: it grows down to the edge of the window, and scrolls from there on.
  function put(from) {
    const number = from.matches('a[href^="how.html#"]') && !narrow.matches;
    dialog.classList.toggle("at", number);
    dialog.style = "";
    if (number) beside(from);
    dialog.style.maxHeight = `${Math.max(dialog.offsetHeight, innerHeight - dialog.getBoundingClientRect().top)}px`;
  }

  // Below or above its number where there is room for all of it, else beside the number: what is longer than the window
  // scrolls inside.
  function beside(from) {
    const apart = 8, at = from.getBoundingClientRect(), { offsetHeight: high, offsetWidth: wide } = dialog, across = document.body.clientWidth;
    const within = (start, size, room) => Math.max(apart, Math.min(start, room - size - apart));
    const above = at.top - apart - high, below = at.bottom + apart, right = at.right + apart;
    const isBelow = below + high < innerHeight, isBeside = !isBelow && above < apart;
    const left = !isBeside ? at.left : right + wide < across ? right : at.left - apart - wide;
    dialog.style.top = `${scrollY + (isBelow ? below : within(isBeside ? at.top - high / 2 : above, high, innerHeight))}px`;
    dialog.style.left = `${within(left, wide, across)}px`;
  }

  function close() {
    dialog?.close();
    opener?.focus?.({ preventScroll: true });
    opener = null;
  }

  addEventListener("resize", () => { if (dialog?.open && opener) put(opener); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
})();
