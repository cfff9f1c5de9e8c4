import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MadeToken } from "@/lib/common/contract";
import { deploy, until, untilReady, upload } from "@/tests/support/client";
import { callGrpc } from "@/tests/support/grpc-call";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";
import { pairMessage } from "@/tests/support/pair-message";

// A closed endpoint through the whole of Boardwalk: who is answered, by what, and until when.

let installation: Installation;
let grpc: Client;
const endpoint = "closed";

beforeAll(async () => {
  installation = await startInstallation("tokens");
  grpc = new Client(
    `127.0.0.1:${installation.variables["GATEWAY_GRPC_PORT"]}`,
    credentials.createInsecure(),
  );
  const model = await upload(installation, "model.onnx", pair.model);
  for (const [name, access] of [
    [endpoint, "project"],
    ["open", "all"],
  ])
    await deploy(installation, {
      name,
      access,
      engine: "onnx",
      model: { url: model.body.url, card: pair.card },
      board: { model: "cpu", kind: "cpu" },
    });
  await untilReady(installation, endpoint);
  await untilReady(installation, "open");
}, 180_000);
afterAll(async () => {
  grpc?.close();
  await installation?.stop();
});

async function make(scopes: readonly string[], more: object = {}): Promise<MadeToken> {
  const { status, body } = await installation.api("/tokens", {
    method: "POST",
    body: JSON.stringify({ name: "a program", scopes, ...more }),
  });
  expect(status).toBe(201);
  return body;
}

const body = JSON.stringify({
  inputs: [{ name: pair.row.name, shape: [1, 2], datatype: "FP32", data: pair.row.row }],
});
const headersOf = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

/** What the gateway answers over HTTP, by itself and behind the portal, and over gRPC. */
async function asked(name: string, token: string | null) {
  const statuses = await Promise.all(
    [installation.gatewayUrl, installation.portalUrl].map(
      async (base) =>
        (
          await fetch(`${base}/v2/models/${name}/infer`, {
            method: "POST",
            body,
            headers: headersOf(token),
          })
        ).status,
    ),
  );
  const told = await callGrpc(grpc, "/inference.GRPCInferenceService/ModelInfer", {
    message: pairMessage(name),
    token,
  });
  const [gateway, portal] = statuses;
  return { gateway, portal, grpc: Buffer.isBuffer(told) ? "OK" : told.reason };
}

describe("a closed endpoint", () => {
  it("answers nobody without a token, but the owner in the portal", async () => {
    expect(await asked("open", null)).toEqual({ gateway: 200, portal: 200, grpc: "OK" });
    expect(await asked(endpoint, null)).toEqual({
      gateway: 401,
      portal: 200,
      grpc: "UNAUTHENTICATED",
    });
    const tried = await installation.api(`/endpoints/${endpoint}/predict`, {
      method: "POST",
      body,
    });
    expect(tried.status).toBe(200);
    const overGrpc = await installation.api(`/endpoints/${endpoint}/predict?protocol=grpc`, {
      method: "POST",
      body,
    });
    expect(overGrpc.status).toBe(200);
  });

  it("answers whoever shows a token that is good for it, wherever it is shown", async () => {
    const good = { gateway: 200, portal: 200, grpc: "OK" };
    expect(await asked(endpoint, (await make(["infer"])).token)).toEqual(good);
    const only = await make(["infer"], { endpoints: [endpoint] });
    expect(await asked(endpoint, only.token)).toEqual(good);
    const other = await make(["infer"], { endpoints: ["open"] });
    expect(await asked(endpoint, other.token)).toEqual({
      gateway: 404,
      portal: 404,
      grpc: "MODEL_NOT_FOUND",
    });
    // Nor does the portal ask for it.
    for (const way of ["predict", "float"]) {
      const init = { method: "POST", body, headers: headersOf(other.token) };
      const { status } = await installation.api(`/endpoints/${endpoint}/${way}`, init);
      expect([way, status]).toEqual([way, 404]);
    }
    const reader = await make(["read"]);
    expect(await asked(endpoint, reader.token)).toEqual({
      gateway: 403,
      portal: 403,
      grpc: "FORBIDDEN",
    });
  });

  it("is opened and closed from the API, and the gateway follows", async () => {
    const set = (access: string) =>
      installation.api(`/endpoints/${endpoint}/access`, {
        method: "POST",
        body: JSON.stringify({ access }),
      });
    const status = async () => (await asked(endpoint, null)).gateway;
    expect((await set("all")).status).toBe(200);
    await until("it is open", async () => (await status()) === 200);
    expect((await set("project")).status).toBe(200);
    await until("it is closed", async () => (await status()) === 401);
    expect((await installation.api(`/endpoints/${endpoint}`)).body).toMatchObject({
      access: "project",
    });
  });

  it("answers a token no more once it is revoked, at the API and at the gateway", async () => {
    const { id, token } = await make(["infer", "read"]);
    expect(await asked(endpoint, token)).toEqual({ gateway: 200, portal: 200, grpc: "OK" });
    const revoked = await installation.api(`/tokens/${id}`, { method: "DELETE" });
    expect(revoked.status).toBe(204);
    const read = await installation.api("/builds", { headers: headersOf(token) });
    expect(read.status).toBe(401);
    await until("all refuse it", async () => {
      const { gateway, portal, grpc: told } = await asked(endpoint, token);
      return gateway === 401 && portal === 401 && told === "UNAUTHENTICATED";
    });
  });

  it("writes no token into a log", async () => {
    const { token } = await make(["infer"]);
    await asked(endpoint, token);
    const logs = join(installation.home.path, "logs");
    const texts = readdirSync(logs).map((name) => readFileSync(join(logs, name), "latin1"));
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) expect(text).not.toMatch(/bw_(api|portal)_[0-9A-Za-z]{20}/);
  });
});
