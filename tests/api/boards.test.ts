import { beforeAll, describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import {
  type Board,
  type BoardDetail,
  type BoardListCounts,
  boardSorts,
  type ExportedBoard,
} from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { call, openApi } from "../support/api";
import { fillBoards } from "../support/fill-boards";

// Boards over the API: each answer is held to the rows of the database, filtered and sorted here.

openApi();

interface Row {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly model: string;
  readonly server: string;
  readonly heard: boolean;
  readonly drain: string | null;
  readonly slots: readonly { readonly state: string; readonly problem: unknown }[];
}

let rows: Row[];

beforeAll(async () => {
  await fillBoards(process.env["DATABASE_URL"] ?? "", { boards: 430 });
  const found = await database().board.findMany({
    where: { removedAt: null },
    include: { slots: true, boardServer: true },
  });
  rows = found.map(({ id, name, kind, boardModel, drain, slots, boardServer }) => ({
    id,
    name,
    kind,
    model: boardModel,
    server: boardServer.name,
    heard: Date.now() - (boardServer.heartbeatAt?.getTime() ?? 0) < 15_000,
    drain,
    slots,
  }));
});

const idOf = ({ id }: Row) => `brd_${id}`;
function stateOf({ heard, slots }: Row): string {
  const some = (...states: string[]) => slots.some(({ state }) => states.includes(state));
  if (!heard) return "offline";
  if (some("unreachable", "unknown") || slots.some(({ problem }) => problem !== null))
    return "degraded";
  if (some("loading", "testing")) return "programming";
  return some("serving") ? "serving" : "free";
}

async function read<T>(target: string): Promise<T> {
  const answer = await call("GET", target);
  expect([target, answer.status]).toEqual([target, 200]);
  return (await answer.json()) as T;
}

async function readAll(target: string): Promise<Board[]> {
  const items: Board[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page: { items: Board[]; nextCursor: string | null } = await read(`${target}${more}`);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

describe("a list of boards", () => {
  it.each<[string, (row: Row) => boolean]>([
    ["", () => true],
    ["kind=physical", ({ kind }) => kind === "physical"],
    ["kind=physical&kind=cpu", ({ kind }) => kind !== "simulated"],
    ["board=icebreaker", ({ model }) => model === "icebreaker"],
    ["server=host-3", ({ server }) => server === "host-3"],
    ["state=offline", (row) => stateOf(row) === "offline"],
    ["state=degraded&state=serving", (row) => /degraded|serving/.test(stateOf(row))],
    ["state=free&kind=physical", (row) => stateOf(row) === "free" && row.kind === "physical"],
    ["search=BENCH-12", ({ name }) => name.includes("bench-12")],
    ["search=host-2", ({ server }) => server.includes("host-2")],
    ["search=%25", () => false],
    ["search=zebra", () => false],
  ])("%s holds what the database holds", async (query, matches) => {
    const items = await readAll(`/boards?limit=60&sort=created&${query}`);
    const expected = rows.filter(matches).map(idOf).sort();
    expect(items.map(({ id }) => id)).toEqual(expected);
    for (const item of items) {
      const row = rows.find((each) => idOf(each) === item.id);
      expect([item.id, item.state]).toEqual([item.id, row && stateOf(row)]);
    }
  });

  it.each(boardSorts)("sorted by %s comes whole, and backwards page by page", async (sort) => {
    const rank = { physical: "1", simulated: "2", cpu: "3" } as Record<string, string>;
    const keyOf: Record<string, (row: Row) => string> = {
      created: () => "",
      kind: ({ kind, server, name }) => `${rank[kind]}${server} ${name}`,
      name: ({ name }) => name,
      state: stateOf,
      server: ({ server, name }) => `${server} ${name}`,
    };
    const key = keyOf[sort.replace("-", "")] ?? (() => "");
    const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    const sorted = rows.toSorted((a, b) => compare(key(a), key(b)) || compare(a.id, b.id));
    const ids = (sort.startsWith("-") ? sorted.toReversed() : sorted).map(idOf);
    const items = await readAll(`/boards?limit=100&sort=${sort}`);
    expect(items.map(({ id }) => id)).toEqual(ids);
    const first = await read<{ nextCursor: string }>(`/boards?limit=100&sort=${sort}`);
    const second = await read<{ previousCursor: string }>(
      `/boards?limit=100&sort=${sort}&cursor=${first.nextCursor}`,
    );
    const back = await read<{ items: Board[] }>(
      `/boards?limit=100&sort=${sort}&cursor=${second.previousCursor}`,
    );
    expect(back.items.map(({ id }) => id)).toEqual(ids.slice(0, 100));
  });

  it("counts states and room: places of drained and silent boards are not free", async () => {
    const counts = await read<BoardListCounts>("/counts/boards?kind=physical&state=free");
    const real = rows.filter(({ kind }) => kind === "physical");
    const expected: Record<string, number> = {};
    for (const row of real) expected[stateOf(row)] = (expected[stateOf(row)] ?? 0) + 1;
    expect(Object.fromEntries(counts.states.map(({ state, count }) => [state, count]))).toEqual(
      expected,
    );
    const takes = real.filter(({ heard, drain }) => heard && drain === null);
    const empty = takes.flatMap(({ slots }) => slots).filter(({ state }) => state === "empty");
    expect(counts.slots).toEqual({
      all: real.flatMap(({ slots }) => slots).length,
      free: empty.length,
    });
    expect(counts.servers).toEqual([...new Set(rows.map(({ server }) => server))].sort());
    expect(counts.kinds).toEqual(["physical", "simulated", "cpu"]);
  });

  it("is exported whole, as CSV and as JSON", async () => {
    const csv = await call("GET", "/boards?state=offline&format=csv");
    const lines = (await csv.text()).trimEnd().split("\r\n");
    const silent = rows.filter((row) => stateOf(row) === "offline");
    expect(lines).toHaveLength(silent.length + 1);
    const json = await read<ExportedBoard[]>("/boards?state=offline&format=json");
    expect(json.map(({ id }) => id).sort()).toEqual(silent.map(idOf).sort());
  });

  it.each([
    ["?state=nowhere", 400],
    ["?sort=size", 400],
    ["?cursor=abc", 400],
    ["?engine=onnx", 400],
  ])("%s is refused", async (query, status) => {
    expect((await call("GET", `/boards${query}`)).status).toBe(status);
  });
});

describe("one board", () => {
  it("says what it is, where it hangs and what can be asked of it", async () => {
    const row = rows.find(({ kind, heard }) => kind === "physical" && heard);
    const board = await read<BoardDetail>(`/boards/${row && idOf(row)}`);
    const stored = await database().board.findUniqueOrThrow({
      where: { id: row?.id ?? "" },
      include: { boardServer: true },
    });
    expect(board).toMatchObject({
      name: stored.name,
      key: stored.key,
      createdAt: stored.createdAt.toISOString(),
      removedAt: null,
      server: {
        name: stored.boardServer.name,
        heard: true,
        address: "127.0.0.1:1",
        enrolledAt: stored.boardServer.createdAt.toISOString(),
        keyFingerprint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      },
      verifiedOnHardware: null,
    });
    expect(board.slots).toHaveLength(row?.slots.length ?? 0);
  });

  it("is drained and resumed, twice alike, and says so", async () => {
    const row = rows.find((each) => each.heard && each.drain === null);
    const path = `/boards/${row && idOf(row)}`;
    for (const _ of [1, 2]) {
      const answer = await call("POST", `${path}/drain`, { json: {} });
      expect(answer.status).toBe(202);
      expect(await answer.json()).toMatchObject({ drain: { loaded: "move" } });
    }
    const kept = await call("POST", `${path}/drain`, { json: { loaded: "keep" } });
    expect(await kept.json()).toMatchObject({ drain: { loaded: "keep" } });
    const resumed = await call("POST", `${path}/resume`);
    expect(resumed.status).toBe(202);
    expect(await resumed.json()).not.toHaveProperty("drain");
    expect((await call("POST", `${path}/drain`, { json: { loaded: "throw" } })).status).toBe(422);
  });

  it.each(["drain", "resume", "reload", "blink", "self-test"])(
    "that does not exist has no %s",
    async (action) => {
      const options = action === "drain" ? { json: {} } : {};
      const answer = await call(
        "POST",
        `/boards/brd_00000000-0000-7000-8000-00000000dead/${action}`,
        options,
      );
      expect([answer.status, (await answer.json()).error.reason]).toEqual([404, "NOT_FOUND"]);
    },
  );

  it("has a history that is empty, and refuses a cursor of another kind", async () => {
    const path = `/boards/${idOf(rows[0] as Row)}/history`;
    expect((await call("GET", `${path}?cursor=YWJj`)).status).toBe(400);
    expect((await call("GET", `${path}?part=nothing`)).status).toBe(400);
  });
});

describe("a board model", () => {
  it("is answered as its file says it", async () => {
    const model = await read<{ part: { resources: object }; leds: object[]; sources: string[] }>(
      "/board-models/icebreaker",
    );
    const { part, leds, sources } = getBoardModel("icebreaker");
    expect(model.part.resources).toEqual(part.resources);
    expect([model.leds, model.sources]).toEqual([leds, sources]);
    expect((await call("GET", "/board-models/nope")).status).toBe(404);
  });
});
