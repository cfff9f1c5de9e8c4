import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reportBuildWorker } from "@/domain/build-workers";
import { claimNextBuild, failBuild } from "@/domain/builds";
import { requireStorageRoom } from "@/domain/quotas";
import { loadRoutes } from "@/domain/routes";
import {
  type Build,
  type BuildQueue,
  type BuildTimeline,
  type Deployed,
  type ProjectQuotas,
  type QuotaLimits,
  type Scope,
  usualQuotas,
} from "@/lib/common/contract";
import { fail, toErrorData } from "@/lib/common/errors";
import { database, parseId, withTransaction } from "@/lib/server/db";
import { call, openApi } from "../support/api";
import { addBoardServer, iris, worker } from "../support/domain";
import { bring, joinFirst, type SignedIn } from "../support/people";

// One person begins more here than is usual.
process.env["BUILD_SUBMITS_PER_MINUTE"] = "1000";
openApi({ hasAccounts: true });

let owner: SignedIn;
let builder: SignedIn;
/** Builder of another project. */
let neighbour: SignedIn;
let project = "";
let scope: Scope;
const lease = { leaseS: 60, deadlineS: 600 };
const open: QuotaLimits = {
  runningBuilds: null,
  runningBuildsEach: null,
  queuedBuilds: null,
  buildMinutes: null,
  boards: null,
  storageBytes: null,
  requestsPerSecond: null,
  requestsPerSecondEach: null,
};

beforeAll(async () => {
  owner = await joinFirst("ada");
  builder = await bring(owner, "ben", "builder");
  const made = await call("POST", "/projects", { json: { name: "astro" }, ...owner });
  const { id } = (await made.json()) as { id: string };
  const me = (await (await call("GET", "/me", owner)).json()) as {
    projects: { id: string; name: string }[];
  };
  project = me.projects.find(({ name }) => name === "default")?.id ?? "";
  scope = parseId("prj", project) as Scope;
  await call("POST", "/me/project", { json: { project: id }, ...owner });
  neighbour = await bring(owner, "nils", "builder");
  await call("POST", "/me/project", { json: { project }, ...owner });
});

beforeEach(async () => {
  await database()
    .$executeRaw`TRUNCATE endpoint, endpoint_ordinal, build, outbox, event, project_quota CASCADE`;
});

const set = async (limits: Partial<QuotaLimits>, who = owner): Promise<Response> =>
  await call("POST", `/projects/${project}/quotas`, { json: { ...open, ...limits }, ...who });
const end = async (attempt: Awaited<ReturnType<typeof claimNextBuild>>): Promise<void> => {
  if (!attempt) throw new Error("no build was taken");
  await failBuild(
    attempt.buildId,
    attempt.epoch,
    toErrorData(fail("INTERNAL", "on purpose")),
    "failed",
  );
};
/** Builds that have ended cannot be changed: without what sees to that. */
const change = async (set: string): Promise<void> =>
  await withTransaction(async (tx) => {
    await tx.$executeRawUnsafe("SET LOCAL session_replication_role = replica");
    await tx.$executeRawUnsafe(`UPDATE build SET ${set} WHERE state = 'failed'`);
  });
let made = 0;
const deploy = async (who = builder): Promise<Response> =>
  await call("POST", "/endpoints", {
    json: iris(`model-${++made}`),
    headers: { ...who.headers, prefer: "wait=0" },
  });
const refusal = async (answer: Response) =>
  ((await answer.json()) as { error: { reason: string; message: string; hint: string } }).error;
const quotas = async (who: SignedIn): Promise<ProjectQuotas[]> =>
  ((await (await call("GET", "/quotas", who)).json()) as { items: ProjectQuotas[] }).items;

