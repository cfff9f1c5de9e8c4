import { beforeEach, describe, expect, it } from "vitest";
import { deleteArtifact } from "@/domain/artifacts";
import {
  type Asker,
  extendLease,
  getLease,
  joinWaiting,
  leaveWaiting,
  listLeases,
  listPassedOn,
  listWaits,
  loadOnLease,
  reconcileLeases,
  releaseLease,
  takeLease,
  unloadOnLease,
} from "@/domain/board-leases";
import { poll } from "@/domain/board-servers";
import { getBoard, listBoards, listHistory } from "@/domain/boards";
import { claimBuild, succeedBuild } from "@/domain/builds";
import { reconcileEndpoints } from "@/domain/endpoints";
import { setQuotas } from "@/domain/quotas";
import {
  type LeaseTarget,
  type LoadCommand,
  type NewLease,
  type PollRequest,
  type Scope,
  usualQuotas,
} from "@/lib/common/contract";
import { database, toId, uuidv7 } from "@/lib/server/db";
import type { ObjectStore } from "@/lib/server/storage";
import { deploy } from "../support/deploy";
import { addBoardServer, artifactOf, bare, iris, openDatabase, scope } from "../support/domain";

// Boards that people have for a time: one at a time, in the order in which they asked, and nobody's load lands on another's board.

openDatabase();

const limits = { minutes: 60, mostMinutes: 120, aheadDays: 30 };
const ice = { model: "icebreaker", kind: "simulated" } as const;
const other = uuidv7() as Scope;
let ada: Asker;
let ben: Asker;
let eve: Asker;
let serverId: string;

async function person(name: string, project: string): Promise<Asker> {
  const id = uuidv7();
  await database().user.create({ data: { id, name } });
  await database().membership.create({
    data: { userId: id, projectId: project, role: "builder" },
  });
  return { scope: project as Scope, userId: id, mayEndOthers: false };
}

beforeEach(async () => {
  await database()
    .$executeRaw`TRUNCATE board_server, endpoint, endpoint_ordinal, build, artifact, event, outbox, "user", lease, lease_wait CASCADE`;
  await database().project.upsert({
    where: { id: other },
    create: { id: other, name: "other" },
    update: {},
  });
  [ada, ben, eve] = [
    await person("Ada", scope),
    await person("Ben", scope),
    await person("Eve", other),
  ];
  serverId = await addBoardServer({ simulatedCapacity: 1 });
});

const take = (asker: Asker, board: LeaseTarget, more: Partial<NewLease> = {}) =>
  takeLease(asker, { board, purpose: "", ...more }, limits);
const wait = (asker: Asker, board: LeaseTarget, minutes?: number) =>
  joinWaiting(asker, { board, purpose: "", ...(minutes ? { minutes } : {}) }, limits);
const refusal = async (run: Promise<unknown>): Promise<string> =>
  await run.then(
    () => "done",
    (error: { reason: string; message: string }) => `${error.reason}: ${error.message}`,
  );
const stateOf = async (id: string, asker = ada) => (await getBoard(asker.scope, id)).state;
/** Lets the lease of a board run out a moment ago. */
const runOut = (id: string | null) =>
  database().$executeRaw`
    UPDATE lease SET starts_at = now() - interval '1 hour', expires_at = now() - interval '1 second'
    WHERE id = ${bare(id ?? "")}::uuid`;

/** What a board server does in one poll: answers with what it is told. */
async function ask(slots: PollRequest["slots"] = []) {
  const report: PollRequest = {
    address: { kind: "tcp", host: "127.0.0.1", port: 1 },
    boards: [],
    simulatedCapacity: 1,
    slots,
    adopted: [],
    waitS: 0,
  };
  return (await poll(serverId, report, new AbortController().signal, "test")).commands;
}
const serving = (command: LoadCommand) => ({
  slotId: command.slotId,
  slotEpoch: command.slotEpoch,
  state: "serving" as const,
  revisionId: command.revisionId,
  artifactDigest: command.artifactDigest,
  commandId: command.id,
  problem: null,
});
/** Carries out everything that is told. */
async function obey(): Promise<void> {
  const commands = await ask();
  await ask(
    commands.flatMap((command) => {
      if (command.kind === "load") return serving(command);
      const { slotId, slotEpoch, id } = command;
      const empty = { state: "empty" as const, revisionId: null, artifactDigest: null };
      return { slotId, slotEpoch, commandId: id, problem: null, ...empty };
    }),
  );
}

