// The site's own address leads to its home page in the first of the reader's languages that it has.
(() => {
  "use strict";
  const offered = [...document.querySelectorAll(".pick a")];
  const main = (tag) => tag.toLowerCase().split("-")[0];
  const inLanguage = (tag) => offered.find((link) => main(link.hreflang) === main(tag));
  const usual = inLanguage(document.documentElement.lang);
  location.replace((navigator.languages.map(inLanguage).find(Boolean) ?? usual).href);
})();