describe("the limits of a project", () => {
  it("are the usual ones until whoever runs the installation sets others", async () => {
    expect(await quotas(builder)).toMatchObject([
      { project: { name: "default" }, limits: usualQuotas, isUsual: true },
    ]);
    expect((await set({}, builder)).status).toBe(403);
    expect((await set({ boards: 3 })).status).toBe(204);
    expect(await quotas(builder)).toMatchObject([{ limits: { boards: 3 }, isUsual: false }]);
    expect((await quotas(owner)).map(({ project: { name } }) => name)).toEqual([
      "astro",
      "default",
    ]);
    expect((await quotas(neighbour)).map(({ project: { name } }) => name)).toEqual(["astro"]);
  });

  it("are read page by page, there and back, and found by a part of a name, within what one may see", async () => {
    interface QuotaPage {
      readonly items: ProjectQuotas[];
      readonly nextCursor: string | null;
      readonly previousCursor: string | null;
    }
    const read = async (query: string, who = owner): Promise<QuotaPage> =>
      (await (await call("GET", `/quotas?${query}`, who)).json()) as QuotaPage;
    const names = ({ items }: QuotaPage) => items.map((each) => each.project.name);
    const first = await read("limit=1");
    expect([names(first), first.previousCursor]).toEqual([["astro"], null]);
    const second = await read(`limit=1&cursor=${first.nextCursor}`);
    expect([names(second), second.nextCursor]).toEqual([["default"], null]);
    expect(names(await read(`limit=1&cursor=${second.previousCursor}`))).toEqual(["astro"]);
    expect(names(await read("search=AST"))).toEqual(["astro"]);
    expect(names(await read("search=%25"))).toEqual([]);
    expect(names(await read("search=default", neighbour))).toEqual([]);
    expect(names(await read(`cursor=${first.nextCursor}`, neighbour))).toEqual([]);
    expect((await call("GET", "/quotas?cursor=none", owner)).status).toBe(400);
  });

  it.each([
    { runningBuilds: 0 },
    { queuedBuilds: -1 },
    { boards: 1.5 },
    { storageBytes: "1" },
    { more: 1 },
  ])("are not set to %j", async (limits) => {
    expect((await set(limits as Partial<QuotaLimits>)).status).toBe(422);
  });

  it("are of a project that there is", async () => {
    for (const id of ["prj_0197a1b2-0000-7000-8000-000000000000", "nothing"])
      expect((await call("POST", `/projects/${id}/quotas`, { json: open, ...owner })).status).toBe(
        404,
      );
  });
});

