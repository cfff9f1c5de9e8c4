import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registerSigningKey } from "@/domain/artifacts";
import { artifactSchema, type FileRole, type Manifest } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { digestOf, digestOfJson } from "@/lib/server/digest";
import { buckets, uploadsBucket } from "@/lib/server/storage";
import { call, portal } from "../support/api";
import { firmwareFiles, manifestOf, membersOf, someKey } from "../support/artifact-archive";
import { saying } from "../support/client";
import { scope } from "../support/domain";
import { pair } from "../support/pair";
import { tarOf, untar } from "../support/tar-file";
import { startWorkerStack, type WorkerStack } from "../workers/worker-stack";

let stack: WorkerStack;
let worker: ReturnType<WorkerStack["startBuilder"]>;

beforeAll(async () => {
  process.env["PORTAL_URL"] = portal;
  stack = await startWorkerStack({ concurrency: 2 });
  await registerSigningKey(stack.key);
  worker = stack.startBuilder({ inspects: true });
});
afterAll(async () => {
  await worker.close();
  await stack.stop();
});

function post(bytes: Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  form.append("file", new Blob([Uint8Array.from(bytes)]), "artifact.tar");
  return call("POST", "/artifacts", { body: form, headers });
}
const exported = async (digest: string): Promise<Buffer> => {
  const answer = await call("GET", `/artifacts/${digest}/archive`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};
const artifact = async (digest: string) =>
  artifactSchema.parse(await (await call("GET", `/artifacts/${digest}`)).json());

/** Everything that an import could leave behind. */
async function left(): Promise<unknown> {
  const keys: string[] = [];
  const own = [buckets.artifacts, uploadsBucket(scope)];
  for (const bucket of own) {
    for await (const { key } of stack.store.list(bucket)) keys.push(`${bucket}/${key}`);
  }
  const db = database();
  // Logs of builds before may still be moved to the store.
  const holds = db.objectHold.count({ where: { bucket: { in: own } } });
  const counts = [db.artifact.count(), db.model.count(), db.build.count(), holds];
  return [keys, await Promise.all(counts)];
}

const theirs = someKey();
const cpuFiles = new Map<FileRole, Uint8Array>([["model", pair.model]]);
const cpuManifest: Manifest = manifestOf(cpuFiles, {
  kind: "model",
  engine: "onnx",
  boardModel: "cpu",
  part: undefined,
  core: undefined,
  clockHz: undefined,
  baud: undefined,
});
const foreign = [
  ["a model for a CPU", cpuFiles, JSON.parse(JSON.stringify(cpuManifest))],
  ["firmware for a real board", firmwareFiles, manifestOf(firmwareFiles)],
] as const;

describe("an artifact of another installation", { timeout: 300_000 }, () => {
  it.each(foreign)("is taken, kept as it is, and given on: %s", async (_, files, manifest) => {
    const archive = tarOf(membersOf(files, manifest, theirs));
    const answer = await post(archive);
    const body = await answer.json();
    expect(body.error).toBeUndefined();
    expect(answer.status).toBe(201);
    expect(body.digest).toBe(digestOfJson(manifest));
    const { signature, origin } = await artifact(body.digest);
    // Board servers trust our key; whose it was stays known.
    expect(signature.keyId).toBe(stack.key.keyId);
    expect(origin).toMatchObject({ kind: "archive", maker: { keyId: theirs.keyId } });
    const build = await (await call("GET", `/builds/${body.buildId}`)).json();
    expect(build).toMatchObject({ state: "succeeded", engine: "prebuilt", endpointName: null });
    expect(build.report.proof).toBeUndefined();
    expect(await exported(body.digest)).toEqual(archive);
    const [again, other] = await Promise.all([post(archive), post(archive)]);
    expect([await again.json(), await other.json()]).toMatchObject([
      { digest: body.digest, url: body.url },
      { digest: body.digest, url: body.url },
    ]);
  });

  it("is taken once for an idempotency key", async () => {
    const archive = tarOf(membersOf(firmwareFiles, manifestOf(firmwareFiles), theirs));
    const key = { "idempotency-key": "import-1" };
    const first = await (await post(archive, key)).json();
    expect(await (await post(archive, key)).json()).toEqual(first);
  });

  it.each([
    ["a file that is another", "files/bitstream", "ARTIFACT_INVALID"],
    ["a manifest that is another", "manifest.json", "ARTIFACT_SIGNATURE_INVALID"],
  ])("is refused with %s, and leaves nothing", async (_, name, reason) => {
    const before = await left();
    const members = membersOf(firmwareFiles, manifestOf(firmwareFiles), theirs);
    const altered = members.map(([each, bytes]) => {
      const text = Buffer.from(bytes).toString("latin1");
      const turned = each === "manifest.json" ? text.replace('"baud":1', '"baud":2') : `${text}x`;
      return [each, each === name ? Buffer.from(turned, "latin1") : bytes] as const;
    });
    const answer = await post(tarOf(altered));
    expect(answer.status).toBe(422);
    expect((await answer.json()).error).toMatchObject({ reason });
    expect(await left()).toEqual(before);
  });

  it.each([
    ["a model", saying(pair.model, "alone"), 422, "ARTIFACT_INVALID"],
    ["no archive", Buffer.from("x".repeat(700)), 422, "MODEL_FORMAT_UNKNOWN"],
    [
      "nothing that a board could load",
      tarOf(
        membersOf(
          new Map([["graph", Buffer.from("{}")]]),
          manifestOf(new Map([["graph", Buffer.from("{}")]])),
        ),
      ),
      422,
      "FIRMWARE_UNSERVABLE",
    ],
  ] as const)("is refused when it is %s, and leaves nothing", async (_, bytes, status, reason) => {
    const before = await left();
    const answer = await post(bytes);
    expect(answer.status).toBe(status);
    expect((await answer.json()).error).toMatchObject({ reason });
    expect(await left()).toEqual(before);
  });

  it("is refused when it comes in another way than in a form", async () => {
    expect((await call("POST", "/artifacts", { json: {} })).status).toBe(415);
  });
});

describe("an artifact that was built here", { timeout: 300_000 }, () => {
  it("is one tar file, whose length is told, and comes back as what it was", async () => {
    const { artifactDigest } = await stack.ended(
      await stack.deploy({
        name: "own",
        engine: "onnx",
        model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
        board: { model: "cpu", kind: "cpu" },
      }),
    );
    const digest = artifactDigest ?? "";
    const answer = await call("GET", `/artifacts/${digest}/archive`);
    expect(answer.headers.get("content-type")).toBe("application/x-tar");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="artifact-/);
    const archive = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get("content-length")).toBe(String(archive.length));
    const files = untar(archive);
    const manifest = JSON.parse(files.get("manifest.json")?.toString() ?? "");
    expect(digestOfJson(manifest)).toBe(digest);
    expect([...files.keys()]).toEqual([
      "manifest.json",
      "signature.json",
      "key.json",
      ...manifest.files.map(({ role }: { role: string }) => `files/${role}`),
    ]);
    expect(digestOf(files.get("files/model") ?? "")).toBe(manifest.files[0].digest);
    const back = await post(archive);
    expect(back.status).toBe(201);
    expect(await back.json()).toMatchObject({ digest });
    expect((await artifact(digest)).origin).toBeUndefined();
    const row = await database().artifact.findFirstOrThrow({ where: { digest } });
    expect(row.report).toHaveProperty("proof");
  });

  it("is not exported when its bytes are gone, or others", async () => {
    const { digest } = await (await post(tarOf(membersOf(cpuFiles, foreign[0][2], theirs)))).json();
    const [{ digest: file } = { digest: "" }] = (await artifact(digest)).manifest.files;
    const key = file.slice(7);
    const whole = await buffer((await stack.store.get(buckets.artifacts, key)).stream);
    const turned = Buffer.from(whole);
    turned[0] = (turned[0] ?? 0) ^ 1;
    await stack.store.put(buckets.artifacts, key, turned, { sizeBytes: turned.length });
    const broken = await call("GET", `/artifacts/${digest}/archive`);
    await expect(broken.arrayBuffer()).rejects.toThrow();
    await stack.store.delete(buckets.artifacts, key);
    const gone = await call("GET", `/artifacts/${digest}/archive`);
    expect(gone.status).toBe(404);
    expect((await gone.json()).error.reason).toBe("ARTIFACT_MISSING");
  });

  it("is unknown by another digest", async () => {
    const answer = await call("GET", `/artifacts/${digestOf("none")}/archive`);
    expect((await answer.json()).error.reason).toBe("ARTIFACT_UNKNOWN");
  });
});
