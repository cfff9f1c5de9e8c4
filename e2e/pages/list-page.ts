import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { openPage } from "./open-page";

/** A list of builds or endpoints, as somebody uses it. */
export function listPage(page: Page) {
  const main = page.getByRole("main");
  const rows = main.getByRole("row").filter({ has: page.locator("td") });
  return {
    main,
    rows,
    /** Opens a list and waits for its rows, or for the words in their place. */
    open: async (path: string) => {
      await openPage(page, path);
      await main.locator("tbody tr, p.font-strong").filter({ visible: true }).first().waitFor();
    },
    /** Links of the rows in order, as `/builds/bld_…`. */
    links: () =>
      main
        .locator(".row-link")
        .evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? "")),
    /** Counters by their words: `failed` → 120. */
    counters: async () => {
      const all = main.getByRole("group", { name: "States" }).getByRole("button");
      await all.nth(1).waitFor();
      const texts = await all.allInnerTexts();
      return Object.fromEntries(
        texts.map((text) => {
          const [, word = "", count = ""] = text.match(/^(.*?)\s*([\d,]+|–)$/s) ?? [];
          return [word, Number(count.replace(",", ""))];
        }),
      );
    },
    counter: (state: string) =>
      main
        .getByRole("group", { name: "States" })
        .getByRole("button", { name: new RegExp(`^${state}`) }),
    pages: () => main.getByRole("navigation", { name: "Pages" }),
    /** The file that the menu gives. */
    exported: async (format: "CSV" | "JSON") => {
      await main.getByRole("button", { name: "Export" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: format, exact: true }).click(),
      ]);
      await page.keyboard.press("Escape");
      return await readFile(await download.path(), "utf8");
    },
    /** How far the page reaches beyond the screen. */
    spill: () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
  };
}
