import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "@/scripts/bundle.mjs";
import { firstOwnerAddress } from "@/scripts/lib/secret-links.mjs";
import { until } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { deployPage, openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { holdScripts } from "./support/hold-scripts";
import { join, joinPassword as password } from "./support/join";
import { takePictures } from "./support/pictures";

// Two people share an installation: the first owner by the printed link, somebody else by an invitation. Nobody else sees anything.

const key = "a-key-of-the-launcher-alone";
const newPassword = "seven new words are better";
let installation: Installation;
let ada: Visit;
let ben: Visit;
/** Somebody without an account. */
let guest: Visit;
let link = "";

beforeAll(async () => {
  installation = await startInstallation("e2e-people", {
    variables: { BOARDWALK_ACCOUNTS: "on", BOARDWALK_OWNER_TOKEN: key },
  });
  const bundles = process.env["BOARDWALK_BUNDLES"] ?? (await bundle());
  const { home, variables } = installation;
  link = (await firstOwnerAddress(home, { bundles, variables })) ?? "";
  const options = { baseURL: installation.portalUrl, reducedMotion: "reduce" } as const;
  ada = await openBrowser(options);
  ben = await openBrowser(options);
  guest = await openBrowser(options);
});
afterAll(async () => {
  await ada?.browser.close();
  await ben?.browser.close();
  await guest?.browser.close();
  await installation?.stop();
});

const nameField = (page: Page) => page.getByLabel("Which name?");
const menu = (page: Page) => page.getByRole("button", { name: "Account and project" });

describe("somebody who is not in", () => {
  it("sees where to sign in, whatever they asked for, and nothing else", async () => {
    const { page } = ada;
    await page.goto("/builds?state=failed");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(page.url()).searchParams.get("next")).toBe("/builds?state=failed");
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "people-sign-in");
    await page.getByLabel("E-mail address").fill("nobody@lab.test");
    await page.getByLabel("Password", { exact: true }).fill("not the right one");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("The e-mail address or the password is wrong.").waitFor();
    for (const path of ["/api/v1/builds", "/api/v1/events", "/list_isvc"]) {
      expect((await fetch(`${installation.portalUrl}${path}`)).status, path).toBe(401);
    }
  });
});

describe("the first owner", () => {
  it("comes in by the printed link, once", async () => {
    const { page } = ada;
    expect(link).toContain("/invitation#bw_invite_");
    await page.goto(link);
    await page.getByRole("heading", { name: "The first owner" }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "people-first-owner");
    await join(page, link, "Ada");
    await menu(page).click();
    await page.getByText("ada@lab.test").waitFor();
    await page.keyboard.press("Escape");
    await ben.page.goto(link);
    await ben.page.getByText("This invitation is not good").waitFor();
    await takePictures(ben.page, "people-used-link");
  });

  it("invites somebody by a link, who sees the same project", async () => {
    const { page } = ada;
    await openPage(page, "/settings/people");
    await page.getByText("ada@lab.test").waitFor();
    await page.getByLabel("For whom").fill("Ben of the beam group");
    await page.getByRole("button", { name: "Make the invitation" }).click();
    const made = page.getByRole("status").filter({ hasText: "It lets one person in" });
    const address = await made.locator("code").innerText();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "people-invited");
    await page.getByRole("button", { name: "I have it" }).click();
    await page.getByText("Ben of the beam group", { exact: true }).waitFor();
    await ben.page.goto(address);
    await ben.page.getByText("You are invited to the project default, as Builder.").waitFor();
    await takePictures(ben.page, "people-invitation");
    await join(ben.page, address, "Ben");
    await openPage(ben.page, "/settings/people");
    await ben.page.getByText("Admins of the project change roles").waitFor();
    await page.reload();
    await page.getByText("ben@lab.test").waitFor();
    await takePictures(page, "people-members");
  });
});

