import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BuildTimeline, LogLine, Stage, StageName } from "@/lib/common/contract";
import { closeDatabase } from "@/lib/server/db";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { tellBuild } from "@/tests/support/story";
import { openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// The page of a build as one story, its log however long, and who is told of its end.

let installation: Installation;
let visit: Visit;
let page: Page;
let databaseUrl: string;
let failed = "";
let long = "";
let cpu = "";

/** When the attempt that is told began. */
let startedMs = 0;
const at = (seconds: number) => new Date(startedMs + seconds * 1000).toISOString();
const run = (from: number, to: number, more: object = {}) => ({
  ...{ startedAt: at(from), endedAt: at(to), state: "succeeded" as const },
  ...more,
});
const stage = (
  name: StageName,
  state: Stage["state"],
  runs: Stage["runs"],
  lines?: [number, number],
): Stage => ({
  ...{ name, state, runs, startedAt: runs?.[0]?.startedAt ?? null },
  durationMs: runs?.length
    ? runs.reduce(
        (sum, each) => sum + Date.parse(each.endedAt ?? at(40)) - Date.parse(each.startedAt),
        0,
      )
    : null,
  ...(lines ? { firstLine: lines[0], lastLine: lines[1] } : {}),
});
const missed = { clock: { hz: 48e6, achievedMhz: 46.5, isMet: false } };
const met = { clock: { hz: 42e6, achievedMhz: 46.6, isMet: true } };
const failedStages = (): readonly Stage[] => [
  stage("fetch", "succeeded", [run(0.1, 0.4)], [1, 3]),
  stage("inspect", "succeeded", [run(0.4, 1)]),
  stage("plan", "succeeded", [run(1, 3)], [4, 5]),
  stage("synthesise", "succeeded", [run(3, 12)], [6, 200]),
  stage(
    "place",
    "failed",
    [run(12, 22, missed), run(22, 34, { ...met, state: "failed" })],
    [201, 399],
  ),
  stage("pack", "waiting", []),
  stage("simulate", "succeeded", [run(4, 7)]),
  stage("verify", "succeeded", [run(7, 11)]),
  stage("store", "waiting", []),
];

const markup = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`;
const line = (n: number, name: StageName, level: LogLine["level"], text: string): LogLine => ({
  ...{ n, time: at(n / 12), stage: name, stream: "stdout", level, text },
});
const fewLines = (): LogLine[] =>
  Array.from({ length: 400 }, (_, index) => {
    const n = index + 1;
    const name = n <= 3 ? "fetch" : n <= 5 ? "plan" : n <= 200 ? "synthesise" : "place";
    if (n % 50 === 0 && n <= 200)
      return line(n, name, "warning", `Warning: Replacing memory \\w${n} with list of registers.`);
    if (n === 230) return line(n, name, "error", `ERROR: ${markup}`);
    return line(n, name, "info", `line ${n} \u001b[32mgreen\u001b[0m ${markup}`);
  });

const millions = 1_000_000;
function* manyLines(): Generator<LogLine[]> {
  for (let from = 1; from <= millions; from += 20_000)
    yield Array.from({ length: 20_000 }, (_, index) =>
      line(from + index, from <= 20_000 ? "synthesise" : "place", "info", `place ${from + index}`),
    );
}

beforeAll(async () => {
  installation = await startInstallation("e2e-story");
  databaseUrl = installation.variables["DATABASE_URL"] ?? "";
  Object.assign(process.env, installation.variables);
  startedMs = Date.now() - 40_000;
  cpu = await tellBuild(databaseUrl, {
    boardKind: "cpu",
    stages: [stage("fetch", "succeeded", [run(0, 1)]), stage("place", "skipped", [])],
    lines: [[line(1, "fetch", "info", "one line")]],
    problem: "It broke.",
  });
  startedMs = Date.now() - 40_000;
  failed = await tellBuild(databaseUrl, {
    stages: failedStages(),
    lines: [fewLines()],
    problem: `It broke: ${markup}`,
  });
  long = await tellBuild(databaseUrl, {
    stages: [stage("place", "failed", [run(0, 30)], [1, millions])],
    lines: manyLines(),
    problem: "It broke.",
  });
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
}, 300_000);

afterAll(async () => {
  await visit?.browser.close();
  await closeDatabase();
  await installation?.stop();
});

const main = () => page.getByRole("main");
const log = () => main().getByRole("log");
const read = async <T>(path: string) => (await installation.api(path)).body as T;

describe("the timeline of a build", () => {
  it("draws every run in the order in which it began, by clock, with the figures of the API", async () => {
    await openPage(page, `/builds/${failed}`);
    const list = main().getByRole("list", { name: "Stages" });
    await list.getByText("48 MHz, missed by 1.5 MHz").waitFor();
    const timeline = await read<BuildTimeline>(`/builds/${failed}/timeline`);
    const runs = (timeline.attempts[0]?.stages ?? []).flatMap(({ name, runs: all = [] }) =>
      all.map((each) => ({ name, ...each })),
    );
    const inOrder = runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
    const rows = await list.getByRole("button").all();
    const words = await Promise.all(rows.map((row) => row.getAttribute("aria-label")));
    for (const { name } of runs) expect(words.join("\n")).toContain(name);
    expect(words.filter((each) => each?.startsWith("place"))).toEqual([
      expect.stringMatching(/^place, 48.MHz; succeeded; took 10.s, began after 12.s/),
      expect.stringMatching(/^place, 42.MHz; failed; took 12.s, began after 22.s/),
    ]);
    const drawn = words.map((each) => each?.split(/[,;]/)[0]).slice(0, inOrder.length);
    expect(drawn).toEqual(inOrder.map(({ name }) => name));
    // A bar is as long as its run, of the whole axis.
    const bars = await list.locator("svg rect").evaluateAll((rects) =>
      rects.map((rect) => ({
        x: Number(rect.getAttribute("x")),
        width: Number(rect.getAttribute("width")),
        of: rect.getAttribute("class") ?? "",
      })),
    );
    const placed = bars.find(({ of }) => of === "fill-bad");
    const axisMs =
      Date.parse(timeline.attempts[0]?.endedAt ?? "") -
      Date.parse(timeline.attempts[0]?.startedAt ?? "");
    expect(((placed?.width ?? 0) / 1000) * axisMs).toBeCloseTo(12_000, -3);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "story-failed");
  });

  it("is walked with arrows, and Enter goes to the lines of a stage", async () => {
    await openPage(page, `/builds/${failed}`);
    const list = main().getByRole("list", { name: "Stages" });
    await list.getByRole("button").first().focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowDown");
    await expect
      .poll(() => page.locator(":focus").getAttribute("aria-label"))
      .toMatch(/^synthesise/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/#L6$/);
    await log().getByRole("button", { name: "Line 6", exact: true }).waitFor();
  });

  it("has a table that says the same", async () => {
    await openPage(page, `/builds/${failed}`);
    await main().getByText("As a table").click();
    const table = await main().getByRole("table").first().innerText();
    expect(table).toMatch(/place\s+48.MHz, missed by 1\.5.MHz\s+succeeded\s+12.s\s+10.s/);
  });

  it("shows no stages of firmware for a CPU, and no blank log", async () => {
    await openPage(page, `/builds/${cpu}`);
    await log().getByText("one line").waitFor();
    const list = await main().getByRole("list", { name: "Stages" }).innerText();
    expect(list).not.toMatch(/synthesise|place|pack|simulate/);
    expect((await log().boundingBox())?.height).toBeLessThan(120);
  });

  it("keeps the present station in view at 390 pixels, and nothing spills at 320", async () => {
    await openPage(page, `/builds/${failed}`);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const isInView = async () => {
        const here = await page.locator("[aria-current=step]").boundingBox();
        return (here?.x ?? -1) >= 0 && (here?.x ?? 0) + (here?.width ?? 0) <= width;
      };
      await expect.poll(isInView).toBe(true);
      const spill = () =>
        page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
      await expect.poll(spill).toBeLessThanOrEqual(0);
      expect(await barriersOn(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe("what a tool, a model or a user says", () => {
  it("is text in the log, in problems and in the failure, whatever it looks like", async () => {
    await openPage(page, `/builds/${failed}`);
    await main()
      .getByRole("region", { name: "Problems of the log" })
      .getByText("<img src=x")
      .waitFor();
    await log().getByText("<img src=x").first().waitFor();
    expect(await page.evaluate(() => "pwned" in window)).toBe(false);
    expect(await main().locator("img[src=x]").count()).toBe(0);
  });

  it("is explained where we know it, once for all its lines", async () => {
    const region = main().getByRole("region", { name: "Problems of the log" });
    const text = await region.innerText();
    expect(text.match(/Replacing memory/g)).toHaveLength(1);
    expect(text).toMatch(/4 ×[\s\S]*What to change:/);
    await region.getByRole("button", { name: "Line 50", exact: true }).click();
    await page.waitForURL(/#L50$/);
    await log().getByRole("button", { name: "Line 50", exact: true, pressed: true }).waitFor();
  });
});

describe("the log", () => {
  it("finds in all of it, folded lines too, and says how many", async () => {
    await openPage(page, `/builds/${failed}`);
    await log().focus();
    await page.keyboard.press("/");
    await page.getByLabel("Find in the log").fill("replacing MEMORY");
    await main().getByText("4 lines", { exact: false }).first().waitFor();
    await page.keyboard.press("Enter");
    await main().getByText("1 of 4").waitFor();
    await page.getByLabel("Match case").check();
    await main().getByText("not found").waitFor();
    await page.getByLabel("Regular expression").check();
    await page.getByLabel("Find in the log").fill("Replacing memory \\\\w(50|1[05]0) ");
    await main().getByText("3 lines", { exact: false }).first().waitFor();
    await page.getByLabel("Find in the log").fill("Replacing (");
    await main().getByText("is not a regular expression: Unterminated group").waitFor();
  });

  it("fills the screen, and goes back", async () => {
    await openPage(page, `/builds/${failed}`);
    const isFull = () => page.evaluate(() => document.fullscreenElement?.tagName ?? null);
    await main().getByRole("button", { name: "Full screen" }).click();
    await expect.poll(isFull).toBe("SECTION");
    const lacking = async () => {
      const box = await main().getByRole("region", { name: "Log", exact: true }).boundingBox();
      return (await page.evaluate(() => window.innerHeight)) - (box?.height ?? 0);
    };
    await expect.poll(lacking).toBe(0);
    await main().getByRole("button", { name: "Full screen", pressed: true }).click();
    await expect.poll(isFull).toBe(null);
  });

  it("is written larger when asked, at the same line, and remembers that", async () => {
    await openPage(page, `/builds/${long}#L500000`);
    const line = log().getByText("place 500000", { exact: true });
    await line.waitFor();
    const size = () =>
      line.evaluate((element) => {
        const { fontSize, lineHeight } = getComputedStyle(element);
        return [fontSize, lineHeight];
      });
    await expect.poll(() => size()).toEqual(["13px", "20px"]);
    await page.getByLabel("Text size").selectOption("larger");
    await expect.poll(size).toEqual(["20px", "31px"]);
    await expect.poll(() => line.isVisible()).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "story-text");
    await page.reload();
    await line.waitFor();
    await expect.poll(size).toEqual(["20px", "31px"]);
    await page.evaluate(() => localStorage.clear());
  });

  it("is saved from its menu, also where it fills the screen", async () => {
    await openPage(page, `/builds/${failed}`);
    await main().getByRole("button", { name: "Full screen" }).click();
    await main().getByRole("button", { name: "Download…" }).click();
    // Letters choose in the menu; they do not steer the log meanwhile.
    await page.keyboard.press("j");
    const coming = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: /^JSON lines/ }).click();
    const file = await coming;
    expect(file.suggestedFilename()).toBe(`${failed}-1.jsonl`);
    const [first] = readFileSync(await file.path(), "utf8").split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({ n: 1, stage: "fetch" });
    await main().getByRole("button", { name: "Full screen", pressed: true }).click();
  });

  it("shows times when asked, and remembers that and its folds", async () => {
    await openPage(page, `/builds/${failed}`);
    await page.getByLabel("Times").selectOption("relative");
    await page.getByRole("button", { name: "Unfold all" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Fold all", exact: true }).waitFor();
    // It opens at its first error; the times of its first lines are at its beginning.
    await log().focus();
    await page.keyboard.press("g");
    await log().getByText("0.083", { exact: true }).first().waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "story-times");
    await page.getByLabel("Times").selectOption("off");
    await page.getByRole("button", { name: "Fold all", exact: true }).click();
    await page.evaluate(() => localStorage.clear());
  });

  it("of a million lines shows its first screen at once, and scrolls at 60 frames a second in the middle", async () => {
    await openPage(page, `/builds/${long}`);
    await log()
      .getByText(/^place \d+$/)
      .first()
      .waitFor();
    const tookMs = await page.evaluate(() => {
      const all = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const entries = all.filter(({ name }) => name.includes("/log"));
      return (
        Math.max(...entries.map(({ responseEnd }) => responseEnd)) -
        Math.min(...entries.map(({ startTime }) => startTime))
      );
    });
    console.info(`first screen of a million lines: ${Math.round(tookMs)} ms`);
    expect(tookMs).toBeLessThan(1500);
    await log().focus();
    await page.keyboard.press("g");
    const frames = await log().evaluate(
      (element) =>
        new Promise<number[]>((done) => {
          const times: number[] = [];
          const step = (time: number) => {
            times.push(time);
            element.scrollTop += 400;
            if (times.length < 240) requestAnimationFrame(step);
            else done(times.slice(1).map((each, index) => each - (times[index] ?? each)));
          };
          requestAnimationFrame(step);
        }),
    );
    const sorted = frames.toSorted((a, b) => a - b);
    const p50 = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    console.info(`frames of a million lines: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
    expect(p50).toBeLessThan(18);
  });

  it("of a million lines goes to any of them, and to its end", async () => {
    await page.evaluate(() => localStorage.clear());
    await openPage(page, `/builds/${long}#L765432`);
    await log().getByText("place 765432", { exact: true }).waitFor();
    await page.getByRole("slider").fill("979000");
    await log()
      .getByText(/^place 99[89]\d{3}$/)
      .first()
      .waitFor();
    const held = await page.evaluate(() => document.querySelectorAll("[role=log] button").length);
    expect(held).toBeLessThan(300);
  });
});

