import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { deleteArtifact, holdObject, markDamaged, refuseArtifact } from "@/domain/artifacts";
import { claimBuild, findReusable, retryBuild, succeedBuild, takePlan } from "@/domain/builds";
import {
  type ArtifactDetail,
  canonicalJson,
  type ExportedArtifact,
  type ListedArtifact,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database, uuidv7 } from "@/lib/server/db";
import { digestOf, digestOfJson, hexOf } from "@/lib/server/digest";
import { buckets, objectStore } from "@/lib/server/storage";
import { sweepObjects } from "@/workers/control/sweep-objects";
import { call, openApi } from "../support/api";
import { artifactOf, bare, iris, scope } from "../support/domain";

// Firmware as its pages list, show and delete it. Whatever happens at the same moment, bytes are there for as long as a row names
// them, and no build or endpoint is left without what it took.

openApi();

const store = objectStore;
type Made = ReturnType<typeof artifactOf>;

/** Stores the one file of an artifact as a build worker would, under a hold of its build. */
async function storeFile(seed: string, buildId: string | null = null): Promise<void> {
  const bytes = Buffer.from(canonicalJson({ file: seed }));
  const at = { bucket: buckets.artifacts, key: hexOf(digestOf(bytes)) };
  await store().ensureBucket(at.bucket);
  await holdObject(at, { buildId });
  await store().put(at.bucket, at.key, Readable.from([bytes]), {
    sizeBytes: bytes.length,
    ifNoneMatch: "*",
  });
}

const keyOf = (seed: string) => hexOf(digestOf(Buffer.from(canonicalJson({ file: seed }))));
const isThere = async (seed: string) =>
  (await store().head(buckets.artifacts, keyOf(seed))) !== null;

/** A claimed build of an endpoint. */
async function claimed(name: string) {
  const { buildId } = await (await call("POST", "/endpoints", { json: iris(name) })).json();
  const id = bare(buildId);
  const attempt = await claimBuild(id, "worker", { leaseS: 600, deadlineS: 600 });
  return { id, shown: buildId as string, epoch: attempt?.epoch ?? 0 };
}

/** An endpoint whose build made the artifact of `seed`. */
async function make(name: string, seed = name, change: (artifact: Made) => Made = (a) => a) {
  const { id, shown, epoch } = await claimed(name);
  const artifact = change(artifactOf(seed));
  await takePlan(id, epoch, artifact.planDigest);
  await storeFile(seed, id);
  await succeedBuild(id, epoch, { artifact });
  return { artifact, buildId: shown };
}

async function endEndpoint(name: string): Promise<void> {
  await call("DELETE", `/endpoints/${name}`);
  await database().endpoint.updateMany({ where: { name }, data: { deletedAt: new Date() } });
}

const remove = (digest: string) => call("DELETE", `/artifacts/${encodeURIComponent(digest)}`);
const read = async <T>(target: string): Promise<T> => {
  const answer = await call("GET", target);
  expect([target, answer.status]).toEqual([target, 200]);
  return (await answer.json()) as T;
};
const detail = (digest: string) => read<ArtifactDetail>(`/artifacts/${encodeURIComponent(digest)}`);
const items = async (query: string) =>
  (await read<{ items: ListedArtifact[] }>(`/artifacts?limit=200&${query}`)).items;

const levels = (artifact: Made, ...proven: ("rtl" | "netlist" | "bitstream")[]): Made => ({
  ...artifact,
  report: {
    ...artifact.report,
    resources: [{ id: "lut", name: "Logic cells", used: 2410, available: 5280 }],
    proof: {
      ...(artifact.report.proof ?? { vectors: 0, mismatches: 0, rows: 0, maxAbsError: 0 }),
      agreement: 1,
      source: "held-back rows",
      levels: proven.map((level) => ({ level, vectors: 64 })),
    },
  },
});