describe("two people", () => {
  it("share what one of them deploys, which others do not reach without a token", async () => {
    const { page } = ben;
    await openPage(page, "/deploy?sample=iris-mlp&engine=onnx");
    await deployPage(page).reading();
    await page.getByRole("button", { name: /^Deploy/ }).click();
    await page.waitForURL(/\/(builds|endpoints)\//);
    await openPage(ada.page, "/endpoints");
    await ada.page.getByRole("link", { name: "iris-mlp" }).first().waitFor();
    await until("the gateway knows it", async () => {
      const answer = await fetch(`${installation.gatewayUrl}/v2/models/iris-mlp`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return answer.status === 200;
    });
    expect((await fetch(`${installation.gatewayUrl}/v2/models/iris-mlp`)).status).toBe(401);
    expect((await fetch(`${installation.portalUrl}/v2/models/iris-mlp`)).status).toBe(401);
  });

  it("open it by a link to somebody who has no account, and close it again", async () => {
    const { page } = ben;
    await openPage(page, "/endpoints/iris-mlp?tab=settings");
    const mine = page.getByLabel("You alone");
    await mine.waitFor();
    await expect.poll(() => mine.isChecked()).toBe(true);
    await page.getByLabel("For whom").fill("the open day");
    await page.getByRole("button", { name: "Make a link" }).click();
    const made = page.getByRole("status").filter({ hasText: "Whoever has it may ask" });
    const address = await made.locator("code").innerText();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "people-link");
    await page.getByRole("button", { name: "I have it" }).click();
    await guest.page.goto(address);
    await guest.page.getByLabel("Request, as the V2 protocol has it").waitFor();
    await guest.page.getByRole("button", { name: "Send" }).click();
    await guest.page.getByText(/"model_name":\s*"iris-mlp"/).waitFor();
    expect(await barriersOn(guest.page)).toEqual([]);
    await takePictures(guest.page, "people-shared");
    await page.getByRole("button", { name: "Revoke the link for the open day" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("the open day");
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("There are no links to it.").waitFor();
    await until("the link is refused", async () => {
      await guest.page.reload();
      await guest.page.getByText("This link is good no more").waitFor({ timeout: 5000 });
      return true;
    });
    await takePictures(guest.page, "people-shared-over");
    await guest.page.goto("/shared/iris-mlp");
    await guest.page.getByText("This address is not whole").waitFor();
  });

  it("lose nothing that was typed when a sign-in ends in the middle", async () => {
    const { page } = ben;
    await openPage(page, "/deploy?sample=banknote-mlp&engine=onnx");
    await deployPage(page).reading();
    await nameField(page).fill("typed-by-ben");
    // Ada makes him a viewer, then a builder again: he has to sign in anew.
    await openPage(ada.page, "/settings/people");
    const role = ada.page.getByLabel("Role of Ben");
    await role.selectOption("viewer");
    await ada.page.getByText("Ben is now Viewer").first().waitFor();
    await role.selectOption("builder");
    await ada.page.getByText("Ben is now Builder").first().waitFor();
    // The page hears of it by itself.
    const ended = page.getByRole("dialog", { name: "You are signed in no more" });
    await ended.waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "people-ended");
    await ended.getByLabel("E-mail address").fill("ben@lab.test");
    await ended.getByLabel("Password", { exact: true }).fill(password);
    await ended.getByRole("button", { name: "Sign in", exact: true }).click();
    await ended.waitFor({ state: "detached" });
    await expect.poll(() => nameField(page).inputValue()).toBe("typed-by-ben");
    // While the page asks everything again, the form may not be ready for the first press.
    await until("the deploy is sent", async () => {
      if (/\/(builds|endpoints)\//.test(page.url())) return true;
      await page.getByRole("button", { name: /^Deploy/ }).click();
      await page.waitForTimeout(2000);
      return false;
    });
  });

  it("of whom one forgot the password is sent a link to set another", async () => {
    await openPage(ada.page, "/settings/people");
    await ada.page.getByRole("button", { name: "Make a password link for Ben" }).click();
    const made = ada.page.getByRole("status").filter({ hasText: "within 24 hours" });
    const address = await made.locator("code").innerText();
    const { page } = ben;
    await page.goto(address);
    await page.getByText("For Ben, ben@lab.test.").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "people-new-password");
    await page.getByLabel("New password").fill(newPassword);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("E-mail address").fill("ben@lab.test");
    await page.getByLabel("Password", { exact: true }).fill(newPassword);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
  });

  it("see of another project nothing", async () => {
    const { page } = ada;
    await openPage(page, "/settings/people");
    await page.getByLabel("Name of the project").fill("astro");
    await page.getByRole("button", { name: "Make the project" }).click();
    await page.getByText("Members of astro").waitFor();
    await openPage(page, "/endpoints");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("link", { name: "Deploy the sample iris-mlp" }).waitFor();
    expect(await page.content()).not.toContain("/endpoints/iris-mlp");
    await menu(page).click();
    await page.getByRole("radio", { name: /astro/ }).waitFor();
    await expect.poll(() => page.getByRole("radio", { name: /astro/ }).isChecked()).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "people-menu");
    await page.getByRole("radio", { name: /default/ }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await openPage(page, "/endpoints");
    await page.getByRole("link", { name: "iris-mlp" }).first().waitFor();
  });

  it("sign out, and are out", async () => {
    const { page } = ben;
    await openPage(page, "/settings/account");
    await page.getByText("This browser").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "people-account");
    await menu(page).click();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    // On a slow connection the form is there before the scripts of the page: what is typed by then counts.
    const release = await holdScripts(page);
    await page.goto("/endpoints", { waitUntil: "commit" });
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("E-mail address").fill("ben@lab.test");
    await page.getByLabel("Password", { exact: true }).fill(newPassword);
    const send = page.getByRole("button", { name: "Sign in", exact: true });
    // Sent now, the browser would load the page anew and forget both.
    await expect.poll(() => send.isDisabled()).toBe(true);
    await release();
    await send.click();
    await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/endpoints");
  });
});
