import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";
import { buildPage, deployPage, endpointPage } from "./pages";
import { barriersOn, openBrowser } from "./support/browser";
import { takePictures } from "./support/pictures";

// A model that nothing says the range of: asked for before it is deployed, told of afterwards, and counted when it matters.

const folder = mkdtempSync(join(tmpdir(), "bw-pair-"));
const file = join(folder, "pair.onnx");
writeFileSync(file, pair.model);
let installation: Installation;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  installation = await startInstallation("e2e-range");
  ({ browser, page, complaints } = await openBrowser({
    baseURL: installation.portalUrl,
    reducedMotion: "reduce",
  }));
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  rmSync(folder, { recursive: true });
});

const barriers = () => barriersOn(page);

describe("a model that nothing says the range of", () => {
  it("is asked about before it is deployed, and a range is understood as it is typed", async () => {
    const form = deployPage(page);
    await form.open();
    await form.giveFile(file);
    await form.reading();
    await form.giveName("pair-assumed");
    const { range } = form;
    await range.asked();
    await page.getByRole("button", { name: /^Deploy/ }).click();
    expect((await form.complaints()).join()).toContain("Nothing says which values");
    await takePictures(page, "deploy-range");
    expect(await barriers()).toEqual([]);
    await range.give("0", "8, 5, 3");
    await page.getByText("3 numbers are given where the model takes 2 inputs.").first().waitFor();
    await range.give("8", "0");
    await page.getByText("0 is below the smallest value, 8.").first().waitFor();
    await range.give("0", "8");
    await page.getByText("Every input from 0 to 8.").waitFor();
    await expect.poll(() => form.complaints()).toEqual([]);
    await page.getByText("Do this from the terminal").click();
    await page.getByText(/"inputRange": \{\s*"min": 0,\s*"max": 8/).waitFor();
    await range.give("", "");
  });

  it("is deployed on the assumption by who says so, and its pages tell of it", async () => {
    const form = deployPage(page);
    await form.range.assume();
    const buildId = await form.deploy();
    expect(await buildPage(page).end(280_000)).toContain("succeeded");
    await page.getByText("Range assumed").waitFor();
    expect(await barriers()).toEqual([]);
    await takePictures(page, "build-range");
    const { body } = await installation.api(`/builds/${buildId}`);
    expect(body).toMatchObject({
      report: { calibration: { synthetic: true, scaledBy: expect.stringContaining("assumed: ") } },
    });
    await untilReady(installation, "pair-assumed");
  });

  it("says how many inputs of a request were cut off, and counts them", async () => {
    const endpoint = endpointPage(page);
    await endpoint.open("pair-assumed");
    await page.getByText("Range assumed").waitFor();
    await endpoint.giveRequest(
      '{"inputs":[{"name":"v0","shape":[2,2],"datatype":"FP32","data":[5.1,3.5,1.4,6.3]}]}',
    );
    await endpoint.send();
    await page.getByText(/^2 of 4 inputs were outside of the range/).waitFor();
    expect(await barriers()).toEqual([]);
    await takePictures(page, "endpoint-range");
    await endpoint.open("pair-assumed", "metrics");
    const { totals } = await endpoint.traffic();
    expect(totals[5]).toBe("2");
  });

  it("leads from its page back to the question", async () => {
    await endpointPage(page).open("pair-assumed");
    await page.getByRole("link", { name: "Deploy again with a range or data rows" }).click();
    await deployPage(page).range.asked();
  });

  it("had no error in the console", () => {
    expect(complaints).toEqual([]);
  });
});
