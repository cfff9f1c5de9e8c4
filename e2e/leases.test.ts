import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeFrame, frameKinds } from "@/boards/links/uart";
import { bundle } from "@/scripts/bundle.mjs";
import { firstOwnerAddress } from "@/scripts/lib/secret-links.mjs";
import { until } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { join } from "./support/join";
import { takePictures } from "./support/pictures";

// Two people share a simulated board: one has it and loads firmware, the other waits, and it is handed over.

let installation: Installation;
let ada: Visit;
let ben: Visit;
/** Where the board is. */
let address = "";

const identityQuestion = Buffer.from(
  encodeFrame({ kind: frameKinds.identityRequest, sequence: 1, payload: new Uint8Array(0) }),
).toString("hex");

/** Calls the API as the person whose page it is. */
async function callAs<T>(page: Page, method: string, path: string, json?: object): Promise<T> {
  const text = await page.evaluate(
    async ([verb, url, body]) => {
      const init = body === null ? {} : { headers: { "content-type": "application/json" }, body };
      return await (await fetch(`/api/v1${url}`, { method: verb, ...init })).text();
    },
    [method, path, json ? JSON.stringify(json) : null] as const,
  );
  return (text === "" ? {} : JSON.parse(text)) as T;
}
const bar = (page: Page) => page.getByRole("region", { name: "Lease of this board" });

beforeAll(async () => {
  installation = await startInstallation("e2e-leases", {
    variables: { BOARDWALK_ACCOUNTS: "on", BOARDWALK_OWNER_TOKEN: "a-key-of-the-launcher-alone" },
  });
  const bundles = process.env["BOARDWALK_BUNDLES"] ?? (await bundle());
  const { home, variables } = installation;
  const link = (await firstOwnerAddress(home, { bundles, variables })) ?? "";
  const options = { baseURL: installation.portalUrl, reducedMotion: "reduce" } as const;
  ada = await openBrowser(options);
  ben = await openBrowser(options);
  await join(ada.page, link, "Ada");
  const { url } = await callAs<{ url: string }>(ada.page, "POST", "/invitations", {
    role: "builder",
    note: "Ben",
  });
  await join(ben.page, url, "Ben");
  // Firmware of the project, whose endpoint goes again.
  await callAs(ada.page, "POST", "/endpoints", {
    name: "iris",
    engine: "boardwalk",
    model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
    board: { model: "icebreaker", kind: "simulated" },
  });
  const state = async () =>
    (await callAs<{ state: string }>(ada.page, "GET", "/endpoints/iris")).state;
  await until("the firmware serves", async () => (await state()) === "ready", 300_000);
  await callAs(ada.page, "DELETE", "/endpoints/iris");
}, 400_000);
afterAll(async () => {
  await ada?.browser.close();
  await ben?.browser.close();
  await installation?.stop();
});

