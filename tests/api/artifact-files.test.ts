import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { claimBuild, succeedBuild } from "@/domain/builds";
import { canonicalJson } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { digestOf, hexOf } from "@/lib/server/digest";
import { buckets, objectStore } from "@/lib/server/storage";
import { call, openApi } from "../support/api";
import { artifactOf, bare, iris } from "../support/domain";

// The bytes of an artifact as a page, a script or a cache in between fetches them.

openApi();

const bytes = Buffer.from(canonicalJson({ file: "kept" }));
const artifact = artifactOf("kept");
const target = `/artifacts/${encodeURIComponent(artifact.digest)}/files/simulation`;
const etag = `"${digestOf(bytes)}"`;

beforeAll(async () => {
  const { buildId } = await (await call("POST", "/endpoints", { json: iris("kept") })).json();
  const attempt = await claimBuild(bare(buildId), "worker", { leaseS: 60, deadlineS: 600 });
  await succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact });
  const store = objectStore();
  await store.ensureBucket(buckets.artifacts);
  await store.put(buckets.artifacts, hexOf(digestOf(bytes)), Readable.from([bytes]), {
    sizeBytes: bytes.length,
  });
});

describe("a file of an artifact", () => {
  it("comes with its digest as entity tag, to be kept for good by who asked and nobody else", async () => {
    const answer = await call("GET", target);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).toBe(etag);
    expect(answer.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+"$/);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
  });

  it.each([etag, `W/${etag}`, `"other", ${etag}`, "*"])("is not sent again to %s", async (tags) => {
    const answer = await call("GET", target, { headers: { "if-none-match": tags } });
    expect([answer.status, answer.headers.get("etag")]).toEqual([304, etag]);
    expect(await answer.text()).toBe("");
  });

  it("is sent to who holds another one", async () => {
    const answer = await call("GET", target, { headers: { "if-none-match": '"sha256:0"' } });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  });

  it("that the artifact has not is a 404 that no cache keeps", async () => {
    const answer = await call("GET", target.replace("simulation", "vectors"));
    expect([answer.status, (await answer.json()).error.reason]).toEqual([404, "ARTIFACT_UNKNOWN"]);
    expect(answer.headers.get("cache-control")).toBe("no-store, private");
  });

  it("is refused by its reason when the store has too few of its bytes", async () => {
    const short = bytes.subarray(1);
    await objectStore().put(buckets.artifacts, hexOf(digestOf(bytes)), short, {
      sizeBytes: short.length,
    });
    const answer = await call("GET", target);
    expect(answer.status).toBe(503);
    expect((await answer.json()).error).toMatchObject({ reason: "OBJECT_DAMAGED" });
  });

  it("whose bytes are lost is a 404 that says so", async () => {
    await objectStore().delete(buckets.artifacts, hexOf(digestOf(bytes)));
    const answer = await call("GET", target);
    expect([answer.status, (await answer.json()).error.reason]).toEqual([404, "ARTIFACT_MISSING"]);
    expect(answer.headers.get("etag")).toBeNull();
  });

  it("of another project is a 404, whatever tag is held", async () => {
    await database().artifactReference.deleteMany({ where: { artifactDigest: artifact.digest } });
    const answer = await call("GET", target, { headers: { "if-none-match": etag } });
    expect([answer.status, (await answer.json()).error.reason]).toEqual([404, "ARTIFACT_UNKNOWN"]);
  });
});
