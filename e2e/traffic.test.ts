import { readFile } from "node:fs/promises";
import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RequestRecord, Traffic } from "@/lib/common/contract";
import { fillLists } from "@/tests/support/fill-lists";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { settle } from "./support/every-route";
import { takePictures } from "./support/pictures";

// Figures of traffic on the screen are those of the database, whatever the screen's width.

let installation: Installation;
let visit: Visit;
let page: Page;
let database: pg.Client;
let name: string;
let endpointId: string;

const noEndpoint = "00000000-0000-0000-0000-000000000000";

beforeAll(async () => {
  installation = await startInstallation("e2e-traffic");
  const databaseUrl = installation.variables["DATABASE_URL"] ?? "";
  await fillLists(databaseUrl, { builds: 60, endpoints: 20, underWay: false });
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const [endpoint] = await ask<{ id: string; name: string }>(
    "SELECT id, name FROM endpoint WHERE state = 'ready' ORDER BY name LIMIT 1",
  );
  name = endpoint?.name ?? "";
  endpointId = endpoint?.id ?? "";
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
  // The last, since what is filled in grows old.
  await fillTraffic();
});

afterAll(async () => {
  await visit?.browser.close();
  await database?.end();
  await installation?.stop();
});

const ask = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await database.query<T>(text, values)).rows;

/** Two revisions over 50 minutes with a switch between them, a gap of ten minutes, and hours of 20 days. */
async function fillTraffic(): Promise<void> {
  const latency = `(SELECT jsonb_object_agg(b::text, greatest(1, round(200 * exp(-power(b - 58, 2) / 60.0)))::int)
    FROM generate_series(44, 90) b)`;
  await database.query(
    `WITH minutes AS (SELECT m, date_trunc('minute', now()) - make_interval(mins => m) AS at
       FROM generate_series(1, 58) m WHERE m NOT BETWEEN 30 AND 39)
     INSERT INTO traffic_minute
     SELECT $1::uuid, at, CASE WHEN m > 20 THEN 1 ELSE 2 END, $3::uuid, 3000 + 40 * m, 30 + m % 7, m % 5, 6000,
       6000000, 600000, 1200000, 900000, 2700000, ${latency} FROM minutes
     UNION ALL SELECT $2::uuid, at, 0, $3::uuid, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}' FROM minutes`,
    [endpointId, noEndpoint, "00000000-0000-7000-8000-0000000000aa"],
  );
  await database.query(
    `INSERT INTO traffic_hour
     SELECT $1::uuid, date_trunc('hour', now()) - make_interval(hours => h), 1, 90000 + 500 * (h % 24), 400, 20, 1, 1, 0, 0, 0, 0, ${latency}
     FROM generate_series(26, 480) h
     UNION ALL SELECT $2::uuid, date_trunc('hour', now()) - make_interval(hours => h), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}'
     FROM generate_series(26, 480) h`,
    [endpointId, noEndpoint],
  );
  await database.query(
    `INSERT INTO endpoint_log (endpoint_id, at, kind, state, revision, reason, message) VALUES
     ($1, now() - interval '40 days', 'created', 'building', NULL, NULL, NULL),
     ($1, now() - interval '30 minutes', 'board', 'unknown', 1, 'LINK_FAILED', 'no answer on /dev/ttyUSB1 <b>now</b>'),
     ($1, now() - interval '20 minutes', 'switched', NULL, 2, NULL, NULL)`,
    [endpointId],
  );
}

const read = async <T>(path: string): Promise<T> => {
  const { body } = await installation.api(path);
  return body as T;
};
const section = () => page.getByRole("main");

