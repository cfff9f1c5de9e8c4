import { beforeEach, describe, expect, it } from "vitest";
import { claimBuild, succeedBuild } from "@/domain/builds";
import { deleteEndpoint, getEndpoint, listEndpoints, reconcileEndpoints } from "@/domain/endpoints";
import { database, uuidv7 } from "@/lib/server/db";
import { deploy } from "@/tests/support/deploy";
import { addBoardServer, artifactOf, bare, iris, openDatabase, scope } from "../support/domain";

openDatabase();

const many = 40;

async function anyRevision() {
  const { problem: _, request, ...revision } = await database().revision.findFirstOrThrow();
  return { ...revision, request: request as object };
}

/** Endpoints whose artifact is there and for which there is no board: what waits, by the thousand. */
async function waiting(count: number): Promise<void> {
  const { buildId } = await deploy(scope, iris("first"));
  const attempt = await claimBuild(bare(buildId), "worker", { leaseS: 60, deadlineS: 600 });
  await succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact: artifactOf("many") });
  const revision = await anyRevision();
  for (let n = 1; n < count; n++) {
    const id = uuidv7();
    await database().endpoint.create({ data: { id, projectId: scope, name: `waits-${n}` } });
    await database().revision.create({
      data: { ...revision, id: uuidv7(), endpointId: id },
    });
  }
}

beforeEach(async () => {
  await database()
    .$executeRaw`TRUNCATE board_server, endpoint, endpoint_ordinal, endpoint_wake, build, artifact, event, outbox CASCADE`;
});

describe("many endpoints that wait for a board", () => {
  it("are looked at a few at a time, and rest until something changes", async () => {
    await waiting(many);
    expect(await reconcileEndpoints({ limit: 15 })).toBe(15);
    for (let pass = 0; pass < 10; pass++) await reconcileEndpoints({ limit: 15 });
    const rests = await database().endpoint.count({
      where: { quietLooks: { gt: 0 }, state: "loading" },
    });
    expect(rests).toBe(many);
    await database().$executeRaw`UPDATE endpoint SET look_at = now() + interval '1 hour'`;
    expect(await reconcileEndpoints()).toBe(0);

    // The oldest get the places as soon as there are any.
    await addBoardServer({ simulatedCapacity: 3 });
    await reconcileEndpoints();
    const placed = await database().slotAssignment.findMany({
      select: { revision: { select: { endpoint: { select: { name: true } } } } },
    });
    expect(placed.map(({ revision }) => revision.endpoint.name).sort()).toEqual([
      "first",
      "waits-1",
      "waits-2",
    ]);
  });

  it("hold up no delete", async () => {
    await waiting(many);
    await deleteEndpoint(scope, `waits-${many - 1}`);
    await reconcileEndpoints({ limit: 1 });
    await expect(getEndpoint(scope, `waits-${many - 1}`)).rejects.toMatchObject({
      reason: "ENDPOINT_UNKNOWN",
    });
  });

  it("hold up none that something happened to", async () => {
    await waiting(many);
    while ((await reconcileEndpoints()) > 0);
    await database()
      .$executeRaw`UPDATE endpoint SET look_at = now() - interval '1 hour', quiet_looks = 3`;
    await deploy(scope, iris("new"));
    await reconcileEndpoints({ limit: 1 });
    const { quietLooks } = await database().endpoint.findFirstOrThrow({ where: { name: "new" } });
    expect(quietLooks).toBe(1);
  });

  it("go on though one of them cannot be understood; it says why, and is tried ever more rarely", async () => {
    await waiting(3);
    const revision = await anyRevision();
    const id = uuidv7();
    // Older than all others, for a board that a newer version knew.
    await database().endpoint.create({
      data: { id, projectId: scope, name: "odd", createdAt: new Date(0), lookAt: new Date(0) },
    });
    await database().revision.create({
      data: { ...revision, id: uuidv7(), endpointId: id, boardModel: "of-the-future" },
    });
    await addBoardServer({ simulatedCapacity: 8 });
    await reconcileEndpoints();
    expect(await database().slotAssignment.count()).toBe(3);
    expect(await getEndpoint(scope, "odd")).toMatchObject({
      state: "failed",
      problem: { reason: "BOARD_UNKNOWN" },
    });
    expect((await listEndpoints(scope, { limit: 10 })).items).toHaveLength(4);
    await reconcileEndpoints();
    const odd = await database().endpoint.findUniqueOrThrow({ where: { id } });
    expect(odd.failedLooks).toBe(1);
  });
});