async function artifact(seed = "ours"): Promise<string> {
  const { buildId } = await deploy(scope, iris(seed));
  const attempt = await claimBuild(bare(buildId), "worker", { leaseS: 60, deadlineS: 600 });
  const made = artifactOf(seed);
  await succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact: made });
  await database().endpoint.updateMany({ data: { deletedAt: new Date() } });
  return made.digest;
}

describe("a lease", () => {
  it("makes a simulated board, which everybody sees as leased, and others without its holder's name", async () => {
    const lease = await take(ada, ice, { purpose: "pixel tests" });
    expect(lease).toMatchObject({ state: "active", isMine: true, person: "Ada" });
    const ours = await getBoard(scope, lease.boardId);
    expect(ours).toMatchObject({ state: "leased", lease: { id: lease.id, person: "Ada" } });
    const [theirs] = (await listBoards(other, { limit: 9 })).items;
    expect(theirs).toMatchObject({
      state: "leased",
      lease: { id: null, person: null, isOurs: false, until: lease.endsAt },
    });
    expect(await listLeases(eve, {})).toMatchObject([
      { id: null, person: null, purpose: "", isOurs: false, isMine: false },
    ]);
    expect(await refusal(getLease(eve, lease.id ?? ""))).toContain("NOT_FOUND");
    const [, leased] = (await listHistory(other, lease.boardId, { limit: 9 })).items;
    expect(leased).toMatchObject({ kind: "leased" });
    expect(leased).not.toHaveProperty("person");
  });

  it("is one person's, whoever asks at once, and the answer says whose and until when", async () => {
    const { id, boardId, endsAt } = await take(ada, ice);
    await releaseLease(ada, id ?? "");
    await database().leaseWait.deleteMany();
    // Nobody wants it: it is there until the next pass.
    const answers = await Promise.all(
      [ada, ben, eve, ada, ben].map((each) => refusal(take(each, { id: boardId }))),
    );
    expect(answers.filter((each) => each === "done")).toHaveLength(1);
    expect(answers.filter((each) => each.startsWith("BOARD_TAKEN"))).toHaveLength(4);
    const holder = (await listLeases(ada, {}))[0];
    const seen = await refusal(take(holder?.isOurs ? eve : ada, { id: boardId }));
    expect(seen).toMatch(/^BOARD_TAKEN: Another project has iCEBreaker sim-\w+ until 20\d\d-/);
    expect(endsAt > new Date().toISOString()).toBe(true);
  });

  it("is kept apart from others by the database itself", async () => {
    const lease = await take(ada, ice);
    const row = await database().lease.findFirstOrThrow({ where: { id: bare(lease.id ?? "") } });
    await expect(
      database().lease.create({
        data: {
          id: uuidv7(),
          projectId: other,
          boardId: row.boardId,
          purpose: "",
          startsAt: new Date(row.expiresAt.getTime() - 1000),
          expiresAt: new Date(row.expiresAt.getTime() + 1000),
        },
      }),
    ).rejects.toThrow("lease_alone");
  });

  it("keeps endpoints away, and an endpoint keeps people away, with the reason", async () => {
    const { buildId } = await deploy(scope, iris("one"));
    const attempt = await claimBuild(bare(buildId), "worker", { leaseS: 60, deadlineS: 600 });
    await succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact: artifactOf("one") });
    await reconcileEndpoints();
    const [board] = (await listBoards(scope, { limit: 9 })).items;
    const target = { id: board?.id ?? "" };
    expect(await refusal(take(ada, target))).toMatch(/^BOARD_TAKEN: The endpoint “one” has /);
    const foreign = await refusal(take(eve, target));
    expect(foreign).toMatch(/^BOARD_TAKEN: An endpoint of another project has /);
    expect(await refusal(take(ada, ice))).toContain("NO_BOARD_FREE");
    // Who waits gets it when the endpoint goes.
    await wait(ada, target);
    expect((await listWaits(ada))[0]).toMatchObject({ place: 1, expectedAt: null });
    await database().endpoint.updateMany({ data: { deleteRequestedAt: new Date() } });
    await database().endpointWake.deleteMany();
    await reconcileEndpoints();
    await obey();
    await reconcileEndpoints();
    expect(await reconcileLeases()).toBe(1);
    expect(await stateOf(target.id)).toBe("leased");
  });

  it("is no CPU's, and no longer than is allowed", async () => {
    await addBoardServer({ cpuSlots: 2 });
    const cpu = (await listBoards(scope, { limit: 9, kind: ["cpu"] })).items[0];
    expect(await refusal(take(ada, { id: cpu?.id ?? "" }))).toContain("BOARD_CANNOT");
    expect(await refusal(take(ada, ice, { minutes: 121 }))).toContain("VALIDATION");
    expect(await refusal(take(ada, { id: "brd_nothing" }))).toContain("NOT_FOUND");
  });

  it("is its holder's alone to change; an admin of the project can end it", async () => {
    const { id } = await take(ada, ice);
    for (const act of [
      () => extendLease(ben, id ?? "", 5, limits),
      () => releaseLease(ben, id ?? ""),
      () => loadOnLease(ben, id ?? "", `sha256:${"0".repeat(64)}`),
      () => unloadOnLease(ben, id ?? ""),
    ])
      expect(await refusal(act())).toContain("FORBIDDEN");
    expect(await refusal(releaseLease(eve, id ?? ""))).toContain("NOT_FOUND");
    const ended = await releaseLease({ ...ben, mayEndOthers: true }, id ?? "");
    expect(ended).toMatchObject({ state: "ended", isMine: false });
    expect(await refusal(extendLease(ada, id ?? "", 5, limits))).toContain("LEASE_OVER");
  });

  it("can be extended up to the most, until somebody waits or has booked the board", async () => {
    const { id, endsAt, boardId } = await take(ada, ice);
    const longer = await extendLease(ada, id ?? "", 30, limits);
    expect(Date.parse(longer.endsAt) - Date.parse(endsAt)).toBe(30 * 60_000);
    expect(await refusal(extendLease(ada, id ?? "", 60, limits))).toContain("VALIDATION");
    const place = await wait(ben, { id: boardId });
    expect(await refusal(extendLease(ada, id ?? "", 5, limits))).toBe(
      `BOARD_TAKEN: Somebody waits for ${longer.boardName}, and comes first.`,
    );
    await leaveWaiting(ben, place.id ?? "");
    await take(ben, { id: boardId }, { startsAt: longer.endsAt });
    expect(await refusal(extendLease(ada, id ?? "", 5, limits))).toMatch(
      /^BOARD_TAKEN: Ben has booked /,
    );
  });

  it("runs out by the database's clock, before anybody notes it; its board goes where nobody wants it", async () => {
    const { id, boardId } = await take(ada, ice);
    await runOut(id);
    expect(await stateOf(boardId)).toBe("free");
    expect((await getLease(ada, id ?? "")).state).toBe("ended");
    expect(await refusal(loadOnLease(ada, id ?? "", `sha256:${"0".repeat(64)}`))).toContain(
      "LEASE_OVER",
    );
    expect(await reconcileLeases()).toBe(1);
    expect(await reconcileLeases()).toBe(0);
    await reconcileEndpoints();
    expect((await getBoard(scope, boardId)).removedAt).not.toBeNull();
  });

  it("ends when its holder leaves the project", async () => {
    const { boardId } = await take(ada, ice);
    await wait(ben, { id: boardId });
    await database().membership.deleteMany({ where: { userId: ada.userId ?? "" } });
    expect(await reconcileLeases()).toBe(2);
    expect((await getBoard(scope, boardId)).lease?.person).toBe("Ben");
  });
});

