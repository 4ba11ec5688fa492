// The search: a field, and the list of what answers it (search-answers.js). Whatever is shown is set as text, never as HTML.
(() => {
  "use strict";
  const MOST = 20, MOST_NAMED = 3;
  let fold, places, search, index = null; // of the scripts that answer, once they are there

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

  // Of a place that tells of the load that is asked for, which loads those are.
  const rangeOf = ([low, high]) => (low === high ? `C=${low}` : `C=${low} – C=${high}`);

  function excerpt({ place, range }, terms) {
    if (range) return rangeOf(range);
    const [text, names] = [place.text, place.names].map((string) => index.strings[string]);
    const has = (one) => ranges(one, terms).length > 0;
    return has(names) && !has(text) ? names : text || names;
  }

  function option(result, base, terms) {
    const { strings, words } = index, { place, first, part: { folder, name, title }, path } = result;
    const anchor = strings[place.anchor], kind = [null, words.figure, words.table][place.kind];
    const above = [...new Set([title, first.heading])].filter((one) => one !== place.heading).map((one) => strings[one]).filter(Boolean);
    const made = element("a", "", element("span", "what", ...(kind ? [element("small", "", kind), " "] : []), element("bdi", "", marked(strings[place.heading], terms))));
    if (above.length || name) made.append(element("span", "where", element("bdi", "", above.join(" › ")), " ", element("code", "", name)));
    made.append(element("span", "excerpt", element("bdi", "", marked(excerpt(result, terms), terms))));
    made.href = new URL(`${folder}${path}${anchor ? `#${anchor}` : ""}`, base).href;
    return made;
  }

  // What says the same in more rounds: one option, in the place of which all of them come when it is chosen.
  function moreOf({ more }) {
    const names = more.slice(0, MOST_NAMED).map(({ part }) => part.name).join(", ") + (more.length > MOST_NAMED ? ", …" : "");
    const made = element("button", "", element("span", "where", Rounds.fill(index.words.same, { n: more.length }), " ", element("code", "", names)));
    made.type = "button";
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

    function say(number, { isPart, isNumber }) {
      const { words } = index;
      const text = isNumber ? words.number : number === 0 ? words.nothing : isPart ? words.part : number > MOST ? words.more : words.found;
      said.textContent = Rounds.fill(text, { n: number, m: Math.min(number, MOST) });
    }

    function numbered() {
      for (const [at, made] of [...list.children].entries()) Object.assign(made, { id: `found-${at}`, role: "option", tabIndex: -1, ariaSelected: "false" });
    }

    function opening(one, words) {
      const made = moreOf(one);
      made.addEventListener("click", () => {
        const at = [...list.children].indexOf(made);
        made.replaceWith(...one.more.map((other) => option(other, link.href, words)));
        numbered();
        choose(at);
        field.focus();
      });
      return made;
    }

    function show() {
      if (!index) return;
      keys.textContent = index.words.choose;
      const answer = search(field.value), { found, words } = answer;
      list.replaceChildren(...found.slice(0, MOST).flatMap((one) => [option(one, link.href, words), ...(one.more.length ? [opening(one, words)] : [])]));
      numbered();
      list.hidden = found.length === 0;
      field.ariaExpanded = String(found.length > 0);
      if (words.length || answer.isNumber) say(found.length, answer);
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
  Rounds.find = async (link, load) => {
    const host = document.getElementById("search");
    shown ??= host ? onPage(host, link) : inDialog(link);
    if (!host) {
      await load(`${Rounds.root}assets/search.css`).catch(() => {}); // without it the dialog can be used all the same
      shown.ready();
    }
    for (const name of ["loads", "question", "leads", "order", "answers"]) await load(`${Rounds.root}assets/search-${name}.js`);
    await load(new URL("search.js", link.href).href);
    ({ fold, places } = Rounds.words);
    ({ search } = Rounds.answers);
    index = Rounds.answers.index();
    if (host) shown.ready();
    shown.show();
  };
})();
