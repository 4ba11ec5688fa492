// The search: English by the beginnings of words, Chinese by any part of a text, all terms in one place; behind those
// that say them, places that say another word of the same meaning (generator/render/search/synonyms.py) or print a metric.
// The index is a script of its own (generator/render/search/joined.py). Whatever is shown is set as text, never as HTML.
(() => {
  "use strict";
  const MOST = 20;
  const PREFIX = 2, WHOLE = 3;
  const OF_TITLE = 16, OF_HEADING = [8, 6, 6], OF_ANCHOR = 3, OF_TEXT = 2; // headings of sections, figures, tables
  const OF_ABOUT = 3; // what is said of a round: for its front page alone
  const BY_TERM = 1000; // where nothing has all of the terms, what has more of them comes first
  const NAMED = 50, EXACT = 100, TERM = 200, PAGE = 300;
  const PRINTED = 1, WIDENED = 0.01; // below every place that says what was typed
  const LEAST_APART = 4, MOST_APART = 24; // Han characters that may be taken apart where nothing has all of them
  const HAN = /\p{Script=Han}/u, LETTER = /\p{L}/u, DIGIT = /\p{N}/u;
  // Words of a question that no place is about, and how a load is asked for that places call by its sign.
  const ASKING = /为什么|为何|怎么样|怎么|怎样|如何|哪一?个|什么是|是什么|是不是|吗(?=\s|$)|[?？]/g;
  const FILLING = new Set("a an and are be by can do does for from how i in is it of on or than that the there to was what when where which who why with".split(" "));
  const LOAD = /(?:并发数?|concurrency)[\s=]*(\d+)/g;
  const ENDED = /^([a-z]{4,})(?:ing|ed|s)$/;
  const GLOSSARY = "glossary.html", FRONT = "index.html";

  // --- what is looked for -----------------------------------------------------------------------------------------
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[‐-―−]/g, "-");

  function termsOf(query) {
    const pieces = fold(query).match(/\p{Script=Han}+|[^\s\p{Script=Han}]+/gu) ?? [];
    const bare = pieces.map((one) => one.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
    return [...new Set(bare)].filter(Boolean).map((text) => ({ text, isHan: HAN.test(text) }));
  }

  // Terms are lists of words of one meaning, any of which will do; the first is what was typed.
  const alone = (query) => termsOf(query).map((one) => [one]);
  const asTerm = (text) => ({ text, isHan: HAN.test(text) });
  const ofOneMeaning = (text) => [text, ...(index.meanings.get(text) ?? [])].map(asTerm);

  const isWithin = (text, at) => goesOn(text, at) || text[at - 1] === "_" || text[at] === "_" || (HAN.test(text[at - 1] ?? "") && HAN.test(text[at] ?? ""));

  // An English word without its ending: terms match from the beginning of a word.
  function stemmed(term) {
    const root = ENDED.exec(term.text)?.[1];
    return root ? [term, asTerm(root)] : [term];
  }

  // The same with other words for what was typed, of which one may be of several words, and without those of a question.
  function widened(query) {
    let rest = fold(query).replace(ASKING, " ").replace(LOAD, " c=$1 ").replace(/\s+/g, " ");
    const found = [];
    for (const phrase of index.meanings.keys()) {
      const at = rest.indexOf(phrase), end = at + phrase.length;
      if (at < 0 || isWithin(rest, at) || isWithin(rest, end)) continue;
      found.push(ofOneMeaning(phrase));
      rest = `${rest.slice(0, at)} ${rest.slice(end)}`;
    }
    return [...found, ...alone(rest).filter(([{ text }]) => !FILLING.has(text)).map(([term]) => stemmed(term))];
  }

  const isKnown = (text) => index.meanings.has(text) || index.folded.some((one) => one.includes(text));

  // A run of Han characters as the longest pieces that are found anywhere; a character between two of them is one too.
  function pieces(text) {
    const found = [];
    for (let at = 0, end; at < text.length; at = end) {
      for (end = text.length; end > at + 1 && !isKnown(text.slice(at, end));) end -= 1;
      found.push(text.slice(at, end));
    }
    return found;
  }

  // Terms with their long runs of Han characters in pieces; null where there are none.
  function apart(terms) {
    const canPart = ([{ text, isHan }]) => isHan && text.length >= LEAST_APART && text.length <= MOST_APART;
    if (!terms.some(canPart)) return null;
    return terms.flatMap((term) => (canPart(term) ? pieces(term[0].text).map(ofOneMeaning) : [term]));
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

  // Each word with the others of its meaning, the longest first: the longest that stands in a query is meant.
  function meaningsOf(groups) {
    const known = groups.map((group) => group.map(fold)).flatMap((group) => group.map((one) => [one, group.filter((other) => other !== one)]));
    return new Map(known.sort(([one], [other]) => other.length - one.length));
  }

  const inFull = (runs) => runs.flatMap((first, at) => (at % 2 ? [] : Array.from({ length: runs[at + 1] }, (_, further) => first + further)));

  function opened({ words, synonyms, strings, paths, places: rows, parts, metrics, printing }) {
    const folded = strings.map(fold);
    let next = 1 + Math.max(-1, ...parts.flatMap(([, , title, about]) => [title, about]));
    const place = (number) => {
      const [anchor, heading, text, names] = rows.slice(5 * number + 1, 5 * number + 5).map((one) => (one ? one - 1 : next++));
      return { kind: rows[5 * number], anchor, heading, text, names };
    };
    const all = Array.from({ length: rows.length / 5 }, (_, number) => place(number));
    for (const part of parts) part[4] = part[4].map(([path, ...runs]) => [paths[path], ...inFull(runs)]);
    return { words, strings, folded, places: all, parts, metrics, printing, meanings: meaningsOf(synonyms) };
  }

  // How well a term fits each text is found once, however many places share it.
  function fits(term) {
    const known = new Int8Array(index.folded.length).fill(-1), best = (text) => Math.max(...term.map((word) => fit(text, word)));
    const of = (string) => (known[string] < 0 ? (known[string] = best(index.folded[string])) : known[string]);
    return Object.assign(of, { metric: index.metrics.indexOf(term[0].text) });
  }

  // The places of a part, counted from its first, that print a metric.
  function printedIn([, , , , , places], { metric }) {
    const found = new Set();
    for (let at = 0, place = 0; metric >= 0 && at < places.length; at += 2) {
      place += places[at];
      if (index.printing[places[at + 1]].includes(metric)) found.add(place);
    }
    return found;
  }

  function ownWeight(of, place, isPage) {
    return Math.max(
      of(place.heading) * (isPage ? OF_TITLE : OF_HEADING[place.kind]), of(place.anchor) * OF_ANCHOR,
      of(place.text) * OF_TEXT, of(place.names) * OF_TEXT,
    );
  }

  // A place must have one of the terms itself; the others may be in the title of its page, or be said of its round.
  // What is said of a round is its front page's own; one that all of several terms name comes before what is in it.
  // Where fewer terms are enough, a place that has more of them comes before one that has them in a better place.
  function weigh({ terms, printed, least = terms.length }, place, { at, isPage, isFront, title, about, first }) {
    let sum = 0, there = terms.length;
    for (const [number, of] of terms.entries()) {
      const own = Math.max(ownWeight(of, place, isPage), isFront && of(about) * OF_ABOUT, printed[number].has(at) && PRINTED);
      if (!own && ![title, about, first.heading].some(of)) there -= 1;
      if (there < least) return 0;
      sum += own;
    }
    if (least < terms.length) return sum && sum + BY_TERM * there;
    return sum + (isFront && terms.length > 1 && terms.every((of) => of(title) || of(about)) ? NAMED : 0);
  }

  // What is looked for by its very name: a heading, a metric or a check by its key, a round by its id.
  function exactly(whole, [folder, name], path, place, { isPage, isFront }) {
    const { folded } = index, isTerm = path === GLOSSARY;
    const names = [folded[place.heading], ...(folder ? [] : [folded[place.anchor]]), ...(isFront ? [fold(name)] : [])];
    if (isTerm) names.push(...folded[place.names].split(" · "));
    if (!names.includes(whole)) return 0;
    return isPage ? PAGE : isTerm ? TERM : EXACT;
  }

  // A heading that says all of several terms in other words comes before a text that says them as they were typed.
  function shareOf({ terms, share, least }, { heading }) {
    return least === undefined && terms.length > 1 && terms.every((of) => of(heading)) ? 1 : share;
  }

  // All places that have the terms, by how well; ``ways`` are lists of terms, the first that fits a place counts.
  function* having(ways, whole) {
    for (const part of index.parts) {
      const [, , title, about, pages] = part, seen = new Set();
      const here = ways.map(({ terms, ...way }) => ({ ...way, terms, printed: terms.map((of) => printedIn(part, of)) }));
      let at = -1;
      for (const [path, ...numbers] of pages) {
        const first = index.places[numbers[0]];
        for (const [nth, number] of numbers.entries()) {
          at += 1;
          if (seen.has(number)) continue; // another page of the round shows the same
          seen.add(number);
          const place = index.places[number], isPage = nth === 0;
          const around = { at, isPage, isFront: isPage && path === FRONT, title, about, first };
          const way = here.find((one) => weigh(one, place, around));
          if (!way) continue;
          const weight = shareOf(way, place) * (weigh(way, place, around) + exactly(whole, part, path, place, around));
          yield { weight, part, path, first, place };
        }
      }
    }
  }

  // What is found by some ways, the best first, and the words by which it was.
  function foundBy(ways, query) {
    const whole = fold(query).trim().replace(/\s+/g, " "), words = ways.flatMap(({ typed }) => typed.flat());
    const found = [...having(ways.map(({ typed, ...way }) => ({ ...way, terms: typed.map(fits) })), whole)];
    return { found: together(found.sort((one, other) => other.weight - one.weight)), words };
  }

  // Places below a page that say the same are one result, the best of them, with how many more there are.
  function together(found) {
    const known = new Map();
    for (const one of found) {
      const { heading, text, kind } = one.place, isAlone = one.place === one.first || !text;
      const key = isAlone ? one : `${kind} ${heading} ${text}`, before = known.get(key);
      if (before) before.more += 1;
      else known.set(key, Object.assign(one, { more: 0 }));
    }
    return [...known.values()];
  }

  function search(query) {
    const typed = alone(query), wide = widened(query);
    if (!typed.length) return { found: [], words: [] };
    const isWider = wide.length > 0 && (wide.length !== typed.length || wide.some((term) => term.length > 1));
    const result = foundBy([{ typed, share: 1 }, ...(isWider ? [{ typed: wide, share: WIDENED }] : [])], query);
    if (result.found.length) return result;
    const others = apart(wide), parted = others && foundBy([{ typed: others, share: WIDENED }], query);
    return parted?.found.length ? parted : havingSome(others ?? wide, query) ?? result;
  }

  // Where nothing has all of several terms: what has half of them or more.
  function havingSome(typed, query) {
    if (typed.length < 2) return null;
    return { ...foundBy([{ typed, share: WIDENED, least: Math.ceil(typed.length / 2) }], query), isPart: true };
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
    if (result.more) made.append(element("span", "where", words.same.replace("{n}", result.more)));
    made.href = new URL(`${folder}${path}${anchor ? `#${anchor}` : ""}`, base).href;
    Object.assign(made, { id: `found-${at}`, role: "option", tabIndex: -1, ariaSelected: "false" });
    return made;
  }

  // --- the box: one field, and the list that it rules ---------------------------------------------------------------
  function box(link, onLeave) {
    const label = link.textContent;
    const field = Object.assign(element("input", ""), { type: "text", inputMode: "search", autocomplete: "off", spellcheck: false, role: "combobox", ariaLabel: label, ariaAutoComplete: "list", ariaExpanded: "false" });
    const said = Object.assign(element("p", "quiet"), { role: "status" });
    const keys = element("p", "quiet keys");
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

    function say(number, isPart) {
      const { words } = index;
      const text = number === 0 ? words.nothing : isPart ? words.part : number > MOST ? words.more : words.found;
      said.textContent = text.replace("{n}", number).replace("{m}", Math.min(number, MOST));
    }

    function show() {
      if (!index) return;
      keys.textContent = index.words.choose;
      const { found, words, isPart } = search(field.value);
      list.replaceChildren(...found.slice(0, MOST).map((one, at) => option(one, at, link.href, words)));
      list.hidden = found.length === 0;
      field.ariaExpanded = String(found.length > 0);
      if (termsOf(field.value).length) say(found.length, isPart);
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
    return { field, keys, said, list, show };
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
    dialog.append(element("div", "head", made.field, close), made.keys, made.said, made.list);
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
    if (!host) {
      await load(`${Rounds.root}assets/search.css`).catch(() => {}); // without it the dialog can be used all the same
      shown.ready();
    }
    await load(new URL("search.js", link.href).href);
    if (host) shown.ready();
    shown.show();
  };
})();
