import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BoardAvailability,
  type Build,
  type BuildOverview,
  type BuildTimeline,
  type BuildTrend,
  type MachineDrawing,
  type ModelDetail,
  type Placement,
  type Report,
  type Traffic,
  tileKinds,
} from "@/lib/common/contract";
import { deploy, predict, sampleReference, until, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { endpointPage, openPage, picture } from "./pages";
import { openBrowser, type Visit } from "./support/browser";

// What every chart shows is what is stored: its file, point by point, against the API and the database.

const name = "iris-figures";
const model = { url: "s3://boardwalk-samples/iris-mlp/model.onnx" };
const board = { model: "icebreaker", kind: "simulated" };
let installation: Installation;
let visit: Visit;
let page: Page;
let pool: pg.Pool;
let build: Build;
let other: Build;

const api = async <T>(path: string): Promise<T> => {
  const { status, body } = await installation.api(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body as T;
};
const main = () => page.getByRole("main");
const pictureOf = (finding: RegExp) => picture(page, main(), finding);
const rowsOf = (finding: RegExp) => pictureOf(finding).rows();
const report = (): Report => {
  if (!build.report) throw new Error("no report");
  return build.report;
};
/** Calls of one number of rows, as the gateway counts them. */
interface Batch {
  readonly batch_size: number;
  readonly compute_infer: { readonly count: number };
}

/** A part of a report that this build must have. */
function known<T>(part: T | null | undefined): T {
  if (part === null || part === undefined) throw new Error("the report lacks it");
  return part;
}
const texts = (values: readonly unknown[]) => values.map((value) => String(value ?? ""));

beforeAll(async () => {
  installation = await startInstallation("e2e-figures");
  pool = new pg.Pool({ connectionString: installation.variables["DATABASE_URL"] });
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
  await installation.api("/models/inspect", { method: "POST", body: JSON.stringify(model) });
  const first = await deploy(installation, { name, engine: "boardwalk", model, board });
  await untilReady(installation, name);
  const second = await deploy(installation, {
    ...{ name: "iris-other", engine: "boardwalk", model, board },
    options: { weightBits: 6 },
  });
  build = await api(`/builds/${first.buildId}`);
  other = await until("the other build", async () => {
    const now = await api<Build>(`/builds/${second.buildId}`);
    return now.state === "succeeded" && now;
  });
});

afterAll(async () => {
  await visit?.browser.close();
  await pool?.end();
  await installation?.stop();
});

describe("the pictures of a build", () => {
  it("show the cells in use and the slowest path of its report", async () => {
    await openPage(page, `/builds/${build.id}`);
    const resources = await rowsOf(/^Fullest:/);
    expect(resources.map(({ resource, used, available }) => [resource, used, available])).toEqual(
      report().resources.map(({ id, used, available }) => texts([id, used, available])),
    );
    await main()
      .getByText(/^Slowest path/)
      .first()
      .click();
    const steps = await rowsOf(/^Slowest path/);
    const path = known(report().criticalPath);
    expect(steps.map(({ routingNs, logicNs }) => [routingNs, logicNs])).toEqual(
      path.steps.map(({ routingNs, logicNs }) => texts([routingNs, logicNs])),
    );
    expect(Number(steps.at(-1)?.["sinceNs"])).toBeCloseTo(path.totalNs, 1);
  });

  it("show the slack of every clock, bin by bin", async () => {
    const clocks = known(report().clocks);
    for (const { name: clock, achievedMhz, slack } of clocks) {
      const shown = pictureOf(new RegExp(`^Clock ${clock.replaceAll(/[$.]/g, ".")} reaches`));
      if (!slack) continue;
      await expect.poll(() => shown.title()).toContain(achievedMhz.toFixed(1));
      const rows = await shown.rows();
      expect(rows.map(({ count }) => Number(count))).toEqual(slack.counts);
      expect(Number(rows[0]?.["fromNs"])).toBe(slack.fromNs);
      expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(slack.ends);
    }
    expect(clocks.some(({ slack }) => slack)).toBe(true);
  });

  it("show every cycle of a row, and each tile of the chip", async () => {
    const cycles = await rowsOf(/^The answer is out by cycle/);
    expect(cycles.map(({ step, fromCycle, toCycle }) => [step, fromCycle, toCycle])).toEqual(
      known(report().timeline).rows.flatMap((row) =>
        row.spans.map(({ from, to }) => texts([row.name, from, to])),
      ),
    );
    const { tiles, sections } = await api<Placement>(
      `/artifacts/${build.artifactDigest}/files/placement`,
    );
    const stored = Array.from({ length: tiles.length / 5 }, (_, at) => {
      const [column, row, section = 0, kind = 0, cells] = tiles.slice(5 * at, 5 * at + 5);
      return texts([column, row, sections[section]?.id, tileKinds[kind], cells]).join(" ");
    });
    const shown = (await rowsOf(/tiles are in use/)).map(({ column, row, section, kind, cells }) =>
      [column, row, section, kind, cells].join(" "),
    );
    expect(shown.toSorted()).toEqual(stored.toSorted());
  });

  it("show when each stage began, and how long it took", async () => {
    const { attempts } = await api<BuildTimeline>(`/builds/${build.id}/timeline`);
    const [attempt] = attempts;
    const runs = known(attempt)
      .stages.flatMap((stage) => (stage.runs ?? []).map((run) => ({ stage: stage.name, ...run })))
      .map(({ stage, startedAt, endedAt, state }) => ({
        ...{ stage, state, startedAt },
        durationMs: Date.parse(endedAt ?? "") - Date.parse(startedAt),
      }));
    const begin = Math.min(
      Date.parse(known(attempt).startedAt),
      ...runs.map(({ startedAt }) => Date.parse(startedAt)),
    );
    const shown = (await rowsOf(/^Took /)).filter(({ durationMs }) => durationMs !== "");
    expect(
      shown
        .map(({ stage, state, startMs, durationMs }) =>
          [stage, state, startMs, durationMs].join(" "),
        )
        .toSorted(),
    ).toEqual(
      runs
        .map(({ stage, state, startedAt, durationMs }) =>
          [stage, state, Date.parse(startedAt) - begin, durationMs].join(" "),
        )
        .toSorted(),
    );
  });

  it("show who is taken for whom, and what saturates", async () => {
    const { confusion, clipping } = known(report().accuracy);
    const { classes, floatToInteger } = known(confusion);
    expect((await rowsOf(/rows alike/)).map(({ from, to, count }) => [from, to, count])).toEqual(
      floatToInteger.flatMap((line, from) =>
        line.map((count, to) => texts([classes[from], classes[to], count])),
      ),
    );
    const shown = await rowsOf(/saturate/);
    expect(shown.map(({ tensor, role, share }) => [tensor, role, share])).toEqual(
      clipping.map(({ tensor, role, share }) => texts([tensor, role, share])),
    );
  });

  it("show the processors of a machine, whose names run nothing in a spreadsheet", async () => {
    const machine: MachineDrawing = {
      type: "fps16f8",
      inputs: 2,
      layers: [
        {
          name: "=cmd|' /C calc'!A0",
          relu: true,
          processors: [0, 1].map((number) => ({
            number,
            inputs: 2,
            instructions: 9,
            from: [0, 1],
          })),
        },
        {
          name: "scores",
          relu: false,
          processors: [{ number: 2, inputs: 2, instructions: 7, from: [0, 1] }],
        },
      ],
    };
    await pool.query(
      "UPDATE build SET report = jsonb_set(report, '{machine}', $1::jsonb) WHERE id = $2",
      [JSON.stringify(machine), other.id.replace("bld_", "")],
    );
    await openPage(page, `/builds/${other.id}`);
    const rows = await rowsOf(/^3 processors in 2 layers, joined by 6 links/);
    expect(rows).toEqual(
      machine.layers.flatMap(({ name: layer, processors }) =>
        processors.map(({ number, inputs, instructions, from }) => ({
          processor: String(number),
          layer: layer.startsWith("=") ? `'${layer}` : layer,
          inputs: String(inputs),
          reads: known(from).join(" "),
          instructions: String(instructions),
        })),
      ),
    );
    await openPage(page, `/builds/${build.id}`);
  });

  it("are told point by point to the keyboard, as the table has them", async () => {
    const resources = pictureOf(/^Fullest:/);
    const [first = [], second = []] = await resources.table();
    await resources.figure.getByRole("group", { name: /Arrow keys/ }).focus();
    await page.keyboard.press("ArrowRight");
    const words = resources.figure.locator("p[aria-live]");
    for (const cell of first) await expect.poll(() => words.innerText()).toContain(cell);
    await page.keyboard.press("ArrowRight");
    for (const cell of second) await expect.poll(() => words.innerText()).toContain(cell);
    await page.keyboard.press("Escape");
    expect((await words.innerText()).trim()).toBe("");
  });

  it("are saved as SVG that needs nothing else, and as PNG of twice its size", async () => {
    for (const finding of [
      /^Clock .* reaches/,
      /tiles are in use/,
      /^Took /,
      /^The answer is out/,
    ]) {
      const shown = pictureOf(finding);
      const whole = await shown.svg();
      const [sheet = "", fonts = ""] = /<style>([\s\S]*)<\/style>/.exec(whole) ?? [];
      expect(fonts).toMatch(
        /font-family:\s?"IBM Plex Sans Variable"[^}]*src:url\(data:font\/woff2;/,
      );
      expect(fonts.replaceAll(/url\(data:/g, "")).not.toContain("url(");
      const svg = whole.replace(sheet, "");
      expect(svg).not.toMatch(
        /var\(|light-dark|color-mix|class=|style=|href|<script|<foreignObject/,
      );
      const read = await page.evaluate((text) => {
        const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
        return {
          root: documentElement.localName,
          title: documentElement.querySelector("title")?.textContent,
          summary: documentElement.querySelector("desc")?.textContent ?? "",
          width: Number(documentElement.getAttribute("width")),
          missing: [...text.matchAll(/url\(#([^)]+)\)/g)].filter(
            ([, id]) => documentElement.querySelector(`[id="${id}"]`) === null,
          ).length,
        };
      }, svg);
      expect(read).toMatchObject({ root: "svg", title: await shown.title(), missing: 0 });
      expect(read.summary.length).toBeGreaterThan(10);
      const png = await shown.png();
      expect(png.subarray(1, 4).toString()).toBe("PNG");
      expect(png.readUInt32BE(16)).toBe(2 * read.width);
    }
  });
});

describe("the pictures of what came of it", () => {
  it("show the files of the firmware and the layers of the model", async () => {
    await openPage(page, `/firmware/${encodeURIComponent(known(build.artifactDigest))}`);
    const { manifest } = await api<{
      manifest: { files: { role: string; digest: string; sizeBytes: number }[] };
    }>(`/artifacts/${build.artifactDigest}`);
    const files = await rowsOf(/in all, most of it in/);
    expect(
      files.map(({ role, digest, sizeBytes }) => [role, digest, sizeBytes]).toSorted(),
    ).toEqual(
      manifest.files
        .map(({ role, digest, sizeBytes }) => texts([role, digest, sizeBytes]))
        .toSorted(),
    );
    const { rows } = await pool.query<{ id: string }>(
      "SELECT id FROM model WHERE name = 'iris-mlp'",
    );
    const stored = await api<ModelDetail>(`/models/mdl_${rows[0]?.id}`);
    await openPage(page, `/models/mdl_${rows[0]?.id}`);
    const layers = await rowsOf(/layers with .* parameters/);
    expect(
      layers.map((row) => [row["name"], row["operator"], row["shape"], row["parameters"]]),
    ).toEqual(
      known(stored.layers).map((layer) =>
        texts([layer.name, layer.operator, JSON.stringify(layer.shape), layer.parameters]),
      ),
    );
  });

  it("show two builds side by side where their reports have them", async () => {
    await openPage(page, `/builds/compare?ids=${build.id},${other.id}`);
    const rows = await rowsOf(/beaten by none/);
    expect(rows.map((row) => [row["build"], row["logicCells"], Number(row["latencyNs"])])).toEqual(
      [build, other].map(({ id, report: own }) => {
        const { resources, latencyCycles, clockHz } = known(own);
        const cells = resources.find((each) => each.id === "lut")?.used;
        return [id, String(cells), (known(latencyCycles) / known(clockHz)) * 1e9];
      }),
    );
  });

  it("count builds over time as the database does", async () => {
    await openPage(page, "/builds");
    const { steps } = await api<BuildTrend>("/builds/trend?window=24h");
    const shown = await rowsOf(/builds asked for/);
    const kinds = ["succeeded", "reused", "failed", "cancelled", "underWay"] as const;
    expect(shown.map((row) => kinds.map((kind) => Number(row[kind])))).toEqual(
      steps.map((step) => kinds.map((kind) => step[kind])),
    );
    const { rows } = await pool.query<{ count: number }>("SELECT count(*)::int FROM build");
    const all = shown.reduce(
      (sum, row) => sum + kinds.reduce((own, kind) => own + Number(row[kind]), 0),
      0,
    );
    expect(all).toBe(rows[0]?.count);
    await openPage(page, "/");
    const { hours } = await api<BuildOverview>("/builds/overview");
    expect(
      (await rowsOf(/in 24 hours, most of them/)).map((row) =>
        kinds.map((kind) => Number(row[kind])),
      ),
    ).toEqual(hours.map((hour) => kinds.map((kind) => hour[kind])));
  });

  it("show what the board was, and what lies on it", async () => {
    const { items } = await api<{ items: { id: string; boardModel: string }[] }>("/boards");
    const id = known(items.find(({ boardModel }) => boardModel === "icebreaker")).id;
    await openPage(page, `/boards/${id}?tab=history`);
    const shown = (await rowsOf(/^Heard .* of the time/)).map(({ state, from }) => [state, from]);
    const { spans } = await api<BoardAvailability>(`/boards/${id}/availability?range=24h`);
    // The first begins a day before the question, whenever that is.
    expect(shown.slice(1)).toEqual(spans.slice(1).map(({ state, from }) => texts([state, from])));
    await openPage(page, `/boards/${id}?tab=resources`);
    const used = (await rowsOf(/^Fullest:/)).map(({ resource, used: count }) => [resource, count]);
    const loaded = known([build, other].find(({ artifactDigest }) => artifactDigest));
    expect(used.map(([resource]) => resource)).toEqual(
      known(loaded.report).resources.map(({ id: resource }) => resource),
    );
    await pictureOf(/tiles are in use/).figure.waitFor();
  });
});

describe("the pictures of traffic", () => {
  const asked = 24;

  it("show each minute, each bucket and each part as the server kept them", async () => {
    const { input } = sampleReference("iris-mlp");
    const from = new Date(Date.now() - 10 * 60_000).toISOString();
    for (let at = 0; at < asked; at += 1) {
      const row = known(input.rows[at % input.rows.length]);
      expect((await predict(installation, name, { name: input.name, row })).status).toBe(200);
    }
    const to = new Date(Date.now() + 5 * 60_000).toISOString();
    const query = new URLSearchParams({ from, to });
    await until("the traffic is written", async () => {
      const now = await api<Traffic>(`/endpoints/${name}/traffic?${query}`);
      return now.total.requests === asked;
    });
    query.set("tab", "metrics");
    // As the API told the page: another minute may be counted a moment later.
    const [told] = await Promise.all([
      page.waitForResponse((answer) => answer.url().includes(`/endpoints/${name}/traffic?`)),
      openPage(page, `/endpoints/${name}?${query}`),
    ]);
    const traffic = (await told.json()) as Traffic;
    const counted = (count: number | null, { perSecond }: { perSecond: number | null }) =>
      perSecond === null ? "" : String(count);
    expect((await rowsOf(/^Requests: up to/)).map(({ at, requests }) => [at, requests])).toEqual(
      traffic.points.map((point) => [point.at, counted(point.requests, point)]),
    );
    expect(
      (await rowsOf(/request(s)? failed/)).map((row) => [row["clientErrors"], row["serverErrors"]]),
    ).toEqual(
      traffic.points.map((point) => [
        counted(point.clientErrors, point),
        counted(point.serverErrors, point),
      ]),
    );
    expect(
      (await rowsOf(/^Latency in the gateway/)).map((row) => [
        row["p50Ms"],
        row["p90Ms"],
        row["p99Ms"],
        row["p999Ms"],
      ]),
    ).toEqual(
      traffic.points.map(({ p50Ms, p90Ms, p99Ms, p999Ms }) => texts([p50Ms, p90Ms, p99Ms, p999Ms])),
    );
    const buckets = await rowsOf(/^Half were answered within/);
    expect(buckets.map(({ fromMs, toMs, count }) => [fromMs, toMs, count])).toEqual(
      traffic.histogram.map(({ fromMs, toMs, count }) => texts([fromMs, toMs, count])),
    );
    expect(buckets.reduce((sum, { count }) => sum + Number(count), 0)).toBe(asked);
    const stats = await (await fetch(`${installation.gatewayUrl}/v2/models/${name}/stats`)).json();
    const [{ batch_stats }] = stats.model_stats;
    expect(
      (await rowsOf(/calls, most often of/)).map(({ batchSize, calls }) => [batchSize, calls]),
    ).toEqual(
      batch_stats
        .toSorted((a: Batch, b: Batch) => b.batch_size - a.batch_size)
        .map(({ batch_size, compute_infer }: Batch) => texts([batch_size, compute_infer.count])),
    );
    const parts = await rowsOf(/in the mean goes to/);
    expect(Object.fromEntries(parts.map(({ part, ms }) => [part, Number(ms)]))).toEqual(
      known(traffic.total.timeShare),
    );
    const { rows } = await pool.query<{ sum: number }>(
      "SELECT sum(requests)::int FROM traffic_minute JOIN endpoint ON endpoint.id = endpoint_id WHERE name = $1",
      [name],
    );
    expect(rows[0]?.sum).toBe(asked);
  });

  it("split the time of one answer down to the cycles of its report", async () => {
    await endpointPage(page).open(name);
    await endpointPage(page).send();
    await endpointPage(page).timeSplit();
    const parts = await rowsOf(/of the server, .* of it/);
    const chip = Number(parts.find(({ part }) => part === "chip")?.["ns"]);
    const { latencyCycles, clockHz } = report();
    expect(chip).toBeGreaterThan(0);
    const cycles = (chip * known(clockHz)) / 1e9;
    expect(Math.abs(cycles - Math.round(cycles))).toBeLessThan(1e-3);
    expect(cycles).toBeGreaterThanOrEqual(known(latencyCycles));
    const sum = parts.reduce((all, { share }) => all + Number(share), 0);
    expect(sum).toBeCloseTo(1, 6);
  });

  it("count every repeated request once", async () => {
    await main()
      .getByLabel(/^Times/)
      .fill("20");
    await main().getByRole("button", { name: "Repeat" }).click();
    await main().getByText("20 of 20 requests answered, ended").waitFor();
    const rows = await rowsOf(/half within .* \(20 requests\)/);
    expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(20);
  });
});

it("had no error in the console", () => {
  expect(visit.complaints).toEqual([]);
});