describe("builds", () => {
  it("beyond those that may run at once wait, and are taken when one has ended; others pass them", async () => {
    await set({ runningBuilds: 1 });
    for (let n = 0; n < 3; n++) expect((await deploy()).status).toBe(202);
    const first = await claimNextBuild("one", lease);
    expect(first).not.toBeNull();
    expect(await claimNextBuild("two", lease)).toBeNull();
    expect((await deploy(neighbour)).status).toBe(202);
    const passing = await claimNextBuild("two", lease);
    expect(passing?.projectId).not.toBe(first?.projectId);
    expect(await claimNextBuild("three", lease)).toBeNull();
    await end(first);
    expect((await claimNextBuild("three", lease))?.projectId).toBe(first?.projectId);
    expect(await quotas(builder)).toMatchObject([{ used: { runningBuilds: 1, queuedBuilds: 1 } }]);
  });

  it("that wait for that say so, with how many the project may run, and have no place in line", async () => {
    await reportBuildWorker({ ...worker, slots: 4 });
    await set({ runningBuilds: 1 });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(((await (await deploy()).json()) as Deployed).buildId);
    const read = async <T>(path: string, who = builder) =>
      (await (await call("GET", path, who)).json()) as T;
    const waitOf = async (id: string) => (await read<BuildTimeline>(`/builds/${id}/timeline`)).wait;
    const [first = "", second = "", third = ""] = ids;
    expect(await waitOf(first)).toMatchObject({ reason: "next", place: 1, waiting: 1 });
    expect(await waitOf(second)).toMatchObject({ reason: "quota", place: null });
    const attempt = await claimNextBuild("one", lease);
    const passing = ((await (await deploy(neighbour)).json()) as Deployed).buildId;
    for (const id of [second, third]) {
      expect(await waitOf(id)).toMatchObject({
        reason: "quota",
        place: null,
        projectMost: 1,
        expectedStartAt: null,
      });
      expect(await read<Build>(`/builds/${id}`)).toMatchObject({
        waitsFor: "quota",
        waitingFor: expect.stringContaining("its project"),
      });
    }
    const { next } = await read<BuildQueue>("/builds/queue");
    expect(next.map(({ id, wait }) => [id, wait.reason])).toEqual([
      [second, "quota"],
      [third, "quota"],
    ]);
    const theirs = await read<BuildTimeline>(`/builds/${passing}/timeline`, neighbour);
    expect(theirs.wait).toMatchObject({ reason: "next", place: 1, waiting: 1, projectMost: 8 });
    await end(attempt);
    expect(await waitOf(second)).toMatchObject({ reason: "next" });
    expect(await read<Build>(`/builds/${second}`)).toMatchObject({ waitsFor: "worker" });
    await set({ runningBuilds: null });
    expect(await waitOf(third)).toMatchObject({ reason: "next", projectMost: null });
  });

  it("of one person are so many at once, by whichever way they ask; others of the project pass them", async () => {
    await reportBuildWorker({ ...worker, slots: 4 });
    await set({ runningBuildsEach: 1 });
    const idOf = async (answer: Promise<Response>) =>
      ((await (await answer).json()) as Deployed).buildId;
    const made = (await (await deploy()).json()) as Deployed;
    const { name: _, ...revision } = iris("");
    const second = await idOf(
      call("POST", `/endpoints/${made.name}/revisions`, { json: revision, ...builder }),
    );
    const ofOwner = await idOf(deploy(owner));
    const bare = (id: string | undefined) => parseId("bld", id ?? "");
    const first = await claimNextBuild("one", lease);
    expect(first?.buildId).toBe(bare(made.buildId));
    const wait = async (id: string) => {
      const answer = await call("GET", `/builds/${id}/timeline`, builder);
      return ((await answer.json()) as BuildTimeline).wait;
    };
    expect(await wait(second)).toMatchObject({
      ...{ reason: "own-quota", place: null, personMost: 1, projectMost: null },
    });
    expect(await wait(ofOwner)).toMatchObject({ reason: "next", place: 1 });
    expect((await claimNextBuild("two", lease))?.buildId).toBe(bare(ofOwner));
    expect(await claimNextBuild("three", lease)).toBeNull();
    await end(first);
    const again = await call("POST", `/builds/${made.buildId}/retry`, builder);
    expect(again.status).toBe(202);
    expect((await claimNextBuild("three", lease))?.buildId).toBe(bare(second));
    expect(await claimNextBuild("four", lease)).toBeNull();
    await set({ runningBuildsEach: null });
    expect((await claimNextBuild("four", lease))?.buildId).toBe(
      bare(((await again.json()) as Build).id),
    );
  });

  it("are not taken beyond the limit by workers that ask at once", async () => {
    await set({ runningBuilds: 2 });
    for (let n = 0; n < 6; n++) expect((await deploy()).status).toBe(202);
    const taken = await Promise.all(
      Array.from({ length: 6 }, (_, n) => claimNextBuild(`worker-${n}`, lease)),
    );
    expect(taken.filter((each) => each !== null)).toHaveLength(2);
  });

  it("are refused when too many wait, also of those who ask at once", async () => {
    await set({ queuedBuilds: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => deploy()));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.headers.get("retry-after")).not.toBeNull();
    expect(await refusal(refused[0] as Response)).toMatchObject({
      reason: "QUOTA_EXCEEDED",
      message: expect.stringMatching(/^3 builds of this project wait already: it may have 3/),
    });
    // What was refused left nothing behind, and another project has room.
    const rows = await database().$queryRaw<unknown[]>`SELECT 1 FROM endpoint`;
    expect(rows).toHaveLength(3);
    expect((await deploy(neighbour)).status).toBe(202);
  });

  it("are refused once the minutes of 30 days are used up, and told when there are some again", async () => {
    await deploy();
    await end(await claimNextBuild("one", lease));
    await change(
      `started_at = now() - interval '29 days', ended_at = now() - interval '29 days' + interval '90 minutes'`,
    );
    await set({ buildMinutes: 100 });
    expect((await deploy()).status).toBe(202);
    await set({ buildMinutes: 90 });
    const answer = await deploy();
    expect(answer.status).toBe(429);
    const day = new Date(Date.now() + 24 * 3600_000).toISOString().slice(0, 10);
    expect(await refusal(answer)).toMatchObject({
      message: expect.stringContaining("ran for 90 minutes of 90"),
      hint: expect.stringContaining(day),
    });
    await change("started_at = started_at - interval '2 days'");
    expect((await deploy()).status).toBe(202);
  });
});

