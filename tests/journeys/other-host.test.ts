import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "@/scripts/bundle.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { deploy, predict, sampleReference, until, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { type OtherHost, openOtherHost } from "@/tests/support/other-host";

// Boards of another host: the board server stands in a network of its own, enrols from there with the code of the Boards page, and
// is called by the gateway under TLS. The installation's own board server offers nothing.

const token = "a-token-of-the-owner-of-this-test";
const name = "far";
const { input, output } = sampleReference("iris-mlp");
let host: OtherHost;
let installation: Installation;
let boardServer: ChildProcess;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  host = openOtherHost();
  const port = await freePort();
  installation = await startInstallation("other-host", {
    variables: {
      PORTAL_PORT: String(port),
      PORTAL_URL: `http://localhost:${port}`,
      PORTAL_HOST: "0.0.0.0",
      PORTAL_ALLOWED_HOSTS: `${host.here}:${port}`,
      BOARDWALK_OWNER_TOKEN: token,
      BOARD_SERVER_CPU_SLOTS: "0",
    },
  });
  const { body } = await installation.api("/boards/enrolments", {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: "{}",
  });
  environment = {
    PATH: process.env["PATH"] ?? "",
    NODE_ENV: "production",
    BOARDWALK_HOME: installation.home.at("other-host"),
    BOARDWALK_BUNDLES: process.env["BOARDWALK_BUNDLES"] ?? (await bundle()),
    BOARDWALK_WATCH_PARENT: "1",
    BOARD_SERVER_NAME: "other-host",
    BOARD_SERVER_HOST: host.there,
    PORTAL_URL: `http://${host.here}:${port}`,
    BOARD_SERVER_ENROL_CODE: (body as { code: string }).code,
    LOG_LEVEL: "warn",
  };
  boardServer = startBoardServer();
}, 180_000);
afterAll(async () => {
  boardServer?.kill("SIGKILL");
  await installation?.stop();
  host?.close();
});

const startBoardServer = () =>
  host.start(join(environment["BOARDWALK_BUNDLES"] ?? "", "board-server-main.mjs"), environment);

async function ask(index: number): Promise<number> {
  const { status, values } = await predict(installation, name, {
    name: input.name,
    row: input.rows[index] ?? [],
  });
  if (status === 200)
    for (const [i, value] of values.entries())
      expect(value).toBeCloseTo(output.rows[index]?.[i] ?? Number.NaN, 4);
  return status;
}

describe("a board server on another host", () => {
  it("enrols, takes a model, and answers as the model does", async () => {
    await deploy(installation, {
      name,
      engine: "onnx",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: { model: "cpu", kind: "cpu" },
    });
    await untilReady(installation, name);
    await until("an answer", async () => (await ask(0)) === 200);
    for (let index = 0; index < 20; index++) expect(await ask(index)).toBe(200);
    const { body } = await installation.api("/boards");
    const { items } = body as { items: { id: string; kind: string }[] };
    const board = await installation.api(`/boards/${items.find(({ kind }) => kind === "cpu")?.id}`);
    expect(JSON.stringify(board.body)).toContain(`${host.there}:8100`);
  }, 200_000);

  it("is not waited for while its cable is out, and answers again when it is in", async () => {
    host.plug(false);
    await until("a refusal", async () => (await ask(0)) === 503, 30_000);
    host.plug(true);
    await until("an answer", async () => (await ask(1)) === 200);
  }, 200_000);

  it("serves on after it was killed, under the key that it enrolled with", async () => {
    boardServer.kill("SIGKILL");
    await once(boardServer, "exit");
    await until("a refusal", async () => (await ask(0)) === 503, 30_000);
    boardServer = startBoardServer();
    await until("an answer", async () => (await ask(2)) === 200);
  }, 200_000);

  it("lets a gateway with a new key in without being started again", async () => {
    await installation.processes.stop("gateway");
    await rm(installation.home.at("keys", "gateway.pem"));
    installation.processes.start("gateway");
    await until("an answer", async () => (await ask(3)) === 200);
  }, 200_000);
});
