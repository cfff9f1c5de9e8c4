import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, until, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { deployPage, endpointPage, openPage } from "./pages";
import { barriersOn, openBrowser } from "./support/browser";
import { takePictures } from "./support/pictures";

// What a person changes of an endpoint that answers, while somebody else goes on calling it.

const name = "iris-changed";
let installation: Installation;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  installation = await startInstallation("e2e-change");
  ({ browser, page, complaints } = await openBrowser({
    baseURL: installation.portalUrl,
    reducedMotion: "reduce",
  }));
  await deploy(installation, {
    name,
    engine: "boardwalk",
    model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
    board: { model: "icebreaker", kind: "simulated" },
    inputRange: { min: 0, max: 8 },
    options: { weightBits: 6 },
    serving: { maxWaitMs: 1, preferredBatchSizes: [2] },
  });
  await untilReady(installation, name, 280_000);
}, 600_000);

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

const barriers = () => barriersOn(page);
const dialog = () => page.getByRole("dialog");
const notice = (text: string | RegExp) => page.getByText(text).first().waitFor();
const undo = () => page.getByRole("button", { name: /^Undo/ }).first();

/** What a client of V2 gets: the version that answered, or the status of the refusal. */
async function ask(): Promise<string | number> {
  const response = await fetch(`${installation.gatewayUrl}/v2/models/${name}/infer`, {
    method: "POST",
    body: JSON.stringify({
      inputs: [{ name: "features", shape: [1, 4], datatype: "FP32", data: [5.1, 3.5, 1.4, 0.2] }],
    }),
  });
  const body = (await response.json()) as { model_version?: string };
  return body.model_version ?? response.status;
}

/** Calls it again and again until it answers as wanted; answers all that came before. */
async function askUntil(wanted: string | number): Promise<(string | number)[]> {
  const seen: (string | number)[] = [];
  await until(`answer ${wanted}`, async () => {
    const answer = await ask();
    seen.push(answer);
    return answer === wanted;
  });
  return [...new Set(seen)];
}

