// Choosing among the rounds of the home page. Without it all of them stand there.
(() => {
  "use strict";
  const filters = document.querySelector(".home-page .filters");
  if (!filters) return;
  const rounds = [...document.querySelectorAll(".round")].map((element) => ({ element, words: element.textContent.toLowerCase() }));
  const groups = [...document.querySelectorAll(".group")];
  const newest = document.getElementById("rounds");
  const earlier = document.getElementById("earlier");
  const shown = document.querySelector(".shown");
  const elsewhere = document.querySelector(".elsewhere"), search = elsewhere.querySelector("a");
  const fields = [...filters.querySelectorAll("[name]:not(button)")];

  const chosen = () => Object.fromEntries(fields.map((field) => [field.name, field.value.trim()]));

  function fits({ element, words }, by) {
    const { model, gpu, day, reports, engines } = element.dataset;
    return (!by.model || model === by.model)
      && (!by.gpu || gpu === by.gpu)
      && (!by.engine || JSON.parse(engines).includes(by.engine))
      && (!by.report || reports.split(" ").includes(by.report))
      && (!by.from || (day && day >= by.from))
      && (!by.to || (day && day <= by.to))
      && (by.text ?? "").toLowerCase().split(/\s+/).every((word) => words.includes(word));
  }

  function show() {
    const by = chosen();
    for (const round of rounds) round.element.hidden = !fits(round, by);
    for (const group of groups) group.hidden = !group.querySelector(".round:not([hidden])");
    newest.hidden = !newest.nextElementSibling.querySelector(".round:not([hidden])");
    if (earlier) earlier.hidden = groups.every((group) => group.hidden);
    const count = rounds.filter(({ element }) => !element.hidden).length;
    elsewhere.hidden = count > 0 || !by.text;
    search.search = new URLSearchParams({ q: by.text ?? "" });
    shown.textContent = count ? Rounds.fill(shown.dataset.told, { n: count, all: rounds.length }) : shown.dataset.none;
  }

  // What is chosen stands in the address, behind the #, where a bookmark keeps it; other anchors stay what they are.
  function keep() {
    const held = new URLSearchParams(Object.entries(chosen()).filter(([, value]) => value));
    history.replaceState(null, "", `${location.pathname}${location.search}${String(held) ? `#${held}` : ""}`);
  }

  function restore() {
    if (location.hash && !location.hash.includes("=")) return;
    const held = new URLSearchParams(location.hash.slice(1));
    for (const field of fields) {
      field.value = held.get(field.name) ?? "";
      if (field.value === "" && field.options) field.selectedIndex = 0; // a value that is not offered
    }
  }

  function changed() {
    show();
    keep();
  }

  filters.hidden = false;
  filters.addEventListener("input", changed);
  filters.querySelector("[name=clear]").addEventListener("click", () => {
    for (const field of fields) field.value = "";
    changed();
  });
  addEventListener("hashchange", () => { restore(); show(); });
  restore();
  show();
})();
