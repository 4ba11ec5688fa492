// What a query of the search asks: its words, a load that it names, whether it asks which to choose or how something is
// computed. Texts are folded: small letters without marks. Words of one meaning come with the index.
(() => {
  "use strict";
  const { loadsIn } = Rounds.loads;
  const HAN = /\p{Script=Han}/u, LETTER = /\p{L}/u, DIGIT = /\p{N}/u;
  const PREFIX = 2, WHOLE = 3;
  const HERE = "guide"; // what answers a question of choosing
  // Words of a question that no place is about.
  const ASKING = /为什么|为何|怎么样|怎么|怎样|如何|哪一?个|什么是|是什么|是不是|多少|多久|多大|吗(?=\s|$)|[?？]/g;
  const FILLING = new Set(("a an and are at be by can did do does effect for from had happen happens has have how i in is it much my of on one or should than that the there to use "
    + "versus vs was were what we when where which who what's where's it's why will with you 与 和 的 在 时 或 及 对 从 到 比 是 有 下 用 该 还是 什么 哪些 哪个 用的 上 里 影响 的影响").split(" "));
  // How readers ask which of the engines to take.
  const ENGINE = "(?:引擎|后端|框架)", MORE = "(?:更|最|比较)?(?:快|好|强|合适|划算)", SERVER = "(?:engine|backend|server|framework)";
  const CHOOSING = new RegExp([
    `(?:应该|应|该)?(?:选用?|用)(?:谁|哪一?[个种款]|哪边|什么)${ENGINE}?`, `哪一?[个种款]?${ENGINE}?${MORE}`, `哪一?[个种款]${ENGINE}`,
    `谁(?:${MORE}|领先|赢)`, `(?:最优|最佳|最好|最快)的?${ENGINE}`,
    `\\b(?:which|what|best|fastest|better|right)\\s+${SERVER}\\b(?:\\s+(?:is|are)\\s+(?:the\\s+)?(?:faster|better|best|fastest)\\b)?`,
    "(?<=\\b(?:or|vs\\.?|versus|and)\\b.*)\\b(?:better|best|faster|fastest|ahead)\\b",
    "\\bwinner\\b", "\\b(?:which|who)\\s+(?:one\\s+)?(?:is\\s+)?(?:faster|better|best|leads|wins|ahead)\\b", "\\b(?:which|what)\\s+(?:one\\s+)?(?:to|should\\s+i)\\s+(?:choose|use|pick)\\b",
  ].join("|"), "g");
  // How readers ask how sure an answer is: whatever says which to take says that, too.
  const SURE = new RegExp([
    "(?:\\band\\s+)?\\bhow\\s+(?:sure|certain|confident|reliable)\\b(?:\\s+(?:is|are)\\s+(?:it|that|this|we)\\b)?",
    "\\b(?:confidence|certainty)\\b(?:\\s+(?:of|in)\\s+(?:the|this)\\s+(?:results?|verdicts?|conclusions?|winner)\\b)?",
    "有?多大的?把握", "把握有?多大", "有多(?:可靠|确定|可信)", "(?:结论|结果)?(?:可靠|确定|可信)吗",
  ].join("|"), "g");
  // Where something ran, rather than what is said of it.
  const ON = "(?:\\b(?:on|with)\\s+(?:an?\\s+|the\\s+)?|在\\s*)";
  // How a definition is asked for, or where something comes from.
  const DEFINING = new RegExp([
    "是?从哪[里儿]?(?:来|得|读|取)(?:来|到|出)?的?", "(?:是从?)?哪[里儿]?来的", "的?(?:来源|出处|由来)", "是?[测抄读算]的?还是[测抄读算填写]的",
    "\\bwhere\\s+(?:do|does|did)\\s+(?:the\\s+)?(?=.*\\bcome\\s+from\\b)", "\\b(?:come|comes|came)\\s+from\\b", "\\b(?:sources?|provenance|origins?|inputs?)\\s+(?:of|for|to)\\b(?:\\s+the\\b)?",
    "的?(?:计算)?(?:公式|定义|算法)(?:[与和及、\\s]*输入)?", "(?:是)?(?:怎么|怎样|如何)(?:计算|算|定义|得出|得来|来)(?:出来)?的?", "(?:是)?什么意思", "(?<!为)什么是|是什么",
    "\\b(?:the\\s+)?(?:formula|definition|meaning)s?\\b(?:[\\s,]*(?:and\\s+)?inputs?\\b)?(?:\\s+(?:of|for)\\b)?", "\\b(?:computed|calculated|defined|derived|compute|calculate|define|derive)\\b", "^\\s*what\\s+(?:is|are|does)\\b",
  ].join("|"), "g");
  const MEANING = /定义|意思|什么是|是什么|definition|meaning|define|^\s*what/;
  const OF_ALL = /^(?:(?:the|an?|all|any|each|every|these|this)\s+)?(?:numbers?|values?|inputs?|figures?|data)$|^(?:这个|这些|那个|那些|所有)?(?:数字|数值|数据|数|值|输入)的?$/; // no one metric
  const LONG_NUMBER = /^\d{4,}(?:\.\d+)?$/;
  const PARTICLES = /^的+|[的吗呢]+$/g; // of a run of Han characters that other words were taken out of
  const JOINING = /(?<=\p{Script=Han}{2})(?<![饱总调缓参])[和与跟](?!踪)(?=\p{Script=Han}{2})/gu; // not of a word of its own: 饱和
  const OF_LOAD = /^c=\d+$/; // C=1 is not the beginning of C=16
  const ENDED = /^([a-z]{4,})(?:ing|ed|s)$/;
  const LEAST_APART = 4, MOST_APART = 24; // Han characters that may be taken apart where nothing has all of them

  // --- words --------------------------------------------------------------------------------------------------------
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[‐-―−]/g, "-").replace(/[‘’]/g, "'");

  function termsOf(query) {
    const pieces = fold(query).match(/\p{Script=Han}+|[^\s\p{Script=Han}]+/gu) ?? [];
    const bare = pieces.map((one) => one.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
    return [...new Set(bare)].filter(Boolean).map(asTerm);
  }

  // Without the words that no place is about, unless there are no others.
  function telling(terms) {
    const found = terms.filter(([{ text }]) => !FILLING.has(text));
    return found.length ? found : terms;
  }

  // Terms are lists of words of one meaning, any of which will do; the first is what was typed.
  const alone = (query) => termsOf(query).map((one) => [one, ...otherwisePrinted(one.text)]);
  const asTerm = (text) => ({ text, isHan: HAN.test(text), isWhole: OF_LOAD.test(text) });
  // A number of four digits or more as the site prints it, with commas.
  const otherwisePrinted = (text) => (LONG_NUMBER.test(text) ? [asTerm(text.replace(/\d(?=(?:\d{3})+(?:\D|$))(?<!\.\d*)/g, "$&,"))] : []);

  const ofOneMeaning = (text, { meanings }) => [text, ...(meanings.get(text) ?? [])].map(asTerm);

  const isWithin = (text, at) => goesOn(text, at) || text[at - 1] === "_" || text[at] === "_" || (HAN.test(text[at - 1] ?? "") && HAN.test(text[at] ?? ""));

  // An English word without its ending: terms match from the beginning of a word.
  function stemmed(term) {
    const root = ENDED.exec(term.text)?.[1];
    return root ? [term, asTerm(root)] : [term];
  }

  const rootsOf = (text) => text.split(" ").map((word) => word.replace(/([a-z]{3})(?:ing|ed|es|s|e)$/, "$1")).join(" ");

  // The same with other words for what was typed, of which one may be of several words, and without those of a question.
  function widened(text, index) {
    let rest = text.replace(ASKING, " ").replace(/\s+/g, " ");
    const found = [];
    for (const phrase of index.meanings.keys()) {
      const at = rest.indexOf(phrase), end = at + phrase.length;
      if (at < 0 || isWithin(rest, at) || isWithin(rest, end)) continue;
      found.push(ofOneMeaning(phrase, index));
      rest = `${rest.slice(0, at)} ${rest.slice(end)}`;
    }
    const bare = rest.replace(/\p{Script=Han}+/gu, (run) => (FILLING.has(run) ? run : run.replace(PARTICLES, "")));
    return [...found, ...alone(bare).filter(([{ text: word }]) => !FILLING.has(word)).map(([term, ...others]) => [...stemmed(term), ...others])];
  }

  // A query with the kinds of devices that it names by the first word for each, where it says that something ran there.
  function placedOn(text, { devices }) {
    let placed = text;
    for (const [word, kind] of devices) {
      const name = word.replace(/\s+/g, "\\s+"), begins = HAN.test(word[0]) ? "" : "\\b", ends = HAN.test(word.at(-1)) ? "" : "\\b";
      const said = new RegExp(`${ON}${name}${ends}(?:\\s*上)?|${begins}${name}\\s*上`, "g");
      placed = placed.replace(said, ` ${kind} `);
      if ([...devices.keys()].some((other) => other !== word && word.includes(other))) placed = placed.replace(new RegExp(`${begins}${name}${ends}`, "g"), ` ${kind} `);
    }
    return placed;
  }

  // The one kind of device that a query names.
  function deviceOf(terms, { devices }) {
    const kinds = new Set(terms.map(([{ text }]) => devices.get(text)).filter(Boolean));
    return kinds.size === 1 ? [...kinds][0] : "";
  }

  const isKnown = (text, { meanings, folded }) => meanings.has(text) || folded.some((one) => one.includes(text));

  // A run of Han characters as the longest pieces that are found anywhere; a character between two of them is one too.
  function pieces(text, index) {
    const found = [];
    for (let at = 0, end; at < text.length; at = end) {
      for (end = text.length; end > at + 1 && !isKnown(text.slice(at, end), index);) end -= 1;
      found.push(text.slice(at, end));
    }
    return found;
  }

  // A single character tells nothing where others are left.
  function longest(found) {
    const longer = found.filter((one) => one.length > 1);
    return longer.length ? longer : found;
  }

  // Terms with their long runs of Han characters in pieces; null where there are none.
  function apart(terms, index) {
    const canPart = ([{ text, isHan }]) => isHan && text.length >= LEAST_APART && text.length <= MOST_APART;
    if (!terms.some(canPart)) return null;
    return terms.flatMap((term) => (canPart(term) ? longest(pieces(term[0].text, index).filter((one) => !FILLING.has(one))).map((one) => ofOneMeaning(one, index)) : [term]));
  }

  // Runs of Han characters that name two things, as one each.
  const parted = (text) => text.replace(JOINING, " ");

  // What is left of a text without the words with which something is asked.
  const unasked = (text) => termsOf(text.replace(DEFINING, " ").replace(ASKING, " ")).map((one) => one.text).filter((one) => !FILLING.has(one)).join(" ");

  // Letters go on a word of letters, digits a number; Han characters part words as spaces do.
  function goesOn(text, at) {
    const [before = "", after = ""] = [text[at - 1], text[at]];
    if (HAN.test(before) || HAN.test(after)) return false;
    return (LETTER.test(before) && LETTER.test(after)) || (DIGIT.test(before) && DIGIT.test(after));
  }

  // Where a term stands in a folded text, beginning at a word's beginning.
  function* places(text, { text: term, isHan, isWhole }) {
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
      if (isHan || (!goesOn(text, at) && !(isWhole && goesOn(text, at + term.length)))) yield at;
    }
  }

  // Where a phrase stands, not beginning or ending within a word.
  function wholly(text, phrase) {
    return [...places(text, asTerm(phrase))].filter((at) => !goesOn(text, at) && !goesOn(text, at + phrase.length));
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

  // --- the question -------------------------------------------------------------------------------------------------
  // ``typed`` are the words as they were typed, ``wide`` with all that mean the same, both without those that no place is
  // about; ``load`` is the load that is asked for, ``others`` what is asked beside it; ``defines`` are the words of what is
  // to be defined.
  function asked(query, index) {
    const folded = placedOn(fold(query), index), chosen = folded.replace(CHOOSING, ` ${HERE} `), isChosen = chosen !== folded;
    const { signed, loads, load, span } = loadsIn(chosen, index), sure = signed.replace(SURE, " "), isChoosing = isChosen || (loads.length > 0 && sure !== signed);
    const text = isChoosing ? sure : signed, wide = widened(text, index);
    const others = wide.filter((term) => !term.some((word) => word.text === HERE || word.text === `c=${load}`));
    const about = text.replace(DEFINING, " ").trim(), defines = about !== text.trim() && about && !OF_ALL.test(about) ? widened(about, index) : [];
    return {
      text: folded.trim().replace(/\s+/g, " "), load, span, typed: telling(alone(loadsIn(folded, index).signed)), wide, others, isChoosing,
      device: deviceOf(wide, index), about, signed: text, defines, isMeaning: MEANING.test(text),
    };
  }

  Rounds.words = { fold, places, fit, rootsOf, asked, apart, parted, unasked, widened, wholly };
})();
