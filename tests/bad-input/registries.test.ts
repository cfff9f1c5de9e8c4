import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Secrets } from "@/lib/common/contract";
import { digestOf } from "@/lib/server/digest";
import { FileStore } from "@/lib/server/storage";
import { fetchSource } from "@/workers/fetch";
import { type FakeRegistry, startFakeRegistry } from "../support/fake-registry";
import { listenTls, type TlsServer } from "../support/listen-tls";

// A registry that whoever runs it turns against us: it says where its tokens and its blobs are, and names what only this machine reaches.

const model = readFileSync("public/samples/iris-mlp/model.onnx");
const login = { user: "ana", password: "registry-password-55aB" };
const folder = mkdtempSync(join(tmpdir(), "boardwalk-registries-"));
/** Listens on loopback, is listed by nobody, and counts who connects. */
let strangers = 0;
let serial = 0;
const sink = createServer((socket) => {
  strangers += 1;
  socket.destroy();
});
let sinkHost = "";
let registry: FakeRegistry;
/** Is listed, and answers every request with another address. */
let misleading: TlsServer;
let misleadsTo = "";

beforeAll(async () => {
  sink.listen(0, "127.0.0.1");
  await once(sink, "listening");
  sinkHost = `127.0.0.1:${(sink.address() as AddressInfo).port}`;
  misleading = await listenTls((_, response) =>
    response.writeHead(302, { location: misleadsTo }).end(),
  );
});
afterAll(async () => {
  sink.close();
  await misleading.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  strangers = 0;
  misleading.asked.length = 0;
  registry = await startFakeRegistry(null);
  registry.push("models/iris", "v1", { "iris.onnx": model });
  return () => registry.close();
});

/** Fetches the model through a connection to the registry. */
async function fetchModel(
  addresses: readonly string[] = ["127.0.0.1"],
  secret: Secrets["oci"] | null = null,
  title = "",
) {
  const place = { registry: `https://${registry.host}` };
  const stored = {
    ...{ id: "0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b4", secret: "sealed", version: 1 },
    leads: { kind: "oci" as const, name: "lab", place },
  };
  const hosts = [registry.host, registry.blobStore.host, misleading.host];
  return await fetchSource(`oci://${registry.host}/models/iris:v1${title && `#${title}`}`, {
    projectId: "0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3",
    storage: new FileStore(join(folder, "store")),
    path: join(folder, `model-${++serial}`),
    retryForMs: 0,
    settings: {
      ...{ policy: { allowedHosts: [] }, connections: [], credentials: {} },
      ca: readFileSync("tests/fixtures/tls/ca.pem", "utf8"),
      resolve: async () => addresses,
      pace: { bytesPerWindow: 1, windowMs: 30_000 },
      firstWaitMs: 10,
      listed: { allowedHosts: hosts },
      ofProjects: { list: async () => [stored], open: async () => secret },
    },
  });
}

/** What that comes to: the digest of what came, or the reason. */
const fetched = (...how: Parameters<typeof fetchModel>): Promise<string> =>
  fetchModel(...how).then(
    ({ digest }) => digest,
    ({ reason }) => reason,
  );

const astray = [
  ["a private network", "https://10.0.0.1"],
  ["link-local metadata", "https://169.254.169.254"],
  ["this machine, at a port that is not listed", "https://SINK"],
  ["this machine, in another spelling", "https://2130706433"],
  ["plain http", "http://tokens.example.com"],
  ["plain http of this machine", "http://SINK"],
  ["a name of the local network", "https://tokens.lan"],
  ["another scheme", "file:///etc"],
  ["a user and a password", "https://ana:secret@tokens.example.com"],
] as const;

const lookUps = [
  ["only private ones", ["127.0.0.1"]],
  ["a private one among others", ["8.8.8.8", "10.0.0.1"]],
  ["a mapped one", ["::ffff:127.0.0.1"]],
  ["the one of the machine's metadata", ["169.254.169.254"]],
] as const;

describe("the realm that a registry names for its tokens", () => {
  it.each(astray)("is not asked at %s", async (_, at) => {
    registry.realm = `${at.replace("SINK", sinkHost)}/token`;
    expect(await fetched()).toBe("URL_NOT_ALLOWED");
    expect(strangers).toBe(0);
  });

  it.each(lookUps)("is not connected to where its name has addresses, %s", async (_, addresses) => {
    registry.realm = "https://tokens.example.com/token";
    expect(await fetched(addresses)).toBe("SOURCE_NOT_ALLOWED");
    expect(strangers).toBe(0);
  });

  it("is followed nowhere else", async () => {
    registry.realm = `https://${misleading.host}/token`;
    misleadsTo = `https://${sinkHost}/token`;
    expect(await fetched()).toBe("SOURCE_NOT_FOUND");
    expect([misleading.asked.length, strangers]).toEqual([1, 0]);
  });

  it("is shown no login on a host that the connection does not name, listed or not", async () => {
    for (const host of [misleading.host, sinkHost, "tokens.example.com"]) {
      registry.realm = `https://${host}/token`;
      expect(await fetched(["127.0.0.1"], login)).toMatch(
        /^(SOURCE_LOGIN_REFUSED|URL_NOT_ALLOWED)$/,
      );
    }
    expect([misleading.asked.length, strangers]).toEqual([0, 0]);
  });

  it("of its own gives the model", async () => {
    expect(await fetched()).toBe(digestOf(model));
  });
});