describe("firmware on a leased board", () => {
  it("is loaded by the ordinary command, replaced, and unloaded when the board is handed back", async () => {
    const digest = await artifact();
    const { id, boardId } = await take(ada, ice);
    const loading = await loadOnLease(ada, id ?? "", digest);
    expect(loading.firmware).toMatchObject({ artifactDigest: digest });
    const [load] = await ask();
    expect(load).toMatchObject({ kind: "load", artifactDigest: digest, version: "1" });
    await obey();
    expect((await getLease(ada, id ?? "")).firmware).toMatchObject({ state: "serving" });
    const board = await getBoard(scope, boardId);
    expect(board).toMatchObject({ state: "leased", slots: [{ matches: true }] });
    expect(await reconcileEndpoints()).toBe(0);
    await loadOnLease(ada, id ?? "", digest);
    await obey();
    await releaseLease(ada, id ?? "");
    expect((await ask())[0]).toMatchObject({ kind: "unload" });
    await obey();
    expect((await getBoard(scope, boardId)).slots[0]).toMatchObject({ free: true });
  });

  it("is the project's own, and fits", async () => {
    const digest = await artifact();
    const { id } = await take(eve, ice);
    expect(await refusal(loadOnLease(eve, id ?? "", digest))).toContain("ARTIFACT_UNKNOWN");
    await releaseLease(eve, id ?? "");
    await reconcileEndpoints();
    const wrong = await take(ada, { model: "ulx3s-25f", kind: "simulated" });
    expect(await refusal(loadOnLease(ada, wrong.id ?? "", digest))).toContain("DEVICE_MISMATCH");
  });

  it("is not deleted while it is loaded", async () => {
    const digest = await artifact();
    await database().endpoint.deleteMany();
    const { id } = await take(ada, ice);
    await loadOnLease(ada, id ?? "", digest);
    const store = {} as ObjectStore;
    expect(await refusal(deleteArtifact(scope, digest, store))).toContain("ARTIFACT_IN_USE");
  });

  it("of a lease that is over never lands after the board has another holder", async () => {
    const digest = await artifact();
    const first = await take(ada, ice);
    await wait(ben, { id: first.boardId });
    await loadOnLease(ada, first.id ?? "", digest);
    const [stale] = await ask();
    if (stale?.kind !== "load") throw new Error("no load was commanded");
    await runOut(first.id);
    // It ends in the middle of the load: the board is Ben's only when it is empty again.
    expect(await reconcileLeases()).toBe(1);
    await ask([serving(stale)]);
    expect(await reconcileLeases()).toBe(0);
    await obey();
    expect(await reconcileLeases()).toBe(1);
    expect((await getBoard(scope, first.boardId)).lease?.person).toBe("Ben");
    // The old server's word comes late.
    await ask([serving(stale)]);
    expect((await getBoard(scope, first.boardId)).slots[0]).toMatchObject({
      state: "empty",
      artifactDigest: null,
    });
    expect(await refusal(loadOnLease(ada, first.id ?? "", digest))).toContain("LEASE_OVER");
  });
});

