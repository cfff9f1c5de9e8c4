import { type ChildProcess, spawn } from "node:child_process";
import { createSign, generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Places, Secrets } from "@/lib/common/contract";
import { digestOf } from "@/lib/server/digest";
import { FileStore } from "@/lib/server/storage";
import { freePort } from "@/scripts/lib/ports.mjs";
import { fetchSource, testConnection } from "@/workers/fetch";
import { until } from "../support/client";
import { listenTls, type TlsServer } from "../support/listen-tls";

// Distribution's registry, over TLS: one that wants a name and a password, and one that wants tokens of another host.

const { OCI_REGISTRY = "" } = process.env;
const folder = mkdtempSync(join(tmpdir(), "bw-registry-"));
const tls = (name: string) => join(process.cwd(), "tests/fixtures/tls", name);
const ca = readFileSync(tls("ca.pem"), "utf8");
const login = { user: "ana", password: "registry-password-55aB" };
/** bcrypt, which is all that the registry takes. */
const htpasswd = "ana:$2b$05$abcdefghijklmnopqrstuuYrbrGfiasvLRbNWQsEUEZ8k7SaNQWVK\n";
const model = readFileSync("public/samples/iris-mlp/model.onnx");
const card = readFileSync("public/samples/iris-mlp/card.json");
const basic = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
const service = "the registry of a test";
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

interface RunningRegistry {
  readonly host: string;
  readonly child: ChildProcess;
}

async function startRegistry(name: string, auth: string): Promise<RunningRegistry> {
  const port = await freePort();
  const own = join(folder, name);
  mkdirSync(own);
  writeFileSync(
    join(own, "config.yml"),
    [
      "version: 0.1",
      "log: { level: error, accesslog: { disabled: true } }",
      `storage: { filesystem: { rootdirectory: ${join(own, "data")} } }`,
      `http: { addr: "127.0.0.1:${port}", secret: of-a-test, tls: { certificate: ${tls("server.pem")}, key: ${tls("server.key")} } }`,
      auth,
      "",
    ].join("\n"),
  );
  const child = spawn(OCI_REGISTRY, ["serve", join(own, "config.yml")], {
    stdio: "ignore",
    env: {
      ...{ PATH: process.env["PATH"], HOME: own, NODE_ENV: "test" },
      OTEL_TRACES_EXPORTER: "none",
    },
  });
  const host = `127.0.0.1:${port}`;
  await until(`the registry ${name}`, async () => {
    const { status } = await send(host, "GET", "/v2/", {});
    return status === 401;
  });
  return { host, child };
}

interface Sent {
  readonly status: number;
  readonly location: string;
}

/** One request, as a client that pushes makes it. */
function send(
  host: string,
  method: string,
  path: string,
  { authorization, body, type }: { authorization?: string; body?: Buffer; type?: string },
): Promise<Sent> {
  return new Promise((resolve) => {
    const asking = request(
      new URL(path, `https://${host}`),
      {
        method,
        ca,
        headers: {
          ...(authorization ? { authorization } : {}),
          ...(type ? { "content-type": type } : {}),
          "content-length": body?.length ?? 0,
        },
      },
      (answer) => {
        answer.resume();
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? "" }),
        );
      },
    );
    asking.on("error", () => resolve({ status: 0, location: "" }));
    asking.end(body);
  });
}

const imageType = "application/vnd.oci.image.manifest.v1+json";

/** Pushes an image of files by their titles; answers the digest of its manifest. */
async function push(
  host: string,
  authorization: string,
  image: { name: string; tag: string; files: Readonly<Record<string, Buffer>> },
): Promise<string> {
  const put = async (bytes: Buffer) => {
    const started = await send(host, "POST", `/v2/${image.name}/blobs/uploads/`, { authorization });
    expect(started.status).toBe(202);
    const at = new URL(started.location, `https://${host}`);
    at.searchParams.set("digest", digestOf(bytes));
    const type = "application/octet-stream";
    const { status } = await send(host, "PUT", at.href, { authorization, body: bytes, type });
    expect(status).toBe(201);
  };
  const empty = Buffer.from("{}");
  for (const bytes of [empty, ...Object.values(image.files)]) await put(bytes);
  const of = (bytes: Buffer, mediaType: string) => ({
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const layers = Object.entries(image.files).map(([title, bytes]) => ({
    ...of(bytes, "application/octet-stream"),
    annotations: { "org.opencontainers.image.title": title },
  }));
  const config = of(empty, "application/vnd.oci.empty.v1+json");
  const body = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: imageType, config, layers }),
  );
  const path = `/v2/${image.name}/manifests/${image.tag}`;
  expect((await send(host, "PUT", path, { authorization, body, type: imageType })).status).toBe(
    201,
  );
  return digestOf(body);
}

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token as Distribution's registry reads it. @see https://distribution.github.io/distribution/spec/auth/jwt/ */
function tokenFor(name: string, actions: readonly string[]): string {
  const now = Math.floor(Date.now() / 1000);
  const text = [
    base64({ typ: "JWT", alg: "ES256", kid: "of-a-test" }),
    base64({
      ...{ iss: "a test", sub: login.user, aud: service, jti: "1" },
      ...{ iat: now, nbf: now - 10, exp: now + 300 },
      access: name === "" ? [] : [{ type: "repository", name, actions }],
    }),
  ].join(".");
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" as const };
  return `${text}.${createSign("SHA256").update(text).sign(key, "base64url")}`;
}