describe("no build worker", () => {
  it("is said at once on the pages of builds and on Home, with what to do", async () => {
    await openPage(page, "/builds");
    await expect.poll(() => main().getByText("No build worker is alive").count()).toBeLessThan(2);
    await installation.processes.stop("build-worker");
    await page
      .getByRole("alert")
      .getByText("No build worker is alive")
      .waitFor({ timeout: 15_000 });
    await takePictures(page, "story-no-worker");
    await openPage(page, "/");
    await page.getByRole("alert").getByText("No build worker is alive").waitFor();
    const { body } = await installation.api("/endpoints", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        name: "waits",
        engine: "onnx",
        model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
        board: { model: "cpu", kind: "cpu" },
      }),
    });
    const { buildId } = body as { buildId: string };
    await openPage(page, `/builds/${buildId}`);
    await page.getByRole("alert").getByText("one build waits").waitFor();
    await main().getByText("Next in the queue").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    installation.processes.start("build-worker");
    await main().getByRole("button", { name: "succeeded" }).waitFor({ timeout: 60_000 });
    await main().getByRole("link", { name: "Try it" }).waitFor({ timeout: 60_000 });
    expect(await page.getByRole("alert").getByText("No build worker").count()).toBe(0);
    await takePictures(page, "story-succeeded");
  });
});

