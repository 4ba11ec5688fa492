// What answers a query of the search, and what comes first: English by the beginnings of words, Chinese by any part of a text,
// all terms in one place; behind those that say them, places that say another word of the same meaning
// (generator/render/search/synonyms.py) or print a metric. Before all: the place that answers
// a question (search-leads.js), what the guides say of a load that is asked for, and
// the entry of the glossary for whoever asks how something is defined. The index comes from generator/render/search/joined.py.
(() => {
  "use strict";
  const { fold, fit, rootsOf, asked, apart } = Rounds.words, { named, isAside, led, standing, nearest } = Rounds.leads;
  const OF_TITLE = 16, OF_HEADING = [8, 6, 6], OF_ANCHOR = 3, OF_TEXT = 2; // headings of sections, figures, tables
  const OF_ABOUT = 3; // what is said of a round: for its front page alone
  const BY_TERM = 1000; // where nothing has all of the terms, what has more of them comes first
  const NAMED = 50, EXACT = 100, TERM = 200, PAGE = 300;
  const PRINTED = 1, WIDENED = 0.01; // below every place that says what was typed
  const OF_SITE = 0.5; // a page of the whole site, or a word that it explains, comes before what fits alike in a round
  const OTHER_NAME = 0.1;
  const ANOTHER = 0.9; // another word of the same meaning, where one of them has to do
  const BARE = /^[-+]?[\d.,]+\s*(?:[a-z%°/]+)?$/; // a number, with a unit or without
  const GLOSSARY = "glossary.html", FRONT = "index.html", WORD = "term-";
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", HALF = 32;

  // --- the index --------------------------------------------------------------------------------------------------
  let index = null;

  // Each word with the others of its meaning, the longest first: the longest that stands in a query is meant.
  function meaningsOf(groups) {
    const known = groups.map((group) => group.map(fold)).flatMap((group) => group.map((one) => [one, group.filter((other) => other !== one)]));
    return new Map(known.sort(([one], [other]) => other.length - one.length));
  }

  const inFull = (runs) => runs.flatMap((first, at) => (at % 2 ? [] : Array.from({ length: runs[at + 1] }, (_, further) => first + further)));

  const ofDigit = new Uint8Array(128);
  for (const [at, digit] of [...DIGITS].entries()) ofDigit[digit.charCodeAt(0)] = at;

  function unpacked(text) {
    const numbers = [];
    for (let at = 0, number = 0, unit = 1; at < text.length; at += 1) {
      const digit = ofDigit[text.charCodeAt(at)];
      number += (digit % HALF) * unit;
      unit *= HALF;
      if (digit < HALF) { numbers.push(number); number = 0; unit = 1; }
    }
    return numbers;
  }

  // Loads from and to, in requests in flight: the same twice for a level.
  const rangesOf = (loads) => loads.split(" ").map((one) => one.split("-").map(Number)).map(([low, high = low]) => [low, high]);

  function opened({ words, synonyms, leads, strings: lines, paths, places: packed, loads, metricOf, parts, metrics, printing }) {
    const strings = lines.split("\n"), folded = strings.map(fold), rows = unpacked(packed);
    let next = 1 + Math.max(-1, ...parts.flatMap(([, , title, about]) => [title, about]));
    const place = (number) => {
      const [anchor, heading, text, names] = rows.slice(5 * number + 1, 5 * number + 5).map((one) => (one ? one - 1 : next++));
      return { kind: rows[5 * number], anchor, heading, text, names };
    };
    const all = Array.from({ length: rows.length / 5 }, (_, number) => place(number));
    for (let at = 0; at < loads.length; at += 2) all[loads[at]].loads = rangesOf(loads[at + 1]);
    for (let at = 0; at < metricOf.length; at += 2) all[metricOf[at]].metric = metricOf[at + 1];
    for (const part of parts) {
      part[4] = part[4].map(unpacked).map(([path, ...runs]) => [paths[path], ...inFull(runs)]);
      part[5] = unpacked(part[5]);
    }
    return { words, leads, strings, folded, places: all, parts, metrics, printing, meanings: meaningsOf(synonyms) };
  }

  // How well a term fits each text is found once, however many places share it; the word that was typed fits best.
  function fits(term) {
    const known = new Float32Array(index.folded.length).fill(-1), best = (text) => Math.max(...term.map((word, nth) => fit(text, word) * (nth ? ANOTHER : 1)));
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
    if (!names.includes(whole)) return isTerm && rootsOf(folded[place.heading]) === rootsOf(whole) ? EXACT : 0;
    return isPage ? PAGE : isTerm ? TERM : EXACT;
  }

  // A heading that says all of several terms in other words comes before a text that says them as they were typed.
  function shareOf({ terms, share, least }, { heading }) {
    return least === undefined && terms.length > 1 && terms.every((of) => of(heading)) ? 1 : share;
  }

  // Every place that is wanted, once in each part; ``at`` counts those of a part.
  function* everyPlace(wanted = () => true, page = null) {
    for (const part of index.parts) {
      const seen = new Set();
      let at = -1;
      for (const [path, ...numbers] of part[4]) {
        if (page && path !== page) continue;
        const first = index.places[numbers[0]];
        for (const number of numbers) {
          at += 1;
          const place = index.places[number];
          if (!wanted(place) || seen.has(number)) continue; // or another page of the round shows the same
          seen.add(number);
          yield { part, path, first, place, at };
        }
      }
    }
  }

  const isWord = ({ anchor }) => index.strings[anchor].startsWith(WORD);

  // All places that have the terms, by how well; ``ways`` are lists of terms, the first that fits a place counts.
  function* having(ways, whole) {
    let here, of;
    for (const { part, path, first, place, at } of everyPlace()) {
      if (part !== of) here = ways.map(({ terms, ...way }) => ({ ...way, terms, printed: terms.map((term) => printedIn(part, term)) }));
      of = part;
      const [, , title, about] = part, isPage = place === first;
      const around = { at, isPage, isFront: isPage && path === FRONT, title, about, first };
      const way = here.find((one) => weigh(one, place, around));
      if (!way) continue;
      const name = exactly(whole, part, path, place, around);
      const weight = shareOf(way, place) * (weigh(way, place, around) + (!part[0] && (isPage || isWord(place)) ? OF_SITE : 0)) + name;
      yield { weight, isExact: name > 0, part, path, first, place };
    }
  }

  // What is found by some ways, the best first, other rounds than those named behind, and the words by which it was.
  function foundBy(ways, question) {
    const words = ways.flatMap(({ typed }) => typed.flat());
    const found = [...having(ways.map(({ typed, ...way }) => ({ ...way, terms: typed.map(fits) })), question.text)];
    const aside = ({ part }) => Number(isAside(question, part));
    return { found: together(found.sort((one, other) => aside(one) - aside(other) || other.weight - one.weight)), words };
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

  // --- a load ---------------------------------------------------------------------------------------------------------
  // What the guides say of a load: of rounds that measured it, and of those that have it between two levels. What more
  // rounds are stands ahead of all else; a level that others have between two is told of behind what names it.
  function ofLoad({ load, others }) {
    const nowhere = { ahead: [], behind: [] };
    if (load === null) return nowhere;
    const terms = others.map(fits), says = ({ part: [, , title, about], place }) => terms.every((of) => of(place.heading) || of(title) || of(about));
    const told = [...everyPlace(({ loads }) => loads)].filter(says).map((one) => ({ ...one, more: 0, ...standing(one.place.loads, load) }));
    const [measured, between] = ["measured", "between"].map((how) => told.filter((one) => one.how === how));
    if (!measured.length && !between.length) return { ...nowhere, ahead: others.length ? [] : nearest(told, load) };
    const rounds = (found) => new Set(found.map(({ part }) => part)).size;
    return rounds(measured) >= rounds(between) ? { ahead: measured, behind: between } : { ahead: [...between, ...measured], behind: [] };
  }

  // --- a definition ---------------------------------------------------------------------------------------------------
  const isEntry = ({ anchor, text }) => isWord({ anchor }) || index.strings[text].startsWith(`${index.strings[anchor]} · `);

  // How much of a heading some terms are; 0 where it does not have all of them. Another word than was typed is less.
  function shareOfHeading(terms, heading) {
    const lengths = terms.map((term) => Math.max(0, ...term.map((word, nth) => (fit(heading, word) ? word.text.length * (nth ? OTHER_NAME : 1) : 0))));
    return lengths.every(Boolean) ? lengths.reduce((sum, one) => sum + one) / heading.length : 0;
  }

  // Entries of the glossary by their titles: the metric of that name, the word and the metric that it becomes, then those
  // of which it is a part, the shortest titles first.
  function entries({ about, isMeaning }, terms) {
    const { folded, strings } = index, whole = about.replace(/\s+/g, " ");
    const all = [...everyPlace(isEntry, GLOSSARY)];
    const names = new Set([whole, ...(terms.length === 1 ? terms[0].map((word) => word.text) : [])]);
    const isNamed = ({ heading, anchor }) => names.has(folded[heading]) || folded[anchor] === whole;
    const words = all.filter(({ place }) => isWord(place) && isNamed(place));
    const become = new Set(words.map(({ place }) => place.metric));
    const rank = ({ place }) => {
      if (isNamed(place)) return isWord(place) ? (isMeaning ? 3 : 2) : 4;
      return become.has(strings[place.anchor]) ? 2.5 : shareOfHeading(terms, folded[place.heading]);
    };
    const found = all.map((one) => ({ ...one, more: 0, rank: rank(one) })).filter((one) => one.rank);
    return found.sort((one, other) => other.rank - one.rank);
  }

  function definitions(question) {
    if (!question.defines.length) return [];
    const found = entries(question, question.defines), others = found.length ? null : apart(question.defines, index);
    return others ? entries(question, others) : found;
  }

  // --- all together ---------------------------------------------------------------------------------------------------
  function search(query) {
    const { text, rounds } = named(query, index), question = { ...asked(text, index), rounds };
    if (!question.typed.length) return { found: [], words: [] };
    const result = said(question), { ahead, behind } = before(question, result.found);
    if (!ahead.length) return result.found.length ? result : nearly(question) ?? result;
    const known = new Set([...ahead, ...behind].map(({ place }) => place)), words = [...result.words, ...question.defines.flat()];
    return { found: [...ahead, ...result.found.filter(({ place }) => !known.has(place)), ...behind], words };
  }

  // What comes before all that says the words: the very name, where a question leads, a load, a definition.
  function before(question, found) {
    const places = led(question, index, { every: (wanted) => [...everyPlace(wanted)], fits, together });
    const exact = found.filter(({ isExact }) => isExact), known = new Set(exact.map(({ place }) => place));
    if (places.length) return { ahead: [...exact, ...places.filter(({ place }) => !known.has(place))], behind: [] };
    const { ahead, behind } = ofLoad(question);
    return { ahead: ahead.length ? ahead : definitions(question), behind };
  }

  // What says all words of a question.
  function said(question) {
    const { typed, wide } = question, same = (terms) => terms.map((term) => term.map((word) => word.text).join()).join(" ");
    return foundBy([{ typed, share: 1 }, ...(wide.length > 0 && same(wide) !== same(typed) ? [{ typed: wide, share: WIDENED }] : [])], question);
  }

  // Where nothing does: its words in pieces, what is asked of a load without the load, and what has some of them. A bare
  // number is none of the words: no number is in the index.
  function nearly(question) {
    const { text, load, wide, others } = question;
    if (BARE.test(text)) return null;
    const pieces = apart(wide, index), found = pieces && foundBy([{ typed: pieces, share: WIDENED }], question);
    if (found?.found.length) return found;
    const anywhere = load !== null && others.length > 0 && foundBy([{ typed: others, share: WIDENED }], question);
    return anywhere && anywhere.found.length ? { ...anywhere, isPart: true } : havingSome(pieces ?? wide, question);
  }

  // Where nothing has all of several terms: what has half of them or more, else any.
  function havingSome(typed, question) {
    if (typed.length < 2) return null;
    const having = (least) => foundBy([{ typed, share: WIDENED, least }], question), half = having(Math.ceil(typed.length / 2));
    return { ...(half.found.length ? half : having(1)), isPart: true };
  }

  Rounds.index = (all) => { index = opened(all); };
  Rounds.answers = { search, index: () => index };
})();
