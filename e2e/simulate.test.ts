import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, untilReady, upload } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { endpointPage, simulatePanel } from "./pages";
import { barriersOn, openBrowser } from "./support/browser";

// The proof that anybody can repeat: designs that were built here, run in a real browser without their board.

let installation: Installation;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: readonly string[];

const iris = { url: "s3://boardwalk-samples/iris-mlp/model.onnx" };
const simulated = { model: "icebreaker", kind: "simulated" };
const simulationFile = /\/api\/v1\/artifacts\/[^/]+\/files\/simulation$/;

beforeAll(async () => {
  installation = await startInstallation("e2e-simulate");
  const trees = await upload(
    installation,
    "model.json",
    readFileSync("tests/fixtures/models/iris-xgboost/model.json"),
  );
  const endpoints = [
    { name: "an-array", engine: "boardwalk", model: iris, options: { architecture: "array" } },
    {
      name: "unrolled",
      engine: "boardwalk",
      model: iris,
      options: { architecture: "unrolled", precision: "smallest" },
    },
    { name: "trees", engine: "boardwalk", model: { url: trees.body.url } },
    { name: "on-cpu", engine: "onnx", model: iris, board: { model: "cpu", kind: "cpu" } },
  ];
  for (const endpoint of endpoints) await deploy(installation, { board: simulated, ...endpoint });
  for (const { name } of endpoints) await untilReady(installation, name, 280_000);
  ({ browser, context, page, complaints } = await openBrowser({ baseURL: installation.portalUrl }));
}, 600_000);

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

/** Serious findings of axe on the page as it stands. */
const barriers = () => barriersOn(page);

describe("a design in the page", () => {
  it.each(["an-array", "unrolled", "trees"])(
    "%s answers the editor's row like its endpoint, in the cycles of the schedule, and every vector",
    async (name) => {
      const simulate = simulatePanel(page);
      await simulate.open(name);
      await simulate.run();
      const verdict = await simulate.verdict();
      expect(verdict).toContain("Equal bit for bit");
      expect(verdict).toMatch(/\d+ cycles, as scheduled/);
      await expect
        .poll(() => simulate.panel.innerText())
        .toMatch(/sha256:.* checked against the artifact/);
      const vectors = await simulate.runVectors();
      const [, equal, total] = /^([\d,]+) of ([\d,]+) answers are equal/.exec(vectors) ?? [];
      expect(equal).toBe(total);
      expect(Number(total?.replace(",", ""))).toBeGreaterThan(500);
    },
  );

  it("takes another row when the editor holds one, and says before that it would", async () => {
    const simulate = simulatePanel(page);
    await simulate.open("an-array");
    await simulate.run();
    const first = await simulate.verdict();
    const rows = [5.1, 3.5, 1.4, 0.2, 7.7, 2.6, 6.9, 2.3];
    await endpointPage(page).giveRequest(
      JSON.stringify({
        inputs: [{ name: "features", shape: [2, 4], datatype: "FP32", data: rows }],
      }),
    );
    await simulate.panel.getByText(/The row in the editor changed/).waitFor();
    await simulate.panel.getByRole("spinbutton", { name: /Row/ }).fill("2");
    await simulate.button("Run to the answer").click();
    await simulate.panel.getByText(/answer complete/).waitFor();
    // The answer to the row before stands there until this one is complete.
    await expect.poll(() => simulate.verdict()).not.toBe(first);
    await expect.poll(() => simulate.verdict()).toContain("Equal bit for bit");
    await endpointPage(page).giveRequest('{"inputs":[]}');
    await simulate.button("Run to the answer").click();
    await expect.poll(() => simulate.problem()).toMatch(/cannot take the request in the editor/);
    // What was typed is kept for the next visit; the sample begins anew.
    await page.getByRole("button", { name: "Sample" }).click();
    await simulate.button("Run to the answer").click();
    await expect.poll(() => simulate.panel.getByRole("alert").count()).toBe(0);
    await expect.poll(() => simulate.verdict()).toContain("Equal bit for bit");
  });

  it("goes one cycle, and to the next byte, and back, by keyboard", async () => {
    const simulate = simulatePanel(page);
    await simulate.open("an-array");
    await simulate.run();
    await simulate.verdict();
    const press = async (name: string) => {
      await simulate.button(name).focus();
      await page.keyboard.press("Enter");
    };
    const stands = (text: string) => simulate.panel.getByText(text).waitFor();
    await press("Reset");
    await stands("Cycle 0 · 0 bytes in · 0 bytes out");
    await press("Step one cycle");
    await stands("Cycle 1 · 0 bytes in · 0 bytes out");
    await press("Step one cycle");
    await stands("Cycle 2 · 1 byte in · 0 bytes out");
    for (const taken of [2, 3]) {
      await press("Step to next byte");
      await stands(`Cycle ${taken + 1} · ${taken} bytes in · 0 bytes out`);
    }
    await press("Step to next byte");
    await stands("· 4 bytes in · 0 bytes out");
    expect((await simulate.values()).get("out_valid")).toBe("1");
    await press("Step one cycle");
    await stands("· 4 bytes in · 1 byte out");
  });
});

