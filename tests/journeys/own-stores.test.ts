import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployPage, openPage } from "@/e2e/pages";
import { openBrowser } from "@/e2e/support/browser";
import { S3Store } from "@/lib/server/storage";
import {
  deploy,
  predict,
  sampleReference,
  until,
  untilReady,
  variantOf,
} from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { startS3, type TestS3 } from "@/tests/support/versitygw";

// Models from a laboratory's own store and from a host that asks for a login, through the whole of Boardwalk; and what
// opens them is found nowhere afterwards.

const secrets = {
  accessKey: "labaccess-u81k2",
  secretKey: "labsecret/7f3a+x90Qz",
  staleKey: "stalesecret-k1m2n3p4",
  token: "glpat-Zx81_kk20Qwvb7",
};
const tls = (name: string) => readFileSync(join("tests/fixtures/tls", name), "utf8");
const cpu = { model: "cpu", kind: "cpu" };
const labModel = variantOf("iris-mlp", "of the laboratory");
const gitModel = variantOf("iris-mlp", "of the forge");

/** It repeats what it was shown, as servers that are out of order do. */
const forge = createServer(
  { cert: tls("server.pem"), key: tls("server.key") },
  (request, response) => {
    const { authorization = "none" } = request.headers;
    if (request.url === "/denied.onnx") {
      response.writeHead(403, `no ${authorization}`, { "x-said": authorization });
      return response.end(`You said ${authorization}.`);
    }
    if (request.url !== "/model.onnx") return response.writeHead(404).end();
    if (authorization !== `Bearer ${secrets.token}`)
      return response.writeHead(401).end(authorization);
    return response.end(gitModel);
  },
);
let lab: TestS3;
let store: S3Store;
let installation: Installation;

beforeAll(async () => {
  forge.listen(0, "127.0.0.1");
  await once(forge, "listening");
  lab = await startS3({ ...secrets, secure: true });
  store = new S3Store({ ...lab.options, ca: tls("ca.pem") });
  await store.ensureBucket("models");
  await store.put("models", "iris/x.onnx", labModel, { sizeBytes: labModel.length });
  const { endpoint } = lab.options;
  installation = await startInstallation("own-stores", {
    variables: {
      LOG_LEVEL: "debug",
      SOURCE_CA_FILE: join(process.cwd(), "tests/fixtures/tls/ca.pem"),
      SOURCE_CONNECTIONS: JSON.stringify([
        { name: "lab", kind: "s3", endpoint, buckets: ["models"] },
        { name: "stale", kind: "s3", endpoint, buckets: ["stale"] },
        { name: "forge", kind: "https", host: forgeHost() },
      ]),
      SOURCE_CREDENTIALS: JSON.stringify({
        lab: { accessKey: secrets.accessKey, secretKey: secrets.secretKey },
        stale: { accessKey: secrets.accessKey, secretKey: secrets.staleKey },
        forge: { token: secrets.token },
      }),
    },
  });
}, 180_000);

afterAll(async () => {
  await installation?.stop();
  store?.close();
  await lab?.stop();
  forge.closeAllConnections();
  forge.close();
});

const forgeHost = () => `127.0.0.1:${(forge.address() as AddressInfo).port}`;
const { input, output } = sampleReference("iris-mlp");
const row = input.rows[0] as number[];

interface Refusal {
  readonly error: { readonly reason: string; readonly message: string; readonly hint: string };
}
const inspect = async (url: string) =>
  (await installation.api("/models/inspect", {
    method: "POST",
    body: JSON.stringify({ url }),
  })) as {
    status: number;
    body: Refusal & { digest: string };
  };

/** Deploys on a CPU, and answers the build, however it ended. */
async function built(name: string, model: { url: string; digest?: string }) {
  const { buildId } = await deploy(installation, { name, engine: "onnx", model, board: cpu });
  return await until(`build of ${name}`, async () => {
    const { body } = await installation.api(`/builds/${buildId}`);
    const build = body as {
      id: string;
      state: string;
      problem?: { reason: string; message: string };
    };
    return ["succeeded", "failed"].includes(build.state) && build;
  });
}