describe("the list of firmware", () => {
  const made = new Map<string, Made>();
  beforeAll(async () => {
    const keep = async (name: string, change?: (artifact: Made) => Made) => {
      made.set(name, (await make(name, name, change)).artifact);
    };
    await keep("whole", (artifact) => levels(artifact, "rtl", "netlist", "bitstream"));
    await keep("half", (artifact) => levels(artifact, "rtl", "netlist"));
    await keep("bare", (artifact) => ({ ...artifact, report: { resources: [] } }));
    await keep("broken");
    await keep("wrong");
    await markDamaged(made.get("broken")?.digest ?? "");
    await refuseArtifact(
      made.get("wrong")?.digest ?? "",
      fail("VERIFICATION_FAILED", "Vector 3 differs."),
    );
  });
  const digestsOf = (...names: string[]) => names.map((name) => made.get(name)?.digest);

  it("says of each how far it was proven, newest first, with what the database holds", async () => {
    const listed = await items("");
    expect(listed.map(({ digest, state }) => [digest, state])).toEqual(
      [
        ["wrong", "refused"],
        ["broken", "damaged"],
        ["bare", "unproven"],
        ["half", "partly"],
        ["whole", "proven"],
      ].map(([name = "", state]) => [made.get(name)?.digest, state]),
    );
    const rows = await database().artifact.findMany({ orderBy: { buildId: "desc" } });
    expect(listed.map(({ digest, sizeBytes, clockHz }) => [digest, sizeBytes, clockHz])).toEqual(
      rows.map(({ digest, sizeBytes, clockHz }) => [digest, Number(sizeBytes), Number(clockHz)]),
    );
    expect(listed[4]).toMatchObject({
      usedBy: ["whole"],
      modelUrl: "s3://boardwalk-samples/iris-mlp/model.onnx",
      boardModel: "icebreaker",
      resources: [{ id: "lut", used: 2410, available: 5280 }],
    });
  });

  it.each([
    ["state=damaged&state=refused", ["wrong", "broken"]],
    ["engine=onnx", []],
    ["engine=boardwalk&state=proven", ["whole"]],
    ["board=icebreaker&state=partly", ["half"]],
    ["search=whole", ["whole"]],
    ["search=zebra", []],
    ["search=%25", []],
    ["since=1h&sort=created&state=proven&state=partly", ["whole", "half"]],
  ])("%s holds %j", async (query, names) => {
    expect((await items(query)).map(({ digest }) => digest)).toEqual(digestsOf(...names));
  });

  it("finds an artifact by the beginning of its digest", async () => {
    const [whole = ""] = digestsOf("whole");
    for (const text of [whole.slice(0, 15), whole.slice(7, 15)])
      expect((await items(`search=${text}`)).map(({ digest }) => digest)).toEqual([whole]);
  });

  it.each(["-created", "created", "-size", "size", "-clock"])(
    "comes whole in pages of two, sorted by %s",
    async (sort) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const more: string = cursor === null ? "" : `&cursor=${cursor}`;
        const page: { items: ListedArtifact[]; nextCursor: string | null } = await read(
          `/artifacts?limit=2&sort=${sort}${more}`,
        );
        seen.push(...page.items.map(({ digest }) => digest));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual((await items(`sort=${sort}`)).map(({ digest }) => digest));
      expect(new Set(seen).size).toBe(5);
    },
  );

  it("counts the states, and exports what the filter leaves", async () => {
    const { states, engines, boards } = await read<{
      states: { state: string; count: number }[];
      engines: string[];
      boards: string[];
    }>("/counts/artifacts?state=proven");
    expect(states.map(({ state, count }) => `${state} ${count}`).sort()).toEqual(
      ["damaged 1", "partly 1", "proven 1", "refused 1", "unproven 1"].sort(),
    );
    expect([engines, boards]).toEqual([["boardwalk"], ["icebreaker"]]);
    const exported = await read<ExportedArtifact[]>("/artifacts?format=json&state=proven");
    expect(exported.map(({ digest }) => digest)).toEqual(digestsOf("whole"));
    const csv = await (await call("GET", "/artifacts?format=csv")).text();
    expect(csv.trimEnd().split("\r\n")).toHaveLength(6);
  });

  it("shows one with its proof, its signature as it stands, and what needs it", async () => {
    const shown = await detail(made.get("half")?.digest ?? "");
    expect(shown).toMatchObject({
      state: "partly",
      signed: "unknown_key",
      damagedAt: null,
      proof: { vectors: 64, mismatches: 0 },
      uses: [{ endpoint: "half", revision: 1, role: "loads" }],
      builds: 1,
      shared: false,
    });
    expect(await detail(made.get("wrong")?.digest ?? "")).toMatchObject({
      state: "refused",
      refused: "Vector 3 differs.",
    });
  });
});