describe("the address that a registry leads to for a blob", () => {
  it.each(astray)("is not asked at %s", async (_, at) => {
    registry.blobsAt = at.replace("SINK", sinkHost);
    expect(await fetched()).toBe("SOURCE_NOT_ALLOWED");
    expect(strangers).toBe(0);
  });

  it.each(lookUps)("is not connected to where its name has addresses, %s", async (_, addresses) => {
    registry.blobsAt = "https://blobs.example.com";
    expect(await fetched(addresses)).toBe("SOURCE_NOT_ALLOWED");
    expect(strangers).toBe(0);
  });

  it("is judged again wherever that leads on to", async () => {
    registry.blobsAt = `https://${misleading.host}`;
    misleadsTo = `https://${sinkHost}/blob`;
    expect(await fetched()).toBe("SOURCE_NOT_ALLOWED");
    expect([misleading.asked.length, strangers]).toEqual([1, 0]);
    expect(misleading.asked[0]?.authorization).toBeUndefined();
  });

  it("on a listed host gives the model, and is shown no token", async () => {
    expect(await fetched()).toBe(digestOf(model));
    expect(registry.blobStore.asked).toMatchObject([{ authorization: undefined }]);
  });
});

describe("the manifest of an image", () => {
  const layer = {
    mediaType: "application/octet-stream",
    digest: digestOf(model),
    size: model.length,
  };
  const padding = (count: number) =>
    Array.from({ length: count }, () => ({ ...layer, digest: digestOf("padding"), size: 7 }));
  const titled = { ...layer, annotations: { "org.opencontainers.image.title": "iris.onnx" } };
  const image = (...layers: readonly object[]) => JSON.stringify({ schemaVersion: 2, layers });
  const listOf = (text: string) =>
    JSON.stringify({
      schemaVersion: 2,
      manifests: [{ ...layer, digest: digestOf(text), size: text.length }],
    });
  /** What a fetch comes to once the tag means this manifest. */
  const told = (text: string, title?: string) => {
    registry.pushManifest("models/iris", "v1", text);
    return fetchModel(undefined, undefined, title).then(
      ({ digest }) => digest,
      ({ reason, message }) => `${reason}: ${message}`,
    );
  };

  it("may have 4 MiB, and not a byte more", async () => {
    const most = 4 * 1024 * 1024;
    expect(await told(image(layer).padEnd(most))).toBe(digestOf(model));
    expect(await told(image(layer).padEnd(most + 1))).toBe(
      "SOURCE_TOO_LARGE: The file is larger than 4 MiB.",
    );
  });

  it("may have 64 layers, and not one more", async () => {
    expect(await told(image(titled, ...padding(63)), "iris.onnx")).toBe(digestOf(model));
    expect(await told(image(titled, ...padding(64)), "iris.onnx")).toMatch(
      /^SOURCE_NOT_FOUND: .* it has 65 layers, at most 64 are taken/,
    );
  });

  it("is followed out of a list, and not out of a list of lists", async () => {
    registry.pushManifest("models/iris", "image", image(layer));
    const list = listOf(image(layer));
    registry.pushManifest("models/iris", "list", list);
    expect(await told(list)).toBe(digestOf(model));
    expect(await told(listOf(list))).toMatch(/^SOURCE_NOT_FOUND: .* it is a list of lists/);
    expect(await told(listOf(listOf(list)))).toMatch(/^SOURCE_NOT_FOUND: /);
  });

  it("leads nowhere by the addresses that a foreign layer has", async () => {
    const foreign = {
      ...layer,
      mediaType: "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip",
      urls: [`https://${misleading.host}/layer`, `https://${sinkHost}/layer`],
    };
    expect(await told(image(foreign))).toBe(digestOf(model));
    const absent = digestOf("what the registry does not have");
    expect(await told(image({ ...foreign, digest: absent }))).toMatch(/^SOURCE_NOT_FOUND: /);
    expect([misleading.asked.length, strangers]).toEqual([0, 0]);
  });

  it.each([1, -1])("is held to the size that it says of a layer, %i byte off", async (off) => {
    expect(await told(image({ ...layer, size: model.length + off }))).toMatch(
      /^SOURCE_TRUNCATED: /,
    );
  });
});
