import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fail } from "@/lib/common/errors";
import { FileStore, type ObjectStore, uploadsBucket } from "@/lib/server/storage";
import {
  type FetchOptions,
  fetchCompanions,
  fetchSource,
  type SourceSettings,
} from "@/workers/fetch";
import { withResolvers } from "../support/with-resolvers";

const model = readFileSync("public/samples/iris-mlp/model.onnx");
const digest = `sha256:${createHash("sha256").update(model).digest("hex")}`;
const tls = (name: string) => readFileSync(join("tests/fixtures/tls", name), "utf8");
const projectId = "0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let handler: Handler = (_, response) => response.end(model);
const seen: IncomingMessage[] = [];
const server = createServer(
  { cert: tls("server.pem"), key: tls("server.key") },
  (request, response) => {
    seen.push(request);
    handler(request, response);
  },
);
/** Listens where nobody may connect to, and counts who does. */
let strangers = 0;
const sink = createTcpServer((socket) => {
  strangers += 1;
  socket.destroy();
});
let host = "";
let sinkPort = 0;
let folder = "";

beforeAll(async () => {
  for (const listener of [server, sink]) {
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
  }
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  sinkPort = (sink.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  sink.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boardwalk-sources-"));
  handler = (_, response) => response.end(model);
  seen.length = 0;
  strangers = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

function settings(change: Partial<SourceSettings> = {}): SourceSettings {
  const [, port] = host.split(":");
  return {
    policy: { allowedHosts: [host, `models.example.com:${port}`] },
    connections: [],
    credentials: {},
    ca: tls("ca.pem"),
    resolve: async () => ["127.0.0.1"],
    pace: { bytesPerWindow: 1, windowMs: 30_000 },
    firstWaitMs: 10,
    ...change,
  };
}

function options(change: Partial<FetchOptions> = {}): FetchOptions {
  return {
    projectId,
    storage: new FileStore(join(folder, "store")),
    path: join(folder, "model"),
    retryForMs: 0,
    settings: settings(),
    ...change,
  };
}

async function expectRefused(url: string, reason: string, change: Partial<FetchOptions> = {}) {
  await expect(fetchSource(url, options(change))).rejects.toMatchObject({ reason });
  expect(readdirSync(folder).filter((name) => name !== "store")).toEqual([]);
  expect(strangers).toBe(0);
}

describe("https sources", () => {
  it("of a listed host come whole, with a digest and progress, and without credentials", async () => {
    const told: number[] = [];
    const onProgress = (bytes: number) => told.push(bytes);
    const fetched = await fetchSource(`https://${host}/model.onnx`, options({ onProgress }));
    expect(fetched).toEqual({ path: join(folder, "model"), sizeBytes: model.length, digest });
    expect(readFileSync(fetched.path).equals(model)).toBe(true);
    expect(told.at(-1)).toBe(model.length);
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
    expect(seen[0]?.headers).not.toHaveProperty("cookie");
  });

  it("are connected to at the judged address, under the name that was asked for", async () => {
    const port = host.split(":")[1];
    const fetched = await fetchSource(`https://models.example.com:${port}/m`, options());
    expect(fetched.digest).toBe(digest);
    expect(seen[0]?.headers.host).toBe(`models.example.com:${port}`);
  });

  it("need a certificate for their name, from an authority that is known", async () => {
    const port = host.split(":")[1];
    const policy = { allowedHosts: [`other.example.com:${port}`] };
    await expectRefused(`https://other.example.com:${port}/m`, "SOURCE_UNAVAILABLE", {
      settings: settings({ policy }),
    });
    await expectRefused(`https://${host}/m`, "SOURCE_UNAVAILABLE", {
      settings: settings({ ca: undefined }),
    });
    expect(seen).toEqual([]);
  });

  it.each([
    ["only private addresses", ["127.0.0.1"]],
    ["one private address among others", ["8.8.8.8", "10.0.0.1"]],
    ["a private IPv6 address", ["fd00::1"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
  ])("whose public name has %s are not connected to", async (_, addresses) => {
    await expectRefused("https://models.example.org/m.onnx", "SOURCE_NOT_ALLOWED", {
      settings: settings({ resolve: async () => addresses }),
    });
    expect(seen).toEqual([]);
  });

  it("are judged again at every look-up", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const policy = { allowedHosts: [host] };
    handler = (_, response) =>
      response.writeHead(302, { location: "https://models.example.org/m" }).end();
    await expectRefused(`https://${host}/m`, "SOURCE_NOT_ALLOWED", {
      settings: settings({ policy, resolve: async () => answers.pop() ?? [] }),
    });
    expect(seen).toHaveLength(1);
  });

  it.each([
    ["to loopback", () => `https://127.0.0.1:${sinkPort}/m`],
    ["to loopback without TLS", () => `http://127.0.0.1:${sinkPort}/m`],
    ["to the same host without TLS", () => `http://${host}/m`],
    ["to another spelling of loopback", () => `https://0x7f000001:${sinkPort}/m`],
    ["to a file", () => "file:///etc/passwd"],
  ])("that lead %s are refused without a connection", async (_, location) => {
    handler = (__, response) => response.writeHead(302, { location: location() }).end();
    await expectRefused(`https://${host}/m`, "SOURCE_NOT_ALLOWED");
    expect(seen).toHaveLength(1);
  });

  it("leave no timer behind, which would keep all of a fetch for half an hour", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await expectRefused("https://127.0.0.1/m", "URL_NOT_ALLOWED");
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("may take half an hour, and not longer, however they send", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const stream = new PassThrough();
      const storage = Object.assign(new FileStore(join(folder, "store")), {
        get: async () => ({ stream, sizeBytes: 1000 }),
      });
      let outcome = "";
      // `vi.waitFor` would let the time go on that is measured here.
      const begun = withResolvers();
      const fetching = fetchSource(
        "s3://boardwalk-samples/m.onnx",
        options({ storage, onProgress: begun.resolve }),
      ).catch(({ reason }) => {
        outcome = reason;
      });
      stream.write("x");
      await begun.promise;
      await vi.advanceTimersByTimeAsync(30 * 60_000 - 1);
      expect(outcome).toBe("");
      await vi.advanceTimersByTimeAsync(1);
      await fetching;
      expect(outcome).toBe("SOURCE_TOO_SLOW");
    } finally {
      vi.useRealTimers();
    }
  });

  it("may lead on five times, and no more", async () => {
    const hops =
      (limit: number): Handler =>
      (request, response) => {
        const hop = Number(request.url?.slice(1));
        if (hop < limit) response.writeHead(307, { location: `/${hop + 1}` }).end();
        else response.end(model);
      };
    handler = hops(5);
    expect((await fetchSource(`https://${host}/0`, options())).digest).toBe(digest);
    rmSync(join(folder, "model"));
    handler = hops(6);
    await expectRefused(`https://${host}/0`, "SOURCE_NOT_ALLOWED");
  });

  it("that promise too much are not read, those that send too much are cut", async () => {
    handler = (_, response) =>
      response.writeHead(200, { "content-length": "1000001" }).flushHeaders();
    await expectRefused(`https://${host}/m`, "SOURCE_TOO_LARGE", { limitBytes: 1_000_000 });
    let sent = 0;
    handler = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on("drain", more).on("error", () => {});
      more();
    };
    await expectRefused(`https://${host}/m`, "SOURCE_TOO_LARGE", { limitBytes: 1_000_000 });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("that break off are truncated", async () => {
    handler = (_, response) => {
      response.writeHead(200, { "content-length": String(model.length) });
      response.write(model.subarray(0, 1000), () => response.destroy());
    };
    await expectRefused(`https://${host}/m`, "SOURCE_TRUNCATED");
  });

  it("that hardly send anything are too slow", async () => {
    handler = (_, response) => {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    };
    await expectRefused(`https://${host}/m`, "SOURCE_TOO_SLOW", {
      settings: settings({ pace: { bytesPerWindow: 1000, windowMs: 200 } }),
    });
  });

  it("are tried again while they are away", async () => {
    handler = (_, response) => {
      if (seen.length < 3) response.writeHead(503).end();
      else response.end(model);
    };
    const fetched = await fetchSource(`https://${host}/m`, options({ retryForMs: 60_000 }));
    expect(fetched.digest).toBe(digest);
    expect(seen).toHaveLength(3);
  });

  it.each([
    [404, "SOURCE_NOT_FOUND"],
    [403, "SOURCE_NOT_FOUND"],
    [204, "SOURCE_NOT_FOUND"],
    [500, "SOURCE_UNAVAILABLE"],
  ])("that answer %i are told apart", async (status, reason) => {
    handler = (_, response) => response.writeHead(status).end();
    await expectRefused(`https://${host}/m`, reason);
    expect(seen).toHaveLength(1);
  });

  it("are let go of at an abort", async () => {
    const stop = new AbortController();
    const reason = fail("CANCELLED", "Enough.");
    handler = (_, response) => {
      response.write("x");
      setTimeout(() => stop.abort(reason), 50);
    };
    await expectRefused(`https://${host}/m`, "CANCELLED", { signal: stop.signal });
  });
});

describe("s3 sources", () => {
  const put = async (store: ObjectStore, bucket: string, key: string, bytes: Uint8Array) => {
    await store.ensureBucket(bucket);
    await store.put(bucket, key, bytes, { sizeBytes: bytes.length });
  };

  it("are the samples and the project's own uploads", async () => {
    const { storage } = options();
    await put(storage, "boardwalk-samples", "iris-mlp/model.onnx", model);
    await put(storage, uploadsBucket(projectId), "abc", model);
    for (const url of [
      "s3://boardwalk-samples/iris-mlp/model.onnx",
      `s3://uploads-${projectId}/abc`,
    ]) {
      expect((await fetchSource(url, options())).digest).toBe(digest);
      rmSync(join(folder, "model"));
    }
  });

  it.each([
    "s3://artifacts/abc",
    "s3://attempts/a/1/b",
    "s3://logs/a",
    "s3://uploads-0192f0c1-2d3e-7a4b-8c5d-000000000000/abc",
    "s3://elsewhere/abc",
    "s3://boardwalk-samples/../artifacts/abc",
    "s3://boardwalk-samples/",
    "S3://artifacts/abc",
  ])("are never %s", (url) => expectRefused(url, "URL_NOT_ALLOWED"));

  it("that are not there, or too large, say so", async () => {
    const { storage } = options();
    await put(storage, "boardwalk-samples", "m", model);
    await expectRefused("s3://boardwalk-samples/none.onnx", "SOURCE_NOT_FOUND");
    await expectRefused("s3://boardwalk-samples/m", "SOURCE_TOO_LARGE", { limitBytes: 100 });
  });

  it("wait for a store that is away, for a while", async () => {
    const { storage } = options();
    await put(storage, "boardwalk-samples", "m", model);
    let tries = 0;
    const away = (failures: number): ObjectStore =>
      Object.assign(Object.create(storage), {
        get: (bucket: string, key: string) => {
          tries += 1;
          if (tries > failures) return storage.get(bucket, key);
          return Promise.reject(fail("STORE_UNAVAILABLE", "away"));
        },
      });
    const url = "s3://boardwalk-samples/m";
    const patient = { storage: away(2), retryForMs: 60_000 };
    expect((await fetchSource(url, options(patient))).digest).toBe(digest);
    expect(tries).toBe(3);
    rmSync(join(folder, "model"));
    await expectRefused(url, "SOURCE_UNAVAILABLE", { storage: away(Infinity), retryForMs: 100 });
  });
});

describe("what lies beside a model", () => {
  const serve = (files: Readonly<Record<string, string>>): void => {
    handler = (request, response) => {
      const content = files[request.url ?? ""];
      if (content === undefined) response.writeHead(404).end();
      else response.end(content);
    };
  };
  const beside = (path = "/a/model.onnx") => fetchCompanions(`https://${host}${path}`, options());

  it("is a card and rows, if they are there", async () => {
    serve({ "/a/card.json": '{"title":"T","classes":["x"]}', "/a/test.csv": "1,2\n" });
    const { card, rows } = await beside();
    expect(card).toEqual({ title: "T", classes: ["x"] });
    expect(Buffer.from(rows ?? []).toString()).toBe("1,2\n");
    serve({});
    expect(await beside()).toEqual({ card: null, rows: null });
  });

  it("is nothing where a site answers everything with a page, or one address is signed", async () => {
    serve({ "/a/card.json": "<!doctype html><title>Hi</title>" });
    expect((await beside()).card).toBeNull();
    seen.length = 0;
    expect(await beside("/a/model.onnx?signature=1")).toEqual({ card: null, rows: null });
    expect(seen).toEqual([]);
  });

  it.each([
    ["no JSON", "{", "no JSON"],
    ["a wrong type", '{"classes":"x"}', "classes"],
    ["words for numbers", '{"inputRange":{"min":["a"]}}', "inputRange.min.0"],
  ])("with %s in its card is refused at its place", async (_, card, words) => {
    serve({ "/a/card.json": card });
    await expect(beside()).rejects.toMatchObject({
      reason: "CARD_INVALID",
      message: expect.stringContaining(words),
    });
  });
});
