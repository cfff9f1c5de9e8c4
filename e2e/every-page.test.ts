import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { openPage } from "./pages";
import { findingsOn, openBrowser, type Visit } from "./support/browser";
import { englishTextsOn } from "./support/english-texts";
import { everyRoute, settle } from "./support/every-route";

// What holds on every page alike, with a model on a board and one on the CPU behind them: no barrier in any theme or language, no
// sideways scroll on the smallest screen, the keyboard sees where it is, and the page outlives its network.

let installation: Installation;
let visit: Visit;
let page: Page;
/** Each route by a name for its picture. */
let routes: ReadonlyMap<string, string>;

beforeAll(async () => {
  installation = await startInstallation("e2e-every-page");
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
  routes = await everyRoute(installation, page);
});

afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
});

/** All findings of axe, however small. */
async function findings(): Promise<string[]> {
  await page.waitForFunction(() => document.title !== "");
  return await findingsOn(page);
}

/** What a page lacks of a title and of one first heading. */
async function namelessness(name: string): Promise<string[]> {
  const title = await page.title();
  const headings = await page.locator("main h1").count();
  return [
    ...(headings === 1 ? [] : [`${headings} first headings`]),
    ...(name === "home" || / · Boardwalk$/.test(title) ? [] : [`title: ${title}`]),
  ];
}

/** The whole page as a picture, in a run with `--pictures`: hundreds take minutes. */
async function picture(name: string): Promise<void> {
  if (process.env["PICTURES"] !== "1") return;
  await page.screenshot({ path: `e2e/screenshots/every-${name}.png`, fullPage: true });
}

const spill = () =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What was found on each route, by the question that it answers. */
type Found = Record<"barriers" | "contrast" | "spill" | "keyboard" | "calls", string[]>;

