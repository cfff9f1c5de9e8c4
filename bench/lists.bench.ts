import { countArtifacts, listArtifacts } from "@/domain/artifacts";
import { countBoards, listBoards } from "@/domain/boards";
import { countBuilds, listBuilds } from "@/domain/builds";
import { countEndpoints, listEndpoints } from "@/domain/endpoints";
import { countModels, listModels } from "@/domain/models";
import { listTraffic } from "@/domain/traffic";
import { closeDatabase } from "@/lib/server/db";
import { scope } from "@/tests/support/domain";
import { fillBoards } from "@/tests/support/fill-boards";
import { fillLibrary } from "@/tests/support/fill-library";
import { fillLists } from "@/tests/support/fill-lists";
import { startPostgres } from "@/tests/support/postgres";
import { measurePage, type PageFigure, tellSlowest } from "./lists/measure-page";

/**
 * Pages of lists with 100,000 builds, 10,000 endpoints that were all busy for half an hour, 1,000 boards, the firmware of every
 * second build that succeeded and 5,000 models in three versions: p95 of each filter and order, deep pages among them, held to 50 ms;
 * then the plan of the slowest, and of each with `-- --plans`.
 */
const builds = Number(process.env["BENCH_BUILDS"] ?? 100_000);
const endpoints = Number(process.env["BENCH_LIST_ENDPOINTS"] ?? 10_000);
const boards = Number(process.env["BENCH_BOARDS"] ?? 1000);
const models = Number(process.env["BENCH_MODELS"] ?? 5000);

const postgres = await startPostgres();
const databaseUrl = await postgres.newDatabase();
process.env["DATABASE_URL"] = databaseUrl;
const say = (text: string) => process.stdout.write(`${text}\n`);

type Query = Parameters<typeof listBuilds>[1];
const page = { limit: 50 };

/** The cursor behind so many pages of 200. */
async function deep(query: Query, pages: number): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let n = 0; n < pages; n++) {
    cursor = (await listBuilds(scope, { ...query, limit: 200, cursor })).nextCursor ?? undefined;
  }
  return cursor;
}

const buildCases: readonly (readonly [string, Partial<Query>])[] = [
  ["newest first", {}],
  ["oldest first", { sort: "created" }],
  ["by name", { sort: "name" }],
  ["by name, falling", { sort: "-name" }],
  ["by state", { sort: "state" }],
  ["longest first", { sort: "-duration" }],
  ["failed", { state: ["failed"] }],
  ["under way (few)", { state: ["queued", "preparing", "running"] }],
  ["failed or timed out, longest first", { state: ["failed", "timed_out"], sort: "-duration" }],
  ["failed, by name", { state: ["failed"], sort: "name" }],
  ["an engine in 1 of 1,000", { engine: ["prebuilt"] }],
  ["an engine in 1 of 1,000, failed", { engine: ["prebuilt"], state: ["failed"] }],
  ["a board in 1 of 12", { board: ["ulx3s-25f"] }],
  ["engine, board and state", { engine: ["hls4ml"], board: ["ulx3s-25f"], state: ["failed"] }],
  ["text in every build", { search: "model" }],
  ["text in 1 of 100", { search: "jets-12" }],
  ["text in every build, by name", { search: "model", sort: "name" }],
  ["text in 1 of 5, last by name", { search: "wine", sort: "name" }],
  ["succeeded, by name", { state: ["succeeded"], sort: "name" }],
  ["text in none", { search: "zebra" }],
  ["two letters in none", { search: "zq" }],
  ["text in 1 of 100, by name", { search: "jets-12", sort: "name" }],
  ["a label of every other", { label: ["night"] }],
  ["a label in 1 of 100", { label: ["paper"] }],
  ["a label in 1 of 100, by name", { label: ["paper"], sort: "name" }],
  ["a label of every other, longest first", { label: ["night"], sort: "-duration" }],
  ["last day", { since: "24h" }],
  ["last week, failed", { since: "7d", state: ["failed"] }],
  ["last week, by name", { since: "7d", sort: "name" }],
];

const endpointCases: readonly (readonly [string, Parameters<typeof listEndpoints>[1]])[] = [
  ["by name", page],
  ["newest first", { ...page, sort: "-created" }],
  ["by state", { ...page, sort: "state" }],
  ["failed", { ...page, state: ["failed"] }],
  ["a frequent engine", { ...page, engine: ["boardwalk"] }],
  ["an engine in 1 of 1,000", { ...page, engine: ["prebuilt"] }],
  ["a board in 1 of 12", { ...page, board: ["ulx3s-25f"] }],
  ["text in 1 of 100", { ...page, search: "jets-42" }],
  ["text in none", { ...page, search: "zebra" }],
  [
    "engine and state, newest first",
    { ...page, engine: ["hls4ml"], state: ["failed"], sort: "-created" },
  ],
];

const boardCases: readonly (readonly [string, Partial<Parameters<typeof listBoards>[1]>])[] = [
  ["hardware first", {}],
  ["by name", { sort: "name" }],
  ["by state", { sort: "state" }],
  ["by server, falling", { sort: "-server" }],
  ["newest first", { sort: "-created" }],
  ["real ones", { kind: ["physical"] }],
  ["free or offline", { state: ["free", "offline"] }],
  [
    "degraded, of a board model, by name",
    { state: ["degraded"], board: ["icebreaker"], sort: "name" },
  ],
  ["text in 1 of 100", { search: "bench-12" }],
  ["text in none", { search: "zebra" }],
];