describe("the waiting list of a board", () => {
  it("is first come, first served, tells places and times, and is left at will", async () => {
    const { id, boardId, endsAt } = await take(ada, ice);
    const bens = await wait(ben, { id: boardId }, 30);
    const eves = await wait(eve, { id: boardId }, 20);
    expect(bens).toMatchObject({ place: 1, expectedAt: endsAt, isMine: true });
    expect(eves.place).toBe(2);
    expect(Date.parse(eves.expectedAt ?? "") - Date.parse(endsAt)).toBe(30 * 60_000);
    // Again keeps the place.
    expect((await wait(ben, { id: boardId })).id).toBe(bens.id);
    expect(await listWaits(eve, { board: boardId })).toMatchObject([
      { id: null, person: null, isOurs: false, place: 1 },
      { person: "Eve", isMine: true, place: 2 },
    ]);
    expect(await refusal(leaveWaiting(eve, bens.id ?? ""))).toContain("NOT_FOUND");
    await releaseLease(ada, id ?? "");
    // Who comes by now does not come first.
    expect(await refusal(take(ada, { id: boardId }))).toMatch(/^BOARD_TAKEN: 2 people wait/);
    expect(await reconcileLeases()).toBe(1);
    expect((await getBoard(scope, boardId)).lease?.person).toBe("Ben");
    expect(await listWaits(eve, { board: boardId })).toMatchObject([{ place: 1 }]);
    await leaveWaiting(eve, eves.id ?? "");
    expect(await listWaits(eve)).toEqual([]);
  });

  it("gives a board to one alone, however many look at once", async () => {
    const { id, boardId } = await take(ada, ice);
    await wait(ben, { id: boardId });
    await wait(eve, { id: boardId });
    await releaseLease(ada, id ?? "");
    await Promise.all([reconcileLeases(), reconcileLeases(), reconcileLeases()]);
    expect(await database().lease.count({ where: { releasedAt: null } })).toBe(1);
    expect((await getBoard(scope, boardId)).lease?.person).toBe("Ben");
  });

  it("of a model gives any board that is free", async () => {
    const { id } = await take(ada, ice);
    expect(await refusal(take(ben, ice))).toContain("NO_BOARD_FREE");
    await wait(ben, ice);
    expect(await reconcileLeases()).toBe(0);
    await releaseLease(ada, id ?? "");
    await reconcileEndpoints();
    expect(await reconcileLeases()).toBe(1);
    expect((await listLeases(ben, {}))[0]).toMatchObject({ isMine: true, state: "active" });
  });
});

