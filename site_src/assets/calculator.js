// What a start and a million tokens cost, for inputs of the reader's own. Without this the table of the scenarios stands there.
(() => {
  "use strict";

  // --- arithmetic: base units inside (s, tok, J); null is not known --------------------------------------------
  const HOUR = 3600, KWH = 3.6e6;

  // The level that delivers most of those that keep the targets; what is not known keeps none.
  function chosen(levels, inputs) {
    const keeps = (seconds, most) => most === null || (seconds !== null && seconds * 1000 <= most);
    const kept = levels.filter((one) => keeps(one.ttft, inputs.slo_ttft_ms) && keeps(one.tpot, inputs.slo_tpot_ms));
    return kept.reduce((best, one) => (best === null || one.throughput > best.throughput ? one : best), null);
  }

  // Output tokens that are asked for a second: as many as the demand, and no more than the server is let produce.
  function asked(one, throughput, inputs) {
    const capacity = throughput * inputs.utilisation;
    if (inputs.offered_rate === null || one.answer === null) return capacity;
    return Math.min(capacity, inputs.offered_rate * one.answer);
  }

  // Share of the demand that one server serves; one where it serves all, or no demand is stated.
  function served(one, throughput, inputs) {
    const wanted = (inputs.offered_rate ?? 0) * (one.answer ?? 0);
    return wanted > 0 ? Math.min(1, (throughput * inputs.utilisation) / wanted) : 1;
  }

  function compute(one, own, inputs, threshold) {
    const level = chosen(one.levels, inputs);
    if (level === null || inputs.lifetime_h === null || inputs.utilisation === null) return null;
    const start = own.startup_s ?? one.startup, life = inputs.lifetime_h * HOUR, T = level.throughput;
    const tokens = asked(one, T, inputs) * life, time = (start ?? 0) + life;
    const hourly = own.price_per_hour === null ? null : own.price_per_hour + (inputs.ops_per_hour ?? 0);
    const cost = hourly === null ? null : ((hourly / HOUR) * time + (inputs.image_cost ?? 0)) / tokens;
    const share = inputs.output_share ?? one.share;
    const ratio = start ? tokens / (start * T) : null;
    return {
      level: level.name, throughput: T, start,
      startup_tokens: start === null ? null : start * T,
      startup_share: start === null ? null : start / (start + life),
      startup_ratio: ratio,
      matters: start === null ? null : start > 0 && ratio < threshold,
      server_hours: time / tokens,
      cost_output: cost,
      cost_total: cost === null || share === null ? null : cost * share,
      energy_cost: one.energy === null || inputs.price_per_kwh === null ? null : (one.energy * inputs.price_per_kwh) / KWH,
    };
  }

  // Where the one that starts later and runs faster draws level; { ahead } where one is never behind, or both are equal.
  function breakEven(base, other, wanted) {
    if (base.start === null || other.start === null) return { ahead: null };
    const later = other.start - base.start, faster = 1 / base.throughput - 1 / other.throughput;
    if (later === 0 && faster === 0) return { ahead: "none" };
    if (later >= 0 && faster <= 0) return { ahead: "base" };
    if (later <= 0 && faster >= 0) return { ahead: "other" };
    return { ahead: later > 0 ? "base until" : "other until", tokens: later / faster, time: later / faster / wanted };
  }

  window.Rounds = Object.assign(window.Rounds ?? {}, { calculator: { compute, breakEven, asked, served } });

  // --- the page ------------------------------------------------------------------------------------------------
  const lang = document.documentElement.lang;
  const short = new Intl.NumberFormat(lang, { maximumSignificantDigits: 3 }), whole = new Intl.NumberFormat(lang, { maximumFractionDigits: 0 });
  const shown = (number) => (number === null ? "—" : (Math.abs(number) >= 1000 ? whole : short).format(number));
  const percent = (share) => `${shown(share * 100)}%`;
  const fill = (words, parts) => words.replace(/\{(\w+)\}/g, (_, name) => parts[name]);

  function make(tag, text, className = "") {
    return Object.assign(document.createElement(tag), { textContent: text, className });
  }

  function begin(box) {
    const data = JSON.parse(box.querySelector('script[type="application/json"]').textContent);
    const live = box.querySelector(".live"), body = box.querySelector("tbody"), names = [...box.querySelectorAll("thead th")].map((head) => head.textContent), said = box.querySelector(".said");
    const entries = [...box.querySelectorAll("[data-input]")], sliders = [...box.querySelectorAll("[data-slider]")];
    const presets = [...box.querySelectorAll("[data-preset]")];
    const { words } = data;

    const numberIn = (entry) => (entry.value === "" || !entry.checkValidity() ? null : Number(entry.value));
    function read() {
      const inputs = {}, own = data.series.map(() => ({}));
      for (const entry of entries) (entry.dataset.series ? own[entry.dataset.series] : inputs)[entry.dataset.input] = numberIn(entry);
      return { inputs, own };
    }

    // A slider goes through its bounds evenly, or through their logarithms.
    function place(slider) {
      const { least, most } = slider.dataset, entry = document.getElementById(slider.dataset.of), at = numberIn(entry);
      if (at === null) return;
      const scale = slider.dataset.slider === "log" ? Math.log : Number;
      slider.value = (1000 * (scale(at) - scale(least))) / (scale(most) - scale(least));
      slider.setAttribute("aria-valuetext", entry.value);
    }
    function follow(slider) {
      const least = Number(slider.dataset.least), most = Number(slider.dataset.most), part = slider.value / 1000;
      const at = slider.dataset.slider === "log" ? least * (most / least) ** part : least + (most - least) * part;
      document.getElementById(slider.dataset.of).value = String(Number(at.toPrecision(3)));
      place(slider);
    }

    function cell(name, outcome) {
      if (outcome === null) return name === "level" ? words.none : "—";
      const found = outcome[name];
      if (name === "level") return found;
      if (name === "matters") return found === null ? words.unknown : found ? words.yes : words.no;
      if (found === null) return "—";
      if (name === "startup_share") return shown(found * 100);
      return shown(name === "server_hours" ? (found / HOUR) * 1e6 : name.includes("cost") ? found * 1e6 : found);
    }

    function sentence(one, outcome) {
      if (outcome === null) return fill(words.noneOf, { s: one.name });
      const hours = cell("server_hours", outcome), matters = cell("matters", outcome);
      const share = outcome.start === null ? "—" : percent(outcome.startup_share);
      const cost = outcome.cost_output === null ? "" : fill(words.cost, { n: `${cell("cost_output", outcome)} ${data.currency}`.trim() });
      return fill(outcome.start === null ? words.unstarted : words.verdict, { s: one.name, share, matters, hours, cost });
    }

    function tooLittle(one, outcome, inputs) {
      const share = outcome === null ? 1 : served(one, outcome.throughput, inputs);
      return share < 1 ? fill(words.short, { s: one.name, share: percent(share) }) : null;
    }

    function against(at, outcomes, inputs) {
      const [base, other] = [outcomes[data.baseline], outcomes[at]], names = { a: data.series[data.baseline].name, b: data.series[at].name };
      if (base === null || other === null) return null;
      const found = breakEven(base, other, asked(data.series[data.baseline], base.throughput, inputs));
      if (found.ahead === null) return fill(words.open, names);
      if (found.ahead === "none") return fill(words.equal, names);
      const [first, then] = found.ahead.startsWith("base") ? [names.a, names.b] : [names.b, names.a];
      if (found.tokens === undefined) return fill(words.ahead, { first, then });
      return fill(words.breakEven, { ...names, first, then, n: shown(found.tokens), t: shown(found.time / HOUR) });
    }

    let told = 0;
    function tell(lines) {
      clearTimeout(told);
      told = setTimeout(() => said.replaceChildren(...lines.map((line) => make("li", line))), said.childElementCount ? 300 : 0);
    }

    function update() {
      const { inputs, own } = read();
      const outcomes = data.series.map((one, at) => compute(one, own[at], inputs, data.threshold));
      const isIncomplete = inputs.lifetime_h === null || inputs.utilisation === null;
      body.replaceChildren(...data.series.map((one, at) => {
        const row = make("tr", ""), head = make("th", "");
        head.scope = "row";
        head.append(make("b", one.name, `s${one.accent}`));
        row.append(head, ...data.outcomes.map((name, column) => {
          const made = make("td", isIncomplete ? "—" : cell(name, outcomes[at]));
          made.dataset.k = names[column + 1];
          return made;
        }));
        return row;
      }));
      const pairs = data.baseline === null ? [] : data.series.map((_, at) => (at === data.baseline ? null : against(at, outcomes, inputs)));
      if (isIncomplete) return tell([words.incomplete]);
      const demand = data.series.map((one, at) => tooLittle(one, outcomes[at], inputs));
      tell([...data.series.map((one, at) => sentence(one, outcomes[at])), ...[...demand, ...pairs].filter((line) => line !== null)]);
    }

    function take(number) {
      const from = data.presets[number];
      for (const entry of entries) {
        const found = from[entry.dataset.input], at = entry.dataset.series;
        entry.value = (at === undefined ? found : found?.[at]) ?? "";
        if (entry.dataset.input === "startup_s") entry.placeholder = shown(data.series[at].startup);
      }
      presets.forEach((button, at) => button.setAttribute("aria-pressed", String(at === number)));
      sliders.forEach(place);
      update();
    }

    presets.forEach((button, at) => button.addEventListener("click", () => take(at)));
    sliders.forEach((slider) => slider.addEventListener("input", () => { follow(slider); changed(); }));
    entries.forEach((entry) => entry.addEventListener("input", () => { sliders.forEach(place); changed(); }));
    function changed() {
      presets.forEach((button) => button.setAttribute("aria-pressed", "false"));
      update();
    }
    live.hidden = false;
    take(data.first);
    dispatchEvent(new Event("resize")); // tables that were hidden find out whether they fit
  }

  document.querySelectorAll("[data-calculator]").forEach(begin);
})();