describe("a model in a laboratory's own store", () => {
  it("is read, deployed and answers", async () => {
    const { status, body } = await inspect("s3://models/iris/x.onnx");
    expect(status).toBe(200);
    const model = { url: "s3://models/iris/x.onnx", digest: body.digest };
    expect(await built("of-lab", model)).toMatchObject({ state: "succeeded" });
    await untilReady(installation, "of-lab");
    const { values } = await predict(installation, "of-lab", { name: input.name, row });
    for (const [at, value] of values.entries()) {
      expect(value).toBeCloseTo(output.rows[0]?.[at] as number, 4);
    }
    expect(values).toHaveLength(output.width);
  });

  it("is typed into the deploy form, which says what stores there are", async () => {
    const { browser, page } = await openBrowser({ baseURL: installation.portalUrl });
    try {
      await openPage(page, "/settings/connections");
      await page.getByText(lab.options.endpoint).first().waitFor();
      await openPage(page, "/deploy");
      await page
        .getByText("s3://models/…, s3://stale/…, https://127.0.0.1", { exact: false })
        .waitFor();
      const form = deployPage(page);
      await form.giveUrl("s3://models/iris/x.onnx");
      await form.reading();
      await form.giveUrl("s3://nobodys/x.onnx");
      expect(await form.refusal()).toContain('No connection reads the bucket "nobodys"');
    } finally {
      await browser.close();
    }
  });

  it("is the very file that was asked for, or no build is made of it", async () => {
    const { body } = await inspect("s3://models/iris/x.onnx");
    const other = variantOf("iris-mlp", "replaced meanwhile");
    await store.put("models", "iris/x.onnx", other, { sizeBytes: other.length });
    const model = { url: "s3://models/iris/x.onnx", digest: body.digest };
    const build = await built("replaced", model);
    expect(build).toMatchObject({ state: "failed", problem: { reason: "SOURCE_DIGEST_MISMATCH" } });
  });

  it("of a bucket without a connection is refused at once, and the known ones named", async () => {
    const { status, body } = await inspect("s3://nobodys/x.onnx");
    expect({ status, reason: body.error.reason }).toEqual({
      status: 422,
      reason: "URL_NOT_ALLOWED",
    });
    expect(body.error.message).toContain('"nobodys"');
    expect(body.error.hint).toContain("s3://models/…");
  });

  it("whose keys are wrong says so, at inspection and in the build", async () => {
    const { body } = await inspect("s3://stale/x.onnx");
    expect(body.error.reason).toBe("SOURCE_LOGIN_REFUSED");
    const build = await built("stale", { url: "s3://stale/x.onnx" });
    expect(build).toMatchObject({
      state: "failed",
      problem: {
        reason: "SOURCE_LOGIN_REFUSED",
        message: expect.stringContaining("secret key of its connection is wrong"),
      },
    });
  });
});

describe("a model on a host that asks for a login", () => {
  it("is deployed and answers", async () => {
    const url = `https://${forgeHost()}/model.onnx`;
    expect(await built("of-forge", { url })).toMatchObject({ state: "succeeded" });
    await untilReady(installation, "of-forge");
    const { values } = await predict(installation, "of-forge", { name: input.name, row });
    expect(values).toHaveLength(output.width);
  });

  it("that is not for Boardwalk says so", async () => {
    const build = await built("denied", { url: `https://${forgeHost()}/denied.onnx` });
    expect(build).toMatchObject({ problem: { reason: "SOURCE_ACCESS_DENIED" } });
  });
});