describe("a booking", () => {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

  it("begins by itself, ends what comes before it, and overlaps nothing", async () => {
    const now = await take(ada, ice, { minutes: 10 });
    const board = { id: now.boardId };
    const later = await take(ben, board, { startsAt: inMinutes(30), minutes: 30 });
    expect(later.state).toBe("booked");
    expect(await refusal(take(eve, board, { startsAt: inMinutes(45) }))).toMatch(
      /^BOARD_TAKEN: Another project has booked /,
    );
    await releaseLease(ada, now.id ?? "");
    expect(await refusal(take(ada, board, { minutes: 45 }))).toMatch(
      /^BOARD_TAKEN: Ben has booked /,
    );
    expect((await take(ada, board, { minutes: 20 })).state).toBe("active");
    await database()
      .$executeRaw`UPDATE lease SET released_at = now() WHERE released_at IS NULL AND starts_at < now()`;
    // Nobody has it until then, and it stays.
    await reconcileEndpoints();
    expect((await getBoard(scope, board.id)).removedAt).toBeNull();
    // Who waits has it up to the booking.
    await wait(ada, board, 60);
    expect(await reconcileLeases()).toBe(1);
    const [current] = await listLeases(ada, { board: board.id });
    expect(current).toMatchObject({ isMine: true, endsAt: later.startsAt });
    await database()
      .$executeRaw`UPDATE lease SET released_at = now() WHERE id = ${bare(current?.id ?? "")}::uuid`;
    await database()
      .$executeRaw`UPDATE lease SET starts_at = now() WHERE id = ${bare(later.id ?? "")}::uuid`;
    expect(await reconcileLeases()).toBe(1);
    expect((await getBoard(scope, board.id)).lease?.person).toBe("Ben");
  });

  it("is of one board, ahead, and can be cancelled", async () => {
    const { boardId } = await take(ada, ice, { minutes: 5 });
    const board = { id: boardId };
    for (const startsAt of [inMinutes(-1), inMinutes(60 * 24 * 31)])
      expect(await refusal(take(ada, board, { startsAt }))).toContain("VALIDATION");
    expect(await refusal(take(ada, ice, { startsAt: inMinutes(9) }))).toContain("VALIDATION");
    const booking = await take(ada, board, { startsAt: inMinutes(10) });
    await releaseLease(ada, booking.id ?? "");
    const from = inMinutes(-60);
    expect(await listLeases(ada, { board: boardId, from })).toHaveLength(1);
    expect(toId("brd", bare(boardId))).toBe(boardId);
  });
});

