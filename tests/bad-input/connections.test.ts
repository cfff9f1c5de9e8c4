import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SourceConnection } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { SourceCredential } from "@/lib/server/env";
import { FileStore, S3Store } from "@/lib/server/storage";
import { freePort } from "@/scripts/lib/ports.mjs";
import { type FetchOptions, fetchCompanions, fetchSource } from "@/workers/fetch";
import { startS3, type TestS3 } from "../support/versitygw";

// Stores and hosts of the operator's own: a second real store with keys of its own, and a host that asks for a login.

const model = readFileSync("public/samples/iris-mlp/model.onnx");
const digest = `sha256:${createHash("sha256").update(model).digest("hex")}`;
const tls = (name: string) => readFileSync(join("tests/fixtures/tls", name), "utf8");
const labKeys = { accessKey: "labaccess", secretKey: "labsecret-7f3a" };
const reader = { accessKey: "reader", secretKey: "readersecret-55" };

let lab: TestS3;
let store: S3Store;
let folder = "";
beforeAll(async () => {
  lab = await startS3({ ...labKeys, secure: true });
  store = new S3Store({ ...lab.options, ca: tls("ca.pem") });
  await store.ensureBucket("models");
  for (const key of ["x.onnx", "year=2026/größe+1.onnx"]) {
    await store.put("models", key, model, { sizeBytes: model.length });
  }
});
afterAll(async () => {
  store?.close();
  await lab?.stop();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boardwalk-connections-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function options(
  connections: readonly SourceConnection[],
  credentials: Readonly<Record<string, SourceCredential>>,
  change: Partial<FetchOptions> & { readonly ca?: string | undefined } = {},
): FetchOptions {
  const hosts = connections.flatMap((each) => (each.kind === "https" ? [each.host] : []));
  return {
    projectId: "0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3",
    storage: new FileStore(join(folder, "store")),
    path: join(folder, "model"),
    retryForMs: 0,
    settings: {
      policy: { allowedHosts: hosts },
      connections,
      credentials,
      ca: "ca" in change ? change.ca : tls("ca.pem"),
      resolve: async () => ["127.0.0.1"],
      pace: { bytesPerWindow: 1, windowMs: 30_000 },
      firstWaitMs: 10,
    },
    ...change,
  };
}

describe("a store of the laboratory's own", () => {
  const connection = (change: object = {}): SourceConnection => ({
    kind: "s3",
    name: "lab",
    endpoint: lab.options.endpoint,
    region: "us-east-1",
    buckets: ["models", "nowhere"],
    ...change,
  });

  it.each(["s3://models/x.onnx", "s3://models/year=2026/größe+1.onnx"])(
    "gives %s whole, with its digest",
    async (url) => {
      const fetched = await fetchSource(url, options([connection()], { lab: labKeys }));
      expect(fetched).toMatchObject({ sizeBytes: model.length, digest });
      expect(readFileSync(fetched.path).equals(model)).toBe(true);
    },
  );

  it("gives what lies beside a model; what a key may not see there is not there", async () => {
    await store.put("models", "a/test.csv", Buffer.from("a,b\n1,2\n"), { sizeBytes: 8 });
    const asOwner = options([connection()], { lab: labKeys });
    const { rows, card } = await fetchCompanions("s3://models/a/model.onnx", asOwner);
    expect([rows?.length, card]).toEqual([8, null]);
    lab.addUser({ accessKey: "beside", secretKey: "besidesecret" });
    const asOther = { lab: { accessKey: "beside", secretKey: "besidesecret" } };
    const seen = await fetchCompanions(
      "s3://models/a/model.onnx",
      options([connection()], asOther),
    );
    expect(seen).toEqual({ rows: null, card: null });
  });

  const wrong = "wrong-secret-key";
  it.each<{
    why: string;
    url?: string;
    keys?: { accessKey: string; secretKey: string };
    reason: string;
    words: RegExp;
  }>([
    {
      why: "an access key that the store does not know",
      keys: { accessKey: "nobody-at-all", secretKey: wrong },
      reason: "SOURCE_LOGIN_REFUSED",
      words: /lab does not know the access key/,
    },
    {
      why: "a wrong secret key",
      keys: { ...labKeys, secretKey: wrong },
      reason: "SOURCE_LOGIN_REFUSED",
      words: /secret key of its connection is wrong/,
    },
    {
      why: "a bucket that is not in the store",
      url: "s3://nowhere/x.onnx",
      reason: "SOURCE_NOT_FOUND",
      words: /lab has no bucket nowhere/,
    },
    {
      why: "an object that is not in the bucket",
      url: "s3://models/X.onnx",
      reason: "SOURCE_NOT_FOUND",
      words: /no object X.onnx in the bucket models/,
    },
    {
      why: "a user who may not read the bucket",
      keys: reader,
      reason: "SOURCE_ACCESS_DENIED",
      words: /does not let Boardwalk read x.onnx in models/,
    },
    {
      why: "a bucket of no connection",
      url: "s3://others/x.onnx",
      reason: "URL_NOT_ALLOWED",
      words: /No connection reads the bucket "others"/,
    },
  ])("refuses $why, and repeats no key", async ({ url, keys, reason, words }) => {
    if (keys === reader) lab.addUser(reader);
    const credential = keys ?? labKeys;
    const fetching = fetchSource(
      url ?? "s3://models/x.onnx",
      options([connection()], { lab: credential }),
    );
    const error = await fetching.then(
      () => null,
      (thrown: Error & { reason: string; hint: string }) => thrown,
    );
    expect(error).toMatchObject({ reason, message: expect.stringMatching(words) });
    const said = `${error?.message}${error?.hint}${error?.stack}${String(error?.cause)}`;
    expect(said).not.toContain(credential.secretKey);
    expect(said).not.toContain(credential.accessKey);
  });

  it("that is larger than what is fetched says so", async () => {
    const fetching = fetchSource(
      "s3://models/x.onnx",
      options([connection()], { lab: labKeys }, { limitBytes: 100 }),
    );
    await expect(fetching).rejects.toMatchObject({ reason: "SOURCE_TOO_LARGE" });
  });

  it("whose certificate nobody vouches for is not read", async () => {
    const fetching = fetchSource(
      "s3://models/x.onnx",
      options([connection()], { lab: labKeys }, { ca: undefined }),
    );
    await expect(fetching).rejects.toMatchObject({
      reason: "SOURCE_UNAVAILABLE",
      message: expect.stringContaining("SOURCE_CA_FILE"),
    });
  });

  it("that is away is waited for", async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const fetching = fetchSource(
      "s3://models/x.onnx",
      options([connection({ endpoint })], { lab: labKeys }),
    );
    await expect(fetching).rejects.toMatchObject({
      reason: "SOURCE_UNAVAILABLE",
      message: expect.stringContaining(endpoint),
    });
  });

  it("that accepts and then is silent holds nobody who is cancelled", async () => {
    const silent = createTcpServer(() => stop.abort(fail("CANCELLED", "Enough.")));
    const stop = new AbortController();
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const fetching = fetchSource(
      "s3://models/x.onnx",
      options([connection({ endpoint })], { lab: labKeys }, { signal: stop.signal }),
    );
    await expect(fetching).rejects.toMatchObject({ reason: "CANCELLED" });
    silent.close();
  });
});

describe("a host that asks for a login", () => {
  type Handler = (request: IncomingMessage, response: ServerResponse) => void;
  let handler: Handler;
  let seen: { host: string; authorization: string | undefined }[] = [];
  const listen = () =>
    createServer({ cert: tls("server.pem"), key: tls("server.key") }, (request, response) => {
      const { host = "", authorization } = request.headers;
      seen.push({ host, authorization });
      handler(request, response);
    });
  const [server, other] = [listen(), listen()];
  let [host, otherHost] = ["", ""];
  beforeAll(async () => {
    for (const each of [server, other]) {
      each.listen(0, "127.0.0.1");
      await once(each, "listening");
    }
    [host, otherHost] = [server, other].map(
      (each) => `127.0.0.1:${(each.address() as AddressInfo).port}`,
    ) as [string, string];
  });
  afterAll(() => {
    for (const each of [server, other]) {
      each.closeAllConnections();
      each.close();
    }
  });
  beforeEach(() => {
    seen = [];
  });

  const git = (at = host): SourceConnection => ({ kind: "https", name: "git", host: at });
  const token = { git: { token: "glpat-0123456789" } };

  it.each<[string, Readonly<Record<string, SourceCredential>>, string]>([
    ["a bearer token", token, "Bearer glpat-0123456789"],
    [
      "a login",
      { git: { user: "ana", password: "pä:ss" } },
      `Basic ${Buffer.from("ana:pä:ss").toString("base64")}`,
    ],
  ])("is shown %s, and gives the model", async (_, credentials, expected) => {
    handler = ({ headers }, response) => {
      response.writeHead(headers.authorization === expected ? 200 : 401).end(model);
    };
    const fetched = await fetchSource(`https://${host}/m.onnx`, options([git()], credentials));
    expect(fetched.digest).toBe(digest);
  });

  it("is shown its credential again where it leads on to itself, and nobody else ever", async () => {
    const also: SourceConnection = { kind: "https", name: "other", host: otherHost };
    const credentials = { ...token, other: { token: "other-token-99" } };
    const ways: Record<string, string> = {
      "/m": "/inside",
      "/inside": `https://${otherHost}/outside`,
      "/outside": `https://${host}/back`,
    };
    handler = ({ url = "" }, response) => {
      const location = ways[url];
      if (location) response.writeHead(302, { location }).end();
      else response.end(model);
    };
    await fetchSource(`https://${host}/m`, options([git(), also], credentials));
    expect(seen).toEqual([
      { host, authorization: "Bearer glpat-0123456789" },
      { host, authorization: "Bearer glpat-0123456789" },
      { host: otherHost, authorization: undefined },
      { host, authorization: undefined },
    ]);
  });

  it("is shown nothing over plain http, nor at another port", async () => {
    const plain = createTcpServer();
    plain.listen(0, "127.0.0.1");
    await once(plain, "listening");
    const port = (plain.address() as AddressInfo).port;
    let asked = "";
    plain.on("connection", (socket) => {
      socket.on("data", (bytes) => {
        asked += bytes;
        socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
      });
    });
    const http = options([git(`127.0.0.1:${port}`)], token);
    await expect(fetchSource(`http://127.0.0.1:${port}/m`, http)).rejects.toMatchObject({
      reason: "SOURCE_NOT_FOUND",
    });
    expect(asked).toMatch(/^GET \/m/);
    expect(asked).not.toMatch(/authorization|glpat/i);
    plain.close();

    const elsewhere = fetchSource(`https://${otherHost}/m`, options([git()], token));
    await expect(elsewhere).rejects.toMatchObject({ reason: "URL_NOT_ALLOWED" });
    expect(seen).toEqual([]);
  });

  it.each([
    [401, "SOURCE_LOGIN_REFUSED"],
    [403, "SOURCE_ACCESS_DENIED"],
    [404, "SOURCE_NOT_FOUND"],
  ])("that answers %i is understood as %s", async (status, reason) => {
    handler = (_, response) => response.writeHead(status).end();
    const fetching = fetchSource(`https://${host}/m`, options([git()], token));
    await expect(fetching).rejects.toMatchObject({ reason });
  });
});
