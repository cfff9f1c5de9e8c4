import { beforeEach, describe, expect, it } from "vitest";
import { attach, detach, getAttachment, listAttachments, poll } from "@/domain/board-servers";
import { claimBuild, succeedBuild } from "@/domain/builds";
import { reconcileEndpoints } from "@/domain/endpoints";
import { idPrefixes, type PollRequest, type TrialReport } from "@/lib/common/contract";
import { database, toId } from "@/lib/server/db";
import { deploy } from "@/tests/support/deploy";
import { addBoardServer, artifactOf, bare, iris, openDatabase, scope } from "../support/domain";

openDatabase();

let serverId: string;
beforeEach(async () => {
  await database().boardServer.deleteMany();
  serverId = await addBoardServer();
});

const asked = {
  boardModel: "zedboard",
  address: "192.168.2.99:50051",
  bitstream: "banknote",
  inputs: 4,
};
const report = (attached?: TrialReport[], boards: PollRequest["boards"] = []): PollRequest => ({
  address: { kind: "unix", path: "/s" },
  boards,
  simulatedCapacity: 1,
  slots: [],
  adopted: [],
  waitS: 0,
  ...(attached ? { attached } : {}),
});
const never = new AbortController().signal;
const step = (name: "connect" | "load" | "predict", state: "succeeded" | "failed") => ({
  name,
  state,
});

describe("a board at an address", () => {
  it("is told to its server with what to try it by, and shows what came of it", async () => {
    const { id, key, state } = await attach(asked);
    expect({ key, state }).toEqual({ key: "zedboard-bond-1", state: "testing" });
    const { attached } = await poll(serverId, report(), never);
    expect(attached).toEqual([
      {
        id,
        key,
        kind: "bond-grpc",
        boardModel: "zedboard",
        address: asked.address,
        trial: { bitstream: "banknote", inputs: 4, arch: "zynq" },
      },
    ]);
    const steps = [
      step("connect", "succeeded"),
      step("load", "succeeded"),
      step("predict", "failed"),
    ];
    await poll(serverId, report([{ id, steps }]), never);
    expect(await getAttachment(id)).toMatchObject({ state: "refused", steps });
    const passed = steps.map((each) => ({ ...each, state: "succeeded" as const }));
    await poll(serverId, report([{ id, steps: passed }]), never);
    expect(await listAttachments()).toMatchObject([{ id, state: "attached" }]);
  });

  it("answers a server that waits as soon as it is attached or given up", async () => {
    const waiting = poll(serverId, { ...report(), waitS: 20 }, never);
    const { id } = await attach(asked);
    expect((await waiting).attached).toHaveLength(1);
    const again = poll(
      serverId,
      { ...report([{ id, steps: await stepsOf(id) }]), waitS: 20 },
      never,
    );
    await detach(id);
    expect((await again).attached).toEqual([]);
  });

  const stepsOf = async (id: string) => (await getAttachment(id)).steps;

  it("is one board, of one server that is heard of", async () => {
    await attach(asked);
    await expect(attach(asked)).rejects.toMatchObject({ reason: "STATE_CONFLICT" });
    await expect(attach({ ...asked, boardModel: "cpu" })).rejects.toMatchObject({
      reason: "BOARD_UNKNOWN",
    });
    const other = await addBoardServer();
    const next = { ...asked, address: "192.168.2.100:50051" };
    await expect(attach(next)).rejects.toMatchObject({ reason: "VALIDATION", field: "serverId" });
    const named = { ...next, serverId: toId("bsv", other) };
    expect(await attach(named)).toMatchObject({
      serverId: toId("bsv", other),
      key: "zedboard-bond-1",
    });
    await database().boardServer.updateMany({ data: { heartbeatAt: new Date(0) } });
    const late = { ...asked, address: "192.168.2.101:50051" };
    await expect(attach(late)).rejects.toMatchObject({ reason: "BOARD_OFFLINE" });
  });

  it("is not altered by the report of another server", async () => {
    const { id } = await attach(asked);
    const other = await addBoardServer();
    const steps = (["connect", "load", "predict"] as const).map((name) => step(name, "succeeded"));
    await poll(other, report([{ id, steps }]), never);
    expect(await getAttachment(id)).toMatchObject({ state: "testing" });
  });

  it("is not given up while it holds a model", async () => {
    const { id, key } = await attach(asked);
    const board = { key, boardModel: "zedboard", kind: "physical" as const, slots: 1 };
    await poll(serverId, report(undefined, [board]), never);
    await database().slot.updateMany({ data: { state: "serving" } });
    await expect(detach(id)).rejects.toMatchObject({ reason: "STATE_CONFLICT" });
    await database().slot.updateMany({ data: { state: "empty" } });
    await detach(id);
    await expect(getAttachment(id)).rejects.toMatchObject({ reason: "NOT_FOUND" });
  });
});

