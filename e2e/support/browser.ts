import { setTimeout as delay } from "node:timers/promises";
import { AxeBuilder } from "@axe-core/playwright";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { chromiumLaunch } from "./chromium";

/** A browser with one page, which a whole test file goes through. */
export interface Visit {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page reported as errors, in its console or by throwing, with the address it is about. */
  readonly complaints: readonly string[];
}

/** A Chromium that has given no page by then gives none: it answers, and its first page never comes. */
const firstPageMs = 45_000;
const mostBrowsers = 3;

/** Opens Chromium on a screen of 1440 × 900, where the options say nothing else. One that gives no page is left for another. */
export async function openBrowser(options: BrowserContextOptions): Promise<Visit> {
  for (let browsers = 1; ; browsers++) {
    const browser = await chromium.launch(chromiumLaunch);
    const visit = await Promise.race([
      firstVisit(browser, options),
      delay(firstPageMs, null, { ref: false }),
    ]);
    if (visit) return visit;
    void browser.close().catch(() => {});
    if (browsers === mostBrowsers)
      throw new Error(`Of ${mostBrowsers} browsers, none gave a page within ${firstPageMs} ms.`);
  }
}

async function firstVisit(browser: Browser, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // A loaded portal says so, and pages ask again: what they then show is looked at where it matters.
    if (message.type() === "error" && !/status of 503/.test(message.text()))
      complaints.push(`${message.text()} at ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { browser, context, page, complaints };
}

/** Serious findings of axe on a page as it stands, once it has its title, which Next streams in, and its lists: what they show is pale until then. */
export async function barriersOn(page: Page): Promise<string[]> {
  await page.waitForFunction(
    () => document.title !== "" && document.querySelector("main [aria-busy=true]") === null,
  );
  return await findingsOn(page, ["serious", "critical"]);
}

/**
 * Findings of axe on a page as it stands, of these impacts or of all. What it passes is not gathered, and it runs in the page itself,
 * which has no frames of others: both take a quarter of the time.
 */
export async function findingsOn(page: Page, impacts?: readonly string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => !impacts || impacts.includes(impact ?? ""))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
