import type { Page } from "playwright-core";

/**
 * Opens a page and waits until it listens. A page is drawn before its scripts run: a key pressed or
 * a button clicked in between is lost. Its marker is "live", in whichever language, once they run and hear of changes.
 */
export async function openPage(page: Page, path: string) {
  await page.goto(path);
  await page.locator("[data-live=live]").waitFor({ state: "attached" });
}
