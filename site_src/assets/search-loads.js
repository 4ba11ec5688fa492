// Loads that a query of the search asks for: by the sign of one, by a number beside a word for what is counted, in digits or
// in words, or as a range. Places call a load by its sign, C=12.
(() => {
  "use strict";
  const ENGLISH = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(" ");
  const HAN = "零一二三四五六七八九";
  // Numbers: one request, and what is said of one, is no load unless it is a user's.
  const DIGITS = "(?<![\\w.-])\\d+", SAID = `\\b(?:(?:a\\s+)?dozen|${ENGLISH.slice(1).join("|")})\\b`;
  const SAID_IN_HAN = "(?<![第一二三四五六七八九十百千])(?:[一二三四五六七八九]?十[一二三四五六七八九]?|[二两三四五六七八九])";
  const NUMBER = `(${DIGITS}|${SAID}|${SAID_IN_HAN})`;
  // What is counted; so many a second are a rate.
  const AT = "(?:\\s*(?:=|:|of|is|at|level|为|是))?\\s*", SIGN = "(?:并发数?|在途数?|\\bconcurrency|\\bin flight|\\bbatch(?:\\s+size)?)";
  const WHO = "(?:requests?|users?|clients?|streams?|connections?|people)\\b", NO_RATE = "(?!\\s*(?:/|per\\b|an?\\s+(?:second|minute|hour)|每秒))";
  const COUNTED = `\\s*(?:(?:concurrent|parallel|simultaneous)\\b(?:\\s+${WHO})?|(?:requests?\\s+)?in flight\\b|concurrency\\b(?!${AT}\\d)|${WHO})(?:\\s+at\\s+(?:once|the same time)\\b)?${NO_RATE}`;
  const COUNTED_IN_HAN = `\\s*(?:[个路条名位]?\\s*(?:请求)?的?(?:并发|在途|用户|请求|人(?!民))(?:数|请求|用户)?|路(?![径由线]))(?:\\s*(?:同时|一起)(?:使?用|访问|跑)?)?(?!${AT}\\d)${NO_RATE}`;
  const LOAD = new RegExp([
    `${SIGN}${AT}${NUMBER}(?![.\\d])`, "\\bc\\s*=\\s*(\\d+)(?![.\\d])", "\\bc(\\d+)\\b",
    `(?:同时(?:有|跑|处理)?\\s*)?(?<!每秒\\s*)${NUMBER}(?:${COUNTED_IN_HAN}|${COUNTED})`,
    "\\bat\\s+(\\d+)(?=\\s*[?？]?\\s*$)",
  ].join("|"), "g");
  const OF_ONE = /\b(?:(?:a|one)\s+)?single[-\s]+(?:user|stream|client)s?\b|\bone\s+(?:concurrent\s+)?(?:user|client)s?\b|单个?用户|一个用户|单路|单并发/g;
  // Two numbers of one range, unless they are of something else.
  const TO = "\\s*(?:-|~|to|到|至)\\s*", AND = "\\s*(?:-|~|to|and|到|至|和|与)\\s*";
  const OTHER = "(?!\\s*(?:[munkµ]?s|[kmgt]i?b(?:/s)?|tok\\w*|seconds?|rounds?|%|毫?秒|字节|倍|轮)(?![a-z]))(?![\\d.])";
  const RANGE = new RegExp([
    `\\b(?:between|from)\\s+(\\d+)${AND}(\\d+)(?:${COUNTED}|${OTHER})`,
    `(${DIGITS})${TO}(\\d+)(?:${COUNTED_IN_HAN}|${COUNTED})(?:\\s*之间)?`, `(${DIGITS})${AND}(\\d+)\\s*之间`,
    `${SIGN}${AT}(\\d+)${TO}(\\d+)${OTHER}`, `(?<![\\w-])c\\s*=?\\s*(\\d+)${TO}c\\s*=?\\s*(\\d+)(?!\\w)`,
  ].join("|"), "g");
  const LONG = /(?<![\d.,])\d{3,}(?![\d.,])/g, HIDDEN = 0xe000;

  function numberOf(said) {
    if (/^\d+$/.test(said)) return Number(said);
    if (said.endsWith("dozen")) return 12;
    if (ENGLISH.includes(said)) return ENGLISH.indexOf(said) + 1;
    const [tens, ones] = said.includes("十") ? said.split("十") : ["零", said.replace("两", "二")];
    return 10 * HAN.indexOf(tens || "一") + (ones ? HAN.indexOf(ones) : 0);
  }

  // The number of a model is no load: one that rounds say they ran on, or one that is long beside another.
  function hidden(text, models) {
    const isBeside = (text.match(/\d+/g) ?? []).length > 1;
    return text.replace(LONG, (number) => (models.has(number) || (isBeside && number.length > 3) ? number.replace(/\d/g, (digit) => String.fromCharCode(HIDDEN + Number(digit))) : number));
  }

  const shown = (text) => text.replace(/[\ue000-\ue009]/g, (digit) => digit.charCodeAt(0) - HIDDEN);

  // A text with its loads by their signs; the one that it asks for, which lies in the middle of ``span`` where it is a range.
  function loadsIn(text, { models }) {
    const loads = [], given = (all) => all.slice(0, -2).filter((one) => one !== undefined).map(numberOf);
    let span = null;
    const signed = (load) => { loads.push(load); return ` c=${load} `; };
    const ofRange = (whole, ...all) => {
      const [low, high] = given(all);
      if (!(low > 0 && low < high)) return whole;
      span = [low, high];
      return signed(Math.round(Math.sqrt(low * high)));
    };
    const ranged = hidden(text.replace(OF_ONE, " c=1 "), models).replace(RANGE, ofRange), known = loads.length;
    const all = ranged.replace(LOAD, (whole, ...rest) => {
      const [load] = given(rest);
      return known && whole === `c=${load}` ? whole : signed(load);
    });
    const load = loads.length === 1 && loads[0] > 0 ? loads[0] : null;
    return { signed: shown(all), loads, load, span: load === null ? null : span };
  }

  Rounds.loads = { loadsIn };
})();
