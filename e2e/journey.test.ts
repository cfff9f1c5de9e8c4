import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, sampleReference, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { buildPage, deployPage, endpointPage, openPage } from "./pages";
import { takeScreenshots } from "./screenshots";
import { barriersOn, openBrowser } from "./support/browser";
import { settle } from "./support/every-route";

// What a person does, in a real browser, on a whole Boardwalk of its own.

let installation: Installation;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: readonly string[];
const strangers: string[] = [];

beforeAll(async () => {
  installation = await startInstallation("e2e", { steps: "own" });
  ({ browser, context, page, complaints } = await openBrowser({
    baseURL: installation.portalUrl,
    permissions: ["clipboard-read", "clipboard-write"],
  }));
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith("http") && host !== new URL(installation.portalUrl).host)
      strangers.push(request.url());
  });
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

/** Serious findings of axe on the page as it stands. */
const barriers = () => barriersOn(page);

describe("a physicist deploys digits-mlp", () => {
  let buildId = "";

  it("pastes a URL and reads what the model is and who takes it", async () => {
    const form = deployPage(page);
    await form.open();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await form.giveUrl("s3://boardwalk-samples/digits-mlp/model.onnx");
    const line = await form.reading();
    expect(line).toMatch(/ONNX/i);
    expect(line).toContain("pixels");
    expect(line).toMatch(/3,466/);
    await expect.poll(() => form.engine("boardwalk").isEnabled()).toBe(true);
    expect(await barriers()).toEqual([]);
  });

  it("presses Deploy and sees the log run, stages with durations, then the proof", async () => {
    const form = deployPage(page);
    await form.engine("boardwalk").check({ force: true });
    await form.giveName("digits-mlp");
    buildId = await form.deploy();
    const build = buildPage(page);
    // The log follows its end, where such a line may be one of the last.
    await build.line(/Fetching|Yosys|sha256/, 280_000);
    expect(await build.end(280_000)).toContain("succeeded");
    await expect.poll(() => build.stage("synthesise").innerText()).toMatch(/\d\s?(s|min|ms)/);
    const findings = await build.findings();
    expect(findings).toMatch(/Logic cells/);
    expect(findings).toMatch(/MHz/);
    expect(findings).toMatch(/agree/i);
    expect(findings).toMatch(/The logic cells it became, as placed/);
    expect(findings).toMatch(/Forecast and measured/i);
    expect(await barriers()).toEqual([]);
  });

  it("reads which tools made it, and how far off the forecast was", async () => {
    await openPage(page, "/toolchains");
    const ice40 = page.locator("section", { has: page.getByRole("heading", { name: "iCE40" }) });
    await ice40.getByText(/@yowasp\/yosys \d/).waitFor();
    const cycles = ice40.getByRole("row", { name: /array Clock cycles 1 / });
    await expect.poll(() => cycles.innerText()).toMatch(/1\.00 to 1\.00/);
    const gowin = page.locator("section", { has: page.getByRole("heading", { name: "Gowin" }) });
    await expect.poll(() => gowin.innerText()).toContain("npm run setup -- gowin");
    expect(await barriers()).toEqual([]);
  });

  it("sees where it lies on the chip, what time is left, and which cycle does what", async () => {
    const build = buildPage(page);
    await build.open(buildId);
    const chip = build.measured("Where it lies on the chip");
    const row = (name: RegExp) => chip.getByRole("row", { name });
    await expect.poll(() => row(/^Weights/).innerText()).toMatch(/\d/);
    await expect.poll(() => row(/^Serial line/).innerText()).toMatch(/\d/);
    const tile = await build.walkOverChip("ArrowRight", "ArrowDown");
    expect(tile).toMatch(
      /^Column \d+, row \d+: .+, \d+ (logic cell|block RAM|multiplier|pin|clock)/,
    );
    expect(await build.walkOverChip("ArrowDown")).not.toBe(tile);
    const timing = await build.measured("Time to spare").innerText();
    expect(timing).toMatch(/wanted: met/);
    expect(timing).toMatch(/Worst slack \d[\d.]* ns; [\d,]+ register inputs/);
    const cycles = await build.measured("Cycles of one row").innerText();
    expect(cycles).toMatch(/row in, 64 B/);
    expect(cycles).toMatch(/answer out, 20 B/);
    expect(await barriers()).toEqual([]);
  });

  it("shares a line of the log, and the link shows it", async () => {
    await buildPage(page).open(buildId, "?attempt=1#L5");
    await page.getByRole("button", { name: "Line 5", exact: true, pressed: true }).waitFor();
    await expect.poll(() => buildPage(page).selectedLines()).toBe(1);
  });

  it("finds the endpoint in the list, sends the sample, reads classes and time down to cycles", async () => {
    await untilReady(installation, "digits-mlp");
    const endpoint = endpointPage(page);
    await endpoint.openFromList("digits-mlp");
    await endpoint.waitForState("ready", 30_000);
    await endpoint.send();
    const classes = await endpoint.classes();
    expect(classes).toHaveLength(10);
    await expect.poll(() => endpoint.timeSplit()).toMatch(/cycles/);
    expect(await barriers()).toEqual([]);
  });

  it("sends a row of its own and gets the digit that the float model gives", async () => {
    const { input, output } = sampleReference("digits-mlp");
    const row = input.rows[2] as number[];
    const expected = output.rows[2] as number[];
    const endpoint = endpointPage(page);
    await endpoint.giveRequest(
      JSON.stringify({ inputs: [{ name: "pixels", shape: [1, 64], datatype: "FP32", data: row }] }),
    );
    const linked = () => new URL(page.url()).searchParams.get("request");
    const before = linked();
    await page.keyboard.press("ControlOrMeta+Enter");
    // Once it is answered the address leads to it.
    await expect.poll(linked).not.toBe(before);
    const classes = await endpoint.classes();
    const values = classes.map((cells) =>
      Number((cells.at(-1) ?? "").replace("−", "-").replace(",", "")),
    );
    expect(values.indexOf(Math.max(...values))).toBe(expected.indexOf(Math.max(...expected)));
  });

  it("is told at the editor what is wrong with a request", async () => {
    const endpoint = endpointPage(page);
    await endpoint.giveRequest(
      '{"inputs":[{"name":"pixels","shape":[1,64],"datatype":"FP32","data":[1,2]}]}',
    );
    await expect.poll(() => endpoint.requestState()).toMatch(/64/);
  });

  it("copies a curl line that holds the address and the request", async () => {
    const endpoint = endpointPage(page);
    await endpoint.open("digits-mlp");
    await endpoint.copyAsCurl();
    const line = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(line).toContain("/v2/models/digits-mlp/infer");
    expect(await line()).toContain("pixels");
  });

  it("finds its traffic again after a reload, as the gateway counts it", async () => {
    const endpoint = endpointPage(page);
    await endpoint.open("digits-mlp", "metrics");
    const before = await endpoint.traffic();
    await page.reload();
    // What was asked just now is counted a few seconds later.
    const asked = async () =>
      Number(/^(\d+) request/.exec((await endpoint.traffic()).sentence)?.[1]);
    await expect.poll(asked).toBeGreaterThanOrEqual(2);
    const after = await endpoint.traffic();
    expect(after.totals.slice(0, 5)).toEqual(before.totals.slice(0, 5));
    const answer = await fetch(`${installation.gatewayUrl}/v2/models/digits-mlp/stats`);
    const { model_stats } = (await answer.json()) as {
      model_stats: { version: string; inference_stats: { success: { count: number } } }[];
    };
    const [{ version, inference_stats } = { version: "", inference_stats: null }] = model_stats;
    expect(after.totals.slice(0, 2)).toEqual([version, `${inference_stats?.success.count}`]);
    expect(after.charts).toHaveLength(3);
    // Its last minute may be one in which nobody asked.
    expect(after.charts[2]).toMatch(/^Latency in the gateway: p99 up to [\d.]+.*: p50 ([\d.]+|–)/);
  });
});