describe("firmware for a board model of which there are two kinds", () => {
  const zedboard = (key: string) => ({
    key,
    boardModel: "zedboard",
    kind: "physical" as const,
    slots: 1,
  });
  const lease = { leaseS: 60, deadlineS: 600 };

  async function placeOf(name: string, role: "metadata" | "bitstream") {
    const request = {
      ...iris(name),
      engine: "prebuilt",
      board: { model: "zedboard", kind: "physical" as const },
    };
    const { buildId } = await deploy(scope, request);
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    const made = artifactOf(name);
    const files = made.manifest.files.map((file) => ({ ...file, role }));
    const artifact = { ...made, manifest: { ...made.manifest, files } };
    await succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact });
    for (let i = 0; i < 10; i++) if ((await reconcileEndpoints()) === 0) break;
    const placed = await database().slotAssignment.findFirst({
      where: { releasedAt: null, revision: { endpoint: { name } } },
      select: { slot: { select: { board: { select: { key: true } } } } },
    });
    return placed?.slot.board.key ?? null;
  }

  it("is refused before a build where no board of the model can load it", async () => {
    const other = { ...zedboard("bond-1"), loads: "bondmachine" as const };
    await poll(serverId, report(undefined, [other]), never);
    const { id } = await database().board.findFirstOrThrow({
      where: { key: "bond-1", removedAt: null },
    });
    const boards = [
      { model: "zedboard", kind: "physical" as const },
      { id: toId(idPrefixes.board, id) },
    ];
    for (const board of boards) {
      await expect(deploy(scope, { ...iris("late"), engine: "boardwalk", board })).rejects.toThrow(
        expect.objectContaining({
          reason: "COMBINATION_UNSUPPORTED",
          field: "board",
          message: expect.stringContaining("loads BondMachine's firmware alone"),
        }),
      );
    }
    const prebuilt = { ...iris("handed"), engine: "prebuilt", board: boards[0] ?? { id: "" } };
    expect(await deploy(scope, prebuilt)).toMatchObject({ name: "handed" });
    await poll(serverId, report(undefined, [other, zedboard("axi-1")]), never);
    const either = { ...iris("either"), engine: "boardwalk", board: boards[0] ?? { id: "" } };
    expect(await deploy(scope, either)).toMatchObject({ name: "either" });
  });

  it("is placed where it can be loaded, and waits where it cannot", async () => {
    const own = zedboard("axi-1");
    const other = { ...zedboard("bond-1"), loads: "bondmachine" as const };
    await poll(serverId, report(undefined, [own]), never);
    expect(await placeOf("waits", "metadata")).toBeNull();
    await poll(serverId, report(undefined, [own, other]), never);
    expect(await placeOf("serves", "bitstream")).toBe("axi-1");
    expect(await placeOf("waits-too", "bitstream")).toBeNull();
    for (let i = 0; i < 10; i++) if ((await reconcileEndpoints()) === 0) break;
    const used = await database().slotAssignment.findMany({
      where: { releasedAt: null, slot: { board: { key: "bond-1" } } },
      select: { revision: { select: { endpoint: { select: { name: true } } } } },
    });
    expect(used.map(({ revision }) => revision.endpoint.name)).toEqual(["waits"]);
  });
});