describe("the Metrics tab", () => {
  it("says in words and in its table what the database holds", async () => {
    await openPage(page, `/endpoints/${name}?tab=metrics&range=1h`);
    const sentence = section().getByText(/of which .* failed/);
    await sentence.waitFor();
    const [sum] = await ask<{ requests: string; client: string; server: string }>(
      `SELECT sum(requests)::text AS requests, sum(client_errors)::text AS client, sum(server_errors)::text AS server
       FROM traffic_minute WHERE endpoint_id = $1`,
      [endpointId],
    );
    const numbers = (await sentence.innerText()).replaceAll(",", "").match(/\d+/g)?.slice(0, 3);
    expect(numbers).toEqual([sum?.requests, sum?.client, sum?.server]);
    await page.getByText("The figures as a table").click();
    const table = page.getByRole("region", { name: `Traffic of ${name}, newest first` });
    const rows = await table.getByRole("row").allInnerTexts();
    const minutes = await ask<{ n: string }>(
      `SELECT sum(requests)::text AS n FROM traffic_minute WHERE endpoint_id = $1 GROUP BY at ORDER BY at DESC`,
      [endpointId],
    );
    const shown = rows.flatMap((row) => row.match(/\t([\d,]+)\t/)?.[1]?.replace(",", "") ?? []);
    expect(shown.filter((count) => count !== "0")).toEqual(minutes.map(({ n }) => n));
    expect(rows.filter((row) => row.includes("nobody counted")).length).toBeGreaterThanOrEqual(10);
  });

  it("draws gaps as gaps, and marks the switch", async () => {
    const charts = section().locator("figure svg[role=img]");
    await expect.poll(() => charts.count()).toBe(3);
    const path = await charts.first().locator("path").first().getAttribute("d");
    expect(path?.match(/M/g)?.length).toBeGreaterThanOrEqual(2);
    await expect
      .poll(() => charts.first().locator("text").allTextContents())
      .toContain("revision 2");
    await charts.first().focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    const label = await charts.first().getAttribute("aria-label");
    const { points } = await read<Traffic>(`/endpoints/${name}/traffic?range=1h`);
    const perSecond = points.slice(0, 4).map((point) => point.perSecond ?? Number.NaN);
    const told = Number(label?.match(/all ([\d.]+)/)?.[1]);
    expect(perSecond.some((each) => Math.abs(each - told) < 0.1 * told)).toBe(true);
  });

  it("keeps its stretch of time in the address: by name, typed, and dragged", async () => {
    await page.getByRole("button", { name: "Last 30 days" }).click();
    await page.waitForURL(/range=30d/);
    const month = await read<Traffic>(`/endpoints/${name}/traffic?range=30d`);
    const sentence = section().getByText(/of which .* failed/);
    await expect
      .poll(async () => (await sentence.innerText()).split(" ")[0]?.replaceAll(",", ""))
      .toBe(String(month.total.requests));
    await page.goBack();
    await expect
      .poll(() => page.getByRole("button", { name: "Last hour" }).getAttribute("aria-pressed"))
      .toBe("true");
    const chart = section().locator("figure svg[role=img]").first();
    const box = await chart.boundingBox();
    if (!box) throw new Error("no chart");
    await page.mouse.move(box.x + box.width * 0.3, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    const wrong = page.getByText("The end must come after the beginning.");
    // The fields take the stretch of the address once it has come to them, whatever was typed before.
    await expect
      .poll(async () => {
        await page.getByLabel("From", { exact: true }).fill("2020-01-02T00:00");
        await page.getByLabel("To", { exact: true }).fill("2020-01-01T00:00");
        await page.getByRole("button", { name: "Show", exact: true }).click();
        return await wrong.isVisible();
      })
      .toBe(true);
  });

  it("gives its points as a file", async () => {
    const counted = async () =>
      (await read<Traffic>(`/endpoints/${name}/traffic?range=1h`)).total.requests;
    const before = await counted();
    await openPage(page, `/endpoints/${name}?tab=metrics`);
    await page.getByText("The figures as a table").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download as CSV" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(lines[0]).toMatch(/^revision,at,seconds,perSecond,requests/);
    const all = lines.filter((line) => line.startsWith("all,"));
    const requests = all.map((line) => Number(line.split(",")[4]));
    // A minute may leave the hour meanwhile.
    expect([before, await counted()]).toContain(requests.reduce((sum, each) => sum + each, 0));
  });

  it("has no barriers, fits every width, and is there in Italian", async () => {
    await openPage(page, `/endpoints/${name}?tab=metrics`);
    await section()
      .getByText(/of which .* failed/)
      .waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "traffic-metrics");
    await openPage(page, `/endpoints/${name}?tab=metrics&range=30d`);
    await settle(page);
    await page.screenshot({ path: "e2e/screenshots/traffic-metrics-month.png", fullPage: true });
    await narrow(`/endpoints/${name}?tab=metrics`, "traffic-metrics");
    await visit.context.addCookies([
      { name: "language", value: "it", url: installation.portalUrl },
    ]);
    await openLocalised(`/endpoints/${name}?tab=metrics`);
    await page.getByRole("heading", { name: "Traffico" }).waitFor();
    await visit.context.addCookies([
      { name: "language", value: "en", url: installation.portalUrl },
    ]);
  });
});

const openLocalised = (path: string) => page.goto(path);

async function narrow(path: string, picture: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 800 });
  await openPage(page, path);
  await settle(page);
  await page.screenshot({ path: `e2e/screenshots/${picture}-320.png`, fullPage: true });
  const spill = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  await expect.poll(spill, { message: `${picture} at 320` }).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1440, height: 900 });
}

