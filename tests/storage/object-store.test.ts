import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { digestOf } from "@/lib/server/digest";
import { FileStore, type ObjectStore, S3Store, verifyObject } from "@/lib/server/storage";
import { startS3, type TestS3 } from "../support/versitygw";

const folder = mkdtempSync(path.join(tmpdir(), "bw-files-"));
let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

const stores: readonly [string, () => ObjectStore][] = [
  ["files", () => new FileStore(folder)],
  ["S3", () => new S3Store(s3.options)],
];
const bytes = Buffer.from("forty-two");
const large = randomBytes(5 << 20);
const promised = (of: Buffer) => ({ sizeBytes: of.byteLength, digest: digestOf(of) });
const inPieces = (of: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(of.byteLength / 65_536) }, (_, i) =>
      of.subarray(i * 65_536, (i + 1) * 65_536),
    ),
  );

describe.each(stores)("the object store on %s", (_name, open) => {
  let store: ObjectStore;
  beforeAll(async () => {
    store = open();
    await store.ensureBucket("artifacts");
    await store.ensureBucket("artifacts");
  });

  const contents = async (key: string) => {
    const { stream, sizeBytes } = await store.get("artifacts", key);
    const read = Buffer.concat(await stream.toArray());
    expect(read.byteLength).toBe(sizeBytes);
    return read;
  };

  it("gives back the bytes that were put, from memory and from a stream", async () => {
    expect(await store.put("artifacts", "a/one", bytes, promised(bytes))).toBe("stored");
    expect(await contents("a/one")).toEqual(bytes);
    await store.put("artifacts", "a/large", inPieces(large), promised(large));
    expect((await contents("a/large")).equals(large)).toBe(true);
    for (const [offset, sizeBytes] of [
      [0, 1],
      [70_000, 200_000],
      [large.length - 1, 1],
    ] as const) {
      const part = await store.get("artifacts", "a/large", { offset, sizeBytes });
      expect(part.sizeBytes).toBe(sizeBytes);
      const read = Buffer.concat(await part.stream.toArray());
      expect(read.equals(large.subarray(offset, offset + sizeBytes))).toBe(true);
    }
    expect(
      await verifyObject(store, { bucket: "artifacts", key: "a/large" }, promised(large)),
    ).toBe(true);
    expect(
      await verifyObject(store, { bucket: "artifacts", key: "a/large" }, promised(bytes)),
    ).toBe(false);
  });

  it("keeps the first of two conditional puts, and takes equal bytes as done", async () => {
    const once = { ...promised(bytes), ifNoneMatch: "*" as const };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => store.put("artifacts", "once", bytes, once)),
    );
    expect(answers).toContain("stored");
    await expect(
      store.put("artifacts", "once", large, { ...promised(large), ifNoneMatch: "*" }),
    ).rejects.toMatchObject({ reason: "STATE_CONFLICT" });
    expect(await contents("once")).toEqual(bytes);
  });

  it.each([
    ["short", large.subarray(0, 4 << 20), promised(large)],
    ["long", Buffer.concat([large, bytes]), promised(large)],
    ["flipped", Buffer.from(large).fill((large[7] ?? 0) ^ 1, 7, 8), promised(large)],
    ["small and flipped", Buffer.from("forty-tw0"), promised(bytes)],
  ])("stores nothing of a %s body", async (why, body, options) => {
    const key = `never/${why.replaceAll(" ", "-")}`;
    await expect(
      store.put("artifacts", key, inPieces(Buffer.from(body)), options),
    ).rejects.toMatchObject({ reason: "ARTIFACT_MISMATCH" });
    expect(await store.head("artifacts", key)).toBeNull();
  });

  it("stores nothing when the sender breaks off", async () => {
    const broken = Readable.from(
      (async function* () {
        yield large.subarray(0, 1 << 20);
        throw new Error("gone");
      })(),
    );
    await expect(store.put("artifacts", "broken", broken, promised(large))).rejects.toThrow();
    expect(await store.head("artifacts", "broken")).toBeNull();
  });

  it("says so when there is nothing", async () => {
    expect(await store.head("artifacts", "absent")).toBeNull();
    await expect(store.get("artifacts", "absent")).rejects.toMatchObject({ reason: "NOT_FOUND" });
    await expect(store.delete("artifacts", "absent")).resolves.toBeUndefined();
  });

  it("lists by prefix and forgets what is deleted", async () => {
    await store.put("artifacts", "list/b", bytes, promised(bytes));
    await store.put("artifacts", "list/a", bytes, promised(bytes));
    const keys = async () => {
      const found: string[] = [];
      for await (const { key } of store.list("artifacts", "list/")) found.push(key);
      return found;
    };
    expect(await keys()).toEqual(["list/a", "list/b"]);
    await store.delete("artifacts", "list/a");
    expect(await keys()).toEqual(["list/b"]);
  });
});

describe("the S3 store of a host whose clock jumps", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const year = 365 * 24 * 3600_000;
  it.each([
    ["ahead", year],
    ["back", -year],
  ])("reads and writes after a jump %s, and after the one home", async (_name, jumpMs) => {
    const store = new S3Store(s3.options);
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    // Each of them is once the first request of a clock, which is refused.
    for (const ask of [
      () => store.put("artifacts", "skewed", bytes, promised(bytes)),
      () => store.head("artifacts", "skewed"),
      async () => (await store.get("artifacts", "skewed")).stream.toArray(),
    ])
      for (const now of [start, start + jumpMs, start]) {
        vi.setSystemTime(now);
        expect(await ask()).toBeTruthy();
      }
  });

  it("says of a stream that was refused for its time that it can be put again", async () => {
    const store = new S3Store(s3.options);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + year });
    await expect(
      store.put("artifacts", "late", inPieces(large), promised(large)),
    ).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
    // The store may have cut the connection before it told its time: the next answer tells it.
    await store.head("artifacts", "late");
    expect(await store.put("artifacts", "late", inPieces(large), promised(large))).toBe("stored");
  });
});

describe("the file store", () => {
  it.each(["../outside", "a/../../outside", "/etc/passwd", "a//b", ".", "a\0b"])(
    "takes no key that leaves its folder: %j",
    async (key) => {
      const store = new FileStore(folder);
      await expect(store.get("artifacts", key)).rejects.toMatchObject({ reason: "NOT_FOUND" });
      await expect(store.put("artifacts", key, bytes, promised(bytes))).rejects.toMatchObject({
        reason: "NOT_FOUND",
      });
    },
  );

  it("leaves no unfinished file behind", () => {
    expect(readdirSync(path.join(folder, ".incoming"))).toEqual([]);
  });
});
