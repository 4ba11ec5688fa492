// The search: English by the beginnings of words, Chinese by any part of a text, all terms in one place.
// The index is a script of its own (generator/render/search/joined.py). Whatever is shown is set as text, never as HTML.
(() => {
  "use strict";
  const MOST = 20;
  const PREFIX = 2, WHOLE = 3;
  const OF_TITLE = 16, OF_HEADING = [8, 6, 6], OF_ANCHOR = 3, OF_TEXT = 2; // headings of sections, figures, tables
  const EXACT = 100, TERM = 200;
  const HAN = /\p{Script=Han}/u, LETTER = /\p{L}/u, DIGIT = /\p{N}/u;
  const GLOSSARY = "glossary.html", FRONT = "index.html";

  // --- what is looked for -----------------------------------------------------------------------------------------
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[‐-―−]/g, "-");

  function termsOf(query) {
    const pieces = fold(query).match(/\p{Script=Han}+|[^\s\p{Script=Han}]+/gu) ?? [];
    const bare = pieces.map((one) => one.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
    return [...new Set(bare)].filter(Boolean).map((text) => ({ text, isHan: HAN.test(text) }));
  }

  // Letters go on a word of letters, digits a number; Han characters part words as spaces do.
  function goesOn(text, at) {
    const [before = "", after = ""] = [text[at - 1], text[at]];
    if (HAN.test(before) || HAN.test(after)) return false;
    return (LETTER.test(before) && LETTER.test(after)) || (DIGIT.test(before) && DIGIT.test(after));
  }

  // Where a term stands in a folded text, beginning at a word's beginning.
  function* places(text, { text: term, isHan }) {
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
      if (isHan || !goesOn(text, at)) yield at;
    }
  }

  function fit(text, term) {
    if (!text.includes(term.text)) return 0; // most texts: they cost no more than this
    let best = 0;
    for (const at of places(text, term)) {
      if (term.isHan || !goesOn(text, at + term.text.length)) return WHOLE;
      best = PREFIX;
    }
    return best;
  }

  // --- the index --------------------------------------------------------------------------------------------------
  let index = null;

  function opened({ words, strings, places: rows, parts }) {
    const folded = strings.map(fold);
    const place = (number) => {
      const [kind, anchor, heading, text, names] = rows.slice(5 * number, 5 * number + 5);
      return { kind, anchor, heading, text, names };
    };
    const all = Array.from({ length: rows.length / 5 }, (_, number) => place(number));
    return { words, strings, folded, places: all, parts };
  }

  // How well a term fits each text is found once, however many places share it.
  function fits(term) {
    const known = new Int8Array(index.folded.length).fill(-1);
    return (string) => (known[string] < 0 ? (known[string] = fit(index.folded[string], term)) : known[string]);
  }

  function ownWeight(of, place, isPage) {
    return Math.max(
      of(place.heading) * (isPage ? OF_TITLE : OF_HEADING[place.kind]), of(place.anchor) * OF_ANCHOR,
      of(place.text) * OF_TEXT, of(place.names) * OF_TEXT,
    );
  }

  // A place must have one of the terms itself; the others may be in the title of its page, or be said of its round.
  function weigh(terms, place, isPage, around) {
    let sum = 0;
    for (const of of terms) {
      const own = ownWeight(of, place, isPage);
      if (!own && !around.some(of)) return 0;
      sum += own;
    }
    return sum;
  }

  // What is looked for by its very name: a heading, a metric or a check by its key, a round by its id.
  function exactly(whole, [folder, name], path, place, isPage) {
    const { folded } = index, isTerm = path === GLOSSARY;
    const names = [folded[place.heading], ...(folder ? [] : [folded[place.anchor]]), ...(isPage ? [fold(name)] : [])];
    if (isTerm) names.push(...folded[place.names].split(" · "));
    if (!names.includes(whole)) return 0;
    return isTerm ? TERM : EXACT;
  }

  function search(query) {
    const terms = termsOf(query).map(fits), whole = fold(query).trim().replace(/\s+/g, " "), found = [];
    if (!terms.length) return found;
    for (const part of index.parts) {
      const [, , title, about, pages] = part, seen = new Set();
      for (const [path, ...numbers] of pages) {
        const first = index.places[numbers[0]];
        numbers.forEach((number, at) => {
          if (seen.has(number)) return; // another page of the round shows the same
          seen.add(number);
          const place = index.places[number];
          const weight = weigh(terms, place, at === 0, [title, about, first.heading]);
          if (weight) found.push({ weight: weight + exactly(whole, part, path, place, at === 0 && path === FRONT), part, path, first, place });
        });
      }
    }
    return found.sort((one, other) => other.weight - one.weight);
  }

  // --- what is shown ----------------------------------------------------------------------------------------------
  function element(tag, className, ...children) {
    const made = Object.assign(document.createElement(tag), { className });
    made.append(...children);
    return made;
  }

  // Folding may change how long a text is: then each character of the folded one has to know where it came from.
  function origins(text) {
    let folded = "";
    const from = [], to = [];
    let at = 0;
    for (const character of text) {
      const one = fold(character);
      for (let unit = 0; unit < one.length; unit += 1) { from.push(at); to.push(at + character.length); }
      folded += one;
      at += character.length;
    }
    return { folded, from: (start) => from[start], to: (end) => to[end - 1] };
  }

  const same = (at) => at;
  const unfolded = (text, folded) => (folded.length === text.length ? { folded, from: same, to: same } : origins(text));

  function ranges(text, terms) {
    const { folded, from, to } = unfolded(text, fold(text));
    const found = terms.flatMap((term) => [...places(folded, term)].map((start) => [from(start), to(start + term.text.length)]));
    return found.sort((one, other) => one[0] - other[0]);
  }

  function marked(text, terms) {
    const made = document.createDocumentFragment();
    let done = 0;
    for (const [start, end] of ranges(text, terms)) {
      if (end <= done) continue;
      made.append(text.slice(done, Math.max(start, done)), element("mark", "", text.slice(Math.max(start, done), end)));
      done = end;
    }
    made.append(text.slice(done));
    return made;
  }

  function excerpt({ place }, terms) {
    const [text, names] = [place.text, place.names].map((string) => index.strings[string]);
    const has = (one) => ranges(one, terms).length > 0;
    return has(names) && !has(text) ? names : text || names;
  }

  function option(result, at, base, terms) {
    const { strings, words } = index, { place, first, part: [folder, name, title], path } = result;
    const anchor = strings[place.anchor], kind = [null, words.figure, words.table][place.kind];
    const above = [...new Set([title, first.heading])].filter((one) => one !== place.heading).map((one) => strings[one]).filter(Boolean);
    const made = element("a", "", element("span", "what", ...(kind ? [element("small", "", kind), " "] : []), element("bdi", "", marked(strings[place.heading], terms))));
    if (above.length || name) made.append(element("span", "where", element("bdi", "", above.join(" › ")), " ", element("code", "", name)));
    made.append(element("span", "excerpt", element("bdi", "", marked(excerpt(result, terms), terms))));
    made.href = new URL(`${folder}${path}${anchor ? `#${anchor}` : ""}`, base).href;
    Object.assign(made, { id: `found-${at}`, role: "option", tabIndex: -1, ariaSelected: "false" });
    return made;
  }

  // --- the box: one field, and the list that it rules ---------------------------------------------------------------
  function box(link, onLeave) {
    const label = link.textContent;
    const field = Object.assign(element("input", ""), { type: "text", inputMode: "search", autocomplete: "off", spellcheck: false, role: "combobox", ariaLabel: label, ariaAutoComplete: "list", ariaExpanded: "false" });
    const said = Object.assign(element("p", "quiet"), { role: "status" });
    const list = Object.assign(element("div", "found"), { id: "found", role: "listbox", ariaLabel: label, hidden: true });
    field.setAttribute("aria-controls", "found");
    field.setAttribute("enterkeyhint", "go");
    let chosen = -1;

    function choose(at) {
      list.children[chosen]?.setAttribute("aria-selected", "false");
      chosen = at;
      const one = list.children[at];
      if (!one) return field.removeAttribute("aria-activedescendant");
      one.setAttribute("aria-selected", "true");
      field.setAttribute("aria-activedescendant", one.id);
      one.scrollIntoView({ block: "nearest" });
    }

    function say(number) {
      const { words } = index;
      const text = number === 0 ? words.nothing : number > MOST ? words.more : words.found;
      said.textContent = text.replace("{n}", number).replace("{m}", MOST);
    }

    function show() {
      if (!index) return;
      const terms = termsOf(field.value), found = search(field.value);
      list.replaceChildren(...found.slice(0, MOST).map((one, at) => option(one, at, link.href, terms)));
      list.hidden = found.length === 0;
      field.ariaExpanded = String(found.length > 0);
      if (terms.length) say(found.length);
      else said.textContent = "";
      chosen = -1;
      choose(found.length ? 0 : -1);
    }

    function onKey(event) {
      if (event.isComposing) return;
      const number = list.children.length, step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && number) choose((chosen + step + number) % number);
      else if (event.key === "Enter") list.children[chosen]?.click();
      else if (event.key === "Escape") onLeave(event);
      else return;
      event.preventDefault();
    }

    // While a word is being composed from its sounds, the field holds the sounds.
    field.addEventListener("input", (event) => { if (!event.isComposing) show(); });
    field.addEventListener("compositionend", show);
    field.addEventListener("keydown", onKey);
    return { field, said, list, show };
  }

  // --- where it is shown: on its own page, else in a dialog -----------------------------------------------------------
  function onPage(host, link) {
    const made = box(link, () => { made.field.value = ""; made.show(); });
    host.append(made.field, made.said, made.list);
    made.field.value = new URLSearchParams(location.search).get("q") ?? "";
    made.ready = () => { host.hidden = false; document.querySelector(".needs-script").hidden = true; made.field.focus(); };
    return made;
  }

  function inDialog(link) {
    const dialog = Object.assign(element("dialog", "finder"), { ariaLabel: link.textContent });
    const close = Object.assign(element("button", "", link.dataset.close), { type: "button" });
    const made = box(link, () => dialog.close());
    dialog.append(element("div", "head", made.field, close), made.said, made.list);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || (event.target.closest(".found a") && !event.ctrlKey && !event.metaKey && !event.shiftKey)) dialog.close();
    });
    document.body.append(dialog);
    made.ready = () => { if (!dialog.open) dialog.showModal(); made.field.select(); };
    return made;
  }

  let shown = null;
  Rounds.index = (all) => { index = opened(all); };
  Rounds.find = async (link, load) => {
    const host = document.getElementById("search");
    shown ??= host ? onPage(host, link) : inDialog(link);
    if (!host) shown.ready();
    await load(new URL("search.js", link.href).href);
    if (host) shown.ready();
    shown.show();
  };
})();
