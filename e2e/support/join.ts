import type { Page } from "playwright-core";

/** The password of everybody who joins. */
export const joinPassword = "vapour trail over seven hills";

/** Makes an account by an invitation's address, and is in. */
export async function join(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("E-mail address").fill(`${name.toLowerCase()}@lab.test`);
  await page.getByLabel("Password", { exact: true }).fill(joinPassword);
  await page.getByRole("button", { name: "Make the account" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
}
