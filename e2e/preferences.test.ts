import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// How somebody likes the pages: language, theme, contrast, density, keys; on paper too.

let installation: Installation;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  installation = await startInstallation("e2e-preferences");
  visit = await openBrowser({ baseURL: installation.portalUrl, locale: "it-IT" });
  page = visit.page;
});

afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
});

const choose = async (menu: string, ...choices: string[]) => {
  await page.getByRole("button", { name: menu }).click();
  for (const choice of choices) await page.getByRole("radio", { name: choice }).check();
  await page.keyboard.press("Escape");
};
const style = (selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property);

describe("the language", () => {
  it("is the browser's, of the frame and of the pages", async () => {
    await openPage(page, "/builds");
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("it");
    await page.getByRole("navigation", { name: "Principale" }).getByText("Schede").waitFor();
    await page.getByRole("group", { name: "Stati" }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "preferences-italian");
  });

  it("changes at once, keeps what was typed, and stays chosen after a reload", async () => {
    await openPage(page, "/builds");
    await page.getByRole("searchbox").fill("zebra");
    await choose("Aspetto e lingua", "English");
    await page.getByRole("navigation", { name: "Main" }).getByText("Boards").waitFor();
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("zebra");
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("en");
    await page.reload();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("en");
  });
});

describe("how pages look", () => {
  it("in high contrast is black on white, and white on black, without a barrier", async () => {
    await openPage(page, "/builds");
    await choose("Appearance and language", "High", "Light");
    await expect.poll(() => style("body", "color")).toBe("rgb(0, 0, 0)");
    await expect.poll(() => style("body", "background-color")).toBe("rgb(255, 255, 255)");
    expect(await barriersOn(page)).toEqual([]);
    await page.screenshot({ path: "e2e/screenshots/preferences-contrast-light.png" });
    await choose("Appearance and language", "Dark");
    await page.reload();
    await expect.poll(() => style("body", "color")).toBe("rgb(255, 255, 255)");
    expect(await barriersOn(page)).toEqual([]);
    await page.screenshot({ path: "e2e/screenshots/preferences-contrast-dark.png" });
    await page.getByRole("button", { name: "Appearance and language" }).click();
    await page.getByRole("group", { name: "Contrast" }).getByLabel("As the system").check();
    await page.getByRole("group", { name: "Theme" }).getByLabel("As the system").check();
    await page.keyboard.press("Escape");
  });

  it("in compact density shows more, with targets of 24 px still", async () => {
    await openPage(page, "/builds");
    const heightOf = async () =>
      (await page.getByRole("heading", { level: 1 }).boundingBox())?.height ?? 0;
    const before = await heightOf();
    await choose("Appearance and language", "Compact");
    await expect.poll(() => heightOf()).toBeLessThan(before);
    const small = await page
      .locator("main button:visible, main select:visible, nav a:visible")
      .evaluateAll((all) =>
        all
          .map((each) => [each.textContent, each.getBoundingClientRect().height] as const)
          .filter(([, height]) => height < 24),
      );
    expect(small).toEqual([]);
    await takePictures(page, "preferences-compact");
    await choose("Appearance and language", "Comfortable");
  });

  it("on paper is the content without its frame", async () => {
    await openPage(page, "/builds");
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
    expect(await page.getByText("Search or jump to").isVisible()).toBe(false);
    await expect.poll(() => page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    await page.screenshot({ path: "e2e/screenshots/preferences-print.png" });
    await page.emulateMedia({ media: "screen" });
  });
});

describe("the sheet of shortcuts", () => {
  it("opens by ?, not while somebody types, and lists what the log listens to", async () => {
    await openPage(page, "/builds");
    await page.getByRole("searchbox").press("?");
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByText("Follow the end of the log").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.screenshot({ path: "e2e/screenshots/preferences-shortcuts.png" });
  });

  it("switches single keys off, and is still there behind its button", async () => {
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByRole("radio", { name: "Off" }).check();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    await page.waitForTimeout(300);
    expect(await sheet.count()).toBe(0);
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await sheet.getByRole("radio", { name: "On" }).check();
    await page.keyboard.press("Escape");
  });
});

describe("the page of every component", () => {
  it("is shown, without a barrier, in both themes", async () => {
    await openPage(page, "/design");
    await page.getByRole("heading", { level: 1, name: "Design" }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "design");
    expect(await barriersOn(page)).toEqual([]);
  });

  it("like all of the visit, had nothing to complain of", () => {
    expect(visit.complaints).toEqual([]);
  });
});