describe("storage", () => {
  it("that is full refuses uploads and builds, and says how full it is", async () => {
    await set({ storageBytes: 2 * 2 ** 20 });
    await withTransaction((tx) => requireStorageRoom(tx, scope, 2 ** 20));
    await expect(
      withTransaction((tx) => requireStorageRoom(tx, scope, 3 * 2 ** 20)),
    ).rejects.toMatchObject({
      reason: "QUOTA_EXCEEDED",
      message: expect.stringContaining("of 2 MiB"),
    });
    await set({ storageBytes: 0 });
    expect((await deploy()).status).toBe(429);
    const form = new FormData();
    form.set("file", new Blob(["x".repeat(100)]), "model.onnx");
    const sent = await call("POST", "/models", { body: form, ...builder });
    expect(sent.status).toBe(429);
  });
});

describe("boards", () => {
  it("that endpoints ask for are counted with their replicas", async () => {
    await set({ boards: 2 });
    expect((await deploy()).status).toBe(202);
    expect((await deploy()).status).toBe(202);
    const answer = await deploy();
    expect(answer.status).toBe(429);
    expect((await refusal(answer)).message).toContain("hold 2 boards and leases 0, of 2 together");
    expect((await call("DELETE", `/endpoints/model-${made - 1}`, builder)).status).toBe(202);
    expect((await deploy()).status).toBe(202);
  });

  it("that people lease are counted with them", async () => {
    await addBoardServer({ simulatedCapacity: 4 });
    await set({ boards: 3 });
    for (let n = 0; n < 2; n++) expect((await deploy()).status).toBe(202);
    const lease = () =>
      call("POST", "/leases", {
        json: { board: { model: "icebreaker", kind: "simulated" } },
        ...builder,
      });
    const first = await lease();
    expect(first.status).toBe(201);
    const full = await lease();
    expect([full.status, await refusal(full)]).toMatchObject([
      429,
      { message: expect.stringContaining("hold 2 boards and leases 1, of 3 together") },
    ]);
    expect((await deploy()).status).toBe(429);
    const { id } = (await first.json()) as { id: string };
    expect((await call("POST", `/leases/${id}/release`, builder)).status).toBe(200);
    expect((await lease()).status).toBe(201);
    expect(await quotas(builder)).toMatchObject([{ used: { boards: 3 } }]);
  });
});

describe("requests a second", () => {
  it("reach gateways with the routes, each its share", async () => {
    await deploy();
    const pace = async () => (await loadRoutes()).endpoints[0]?.requestsPerSecond ?? null;
    expect(await pace()).toBeNull();
    await set({ requestsPerSecond: 9 });
    expect(await pace()).toBe(9);
    for (const n of [1, 2])
      await database()
        .$executeRaw`INSERT INTO gateway (public_key, name) VALUES (${`key-${n}`}, 'g')`;
    expect(await pace()).toBe(5);
    await database()
      .$executeRaw`UPDATE gateway SET seen_at = now() - interval '1 hour' WHERE public_key = 'key-1'`;
    expect(await pace()).toBe(9);
    await database().$executeRaw`DELETE FROM gateway`;
  });

  it("of each person are a limit beside it, which programs of before leave as it was: none", async () => {
    const each = async () => (await loadRoutes()).endpoints[0]?.requestsPerSecondEach ?? null;
    await deploy();
    await set({ requestsPerSecondEach: 3 });
    expect(await each()).toBe(3);
    const { requestsPerSecondEach: _, ...before } = open;
    const [{ project }] = (await quotas(builder)) as [ProjectQuotas];
    const answer = await call("POST", `/projects/${project.id}/quotas`, { json: before, ...owner });
    expect(answer.status).toBe(204);
    expect(await each()).toBeNull();
    expect((await set({ requestsPerSecondEach: 0 })).status).toBe(422);
  });
});
