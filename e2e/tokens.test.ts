import { execFileSync } from "node:child_process";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, until, untilReady, upload } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";
import { endpointPage, listPage, openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// An endpoint is closed in the portal, a token is made for it, its commands are run as they are shown, and it is revoked.

let installation: Installation;
let visit: Visit;
let page: Page;
let token = "";

beforeAll(async () => {
  installation = await startInstallation("e2e-tokens");
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
  const model = await upload(installation, "model.onnx", pair.model);
  await deploy(installation, {
    name: "pair",
    engine: "onnx",
    model: { url: model.body.url, card: pair.card },
    board: { model: "cpu", kind: "cpu" },
  });
  await untilReady(installation, "pair");
});
afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
});

/** Runs a command as somebody would who copied it. */
const run = (command: string, env: Readonly<Record<string, string>> = {}): string =>
  execFileSync("bash", ["-c", command], { encoding: "utf8", env: { ...process.env, ...env } });

describe("an endpoint for programs with a token", () => {
  it("is closed on its page, which leads to a token for it", async () => {
    await openPage(page, "/endpoints/pair?tab=settings");
    const group = page.getByRole("radiogroup", { name: "Who may ask" });
    await group.getByRole("radio", { name: /Whoever shows a token/ }).check();
    await page.getByText("Programs need a token").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "tokens-endpoint");
    await until("the gateway refuses", async () => {
      const answer = await fetch(`${installation.gatewayUrl}/v2/models/pair`);
      return answer.status === 401;
    });
    await page.getByRole("link", { name: "Make one" }).click();
    await page.waitForURL(/\/settings\/tokens/);
    await page.getByRole("combobox", { name: "Endpoints" }).waitFor();
    await expect
      .poll(() => page.getByRole("combobox", { name: "Endpoints" }).inputValue())
      .toBe("pair");
  });

  it("has a token that is shown once, with a command that runs", async () => {
    await page.getByLabel("Name").fill("control room");
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "tokens-new");
    await page.getByRole("button", { name: "Make the token" }).click();
    const made = page.getByRole("status").filter({ hasText: "It is not shown again" });
    await made.waitFor();
    token = await made.locator("code").innerText();
    expect(token).toMatch(/^bw_api_\w{49}$/);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "tokens-made");
    expect(JSON.parse(run(await made.locator("pre").innerText()))).toMatchObject({ name: "pair" });
    await page.getByRole("button", { name: "I stored it" }).click();
    await page.getByLabel("Name").waitFor();
    await page.reload();
    await page.getByText("for pair").waitFor();
    expect(await page.content()).not.toContain(token);
  });

  it("shows the variable of a token in its snippets, which run", async () => {
    await openPage(page, "/endpoints/pair?tab=code");
    await page.getByRole("button", { name: "curl", exact: true }).click();
    const snippet = await page.getByRole("region", { name: /curl/ }).locator("pre").innerText();
    expect(snippet).toContain("$BOARDWALK_TOKEN");
    const answer = JSON.parse(run(snippet, { BOARDWALK_TOKEN: token }));
    expect(answer.outputs[0].data).toHaveLength(2);
    expect(JSON.parse(run(snippet, { BOARDWALK_TOKEN: "bw_api_nothing" })).code).toBe(
      "UNAUTHENTICATED",
    );
  });

  it("goes on answering in the portal", async () => {
    await openPage(page, "/endpoints/pair");
    const endpoint = endpointPage(page);
    await endpoint.send();
    await expect.poll(() => endpoint.timeSplit()).toMatch(/gateway/i);
  });

  it("answers the token no more once it is revoked", async () => {
    await openPage(page, "/settings/tokens");
    await page.getByRole("button", { name: "Revoke control room" }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke control room?" });
    await dialog.getByRole("textbox").fill("control room");
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("There are no tokens yet").waitFor();
    await until("the gateway refuses it", async () => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${installation.gatewayUrl}/v2/models/pair`, { headers });
      return answer.status === 401;
    });
  });

  it("needs no sideways scroll at 320 pixels", async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    for (const path of ["/settings/tokens", "/endpoints/pair?tab=settings"]) {
      await openPage(page, path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => listPage(page).spill(), { message: path }).toBeLessThanOrEqual(0);
    }
  });

  it("had nothing to complain of", () => {
    expect(visit.complaints.filter((text) => !/status of 503/.test(text))).toEqual([]);
  });
});
