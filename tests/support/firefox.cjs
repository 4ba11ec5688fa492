// Visits pages in Firefox, over WebDriver BiDi: reads the visits from standard input, and writes what each page did.
//
// A visit: {address, steps: [[what, selector, value], ...]}; the steps are click, type, press (whatever has the focus) and see.
// Of each page: {address, requests, complaints, charts, width}.
const puppeteer = require("puppeteer-core");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const POLICY = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI));`;
const WAKE = readFileSync(join(__dirname, "wake.js"), "utf8");
const STEPS = {
  click: (page, selector) => page.locator(selector).click(),
  type: (page, selector, value) => page.locator(selector).fill(value),
  press: (page, _, key) => page.keyboard.press(key),
  see: (page, selector) => page.waitForSelector(selector, { visible: true }),
};

async function visit(browser, { address, steps }, patience) {
  const page = await browser.newPage(), told = { address, requests: [], complaints: [], charts: 0, width: 0 };
  page.setDefaultTimeout(patience);
  page.on("request", (request) => told.requests.push(request.url()));
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && told.complaints.push(message.text()));
  page.on("pageerror", (error) => told.complaints.push(String(error)));
  page.on("dialog", (dialog) => { told.complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  try {
    await page.evaluateOnNewDocument(POLICY);
    await page.goto(address);
    told.width = await page.evaluate("document.documentElement.scrollWidth");
    await page.evaluate(WAKE);
    told.charts = await page.evaluate(`document.querySelectorAll("figure[data-live=true]").length`);
    for (const [what, selector, value] of steps) await STEPS[what](page, selector, value);
  } catch (error) {
    told.complaints.push(String(error));
  }
  await page.close();
  return told;
}

(async () => {
  const { firefox, width, dark, visits, patience } = JSON.parse(readFileSync(0, "utf8"));
  const browser = await puppeteer.launch({
    browser: "firefox", executablePath: firefox, headless: true, defaultViewport: { width, height: 900 },
    extraPrefsFirefox: { "ui.systemUsesDarkTheme": dark ? 1 : 0 },
  });
  const told = [];
  for (const one of visits) told.push(await visit(browser, one, patience));
  await browser.close();
  process.stdout.write(JSON.stringify(told));
})();
