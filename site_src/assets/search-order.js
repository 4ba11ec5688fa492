// What comes first among the places that a search finds: how well each has what was typed, what is looked for by its very
// name, what of it is rare where nothing has all of it; and what says the same in several rounds, folded into one result.
(() => {
  "use strict";
  const { fold, fit, rootsOf } = Rounds.words, { standing } = Rounds.leads;
  const OF_TITLE = 16, OF_HEADING = [8, 6, 6], OF_LINE = 3, OF_ANCHOR = 3, OF_TEXT = 2; // headings of sections, figures, tables
  const OF_ABOUT = 3; // what is said of a round: for its front page alone; the kind of device it ran on: for all of its pages
  const SAID = 3; // how well a word fits that is there whole
  const NAMED = 50, OTHERWISE = 20, EXACT = 100, TERM = 200, PAGE = 300;
  const PRINTED = 1; // below every place that says what was typed
  const ANOTHER = 0.9; // another word of the same meaning, where one of them has to do
  const IN_TEXT = 0.7, AROUND = 0.4, BY_WEIGHT = 0.001; // shares of how rare a word is, where not all are there
  const SMALL = /^\d{1,3}$/, OF_SMALL = 0.3; // a number that may be of anything
  const GLOSSARY = "glossary.html";

  // How well a term fits each text is found once, however many places share it; the word that was typed fits best. Of a
  // word for a kind of device, ``device`` is that kind, and ``load`` the load of one.
  function fitting(term, { folded, metrics, devices }) {
    const known = new Float32Array(folded.length).fill(-1), best = (text) => Math.max(...term.map((word, nth) => fit(text, word) * (nth ? ANOTHER : 1)));
    const of = (string) => (known[string] < 0 ? (known[string] = best(folded[string])) : known[string]);
    const [{ text, isWhole }] = term;
    return Object.assign(of, { term, metric: metrics.indexOf(text), device: devices.get(text) ?? "", load: isWhole ? Number(text.slice("c=".length)) : null });
  }

  // Whether a term is said of all pages of a part: in its title, in what its round is about, by what that ran on or measured.
  function isSaidOf(of, { title, about, devices, levels }) {
    return of.device ? devices.has(of.device) : of(title) > 0 || of(about) > 0 || (of.load !== null && levels.has(of.load));
  }

  // The places of a part, counted from its first, that print a metric.
  function printedIn({ printing }, { metric }, sets) {
    const found = new Set();
    for (let at = 0, place = 0; metric >= 0 && at < printing.length; at += 2) {
      place += printing[at];
      if (sets[printing[at + 1]].includes(metric)) found.add(place);
    }
    return found;
  }

  // A line that tells of loads is a sentence, and no heading of others.
  const ofHeading = ({ kind, loads }, isPage) => (isPage ? OF_TITLE : loads && !kind ? OF_LINE : OF_HEADING[kind]);

  function ownWeight(of, place, isPage) {
    return Math.max(of(place.heading) * ofHeading(place, isPage), of(place.anchor) * OF_ANCHOR, of(place.text) * OF_TEXT, of(place.names) * OF_TEXT);
  }

  // What is headed by the very load comes before what stands in a round that measured it; what is said of the loads between
  // two levels only names these.
  function ownOf(of, place, isPage, isAlone) {
    const isHeaded = of.load !== null && !isAlone && of(place.heading) && (!place.loads || standing(place.loads, of.load).how);
    return isHeaded ? OF_TITLE * SAID : ownWeight(of, place, isPage);
  }

  // A place must have one of the terms itself; the others may be in the title of its page, or be said of its round.
  // What is said of a round is its front page's own; one that all of several terms name comes before what is in it.
  function weigh({ terms, printed }, place, { at, isPage, isFront, part, first }) {
    let sum = 0, beside = 0;
    for (const [number, of] of terms.entries()) {
      const isOfPart = isSaidOf(of, part), ofAbout = isFront && !of.device ? of(part.about) * OF_ABOUT : 0;
      const own = Math.max(ownOf(of, place, isPage, terms.length === 1), ofAbout, printed[number].has(at) && PRINTED);
      if (!own && !isOfPart && !of(first.heading)) return 0;
      if (of.device && isOfPart) beside += OF_ABOUT * SAID;
      sum += own;
    }
    return sum && sum + beside + (isFront && terms.length > 1 && terms.every((of) => isSaidOf(of, part)) ? NAMED : 0);
  }

  // How rare a word is: the fewer texts have it, the more it tells; one that none has tells nothing.
  function rarityOf(of, { folded }) {
    let texts = 0;
    for (let string = 0; string < folded.length; string += 1) texts += of(string) > 0;
    return texts && Math.log(1 + folded.length / texts) * (SMALL.test(of.term[0].text) ? OF_SMALL : 1);
  }

  // Where nothing has all terms: how many a place has and how rare they are, in its heading, its text or around it.
  function weighSome({ terms, rarities }, place, { isPage, part, first, ofSite }) {
    let sum = 0, weight = 0;
    for (const [number, of] of terms.entries()) {
      const own = ownWeight(of, place, isPage), isHeading = of(place.heading) > 0 && ofHeading(place, isPage) !== OF_LINE;
      const share = isHeading ? 1 : own ? IN_TEXT : isSaidOf(of, part) || of(first.heading) ? AROUND : 0;
      sum += rarities[number] * share;
      weight += own;
    }
    return weight && sum + (weight + ofSite) * BY_WEIGHT;
  }

  // What is looked for by its very name: a heading, a metric or a check by its key, a round by its id.
  function exactly(whole, { folder, name }, path, place, { isPage, isFront }, { folded }) {
    const isTerm = path === GLOSSARY;
    const names = [folded[place.heading], ...(folder ? [] : [folded[place.anchor]]), ...(isFront ? [fold(name)] : [])];
    if (isTerm) names.push(...folded[place.names].split(" · "));
    if (!names.includes(whole)) return isTerm && rootsOf(folded[place.heading]) === rootsOf(whole) ? EXACT : 0;
    return isPage ? PAGE : isTerm ? TERM : EXACT;
  }

  // An entry of the site whose name means the same as all that was typed, which no single word says; the first word of a
  // meaning is the usual one.
  function otherwise(whole, { folder }, { heading }, { folded, meanings }) {
    const others = folder || !whole.includes(" ") ? [] : meanings.get(whole) ?? [], nth = others.indexOf(folded[heading]);
    return nth < 0 ? 0 : OTHERWISE - nth;
  }

  // A heading that says in other words all of what was typed as several comes before a text that says it as it was typed.
  const shareOf = ({ terms, share, isSeveral }, { heading }) => (isSeveral && terms.every((of) => of(heading)) ? 1 : share);

  // Places below a page that say the same in several rounds are one result, the best of them, with the others folded into
  // it: their numbers differ. Rounds that are named are not folded, and one more place takes no more room than its fold.
  function together(found, { rounds }) {
    const known = new Map();
    for (const one of found) {
      const { heading, text, names, kind } = one.place, isAlone = one.place === one.first || !(text || names) || (rounds.size > 0 && one.part.rounds.some((name) => rounds.has(name)));
      const key = isAlone ? one : `${kind} ${heading} ${text || names}`, before = known.get(key);
      if (before) before.more.push(one);
      else known.set(key, { ...one, more: [] });
    }
    return [...known.values()].flatMap((one) => (one.more.length > 1 ? [one] : [{ ...one, more: [] }, ...one.more.map((other) => ({ ...other, more: [] }))]));
  }

  Rounds.order = { fitting, isSaidOf, printedIn, weigh, rarityOf, weighSome, exactly, otherwise, shareOf, together };
})();
