import { beforeAll, describe, expect, it } from "vitest";
import { listBuilds } from "@/domain/builds";
import {
  type Build,
  buildSorts,
  type Endpoint,
  type EndpointOverview,
  type ExportedBuild,
  endpointSorts,
} from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { call, openApi } from "../support/api";
import { iris, scope } from "../support/domain";
import { fillLists } from "../support/fill-lists";

// Lists in which everything is found: each answer is held to the rows of the database, filtered and sorted here.

openApi();

const filled = { builds: 1200, endpoints: 120 };
let rows: Awaited<ReturnType<typeof readBuilds>>;

beforeAll(async () => {
  await fillLists(process.env["DATABASE_URL"] ?? "", filled);
  rows = await readBuilds();
});

const readBuilds = () => database().build.findMany({ orderBy: { id: "desc" } });
type Row = (typeof rows)[number];

const idOf = ({ id }: { id: string }) => `bld_${id}`;
const nameOf = ({ endpointName, modelUrl }: Row) => endpointName ?? modelUrl;
const tookOf = ({ startedAt, endedAt }: Row) =>
  startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : -1;

async function read<T>(target: string): Promise<T> {
  const answer = await call("GET", target);
  expect([target, answer.status]).toEqual([target, 200]);
  return (await answer.json()) as T;
}

interface PageOf<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  readonly previousCursor?: string | null;
}

/** A list to its end, page after page. */
async function readAll<T>(target: string, between = async () => {}): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page: { items: T[]; nextCursor: string | null } = await read(`${target}${more}`);
    items.push(...page.items);
    cursor = page.nextCursor;
    await between();
  } while (cursor !== null);
  return items;
}

describe("a page", () => {
  it.each([
    ["limit=0", 1],
    ["limit=-1", 1],
    ["limit=200", 200],
    ["limit=201", 200],
    ["limit=1000000000", 200],
    ["limit=x", 50],
    ["", 50],
  ])("of the size %j has %i rows", async (query, count) => {
    const { items, nextCursor } = await read<PageOf<Build>>(`/builds?${query}`);
    expect([items.length, nextCursor]).toEqual([count, expect.any(String)]);
  });
});

const within = (days: number) => (row: Row) =>
  row.createdAt.getTime() > Date.now() - days * 86_400_000;

describe("a filter of builds", () => {
  it.each<[string, (row: Row) => boolean]>([
    ["", () => true],
    ["state=failed", ({ state }) => state === "failed"],
    ["state=failed&state=timed_out", ({ state }) => /^(failed|timed_out)$/.test(state)],
    ["engine=hls4ml", ({ engine }) => engine === "hls4ml"],
    ["board=cpu&engine=onnx", (row) => row.boardModel === "cpu" && row.engine === "onnx"],
    ["since=10d", within(10)],
    ["since=48h&state=succeeded", (row) => within(2)(row) && row.state === "succeeded"],
    ["search=JETS-1", (row) => row.modelUrl.includes("jets-1")],
    ["search=%20wine-3%20", (row) => row.modelUrl.includes("wine-3")],
    ["search=je", (row) => nameOf(row).startsWith("je")],
    ["search=zebra", () => false],
    ["search=%25", () => false],
    ["search=_-_", () => false],
    ["search=%5C%25", () => false],
  ])("%s holds what the database holds", async (query, matches) => {
    const items = await readAll<Build>(`/builds?limit=200&${query}`);
    expect(items.map(({ id }) => id)).toEqual(rows.filter(matches).map(idOf));
  });

  it("counts the states of what matches, whichever are chosen, and tells what there is to filter by", async () => {
    const counts = await read<{ states: object[]; engines: string[]; boards: string[] }>(
      "/counts/builds?state=failed&engine=onnx",
    );
    const expected: Record<string, number> = {};
    for (const { state, engine } of rows)
      if (engine === "onnx") expected[state] = (expected[state] ?? 0) + 1;
    const byState = (list: readonly object[]) =>
      Object.fromEntries(list.map((each) => Object.values(each) as [string, number]));
    expect(byState(counts.states)).toEqual(expected);
    expect(counts.engines).toEqual([...new Set(rows.map(({ engine }) => engine))].sort());
    expect(counts.boards).toEqual([...new Set(rows.map(({ boardModel }) => boardModel))].sort());
  });
});

