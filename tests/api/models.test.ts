import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { listLetGo } from "@/domain/artifacts";
import { claimBuild, recordModel, succeedBuild } from "@/domain/builds";
import { type MetModel, noteModel, storeModel } from "@/domain/models";
import type {
  ExportedModel,
  Inspection,
  ListedModel,
  ModelDetail,
  StorageUse,
} from "@/lib/common/contract";
import { database, withTransaction } from "@/lib/server/db";
import { digestOf, digestOfJson, hexOf } from "@/lib/server/digest";
import { objectStore, uploadsBucket } from "@/lib/server/storage";
import { call, openApi } from "../support/api";
import { artifactOf, bare, iris, scope } from "../support/domain";

// Models as their pages list, show, archive and delete them; what the pages count is held to the rows of the database.

openApi();

const inspectionOf = (seed: string, format = "onnx"): Inspection => ({
  format,
  sizeBytes: 100,
  digest: digestOfJson(seed),
  inputs: [{ name: "x", datatype: "FP32", shape: [-1, 4] }],
  outputs: [{ name: "y", datatype: "FP32", shape: [-1, 3] }],
  layers: [{ name: "dense", operator: "Gemm", shape: [-1, 3], parameters: 15 }],
  graph: {
    version: 1,
    layers: [{ from: [-1], datatype: "FP32", bits: 32 }],
    outputs: [0],
    omitted: 0,
  },
  parameters: 15,
  engines: [{ id: "onnx", ok: true }],
});

const note = async (url: string, seed: string, more: Partial<MetModel> = {}): Promise<string> => {
  const inspection = inspectionOf(seed);
  const { digest } = inspection;
  return (
    (await noteModel(scope, { url, digest, sizeBytes: 100, inspection, problem: null, ...more })) ??
    ""
  );
};

const bytesOf = (seed: string) => Buffer.from(`bytes of ${seed}`);
const keyOf = (seed: string) => hexOf(digestOf(bytesOf(seed)));
const urlOf = (seed: string) => `s3://${uploadsBucket(scope)}/${keyOf(seed)}`;
const isThere = async (seed: string) =>
  (await objectStore().head(uploadsBucket(scope), keyOf(seed))) !== null;

/** A model that somebody sent. */
async function send(name: string, seed: string): Promise<string> {
  const bytes = bytesOf(seed);
  await objectStore().ensureBucket(uploadsBucket(scope));
  await objectStore().put(uploadsBucket(scope), keyOf(seed), Readable.from([bytes]), {
    sizeBytes: bytes.length,
    ifNoneMatch: "*",
  });
  const { id } = await withTransaction((tx) =>
    storeModel(tx, scope, {
      name,
      url: urlOf(seed),
      digest: digestOf(bytes),
      sizeBytes: bytes.length,
      inspection: { ...inspectionOf(seed), digest: digestOf(bytes) },
    }),
  );
  return id;
}

const read = async <T>(target: string): Promise<T> => {
  const answer = await call("GET", target);
  expect([target, answer.status]).toEqual([target, 200]);
  return (await answer.json()) as T;
};
const detail = (id: string) => read<ModelDetail>(`/models/${id}`);
const names = async (query = "") =>
  (await read<{ items: ListedModel[] }>(`/models?limit=200&${query}`)).items.map(
    ({ name }) => name,
  );

