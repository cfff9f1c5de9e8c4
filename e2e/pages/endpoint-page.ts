import type { Page } from "playwright-core";
import { openPage } from "./open-page";

export function endpointPage(page: Page) {
  const main = page.getByRole("main");
  const editor = main.getByRole("textbox", { name: "Request, JSON" });
  const views = main.getByRole("group", { name: "View of the request" });
  const choose = async (view: "Form" | "Table" | "JSON") => {
    await views.getByRole("button", { name: view, exact: true }).click();
    if (view === "JSON") await editor.waitFor();
  };
  return {
    open: (name: string, tab?: string) =>
      openPage(page, `/endpoints/${name}${tab ? `?tab=${tab}` : ""}`),
    openFromList: async (name: string) => {
      await openPage(page, "/endpoints");
      await main.getByRole("link", { name, exact: true }).click();
      await main.getByRole("heading", { level: 1, name }).waitFor();
    },
    waitForState: (state: string, timeoutMs: number) =>
      main.getByRole("button", { name: state, exact: true }).waitFor({ timeout: timeoutMs }),
    /** What is wrong with the request, in words. */
    requestState: () =>
      main.getByRole("list", { name: "What is wrong with the request" }).innerText(),
    /** Looks at the request in another way. */
    view: choose,
    giveRequest: async (text: string) => {
      await choose("JSON");
      await editor.click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    },
    /** Sends with the keyboard, from wherever the focus is in the panel. */
    send: async () => {
      await main.getByRole("button", { name: /^Send Ctrl/ }).focus();
      await page.keyboard.press("ControlOrMeta+Enter");
    },
    /** Class labels with what stands beside them, in order. */
    classes: async () => {
      const bars = main.getByRole("list", { name: /^Classes/ });
      await bars.waitFor();
      return (await bars.getByRole("listitem").allInnerTexts()).map((text) => text.split("\n"));
    },
    timeSplit: async () => {
      const split = main.getByRole("region", { name: "Time split" });
      await split.waitFor();
      return await split.innerText();
    },
    /** The Metrics tab: its sentence, its charts in words, and the cells of the first version that the gateway counts. */
    traffic: async () => {
      const counted = main.getByRole("region", { name: "Since the gateway loaded it" });
      const totals = counted.getByRole("row").nth(1);
      await totals.waitFor();
      const charts = main.locator("figure svg[role=img]");
      return {
        sentence: await main.getByText(/of which .* failed/).innerText(),
        charts: await charts.evaluateAll((all) => all.map((each) => each.ariaLabel ?? "")),
        totals: await totals.getByRole("cell").allInnerTexts(),
      };
    },
    refusal: () =>
      main.getByRole("region", { name: "Answer", exact: true }).getByRole("alert").innerText(),
    copyAsCurl: () => main.getByRole("button", { name: "Copy as curl" }).click(),
    remove: async (name: string) => {
      await openPage(page, `/endpoints/${name}?tab=settings`);
      await main.getByRole("button", { name: `Delete ${name}` }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox").fill(name);
      await dialog.getByRole("button", { name: "Delete", exact: true }).click();
      await page.waitForURL(/\/endpoints$/);
    },
  };
}