describe("notifications", () => {
  it("are set up on their page, which shows a secret once and what was sent", async () => {
    await openPage(page, "/settings/notifications");
    await page.getByLabel("Address", { exact: true }).fill("https://192.168.1.1/hook");
    await page.getByRole("button", { name: "Add" }).last().click();
    await page.getByRole("alert").getByText("is not public").waitFor();
    await page
      .getByLabel("Address", { exact: true })
      .fill("https://hooks.example.invalid/boardwalk");
    await page.getByRole("button", { name: "Add" }).last().click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole("button", { name: /^Send a test to https/ }).click();
    const list = page.getByRole("list", { name: "Deliveries" });
    await list.getByText(/cannot be reached/).waitFor({ timeout: 30_000 });
    await list.getByRole("button", { name: /^Send again to/ }).click();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "story-notifications");
    await page.reload();
    await page.getByRole("button", { name: /^Remove https/ }).waitFor();
    expect(await page.getByText(/^whsec_/).count()).toBe(0);
  });

  it("ask the browser only at a click, and tell of the end of a build", async () => {
    await visit.context.grantPermissions(["notifications"], { origin: installation.portalUrl });
    await page.addInitScript(() => {
      const told: string[] = [];
      Object.assign(window, { told, asked: 0 });
      class Told {
        static permission = "granted";
        static requestPermission() {
          (window as unknown as { asked: number }).asked += 1;
          return Promise.resolve("granted");
        }
        constructor(title: string) {
          told.push(title);
        }
      }
      Object.assign(window, { Notification: Told });
    });
    const running = await tellBuild(databaseUrl, {
      endpointName: null,
      stages: [
        stage("place", "running", [{ startedAt: at(1), endedAt: null, state: "running" }], [1, 1]),
      ],
      lines: [[line(1, "place", "info", "placing")]],
      problem: null,
    });
    await openPage(page, `/builds/${running}`);
    expect(await page.evaluate("asked")).toBe(0);
    await page.getByRole("switch", { name: "Notify me" }).click();
    await page.getByRole("switch", { name: "Notify me", checked: true }).waitFor();
    expect(await page.evaluate("asked")).toBe(1);
    await takePictures(page, "story-running");
    await openPage(page, "/boards");
    await installation.api(`/builds/${running}/cancel`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    const { failBuild } = await import("@/domain/builds");
    await failBuild(
      running.slice(4),
      1,
      { code: "internal", reason: "TOOL_FAILED", message: "x" },
      "failed",
    );
    await expect
      .poll(() => page.evaluate("told"), { timeout: 20_000 })
      .toEqual(["iris-mlp: build cancelled"]);
    expect(visit.complaints.filter((text) => !/Failed to load resource/.test(text))).toEqual([]);
  });
});
