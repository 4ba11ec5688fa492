// What a query names beside its words: rounds, by their ids or their numbers, and a question that one place answers
// (generator/render/search/leads.py). Both are read before the words are looked for. And where levels stand to a load.
(() => {
  "use strict";
  const MOST = 5; // places of one kind: the others are on the same page of other rounds
  const NUMBERS = "一二三四五六七八九十";
  const numberOf = (said) => (NUMBERS.includes(said) ? NUMBERS.indexOf(said) + 1 : said);
  // "round 2", "rounds 1 and 2", 第二轮: a number behind "round" is no load.
  const SEVERAL = /\brounds?\s+(\d+)\s*(?:and|vs\.?|versus|to|or|with|与|和|[,&/])\s*(?:rounds?\s+)?(\d+)/g;
  const ORDINAL = /第\s*(\d+|[一二三四五六七八九十])\s*轮/g;
  const NAME_ENDS = "(?![\\w-])", NAME_BEGINS = "(?<![\\w-])";

  // The id of a round as it may be typed: what parts its number from its name may be a space, or left out.
  const typedAs = (id) => id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/[-_](?=\d+$)/, "[\\s_-]*");

  // A query with the ids of rounds as they are written, and which rounds it names.
  function named(query, { parts }) {
    const rounds = new Set();
    let text = Rounds.words.fold(query).replace(SEVERAL, "round $1 round $2").replace(ORDINAL, (_, said) => ` round ${numberOf(said)} `);
    for (const [folder, name] of parts) {
      if (!folder.startsWith("rounds/")) continue;
      const id = Rounds.words.fold(name), typed = new RegExp(`${NAME_BEGINS}${typedAs(id)}${NAME_ENDS}`, "g");
      text = text.replace(typed, () => { rounds.add(name); return ` ${id} `; });
    }
    return { text: rounds.size ? text.trim().replace(/\s+/g, " ") : query, rounds };
  }

  // Whether a part tells of rounds and of none that is named.
  function isAside({ rounds }, [folder, name]) {
    return rounds.size > 0 && folder !== "" && !name.split("...").some((one) => rounds.has(one));
  }

  function without(text, phrases) {
    let rest = text;
    for (const phrase of phrases) {
      for (const at of Rounds.words.wholly(rest, phrase).reverse()) rest = `${rest.slice(0, at)} ${rest.slice(at + phrase.length)}`;
    }
    return rest;
  }

  const isTo = (way, [folder], path) => (way.endsWith("/") ? folder.startsWith(way) : path === way.split("#")[0]);

  // Of all places those to which a question leads, the best first; none where it is no such question.
  function led(question, index, { every, fits, together }) {
    for (const { to, asks, besides, ofOne } of index.leads) {
      const rest = without(question.signed, asks);
      if (rest === question.signed || (ofOne && question.load === null && !question.rounds.size)) continue;
      const terms = Rounds.words.widened(without(rest, besides), index).map(fits);
      const has = ({ place, first, part: [, , title, about] }) => terms.every((of) => [place.heading, place.text, place.names, first.heading, title, about].some(of));
      const at = (way) => every(({ anchor }) => index.strings[anchor] === (way.split("#")[1] ?? "")).filter(({ part, path }) => isTo(way, part, path) && !isAside(question, part));
      const found = to.flatMap((way) => together(at(way).filter(has)).slice(0, MOST));
      if (found.length) return found;
    }
    return [];
  }

  // Where a place tells of a load: at a level of it, or between two; "" where it does not.
  function standing(ranges, load) {
    const at = ranges.find(([low, high]) => low === load && high === load), between = ranges.find(([low, high]) => low < load && load < high);
    return { how: at ? "measured" : between ? "between" : "", range: at ?? between };
  }

  // Beyond all levels: what is said of those that lie nearest.
  function nearest(told, load) {
    const away = ([low, high]) => (low === high ? Math.abs(Math.log(load / low)) : Infinity);
    const near = told.map((one) => ({ ...one, range: one.place.loads.reduce((best, other) => (away(other) < away(best) ? other : best)) }));
    const least = Math.min(...near.map(({ range }) => away(range)));
    return Number.isFinite(least) ? near.filter(({ range }) => away(range) === least) : [];
  }

  Rounds.leads = { named, isAside, led, standing, nearest };
})();
