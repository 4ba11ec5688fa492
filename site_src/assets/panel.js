// The derivation of a number opens beside it. It is put together from what the round knows of the number in any
// language (facts) and from what the language of the page says of that (words); every string of both is HTML.
(() => {
  "use strict";
  const { root, load, button } = Rounds;
  const NUMBER = 'a[href^="how.html#"]';
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
      key, title, meaning, why, formula, numbers, exact,
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
      <table class="inputs"><thead><tr>${heads}</tr></thead><tbody>${inputs.map(row).join("")}</tbody></table>`;
  }

  function told(id) {
    const one = fact(id), t = words.phrases;
    return `<h2 class="what" id="panel-title"><a href="../../glossary.html#${one.key}">${one.title}</a></h2><p class="of">${one.of}</p>
      <p class="result">${one.link}${one.origin && ` <span class="origin">${one.origin}${one.restsOn}</span>`}</p>
      ${one.reason && `<p><b>${t.reason}</b> ${one.reason}</p>`}
      ${one.formula && computed(one)}
      ${one.source && `<p><b>${t.source}</b> <span class="source">${one.source}</span></p>`}
      ${one.exact && `<p class="quiet">${t.exact} <span class="exact">${one.exact}</span></p>`}
      <p class="quiet">${one.meaning}</p>
      ${one.why && `<p class="quiet"><b>${t.why_two}</b> ${one.why}</p>`}`;
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
    const closes = button("", close), page = document.createElement("a"), actions = document.createElement("p");
    closes.innerHTML = words.phrases.close;
    Object.assign(page, { href: `how.html#${id}`, className: "whole", innerHTML: words.phrases.open_page });
    actions.className = "actions";
    actions.append(page, closes);
    shown = id;
    dialog.innerHTML = told(id);
    dialog.prepend(actions);
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

  // Above or below its number, where there is more room, and no higher than that: what is longer scrolls inside.
  function put(from) {
    const apart = 8, least = 160, number = from.matches(NUMBER) && !narrow.matches;
    dialog.classList.toggle("at", number);
    for (const side of ["top", "left", "max-height"]) dialog.style.removeProperty(side);
    if (!number) return;
    const at = from.getBoundingClientRect(), below = innerHeight - at.bottom - 2 * apart, above = at.top - 2 * apart;
    const isAbove = dialog.offsetHeight > below && above > below;
    dialog.style.maxHeight = `${Math.max(least, Math.min(isAbove ? above : below, innerHeight * 0.7))}px`;
    const right = document.documentElement.clientWidth - dialog.offsetWidth - apart;
    dialog.style.top = `${scrollY + (isAbove ? at.top - apart - dialog.offsetHeight : at.bottom + apart)}px`;
    dialog.style.left = `${Math.max(apart, Math.min(at.left, right))}px`;
  }

  function close() {
    dialog?.close();
    opener?.focus?.({ preventScroll: true });
    opener = null;
  }

  addEventListener("resize", () => { if (dialog?.open && opener) put(opener); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
})();
