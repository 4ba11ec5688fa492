// What answers a query of the search: English by the beginnings of words, Chinese by any part of a text, all terms in one
// place; behind those that say them, places that say another word of the same meaning (generator/render/search/synonyms.py)
// or print a metric (search-order.js). Before all: the place that answers a question (search-leads.js), what the guides say
// of a load that is asked for, and the entry of the glossary for whoever asks how something is defined. The index comes from
// generator/render/search/joined.py.
(() => {
  "use strict";
  const { fold, fit, asked, apart, unasked } = Rounds.words, { named, aside, led, ledAtLeast, tracing, standing, nearest } = Rounds.leads;
  const { fitting, isSaidOf, printedIn, weigh, rarityOf, weighSome, exactly, otherwise, shareOf, together } = Rounds.order;
  const WIDENED = 0.01; // below every place that says what was typed
  const OF_SITE = 0.5; // a page of the whole site, or a word that it explains, comes before what fits alike in a round
  const OTHER_NAME = 0.1;
  const NARROW = 0.8; // a round of one series or one load, where nothing is named and nothing has all words
  const ENOUGH = 0.5; // of what the best place has, where nothing has all words
  const NUMBER = /^[-+]?\d[\d.,]*$/, BARE = /^[-+~≈]?\d[\d.,]*\s*(?:[a-zµμ%°/·×]+(?:\s*\/\s*[a-z]+)?)?$/; // with a unit, too
  const NAME = /^(?=.*[a-z])[a-z0-9]+(?:[._-][a-z0-9]+)+$/, MARKS = /[._-]/;
  const GLOSSARY = "glossary.html", FRONT = "index.html", WORD = "term-", ROUNDS = "rounds/";
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

  // The loads that a part says were measured.
  function levelsOf({ pages }, places) {
    const ranges = pages.flatMap(([, ...numbers]) => numbers.flatMap((number) => places[number].loads ?? []));
    return new Set(ranges.filter(([low, high]) => low === high).map(([low]) => low));
  }

  // Rounds, pairs of them and the site itself, each with the rounds that it tells of and the kinds of devices they ran on.
  function partsOf(rows, paths, places) {
    const parts = rows.map(([folder, name, title, about, pages, printing, mark = ""]) => ({
      folder, name, title, about, mark, rounds: name.split("..."), printing: unpacked(printing),
      pages: pages.map(unpacked).map(([path, ...runs]) => [paths[path], ...inFull(runs)]),
    }));
    const ranOn = new Map(parts.filter(({ folder }) => folder.startsWith(ROUNDS)).map(({ name, mark }) => [name, mark]));
    return parts.map((part) => ({ ...part, devices: new Set(part.rounds.map((name) => ranOn.get(name)).filter(Boolean)), levels: levelsOf(part, places) }));
  }

  // Names with marks in them that rounds say of themselves, each with the ways in which it may be typed; and numbers of models.
  function saidOf(parts, folded) {
    const told = parts.filter(({ folder }) => folder.startsWith(ROUNDS)).flatMap(({ about }) => folded[about].split(" · ").slice(1));
    const words = new Set(told.flatMap((one) => one.split(/\s+/))), names = [...words].filter((word) => NAME.test(word));
    const typed = (name) => new RegExp(`(?<![\\w.-])${name.split(MARKS).join("[\\s._-]*")}(?![\\w-])`, "g");
    return { spellings: names.map((name) => [name, typed(name)]), models: new Set([...words].filter((word) => /^\d{3,}$/.test(word))) };
  }

  function opened({ strings: lines, paths, places: packed, loads, metricOf, parts, synonyms, devices, ...others }) {
    const strings = lines.split("\n"), folded = strings.map(fold), rows = unpacked(packed);
    let next = 1 + Math.max(-1, ...parts.flatMap(([, , title, about]) => [title, about]));
    const place = (number) => {
      const [anchor, heading, text, names] = rows.slice(5 * number + 1, 5 * number + 5).map((one) => (one ? one - 1 : next++));
      return { kind: rows[5 * number], anchor, heading, text, names };
    };
    const all = Array.from({ length: rows.length / 5 }, (_, number) => place(number));
    for (let at = 0; at < loads.length; at += 2) all[loads[at]].loads = rangesOf(loads[at + 1]);
    for (let at = 0; at < metricOf.length; at += 2) all[metricOf[at]].metric = metricOf[at + 1];
    const known = partsOf(parts, paths, all), said = saidOf(known, folded);
    return { ...others, ...said, strings, folded, places: all, parts: known, meanings: meaningsOf(synonyms), devices: new Map(devices) };
  }

  const fits = (term) => fitting(term, index);

  // Every place that is wanted, once in each part; ``at`` counts those of a part.
  function* everyPlace(wanted = () => true, page = null) {
    for (const part of index.parts) {
      const seen = new Set();
      let at = -1;
      for (const [path, ...numbers] of part.pages) {
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

  const every = (wanted) => [...everyPlace(wanted)];
  const isWord = ({ anchor }) => index.strings[anchor].startsWith(WORD);

  function aroundOf({ part, path, first, place, at }) {
    const isPage = place === first;
    return { at, isPage, isFront: isPage && path === FRONT, part, first, ofSite: !part.folder && (isPage || isWord(place)) ? OF_SITE : 0 };
  }

  // All places that have the terms, by how well; ``ways`` are lists of terms, the first that fits a place counts.
  function* having(ways, whole) {
    let here, of;
    for (const one of everyPlace()) {
      const { part, path, place } = one, around = aroundOf(one);
      if (part !== of) here = ways.map((way) => ({ ...way, printed: way.terms.map((term) => printedIn(part, term, index.printing)) }));
      of = part;
      const way = here.find((other) => weigh(other, place, around));
      if (!way) continue;
      const name = exactly(whole, part, path, place, around, index);
      yield { ...one, weight: shareOf(way, place) * (weigh(way, place, around) + around.ofSite) + (name || otherwise(whole, part, place, index)), isExact: name > 0 };
    }
  }

  // The best first; what tells of other rounds, or ran on another kind of device than is named, comes behind.
  function sorted(found, question, behind = aside) {
    return found.sort((one, other) => behind(question, one.part) - behind(question, other.part) || other.weight - one.weight);
  }

  // What is found by some ways, and the words by which it was.
  function foundBy(ways, question) {
    const found = [...having(ways.map(({ typed, ...way }) => ({ ...way, terms: typed.map(fits) })), question.text)];
    return { found: sorted(found, question), words: ways.flatMap(({ typed }) => typed.flat()) };
  }

  // Whether a part tells of more than a few measurements: the whole site, a pair of rounds, one that compares series at some loads.
  const isWide = ({ folder, levels }) => !folder.startsWith(ROUNDS) || levels.size > 1;

  // Where nothing has all of several terms: what has most of them and the rarest; a round that is named before all others.
  function havingSome(typed, question) {
    const beside = typed.filter(([{ text }]) => !question.ids.has(text));
    if (typed.length < 2) return null;
    const rarities = new Map(beside.map(fits).map((of) => [of, rarityOf(of, index)]).filter(([, rarity]) => rarity > 0));
    const terms = rarities.size ? [...rarities.keys()] : typed.map(fits), way = { terms, rarities: terms.map((of) => rarities.get(of) ?? 1) };
    const isNamed = question.rounds.size > 0 || question.device !== "" || question.load !== null;
    const weighed = every().map((one) => ({ ...one, weight: weighSome(way, one.place, aroundOf(one)) * (isNamed || isWide(one.part) ? 1 : NARROW) }));
    const enough = ENOUGH * weighed.reduce((most, { weight }) => Math.max(most, weight), 0);
    const found = weighed.filter(({ weight }) => weight > 0 && weight >= enough);
    const behind = (asked, part) => (asked.rounds.size && !part.folder ? 1 : aside(asked, part));
    return { found: sorted(found, question, behind), words: typed.flat(), isPart: true };
  }

  // --- a load ---------------------------------------------------------------------------------------------------------
  // How far a round is a ladder of loads: with steps on both sides of the one that is asked for, with some, with one alone.
  function steps({ levels }, load) {
    const sides = new Set([...levels].map((level) => Math.sign(level - load)));
    return levels.size > 1 ? 1 + Number(sides.has(-1) && sides.has(1)) : 0;
  }

  // What the guides say of a load: of rounds that measured it, and of those that have it between two levels. What more
  // rounds are stands ahead of all else; a level that others have between two is told of behind what names it.
  function ofLoad(question) {
    const { load, span, others: beside } = question, nowhere = { ahead: [], behind: [] };
    if (load === null) return nowhere;
    const terms = beside.map(fits), says = ({ part, place }) => terms.every((of) => of(place.heading) || isSaidOf(of, part));
    const ladders = (one, other) => steps(other.part, load) - steps(one.part, load);
    const told = every(({ loads }) => loads).filter(says).sort(ladders).map((one) => ({ ...one, more: [], ...standing(one.place.loads, load, span) }));
    const [enclosing, measured, between] = ["enclosing", "measured", "between"].map((how) => told.filter((one) => one.how === how));
    const further = [...enclosing, ...between];
    if (!measured.length && !further.length) return { ...nowhere, ahead: nearest(told, load) };
    const rounds = (found) => new Set(found.map(({ part }) => part)).size;
    return rounds(measured) >= rounds(further) ? { ahead: measured, behind: further } : { ahead: [...further, ...measured], behind: [] };
  }

  // --- a definition ---------------------------------------------------------------------------------------------------
  const isEntry = ({ anchor, text }) => isWord({ anchor }) || index.strings[text].startsWith(`${index.strings[anchor]} · `);

  // How much of a text some terms are; 0 where it does not have all of them. Another word than was typed is less.
  function shareOfText(terms, heading) {
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
      return become.has(strings[place.anchor]) ? 2.5 : shareOfText(terms, folded[place.heading]);
    };
    const found = all.map((one) => ({ ...one, more: [], rank: rank(one) })).filter((one) => one.rank);
    return found.sort((one, other) => other.rank - one.rank);
  }

  // Entries that say in their texts what is to be defined, those first that say little else.
  function explained({ defines }) {
    const { folded } = index;
    if (!defines.length) return [];
    const all = [...everyPlace(isEntry, GLOSSARY)].map((one) => ({ ...one, more: [], rank: shareOfText(defines, folded[one.place.text]) }));
    return all.filter(({ rank }) => rank > 0).sort((one, other) => other.rank - one.rank);
  }

  function definitions(question) {
    if (!question.defines.length) return [];
    const found = entries(question, question.defines), others = found.length ? null : apart(question.defines, index);
    return others ? entries(question, others) : found;
  }

  // --- all together ---------------------------------------------------------------------------------------------------
  function search(query) {
    const { text, bare, rounds } = named(query, index), read = asked(text, index), ids = new Set([...rounds].map(fold));
    const question = { ...read, typed: ofAnyRound(read.typed, ids), wide: ofAnyRound(read.wide, ids), others: ofAnyRound(read.others, ids), bare, rounds, ids };
    if (!question.typed.length) return { found: [], words: [] };
    const result = said(question), { ahead, behind } = before(question, result.found);
    if (ahead.length) return { found: [...ahead, ...together(others(result.found, [...ahead, ...behind]), question), ...behind], words: [...result.words, ...question.defines.flat()] };
    const answer = result.found.length ? result : nearly(question) ?? result;
    return { ...answer, found: together(answer.found, question) };
  }

  // Of several rounds that are named a place has to tell of one.
  function ofAnyRound(terms, ids) {
    const named = terms.filter(([{ text }]) => ids.has(text));
    return named.length > 1 ? [...terms.filter((term) => !named.includes(term)), named.flat()] : terms;
  }

  // Places that are not known yet, be it folded into another.
  function others(found, known) {
    const there = known.flatMap((one) => [one, ...one.more]);
    return found.filter(({ part, place }) => !there.some((one) => one.part === part && one.place === place));
  }

  // What comes before all that says the words: what is defined, the very name and where a question leads, a load. Whoever
  // names a round wants its place rather than a definition; whoever asks which to choose at a load, what is said of that.
  function before(question, found) {
    const { rounds, load, isChoosing } = question, defined = definitions(question);
    if (defined.length && !rounds.size) return { ahead: defined, behind: [] };
    const places = load !== null && isChoosing ? [] : led(question, index, { every, fits, together });
    const exact = together(found.filter(({ isExact }) => isExact), question);
    if (places.length) return { ahead: [...exact, ...others(places, exact)], behind: [] };
    const { ahead, behind } = ofLoad(question);
    return { ahead: ahead.length ? ahead : defined, behind };
  }

  // What says all words of a question.
  function said(question) {
    const { typed, wide } = question, same = (terms) => terms.map((term) => term.map((word) => word.text).join()).join(" ");
    const widely = { typed: wide, share: WIDENED, isSeveral: typed.length > 1 };
    return foundBy([{ typed, share: 1 }, ...(wide.length > 0 && same(wide) !== same(typed) ? [widely] : [])], question);
  }

  // Where nothing does: how a number is traced, which is none of the words; to where some of them lead; else its words in
  // pieces, what is asked of a load without the load, and what has some of them.
  function nearly(question) {
    if (BARE.test(question.bare) || BARE.test(unasked(question.bare))) return { found: tracing(question, index, every), words: [], isNumber: true };
    const some = inPart(question);
    if (some && !some.isPart) return some;
    const places = [explained, ofLoadAtLeast, ledAtLeastHere].map((led) => led(question)).find((found) => found.length) ?? [];
    return places.length ? { words: question.wide.flat(), ...some, found: [...places, ...others(some?.found ?? [], places)], isPart: true } : some;
  }

  const ledAtLeastHere = (question) => ledAtLeast(question, index, { every, fits, together });

  // What is said of a load, without the words that no place has.
  function ofLoadAtLeast(question) {
    const known = question.others.filter((term) => rarityOf(fits(term), index) > 0);
    return known.length < question.others.length ? ofLoad({ ...question, others: known }).ahead : [];
  }

  function inPart(question) {
    const { load, wide, others: beside } = question;
    const pieces = apart(wide, index), found = pieces && foundBy([{ typed: pieces, share: WIDENED }], question);
    if (found?.found.length) return found;
    const anywhere = load !== null && beside.length > 0 && foundBy([{ typed: beside, share: WIDENED }], question);
    const some = anywhere && anywhere.found.length ? { ...anywhere, isPart: true } : havingSome(pieces ?? wide, question);
    return some && { ...some, isNumber: wide.some(([{ text }]) => NUMBER.test(text) && !index.folded.some((one) => one.includes(text))) };
  }

  Rounds.index = (all) => { index = opened(all); };
  Rounds.answers = { search, index: () => index };
})();