describe("an endpoint that answers", () => {
  it("opens the form with all that its revision was asked for with", async () => {
    await endpointPage(page).open(name);
    await page.getByRole("link", { name: "New revision" }).click();
    await page.getByRole("heading", { name: `New revision of ${name}` }).waitFor();
    const form = deployPage(page);
    await form.reading();
    await expect.poll(() => page.getByLabel("Smallest value").inputValue()).toBe("0");
    await expect.poll(() => page.getByLabel("Largest value").inputValue()).toBe("8");
    await expect
      .poll(() => page.getByLabel("rows in one call, and wait at most").inputValue())
      .toBe("1");
    await page.getByText("Engine’s own, changed: Weight bits.").waitFor();
    await page.getByText(`${name} keeps its name and its address.`).waitFor();
    await expect.poll(() => form.engine("boardwalk").isChecked()).toBe(true);
    await page.getByText("None yet.").waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("says what a change changes, and what callers will notice of it", async () => {
    await page.getByLabel("Send up to").fill("4");
    const summary = page.getByRole("complementary", { name: "Summary" });
    await summary.getByText("Maximum batch size, rows").waitFor();
    await expect.poll(() => summary.innerText()).toMatch(/not set → 4/);
    await expect.poll(() => summary.innerText()).toMatch(/revision 1 answers until then/);
    await summary.getByText(/it is reused: seconds, no build/).waitFor();
    await summary.getByText("Do this from the terminal").click();
    const command = await summary.locator("pre, code").first().innerText();
    expect(command).toContain(`/api/v1/endpoints/${name}/revisions`);
    expect(command).toContain('"preferredBatchSizes"');
    expect(command).not.toContain('"name": "iris-changed"');
    expect(await barriers()).toEqual([]);
    await takePictures(page, "revision-form");
  });

  it("switches to the new revision without a request failing", async () => {
    await page.getByRole("button", { name: /^Add revision/ }).click();
    await page.waitForURL(/\/builds\/bld_/);
    await notice(`Revision 2 of ${name} is being built.`);
    await undo().waitFor();
    expect(await barriers()).toEqual([]);
    expect((await askUntil("2")).filter((each) => each !== "1" && each !== "2")).toEqual([]);
  });

  it("rolls back from the list of revisions, which says first what differs", async () => {
    await endpointPage(page).open(name, "revisions");
    await page.getByRole("button", { name: "Roll back to revision 1" }).click();
    await dialog().getByText("Nothing is built").waitFor();
    await expect
      .poll(() =>
        dialog()
          .getByRole("row", { name: /Maximum batch size/ })
          .innerText(),
      )
      .toMatch(/4\s+not set/);
    await dialog()
      .getByText(/revision 2 answers until then/)
      .waitFor();
    expect(await barriers()).toEqual([]);
    await takePictures(page, "rollback");
    await dialog().getByRole("button", { name: "Roll back", exact: true }).click();
    await notice(`${name} is being rolled back to revision 1.`);
    expect((await askUntil("1")).filter((each) => each !== "1" && each !== "2")).toEqual([]);
    const { body } = await installation.api("/builds");
    expect((body as { items: unknown[] }).items).toHaveLength(2);
  });

  it("takes the rollback back with the button that has the focus", async () => {
    await page.waitForFunction(() => document.activeElement?.hasAttribute("data-undo"));
    // It waits for whoever has the focus on it, though the dialog was left with the mouse.
    await page.waitForTimeout(11_000);
    await page.keyboard.press("Enter");
    expect((await askUntil("2")).filter((each) => each !== "1" && each !== "2")).toEqual([]);
  });

  it("is paused by the keyboard, answers 503 meanwhile, and answers again after the undo", async () => {
    await endpointPage(page).open(name);
    await page.getByRole("button", { name: "Pause", exact: true }).press("Enter");
    await dialog()
      .getByText(/Requests get 503 from now on/)
      .waitFor();
    expect(await barriers()).toEqual([]);
    await takePictures(page, "pause");
    await dialog().getByRole("button", { name: "Pause", exact: true }).press("Enter");
    await notice(`${name} is paused.`);
    expect((await askUntil(503)).filter((each) => each !== "2" && each !== 503)).toEqual([]);
    await page.getByText("Paused: requests get 503").first().waitFor();
    await endpointPage(page).waitForState("paused", 10_000);
    await page.waitForFunction(() => document.activeElement?.hasAttribute("data-undo"));
    await takePictures(page, "paused");
    await page.keyboard.press("Enter");
    await askUntil("2");
    await endpointPage(page).waitForState("ready", 10_000);
  });

  it("is paused and resumed from the list, as by clients that unload and load", async () => {
    await openPage(page, "/endpoints");
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Pause…" }).waitFor();
    expect(await barriers()).toEqual([]);
    await takePictures(page, "endpoint-menu");
    await page.getByRole("menuitem", { name: "Pause…" }).click();
    await dialog().getByRole("button", { name: "Pause", exact: true }).click();
    await askUntil(503);
    await fetch(`${installation.gatewayUrl}/v2/repository/models/${name}/load`, { method: "POST" });
    await askUntil("2");
    await fetch(`${installation.gatewayUrl}/v2/repository/models/${name}/unload`, {
      method: "POST",
    });
    await until("the list says so", () =>
      page
        .getByRole("row", { name: new RegExp(name) })
        .getByText("paused")
        .isVisible(),
    );
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Resume…" }).click();
    await dialog().getByRole("button", { name: "Resume", exact: true }).click();
    await notice(`${name} is resumed.`);
    await askUntil("2");
  });

  it("leads from its settings to the question that changes them", async () => {
    await endpointPage(page).open(name, "settings");
    await page.getByText(/Maximum batch size, rows: 4/).waitFor();
    expect(await barriers()).toEqual([]);
    await takePictures(page, "settings");
    await page.getByRole("link", { name: "Change serving" }).click();
    await page.waitForFunction(() => document.activeElement?.id === "serving-replicas");
    await expect.poll(() => page.getByLabel("Send up to").inputValue()).toBe("4");
  });

  it("fills the form from a build as well", async () => {
    const { body } = await installation.api(`/endpoints/${name}`);
    await openPage(page, `/builds/${(body as { buildId: string }).buildId}`);
    await page.getByRole("link", { name: "Deploy again" }).click();
    await deployPage(page).reading();
    await expect.poll(() => page.getByLabel("Largest value").inputValue()).toBe("8");
    await expect.poll(() => page.getByLabel("Send up to").inputValue()).toBe("4");
    await expect.poll(() => deployPage(page).name()).toMatch(/^iris-mlp/);
  });

  it("is deleted only by who types its name, and is not asked for while its page is left", async () => {
    // The news of the deletion comes before the answer: the page still stands.
    await page.route(`**/api/v1/endpoints/${name}`, async (route) => {
      if (route.request().method() !== "DELETE") return route.continue();
      const response = await route.fetch();
      await new Promise((done) => setTimeout(done, 2000));
      return route.fulfill({ response });
    });
    await endpointPage(page).remove(name);
    expect(await askUntil(404)).not.toContain("2");
  });

  it("had no error in the console", () => {
    expect(complaints).toEqual([]);
  });
});
