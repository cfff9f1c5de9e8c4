import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { outlineOf, parseOnnx } from "@/compiler";
import { reportBuildWorker, withdrawBuildWorker } from "@/domain/build-workers";
import { claimBuild, succeedBuild, takePlan } from "@/domain/builds";
import { claimInspection, finishInspection } from "@/domain/models";
import { type Inspection, type ModelCard, modelCardSchema } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { digestOf } from "@/lib/server/digest";
import { call, openApi } from "../support/api";
import { artifactOf, bare, iris } from "../support/domain";

// What a deploy is refused for before anything of it exists. A worker is played here: it says what the test wants.

openApi();

const samples = "s3://boardwalk-samples";
const forest = "tests/fixtures/models/wine-sklearn-forest";
const graph = parseOnnx(new Uint8Array(readFileSync(`${forest}/model.onnx`)));
const card: ModelCard = modelCardSchema.parse(
  JSON.parse(readFileSync(`${forest}/card.json`, "utf8")),
);
const found: Inspection = {
  format: "onnx",
  sizeBytes: 3,
  digest: digestOf("abc"),
  inputs: [{ name: "x", datatype: "FP32", shape: [-1, 13] }],
  outputs: [{ name: "y", datatype: "FP32", shape: [-1, 3] }],
  layers: [],
  parameters: 9,
  engines: [
    { id: "boardwalk", ok: true },
    { id: "onnx", ok: true },
    { id: "xgboost", ok: false, reason: "MODEL_UNSUPPORTED", message: "It is no XGBoost model." },
  ],
  outlines: { boardwalk: outlineOf(graph, card.inputRange ?? null) },
};
type Answer = Parameters<typeof finishInspection>[2];
const missing: Answer = {
  problem: { code: "not_found", reason: "SOURCE_NOT_FOUND", message: "Nothing lies there." },
};

let stop = () => {};
function answering(answer: Answer): void {
  let isOver = false;
  const timer = setInterval(async () => {
    for (const { id } of await database().inspection.findMany({ where: { state: "queued" } })) {
      if (isOver) return;
      const claim = await claimInspection(id, "worker", 15);
      if (claim) await finishInspection(id, claim.epoch, answer);
    }
  }, 20);
  stop = () => {
    isOver = true;
    clearInterval(timer);
  };
}

beforeAll(() =>
  reportBuildWorker({
    name: "one",
    host: "here",
    sandbox: "bubblewrap",
    mend: null,
    missing: null,
    tools: null,
    slots: 1,
  }),
);
afterEach(() => stop());
afterAll(() => withdrawBuildWorker("one"));

let made = 0;
const asked = (model: string, more: object = {}) => ({
  ...iris(`refused-${++made}`),
  model: { url: `${samples}/${model}/model.onnx` },
  ...more,
});
const counts = async () => [await database().endpoint.count(), await database().build.count()];
async function post(json: object, headers: Record<string, string> = {}) {
  const answer = await call("POST", "/endpoints", { json, headers });
  return { status: answer.status, body: await answer.json() };
}

describe("a deploy that could only fail", () => {
  it.each([
    {
      why: "nothing lies at the address",
      answer: missing,
      more: {},
      refusal: { reason: "SOURCE_NOT_FOUND", field: "model.url" },
    },
    {
      why: "the engine does not take the model",
      answer: { result: found },
      more: { engine: "xgboost", board: { model: "cpu", kind: "cpu" } },
      refusal: { reason: "MODEL_UNSUPPORTED", field: "engine", message: "It is no XGBoost model." },
    },
    {
      why: "the board is too small",
      answer: { result: found },
      more: { board: { model: "icestick", kind: "simulated" } },
      refusal: { reason: "MODEL_TOO_LARGE", field: "board" },
    },
  ])("is refused, and the name stays free: $why", async ({ answer, more, refusal }) => {
    const before = await counts();
    const json = asked(`case-${made}`, more);
    answering(answer);
    const first = await post(json, { "idempotency-key": `key-${made}` });
    expect([first.status, first.body.error]).toMatchObject([422, refusal]);
    expect(await counts()).toEqual(before);
    // The same key again is a new try, since the first one made nothing.
    const free = { ...json, engine: "onnx", board: { model: "cpu", kind: "cpu" } };
    stop();
    answering({ result: found });
    expect((await post(free)).status).toBe(202);
  });

  it("names what is lacking and what would fit", async () => {
    answering({ result: found });
    const { body } = await post(
      asked("forest", { board: { model: "icestick", kind: "simulated" } }),
    );
    const { details, message, hint } = body.error;
    expect(message).toMatch(/^The model does not fit .*: it needs about [\d,]+ logic cells/);
    expect(details.lacking[0]).toMatchObject({ id: "lut", name: "Logic cells" });
    expect(details.lacking[0].needed).toBeGreaterThan(details.lacking[0].available);
    expect(details.fits.length).toBeGreaterThan(0);
    expect(hint).toContain(details.fits[0].title);
  });
});