describe("every page", () => {
  const found: Found = { barriers: [], contrast: [], spill: [], keyboard: [], calls: [] };
  /** How many calls the foot of a page shows. */
  const told = new Map<string, number>();

  // One visit of each page answers all questions: to load it takes longer than to ask most of them.
  beforeAll(async () => {
    await mkdir("e2e/screenshots", { recursive: true });
    await setPreferences({ theme: "light", language: "en" });
    for (const [name, path] of [...routes, ["builds-failed", "/builds?state=failed"] as const]) {
      await openPage(page, path);
      await settle(page);
      const ask = async (question: keyof Found, answer: Promise<string[]>) =>
        found[question].push(...(await answer).map((each) => `${name}: ${each}`));
      await ask("barriers", findings());
      await ask("barriers", namelessness(name));
      await picture(`${name}-light-en`);
      await ask("contrast", findingsInHighContrast());
      await ask("spill", spillsOf(name));
      await ask("keyboard", lostByKeyboard());
      if (!name.endsWith("unknown") && name !== "design") await ask("calls", refusedCalls(name));
    }
  }, 900_000);

  it("has no barrier, and a title", () => expect(found.barriers).toEqual([]));
  it("has no barrier in high contrast", () => expect(found.contrast).toEqual([]));
  it("needs no sideways scroll on any screen", () => expect(found.spill).toEqual([]));
  it("shows the keyboard where it is, under nothing that floats, and lets it leave", () =>
    expect(found.keyboard).toEqual([]));
  it("shows at its foot its calls of the API, and a shell gets an answer from each", () => {
    expect(found.calls).toEqual([]);
    expect(told.get("builds-failed")).toBe(4);
    expect(told.size).toBeGreaterThan(20);
  });

  it("has no barrier in the dark and in Italian, and no English", async () => {
    await setPreferences({ theme: "dark", language: "it" });
    const here: string[] = [];
    for (const [name, path] of routes) {
      await openPage(page, path);
      await settle(page);
      const all = [
        ...(await findings()),
        ...(await namelessness(name)),
        // The page of all components shows samples, of boards and errors too.
        ...(name === "design" ? [] : await englishTextsOn(page)),
      ];
      here.push(...all.map((each) => `${name}: ${each}`));
      await picture(`${name}-dark-it`);
    }
    expect(here).toEqual([]);
  }, 900_000);

  it("names at most 250 KiB of compressed script for its first load", async () => {
    const sizes = new Map<string, number>();
    const over: string[] = [];
    for (const [name, path] of routes) {
      const html = await (await fetch(installation.portalUrl + path)).text();
      const scripts = new Set(
        [...html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"[^>]*>/g)]
          // Browsers that know modules leave those be.
          .filter(([tag]) => !/nomodule/i.test(tag))
          .map(([, source]) => source ?? ""),
      );
      let bytes = 0;
      for (const source of scripts) {
        if (!sizes.has(source)) sizes.set(source, await compressedBytes(source));
        bytes += sizes.get(source) ?? 0;
      }
      if (scripts.size < 5) over.push(`${name} names ${scripts.size} scripts`);
      if (bytes > 250 * 1024) over.push(`${name}: ${Math.round(bytes / 1024)} KiB`);
    }
    expect(over).toEqual([]);
  });

  /** The foot of the page: calls, and commands that read, which a shell was refused. */
  async function refusedCalls(name: string): Promise<string[]> {
    await page.locator("footer").getByRole("button", { name: "Copy link" }).waitFor();
    const calls = await twin("Show API call");
    const commands = await twin("Do this from the terminal");
    if (calls === null) return [];
    const statuses = statusesOf(calls);
    told.set(name, statuses.length);
    const readings = commands?.includes('curl -sS "') ? statusesOf(commands) : [];
    return [...statuses, ...readings].some((status) => status !== "200")
      ? [`${statuses.join()} ${readings.join()}\n${calls}`]
      : [];
  }
});

async function findingsInHighContrast(): Promise<string[]> {
  const wear = (contrast: string) =>
    page.evaluate((value) => {
      document.documentElement.dataset["contrast"] = value;
    }, contrast);
  await wear("high");
  const here = await findings();
  await wear("system");
  return here;
}

async function spillsOf(name: string): Promise<string[]> {
  const sizes = [
    { width: 1280, height: 900 },
    { width: 820, height: 900 },
    { width: 390, height: 844 },
    // 1280 × 1024 at 400 %.
    { width: 320, height: 256 },
  ];
  const here: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    // What follows the width of the screen takes a moment.
    await vi
      .waitFor(async () => expect(await spill()).toBeLessThanOrEqual(0), 5000)
      .catch(() => {});
    const byPx = await spill();
    if (byPx > 0) here.push(`at ${size.width} px by ${byPx} px`);
    await picture(`${name}-${size.width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  return here;
}

/** What gets the focus where nobody sees it, on the way through the page by the Tab key. */
async function lostByKeyboard(): Promise<string[]> {
  const lost: string[] = [];
  const seen = new Set<string>();
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(focusState);
    if (at === null) break;
    if (!at.isSeen) lost.push(at.what);
    seen.add(at.what);
  }
  if (seen.size < 5) lost.push(`the focus meets ${seen.size} things only`);
  return lost;
}

/** What a script is on the wire, by gzip as every browser takes it. */
async function compressedBytes(source: string): Promise<number> {
  const response = await fetch(installation.portalUrl + source);
  expect(response.status).toBe(200);
  return gzipSync(new Uint8Array(await response.arrayBuffer())).length;
}

async function setPreferences(preferences: Readonly<Record<string, string | undefined>>) {
  await visit.context.clearCookies();
  await visit.context.addCookies(
    Object.entries(preferences).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value, url: installation.portalUrl }],
    ),
  );
}

/** What has the focus, and whether somebody sees that; null where the page has let go of it. Runs in the page. */
function focusState(): { what: string; isSeen: boolean } | null {
  const focused = document.activeElement;
  if (
    !(focused instanceof HTMLElement || focused instanceof SVGElement) ||
    focused === document.body
  )
    return null;
  const what = `${focused.tagName.toLowerCase()} ${(focused.getAttribute("aria-label") ?? focused.textContent ?? "").trim().slice(0, 40)}`;
  const box = focused.getBoundingClientRect();
  const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
  const y = Math.min(Math.max(box.top + Math.min(box.height / 2, 12), 0), innerHeight - 1);
  const top = document.elementFromPoint(x, y);
  const isOnTop =
    top !== null &&
    (focused.contains(top) ||
      top.contains(focused) ||
      top.closest("label")?.contains(focused) === true);
  const isInView = box.bottom > 0 && box.top < innerHeight && box.width > 0;
  return { what, isSeen: isInView && isOnTop };
}

/** What the foot of the page shows under a heading; null where it has no such thing. */
async function twin(title: string): Promise<string | null> {
  const part = page.locator("footer details").filter({ hasText: title });
  if ((await part.count()) === 0) return null;
  const text = part.locator("pre");
  // On a busy machine the first press may come before the page listens.
  const opened = async () => {
    if (!(await text.isVisible())) await part.locator("summary").click();
    const shown = await text.innerText();
    if (shown === "") throw new Error(`${title} shows nothing`);
    return shown;
  };
  return await vi.waitFor(opened, { timeout: 30_000 });
}

/** Runs the reading calls of a command as a shell does; answers the status of each. */
const statusesOf = (text: string): string[] =>
  execFileSync("bash", [
    "-c",
    text
      .split("\n")
      .filter((line) => line.startsWith("export ") || line.startsWith('curl -sS "'))
      .join("\n")
      .replaceAll("curl -sS", "curl -sS -o /dev/null -w '%{http_code}\\n'"),
  ])
    .toString()
    .trim()
    .split("\n");

describe("the foot of a page", () => {
  it("copies the address with its filters, and says so", async () => {
    await setPreferences({ theme: "light", language: "en" });
    await visit.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openPage(page, "/builds?state=failed");
    await page.locator("footer").getByRole("button", { name: "Copy link" }).click();
    await page.locator("footer [role=status]").getByText("Copied").waitFor();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${installation.portalUrl}/builds?state=failed`);
  });

  it("a heading with an address copies it, and the address leads there", async () => {
    await openPage(page, "/toolchains");
    await page.getByRole("button", { name: "Copy the link to “To build for a board”" }).click();
    const link = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(link).toBe(`${installation.portalUrl}/toolchains#needs`);
  });
});