describe("an order of builds", () => {
  const keyOf: Record<string, (row: Row) => string | number> = {
    created: ({ id }) => id,
    state: ({ state }) => state,
    name: (row) => nameOf(row),
    duration: tookOf,
  };
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

  it.each(
    buildSorts.flatMap((sort) => ["", "&state=failed", "&search=wine"].map((f) => [sort, f])),
  )("%s%s is that of the database, over all pages", async (sort = "", filter = "") => {
    const key = keyOf[sort.replace("-", "")] ?? (() => "");
    const expected = rows
      .filter((row) => filter !== "&state=failed" || row.state === "failed")
      .filter((row) => filter !== "&search=wine" || row.modelUrl.includes("wine"))
      .toSorted((a, b) => compare(key(a), key(b)) || compare(a.id, b.id));
    const items = await readAll<Build>(`/builds?limit=90&sort=${sort}${filter}`);
    const ids = (sort.startsWith("-") ? expected.toReversed() : expected).map(idOf);
    expect(items.map(({ id }) => id)).toEqual(ids);
  });

  it.each(
    buildSorts.flatMap((sort) => ["", "&state=failed", "&search=wine"].map((f) => [sort, f])),
  )("%s%s is the same backwards, page for page", async (sort = "", filter = "") => {
    const target = `/builds?limit=90&sort=${sort}${filter}`;
    const pages: PageOf<Build>[] = [await read(target)];
    while (pages.at(-1)?.nextCursor)
      pages.push(await read(`${target}&cursor=${pages.at(-1)?.nextCursor}`));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages[0]?.previousCursor).toBeNull();
    let here = pages.at(-1);
    for (const before of pages.slice(0, -1).toReversed()) {
      const back: PageOf<Build> = await read(`${target}&cursor=${here?.previousCursor}`);
      expect(back.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id));
      expect(back.nextCursor).toBe(before.nextCursor);
      here = back;
    }
    expect(here?.previousCursor).toBeNull();
  });

  it.each(["-created", "name", "-duration"])(
    "%s stays whole while builds are asked for: none is missed, none comes twice",
    async (sort) => {
      const before = new Set((await readBuilds()).map(idOf));
      let made = 0;
      const items = await readAll<Build>(`/builds?limit=200&sort=${sort}`, async () => {
        await call("POST", "/endpoints", {
          json: iris(`later-${sort.replace("-", "")}-${++made}`),
        });
      });
      const ids = items.map(({ id }) => id);
      expect(made).toBeGreaterThan(4);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => before.has(id))).toHaveLength(before.size);
    },
  );
});

