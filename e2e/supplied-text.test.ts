import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { openPage } from "./pages";
import { openBrowser, type Visit } from "./support/browser";
import { everyRoute, settle } from "./support/every-route";
import { giveHostileAnswers } from "./support/hostile-answers";

// Names, reasons, log lines, layers, units, addresses: whatever users, tools and models supply is text and nothing else, on every page.
// Every text of every answer that its schema leaves free is hostile here, whichever way it could have come.

let installation: Installation;
let visit: Visit;
let page: Page;
let routes: ReadonlyMap<string, string>;

/** What must stay undone; the page counts what its policy stopped. */
interface Marks {
  pwned?: unknown;
  stopped?: string[];
}

beforeAll(async () => {
  installation = await startInstallation("e2e-supplied-text");
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
  routes = await everyRoute(installation, page);
  await mkdir("e2e/screenshots", { recursive: true });
  page.on("dialog", (dialog) => void dialog.dismiss());
  await page.addInitScript(() => {
    const marks = globalThis as unknown as Marks;
    marks.stopped = [];
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      marks.stopped?.push(`${violatedDirective} ${blockedURI}`),
    );
  });
});

afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
});

/** What a hostile text got done on the page as it stands. */
const harm = () =>
  page.evaluate(() => {
    const { pwned, stopped = [] } = globalThis as unknown as Marks;
    const made = document.querySelectorAll(
      "img[src=x], [onerror], [onload], [onclick], [onfocus], svg script, main script, iframe, object, embed, b.made",
    );
    const links = [
      ...document.querySelectorAll("a[href], area[href], form[action], [src]"),
    ].flatMap((element) => {
      const address =
        element.getAttribute("href") ??
        element.getAttribute("action") ??
        element.getAttribute("src") ??
        "";
      const { protocol } = new URL(address, location.href);
      return ["http:", "https:", "mailto:", "blob:", "data:"].includes(protocol) ? [] : [address];
    });
    const pictures = [...document.querySelectorAll("[src^='data:'], [href^='data:']")].filter(
      (element) =>
        !/^data:image\/|^data:text\/(plain|csv)/.test(
          element.getAttribute("src") ?? element.getAttribute("href") ?? "",
        ),
    );
    return [
      ...(pwned === undefined ? [] : ["a script ran"]),
      ...[...made].map(({ outerHTML }) => `made ${outerHTML.slice(0, 120)}`),
      ...links.map((address) => `a link to ${address.slice(0, 80)}`),
      ...pictures.map(({ outerHTML }) => `data in ${outerHTML.slice(0, 120)}`),
      ...stopped.map((what) => `stopped by the policy: ${what}`),
    ];
  });

const markup = `"'><img src=x onerror="globalThis.pwned=1"><svg onload="globalThis.pwned=1"></svg></script><script>globalThis.pwned=1</script><b class=made>`;
const controls =
  "\u0000\u001b]8;;javascript:globalThis.pwned=1\u0007here\u001b]8;;\u0007\u202e\ud800\u2028{{7*7}}#{7*7}`[x](javascript:1)";

it("shows markup and controls as they stand, on every page", async () => {
  const count = await giveHostileAnswers(page, (own) => `${own}${markup}${controls}`);
  const found: Record<string, string[]> = {};
  const shown = { markup: [] as string[], controls: [] as string[] };
  for (const [route, path] of routes) {
    await openPage(page, path);
    await settle(page);
    const here = await harm();
    if (here.length > 0) found[route] = here;
    const visible = await page.locator("body").innerText();
    if (visible.includes("<img src=x onerror=")) shown.markup.push(route);
    if (visible.includes("{{7*7}}#{7*7}")) shown.controls.push(route);
    if (process.env["PICTURES"] === "1")
      await page.screenshot({ path: `e2e/screenshots/supplied-${route}.png`, fullPage: true });
  }
  await page.unroute("**/api/v1/**");
  expect(found).toEqual({});
  // Held to be a test at all: the answers were hostile, and the pages did show them.
  expect(count()).toBeGreaterThan(2000);
  expect(shown.markup.length).toBeGreaterThan(10);
  expect(shown.controls.length).toBeGreaterThan(10);
}, 900_000);

it("links to no script, whatever address a text gives", async () => {
  await giveHostileAnswers(page, (own) =>
    /^(https?|s3|hf|oci):/.test(own) ? "javascript:globalThis.pwned=1//" : own,
  );
  const found: Record<string, string[]> = {};
  for (const [route, path] of routes) {
    await openPage(page, path);
    await settle(page);
    const here = await harm();
    if (here.length > 0) found[route] = here;
  }
  await page.unroute("**/api/v1/**");
  expect(found).toEqual({});
});

it("takes nothing of its own address for more than text", async () => {
  const text = `"><img src=x onerror=globalThis.pwned=1><script>globalThis.pwned=1</script>`;
  const within = encodeURIComponent(text);
  const found: Record<string, string[]> = {};
  for (const address of [
    `/builds?search=${within}&engine=${within}&board=${within}&since=${within}&sort=${within}&cursor=${within}`,
    `/endpoints?search=${within}&view=${within}`,
    `/boards?server=${within}&kind=${within}`,
    `/firmware?search=${within}`,
    `/models?search=${within}`,
    `/deploy?model=${within}&sample=${within}&engine=${within}&from=${within}`,
    `/deploy?model=${encodeURIComponent("javascript:globalThis.pwned=1")}`,
    `/builds/compare?ids=${within},${within}`,
    `/builds/${within}`,
    `/builds/${within}#L1-L2"><script>globalThis.pwned=1</script>`,
    `/endpoints/${within}?tab=${within}`,
    `/endpoints/iris-cpu?tab=${within}&view=${within}&request=${within}`,
    `/boards/${within}`,
    `/models/${within}`,
    `/firmware/${within}`,
    `/errors/${within}`,
    `/errors?search=${within}`,
    `/settings/${within}`,
    `/glossary#${within}`,
    `/${within}`,
  ]) {
    await page.goto(address);
    await page.waitForTimeout(500);
    const here = await harm();
    if (here.length > 0) found[address] = here;
  }
  expect(found).toEqual({});
});