describe("a deploy of which nobody knows yet", () => {
  const isTaken = async (json: object, headers: Record<string, string> = {}) => {
    const startedAt = performance.now();
    const { status } = await post(json, headers);
    return { status, ms: performance.now() - startedAt };
  };

  it("is taken when its model cannot be read within the wait", async () => {
    const { status, ms } = await isTaken(asked("slow"), { prefer: "wait=1" });
    expect(status).toBe(202);
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(5000);
  });

  it("is taken at once when the caller does not wait", async () => {
    answering(missing);
    const before = await database().inspection.count();
    expect((await isTaken(asked("hasty"), { prefer: "wait=0" })).status).toBe(202);
    expect(await database().inspection.count()).toBe(before);
  });

  it("is taken at once when no worker is up to read it", async () => {
    await withdrawBuildWorker("one");
    const { status, ms } = await isTaken(asked("alone"));
    await reportBuildWorker({
      ...{ name: "one", host: "here", sandbox: "bubblewrap" },
      ...{ mend: null, missing: null, tools: null, slots: 1 },
    });
    expect(status).toBe(202);
    expect(ms).toBeLessThan(5000);
  });

  it("is taken when the worker, not the model, is to blame", async () => {
    answering({ problem: { code: "internal", reason: "INTERNAL", message: "Broken." } });
    expect((await isTaken(asked("broken"))).status).toBe(202);
  });

  it("is let pass by what was found minutes ago, and refused only by what is found now", async () => {
    const again = { url: `${samples}/again/model.onnx` };
    answering({ result: found });
    expect((await isTaken(asked("again"))).status).toBe(202);
    stop();
    const before = await database().inspection.count();
    expect((await isTaken(asked("again"))).status).toBe(202);
    expect(await database().inspection.count()).toBe(before);
    // The same file for a board that is too small: what lies there now is smaller.
    const { outlines: _, ...small } = found;
    answering({ result: small });
    const json = asked("again", { model: again, board: { model: "icestick", kind: "simulated" } });
    expect((await isTaken(json)).status).toBe(202);
    expect(await database().inspection.count()).toBe(before + 1);
  });
});

describe("an uploaded model", () => {
  it("is called by its file's name wherever it is spoken of", async () => {
    const bytes = "a model of its own";
    answering({ result: { ...found, digest: digestOf(bytes) } });
    const form = new FormData();
    form.append("file", new File([bytes], "beam <img src=x onerror=alert(1)>.onnx"));
    const model = await (await call("POST", "/models", { body: form })).json();
    const json = asked("x", { model: { url: model.url } });
    const deployed = await (await call("POST", "/endpoints", { json })).json();
    const modelName = "beam <img src=x onerror=alert(1)>.onnx";
    const read = async (path: string) => await (await call("GET", path)).json();
    expect(await read(`/builds/${deployed.buildId}`)).toMatchObject({ modelName });
    expect((await read("/builds?limit=1")).items[0]).toMatchObject({ modelName });
    expect(await read(`/endpoints/${json.name}`)).toMatchObject({ modelName });
    expect((await read(`/endpoints/${json.name}/revisions`)).items[0]).toMatchObject({ modelName });
    const { items } = await read(`/endpoints?search=${json.name}`);
    expect(items[0]).toMatchObject({ modelName });
    const other = await read("/endpoints?search=refused-1");
    expect(other.items[0].modelName).toBeUndefined();

    const exported = await read("/builds?format=json");
    const namesOf = (rows: { modelName: string | null }[]) => rows.map((row) => row.modelName);
    expect(exported.find(({ id }: { id: string }) => id === deployed.buildId)).toMatchObject({
      modelUrl: model.url,
      modelName,
    });
    expect(new Set(namesOf(exported))).toEqual(new Set([modelName, null]));

    const id = bare(deployed.buildId);
    const attempt = await claimBuild(id, "worker", { leaseS: 60, deadlineS: 60 });
    const artifact = artifactOf("beam");
    await takePlan(id, attempt?.epoch ?? 0, artifact.planDigest);
    await succeedBuild(id, attempt?.epoch ?? 0, { artifact });
    const listed = (await read("/artifacts")).items;
    expect(listed).toMatchObject([{ digest: artifact.digest, modelUrl: model.url, modelName }]);
    expect(namesOf(await read("/artifacts?format=json"))).toEqual([modelName]);
    const csv = await (await call("GET", "/artifacts?format=csv")).text();
    expect(csv).toContain(`${model.url},${modelName},`);
    const path = `/artifacts/${encodeURIComponent(artifact.digest)}`;
    expect((await read(path)).model).toMatchObject({ url: model.url, name: modelName });
  });
});
