import type { Page } from "playwright-core";
import { openPage } from "./open-page";

/** The page of one board, as somebody uses it. */
export function boardPage(page: Page) {
  const main = page.getByRole("main");
  const tabs = main.getByRole("navigation", { name: "Board", exact: true });
  return {
    main,
    open: (id: string, query = "") => openPage(page, `/boards/${id}${query}`),
    tab: (name: string) => tabs.getByRole("link", { name, exact: true }).click(),
    /** A part of the page by its title. */
    part: (title: string) =>
      main.getByRole("heading", { name: title, exact: true }).locator("xpath=ancestor::section[1]"),
    button: (name: string) => main.getByRole("button", { name, exact: true }),
    /** Asks for something that is in the menu. */
    choose: async (name: string | RegExp) => {
      await main.getByRole("button", { name: /^More for / }).click();
      await page.getByRole("menuitem", { name }).click();
    },
    dialog: page.getByRole("dialog"),
    refusal: () => main.getByRole("alert").innerText(),
  };
}