describe("the same request again", () => {
  it("is reused, and says so", async () => {
    const form = deployPage(page);
    await form.open();
    await form.giveUrl("s3://boardwalk-samples/digits-mlp/model.onnx");
    await form.reading();
    await form.giveName("digits-again");
    await form.deploy();
    await page
      .getByText(/reused/i)
      .first()
      .waitFor({ timeout: 60_000 });
    await untilReady(installation, "digits-again");
  });

  it("by upload, on the CPU, is ready in seconds", async () => {
    const form = deployPage(page);
    await form.open();
    await form.giveFile("public/samples/iris-mlp/model.onnx");
    await form.reading();
    await form.engine("onnx").check({ force: true });
    await expect.poll(() => form.name()).toBe("model");
    await form.giveName("iris-cpu");
    await form.deploy();
    await untilReady(installation, "iris-cpu", 60_000);
  });
});

describe("builds side by side", () => {
  it("are marked in the list and compared, the better of each row marked", async () => {
    await openPage(page, "/builds?state=succeeded");
    const boxes = page.getByRole("checkbox", { name: /^Select .+, build / });
    await boxes.first().check();
    await boxes.nth(1).check();
    await page.getByRole("link", { name: "Compare", exact: true }).click();
    await page.getByRole("heading", { name: "Compare builds" }).waitFor();
    const table = page.getByRole("table");
    await table.waitFor();
    const columns = await table.getByRole("columnheader").allInnerTexts();
    expect(columns.map((text) => text.trim().charAt(0))).toEqual(["A", "B"]);
    // A build on the CPU and one on a board have not one engine.
    await expect.poll(() => table.getByRole("row", { name: /Engine\s*, differs/ }).count()).toBe(1);
    const log = page.getByRole("region", { name: "A and B", exact: true });
    const line = log.getByRole("link", { name: /^Line \d+ of B, / });
    await line.waitFor();
    expect(await barriers()).toEqual([]);
    const at = await line.getAttribute("href");
    expect(at).toMatch(/^\/builds\/bld_[^?]+\?attempt=\d+#L\d+$/);
    await page.getByRole("button", { name: /Leave out A/ }).click();
    await page.getByText("Add a second build to compare it with.").waitFor();
  });

  it("of one model can be added to each other, and are drawn in one plot", async () => {
    const { items } = (await installation.api("/builds?state=succeeded")).body as {
      items: { id: string; endpointName: string }[];
    };
    const ids = items.filter(({ endpointName }) => endpointName.startsWith("digits-"));
    await openPage(page, `/builds/compare?ids=${ids[0]?.id}`);
    await page.getByLabel(/^Add a build of/).selectOption(ids[1]?.id ?? "");
    const points = page.getByRole("link", { name: /logic cells, .*agreement/ });
    await points.nth(1).waitFor();
    await expect.poll(() => points.count()).toBe(2);
    await points.first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/builds\/bld_/);
  });

  it("that do not exist are said to be so", async () => {
    await openPage(page, "/builds/compare?ids=bld_nothing");
    await page.getByRole("main").getByText("There is no build “bld_nothing”").first().waitFor();
    await openPage(page, "/builds/compare");
    await page.getByText("No builds are chosen.").waitFor();
  });
});

