import type { Page } from "playwright-core";
import { openPage } from "./open-page";

/** "Run the design in this page", below the editor of an endpoint. */
export function simulatePanel(page: Page) {
  const panel = page.getByRole("region", { name: "Run the design in this page" });
  const answer = panel.getByRole("region", { name: "Answer of the design" });
  const wave = panel.getByRole("region", { name: "Waveform" });
  const vectors = panel.getByRole("region", { name: "Test vectors" });
  const cursor = wave.getByRole("slider", { name: "Cycle" });
  const button = (name: string | RegExp) => panel.getByRole("button", { name });
  return {
    panel,
    answer,
    wave,
    cursor,
    button,
    open: async (endpoint: string) => {
      await openPage(page, `/endpoints/${endpoint}`);
      await panel.waitFor();
    },
    run: () => button(/^Run the design/).click(),
    /** What stands below the buttons: cycle and bytes. */
    standing: () => panel.getByRole("status").first().innerText(),
    verdict: async () => {
      await answer.getByText(/Equal bit for bit|values? differs?|did not answer/).waitFor();
      return await answer.innerText();
    },
    /** The values under the cursor, by signal, as a screen reader hears them. */
    values: async () => {
      const text = (await cursor.getAttribute("aria-valuetext")) ?? "";
      return new Map(text.split(", ").map((part) => part.split(" ") as [string, string]));
    },
    runVectors: async () => {
      await vectors.getByRole("button", { name: "Run all vectors" }).click();
      const said = vectors.getByText(/answers? (is|are) equal/);
      await said.waitFor();
      return await said.innerText();
    },
    problem: async () => {
      const alert = panel.getByRole("alert");
      await alert.waitFor();
      return await alert.innerText();
    },
  };
}
