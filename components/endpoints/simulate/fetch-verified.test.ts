import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fetchVerified } from "./fetch-verified";

const bytes = Uint8Array.from({ length: 10_000 }, (_, index) => index % 251);
const digestOf = (data: Uint8Array) =>
  `sha256:${createHash("sha256").update(data).digest("hex")}` as const;
const simulation = {
  url: "/files/simulation",
  file: { role: "simulation", digest: digestOf(bytes), sizeBytes: bytes.length },
} as const;

/** What the portal answers: the parts one after the other. */
const answer = (...parts: readonly Uint8Array[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  );

const portal = (response: () => Promise<Response> | Response) => {
  const asked = vi.fn(async (_url: string, _options: RequestInit) => response());
  vi.stubGlobal("fetch", asked);
  return asked;
};

afterEach(() => vi.unstubAllGlobals());

describe("a file of an artifact, fetched", () => {
  it("is given when its digest holds, with progress on the way", async () => {
    portal(() => answer(bytes.subarray(0, 4000), bytes.subarray(4000)));
    const seen: number[] = [];
    const got = await fetchVerified(simulation, { onProgress: (count) => seen.push(count) });
    expect(got).toEqual(bytes);
    expect(seen).toEqual([4000, 10_000]);
  });

  it.each([
    { why: "one bit differs", sent: bytes.with(77, bytes[77]! ^ 4) },
    { why: "it is cut short", sent: bytes.subarray(0, 9999) },
    { why: "it is longer", sent: Uint8Array.from([...bytes, 0]) },
    { why: "it is empty", sent: new Uint8Array() },
  ])("is refused when $why", async ({ sent }) => {
    portal(() => answer(sent));
    await expect(fetchVerified(simulation)).rejects.toMatchObject({
      reason: "ARTIFACT_MISMATCH",
      key: "otherDigest",
      values: { role: "simulation" },
    });
  });

  it("is asked for past the cache when that is wanted", async () => {
    const asked = portal(() => answer(bytes));
    await fetchVerified(simulation, { afresh: true });
    await fetchVerified(simulation);
    expect(asked.mock.calls.map(([, options]) => options.cache)).toEqual(["reload", "default"]);
  });

  it("that is gone is said to be, in the portal's words", async () => {
    const error = {
      code: "not_found",
      reason: "ARTIFACT_MISSING",
      message: "Gone.",
      requestId: "r",
    };
    portal(() => Response.json({ error }, { status: 404 }));
    await expect(fetchVerified(simulation)).rejects.toMatchObject({
      reason: "ARTIFACT_MISSING",
      values: { role: "simulation", said: "Gone." },
    });
  });

  it("from a portal that is away, or that breaks off, can be tried again", async () => {
    portal(() => Promise.reject(new TypeError("Failed to fetch")));
    await expect(fetchVerified(simulation)).rejects.toMatchObject({
      reason: "STORE_UNAVAILABLE",
      key: "unreachable",
    });
    portal(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              controller.error(new TypeError("network error"));
            },
          }),
        ),
    );
    await expect(fetchVerified(simulation)).rejects.toMatchObject({
      reason: "STORE_UNAVAILABLE",
      key: "brokenOff",
    });
  });

  it("is not taken where the browser cannot check it", async () => {
    portal(() => answer(bytes));
    vi.stubGlobal("crypto", {});
    await expect(fetchVerified(simulation)).rejects.toMatchObject({
      reason: "ARTIFACT_MISMATCH",
      key: "uncheckable",
    });
  });
});