describe("what goes wrong", () => {
  it("a taken name is said at the field and keeps what was typed", async () => {
    const form = deployPage(page);
    await form.open();
    await form.giveUrl("s3://boardwalk-samples/digits-mlp/model.onnx");
    await form.reading();
    await form.giveName("digits-mlp");
    await page
      .getByRole("button", { name: /^Deploy/ })
      .last()
      .click();
    await page
      .getByText(/taken|in use|exists/i)
      .first()
      .waitFor();
    await expect
      .poll(() => page.getByLabel("Which model?").inputValue())
      .toContain("digits-mlp/model.onnx");
  });

  it("a URL that is no model is refused with its reason", async () => {
    const form = deployPage(page);
    await form.open();
    await form.giveUrl("s3://boardwalk-samples/nothing/model.onnx");
    await expect.poll(() => form.refusal()).toMatch(/no|not/i);
  });

  it("a failing build shows its first error on top", async () => {
    const { buildId } = await deploy(installation, {
      name: "failing",
      engine: "boardwalk",
      model: { url: "s3://boardwalk-samples/iris-mlp/card.json" },
      board: { model: "icebreaker", kind: "simulated" },
    });
    const build = buildPage(page);
    await build.open(buildId);
    expect(await build.end(60_000)).toContain("failed");
    expect((await build.failure()).length).toBeGreaterThan(20);
    expect(await barriers()).toEqual([]);
  });
});