describe("a lease that came of a waiting list", () => {
  /** Ada has the board of a lease that came of a waiting list, after Eve had it. */
  async function granted(): Promise<{ readonly id: string; readonly boardId: string }> {
    const { id, boardId } = await take(eve, ice);
    await wait(ada, { id: boardId });
    await releaseLease(eve, id ?? "");
    await obey();
    await reconcileLeases({ acceptMinutes: 10 });
    const [own] = (await listLeases(ada, { board: boardId })).filter(({ isMine }) => isMine);
    expect(own?.acceptBy).toMatch(/Z$/);
    return { id: own?.id ?? "", boardId };
  }
  /** Lets the time to accept it run out. */
  const idle = () =>
    database()
      .$executeRaw`UPDATE lease SET accept_by = now() - interval '1 second' WHERE accept_by IS NOT NULL`;
  const holds = async (asker: Asker, boardId: string): Promise<boolean> =>
    (await listLeases(asker, { board: boardId })).some(
      ({ isMine, state }) => isMine && state === "active",
    );

  it("goes on to the next when its holder does nothing, who is told", async () => {
    const { boardId } = await granted();
    await idle();
    await reconcileLeases();
    expect(await holds(ada, boardId), "nobody else waits").toBe(true);
    await wait(ben, { id: boardId });
    await reconcileLeases();
    expect(await holds(ada, boardId)).toBe(false);
    await obey();
    await reconcileLeases();
    expect(await holds(ben, boardId)).toBe(true);
    expect(await listPassedOn(ada)).toMatchObject([{ boardId }]);
    expect(await listPassedOn(ben)).toEqual([]);
    expect(await listPassedOn(eve)).toEqual([]);
  });

  it("goes on as well to who waits for any board of the model", async () => {
    const { boardId } = await granted();
    await wait(ben, ice);
    await reconcileLeases();
    expect(await holds(ada, boardId)).toBe(true);
    await idle();
    await reconcileLeases();
    expect(await holds(ada, boardId)).toBe(false);
  });

  it("is its holder's to the end once they load something", async () => {
    const digest = await artifact();
    const { id, boardId } = await granted();
    await wait(ben, { id: boardId });
    const loaded = await loadOnLease(ada, id, digest);
    expect(loaded.acceptBy).toBeNull();
    await idle();
    await reconcileLeases();
    expect(await holds(ada, boardId)).toBe(true);
  });

  it("is nobody's hurry where it was taken by hand", async () => {
    const { boardId, acceptBy } = await take(ada, ice);
    expect(acceptBy).toBeNull();
    await wait(ben, { id: boardId });
    await reconcileLeases({ acceptMinutes: 0 });
    expect(await holds(ada, boardId)).toBe(true);
  });

  it("waits on where the project may have no more boards", async () => {
    await setQuotas(`prj_${scope}`, { ...usualQuotas, boards: 0 });
    const { id, boardId } = await take(eve, ice);
    await wait(ada, { id: boardId });
    await releaseLease(eve, id ?? "");
    await obey();
    await reconcileLeases();
    expect(await holds(ada, boardId)).toBe(false);
    await setQuotas(`prj_${scope}`, usualQuotas);
    await reconcileLeases();
    expect(await holds(ada, boardId)).toBe(true);
  });
});