describe("the activity", () => {
  it("keeps the way back of what was done", async () => {
    await installation.api("/endpoints/iris-cpu/pause", { method: "POST", body: "{}" });
    await openPage(page, "/settings/activity");
    const row = page.getByRole("row", { name: /Paused iris-cpu/ });
    await row.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("row", { name: /Resumed iris-cpu/ }).waitFor();
    expect(await row.getByRole("button").count()).toBe(0);
    const { body } = await installation.api("/endpoints/iris-cpu");
    expect((body as { paused: boolean }).paused).toBe(false);
  });
});

describe("a state", () => {
  it("opens why, since when and the next step, by the keyboard", async () => {
    await openPage(page, "/endpoints");
    const state = page
      .getByRole("row")
      .filter({ has: page.getByRole("link", { name: "iris-mlp", exact: true }) })
      .first()
      .getByRole("button", { name: "ready" });
    await state.focus();
    await page.keyboard.press("Enter");
    const why = page.getByRole("dialog", { name: "ready" });
    await why.getByText("Since ").waitFor();
    await why.getByRole("link", { name: "Send it a request" }).waitFor();
    await page.keyboard.press("Escape");
    await why.waitFor({ state: "detached" });
  });
});

describe("an address below /api", () => {
  it.each([
    ["GET", "/api", 404, "NOT_FOUND"],
    ["GET", "/api/v1/nowhere", 404, "NOT_FOUND"],
  ])("%s %s is refused as JSON with a hint", async (method, path, status, reason) => {
    const answer = await fetch(`${installation.portalUrl}${path}`, { method });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({
      error: { reason, code: expect.any(String), hint: expect.stringMatching(/./) },
    });
  });
});

describe("a page without its network", () => {
  it("keeps what it shows, says how old that is, and catches up by itself", async () => {
    await setPreferences({ theme: "light", language: "en" });
    await openPage(page, "/endpoints");
    await page.getByRole("link", { name: "iris-cpu" }).waitFor();
    await visit.context.setOffline(true);
    await page
      .locator("[data-live=reconnecting], [data-live=stale]")
      .first()
      .waitFor({ timeout: 60_000 });
    await expect.poll(() => page.getByRole("link", { name: "iris-cpu" }).isVisible()).toBe(true);
    await page.getByText("the portal cannot be reached", { exact: false }).waitFor();
    await installation.api("/endpoints/iris-cpu/pause", { method: "POST", body: "{}" });
    await visit.context.setOffline(false);
    await page.locator("[data-live=live]").waitFor({ timeout: 60_000 });
    const row = page.getByRole("row", { name: /iris-cpu/ });
    await row.getByText("paused").waitFor();
    await installation.api("/endpoints/iris-cpu/resume", { method: "POST", body: "{}" });
    await row.getByText("ready").waitFor();
  });
});

describe("two tabs, and the way back", () => {
  it("what one changes the other shows", async () => {
    const other = await visit.context.newPage();
    await openPage(other, "/endpoints/iris-cpu");
    await openPage(page, "/endpoints");
    await installation.api("/endpoints/iris-cpu/pause", { method: "POST", body: "{}" });
    await page
      .getByRole("row", { name: /iris-cpu/ })
      .getByText("paused")
      .waitFor();
    await other.getByText("Paused: ", { exact: false }).first().waitFor();
    await installation.api("/endpoints/iris-cpu/resume", { method: "POST", body: "{}" });
    await page
      .getByRole("row", { name: /iris-cpu/ })
      .getByText("ready")
      .waitFor();
    await other.close();
  });

  it("Back and Forward show what was there", async () => {
    await openPage(page, "/endpoints/iris-mlp");
    await page.getByRole("main").locator("a.tab").filter({ hasText: "Revisions" }).click();
    await page.waitForURL(/tab=revisions/);
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Builds" })
      .click();
    await page.waitForURL(/\/builds$/);
    await page.goBack();
    await page.waitForURL(/tab=revisions/);
    await page.getByRole("columnheader", { name: "Revision" }).waitFor();
    await page.goForward();
    await page.getByRole("heading", { level: 1, name: "Builds" }).waitFor();
  });
});
