import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "@/scripts/bundle.mjs";
import { firstOwnerAddress } from "@/scripts/lib/secret-links.mjs";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// The first owner looks up what somebody did and was refused; somebody without the right is told why they see nothing.

const key = "a-key-of-the-launcher-alone";
const password = "vapour trail over seven hills";
let installation: Installation;
let ada: Visit;
let ben: Visit;

beforeAll(async () => {
  installation = await startInstallation("e2e-audit-log", {
    variables: { BOARDWALK_ACCOUNTS: "on", BOARDWALK_OWNER_TOKEN: key },
  });
  const bundles = process.env["BOARDWALK_BUNDLES"] ?? (await bundle());
  const { home, variables } = installation;
  const link = (await firstOwnerAddress(home, { bundles, variables })) ?? "";
  const options = { baseURL: installation.portalUrl, reducedMotion: "reduce" } as const;
  ada = await openBrowser(options);
  ben = await openBrowser(options);
  await join(ada, link, "Ada");
});
afterAll(async () => {
  await ada?.browser.close();
  await ben?.browser.close();
  await installation?.stop();
});

async function join({ page }: Visit, address: string, name: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("E-mail address").fill(`${name.toLowerCase()}@lab.test`);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Make the account" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
}

describe("the audit log", () => {
  it("has whom somebody invited, who came, and who typed a wrong password", async () => {
    const { page } = ada;
    await openPage(page, "/settings/people");
    await page.getByLabel("For whom").fill("Ben of the beam group");
    await page.getByRole("button", { name: "Make the invitation" }).click();
    const made = page.getByRole("status").filter({ hasText: "It lets one person in" });
    const address = await made.locator("code").innerText();
    await join(ben, address, "Ben");
    const { context } = await openSignIn();
    await context.close();
    await openPage(page, "/settings/audit");
    const table = page.getByRole("table", { name: "Entries of the audit log, newest first" });
    const refused = table.getByRole("row", { name: /session\.create.*Ben.*Refused/ });
    await refused.waitFor();
    await expect.poll(() => refused.getByRole("link", { name: "UNAUTHENTICATED" }).count()).toBe(1);
    await table.getByRole("row", { name: /invitations\.create.*Ada.*Done/ }).waitFor();
    await table.getByRole("row", { name: /invitations\.join.*Ben.*Done/ }).waitFor();
    expect(await page.locator("body").innerText()).not.toContain("not the right one");
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "audit-log");
  });

  it("is filtered by its address, which can be shared, and leads to what it tells of", async () => {
    const { page } = ada;
    await page.getByLabel("Which action").fill("invitations");
    await page.getByLabel("With which result").selectOption({ label: "Done" });
    await page.getByRole("button", { name: "Show these entries" }).click();
    await page.waitForURL(/action=invitations/);
    await page.getByRole("row", { name: /session\.create/ }).waitFor({ state: "detached" });
    await page.reload();
    await expect.poll(() => page.getByLabel("Which action").inputValue()).toBe("invitations");
    const row = page.getByRole("row", { name: /invitations\.create/ });
    await row.getByRole("link", { name: /Ben of the beam group/ }).click();
    await page.waitForURL(/\/settings\/people/);
    await page.goBack();
    await page.getByLabel("By whom").fill("nobody-of-this-name");
    await page.getByRole("button", { name: "Show these entries" }).click();
    await page.getByText("No entry matches.").waitFor();
    await takePictures(page, "audit-log-none");
    await page.getByRole("button", { name: "Show every entry" }).click();
    await row.waitFor();
  });

  it("is saved as a file", async () => {
    const { page } = ada;
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save as CSV" }).click();
    const text = await readFile(await (await saved).path(), "utf8");
    expect(text).toMatch(/^id,at,actorKind/);
    expect(text).toContain("invitations.create");
    expect(text).not.toContain(password);
  });

  it("is not for everybody", async () => {
    await openPage(ben.page, "/settings/audit");
    await ben.page.getByText("The audit log is for admins of the project").waitFor();
    expect(await ben.page.getByRole("table").count()).toBe(0);
    expect(await barriersOn(ben.page)).toEqual([]);
    await takePictures(ben.page, "audit-log-no-right");
  });
});

/** Somebody else at a browser of their own, who guesses. */
async function openSignIn() {
  const context = await ada.browser.newContext({ baseURL: installation.portalUrl });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill("ben@lab.test");
  await page.getByLabel("Password", { exact: true }).fill("not the right one");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("The e-mail address or the password is wrong.").waitFor();
  return { context };
}
