import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportOnnx } from "@/compiler";
import { quantizedGraph } from "@/tests/support/compiler/quantized-graph";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { deployPage, openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// What the form tells of every kind of model before anything is built.

const fixtures = "tests/fixtures/models";
let installation: Installation;
let visit: Visit;
let page: Page;
let quantized = "";

beforeAll(async () => {
  quantized = join(await mkdtemp(join(tmpdir(), "bw-quantized-")), "model.onnx");
  const signed = (fraction: number) => ({ type: "INT8" as const, zero: 0, fraction });
  const graph = quantizedGraph({ sizes: [4, 6, 3], input: signed(5), stops: [signed(3), null] });
  await writeFile(quantized, exportOnnx(graph));
  installation = await startInstallation("e2e-forecast");
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
});

afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
});

const summary = () => page.getByRole("complementary", { name: "Summary" });

async function open(
  path: string,
  board: string,
  options: object = {},
  engine = "boardwalk",
): Promise<void> {
  const asked = encodeURIComponent(JSON.stringify(options));
  await openPage(page, `/deploy?engine=${engine}&board=${board}&options=${asked}`);
  const form = deployPage(page);
  await form.giveFile(path);
  await form.reading();
}

describe("the forecast in the form", () => {
  it.each([
    {
      kind: "trees",
      path: () => `${fixtures}/breast-cancer-xgboost/model.json`,
      core: /all trees side by side/,
    },
    {
      kind: "convolutions",
      path: () => `${fixtures}/digits-cnn/model.onnx`,
      core: /1,735\s*cycles ± 0\s+[^,]+, 8 lanes/,
    },
    {
      kind: "tanh",
      path: () => `${fixtures}/diabetes-mlp/model.onnx`,
      core: /8 lanes/,
    },
    {
      kind: "quantised",
      path: () => quantized,
      core: /unrolled: adders for every weight/,
    },
  ])("is there for $kind, with every figure and its band", async ({ kind, path, core }) => {
    await open(path(), "icebreaker");
    await summary().getByText("cycles ±").waitFor();
    const words = await summary().innerText();
    expect(words).toMatch(core);
    expect(words).toMatch(/Logic cells\s+about [\d,]+ of 5,280 ±/);
    expect(words).toMatch(/Flip-flops\s+about [\d,]+ of 5,280 ±/);
    expect(words).toMatch(/Block RAM\s+\d+ of 30/);
    expect(words).toMatch(/Serial line, row and answer\s+[\d.,]+\s*(µs|ms)/);
    expect(words).toMatch(/Build\s+about \d+\s*s, \d+ to \d+/);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, `deploy-forecast-${kind}`);
  });

  it("follows the options as they are typed", async () => {
    await open(`${fixtures}/digits-cnn/model.onnx`, "icebreaker");
    await summary().getByText("1,735").waitFor();
    await page.getByRole("button", { name: "Show options" }).click();
    await page.getByLabel("Lanes", { exact: true }).fill("2");
    await summary().getByText("2 lanes").waitFor();
    await page.getByLabel("Clock (Hz)").fill("12000000");
    await summary().getByText("at 12 MHz").waitFor();
  });

  it("shows the board that is chosen, however many there are before it", async () => {
    await open(`${fixtures}/diabetes-mlp/model.onnx`, "ulx3s-85f");
    await summary().getByText("cycles ±").waitFor();
    const strip = page.getByRole("radiogroup", { name: "Which board?" });
    const around = await strip.boundingBox();
    const card = await strip.locator("label").filter({ hasText: "ULX3S 85F" }).boundingBox();
    if (!around || !card) throw new Error("no board is drawn");
    expect(card.x).toBeGreaterThanOrEqual(around.x);
    expect(card.x + card.width).toBeLessThanOrEqual(around.x + around.width);
  });

  it("says how much is missing of a model that cannot fit, and takes over what would fit", async () => {
    await open(`${fixtures}/wine-sklearn-forest/model.onnx`, "icestick");
    await summary().getByText("It will not fit").waitFor();
    const words = await summary().innerText();
    expect(words).toMatch(/Logic cells\s+[\d,]+ of 960/);
    expect(words).toMatch(/[\d,]+ too many/);
    await takePictures(page, "deploy-forecast-lack");
    await summary().getByRole("button", { name: /^On / }).first().click();
    await summary().getByText("cycles ±").waitFor();
  });
});

describe("settings of single layers in the form", () => {
  it("are asked for by the names of the model, and complained about where they do not hold", async () => {
    const layers = { gone: { width: 8 } };
    await open("public/samples/jets-shape-mlp/model.keras", "cpu", { layers }, "hls4ml");
    await page.getByRole("button", { name: "Show options" }).click();
    const list = page.getByRole("list", { name: "Layers" });
    await list.getByText("fc1 MatMul").waitFor();
    await list.getByLabel("Bits of fc2", { exact: true }).fill("99");
    await list.getByLabel("Reuse factor of fc2").selectOption("4");
    await page.getByRole("button", { name: /^Deploy/ }).click();
    const question = page.locator("#question-options");
    const complaint = page.locator("#error-options");
    await complaint.getByText("This model has no layer “gone”").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "deploy-layers");
    await question.getByRole("button", { name: "Take its settings out" }).click();
    await complaint.getByText("Bits of layer “fc2” is at most 48.").waitFor();
    await list.getByLabel("Bits of fc2", { exact: true }).fill("8");
    await complaint.waitFor({ state: "detached" });
    const command = page.getByText("curl -sS").first();
    expect(((await command.textContent()) ?? "").replace(/\s/g, "")).toContain(
      '"options":{"layers":{"fc2":{"reuseFactor":4,"width":8}}}',
    );
  });

  it("took no fault of the pages", () => {
    expect(visit.complaints).toEqual([]);
  });
});