describe("what opens them", () => {
  /** A secret in every spelling that something might keep it in. */
  const spellings = Object.entries(secrets).flatMap(([name, secret]) => {
    const bytes = Buffer.from(secret);
    const base64 = [0, 1, 2].map((offset) => {
      const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
      return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    });
    const json = JSON.stringify(secret).slice(1, -1);
    return [secret, encodeURIComponent(secret), json, bytes.toString("hex"), ...base64].map(
      (text) => ({ name, text }),
    );
  });
  const found = (where: string, bytes: Buffer | string) =>
    spellings.flatMap(({ name, text }) => (bytes.includes(text) ? [`${name} in ${where}`] : []));

  /** Stores and processes go on meanwhile, and a file of theirs may go. */
  function readIfThere(path: string): Buffer {
    try {
      return readFileSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
      throw error;
    }
  }

  async function tables(): Promise<[name: string, text: string][]> {
    const database = new pg.Client(installation.variables["DATABASE_URL"]);
    await database.connect();
    try {
      const { rows } = await database.query<{ name: string }>(
        "SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
      );
      const dump: [string, string][] = [];
      for (const { name } of rows) {
        const { rows: lines } = await database.query(`SELECT t::text AS line FROM ${name} t`);
        dump.push([name, lines.map(({ line }) => line as string).join("\n")]);
      }
      return dump;
    } finally {
      await database.end();
    }
  }

  it("is in no row of the database", async () => {
    const dump = await tables();
    expect(dump.find(([name]) => name === "build")?.[1]).toContain("s3://models/iris/x.onnx");
    expect(dump.flatMap(([name, text]) => found(name, text))).toEqual([]);
  });

  it("is in no file: logs of processes, stores, the queue's journal, work folders", () => {
    const root = installation.home.path;
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const hits: string[] = [];
    let named = 0;
    for (const { parentPath, name } of files) {
      const bytes = readIfThere(join(parentPath, name));
      if (bytes.includes("s3://models/iris/x.onnx")) named += 1;
      hits.push(...found(join(parentPath, name), bytes));
    }
    // The search itself finds what it should.
    expect(named).toBeGreaterThan(0);
    expect(hits).toEqual([]);
  });

  it("is in no answer of the API and on no page", async () => {
    const { body } = await installation.api("/openapi.json");
    const { paths } = body as { paths: Record<string, { get?: unknown }> };
    const plain = Object.keys(paths).filter((path) => paths[path]?.get && !path.includes("{"));
    const { body: builds } = await installation.api("/builds");
    const ids = (builds as { items: { id: string }[] }).items.map(({ id }) => id);
    const ofBuilds = ids.flatMap((id) => [`/builds/${id}`, `/builds/${id}/log`]);
    const endpoints = ["of-lab", "of-forge", "stale", "denied"].map((name) => `/endpoints/${name}`);
    const api = [...plain, ...ofBuilds, ...endpoints].map(
      (path) => `/api/v1${path.replace(/^\/api\/v1/, "")}`,
    );
    const pages = ["/deploy", "/settings/connections", ...ids.map((id) => `/builds/${id}`)];
    const hits: string[] = [];
    let answered = 0;
    for (const path of [...api, ...pages]) {
      const stop = AbortSignal.timeout(20_000);
      const answer = await fetch(`${installation.portalUrl}${path}`, {
        headers: { accept: path.endsWith("/log") ? "text/plain" : "*/*" },
        signal: stop,
      });
      const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream");
      if (answer.ok) answered += 1;
      if (isStream) await answer.body?.cancel();
      else hits.push(...found(path, await answer.text()));
    }
    expect(answered).toBeGreaterThan(pages.length + ofBuilds.length);
    expect(hits).toEqual([]);
    const shown = await (
      await fetch(`${installation.portalUrl}/api/v1/settings/connections`)
    ).json();
    expect(shown.sources.connections.map(({ name }: { name: string }) => name)).toEqual([
      "lab",
      "stale",
      "forge",
    ]);
  });
});
