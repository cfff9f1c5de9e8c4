import type { Page } from "playwright-core";
import { openPage } from "./open-page";

const finalWords = /^(succeeded|failed|cancelled|timed out)$/;

export function buildPage(page: Page) {
  const main = page.getByRole("main");
  const log = main.getByRole("log");
  return {
    open: (id: string, hash = "") => openPage(page, `/builds/${id}${hash}`),
    /** Waits until the build has ended; answers its state. */
    end: async (timeoutMs: number) => {
      const state = main.getByRole("button", { name: finalWords });
      await state.waitFor({ timeout: timeoutMs });
      return await state.innerText();
    },
    cancel: () => main.getByRole("button", { name: "Cancel" }).click(),
    stage: (name: string) =>
      main
        .getByRole("list", { name: "Stages" })
        .getByRole("listitem")
        .filter({ hasText: name })
        .first(),
    /** Waits for a line of the log that holds the text, among those in view. */
    line: (text: string | RegExp, timeoutMs = 30_000) =>
      log.getByText(text).first().waitFor({ timeout: timeoutMs }),
    /** Text of the page but for the log, which names addresses and digests of what a stage fetched. */
    aroundLog: () =>
      main.evaluate((element) => {
        const copy = element.cloneNode(true) as HTMLElement;
        for (const lines of copy.querySelectorAll("[role=log]")) lines.remove();
        return copy.textContent;
      }),
    unfold: (stage: string) =>
      log.getByRole("button", { name: new RegExp(`^\\d+\\D*${stage} `) }).click(),
    /** Numbers of the lines in view, from top to bottom. */
    lineNumbers: async () => {
      const names = await log.getByRole("button", { name: /^Line \d+$/ }).all();
      return await Promise.all(
        names.map(async (name) => Number((await name.getAttribute("aria-label"))?.slice(5))),
      );
    },
    selectedLines: () => log.getByRole("button", { name: /^Line \d+$/, pressed: true }).count(),
    findings: async () => (await main.getByRole("complementary").allInnerTexts()).join("\n"),
    /** What the build measured, by the heading of its part. */
    measured: (heading: string) =>
      main.getByRole("heading", { name: heading }).locator("xpath=ancestor::section[1]"),
    /** Walks over the chip with the keyboard; answers what is said of the tile. */
    walkOverChip: async (...keys: readonly string[]) => {
      const chip = main.getByRole("application", { name: /^Placement on/ });
      await chip.focus();
      for (const key of keys) await chip.press(key);
      return await chip.locator("xpath=following-sibling::p[@aria-live]").innerText();
    },
    failure: () => main.getByRole("alert").first().innerText(),
    openEndpoint: (name: string) => main.getByRole("link", { name, exact: true }).first().click(),
  };
}