describe("the lists", () => {
  it("show the last half hour of each endpoint, as the database counts it", async () => {
    const cellsOf = async (path: string) => {
      await openPage(page, path);
      const row = page.getByRole("row").filter({ hasText: name }).first();
      await row.getByRole("img", { name: /requests in the last 30 minutes/ }).waitFor();
      return await row.innerText();
    };
    const rate = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
    const counted = async () => {
      const [half] = await ask<{ rate: number; errors: number }>(
        `SELECT (sum(requests) / count(DISTINCT at))::float8 AS rate,
           100 * (sum(client_errors + server_errors) / sum(requests))::float8 AS errors
         FROM traffic_minute WHERE endpoint_id IN ($1, '${noEndpoint}') AND at < date_trunc('minute', now())
           AND at >= date_trunc('minute', now()) - interval '30 minutes'`,
        [endpointId],
      );
      return [rate.format(half?.rate ?? 0), (half?.errors ?? 0).toFixed(1)];
    };
    const before = await counted();
    const list = await cellsOf(`/endpoints?search=${name}`);
    // A minute may end meanwhile.
    const told = [before, await counted()].filter((words) =>
      words.every((word) => list.includes(word)),
    );
    expect(told, list).not.toEqual([]);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "traffic-list");
    await openPage(page, "/");
    await page.getByRole("columnheader", { name: "p99" }).waitFor();
    await takePictures(page, "traffic-home");
  });
});

describe("the Requests tab", () => {
  it("shows a real request with its reason, links to it, and keeps no body unless told", async () => {
    const body = JSON.stringify({
      inputs: [{ name: "x", shape: [1, 1], datatype: "FP32", data: [271828.25] }],
    });
    const infer = () =>
      fetch(`${installation.gatewayUrl}/v2/models/${name}/infer`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    expect((await infer()).status).toBe(503);
    await openPage(page, `/endpoints/${name}?tab=requests`);
    const row = page.getByRole("row").filter({ hasText: "503" }).first();
    await row.getByText("MODEL_NOT_READY").waitFor();
    const { items } = await read<{ items: RequestRecord[] }>(`/endpoints/${name}/requests`);
    expect(items).toHaveLength(1);
    await expect.poll(() => row.innerText()).toContain(items[0]?.requestId);
    const [stored] = await ask<{ text: string }>("SELECT r::text AS text FROM request_record r");
    expect(stored?.text).not.toContain("271828");
    await row.getByRole("link", { name: /ago|now/ }).click();
    await page.waitForURL(new RegExp(`at=${items[0]?.id}`));
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "traffic-requests");
    await narrow(`/endpoints/${name}?tab=requests`, "traffic-requests");
    await page.getByRole("button", { name: "Caller's errors" }).click();
    await page.getByText("No such request among the last 200.").waitFor();
  });

  it("keeps bodies once the switch in Settings is on, and deletes them when it goes off", async () => {
    await openPage(page, `/endpoints/${name}?tab=settings`);
    const box = page.getByRole("checkbox", { name: /Keep the bodies/ });
    await box.check();
    const kept = () => ask("SELECT 1 FROM endpoint WHERE id = $1 AND keep_payloads", [endpointId]);
    await expect.poll(async () => (await kept()).length).toBe(1);
    await takePictures(page, "traffic-settings");
    await database.query(
      `UPDATE request_record SET body = '{"inputs":[]}' WHERE endpoint_id = $1`,
      [endpointId],
    );
    await openPage(page, `/endpoints/${name}?tab=requests`);
    const again = page.getByRole("link", { name: "Open in Try" });
    await expect
      .poll(() => again.getAttribute("href"))
      .toMatch(new RegExp(`^/endpoints/${name}\\?request=req_`));
    await openPage(page, `/endpoints/${name}?tab=settings`);
    // Until it is known whether they are kept, the box is empty.
    await expect.poll(() => box.isChecked()).toBe(true);
    await box.uncheck();
    await expect
      .poll(async () => (await ask("SELECT 1 FROM request_record WHERE body IS NOT NULL")).length)
      .toBe(0);
  });
});

describe("the Logs tab", () => {
  it("tells what happened, as text, filtered and with an address for each entry", async () => {
    await openPage(page, `/endpoints/${name}?tab=logs`);
    const entries = section().getByRole("list", { name: "What happened" }).getByRole("listitem");
    await entries.first().waitFor();
    const [count] = await ask<{ n: number }>(
      "SELECT count(*)::int AS n FROM endpoint_log WHERE endpoint_id = $1",
      [endpointId],
    );
    await expect.poll(() => entries.count()).toBe(count?.n);
    await page.getByText("no answer on /dev/ttyUSB1 <b>now</b>").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "traffic-logs");
    await narrow(`/endpoints/${name}?tab=logs`, "traffic-logs");
    await page.getByRole("button", { name: "Revisions" }).click();
    await expect.poll(() => entries.count()).toBe(1);
    await page.waitForURL(/kind=switched/);
    await page.getByRole("searchbox", { name: /Search messages/ }).fill("nothing like it");
    await page.getByText("Nothing like this has happened.").waitFor();
  });
});