describe("the waveform", () => {
  it("is read by keyboard: values under the cursor, bytes that pass, zoom", async () => {
    const simulate = simulatePanel(page);
    await simulate.open("an-array");
    await simulate.run();
    await simulate.verdict();
    await simulate.cursor.focus();
    await page.keyboard.press("Home");
    expect((await simulate.values()).get("rst")).toBe("1");
    await page.keyboard.press("Shift+ArrowRight");
    const first = await simulate.values();
    expect([first.get("cycle"), first.get("in_valid"), first.get("in_ready")]).toEqual([
      "1",
      "1",
      "1",
    ]);
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+ArrowLeft");
    const last = await simulate.values();
    expect([last.get("out_valid"), last.get("out_last")]).toEqual(["1", "1"]);
    const counted = Number.parseInt(last.get("cycles") ?? "", 16);
    await expect.poll(() => simulate.answer.innerText()).toContain(`${counted} cycles`);
    await simulate.wave.getByRole("button", { name: "unsigned" }).click();
    expect((await simulate.values()).get("cycles")).toBe(String(counted));

    expect((await simulate.values()).has("tap_value")).toBe(false);
    await simulate.wave.getByRole("checkbox", { name: "Internal signals" }).check();
    await expect.poll(async () => (await simulate.values()).has("tap_value")).toBe(true);

    const drawn = () => simulate.wave.locator("[data-transfer=in]").first().boundingBox();
    const before = await drawn();
    await simulate.cursor.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("+");
    expect((await drawn())?.width).toBeCloseTo(2 * (before?.width ?? 0), 0);
    await page.keyboard.press("0");
    expect((await drawn())?.width).toBeCloseTo(before?.width ?? 0, 0);
    expect(await barriers()).toEqual([]);
  });

  it("is moved by dragging and pointed at by a click", async () => {
    const simulate = simulatePanel(page);
    await simulate.wave.getByRole("button", { name: "Zoom in" }).click();
    await simulate.wave.getByRole("button", { name: "Zoom in" }).click();
    const box = await simulate.cursor.boundingBox();
    if (!box) throw new Error("no waveform");
    const pick = async () => {
      await page.mouse.click(box.x + box.width / 2, box.y + 40);
      return Number((await simulate.values()).get("cycle"));
    };
    const before = await pick();
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 200, box.y + 60, { steps: 5 });
    await page.mouse.up();
    expect(await pick()).toBeGreaterThan(before);
  });

  it("is saved as a value change dump that names the artifact", async () => {
    const simulate = simulatePanel(page);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      simulate.button("Download VCD").click(),
    ]);
    expect(download.suggestedFilename()).toBe("an-array-row-1.vcd");
    const text = readFileSync(await download.path(), "utf8");
    expect(text).toMatch(/^\$comment Boardwalk, endpoint an-array, artifact sha256:[0-9a-f]{64} /);
    for (const name of [
      "clk",
      "in_valid",
      "in_ready",
      "in_data",
      "out_valid",
      "out_data",
      "cycles",
    ])
      expect(text).toMatch(new RegExp(`^\\$var wire \\d+ \\S+ ${name}( |$)`, "m"));
  });
});

describe("where there is nothing to run", () => {
  it("a CPU endpoint says that it has no design", async () => {
    const simulate = simulatePanel(page);
    await simulate.open("on-cpu");
    await expect.poll(() => simulate.panel.innerText()).toMatch(/no design to run.*CPU/);
    expect(await simulate.button(/Run/).count()).toBe(0);
  });

  it("a file that is gone is named, with what to do", async () => {
    await context.route(simulationFile, (route) =>
      route.fulfill({
        status: 404,
        json: {
          error: {
            code: "not_found",
            reason: "ARTIFACT_MISSING",
            message: "The bytes of this file are gone from the store.",
            requestId: "r",
          },
        },
      }),
    );
    const simulate = simulatePanel(page);
    await simulate.open("an-array");
    await simulate.run();
    await expect
      .poll(() => simulate.problem())
      .toMatch(/gone from the store[\s\S]*Build the model again/);
    await context.unroute(simulationFile);
  });

  it("bytes with another digest are not run; tried again, the right ones are", async () => {
    await context.route(simulationFile, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 800));
      const answer = await route.fetch();
      const body = await answer.body();
      body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1;
      await route.fulfill({ response: answer, body });
    });
    const simulate = simulatePanel(page);
    await simulate.open("an-array");
    await simulate.run();
    await simulate.panel.getByRole("progressbar", { name: "Download of the design" }).waitFor();
    await expect.poll(() => simulate.problem()).toMatch(/another digest[\s\S]*ARTIFACT_MISMATCH/);
    await context.unroute(simulationFile);
    await simulate.button("Try again").click();
    await expect.poll(() => simulate.verdict()).toContain("Equal bit for bit");
  });

  it("a browser that forbids WebAssembly is told apart", async () => {
    const script = /\/_next\/static\/chunks\/turbopack-worker/;
    await context.route(script, async (route) => {
      const answer = await route.fetch();
      const headers = { ...answer.headers(), "content-security-policy": "script-src 'self'" };
      await route.fulfill({ response: answer, headers });
    });
    const simulate = simulatePanel(page);
    await simulate.open("an-array");
    await simulate.run();
    await expect
      .poll(() => simulate.problem())
      .toMatch(/WebAssembly[\s\S]*WEBASSEMBLY_UNAVAILABLE/);
    await context.unroute(script);
  });
});

describe("the looks of it", () => {
  it("has no barriers in either theme, fits a phone, and is written as pictures", async () => {
    await mkdir("e2e/screenshots", { recursive: true });
    const simulate = simulatePanel(page);
    for (const theme of ["light", "dark"]) {
      await context.addCookies([{ name: "theme", value: theme, url: installation.portalUrl }]);
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await simulate.open("an-array");
        await simulate.run();
        await simulate.verdict();
        await simulate.runVectors();
        expect(await barriers()).toEqual([]);
        const overflow = () =>
          page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        await expect.poll(overflow).toBeLessThanOrEqual(0);
        await page.screenshot({
          path: `e2e/screenshots/simulate-${theme}-${width}.png`,
          fullPage: true,
        });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("complained of nothing but what was broken on purpose", () => {
    expect(
      complaints.filter((text) => !/404|422|Failed to load resource|WebAssembly/.test(text)),
    ).toEqual([]);
  });
});
