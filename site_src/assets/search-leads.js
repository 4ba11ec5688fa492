// What a query names beside its words: rounds, by their ids or their numbers, and a question that one place answers
// (generator/render/search/leads.py). Both are read before the words are looked for. And where levels stand to a load.
(() => {
  "use strict";
  const MOST = 5; // places of one kind: the others are on the same page of other rounds
  const ROUNDS = "rounds/", PAIRS = "diff/";
  const STANDINGS = ["identical", "comparable", "partial", "not_comparable"]; // how far two rounds can be compared, the furthest first
  const NUMBERS = "一二三四五六七八九十";
  const numberOf = (said) => (NUMBERS.includes(said) ? NUMBERS.indexOf(said) + 1 : said);
  // "round 2", "rounds 1 and 2", 第二轮: a number behind "round" is no load.
  const SEVERAL = /\brounds?\s+(\d+)\s*(?:and|vs\.?|versus|to|or|with|与|和|[,&/])\s*(?:rounds?\s+)?(\d+)/g;
  const ORDINAL = /第\s*(\d+|[一二三四五六七八九十])\s*轮/g;
  const SHORT = /(?<![\w-])r(\d+)(?![\w-])/g, SQUARE = "2";
  const LOAD = "load", ID = "id", SAID = "said", DEVICE = "device", TOPIC = "topic";
  const NAME_ENDS = "(?![\\w-])", NAME_BEGINS = "(?<![\\w-])";

  // The id of a round as it may be typed: what parts its number from its name may be a space, or left out.
  const typedAs = (id) => id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/[-_](?=\d+$)/, "[\\s_-]*");

  // Names as rounds write them: llamacpp is llama.cpp.
  const spelled = (text, spellings) => spellings.reduce((said, [name, typed]) => said.replace(typed, name), text);

  // R1 and R2 are rounds, where there are some of these numbers; R2 alone is how well a line fits.
  function numbered(text, parts) {
    const said = new Set([...text.matchAll(SHORT)].map(([, number]) => number));
    const isRound = (number) => parts.some(({ folder, name }) => folder.startsWith(ROUNDS) && Rounds.words.fold(name).replace(/[-_]/g, "") === `round${number}`);
    return [...said].some((number) => number !== SQUARE) && [...said].every(isRound) ? text.replace(SHORT, " round $1 ") : text;
  }

  // A query with the ids of rounds as they are written, and which rounds it names.
  function named(query, { parts, spellings }) {
    const rounds = new Set(), typed = spelled(Rounds.words.fold(query), spellings);
    let text = numbered(typed, parts).replace(SEVERAL, "round $1 round $2").replace(ORDINAL, (_, said) => ` round ${numberOf(said)} `);
    for (const { folder, name } of parts) {
      if (!folder.startsWith(ROUNDS)) continue;
      const id = Rounds.words.fold(name), inAnyForm = new RegExp(`${NAME_BEGINS}${typedAs(id)}${NAME_ENDS}`, "g");
      text = text.replace(inAnyForm, () => { rounds.add(name); return ` ${id} `; });
    }
    const ids = [...rounds].map(Rounds.words.fold);
    return { text: rounds.size ? text.trim().replace(/\s+/g, " ") : typed, bare: without(text, ids).trim(), rounds };
  }

  // How far a part is from what the query names: it tells of other rounds, or of such as ran on another kind of device.
  function aside({ rounds, device }, { folder, rounds: told, devices }) {
    if (!folder) return 0;
    const isOfOthers = rounds.size > 0 && !told.some((name) => rounds.has(name));
    return 2 * Number(isOfOthers) + Number(device !== "" && devices.size > 0 && !devices.has(device));
  }

  const isAside = (question, part) => aside(question, part) > 1;

  function without(text, phrases) {
    let rest = text;
    for (const phrase of phrases) {
      for (const at of Rounds.words.wholly(rest, phrase).reverse()) rest = `${rest.slice(0, at)} ${rest.slice(at + phrase.length)}`;
    }
    return rest;
  }

  // Whether a place is at the end of a way: one that begins with a folder is that of all parts in it.
  function isTo(way, { folder }, path) {
    const page = way.split("#")[0];
    return page.endsWith("/") ? folder.startsWith(page) : path === page;
  }

  // Two rounds are compared both ways: the first of the two stands for both.
  function oncePerPair(found) {
    const keyOf = ({ part }) => [...part.rounds].sort().join(" ");
    const first = new Map(found.map((one) => [keyOf(one), one]).reverse());
    return found.filter((one) => !one.part.folder.startsWith(PAIRS) || first.get(keyOf(one)) === one);
  }

  // The places at the end of a way, the best first: of comparisons those whose rounds can be compared, of others those that
  // say in their headings what is asked.
  function placesAt(way, asks, question, { strings, folded }, every) {
    const there = every(({ anchor }) => strings[anchor] === (way.split("#")[1] ?? "")).filter(({ part, path }) => isTo(way, part, path) && !isAside(question, part));
    const ranks = new Map(there.map((one) => {
      const says = asks.some((phrase) => Rounds.words.wholly(folded[one.place.heading], phrase).length > 0);
      return [one, [aside(question, one.part), STANDINGS.indexOf(one.part.mark), says ? 0 : 1, one.part.folder ? 1 : 0]];
    }));
    const order = (one, other) => ranks.get(one).map((rank, at) => rank - ranks.get(other)[at]).find((difference) => difference !== 0) ?? 0;
    return oncePerPair(there.sort(order));
  }

  // What a term beside a question is: a load, a round by its id, what is said of rounds, or what the question is about.
  function kindsOf(terms, { ids }, parts) {
    const kindOf = (of) => (of.term[0].isWhole ? LOAD : ids.has(of.term[0].text) ? ID : of.device ? DEVICE : parts.some(({ about }) => of(about)) ? SAID : TOPIC);
    return new Map(terms.map((of) => [of, kindOf(of)]));
  }

  // Whether a place tells of what a term beside the question names. The titles of two rounds are what their comparison is about.
  function isOf(of, kind, { part, place, first }, parts, skipped) {
    if (skipped(part, place !== first).includes(kind) || [place.heading, place.text, place.names, first.heading].some(of)) return true;
    if (kind === ID && part.folder.startsWith(ROUNDS)) return true; // what tells of none that is named is not asked
    if (of.device) return part.devices.has(of.device);
    if (!part.folder.startsWith(PAIRS)) return of(part.about) > 0;
    return of(part.title) > 0 || (kind === TOPIC && parts.some(({ name, title }) => part.rounds.includes(name) && of(title)));
  }

  // What does not have to be told of: nothing; else a load where all of a round are, and a load, a series or a device where
  // something is explained for all of them; else a round there, too.
  const skipping = (ofRounds, ...explained) => ({ folder }, isBelow) => (folder ? ofRounds : isBelow ? explained : []);
  const SKIPPED = [skipping([]), skipping([LOAD], LOAD, SAID, DEVICE), skipping([LOAD], LOAD, SAID, DEVICE, ID)];

  // Of all places those to which a question leads, the best first; none where it is no such question. What is to be defined
  // may be such a question without the words for it.
  function led(question, index, tools) {
    const found = ledBy(question.signed, question, index, tools);
    return found.length || !question.defines.length ? found : ledBy(question.about, question, index, tools);
  }

  // Whether a query asks what leads somewhere, by words of it; two rounds that are named alone ask it without.
  function asks({ ofOne, ofTwo }, isSaid, kinds, { load, rounds }) {
    if (ofTwo) return rounds.size === 2 && (isSaid || [...kinds.values()].every((kind) => kind === ID));
    return isSaid && (!ofOne || load !== null || rounds.size > 0);
  }

  // The leads that a query asks for, each with what is asked beside it and how much of the query its words are.
  function leadsOf(asked, question, index, { fits }) {
    const parts = index.parts.filter(({ folder }) => folder.startsWith(ROUNDS));
    return index.leads.flatMap((lead) => {
      const rest = without(asked, lead.asks), isSaid = rest !== asked;
      if (!isSaid && !(lead.ofTwo && question.rounds.size === 2)) return [];
      const terms = Rounds.words.widened(Rounds.words.parted(without(rest, lead.besides)), index).map(fits), kinds = kindsOf(terms, question, parts);
      return asks(lead, isSaid, kinds, question) ? [{ ...lead, kinds, parts, covers: asked.length - rest.length }] : [];
    });
  }

  // The places to which a lead leads that have what is asked beside it, as far as it has to be there.
  function placesOf({ to, asks: words, kinds, parts, ofAll }, question, index, { every, together }, beside = []) {
    const there = to.map((way) => placesAt(way, words, question, index, every));
    for (const skipped of SKIPPED) {
      const not = (part, isBelow) => [...skipped(part, isBelow), ...(ofAll && !part.folder && !isBelow ? [SAID] : []), ...beside];
      const has = (one) => [...kinds].every(([of, kind]) => isOf(of, kind, one, parts, not));
      const found = there.flatMap((places) => together(places.filter(has), question).slice(0, MOST));
      if (found.length) return found;
    }
    return [];
  }

  const firstOf = (leads, places) => leads.reduce((found, lead) => (found.length ? found : places(lead)), []);
  const ledBy = (asked, question, index, tools) => firstOf(leadsOf(asked, question, index, tools), (lead) => placesOf(lead, question, index, tools));

  // Where no place has all words: to where most of them lead, whatever else it is about.
  function ledAtLeast(question, index, tools) {
    const leads = leadsOf(question.signed, question, index, tools).sort((one, other) => other.covers - one.covers);
    return firstOf(leads, (lead) => placesOf(lead, question, index, tools, [TOPIC, SAID]));
  }

  // What to do with a number, which the index does not have: how one is traced, and where all of them can be had.
  function tracing(question, index, every) {
    return index.numbers.flatMap((way) => placesAt(way, [], question, index, every));
  }

  // Where a place tells of a load: at a level of it, or between two, which may have all of a span between them; "" where it
  // does not.
  function standing(ranges, load, span = null) {
    const enclosing = span && ranges.find(([low, high]) => low <= span[0] && span[1] <= high);
    const at = ranges.find(([low, high]) => low === load && high === load), between = ranges.find(([low, high]) => low < load && load < high);
    return { how: enclosing ? "enclosing" : at ? "measured" : between ? "between" : "", range: enclosing ?? at ?? between };
  }

  // Beyond all levels: what is said of those that lie nearest.
  function nearest(told, load) {
    const away = ([low, high]) => (low === high ? Math.abs(Math.log(load / low)) : Infinity);
    const near = told.map((one) => ({ ...one, range: one.place.loads.reduce((best, other) => (away(other) < away(best) ? other : best)) }));
    const least = Math.min(...near.map(({ range }) => away(range)));
    return Number.isFinite(least) ? near.filter(({ range }) => away(range) === least) : [];
  }

  Rounds.leads = { named, aside, led, ledAtLeast, tracing, standing, nearest };
})();
