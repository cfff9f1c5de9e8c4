import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ExportedBuild } from "@/lib/common/contract";
import { fillLists } from "@/tests/support/fill-lists";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { listPage, openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// Lists of a few hundred builds and endpoints: what the screen says is held to the database.

let installation: Installation;
let visit: Visit;
let page: Page;
let database: pg.Client;

beforeAll(async () => {
  installation = await startInstallation("e2e-lists");
  const databaseUrl = installation.variables["DATABASE_URL"] ?? "";
  await fillLists(databaseUrl, { builds: 640, endpoints: 130, underWay: false });
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
});

afterAll(async () => {
  await visit?.browser.close();
  await database?.end();
  await installation?.stop();
});

const ask = async <T extends object>(text: string): Promise<T[]> =>
  (await database.query<T>(text)).rows;
const countsOf = async (table: string) =>
  Object.fromEntries(
    (
      await ask<{ state: string; count: number }>(
        `SELECT replace(state, '_', ' ') AS state, count(*)::int FROM ${table} GROUP BY state`,
      )
    ).map(({ state, count }) => [state, count]),
  );

describe("the list of builds", () => {
  it("counts by state what the database counts, and shows the newest fifty", async () => {
    const list = listPage(page);
    await list.open("/builds");
    await expect.poll(() => list.counters()).toEqual({ all: 640, ...(await countsOf("build")) });
    const newest = await ask<{ id: string }>("SELECT id FROM build ORDER BY id DESC LIMIT 50");
    await expect.poll(() => list.links()).toEqual(newest.map(({ id }) => `/builds/bld_${id}`));
    await expect.poll(() => list.pages().innerText()).toMatch(/^1–50 of 640/);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "list-builds");
  });

  it("filters, sorts and pages in its address; who opens that anew sees the same", async () => {
    const list = listPage(page);
    await list.open("/builds");
    await list.counter("failed").click();
    await page.getByRole("searchbox").fill("iris");
    await page.getByLabel("Engine").selectOption("onnx");
    await page.getByRole("button", { name: "Took" }).click();
    await page.waitForURL(/state=failed.*search=iris|search=iris.*state=failed/);
    const failed = `FROM build WHERE state = 'failed' AND engine = 'onnx' AND model_url LIKE '%iris%'`;
    const expected = await ask<{ id: string }>(
      `SELECT id ${failed} ORDER BY coalesce((extract(epoch FROM ended_at - started_at) * 1000)::bigint, -1) DESC, id DESC LIMIT 50`,
    );
    const links = expected.map(({ id }) => `/builds/bld_${id}`);
    await expect.poll(() => list.links()).toEqual(links);
    await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBe("-duration");
    const address = page.url();
    await page.reload();
    await expect.poll(() => list.links()).toEqual(links);
    expect(page.url()).toBe(address);
    const on = page.getByRole("list", { name: "Active filters" });
    await expect.poll(() => on.innerText()).toMatch(/“iris”[\s\S]*failed[\s\S]*engine onnx/);
    await page.goBack();
    await page.goForward();
    await expect.poll(() => list.links()).toEqual(links);
  });

  it("goes through all pages and back, each build once", async () => {
    const list = listPage(page);
    await list.open("/builds?sort=name&state=succeeded");
    const seen = [...(await list.links())];
    const next = page.getByRole("button", { name: "Next" });
    while (await next.isVisible()) {
      const before = await list.links();
      await next.click();
      await expect.poll(() => list.links()).not.toEqual(before);
      seen.push(...(await list.links()));
    }
    const [all] = await ask<{ count: number }>(
      "SELECT count(*)::int FROM build WHERE state = 'succeeded'",
    );
    expect([seen.length, new Set(seen).size]).toEqual([all?.count, all?.count]);
    const last = await list.links();
    // As a link that somebody sent: the way back is known without having come through it.
    await list.open(page.url().replace(/^.*\/builds/, "/builds"));
    await page.getByRole("button", { name: "Previous" }).click();
    await expect.poll(() => list.links()).toEqual(seen.slice(-last.length - 50, -last.length));
  });

  it("goes one page further at a time, however often Next is pressed before it has come", async () => {
    const list = listPage(page);
    const address = "/builds?sort=name&state=succeeded";
    await list.open(address);
    const next = page.getByRole("button", { name: "Next" });
    const first = await list.links();
    await next.click();
    await expect.poll(() => list.links()).not.toEqual(first);
    const second = await list.links();
    await list.open(address);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/v1/builds?*", async (route) => {
      await held;
      await route.continue();
    });
    await next.click();
    await page.locator("[aria-busy=true]", { hasText: "of" }).first().waitFor();
    await next.click({ force: true });
    release();
    await expect.poll(() => list.links()).toEqual(second);
    expect(new URL(page.url()).searchParams.get("page")).toBe("2");
    await page.unroute("**/api/v1/builds?*");
  });

  it("exports what the filter leaves, equal to the database", async () => {
    const list = listPage(page);
    await list.open("/builds?state=timed_out&state=cancelled");
    const rows = await ask<{ id: string; model_url: string }>(
      "SELECT id, model_url FROM build WHERE state IN ('timed_out', 'cancelled') ORDER BY id DESC",
    );
    expect(rows.length).toBeGreaterThan(50);
    const csv = (await list.exported("CSV")).trimEnd().split("\r\n");
    expect(csv.slice(1).map((line) => line.split(",")[0])).toEqual(
      rows.map(({ id }) => `bld_${id}`),
    );
    const json = JSON.parse(await list.exported("JSON")) as ExportedBuild[];
    expect(json.map(({ id, modelUrl }) => [id, modelUrl])).toEqual(
      rows.map(({ id, model_url }) => [`bld_${id}`, model_url]),
    );
  });

  it("names the filters that leave nothing, and clears them", async () => {
    const list = listPage(page);
    await list.open("/builds?search=zebra&board=icebreaker");
    await page.getByText("No build matches: text “zebra” · board iCEBreaker.").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "list-builds-nothing");
    await list.main.getByRole("button", { name: "Clear filters" }).last().click();
    await expect.poll(async () => (await list.links()).length).toBe(50);
    await expect.poll(() => new URL(page.url()).search).toBe("");
  });

  it("is walked with arrows, marked with Space and opened with Enter", async () => {
    const list = listPage(page);
    await list.open("/builds");
    const links = await list.links();
    await page.locator(".row-link").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.getByText("1 build is selected.").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${links[2]}`);
  });

  it("remembers columns, density and a view under a name", async () => {
    const list = listPage(page);
    await list.open("/builds?state=failed");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Artifact" }).check();
    await page.getByLabel("Compact rows").check();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByLabel("Name of a new view").fill("My failures");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.keyboard.press("Escape");
    await list.open("/builds");
    await page.getByRole("columnheader", { name: "Artifact" }).waitFor();
    await takePictures(page, "list-builds-dense");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("link", { name: "My failures" }).click();
    await page.waitForURL(/state=failed/);
    await page.evaluate(() => localStorage.clear());
  });

  it("repeats several failed builds at once, which then appear by themselves", async () => {
    const list = listPage(page);
    await list.open("/builds?state=failed");
    const boxes = page.getByRole("checkbox", { name: /^Select .+, build / });
    for (const n of [0, 1, 2]) await boxes.nth(n).check();
    await page.getByRole("button", { name: "Retry 3" }).click();
    await page.getByText("3 of 3 done.").waitFor();
    const retries = await ask("SELECT id FROM build WHERE retry_of_id IS NOT NULL");
    expect(retries).toHaveLength(3);
    await expect.poll(async () => (await list.counters())["all"]).toBe(643);
  });
});

describe("the list of endpoints", () => {
  it("counts and lists what the database holds", async () => {
    const list = listPage(page);
    await list.open("/endpoints");
    await expect.poll(() => list.counters()).toEqual({ all: 130, ...(await countsOf("endpoint")) });
    const first = await ask<{ name: string }>("SELECT name FROM endpoint ORDER BY name LIMIT 50");
    await expect.poll(() => list.links()).toEqual(first.map(({ name }) => `/endpoints/${name}`));
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "list-endpoints");
  });

  it("pauses those that are selected after saying what callers get, and takes it back", async () => {
    const list = listPage(page);
    await list.open("/endpoints?search=jets&state=ready");
    const names = (await list.links()).slice(0, 3).map((link) => link.replace("/endpoints/", ""));
    const pausedOf = async () =>
      await ask(`SELECT name FROM endpoint WHERE name IN ('${names.join("','")}') AND paused`);
    for (const name of names) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    await page.getByRole("button", { name: "Pause 3" }).click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.innerText()).toContain("Requests get 503");
    await expect.poll(() => dialog.innerText()).toContain(names.join(", "));
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Pause 3" }).click();
    await page.getByText("3 endpoints are paused.", { exact: true }).waitFor();
    expect(await pausedOf()).toHaveLength(3);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await expect.poll(pausedOf).toHaveLength(0);
  });

  it("says what a delete breaks, wants it typed, and deletes those that are marked", async () => {
    const list = listPage(page);
    await list.open("/endpoints?search=wine");
    const names = (await list.links()).slice(0, 2).map((link) => link.replace("/endpoints/", ""));
    for (const name of names) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    await page.getByRole("button", { name: "Delete 2" }).click();
    const dialog = page.getByRole("dialog");
    await expect
      .poll(() => dialog.innerText())
      .toContain(`Clients of ${names.join(", ")} get “not found”`);
    await expect.poll(() => dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Type delete 2 to confirm").fill("delete 2");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("2 of 2 done.").waitFor();
    const gone = await ask(
      `SELECT name FROM endpoint WHERE name IN ('${names.join("','")}') AND delete_requested_at IS NOT NULL`,
    );
    expect(gone).toHaveLength(2);
  });
});

describe.each([
  { width: 320, paths: ["/builds", "/endpoints", "/builds?search=zebra"] },
  { width: 700, paths: ["/builds", "/endpoints"] },
  { width: 820, paths: ["/builds", "/endpoints"] },
])("at $width pixels", ({ width, paths }) => {
  it.each(paths)("%s needs no sideways scroll and hides no barrier", async (path) => {
    await page.setViewportSize({ width, height: 700 });
    const list = listPage(page);
    await list.open(path);
    await page.getByRole("button", { name: "Export" }).waitFor();
    await expect.poll(() => list.spill()).toBeLessThanOrEqual(0);
    expect(await barriersOn(page)).toEqual([]);
    const name = path.replaceAll(/\W+/g, "-");
    await page.screenshot({ path: `e2e/screenshots/list${name}-${width}.png` });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("a row is still a row to who does not see it", async () => {
    await page.setViewportSize({ width, height: 700 });
    const list = listPage(page);
    await list.open("/endpoints");
    await expect.poll(() => list.rows.count()).toBe(50);
    await expect.poll(() => list.rows.first().getByRole("cell").count()).toBeGreaterThan(4);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe("the whole visit", () => {
  it("had nothing to complain of", async () => {
    await openPage(page, "/endpoints");
    // An endpoint that is deleted may be asked for once more; a portal that has more to do than it can says so.
    const expected = /status of (404.*\/endpoints\/[\w-]+$|503)/;
    expect(visit.complaints.filter((text) => !expected.test(text))).toEqual([]);
  });
});
