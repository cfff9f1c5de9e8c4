import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { xilinxBitstream } from "@/tests/support/bitstreams";
import { networkFile } from "@/tests/support/bond/network-file";
import {
  type OriginalBoard,
  startOriginalBoard,
  startOther,
} from "@/tests/support/bond/original-board";
import {
  type OriginalBuildHost,
  startOriginalBuildHost,
} from "@/tests/support/bond/original-build-host";
import { deploy, predict, until, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";

// A board of BondMachine's original system, attached by its address, serves one of its firmwares at an endpoint. The board
// answers the recorded bytes of the original.

let board: OriginalBoard;
let files: Server;
let buildHost: OriginalBuildHost;
let installation: Installation;
const metadata = {
  board: "zedboard",
  arch: "zynq",
  n_inputs: 4,
  n_outputs: 2,
  predictor: "bondmachine",
  flavor: "axist",
  benchcore: false,
};
const contents: Readonly<Record<string, Uint8Array>> = {
  "/fpga-models/banknote.bit": xilinxBitstream(),
  "/fpga-models/banknote.hwh": Buffer.from('<EDKSYSTEM DEVICE="7z020"/>'),
  "/fpga-models/banknote.json": Buffer.from(JSON.stringify(metadata)),
};

beforeAll(async () => {
  buildHost = await startOriginalBuildHost({ "/fpga-firmware/network.json": networkFile(4, 2) });
  board = await startOriginalBoard(
    0,
    (name) => name === "banknote" || `/fpga-models/${name}.bit` in buildHost.files,
  );
  files = createServer((request, response) => {
    const content = contents[request.url ?? ""];
    response.writeHead(content ? 200 : 404);
    response.end(content);
  });
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  installation = await startInstallation("bond-board", {
    variables: {
      SOURCE_ALLOWED_HOSTS: `${hostOfFiles()},${new URL(buildHost.storeUrl).host}`,
      BOND_BUILD_ADDRESS: buildHost.address,
      BOND_BUILD_STORE: buildHost.storeUrl,
    },
  });
  await until("the board server", async () => {
    const { body } = await installation.api("/boards");
    return (body as { items: { state: string }[] }).items.some(({ state }) => state === "free");
  });
}, 180_000);
afterAll(async () => {
  await installation?.stop();
  await board?.stop();
  await buildHost?.stop();
  files?.close();
});

const hostOfFiles = () => `127.0.0.1:${(files.address() as AddressInfo).port}`;

interface Attached {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly steps: { readonly state: string; readonly message?: string; readonly reason?: string }[];
}

const attach = (change: object = {}) =>
  installation.api("/boards/attachments", {
    method: "POST",
    body: JSON.stringify({
      boardModel: "zedboard",
      address: board.address,
      bitstream: "banknote",
      inputs: 4,
      ...change,
    }),
  });
const settled = (id: string) =>
  until("the end of the trial", async () => {
    const { body } = await installation.api(`/boards/attachments/${id}`);
    const seen = body as Attached;
    return seen.state !== "testing" && seen;
  });
const physical = async () => {
  const { body } = await installation.api("/boards");
  return (body as { items: { id: string; kind: string; name: string }[] }).items.filter(
    ({ kind }) => kind === "physical",
  );
};

describe("a board of the original system", () => {
  let attached: Attached;

  it.each([
    ["an unknown board model", { boardModel: "nope" }, 422, "BOARD_UNKNOWN"],
    ["a CPU", { boardModel: "cpu" }, 422, "BOARD_UNKNOWN"],
    ["a URL for an address", { address: "http://127.0.0.1:50051" }, 422, "VALIDATION"],
    ["a name for a shell", { bitstream: "x;reboot" }, 422, "VALIDATION"],
    ["a name that climbs", { bitstream: "../x" }, 422, "VALIDATION"],
    ["no inputs", { inputs: 0 }, 422, "VALIDATION"],
    [
      "another board server",
      { serverId: "bsv_01960000-0000-7000-8000-000000000000" },
      404,
      "NOT_FOUND",
    ],
  ])("is not attached with %s", async (_, change, status, reason) => {
    expect(await attach(change)).toMatchObject({ status, body: { error: { reason } } });
  });

  it("is not attached by a page of another site", async () => {
    const answer = await fetch(`${installation.portalUrl}/api/v1/boards/attachments`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://elsewhere.example" },
      body: "{}",
    });
    expect(answer.status).toBe(403);
  });

  it("has calls of the original's interface that pages of other sites cannot make, either", async () => {
    for (const path of ["create_isvc", "delete_isvc"]) {
      const answer = await fetch(`${installation.portalUrl}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: "https://elsewhere.example" },
        body: "{}",
      });
      expect(answer.status).toBe(403);
    }
    const listed = await fetch(`${installation.portalUrl}/list_isvc`);
    expect(await listed.json()).toEqual({ Items: [] });
  });

  it("is refused where nothing such answers, step by step", async () => {
    const other = await startOther("HTTP/1");
    const { status, body } = await attach({ address: other.address });
    expect(status).toBe(201);
    const { id, state, steps } = await settled((body as Attached).id);
    expect(state).toBe("refused");
    expect(steps).toMatchObject([
      { state: "failed", reason: "LINK_FAILED", hint: expect.any(String) },
      { state: "waiting" },
      { state: "waiting" },
    ]);
    expect(await physical()).toEqual([]);
    await installation.api(`/boards/attachments/${id}`, { method: "DELETE" });
    await other.stop();
  });

  it("is attached, tried, and a board then", async () => {
    const { status, body } = await attach();
    expect(status).toBe(201);
    attached = await settled((body as Attached).id);
    expect(attached).toMatchObject({
      state: "attached",
      key: "zedboard-bond-1",
      steps: [{ state: "succeeded" }, { state: "succeeded" }, { state: "succeeded" }],
    });
    expect(await attach()).toMatchObject({ body: { error: { reason: "STATE_CONFLICT" } } });
    await until("the board", async () => (await physical()).length === 1);
  });

  it("serves a firmware by its URL, at an endpoint that is not shown as proven", async () => {
    await deploy(installation, {
      name: "banknote",
      engine: "prebuilt",
      model: { url: `http://${hostOfFiles()}/fpga-models/banknote.bit` },
      board: { model: "zedboard", kind: "physical" },
    });
    await untilReady(installation, "banknote", 120_000);
    const { body } = await installation.api("/endpoints/banknote");
    expect(body).toMatchObject({ origin: { kind: "bondmachine", proof: "not verified" } });
    expect((body as { proof?: unknown }).proof ?? null).toBeNull();
    const row = [0.39886742, 0.76609776, -0.39003127, -0.58781728];
    const answer = await predict(installation, "banknote", { name: "input", row });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.values.map(Math.fround)).toEqual([0.8212892413139343, 0.17871078848838806]);
  }, 200_000);

  it("serves what a build server of the original makes of a network", async () => {
    const { body: engines } = await installation.api("/engines");
    const { items } = engines as { items: { id: string; boards: string[]; loads: string[] }[] };
    expect(items.find(({ id }) => id === "bond-host")).toMatchObject({
      boards: expect.arrayContaining(["zedboard", "ebaz4205"]),
      loads: ["bondmachine"],
      proves: false,
    });
    await installation.api("/endpoints/banknote", { method: "DELETE" });
    const { buildId } = await deploy(installation, {
      name: "network",
      engine: "bond-host",
      model: { url: `${buildHost.storeUrl}/fpga-firmware/network.json` },
      board: { model: "zedboard", kind: "physical" },
    });
    await untilReady(installation, "network", 120_000);
    const { body } = await installation.api("/endpoints/network");
    expect(body).toMatchObject({ origin: { kind: "bondmachine", proof: "not verified" } });
    const { body: build } = await installation.api(`/builds/${buildId}`);
    expect(build).toMatchObject({ state: "succeeded" });
    expect(buildHost.asked).toMatchObject([{ targetBoard: "zedboard", nInputs: 4, nOutputs: 2 }]);
    expect(board.calls).toContain(`load ${buildHost.asked[0]?.uuid}_firmware zynq`);
    const row = [0.39886742, 0.76609776, -0.39003127, -0.58781728];
    const answer = await predict(installation, "network", { name: "input", row });
    expect(answer.values.map(Math.fround)).toEqual([0.8212892413139343, 0.17871078848838806]);
  }, 200_000);

  it("is given up when nothing is deployed on it, and not before", async () => {
    const giveUp = () =>
      installation.api(`/boards/attachments/${attached.id}`, { method: "DELETE" });
    expect(await giveUp()).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining("network") } },
    });
    await installation.api("/endpoints/network", { method: "DELETE" });
    await until("its end", async () => (await giveUp()).status === 200, 60_000);
    await until("no board", async () => (await physical()).length === 0);
  }, 120_000);
});