describe("endpoints", () => {
  it.each(endpointSorts)("sorted by %s come whole", async (sort) => {
    const items = await readAll<Endpoint>(`/endpoints?limit=50&sort=${sort}`);
    const found = await database().endpoint.findMany({ where: { deletedAt: null } });
    const key =
      sort.replace("-", "") === "created" ? "id" : (sort.replace("-", "") as "name" | "state");
    const sorted = found.toSorted((a, b) =>
      a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.id < b.id ? -1 : 1,
    );
    const names = (sort.startsWith("-") ? sorted.toReversed() : sorted).map(({ name }) => name);
    expect(items.map(({ name }) => name)).toEqual(names);
  });

  it.each([
    "engine=boardwalk",
    "board=cpu",
    "state=failed",
    "search=iris-1",
    "engine=onnx&search=model",
    "search=je",
  ])("%s holds the revision that is shown, not one before it", async (query) => {
    const [first] = await readAll<Endpoint>(`/endpoints?${query}`);
    const wanted = new URLSearchParams(query);
    const all = await readAll<Endpoint>("/endpoints?limit=200");
    const search = wanted.get("search") ?? "";
    const expected = all.filter(
      (each) =>
        [null, each.engine].includes(wanted.get("engine")) &&
        [null, each.boardModel].includes(wanted.get("board")) &&
        [each.state, null].some((state) => state === wanted.get("state")) &&
        (search.length < 3
          ? each.name.startsWith(search)
          : `${each.name} ${each.modelUrl}`.includes(search)),
    );
    expect(first).toBeDefined();
    const found = await readAll<Endpoint>(`/endpoints?limit=7&${query}`);
    expect(found.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    const { states } = await read<{ states: { count: number }[] }>(
      `/counts/endpoints?${query.replace(/state=\w+/, "")}`,
    );
    const sum = states.reduce((total, { count }) => total + count, 0);
    if (!wanted.has("state")) expect(sum).toBe(expected.length);
  });

  it("go by their newest revision once another engine answers, not by the first", async () => {
    const json = iris("moves-on");
    await call("POST", "/endpoints", { json });
    const { name: _, ...rest } = json;
    const onCpu = { ...rest, engine: "onnx", board: { model: "cpu", kind: "cpu" } };
    expect((await call("POST", "/endpoints/moves-on/revisions", { json: onCpu })).status).toBe(202);
    const names = async (query: string) =>
      (await readAll<Endpoint>(`/endpoints?search=moves-on&${query}`)).map(({ name }) => name);
    expect(await names("engine=onnx")).toEqual(["moves-on"]);
    expect(await names("engine=boardwalk")).toEqual([]);
  });
});

describe("the few endpoints of the first page", () => {
  const kinds = ["physical", "simulated", "cpu"];
  const isInTrouble = ({ state }: Endpoint) => ["failed", "degraded"].includes(state);

  it("are hardware first, and among alike those in trouble; all of them are counted", async () => {
    const all = await readAll<Endpoint>("/endpoints?limit=200");
    const found = await read<EndpointOverview>("/overviews/endpoints");
    const ordered = all.toSorted(
      (a, b) =>
        kinds.indexOf(a.boardKind) - kinds.indexOf(b.boardKind) ||
        Number(isInTrouble(b)) - Number(isInTrouble(a)),
    );
    const namesOf = (some: readonly Endpoint[]) => some.map(({ name }) => name);
    expect(namesOf(found.first)).toEqual(namesOf(ordered.slice(0, 6)));
    expect(found.count).toBe(all.length);
    expect(found.inTrouble).toBe(all.filter(isInTrouble).length);
    expect(namesOf(found.trouble)).toEqual(namesOf(all.filter(isInTrouble).slice(0, 20)));
    expect(found.guide.map(({ state }) => state)).toContain("ready");
    expect(
      found.guide.some(({ modelUrl }) => !modelUrl.startsWith("s3://boardwalk-samples/")),
    ).toBe(true);
  });

  it("tell those of samples, wherever they stand", async () => {
    const json = { ...iris("zz-of-a-sample"), model: { url: "s3://boardwalk-samples/x.onnx" } };
    await call("POST", "/endpoints", { json });
    const { guide } = await read<EndpointOverview>("/overviews/endpoints");
    expect(guide.map(({ name }) => name)).toContain("zz-of-a-sample");
  });
});

describe("names that are taken", () => {
  it("begin with the text, the shortest first", async () => {
    const { names } = await read<{ names: string[] }>("/names/endpoints?start=iris-1");
    const all = await readAll<Endpoint>("/endpoints?limit=200");
    const expected = all
      .map(({ name }) => name)
      .filter((name) => name.startsWith("iris-1"))
      .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
    expect(expected.length).toBeGreaterThan(3);
    expect(names).toEqual(expected);
    expect(await read("/names/endpoints?start=zebra")).toEqual({ names: [] });
    expect(await read("/names/endpoints?start=%25")).toEqual({ names: [] });
  });
});

describe("an export", () => {
  it("holds everything that matches, as the database has it", async () => {
    const failed = (await readBuilds()).filter(({ state }) => state === "failed");
    const answer = await call("GET", "/builds?format=json&state=failed&limit=1");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="builds.json"');
    const exported = (await answer.json()) as ExportedBuild[];
    expect(exported).toEqual(
      failed.map((row) =>
        expect.objectContaining({
          id: idOf(row),
          endpoint: row.endpointName,
          engine: row.engine,
          modelUrl: row.modelUrl,
          createdAt: row.createdAt.toISOString(),
          durationMs: tookOf(row),
        }),
      ),
    );
    expect(failed.length).toBeGreaterThan(100);
  });

  it("is CSV where the header asks for it, more than one step long", async () => {
    const answer = await call("GET", "/builds?sort=name", { headers: { accept: "text/csv" } });
    expect(answer.headers.get("content-type")).toMatch(/^text\/csv/);
    const lines = (await answer.text()).trimEnd().split("\r\n");
    expect(lines[0]).toMatch(/^id,endpoint,state,reused,engine,/);
    expect(lines).toHaveLength((await readBuilds()).length + 1);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it("makes no formula of what people named", async () => {
    const json = {
      ...iris("formula"),
      model: { url: '=HYPERLINK("http://evil.example")/model.onnx' },
    };
    await database()
      .$executeRaw`UPDATE build SET model_url = ${json.model.url} WHERE id = ${rows[0]?.id}::uuid`;
    const csv = await (await call("GET", "/builds?format=csv&search=HYPERLINK")).text();
    expect(csv).toContain(`,"'=HYPERLINK(""http://evil.example"")/model.onnx",`);
    await database()
      .$executeRaw`UPDATE build SET model_url = ${rows[0]?.modelUrl} WHERE id = ${rows[0]?.id}::uuid`;
  });

  it("of nothing is a header, or an empty list", async () => {
    const csv = await (await call("GET", "/endpoints?format=csv&search=zebra")).text();
    expect(csv.split("\r\n")).toHaveLength(2);
    expect(await read("/endpoints?format=json&search=zebra")).toEqual([]);
  });

  it("tells each endpoint with the address that clients call", async () => {
    const exported = await read<{ name: string; url: string }[]>("/endpoints?format=json");
    expect(exported).toHaveLength(await database().endpoint.count({ where: { deletedAt: null } }));
    for (const { name, url } of exported)
      expect(url).toBe(`http://localhost:8000/v2/models/${name}/infer`);
  });
});

describe("what a list does not take", () => {
  const cursorOf = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  const uuid = "00000000-0000-7000-8000-000000000000";

  it.each<[string, string, RegExp, RegExp]>([
    ["state=exploded", "QUERY_INVALID", /state cannot be “exploded”/, /queued, preparing, running/],
    ["state=failed&state=exploded", "QUERY_INVALID", /state cannot be “exploded”/, /timed_out/],
    ["sort=colour", "QUERY_INVALID", /sort cannot be “colour”/, /-duration/],
    ["colour=red", "QUERY_INVALID", /no parameter “colour”/, /limit, cursor, state, engine, board/],
    ["since=yesterday", "QUERY_INVALID", /since cannot be “yesterday”.*such as/, /openapi/],
    ["since=2026-13-45T00:00:00Z", "QUERY_INVALID", /since/, /openapi/],
    ["since=99999d", "QUERY_INVALID", /since/, /openapi/],
    ["search=a%00b", "QUERY_INVALID", /control characters/, /openapi/],
    [`search=${"x".repeat(201)}`, "QUERY_INVALID", /search/, /openapi/],
    ["search=a&search=b", "QUERY_INVALID", /search/, /openapi/],
    ["format=xml", "QUERY_INVALID", /format cannot be “xml”/, /csv, json/],
    [`engine=${"e".repeat(64)}`, "QUERY_INVALID", /engine/, /openapi/],
    [Array(21).fill("engine=x").join("&"), "QUERY_INVALID", /engine.*20 times/, /openapi/],
    ["cursor=nonsense", "CURSOR_INVALID", /none of ours/, /nextCursor/],
    [`cursor=${cursorOf(["-created", "x' OR 1=1", ""])}`, "CURSOR_INVALID", /none/, /nextCursor/],
    [`cursor=${cursorOf(["name", uuid, "a"])}`, "CURSOR_INVALID", /sorted by|none/, /./],
    [
      `sort=-duration&cursor=${cursorOf(["-duration", uuid, "1;DROP"])}`,
      "CURSOR_INVALID",
      /none/,
      /./,
    ],
    [
      `sort=name&cursor=${cursorOf(["-name", uuid, "a"])}`,
      "CURSOR_INVALID",
      /sorted by -name/,
      /same/,
    ],
    [`cursor=${cursorOf(["-created", uuid, "", "forth"])}`, "CURSOR_INVALID", /none/, /./],
    [`cursor=${cursorOf(["-created", uuid, "", "back", "x"])}`, "CURSOR_INVALID", /none/, /./],
    [`cursor=${cursorOf({ toString: "x" })}`, "CURSOR_INVALID", /none/, /./],
  ])("%s is refused with what would do", async (query, reason, message, hint) => {
    const answer = await call("GET", `/builds?${query}`);
    const { error } = await answer.json();
    expect([answer.status, error.code, error.reason]).toEqual([400, "invalid_argument", reason]);
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
  });

  it.each(["engine=' OR 1=1 --", "board=%25", "search='; DROP TABLE build; --", "engine=<script>"])(
    "%s finds nothing and breaks nothing",
    async (query) => {
      expect(await readAll(`/builds?${query}`)).toEqual([]);
      expect((await listBuilds(scope, { limit: 1 })).items).toHaveLength(1);
    },
  );
});
