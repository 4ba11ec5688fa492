// Brings every figure of a page into sight in turn, and waits until its chart is live.
(async () => {
  for (const figure of document.querySelectorAll("figure[data-figure]")) {
    while (figure.dataset.live !== "true") {
      figure.scrollIntoView({ block: "center", behavior: "instant" });
      await new Promise((done) => setTimeout(done, 20));
    }
  }
})()