const artifactCases: readonly (readonly [string, Partial<Parameters<typeof listArtifacts>[1]>])[] =
  [
    ["newest first", {}],
    ["largest first", { sort: "-size" }],
    ["slowest clock first", { sort: "clock" }],
    ["proven", { state: ["proven"] }],
    ["damaged (none)", { state: ["damaged"] }],
    ["an engine in 1 of 1,000", { engine: ["prebuilt"] }],
    ["a board in 1 of 12, largest first", { board: ["ulx3s-25f"], sort: "-size" }],
    ["a digest by its first digits", { search: "abcd" }],
    ["text in 1 of 100", { search: "jets-12" }],
    ["text in none", { search: "zebra" }],
    ["last day", { since: "24h" }],
  ];

const modelCases: readonly (readonly [string, Partial<Parameters<typeof listModels>[1]>])[] = [
  ["newest first", {}],
  ["oldest first (each with 1,000 builds)", { sort: "created" }],
  ["by name", { sort: "name" }],
  ["largest first", { sort: "-size" }],
  ["archived (none)", { state: ["archived"] }],
  ["text in 1 of 100", { search: "jets-12" }],
  ["text in none", { search: "zebra" }],
];

try {
  const started = performance.now();
  await fillLists(databaseUrl, { builds, endpoints });
  await fillBoards(databaseUrl, { boards });
  const library = await fillLibrary(databaseUrl, { models });
  say(
    `${builds} builds, ${endpoints} endpoints, ${boards} boards, ${library.artifacts} artifacts, ${library.models} versions of models and ${library.trafficMinutes} minutes of traffic, filled in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  await listBuilds(scope, page);
  const figures: PageFigure[] = [];
  say(`\npages of 50 builds${" ".repeat(30)} p50     p95  rows  (ms)`);
  for (const [what, query] of buildCases) {
    figures.push(await measurePage(what, () => listBuilds(scope, { ...page, ...query })));
  }
  for (const [what, query] of [buildCases[0], buildCases[2], buildCases[5]].flatMap((each) =>
    each ? [each] : [],
  )) {
    const cursor = await deep({ ...page, ...query }, 250);
    figures.push(
      await measurePage(`${what}, behind 50,000`, () =>
        listBuilds(scope, { ...page, ...query, cursor }),
      ),
    );
  }
  say(`\npages of 50 endpoints${" ".repeat(27)} p50     p95  rows  (ms)`);
  for (const [what, query] of endpointCases) {
    figures.push(await measurePage(what, () => listEndpoints(scope, query)));
  }
  say(`\npages of 50 boards${" ".repeat(30)} p50     p95  rows  (ms)`);
  for (const [what, query] of boardCases) {
    figures.push(await measurePage(what, () => listBoards(scope, { ...page, ...query })));
  }
  say(`\npages of 50 artifacts${" ".repeat(27)} p50     p95  rows  (ms)`);
  for (const [what, query] of artifactCases) {
    figures.push(await measurePage(what, () => listArtifacts(scope, { ...page, ...query })));
  }
  say(`\npages of 50 models${" ".repeat(30)} p50     p95  rows  (ms)`);
  for (const [what, query] of modelCases) {
    figures.push(await measurePage(what, () => listModels(scope, { ...page, ...query })));
  }
  say(`\ntraffic beside 50 endpoints${" ".repeat(21)} p50     p95  rows  (ms)`);
  const { items: named } = await listEndpoints(scope, { ...page, sort: "-created" });
  figures.push(
    await measurePage("named", () =>
      listTraffic(scope, { ...page, names: named.map(({ name }) => name) }),
    ),
    await measurePage("by name", () => listTraffic(scope, { ...page, names: [] })),
  );
  say(`\ncounts by state${" ".repeat(33)} p50     p95  states (ms)`);
  const counted = async (counts: Promise<{ states: unknown[] }>) => ({
    items: (await counts).states,
  });
  await measurePage("builds, all", () => counted(countBuilds(scope, {})));
  await measurePage("builds with text in 1 of 100", () =>
    counted(countBuilds(scope, { search: "jets-12" })),
  );
  await measurePage("builds of an engine", () =>
    counted(countBuilds(scope, { engine: ["hls4ml"] })),
  );
  await measurePage("endpoints, all", () => counted(countEndpoints(scope, {})));
  await measurePage("endpoints of an engine", () =>
    counted(countEndpoints(scope, { engine: ["hls4ml"] })),
  );
  await measurePage("artifacts, all", () => counted(countArtifacts(scope, {})));
  await measurePage("artifacts with text in 1 of 100", () =>
    counted(countArtifacts(scope, { search: "jets-12" })),
  );
  await measurePage("models, all", () => counted(countModels(scope, {})));
  await measurePage("boards, all", () => counted(countBoards(scope, {})));

  await tellSlowest(figures, databaseUrl);
} finally {
  await closeDatabase();
  await postgres.stop();
}
