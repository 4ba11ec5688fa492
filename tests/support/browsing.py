"""Pages in a browser, with an eye on what they ask for and complain about."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request

CHROMIUM_ARGS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
REPORT_VIOLATIONS: Final = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
});
"""
FIGURES: Final = "figure[data-figure]"
WAKE: Final = (Path(__file__).parent / "wake.js").read_text(encoding="utf-8")


@dataclass
class Watched:
    """A page, the addresses that it asked for, and its complaints."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def outside(self, allowed: str) -> list[str]:
        """Return the addresses asked for that do not begin as they should; data in the page is no request."""
        return [one for one in self.requests if not one.startswith((allowed, "data:", "blob:"))]

    def wait_for_charts(self) -> None:
        """Bring every figure into sight until it is a live chart; a page without figures is none to wait for."""
        self.page.wait_for_load_state()  # a link may have been followed just now
        assert self.page.locator(FIGURES).count() > 0
        self.page.evaluate(WAKE)


def watch(browser: Browser, context: dict[str, Any]) -> Watched:
    """Return a new page of a browser; errors, dialogs and violations of its policy are complaints."""
    made = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
    page = made.new_page()
    watched = Watched(page)
    if context.get("java_script_enabled", True):
        page.add_init_script(REPORT_VIOLATIONS)

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            watched.complaints.append(message.text)

    def on_request(request: Request) -> None:
        watched.requests.append(request.url)

    def on_dialog(dialog: Dialog) -> None:
        watched.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("console", on_console)
    page.on("request", on_request)
    page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    page.on("dialog", on_dialog)
    return watched


def address(site: Path, path: str) -> str:
    """Return the file:// address of a page; ``path`` may end in a fragment."""
    return f"{site.resolve().as_uri()}/{path}"