describe("deleting an artifact", () => {
  it("takes its row and its bytes at once, and says afterwards what became of it", async () => {
    const { artifact, buildId } = await make("gone");
    expect(await isThere("gone")).toBe(true);
    await endEndpoint("gone");
    const answer = await remove(artifact.digest);
    expect([answer.status, await answer.json()]).toEqual([
      202,
      { id: artifact.digest, freedBytes: artifact.manifest.files[0]?.sizeBytes },
    ]);
    expect(await isThere("gone")).toBe(false);
    expect(await database().artifact.count({ where: { digest: artifact.digest } })).toBe(0);
    const after = await call("GET", `/artifacts/${encodeURIComponent(artifact.digest)}`);
    expect(after.status).toBe(410);
    expect((await after.json()).error).toMatchObject({
      reason: "ARTIFACT_DELETED",
      details: { buildId },
    });
    expect((await remove(artifact.digest)).status).toBe(410);
  });

  it("leaves a build that can be repeated, and that makes it anew", async () => {
    const { artifact, buildId } = await make("anew");
    await endEndpoint("anew");
    await remove(artifact.digest);
    expect(await findReusable(artifact.planDigest)).toBeNull();
    const again = bare(await retryBuild(scope, buildId));
    const attempt = await claimBuild(again, "worker", { leaseS: 600, deadlineS: 600 });
    await storeFile("anew", again);
    await succeedBuild(again, attempt?.epoch ?? 0, { artifact });
    expect((await detail(artifact.digest)).digest).toBe(artifact.digest);
  });

  it.each([
    ["while an endpoint loads it", "loads", /Endpoint is-loads is loading it as revision 1/],
    ["while an endpoint answers from it", "serves", /answers from it: it is revision 1/],
    ["while an endpoint can be rolled back to it", "rollback", /rolled back to revision 1/],
  ])("is refused %s, and nothing changes", async (_, role, words) => {
    const name = `is-${role}`;
    const { artifact } = await make(name);
    const state = { loads: "building", serves: "ready", rollback: "retired" }[role] ?? "";
    await database().revision.updateMany({
      where: { artifactDigest: artifact.digest },
      data: { state, ...(role === "loads" ? {} : { servedAt: new Date() }) },
    });
    const answer = await remove(artifact.digest);
    const { error } = await answer.json();
    expect([answer.status, error.reason, error.details]).toEqual([
      409,
      "ARTIFACT_IN_USE",
      { by: [name] },
    ]);
    expect(error.message).toMatch(words);
    expect(await isThere(name)).toBe(true);
    expect((await detail(artifact.digest)).uses).toMatchObject([{ endpoint: name, role }]);
  });

  it("is refused until the boards of a deleted endpoint are free", async () => {
    const { artifact } = await make("leaving");
    await call("DELETE", "/endpoints/leaving");
    expect((await remove(artifact.digest)).status).toBe(409);
    await endEndpoint("leaving");
    expect((await remove(artifact.digest)).status).toBe(202);
  });

  it("is allowed where a revision failed with it and never answered", async () => {
    const { artifact } = await make("never");
    await database().revision.updateMany({
      where: { artifactDigest: artifact.digest },
      data: { state: "failed" },
    });
    expect((await remove(artifact.digest)).status).toBe(202);
  });

  it("leaves the bytes that another artifact shares, and takes them with the last one", async () => {
    const first = await make("shared-one", "shared");
    const other = artifactOf("shared-other");
    const shared = first.artifact.manifest.files;
    const manifest = { ...other.manifest, files: shared };
    const digest = digestOfJson(manifest);
    const second = await make("shared-two", "shared", () => ({
      ...other,
      manifest,
      digest,
      signature: { ...other.signature, digest },
    }));
    await endEndpoint("shared-one");
    await endEndpoint("shared-two");
    expect(await (await remove(first.artifact.digest)).json()).toMatchObject({ freedBytes: 0 });
    expect(await isThere("shared")).toBe(true);
    expect(await (await remove(second.artifact.digest)).json()).toMatchObject({
      freedBytes: shared[0]?.sizeBytes,
    });
    expect(await isThere("shared")).toBe(false);
  });

  it("leaves the bytes that a build is storing right now", async () => {
    const { artifact } = await make("storing");
    await endEndpoint("storing");
    const { id } = await claimed("storing-now");
    await storeFile("storing", id);
    expect(await (await remove(artifact.digest)).json()).toMatchObject({ freedBytes: 0 });
    expect(await isThere("storing")).toBe(true);
  });

  it("of another project's artifact takes our reference alone, and tells nobody whose it is", async () => {
    const { artifact, buildId } = await make("ours");
    await endEndpoint("ours");
    const other = uuidv7();
    await database().project.create({ data: { id: other, name: "other" } });
    await database().artifactReference.create({
      data: { projectId: other, artifactDigest: artifact.digest, buildId: bare(buildId) },
    });
    expect((await detail(artifact.digest)).shared).toBe(true);
    expect(await (await remove(artifact.digest)).json()).toMatchObject({ freedBytes: 0 });
    expect(await isThere("ours")).toBe(true);
    expect(await database().artifact.count({ where: { digest: artifact.digest } })).toBe(1);
    expect((await call("GET", `/artifacts/${encodeURIComponent(artifact.digest)}`)).status).toBe(
      410,
    );
  });

  it("that another project made is known by our own build that took it, everywhere", async () => {
    const { artifact, buildId: made } = await make("made-elsewhere");
    const { shown: taken } = await claimed("taken-here");
    await endEndpoint("made-elsewhere");
    await endEndpoint("taken-here");
    const other = uuidv7();
    await database().project.create({ data: { id: other, name: "elsewhere" } });
    const reference = { artifactDigest: artifact.digest };
    await database().artifactReference.updateMany({ where: reference, data: { projectId: other } });
    await database().artifactReference.create({
      data: { ...reference, projectId: scope, buildId: bare(taken) },
    });
    const search = `search=${artifact.digest.slice(7, 23)}`;
    expect((await items(search)).map(({ buildId }) => buildId)).toEqual([taken]);
    expect((await detail(artifact.digest)).buildId).toBe(taken);
    const file = await (await call("GET", `/artifacts?format=csv&${search}`)).text();
    expect([file.includes(taken), file.includes(made)]).toEqual([true, false]);
    await database().build.updateMany({
      where: { id: bare(taken) },
      data: { cancelRequestedAt: new Date() },
    });
    await remove(artifact.digest);
    const gone = await (
      await call("GET", `/artifacts/${encodeURIComponent(artifact.digest)}`)
    ).text();
    expect([gone.includes(taken), gone.includes(made)]).toEqual([true, false]);
  });

  it("is refused while it is pinned, whatever needs it, and goes once it is not", async () => {
    const { artifact } = await make("pinned");
    await endEndpoint("pinned");
    const path = `/artifacts/${encodeURIComponent(artifact.digest)}/pin`;
    const pin = (json: object) => call("POST", path, { json });
    expect((await detail(artifact.digest)).pinnedAt).toBeNull();
    expect((await (await pin({})).json()).pinnedAt).toMatch(/^\d{4}-/);
    expect((await pin({ pinned: true })).status).toBe(200);
    const listed = async () =>
      (await items(`search=${artifact.digest.slice(7, 23)}`)).map(({ pinned }) => pinned);
    expect(await listed()).toEqual([true]);

    const answer = await remove(artifact.digest);
    const { error } = await answer.json();
    expect([answer.status, error.code, error.reason]).toEqual([
      409,
      "failed_precondition",
      "ARTIFACT_PINNED",
    ]);
    expect(error.message).toMatch(/pinned/);
    expect(error.hint).toMatch(/Unpin it first/);
    // Whatever else would delete the row is refused by the database; its bytes outlive the sweep of objects.
    await expect(
      database().$executeRaw`DELETE FROM artifact WHERE digest = ${artifact.digest}`,
    ).rejects.toThrow();
    await sweepObjects(store());
    expect(await isThere("pinned")).toBe(true);

    expect((await (await pin({ pinned: false })).json()).pinnedAt).toBeNull();
    expect(await listed()).toEqual([false]);
    expect((await remove(artifact.digest)).status).toBe(202);
    expect((await pin({})).status).toBe(410);
  });

  it("is pinned for this project alone: another one may let go of it", async () => {
    const { artifact, buildId } = await make("pinned-elsewhere");
    await endEndpoint("pinned-elsewhere");
    const other = uuidv7();
    await database().project.create({ data: { id: other, name: "pins" } });
    const ofOther = { projectId: other, artifactDigest: artifact.digest };
    await database().artifactReference.create({ data: { ...ofOther, buildId: bare(buildId) } });
    await database().artifactPin.create({ data: ofOther });
    expect((await detail(artifact.digest)).pinnedAt).toBeNull();
    expect(await (await remove(artifact.digest)).json()).toMatchObject({ freedBytes: 0 });
    expect(await isThere("pinned-elsewhere")).toBe(true);
  });

  it("of what nobody has is refused as unknown", async () => {
    const answer = await remove(digestOfJson("nothing"));
    expect([answer.status, (await answer.json()).error.reason]).toEqual([404, "ARTIFACT_UNKNOWN"]);
  });
});