let withPassword: RunningRegistry;
let withTokens: RunningRegistry;
let tokens: TlsServer;

beforeAll(async () => {
  expect(OCI_REGISTRY, "the program of Distribution's registry").not.toBe("");
  writeFileSync(join(folder, "htpasswd"), htpasswd);
  const jwk = {
    ...publicKey.export({ format: "jwk" }),
    kid: "of-a-test",
    alg: "ES256",
    use: "sig",
  };
  writeFileSync(join(folder, "jwks.json"), JSON.stringify({ keys: [jwk] }));
  tokens = await listenTls(({ url = "", headers }, response) => {
    const { searchParams } = new URL(url, "https://tokens");
    const [, name = "", actions = ""] = (searchParams.get("scope") ?? "").split(":");
    if (headers.authorization !== basic) response.writeHead(401).end();
    else response.end(JSON.stringify({ token: tokenFor(name, actions.split(",")) }));
  });
  [withPassword, withTokens] = await Promise.all([
    startRegistry(
      "password",
      `auth: { htpasswd: { realm: lab, path: ${join(folder, "htpasswd")} } }`,
    ),
    startRegistry(
      "tokens",
      `auth: { token: { realm: "https://${tokens.host}/token", service: "${service}", issuer: "a test", jwks: ${join(folder, "jwks.json")} } }`,
    ),
  ]);
});
afterAll(async () => {
  withPassword?.child.kill("SIGKILL");
  withTokens?.child.kill("SIGKILL");
  await tokens?.close();
  rmSync(folder, { recursive: true, force: true });
});

function connected(place: Places["oci"], secret: Secrets["oci"] | null = login) {
  const hosts = [withPassword.host, withTokens.host, tokens.host];
  const leads = { kind: "oci" as const, name: "lab", place };
  const stored = {
    id: "0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b4",
    leads,
    secret: "sealed",
    version: 1,
  };
  const connections = { list: async () => [stored], open: async () => secret };
  const listed = { allowedHosts: hosts };
  const resolve = async () => ["127.0.0.1"];
  return {
    test: () =>
      testConnection(stored, {
        ...{ connections, ca, resolve },
        policy: listed,
        signal: new AbortController().signal,
      }),
    fetch: async (address: string) => {
      const path = join(folder, `fetched-${Math.random()}`);
      const fetched = await fetchSource(address, {
        projectId: "0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3",
        storage: new FileStore(join(folder, "store")),
        path,
        retryForMs: 0,
        settings: {
          ...{ listed, ca, resolve, ofProjects: connections },
          ...{ policy: { allowedHosts: [] }, connections: [], credentials: {} },
          pace: { bytesPerWindow: 1, windowMs: 30_000 },
          firstWaitMs: 10,
        },
      });
      return { digest: fetched.digest, bytes: readFileSync(path) };
    },
  };
}

describe("a registry that wants a name and a password", () => {
  it("gives the one layer of an image, by tag and by digest", async () => {
    const image = { name: "models/iris", tag: "v1", files: { "model.onnx": model } };
    const digest = await push(withPassword.host, basic, image);
    const { test, fetch } = connected({ registry: `https://${withPassword.host}` });
    expect(await test()).toBe("The registry knows the login.");
    for (const address of [
      `oci://${withPassword.host}/models/iris:v1`,
      `oci://${withPassword.host}/models/iris@${digest}`,
      `oci://${withPassword.host}/models/iris:v1#model.onnx`,
    ])
      expect((await fetch(address)).digest).toBe(digestOf(model));
  });

  it("refuses another password, and no login", async () => {
    const place = { registry: `https://${withPassword.host}` };
    for (const secret of [{ ...login, password: "wrong" }, null])
      await expect(connected(place, secret).test()).rejects.toMatchObject({
        reason: "SOURCE_LOGIN_REFUSED",
      });
  });
});

describe("a registry that wants tokens of another host", () => {
  it("gives layers by their titles, once that host is named", async () => {
    const files = { "model.onnx": model, "card.json": card };
    const may = `Bearer ${tokenFor("models/many", ["pull", "push"])}`;
    await push(withTokens.host, may, { name: "models/many", tag: "v1", files });
    const place = { registry: `https://${withTokens.host}` };
    await expect(connected(place).test()).rejects.toMatchObject({ reason: "SOURCE_LOGIN_REFUSED" });
    expect(tokens.asked).toEqual([]);
    const { test, fetch } = connected({ ...place, tokenHost: tokens.host });
    expect(await test()).toBe("The registry knows the login.");
    const address = `oci://${withTokens.host}/models/many:v1`;
    expect((await fetch(`${address}#model.onnx`)).bytes.equals(model)).toBe(true);
    expect((await fetch(`${address}#card.json`)).bytes.equals(card)).toBe(true);
    await expect(fetch(address)).rejects.toMatchObject({
      reason: "SOURCE_NOT_FOUND",
      hint: expect.stringContaining("#model.onnx, #card.json"),
    });
    await expect(fetch(`oci://${withTokens.host}/models/absent:v1`)).rejects.toMatchObject({
      reason: "SOURCE_NOT_FOUND",
    });
  });
});
