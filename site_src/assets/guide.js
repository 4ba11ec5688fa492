// Filters of the joined guide. Without it all rows are shown.
(() => {
  "use strict";
  const filters = document.querySelector(".filters");
  if (!filters) return;
  const rows = [...document.querySelectorAll("[data-model]")]; // of both tables, and of the list of further loads
  const uncovered = document.querySelector(".uncovered");
  const columns = [...document.querySelectorAll("[data-engine]")];
  const nothing = document.querySelector(".nothing");
  const chosen = (name) => filters.querySelector(`select[name="${name}"]`).value;

  function hasEngine(row, engine) {
    if (row.dataset.engines) return JSON.parse(row.dataset.engines).includes(engine);
    const cell = [...row.querySelectorAll("[data-engine]")].find((one) => one.dataset.engine === engine);
    return Boolean(cell?.querySelector("a"));
  }

  function show() {
    const [model, gpu, engine] = ["model", "gpu", "engine"].map(chosen);
    for (const row of rows) {
      const fits = (!model || row.dataset.model === model) && (!gpu || row.dataset.gpu === gpu);
      row.hidden = !(fits && (!engine || hasEngine(row, engine)));
    }
    for (const cell of columns) cell.hidden = Boolean(engine) && cell.dataset.engine !== engine;
    if (uncovered) uncovered.hidden = ![...uncovered.querySelectorAll("li")].some((one) => !one.hidden);
    nothing.hidden = rows.some((row) => !row.hidden);
  }

  filters.hidden = false;
  filters.addEventListener("change", show);
  show(); // a browser may have kept the choice
})();
