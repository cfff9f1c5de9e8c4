import type { Page } from "playwright-core";
import { openPage } from "./open-page";

/** The Deploy form as a person uses it: by the words on it. */
export function deployPage(page: Page) {
  const main = page.getByRole("main");
  return {
    open: () => openPage(page, "/deploy"),
    giveUrl: (url: string) => main.getByLabel("Which model?").fill(url),
    giveFile: (path: string) => main.getByLabel("Model file").setInputFiles(path),
    giveRows: (path: string) => main.getByLabel("Rows to calibrate with").setInputFiles(path),
    pickSample: (name: string) => main.getByRole("button", { name, exact: true }).click(),
    /** What is asked of a model that nothing says the range of. */
    range: {
      asked: () => main.getByRole("heading", { name: "What values do the inputs take?" }).waitFor(),
      give: async (min: string, max: string) => {
        await main.getByLabel("Smallest value").fill(min);
        await main.getByLabel("Largest value").fill(max);
      },
      assume: () => main.getByRole("checkbox", { name: /assume −4 to 4/ }).check(),
    },
    /** Resolves once the model was read; answers the line about it. */
    reading: async () => {
      const line = main.locator("#reading");
      // A machine that is busy reads slowly; the form goes on asking.
      await line.getByText(/^Read\b/).waitFor({ timeout: 90_000 });
      return await line.innerText();
    },
    refusal: async () => {
      const line = main.locator("#reading");
      await line.getByRole("button", { name: "Copy details" }).waitFor();
      return await line.innerText();
    },
    engine: (id: string) => main.getByRole("radio", { name: new RegExp(`^${id}\\b`) }),
    board: (name: string) => main.getByRole("radio", { name, exact: true }),
    name: () => main.getByLabel("Which name?").inputValue(),
    giveName: (name: string) => main.getByLabel("Which name?").fill(name),
    /** Leaves it, though it was not sent. */
    leave: () =>
      page
        .getByRole("alertdialog", { name: "Leave the form?" })
        .getByRole("button", { name: "Leave", exact: true })
        .click(),
    complaints: () => main.getByRole("alert").allInnerTexts(),
    /** Deploys and answers the id of the build whose page opened. */
    deploy: async () => {
      await main.getByRole("button", { name: /^Deploy/ }).click();
      await page.waitForURL(/\/builds\/bld_/);
      return new URL(page.url()).pathname.split("/").at(-1) ?? "";
    },
  };
}