describe("the list of models", () => {
  const jets = "https://example.org/jets/model.onnx";
  let first = "";
  let second = "";
  beforeAll(async () => {
    first = await note(jets, "jets one");
    await note("s3://boardwalk-samples/iris-mlp/model.onnx", "iris");
    second = await note(jets, "jets two");
    await note("https://example.org/broken.bin", "broken", {
      inspection: null,
      problem: {
        code: "invalid_argument",
        reason: "MODEL_FORMAT_UNKNOWN",
        message: "The file is of no model format we know.",
        details: { bytesRead: 12, formatGuess: "unknown", expected: "ONNX" },
      },
    });
    await send("trees.json", "trees");
    await database().$executeRaw`
      UPDATE model SET inspection = jsonb_set(inspection, '{format}', '"xgboost-json"') WHERE name = 'trees.json'`;
  });

  it("holds each source once, by its newest version, named as people would", async () => {
    expect(await names()).toEqual(["trees.json", "broken.bin", "jets", "iris-mlp"]);
    const { items } = await read<{ items: ListedModel[] }>("/models");
    expect(items.find(({ name }) => name === "jets")).toMatchObject({
      id: second,
      versions: 2,
      newest: true,
      stored: false,
      parameters: 15,
      builds: 0,
    });
    expect(items.find(({ name }) => name === "trees.json")).toMatchObject({ stored: true });
  });

  it.each([
    ["kind=xgboost-json", ["trees.json"]],
    ["kind=onnx", ["jets", "iris-mlp"]],
    ["state=unreadable", ["broken.bin"]],
    ["state=readable&kind=onnx&sort=name", ["iris-mlp", "jets"]],
    ["search=EXAMPLE.org", ["broken.bin", "jets"]],
    ["search=je", ["jets"]],
    ["search=zebra", []],
    ["since=1h&sort=-name", ["trees.json", "jets", "iris-mlp", "broken.bin"]],
  ])("%s holds %j", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it("counts states and tells formats as the database has them", async () => {
    const { states, kinds } = await read<{
      states: { state: string; count: number }[];
      kinds: string[];
    }>("/counts/models");
    expect(states.map(({ state, count }) => `${state} ${count}`).sort()).toEqual([
      "readable 3",
      "unreadable 1",
    ]);
    expect(kinds).toEqual(["onnx", "xgboost-json"]);
    expect(await database().model.count({ where: { newest: true } })).toBe(4);
  });

  it("comes whole in pages of one, forwards and back", async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    let before: string | null = null;
    do {
      const page: {
        items: ListedModel[];
        nextCursor: string | null;
        previousCursor: string | null;
      } = await read(`/models?limit=1&sort=-size${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...page.items.map(({ name }) => name));
      before = page.previousCursor;
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(await names("sort=-size"));
    const back = await read<{ items: ListedModel[] }>(
      `/models?limit=1&sort=-size&cursor=${before}`,
    );
    expect(back.items.map(({ name }) => name)).toEqual([seen.at(-2)]);
  });

  it("is exported whole", async () => {
    const exported = await read<ExportedModel[]>("/models?format=json&sort=name");
    expect(exported.map(({ name }) => name)).toEqual(await names("sort=name"));
    const csv = await (await call("GET", "/models?format=csv&kind=onnx")).text();
    expect(csv.trimEnd().split("\r\n")).toHaveLength(3);
  });

  it("tells how the weights of a version lie, of one that was read earlier nothing", async () => {
    const range = {
      layer: 0,
      tensor: "w",
      shape: [4, 3],
      min: -1,
      q1: 0,
      median: 0.5,
      q3: 1,
      max: 2,
    };
    const url = "https://example.org/weighed.onnx";
    const inspection = { ...inspectionOf("weighed"), weights: [range] };
    const weighed = await note(url, "weighed", { inspection });
    expect((await detail(weighed)).weights).toEqual([range]);
    expect(await detail(first)).not.toHaveProperty("weights");
    // What a later version may store in another form counts for none, and the rest is shown.
    await database().$executeRaw`
      UPDATE model SET inspection = jsonb_set(inspection, '{weights}', '[{"layer": "x"}]') WHERE url = ${url}`;
    expect(await detail(weighed)).toMatchObject({ state: "readable", parameters: 15 });
    await database().model.deleteMany({ where: { url } });
  });

  it("tells a version with its others, its layers and its problem", async () => {
    const older = await detail(first);
    expect(older.newest).toBe(false);
    expect(older.versions.map(({ id, newest }) => [id, newest])).toEqual([
      [second, true],
      [first, false],
    ]);
    expect(older.graph?.layers).toEqual([{ from: [-1], datatype: "FP32", bits: 32 }]);
    const [broken] = (await read<{ items: ListedModel[] }>("/models?state=unreadable")).items;
    expect((await detail(broken?.id ?? "")).problem).toMatchObject({
      reason: "MODEL_FORMAT_UNKNOWN",
      details: { bytesRead: 12 },
    });
  });

  it("has the older version newest again once its source gives those bytes again", async () => {
    expect(await note(jets, "jets one")).toBe(first);
    expect((await detail(first)).newest).toBe(true);
    expect((await detail(second)).newest).toBe(false);
    await note(jets, "jets two");
  });

  it("stays right where many builds meet versions of one source at the same moment", async () => {
    const url = "https://example.org/busy.onnx";
    await Promise.all(Array.from({ length: 12 }, (_, n) => note(url, `busy ${n % 4}`)));
    const rows = await database().model.findMany({ where: { url } });
    expect([rows.length, rows.filter(({ newest }) => newest).length]).toEqual([4, 1]);
    await database().model.deleteMany({ where: { url } });
  });
});

describe("what was made of a model", () => {
  it("is told with its states, builds by builds and endpoint by endpoint", async () => {
    const { buildId } = await (await call("POST", "/endpoints", { json: iris("made") })).json();
    const attempt = await claimBuild(bare(buildId), "worker", { leaseS: 60, deadlineS: 600 });
    const { digest } = inspectionOf("iris");
    await recordModel(bare(buildId), attempt?.epoch ?? 0, { digest: digest as `sha256:${string}` });
    await succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact: artifactOf("made") });
    const [model] = (await read<{ items: ListedModel[] }>("/models?search=iris-mlp")).items;
    expect(model).toMatchObject({ builds: 1, endpoints: 1 });
    const shown = await detail(model?.id ?? "");
    expect(shown.builds).toEqual([{ state: "succeeded", count: 1 }]);
    expect(shown.endpoints).toMatchObject([{ name: "made", boardModel: "icebreaker" }]);
    const { items } = await read<{ items: { id: string }[] }>(`/models/${model?.id}/builds`);
    expect(items.map(({ id }) => id)).toEqual([buildId]);
  });
});

describe("a model that is put away", () => {
  it("leaves lists with all its versions, can be shown, and comes back", async () => {
    const id = await note("https://example.org/old.onnx", "old");
    const archive = (archived: boolean) =>
      call("POST", `/models/${id}/archive`, { json: { archived } });
    expect((await (await archive(true)).json()).state).toBe("archived");
    expect(await names()).not.toContain("old.onnx");
    expect(await names("state=archived")).toEqual(["old.onnx"]);
    await archive(false);
    expect(await names()).toContain("old.onnx");
  });
});

describe("an alias of a model", () => {
  const url = "https://example.org/named.onnx";
  const set = (id: string, name: unknown) =>
    call("POST", `/models/${id}/aliases`, { json: { name } });
  const unset = (id: string, name: string) => call("DELETE", `/models/${id}/aliases/${name}`);
  let older = "";
  let newer = "";
  beforeAll(async () => {
    older = await note(url, "named one");
    newer = await note(url, "named two");
  });
  const listed = async () =>
    (await read<{ items: ListedModel[] }>("/models?search=named.onnx")).items[0]?.aliases;

  it("names one version, which its page and the list tell", async () => {
    expect((await (await set(older, "champion")).json()).aliases).toEqual(["champion"]);
    expect((await set(older, "champion")).status).toBe(200);
    await set(newer, "challenger");
    expect((await detail(newer)).versions.map(({ id, aliases }) => [id, aliases])).toEqual([
      [newer, ["challenger"]],
      [older, ["champion"]],
    ]);
    expect(await listed()).toEqual([
      { name: "challenger", modelId: newer },
      { name: "champion", modelId: older },
    ]);
  });

  it("moves when it is set on another version, and is removed where it stands alone", async () => {
    await set(newer, "champion");
    expect((await detail(older)).aliases).toEqual([]);
    expect((await detail(newer)).aliases).toEqual(["challenger", "champion"]);
    const elsewhere = await unset(older, "champion");
    expect([elsewhere.status, (await elsewhere.json()).error.reason]).toEqual([404, "NOT_FOUND"]);
    expect((await (await unset(newer, "challenger")).json()).aliases).toEqual(["champion"]);
  });

  it("may be there for another model too", async () => {
    const other = await note("https://example.org/elsewhere.onnx", "elsewhere");
    expect((await set(other, "champion")).status).toBe(200);
    expect((await detail(newer)).aliases).toEqual(["champion"]);
  });

  it.each(["", "Champion", "two words", "-x"])("is refused as %j", async (name) => {
    const answer = await set(newer, name);
    expect([answer.status, (await answer.json()).error.reason]).toEqual([422, "NAME_INVALID"]);
  });

  it("stays on one version where many are given it at the same moment", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, n) => set(n % 2 ? older : newer, "busy")));
    const { versions } = await detail(newer);
    expect(versions.filter(({ aliases }) => aliases.includes("busy"))).toHaveLength(1);
  });

  it("is refused where there are twenty, and goes with its version", async () => {
    const counted = (await detail(newer)).versions.flatMap(({ aliases }) => aliases).length;
    for (let n = counted; n < 20; n++) expect((await set(older, `name-${n}`)).status).toBe(200);
    const answer = await set(newer, "one-more");
    expect((await answer.json()).error.reason).toBe("QUOTA_EXCEEDED");
    // Moving one needs no room.
    expect((await set(newer, "name-19")).status).toBe(200);
    expect((await set("mdl_01890000-0000-7000-8000-000000000000", "champion")).status).toBe(404);
    await call("DELETE", `/models/${older}`);
    expect((await listed())?.every(({ modelId }) => modelId === newer)).toBe(true);
    expect((await set(newer, "one-more")).status).toBe(200);
  });
});

describe("deleting a model", () => {
  const remove = (id: string) => call("DELETE", `/models/${id}`);

  it("takes the row and the bytes that were sent", async () => {
    const id = await send("gone.onnx", "gone");
    const file = await call("GET", `/models/${id}/file`);
    expect(file.headers.get("content-type")).toBe("application/octet-stream");
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="gone.onnx"');
    expect(await file.text()).toBe("bytes of gone");
    const answer = await remove(id);
    expect([answer.status, (await answer.json()).freedBytes]).toEqual([202, 13]);
    expect(await isThere("gone")).toBe(false);
    expect((await call("GET", `/models/${id}`)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
  });

  it("makes the version before it the newest", async () => {
    const url = "https://example.org/two.onnx";
    const before = await note(url, "two one");
    const newest = await note(url, "two two");
    await remove(newest);
    expect(await detail(before)).toMatchObject({ newest: true, versions: [{ id: before }] });
  });

  it("is refused while an endpoint was made of the bytes that were sent, and says which", async () => {
    const id = await send("needed.onnx", "needed");
    const json = { ...iris("needs-it"), model: { url: urlOf("needed") } };
    expect((await call("POST", "/endpoints", { json })).status).toBe(202);
    const building = await remove(id);
    expect([building.status, (await building.json()).error.reason]).toEqual([409, "MODEL_IN_USE"]);
    await database()
      .$executeRaw`UPDATE build SET ended_at = now() WHERE endpoint_name = 'needs-it'`;
    const { error } = await (await remove(id)).json();
    expect(error.details).toEqual({ by: ["needs-it"] });
    expect(await isThere("needed")).toBe(true);
    await database().endpoint.updateMany({
      where: { name: "needs-it" },
      data: { deletedAt: new Date() },
    });
    expect((await remove(id)).status).toBe(202);
    expect(await isThere("needed")).toBe(false);
  });

  it("leaves the bytes to a build that was asked for at that moment", async () => {
    const id = await send("raced.onnx", "raced");
    const json = { ...iris("races"), model: { url: urlOf("raced") } };
    const [deleted] = await Promise.all([remove(id), call("POST", "/endpoints", { json })]);
    const build = await database().build.findFirst({ where: { endpointName: "races" } });
    expect(build?.endedAt).toBeNull();
    // Either the build was seen, or the row went before it; what nobody may do is take the bytes of a build that waits.
    if (deleted.status === 409) expect(await isThere("raced")).toBe(true);
    else if (await isThere("raced"))
      expect(await listLetGo("uploads-", 10)).toMatchObject([{ key: keyOf("raced") }]);
  });
});

describe("what takes room", () => {
  it("is what the database counts, each shared file once", async () => {
    const use = await read<StorageUse>("/settings/storage");
    const rows = await database().artifact.findMany();
    const files = new Map(
      rows
        .flatMap(
          ({ manifest }) => (manifest as { files: { digest: string; sizeBytes: number }[] }).files,
        )
        .map((file) => [file.digest, file.sizeBytes]),
    );
    const artifacts = use.kinds.find(({ kind }) => kind === "artifacts");
    expect(artifacts).toEqual({
      kind: "artifacts",
      bytes: [...files.values()].reduce((sum, size) => sum + size, 0),
      objects: files.size,
    });
    const sent = await database().model.findMany({ where: { source: { startsWith: "file:" } } });
    expect(use.kinds.find(({ kind }) => kind === "models")).toEqual({
      kind: "models",
      bytes: sent.reduce((sum, { sizeBytes }) => sum + Number(sizeBytes), 0),
      objects: sent.length,
    });
    expect(use.unused.artifacts).toBe(0);
    expect(use.largest.map(({ digest }) => digest)).toEqual(rows.map(({ digest }) => digest));
  });
});

describe("the settings", () => {
  it("name connections without a secret, and test them with a real question", async () => {
    const text = await (await call("GET", "/settings/connections")).text();
    const password = new URL(process.env["DATABASE_URL"] ?? "").password;
    if (password !== "") expect(text).not.toContain(password);
    expect(JSON.parse(text).items.map(({ id }: { id: string }) => id)).toEqual([
      "postgres",
      "redis",
      "objects",
      "gateway",
    ]);
    const postgres = await (await call("POST", "/settings/connections/postgres/test")).json();
    const builds = await database().build.count();
    expect(postgres).toMatchObject({
      ok: true,
      answer: expect.stringContaining(`${builds} builds`),
    });
    const objects = await (await call("POST", "/settings/connections/objects/test")).json();
    expect(objects.ok).toBe(true);
    const gateway = await (await call("POST", "/settings/connections/gateway/test")).json();
    expect(gateway).toMatchObject({ ok: false, answer: expect.stringMatching(/fetch|connect/i) });
    expect((await call("POST", "/settings/connections/other/test")).status).toBe(404);
  });

  it("say which version this is, and under which licences its packages come", async () => {
    const about = await read<{ version: string; packages: { name: string; licence: string }[] }>(
      "/settings/about",
    );
    expect(about.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(about.packages.find(({ name }) => name === "react")?.licence).toBe("MIT");
    expect(about.packages.filter(({ licence }) => licence === null)).toEqual([]);
  });
});

describe("the checks of the machine", () => {
  it("are those of npm run doctor, each with what mends it", async () => {
    const answer = await call("POST", "/doctor/checks");
    expect(answer.status).toBe(200);
    const { checks, tookMs } = await answer.json();
    expect(checks.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["Node", "Postgres", "Redis", "bubblewrap"]),
    );
    for (const check of checks) expect(check.fix).not.toBe("");
    expect(tookMs).toBeGreaterThan(0);
  });
});