describe("every page", () => {
  it.each(["/", "/deploy", "/builds", "/builds/compare", "/boards", "/endpoints"])(
    "%s has no barriers in either theme, and fits a phone",
    async (path) => {
      for (const theme of ["light", "dark"]) {
        await context.addCookies([{ name: "theme", value: theme, url: installation.portalUrl }]);
        await openPage(page, path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await settle(page);
        expect(await barriers()).toEqual([]);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1440, height: 900 });
    },
  );

  it("asks nobody but the portal, and complains of nothing", () => {
    expect(strangers).toEqual([]);
    expect(complaints.filter((text) => !/40[49]|422|Failed to load resource/.test(text))).toEqual(
      [],
    );
  });

  // Of `npm run screenshots`: minutes, for people to look at.
  if (process.env["PICTURES"] === "1") {
    it("is written as pictures in both themes and three widths", async () => {
      const count = await takeScreenshots(browser, {
        origin: installation.portalUrl,
        folder: "e2e/screenshots",
      });
      expect(count).toBeGreaterThan(60);
    });
  }
});

describe("the palette", () => {
  const search = () => page.getByRole("combobox", { name: "Search or jump to" });
  const options = () => page.getByRole("option");

  it("says when nothing is called so", async () => {
    await openPage(page, "/builds");
    await page.getByRole("heading", { level: 1, name: "Builds" }).waitFor();
    await page.keyboard.press("Control+k");
    await expect
      .poll(() => search().evaluate((field) => field === document.activeElement))
      .toBe(true);
    await expect.poll(() => options().count()).toBeGreaterThan(6);
    await page.keyboard.type("no such thing");
    await page.getByText("Nothing here is called “no such thing”.").waitFor();
    expect(await options().count()).toBe(0);
    expect(await barriers()).toEqual([]);
  });

  it("jumps by a few letters and the keyboard alone", async () => {
    await search().fill("iris-cpu endp");
    await options().filter({ hasText: "iris-cpu" }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/endpoints\/iris-cpu/);
    await search().waitFor({ state: "detached" });
  });

  it("goes down and up the list, and is left by Escape", async () => {
    await page.keyboard.press("Control+k");
    await search().fill("page");
    await options().filter({ hasText: "Toolchains" }).waitFor();
    const highlighted = () =>
      search().evaluate((input) => {
        const id = input.getAttribute("aria-activedescendant");
        return id === null ? null : document.getElementById(id)?.textContent;
      });
    await expect.poll(highlighted).toBe("HomePage");
    await page.keyboard.press("ArrowDown");
    await expect.poll(highlighted).toBe("DeployPage");
    await page.keyboard.press("ArrowUp");
    await expect.poll(highlighted).toBe("HomePage");
    await page.keyboard.press("Escape");
    await search().waitFor({ state: "detached" });
    expect(page.url()).toMatch(/\/endpoints\/iris-cpu/);
  });
});

describe("deleting", () => {
  it("takes the endpoint away and frees its name", async () => {
    await endpointPage(page).remove("iris-cpu");
    const { status } = await installation.api("/endpoints/iris-cpu");
    expect([404, 200]).toContain(status);
    const ready = () => fetch(`${installation.gatewayUrl}/v2/models/iris-cpu/ready`);
    await expect.poll(async () => (await ready()).status).not.toBe(200);
  });
});