describe("a build of the same plan", () => {
  it("that is about to take the artifact keeps it from being deleted", async () => {
    const { artifact } = await make("about");
    await endEndpoint("about");
    const next = await claimed("about-two");
    await takePlan(next.id, next.epoch, artifact.planDigest);
    const found = await findReusable(artifact.planDigest);
    const answer = await remove(artifact.digest);
    const { error } = await answer.json();
    expect([answer.status, error.details.by]).toEqual([409, [next.shown]]);
    await succeedBuild(next.id, next.epoch, {
      reuse: { artifactDigest: found?.artifactDigest ?? "", fromBuildId: found?.buildId ?? "" },
    });
    expect((await detail(artifact.digest)).builds).toBe(2);
  });

  it("never ends with an artifact that is gone, however the two fall together", async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const name = `race-${round}`;
      const { artifact } = await make(name);
      await endEndpoint(name);
      const next = await claimed(`${name}-two`);
      const reuse = async () => {
        await takePlan(next.id, next.epoch, artifact.planDigest);
        const found = await findReusable(artifact.planDigest);
        if (!found) return "made anew";
        await succeedBuild(next.id, next.epoch, {
          reuse: { artifactDigest: found.artifactDigest, fromBuildId: found.buildId },
        });
        return "reused";
      };
      const [built, deleted] = await Promise.all([
        reuse(),
        deleteArtifact(scope, artifact.digest, store()).then(
          () => "deleted",
          (error) => error.reason as string,
        ),
      ]);
      outcomes.add(`${built}, ${deleted}`);
      const isKept = built === "reused";
      expect([round, deleted === "deleted"]).toEqual([round, !isKept]);
      expect([round, await isThere(name)]).toEqual([round, isKept]);
    }
    for (const outcome of outcomes)
      expect(["reused, ARTIFACT_IN_USE", "made anew, deleted"]).toContain(outcome);
  });

  it("cannot end with an artifact whose row went while it was being taken", async () => {
    const { artifact, buildId } = await make("slipped");
    await endEndpoint("slipped");
    const next = await claimed("slipped-two");
    // As a build of another plan that came to the same bytes would: nobody knows that it is about to take them.
    expect((await remove(artifact.digest)).status).toBe(202);
    await expect(
      succeedBuild(next.id, next.epoch, {
        reuse: { artifactDigest: artifact.digest, fromBuildId: bare(buildId) },
      }),
    ).rejects.toMatchObject({ reason: "OBJECT_DAMAGED" });
    expect(await database().build.findUnique({ where: { id: next.id } })).toMatchObject({
      state: "preparing",
      artifactDigest: null,
    });
  });
});

describe("two who delete the same artifact", () => {
  it("are told so: one deletes it, the other learns that it is gone", async () => {
    const { artifact } = await make("twice");
    await endEndpoint("twice");
    const answers = await Promise.all([remove(artifact.digest), remove(artifact.digest)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 410]);
    expect(await isThere("twice")).toBe(false);
  });

  it("leave nothing of it where the store fails halfway, but what the next sweep finds", async () => {
    const { artifact } = await make("halfway");
    await endEndpoint("halfway");
    const failing = {
      ...store(),
      delete: async () => {
        throw fail("STORE_UNAVAILABLE", "The store is away.");
      },
    };
    await expect(deleteArtifact(scope, artifact.digest, failing as never)).rejects.toMatchObject({
      reason: "STORE_UNAVAILABLE",
    });
    expect(await isThere("halfway")).toBe(true);
    expect(await sweepObjects(store())).toBeGreaterThan(0);
    expect(await isThere("halfway")).toBe(false);
  });
});