describe("two people who share a board", () => {
  it("one of whom leases it and loads firmware on it", async () => {
    const { page } = ada;
    await openPage(page, "/boards");
    await page.getByText("Nobody has a board for themselves.").waitFor();
    await page.getByLabel("A simulated board of your own").selectOption("icebreaker");
    await page.getByRole("button", { name: "Lease it now" }).click();
    await page.waitForURL(/\/boards\/brd_/);
    address = new URL(page.url()).pathname;
    await bar(page).getByText("You have this board until").waitFor();
    await page.getByRole("button", { name: "leased" }).waitFor();
    await bar(page).getByRole("button", { name: "Load on this board" }).click();
    await bar(page).getByText("serving").waitFor({ timeout: 60_000 });
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "lease-mine");
  });

  it("the other of whom sees who has it, and waits", async () => {
    const { page } = ben;
    await openPage(page, "/boards");
    await page
      .getByText(/^leased to Ada until/)
      .first()
      .waitFor();
    await takePictures(page, "lease-list");
    await openPage(page, address);
    await bar(page).getByText("Ada has this board until").waitFor();
    await bar(page).getByRole("button", { name: "Wait for this board" }).click();
    await bar(page).getByText("You are number 1 in the waiting list.").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "lease-waiting");
  });

  it("see it in the calendar, and nobody keeps it from who waits", async () => {
    const { page } = ada;
    await bar(page)
      .getByRole("button", { name: /^Extend by/ })
      .click();
    await bar(page).getByText("Somebody waits for").waitFor();
    await openPage(page, `${address}?tab=access`);
    await page.getByText("1. Ben, for 60 min").waitFor();
    await page.getByRole("button", { name: "As a list" }).click();
    await page.getByText(/^You: /).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "lease-calendar-list");
    await page.getByRole("button", { name: "Week", exact: true }).click();
    await page
      .getByRole("img", { name: /: You: / })
      .first()
      .waitFor();
    await takePictures(page, "lease-calendar");
  });

  it("the first of whom sends rows to what is loaded, and sees what the build gives", async () => {
    const { page } = ada;
    await openPage(page, address);
    await bar(page).getByRole("button", { name: "Try it" }).click();
    await bar(page).getByRole("button", { name: "Send to the board" }).click();
    await bar(page).getByText("The board and the build give the same values.").waitFor();
    await expect.poll(() => bar(page).getByRole("table").getByRole("row").count()).toBe(4);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "lease-try");
  });

  it("and opens its serial console, in two tabs", async () => {
    const { page } = ada;
    await bar(page).getByRole("button", { name: "Try it" }).click();
    await bar(page).getByRole("button", { name: "Serial console" }).click();
    const log = bar(page).getByRole("log", { name: "Bytes of the line" });
    const bytes = bar(page).getByLabel("Bytes to send");
    const send = bar(page).getByRole("button", { name: "Send", exact: true });
    // What a board is asked its name by, and what it answers.
    await bar(page).getByRole("button", { name: "Hex" }).click();
    await bytes.fill("abc");
    await bar(page).getByText("Each byte is two hex digits.").waitFor();
    await bytes.fill(identityQuestion);
    await send.click();
    await log.getByText("from the board").first().waitFor();
    await bar(page).getByRole("button", { name: "Text" }).click();
    await bytes.fill("<b id=evil>\u001b[31m");
    await send.click();
    await log.getByText("<b id=ev").waitFor();
    expect(await page.locator("#evil").count()).toBe(0);
    const tab = await ada.page.context().newPage();
    await openPage(tab, address);
    await bar(tab).getByRole("button", { name: "Serial console" }).click();
    await bar(tab).getByRole("log").getByText("<b id=ev").waitFor();
    await tab.close();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "lease-console");
  });

  it("hand it over: the next one has it, empty, without asking again", async () => {
    await bar(ada.page).getByRole("button", { name: "Hand back" }).focus();
    await ada.page.keyboard.press("Enter");
    await bar(ben.page).getByText("You have this board until").waitFor({ timeout: 60_000 });
    await bar(ada.page).getByText("Ben has this board until").waitFor({ timeout: 60_000 });
    await bar(ada.page).getByText("The console ended with the lease.").waitFor({ timeout: 60_000 });
    expect(await bar(ben.page).getByText("serving").count()).toBe(0);
    await bar(ben.page).getByRole("button", { name: "Load on this board" }).click();
    await bar(ben.page).getByText("serving").waitFor({ timeout: 60_000 });
  });

  it("book it for later, and cancel", async () => {
    const { page } = ada;
    await openPage(page, `${address}?tab=access`);
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 16);
    await page.getByLabel("From", { exact: true }).fill(tomorrow);
    await page.getByLabel("What for (if you like)").fill("pixel tests");
    await page.getByRole("button", { name: "Book this board" }).click();
    await page.getByText("You have booked it from").waitFor();
    await page.getByRole("button", { name: "As a list" }).click();
    await page.getByText("pixel tests").waitFor();
    await page.getByRole("button", { name: "Cancel the booking" }).click();
    await page.getByText("You have booked it from").waitFor({ state: "detached" });
  });
});
