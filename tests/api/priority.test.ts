import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { capturePlans } from "@/bench/lists/plans";
import { reportBuildWorker } from "@/domain/build-workers";
import {
  claimBuild,
  claimNextBuild,
  createBuild,
  failBuild,
  handBackBuild,
  retryBuild,
} from "@/domain/builds";
import type { Build, BuildQueue, BuildTimeline, ExportedBuild } from "@/lib/common/contract";
import { database, toId, withTransaction } from "@/lib/server/db";
import { call, openApi } from "../support/api";
import { iris, scope, worker } from "../support/domain";
import { fillLists } from "../support/fill-lists";

// Which of the builds that wait is built first: said by the API, and done by what workers claim.

openApi();

const lease = { leaseS: 60, deadlineS: 600 };
afterEach(async () => {
  await database().$executeRaw`DELETE FROM build`;
});

async function submit(): Promise<string> {
  const { name: endpointName, ...request } = iris("iris");
  const id = await withTransaction((tx) =>
    createBuild(tx, {
      ...{ projectId: scope, request, boardModel: "icebreaker", boardKind: "simulated" },
      endpointName,
    }),
  );
  return toId("bld", id);
}
const submitThree = async () => [await submit(), await submit(), await submit()] as const;

const bare = (id: string) => id.replace("bld_", "");
const read = async <T>(target: string): Promise<T> =>
  (await (await call("GET", target)).json()) as T;
const setPriority = (id: string, priority: string) =>
  call("POST", `/builds/${id}/priority`, { json: { priority } });
async function reasonOf(answer: Response): Promise<readonly [number, string]> {
  const { error } = (await answer.json()) as { error: { reason: string } };
  return [answer.status, error.reason];
}
const take = async () => {
  const attempt = await claimNextBuild("worker", lease);
  return attempt && toId("bld", attempt.buildId);
};

describe("the priority of a build", () => {
  it("is normal at first; workers take the higher first, and among equal ones the oldest", async () => {
    const [first, second, third] = await submitThree();
    const fourth = await submit();
    expect((await read<Build>(`/builds/${first}`)).priority).toBe("normal");
    await setPriority(first, "low");
    expect(await (await setPriority(third, "high")).json()).toMatchObject({ priority: "high" });
    expect([await take(), await take(), await take(), await take(), await take()]).toEqual([
      third,
      second,
      fourth,
      first,
      null,
    ]);
  });

  it("moves its place in the queue and when it is expected to begin", async () => {
    await reportBuildWorker(worker);
    const running = await submit();
    await take();
    await database()
      .$executeRaw`UPDATE build SET expected_ms = 60000 WHERE id = ${bare(running)}::uuid`;
    const [first, second] = [await submit(), await submit()];
    await database().$executeRaw`UPDATE build SET expected_ms = 60000`;
    const waitOf = async (id: string) => (await read<BuildTimeline>(`/builds/${id}/timeline`)).wait;
    const before = await waitOf(second);
    expect(before?.place).toBe(2);
    await setPriority(second, "high");
    const after = await waitOf(second);
    expect(after?.place).toBe(1);
    const [was = 0, is = 0] = [before, after].map((wait) => Date.parse(`${wait?.expectedStartAt}`));
    expect(was - is).toBeGreaterThan(50_000);
    const { next } = await read<BuildQueue>("/builds/queue");
    expect(next.map(({ id, priority }) => [id, priority])).toEqual([
      [second, "high"],
      [first, "normal"],
    ]);
  });

  it("stays while a build is handed back, which then stands behind those of its own", async () => {
    const [first, second, third] = await submitThree();
    await setPriority(first, "high");
    await setPriority(third, "high");
    const attempt = await claimNextBuild("worker", lease);
    expect(attempt?.buildId).toBe(bare(first));
    await handBackBuild(bare(first), attempt?.epoch ?? 0);
    expect([await take(), await take(), await take()]).toEqual([third, first, second]);
  });

  it("goes over to the build that repeats one", async () => {
    const id = await submit();
    await setPriority(id, "low");
    const attempt = await claimBuild(bare(id), "worker", lease);
    const problem = { code: "internal", reason: "TOOL_FAILED", message: "it broke" } as const;
    await failBuild(bare(id), attempt?.epoch ?? 0, problem, "failed");
    const again = await retryBuild(scope, id);
    expect((await read<Build>(`/builds/${again}`)).priority).toBe("low");
  });

  it("is changed only while the build waits, to a word that there is, and stands in exports", async () => {
    const id = await submit();
    expect(await reasonOf(await setPriority(id, "urgent"))).toEqual([422, "VALIDATION"]);
    expect(await reasonOf(await setPriority(`${id}0`, "high"))).toEqual([404, "BUILD_UNKNOWN"]);
    await setPriority(id, "high");
    await take();
    expect(await reasonOf(await setPriority(id, "low"))).toEqual([409, "STATE_CONFLICT"]);
    expect(await read<ExportedBuild[]>("/builds?format=json")).toMatchObject([
      { id, priority: "high" },
    ]);
  });

  it("is taken to one worker each, however many ask at once", async () => {
    const ids = await submitThree();
    const taken = await Promise.all([1, 2, 3, 4, 5].map(take));
    expect(taken.filter((id) => id !== null).toSorted()).toEqual([...ids].toSorted());
  });
});

describe("the claim of the next build", () => {
  it("looks at those that wait alone, however many have ended", async () => {
    const databaseUrl = process.env["DATABASE_URL"] ?? "";
    await fillLists(databaseUrl, { builds: 3000, endpoints: 10 });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(
      `INSERT INTO transition (build_id, to_state, epoch, actor) SELECT id, 'queued', 1, 'api' FROM build WHERE state = 'queued'`,
    );
    const plans = await capturePlans(client, () => claimNextBuild("worker", lease));
    await client.end();
    const [first = ""] = plans.split("\n    --\n");
    expect(first).toMatch(/Index (Only )?Scan using build_in_turn on build b .*rows=1\.?0* /);
    expect(first).not.toContain("Seq Scan on build");
  });
});
